"""Write traces, solutions and differences as text for a terminal, or as HTML tables."""
