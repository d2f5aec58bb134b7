"""Texts to tokens and to syntax: lark's tables, without lark's trees, which take most of its time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.grammar import Rule
from platformdirs import user_cache_path

from .syntax import Place


class Match(NamedTuple):
    """A rule of the grammar and what it has matched."""

    data: str
    children: list[Any]


MANY = 1 << 20
"""The width of what runs over the end of its line; a report shows what is on the line."""

Build = Callable[[str, Place, list[Any]], Any]
"""What makes a value of the name of a rule, where it was matched, and the values of its parts."""

Reduction = tuple[int, str, Callable[[list[Any]], Any] | None]
"""How many values a rule replaces by one, what it is a rule for, and what selects the parts that count; or all do."""

Table = dict[int, dict[str, int | Reduction]]
"""For each state and token the state to go to, or what to reduce first."""


@cache
def parser() -> Lark:
    """The parser; its tables are kept in the user's cache."""
    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=["start", "expr"],
        maybe_placeholders=True,
        tree_class=Match,
        cache=_tables(grammar),
    )


def _tables(grammar: str) -> str | bool:
    """The file for the tables of a grammar, or False where there can be none."""
    name = f"grammar.{sys.implementation.cache_tag}.{crc32(grammar.encode()):08x}.tables"
    try:
        return str(user_cache_path("alldifferent", ensure_exists=True) / name)
    except OSError:
        return False


def lex(text: str) -> Iterator[Token]:
    """All tokens of a text, comments and blanks too.

    Raises
    ------
    lark.exceptions.UnexpectedCharacters
        Where no token begins.

    Examples
    --------
    >>> [token.type for token in lex("A = 1.  % one")]
    ['VAR', 'WHITESPACE', 'EQUAL', 'WHITESPACE', 'INT', '_END', 'WHITESPACE', 'COMMENT']
    """
    return parser().lex(text, dont_ignore=True)


def place(first: Token, last: Token) -> Place:
    """Where a piece of text is that goes from one token to another."""
    line, column = first.line or 1, first.column or 1
    width = (last.end_column or column) - column if last.end_line == line else MANY
    return Place(line, column, max(1, width))


@cache
def _table(start: str) -> tuple[Table, int, int]:
    """The table with its first and its last state."""
    conf = parser().parse_interactive(start=start).parser_state.parse_conf
    reductions: dict[Any, Reduction] = {
        rule: _reduction(rule, select) for rule, select in conf.callbacks.items() if isinstance(rule, Rule)
    }
    table: Table = {
        state: {name: reductions[to] if isinstance(to, Rule) else to for name, (_, to) in actions.items()}
        for state, actions in conf.states.items()
    }
    return table, conf.start_state, conf.end_state


def _reduction(rule: Rule, select: Callable[[list[Any]], Any]) -> Reduction:
    passes = len(rule.expansion) == 1 and rule.options.expand1 and not rule.alias
    return len(rule.expansion), rule.origin.name, None if passes else select


def read(text: str, start: str, build: Build) -> Any:
    """Parse a text.

    Parameters
    ----------
    text : str
    start : str
        The rule that the whole text must match.
    build : function

    Returns
    -------
    What ``build`` makes of the whole.

    Raises
    ------
    lark.exceptions.UnexpectedInput
        At the first token that cannot stand where it stands.

    Examples
    --------
    >>> read("-(A + 1)", "expr", lambda rule, at, parts: f"{rule}({', '.join(parts)})")
    'negate(add(variable(A), integer(1)))'
    """
    collecting = gc.isenabled()
    gc.disable()  # nothing made here is in a cycle, and looking for cycles takes longer than all else
    try:
        return _read(text, start, build)
    finally:
        if collecting:
            gc.enable()


def _read(text: str, start: str, build: Build) -> Any:
    table, first_state, last_state = _table(start)
    states = [first_state]
    values: list[Any] = []
    begins: list[Token] = []
    ends: list[Token] = []
    interactive = parser().parse_interactive(text, start=start)
    tokens = interactive.lexer_thread.lex(None)  # type: ignore[no-untyped-call]
    for token in chain(tokens, [Token("$END", "")]):
        kind = token.type
        while not isinstance(action := table[states[-1]].get(kind), int):
            if action is None:
                if states[-1] == last_state and kind == "$END":
                    return values[-1]
                raise _unexpected(token, start, states)
            size, origin, select = action
            if select is None:
                states[-1] = table[states[-2]][origin]  # type: ignore[assignment]
                continue
            cut = len(values) - size
            begin, end = (begins[cut], ends[-1]) if size else (token, token)
            value = select(values[cut:])
            if value.__class__ is Match and not value.data.startswith("_"):
                value = build(value.data, place(begin, end), value.children)
            del states[cut + 1 :]
            states.append(table[states[-1]][origin])  # type: ignore[arg-type]
            values[cut:], begins[cut:], ends[cut:] = [value], [begin], [end]
        states.append(action)
        values.append(token)
        begins.append(token)
        ends.append(token)
    raise AssertionError("the last token is never shifted")


def _unexpected(token: Token, start: str, states: list[int]) -> UnexpectedToken:
    """The error that lark itself raises."""
    interactive: Any = parser().parse_interactive(start=start)
    interactive.parser_state.state_stack[:] = states
    interactive.parser_state.value_stack[:] = [None] * (len(states) - 1)
    expected = {name for name in interactive.choices() if name.isupper()}
    return UnexpectedToken(token, expected, interactive_parser=interactive)  # type: ignore[no-untyped-call]
