"""Puzzles of f-puzzles: an object of JSON, to a variant and its spec."""

from __future__ import annotations

from typing import Any

from csp import counted

from .kinds import DRAWN, FLAGS, KINDS, NEGATIVES, PROGRAM, draw_entry
from .reading import Reader
from .variant import Variant, boxes

SIZES = range(2, 17)
"""How many rows and columns a puzzle may have."""


def read_fpuzzle(fields: dict[str, Any], reader: Reader) -> Variant:
    """The variant that an object of f-puzzles is.

    ``fields``: as ``json.loads`` makes it; ``reader``: what checks it. Returns whose notes name what was not read.

    Raises
    ------
    Mistake
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
    for word in reader.words(fields.get("negative"), "negative"):
        if word in NEGATIVES:
            variant.include(NEGATIVES[word])
        else:
            variant.notes.append(f"the negative constraint of {word[:40]}")
    for key, kind in KINDS.items():
        entries = reader.objects(fields.get(key), key)
        for number, entry in enumerate(entries, 1):
            kind.read(reader, variant, key, entry, number)
        if variant.facts.get(kind.relation):
            variant.include(kind.rules)
    for key, value in fields.items():
        if key not in KINDS and key not in FLAGS and key not in PROGRAM and value:
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
    entered = 0
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
            entered += value is not None and cell.get("given") is not True
            if "region" in cell:
                region = reader.number(cell["region"], f"the region of R{r}C{c}", 0, variant.size - 1)
                variant.regions.pop((r, c))
                if region is not None:
                    variant.regions[r, c] = region + 1
            marks = reader.entries(cell.get("givenPencilMarks"), f"the marks of R{r}C{c}")
            if some := {number for one in marks if (number := reader.number(one, f"R{r}C{c}", 1, variant.size))}:
                variant.marks[r, c] = sorted(some)
    if entered:
        variant.notes.append(f"{counted(entered, 'number')} that somebody entered")
