"""Compute the positions and forms of vertices, constraint nodes and printed shapes."""
