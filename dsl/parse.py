"""Text to syntax, or a mistake with its place."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from . import syntax
from .errors import Mistake
from .syntax import Place

KEYWORDS = ("param", "grid", "show")

SAID = {
    "_END": "a full stop", "NAME": "a name in lowercase", "VAR": "a variable", "INT": "a number",
    "STRING": "text in double quotes", "SYMBOL": "a quoted symbol", "RELATION": "a comparison such as = or <",
    "RPAR": ")", "LPAR": "(", "RSQB": "]", "LSQB": "[", "RBRACE": "}", "LBRACE": "{", "COMMA": ",", "COLON": ":",
    "PLUS": "+", "MINUS": "-", "STAR": "*", "EQUAL": "=", "IN": "in", "NOT": "not", "MOD": "mod",
}  # fmt: skip


def place(token: Any) -> Place:
    """Where a token or a node's metadata is; a width of 1 when it runs over the end of the line."""
    width = token.end_column - token.column if token.end_line == token.line else 1
    return Place(token.line, token.column, max(1, width))


@v_args(meta=True)
class _Build(Transformer[Token, Any]):
    """One method a grammar rule; only shapes and places, no meaning."""

    def start(self, meta: Any, children: list[Any]) -> tuple[syntax.Clause, ...]:
        return tuple(children)

    def param(self, meta: Any, c: list[Any]) -> syntax.Param:
        return syntax.Param(place(c[0]), str(c[0]), c[1])

    def grid(self, meta: Any, c: list[Any]) -> syntax.Grid:
        text = c[1]
        return syntax.Grid(place(c[0]), str(c[0]), text and str(text)[1:-1], place(text or c[0]))

    def show(self, meta: Any, c: list[Any]) -> syntax.Show:
        return syntax.Show(place(meta), tuple(syntax.Name(place(name), str(name)) for name in c))

    def rule(self, meta: Any, c: list[Any]) -> syntax.Rule:
        return syntax.Rule(c[1].at, c[0], c[1], c[2] or ())

    def label(self, meta: Any, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(place(c[0]), str(c[0])[1:-1])

    def declaration(self, meta: Any, c: list[Any]) -> syntax.Declaration:
        return syntax.Declaration(place(meta), tuple(c[:-1]), c[-1])

    membership = declaration

    def comparison(self, meta: Any, c: list[Any]) -> syntax.Comparison:
        return syntax.Comparison(place(meta), c[0], str(c[1]), c[2])

    def fact(self, meta: Any, c: list[Any]) -> syntax.Fact:
        return syntax.Fact(place(meta), c[0])

    def negation(self, meta: Any, c: list[Any]) -> syntax.Negation:
        return syntax.Negation(place(meta), c[0])

    def body(self, meta: Any, c: list[Any]) -> tuple[syntax.Literal, ...]:
        return tuple(c)

    def domain(self, meta: Any, c: list[Any]) -> syntax.Union:
        parts: list[Any] = []
        for part in c:
            parts += part if isinstance(part, list) else [part]
        return syntax.Union(place(meta), tuple(parts))

    def set(self, meta: Any, c: list[Any]) -> list[Any]:
        return c

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
        return syntax.Constant(place(meta), int(c[0]))

    def symbol(self, meta: Any, c: list[Any]) -> syntax.Constant:
        return syntax.Constant(place(meta), str(c[0])[1:-1])

    def variable(self, meta: Any, c: list[Any]) -> syntax.Logical:
        return syntax.Logical(place(meta), str(c[0]))

    def name(self, meta: Any, c: list[Any]) -> syntax.Name:
        return syntax.Name(place(meta), str(c[0]))

    def call(self, meta: Any, c: list[Any]) -> syntax.Call:
        arguments, body = c[1]
        return syntax.Call(place(meta), str(c[0]), arguments, body)

    def list(self, meta: Any, c: list[Any]) -> syntax.Listing:
        return syntax.Listing(place(meta), tuple(item for item in c if item is not None))

    def arguments(self, meta: Any, c: list[Any]) -> tuple[tuple[Any, ...], Any]:
        return tuple(c[:-1]), c[-1]


@cache
def _parser() -> Lark:
    folder = Path(__file__).parent
    tables = folder / "__pycache__" / f"grammar.{sys.implementation.cache_tag}.tables"
    tables.parent.mkdir(exist_ok=True)
    return Lark(
        (folder / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start=["start", "expr"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(tables),
    )


def parse(text: str, start: str = "start") -> Any:
    """The clauses of a spec.

    Parameters
    ----------
    text : str
    start : {"start", "expr"}
        ``expr`` reads a single expression, as it stands between the braces of a label.

    Returns
    -------
    tuple of syntax.Clause, or syntax.Expr

    Raises
    ------
    Mistake
        At the first word that cannot stand where it stands. Linear in the length of the text.

    Examples
    --------
    >>> parse("A in 1..4.")[0].head.terms
    (Logical(name='A'),)
    """
    try:
        return _Build().transform(_parser().parse(text, start=start))
    except UnexpectedInput as error:
        raise _explain(error, text) from None
    except VisitError as error:
        if not isinstance(error.orig_exc, RecursionError):
            raise
        raise Mistake("the expression is nested too deeply") from None
    except RecursionError:
        raise Mistake("the expression is nested too deeply") from None


def _explain(error: UnexpectedInput, text: str) -> Mistake:
    if isinstance(error, UnexpectedToken):
        token = error.token
        if token.type == "$END":
            lines = text.rstrip().split("\n")
            at = Place(len(lines), len(lines[-1].rstrip()) + 1)
            return Mistake(f"the text ends where {_options(error.expected)} is expected", at)
        at = place(token)
        if token.type == "VAR" and "NAME" in error.expected and "VAR" not in error.expected:
            return Mistake(f"{token} is a variable, and a name in lowercase is expected", at, f"write {token.lower()}")
        if str(token) in KEYWORDS:
            hint = "end the clause before with a full stop" if "_END" in error.expected else f"{token} is a keyword"
            return Mistake(f"{token} cannot stand here", at, hint)
        return Mistake(f"{_said(token)} where {_options(error.expected)} is expected", at, _hint(token, error.expected))
    assert isinstance(error, UnexpectedCharacters)
    at = Place(error.line, error.column)
    letter = error.char
    if letter == '"':
        return Mistake("the text that opens here is not closed", at, 'close it with "')
    if letter == "'":
        return Mistake("the symbol that opens here is not closed on its line", at, "close it with '")
    hint = {"|": "a union of domains is written \\/", "/": "division is written //", "&": "a comma means and"}
    return Mistake(f"{letter!r} is not part of the language", at, hint.get(letter, ""))


def _said(token: Token) -> str:
    return "a full stop" if token.type == "_END" else str(token)


def _options(expected: Any) -> str:
    names = sorted(SAID.get(name, name.lower()) for name in expected)
    operators = {"+", "-", "*", "//", "mod", "(", "__anon"}
    names = [SAID.get(n, n) for n in names if n not in operators and not n.startswith("__anon")] or names
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _hint(token: Token, expected: Any) -> str:
    if token.type == "RELATION" and token == "=" and "_END" not in expected:
        return "equality is written with a single ="
    if "_END" in expected and token.type in ("NAME", "VAR", "STRING"):
        return "is a full stop missing before it?"
    return ""
