"""Compresses and decompresses text in links, as the library LZ-string does.

The method is LZ78 with codes of growing width, in base64.
"""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits of base64; ``=`` at the end is padding."""

MAX_TEXT_LENGTH = 1_000_000
"""Maximum number of characters of a decompressed text; a longer text is an error."""

NEW_8, NEW_16, END = 0, 1, 2
"""Special codes: a new character of 8 or of 16 bits follows, and the end of the text."""


class Damaged(ValueError):
    """The error for link data that cannot be decompressed.

    Attributes
    ----------
    at : int
        The character at which the damage was noticed, from 0.
    """

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class _Bits:
    """A reader that yields the bits of a base64 text.

    Numbers have their lowest bit first.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._digit = self._bits_left = 0

    def read(self, width: int) -> int:
        """Read a number of ``width`` bits."""
        number = 0
        for place in range(width):
            if not self._bits_left:
                if self.at >= len(self.text):
                    raise Damaged("the link is cut short", self.at)
                self._digit = ALPHABET.find(self.text[self.at])
                if self._digit < 0:
                    raise Damaged(f"{self.text[self.at]!r} is no digit of base64", self.at)
                self._bits_left = 6
                self.at += 1
            self._bits_left -= 1
            number |= (self._digit >> self._bits_left & 1) << place
        return number


def decompress(text: str) -> str:
    """Decompress a text that LZ-string's ``compressToBase64`` has compressed.

    Parameters
    ----------
    text : str
        In base64; a space is read as ``+``, because browsers replace ``+`` by a space.

    Raises
    ------
    Damaged
        With the character at which the damage was noticed.

    Notes
    -----
    Linear in the length of the result, which is at most ``MAX_TEXT_LENGTH`` characters.

    Examples
    --------
    >>> decompress(compress("to be or not to be"))
    'to be or not to be'
    """
    bits = _Bits(text.replace(" ", "+").rstrip("="))
    # The table of words; the first three codes are special.
    words = ["", "", ""]
    parts: list[str] = []
    size, previous_word = 0, ""
    while (code := bits.read(len(words).bit_length())) != END:
        # A code is a new character, a word of the table, or the word that this step adds to it.
        if code in (NEW_8, NEW_16):
            word = chr(bits.read(16 if code else 8))
            words.append(word)
        elif code < len(words):
            word = words[code]
        elif code == len(words) and previous_word:
            word = previous_word + previous_word[0]
        else:
            raise Damaged("a code that stands for nothing", bits.at - 1)
        if previous_word:
            words.append(previous_word + word[0])
        parts.append(word)
        size += len(word)
        if size > MAX_TEXT_LENGTH:
            raise Damaged(f"the link holds more than {MAX_TEXT_LENGTH:,} characters", bits.at - 1)
        previous_word = word
    return "".join(parts)


def compress(text: str) -> str:
    """Compress a text as LZ-string's ``compressToBase64`` does.

    Parameters
    ----------
    text : str
        All characters are below U+10000.

    Examples
    --------
    >>> compress("aaaa")
    'IY5A'
    """
    bits: list[int] = []
    codes: dict[str, int] = {}
    new_letters: set[str] = set()
    table_size = 3  # words in the table of the reader

    def put(number: int, width: int) -> None:
        """Append the bits of a number, lowest bit first."""
        bits.extend(number >> place & 1 for place in range(width))

    def write(word: str) -> None:
        """Append the code of a known word, or a new character."""
        nonlocal table_size
        is_first = table_size == 3
        # A new character is written itself, with its width; any other word by its code.
        if word in new_letters:
            new_letters.remove(word)
            is_wide = ord(word) > 255
            put(NEW_16 if is_wide else NEW_8, table_size.bit_length())
            put(ord(word), 16 if is_wide else 8)
            table_size += 1
        else:
            put(codes[word], table_size.bit_length())
        table_size += not is_first

    word = ""
    # Extend the word while the table has it; then write its code and add the extended word.
    for letter in text:
        if letter not in codes:
            codes[letter] = len(codes) + 3
            new_letters.add(letter)
        if word + letter in codes:
            word += letter
        else:
            write(word)
            codes[word + letter] = len(codes) + 3
            word = letter
    if word:
        write(word)
    put(END, table_size.bit_length())
    # Fill up the last digit of base64.
    bits += [0] * (6 - len(bits) % 6)  # a digit of zeros if all bits fit, as in LZ-string
    digits = (bits[i : i + 6] for i in range(0, len(bits), 6))
    encoded = "".join(ALPHABET[int("".join(map(str, digit)), 2)] for digit in digits)
    return encoded + "=" * (-len(encoded) % 4)
