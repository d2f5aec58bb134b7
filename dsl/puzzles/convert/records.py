"""JSON lines: one puzzle a line, with its family and the fields of that family."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from ...text.errors import Mistake, Source, near
from ...text.syntax import Place
from .puzzles import ForeignPuzzle, box_shape

MOST = 1000
"""The most rows or columns of a puzzle."""

Cell = tuple[int, int]
NumberRows = list[list[int | None]]


class PuzzleFields:
    """The fields of a puzzle, checked as they are read; rows and columns count from 0."""

    def __init__(self, fields: Mapping[str, Any], at: Place) -> None:
        self._fields, self._at = fields, at

    def __contains__(self, field: str) -> bool:
        return self._fields.get(field) is not None

    @property
    def name(self) -> str:
        """What the record is called; empty if it does not say."""
        return str(self._fields.get("id", ""))

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Say what is wrong with the record."""
        raise Mistake(message, self._at, hint)

    def field(self, name: str) -> Any:
        """A field that must be there."""
        if name not in self:
            self.fail(f"the record has no {name}")
        return self._fields[name]

    def flag(self, name: str) -> bool:
        """A field that is true, or false if it is not there."""
        return self._fields.get(name, False) is True

    def number(self, name: str, low: int = 1, high: int = MOST) -> int:
        """A number in a range."""
        return self._number(self.field(name), name, low, high)

    def text(self, name: str) -> str:
        """A string."""
        found: str = self._expect(self.field(name), str, name, "a string")
        return found

    def entries(self, name: str, length: int | None = None) -> list[Any]:
        """A list, of a length if one is given."""
        return self._list(self.field(name), name, length)

    def optional(self, name: str) -> list[Any]:
        """A list; empty if the record has no such field."""
        return self.entries(name) if name in self else []

    def some(self, name: str) -> list[Any]:
        """A list with something in it."""
        return self.entries(name) or self.fail(f"{name} is empty")

    def grid(self, name: str, rows: int, cols: int, high: int, low: int = 1) -> NumberRows:
        """Numbers in rows, None where there is null, or 0 below the lowest; all None without such a field."""
        if name not in self:
            return [[None] * cols for _ in range(rows)]
        found = [self._list(row, f"a row of {name}", cols) for row in self.entries(name, rows)]
        blank = (None, 0) if low > 0 else (None,)
        return [[None if v in blank else self._number(v, name, low, high) for v in row] for row in found]

    def regions(self, rows: int, cols: int) -> NumberRows:
        """The name of the region of every cell."""
        found = self.grid("regions", rows, cols, rows * cols, low=0)
        if any(name is None for row in found for name in row):
            self.fail("a cell lies in no region")
        return found

    def numbers(self, name: str, length: int, high: int) -> list[int | None]:
        """Numbers in a row, None where they are 0."""
        return [self._number(value, name, 0, high) or None for value in self.entries(name, length)]

    def strings(self, name: str, rows: int, cols: int) -> list[str]:
        """Rows as strings of one character for each column."""
        found = [self._expect(row, str, f"a row of {name}", "a string") for row in self.entries(name, rows)]
        for number, row in enumerate(found, 1):
            if len(row) != cols:
                self.fail(f"row {number} of {name} has {len(row)} characters, not {cols}")
        return found

    def cells(self, value: Any, name: str, rows: int, cols: int) -> list[Cell]:
        """A list of pairs of row and column."""
        return [self.cell(cell, name, rows, cols) for cell in self._list(value, name)]

    def cell(self, value: Any, name: str, rows: int, cols: int) -> Cell:
        """A pair of row and column."""
        row, col = self._list(value, f"a cell of {name}", 2)
        return self._number(row, name, 0, rows - 1), self._number(col, name, 0, cols - 1)

    def pairs(self, name: str, n: int) -> list[tuple[Cell, Cell]]:
        """Pairs of neighbouring cells of a square; none if the record has no such field."""
        found = []
        for pair in self.optional(name):
            a, b = self.cells(self._list(pair, f"a pair of {name}", 2), name, n, n)
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
                self.fail(f"{name} joins cells that are no neighbours: {list(a)} and {list(b)}")
            found.append((a, b))
        return found

    def dicts(self, name: str) -> Iterator[PuzzleFields]:
        """The records within a field."""
        for value in self.some(name):
            yield PuzzleFields(self._expect(value, dict, f"an entry of {name}", "an object"), self._at)

    def square(self) -> int:
        """The side of the puzzle."""
        return self.number("n")

    def box(self) -> tuple[int, int]:
        """Rows and columns of a box, which fits the side of the puzzle."""
        n = self.square()
        if "box" not in self:
            return box_shape(n)
        rows, cols = (self._number(side, "box", 1, n) for side in self.entries("box", 2))
        if rows * cols != n:
            self.fail(f"a box of {rows} by {cols} cells does not hold {n} values")
        return rows, cols

    def _list(self, value: Any, name: str, length: int | None = None) -> list[Any]:
        found: list[Any] = self._expect(value, list, name, "a list")
        if length is not None and len(found) != length:
            self.fail(f"{name} has {len(found)} entries, not {length}")
        return found

    def _number(self, value: Any, name: str, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{name} has {json.dumps(value)[:40]} where a number in {low}..{high} should be")
        return value

    def _expect(self, value: Any, kind: type, name: str, words: str) -> Any:
        if not isinstance(value, kind):
            self.fail(f"{name} is not {words}")
        return value


Family = Callable[[PuzzleFields, str], str]


def read_records(source: Source, families: Mapping[str, Family], family: str | None) -> list[ForeignPuzzle]:
    """The puzzles of JSON lines."""
    found: list[ForeignPuzzle] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            at = Place(number, 1, len(line))
            found.append(_puzzle(line, at, str(len(found) + 1), families, family))
    return found


def _puzzle(line: str, at: Place, number: str, families: Mapping[str, Family], family: str | None) -> ForeignPuzzle:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        return ForeignPuzzle(
            number, at, _failing(Mistake(f"this is not JSON: {error.msg}", Place(at.line, error.colno, 1)))
        )
    except (RecursionError, ValueError):  # a number of very many digits is an error of its own
        return ForeignPuzzle(number, at, _failing(Mistake("this is not JSON that a puzzle can have", at)))
    if not isinstance(fields, dict):
        return ForeignPuzzle(number, at, _failing(Mistake("a record is an object, {...}", at)))
    record = PuzzleFields(fields, at)
    name = record.name or number
    return ForeignPuzzle(name, at, lambda: make_spec(record, name, families, family))


def _failing(mistake: Mistake) -> Callable[[], str]:
    def spec() -> str:
        raise mistake

    return spec


def make_spec(record: PuzzleFields, title: str, families: Mapping[str, Family], family: str | None) -> str:
    """The spec of a record.

    Raises
    ------
    Mistake
        If the record is malformed.
    """
    name = record.text("family") if "family" in record else family
    if name is None:
        record.fail("nothing says of which family the puzzle is", "--family NAME")
    if name not in families:
        record.fail(f"there is no family {name[:40]}", near(name, families) or f"there are {', '.join(families)}")
    spec = families[name](record, title)
    if record.flag("diagonals") and '"diagonal' not in spec:
        record.fail(f"the diagonals of a {name} have no meaning here")
    return spec
