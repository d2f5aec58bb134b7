"""Draw lines that one moment or a crowded grid needs: arrows of removals, and spines of constraints."""
