"""Write a solution as an HTML table with the borders of its grid."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ...board.answer import ranks_of
from ...board.grid import Position
from ...board.grid_table import GridTable
from ...model import Value
from ...picture.style import BLACK, IDLE, SHADE

LINES = {"region": f"3px solid {IDLE}", "cage": "2px dashed #000000", "both": "3px solid #000000"}
"""Border style of each kind of line. A region border is grey; it is black where the border of a cage coincides."""
CELL = f"border: 1px solid {IDLE}; padding: 0.2em 0.6em; text-align: center"

ROOMY = "position: relative; padding: 0.7em 1em"
"""Style of cells with signs in their corners or on their sides."""


def cell(value: object, style: str = "", inside: str = "") -> str:
    """Write an HTML table cell; ``inside`` is HTML before the value.

    Examples
    --------
    >>> cell("<", "color: red").endswith('; color: red">&lt;</td>')
    True
    """
    return f'<td style="{CELL}{"; " if style else ""}{style}">{inside}{escape(str(value))}</td>'


def table_html(table: GridTable, solution: Mapping[str, Value]) -> str:
    """Write a grid with the values of a solution as an HTML table.

    Examples
    --------
    >>> from csp import Model, Variable
    >>> from ...board.grid_table import grid_tables
    >>> [table] = grid_tables(Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)}))
    >>> table_html(table, {"x(1,1)": 1, "x(1,2)": 2}).count("<td")
    2
    """
    rows = "".join(f"<tr>{''.join(_cell(table, (r, c), solution) for c in table.columns)}</tr>" for r in table.rows)
    return f'<table style="border-collapse: collapse">{rows}</table>'


def board_html(texts: Mapping[Position, str]) -> str:
    """Write a layout without a grid as an HTML table.

    A place without text is an empty cell.

    Examples
    --------
    >>> board_html({(1, 1): "Q", (2, 2): "Q"}).count("<td")
    4
    """
    rows, columns = (ranks_of(place[axis] for place in texts) for axis in (0, 1))
    lines = (f"<tr>{''.join(cell(texts.get((r, c), '')) for c in columns)}</tr>" for r in rows)
    return f'<table style="border-collapse: collapse">{"".join(lines)}</table>'


def _cell(table: GridTable, place: Position, solution: Mapping[str, Value]) -> str:
    """Write the HTML cell at a place: value and signs, or an outside clue."""
    v = table.cells.get(place)
    if v is None:
        black = f"background: {BLACK}; color: #FFFFFF" if place in table.black else "border: 0"
        return cell(table.beside.get(place, ""), black)
    style = [*_border_styles(table, place), *([f"background: {SHADE}"] if place in table.shaded else [])]
    # Place the clue of a cage in the corner, and signs between cells on the right and lower side.
    signs = [
        f'<span style="position: absolute; {where}">{escape(sign)}</span>'
        for where, sign in (
            ("left: 0.2em; top: 0; font-size: 60%", table.corners.get(place, "")),
            ("right: -0.3em", _sign_on_side(table.right.get(place, ""))),
            ("left: 0; right: 0; bottom: -0.65em", _sign_on_side(table.below.get(place, ""))),
        )
        if sign
    ]
    if table.corners or any(map(_sign_on_side, (*table.right.values(), *table.below.values()))):
        style += [ROOMY]
    return cell(solution.get(v, ""), "; ".join(style), "".join(signs))


def _sign_on_side(side: str) -> str:
    """Return the sign on one side of a cell, or an empty text."""
    return "" if side in LINES else side


def _border_styles(table: GridTable, place: Position) -> list[str]:
    """Return the CSS border styles of a cell.

    In a grid with boxes, the outer border counts as the border of a region.
    """
    r, c = place
    boxed = "both" if not table.corners else "region"
    styles = []
    has_boxes = bool(table.row_gaps or table.column_gaps)
    for name, lines_on_side, side_place, gaps, line, neighbour in (
        ("top", table.below, (r - 1, c), table.row_gaps, r - 1, (r - 1, c)),
        ("right", table.right, place, table.column_gaps, c, (r, c + 1)),
        ("bottom", table.below, place, table.row_gaps, r, (r + 1, c)),
        ("left", table.right, (r, c - 1), table.column_gaps, c - 1, (r, c - 1)),
    ):
        kind = lines_on_side.get(side_place, "")
        is_region = kind == "region" or line in gaps or (has_boxes and neighbour not in table.cells)
        border = ("both" if kind in ("cage", "both") else boxed) if is_region else kind
        if border in LINES:
            styles.append(f"border-{name}: {LINES[border]}")
    return styles
