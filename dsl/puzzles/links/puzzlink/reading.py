"""Links to puzz.link, pzv and pzplus: genre, size and body."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....text.errors import Mistake, near
from ....text.syntax import Place
from ..packed.lz import Damaged
from ..writing import spec_text
from .board import LinkBoard
from .codes import Unwritable
from .genres import GENRES, SAME
from .letters import Letters

MOST = 60
"""The most rows or columns of a puzzle."""


ALIKE = {("yajilin", "b")}
"""Kinds of genres that are only drawn in another way."""

ASKED = {"numlin": "every square is on a line, as in arukone; where a puzzle does not ask that, --set every=0"}
"""Where rules differ under one name: what the spec asks."""


def read_puzzlink(link: str, at: Place) -> str:
    """The spec of a link: the genre's spec of the gallery with other data.

    ``at``: where it stands, for messages.

    Raises
    ------
    Mistake, Damaged
        If the genre is none of the gallery's, or the body does not fit it.
    """
    name, board = board_of(link, at)
    spec = GENRES[name].spec
    head = [("Puzzle", f"{spec}, {board.rows} rows and {board.cols} columns"), ("Asked", ASKED.get(name, ""))]
    head += [("Not read", one) for one in board.unread]
    return spec_text(head, [spec], board.params, board.pictures(), {})


def board_of(link: str, at: Place) -> tuple[str, LinkBoard]:
    """The genre of a link, and what it holds; for the parameters see ``read_puzzlink``."""
    found = re.search(r"\?(?:pid=)?([a-z0-9_+-]+)((?:/[a-z]+:?)?)/([0-9]{1,4})/([0-9]{1,4})(?:/|$)", link)
    if not found:
        raise Mistake("this link has no genre and size", at, "it should have ?GENRE/COLUMNS/ROWS/ and the puzzle")
    name, variant = SAME.get(found[1], found[1]), found[2].strip("/")
    cols, rows = int(found[3]), int(found[4])
    if name not in GENRES:
        hint = near(name, GENRES) or f"there are {_listed(GENRES)}"
        raise Mistake(f"the gallery has no {name[:40]}, of {rows} rows and {cols} columns", at, hint)
    if variant not in ("", "v:") and (name, variant) not in ALIKE:
        raise Mistake(f"the gallery has no {name} of the kind {variant}", at)
    if not (1 <= rows <= MOST and 1 <= cols <= MOST):
        raise Mistake(f"the board has {rows} rows and {cols} columns; there are 1 to {MOST} of each", at)
    letters, board = Letters(link[found.end() :], found.end()), LinkBoard(rows, cols)
    try:
        board.params = GENRES[name].size.params(rows, cols)
    except Unwritable as wrong:
        raise Damaged(str(wrong), found.end()) from None
    for part in GENRES[name].parts:
        part.read(letters, board)
    letters.end()
    return name, board


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
