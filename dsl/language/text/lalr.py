"""Texts to tokens and to syntax, on lark's tables."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from ..syntax import Place
from .tables import tables


class Token(str):
    """A piece of a text.

    Attributes
    ----------
    type : str
        Its kind, a terminal of the grammar.
    start_pos, end_pos : int
        Where it is: offsets of its first character and of the one behind it.
    line, column, end_line, end_column : int
        The same as lines and columns from 1.
    """

    __slots__ = ("column", "end_column", "end_line", "end_pos", "line", "start_pos", "type")

    type: str
    start_pos: int
    line: int
    column: int
    end_line: int
    end_column: int
    end_pos: int


class Unexpected(Exception):
    """A text that no grammar matches; what is wrong begins at an offset."""

    def __init__(self, at: int) -> None:
        self.at = at


class UnexpectedCharacter(Unexpected):
    """No token begins there."""


class UnexpectedToken(Unexpected):
    """A token that cannot stand where it stands, and the kinds of those that can."""

    def __init__(self, token: Token, accepts: set[str]) -> None:
        super().__init__(token.start_pos)
        self.token = token
        self.accepts = accepts


class Match(NamedTuple):
    """A rule of the grammar and what it has matched."""

    data: str
    children: list[Any]


MANY = 1 << 20
"""The width of what runs over the end of its line; a report shows what is on the line."""

Build = Callable[[str, Place, list[Any]], Any]
"""What makes a value of the name of a rule, where it was matched, and the values of its parts."""

Reduction = tuple[int, str, Callable[[list[Any]], Any] | None]
"""How many values a rule replaces by one, what it is a rule for, and what makes the one; or it is the value itself."""

Table = list[dict[str, int | Reduction]]
"""For each state and token the state to go to, or what to reduce first."""


def lex(text: str) -> Iterator[Token]:
    """All tokens of a text, comments and blanks too.

    Raises
    ------
    UnexpectedCharacter
        Where no token begins.

    Examples
    --------
    >>> [token.type for token in lex("A = 1.  % one")]
    ['VAR', 'WHITESPACE', 'EQUAL', 'WHITESPACE', 'INT', '_END', 'WHITESPACE', 'COMMENT']
    """
    return _scan(text, 0, 1, 0, frozenset())


def tokens(text: str, start: int = 0, origin: Place | None = None) -> Iterator[Token]:
    """The tokens of a text without comments and blanks.

    Parameters
    ----------
    text : str
    start : int
        The offset at which to begin.
    origin : Place, optional
        Where the text begins if it is a piece of a line.

    Raises
    ------
    UnexpectedCharacter
        Where no token begins.

    Examples
    --------
    >>> [(token, token.line, token.column) for token in tokens("A = 1.\\n% one\\n B = 2.", start=13)]
    [('B', 3, 2), ('=', 3, 4), ('2', 3, 6), ('.', 3, 7)]
    """
    line, begin = text.count("\n", 0, start) + 1, text.rfind("\n", 0, start) + 1
    if origin:
        line, begin = origin.line, 1 - origin.column
    return _scan(text, start, line, begin, frozenset(tables().ignored))


def _scan(text: str, at: int, line: int, begin: int, ignored: frozenset[str]) -> Iterator[Token]:
    """The tokens of a text from an offset on, which is in a line that begins at another."""
    scan, words = _scanner()
    size = len(text)
    while at < size:
        found = scan(text, at)
        if found is None:
            raise UnexpectedCharacter(at)
        kind, value = str(found.lastgroup), found.group()
        if kind in ignored:
            if "\n" in value:
                line, begin = line + value.count("\n"), at + value.rfind("\n") + 1
            at = found.end()
            continue
        token = Token(value)
        token.type = words[kind].get(value, kind) if kind in words else kind
        token.start_pos, token.line, token.column = at, line, at - begin + 1
        if "\n" in value:
            line, begin = line + value.count("\n"), at + value.rfind("\n") + 1
        at = found.end()
        token.end_pos, token.end_line, token.end_column = at, line, at - begin + 1
        yield token


@cache
def _scanner() -> tuple[Callable[[str, int], re.Match[str] | None], dict[str, dict[str, str]]]:
    return re.compile(tables().pattern).match, tables().words


def place(first: Token, last: Token, file: str = "") -> Place:
    """Where a piece of text is that goes from one token to another."""
    line, column = first.line, first.column
    width = last.end_column - column if last.end_line == line else MANY
    return Place(line, column, max(1, width), file)


@cache
def _table() -> Table:
    rules = [_reduction(*rule) for rule in tables().rules]
    return [{name: rules[~to] if to < 0 else to for name, to in actions.items()} for actions in tables().states]


def _reduction(
    size: int, origin: str, name: str, parts: list[tuple[int, bool, int]] | None, behind: int, is_single: bool
) -> Reduction:
    if parts is None:
        passes = is_single and size == 1
        return size, origin, None if passes else lambda children: Match(name, children)

    def made(children: list[Any]) -> Any:
        selected: list[Any] = []
        for position, gives_parts, before in parts:
            if before:
                selected += [None] * before
            if not gives_parts:
                selected.append(children[position])
            elif selected:
                selected += children[position].children
            else:  # a list that grows by one stays the same list
                selected = children[position].children
        if behind:
            selected += [None] * behind
        return selected[0] if is_single and len(selected) == 1 else Match(name, selected)

    return size, origin, made


@contextmanager
def no_collecting() -> Iterator[None]:
    """Let nobody look for cycles, of which what is read has none; looking takes longer than all else."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def read_clauses(words: Iterator[Token], build: Build, file: str = "") -> Iterator[Any]:
    """Parse a text clause by clause; where a clause is wrong, those before it have been told.

    Parameters
    ----------
    words : iterator of Token
    build : function
    file : str
        What the places name as their file.

    Yields
    ------
    What ``build`` makes of each clause.

    Raises
    ------
    Unexpected
        At the first token that cannot stand where it stands.
    """
    with no_collecting():
        for word in words:
            yield read(chain([word], words), "clause", build, file)


def read(words: Iterable[Token], start: str, build: Build, file: str = "") -> Any:
    """Parse a clause, up to its full stop, or an expression, which is all there is.

    Parameters
    ----------
    words : iterable of Token
    start : {"clause", "expr"}
        The rule that they must match.
    build : function
    file : str
        What the places name as their file.

    Returns
    -------
    What ``build`` makes of it.

    Raises
    ------
    Unexpected
        At the first token that cannot stand where it stands.

    Examples
    --------
    >>> read(tokens("-(A + 1)"), "expr", lambda rule, at, parts: f"{rule}({', '.join(parts)})")
    'negate(add(variable(A), integer(1)))'
    """
    table, last_state = _table(), tables().ends[start]
    states = [tables().begins[start]]
    values: list[Any] = []
    begins: list[Token] = []
    ends: list[Token] = []
    for token in _ended(words):
        kind = token.type
        while not isinstance(action := table[states[-1]].get(kind), int):
            if action is None:
                if states[-1] == last_state and kind == "$END":
                    return values[-1]
                raise UnexpectedToken(token, _accepted(states, last_state))
            size, origin, made = action
            if made is None:
                states[-1] = table[states[-2]][origin]  # type: ignore[assignment]
                continue
            cut = len(values) - size
            begin, end = (begins[cut], ends[-1]) if size else (token, token)
            value = made(values[cut:])
            if value.__class__ is Match and not value.data.startswith("_"):
                value = build(value.data, place(begin, end, file), value.children)
            del states[cut + 1 :]
            states.append(table[states[-1]][origin])  # type: ignore[arg-type]
            values[cut:], begins[cut:], ends[cut:] = [value], [begin], [end]
        states.append(action)
        values.append(token)
        begins.append(token)
        ends.append(token)
    raise AssertionError("the last token is never shifted")


def _ended(words: Iterable[Token]) -> Iterator[Token]:
    """The tokens, with an end behind every full stop and behind the last one."""
    word = None
    for word in words:
        yield word
        if word.type == "_END":
            yield _end(word)
    yield _end(word)


def _end(last: Token | None) -> Token:
    """What stands behind the last token."""
    end = Token()
    end.type = "$END"
    end.start_pos = end.end_pos = last.end_pos if last else 0
    end.line = end.end_line = last.end_line if last else 1
    end.column = end.end_column = last.end_column if last else 1
    return end


def _accepted(states: list[int], last_state: int) -> set[str]:
    """The kinds of tokens that can stand next."""
    table = _table()
    found = set()
    for kind in [*filter(str.isupper, table[states[-1]]), "$END"]:
        stack = [*states]
        while (action := table[stack[-1]].get(kind)) is not None and not isinstance(action, int):
            size, origin, _ = action
            del stack[len(stack) - size :]
            stack.append(table[stack[-1]][origin])  # type: ignore[arg-type]
        if action is not None or (stack[-1] == last_state and kind == "$END"):
            found.add(kind)
    return found
