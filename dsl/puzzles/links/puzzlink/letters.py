"""The letters of a body, taken from the front, and digits of any base."""

from __future__ import annotations

from ..packed.lz import Damaged

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Letters:
    """A text taken from the front.

    ``start``: where it begins in the link, for messages.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.at = 0

    def fail(self, message: str) -> Damaged:
        """What is wrong here."""
        return Damaged(message, self.start + self.at)

    def next(self) -> str:
        """The letter that comes, which stays."""
        if self.at >= len(self.text):
            raise self.fail("the link is cut short")
        return self.text[self.at]

    def take(self, letters: str) -> bool:
        """Take one of these letters, if it comes."""
        found = self.text[self.at : self.at + 1]
        self.at += bool(found) and found in letters
        return bool(found) and found in letters

    def number(self, digits: int = 1, base: int = 16) -> int:
        """A number of so many digits."""
        value = 0
        for _ in range(digits):
            digit = DIGITS.find(self.next())
            if not 0 <= digit < base:
                raise self.fail(f"{self.next()!r} is no digit here")
            self.at += 1
            value = base * value + digit
        return value

    def until_slash(self) -> int:
        """A decimal number and the slash behind it."""
        end = self.text.find("/", self.at)
        digits = self.text[self.at : end]
        if end < 0 or not digits.isdecimal() or len(digits) > 3:
            raise self.fail("a number and a slash should be here")
        self.at = end + 1
        return int(digits)

    def rest(self) -> str:
        """All that is left."""
        start, self.at = self.at, len(self.text)
        return self.text[start:]

    def left(self) -> bool:
        """Whether more is left than a slash."""
        return bool(self.text[self.at :].strip("/"))

    def end(self) -> None:
        """Nothing may be left but a slash."""
        if self.left():
            raise self.fail("more follows than the puzzle has")


def digits(value: int, count: int, base: int = 16) -> str:
    """A number with so many digits.

    Examples
    --------
    >>> digits(26, 2), digits(35, 1, 36)
    ('1a', 'z')
    """
    return "".join(DIGITS[value // base**place % base] for place in range(count - 1, -1, -1))
