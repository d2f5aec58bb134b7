"""Unpacks the data of a link: compressed text, and the abbreviated JSON of SudokuPad.

The compression is that of the library LZ-string: LZ78 with codes of growing width, in base64. In the JSON, names and
colours have no quotes, an empty object is omitted, and texts are in single quotes.
"""

from __future__ import annotations

import re
from typing import Any

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits of base64; ``=`` at the end is padding."""

MAX_TEXT_LENGTH = 1_000_000
"""Maximum number of characters of a decompressed text; a longer text is an error."""

NEW_8, NEW_16, END = 0, 1, 2
"""Special codes: a new character of 8 or of 16 bits follows, and the end of the text."""

LONG_NAMES = {
    "c": "color", "ca": "cages", "ct": "center", "c1": "borderColor", "c2": "backgroundColor", "ce": "cells",
    "cs": "cellSize", "a": "arrows", "o": "overlays", "u": "underlays", "w": "width", "h": "height", "v": "value",
    "vd": "videos", "l": "lines", "r": "rounded", "re": "regions", "fs": "fontSize", "th": "thickness",
    "hl": "headLength", "wp": "wayPoints", "t": "title", "te": "text", "d": "duration", "d2": "d",
}  # fmt: skip
"""The full name of each short name."""

TOKEN = re.compile(r"""\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\[\]{},:]|[^\s\[\]{},:"']+)""", re.DOTALL)
"""A text, a bracket or separator, or a word."""

WORDS = {"t": True, "f": False, "true": True, "false": False, "null": None, "#0": "#000000", "#F": "#FFFFFF"}
"""The values of words."""

MAX_DEPTH = 20
"""Maximum depth of nested lists and objects; a deeper one is an error."""


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
    """A reader of numbers from the bits of a base64 text, lowest bit first."""

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
                    raise Damaged(f"{self.text[self.at]!r} is not a digit of base64", self.at)
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
            raise Damaged("a code without a meaning", bits.at - 1)
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
        """Append the code of a word, or its character if that is new."""
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


class NotZipped(ValueError):
    """The error for a text that is not SudokuPad's abbreviated JSON."""


def unzip(text: str) -> Any:
    """Parse SudokuPad's abbreviated JSON, and restore the full names of its keys.

    Raises
    ------
    NotZipped
        If brackets do not match, or lists and objects are nested too deeply.

    Notes
    -----
    Linear in the length of the text.

    Examples
    --------
    >>> unzip("{ce:[[,{v:3}],[]],r:t,c:#0,te:'it\\\\'s'}")
    {'cells': [[{}, {'value': 3}], [{}]], 'rounded': True, 'color': '#000000', 'text': "it's"}
    """
    tokens: list[str] = []
    at = 0
    while match := TOKEN.match(text, at):
        tokens.append(match[1])
        at = match.end()
    if text[at:].strip():
        raise NotZipped(f"the content of the link cannot be read from place {at + 1} on")
    value, end = _value(tokens, 0, MAX_DEPTH)
    if end != len(tokens):
        raise NotZipped("text follows the end of the puzzle")
    return value


def _value(tokens: list[str], at: int, depth_left: int) -> tuple[Any, int]:
    """Parse a value; return it with the index of the next token.

    A missing value is an empty object.

    ``depth_left`` is the number of levels that may still be nested.
    """
    token = tokens[at] if at < len(tokens) else ""
    if token in ("", ":", ",", "]", "}"):
        return {}, at
    if not depth_left:
        raise NotZipped("the content of the link is nested too deeply")
    if token == "[":
        return _list(tokens, at + 1, depth_left - 1)
    if token == "{":
        return _object(tokens, at + 1, depth_left - 1)
    return _plain(token), at + 1


def _list(tokens: list[str], at: int, depth_left: int) -> tuple[list[Any], int]:
    """Parse a list's entries; return them with the index of the next token."""
    entries = []
    while True:
        value, at = _value(tokens, at, depth_left)
        entries.append(value)
        if at >= len(tokens) or tokens[at] not in (",", "]"):
            raise NotZipped("a list has no end")
        at += 1
        if tokens[at - 1] == "]":
            return entries, at


def _object(tokens: list[str], at: int, depth_left: int) -> tuple[dict[str, Any], int]:
    """Parse an object's fields; return them with the index of the next token."""
    fields: dict[str, Any] = {}
    while at < len(tokens) and tokens[at] != "}":
        if at + 1 >= len(tokens) or tokens[at + 1] != ":":
            raise NotZipped("a name has no value")
        name = str(_plain(tokens[at]) if tokens[at][0] in "\"'" else tokens[at])
        fields[LONG_NAMES.get(name, name)], at = _value(tokens, at + 2, depth_left)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise NotZipped("an object has no end")
    return fields, at + 1


def _plain(token: str) -> Any:
    """Return the value of a token that is neither a list nor an object.

    It is a quoted text, a known word, a number, or the token itself.
    """
    if token[0] in "\"'":
        return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", lambda match: _letter(match[1]), token[1:-1], flags=re.DOTALL)
    if token in WORDS:
        return WORDS[token]
    if re.fullmatch(r"-?[0-9]{1,15}", token):
        return int(token)
    return float(token) if re.fullmatch(r"-?[0-9]{0,15}\.[0-9]{1,15}", token) else token


def _letter(escaped: str) -> str:
    """Return the text of an escape sequence, passed without its backslash."""
    if len(escaped) == 5:
        return chr(int(escaped[1:], 16))
    return {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}.get(escaped, escaped)
