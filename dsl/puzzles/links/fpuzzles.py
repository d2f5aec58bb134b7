"""Converts the JSON of f-puzzles to a sudoku variant."""

from __future__ import annotations

from typing import Any

from csp import counted

from .kinds import DRAWN, FLAGS, KINDS, NEGATIVES, OTHER_FIELDS, draw_entry
from .reading import Reader
from .variant import Variant, boxes

SIZES = range(2, 17)
"""The supported numbers of rows and columns."""


def read_fpuzzle(fields: dict[str, Any], reader: Reader) -> Variant:
    """Return the sudoku variant that an f-puzzles object describes.

    Parameters
    ----------
    fields : dict
        The object, as returned by ``json.loads``.
    reader : Reader
        Checks the values.

    Returns
    -------
    Variant
        Its notes list the data that was not read.

    Raises
    ------
    Diagnostic
        If the object is malformed.
    """
    rows = reader.entries(fields.get("grid"), "grid")
    if len(rows) not in SIZES:
        reader.fail(f"the board has {counted(len(rows), 'row')}; there are {SIZES[0]} to {SIZES[-1]}")
    reader.size = len(rows)
    title, author, rules = (_text(fields.get(name)) for name in ("title", "author", "ruleset"))
    variant = Variant(len(rows), title, author, rules)
    variant.regions = boxes(len(rows))
    _read_grid(variant, rows, reader)
    for key, rule in FLAGS.items():
        if fields.get(key) is True:
            variant.include(rule)
    for name in reader.words(fields.get("negative"), "negative"):
        if name in NEGATIVES:
            variant.include(NEGATIVES[name])
        else:
            variant.notes.append(f"the negative constraint of {name[:40]}")
    # Constraints: each kind adds facts, and includes its rules if there are any.
    for key, kind in KINDS.items():
        entries = reader.objects(fields.get(key), key)
        for number, entry in enumerate(entries, 1):
            kind.read(reader, variant, key, entry, number)
        if variant.facts.get(kind.relation):
            variant.include(kind.rules)
    # The other fields are drawn only, or unknown.
    for key, value in fields.items():
        if key not in KINDS and key not in FLAGS and key not in OTHER_FIELDS and value:
            many = f"{len(value)} " if isinstance(value, list) else ""
            if key in DRAWN:
                variant.drawn.append(f"{many}{DRAWN[key]}")
                for number, entry in enumerate(reader.objects(value, key), 1):
                    draw_entry(variant, reader, key, entry, number)
            else:
                variant.notes.append(f"{many}{key[:40]}")
    return variant


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _read_grid(variant: Variant, rows: list[Any], reader: Reader) -> None:
    """Read the givens, the regions and the pencil marks of all cells."""
    entered_count = 0
    for r, row in enumerate(rows, 1):
        cells = reader.entries(row, f"row {r}")
        if len(cells) != variant.size:
            reader.fail(f"row {r} has {counted(len(cells), 'cell')}, not {variant.size}")
        for c, cell in enumerate(cells, 1):
            if not isinstance(cell, dict):
                reader.fail(f"the cell R{r}C{c} is no object")
            value = reader.number(cell.get("value"), f"R{r}C{c}", 1, variant.size)
            if value is not None and cell.get("given") is True:
                variant.givens[r, c] = value
            entered_count += value is not None and cell.get("given") is not True
            if "region" in cell:
                region = reader.number(cell["region"], f"the region of R{r}C{c}", 0, variant.size - 1)
                variant.regions.pop((r, c))
                if region is not None:
                    variant.regions[r, c] = region + 1
            marks = reader.entries(cell.get("givenPencilMarks"), f"the marks of R{r}C{c}")
            if numbers := {number for mark in marks if (number := reader.number(mark, f"R{r}C{c}", 1, variant.size))}:
                variant.marks[r, c] = sorted(numbers)
    if entered_count:
        variant.notes.append(f"{counted(entered_count, 'number')} that somebody entered")
