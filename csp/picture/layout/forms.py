"""The inside of a vertex: where each of its values has its place, and how it is shown there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Literal

from ...base.frozen import Frozen
from ...board.drawn.sheets import sheets
from ...board.drawn.skins import BLANK, Skin
from ...board.strips import StripBoard, short_name
from ...board.widths import text_width
from ...model import Domain, Model, Value, Variable, ordered
from ..shapes import Point

FormKind = Literal["card", "cell", "step", "row", "column", "folded"]
Style = Literal["digits", "bitmap", "size"]

CELL = 60.0
GLYPH = 0.64  # the width of a digit in the widest font that may stand in, as a part of its size
FEW = 12
"""So many values of one letter are spelt out in a cell."""
SPELT = 16
"""Domains of more values are not spelt out on a card, nor shown bit by bit in a cell."""
STRIP = 11.0  # of a cell, for the asterisk, on its right
TOP = 12.0  # of a cell in whose corner a text stands, for that and the asterisk
NAME = 24.0  # of a card
FONT = {"card": 16.0, "cell": 13.0, "row": 13.0, "column": 20.0}
LINES = frozenset({"row", "column"})
"""The kinds of forms with a place for each value in a line."""


class Form(Frozen):
    """How a vertex shows its domain; vertices that are alike share one.

    Attributes
    ----------
    kind : {"card", "cell", "step", "row", "column", "folded"}
        With its name above; named by its place; between two such places; a line of values across, or down; not seen.
    size : (float, float)
        Width and height.
    values : tuple of int or str
        Those that have a place.
    columns : int
        How many stand side by side.
    slot : (float, float)
        The room of one.
    first : (float, float)
        The middle of the first place, from the middle of the vertex.
    font : float
        The size of a value.
    style : {"digits", "bitmap", "size"}
        Every value spelt out, or a small square, or only their number.
    corner : bool
        Whether a text stands in the upper left corner.
    head : float
        The room before the values of a line, for a name.
    piece : str
        What stands for every value, if not its name.
    skin : tuple of str
        What is drawn for each value, where that is no text of its own; ``BLANK`` where nothing is.
    letters : tuple of str
        What stands for each value while it is possible, if not its name.
    """

    kind: FormKind
    size: Point
    values: Domain
    columns: int
    slot: Point
    first: Point
    font: float
    style: Style = "digits"
    corner: bool = False
    head: float = 0
    piece: str = ""
    skin: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()

    def words(self, value: Value) -> str:
        """What stands in the place of a value."""
        return self.piece or (self.letters[self.values.index(value)] if self.letters else str(value))

    def place(self, index: int) -> Point:
        """The middle of the place of a value, from the middle of the vertex.

        Examples
        --------
        >>> cell_form(tuple(range(1, 10))).place(4)
        (-5.5, 0.0)
        """
        row, column = divmod(index, self.columns)
        return self.first[0] + column * self.slot[0], self.first[1] + row * self.slot[1]


def _form(kind: FormKind, size: Point, values: Domain, columns: int, slot: Point, middle: Point, font: float) -> Form:
    rows = ceil(len(values) / columns)
    first = middle[0] - (columns - 1) / 2 * slot[0], middle[1] - (rows - 1) / 2 * slot[1]
    return Form(kind, size, values, columns, slot, first, font)


def cell_style(universe: Domain) -> Style:
    """How cells show their domains: each value as a digit or as a bit in its own place, or how many there are.

    Examples
    --------
    >>> cell_style(tuple(range(1, 10))), cell_style(tuple(range(1, 17))), cell_style(tuple(range(1, 26)))
    ('digits', 'bitmap', 'size')
    """
    if len(universe) <= FEW and all(len(str(value)) == 1 for value in universe):
        return "digits"
    return "bitmap" if len(universe) <= SPELT else "size"


def cell_form(universe: Domain, corner: bool = False) -> Form:
    """The form of a cell whose place on a grid names it.

    Examples
    --------
    >>> cell_form((1, 2, 3, 4)).columns, cell_form(tuple(range(1, 26))).style
    (2, 'size')
    """
    columns = ceil(len(universe) ** 0.5)
    rows = ceil(len(universe) / columns)
    top = TOP if corner else 0.0
    slot = (CELL - 4 - STRIP) / columns, (CELL - 4 - top) / rows
    font = 18 if columns < 3 else 14 if corner else 17
    widest = max((text_width(str(value), 1) for value in universe), default=1)
    font = min(font, int(0.8 * slot[0] / widest)) if cell_style(universe) == "digits" else font
    made = _form("cell", (CELL, CELL), universe, columns, slot, (-STRIP / 2, top / 2), font)
    return Form(**{**vars(made), "style": cell_style(universe), "corner": corner})


def with_skin(form: Form, skin: Skin) -> Form:
    """A form whose values are drawn, and do not stand there themselves; where one alone is, nothing else is told.

    Where one letter is drawn for each, and for no two the same, that stands for a value that is possible, too.
    """
    told = tuple([skin.get(value, BLANK) for value in form.values])
    drawn = [one for one in told if one != BLANK]
    if len(drawn) == 1:
        return replace(form, skin=told, style="digits")
    if not 2 < len(told) <= FEW or len({*drawn}) < len(drawn) or any(len(one) != 1 for one in drawn):
        return replace(form, skin=told)
    font = min(form.font, *(0.8 * form.slot[0] / text_width(one, 1) for one in drawn)) if drawn else form.font
    return replace(form, skin=told, style="digits", font=font, letters=told)


def step_form(values: Domain, skin: Skin) -> Form:
    """The form of what stands between two places.

    Examples
    --------
    >>> step_form((0, 1, 2), {}).size
    (30.0, 20.0)
    """
    made = _form("step", (10.0 * len(values), 20.0), values, len(values), (10.0, 20.0), (0.0, 0.0), 13)
    return with_skin(made, skin)


FOLDED = Form("folded", (0.0, 0.0), (), 1, (0.0, 0.0), (0.0, 0.0), 1)


def card_forms(model: Model, variables: Sequence[Variable]) -> dict[Variable, Form]:
    """The forms of vertices that carry their names, all of one size.

    Examples
    --------
    >>> forms = card_forms(Model({"A": (1, 2, 3), "B": ("green", "red")}), [Variable("A"), Variable("B")])
    >>> forms["A"].columns, forms["B"].columns, forms["A"].size == forms["B"].size
    (3, 1, True)
    """
    width, height = 64.0, 54.0
    named = variables_named_by_index(model)
    for v in variables:
        domain, name = model.domains[v], short_name(v) if v in named else v
        wide = max(len(str(value)) for value in domain)
        columns = _columns(domain)
        rows = ceil(len(domain) / columns)
        values = (columns * value_width(wide), rows * 21) if len(domain) <= SPELT else (90, 44)
        width = max(width, values[0] + 14, (len(name) + 2) * 15 * GLYPH + 14)
        height = max(height, values[1] + 32)
    size = float(ceil(width)), float(ceil(height))
    known: dict[Domain, Form] = {}
    for domain in (model.domains[v] for v in variables):
        if domain not in known:
            columns = _columns(domain)
            slot = value_width(max(len(str(value)) for value in domain)), 21.0
            made = _form("card", size, domain, columns, slot, (0.0, NAME / 2), FONT["card"])
            known[domain] = Form(**{**vars(made), "style": "digits" if len(domain) <= SPELT else "size"})
    return {v: known[model.domains[v]] for v in variables}


def variables_named_by_index(model: Model) -> frozenset[Variable]:
    """The variables that stand on a map, or in an addition, where their index names them, unless it names two."""
    places = [one.cell_of for one in model.drawn if one.name == "map"]
    found = {*filter(None, [*places, *(one.cell for sheet in sheets(model) for one in sheet.entries)])}
    alike = Counter(short_name(v) for v in found)
    return frozenset(v for v in found if alike[short_name(v)] == 1)


def _columns(domain: Domain) -> int:
    """How many values stand side by side: all of a short row, one of a few long words, or as in a square."""
    wide = max(len(str(value)) for value in domain)
    if len(domain) * (wide + 1) <= 10:
        return len(domain)
    return 1 if wide > 2 and len(domain) <= 4 else ceil(len(domain) ** 0.5)


def value_width(characters: int) -> int:
    """The width of a value on a card, in points."""
    return ceil(characters * 16 * GLYPH) + 7


def board_form(board: StripBoard, wide: float = 0) -> Form:
    """The form of the lines of a board, a ruler or a table; the columns of a board may be as wide as others ask.

    Examples
    --------
    >>> queens = (("queen", tuple(Variable("queen", c) for c in (1, 2, 3))),)
    >>> board_form(StripBoard("board", queens, (1, 2, 3))).size
    (36.0, 132.0)
    """
    n = len(board.values)
    if board.kind == "board":
        side, head = (36.0 if n <= 10 and not wide else 26.0), NAME
        if board.across:
            head += STRIP
            made = _form("row", (head + n * side, side), board.values, n, (side, side), (head / 2, 0.0), side * 0.55)
        else:
            across, middle = wide or side, (0.0, head / 2)
            made = _form("column", (across, head + n * side), board.values, 1, (across, side), middle, side * 0.55)
        return Form(**{**vars(made), "head": head, "piece": board.piece})
    names = [short_name(v) for v in board.variables]
    if board.kind == "table":
        slot, head = (max(text_width(name, 13) for name in names) * 1.15 + 10, 22.0), 16.0
    else:
        slot, head = (26.0, 26.0), max(text_width(v, 13) for v in board.variables) * 1.15 + 24
    slot = float(ceil(slot[0])), slot[1]
    head = float(ceil(head))
    made = _form("row", (head + n * slot[0], slot[1]), board.values, n, slot, (head / 2, 0.0), FONT["row"])
    return Form(**{**vars(made), "head": head})


def universe(model: Model, variables: Sequence[Variable]) -> Domain:
    """All values of some variables, in order."""
    return ordered(value for v in variables for value in model.domains[v])
