"""Reads links to penpa: sudokus, and square grids tagged with a genre."""
