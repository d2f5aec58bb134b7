"""Exports a sudoku variant to f-puzzles, as JSON or as a link."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ....syntax.errors import Diagnostic, Source
from ....syntax.nodes import Place
from ..kinds import DIRECTIONS, FLAGS, KINDS, NEGATIVES
from ..packed.lz import compress
from ..variant import Variant
from .drawing import drawn_entries
from .recovering import variant_of

Entries = list[dict[str, Any]]
"""The entries of a field of f-puzzles."""

SITE = "https://www.f-puzzles.com/?load="
"""The beginning of a link to f-puzzles."""


def fpuzzle(source: Source) -> str:
    """Return a spec as a puzzle in the JSON format of f-puzzles.

    Raises
    ------
    Diagnostic
        If f-puzzles cannot express the spec.
    """
    from csp import render

    return render.compact(_object(variant_of(source.text))) + "\n"


def fpuzzle_link(source: Source) -> str:
    """Return a link that opens a spec in f-puzzles.

    Raises
    ------
    Diagnostic
        If f-puzzles cannot express the spec.
    """
    return SITE + compress(json.dumps(_object(variant_of(source.text)), separators=(",", ":"))) + "\n"


def _object(variant: Variant) -> dict[str, Any]:
    """Return the f-puzzles JSON object for a sudoku variant."""
    fields: dict[str, Any] = {"size": variant.size, "title": variant.title, "author": variant.author}
    fields["ruleset"] = variant.rules
    sides = range(1, variant.size + 1)
    fields["grid"] = [[_cell(variant, r, c) for c in sides] for r in sides]
    fields |= {key: True for key, rule in FLAGS.items() if rule in variant.includes}
    if negative := [key for key, rule in NEGATIVES.items() if rule in variant.includes]:
        fields["negative"] = negative
    written_relations = {"total", "whisper_distance", "circle"}
    # Every kind of constraint writes its facts; a relation without a kind cannot be expressed.
    for key, kind in KINDS.items():
        written_relations.add(kind.relation)
        if entries := WRITERS.get(kind.relation, _lines)(variant, key):
            fields[key] = entries
    if unwritten_relations := {
        name for name in variant.facts if name not in written_relations and not name.startswith("drawn_")
    }:
        raise Diagnostic(f"f-puzzles has no word for {min(unwritten_relations)}", Place(1, 1))
    fields |= drawn_entries(variant)
    return {key: value for key, value in fields.items() if value != ""}


def _cell(variant: Variant, r: int, c: int) -> dict[str, Any]:
    """Return the f-puzzles object for a cell: region, given and pencil marks."""
    cell: dict[str, Any] = {}
    if not variant.has_boxes():
        cell["region"] = variant.regions[r, c] - 1 if (r, c) in variant.regions else None
    if (r, c) in variant.givens:
        cell |= {"value": variant.givens[r, c], "given": True}
    if (r, c) in variant.marks:
        cell["givenPencilMarks"] = variant.marks[r, c]
    return cell


def _at(r: Any, c: Any) -> str:
    """Return the name of a cell in f-puzzles, such as ``R1C2``."""
    return f"R{r}C{c}"


def _values(variant: Variant, relation: str) -> dict[Any, Any]:
    """Return a dictionary from the first argument of facts to the second."""
    return {number: value for number, value in variant.facts.get(relation, [])}


def _lines(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for lines.

    Entries of whispers include their minimum difference.
    """
    lines: dict[Any, dict[Any, str]] = defaultdict(dict)
    for line, place, r, c in variant.facts.get(KINDS[key].relation, []):
        lines[line][place] = _at(r, c)
    distance = _values(variant, "whisper_distance") if key == "whispers" else {}
    return [
        {"lines": [[cells[place] for place in sorted(cells)]]}
        | ({"value": str(distance[line])} if line in distance else {})
        for line, cells in lines.items()
    ]


def _arrows(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for arrows, whose lines begin in a circle."""
    arrows = _lines(variant, key)
    circles: dict[Any, list[str]] = defaultdict(list)
    for arrow, _, r, c in variant.facts.get("circle", []):
        circles[arrow].append(_at(r, c))
    arrow_numbers = dict.fromkeys(fact[0] for fact in variant.facts.get("arrow", []))
    for arrow, entry in zip(arrow_numbers, arrows, strict=True):
        entry["cells"] = circles[arrow]
        entry["lines"][0].insert(0, circles[arrow][0])
    return arrows


def _cages(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for cages, with their totals."""
    totals = _values(variant, "total")
    cells: dict[Any, list[str]] = defaultdict(list)
    for r, c, cage in variant.facts.get("cage", []):
        cells[cage].append(_at(r, c))
    return [
        {"cells": cells_of_cage} | ({"value": str(totals[cage])} if cage in totals else {})
        for cage, cells_of_cage in cells.items()
    ]


def _dots(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for dots of one colour."""
    colour = {"difference": "white", "ratio": "black"}[key]
    dots = [dot for dot in variant.facts.get("dot", []) if dot[4] == colour]
    return [{"cells": [_at(r, c), _at(s, d)], "value": str(value)} for r, c, s, d, _, value in dots]


def _sums(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for the signs X and V."""
    sums = variant.facts.get("pair_sum", [])
    if other_sums := {fact[4] for fact in sums} - {5, 10}:
        raise Diagnostic(f"f-puzzles has no sign for a sum of {min(map(str, other_sums))}", Place(1, 1))
    return [{"cells": [_at(r, c), _at(s, d)], "value": "X" if value == 10 else "V"} for r, c, s, d, value in sums]


def _marks(*, cells: bool = False) -> Callable[[Variant, str], Entries]:
    """Return a function that exports marked cells as f-puzzles entries.

    An entry has a list of cells, or one cell.
    """

    def write(variant: Variant, key: str) -> Entries:
        facts = variant.facts.get(KINDS[key].relation, [])
        kind = {"odd": 1, "even": 0, "minimum": -1, "maximum": 1}.get(key)
        places = [_at(*fact[:2]) for fact in facts if kind is None or fact[2] == kind]
        return [{"cells": [place]} if cells else {"cell": place} for place in places]

    return write


def _groups(variant: Variant, key: str) -> Entries:
    """Return an f-puzzles entry for each group of cells."""
    groups: dict[Any, list[str]] = defaultdict(list)
    for group, r, c in variant.facts.get(KINDS[key].relation, []):
        groups[group].append(_at(r, c))
    return [{"cells": cells} for cells in groups.values()]


def _outside(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for clues beside the board."""
    return [{"cell": _at(r, c), "value": str(value)} for r, c, value in variant.facts.get(KINDS[key].relation, [])]


def _little_killers(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for sums of diagonals."""
    names_of_steps = {step: name for name, step in DIRECTIONS.items()}
    entries: Entries = []
    for r, c, i, j, value in variant.facts.get("little_killer", []):
        entries.append({"cell": _at(r, c), "direction": names_of_steps[int(i), int(j)], "value": str(value)})
    return entries


def _quadruples(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for values around corners of cells."""
    corners: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for r, c, _, value in variant.facts.get("quadruple", []):
        corners[int(r), int(c)].append(value)
    return [
        {"cells": [_at(r + i, c + j) for i in (0, 1) for j in (0, 1)], "values": values}
        for (r, c), values in corners.items()
    ]


def _clones(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for shapes of cells and their clones."""
    shapes: dict[Any, tuple[list[str], list[str]]] = {}
    for shape, r, c, s, d in variant.facts.get("clone", []):
        cells, copies = shapes.setdefault(shape, ([], []))
        cells.append(_at(r, c))
        copies.append(_at(s, d))
    return [{"cells": cells, "cloneCells": copies} for cells, copies in shapes.values()]


WRITERS: dict[str, Callable[[Variant, str], Entries]] = {
    "arrow": _arrows, "cage": _cages, "dot": _dots, "pair_sum": _sums, "parity": _marks(), "extremum": _marks(),
    "row_indexer": _marks(cells=True), "column_indexer": _marks(cells=True), "box_indexer": _marks(cells=True),
    "extra_region": _groups, "sandwich": _outside, "x_sum": _outside, "skyscraper": _outside,
    "numbered_room": _outside, "little_killer": _little_killers, "quadruple": _quadruples, "clone": _clones,
}  # fmt: skip
"""The writer of the facts of each relation, except relations of lines."""
