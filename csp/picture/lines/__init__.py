"""Draw arrows, wires and lines between cells (spines), and signs and places of helpers and failures."""
