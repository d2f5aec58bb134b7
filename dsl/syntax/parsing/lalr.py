"""The parser: makes syntax trees from tokens by LALR(1) tables that lark generates."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple

from .lexer import NOTHING, ClauseTokens, Text, Token, Unexpected, UnexpectedCharacter
from .tables import tables

SHORT = 100
"""Maximum number of tokens of a clause whose moves are cached."""

SHAPES = 2_000
"""Maximum number of sequences of token kinds whose moves are cached."""


class UnexpectedToken(Unexpected):
    """The exception for an unexpected token, with the kinds of tokens accepted instead."""

    def __init__(self, token: Token, accepts: set[str]) -> None:
        super().__init__(token.start_pos)
        self.token = token
        self.accepts = accepts


class NodeMaker(NamedTuple):
    """A function that makes the syntax node of a grammar rule, with its calling convention.

    Attributes
    ----------
    make : function
        Its arguments are the place, if ``is_placed``, and the children: words, or nodes made before.
    is_placed : bool
        Whether the place is the first argument.
    has_tokens : bool
        Whether words are passed as tokens, with their kinds and places.
    """

    make: Callable[..., Any]
    is_placed: bool = True
    has_tokens: bool = False


Nodes = Mapping[str, NodeMaker]
"""The node maker of each rule, by the name of the rule."""


class Match(NamedTuple):
    """A grammar rule's name with the children that the parser matched."""

    data: str
    children: list[Any]


class Move(NamedTuple):
    """A recorded reduction of the parser: which node to make.

    Attributes
    ----------
    rule : str
    first, last : int
        The indices of its first and last token.
    values : tuple of int
        The numbers of its children: 0 for no value, then the words of the clause, then the nodes of earlier moves.
    """

    rule: str
    first: int
    last: int
    values: tuple[int, ...]


class Wrong(NamedTuple):
    """A parse error: the index of the unexpected token, and the acceptable kinds."""

    number: int
    accepts: set[str]


Reduction = tuple[int, str, Callable[[list[Any]], Any] | None]
"""The number of values that a rule replaces, its left side, and the function of the new value.

Without a function, the rule passes its only value on.
"""

ParseTable = list[dict[str, int | Reduction]]
"""For each state and kind of token, the next state, or the reduction to do first."""


@cache
def _table() -> ParseTable:
    rules = [_reduction(*rule) for rule in tables().rules]
    return [{name: rules[~to] if to < 0 else to for name, to in actions.items()} for actions in tables().states]


def _reduction(
    size: int, origin: str, name: str, parts: list[tuple[int, bool, int]] | None, appended_nones: int, is_single: bool
) -> Reduction:
    """Return the function that performs the reduction of a row of ``Tables.rules``."""
    if parts is None:
        passes = is_single and size == 1
        return size, origin, None if passes else lambda children: Match(name, children)

    def make_match(children: list[Any]) -> Any:
        """Select the children that the rule keeps; return the match, or its only child."""
        selected: list[Any] = []
        for position, is_inlined, nones_before in parts:
            if nones_before:
                selected += [None] * nones_before
            if not is_inlined:
                selected.append(children[position])
            elif selected:
                selected += children[position].children
            else:  # reuse the list, so that a list that grows by one element is not copied each time
                selected = children[position].children
        if appended_nones:
            selected += [None] * appended_nones
        return selected[0] if is_single and len(selected) == 1 else Match(name, selected)

    return size, origin, make_match


@contextmanager
def no_collecting() -> Iterator[None]:
    """Disable Python's garbage collector while a text is parsed.

    Syntax trees have no cycles, and scanning them would take longer than parsing.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def read_clauses(text: Text, nodes: Nodes, start: int = 0) -> Iterator[Any]:
    """Parse a text and yield its clauses up to the first syntax error.

    Raises
    ------
    Unexpected
        At the first syntax error.
    """
    with no_collecting():
        for piece in text.pieces(start):
            yield _read(text, piece, "clause", nodes)


def parse_whole(text: Text, nodes: Nodes) -> Any:
    """Parse a text that consists of a single expression.

    Parameters
    ----------
    text : Text
    nodes : mapping from str to NodeMaker

    Returns
    -------
    The node of the expression.

    Raises
    ------
    Unexpected
        At the first syntax error.

    Examples
    --------
    >>> nodes = {"add": NodeMaker("({} + {})".format, is_placed=False), "integer": NodeMaker(str, is_placed=False)}
    >>> parse_whole(Text("1 + (2 + 3)"), nodes)
    '(1 + (2 + 3))'
    """
    return _read(text, next(text.pieces(), ClauseTokens([], [], [])), "expr", nodes)


def _read(text: Text, piece: ClauseTokens, start: str, nodes: Nodes) -> Any:
    """Build the syntax tree from the tokens of a clause or expression.

    The moves of the parser depend on the kinds of the tokens only, so they are cached for equal sequences of kinds.
    """
    kinds, words, begins = piece
    values = [None, *words]
    place = text.place
    for move in (_known_moves if len(kinds) <= SHORT else _moves)(start, tuple(kinds)):
        if isinstance(move, Wrong):
            raise _syntax_error(text, piece, move)
        rule, first, last, value_numbers = move
        make, is_placed, has_tokens = nodes[rule]
        if has_tokens:
            parts = [
                text.token(kinds[i - 1], words[i - 1], begins[i - 1]) if 0 < i <= len(words) else values[i]
                for i in value_numbers
            ]
        else:
            parts = [values[i] for i in value_numbers]
        if is_placed:
            values.append(make(place(begins[first], begins[last] + len(words[last])), *parts))
        else:
            values.append(make(*parts))
    return values[-1]


def _syntax_error(text: Text, piece: ClauseTokens, wrong: Wrong) -> Unexpected:
    """Return the exception for an unexpected token, character or end."""
    kinds, words, begins = piece
    if wrong.number == len(kinds):
        end = begins[-1] + len(words[-1]) if words else 0
        return UnexpectedToken(text.token("$END", "", end), wrong.accepts)
    kind, word, begin = kinds[wrong.number], words[wrong.number], begins[wrong.number]
    if kind == NOTHING:
        return UnexpectedCharacter(begin)
    return UnexpectedToken(text.token(kind, word, begin), wrong.accepts)


def _moves(start: str, kinds: tuple[str, ...]) -> Iterator[Move | Wrong]:
    """Run the LALR automaton on kinds of tokens; return its recorded reductions.

    Yields the nodes to make, in order, and the error at which parsing stops.
    """
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
                yield Wrong(number, _accepted_kinds(states, last_state))
                return
            # Reduce: replace the last values by one.
            size, origin, make = action
            if make is None:
                states[-1] = table[states[-2]][origin]  # type: ignore[assignment]
                continue
            cut = len(values) - size
            value = make(values[cut:])
            if value.__class__ is Match and not value.data.startswith("_"):
                yield Move(value.data, begins[cut], number - 1, tuple([child or 0 for child in value.children]))
                value = last_value = last_value + 1
            del states[cut + 1 :]
            states.append(table[states[-1]][origin])  # type: ignore[arg-type]
            values[cut:], begins[cut + 1 :] = [value], []
        # Shift: push the token.
        states.append(action)
        values.append(number + 1)
        begins.append(number)
    raise AssertionError("the last token is never shifted")


@lru_cache(maxsize=SHAPES)
def _known_moves(start: str, kinds: tuple[str, ...]) -> tuple[Move | Wrong, ...]:
    """Return the cached parser moves for a sequence of token kinds."""
    return tuple(_moves(start, kinds))


def _accepted_kinds(states: list[int], last_state: int) -> set[str]:
    """Return the kinds of tokens that the parser would accept next."""
    table = _table()
    accepted = set()
    for kind in [*filter(str.isupper, table[states[-1]]), "$END"]:
        stack = [*states]
        while (action := table[stack[-1]].get(kind)) is not None and not isinstance(action, int):
            size, origin, _ = action
            del stack[len(stack) - size :]
            stack.append(table[stack[-1]][origin])  # type: ignore[arg-type]
        if action is not None or (stack[-1] == last_state and kind == "$END"):
            accepted.add(kind)
    return accepted
