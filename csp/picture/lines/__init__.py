"""Draw arrows, wires and lines between cells (spines), and signs of helpers and failures."""
