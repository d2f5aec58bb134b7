"""The inside of one vertex, as an HTML-like label: its name or none, what is left of its domain, its asterisk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...model import Domain, Value
from ...picture.layout.forms import NAME, STRIP, TOP, Form
from ...picture.style import ACTIVE, BIT, FOUND, MARKED, REMOVED, STRUCK
from .quoting import escape

TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
LINE = 1.2
"""The height of a line, as a part of the size of its font."""
BESIDE = 4
"""Two values with more letters stand one above the other."""
BIG = 32
"""The size of a value alone in a cell."""
ASTERISK = f'<FONT COLOR="{MARKED}" POINT-SIZE="20"><B>*</B></FONT>'


class Inside(NamedTuple):
    """What a vertex shows.

    Attributes
    ----------
    name : str
        What is written on it, if anything.
    domain, left : tuple of int or str
        All its values, and those that are left.
    removed : sequence of int or str
        Those that have just gone.
    marked, given : bool
        Whether it is in the queue, and whether the spec tells its value.
    paints : mapping of int or str to str
        The colours of values.
    piece : str
        What stands in the place of every value, if not the value.
    active : bool
        Whether it is at work, which fills the head of a column.
    """

    name: str
    domain: Domain
    left: Domain
    removed: Sequence[Value] = ()
    marked: bool = False
    given: bool = False
    paints: Mapping[Value, str] = {}
    piece: str = ""
    active: bool = False

    @property
    def star(self) -> str:
        """The asterisk, or nothing."""
        return ASTERISK if self.marked else ""

    @property
    def is_fixed(self) -> bool:
        """Whether one value is left, and was left before."""
        return len(self.left) == 1 and not self.removed


def label(form: Form, shown: Inside) -> str:
    """The inside of a vertex of some form.

    Parameters
    ----------
    form : Form
    shown : Inside

    Returns
    -------
    str

    Examples
    --------
    >>> from ...picture.layout.forms import cell_form
    >>> "<B>7</B>" in label(cell_form((1, 7)), Inside("", (1, 7), (7,), given=True))
    True
    """
    if form.kind == "card":
        return _card(form, shown)
    return _cell(form, shown) if form.kind == "cell" else _line(form, shown)


def _card(form: Form, shown: Inside) -> str:
    """The name above, with the asterisk; the domain underneath."""
    rows = -(-len(form.values) // form.columns)
    room = form.size[1] - 4 - NAME  # a table within would be stretched to fill it
    high = 0.0
    if shown.is_fixed:
        state, high = _fixed(shown, int(min(24, room / LINE))), min(29.0, room)
        if paint := shown.paints.get(shown.left[0]):
            wide = form.size[0] - 16
            state = f'{TABLE}<TR><TD WIDTH="{wide:g}" HEIGHT="{high - 2:g}" BGCOLOR="{paint}">{state}</TD></TR></TABLE>'
    elif form.style == "digits":
        state, high = _spelt(form, shown), rows * form.slot[1]
    else:
        state = _summary(shown, 14)
    name = f'<FONT POINT-SIZE="15"><B>{escape(shown.name)}</B></FONT>'
    side = f'<TD WIDTH="{STRIP:g}" HEIGHT="{NAME:g}">'
    wide = form.size[0] - 4 - 2 * STRIP
    head = f'<TR>{side}</TD><TD WIDTH="{wide:g}">{name}</TD>{side}{shown.star}</TD></TR>'
    spare = int(room - high) if high else 0  # lengths are whole
    above, below = (f'<TR><TD COLSPAN="3" HEIGHT="{part}"></TD></TR>' if spare > 2 else "" for part in halves(spare))
    inside = f'<TR><TD COLSPAN="3" HEIGHT="{(high if spare > 2 else 0) or room:g}">{state}</TD></TR>'
    return f"{TABLE}{head}{above}{inside}{below}</TABLE>"


def halves(whole: int) -> tuple[int, int]:
    """Two numbers as alike as can be.

    Examples
    --------
    >>> halves(5)
    (2, 3)
    """
    return whole // 2, whole - whole // 2


def _cell(form: Form, shown: Inside) -> str:
    """The domain, and room on the right for the asterisk; above, where a text stands in the corner."""
    inside = form.size[0] - 4
    margin = 0.0
    if shown.is_fixed:
        state, margin = _fixed(shown, BIG), STRIP
    elif form.style == "digits":
        state = _spelt(form, shown)
    elif form.style == "bitmap" and len(shown.left) > 2:
        state = _bits(form, shown)
    else:
        state, margin = _summary(shown, 15, narrow=True), 0 if shown.removed else STRIP
    if form.corner:
        head = f'<TR><TD HEIGHT="{TOP:g}"></TD></TR>'
        high = inside - TOP
        state = f'{TABLE}{head}<TR><TD WIDTH="{inside - STRIP - margin:g}" HEIGHT="{high:g}">{state}</TD></TR></TABLE>'
    return (
        f'{TABLE}<TR><TD WIDTH="{margin:g}"></TD>'
        f'<TD WIDTH="{inside - STRIP - margin:g}" HEIGHT="{inside:g}">{state}</TD>'
        f'<TD WIDTH="{STRIP:g}" VALIGN="TOP">{shown.star}</TD></TR></TABLE>'
    )


def _line(form: Form, shown: Inside) -> str:
    """A head with the name and the asterisk, and the values after it, across or down."""
    cells = [_place(form, shown, value) for value in form.values]
    wide, high = form.slot
    fill = f' BGCOLOR="{ACTIVE}"' if shown.active and form.piece else ""
    if form.kind == "column":
        head = (
            f'<TR><TD WIDTH="{wide:g}" HEIGHT="{form.head:g}"{fill}>{_head(shown, wide - 2 * STRIP, STRIP)}</TD></TR>'
        )
        rows = "".join(f'<TR><TD WIDTH="{wide:g}" HEIGHT="{high:g}" FIXEDSIZE="TRUE" {one}</TD></TR>' for one in cells)
        return f"{TABLE}{head}{rows}</TABLE>"
    head = f'<TD WIDTH="{form.head:g}" HEIGHT="{high:g}"{fill}>{_head(shown, form.head - STRIP, 0)}</TD>'
    places = "".join(f'<TD WIDTH="{wide:g}" HEIGHT="{high:g}" FIXEDSIZE="TRUE" {one}</TD>' for one in cells)
    return f"{TABLE}<TR>{head}{places}</TR></TABLE>"


def _head(shown: Inside, wide: float, before: float) -> str:
    """The name of a line, in the middle of so much room, and the asterisk after it."""
    name = f'<FONT POINT-SIZE="13"><B>{escape(shown.name)}</B></FONT>' if shown.name else ""
    star = shown.star.replace('"20"', '"14"')
    space = f'<TD WIDTH="{before:g}"></TD>' if before else ""
    return f'{TABLE}<TR>{space}<TD WIDTH="{wide:g}">{name}</TD><TD WIDTH="{STRIP:g}">{star}</TD></TR></TABLE>'


def _place(form: Form, shown: Inside, value: Value) -> str:
    """A place of a line: what stands for the value, smaller while others are left."""
    words = shown.piece or form.words(value)
    if value in shown.removed:
        small = form.font * (0.6 if form.piece else 1)
        return f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white"><FONT POINT-SIZE="{small:g}">{struck(words)}</FONT>'
    if value not in shown.left:
        return ">"
    if len(shown.left) == 1:
        colour = "" if shown.given else f' COLOR="{FOUND}"'
        return f'><FONT POINT-SIZE="{form.font:g}"{colour}><B>{escape(words)}</B></FONT>'
    size = form.font * (0.6 if form.piece else 1)
    return f'><FONT POINT-SIZE="{size:g}">{"•" if form.piece else escape(words)}</FONT>'


def _spelt(form: Form, shown: Inside) -> str:
    """Every value in its own place; a hole where one is gone."""
    last = len(shown.left) == 1
    cells = []
    for value in form.values:
        if value in shown.removed:
            cells.append(f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{struck(value)}')
        elif value in shown.left:
            paint = f' BGCOLOR="{shown.paints[value]}"' if value in shown.paints else ""
            cells.append(f"{paint}>{f'<B>{escape(value)}</B>' if last else escape(value)}")
        else:
            cells.append(">")
    font = min(form.font, (form.slot[1] - 2) / LINE)
    return f'<FONT POINT-SIZE="{font:.3g}">{_table(cells, form.columns, form.slot)}</FONT>'


def _bits(form: Form, shown: Inside) -> str:
    """Every value as a small square in its own place, a crossed one where it has just gone."""
    size = min(form.slot)
    cells = []
    for value in form.values:
        if value in shown.removed:
            cells.append(f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{crossed(size - 4)}')
        else:
            cells.append(f'BORDER="1" COLOR="white" BGCOLOR="{BIT}">' if value in shown.left else ">")
    return _table(cells, form.columns, form.slot)


def crossed(size: float) -> str:
    """A cross, as in a small square."""
    return f'<FONT COLOR="{STRUCK}" POINT-SIZE="{size:g}">×</FONT>'


def _table(cells: Sequence[str], columns: int, size: tuple[float, float]) -> str:
    cells = [*cells, *[">"] * (-len(cells) % columns)]
    wide, high = (int(side) for side in size)
    tds = [f'<TD WIDTH="{wide}" HEIGHT="{high}" {cell}</TD>' for cell in cells]
    rows = "".join(f"<TR>{''.join(tds[i : i + columns])}</TR>" for i in range(0, len(tds), columns))
    return f"{TABLE}{rows}</TABLE>"


def _summary(shown: Inside, font: int, narrow: bool = False) -> str:
    """Two values spelt out, more as a number."""
    left, removed = shown.left, shown.removed
    rows: list[str] = []
    if not left:
        rows.append(f'<FONT COLOR="{STRUCK}"><B>none</B></FONT>')
    elif len(left) == 1:
        rows.append(_fixed(shown, 20))
    elif len(left) == 2:
        beside = len(f"{left[0]} {left[1]}") <= BESIDE
        rows += [" ".join(map(escape, left))] if beside else map(escape, left)
    elif narrow and not removed:
        rows += [f'<FONT POINT-SIZE="20"><I>{len(left)}</I></FONT>', '<FONT POINT-SIZE="10"><I>left</I></FONT>']
    else:
        rows.append(number_of(len(left)))
    lines = [f"<TR><TD>{row}</TD></TR>" for row in rows]
    if removed:
        gone = f'<FONT COLOR="{STRUCK}">{len(removed)} gone</FONT>'
        gone = " ".join(map(struck, removed)) if len(removed) <= 2 else gone
        lines.append(
            f'<TR><TD BORDER="1" COLOR="{REMOVED}" BGCOLOR="white"><FONT POINT-SIZE="10">{gone}</FONT></TD></TR>'
        )
    return f'<FONT POINT-SIZE="{font}">{TABLE}{"".join(lines)}</TABLE></FONT>'


def _fixed(shown: Inside, size: int) -> str:
    """A value alone: bold if the spec tells it, else in the colour of what was found."""
    [value] = shown.left
    size = min(size, {1: size, 2: 26}.get(len(str(value)), 18))
    if shown.given or value in shown.paints:
        return f'<FONT POINT-SIZE="{size}"><B>{escape(value)}</B></FONT>'
    return f'<FONT POINT-SIZE="{size}" COLOR="{FOUND}">{escape(value)}</FONT>'


def struck(words: object) -> str:
    """A value that has just gone."""
    return f'<FONT COLOR="{STRUCK}"><S>{escape(words)}</S></FONT>'


def number_of(number: int) -> str:
    """How many values are left, unlike a value."""
    return f'<FONT POINT-SIZE="13"><I>{number} left</I></FONT>'
