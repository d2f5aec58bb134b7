"""Recognise how a puzzle is printed (grids, cages, clues) and write solutions as text.

Puzzles have grids, regions, cages, clues and signs.

Nothing here has coordinates of a picture.
"""

from .answer import answer_text, domains_text, read_table

__all__ = ["answer_text", "domains_text", "read_table"]
