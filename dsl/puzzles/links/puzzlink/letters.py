"""Reads the body of a link letter by letter, and writes digits."""

from __future__ import annotations

from ..packed.lz import Damaged

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Digits up to base 36."""


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
        """Return an error that names the current position in the link."""
        return Damaged(message, self.start + self.at)

    def peek(self) -> str:
        """Return the next letter without reading it."""
        if self.at >= len(self.text):
            raise self.fail("the link is cut short")
        return self.text[self.at]

    def accept(self, letters: str) -> bool:
        """Read the next letter if it is one of the given letters.

        Returns whether it was.
        """
        letter = self.text[self.at : self.at + 1]
        self.at += bool(letter) and letter in letters
        return bool(letter) and letter in letters

    def read_number(self, digits: int = 1, base: int = 16) -> int:
        """Read a number that has ``digits`` digits."""
        value = 0
        for _ in range(digits):
            digit = DIGITS.find(self.peek())
            if not 0 <= digit < base:
                raise self.fail(f"{self.peek()!r} is no digit here")
            self.at += 1
            value = base * value + digit
        return value

    def read_until_slash(self) -> int:
        """Read a decimal number and the slash after it."""
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
        """Return whether anything except a final slash remains."""
        return bool(self.text[self.at :].strip("/"))

    def check_end(self) -> None:
        """Raise an error if anything except a final slash remains."""
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
