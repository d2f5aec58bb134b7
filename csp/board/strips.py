"""Find variables that are drawn as boards, rulers or tables.

Each variable is then a line of places, one for each value: a queen in a column, a mark on a ruler, a row of a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from ..base.frozen import Frozen
from ..model import Affine, AllDifferent, Domain, Drawn, Linear, Model, Variable
from .clues import plain_comparison
from .grid import Grid, by_family

MAX_VALUES = 32
"""Maximum number of values of a board or ruler; a longer row could not be seen at once."""


class StripBoard(Frozen):
    """A picture of variables as lines with a place per value: board, ruler or table.

    Attributes
    ----------
    kind : {"board", "ruler", "table"}
        ``board``: the columns of a chessboard, with a piece in each; ``ruler``: marks on one scale, one below the
        other; ``table``: groups of rows; every column has one variable of each group.
    groups : tuple of (str, tuple of Variable)
        The rows, or columns, in order, with a title.
    values : tuple of int or str
    piece : str
        The sign of a piece; empty if a place shows the name of the variable or of its value.
    across : bool
        Whether the variables of a board are its rows.
    """

    kind: Literal["board", "ruler", "table"]
    groups: tuple[tuple[str, tuple[Variable, ...]], ...]
    values: Domain
    piece: str = ""
    across: bool = False

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables of the board, in the order of its groups."""
        return tuple(v for _, group in self.groups for v in group)


def find_boards(model: Model, hidden: Collection[int] = (), taken: Collection[Variable] = ()) -> list[StripBoard]:
    """Find the variables of a model that are drawn as boards, rulers or tables.

    - A family with one integer index is a board if its variables are all different and there are as many as values,
      or one fewer. The variables are columns, or rows if a layout shows them so.
    - It is a ruler if each variable is less than the next.
    - Groups with as many variables as values, the same for all, are a table if there are several groups and they
      contain all variables.

    ``hidden`` are numbers of constraints to ignore, and ``taken`` variables to ignore.

    Examples
    --------
    >>> queens = [Variable("queen", c) for c in range(1, 5)]
    >>> model = Model({queen: (1, 2, 3, 4) for queen in queens}, [AllDifferent.of(queens)])
    >>> [(board.kind, len(board.variables)) for board in find_boards(model)]
    [('board', 4)]
    """
    constraints = [c for number, c in enumerate(model.constraints) if number not in hidden]
    variables = [v for v in model.domains if v not in taken]
    groups = [c for c in constraints if isinstance(c, AllDifferent)]
    table = _table(model, variables, groups)
    if table:
        return [table]
    # The pairs of which the first variable is less than the second.
    less_pairs = {
        (first, second)
        for c in constraints
        if (comparison := plain_comparison(c))
        for first, sign, second in [comparison]
        if sign == "<"
    }
    less_pairs |= {
        (second, first)
        for c in constraints
        if (comparison := plain_comparison(c))
        for first, sign, second in [comparison]
        if sign == ">"
    }
    boards = []
    for family, family_variables in by_family(variables).items():
        values = model.domains[family_variables[0]]
        if (
            not all(len(v.indices) == 1 and isinstance(v.indices[0], int) for v in family_variables)
            or len(family_variables) < 3
        ):
            continue
        if not _is_scale(values) or any(set(model.domains[v]) - set(values) for v in family_variables):
            continue
        # A ruler is ordered; a board has at most one value more than variables.
        order = sorted(family_variables, key=lambda v: v.indices)
        if all(pair in less_pairs for pair in pairwise(order)):
            boards.append(StripBoard("ruler", ((family, tuple(order)),), values))
        elif len(family_variables) <= len(values) <= len(family_variables) + 1 and any(
            set(g.scope) == set(family_variables) and g.scope in g.differing() for g in groups
        ):
            piece = "♛" if _attacks(family_variables, groups) else "●"
            boards.append(
                StripBoard("board", ((family, tuple(order)),), values, piece, _is_across(model, family_variables))
            )
    return boards


def share_columns(boards: Sequence[StripBoard], grids: Sequence[Grid], entries: Iterable[Drawn]) -> bool:
    """Return whether boards are drawn with the same columns as one grid or one layout.

    The boards are drawn above one grid, or below one layout, with the same columns.

    Examples
    --------
    >>> marks = [Variable("mark", c) for c in (1, 2, 3)]
    >>> board = StripBoard("board", (("mark", tuple(marks)),), (1, 2, 3))
    >>> share_columns([board], [{Variable("diff", 1, c): (0, c - 1) for c in (1, 2)}], [])
    True
    """
    places = [(entry.cell, entry.indices[-1]) for entry in entries]
    for board in boards:
        columns = {v.indices[0] for v in board.variables}
        if board.kind != "board" or board.across:
            return False
        if not all(columns.issuperset(v.indices[-1] for v in grid) for grid in grids):
            return False
        if places and not all((v, v.indices[0]) in places for v in board.variables):
            return False
    return bool(boards) and len(grids) + bool(places) == 1


class Distance(NamedTuple):
    """The number of a cell's equation with two lines of a ruler, and their indices."""

    number: int
    first: int
    last: int


def spans(model: Model, board: StripBoard, grid: Grid) -> dict[Variable, Distance]:
    """Return the equation of each cell of a grid with two lines of a ruler.

    The lines are marks, for example, and the cell is their distance. The result is empty if a cell has no such lines,
    or if two cells of a column would overlap midway between theirs.

    Examples
    --------
    >>> from ..model import Linear
    >>> marks, gap = [Variable("mark", i) for i in (1, 2, 3)], Variable("gap", 1, 1)
    >>> board = StripBoard("ruler", (("mark", tuple(marks)),), (0, 1, 2))
    >>> difference = Affine.variable(marks[1]) - Affine.variable(marks[0])
    >>> model = Model({v: (0, 1, 2) for v in (*marks, gap)}, [Linear(difference, "=", Affine.variable(gap))])
    >>> spans(model, board, {gap: (0, 0)})
    {'gap(1,1)': Distance(number=0, first=0, last=1)}
    """
    lines = {v: i for i, v in enumerate(board.variables)}
    found: dict[Variable, Distance] = {}
    for number, constraint in enumerate(model.constraints if board.kind == "ruler" else ()):
        ends, cells = [lines[v] for v in constraint.scope if v in lines], [v for v in constraint.scope if v in grid]
        if isinstance(constraint, Linear) and constraint.relation == "=" and len(ends) == 2 and len(cells) == 1:
            found.setdefault(cells[0], Distance(number, min(ends), max(ends)))
    middles = {(grid[v][1], span.first + span.last) for v, span in found.items()}
    is_apart = all((column, middle + 1) not in middles for column, middle in middles)
    return found if len(found) == len(middles) == len(grid) and is_apart else {}


def _is_across(model: Model, variables: Sequence[Variable]) -> bool:
    """Return whether the model's ``show`` entries draw each variable of a board as a row."""
    places = [entry.indices for entry in model.layout if len(entry.indices) == 2]
    rows = [
        (str(row), column.variables[0]) for row, column in places if isinstance(column, Affine) and column.is_variable
    ]
    return all((str(v.indices[0]), v) in rows for v in variables)


def _is_scale(values: Sequence[object]) -> bool:
    """Return whether values are consecutive integers, at least 3 and few enough for a ruler."""
    return 2 < len(values) <= MAX_VALUES and all(
        isinstance(value, int) and isinstance(next_value, int) and next_value == value + 1
        for value, next_value in pairwise(values)
    )


def _attacks(variables: Sequence[Variable], groups: Sequence[AllDifferent]) -> bool:
    """Return whether variables on one diagonal of a board must differ, as for queens.

    The model then has at least two groups on the variables whose elements are expressions, such as ``q(2) + 2``.
    """
    shifted = [g for g in groups if set(g.scope) == set(variables) and g.scope not in g.differing()]
    shifted += [
        g for g in groups
        if set(g.scope) == set(variables) and any(not element.is_variable for element in g.apart())
        and g not in shifted
    ]  # fmt: skip
    return len(shifted) > 1


def _table(model: Model, variables: Sequence[Variable], groups: Sequence[AllDifferent]) -> StripBoard | None:
    """Return the table that the all_different groups of a model form, or None.

    The groups must contain all variables, which must have equal domains of 3 to 12 values. Each group uses every value.
    """
    table_groups = [g for g in groups if set(g.scope) <= set(variables) and g.scope in g.differing()]
    if (
        len(table_groups) < 2
        or sum(len(g.scope) for g in table_groups) != len(variables)
        or {v for g in table_groups for v in g.scope} != {*variables}
    ):
        return None
    values = model.domains[variables[0]]
    if any(len(g.scope) != len(values) for g in table_groups) or not 2 < len(values) <= 12:
        return None
    if any(model.domains[v] != values for v in variables):
        return None
    return StripBoard("table", tuple((g.label, tuple(g.scope)) for g in table_groups), values)


def short_name(variable: Variable) -> str:
    """Return the indices of a variable, or its name if it has none.

    Examples
    --------
    >>> short_name(Variable("house", "red")), short_name(Variable("A"))
    ('red', 'A')
    """
    return ",".join(map(str, variable.indices)) or str(variable)
