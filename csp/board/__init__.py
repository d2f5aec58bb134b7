"""Recognise how a puzzle is printed, and write solutions as text.

``grid.py`` finds the grids of a model, ``strips.py`` its chessboards and tables. ``puzzle.py`` finds the clues and
regions of a grid. ``answer.py`` writes a solution. ``csp.picture`` computes the coordinates of pictures.
"""

from .answer import answer_text, domains_text, read_table

__all__ = ["answer_text", "domains_text", "read_table"]
