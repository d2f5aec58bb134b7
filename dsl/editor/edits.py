"""Applies edits to a text, and formats a spec."""

from __future__ import annotations

from collections.abc import Iterable

from ..syntax.errors import Edit, Source
from ..syntax.format import format_spec


def offset(text: str, line: int, column: int) -> int:
    """Convert a line and column, which count from 1, to an offset in a text.

    A column after the end of its line is at the end of the line, and a line after the last one at the end of the text.

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


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits, whose places refer to the original text.

    Parameters
    ----------
    text : str
    edits : iterable of Edit
        Edits that do not overlap.

    Returns
    -------
    str

    Examples
    --------
    >>> from dsl.syntax.nodes import Place
    >>> apply_edits("A == 3", [Edit(Place(1, 3, 2), "="), Edit(Place(1, 7, 0), ".")])
    'A = 3.'
    """
    # Apply the last edit first, so that the earlier places stay valid.
    for edit in sorted(edits, key=lambda edit: edit.at, reverse=True):
        start = offset(text, edit.at.line, edit.at.column)
        end = offset(text, edit.at.line, edit.at.column + edit.at.width)
        text = text[:start] + edit.text + text[end:]
    return text


def format(text: str) -> str:
    """Return a spec with canonical spacing, as ``csp format`` writes it.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Raises
    ------
    SpecError
        If the text has a syntax error.

    Examples
    --------
    >>> format("A,B in 1 .. 4.")
    'A, B in 1..4.\\n'
    """
    return format_spec(Source("-", text))
