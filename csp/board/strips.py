"""Variables whose values stand in a line beside each other: a board, a ruler, a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Literal

from ..ground.frozen import Frozen
from ..model import Affine, AllDifferent, Domain, Drawn, Model, Variable
from .grid import Grid, by_family
from .signs import plain_comparison

MOST = 32
"""With more values a line would be too long to be seen at once."""


class StripBoard(Frozen):
    """Variables with one domain, each a line of places for its values.

    Attributes
    ----------
    kind : {"board", "ruler", "table"}
        ``board``: columns of a chessboard, a piece in each; ``ruler``: marks on one scale, one below the other;
        ``table``: groups of rows, where a column has one of each group.
    groups : tuple of (str, tuple of Variable)
        The rows, or columns, in order, with a title.
    values : tuple of int or str
    piece : str
        What stands in a place: the sign of a piece, or nothing where the variable, or its value, has its own name.
    across : bool
        Whether the lines of a board are its rows.
    """

    kind: Literal["board", "ruler", "table"]
    groups: tuple[tuple[str, tuple[Variable, ...]], ...]
    values: Domain
    piece: str = ""
    across: bool = False

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All of them, in order."""
        return tuple(v for _, group in self.groups for v in group)


def find_boards(model: Model, hidden: Collection[int] = (), taken: Collection[Variable] = ()) -> list[StripBoard]:
    """The boards, rulers and tables of a model.

    A family with one integer index is a board where it has as many values as variables, or fewer variables, and all
    differ: its lines are columns, or rows where a layout shows it so. It is a ruler where each variable is less than
    the next. Groups of as many variables as they have values, the same for all, are a table if there are several and no
    variable is left.

    Examples
    --------
    >>> queens = [Variable("queen", c) for c in range(1, 5)]
    >>> model = Model({queen: (1, 2, 3, 4) for queen in queens}, [AllDifferent.of(queens)])
    >>> [(board.kind, len(board.variables)) for board in find_boards(model)]
    [('board', 4)]
    """
    asked = [c for number, c in enumerate(model.constraints) if number not in hidden]
    rest = [v for v in model.domains if v not in taken]
    groups = [c for c in asked if isinstance(c, AllDifferent)]
    table = _table(model, rest, groups)
    if table:
        return [table]
    less = {
        (one, other) for c in asked if (known := plain_comparison(c)) for one, sign, other in [known] if sign == "<"
    }
    less |= {
        (other, one) for c in asked if (known := plain_comparison(c)) for one, sign, other in [known] if sign == ">"
    }
    found = []
    for family, own in by_family(rest).items():
        values = model.domains[own[0]]
        if not all(len(v.indices) == 1 and isinstance(v.indices[0], int) for v in own) or len(own) < 3:
            continue
        if not _is_scale(values) or any(set(model.domains[v]) - set(values) for v in own):
            continue
        order = sorted(own, key=lambda v: v.indices)
        if all(pair in less for pair in pairwise(order)):
            found.append(StripBoard("ruler", ((family, tuple(order)),), values))
        elif len(own) <= len(values) <= len(own) + 1 and any(
            set(g.scope) == set(own) and g.scope in g.differing() for g in groups
        ):
            piece = "♛" if _attacks(own, groups) else "●"
            found.append(StripBoard("board", ((family, tuple(order)),), values, piece, _is_across(model, own)))
    return found


def share_columns(boards: Sequence[StripBoard], grids: Sequence[Grid], entries: Iterable[Drawn]) -> bool:
    """Whether boards of columns belong above a grid of the same columns, or below a layout that shows them in these.

    Examples
    --------
    >>> marks = [Variable("mark", c) for c in (1, 2, 3)]
    >>> board = StripBoard("board", (("mark", tuple(marks)),), (1, 2, 3))
    >>> share_columns([board], [{Variable("diff", 1, c): (0, c - 1) for c in (1, 2)}], [])
    True
    """
    shown = [(one.cell, one.indices[-1]) for one in entries]
    for board in boards:
        columns = {v.indices[0] for v in board.variables}
        if board.kind != "board" or board.across:
            return False
        if not all(columns.issuperset(v.indices[-1] for v in grid) for grid in grids):
            return False
        if shown and not all((v, v.indices[0]) in shown for v in board.variables):
            return False
    return bool(boards) and len(grids) + bool(shown) == 1


def _is_across(model: Model, own: Sequence[Variable]) -> bool:
    """Whether a layout shows variables in the rows with their indices, and in the columns with their values."""
    places = [entry.indices for entry in model.layout if len(entry.indices) == 2]
    rows = [
        (str(row), column.variables[0]) for row, column in places if isinstance(column, Affine) and column.is_variable
    ]
    return all((str(v.indices[0]), v) in rows for v in own)


def _is_scale(values: Sequence[object]) -> bool:
    """Whether values are numbers, each one more than that before."""
    return 2 < len(values) <= MOST and all(
        isinstance(one, int) and isinstance(other, int) and other == one + 1 for one, other in pairwise(values)
    )


def _attacks(own: Sequence[Variable], groups: Sequence[AllDifferent]) -> bool:
    """Whether the diagonals count: two more groups of the same variables, each with a number of its own."""
    shifted = [g for g in groups if set(g.scope) == set(own) and g.scope not in g.differing()]
    shifted += [
        g for g in groups
        if set(g.scope) == set(own) and any(not element.is_variable for element in g.apart())
        and g not in shifted
    ]  # fmt: skip
    return len(shifted) > 1


def _table(model: Model, rest: Sequence[Variable], groups: Sequence[AllDifferent]) -> StripBoard | None:
    parts = [g for g in groups if set(g.scope) <= set(rest) and g.scope in g.differing()]
    if (
        len(parts) < 2
        or sum(len(g.scope) for g in parts) != len(rest)
        or {v for g in parts for v in g.scope} != {*rest}
    ):
        return None
    values = model.domains[rest[0]]
    if any(len(g.scope) != len(values) for g in parts) or not 2 < len(values) <= 12:
        return None
    if any(model.domains[v] != values for v in rest):
        return None
    return StripBoard("table", tuple((g.label, tuple(g.scope)) for g in parts), values)


def short_name(variable: Variable) -> str:
    """The index of a variable, or its name where it has none.

    Examples
    --------
    >>> short_name(Variable("house", "red")), short_name(Variable("A"))
    ('red', 'A')
    """
    return ",".join(map(str, variable.indices)) or str(variable)
