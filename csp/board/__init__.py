"""What a model looks like: grids, regions, cages, clues, signs, and a solution as text; no points."""

from .answer import answer_text, domains_text, read_table

__all__ = ["answer_text", "domains_text", "read_table"]
