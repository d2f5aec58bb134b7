"""Finds the constraints that clauses derive from each clue of a grid.

An example is ``cell(R, C) = V :- clue(R, C, V).`` Commands that try many grids for one spec use this module instead of
building the spec again.
"""

from __future__ import annotations

from collections.abc import Iterable

from csp import Constraint, Value, Variable

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ..expressions.binding import all_names, binders
from ..expressions.compiler import Compiler
from ..expressions.names import Evaluate, Names, Scope
from .posting import compile_rule, parse_label


def count_uses(node: object, grid: str) -> int:
    """Count the terms and names in a piece of syntax that name a grid."""
    return sum(isinstance(part, nodes.Call | nodes.Name) and part.name == grid for part in nodes.walk(node))


def gives_cells(clause: nodes.Clause, grid: str) -> tuple[nodes.Rule, nodes.Call] | None:
    """Return a clause that sets variables from a grid, and its grid term; else None.

    The clause is an equation that uses the grid once, in a condition of its body. An example is ``cell(R, C) = V :-
    clue(R, C, V).`` with the term ``clue(R, C, V)``.
    """
    match clause:
        case nodes.Rule(_, _, nodes.Comparison(_, _, "="), body) if count_uses(clause, grid) == 1:
            for literal in body:
                match literal:
                    case nodes.Fact(_, nodes.Call(_, name) as term) if name == grid:
                        return clause, term
    return None


FACT = ("row", "column", "value")
"""Names of the logical variables that hold the row, column and value of a clue; no spec can write them."""


class GridClause:
    """A clause about the clues of a grid, compiled to evaluate each clue alone.

    A clue is a filled cell of the grid.
    """

    def __init__(self, rule: nodes.Rule, fact: nodes.Call, names: Names) -> None:
        # Replace the condition on the grid by equations with the words of a fact.
        equations: list[nodes.Condition] = [
            nodes.Comparison(part.at, part, "=", nodes.Logical(part.at, word))
            for word, part in zip(FACT, fact.arguments, strict=True)
            if part != nodes.Logical(part.at, "_") and isinstance(part, nodes.Expr)
        ]
        body = [*equations, *(literal for literal in rule.body if not count_uses(literal, fact.name))]
        self._query = Compiler(names).query(body, FACT)
        self._make = compile_rule(rule, parse_label(rule.label), names, self._query.bound)
        try:
            self._variables = self._compile_variables(rule, fact, body, names)
        except Diagnostic:  # the index of the variable depends on the clue's value
            self._variables = []

    def _compile_variables(
        self, rule: nodes.Rule, fact: nodes.Call, body: Iterable[nodes.Condition], names: Names
    ) -> list[Evaluate]:
        """Compile the sides of a head whose variable depends only on row and column.

        A side is left out if its indices depend on the clue's value. This sets ``_place``, the query that finds the
        environments of a cell.
        """
        body, compiler = list(body), Compiler(names)
        # Leave out conditions that depend on the value of the clue.
        unplaced = _dependent_words({"value"}, body, {"row", "column"} | all_names(fact.arguments[:2]))
        self._place = compiler.query([literal for literal in body if not all_names(literal) & unplaced], FACT[:2])
        assert isinstance(rule.head, nodes.Comparison)
        return [
            compiler.expression(side, Scope(self._place.bound))
            for side in (rule.head.left, rule.head.right)
            if getattr(side, "name", "") in names.families and not all_names(side) & unplaced
        ]

    def constraints(self, fact: tuple[Value, ...]) -> list[Constraint]:
        """Return the constraints that the clause makes from a clue ``(row, column, value)``.

        Raises
        ------
        Diagnostic
            Also if a value is outside the domain of its variable.
        """
        instances = dict.fromkeys(self._make(env) for env in self._query.run(dict(zip(FACT, fact, strict=True))))
        return [constraint for constraint in instances if isinstance(constraint, Constraint)]

    def variable(self, row: int, column: int) -> Variable | None:
        """Return the first variable that a clue in a given cell would constrain.

        None if no variable belongs to the cell, or the variable depends on the clue's value.
        """
        if not self._variables:
            return None
        try:
            expressions = [
                side(env) for env in self._place.run({"row": row, "column": column}) for side in self._variables
            ]
        except Diagnostic:
            return None
        return next((variable for side in expressions for variable in side.variables), None)


def _dependent_words(words: set[str], body: Iterable[nodes.Condition], known: set[str]) -> set[str]:
    """Return ``words`` and all logical variables that equations calculate from them.

    Variables in ``known`` are excluded, as other conditions give them values.
    """
    equations = [literal for literal in body if isinstance(literal, nodes.Comparison) and literal.relation == "="]
    dependent = set(words)
    # Follow the equations until no word is added.
    while new_words := set().union(*(binders([e]) for e in equations if all_names(e) & dependent)) - known - dependent:
        dependent |= new_words
    return dependent
