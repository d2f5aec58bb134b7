"""Exports specs to f-puzzles, as JSON or as a link."""
