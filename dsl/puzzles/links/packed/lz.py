"""LZ-string's compression, as links to f-puzzles and SudokuPad have it: LZ78 with codes that widen, in base64."""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits of base64; ``=`` at the end says nothing."""

MOST = 1_000_000
"""The most characters of a text that a link may hold."""

NEW_8, NEW_16, END = 0, 1, 2
"""The codes that are no words: a character of 8 or of 16 bits follows, and the end."""


class Damaged(ValueError):
    """What stands in a link cannot be read.

    ``at``: the character at which it was noticed, counting from 0.
    """

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class _Bits:
    """The bits of a text in base64, the lowest bit of a number first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._digit = self._left = 0

    def take(self, width: int) -> int:
        number = 0
        for place in range(width):
            if not self._left:
                if self.at >= len(self.text):
                    raise Damaged("the link is cut short", self.at)
                self._digit = ALPHABET.find(self.text[self.at])
                if self._digit < 0:
                    raise Damaged(f"{self.text[self.at]!r} is no digit of base64", self.at)
                self._left = 6
                self.at += 1
            self._left -= 1
            number |= (self._digit >> self._left & 1) << place
        return number


def decompress(text: str) -> str:
    """The text that ``compressToBase64`` of lz-string has compressed.

    ``text``: in base64; a blank stands for ``+``, which is what browsers make of it.

    Raises
    ------
    Damaged
        With the character where it was noticed.

    Notes
    -----
    Linear in the length of the result, which is at most ``MOST`` characters.

    Examples
    --------
    >>> decompress(compress("to be or not to be"))
    'to be or not to be'
    """
    bits = _Bits(text.replace(" ", "+").rstrip("="))
    words = ["", "", ""]
    found: list[str] = []
    size, last = 0, ""
    while (code := bits.take(len(words).bit_length())) != END:
        if code in (NEW_8, NEW_16):
            word = chr(bits.take(16 if code else 8))
            words.append(word)
        elif code < len(words):
            word = words[code]
        elif code == len(words) and last:
            word = last + last[0]
        else:
            raise Damaged("a code that stands for nothing", bits.at - 1)
        if last:
            words.append(last + word[0])
        found.append(word)
        size += len(word)
        if size > MOST:
            raise Damaged(f"the link holds more than {MOST:,} characters", bits.at - 1)
        last = word
    return "".join(found)


def compress(text: str) -> str:
    """What ``compressToBase64`` of lz-string makes of a text.

    ``text``: of characters below U+10000.

    Examples
    --------
    >>> compress("aaaa")
    'IY5A'
    """
    bits: list[int] = []
    known: dict[str, int] = {}
    fresh: set[str] = set()
    words = 3  # in the table of the reader

    def put(number: int, width: int) -> None:
        bits.extend(number >> place & 1 for place in range(width))

    def write(word: str) -> None:
        nonlocal words
        first = words == 3
        if word in fresh:
            fresh.remove(word)
            wide = ord(word) > 255
            put(NEW_16 if wide else NEW_8, words.bit_length())
            put(ord(word), 16 if wide else 8)
            words += 1
        else:
            put(known[word], words.bit_length())
        words += not first

    word = ""
    for letter in text:
        if letter not in known:
            known[letter] = len(known) + 3
            fresh.add(letter)
        if word + letter in known:
            word += letter
        else:
            write(word)
            known[word + letter] = len(known) + 3
            word = letter
    if word:
        write(word)
    put(END, words.bit_length())
    bits += [0] * (6 - len(bits) % 6)  # a whole digit of zeros where nothing is left over, as the original has it
    digits = (bits[i : i + 6] for i in range(0, len(bits), 6))
    written = "".join(ALPHABET[int("".join(map(str, digit)), 2)] for digit in digits)
    return written + "=" * (-len(written) % 4)
