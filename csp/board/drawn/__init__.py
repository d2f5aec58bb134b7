"""The drawings that a spec declares: on grids, beside them, or instead of values."""
