"""Sudokus of penpa: givens, regions, thermometers, arrows and cages, by the tools that drew them."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import networkx as nx

from csp import counted

from ...text.errors import Mistake
from ...text.syntax import Place
from .fpuzzles import SIZES
from .packed.lz import Damaged
from .reading import Reader
from .variant import Square, Variant, draw_line, draw_spot, symbol

MOST = 1_000_000
"""The most bytes of a puzzle."""
SHORT = {
    "zS": "surface", "zL": "line", "zE": "edge", "zW": "wall", "zC": "cage", "zN": "number", "z1": "sudoku",
    "zY": "symbol", "zF": "freeline", "z2": "freeedge", "zT": "thermo", "z3": "arrows", "z0": "squareframe",
    "z5": "polygon", "z6": "killercages", "z7": "nobulbthermo",
}  # fmt: skip
"""What keys that are read are written as; ``zO`` is null."""
KEYS = re.compile(r'"(?:\\.|[^"\\])*"|z[0-9A-Z_]')
THICK = 2
MARGIN = 2
"""Rows and columns around the board, on each side, that places are counted with."""
UNREAD = ("surface", "line", "freeline", "freeedge", "wall", "squareframe", "polygon")
"""Tools whose drawings are counted alone."""


class _Board:
    """The numbers of places: the middles of squares first, then corners and sides, then quarters of squares."""

    def __init__(self, size: int) -> None:
        self.size, self.wide = size, size + 2 * MARGIN
        self.quarters = 4 * self.wide**2

    def square(self, place: int) -> Square | None:
        """The square in whose middle a place is, if it is on the board."""
        row, column = divmod(place, self.wide)
        found = row - MARGIN + 1, column - MARGIN + 1
        return found if all(1 <= one <= self.size for one in found) else None

    def quarter(self, place: int) -> Square | None:
        """The square that a place is a quarter of."""
        return self.square((place - self.quarters) // 4) if place >= self.quarters else None

    def beside(self, corner: int, other: int) -> tuple[Square, Square]:
        """The squares on both sides of the line from a corner to the next."""
        row, column = divmod(corner - self.wide**2, self.wide)
        r, c = row - MARGIN + 2, column - MARGIN + 2
        return ((r, c - 1), (r, c)) if other - corner == self.wide else ((r - 1, c), (r, c))


def read_penpa(link: str, at: Place) -> Variant:
    """The variant that a sudoku grid of penpa is, as far as its tools tell it.

    Raises
    ------
    Mistake
        If the link holds no sudoku grid, or a malformed one.
    """
    found = re.search(r"[#?&]p=([^&#]+)", link)
    if not found:
        raise Mistake("this link to penpa holds no puzzle", at, "it should have p= in it")
    lines = _unpacked(unquote(found[1]), found.start(1)).split("\n")
    reader = Reader(at)
    header = lines[0].split(",")
    if header[0] != "sudoku":
        reader.fail(f"penpa does not say what a {header[0][:20]} grid asks", "its sudoku grids alone are read")
    columns, rows, *_ = [reader.number(one, "the size") or 0 for one in header[1:3]] + [0, 0]
    reader.size = rows
    if columns != rows or rows not in SIZES or len(lines) < 4:
        reader.fail("the board is no square of a size that is read")
    try:
        fields = json.loads(KEYS.sub(_written_out, lines[3]))
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        reader.fail("what the link holds is no puzzle of penpa")
    variant = Variant(reader.size)
    for word in header:
        name, _, text = word.partition(":")
        if name in ("Title", "Author"):
            setattr(variant, name.lower(), unquote(text).strip())
    _read(variant, fields, reader)
    return variant


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


def _read(variant: Variant, fields: dict[str, Any], reader: Reader) -> None:
    board = _Board(variant.size)
    lost = _read_numbers(variant, fields, reader, board)
    _read_regions(variant, fields, reader, board)
    sums = _marked(fields, "sudoku", reader)
    lost += len(sums) - _read_cages(variant, fields, sums, reader, board)
    for name, relation in (("thermo", "thermometer"), ("arrows", "arrow"), ("nobulbthermo", "")):
        for line in reader.entries(fields.get(name), name):
            cells = [board.square(one) for one in reader.entries(line, name) if isinstance(one, int)]
            way = [cell for cell in cells if cell]
            if len(way) < 2 or len(way) < len(cells):
                lost += bool(cells)
            elif not relation:
                draw_line(variant, way)
                lost += 1
            else:
                number = variant.next("circle" if relation == "arrow" else relation)
                variant.include(f"{relation}s")
                if relation == "arrow":
                    variant.fact("circle", number, 1, *way.pop(0))
                for place, cell in enumerate(way, 1):
                    variant.fact(relation, number, place, *cell)
    for place, (_, name, *_) in _marked(fields, "symbol", reader, 2).items():
        at = board.square(place)
        if at and str(name).startswith(("circle", "square")):
            draw_spot(variant, [at], None, None, str(name).startswith("circle"))
        lost += 1
    lost += sum(len(found) for name in UNREAD if isinstance(found := fields.get(name), dict | list))
    if lost:
        variant.notes.append(f"what {counted(lost, 'drawing')} mean, of which penpa says nothing")


def _marked(fields: dict[str, Any], name: str, reader: Reader, least: int = 1) -> dict[int, list[Any]]:
    """What stands at places, by their numbers."""
    found = fields.get(name) or {}
    places = isinstance(found, dict) and all(re.fullmatch("[0-9]{1,6}", one) for one in found)
    if not places or any(not isinstance(one, list) or len(one) < least for one in found.values()):
        reader.fail(f"{name} has something that stands nowhere")
    return {int(place): one for place, one in found.items()}


def _lines(fields: dict[str, Any], name: str, reader: Reader) -> Iterator[tuple[int, int, Any]]:
    """The two places of each line, and its style."""
    lines = fields.get(name) or {}
    if not isinstance(lines, dict):
        reader.fail(f"{name} is no table of lines")
    for key, style in lines.items():
        if found := re.fullmatch("([0-9]{1,6}),([0-9]{1,6})", key):
            yield int(found[1]), int(found[2]), style


def _read_numbers(variant: Variant, fields: dict[str, Any], reader: Reader, board: _Board) -> int:
    """Givens; how many other texts there are, which are drawn where they stand in squares."""
    lost = 0
    for place, (words, *_) in _marked(fields, "number", reader).items():
        cell, text = board.square(place), str(words).strip()
        if cell and re.fullmatch("[0-9]{1,2}", text) and 1 <= int(text) <= variant.size:
            variant.givens[cell] = int(text)
        elif text:
            lost += 1
            if cell:
                variant.fact("drawn_text", *cell, symbol(text[:40]))
    return lost


def _read_regions(variant: Variant, fields: dict[str, Any], reader: Reader, board: _Board) -> None:
    """What thick lines part; no regions where they leave one piece."""
    graph = nx.grid_graph((range(1, variant.size + 1), range(1, variant.size + 1)))
    for one, other, style in _lines(fields, "edge", reader):
        if style == THICK:
            graph.remove_edges_from([board.beside(min(one, other), max(one, other))])
    pieces = sorted(map(sorted, nx.connected_components(graph)))
    if len(pieces) > 1 and any(len(piece) != variant.size for piece in pieces):
        reader.fail("the thick lines do not part the board into regions of one size")
    if len(pieces) > 1:
        variant.regions = {cell: number for number, piece in enumerate(pieces, 1) for cell in piece}


def _read_cages(
    variant: Variant, fields: dict[str, Any], sums: dict[int, list[Any]], reader: Reader, board: _Board
) -> int:
    """Cages, in frames or as lists of squares; how many of the texts in corners are their sums."""
    graph: nx.Graph[Square] = nx.Graph()
    for place, next_place, _ in _lines(fields, "cage", reader):
        one, other = board.quarter(place), board.quarter(next_place)
        if one and other:
            graph.add_edge(one, other)
    cages = {tuple(sorted(one)) for one in nx.connected_components(graph)}
    for line in reader.entries(fields.get("killercages"), "killercages"):
        cells = [board.square(one) for one in reader.entries(line, "killercages") if isinstance(one, int)]
        cages.add(tuple(sorted(cell for cell in {*cells} if cell)))
    read = 0
    for number, cage in enumerate(sorted(filter(None, cages)), 1):
        variant.include("cages")
        inside = nx.grid_graph((range(variant.size + 2), range(variant.size + 2)))
        inside.remove_nodes_from(cage)
        if nx.number_connected_components(inside) > 1:
            reader.fail("a cage has squares all around others, and its frame does not tell whether they are in it")
        for r, c in cage:
            variant.fact("cage", r, c, number)
        texts = [str(words).strip() for place, (words, *_) in sums.items() if board.quarter(place) in cage]
        if len(texts) == 1 and re.fullmatch("[0-9]{1,3}", texts[0]):
            variant.include("cage_totals")
            variant.fact("total", number, int(texts[0]))
            read += 1
    return read
