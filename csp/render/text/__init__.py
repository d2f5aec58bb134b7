"""Write traces, solutions and differences as terminal text or HTML tables."""
