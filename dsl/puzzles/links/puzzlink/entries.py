"""Reads and writes the entries of cells in each puzz.link genre.

Entries are numbers, arrows, circles, stars, trees and sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from .codes import (
    DIGITS,
    BodyCode,
    BodyEntry,
    GridEntry,
    Letters,
    digits,
    entry_code,
    mark_code,
    packed_code,
    run_code,
    small_number_code,
    unwritable,
)

LONG_NUMBERS = {
    "-": (2, 0),
    "+": (3, 0),
    "=": (3, 4096),
    "%": (3, 8192),
    "@": (3, 8192),
    "*": (4, 12240),
    "$": (5, 77776),
}
"""Signs of numbers with several digits: the number of hexadecimal digits, and the offset to add."""


def _read_number(letters: Letters) -> GridEntry:
    """Read a hexadecimal number of one or more digits.

    A sign before it gives the number of its digits; ``.`` is a sign without a number.
    """
    if letters.accept("."):
        return "?"
    for sign, (places, offset) in LONG_NUMBERS.items():
        if letters.accept(sign):
            return letters.read_number(places) + offset
    return letters.read_number()


def _write_number(entry: BodyEntry) -> str:
    """Write a number in hexadecimal, after a sign if it is long.

    The sign determines the number of digits. ``?`` is written as ``.``.
    """
    if entry == "?":
        return "."
    if not isinstance(entry, int) or entry < 0:
        raise unwritable(entry)
    if entry < 16:
        return digits(entry, 1)
    for sign, (places, offset) in LONG_NUMBERS.items():
        if offset <= entry < offset + 16**places:
            return sign + digits(entry - offset, places)
    raise unwritable(entry)


def _write_digit(entry: BodyEntry) -> str:
    if isinstance(entry, int) and 0 <= entry <= 9:
        return str(entry)
    if entry == "?":
        return "."
    raise unwritable(entry)


SET_CODES = ((360, 6, 2), (396, 4, 3), (460, 2, 4))
"""The codes of two, three and four numbers: the first code, the base of the numbers, and how many they are."""


def _read_set(letters: Letters) -> GridEntry:
    """Read up to four one-digit numbers of a cell, as the digits of one number.

    A digit 9 means a sign without a number.
    """
    if letters.accept("."):
        return 9
    if letters.accept("9"):
        return 1111
    if letters.peek() in DIGITS[:9]:
        return letters.read_number()
    code = letters.read_number(2, 36)
    for first, base, count in SET_CODES:
        if first <= code < first + base**count:
            return int("".join(str((code - first) // base**place % base or 9) for place in range(count)))
    letters.at -= 2
    raise letters.fail("no numbers are written so here")


def _write_set(entry: BodyEntry) -> str:
    """Write a cell's up to four one-digit numbers, which are the digits of the entry."""
    text = str(entry)
    if isinstance(entry, int) and entry >= 0 and len(text) == 1:
        return text.replace("9", ".")
    if entry == 1111:
        return "9"
    for first, base, count in SET_CODES:
        if len(text) == count and all(digit == "9" or digit in DIGITS[1:base] for digit in text):
            return digits(first + sum(int(digit) % 9 * base**place for place, digit in enumerate(text)), 2, 36)
    raise unwritable(entry)


def _read_letter(letters: Letters, count: int) -> list[BodyEntry]:
    """Read ``count`` numbers in base 36, one for each cell.

    A number is one digit up to 35, or two digits after a minus.
    """
    return [letters.read_number(2, 36) if letters.accept("-") else letters.read_number(1, 36) for _ in range(count)]


def _write_letters(entries: Sequence[BodyEntry]) -> str:
    """Write numbers in base 36: up to 35 one digit, else "-" and two."""
    if unwritable_entries := [number for number in entries if not isinstance(number, int) or not 0 <= number < 36**2]:
        raise unwritable(unwritable_entries[0])
    return "".join(digits(number, 1, 36) if number < 36 else "-" + digits(number, 2, 36) for number in entries)


DIRECTIONS = ".udlr"
"""The directions of arrows by their digit; 0 is an entry without an arrow."""


def _read_arrow(letters: Letters) -> tuple[GridEntry, GridEntry]:
    """Read a number or ``?``, and an arrow's direction or None."""
    is_long = letters.accept("-")
    direction = letters.read_number(1, 5 if is_long else 10)
    number: GridEntry = (
        letters.read_number(3) if is_long else letters.read_number(2) if direction >= 5 else _read_short(letters)
    )
    return number, DIRECTIONS[direction % 5].strip(".") or None


def _read_short(letters: Letters) -> GridEntry:
    """Read a number of one digit; ``.`` gives ``?``, a sign without a number."""
    return "?" if letters.accept(".") else letters.read_number()


def _write_arrow(entry: tuple[GridEntry, GridEntry]) -> str:
    """Write a number with the direction of an arrow, in the shortest form."""
    number, direction = entry
    if direction not in (None, *DIRECTIONS[1:]):
        raise unwritable(direction)
    place = DIRECTIONS.index(str(direction or "."))
    if number == "?":
        return f"{place}."
    if not isinstance(number, int) or not 0 <= number < 16**3:
        raise unwritable("an arrow without a number" if number is None else number)
    return (
        f"{place}{number:x}" if number < 16 else f"{place + 5}{number:02x}" if number < 256 else f"-{place}{number:03x}"
    )


COLOURS = "gwb"
"""The colours of walls by their digit: grey, white and black."""


def _read_wall(letters: Letters) -> tuple[GridEntry, GridEntry, GridEntry]:
    """Read a wall cell: colour, number and arrow's direction; the last two may be None."""
    colour, arrow = COLOURS[letters.read_number(1, 3)], _read_arrow(letters)
    return (colour, None, None) if arrow == ("?", None) else (colour, *arrow)


def _write_wall(entry: tuple[GridEntry, GridEntry, GridEntry]) -> str:
    """Return the code of a wall cell; refuse an entry without a known colour."""
    wall, number, direction = entry
    if wall not in (*COLOURS,):
        raise unwritable("a number without a wall" if wall is None else wall)
    return f"{COLOURS.index(str(wall))}{_write_arrow(('?' if number is direction is None else number, direction))}"


def _read_balance(letters: Letters) -> tuple[GridEntry, GridEntry]:
    """Read a circle: its colour, and its number or None.

    The code is twice the number, plus 1 if the circle is black; 0 and 1 are circles without a number.
    """
    number = _read_number(letters)
    if not isinstance(number, int):
        return "w", None
    return "wb"[number % 2], number // 2 or None


def _write_balance(entry: tuple[GridEntry, GridEntry]) -> str:
    """Write a circle: its colour, and its number or None."""
    colour, number = entry
    if colour not in ("w", "b") or not isinstance(number or 0, int) or number == 0:
        raise unwritable(entry)
    return _write_number(2 * int(number or 0) + "wb".index(str(colour)))


def _read_tree(letters: Letters) -> list[BodyEntry]:
    """Read a cell with a tree, and the blank cells that follow."""
    return ["t", *[None] * letters.read_number(1, 18)]


def _write_tree(entry: BodyEntry, blanks: int) -> tuple[str, int]:
    """Write a tree and up to 17 following blanks; return the letter and their number."""
    if entry != "t":
        raise unwritable(entry)
    return DIGITS[min(blanks, 17)], min(blanks, 17)


def read_sum(letters: Letters) -> GridEntry:
    """Read a sum of a kakuro from one letter; ``#`` means no sum.

    A sum from 20 on is a capital letter.
    """
    if letters.accept("-"):
        return "#"
    if "A" <= letters.peek() <= "Z":
        letters.at += 1
        return ord(letters.text[letters.at - 1]) - 45
    return letters.read_number(1, 20) or "#"


def write_sum(entry: GridEntry) -> str:
    """Write a sum of a kakuro as one letter; ``-`` for no sum."""
    if entry == "#":
        return "-"
    if not isinstance(entry, int) or not 1 <= entry <= 45:
        raise unwritable(entry)
    return digits(entry, 1, 20) if entry < 20 else chr(entry + 45)


def _read_black(letters: Letters) -> tuple[GridEntry, GridEntry]:
    """Read a black cell: its sums to the right and below, ``#`` for none."""
    if letters.accept("."):
        return "#", "#"
    below = read_sum(letters)
    return read_sum(letters), below


def _write_black(entry: tuple[GridEntry, GridEntry]) -> str:
    """Write a black cell: its sums to the right and below, ``#`` for none."""
    return "." if entry == ("#", "#") else write_sum(entry[1]) + write_sum(entry[0])


BORDERS = packed_code(5, 0, 1)
"""Borders: 1 for a border, 0 for none."""

PACKED_FLAGS = packed_code(5, None, "x")
NUMBERS = entry_code("g", _read_number, _write_number)
"""Numbers, or signs without a number."""

DECIMALS = entry_code("a", lambda letters: "?" if letters.accept(".") else letters.read_number(1, 10), _write_digit)
"""Decimal digits, or signs without a number."""

FOURS = small_number_code(5, unknown=True)
"""Numbers up to 4, or signs without a number."""

WHITE_DOTS, BLACK_DOTS = (mark_code(small_number_code(2, 1), {1: "o", 2: "o"}, {"o": colour}) for colour in (1, 2))
"""Dots of one colour."""

SIDES = entry_code("a", lambda letters: "?" if letters.accept(".") else letters.read_number(1, 5), _write_digit)
"""Numbers up to 4, each in a letter of its own."""

STARS = mark_code(small_number_code(2), {0: "w", 1: "b"}, {"w": 0, "b": 1})
"""White and black stars."""

FLAGS = BodyCode(
    lambda letters, count: PACKED_FLAGS.read(letters, count) if letters.has_more() else [None] * count,
    lambda entries: PACKED_FLAGS.write(entries) if any(entries) else "",
)
"""Marked cells; no letters are written if no cell is marked."""

CIRCLES = packed_code(3, None, "w", "b")
"""White and black circles."""

NUMBER_SETS = entry_code("g", _read_set, _write_set)
"""Up to four numbers in a cell."""

TREES = run_code("i", _read_tree, _write_tree)
"""Trees."""

LETTERS = BodyCode(_read_letter, _write_letters)
"""A number in every cell."""

ARROWS = entry_code("a", _read_arrow, _write_arrow)
"""Numbers with arrows."""

WALLS = entry_code("a", _read_wall, _write_wall)
"""Coloured walls with numbers and arrows."""

BALANCE = entry_code("g", _read_balance, _write_balance)
"""White and black circles with numbers."""

SUMS = entry_code("k", _read_black, _write_black)
"""Black cells of a kakuro."""
