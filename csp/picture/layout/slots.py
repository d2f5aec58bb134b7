"""Find the places of possible texts in sheets whose entries have variable positions.

An exam whose room and period are open can be in several squares of a timetable: each square has a slot for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from ...board.drawn.layouts import Sheet
from ...board.drawn.tuples import TupleValues
from ...model import Affine, Drawn, Value, Variable
from .layout import Placement, Point

MOST = 9
"""Maximum number of slots in one square."""


class EntrySlots(NamedTuple):
    """The helper and the text of an entry, and a box for each value."""

    helper: Variable
    label: str
    boxes: Mapping[Value, tuple[Point, Point]]


def find_slots(layout: Placement, tuples: TupleValues) -> dict[Drawn, EntrySlots]:
    """Return the slots of each entry whose position is a combination of values.

    Squares with more than ``MOST`` such entries have no slots.
    """
    helper_of = {frozenset(variables): Variable(helper) for helper, (variables, _) in tuples.items()}
    slots: dict[Drawn, EntrySlots] = {}
    for sheet in layout.sheets:
        entries = [entry for entry in sheet.entries if frozenset(entry.variables) in helper_of and _is_free(entry)]
        entries.sort(key=lambda entry: (len(str(entry.value)), str(entry.value)))
        columns = ceil(len(entries) ** 0.5)
        for i, entry in enumerate(entries if len(entries) <= MOST else ()):
            helper = helper_of[frozenset(entry.variables)]
            # The slots of all entries make a square inside each square of the sheet.
            room = layout.slip[0] / columns, layout.slip[1] / columns
            row, column = divmod(i, columns)
            shift = [(place - (columns - 1) / 2) * side for place, side in ((column, room[0]), (row, room[1]))]
            squares = _squares(sheet, layout, entry, *tuples[helper])
            box = min(room), min(room)
            boxes = {value: ((x + shift[0], y + shift[1]), box) for value, (x, y) in squares.items()}
            slots[entry] = EntrySlots(helper, str(entry.value), boxes)
    return slots


def _is_free(entry: Drawn) -> bool:
    """Return whether variables determine the position of a text, and nothing else of it."""
    return all(isinstance(index, Affine) for index in entry.indices) and entry.condition is None


def _squares(
    sheet: Sheet,
    layout: Placement,
    entry: Drawn,
    variables: Sequence[Variable],
    values_of: Mapping[Value, tuple[Value, ...]],
) -> dict[Value, Point]:
    """Return the middle of the square of an entry, for each value of its helper."""
    point_at = {v.indices: layout.slips[v] for v in sheet.grid}
    squares: dict[Value, Point] = {}
    for value, values in values_of.items():
        value_of: dict[str, Value] = dict(zip(variables, values, strict=True))
        indices = tuple(index.value(value_of) for index in entry.indices if isinstance(index, Affine))
        if indices in point_at:
            squares[value] = point_at[indices]
    return squares
