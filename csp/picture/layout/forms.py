"""Forms of vertices: how large they are and where they show values.

A form is computed before the positions, because the layout needs the sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import ceil
from typing import Literal

from ...base.frozen import Frozen
from ...board.drawn.layouts import sheets
from ...board.drawn.skins import BLANK, Skin
from ...board.strips import StripBoard, short_name
from ...board.widths import text_width
from ...model import Domain, Model, Value, Variable, ordered
from ..shapes import Point

FormKind = Literal["card", "cell", "step", "row", "column", "folded"]
Style = Literal["digits", "bitmap", "size"]

CELL = 60.0
GLYPH = 0.64  # the width of a digit in the widest replacement font, as a share of the font's size
FEW = 12
"""Maximum number of values that a cell spells out; each must have one character."""
SPELT = 16
"""Maximum number of values that a card spells out, and that a cell shows as small squares."""
STRIP = 11.0  # the width of the strip for the asterisk, on the right of a cell
TOP = 12.0  # the height of the strip for a text in the corner of a cell, and for the asterisk
FOOT = 16.0  # the side of the place of a value at the foot of a cell, clear of a drawing in the middle
AROUND = (-1, 1), (-1, -1), (0, -1), (-1, 0), (1, 0), (0, 1), (1, 1)
"""The columns and rows of places around the middle of a cell, in their order; the asterisk is in the fourth corner."""
BESIDE_ROW = 16.0  # the width of the room for the asterisk of a row of a table, which has no name
NAME = 24.0  # the height of the name of a card
FONT = {"card": 16.0, "cell": 13.0, "row": 13.0, "table": 15.0, "column": 20.0}
LINES = frozenset({"row", "column"})
"""The kinds of forms that have the places of their values in one line."""


class Form(Frozen):
    """The appearance of a vertex: its size, and where and how values are drawn.

    Vertices of one size with equal domains share a form.

    Attributes
    ----------
    kind : {"card", "cell", "step", "row", "column", "folded"}
        A card with its name above; a cell named by its place; a step between two cells; a line of values across, or
        down; a variable that is not drawn.
    size : (float, float)
        Width and height.
    values : tuple of int or str
        The values that have a place.
    columns : int
        The number of places side by side.
    slot : (float, float)
        The width and height of one place.
    first : (float, float)
        The middle of the first place, from the middle of the vertex.
    font : float
        The size of the text of a value.
    gap : float
        The space between two places side by side.
    places : tuple of (float, float)
        The middle of each place, where places leave a drawing in the middle free; else empty.
    style : {"digits", "bitmap", "size"}
        Every value is spelt out, every value is a small square, or only the number of values is shown.
    corner : bool
        Whether there is a text in the upper left corner.
    head : float
        The width or height of the part for a name, before a line of values.
    piece : str
        A sign that replaces every value, such as a queen; empty without one.
    skin : tuple of str
        The drawing of each value; empty for a value with its own text, ``BLANK`` for a value that draws nothing.
    tone : str
        The colour of a value that is drawn as a shade; empty for the dark default.
    letters : tuple of str
        A letter that replaces each possible value; empty without them.
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
    tone: str = ""
    letters: tuple[str, ...] = ()
    gap: float = 0
    places: tuple[Point, ...] = ()

    @property
    def shows_only_drawing(self) -> bool:
        """Whether a vertex with drawings is empty until its variable is fixed.

        This holds for a domain of two values, and if only one value has a drawing: then the drawing alone shows the
        value. It does not hold if possible values have letters.
        """
        drawings = [drawing for drawing in self.skin if drawing != BLANK]
        return (
            bool(self.skin)
            and (len(self.values) == 2 or len(drawings) == 1)
            and self.style == "digits"
            and not self.letters
        )

    @property
    def counts_undrawn(self) -> bool:
        """Whether several values draw nothing, so that only the number of those removed is shown."""
        return self.shows_only_drawing and len(self.values) > 2

    @property
    def is_in_table(self) -> bool:
        """Whether the vertex is a row of a table, which has no name."""
        return self.kind == "row" and self.head == BESIDE_ROW

    @property
    def body(self) -> tuple[Point, Point]:
        """The middle and the size of the body; in a table, the asterisk is outside."""
        side = BESIDE_ROW if self.is_in_table else 0.0
        return (side / 2, 0.0), (self.size[0] - side, self.size[1])

    @property
    def side_by_side(self) -> int:
        """How many values fit beside each other in a cell."""
        return max(1, int(9 / (1 + max(len(str(value)) for value in self.values))))

    def is_undrawn(self, value: Value) -> bool:
        """Return whether a value draws nothing, in a form whose values are drawings."""
        return value in self.values and bool(self.skin) and self.skin[self.values.index(value)] == BLANK

    def words(self, value: Value) -> str:
        """Return the text drawn for a value: the form's piece, a letter, or the value."""
        return self.piece or (self.letters[self.values.index(value)] if self.letters else str(value))

    def place(self, index: int) -> Point:
        """Return the middle of the ``index``-th value, relative to the vertex's middle.

        Values that are only counted share one place.

        Examples
        --------
        >>> cell_form(tuple(range(1, 10))).place(4)
        (-5.5, 0.0)
        """
        if self.counts_undrawn:
            return self.first
        if self.places:
            return self.places[index]
        row, column = divmod(index, self.columns)
        return self.first[0] + column * (self.slot[0] + self.gap), self.first[1] + row * self.slot[1]


def _form(kind: FormKind, size: Point, values: Domain, columns: int, slot: Point, middle: Point, font: float) -> Form:
    """Make a form whose values are arranged around the point ``middle``."""
    rows = ceil(len(values) / columns)
    first = middle[0] - (columns - 1) / 2 * slot[0], middle[1] - (rows - 1) / 2 * slot[1]
    return Form(kind, size, values, columns, slot, first, font)


def cell_style(universe: Domain) -> Style:
    """Choose how cells show a domain: as ``digits``, a ``bitmap``, or its ``size``.

    Examples
    --------
    >>> cell_style(tuple(range(1, 10))), cell_style(tuple(range(1, 17))), cell_style(tuple(range(1, 26)))
    ('digits', 'bitmap', 'size')
    """
    if len(universe) <= FEW and all(len(str(value)) == 1 for value in universe):
        return "digits"
    return "bitmap" if len(universe) <= SPELT else "size"


def cell_form(universe: Domain, corner: bool = False) -> Form:
    """Return the form of a grid cell, which shows values and no name.

    Examples
    --------
    >>> cell_form((1, 2, 3, 4)).columns, cell_form(tuple(range(1, 26))).style
    (2, 'size')
    """
    # The places make a square, below a text in the corner and left of the asterisk.
    columns = ceil(len(universe) ** 0.5)
    rows = ceil(len(universe) / columns)
    top = TOP if corner else 0.0
    slot = (CELL - 4 - STRIP) / columns, (CELL - 4 - top) / rows
    # Wide values need a smaller font.
    font = 16 if corner and columns > 2 else 21
    widest = max((text_width(str(value), 1) for value in universe), default=1)
    font = min(font, int(0.8 * slot[0] / widest)) if cell_style(universe) == "digits" else font
    form = _form("cell", (CELL, CELL), universe, columns, slot, (-STRIP / 2, top / 2), font)
    return Form(**{**vars(form), "style": cell_style(universe), "corner": corner})


def with_skin(form: Form, skin: Skin, shared: Collection[str] = ()) -> Form:
    """Return a form that shows drawings (``skin``) instead of values.

    If each value has a different letter, possible values show this letter, too. If only one value has a drawing,
    nothing is shown until the variable is fixed, unless it is one of ``shared``, the drawings of several values of
    other cells: then possible values are written as in these cells.
    """
    drawings = tuple([skin.get(value, BLANK) for value in form.values])
    visible_drawings = [drawing for drawing in drawings if drawing != BLANK]
    if not {*visible_drawings}.isdisjoint(shared) and len(drawings) > 1:
        return _spelt_at_foot(replace(form, skin=drawings, letters=tuple(map(str, form.values))))
    if len(visible_drawings) == 1:
        return _at_foot(replace(form, skin=drawings, style="digits"))
    if (
        not 2 < len(drawings) <= FEW
        or len({*visible_drawings}) < len(visible_drawings)
        or any(len(drawing) != 1 for drawing in visible_drawings)
    ):
        return _at_foot(replace(form, skin=drawings))
    font = (
        min(form.font, *(0.8 * form.slot[0] / text_width(drawing, 1) for drawing in visible_drawings))
        if visible_drawings
        else form.font
    )
    return replace(form, skin=drawings, style="digits", font=font, letters=drawings)


def _at_foot(form: Form) -> Form:
    """Return a cell form whose small values leave the clue in the middle free.

    A form that shows more than removed values stays as it is.
    """
    if form.kind != "cell" or not form.shows_only_drawing:
        return form
    # Values that are only counted share one place, as wide as two signs.
    columns = 1 if form.counts_undrawn else len(form.values)
    slot = (2 if form.counts_undrawn else 1) * FOOT, FOOT
    gap = 0.0 if columns == 1 else (CELL - 4 - columns * FOOT) / (columns - 1)
    # The left corner belongs to the point of a value that draws nothing.
    first = 0.0 if form.counts_undrawn else (slot[0] - CELL) / 2 + 2, CELL / 2 - 2 - FOOT / 2
    small = replace(form, columns=columns, slot=slot, first=first, font=0.85 * FOOT, gap=gap)
    if columns == 2 and form.skin[1] == BLANK:
        return replace(small, places=(small.place(1), small.place(0)))
    return small


def _spelt_at_foot(form: Form) -> Form:
    """Return a form with its two values at the foot of the cell.

    More values are around a drawing in the middle, if there is room.
    """
    edge = CELL / 2 - 2 - FOOT / 2
    around = replace(form, slot=(FOOT, FOOT), first=(-edge, edge), gap=2 * edge - FOOT, font=FOOT)
    if 2 < len(form.values) <= len(AROUND):
        return replace(around, places=tuple([(x * edge, y * edge) for x, y in AROUND[: len(form.values)]]))
    return around if len(form.values) == 2 else form


def step_form(values: Domain, skin: Skin) -> Form:
    """Return the form of a variable that is drawn between two cells.

    Examples
    --------
    >>> step_form((0, 1, 2), {}).size
    (30.0, 20.0)
    """
    form = _form("step", (10.0 * len(values), 20.0), values, len(values), (10.0, 20.0), (0.0, 0.0), 13)
    # Of two values at most one is drawn at a time, in the middle.
    if len(values) == 2:
        form = replace(form, slot=(18.0, 18.0), first=(0.0, 0.0), gap=-18.0)
    return with_skin(form, skin)


FOLDED = Form("folded", (0.0, 0.0), (), 1, (0.0, 0.0), (0.0, 0.0), 1)


def card_forms(model: Model, variables: Sequence[Variable]) -> dict[Variable, Form]:
    """Return a form for each variable outside of grids (card); all have one size.

    Examples
    --------
    >>> forms = card_forms(Model({"A": (1, 2, 3), "B": ("green", "red")}), [Variable("A"), Variable("B")])
    >>> forms["A"].columns, forms["B"].columns, forms["A"].size == forms["B"].size
    (3, 1, True)
    """
    # Find the size that fits every name and every domain.
    width, height = 64.0, 54.0
    short_named = variables_named_by_index(model)
    for v in variables:
        domain, name = model.domains[v], short_name(v) if v in short_named else v
        longest = max(len(str(value)) for value in domain)
        columns = _columns(domain)
        rows = ceil(len(domain) / columns)
        # Equal domains share a form.
        values_size = (columns * value_width(longest), rows * 21) if len(domain) <= SPELT else (90, 44)
        width = max(width, values_size[0] + 14, (len(name) + 2) * 15 * GLYPH + 14)
        height = max(height, values_size[1] + 32)
    size = float(ceil(width)), float(ceil(height))
    form_of: dict[Domain, Form] = {}
    for domain in (model.domains[v] for v in variables):
        if domain not in form_of:
            columns = _columns(domain)
            slot = value_width(max(len(str(value)) for value in domain)), 21.0
            form = _form("card", size, domain, columns, slot, (0.0, NAME / 2), FONT["card"])
            form_of[domain] = Form(**{**vars(form), "style": "digits" if len(domain) <= SPELT else "size"})
    return {v: form_of[model.domains[v]] for v in variables}


def variables_named_by_index(model: Model) -> frozenset[Variable]:
    """Return the variables whose vertices show their index instead of their name.

    These are variables on a map, or in a sheet such as an addition. Variables with equal short names are left out.
    """
    places = [entry.cell_of for entry in model.drawn if entry.name == "map"]
    placed = {*filter(None, [*places, *(entry.cell for sheet in sheets(model) for entry in sheet.entries)])}
    occurrences = Counter(short_name(v) for v in placed)
    return frozenset(v for v in placed if occurrences[short_name(v)] == 1)


def _columns(domain: Domain) -> int:
    """Return how many values of a domain a vertex shows side by side.

    A short row has all values side by side, long words are below each other, and other domains make a square.
    """
    longest = max(len(str(value)) for value in domain)
    if len(domain) * (longest + 1) <= 10:
        return len(domain)
    return 1 if longest > 2 and len(domain) <= 4 else ceil(len(domain) ** 0.5)


def value_width(characters: int) -> int:
    """Return the width of a card's value of ``characters`` characters, in points."""
    return ceil(characters * 16 * GLYPH) + 7


def board_form(board: StripBoard, width: float = 0) -> Form:
    """Return the form of one variable of a ``StripBoard``: a row or column of values.

    ``width`` is the width of the columns if the board shares them with a grid; 0 for the default.

    Examples
    --------
    >>> queens = (("queen", tuple(Variable("queen", c) for c in (1, 2, 3))),)
    >>> board_form(StripBoard("board", queens, (1, 2, 3))).size
    (36.0, 132.0)
    """
    count = len(board.values)
    # A board has square places, for pieces, and a head for the name.
    if board.kind == "board":
        side, head = (36.0 if count <= 10 and not width else 26.0), NAME
        if board.across:
            head += STRIP
            form = _form(
                "row", (head + count * side, side), board.values, count, (side, side), (head / 2, 0.0), side * 0.55
            )
        else:
            column_width, middle = width or side, (0.0, head / 2)
            form = _form(
                "column",
                (column_width, head + count * side),
                board.values,
                1,
                (column_width, side),
                middle,
                side * 0.55,
            )
        return Form(**{**vars(form), "head": head, "piece": board.piece})
    # A table and a ruler have a row for each variable, as wide as its texts.
    names = [short_name(v) for v in board.variables]
    font = FONT["table"] if board.kind == "table" else FONT["row"]
    if board.kind == "table":
        slot, head = (max(text_width(name, font) for name in names) * 1.15 + 24, 22.0), BESIDE_ROW
    else:
        slot, head = (26.0, 26.0), max(text_width(v, 13) for v in board.variables) * 1.15 + 24
    slot = float(ceil(slot[0])), slot[1]
    head = float(ceil(head))
    form = _form("row", (head + count * slot[0], slot[1]), board.values, count, slot, (head / 2, 0.0), font)
    return Form(**{**vars(form), "head": head})


def universe(model: Model, variables: Sequence[Variable]) -> Domain:
    """Return the union of the variables' domains, sorted."""
    return ordered(value for v in variables for value in model.domains[v])
