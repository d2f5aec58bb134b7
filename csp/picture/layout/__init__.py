"""Layouts: the places and forms of vertices, constraint nodes and printed shapes."""
