"""Find the grids of a model, its loops, and the gaps between boxes.

All other modules of the package work on these grids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import isqrt

from ..model import AllDifferent, Model, Variable

Position = tuple[int, int]
"""Row and column, from 0."""
Grid = Mapping[Variable, Position]
"""The position of every variable of a grid."""

Span = tuple[int, int]
"""Size, and remainder of the start modulo the size."""


def is_indexed(variable: Variable) -> bool:
    """Return whether a variable has two integer indices.

    These are its row and column.
    """
    return len(variable.indices) == 2 and all(isinstance(index, int) for index in variable.indices)


def grid_places(model: Model, variables: Iterable[Variable]) -> dict[Variable, tuple[int, int]]:
    """Return the row and column of each variable, if the variables form a grid.

    Rows and columns count from 0. Variables form a grid if they are a family with two integer indices, or if there are
    k*k of them and each row and column of k is an all_different. Otherwise the result is empty.

    Examples
    --------
    >>> rows, columns = ["AB", "CD"], ["AC", "BD"]
    >>> model = Model({v: (1, 2) for v in "ABCD"}, map(AllDifferent.of, rows + columns))
    >>> grid_places(model, model.domains)
    {'A': (0, 0), 'B': (0, 1), 'C': (1, 0), 'D': (1, 1)}
    """
    variable_list = list(variables)
    if (
        variable_list
        and all(map(is_indexed, variable_list))
        and len({variable.family for variable in variable_list}) == 1
    ):
        rows, columns = (sorted({int(v.indices[i]) for v in variable_list}) for i in (0, 1))
        row_of, column_of = ({index: i for i, index in enumerate(line)} for line in (rows, columns))
        return {v: (row_of[int(v.indices[0])], column_of[int(v.indices[1])]) for v in variable_list}
    # Variables without indices are a square if its rows and columns are groups.
    k = isqrt(len(variable_list))
    if k < 2 or k * k != len(variable_list):
        return {}
    groups = {frozenset(c.scope) for c in model.constraints if isinstance(c, AllDifferent)}
    lines = [variable_list[i * k : (i + 1) * k] for i in range(k)] + [variable_list[i::k] for i in range(k)]
    return (
        {v: divmod(i, k) for i, v in enumerate(variable_list)}
        if all(frozenset(line) in groups for line in lines)
        else {}
    )


def by_family(variables: Iterable[Variable]) -> dict[str, list[Variable]]:
    """Group variables by family, the name before their indices, in order.

    Examples
    --------
    >>> by_family([Variable("x", 1), Variable("y", 1), Variable("x", 2)])
    {'x': ['x(1)', 'x(2)'], 'y': ['y(1)']}
    """
    families: dict[str, list[Variable]] = {}
    for variable in variables:
        families.setdefault(variable.family, []).append(variable)
    return families


def find_grids(model: Model, folded: Collection[Variable] = ()) -> list[Grid]:
    """Return the grids of a model, each with the place of every cell.

    These are the families that form one, and all other variables if they form one together.

    Only the squares of a loop are on its grid. ``folded`` are variables to ignore.

    Examples
    --------
    >>> find_grids(Model({Variable("x", 5, 2): (1, 2), Variable("y"): (1, 2)}))
    [{'x(5,2)': (0, 0)}]
    """
    loops = loops_of(model)
    variables = [v for v in model.domains if v not in folded and (v.family not in loops or is_square(v))]
    grids: list[Grid] = [places for family in by_family(variables).values() if (places := grid_places(model, family))]
    others = [v for v in variables if not any(v in grid for grid in grids)]
    square = grid_places(model, others)
    return [*grids, square] if square else grids


def pictured_variables(model: Model) -> list[Variable]:
    """Return the variables that the picture of a solution shows.

    They are the variables that the model shows, and all others on the grids of these.

    Examples
    --------
    >>> from csp import Affine, Entry
    >>> tree, beside = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> layout = [Entry("camp", (1, 1), "t"), Entry("camp", (1, 2), Affine.variable(beside))]
    >>> pictured_variables(Model({tree: ("t",), beside: (0, 1), Variable("y"): (1, 2)}, layout=layout))
    ['x(1,1)', 'x(1,2)']
    """
    shown = {*model.shown}
    for grid in find_grids(model):
        if not shown.isdisjoint(grid):
            shown.update(grid)
    return [v for v in model.domains if v in shown]


def loops_of(model: Model) -> set[str]:
    """Return the names of the families that a spec draws as loops.

    The variables of a loop have two integer indices. Those with even indices are squares, the others are steps between
    squares.
    """
    families = {str(entry.indices[0]) for entry in model.drawn if entry.name == "loop"}
    return families.difference(v.family for v in model.domains if not is_indexed(v)) if families else families


def is_square(variable: Variable) -> bool:
    """Return whether a variable of a loop is a square (even indices), not a step."""
    return not any(int(index) % 2 for index in variable.indices)


def groups_on(model: Model, grid: Collection[Variable], hidden: Collection[int] = ()) -> list[tuple[Variable, ...]]:
    """Return the all_different groups whose cells all lie on a grid.

    Examples
    --------
    >>> model = Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB"), AllDifferent.of("BC")])
    >>> groups_on(model, {"A", "B"})
    [('A', 'B')]
    """
    return [scope for _, scope in numbered_groups(model, grid, hidden)]


def numbered_groups(
    model: Model, grid: Collection[Variable], hidden: Collection[int] = ()
) -> Iterator[tuple[int, tuple[Variable, ...]]]:
    """Yield each all_different group on a grid, preceded by the number of its constraint."""
    for number, c in enumerate(model.constraints):
        if number in hidden or not isinstance(c, AllDifferent) or c.scope not in c.differing():
            continue
        if all(variable in grid for variable in c.scope):
            yield number, c.scope


def grid_gaps(
    model: Model, variables: Iterable[Variable], hidden: Collection[int] = ()
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows and the columns after which a box ends, counted from 0.

    Both are empty without equal boxes that fill the grid. A box is a group that fills a rectangle with more than one
    row and more than one column. Boxes make gaps only if they have one size, are beside each other and fill the whole
    grid. Other groups do not matter. A family whose boxes the spec draws with lines has none.

    Examples
    --------
    >>> cell = {(r, c): Variable("cell", r, c) for r in (1, 2) for c in (1, 2, 3, 4)}
    >>> boxes = [[cell[r, c] for r in (1, 2) for c in pair] for pair in ((1, 2), (3, 4))]
    >>> model = Model({v: range(1, 5) for v in cell.values()}, map(AllDifferent.of, boxes))
    >>> grid_gaps(model, model.domains)
    (frozenset(), frozenset({1}))
    """
    places = grid_places(model, variables)
    lined_families = {entry.indices[0] for entry in model.drawn if entry.name == "boxes"}
    if any(variable.family in lined_families for variable in places):
        return frozenset(), frozenset()
    boxes: dict[tuple[Span, Span], set[Variable]] = {}  # by height, width and alignment
    for group in groups_on(model, places, hidden):
        lines = tuple(zip(*(places[variable] for variable in group), strict=True))
        (top, height), (left, width) = ((min(line), max(line) + 1 - min(line)) for line in lines)
        if height > 1 < width and height * width == len(group):
            boxes.setdefault(((height, top % height), (width, left % width)), set()).update(group)
    # Boxes of one size and alignment that cover the grid decide the gaps.
    for sizes, covered in boxes.items():
        if len(covered) == len(places):
            last_indices = [max(line) for line in zip(*places.values(), strict=True)]
            rows, columns = (
                frozenset(end for end in range(last) if (end + 1 - first) % size == 0)
                for (size, first), last in zip(sizes, last_indices, strict=True)
            )
            return rows, columns
    return frozenset(), frozenset()
