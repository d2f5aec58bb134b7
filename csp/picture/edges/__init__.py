"""Edges between vertices: their ends, their meaning and their curves."""
