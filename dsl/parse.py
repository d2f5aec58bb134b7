"""Text to syntax, or mistakes with their places."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, v_args
from lark.exceptions import UnexpectedInput
from lark.visitors import Transformer_NonRecursive

from . import syntax
from .errors import MOST, Mistake, Mistakes
from .explain import explain, place_of
from .syntax import Place

MAX_TEXT = 1_000_000
"""The most characters of a spec."""

MAX_DIGITS = 18
"""The most digits of a number."""

MANY = 1 << 20
"""The width of what runs over the end of its line; a report shows what is on the line."""


def place(token: Any) -> Place:
    """Where a token or a node's metadata is."""
    width = token.end_column - token.column if token.end_line == token.line else MANY
    return Place(token.line, token.column, max(1, width))


@v_args(meta=True)
class _Build(Transformer_NonRecursive[Token, Any]):
    """One method a grammar rule; only shapes and places, no meaning."""

    def __init__(self) -> None:
        super().__init__()
        self.mistakes = Mistakes()

    def start(self, meta: Any, c: list[Any]) -> tuple[syntax.Clause, ...]:
        return tuple(c)

    def param(self, meta: Any, c: list[Any]) -> syntax.Param:
        return syntax.Param(place(c[0]), str(c[0]), c[1])

    def grid(self, meta: Any, c: list[Any]) -> syntax.Grid:
        text = c[1]
        return syntax.Grid(place(c[0]), str(c[0]), text and str(text)[1:-1], place(text or c[0]))

    def show(self, meta: Any, c: list[Any]) -> syntax.Show:
        return syntax.Show(place(meta), tuple(c))

    def rule(self, meta: Any, c: list[Any]) -> syntax.Rule:
        return syntax.Rule(c[1].at, c[0], c[1], c[2] or ())

    def label(self, meta: Any, c: list[Any]) -> syntax.Constant:
        at = place(c[0])
        if "\n" in c[0]:
            self.mistakes.append(Mistake("the label that opens here is not closed on its line", at._replace(width=1)))
        return syntax.Constant(at, str(c[0])[1:-1])

    def declaration(self, meta: Any, c: list[Any]) -> syntax.Declaration:
        return syntax.Declaration(place(meta), tuple(c[:-1]), c[-1])

    membership = declaration

    def disjunction(self, meta: Any, c: list[Any]) -> syntax.Disjunction:
        return syntax.Disjunction(place(meta), tuple(c))

    def comparison(self, meta: Any, c: list[Any]) -> syntax.Comparison:
        return syntax.Comparison(place(meta), *c)

    def relation(self, meta: Any, c: list[Any]) -> str:
        return str(c[0])

    word = relation

    def fact(self, meta: Any, c: list[Any]) -> syntax.Fact:
        return syntax.Fact(place(meta), c[0])

    def negation(self, meta: Any, c: list[Any]) -> syntax.Negation:
        return syntax.Negation(place(meta), c[0])

    def body(self, meta: Any, c: list[Any]) -> tuple[syntax.Literal, ...]:
        return tuple(c)

    def domain(self, meta: Any, c: list[Any]) -> syntax.Union:
        parts: list[Any] = []
        for part in c:
            parts += part if isinstance(part, tuple) else [part]
        return syntax.Union(place(meta), tuple(parts))

    def set(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return tuple(c)

    def range(self, meta: Any, c: list[Any]) -> syntax.Range:
        return syntax.Range(place(meta), *c)

    def add(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "+", *c)

    def subtract(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "-", *c)

    def multiply(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "*", *c)

    def divide(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "//", *c)

    def modulo(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "mod", *c)

    def negate(self, meta: Any, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(place(meta), "-", syntax.Constant(place(meta), 0), c[0])

    def integer(self, meta: Any, c: list[Any]) -> syntax.Constant:
        if len(c[0]) > MAX_DIGITS:
            self.mistakes.append(Mistake(f"the number has more than {MAX_DIGITS} digits", place(meta)))
            return syntax.Constant(place(meta), 0)
        return syntax.Constant(place(meta), int(c[0]))

    def symbol(self, meta: Any, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(place(meta), str(c[0])[1:-1].replace("''", "'"))

    def keyword(self, meta: Any, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(place(meta), c[0])

    def variable(self, meta: Any, c: list[Any]) -> syntax.Logical:
        return syntax.Logical(place(meta), str(c[0]))

    def name(self, meta: Any, c: list[Any]) -> syntax.Name:
        return syntax.Name(place(meta), str(c[0]))

    def call(self, meta: Any, c: list[Any]) -> syntax.Call:
        arguments, body = c[1]
        return syntax.Call(place(meta), str(c[0]), arguments, body)

    def arguments(self, meta: Any, c: list[Any]) -> tuple[tuple[Any, ...], Any]:
        return tuple(c[:-1]), c[-1]

    def list(self, meta: Any, c: Any) -> syntax.Listing:
        return syntax.Listing(place(meta), tuple(item for item in c if item is not None))


@cache
def _parser() -> Lark:
    folder = Path(__file__).parent
    tables = folder / "__pycache__" / f"grammar.{sys.implementation.cache_tag}.tables"
    return Lark(
        (folder / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=["start", "expr"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(tables) if tables.parent.exists() else False,
    )


def parse(text: str) -> tuple[tuple[syntax.Clause, ...], Mistakes]:
    """The clauses of a spec, and what is wrong with it.

    After a mistake, reading goes on behind the next full stop. Linear in the length of the text.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of syntax.Clause
        Nothing to rely on where there are mistakes.
    Mistakes

    Examples
    --------
    >>> clauses, mistakes = parse("A in 1..4.")
    >>> clauses[0].head.terms
    (Logical(name='A'),)
    >>> parse("A in. B = . C = 3.")[1][1].at
    Place(line=1, column=11, width=1)
    """
    mistakes = Mistakes()
    start: int | None = 0
    if len(text) > MAX_TEXT:
        mistakes.append(Mistake(f"the text has {len(text):,} characters, and {MAX_TEXT:,} is the most"))
        return (), mistakes
    while start is not None and len(mistakes) < MOST:
        at = place_of(text, start, start)
        padded = "\n" * (at.line - 1) + " " * (at.column - 1) + text[start:]
        try:
            builder = _Build()
            clauses = builder.transform(_parser().parse(padded, start="start"))
            return clauses, Mistakes(mistakes + builder.mistakes)
        except UnexpectedInput as error:
            mistake, start = explain(error, text, start, len(text) - len(padded))
            mistakes.append(mistake)
    return (), mistakes


def parse_expression(text: str, at: Place) -> syntax.Expr:
    """A single expression, which stands at a place of a larger text.

    Raises
    ------
    Mistake
        At the first word that cannot stand where it stands.
    """
    builder = _Build()
    try:
        found = builder.transform(_parser().parse(text, start="expr"))
    except UnexpectedInput as error:
        builder.mistakes.append(explain(error, text, 0, 0)[0])
    for mistake in builder.mistakes:
        mistake.at = _moved(mistake.at or Place(1, 1), at)
        mistake.message = mistake.message.replace("the text ends", "the braces end")
        raise mistake
    for node in syntax.walk(found):
        object.__setattr__(node, "at", _moved(node.at, at))
    return found  # type: ignore[no-any-return]


def _moved(inner: Place, outer: Place) -> Place:
    return Place(outer.line, outer.column + inner.column - 1, inner.width)
