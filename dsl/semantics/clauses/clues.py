"""Clauses that give cells their values from a grid, asked for one clue at a time."""

from __future__ import annotations

from collections.abc import Iterable

from csp import Constraint, Value, Variable

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ..expressions.binding import all_names, binders
from ..expressions.compiler import Compiler
from ..expressions.names import Evaluate, Names, Scope
from .labels import parse_label
from .posting import compile_rule


def count_uses(node: object, grid: str) -> int:
    """How often a relation is mentioned in a piece of syntax."""
    return sum(isinstance(part, nodes.Call | nodes.Name) and part.name == grid for part in nodes.walk(node))


def gives_cells(clause: nodes.Clause, grid: str) -> tuple[nodes.Rule, nodes.Call] | None:
    """A clause ``cell(R, C) = V :- clue(R, C, V).`` and its term ``clue(R, C, V)``."""
    match clause:
        case nodes.Rule(_, _, nodes.Comparison(_, _, "="), body) if count_uses(clause, grid) == 1:
            for literal in body:
                match literal:
                    case nodes.Fact(_, nodes.Call(_, name) as term) if name == grid:
                        return clause, term
    return None


FACT = ("row", "column", "value")
"""Words that no clause can use, for what a fact of a grid says."""


class GridClause:
    """A clause ``cell(R, C) = V :- clue(R, C, V).``, compiled once and then asked for one fact at a time."""

    def __init__(self, rule: nodes.Rule, fact: nodes.Call, names: Names) -> None:
        says: list[nodes.Condition] = [
            nodes.Comparison(part.at, part, "=", nodes.Logical(part.at, word))
            for word, part in zip(FACT, fact.arguments, strict=True)
            if part != nodes.Logical(part.at, "_") and isinstance(part, nodes.Expr)
        ]
        body = [*says, *(literal for literal in rule.body if not count_uses(literal, fact.name))]
        self._query = Compiler(names).query(body, FACT)
        self._make = compile_rule(rule, parse_label(rule.label), names, self._query.bound)
        try:
            self._variables = self._compile_variables(rule, fact, body, names)
        except Diagnostic:  # the place follows from the value, and so from no place alone
            self._variables = []

    def _compile_variables(
        self, rule: nodes.Rule, fact: nodes.Call, body: Iterable[nodes.Condition], names: Names
    ) -> list[Evaluate]:
        """What gives the variable once row and column are known."""
        body, compiler = list(body), Compiler(names)
        unplaced = _following({"value"}, body, {"row", "column"} | all_names(fact.arguments[:2]))
        self._place = compiler.query([literal for literal in body if not all_names(literal) & unplaced], FACT[:2])
        assert isinstance(rule.head, nodes.Comparison)
        return [
            compiler.expression(side, Scope(self._place.bound))
            for side in (rule.head.left, rule.head.right)
            if getattr(side, "name", "") in names.families and not all_names(side) & unplaced
        ]

    def constraints(self, fact: tuple[Value, ...]) -> list[Constraint]:
        """What follows from a fact.

        Raises
        ------
        Mistake
            Also if a value is outside the domain of its variable.
        """
        found = dict.fromkeys(self._make(env) for env in self._query.run(dict(zip(FACT, fact, strict=True))))
        return [constraint for constraint in found if isinstance(constraint, Constraint)]

    def variable(self, row: int, column: int) -> Variable | None:
        """The variable that a fact of this place is about, if there is one."""
        if not self._variables:
            return None
        try:
            found = [side(env) for env in self._place.run({"row": row, "column": column}) for side in self._variables]
        except Diagnostic:
            return None
        return next((variable for side in found for variable in side.variables), None)


def _following(words: set[str], body: Iterable[nodes.Condition], known: set[str]) -> set[str]:
    """The words, and those that have their values from them and not from what is known."""
    equations = [literal for literal in body if isinstance(literal, nodes.Comparison) and literal.relation == "="]
    found = set(words)
    while more := set().union(*(binders([e]) for e in equations if all_names(e) & found)) - known - found:
        found |= more
    return found
