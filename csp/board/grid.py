"""Which variables lie on grids, and where the boxes of a grid end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import isqrt

from ..model import AllDifferent, Model, Variable

Position = tuple[int, int]
"""Row and column, counted from 0."""
Grid = Mapping[Variable, Position]
Span = tuple[int, int]


def is_indexed(variable: Variable) -> bool:
    """Whether a variable has two integer indices, so that its place on a grid names it."""
    return len(variable.indices) == 2 and all(isinstance(index, int) for index in variable.indices)


def grid_places(model: Model, variables: Iterable[Variable]) -> dict[Variable, tuple[int, int]]:
    """Row and column of every variable, counted from 0, if the variables make a grid.

    Examples
    --------
    >>> rows, columns = ["AB", "CD"], ["AC", "BD"]
    >>> model = Model({v: (1, 2) for v in "ABCD"}, map(AllDifferent.of, rows + columns))
    >>> grid_places(model, model.domains)
    {'A': (0, 0), 'B': (0, 1), 'C': (1, 0), 'D': (1, 1)}
    """
    own = list(variables)
    if own and all(map(is_indexed, own)) and len({variable.family for variable in own}) == 1:
        rows, columns = (sorted({int(v.indices[i]) for v in own}) for i in (0, 1))
        row_of, column_of = ({index: i for i, index in enumerate(line)} for line in (rows, columns))
        return {v: (row_of[int(v.indices[0])], column_of[int(v.indices[1])]) for v in own}
    k = isqrt(len(own))
    if k < 2 or k * k != len(own):
        return {}
    groups = {frozenset(c.scope) for c in model.constraints if isinstance(c, AllDifferent)}
    lines = [own[i * k : (i + 1) * k] for i in range(k)] + [own[i::k] for i in range(k)]
    return {v: divmod(i, k) for i, v in enumerate(own)} if all(frozenset(line) in groups for line in lines) else {}


def by_family(variables: Iterable[Variable]) -> dict[str, list[Variable]]:
    """The variables of each family, in their order.

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
    """The grids of a model: its families that make one, and then all other variables if they do together.

    Of a loop, the squares are a grid.

    Examples
    --------
    >>> find_grids(Model({Variable("x", 5, 2): (1, 2), Variable("y"): (1, 2)}))
    [{'x(5,2)': (0, 0)}]
    """
    loops = loops_of(model)
    seen = [v for v in model.domains if v not in folded and (v.family not in loops or is_square(v))]
    grids: list[Grid] = [places for own in by_family(seen).values() if (places := grid_places(model, own))]
    rest = [v for v in seen if not any(v in grid for grid in grids)]
    square = grid_places(model, rest)
    return [*grids, square] if square else grids


def pictured(model: Model) -> list[Variable]:
    """The variables in the picture of an answer: what the model shows, and all else on the grids where that stands.

    Examples
    --------
    >>> from csp import Affine, Entry
    >>> tree, beside = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> layout = [Entry("camp", (1, 1), "t"), Entry("camp", (1, 2), Affine.variable(beside))]
    >>> pictured(Model({tree: ("t",), beside: (0, 1), Variable("y"): (1, 2)}, layout=layout))
    ['x(1,1)', 'x(1,2)']
    """
    shown = {*model.shown}
    for grid in find_grids(model):
        if not shown.isdisjoint(grid):
            shown.update(grid)
    return [v for v in model.domains if v in shown]


def loops_of(model: Model) -> set[str]:
    """The families that are loops: of even indices squares, and of others the steps between them."""
    return {str(one.indices[0]) for one in model.drawn if one.name == "loop"}


def is_square(variable: Variable) -> bool:
    """Whether a variable of a loop is a square of its board."""
    return not any(int(index) % 2 for index in variable.indices)


def groups_on(model: Model, grid: Collection[Variable], hidden: Collection[int] = ()) -> list[tuple[Variable, ...]]:
    """The groups of a model that lie on a grid: sets of its cells that must all differ.

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
    """As ``groups_on``, each with the number of its constraint."""
    for number, c in enumerate(model.constraints):
        if number in hidden or not isinstance(c, AllDifferent) or c.scope not in c.differing():
            continue
        if all(variable in grid for variable in c.scope):
            yield number, c.scope


def grid_gaps(
    model: Model, variables: Iterable[Variable], hidden: Collection[int] = ()
) -> tuple[frozenset[int], frozenset[int]]:
    """The rows and the columns of a grid, counted from 0, after which a box ends.

    A box is a group that fills a rectangle of more than one row and more than one column. Only boxes of one size that
    stand beside each other and fill the whole grid make gaps; whatever else is on it does not matter to them.

    Examples
    --------
    >>> cell = {(r, c): Variable("cell", r, c) for r in (1, 2) for c in (1, 2, 3, 4)}
    >>> boxes = [[cell[r, c] for r in (1, 2) for c in pair] for pair in ((1, 2), (3, 4))]
    >>> model = Model({v: range(1, 5) for v in cell.values()}, map(AllDifferent.of, boxes))
    >>> grid_gaps(model, model.domains)
    (frozenset(), frozenset({1}))
    """
    places = grid_places(model, variables)
    boxes: dict[tuple[Span, Span], set[Variable]] = {}  # from their height and width and where they begin
    for group in groups_on(model, places, hidden):
        lines = tuple(zip(*(places[variable] for variable in group), strict=True))
        (top, high), (left, wide) = ((min(line), max(line) + 1 - min(line)) for line in lines)
        if high > 1 < wide and high * wide == len(group):
            boxes.setdefault(((high, top % high), (wide, left % wide)), set()).update(group)
    for sizes, covered in boxes.items():
        if len(covered) == len(places):
            most = [max(line) for line in zip(*places.values(), strict=True)]
            rows, columns = (
                frozenset(end for end in range(last) if (end + 1 - first) % size == 0)
                for (size, first), last in zip(sizes, most, strict=True)
            )
            return rows, columns
    return frozenset(), frozenset()
