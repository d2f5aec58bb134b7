"""Words to syntax, on lark's tables."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple

from .lexer import NOTHING, ClauseTokens, Text, Token, Unexpected, UnexpectedCharacter
from .tables import tables

SHORT = 100
"""How many tokens a clause may have whose moves are remembered."""

SHAPES = 2_000
"""Of how many shapes of clauses the moves are remembered."""


class UnexpectedToken(Unexpected):
    """A token that cannot stand where it stands, and the kinds of those that can."""

    def __init__(self, token: Token, accepts: set[str]) -> None:
        super().__init__(token.start_pos)
        self.token = token
        self.accepts = accepts


class NodeMaker(NamedTuple):
    """What is made of the matches of a rule.

    Attributes
    ----------
    make : function
        Of the place, if it is told that, and of the parts: a part is a word or what another node has made.
    is_placed : bool
        Whether it is told the place.
    has_tokens : bool
        Whether words come as tokens, with their kinds and places.
    """

    make: Callable[..., Any]
    is_placed: bool = True
    has_tokens: bool = False


Nodes = Mapping[str, NodeMaker]
"""What is made of each rule, by its name."""


class Match(NamedTuple):
    """A rule of the grammar and what it has matched."""

    data: str
    children: list[Any]


class Move(NamedTuple):
    """That a node is made: of which rule, from which token to which, and of which values.

    Values have numbers: 0 is None, then come the words, and then what the moves have made.
    """

    rule: str
    first: int
    last: int
    values: tuple[int, ...]


class Wrong(NamedTuple):
    """The number of a token that cannot stand where it stands, and the kinds of those that can."""

    number: int
    accepts: set[str]


Reduction = tuple[int, str, Callable[[list[Any]], Any] | None]
"""How many values a rule replaces by one, what it is a rule for, and what makes the one; or it is the value itself."""

ParseTable = list[dict[str, int | Reduction]]
"""For each state and token the state to go to, or what to reduce first."""


@cache
def _table() -> ParseTable:
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
    """Disable the garbage collector while parsing: syntax has no cycles, and scanning costs more than parsing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def read_clauses(text: Text, nodes: Nodes, start: int = 0) -> Iterator[Any]:
    """Parse a text clause by clause; where a clause is wrong, those before it have been told.

    Raises
    ------
    Unexpected
        At the first token that cannot stand where it stands.
    """
    with no_collecting():
        for piece in text.pieces(start):
            yield _read(text, piece, "clause", nodes)


def parse_whole(text: Text, nodes: Nodes) -> Any:
    """Parse an expression, which is all there is.

    Parameters
    ----------
    text : Text
    nodes : mapping from str to NodeMaker

    Returns
    -------
    What is made of it.

    Raises
    ------
    Unexpected
        At the first token that cannot stand where it stands.

    Examples
    --------
    >>> nodes = {"add": NodeMaker("({} + {})".format, is_placed=False), "integer": NodeMaker(str, is_placed=False)}
    >>> parse_whole(Text("1 + (2 + 3)"), nodes)
    '(1 + (2 + 3))'
    """
    return _read(text, next(text.pieces(), ClauseTokens([], [], [])), "expr", nodes)


def _read(text: Text, piece: ClauseTokens, start: str, nodes: Nodes) -> Any:
    """Parse a piece; what the parser does follows from the kinds of its words alone, and is the same for many."""
    kinds, words, begins = piece
    values = [None, *words]
    place = text.place
    for move in (_known_moves if len(kinds) <= SHORT else _moves)(start, tuple(kinds)):
        if isinstance(move, Wrong):
            raise _unexpected(text, piece, move)
        rule, first, last, used = move
        make, is_placed, has_tokens = nodes[rule]
        if has_tokens:
            parts = [
                text.token(kinds[i - 1], words[i - 1], begins[i - 1]) if 0 < i <= len(words) else values[i]
                for i in used
            ]
        else:
            parts = [values[i] for i in used]
        if is_placed:
            values.append(make(place(begins[first], begins[last] + len(words[last])), *parts))
        else:
            values.append(make(*parts))
    return values[-1]


def _unexpected(text: Text, piece: ClauseTokens, wrong: Wrong) -> Unexpected:
    kinds, words, begins = piece
    if wrong.number == len(kinds):
        end = begins[-1] + len(words[-1]) if words else 0
        return UnexpectedToken(text.token("$END", "", end), wrong.accepts)
    kind, word, begin = kinds[wrong.number], words[wrong.number], begins[wrong.number]
    if kind == NOTHING:
        return UnexpectedCharacter(begin)
    return UnexpectedToken(text.token(kind, word, begin), wrong.accepts)


def _moves(start: str, kinds: tuple[str, ...]) -> Iterator[Move | Wrong]:
    """What the parser makes of tokens of these kinds, up to a full stop or to the end of the text."""
    table, last_state = _table(), tables().ends[start]
    states = [tables().begins[start]]
    values: list[Any] = []
    begins: list[int] = []
    last_value = len(kinds)
    for number, kind in enumerate((*kinds, "$END")):
        while not isinstance(action := table[states[-1]].get(kind), int):
            if action is None:
                if states[-1] == last_state and kind == "$END":
                    return
                yield Wrong(number, _accepted(states, last_state))
                return
            size, origin, made = action
            if made is None:
                states[-1] = table[states[-2]][origin]  # type: ignore[assignment]
                continue
            cut = len(values) - size
            value = made(values[cut:])
            if value.__class__ is Match and not value.data.startswith("_"):
                yield Move(value.data, begins[cut], number - 1, tuple([one or 0 for one in value.children]))
                value = last_value = last_value + 1
            del states[cut + 1 :]
            states.append(table[states[-1]][origin])  # type: ignore[arg-type]
            values[cut:], begins[cut + 1 :] = [value], []
        states.append(action)
        values.append(number + 1)
        begins.append(number)
    raise AssertionError("the last token is never shifted")


@lru_cache(maxsize=SHAPES)
def _known_moves(start: str, kinds: tuple[str, ...]) -> tuple[Move | Wrong, ...]:
    """As ``_moves``, for shapes that come again."""
    return tuple(_moves(start, kinds))


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
