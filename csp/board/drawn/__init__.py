"""Drawings of the spec: on grids, and instead of values."""
