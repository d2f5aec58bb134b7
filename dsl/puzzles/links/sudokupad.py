"""Converts puzzles of SudokuPad to sudoku variants.

Givens, regions and cages are read. The other rules are text for the solver, so that drawings become facts that are
drawn again.
"""

from __future__ import annotations

from typing import Any

from csp import counted

from .reading import Reader
from .variant import Square, Variant, colour_of, draw_line, draw_spot, draw_text

HalfCellPoint = tuple[int, int]
"""Twice the row and twice the column of a point, from the corner of the board; both are odd in the middle of a cell."""

SHADE_SIZE = 0.85
"""A mark is a shade of its whole cell if both of its sides, in cells, are larger than this."""
TEXTS = ("title", "author", "rules")
"""The fields of the puzzle that are texts."""

FLAGS = {"antiknight": "anti_knight", "antiking": "anti_king"}
"""The rules of the gallery for constraints of the whole board."""


def read_sudokupad(fields: dict[str, Any], reader: Reader) -> Variant:
    """Return the sudoku variant that a SudokuPad puzzle describes.

    Lines, arrows and marks are facts that are drawn.

    Parameters
    ----------
    fields : dict
        The puzzle, with the long names of fields.
    reader : Reader
        Checks the values.

    Raises
    ------
    Diagnostic
        If the puzzle is malformed.
    """
    rows = reader.board(fields.get("cells"), "cells")
    texts = {name: text for name in TEXTS if isinstance(text := fields.get(name), str)}
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        texts |= {name: text for name in TEXTS if isinstance(text := metadata.get(name), str)}
    variant = Variant(len(rows))
    _read_cells(variant, rows, reader)
    # Regions are numbered from 1 in their order.
    for number, region in enumerate(reader.entries(fields.get("regions"), "regions"), 1):
        for cell in _cells(region, "regions", reader):
            variant.regions[cell] = number
    _read_cages(variant, fields, texts, reader)
    variant.title, variant.author, variant.rules = (texts.get(name, "") for name in TEXTS)
    if isinstance(metadata, dict):
        for key, rule in FLAGS.items():
            if metadata.get(key) is True:
                variant.include(rule)
    _read_drawn(variant, fields, reader)
    return variant


def _read_cells(variant: Variant, rows: list[Any], reader: Reader) -> None:
    """Add the givens of a SudokuPad puzzle to the variant."""
    for r, row in enumerate(rows, 1):
        cells = reader.objects(row, f"row {r}")
        if len(cells) != variant.size:
            reader.fail(f"row {r} has {counted(len(cells), 'cell')}, not {variant.size}")
        for c, cell in enumerate(cells, 1):
            value = reader.number(cell.get("value"), f"R{r}C{c}", 1, variant.size)
            if value is not None:
                variant.givens[r, c] = value


def _cells(value: Any, name: str, reader: Reader) -> list[Square]:
    """Convert a list of pairs [row, column] from 0 to rows and columns from 1."""
    return [(r + 1, c + 1) for r, c in (_pair(pair, name, reader) for pair in reader.entries(value, name))]


def _pair(value: Any, name: str, reader: Reader) -> Square:
    """Return a pair [row, column] from 0, which must be a cell of the board."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(number, int) for number in value):
        reader.fail(f"{name} contains an entry that is not a cell")
    if not all(0 <= number < reader.size for number in value):
        reader.fail(f"{name} has a cell that is not on the board")
    return value[0], value[1]


def _read_cages(variant: Variant, fields: dict[str, Any], texts: dict[str, str], reader: Reader) -> None:
    """Add to a variant those cages of a SudokuPad puzzle that are constraints.

    Other cages are counted in a note. Old puzzles keep their title, author and rules in cages without cells: these
    are added to ``texts``.
    """
    drawn_count = number = 0
    for cage in reader.objects(fields.get("cages"), "cages"):
        value, cells = cage.get("value"), cage.get("cells")
        name, colon, text = value.partition(":") if isinstance(value, str) else ("", "", "")
        # A cage without cells is a text such as "title: ...".
        if colon and not reader.entries(cells, "cages"):
            if name.strip().lower() in TEXTS:
                texts.setdefault(name.strip().lower(), text.strip())
        elif cage.get("unique") is True or cage.get("style") == "killer":
            number += 1
            for r, c in _cells(cells, "cages", reader):
                variant.fact("cage", r, c, number)
            variant.include("cages")
            if str(value or "").strip().isdecimal():
                variant.include("cage_totals")
                variant.fact("total", number, reader.number(value, "cages") or 0)
        elif cage.get("style") != "box" and not cage.get("hidden"):
            drawn_count += 1
    if drawn_count:
        variant.notes.append(f"{counted(drawn_count, 'cage')}, whose rule the link does not define")


def _read_drawn(variant: Variant, fields: dict[str, Any], reader: Reader) -> None:
    """Add to a variant facts that draw lines, arrows and marks, counted in notes."""
    lost_count = line_count = mark_count = 0
    for name in ("lines", "arrows"):
        for line in reader.objects(fields.get(name), name):
            points = [_spot(point) for point in reader.entries(line.get("wayPoints"), name)]
            cells = [cell for spot in points if (cell := _cell(spot, variant.size)) is not None]
            if not cells or len(cells) < len(points):
                lost_count += bool(points)
                continue
            line_count += 1
            draw_line(variant, cells, line.get("color"), name == "arrows")
    # A mark is in a cell, between two cells, or beside the board.
    for name in ("underlays", "overlays"):
        for mark in reader.objects(fields.get(name), name):
            spot = _spot(mark.get("center"))
            single_cell = _cell(spot, variant.size, 1)
            cells = _between(spot, variant.size) or ([single_cell] if single_cell else [])
            is_drawn = bool(cells) and _draw_mark(variant, cells, mark)
            mark_count, lost_count = mark_count + is_drawn, lost_count + (not is_drawn)
    if line_count or mark_count:
        drawings = " and ".join(
            [counted(line_count, "line")] * bool(line_count) + [counted(mark_count, "mark")] * bool(mark_count)
        )
        variant.notes.append(f"the meaning of {drawings}, which are drawn here; write their rules by hand")
    if lost_count:
        variant.notes.append(f"{counted(lost_count, 'drawing')} at places outside of the cells")


def _draw_mark(variant: Variant, cells: list[Square], mark: dict[str, Any]) -> bool:
    """Add to a variant the facts that draw a mark; return whether it is drawn.

    A mark is in a cell or between two. A text may also be one row or column outside the board.
    """
    text, colour = mark.get("text"), mark.get("backgroundColor")
    sides = [side for key in ("width", "height") if isinstance(side := mark.get(key), (int, float))]
    has_text = isinstance(text, (str, int)) and text != ""
    is_inside = all(coordinate in range(1, variant.size + 1) for cell in cells for coordinate in cell)
    if has_text and len(cells) == 1 and not (is_inside and (sides or colour_of(colour))):
        draw_text(variant, cells[0], text)
    elif is_inside:
        is_round = bool(mark.get("rounded", len(cells) == 2))
        draw_spot(variant, cells, text, colour, is_round, bool(sides) and min(sides) > SHADE_SIZE)
    return has_text or is_inside


def _spot(value: Any) -> HalfCellPoint | None:
    """Convert a point's coordinates to multiples of half a cell; None if they are not."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(number, (int, float)) for number in value):
        return None
    row, col = (2 * number for number in value)
    return (int(row), int(col)) if row == int(row) and col == int(col) else None


def _cell(spot: HalfCellPoint | None, size: int, margin: int = 0) -> Square | None:
    """Return the cell with a point as its centre, or None.

    ``margin`` is the number of rows and columns outside the board that count as cells.
    """
    if not spot or not (spot[0] % 2 and spot[1] % 2):
        return None
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    coordinates = range(1 - margin, size + margin + 1)
    return (r, c) if r in coordinates and c in coordinates else None


def _between(spot: HalfCellPoint | None, size: int) -> list[Square]:
    """Return the two cells on both sides of the border whose middle is a point.

    Empty if the point is not the middle of a border between two cells.
    """
    if not spot or (spot[0] + spot[1]) % 2 == 0:
        return []
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    i, j = spot[0] % 2 == 0, spot[1] % 2 == 0
    return [(r, c), (r + i, c + j)] if r >= 1 and c >= 1 and r + i <= size and c + j <= size else []
