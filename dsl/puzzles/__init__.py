"""Specs as puzzles: imported, edited, filled in, set, and asked a line at a time."""
