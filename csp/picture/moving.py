"""What is drawn once variables are settled: shading, lamps, the steps of a loop, a path from cell to cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..board.drawn.drawing import grid_drawing, main_grid
from ..board.drawn.skins import drawings
from ..model import Domain, Drawn, Model, Value, Variable
from .layout.drawn import Geometry, drawing_shapes
from .layout.layout import Placement
from .shapes import Shape


class Moving:
    """The drawings of a model that depend on values.

    Attributes
    ----------
    of : mapping of Variable to tuple of int
        The numbers of the drawings that each variable has a part in.
    under : frozenset of Variable
        The cells under which something may be drawn.
    """

    def __init__(self, model: Model, layout: Placement, given: Mapping[Variable, Value] | None = None) -> None:
        self._given = {v: (value,) for v, value in (given or {}).items()}
        grids = [puzzle.grid for puzzle in layout.puzzles if all(map(layout.is_cell, puzzle.grid))]
        home = {v: grid for grid in grids for v in grid}
        main = main_grid(model, grids) or next((sheet.grid for sheet in layout.sheets), None)
        self._entries = [one for one in drawings(model) if one.variables] if main else []
        papers = [(one, sheet.grid) for sheet in layout.sheets for one in sheet.entries if one.variables]
        self._loops = frozenset(str(one.indices[0]) for one in model.drawn if one.name == "loop")
        self._where = {id(grid): Geometry(grid, layout.points) for grid in grids}
        self._where |= {id(sheet.grid): Geometry(sheet.grid, layout.slips) for sheet in layout.sheets}
        self._grids = [*(self._home(one, home) or main or {} for one in self._entries), *(grid for _, grid in papers)]
        self._entries += [one for one, _ in papers]
        self._open = {id(grid): {at for v, at in grid.items() if not layout.forms[v].skin} for grid in grids}
        self._known: dict[tuple[int, tuple[Value, ...]], tuple[Shape, ...]] = {}
        self.of: dict[Variable, tuple[int, ...]] = {}
        for number, one in enumerate(self._entries):
            for v in one.variables:
                self.of[v] = (*self.of.get(v, ()), number)
        low = [i for i, one in enumerate(self._entries) if one.name in ("shade", "join", "circle", "disc")]
        self.under = frozenset(v for i in low for v in self._grids[i])

    def shapes(self, domains: Mapping[Variable, Domain]) -> list[Shape]:
        """All that is drawn in a state.

        Examples
        --------
        >>> from csp import Equality
        >>> from .layout.layout import layout
        >>> dark = Variable("dark", 1, 1)
        >>> model = Model({dark: (0, 1)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))])
        >>> moving = Moving(model, layout(model))
        >>> [len(moving.shapes({dark: domain})) for domain in ((0, 1), (0,), (1,))]
        [0, 0, 1]
        """
        return [shape for number in range(len(self._entries)) for shape in self.drawn(number, domains)]

    def drawn(self, number: int, domains: Mapping[Variable, Domain]) -> tuple[Shape, ...]:
        """What one of the drawings shows in a state; what is given is drawn in its place from the beginning."""
        entry = self._entries[number]
        is_printed = entry.name not in ("join", "border")  # of ways and borders nobody prints a part
        left = [(is_printed and self._given.get(v)) or domains[v] for v in entry.variables]
        if any(len(domain) != 1 for domain in left):
            return ()
        key = number, tuple(domain[0] for domain in left)
        if key not in self._known:
            values: dict[str, Value] = dict(zip(entry.variables, key[1], strict=True))
            grid = self._grids[number]
            drawn = grid_drawing([entry], grid, self._loops, values)
            is_open = self._open.get(id(grid), set()).__contains__
            found = drawing_shapes(drawn, self._where[id(grid)], is_open, is_found=True)
            is_given = self._given.keys() >= {*entry.variables}
            told = [one._replace(look="inner") if is_given and one.look == "found-text" else one for one in found]
            self._known[key] = tuple(told)
        return self._known[key]

    def changed(self, variables: Iterable[Variable]) -> set[int]:
        """The drawings that some variables have a part in."""
        return {number for v in variables for number in self.of.get(v, ())}

    def _home(
        self, one: Drawn, home: Mapping[Variable, Mapping[Variable, tuple[int, int]]]
    ) -> Mapping[Variable, tuple[int, int]] | None:
        """The grid of the variable in whose place it is drawn."""
        own = [v for v in one.variables if v.indices == one.indices and v in home]
        return home[own[0]] if own else None
