"""The codec of puzz.link and its likes: numbers, borders, circles and arrows as one text, in the genre's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .lz import Damaged

Numbers = list[int | None]
"""What stands in the cells, row by row: None for nothing, ``UNKNOWN`` where there is a sign without a number."""

UNKNOWN = -2

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""Signs before numbers of more than one digit: how many digits, and what is added."""


class Body:
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

    def end(self) -> None:
        """Nothing may be left but a slash."""
        if self.text[self.at :].strip("/"):
            raise self.fail("more follows than the puzzle has")

    def _filled(self, count: int, entries: Iterator[tuple[int, int | None]]) -> Numbers:
        """Entries, each with the number of blanks before it, in so many cells."""
        found: Numbers = []
        while len(found) < count:
            blanks, value = next(entries)
            found += [None] * blanks
            if value is not None:
                found.append(value)
        return found[:count]

    def numbers(self, count: int | None = None) -> Numbers:
        """Numbers of any size; ``g`` to ``z`` are runs of blanks."""
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

    def digits(self) -> Numbers:
        """Numbers of one digit; ``a`` to ``z`` are runs of blanks."""
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

    def fours(self, count: int | None = None) -> Numbers:
        """Numbers of 0 to 4, each with up to two blanks behind it in one letter."""
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

    def circles(self) -> Numbers:
        """1 for white, 2 for black, None for nothing."""
        return [value or None for value in self.packed(self.rows * self.cols, 3, 3)]

    def flags(self) -> list[int]:
        """0 or 1 for every cell."""
        return self.packed(self.rows * self.cols, 2, 5)

    def ones(self) -> list[int]:
        """1 for cells with a sign, of which the text tells how far apart they are."""
        found: list[int] = []
        while len(found) < self.rows * self.cols:
            number = self._number(1, 36)
            found += [0] * (number if number < 18 else number - 17)
            if number < 18:
                found.append(1)
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
        count, found = self.rows * self.cols, list[tuple[int, int] | None]()
        while len(found) < count:
            letter = self._letter()
            if "a" <= letter <= "z":
                found += [None] * (DIGITS.index(letter) - 9)
                continue
            self.at -= letter != "-"
            way = self._number(1, 10)
            if letter == "-":
                found.append((way, self._number(3)))
            elif way >= 5:
                found.append((way - 5, self._number(2)))
            elif self.text[self.at : self.at + 1] == ".":
                self.at += 1
                found.append((way, UNKNOWN))
            else:
                found.append((way, self._number(1)))
        return found[:count]

    def rooms(self) -> list[int]:
        """The room of every cell, numbered from 1 in the order of their first cells."""
        rows, cols = self.rows, self.cols
        right = self.packed(rows * (cols - 1), 2, 5)
        down = self.packed((rows - 1) * cols, 2, 5)
        open_ = [
            (r * cols + c, r * cols + c + 1)
            for r in range(rows)
            for c in range(cols - 1)
            if not right[r * (cols - 1) + c]
        ]
        open_ += [
            (r * cols + c, (r + 1) * cols + c) for r in range(rows - 1) for c in range(cols) if not down[r * cols + c]
        ]
        return pieces(rows * cols, open_)

    def room_numbers(self, room: list[int]) -> Numbers:
        """Numbers of rooms, each at the first cell of its room."""
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
