"""What a link to penpa holds, and who reads it."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode
from typing import Any
from urllib.parse import unquote

from ....text.errors import Mistake
from ....text.syntax import Place
from ..fpuzzles import SIZES
from ..packed.lz import Damaged
from ..reading import Reader
from ..variant import Variant, spec_of
from .genres import MOST_ROWS, TaggedGrid, tagged_spec
from .sudoku import read_sudoku

MOST = 1_000_000
"""The most bytes of a puzzle."""
SHORT = {
    "zS": "surface", "zL": "line", "zE": "edge", "zW": "wall", "zC": "cage", "zN": "number", "z1": "sudoku",
    "zY": "symbol", "zF": "freeline", "z2": "freeedge", "zT": "thermo", "z3": "arrows", "z0": "squareframe",
    "z5": "polygon", "z6": "killercages", "z7": "nobulbthermo",
}  # fmt: skip
"""What keys that are read are written as; ``zO`` is null."""
KEYS = re.compile(r'"(?:\\.|[^"\\])*"|z[0-9A-Z_]')
TAGS = 17
"""The line of the genre's tags; before it is that of the squares."""
SQUARES = 5


def read_penpa(link: str, at: Place) -> str:
    """The spec of a grid of penpa, as far as its tools and its tag tell it.

    Raises
    ------
    Mistake
        If the link holds neither a sudoku grid nor a square grid with the tag of a genre, or a malformed one.
    """
    found = re.search(r"[#?&]p=([^&#]+)", link)
    if not found:
        raise Mistake("this link to penpa holds no puzzle", at, "it should have p= in it")
    lines = _unpacked(unquote(found[1]), found.start(1)).split("\n")
    reader = Reader(at)
    header = lines[0].split(",")
    if header[0] not in ("sudoku", "square"):
        reader.fail(f"penpa does not say what a {header[0][:20]} grid asks", "its sudoku and square grids are read")
    cols, rows, *_ = [reader.number(one, "the size") or 0 for one in header[1:3]] + [0, 0]
    reader.size = rows
    is_sudoku = header[0] == "sudoku"
    if len(lines) < 4 or (is_sudoku and (cols != rows or rows not in SIZES)):
        reader.fail("the board is no square of a size that is read")
    if not (1 <= rows <= MOST_ROWS and 1 <= cols <= MOST_ROWS):
        reader.fail(f"the board has {rows} rows and {cols} columns; there are 1 to {MOST_ROWS} of each")
    fields = _json(KEYS.sub(_written_out, lines[3]))
    if not isinstance(fields, dict):
        reader.fail("what the link holds is no puzzle of penpa")
    named = {name: unquote(text).strip() for name, _, text in (word.partition(":") for word in header)}
    title, author = named.get("Title", ""), named.get("Author", "")
    if is_sudoku:
        variant = Variant(rows, title=title, author=author)
        read_sudoku(variant, fields, reader)
        return spec_of(variant)
    space, squares, tags = (_json(lines[at]) if at < len(lines) else None for at in (1, SQUARES, TAGS))
    grid = TaggedGrid(rows, cols, title, author, fields, space, squares, tags)
    return tagged_spec(grid, reader)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unpacked(text: str, start: int) -> str:
    try:
        unpacker = zlib.decompressobj(-15)
        data = unpacker.decompress(b64decode(text, validate=True), MOST)
    except (binascii.Error, ValueError, zlib.error):
        raise Damaged("what the link holds is damaged", start) from None
    if not unpacker.eof:
        raise Damaged("the link is cut short, or holds too much", start + len(text) - 1)
    return data.decode("utf-8", "replace")


def _written_out(found: re.Match[str]) -> str:
    word = found[0]
    return word if word.startswith('"') else "null" if word == "zO" else f'"{SHORT.get(word, word)}"'
