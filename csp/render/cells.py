"""The inside of one vertex, as an HTML-like label: its name or none, what is left of its domain, its asterisk."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Literal

from ..model import Domain, Model, Value, Variable
from .plan.layout import CELL, value_width
from .style import BIT, MARKED, REMOVED, STRUCK, WIDER, escape, text_width

Style = Literal["digits", "bitmap", "size"]

TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
ASTERISK = f'<FONT COLOR="{MARKED}" POINT-SIZE="20"><B>*</B></FONT>'
SPELT = 16
"""Domains of more values are not spelt out on a card, nor shown bit by bit in a cell."""
STRIP = 11  # on the right of a cell, for the asterisk


def cell_style(universe: Domain) -> Style:
    """How cells show their domains: each value as a digit or as a bit in its own place, or how many there are.

    Parameters
    ----------
    universe : tuple of int or str
        All values of all cells.

    Examples
    --------
    >>> cell_style(tuple(range(1, 10))), cell_style(tuple(range(1, 17))), cell_style(tuple(range(1, 26)))
    ('digits', 'bitmap', 'size')
    """
    if len(universe) <= 9 and all(len(str(value)) == 1 for value in universe):
        return "digits"
    return "bitmap" if len(universe) <= SPELT else "size"


def card(model: Model, variable: Variable, columns: int, left: Domain, removed: Sequence[Value], marked: bool) -> str:
    """The name above, with the asterisk; the domain underneath.

    Parameters
    ----------
    model : Model
    variable : Variable
    columns : int
        How many values stand side by side.
    left : tuple
        The present domain.
    removed : sequence of int or str
        What has just gone.
    marked : bool

    Returns
    -------
    str

    Examples
    --------
    >>> model = Model({"A": (1, 2, 3)})
    >>> label = card(model, Variable("A"), 3, (1, 2), [3], marked=True)
    >>> label.count("<S>3</S>"), label.count("<B>*</B>")
    (1, 1)
    """
    domain = model.domains[variable]
    if len(left) == 1 and not removed:
        state = _big(left[0], 24)
    elif len(domain) <= SPELT:
        wide = value_width(max(len(str(value)) for value in domain))
        state = _spelt(domain, left, removed, columns, (wide, 21), 16)
    else:
        state = _summary(left, removed, 14)
    name = f'<FONT POINT-SIZE="15"><B>{escape(variable)}</B></FONT>{ASTERISK if marked else ""}'
    return f'{TABLE}<TR><TD HEIGHT="24">{name}</TD></TR><TR><TD>{state}</TD></TR></TABLE>'


def cell(style: Style, universe: Domain, left: Domain, removed: Sequence[Value], marked: bool) -> str:
    """The domain, and a strip on the right for the asterisk.

    Parameters
    ----------
    style : {"digits", "bitmap", "size"}
    universe : tuple of int or str
        The values that have a place.
    left, removed, marked
        As for ``card``.

    Returns
    -------
    str

    Examples
    --------
    >>> "<B>7</B>" in cell("digits", (1, 7), (7,), [], marked=False)
    True
    """
    inside, margin = CELL - 4, 0
    columns = ceil(len(universe) ** 0.5)
    rows = ceil(len(universe) / columns)
    size = int(inside - STRIP - 1) // columns, int(inside) // rows
    if len(left) == 1 and not removed:
        state, margin = _big(left[0], 28), STRIP
    elif style == "digits":
        state = _spelt(universe, left, removed, columns, size, 13 if columns > 2 else 16)
    elif style == "bitmap" and len(left) > 2:
        state = _bits(universe, left, removed, columns, min(size))
    else:
        state, margin = _summary(left, removed, 15), STRIP
    return (
        f'{TABLE}<TR><TD WIDTH="{margin}"></TD>'
        f'<TD WIDTH="{inside - STRIP - margin:g}" HEIGHT="{inside:g}">{state}</TD>'
        f'<TD WIDTH="{STRIP}" VALIGN="TOP">{ASTERISK if marked else ""}</TD></TR></TABLE>'
    )


def _spelt(
    domain: Domain, left: Domain, removed: Sequence[Value], columns: int, size: tuple[int, int], font: int
) -> str:
    """Every value in its own place; a hole where one is gone."""
    wide, high = size
    last = len(left) == 1
    cells = []
    for value in domain:
        if value in removed:
            cells.append(f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{struck(value)}')
        elif value in left:
            cells.append(f">{f'<B>{escape(value)}</B>' if last else escape(value)}")
        else:
            cells.append(">")
    return f'<FONT POINT-SIZE="{font}">{_table(cells, columns, wide, high)}</FONT>'


def _bits(universe: Domain, left: Domain, removed: Sequence[Value], columns: int, size: int) -> str:
    """Every value as a small square in its own place, a crossed one where it has just gone."""
    cells = []
    for value in universe:
        if value in removed:
            cells.append(f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{crossed(size - 4)}')
        else:
            cells.append(f'BORDER="1" COLOR="white" BGCOLOR="{BIT}">' if value in left else ">")
    return _table(cells, columns, size, size)


def crossed(size: float) -> str:
    """A cross, as in a small square."""
    return f'<FONT COLOR="{STRUCK}" POINT-SIZE="{size:g}">×</FONT>'


def _table(cells: Sequence[str], columns: int, wide: int, high: int) -> str:
    cells = [*cells, *[">"] * (-len(cells) % columns)]
    tds = [f'<TD WIDTH="{wide}" HEIGHT="{high}" {cell}</TD>' for cell in cells]
    rows = "".join(f"<TR>{''.join(tds[i : i + columns])}</TR>" for i in range(0, len(tds), columns))
    return f"{TABLE}{rows}</TABLE>"


def _summary(left: Domain, removed: Sequence[Value], font: int) -> str:
    """Two values spelt out, more as a number."""
    rows: list[str] = []
    if not left:
        rows.append(f'<FONT COLOR="{STRUCK}"><B>none</B></FONT>')
    elif len(left) == 1:
        rows.append(_big(left[0], 22))
    elif len(left) == 2:
        beside = text_width(f"{left[0]} {left[1]}", font) * WIDER < CELL - 2 * STRIP
        rows += [" ".join(map(escape, left))] if beside else map(escape, left)
    else:
        rows.append(number_of(len(left)))
    lines = [f"<TR><TD>{row}</TD></TR>" for row in rows]
    if removed:
        gone = " ".join(map(struck, removed)) if len(removed) <= 2 else f'<FONT COLOR="{STRUCK}">−{len(removed)}</FONT>'
        lines.append(
            f'<TR><TD BORDER="1" COLOR="{REMOVED}" BGCOLOR="white"><FONT POINT-SIZE="12">{gone}</FONT></TD></TR>'
        )
    return f'<FONT POINT-SIZE="{font}">{TABLE}{"".join(lines)}</TABLE></FONT>'


def _big(value: Value, size: int) -> str:
    """A value alone."""
    most = {1: size, 2: 24}.get(len(str(value)), 18)
    return f'<FONT POINT-SIZE="{min(size, most)}"><B>{escape(value)}</B></FONT>'


def struck(text: object) -> str:
    """A value that has just gone."""
    return f'<FONT COLOR="{STRUCK}"><S>{escape(text)}</S></FONT>'


def number_of(number: int) -> str:
    """How many values are left, unlike a value."""
    return f'<FONT POINT-SIZE="15"><I>·{number}·</I></FONT>'
