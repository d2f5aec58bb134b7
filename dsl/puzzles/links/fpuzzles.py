"""Reads the JSON of f-puzzles as a sudoku variant.

Each kind of constraint has a key in f-puzzles, rules in the gallery, and a reader of its entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from csp import counted

from .reading import Reader
from .variant import MAX_TEXT_LENGTH, Variant, boxes, draw_line, draw_spot, draw_text, symbol

RawEntry = dict[str, Any]
"""An entry of a constraint, as parsed JSON."""

FLAGS = {
    "diagonal+": "rising_diagonal",
    "diagonal-": "falling_diagonal",
    "antiknight": "anti_knight",
    "antiking": "anti_king",
    "disjointgroups": "disjoint_groups",
    "nonconsecutive": "nonconsecutive",
}
"""The rules of the gallery for constraints of the whole board."""

NEGATIVES = {"ratio": "no_ratios", "xv": "no_sums"}
"""The rules of the gallery for all pairs of neighbours without a mark."""

OTHER_FIELDS = {
    *("size", "grid", "title", "author", "ruleset", "negative", "solution", "disabledlogic", "truecandidatesoptions"),
    *("highlightConflicts", "successMessage"),
}
"""Fields that are not constraints."""

DRAWN = {
    "line": "lines", "text": "texts", "cage": "cages", "circle": "circles", "rectangle": "rectangles",
}  # fmt: skip
"""Fields that are drawn but are not constraints, with their names in notes."""

DIRECTIONS = {"DR": (1, 1), "DL": (1, -1), "UR": (-1, 1), "UL": (-1, -1)}
"""The step in rows and columns of each direction of a little killer."""


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
    rows = reader.board(fields.get("grid"), "grid")
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
    """Add all cells' givens, regions and given pencil marks to a variant."""
    entered_count = 0
    for r, row in enumerate(rows, 1):
        cells = reader.entries(row, f"row {r}")
        if len(cells) != variant.size:
            reader.fail(f"row {r} has {counted(len(cells), 'cell')}, not {variant.size}")
        for c, cell in enumerate(cells, 1):
            if not isinstance(cell, dict):
                reader.fail(f"the cell R{r}C{c} is not an object")
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
        variant.notes.append(f"{counted(entered_count, 'number')} that a player entered")


class EntryKind(NamedTuple):
    """A kind of constraint in f-puzzles, with the reader of its entries.

    Attributes
    ----------
    rules : str
        The spec of the gallery with the rules of this kind.
    relation : str
        The relation that the facts of this kind belong to.
    read : function
        Adds the facts of an entry to a variant; its last argument is the number of the entry, from 1.
    """

    rules: str
    relation: str
    read: Callable[[Reader, Variant, str, RawEntry, int], None]


def _line(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add the lines of an f-puzzles entry to the variant.

    A whisper also has a minimum difference of neighbours.
    """
    relation = KINDS[key].relation
    for line in reader.entries(entry.get("lines"), key):
        cells = reader.cells(line, key)
        line_number = variant.next_number(relation)
        for place, (r, c) in enumerate(cells, 1):
            variant.fact(relation, line_number, place, r, c)
        if key == "whispers":
            distance = reader.number(entry.get("value"), key, 1, variant.size)
            variant.fact("whisper_distance", line_number, distance or (variant.size + 1) // 2)


def _arrow(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add the arrows of an f-puzzles entry to the variant, with their circle.

    The cells of the circle are the digits of one number.
    """
    circle = sorted({*reader.cells(entry.get("cells"), key)})
    if not 1 <= len(circle) <= 3:
        reader.fail(f"the circle of an arrow has {len(circle)} cells")
    for line in reader.entries(entry.get("lines"), key):
        cells = [cell for cell in reader.cells(line, key) if cell not in circle]
        arrow_number = variant.next_number("arrow")
        for place, (r, c) in enumerate(cells, 1):
            variant.fact("arrow", arrow_number, place, r, c)
        # Facts of the circle have the weight of each digit.
        for place, (r, c) in enumerate(circle if cells else [], 1):
            variant.fact("circle", arrow_number, 10 ** (len(circle) - place), r, c)


def _cage(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add the cage of an f-puzzles entry to the variant, with its total if present."""
    for r, c in reader.cells(entry.get("cells"), key):
        variant.fact("cage", r, c, number)
    total = reader.number(entry.get("value"), key)
    if total is not None:
        variant.include("cage_totals")
        variant.fact("total", number, total)


def _pair(default: int) -> Callable[[Reader, Variant, str, RawEntry, int], None]:
    """Return a function that adds the fact of a mark between two cells.

    A mark without a value has ``default``; signs X and V have no default.
    """

    def read(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
        """Add an entry's mark between two cells; without a value, use ``default``.

        The signs X and V are the sums 10 and 5; an entry without a sign adds nothing.
        """
        cells = reader.cells(entry.get("cells"), key)
        value: int | None
        if key == "xv":
            sign = str(entry.get("value") or "").strip().upper()
            value = {"X": 10, "V": 5, "": 0}.get(sign)
            if value is None:
                reader.fail(f"xv has {sign[:20]} where X or V should be")
        else:
            value = reader.number(entry.get("value"), key) or default
        if len(cells) != 2:
            reader.fail(f"{key} has {len(cells)} cells, not 2")
        (r, c), (s, d) = sorted(cells)
        colour = {"difference": ("white",), "ratio": ("black",)}.get(key, ())
        if value:
            variant.fact(KINDS[key].relation, r, c, s, d, *colour, value)

    return read


def _mark(*further_arguments: int) -> Callable[[Reader, Variant, str, RawEntry, int], None]:
    """Return a function that adds a fact for each single cell that an entry marks.

    The facts end with ``further_arguments``.
    """

    def read(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
        single = [entry["cell"]] if entry.get("cell") else []
        for r, c in reader.cells([*single, *reader.entries(entry.get("cells"), key)], key):
            variant.fact(KINDS[key].relation, r, c, *further_arguments)

    return read


def _group(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add an entry's cells to the variant as the group ``number``."""
    for r, c in reader.cells(entry.get("cells"), key):
        variant.fact(KINDS[key].relation, number, r, c)


def _outside(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add an entry's clue beside a row or column to the variant.

    A clue without a value is omitted.
    """
    r, c = reader.place(entry.get("cell"), key, 1)
    value = reader.number(entry.get("value"), key)
    edges = (0, variant.size + 1)
    if (r in edges) == (c in edges):
        reader.fail(f"{key} stands at {entry.get('cell')}, which is not beside a row or a column")
    if value is not None:
        variant.fact(KINDS[key].relation, r, c, value)


def _little_killer(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add the sum of a diagonal, from the clue beside it, to the variant.

    A clue without a value is omitted.
    """
    r, c = reader.place(entry.get("cell"), key, 1)
    value = reader.number(entry.get("value"), key)
    direction = str(entry.get("direction"))
    if direction not in DIRECTIONS:
        reader.fail(f"{key} has the direction {direction[:20]}, which is not one of {', '.join(DIRECTIONS)}")
    i, j = DIRECTIONS[direction]
    if not (1 <= r + i <= variant.size and 1 <= c + j <= variant.size):
        reader.fail(f"{key} at {entry['cell']} looks away from the board")
    if value is not None:
        variant.fact("little_killer", r, c, i, j, value)


def _quadruple(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add to the variant the values that must occur around a corner of four cells."""
    cells = sorted(reader.cells(entry.get("cells"), key))
    if not cells or cells != [(cells[0][0] + i, cells[0][1] + j) for i in (0, 1) for j in (0, 1)]:
        reader.fail(f"{key} has cells that do not meet at a corner")
    values = [reader.number(value, key, 1, variant.size) for value in reader.entries(entry.get("values"), key)]
    value_count = sum(row[:2] == cells[0] for row in variant.facts.get("quadruple", []))
    for place, value in enumerate((value for value in values if value is not None), value_count + 1):
        variant.fact("quadruple", *cells[0], place, value)


def _clone(reader: Reader, variant: Variant, key: str, entry: RawEntry, number: int) -> None:
    """Add the cells of a shape to the variant, each paired with its clone."""
    cells, copies = reader.cells(entry.get("cells"), key), reader.cells(entry.get("cloneCells"), key)
    if len(cells) != len(copies):
        reader.fail(f"a clone has {len(cells)} cells, its copy {len(copies)}")
    for (r, c), (s, d) in zip(cells, copies, strict=True):
        if (r, c) != (s, d):
            variant.fact("clone", number, r, c, s, d)


KINDS = {
    "extraregion": EntryKind("extra_regions", "extra_region", _group),
    "odd": EntryKind("parity", "parity", _mark(1)),
    "even": EntryKind("parity", "parity", _mark(0)),
    "thermometer": EntryKind("thermometers", "thermometer", _line),
    "slowthermometer": EntryKind("slow_thermometers", "slow_thermometer", _line),
    "palindrome": EntryKind("palindromes", "palindrome", _line),
    "killercage": EntryKind("cages", "cage", _cage),
    "littlekillersum": EntryKind("little_killers", "little_killer", _little_killer),
    "sandwichsum": EntryKind("sandwiches", "sandwich", _outside),
    "xsum": EntryKind("x_sums", "x_sum", _outside),
    "skyscraper": EntryKind("towers", "skyscraper", _outside),
    "numberedroom": EntryKind("numbered_rooms", "numbered_room", _outside),
    "difference": EntryKind("dots", "dot", _pair(1)),
    "ratio": EntryKind("dots", "dot", _pair(2)),
    "xv": EntryKind("sums", "pair_sum", _pair(0)),
    "clone": EntryKind("clones", "clone", _clone),
    "arrow": EntryKind("arrows", "arrow", _arrow),
    "doublearrow": EntryKind("double_arrows", "double_arrow", _line),
    "betweenline": EntryKind("between", "between", _line),
    "minimum": EntryKind("extrema", "extremum", _mark(-1)),
    "maximum": EntryKind("extrema", "extremum", _mark(1)),
    "quadruple": EntryKind("quadruples", "quadruple", _quadruple),
    "renban": EntryKind("renbans", "renban", _line),
    "nabner": EntryKind("nabners", "nabner", _line),
    "whispers": EntryKind("whispers", "whisper", _line),
    "regionsumline": EntryKind("region_sums", "region_sum", _line),
    "zipperline": EntryKind("zippers", "zipper", _line),
    "entropicline": EntryKind("entropic", "entropic", _line),
    "modularline": EntryKind("modular", "modular", _line),
    "parityline": EntryKind("parity_lines", "parity_line", _line),
    "rowindexer": EntryKind("row_indexers", "row_indexer", _mark()),
    "columnindexer": EntryKind("column_indexers", "column_indexer", _mark()),
    "boxindexer": EntryKind("box_indexers", "box_indexer", _mark()),
}
"""Every kind of constraint, by its key in f-puzzles."""


def draw_entry(variant: Variant, reader: Reader, key: str, entry: RawEntry, number: int) -> None:
    """Add to a variant the facts that draw an entry without a constraint.

    A text is drawn in its first cell; a circle or rectangle only if it has one or two cells.
    """
    if key == "line":
        for line in reader.entries(entry.get("lines"), key):
            draw_line(variant, reader.cells(line, key), entry.get("outlineC"))
        return
    cells, words = reader.cells(entry.get("cells"), key, int(key == "text")), entry.get("value")
    if key == "cage":
        for cell in cells:
            variant.fact("drawn_cage", number, *cell, symbol(str(words or "")[:MAX_TEXT_LENGTH]))
    elif key == "text":
        for cell in cells[:1] if words else ():
            draw_text(variant, cell, words)
    elif len(cells) in (1, 2):
        draw_spot(variant, sorted(cells), words, entry.get("baseC"), key == "circle")
