"""Text to syntax, or mistakes with their places."""

from __future__ import annotations

from typing import Any

from lark import Token
from lark.exceptions import UnexpectedInput

from . import syntax
from .errors import MOST, Mistake, Mistakes
from .explain import explain, place_of
from .lalr import place, read
from .syntax import Place

MAX_TEXT = 1_000_000
"""The most characters of a spec."""

MAX_DIGITS = 18
"""The most digits of a number."""


class _Build:
    """One method a grammar rule; only shapes and places, no meaning."""

    def __init__(self) -> None:
        self.mistakes = Mistakes()

    def __call__(self, rule: str, at: Place, c: list[Any]) -> Any:
        return getattr(self, rule)(at, c)

    def start(self, at: Place, c: list[Any]) -> tuple[syntax.Clause, ...]:
        return tuple(c)

    def param(self, at: Place, c: list[Any]) -> syntax.Param:
        return syntax.Param(_place(c[0]), str(c[0]), c[1])

    def grid(self, at: Place, c: list[Any]) -> syntax.Grid:
        text = c[1]
        return syntax.Grid(_place(c[0]), str(c[0]), text and str(text)[1:-1], _place(text or c[0]))

    def show(self, at: Place, c: list[Any]) -> syntax.Show:
        return syntax.Show(at, tuple(c))

    def rule(self, at: Place, c: list[Any]) -> syntax.Rule:
        return syntax.Rule(c[1].at, c[0], c[1], c[2] or ())

    def label(self, at: Place, c: list[Any]) -> syntax.Constant:
        at = _place(c[0])
        if "\n" in c[0]:
            self.mistakes.append(Mistake("the label that opens here is not closed on its line", at._replace(width=1)))
        return syntax.Constant(at, str(c[0])[1:-1])

    def declaration(self, at: Place, c: list[Any]) -> syntax.Declaration:
        return syntax.Declaration(at, tuple(c[:-1]), c[-1])

    membership = declaration

    def disjunction(self, at: Place, c: list[Any]) -> syntax.Disjunction:
        return syntax.Disjunction(at, tuple(c))

    def comparison(self, at: Place, c: list[Any]) -> syntax.Comparison:
        return syntax.Comparison(at, *c)

    def relation(self, at: Place, c: list[Any]) -> str:
        return str(c[0])

    word = relation

    def fact(self, at: Place, c: list[Any]) -> syntax.Fact:
        return syntax.Fact(at, c[0])

    def negation(self, at: Place, c: list[Any]) -> syntax.Negation:
        return syntax.Negation(at, c[0])

    def body(self, at: Place, c: list[Any]) -> tuple[syntax.Literal, ...]:
        return tuple(c)

    def domain(self, at: Place, c: list[Any]) -> syntax.Union:
        parts: list[Any] = []
        for part in c:
            parts += part if isinstance(part, tuple) else [part]
        return syntax.Union(at, tuple(parts))

    def set(self, at: Place, c: list[Any]) -> tuple[Any, ...]:
        return tuple(c)

    def range(self, at: Place, c: list[Any]) -> syntax.Range:
        return syntax.Range(at, *c)

    def add(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "+", *c)

    def subtract(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "-", *c)

    def multiply(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "*", *c)

    def divide(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "//", *c)

    def modulo(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "mod", *c)

    def negate(self, at: Place, c: list[Any]) -> syntax.Operation:
        return syntax.Operation(at, "-", syntax.Constant(at, 0), c[0])

    def integer(self, at: Place, c: list[Any]) -> syntax.Constant:
        if len(c[0]) > MAX_DIGITS:
            self.mistakes.append(Mistake(f"the number has more than {MAX_DIGITS} digits", at))
            return syntax.Constant(at, 0)
        return syntax.Constant(at, int(c[0]))

    def symbol(self, at: Place, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(at, str(c[0])[1:-1].replace("''", "'"))

    def keyword(self, at: Place, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(at, c[0])

    def variable(self, at: Place, c: list[Any]) -> syntax.Logical:
        return syntax.Logical(at, str(c[0]))

    def name(self, at: Place, c: list[Any]) -> syntax.Name:
        return syntax.Name(at, str(c[0]))

    def call(self, at: Place, c: list[Any]) -> syntax.Call:
        arguments, body = c[1]
        return syntax.Call(at, str(c[0]), arguments, body)

    def arguments(self, at: Place, c: list[Any]) -> tuple[tuple[Any, ...], Any]:
        return tuple(c[:-1]), c[-1]

    def list(self, at: Place, c: Any) -> syntax.Listing:
        return syntax.Listing(at, tuple(item for item in c if item is not None))


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
            clauses = read(padded, "start", builder)
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
        found = read(text, "expr", builder)
    except UnexpectedInput as error:
        builder.mistakes.append(explain(error, text, 0, 0)[0])
    for mistake in builder.mistakes:
        mistake.at = _moved(mistake.at or Place(1, 1), at)
        mistake.message = mistake.message.replace("the text ends", "the braces end")
        raise mistake
    for node in syntax.walk(found):
        object.__setattr__(node, "at", _moved(node.at, at))
    return found  # type: ignore[no-any-return]


def _place(token: Token) -> Place:
    return place(token, token)


def _moved(inner: Place, outer: Place) -> Place:
    return Place(outer.line, outer.column + inner.column - 1, inner.width)
