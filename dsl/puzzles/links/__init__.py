"""Recognises links to puzzles and converts them to specs.

The sites are f-puzzles, SudokuPad, puzz.link, pzv, pzplus and penpa.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...syntax.errors import Diagnostic, Source, SpecError
from ...syntax.nodes import Place
from ...syntax.reading import beside_gallery

if TYPE_CHECKING:
    from ..convert.puzzles import ForeignPuzzle

SITES = (
    r"f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com|svencodes\.com|puzz\.link|pzv\.jp|swaroopg92\.github\.io"
)
"""The pattern of sites whose links are recognised without ``https://``."""

LINK = re.compile(rf"(?:https?://|(?:[\w-]+\.)*(?:{SITES})/)\S+")
"""The whole text of a link."""

FPUZZLES_OBJECT = re.compile(r'\{.*"grid":\s*\[\s*\[\s*\{')
"""The beginning of the JSON of f-puzzles, whose cells are objects."""

__all__ = ["is_link", "link_in", "linked_source", "puzzles_in_links", "unread_notes"]


def is_link(text: str) -> bool:
    """Return whether a text has the form of a link.

    Examples
    --------
    >>> [is_link(text) for text in ("https://a.b/c", "puzz.link/p?hitori/3/3/123456789", "puzzle.csp")]
    [True, True, False]
    """
    return bool(LINK.fullmatch(text))


def puzzles_in_links(source: Source) -> list[ForeignPuzzle]:
    """Return the puzzles of a text that has one link per line.

    A line may also be the JSON of f-puzzles. Returns an empty list if the first line is neither.

    Examples
    --------
    >>> [puzzle.at.line for puzzle in puzzles_in_links(Source("two", "https://a.b/c\\n\\nhttps://puzz.link/p?hitori/1/1/1"))]
    [1, 3]
    """
    lines = [(number, line.strip()) for number, line in enumerate(source.text.split("\n"), 1)]
    links = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not links or not (is_link(links[0][1]) or FPUZZLES_OBJECT.match(links[0][1])):
        return []
    return [_puzzle(str(count), link, Place(number, 1, len(link))) for count, (number, link) in enumerate(links, 1)]


def _puzzle(name: str, link: str, at: Place) -> ForeignPuzzle:
    from ..convert.puzzles import ForeignPuzzle
    from .dispatch import spec_of_link  # late: every command asks whether its spec is a link

    return ForeignPuzzle(name, at, lambda: spec_of_link(link, at))


def link_in(text: str) -> str | None:
    """Return the link if a text consists of a link and blanks, else None.

    Examples
    --------
    >>> link_in(" https://puzz.link/p?hitori/1/1/1 "), link_in("X in 1..2."), link_in("https://a.b/c https://a.b/d")
    ('https://puzz.link/p?hitori/1/1/1', None, None)
    """
    words = text.split(maxsplit=1)
    return words[0] if len(words) == 1 and is_link(words[0]) else None


def linked_source(link: str) -> Source:
    """Convert a link to a spec, and return its source, named by the shortened link.

    Raises
    ------
    SpecError
        If the link cannot be read.
    """
    from .dispatch import spec_of_link

    name = link if len(link) <= 40 else f"{link[:37]}..."
    try:
        return Source(name, spec_of_link(link, Place(1, 1, len(link))), beside_gallery())
    except Diagnostic as diagnostic:
        raise SpecError([diagnostic], {"": Source(name, link)}) from None


def unread_notes(text: str) -> list[str]:
    """Return the notes in an imported spec about data that was not imported.

    Examples
    --------
    >>> unread_notes("% Puzzle: one\\n% Not read: 3 fogs\\ninclude sudoku.\\n")
    ['3 fogs']
    """
    prefix = "% Not read: "
    return [line.removeprefix(prefix) for line in text.split("\n") if line.startswith(prefix)]
