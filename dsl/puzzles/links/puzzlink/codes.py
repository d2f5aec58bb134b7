"""How puzz.link writes the entries of cells: each code reads as many as are asked for, and writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from .letters import DIGITS, Letters, digits

GridEntry = int | str | None
"""What stands in a grid; None for nothing, ``?`` for a sign without a number."""

BodyEntry = Any
"""A token, or a tuple of them."""


class Unwritable(ValueError):
    """Links have no letters for this."""


class BodyCode(NamedTuple):
    """How entries are read, so many, and written."""

    read: Callable[[Letters, int], list[BodyEntry]]
    write: Callable[[Sequence[BodyEntry]], str]


def unwritable(entry: BodyEntry) -> Unwritable:
    """That links have no letters for an entry."""
    return Unwritable(f"links have no letters for {entry} there")


def runs(
    first: str, read: Callable[[Letters], list[BodyEntry]], write: Callable[[BodyEntry, int], tuple[str, int]]
) -> BodyCode:
    """Entries, and letters from the first one to ``z`` for runs of blanks.

    ``read``: an entry, and the blanks that it tells besides; ``write``: the letters of an entry before so many blanks,
    and how many of them they tell.
    """
    most = len(DIGITS) - DIGITS.index(first)

    def read_all(letters: Letters, count: int) -> list[BodyEntry]:
        found: list[BodyEntry] = []
        while len(found) < count:
            if first <= letters.next() <= "z":
                found += [None] * (DIGITS.index(letters.next()) - DIGITS.index(first) + 1)
                letters.at += 1
            else:
                found += read(letters)
        return found[:count]

    def write_all(entries: Sequence[BodyEntry]) -> str:
        text, at = "", 0
        while at < len(entries):
            told = entries[at] is not None
            blanks = sum(1 for _ in takewhile(lambda one: one is None, entries[at + told :]))
            if told:
                letters, blanks = write(entries[at], blanks)
                text += letters
            else:
                text += "z" * (blanks // most) + (DIGITS[DIGITS.index(first) + blanks % most - 1]) * (blanks % most > 0)
            at += told + blanks
        return text

    return BodyCode(read_all, write_all)


def alone(first: str, read: Callable[[Letters], BodyEntry], write: Callable[[BodyEntry], str]) -> BodyCode:
    """Entries that tell no blanks, with runs of blanks between them."""
    return runs(first, lambda letters: [read(letters)], lambda entry, _: (write(entry), 0))


def small(base: int, first: int = 0, *, unknown: bool = False) -> BodyCode:
    """Entries of a small base, each with the blanks behind it in one letter."""

    def read(letters: Letters) -> list[BodyEntry]:
        if unknown and letters.take("."):
            return ["?"]
        number = letters.number(1, 16 // base * base)
        return [number % base + first, *[None] * (number // base)]

    def write(entry: BodyEntry, blanks: int) -> tuple[str, int]:
        if unknown and entry == "?":
            return ".", 0
        if not isinstance(entry, int) or not first <= entry < first + base:
            raise unwritable(entry)
        told = min(blanks, 16 // base - 1)
        return digits(told * base + entry - first, 1), told

    return runs("g", read, write)


WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""Signs before numbers of more than one digit: how many digits, and what is added."""


def _read_number(letters: Letters) -> GridEntry:
    if letters.take("."):
        return "?"
    for sign, (places, more) in WIDE.items():
        if letters.take(sign):
            return letters.number(places) + more
    return letters.number()


def _write_number(entry: BodyEntry) -> str:
    if entry == "?":
        return "."
    if not isinstance(entry, int) or entry < 0:
        raise unwritable(entry)
    if entry < 16:
        return digits(entry, 1)
    for sign, (places, more) in WIDE.items():
        if more <= entry < more + 16**places:
            return sign + digits(entry - more, places)
    raise unwritable(entry)


def _write_digit(entry: BodyEntry) -> str:
    if isinstance(entry, int) and 0 <= entry <= 9:
        return str(entry)
    if entry == "?":
        return "."
    raise unwritable(entry)


def packed(each: int, *entries: BodyEntry) -> BodyCode:
    """Entries of a few kinds, so many in a letter."""
    base = len(entries)

    def read(letters: Letters, count: int) -> list[BodyEntry]:
        found: list[BodyEntry] = []
        while len(found) < count:
            number = letters.number(1, base**each)
            found += [entries[number // base**place % base] for place in range(each - 1, -1, -1)]
        return found[:count]

    def write(given: Sequence[BodyEntry]) -> str:
        if wrong := [one for one in given if one not in entries]:
            raise unwritable(wrong[0])
        places = [entries.index(one) for one in given] + [0] * (-len(given) % each)
        letters = [places[at : at + each] for at in range(0, len(places), each)]
        return "".join(DIGITS[sum(n * base**i for i, n in enumerate(reversed(some)))] for some in letters)

    return BodyCode(read, write)


def marks(numbers: BodyCode, read: dict[BodyEntry, str], write: dict[BodyEntry, int]) -> BodyCode:
    """Marks that are written as numbers, each with the blanks behind it in one letter."""

    def write_all(entries: Sequence[BodyEntry]) -> str:
        if wrong := [one for one in entries if one is not None and one not in write]:
            raise unwritable(wrong[0])
        return numbers.write([one and write[one] for one in entries])

    def read_all(letters: Letters, count: int) -> list[BodyEntry]:
        return [one if one is None else read[one] for one in numbers.read(letters, count)]

    return BodyCode(read_all, write_all)


SETS = ((360, 6, 2), (396, 4, 3), (460, 2, 4))
"""Where the numbers of two, three and four digits begin, of which base they are, and how many."""


def _read_set(letters: Letters) -> GridEntry:
    """Up to four numbers of one digit as the digits of one; 9 for one that is not told."""
    if letters.take("."):
        return 9
    if letters.take("9"):
        return 1111
    if letters.next() in DIGITS[:9]:
        return letters.number()
    code = letters.number(2, 36)
    for first, base, count in SETS:
        if first <= code < first + base**count:
            return int("".join(str((code - first) // base**place % base or 9) for place in range(count)))
    letters.at -= 2
    raise letters.fail("no numbers are written so here")


def _write_set(entry: BodyEntry) -> str:
    text = str(entry)
    if isinstance(entry, int) and entry >= 0 and len(text) == 1:
        return text.replace("9", ".")
    if entry == 1111:
        return "9"
    for first, base, count in SETS:
        if len(text) == count and all(one == "9" or one in DIGITS[1:base] for one in text):
            return digits(first + sum(int(one) % 9 * base**place for place, one in enumerate(text)), 2, 36)
    raise unwritable(entry)


def _read_letter(letters: Letters, count: int) -> list[BodyEntry]:
    """A number for every cell: a digit up to 35, or two behind a minus."""
    return [letters.number(2, 36) if letters.take("-") else letters.number(1, 36) for _ in range(count)]


def _write_letters(entries: Sequence[BodyEntry]) -> str:
    if wrong := [one for one in entries if not isinstance(one, int) or not 0 <= one < 36**2]:
        raise unwritable(wrong[0])
    return "".join(digits(one, 1, 36) if one < 36 else "-" + digits(one, 2, 36) for one in entries)


WAYS = ".udlr"


def _read_arrow(letters: Letters) -> tuple[GridEntry, GridEntry]:
    """A number and where its arrow points to."""
    long = letters.take("-")
    way = letters.number(1, 5 if long else 10)
    number: GridEntry = letters.number(3) if long else letters.number(2) if way >= 5 else _read_short(letters)
    return number, WAYS[way % 5].strip(".") or None


def _read_short(letters: Letters) -> GridEntry:
    return "?" if letters.take(".") else letters.number()


def _write_arrow(entry: tuple[GridEntry, GridEntry]) -> str:
    number, way = entry
    if way not in (None, *WAYS[1:]):
        raise unwritable(way)
    place = WAYS.index(str(way or "."))
    if number == "?":
        return f"{place}."
    if not isinstance(number, int) or not 0 <= number < 16**3:
        raise unwritable("an arrow without a number" if number is None else number)
    return (
        f"{place}{number:x}" if number < 16 else f"{place + 5}{number:02x}" if number < 256 else f"-{place}{number:03x}"
    )


COLOURS = "gwb"


def _read_wall(letters: Letters) -> tuple[GridEntry, GridEntry, GridEntry]:
    colour, arrow = COLOURS[letters.number(1, 3)], _read_arrow(letters)
    return (colour, None, None) if arrow == ("?", None) else (colour, *arrow)


def _write_wall(entry: tuple[GridEntry, GridEntry, GridEntry]) -> str:
    wall, number, way = entry
    if wall not in (*COLOURS,):
        raise unwritable("a number without a wall" if wall is None else wall)
    return f"{COLOURS.index(str(wall))}{_write_arrow(('?' if number is way is None else number, way))}"


def _read_balance(letters: Letters) -> tuple[GridEntry, GridEntry]:
    """Even numbers are white, odd ones black, of twice what they say; 0 and 1 say nothing."""
    number = _read_number(letters)
    if not isinstance(number, int):
        return "w", None
    return "wb"[number % 2], number // 2 or None


def _write_balance(entry: tuple[GridEntry, GridEntry]) -> str:
    colour, number = entry
    if colour not in ("w", "b") or not isinstance(number or 0, int) or number == 0:
        raise unwritable(entry)
    return _write_number(2 * int(number or 0) + "wb".index(str(colour)))


def _read_tree(letters: Letters) -> list[BodyEntry]:
    return ["t", *[None] * letters.number(1, 18)]


def _write_tree(entry: BodyEntry, blanks: int) -> tuple[str, int]:
    if entry != "t":
        raise unwritable(entry)
    return DIGITS[min(blanks, 17)], min(blanks, 17)


def read_sum(letters: Letters) -> GridEntry:
    """A sum of a kakuro: 20 and more are capitals, ``#`` is none."""
    if letters.take("-"):
        return "#"
    if "A" <= letters.next() <= "Z":
        letters.at += 1
        return ord(letters.text[letters.at - 1]) - 45
    return letters.number(1, 20) or "#"


def write_sum(entry: GridEntry) -> str:
    """The letter of a sum."""
    if entry == "#":
        return "-"
    if not isinstance(entry, int) or not 1 <= entry <= 45:
        raise unwritable(entry)
    return digits(entry, 1, 20) if entry < 20 else chr(entry + 45)


def _read_black(letters: Letters) -> tuple[GridEntry, GridEntry]:
    if letters.take("."):
        return "#", "#"
    below = read_sum(letters)
    return read_sum(letters), below


def _write_black(entry: tuple[GridEntry, GridEntry]) -> str:
    return "." if entry == ("#", "#") else write_sum(entry[1]) + write_sum(entry[0])


_flags = packed(5, None, "x")
NUMBERS = alone("g", _read_number, _write_number)
DECIMALS = alone("a", lambda letters: "?" if letters.take(".") else letters.number(1, 10), _write_digit)
FOURS = small(5, unknown=True)
WHITE_DOTS, BLACK_DOTS = (marks(small(2, 1), {1: "o", 2: "o"}, {"o": colour}) for colour in (1, 2))
SIDES = alone("a", lambda letters: "?" if letters.take(".") else letters.number(1, 5), _write_digit)
STARS = marks(small(2), {0: "w", 1: "b"}, {"w": 0, "b": 1})
FLAGS = BodyCode(
    lambda letters, count: _flags.read(letters, count) if letters.left() else [None] * count,
    lambda entries: _flags.write(entries) if any(entries) else "",
)
CIRCLES = packed(3, None, "w", "b")
NUMBER_SETS = alone("g", _read_set, _write_set)
TREES = runs("i", _read_tree, _write_tree)
LETTERS = BodyCode(_read_letter, _write_letters)
ARROWS = alone("a", _read_arrow, _write_arrow)
WALLS = alone("a", _read_wall, _write_wall)
BALANCE = alone("g", _read_balance, _write_balance)
SUMS = alone("k", _read_black, _write_black)
