"""Pieces of a text replaced, and the whole of it spaced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..syntax.errors import Source
from ..syntax.nodes import Place
from ..syntax.printing.format import format_spec


class Edit(NamedTuple):
    """A piece of one line that another text replaces.

    Attributes
    ----------
    at : Place
        With a width of 0 the text is inserted.
    text : str
    """

    at: Place
    text: str


def offset(text: str, line: int, column: int) -> int:
    """Where a line and a column, counted from 1, are in a text; at its end what is beyond it.

    Examples
    --------
    >>> offset("ab\\ncd", 2, 2), offset("ab", 9, 9)
    (4, 2)
    """
    start = 0
    for _ in range(line - 1):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    end = text.find("\n", start)
    return min(start + column - 1, len(text) if end < 0 else end)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits, whose places are those before any of them.

    Parameters
    ----------
    text : str
    edits : iterable of Edit
        None overlaps another.

    Returns
    -------
    str

    Examples
    --------
    >>> applied("A == 3", [Edit(Place(1, 3, 2), "="), Edit(Place(1, 7, 0), ".")])
    'A = 3.'
    """
    for edit in sorted(edits, key=lambda edit: edit.at, reverse=True):
        start = offset(text, edit.at.line, edit.at.column)
        end = offset(text, edit.at.line, edit.at.column + edit.at.width)
        text = text[:start] + edit.text + text[end:]
    return text


def format(text: str) -> str:
    """The text with canonical spacing, as ``csp format`` gives it.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Raises
    ------
    SpecError
        If it is not of the language.

    Examples
    --------
    >>> format("A,B in 1 .. 4.")
    'A, B in 1..4.\\n'
    """
    return format_spec(Source("-", text))
