"""Reads and writes the letters of a link's body.

A code reads and writes a number of entries as letters. The codes of the genres are in ``entries``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ..packing import Damaged

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Digits up to base 36."""

GridEntry = int | str | None
"""An entry of a grid: None for nothing, ``?`` for a sign without a number."""

BodyEntry = Any
"""An entry of a grid, or a tuple of entries of several grids."""


class Letters:
    """A reader of the letters of a link's body, from left to right.

    Attributes
    ----------
    text : str
    start : int
        The position of the text in the link, for messages.
    at : int
        The number of letters read so far.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.at = 0

    def fail(self, message: str) -> Damaged:
        """Return an error for the current position in the link."""
        return Damaged(message, self.start + self.at)

    def peek(self) -> str:
        """Return the next letter without reading it; raise an error at the end."""
        if self.at >= len(self.text):
            raise self.fail("the link is cut short")
        return self.text[self.at]

    def accept(self, letters: str) -> bool:
        """Read the next letter if it is among ``letters``; return whether it was."""
        letter = self.text[self.at : self.at + 1]
        self.at += bool(letter) and letter in letters
        return bool(letter) and letter in letters

    def read_number(self, digits: int = 1, base: int = 16) -> int:
        """Read a number of ``digits`` digits in a base of up to 36."""
        value = 0
        for _ in range(digits):
            digit = DIGITS.find(self.peek())
            if not 0 <= digit < base:
                raise self.fail(f"{self.peek()!r} is not a digit here")
            self.at += 1
            value = base * value + digit
        return value

    def read_until_slash(self) -> int:
        """Read a decimal number of at most three digits and the slash after it."""
        end = self.text.find("/", self.at)
        digits = self.text[self.at : end]
        if end < 0 or not digits.isdecimal() or len(digits) > 3:
            raise self.fail("a number and a slash should be here")
        self.at = end + 1
        return int(digits)

    def read_rest(self) -> str:
        """Read and return all remaining letters."""
        start, self.at = self.at, len(self.text)
        return self.text[start:]

    def has_more(self) -> bool:
        """Return whether anything except slashes remains to be read."""
        return bool(self.text[self.at :].strip("/"))

    def check_end(self) -> None:
        """Raise an error if anything except slashes remains to be read."""
        if self.has_more():
            raise self.fail("more follows than the puzzle has")


def digits(value: int, count: int, base: int = 16) -> str:
    """Write a number with ``count`` digits in a base of up to 36.

    Examples
    --------
    >>> digits(26, 2), digits(35, 1, 36)
    ('1a', 'z')
    """
    return "".join(DIGITS[value // base**place % base] for place in range(count - 1, -1, -1))


class Unwritable(ValueError):
    """The error for a spec whose data puzz.link cannot express."""


class BodyCode(NamedTuple):
    """A code for a grid's entries: a function that reads, and one that writes.

    The reading function takes the number of entries to read.
    """

    read: Callable[[Letters, int], list[BodyEntry]]
    write: Callable[[Sequence[BodyEntry]], str]


def unwritable(entry: BodyEntry) -> Unwritable:
    """Return the error for an entry that puzz.link cannot express."""
    return Unwritable(f"links have no letters for {entry} there")


def run_code(
    first: str, read: Callable[[Letters], list[BodyEntry]], write: Callable[[BodyEntry, int], tuple[str, int]]
) -> BodyCode:
    """Return a ``BodyCode`` that writes a run of blanks as one letter.

    The letters are ``first`` to ``z``; a longer run has several letters.

    Parameters
    ----------
    first : str
        The letter of a single blank.
    read : function
        Reads an entry, and the blanks in the same letter.
    write : function
        Writes an entry that a number of blanks follow; returns the letters, and how many blanks they include.
    """
    max_run = len(DIGITS) - DIGITS.index(first)

    def read_all(letters: Letters, count: int) -> list[BodyEntry]:
        entries: list[BodyEntry] = []
        while len(entries) < count:
            # A letter from ``first`` on is a run of blanks; any other letter begins an entry.
            if first <= letters.peek() <= "z":
                entries += [None] * (DIGITS.index(letters.peek()) - DIGITS.index(first) + 1)
                letters.at += 1
            else:
                entries += read(letters)
        return entries[:count]

    def write_all(entries: Sequence[BodyEntry]) -> str:
        # Count blanks up to the next entry; write each run as one letter.
        text, at = "", 0
        while at < len(entries):
            has_entry = entries[at] is not None
            # Count the blanks after an entry, or at the current place.
            blanks = sum(1 for _ in takewhile(lambda entry: entry is None, entries[at + has_entry :]))
            if has_entry:
                letters, blanks = write(entries[at], blanks)
                text += letters
            else:
                text += "z" * (blanks // max_run) + (DIGITS[DIGITS.index(first) + blanks % max_run - 1]) * (
                    blanks % max_run > 0
                )
            at += has_entry + blanks
        return text

    return BodyCode(read_all, write_all)


def entry_code(first: str, read: Callable[[Letters], BodyEntry], write: Callable[[BodyEntry], str]) -> BodyCode:
    """Return a ``BodyCode`` from functions that read and write a single entry.

    A run of blanks is one letter; ``first`` is the letter of a single blank. ``read`` and ``write`` are for one entry.
    """
    return run_code(first, lambda letters: [read(letters)], lambda entry, _: (write(entry), 0))


def small_number_code(base: int, first: int = 0, *, unknown: bool = False) -> BodyCode:
    """Return a ``BodyCode`` that writes a number and the blanks after it as one letter.

    A letter has a number below ``base``, counted from ``first``, and a number of blanks. If ``unknown`` is true, ``.``
    is a sign without a number.
    """

    def read(letters: Letters) -> list[BodyEntry]:
        if unknown and letters.accept("."):
            return ["?"]
        number = letters.read_number(1, 16 // base * base)
        return [number % base + first, *[None] * (number // base)]

    def write(entry: BodyEntry, blanks: int) -> tuple[str, int]:
        if unknown and entry == "?":
            return ".", 0
        if not isinstance(entry, int) or not first <= entry < first + base:
            raise unwritable(entry)
        included_blanks = min(blanks, 16 // base - 1)
        return digits(included_blanks * base + entry - first, 1), included_blanks

    return run_code("g", read, write)


def packed_code(each: int, *entries: BodyEntry) -> BodyCode:
    """Return a ``BodyCode`` that writes ``each`` entries as one letter.

    ``entries`` lists all values that an entry can have.
    """
    base = len(entries)

    def read(letters: Letters, count: int) -> list[BodyEntry]:
        read_entries: list[BodyEntry] = []
        while len(read_entries) < count:
            number = letters.read_number(1, base**each)
            read_entries += [entries[number // base**place % base] for place in range(each - 1, -1, -1)]
        return read_entries[:count]

    def write(given: Sequence[BodyEntry]) -> str:
        if unknown_entries := [entry for entry in given if entry not in entries]:
            raise unwritable(unknown_entries[0])
        places = [entries.index(entry) for entry in given] + [0] * (-len(given) % each)
        letters = [places[start : start + each] for start in range(0, len(places), each)]
        return "".join(DIGITS[sum(place * base**i for i, place in enumerate(reversed(letter)))] for letter in letters)

    return BodyCode(read, write)


def mark_code(numbers: BodyCode, read: dict[BodyEntry, str], write: dict[BodyEntry, int]) -> BodyCode:
    """Return a ``BodyCode`` that writes marks, such as stars, as numbers in ``numbers``.

    ``read`` gives the mark of each number, and ``write`` the number of each mark.
    """

    def write_all(entries: Sequence[BodyEntry]) -> str:
        if unknown_entries := [entry for entry in entries if entry is not None and entry not in write]:
            raise unwritable(unknown_entries[0])
        return numbers.write([entry and write[entry] for entry in entries])

    def read_all(letters: Letters, count: int) -> list[BodyEntry]:
        return [number if number is None else read[number] for number in numbers.read(letters, count)]

    return BodyCode(read_all, write_all)
