"""Unpacks a link to penpa, and chooses the reader of its grid."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode
from typing import Any
from urllib.parse import unquote

from ....syntax.errors import Diagnostic
from ....syntax.nodes import Place
from ..fpuzzles import SIZES
from ..packed.lz import Damaged
from ..reading import Reader
from ..variant import Variant, spec_of
from .genres import MAX_SIDE, TaggedGrid, tagged_spec
from .sudoku import read_sudoku

MAX_BYTES = 1_000_000
"""Maximum number of bytes of an unpacked puzzle; a larger one is an error."""
LONG_NAMES = {
    "zS": "surface", "zL": "line", "zE": "edge", "zW": "wall", "zC": "cage", "zN": "number", "z1": "sudoku",
    "zY": "symbol", "zF": "freeline", "z2": "freeedge", "zT": "thermo", "z3": "arrows", "z0": "squareframe",
    "z5": "polygon", "z6": "killercages", "z7": "nobulbthermo",
}  # fmt: skip
"""The full name of each short name that is read; ``zO`` is null."""
KEYS = re.compile(r'"(?:\\.|[^"\\])*"|z[0-9A-Z_]')
"""A quoted text, or a short name."""

TAGS_LINE = 17
"""The number of the line with the tags of the genre, from 0."""
SQUARES_LINE = 5
"""The number of the line with the squares, from 0."""


def read_penpa(link: str, at: Place) -> str:
    """Return the spec to which a penpa link is converted.

    Raises
    ------
    Diagnostic
        If the link holds neither a sudoku grid nor a square grid with the tag of a genre, or is malformed.
    """
    match = re.search(r"[#?&]p=([^&#]+)", link)
    if not match:
        raise Diagnostic("this link to penpa holds no puzzle", at, "it should have p= in it")
    lines = _unpack(unquote(match[1]), match.start(1)).split("\n")
    reader = Reader(at)
    # The first line is the header: kind of grid, size, title and author.
    header = lines[0].split(",")
    if header[0] not in ("sudoku", "square"):
        reader.fail(f"penpa does not say what a {header[0][:20]} grid asks", "its sudoku and square grids are read")
    cols, rows, *_ = [reader.number(number, "the size") or 0 for number in header[1:3]] + [0, 0]
    reader.size = rows
    is_sudoku = header[0] == "sudoku"
    if len(lines) < 4 or (is_sudoku and (cols != rows or rows not in SIZES)):
        reader.fail("the board is no square of a size that is read")
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        reader.fail(f"the board has {rows} rows and {cols} columns; there are 1 to {MAX_SIDE} of each")
    # The fourth line has the drawings, by tool.
    fields = _json(KEYS.sub(_write_out, lines[3]))
    if not isinstance(fields, dict):
        reader.fail("what the link holds is no puzzle of penpa")
    named = {name: unquote(text).strip() for name, _, text in (word.partition(":") for word in header)}
    title, author = named.get("Title", ""), named.get("Author", "")
    if is_sudoku:
        variant = Variant(rows, title=title, author=author)
        read_sudoku(variant, fields, reader)
        return spec_of(variant)
    space, squares, tags = (_json(lines[line]) if line < len(lines) else None for line in (1, SQUARES_LINE, TAGS_LINE))
    grid = TaggedGrid(rows, cols, title, author, fields, space, squares, tags)
    return tagged_spec(grid, reader)


def _json(text: str) -> Any:
    """Parse JSON; return None if it is malformed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unpack(text: str, start: int) -> str:
    """Decompress the data of a penpa link.

    ``start`` is its position, for messages.
    """
    try:
        unpacker = zlib.decompressobj(-15)
        data = unpacker.decompress(b64decode(text, validate=True), MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        raise Damaged("what the link holds is damaged", start) from None
    if not unpacker.eof:
        raise Damaged("the link is cut short, or holds too much", start + len(text) - 1)
    return data.decode("utf-8", "replace")


def _write_out(match: re.Match[str]) -> str:
    """Return the full JSON name for a matched abbreviation.

    A quoted text stays as it is.
    """
    word = match[0]
    return word if word.startswith('"') else "null" if word == "zO" else f'"{LONG_NAMES.get(word, word)}"'
