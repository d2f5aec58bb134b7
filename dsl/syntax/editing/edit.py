"""Replace clauses in a text, and keep the rest of the text unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .. import nodes
from ..parsing.lexer import Text
from ..parsing.parse import parse
from ..printing.write import write

WIDTH = 118
"""Maximum number of characters of a line with several clauses."""


class Located(NamedTuple):
    """A clause with the offsets of its first character and its full stop's end."""

    clause: nodes.Clause
    start: int
    end: int


def locate(text: str) -> list[Located]:
    """Return the clauses of a text with their start and end offsets.

    Raises
    ------
    Diagnostic
        The first syntax error, if there is one.

    Examples
    --------
    >>> [(clause.start, clause.end) for clause in locate("A in 1..2. % one\\n  B in 1..2.")]
    [(0, 10), (19, 29)]
    """
    clauses, diagnostics = parse(text)
    if diagnostics:
        raise diagnostics[0]
    spans: list[tuple[int, int]] = []
    for piece in Text(text).pieces():
        spans.append((piece.begins[0], piece.begins[-1] + len(piece.words[-1])))
    return [Located(clause, *span) for clause, span in zip(clauses, spans, strict=True)]


def replace(
    text: str, located: Iterable[Located], change: Callable[[nodes.Clause], Sequence[nodes.Clause] | None]
) -> str:
    """Return a text after replacing some clauses by others.

    ``change`` returns the new clauses for a clause, or None to keep it. Comments are kept, and so are the blanks
    around clauses, except before a clause that is removed.

    Examples
    --------
    >>> text = "f(1).  f(2).  % two\\nparam n  =  9."
    >>> replace(text, locate(text), lambda clause: () if isinstance(clause, nodes.Rule) else None)
    '  % two\\nparam n  =  9.'
    """
    result = ""
    copied_to = 0
    for clause, start, end in located:
        new_clauses = change(clause)
        if new_clauses is not None:
            text_between = text[copied_to:start]
            result += text_between if new_clauses or text_between.strip() else ""
            result += fill_lines(map(write, new_clauses))
            copied_to = end
    return result + text[copied_to:]


def fill_lines(clauses: Iterable[str]) -> str:
    """Join clauses into lines of at most ``WIDTH`` characters."""
    lines: list[str] = []
    for clause in clauses:
        if lines and len(lines[-1]) + 1 + len(clause) <= WIDTH:
            lines[-1] += f" {clause}"
        else:
            lines.append(clause)
    return "\n".join(lines)
