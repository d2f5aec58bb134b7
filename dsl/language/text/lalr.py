"""Texts to tokens and to syntax: lark's tables, without lark's trees, which take most of its time."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.grammar import Rule

from ..syntax import Place
from .tables import parser_of


class Match(NamedTuple):
    """A rule of the grammar and what it has matched."""

    data: str
    children: list[Any]


MANY = 1 << 20
"""The width of what runs over the end of its line; a report shows what is on the line."""

END = Token("$END", "")

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
    return parser_of(grammar, Match)


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
    lark.exceptions.UnexpectedCharacters
        Where no token begins.

    Examples
    --------
    >>> [(token.value, token.line, token.column) for token in tokens("A = 1.\\n% one\\n B = 2.", start=13)]
    [('B', 3, 2), ('=', 3, 4), ('2', 3, 6), ('.', 3, 7)]
    """
    thread = parser().parse_interactive(text, start="expr").lexer_thread
    assert thread.state
    counter = thread.state.line_ctr
    counter.feed(text[:start])
    if origin:
        counter.line, counter.column, counter.line_start_pos = origin.line, origin.column, 1 - origin.column
    return thread.lex(None)  # type: ignore[no-any-return, no-untyped-call]


def place(first: Token, last: Token, file: str = "") -> Place:
    """Where a piece of text is that goes from one token to another."""
    line, column = first.line or 1, first.column or 1
    width = (last.end_column or column) - column if last.end_line == line else MANY
    return Place(line, column, max(1, width), file)


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
    words : iterator of lark.Token
    build : function
    file : str
        What the places name as their file.

    Yields
    ------
    What ``build`` makes of each clause.

    Raises
    ------
    lark.exceptions.UnexpectedInput
        At the first token that cannot stand where it stands.
    """
    with no_collecting():
        for word in words:
            yield read(chain([word], words), "clause", build, file)


def read(words: Iterable[Token], start: str, build: Build, file: str = "") -> Any:
    """Parse a clause, up to its full stop, or an expression, which is all there is.

    Parameters
    ----------
    words : iterable of lark.Token
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
    lark.exceptions.UnexpectedInput
        At the first token that cannot stand where it stands.

    Examples
    --------
    >>> read(tokens("-(A + 1)"), "expr", lambda rule, at, parts: f"{rule}({', '.join(parts)})")
    'negate(add(variable(A), integer(1)))'
    """
    table, first_state, last_state = _table(start)
    states = [first_state]
    values: list[Any] = []
    begins: list[Token] = []
    ends: list[Token] = []
    for token in _ended(words):
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
    for word in words:
        yield word
        if word.type == "_END":
            yield END
    yield END


def _unexpected(token: Token, start: str, states: list[int]) -> UnexpectedToken:
    """The error that lark itself raises."""
    interactive: Any = parser().parse_interactive(start=start)
    interactive.parser_state.state_stack[:] = states
    interactive.parser_state.value_stack[:] = [None] * (len(states) - 1)
    expected = {name for name in interactive.choices() if name.isupper()}
    return UnexpectedToken(token, expected, interactive_parser=interactive)  # type: ignore[no-untyped-call]
