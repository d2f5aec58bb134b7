"""Reads links to puzz.link, pzv and pzplus: genre, size and body."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....syntax.errors import Diagnostic, suggest_name
from ....syntax.nodes import Place
from ..packed.lz import Damaged
from ..writing import spec_text
from .board import LinkBoard
from .codes import Unwritable
from .genres import GENRES, SYNONYMS
from .letters import Letters

MAX_SIDE = 60
"""Maximum number of rows or columns of a puzzle; a larger board is an error."""


DRAWING_VARIANTS = {("yajilin", "b")}
"""Genres and kinds of links that differ from the usual kind only in drawing."""

INTERPRETATIONS = {
    "numlin": "every square is on a line, as in arukone; where a puzzle does not ask that, --set every=0"
}
"""Notes for genres whose rules differ between sites: the rules of the spec."""


def read_puzzlink(link: str, at: Place) -> str:
    """Return the spec to which a puzz.link link is converted.

    It is the spec of the genre in the gallery, with the data of the link.

    Parameters
    ----------
    link : str
    at : Place
        The place of the link, for messages.

    Raises
    ------
    Diagnostic, Damaged
        If the gallery does not have the genre, or the body does not fit it.
    """
    name, board = board_of(link, at)
    spec = GENRES[name].spec
    head = [("Puzzle", f"{spec}, {board.rows} rows and {board.cols} columns"), ("Asked", INTERPRETATIONS.get(name, ""))]
    head += [("Not read", note) for note in board.unread]
    return spec_text(head, [spec], board.params, board.pictures(), {})


def board_of(link: str, at: Place) -> tuple[str, LinkBoard]:
    """Return the genre of a link and the board with its data.

    For parameters and errors see ``read_puzzlink``.
    """
    match = re.search(r"\?(?:pid=)?([a-z0-9_+-]+)((?:/[a-z]+:?)?)/([0-9]{1,4})/([0-9]{1,4})(?:/|$)", link)
    if not match:
        raise Diagnostic("this link has no genre and size", at, "it should have ?GENRE/COLUMNS/ROWS/ and the puzzle")
    name, variant = SYNONYMS.get(match[1], match[1]), match[2].strip("/")
    cols, rows = int(match[3]), int(match[4])
    if name not in GENRES:
        hint = suggest_name(name, GENRES) or f"there are {_sorted_list(GENRES)}"
        raise Diagnostic(f"the gallery has no {name[:40]}, of {rows} rows and {cols} columns", at, hint)
    if variant not in ("", "v:") and (name, variant) not in DRAWING_VARIANTS:
        raise Diagnostic(f"the gallery has no {name} of the kind {variant}", at)
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise Diagnostic(f"the board has {rows} rows and {cols} columns; there are 1 to {MAX_SIDE} of each", at)
    # Each part of the genre reads its letters from the body; all letters must be read.
    letters, board = Letters(link[match.end() :], match.end()), LinkBoard(rows, cols)
    try:
        board.params = GENRES[name].size.params(rows, cols)
    except Unwritable as error:
        raise Damaged(str(error), match.end()) from None
    for part in GENRES[name].parts:
        part.read(letters, board)
    letters.check_end()
    return name, board


def _sorted_list(names: Iterable[str]) -> str:
    """Join names to one text, sorted and separated by commas."""
    return ", ".join(sorted(names))
