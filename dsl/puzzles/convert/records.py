"""Reads puzzles from JSON lines: one record of a puzzle per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from ...syntax.errors import Diagnostic, Source, suggest_name
from ...syntax.nodes import Place
from .puzzles import ForeignPuzzle, box_shape

MAX_SIDE = 1000
"""Maximum number of rows or columns of a puzzle; a larger number is an error."""

Cell = tuple[int, int]
"""Row and column, from 0."""

NumberRows = list[list[int | None]]
"""Rows of numbers; None for an empty entry."""


class PuzzleFields:
    """A JSON record of a puzzle, whose fields are checked when they are read.

    Rows and columns count from 0.
    """

    def __init__(self, fields: Mapping[str, Any], at: Place) -> None:
        self._fields, self._at = fields, at

    def __contains__(self, field: str) -> bool:
        return self._fields.get(field) is not None

    @property
    def name(self) -> str:
        """The value of the field ``id`` as text; empty without it."""
        return str(self._fields.get("id", ""))

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise an error at the place of the record in its file."""
        raise Diagnostic("bad-puzzle", message, self._at, hint)

    def field(self, name: str) -> Any:
        """Return the value of a required field."""
        if name not in self:
            self.fail(f"the record has no {name}")
        return self._fields[name]

    def flag(self, name: str) -> bool:
        """Return whether a field is true; a missing field counts as false."""
        return self._fields.get(name, False) is True

    def number(self, name: str, low: int = 1, high: int = MAX_SIDE) -> int:
        """Return a required number from ``low`` to ``high``, both included."""
        return self._number(self.field(name), name, low, high)

    def text(self, name: str) -> str:
        """Return the string in a required field."""
        text: str = self._expect(self.field(name), str, name, "a string")
        return text

    def entries(self, name: str, length: int | None = None) -> list[Any]:
        """Return the list in a required field; check its length if one is passed."""
        return self._list(self.field(name), name, length)

    def optional(self, name: str) -> list[Any]:
        """Return the list in a field; an empty list if the field is missing."""
        return self.entries(name) if name in self else []

    def non_empty(self, name: str) -> list[Any]:
        """Return the list in a required field, which must not be empty."""
        return self.entries(name) or self.fail(f"{name} is empty")

    def grid(self, name: str, rows: int, cols: int, high: int, low: int = 1) -> NumberRows:
        """Return the rows of numbers in a field, from ``low`` to ``high``.

        Null becomes None, and so does 0 if ``low`` is positive. If the field is missing, every entry is None.
        """
        if name not in self:
            return [[None] * cols for _ in range(rows)]
        lists = [self._list(row, f"a row of {name}", cols) for row in self.entries(name, rows)]
        blanks = (None, 0) if low > 0 else (None,)
        return [[None if v in blanks else self._number(v, name, low, high) for v in row] for row in lists]

    def regions(self, rows: int, cols: int) -> NumberRows:
        """Return the number of each cell's region, from the field ``regions``."""
        rows_of_regions = self.grid("regions", rows, cols, rows * cols, low=0)
        if any(name is None for row in rows_of_regions for name in row):
            self.fail("a cell lies in no region")
        return rows_of_regions

    def numbers(self, name: str, length: int, high: int) -> list[int | None]:
        """Return a field's list of ``length`` numbers from 0 to ``high``; 0 becomes None."""
        return [self._number(value, name, 0, high) or None for value in self.entries(name, length)]

    def strings(self, name: str, rows: int, cols: int) -> list[str]:
        """Return the rows in a field as strings, one character for each column."""
        texts = [self._expect(row, str, f"a row of {name}", "a string") for row in self.entries(name, rows)]
        for number, row in enumerate(texts, 1):
            if len(row) != cols:
                self.fail(f"row {number} of {name} has {len(row)} characters, not {cols}")
        return texts

    def cells(self, value: Any, name: str, rows: int, cols: int) -> list[Cell]:
        """Convert a list of pairs [row, column] to cells; refuse cells outside the board."""
        return [self.cell(cell, name, rows, cols) for cell in self._list(value, name)]

    def cell(self, value: Any, name: str, rows: int, cols: int) -> Cell:
        """Convert a pair [row, column] to a cell; refuse one outside the board."""
        row, col = self._list(value, f"a cell of {name}", 2)
        return self._number(row, name, 0, rows - 1), self._number(col, name, 0, cols - 1)

    def pairs(self, name: str, n: int) -> list[tuple[Cell, Cell]]:
        """Return the pairs of neighbouring cells in a field; empty if the field is missing."""
        neighbours = []
        for pair in self.optional(name):
            a, b = self.cells(self._list(pair, f"a pair of {name}", 2), name, n, n)
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
                self.fail(f"{name} joins cells that are not neighbours: {list(a)} and {list(b)}")
            neighbours.append((a, b))
        return neighbours

    def dicts(self, name: str) -> Iterator[PuzzleFields]:
        """Yield the objects in a field's list, which must not be empty, as records."""
        for value in self.non_empty(name):
            yield PuzzleFields(self._expect(value, dict, f"an entry of {name}", "an object"), self._at)

    def square(self) -> int:
        """Return the number of rows of a square puzzle, from the field ``n``."""
        return self.number("n")

    def box(self) -> tuple[int, int]:
        """Return the numbers of rows and columns of a box.

        Without a field ``box``, ``box_shape`` determines them. Their product must be the side of the puzzle.
        """
        n = self.square()
        if "box" not in self:
            return box_shape(n)
        rows, cols = (self._number(side, "box", 1, n) for side in self.entries("box", 2))
        if rows * cols != n:
            self.fail(f"a box of {rows} by {cols} cells does not hold {n} values")
        return rows, cols

    def _list(self, value: Any, name: str, length: int | None = None) -> list[Any]:
        entries: list[Any] = self._expect(value, list, name, "a list")
        if length is not None and len(entries) != length:
            self.fail(f"{name} has {len(entries)} entries, not {length}")
        return entries

    def _number(self, value: Any, name: str, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{name} has {json.dumps(value)[:40]} where a number in {low}..{high} should be")
        return value

    def _expect(self, value: Any, kind: type, name: str, words: str) -> Any:
        if not isinstance(value, kind):
            self.fail(f"{name} is not {words}")
        return value


Family = Callable[[PuzzleFields, str], str]
"""A function that returns the spec of a record with a title."""


def read_records(source: Source, families: Mapping[str, Family], family: str | None) -> list[ForeignPuzzle]:
    """Return the puzzles of a text in JSON lines; each is converted on demand."""
    puzzles: list[ForeignPuzzle] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            at = Place(number, 1, len(line))
            puzzles.append(_puzzle(line, at, str(len(puzzles) + 1), families, family))
    return puzzles


def _puzzle(
    line: str, at: Place, default_name: str, families: Mapping[str, Family], family: str | None
) -> ForeignPuzzle:
    """Return the puzzle of a line of JSON; converting a malformed line raises its error."""
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        return ForeignPuzzle(
            default_name,
            at,
            _failing(Diagnostic("bad-json", f"this is not JSON: {error.msg}", Place(at.line, error.colno, 1))),
        )
    except (RecursionError, ValueError):  # a number of very many digits is an error of its own
        return ForeignPuzzle(
            default_name, at, _failing(Diagnostic("bad-json", "this is not JSON that a puzzle can have", at))
        )
    if not isinstance(fields, dict):
        return ForeignPuzzle(default_name, at, _failing(Diagnostic("bad-json", "a record is an object, {...}", at)))
    record = PuzzleFields(fields, at)
    name = record.name or default_name
    return ForeignPuzzle(name, at, lambda: make_spec(record, name, families, family))


def _failing(diagnostic: Diagnostic) -> Callable[[], str]:
    """Return a function that raises a given error when it is called."""

    def spec() -> str:
        raise diagnostic

    return spec


def make_spec(record: PuzzleFields, title: str, families: Mapping[str, Family], family: str | None) -> str:
    """Return the spec of a puzzle's record, by the converter of its family.

    ``family`` is the family of a record that does not name its own.

    Raises
    ------
    Diagnostic
        If the record is malformed.
    """
    name = record.text("family") if "family" in record else family
    if name is None:
        record.fail("the family of the puzzle is not known", "--family NAME")
    if name not in families:
        record.fail(f"unknown family: {name[:40]}", suggest_name(name, families) or f"there are {', '.join(families)}")
    spec = families[name](record, title)
    if record.flag("diagonals") and '"diagonal' not in spec:
        record.fail(f"the diagonals of a {name} have no meaning here")
    return spec
