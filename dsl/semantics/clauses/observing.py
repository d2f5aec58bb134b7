"""Defines what a caller observes of an evaluation: events, and clues of constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from csp import Constraint, Domain, Variable

from ...syntax import nodes
from ...syntax.errors import Source, Undefined
from ...syntax.grids import CellFact
from ..expressions.names import Env


class ClauseObserver:
    """An observer of clause evaluation that ignores all events; subclasses record them."""

    def on_declared(
        self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, narrowed: Domain
    ) -> None:
        """Receive the event that a clause has declared a puzzle variable.

        ``domain`` is the declared domain; ``narrowed`` is the variable's domain after all declarations so far.
        """

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        """Receive a constraint that a clause has posted; True means that it always holds."""

    def on_undrawn(self, diagnostic: Undefined) -> None:
        """Receive the first undefined expression of a ``draw`` clause that so draws nothing."""


@dataclass(frozen=True)
class Origins:
    """The places of a spec's clues (filled cells of grids), to explain constraints by clues.

    Attributes
    ----------
    cells : mapping from str to mapping from cell to place
        The cells of every grid, and their places.
    sources : mapping from str to Source
        All texts by name: the spec under ``""``, included files, and the grids that replace its own.
    """

    cells: Mapping[str, Mapping[CellFact, nodes.Place]]
    sources: Mapping[str, Source]

    def text_of(self, grid: str) -> str:
        """Return ``grid`` if the grid has its own source text, else an empty text.

        Without one, the grid is part of the spec's text.
        """
        return grid if grid in self.sources else ""

    def find(self, rule: nodes.Rule, env: Env) -> tuple[str, nodes.Place] | None:
        """Return the text's name and the place of the clue that caused a comparison.

        None if the rule is not a comparison, or if no condition has exactly one clue that fits the environment.
        """
        # Only comparisons are givens, so only their clues are reported.
        for literal in rule.body if isinstance(rule.head, nodes.Comparison) else ():
            match literal:
                case nodes.Fact(_, nodes.Call(_, name, arguments)) if name in self.cells:
                    # A clue fits if it agrees with the environment in all columns that are bound.
                    known_columns = [
                        (column, env[argument.name])
                        for column, argument in enumerate(arguments)
                        if isinstance(argument, nodes.Logical) and argument.name in env
                    ]
                    cells = self.cells[name].items()
                    places = [at for cell, at in cells if all(cell[column] == value for column, value in known_columns)]
                    if len(places) == 1:
                        return self.text_of(name), places[0]
        return None
