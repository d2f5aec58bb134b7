"""Puzzles of SudokuPad, whose rules are text: givens, regions and cages are read, and what is drawn becomes facts."""

from __future__ import annotations

from typing import Any

from csp import counted

from .fpuzzles import SIZES
from .reading import Reader
from .variant import Cell, Variant

Spot = tuple[int, int]
"""Twice the row and twice the column, from the corner of the board: odd in the middle of a cell."""

TEXTS = ("title", "author", "rules")

FLAGS = {"antiknight": "anti_knight", "antiking": "anti_king"}
"""Rules of the whole board that the program checks."""


def read_sudokupad(fields: dict[str, Any], reader: Reader) -> Variant:
    """The variant that a puzzle of SudokuPad is, as far as it is data.

    ``fields``: with the long names. Returns whose facts have all that is drawn at cells and between them:
    ``drawn_line(L, K, R, C)``, ``drawn_text(R, C, WORDS)`` and, between two cells, ``drawn_mark(R, C, S, D, WORDS,
    COLOUR)``.

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


def _cells(value: Any, name: str, reader: Reader) -> list[Cell]:
    """Cells as pairs of row and column from 0."""
    return [(r + 1, c + 1) for r, c in (_pair(one, name, reader) for one in reader.entries(value, name))]


def _pair(value: Any, name: str, reader: Reader) -> Cell:
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
            cells = [_cell(spot, variant.size) for spot in points]
            if not cells or None in cells:
                lost += bool(points)
                continue
            lines += 1
            for place, cell in enumerate(cells, 1):
                assert cell
                variant.fact("drawn_line", lines, place, *cell)
    for name in ("underlays", "overlays"):
        for mark in reader.objects(fields.get(name), name):
            spot, words, colour = _spot(mark.get("center")), mark.get("text"), mark.get("backgroundColor")
            cell = _cell(spot, variant.size)
            pair = _between(spot, variant.size)
            shown = str(words)[:40] if isinstance(words, (str, int)) else ""
            if pair:
                marks += 1
                variant.fact("drawn_mark", *pair[0], *pair[1], _quoted(shown), _quoted(str(colour or "")[:20]))
            elif cell:
                marks += 1
                variant.fact("drawn_text", *cell, _quoted(shown or str(mark.get("backgroundColor") or "")[:20]))
            else:
                lost += 1
    if lines or marks:
        many = " and ".join([counted(lines, "line")] * bool(lines) + [counted(marks, "mark")] * bool(marks))
        variant.notes.append(f"what {many} mean, which are facts here; their rules are to be said by hand")
    if lost:
        variant.notes.append(f"{counted(lost, 'drawing')} at places that are no cells")


def _spot(value: Any) -> Spot | None:
    """A point, if it is a multiple of half a cell."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, (int, float)) for one in value):
        return None
    row, col = (2 * one for one in value)
    return (int(row), int(col)) if row == int(row) and col == int(col) else None


def _cell(spot: Spot | None, size: int) -> Cell | None:
    """The cell in whose middle a spot is."""
    if not spot or not (spot[0] % 2 and spot[1] % 2):
        return None
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    return (r, c) if 1 <= r <= size and 1 <= c <= size else None


def _between(spot: Spot | None, size: int) -> tuple[Cell, Cell] | None:
    """The two cells between which a spot is."""
    if not spot or (spot[0] + spot[1]) % 2 == 0:
        return None
    r, c = (spot[0] + 1) // 2, (spot[1] + 1) // 2
    i, j = spot[0] % 2 == 0, spot[1] % 2 == 0
    return ((r, c), (r + i, c + j)) if r >= 1 and c >= 1 and r + i <= size and c + j <= size else None


def _quoted(words: str) -> str:
    """A symbol of the language."""
    clean = "".join(letter if letter.isprintable() else " " for letter in words)
    return "'" + clean.replace("'", "''") + "'"
