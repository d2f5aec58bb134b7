"""Whether the capital letters of a picture are digits above nine: what its values are compared with decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.grids import CAPITALS, LETTERS, CellFact, has_digits
from ...syntax.vocabulary import FUNCTIONS
from ..expressions.binding import binders
from ..expressions.names import Names

ColumnOrVariable = tuple[Any, ...]
"""A column of a relation, ``(name, number)``, or a logical variable, ``(clause, scope, name)``."""

VALUE = 2
"""The column of a picture in which its values stand."""


class Columns:
    """Which values are compared with each other: columns of relations, logical variables, and what is written.

    Attributes
    ----------
    digits : set of str
        The grids in which capital letters are digits: with numbers in their own pictures, or whose values are compared
        with numbers. Pictures that replace them change nothing.
    """

    def __init__(self, clauses: Iterable[nodes.Clause], names: Names) -> None:
        self._names = names
        self._same: dict[ColumnOrVariable, ColumnOrVariable] = {}
        self._numeric: set[str] = set()
        self._symbols: dict[ColumnOrVariable, list[tuple[str, nodes.Place]]] = defaultdict(list)
        clauses = list(clauses)
        self._grids = [clause for clause in clauses if isinstance(clause, nodes.Grid)]
        numbers = {(grid.name, VALUE) for grid in self._grids if has_digits(grid.text or "")}
        rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)] if self._grids else []
        self._numeric.update(self._families_of_numbers(rules))
        said: list[tuple[object, Sequence[nodes.Condition]]] = [
            (rule.head if nodes.fact_values(rule) is None else rule.head.term, rule.body)  # type: ignore[union-attr]
            for rule in rules
        ]
        said += [(clause.items, clause.body or ()) for clause in clauses if isinstance(clause, nodes.Show)]
        said += [(clause.item, clause.body or ()) for clause in clauses if isinstance(clause, nodes.Draw)]
        for number, (what, body) in enumerate(said if self._grids else ()):
            if isinstance(what, nodes.Call):
                numbers.update(self._columns(what, {}))
            else:
                numbers.update(self._numbers((what, body), dict.fromkeys(binders(body), (number,))))
        decided = {self._root(spot) for spot in numbers}
        self.digits = {grid.name for grid in self._grids if self._root((grid.name, VALUE)) in decided}

    def misread(self, cells: Mapping[str, Iterable[CellFact]]) -> Iterator[Diagnostic]:
        """Letters that are compared with a picture in which they are numbers."""
        said: dict[ColumnOrVariable, dict[str, nodes.Place]] = defaultdict(dict)
        for spot, symbols in self._symbols.items():
            for symbol, at in symbols:
                said[self._root(spot)].setdefault(symbol, at)
        for grid in self._grids:
            values = {value for _, _, value in cells[grid.name]}
            symbols_of = said[self._root((grid.name, VALUE))]
            for symbol, at in symbols_of.items():
                letter, small = symbol.upper(), symbol.lower()
                if letter not in CAPITALS or symbol in values:
                    continue
                if (number := LETTERS.index(letter)) in values and grid.name in self.digits:
                    message = f"{letter} in grid {grid.name} is the number {number}, and never the symbol {symbol}"
                    hint = f"capital letters are digits above nine here; write a small {small}, in the picture too"
                    yield Diagnostic(message, at, hint)
                elif letter in values and letter not in symbols_of:
                    hint = f"in a clause the capital letter is written '{letter}'"
                    yield Diagnostic(f"grid {grid.name} has {letter}, and never {symbol}", at, hint)

    def _families_of_numbers(self, rules: Iterable[nodes.Rule]) -> Iterator[str]:
        for rule in rules:
            match rule.head:
                case nodes.Declaration(_, terms, nodes.Union(_, parts)) if any(map(self._is_number, parts)):
                    yield from (getattr(term, "name", "") for term in terms)

    def _is_number(self, node: nodes.Range | nodes.Expr) -> bool:
        match node:
            case nodes.Range() | nodes.Operation() | nodes.Constant(_, int()):
                return True
            case nodes.Call(_, name) if name in FUNCTIONS:
                return True
            case nodes.Name(_, name) | nodes.Call(_, name) | nodes.Logical(_, name):
                return isinstance(self._names.params.get(name), int) or name in self._numeric
        return False

    def _root(self, spot: ColumnOrVariable) -> ColumnOrVariable:
        while (to := self._same.get(spot, spot)) != spot:
            spot = self._same[spot] = self._same.get(to, to)
        return spot

    def _compare(self, spot: ColumnOrVariable, node: Any, scope: Mapping[str, ColumnOrVariable]) -> bool:
        """Note that values of a column or variable are compared with something; whether that is a number."""
        if other := _spot(node, scope):
            self._same[self._root(other)] = self._root(spot)
        elif symbol := self._symbol(node):
            self._symbols[spot].append((symbol, node.at))
        return not other and self._is_number(node)

    def _symbol(self, node: Any) -> str:
        match node:
            case nodes.Constant(_, str(symbol)):
                return symbol
            case nodes.Name(_, name) if name not in {*self._names.params, *self._names.families}:
                return name
        return ""

    def _columns(self, term: nodes.Call, scope: Mapping[str, ColumnOrVariable]) -> Iterator[ColumnOrVariable]:
        """Note what the columns of a relation are compared with; those that are numbers."""
        for column, argument in enumerate(term.arguments if term.name in self._names.arities else ()):
            if self._compare((term.name, column), argument, scope):
                yield term.name, column

    def _numbers(self, node: Any, scope: Mapping[str, ColumnOrVariable]) -> Iterator[ColumnOrVariable]:
        """Note what is compared in a piece of syntax; the columns and variables that are numbers."""
        waiting = [(node, scope)]
        while waiting:
            node, scope = waiting.pop()
            pairs: list[tuple[Any, Any]] = []
            numbers: Iterable[Any] = ()
            match node:
                case nodes.Comparison(_, left, relation, right):
                    pairs = [(left, right), (right, left)]
                    numbers = () if relation in ("=", "!=") else (left, right)
                case nodes.Declaration(_, (term,), nodes.Union(_, parts)):
                    pairs = [(term, part) for part in parts]
                case nodes.Operation(_, _, left, right) | nodes.Range(_, left, right):
                    numbers = left, right
                case nodes.Listing(body=body) | nodes.Comprehension(body=body):
                    scope = _inside(node, body, scope)
                case nodes.Call(_, name, arguments, body):
                    scope = _inside(node, body, scope)
                    numbers = arguments if name in FUNCTIONS else ()
                    yield from self._columns(node, scope)
            for side, other in pairs:
                if (spot := _spot(side, scope)) and self._compare(spot, other, scope):
                    yield spot
            yield from (spot for side in numbers if (spot := _spot(side, scope)))
            waiting += [(part, scope) for part in nodes.inner(node) if part.__class__ not in nodes.LEAVES]


def _inside(
    node: nodes.Node, body: Sequence[nodes.Condition] | None, scope: Mapping[str, ColumnOrVariable]
) -> Mapping[str, ColumnOrVariable]:
    """The logical variables within a comprehension."""
    return scope if body is None else {**dict.fromkeys(binders(body), tuple(node.at)), **scope}


def _spot(node: Any, scope: Mapping[str, ColumnOrVariable]) -> ColumnOrVariable | None:
    """A logical variable that has its values from a body."""
    if isinstance(node, nodes.Logical) and node.name in scope:
        return (*scope[node.name], node.name)
    return None
