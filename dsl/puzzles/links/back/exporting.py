"""A sudoku variant as an object of f-puzzles, and as a link."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ....text.errors import Mistake, Source
from ....text.syntax import Place
from ..kinds import DIRECTIONS, FLAGS, KINDS, NEGATIVES
from ..packed.lz import compress
from ..variant import Variant
from .drawing import drawn_entries
from .recovering import variant_of

Entries = list[dict[str, Any]]

SITE = "https://www.f-puzzles.com/?load="


def fpuzzle(source: Source) -> str:
    """The JSON of f-puzzles for a spec.

    Raises
    ------
    Mistake
        If the spec says what f-puzzles has no word for.
    """
    from csp import paint

    return paint.compact(_object(variant_of(source.text))) + "\n"


def fpuzzle_link(source: Source) -> str:
    """The link to f-puzzles for a spec.

    Raises
    ------
    Mistake
        As for ``fpuzzle``.
    """
    return SITE + compress(json.dumps(_object(variant_of(source.text)), separators=(",", ":"))) + "\n"


def _object(variant: Variant) -> dict[str, Any]:
    fields: dict[str, Any] = {"size": variant.size, "title": variant.title, "author": variant.author}
    fields["ruleset"] = variant.rules
    sides = range(1, variant.size + 1)
    fields["grid"] = [[_cell(variant, r, c) for c in sides] for r in sides]
    fields |= {key: True for key, rule in FLAGS.items() if rule in variant.includes}
    if negative := [key for key, rule in NEGATIVES.items() if rule in variant.includes]:
        fields["negative"] = negative
    known = {"total", "whisper_distance", "circle"}
    for key, kind in KINDS.items():
        known.add(kind.relation)
        if entries := WRITERS.get(kind.relation, _lines)(variant, key):
            fields[key] = entries
    if unknown := {name for name in variant.facts if name not in known and not name.startswith("drawn_")}:
        raise Mistake(f"f-puzzles has no word for {min(unknown)}", Place(1, 1))
    fields |= drawn_entries(variant)
    return {key: value for key, value in fields.items() if value != ""}


def _cell(variant: Variant, r: int, c: int) -> dict[str, Any]:
    cell: dict[str, Any] = {}
    if not variant.has_boxes():
        cell["region"] = variant.regions[r, c] - 1 if (r, c) in variant.regions else None
    if (r, c) in variant.givens:
        cell |= {"value": variant.givens[r, c], "given": True}
    if (r, c) in variant.marks:
        cell["givenPencilMarks"] = variant.marks[r, c]
    return cell


def _at(r: Any, c: Any) -> str:
    return f"R{r}C{c}"


def _values(variant: Variant, relation: str) -> dict[Any, Any]:
    """What facts with two arguments say of the first."""
    return {one: value for one, value in variant.facts.get(relation, [])}


def _lines(variant: Variant, key: str) -> Entries:
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
    arrows = _lines(variant, key)
    circles: dict[Any, list[str]] = defaultdict(list)
    for arrow, _, r, c in variant.facts.get("circle", []):
        circles[arrow].append(_at(r, c))
    numbers = dict.fromkeys(one[0] for one in variant.facts.get("arrow", []))
    for arrow, entry in zip(numbers, arrows, strict=True):
        entry["cells"] = circles[arrow]
        entry["lines"][0].insert(0, circles[arrow][0])
    return arrows


def _cages(variant: Variant, key: str) -> Entries:
    totals = _values(variant, "total")
    cells: dict[Any, list[str]] = defaultdict(list)
    for r, c, cage in variant.facts.get("cage", []):
        cells[cage].append(_at(r, c))
    return [{"cells": some} | ({"value": str(totals[cage])} if cage in totals else {}) for cage, some in cells.items()]


def _dots(variant: Variant, key: str) -> Entries:
    colour = {"difference": "white", "ratio": "black"}[key]
    dots = [one for one in variant.facts.get("dot", []) if one[4] == colour]
    return [{"cells": [_at(r, c), _at(s, d)], "value": str(value)} for r, c, s, d, _, value in dots]


def _sums(variant: Variant, key: str) -> Entries:
    sums = variant.facts.get("pair_sum", [])
    if wrong := {one[4] for one in sums} - {5, 10}:
        raise Mistake(f"f-puzzles has no sign for a sum of {min(map(str, wrong))}", Place(1, 1))
    return [{"cells": [_at(r, c), _at(s, d)], "value": "X" if value == 10 else "V"} for r, c, s, d, value in sums]


def _marked(*, cells: bool = False) -> Callable[[Variant, str], Entries]:
    def write(variant: Variant, key: str) -> Entries:
        facts = variant.facts.get(KINDS[key].relation, [])
        wanted = {"odd": 1, "even": 0, "minimum": -1, "maximum": 1}.get(key)
        places = [_at(*one[:2]) for one in facts if wanted is None or one[2] == wanted]
        return [{"cells": [place]} if cells else {"cell": place} for place in places]

    return write


def _groups(variant: Variant, key: str) -> Entries:
    groups: dict[Any, list[str]] = defaultdict(list)
    for group, r, c in variant.facts.get(KINDS[key].relation, []):
        groups[group].append(_at(r, c))
    return [{"cells": cells} for cells in groups.values()]


def _outside(variant: Variant, key: str) -> Entries:
    return [{"cell": _at(r, c), "value": str(value)} for r, c, value in variant.facts.get(KINDS[key].relation, [])]


def _little_killers(variant: Variant, key: str) -> Entries:
    ways = {step: way for way, step in DIRECTIONS.items()}
    found: Entries = []
    for r, c, i, j, value in variant.facts.get("little_killer", []):
        found.append({"cell": _at(r, c), "direction": ways[int(i), int(j)], "value": str(value)})
    return found


def _quadruples(variant: Variant, key: str) -> Entries:
    corners: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for r, c, _, value in variant.facts.get("quadruple", []):
        corners[int(r), int(c)].append(value)
    return [
        {"cells": [_at(r + i, c + j) for i in (0, 1) for j in (0, 1)], "values": values}
        for (r, c), values in corners.items()
    ]


def _clones(variant: Variant, key: str) -> Entries:
    shapes: dict[Any, tuple[list[str], list[str]]] = {}
    for shape, r, c, s, d in variant.facts.get("clone", []):
        cells, copies = shapes.setdefault(shape, ([], []))
        cells.append(_at(r, c))
        copies.append(_at(s, d))
    return [{"cells": cells, "cloneCells": copies} for cells, copies in shapes.values()]


WRITERS: dict[str, Callable[[Variant, str], Entries]] = {
    "arrow": _arrows, "cage": _cages, "dot": _dots, "pair_sum": _sums, "parity": _marked(), "extremum": _marked(),
    "row_indexer": _marked(cells=True), "column_indexer": _marked(cells=True), "box_indexer": _marked(cells=True),
    "extra_region": _groups, "sandwich": _outside, "x_sum": _outside, "skyscraper": _outside,
    "numbered_room": _outside, "little_killer": _little_killers, "quadruple": _quadruples, "clone": _clones,
}  # fmt: skip
"""Who writes the facts of a relation that are no lines."""
