"""Queries to a compiled model: solver, session and their answers."""
