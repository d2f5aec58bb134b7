"""Draw arrows of removals, and lines that join the cells of a constraint (spines)."""
