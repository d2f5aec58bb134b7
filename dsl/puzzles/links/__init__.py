"""Links to puzzles, turned into specs: f-puzzles and SudokuPad, puzz.link and its likes, penpa."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.errors import Mistake, Source, SpecError
from ...text.reading import beside_gallery
from ...text.syntax import Place

if TYPE_CHECKING:
    from ..convert.puzzles import ForeignPuzzle

MADE_OF = re.compile(r"https?://[^\s]+")
OF_FPUZZLES = re.compile(r'\{.*"grid":\s*\[\s*\[\s*\{')
"""An object of f-puzzles, as it stands in a link: a cell is an object."""

__all__ = ["is_link", "link_in", "linked", "linked_source", "unread"]


def is_link(text: str) -> bool:
    """Whether a text is a link, to whatever.

    Examples
    --------
    >>> is_link("https://puzz.link/p?hitori/3/3/123456789"), is_link("puzzle.csp")
    (True, False)
    """
    return bool(MADE_OF.fullmatch(text))


def linked(source: Source) -> list[ForeignPuzzle]:
    """The puzzles of a text of links or of what links to f-puzzles hold, one a line; none if it is another text.

    Examples
    --------
    >>> [puzzle.at.line for puzzle in linked(Source("two", "https://a.b/c\\n\\nhttps://puzz.link/p?hitori/1/1/1"))]
    [1, 3]
    """
    lines = [(number, line.strip()) for number, line in enumerate(source.text.split("\n"), 1)]
    links = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not links or not (is_link(links[0][1]) or OF_FPUZZLES.match(links[0][1])):
        return []
    return [_puzzle(str(count), link, Place(number, 1, len(link))) for count, (number, link) in enumerate(links, 1)]


def _puzzle(name: str, link: str, at: Place) -> ForeignPuzzle:
    from ..convert.puzzles import ForeignPuzzle
    from .dispatch import spec_of_link  # late: every command asks whether its spec is a link

    return ForeignPuzzle(name, at, lambda: spec_of_link(link, at))


def link_in(text: str) -> str | None:
    """The link that a text consists of; None if it is a spec, or several links.

    Examples
    --------
    >>> link_in(" https://puzz.link/p?hitori/1/1/1 "), link_in("X in 1..2."), link_in("https://a.b/c https://a.b/d")
    ('https://puzz.link/p?hitori/1/1/1', None, None)
    """
    words = text.split(maxsplit=1)
    return words[0] if len(words) == 1 and is_link(words[0]) else None


def linked_source(link: str) -> Source:
    """The spec of a link as a source whose name is the link, cut short.

    Raises
    ------
    SpecError
        If the link cannot be read.
    """
    from .dispatch import spec_of_link

    name = link if len(link) <= 40 else f"{link[:37]}..."
    try:
        return Source(name, spec_of_link(link, Place(1, 1, len(link))), beside_gallery())
    except Mistake as mistake:
        raise SpecError([mistake], {"": Source(name, link)}) from None


def unread(text: str) -> list[str]:
    """What a spec that was made of a link says about what was not read.

    Examples
    --------
    >>> unread("% Puzzle: one\\n% Not read: 3 fogs\\ninclude sudoku.\\n")
    ['3 fogs']
    """
    lead = "% Not read: "
    return [line.removeprefix(lead) for line in text.split("\n") if line.startswith(lead)]
