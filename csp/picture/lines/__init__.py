"""Draw arrows of removals, lines that join cells (spines), and frames about helpers."""
