"""Converts files of puzzles in foreign formats to specs.

This file lists the families of puzzles and chooses the reader of a file's format.
"""

from __future__ import annotations

from ...syntax.errors import Diagnostics, Source, SpecError
from .boxes import evenodd, jigsaw, multi_sudoku, sudoku, sudoku_x, windoku
from .cages import kakuro, kenken, killer, suguru
from .dimacs import read_graph
from .letters import alphametic
from .lines import read_lines
from .puzzles import ForeignPuzzle
from .records import Family, read_records
from .squares import blocked_queens, futoshiki, graeco_latin, latin, magic_square, skyscrapers, tenner

__all__ = ["FAMILIES", "ForeignPuzzle", "puzzles", "specs"]

FAMILIES: dict[str, Family] = {
    function.__name__: function
    for function in (
        sudoku, sudoku_x, windoku, jigsaw, evenodd, multi_sudoku, killer, kenken, kakuro, suguru, tenner,
        latin, graeco_latin, magic_square, futoshiki, skyscrapers, blocked_queens, alphametic,
    )
}  # fmt: skip


def puzzles(source: Source, family: str | None = None) -> list[ForeignPuzzle]:
    """Return the puzzles of a file in a foreign format; each is converted on demand.

    The file has JSON lines, a DIMACS graph, or sudokus as text.

    Parameters
    ----------
    source : Source
    family : str, optional
        The family of puzzles that do not name their own.

    Returns
    -------
    list of ForeignPuzzle

    Examples
    --------
    >>> [puzzle.at.line for puzzle in puzzles(Source("four.sdm", "# two\\n1.....2...3....4\\n.1.....2...3....\\n"))]
    [2, 3]
    """
    # The first line that is not a comment decides the format.
    lines = (line for line in source.text.split("\n") if line.strip() and not line.startswith("#"))
    match next(lines, "").split():
        case [first, *_] if first.startswith("{"):
            return read_records(source, FAMILIES, family)
        case ["c" | "p", *_]:
            return read_graph(source)
        case _:
            return read_lines(source, FAMILIES, family)


def specs(source: Source, foreign_puzzles: list[ForeignPuzzle]) -> list[str]:
    """Convert foreign puzzles to specs, and return the texts of the specs.

    Raises
    ------
    SpecError
        Holds the error of every malformed puzzle, with file and line.
    """
    diagnostics = Diagnostics()
    texts = []
    for puzzle in foreign_puzzles:
        with diagnostics.collecting(puzzle.at):
            texts.append(puzzle.spec())
    if diagnostics:
        raise SpecError(diagnostics, {"": source})
    return texts
