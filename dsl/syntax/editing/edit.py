"""Clauses of a text replaced, and all else left as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .. import nodes
from ..parsing.lexer import Text
from ..parsing.parse import parse
from ..printing.write import write

WIDTH = 118
"""The length of a line that clauses fill."""


class Located(NamedTuple):
    """A clause and the offsets where it begins and ends; its full stop belongs to it."""

    clause: nodes.Clause
    start: int
    end: int


def locate(text: str) -> list[Located]:
    """The clauses of a text, in which there is no mistake.

    Examples
    --------
    >>> [(found.start, found.end) for found in locate("A in 1..2. % one\\n  B in 1..2.")]
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
    """A text with other clauses in it.

    Comments stay, and so do the blanks around clauses, except before one that nothing replaces.

    Examples
    --------
    >>> text = "f(1).  f(2).  % two\\nparam n  =  9."
    >>> replace(text, locate(text), lambda clause: () if isinstance(clause, nodes.Rule) else None)
    '  % two\\nparam n  =  9.'
    """
    written = ""
    last = 0
    for clause, start, end in located:
        by = change(clause)
        if by is not None:
            before = text[last:start]
            written += before if by or before.strip() else ""
            written += fill_lines(map(write, by))
            last = end
    return written + text[last:]


def fill_lines(clauses: Iterable[str]) -> str:
    """Clauses beside each other, as many on a line as fit."""
    lines: list[str] = []
    for clause in clauses:
        if lines and len(lines[-1]) + 1 + len(clause) <= WIDTH:
            lines[-1] += f" {clause}"
        else:
            lines.append(clause)
    return "\n".join(lines)
