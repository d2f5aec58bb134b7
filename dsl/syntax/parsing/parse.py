"""Parses the text of a spec into clauses and diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nodes
from ..errors import MAX_DIAGNOSTICS, Diagnostic, Diagnostics
from ..limits import LIMITS
from ..nodes import Place
from ..vocabulary import MAX_DIGITS
from .lalr import NodeMaker, parse_whole, read_clauses
from .lexer import Text, Token, Unexpected


def _operation(operator: str) -> NodeMaker:
    return NodeMaker(lambda at, left, right: nodes.Operation(at, operator, left, right))


def _declaration(at: Place, *parts: Any) -> nodes.Declaration:
    return nodes.Declaration(at, parts[:-1], parts[-1])


def _domain(at: Place, *items: Any) -> nodes.Union:
    parts: list[Any] = []
    for item in items:
        parts += item if isinstance(item, tuple) else [item]
    return nodes.Union(at, tuple(parts))


def _list(at: Place, arguments: Any) -> nodes.Listing:
    *items, body = arguments or [None]
    return nodes.Listing(at, tuple(items), body)


def _condition(node: Any) -> Any:
    """Convert a node to a condition; a term becomes a fact."""
    return nodes.Fact(node.at, node) if isinstance(node, nodes.Expr) else node


def _compound(kind: Callable[..., Any]) -> NodeMaker:
    return NodeMaker(lambda at, *parts: kind(at, *map(_condition, parts)))


def _symbol(at: Place, word: str) -> nodes.Constant:
    return nodes.Constant(at, word[1:-1].replace("''", "'"))


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _set(*elements: Any) -> tuple[Any, ...]:
    return tuple([element for element in elements if element is not None])


def _include(name: Token) -> nodes.Include:
    is_file = name.type == "STRING"
    return nodes.Include(name.at, name[1:-1].replace('""', '"') if is_file else str(name), is_file)


def _grid(name: Token, rows: Any, columns: Any, text: Token | None) -> nodes.Grid:
    size = (rows, columns) if rows else None
    return nodes.Grid(name.at, str(name), text and text[1:-1], (text or name).at, size)


WORD = NodeMaker(str, is_placed=False)

NODES: dict[str, NodeMaker] = {
    "include": NodeMaker(_include, is_placed=False, has_tokens=True),
    "param": NodeMaker(lambda name, value: nodes.Param(name.at, str(name), value), is_placed=False, has_tokens=True),
    "grid": NodeMaker(_grid, is_placed=False, has_tokens=True),
    "show": NodeMaker(lambda at, *parts: nodes.Show(at, parts[:-1], parts[-1])),
    "draw": NodeMaker(nodes.Draw),
    "shown": NodeMaker(nodes.Shown),
    "indexed": NodeMaker(lambda at, word, *arguments: nodes.Call(at, word, arguments)),
    "sense": WORD,
    "objective": NodeMaker(lambda at, sense, *expressions: nodes.Objective(at, sense, expressions)),
    "rule": NodeMaker(
        lambda label, head, body: nodes.Rule(head.at, label, _condition(head), body or ()), is_placed=False
    ),
    "declaration": NodeMaker(_declaration),
    "membership": NodeMaker(_declaration),
    "conjunction": NodeMaker(lambda at, *parts: nodes.Conjunction(at, tuple(map(_condition, parts)))),
    "disjunction": NodeMaker(lambda at, *parts: nodes.Disjunction(at, tuple(map(_condition, parts)))),
    "implication": _compound(nodes.Implication),
    "equivalence": _compound(nodes.Equivalence),
    "comparison": NodeMaker(nodes.Comparison),
    "relation": WORD,
    "word": WORD,
    "negation": _compound(nodes.Negation),
    "comprehension": NodeMaker(nodes.Comprehension),
    "body": NodeMaker(lambda *conditions: tuple(map(_condition, conditions)), is_placed=False),
    "domain": NodeMaker(_domain),
    "listed": NodeMaker(_set, is_placed=False),
    "gathered": NodeMaker(lambda at, item, body: (nodes.Comprehension(at, item, body),)),
    "range": NodeMaker(nodes.Range),
    "add": _operation("+"),
    "subtract": _operation("-"),
    "multiply": _operation("*"),
    "divide": _operation("//"),
    "modulo": _operation("mod"),
    "negate": NodeMaker(lambda at, operand: nodes.Operation(at, "-", nodes.Constant(at, 0), operand)),
    "symbol": NodeMaker(_symbol),
    "keyword": NodeMaker(nodes.Constant),
    "variable": NodeMaker(nodes.Logical),
    "name": NodeMaker(nodes.Name),
    "call": NodeMaker(lambda at, word, arguments: nodes.Call(at, word, arguments[:-1], arguments[-1])),
    "arguments": NodeMaker(_tuple, is_placed=False),
    "list": NodeMaker(_list),
}
"""The node maker of each rule of the grammar."""


class _Checked:
    """The node makers of one parse; they report errors in labels and numbers."""

    def __init__(self) -> None:
        self.diagnostics = Diagnostics()
        self.nodes = {
            **NODES,
            "label": NodeMaker(self._label, is_placed=False, has_tokens=True),
            "integer": NodeMaker(self._integer),
        }

    def _label(self, word: Token) -> nodes.Constant:
        at = word.at
        if "\n" in word:
            self.diagnostics.append(
                Diagnostic("the label that opens here is not closed on its line", at._replace(width=1))
            )
        return nodes.Constant(at, word[1:-1])

    def _integer(self, at: Place, word: str) -> nodes.Constant:
        if len(word) > MAX_DIGITS:
            self.diagnostics.append(Diagnostic(f"the number has more than {MAX_DIGITS} digits", at))
            return nodes.Constant(at, 0)
        return nodes.Constant(at, int(word))


def parse(text: str, file: str = "") -> tuple[tuple[nodes.Clause, ...], Diagnostics]:
    """Parse a spec and return its clauses and the syntax errors.

    After an error, parsing continues after the next full stop. The time is linear in the length of the text.

    Examples
    --------
    >>> clauses, diagnostics = parse("A in 1..4. B = . C = 3.")
    >>> [clause.head for clause in clauses][1]
    Comparison(left=Logical(name='C'), relation='=', right=Constant(value=3))
    >>> diagnostics[0].at
    Place(line=1, column=16, width=1, file='')
    """
    checked = _Checked()
    diagnostics = checked.diagnostics
    clauses: list[nodes.Clause] = []
    resume: int | None = 0
    if len(text) > LIMITS.characters:
        diagnostics.append(Diagnostic(f"the text has {len(text):,} characters, and {LIMITS.characters:,} is the most"))
        return (), diagnostics
    words = Text(text, file)
    while resume is not None and len(diagnostics) < MAX_DIAGNOSTICS:
        start, resume = resume, None
        diagnostics_before = len(diagnostics)
        try:
            for clause in read_clauses(words, checked.nodes, start):
                # A clause with a wrong label or number is dropped.
                if len(diagnostics) == diagnostics_before:
                    clauses.append(clause)
                diagnostics_before = len(diagnostics)
        except Unexpected as error:
            from .explain import explain_parse_error

            diagnostic, resume = explain_parse_error(error, text, start)
            diagnostic.at = diagnostic.at and diagnostic.at._replace(file=file)
            diagnostics.append(diagnostic)
    return tuple(clauses), diagnostics


def parse_expression(text: str, at: Place) -> nodes.Expr:
    """Parse an expression between braces, at its place in a larger text.

    Raises
    ------
    Diagnostic
        At the first syntax error.
    """
    checked = _Checked()
    try:
        expression = parse_whole(Text(text, at.file, at), checked.nodes)
    except Unexpected as error:
        from .explain import explain_parse_error

        diagnostic, _ = explain_parse_error(error, text, 0, ends="the braces end")
        diagnostic.at = at.shifted(diagnostic.at or Place(1, 1))
        checked.diagnostics.append(diagnostic)
    for diagnostic in checked.diagnostics:
        raise diagnostic
    return expression  # type: ignore[no-any-return]
