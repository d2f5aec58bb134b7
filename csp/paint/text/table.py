"""A solution as an HTML table: a grid of a plan with its borders, and a value in every cell."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ...board.answer import numbered
from ...board.areas import Place
from ...board.sheet import Sheet
from ...model import Value
from ...picture.style import BLACK, IDLE, SHADE

LINES = {"region": f"3px solid {IDLE}", "cage": "2px dashed #000000", "both": "3px solid #000000"}
"""A thick line is grey where a cage goes on beyond it."""
CELL = f"border: 1px solid {IDLE}; padding: 0.2em 0.6em; text-align: center"

ROOMY = "position: relative; padding: 0.7em 1em"
"""Where something stands in the corners or between the cells."""


def cell(value: object, style: str = "", inside: str = "") -> str:
    """A cell of a table.

    Examples
    --------
    >>> cell("<", "color: red").endswith('; color: red">&lt;</td>')
    True
    """
    return f'<td style="{CELL}{"; " if style else ""}{style}">{inside}{escape(str(value))}</td>'


def sheet_html(sheet: Sheet, solution: Mapping[str, Value]) -> str:
    """A grid as a table.

    Parameters
    ----------
    sheet : Sheet
    solution : mapping of str to int or str

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import Model, Variable
    >>> from ...board.sheet import sheets
    >>> [sheet] = sheets(Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)}))
    >>> sheet_html(sheet, {"x(1,1)": 1, "x(1,2)": 2}).count("<td")
    2
    """
    rows = "".join(f"<tr>{''.join(_cell(sheet, (r, c), solution) for c in sheet.columns)}</tr>" for r in sheet.rows)
    return f'<table style="border-collapse: collapse">{rows}</table>'


def board_html(texts: Mapping[Place, str]) -> str:
    """What a layout shows on no grid of the model, as a table; a place without text is an empty cell.

    Examples
    --------
    >>> board_html({(1, 1): "Q", (2, 2): "Q"}).count("<td")
    4
    """
    rows, columns = (numbered(place[axis] for place in texts) for axis in (0, 1))
    lines = (f"<tr>{''.join(cell(texts.get((r, c), '')) for c in columns)}</tr>" for r in rows)
    return f'<table style="border-collapse: collapse">{"".join(lines)}</table>'


def _cell(sheet: Sheet, place: Place, solution: Mapping[str, Value]) -> str:
    v = sheet.cells.get(place)
    if v is None:
        black = f"background: {BLACK}; color: #FFFFFF" if place in sheet.black else "border: 0"
        return cell(sheet.beside.get(place, ""), black)
    style = [*_sides(sheet, place), *([f"background: {SHADE}"] if place in sheet.shaded else [])]
    signs = [
        f'<span style="position: absolute; {where}">{escape(sign)}</span>'
        for where, sign in (
            ("left: 0.2em; top: 0; font-size: 60%", sheet.corners.get(place, "")),
            ("right: -0.3em", _sign(sheet.right.get(place, ""))),
            ("left: 0; right: 0; bottom: -0.65em", _sign(sheet.below.get(place, ""))),
        )
        if sign
    ]
    if sheet.corners or any(map(_sign, (*sheet.right.values(), *sheet.below.values()))):
        style += [ROOMY]
    return cell(solution.get(v, ""), "; ".join(style), "".join(signs))


def _sign(side: str) -> str:
    return "" if side in LINES else side


def _sides(sheet: Sheet, place: Place) -> list[str]:
    """The lines around a cell; where there are boxes, they end at the outside, too."""
    r, c = place
    boxed = "both" if not sheet.corners else "region"
    found = []
    has_boxes = bool(sheet.row_gaps or sheet.column_gaps)
    for name, lines, at, gaps, line, beyond in (
        ("top", sheet.below, (r - 1, c), sheet.row_gaps, r - 1, (r - 1, c)),
        ("right", sheet.right, place, sheet.column_gaps, c, (r, c + 1)),
        ("bottom", sheet.below, place, sheet.row_gaps, r, (r + 1, c)),
        ("left", sheet.right, (r, c - 1), sheet.column_gaps, c - 1, (r, c - 1)),
    ):
        kind = lines.get(at, "")
        is_region = kind == "region" or line in gaps or (has_boxes and beyond not in sheet.cells)
        own = ("both" if kind in ("cage", "both") else boxed) if is_region else kind
        if own in LINES:
            found.append(f"border-{name}: {LINES[own]}")
    return found
