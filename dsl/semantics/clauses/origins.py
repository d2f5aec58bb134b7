"""Where what a clause makes comes from: often a picture, and a place in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...syntax import nodes
from ...syntax.errors import Source
from ...syntax.grids import CellFact
from ..expressions.names import Env


@dataclass(frozen=True)
class Origins:
    """The texts of a spec, and the places of their facts.

    Attributes
    ----------
    cells : mapping from str to mapping from cell to place
        The facts of every grid, and where they stand.
    sources : mapping from str to Source
        The texts of the spec, under ``""`` and the names of what it includes, and those of the grids that replace its
        own.
    """

    cells: Mapping[str, Mapping[CellFact, nodes.Place]]
    sources: Mapping[str, Source]

    def text_of(self, grid: str) -> str:
        """Which text a grid stands in: its own, or the spec, whose name is empty."""
        return grid if grid in self.sources else ""

    def find(self, rule: nodes.Rule, env: Env) -> tuple[str, nodes.Place] | None:
        """The grid text and the place in it from which an instance of a comparison comes."""
        for literal in rule.body if isinstance(rule.head, nodes.Comparison) else ():
            match literal:
                case nodes.Fact(_, nodes.Call(_, name, arguments)) if name in self.cells:
                    known = [
                        (column, env[argument.name])
                        for column, argument in enumerate(arguments)
                        if isinstance(argument, nodes.Logical) and argument.name in env
                    ]
                    cells = self.cells[name].items()
                    places = [at for cell, at in cells if all(cell[column] == value for column, value in known)]
                    if len(places) == 1:
                        return self.text_of(name), places[0]
        return None
