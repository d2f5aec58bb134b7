"""Drawings that appear once variables are fixed, such as shaded cells and paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..board.drawn.drawing import grid_drawing, main_grid
from ..board.drawn.skins import drawings
from ..model import Domain, Drawn, Model, Value, Variable
from .layout.drawn import Geometry, drawing_shapes
from .layout.layout import Placement
from .shapes import Shape


class Moving:
    """The drawings of a model that depend on the values of variables.

    Attributes
    ----------
    drawings_of : mapping of Variable to tuple of int
        For each variable, the numbers of the drawings that depend on it.
    under : frozenset of Variable
        The cells under which a drawing may appear.
    """

    def __init__(self, model: Model, layout: Placement, given: Mapping[Variable, Value] | None = None) -> None:
        self._given = {v: (value,) for v, value in (given or {}).items()}
        # Only grids of plain cells have room for drawings.
        grids = [puzzle.grid for puzzle in layout.puzzles if all(map(layout.is_cell, puzzle.grid))]
        home_grid = {v: grid for grid in grids for v in grid}
        # Entries without a grid of their own are drawn on the main grid, or else on the first sheet.
        main = main_grid(model, grids) or next((sheet.grid for sheet in layout.sheets), None)
        self._entries = [entry for entry in drawings(model) if entry.variables] if main else []
        sheet_entries = [(entry, sheet.grid) for sheet in layout.sheets for entry in sheet.entries if entry.variables]
        self._loops = frozenset(str(entry.indices[0]) for entry in model.drawn if entry.name == "loop")
        # Find the points of the positions of each grid and each sheet.
        self._geometries = {id(grid): Geometry(grid, layout.points) for grid in grids}
        self._geometries |= {id(sheet.grid): Geometry(sheet.grid, layout.slips) for sheet in layout.sheets}
        self._grids = [
            *(self._home_grid(entry, home_grid) or main or {} for entry in self._entries),
            *(grid for _, grid in sheet_entries),
        ]
        self._entries += [entry for entry, _ in sheet_entries]
        # Find the cells in which values are printed, so that texts avoid their middle.
        self._value_positions = {
            id(grid): {position for v, position in grid.items() if not layout.forms[v].skin} for grid in grids
        }
        self._cache: dict[tuple[int, tuple[Value, ...]], tuple[Shape, ...]] = {}
        # Index the drawings by variable.
        self.drawings_of: dict[Variable, tuple[int, ...]] = {}
        for number, entry in enumerate(self._entries):
            for v in entry.variables:
                self.drawings_of[v] = (*self.drawings_of.get(v, ()), number)
        low_entries = [i for i, entry in enumerate(self._entries) if entry.name in ("shade", "join", "circle", "disc")]
        self.under = frozenset(v for i in low_entries for v in self._grids[i])

    def shapes(self, domains: Mapping[Variable, Domain]) -> list[Shape]:
        """Return the shapes of all drawings whose variables these domains fix.

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
        return [shape for number in range(len(self._entries)) for shape in self.drawing_shapes(number, domains)]

    def drawing_shapes(self, number: int, domains: Mapping[Variable, Domain]) -> tuple[Shape, ...]:
        """Return the shapes of one drawing, or nothing while a variable is unfixed.

        A given variable counts as fixed from the beginning. Parts of loops and borders are exceptions: a puzzle never
        prints them.
        """
        entry = self._entries[number]
        is_printed = entry.name not in ("join", "border")  # a puzzle never prints parts of loops or borders
        # Wait until each variable has one value.
        remaining_domains = [(is_printed and self._given.get(v)) or domains[v] for v in entry.variables]
        if any(len(domain) != 1 for domain in remaining_domains):
            return ()
        # Draw each combination of values once.
        key = number, tuple(domain[0] for domain in remaining_domains)
        if key not in self._cache:
            values: dict[str, Value] = dict(zip(entry.variables, key[1], strict=True))
            grid = self._grids[number]
            drawing = grid_drawing([entry], grid, self._loops, values)
            shows_values = self._value_positions.get(id(grid), set()).__contains__
            shapes = drawing_shapes(drawing, self._geometries[id(grid)], shows_values, is_derived=True)
            # A text that follows from given variables alone is printed like a clue.
            is_given = self._given.keys() >= {*entry.variables}
            styled_shapes = [
                shape._replace(look="inner") if is_given and shape.look == "found-text" else shape for shape in shapes
            ]
            self._cache[key] = tuple(styled_shapes)
        return self._cache[key]

    def affected_drawings(self, variables: Iterable[Variable]) -> set[int]:
        """Return the numbers of the drawings that depend on some variables."""
        return {number for v in variables for number in self.drawings_of.get(v, ())}

    def _home_grid(
        self, entry: Drawn, home_grid: Mapping[Variable, Mapping[Variable, tuple[int, int]]]
    ) -> Mapping[Variable, tuple[int, int]] | None:
        """Return the grid with the variable at an entry's position, or None."""
        anchors = [v for v in entry.variables if v.indices == entry.indices and v in home_grid]
        return home_grid[anchors[0]] if anchors else None
