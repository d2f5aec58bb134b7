"""Exports a spec to f-puzzles: recovers the sudoku variant, and writes its entries."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Source
from ...syntax.grids import read_grid
from ...syntax.nodes import Place
from ...syntax.parse import parse
from ...syntax.write import write
from ..convert.gallery import located_clauses
from .fpuzzles import DIRECTIONS, FLAGS, KINDS, NEGATIVES, RawEntry
from .packing import compress
from .variant import EMPTY_RELATIONS, Variant, boxes

Entries = list[dict[str, Any]]
"""The entries of a field of f-puzzles."""

SITE = "https://www.f-puzzles.com/?load="
"""The beginning of a link to f-puzzles."""

COLOUR_CODES = {
    "black": "#000000", "dark": "#606060", "grey": "#CFCFCF", "red": "#FF0000", "orange": "#FF8000",
    "yellow": "#FFFF00", "green": "#00C000", "blue": "#0000FF", "purple": "#C000C0",
}  # fmt: skip
"""The code of each colour of pictures."""

SPOT_KEYS = {
    "drawn_text": "text", "drawn_circle": "circle", "drawn_bead": "circle", "drawn_dot": "circle",
    "drawn_square": "rectangle", "drawn_box": "rectangle", "drawn_shade": "rectangle",
}  # fmt: skip
"""The field of f-puzzles for each relation of drawings in a cell or between two."""

BASES = ("sudoku", "jigsaw", "quasigroup")
"""Specs of the gallery that are sudokus with boxes, with irregular regions, and without regions."""

AUXILIARY_RULES = {"boxes", "cage_totals"}
"""Specs of the gallery that other rules need."""

RULES = {kind.rules for kind in KINDS.values()} | {*FLAGS.values()} | {*NEGATIVES.values()} | AUXILIARY_RULES
"""All specs of the gallery that a variant may include."""

HINT = "include sudoku, jigsaw or quasigroup, then rules that csp import uses; write clues as a grid or as facts"
"""The hint of errors about the form of the spec."""


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
    """Return a variant's f-puzzles JSON object; refuse relations that f-puzzles cannot express."""
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
        raise Diagnostic("not-exportable", f"f-puzzles has no word for {min(unwritten_relations)}", Place(1, 1))
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
    """Return a dict from first to second argument of a relation's facts."""
    return {number: value for number, value in variant.facts.get(relation, [])}


def _lines(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for the lines of a kind, such as thermometers.

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
        raise Diagnostic(
            "not-exportable", f"f-puzzles has no sign for a sum of {min(map(str, other_sums))}", Place(1, 1)
        )
    return [{"cells": [_at(r, c), _at(s, d)], "value": "X" if value == 10 else "V"} for r, c, s, d, value in sums]


def _marks(*, cells: bool = False) -> Callable[[Variant, str], Entries]:
    """Return a writer of one f-puzzles entry for each marked cell, such as odd or minimum.

    An entry has a list of one cell if ``cells`` is true, else the cell.
    """

    def write(variant: Variant, key: str) -> Entries:
        facts = variant.facts.get(KINDS[key].relation, [])
        kind = {"odd": 1, "even": 0, "minimum": -1, "maximum": 1}.get(key)
        places = [_at(*fact[:2]) for fact in facts if kind is None or fact[2] == kind]
        return [{"cells": [place]} if cells else {"cell": place} for place in places]

    return write


def _groups(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for numbered groups of cells."""
    groups: dict[Any, list[str]] = defaultdict(list)
    for group, r, c in variant.facts.get(KINDS[key].relation, []):
        groups[group].append(_at(r, c))
    return [{"cells": cells} for cells in groups.values()]


def _outside(variant: Variant, key: str) -> Entries:
    """Return the f-puzzles entries for clues beside the board, such as sandwich sums."""
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


def drawn_entries(variant: Variant) -> dict[str, list[RawEntry]]:
    """Return the f-puzzles entries for a variant's drawings, by field.

    The entries have the order of the facts.
    """
    entries: dict[str, list[RawEntry]] = defaultdict(list)
    for relation, facts in variant.facts.items():
        if relation in ("drawn_line", "drawn_arrow"):
            entries["line"] += _drawn_lines(facts)
        elif relation == "drawn_cage":
            entries["cage"] += _drawn_cages(facts)
        elif relation in SPOT_KEYS:
            entries[SPOT_KEYS[relation]] += [_spot(relation, *fact) for fact in facts]
    return entries


def _drawn_lines(facts: list[Any]) -> list[RawEntry]:
    """Return the f-puzzles entries for drawn lines.

    There is a fact for each cell of a line.
    """
    lines: dict[Any, RawEntry] = {}
    for line, _, r, c, *colour in sorted(facts, key=lambda fact: fact[:2]):
        entry = lines.setdefault(line, {"lines": [[]], "outlineC": COLOUR_CODES[colour[0] if colour else "grey"]})
        entry["lines"][0].append(_at(r, c))
    return [*lines.values()]


def _drawn_cages(facts: list[Any]) -> list[RawEntry]:
    """Return the f-puzzles entries for drawn cages.

    There is a fact for each cell of a cage.
    """
    cages: dict[Any, RawEntry] = {}
    for cage, r, c, text in facts:
        cages.setdefault(cage, {"cells": [], "value": text})["cells"].append(_at(r, c))
    return [*cages.values()]


def _spot(relation: str, *fact: Any) -> RawEntry:
    """Return the f-puzzles entry for a drawn text, circle or rectangle."""
    *places, content = fact
    cells = [_at(*places[i : i + 2]) for i in range(0, len(places), 2)]
    if relation == "drawn_shade":
        return {"cells": cells, "baseC": COLOUR_CODES[content], "value": ""}
    colour = (
        {} if relation == "drawn_text" else {"baseC": COLOUR_CODES["black"] if relation == "drawn_dot" else "#FFFFFF"}
    )
    return {"cells": cells, "value": str(content), **colour}


def variant_of(text: str) -> Variant:
    """Return the sudoku variant that a spec describes.

    Parameters
    ----------
    text : str
        A spec without errors.

    Raises
    ------
    Diagnostic
        At the first clause that f-puzzles cannot express.
    """
    parsed_clauses, diagnostics = parse(text)
    if diagnostics:
        raise diagnostics[0]
    # Read all clauses except those of the base as data of the variant.
    base, clauses = _base(parsed_clauses)
    params: dict[str, int] = {}
    grids: dict[str, dict[tuple[int, int], int | str]] = {}
    variant = Variant(0)
    for clause in clauses:
        match clause:
            case nodes.Include(_, name, False) if name in RULES:
                variant.include(name)
            case nodes.Param(_, name, nodes.Constant(_, int(number))) if name in ("n", "box", "rows", "cols"):
                params[name] = number
            case nodes.Grid(_, name, str(picture)) if name in ("clue", "region", "cage"):
                if re.search(r"[^\s.|+=-]", picture):
                    grids[name] = {(r, c): token for r, c, token in read_grid(picture, name)}
            case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name, arguments)), ()):
                variant.fact(name, *(_value(argument) for argument in arguments))
            case nodes.Rule(_, None, nodes.Declaration(_, (nodes.Call(_, "cell", (row, col)),), domain), ()):
                variant.marks[int(_value(row)), int(_value(col))] = sorted(_members(domain))
            case nodes.Draw() | nodes.Show(_, (nodes.Shown(_, nodes.Name(_, "cell"), None),), None):
                pass
            case _ if write(clause) in EMPTY_RELATIONS.values():
                pass
            case _:
                raise Diagnostic("not-exportable", "f-puzzles has no word for this", clause.at, HINT)
    # The size follows from the params; the spec's own defaults are 3 by 3 boxes.
    cols = params.get("cols", params.get("box", 3))
    rows = params.get("rows", params.get("box", 3))
    variant.size = params.get("n", rows * cols if base == "sudoku" else 9)
    if base == "sudoku":
        variant.regions = boxes(variant.size)
        if (rows, cols) != _box(variant.regions):
            raise Diagnostic(
                "not-exportable", f"f-puzzles has no boxes of {rows} rows and {cols} columns", Place(1, 1), HINT
            )
    # Regions may be named by letters: number them in their order.
    names: dict[int | str, int] = {}
    for cell, region in grids.get("region", {}).items() if base == "jigsaw" else ():
        variant.regions[cell] = names.setdefault(region, len(names) + 1)
    variant.givens = {cell: int(value) for cell, value in grids.get("clue", {}).items()}
    for (top, left_column), cage in grids.get("cage", {}).items():
        variant.fact("cage", top, left_column, cage)
    _read_comments(variant, text)
    return variant


def _base(parsed_clauses: Iterable[nodes.Clause]) -> tuple[str, list[nodes.Clause]]:
    """Return the name of the gallery spec that a spec extends, and its other clauses.

    The spec includes the base, or has all of its clauses.

    Raises
    ------
    Diagnostic
        If the spec has none of the bases.
    """
    clauses = list(parsed_clauses)
    # First look for an include of a base.
    for base in BASES:
        includes = [
            clause
            for clause in clauses
            if isinstance(clause, nodes.Include) and (clause.name, clause.is_file) == (base, False)
        ]
        if includes:
            return base, [clause for clause in clauses if clause not in includes]
    for base in BASES:
        # Otherwise all rules of a base must be clauses of the spec.
        rules = {write(item.clause) for item in located_clauses(base)}
        other_clauses = [
            clause for clause in clauses if isinstance(clause, (nodes.Grid, nodes.Param)) or write(clause) not in rules
        ]
        data = sum(isinstance(item.clause, (nodes.Grid, nodes.Param)) for item in located_clauses(base))
        if len(clauses) - len(other_clauses) == len(rules) - data:
            return base, [
                clause for clause in other_clauses if not (isinstance(clause, nodes.Param) and write(clause) in rules)
            ]
    raise Diagnostic("not-exportable", "f-puzzles cannot express this spec", Place(1, 1), HINT)


def _box(regions: dict[tuple[int, int], int]) -> tuple[int, int]:
    """Return the numbers of rows and columns of the box with number 1."""
    cells = [cell for cell, region in regions.items() if region == 1]
    return max(r for r, _ in cells), max(c for _, c in cells)


def _value(argument: object) -> int | str:
    """Return the number or name that an argument of a fact contains."""
    match argument:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
        case nodes.Operation(_, "-", nodes.Constant(_, 0), nodes.Constant(_, int(value))):
            return -value
    raise Diagnostic(
        "not-exportable", "a fact for f-puzzles has numbers only", getattr(argument, "at", Place(1, 1)), HINT
    )


def _members(domain: nodes.Union) -> set[int]:
    """Return the integers of a domain, without values above 99."""
    values: set[int] = set()
    for part in domain.parts:
        low, high = (part.low, part.high) if isinstance(part, nodes.Range) else (part, part)
        values |= {*range(int(_value(low)), min(int(_value(high)), 99) + 1)}
    return values


def _read_comments(variant: Variant, text: str) -> None:
    """Set a variant's title, author and rules from comments that an import writes."""
    texts: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        if match := re.fullmatch(r"% (Puzzle|Author|Rules|Drawn only|Not read): (.*)", line):
            name = match[1]
            texts[name] = [match[2]]
        elif name and re.fullmatch(r"%(   .*)?", line):
            texts[name].append(line[4:])
        else:
            name = ""
    variant.title, variant.author, variant.rules = (
        "\n".join(texts.get(heading, [])) for heading in ("Puzzle", "Author", "Rules")
    )
