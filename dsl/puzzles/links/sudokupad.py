"""Puzzles of SudokuPad, whose rules are text: givens, regions and cages are read, and what is drawn becomes facts."""

from __future__ import annotations

from typing import Any

from csp import counted

from .fpuzzles import SIZES
from .reading import Reader
from .variant import Square, Variant, colour_of, draw_line, draw_spot, draw_text

HalfCells = tuple[int, int]
"""Twice the row and twice the column, from the corner of the board: odd in the middle of a cell."""

WHOLE = 0.85
"""What is larger, in cells, shades its cell."""
TEXTS = ("title", "author", "rules")

FLAGS = {"antiknight": "anti_knight", "antiking": "anti_king"}
"""Rules of the whole board that the program checks."""


def read_sudokupad(fields: dict[str, Any], reader: Reader) -> Variant:
    """The variant that a puzzle of SudokuPad is, as far as it is data.

    ``fields``: with the long names. Lines, arrows and marks at cells and between them are facts that are drawn.

    Raises
    ------
    Mistake
        If the puzzle is malformed.
    """
    rows = reader.entries(fields.get("cells"), "cells")
    if len(rows) not in SIZES:
        reader.fail(f"the board has {counted(len(rows), 'row')}; there are {SIZES[0]} to {SIZES[-1]}")
    reader.size = len(rows)
    about = {name: text for name in TEXTS if isinstance(text := fields.get(name), str)}
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        about |= {name: text for name in TEXTS if isinstance(text := metadata.get(name), str)}
    variant = Variant(len(rows))
    _read_cells(variant, rows, reader)
    for number, region in enumerate(reader.entries(fields.get("regions"), "regions"), 1):
        for cell in _cells(region, "regions", reader):
            variant.regions[cell] = number
    _read_cages(variant, fields, about, reader)
    variant.title, variant.author, variant.rules = (about.get(name, "") for name in TEXTS)
    if isinstance(metadata, dict):
        for key, rule in FLAGS.items():
            if metadata.get(key) is True:
                variant.include(rule)
    _read_drawn(variant, fields, reader)
    return variant


def _read_cells(variant: Variant, rows: list[Any], reader: Reader) -> None:
    for r, row in enumerate(rows, 1):
        cells = reader.objects(row, f"row {r}")
        if len(cells) != variant.size:
            reader.fail(f"row {r} has {counted(len(cells), 'cell')}, not {variant.size}")
        for c, cell in enumerate(cells, 1):
            value = reader.number(cell.get("value"), f"R{r}C{c}", 1, variant.size)
            if value is not None:
                variant.givens[r, c] = value


def _cells(value: Any, name: str, reader: Reader) -> list[Square]:
    """Cells as pairs of row and column from 0."""
    return [(r + 1, c + 1) for r, c in (_pair(one, name, reader) for one in reader.entries(value, name))]


def _pair(value: Any, name: str, reader: Reader) -> Square:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, int) for one in value):
        reader.fail(f"{name} has something that is no cell")
    if not all(0 <= one < reader.size for one in value):
        reader.fail(f"{name} has a cell that is not on the board")
    return value[0], value[1]


def _read_cages(variant: Variant, fields: dict[str, Any], about: dict[str, str], reader: Reader) -> None:
    """Cages that say what holds in them; others are drawn only, and old puzzles tell their title in one."""
    drawn = number = 0
    for cage in reader.objects(fields.get("cages"), "cages"):
        value, cells = cage.get("value"), cage.get("cells")
        name, colon, text = value.partition(":") if isinstance(value, str) else ("", "", "")
        if colon and not reader.entries(cells, "cages"):
            if name.strip().lower() in TEXTS:
                about.setdefault(name.strip().lower(), text.strip())
        elif cage.get("unique") is True or cage.get("style") == "killer":
            number += 1
            for r, c in _cells(cells, "cages", reader):
                variant.fact("cage", r, c, number)
            variant.include("cages")
            if str(value or "").strip().isdecimal():
                variant.include("cage_totals")
                variant.fact("total", number, reader.number(value, "cages") or 0)
        elif cage.get("style") != "box" and not cage.get("hidden"):
            drawn += 1
    if drawn:
        variant.notes.append(f"{counted(drawn, 'cage')}, of which nothing says what holds there")


def _read_drawn(variant: Variant, fields: dict[str, Any], reader: Reader) -> None:
    lost = lines = marks = 0
    for name in ("lines", "arrows"):
        for line in reader.objects(fields.get(name), name):
            points = [_spot(one) for one in reader.entries(line.get("wayPoints"), name)]
            cells = [cell for spot in points if (cell := _cell(spot, variant.size)) is not None]
            if not cells or len(cells) < len(points):
                lost += bool(points)
                continue
            lines += 1
            draw_line(variant, cells, line.get("color"), name == "arrows")
    for name in ("underlays", "overlays"):
        for mark in reader.objects(fields.get(name), name):
            spot = _spot(mark.get("center"))
            alone = _cell(spot, variant.size, 1)
            cells = _between(spot, variant.size) or ([alone] if alone else [])
            is_drawn = bool(cells) and _draw_mark(variant, cells, mark)
            marks, lost = marks + is_drawn, lost + (not is_drawn)
    if lines or marks:
        many = " and ".join([counted(lines, "line")] * bool(lines) + [counted(marks, "mark")] * bool(marks))
        variant.notes.append(f"what {many} mean, which are drawn here; their rules are to be said by hand")
    if lost:
        variant.notes.append(f"{counted(lost, 'drawing')} at places that are no cells")


def _draw_mark(variant: Variant, cells: list[Square], mark: dict[str, Any]) -> bool:
    """A sign in a cell or between two, or a text, which may stand beside the board; whether it is drawn."""
    words, colour = mark.get("text"), mark.get("backgroundColor")
    sides = [side for key in ("width", "height") if isinstance(side := mark.get(key), (int, float))]
    is_worded = isinstance(words, (str, int)) and words != ""
    is_inside = all(number in range(1, variant.size + 1) for cell in cells for number in cell)
    if is_worded and len(cells) == 1 and not (is_inside and (sides or colour_of(colour))):
        draw_text(variant, cells[0], words)
    elif is_inside:
        is_round = bool(mark.get("rounded", len(cells) == 2))
        draw_spot(variant, cells, words, colour, is_round, bool(sides) and min(sides) > WHOLE)
    return is_worded or is_inside


def _spot(value: Any) -> HalfCells | None:
    """A point, if it is a multiple of half a cell."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, (int, float)) for one in value):
        return None
    row, col = (2 * one for one in value)
    return (int(row), int(col)) if row == int(row) and col == int(col) else None


def _cell(spot: HalfCells | None, size: int, beyond: int = 0) -> Square | None:
    """The cell in whose middle a spot is; so many rows and columns beside the board count, too."""
    if not spot or not (spot[0] % 2 and spot[1] % 2):
        return None
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    ends = range(1 - beyond, size + beyond + 1)
    return (r, c) if r in ends and c in ends else None


def _between(spot: HalfCells | None, size: int) -> list[Square]:
    """The two cells between which a spot is."""
    if not spot or (spot[0] + spot[1]) % 2 == 0:
        return []
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    i, j = spot[0] % 2 == 0, spot[1] % 2 == 0
    return [(r, c), (r + i, c + j)] if r >= 1 and c >= 1 and r + i <= size and c + j <= size else []
