"""The regions that part a grid: boxes, the pieces of a jigsaw, cages."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

from .constraints.all_different import AllDifferent
from .model import Model
from .variable import Variable

Cells = Mapping[Variable, tuple[int, int]]
"""Row and column of every cell of a grid."""

Region = frozenset[Variable]


def regions(model: Model, cells: Cells, hidden: Collection[int] = ()) -> list[Region]:
    """The sets of cells that must differ and part a grid, none of which share a cell.

    They are in one piece and no whole rows or columns. Where some of them overlap, those of one shape, or of one size,
    or those that come first part the grid, if they fill it; a piece of a row or column is a region only where no two
    sets overlap.

    Parameters
    ----------
    model : Model
    cells : mapping of Variable to (int, int)
        Row and column of every cell.
    hidden : collection of int
        The numbers of constraints that do not count.

    Returns
    -------
    list of frozenset of Variable
        Empty where nothing parts the grid.

    Examples
    --------
    >>> cell = {(r, c): Variable("cell", r, c) for r in (1, 2) for c in (1, 2)}
    >>> model = Model({v: (1, 2, 3) for v in cell.values()}, [AllDifferent.of([cell[1, 1], cell[1, 2], cell[2, 1]])])
    >>> [sorted(region) for region in regions(model, {v: at for at, v in cell.items()})]
    [['cell(1,1)', 'cell(1,2)', 'cell(2,1)']]
    """
    groups = list(dict.fromkeys(_groups(model, cells, hidden)))
    if _are_apart(groups):
        return groups
    wide = [group for group in groups if not any(len(_line(group, cells, axis)) == 1 for axis in (0, 1))]
    if _are_apart(wide):
        return wide
    alike: dict[Hashable, list[Region]] = {}
    for group in wide:
        for key in (_box(group, cells), len(group)):
            alike.setdefault(key, []).append(group)
    first: list[Region] = []
    for group in wide:
        if not any(group & other for other in first):
            first.append(group)
    every = sorted(alike.items(), key=lambda item: isinstance(item[0], int))
    families = [*(family for key, family in every if key is not None), first]
    return next((family for family in families if _are_apart(family) and sum(map(len, family)) == len(cells)), [])


def _groups(model: Model, cells: Cells, hidden: Collection[int]) -> Iterator[Region]:
    """The sets of cells that must differ, are in one piece, and no whole line."""
    lines = {frozenset(v for v, at in cells.items() if at[axis] == i) for axis in (0, 1) for i in _span(cells, axis)}
    for number, constraint in enumerate(model.constraints):
        if number not in hidden and isinstance(constraint, AllDifferent) and constraint.scope in constraint.differing():
            group = frozenset(constraint.scope)
            if group not in lines and all(variable in cells for variable in group) and _is_one_piece(group, cells):
                yield group


def _are_apart(groups: Collection[Region]) -> bool:
    return sum(map(len, groups)) == len(frozenset[Variable]().union(*groups))


def _line(group: Iterable[Variable], cells: Cells, axis: int) -> set[int]:
    return {cells[variable][axis] for variable in group}


def _span(cells: Cells, axis: int) -> list[int]:
    return sorted(_line(cells, cells, axis))


def _box(group: Region, cells: Cells) -> Hashable:
    """What a rectangle has in common with those that stand beside it in a grid of them; None for other shapes."""
    lines = [_line(group, cells, axis) for axis in (0, 1)]
    (top, high), (left, wide) = [(min(line), max(line) + 1 - min(line)) for line in lines]
    return (high, top % high, wide, left % wide) if high * wide == len(group) else None


def _is_one_piece(group: Region, cells: Cells) -> bool:
    """Whether every cell can be reached from every other within the group, from side to side."""
    at = {cells[variable] for variable in group}
    waiting = [cells[next(iter(group))]]
    seen = set(waiting)
    while waiting:
        r, c = waiting.pop()
        fresh = at & {(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)} - seen
        seen |= fresh
        waiting += fresh
    return len(seen) == len(group)
