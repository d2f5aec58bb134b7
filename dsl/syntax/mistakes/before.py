"""Scans the text before a syntax error: its last token, open brackets and connectives."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..nodes import Place
from ..vocabulary import COMMENT, STOP, SYMBOL, TEXT

WORD = re.compile(rf"{TEXT}|{SYMBOL}|{COMMENT}|\s+|\.\.|:-|<?->|{STOP}|\w+|.", re.DOTALL)
MARKS = (",", ";", ":-")
CONNECTIVES = (",", ";", "->", "<->")
BRACKETS = {")": "(", "]": "[", "}": "{"}


class Before(NamedTuple):
    """The text before a parse error: last token, open brackets, and connectives.

    All places are offsets in the text.

    Attributes
    ----------
    begin, end : int
        The last token.
    open : list of int
        The brackets that are still open.
    marks : dict of str to int
        The first ``,``, ``;`` and ``:-`` of the clause outside of brackets.
    clause : int
        The beginning of the clause.
    connected : set of str
        The connectives between the conditions at this depth of brackets.
    """

    begin: int
    end: int
    open: list[int]
    marks: dict[str, int]
    clause: int
    connected: set[str]


def place_of(text: str, start: int, end: int) -> Place:
    """Return the place of the text between two offsets; its width is at least 1."""
    return Place(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), max(1, end - start))


def look_back(text: str, start: int, at: int) -> Before:
    """Return a ``Before`` about the clause before offset ``at``, scanning from ``start``."""
    begin = end = start
    clause: int | None = None
    stack: list[int] = []
    marks: dict[str, int] = {}
    connected: list[set[str]] = [set()]
    for word in WORD.finditer(text, start, at):
        kind = word[0][0]
        if kind == "%" or kind.isspace():
            continue
        begin, end = word.span()
        clause = begin if clause is None else clause
        if word[0] in BRACKETS.values():
            stack.append(begin)
            connected.append(set())
        elif word[0] == ".":
            stack.clear()
            connected = [set()]
            marks.clear()
            clause = None
        elif stack and text[stack[-1]] == BRACKETS.get(word[0]):
            stack.pop()
            connected.pop()
        elif word[0] in MARKS and not stack:
            marks.setdefault(word[0], begin)
        if word[0] in (":", ":-"):
            connected[-1].clear()
        elif word[0] in CONNECTIVES:
            connected[-1].add(word[0])
    return Before(begin, end, stack, marks, at if clause is None else clause, connected[-1])


def point(text: str, at: int) -> Place:
    """Return the place of width 0 at an offset."""
    return place_of(text, at, at)._replace(width=0)


def next_clause(text: str, start: int) -> int:
    """Return the offset after the next full stop that ends a clause.

    Without one, it is the text's end.
    """
    for word in WORD.finditer(text, start):
        if word[0] == "." and (text[word.end() : word.end() + 1].strip() in ("", "%")):
            return word.end()
    return len(text)
