"""The codec of puzz.link and its likes: numbers, borders, circles and arrows as one text, in the genre's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .packed.lz import Damaged

CellEntry = TypeVar("CellEntry")

CellNumbers = list[int | None]
"""What stands in the cells, row by row: None for nothing, ``UNKNOWN`` where there is a sign without a number."""

UNKNOWN = -2

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""Signs before numbers of more than one digit: how many digits, and what is added."""


SETS = ((360, 6, 2), (396, 4, 3), (460, 2, 4))
"""Where the numbers of two, three and four digits begin, of which base they are, and how many."""


class PuzzleBody:
    """The text of a puzzle, taken from the front.

    ``start``: where it begins in the link, for messages.
    """

    def __init__(self, text: str, start: int, rows: int, cols: int) -> None:
        self.text, self.start, self.rows, self.cols = text, start, rows, cols
        self.at = 0

    def fail(self, message: str) -> Damaged:
        """What is wrong here."""
        return Damaged(message, self.start + self.at)

    def _letter(self) -> str:
        if self.at >= len(self.text):
            raise self.fail("the link is cut short")
        self.at += 1
        return self.text[self.at - 1]

    def _number(self, digits: int, base: int = 16) -> int:
        value = 0
        for _ in range(digits):
            letter = self._letter()
            digit = DIGITS.find(letter)
            if not 0 <= digit < base:
                self.at -= 1
                raise self.fail(f"{letter!r} is no digit here")
            value = base * value + digit
        return value

    def rest(self) -> str:
        """All that is left."""
        start, self.at = self.at, len(self.text)
        return self.text[start:]

    def end(self) -> None:
        """Nothing may be left but a slash."""
        if self.text[self.at :].strip("/"):
            raise self.fail("more follows than the puzzle has")

    def _filled(self, count: int, entries: Iterator[tuple[int, int | None]]) -> CellNumbers:
        """Entries, each with the number of blanks before it, in so many cells."""
        found: CellNumbers = []
        while len(found) < count:
            blanks, value = next(entries)
            found += [None] * blanks
            if value is not None:
                found.append(value)
        return found[:count]

    def numbers(self, count: int | None = None) -> CellNumbers:
        """CellNumbers of any size; ``g`` to ``z`` are runs of blanks."""
        return self._filled(self.rows * self.cols if count is None else count, self._sixteens())

    def _sixteens(self) -> Iterator[tuple[int, int | None]]:
        while True:
            letter = self._letter()
            if letter in WIDE:
                digits, more = WIDE[letter]
                yield 0, self._number(digits) + more
            elif letter == ".":
                yield 0, UNKNOWN
            elif "g" <= letter <= "z":
                yield DIGITS.index(letter) - 15, None
            else:
                self.at -= 1
                yield 0, self._number(1)

    def digits(self) -> CellNumbers:
        """CellNumbers of one digit; ``a`` to ``z`` are runs of blanks."""
        return self._filled(self.rows * self.cols, self._tens())

    def _tens(self) -> Iterator[tuple[int, int | None]]:
        while True:
            letter = self._letter()
            if letter == ".":
                yield 0, UNKNOWN
            elif "a" <= letter <= "z":
                yield DIGITS.index(letter) - 9, None
            else:
                self.at -= 1
                yield 0, self._number(1, 10)

    def fours(self, count: int | None = None) -> CellNumbers:
        """CellNumbers of 0 to 4, each with up to two blanks behind it in one letter."""
        return self._filled(self.rows * self.cols if count is None else count, self._quarters())

    def _quarters(self) -> Iterator[tuple[int, int | None]]:
        while True:
            letter = self._letter()
            if letter == ".":
                yield 0, UNKNOWN
            elif "g" <= letter <= "z":
                yield DIGITS.index(letter) - 15, None
            else:
                self.at -= 1
                number = self._number(1, 15)
                yield 0, number % 5
                yield number // 5, None

    def packed(self, count: int, base: int, each: int) -> list[int]:
        """Digits of a small base, so many in a letter."""
        found: list[int] = []
        while len(found) < count:
            number = self._number(1, base**each)
            found += [number // base**place % base for place in range(each - 1, -1, -1)]
        return found[:count]

    def circles(self) -> CellNumbers:
        """1 for white, 2 for black, None for nothing."""
        return [value or None for value in self.packed(self.rows * self.cols, 3, 3)]

    def sets(self) -> CellNumbers:
        """Up to four numbers of one digit in every cell, as the digits of one; 9 for one that is not told."""
        return self._filled(self.rows * self.cols, self._sets())

    def _sets(self) -> Iterator[tuple[int, int | None]]:
        while True:
            letter = self._letter()
            if letter in ".9":
                yield 0, 9 if letter == "." else 1111
            elif "g" <= letter <= "z":
                yield DIGITS.index(letter) - 15, None
            elif letter in DIGITS[:9]:
                yield 0, int(letter)
            else:
                self.at -= 1
                code = self._number(2, 36)
                known = [one for one in SETS if one[0] <= code < one[0] + one[1] ** one[2]]
                if not known:
                    self.at -= 2
                    raise self.fail("no numbers are written so here")
                [(first, base, count)] = known
                yield 0, int("".join(str((code - first) // base**place % base or 9) for place in range(count)))

    def flags(self) -> list[int]:
        """0 or 1 for every cell."""
        return self.packed(self.rows * self.cols, 2, 5)

    def ones(self) -> list[int]:
        """1 for cells with a sign, of which the text tells how far apart they are."""
        found: list[int] = []
        while len(found) < self.rows * self.cols:
            number = self._number(1, 36)
            found += [1] + [0] * number if number < 18 else [0] * (number - 17)
        return found[: self.rows * self.cols]

    def letters(self) -> list[int]:
        """A number for every cell: a digit up to 35, or two behind a minus."""
        count = self.rows * self.cols
        found: list[int] = []
        while len(found) < count:
            letter = self._letter()
            self.at -= letter != "-"
            found.append(self._number(2, 36) if letter == "-" else self._number(1, 36))
        return found

    def until_slash(self) -> int:
        """A decimal number and the slash behind it."""
        end = self.text.find("/", self.at)
        digits = self.text[self.at : end]
        if end < 0 or not digits.isdecimal() or len(digits) > 3:
            raise self.fail("a number and a slash should be here")
        self.at = end + 1
        return int(digits)

    def arrows(self) -> list[tuple[int, int] | None]:
        """Direction (1 up, 2 down, 3 left, 4 right, 0 none) and number of every cell that has one."""
        return self._sparse(self._arrow)

    def _arrow(self) -> tuple[int, int]:
        """Direction and number."""
        long = self.text[self.at : self.at + 1] == "-"
        self.at += long
        way = self._number(1, 10)
        if long:
            return way, self._number(3)
        if way >= 5:
            return way - 5, self._number(2)
        if self.text[self.at : self.at + 1] == ".":
            self.at += 1
            return way, UNKNOWN
        return way, self._number(1)

    def outside(self) -> tuple[CellNumbers, CellNumbers]:
        """CellNumbers above the columns and beside the rows."""
        found = self.numbers(self.cols + self.rows)
        return found[: self.cols], found[self.cols :]

    def dots(self, count: int) -> CellNumbers:
        """1 for white, 2 for black, in places that are squares, borders and corners."""
        return self._filled(count, self._dots())

    def _dots(self) -> Iterator[tuple[int, int | None]]:
        while True:
            letter = self._letter()
            if "g" <= letter <= "z":
                yield DIGITS.index(letter) - 15, None
            else:
                self.at -= 1
                number = self._number(1)
                yield 0, number % 2 + 1
                yield number // 2, None

    def walls(self) -> list[tuple[int, int, int | None] | None]:
        """Colour (0 grey, 1 white, 2 black), direction as of arrows, and number of every cell that has a colour."""
        return self._sparse(lambda: (self._number(1, 3), *self._arrow()))

    def _sparse(self, entry: Callable[[], CellEntry]) -> list[CellEntry | None]:
        """An entry or nothing for every cell, where letters count the cells that have nothing."""
        count, found = self.rows * self.cols, list[CellEntry | None]()
        while len(found) < count:
            letter = self._letter()
            if "a" <= letter <= "z":
                found += [None] * (DIGITS.index(letter) - 9)
                continue
            self.at -= 1
            found.append(entry())
        return found[:count]

    def sums(self) -> tuple[list[object], list[object]]:
        """What the black cells of a kakuro say for their right and for below, with the row and the column outside."""
        rows, cols = self.rows, self.cols
        inside: list[tuple[object, object]] = []
        while len(inside) < rows * cols:
            letter = self._letter()
            if "k" <= letter <= "z":
                inside += [(None, None)] * (DIGITS.index(letter) - 19)
            elif letter == ".":
                inside.append(("#", "#"))
            else:
                self.at -= 1
                below = self._sum()
                inside.append((self._sum(), below))
        inside = inside[: rows * cols]
        top: list[tuple[object, object]] = [
            ("#", self._sum() if inside[c] == (None, None) else "#") for c in range(cols)
        ]
        board = [("#", "#"), *top]
        for r in range(rows):
            row = inside[r * cols : (r + 1) * cols]
            board += [(self._sum() if row[0] == (None, None) else "#", "#"), *row]
        return [one[0] for one in board], [one[1] for one in board]

    def _sum(self) -> int | str:
        letter = self._letter()
        if letter == "-":
            return "#"
        if "A" <= letter <= "Z":
            return ord(letter) - 45
        self.at -= 1
        value = self._number(1, 20)
        return value or "#"

    def borders(self) -> tuple[list[int], list[int]]:
        """Whether there is a border on the right of cells, and below them, where there is another cell."""
        rows, cols = self.rows, self.cols
        return self.packed(rows * (cols - 1), 2, 5), self.packed((rows - 1) * cols, 2, 5)

    def rooms(self) -> list[int]:
        """The room of every cell, numbered from 1 in the order of their first cells."""
        return self.parted(*self.borders())

    def parted(self, right: list[int], below: list[int]) -> list[int]:
        """The rooms of these borders."""
        cols = self.cols
        beside = [at + at // (cols - 1) for at in range(len(right))]
        open_ = [(cell, cell + 1) for cell, border in zip(beside, right, strict=True) if not border]
        open_ += [(cell, cell + cols) for cell, border in enumerate(below) if not border]
        return pieces(self.rows * cols, open_)

    def room_numbers(self, room: list[int]) -> CellNumbers:
        """CellNumbers of rooms, each at the first cell of its room."""
        numbers = self.numbers(max(room))
        return [numbers[one - 1] if one not in room[:cell] else None for cell, one in enumerate(room)]


def pieces(count: int, joined: Iterable[tuple[int, int]]) -> list[int]:
    """The piece of each of so many cells, from 1 in the order of their first cells."""
    root = list(range(count))

    def top(cell: int) -> int:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for a, b in joined:
        a, b = top(a), top(b)
        root[max(a, b)] = min(a, b)
    names: dict[int, int] = {}
    return [names.setdefault(top(cell), len(names) + 1) for cell in range(count)]
