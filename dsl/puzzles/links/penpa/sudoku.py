"""Sudokus of penpa: givens, regions, thermometers, arrows and cages, by the tools that drew them."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx

from csp import counted

from ..reading import Reader
from ..variant import Square, Variant, draw_line, draw_spot, symbol
from .board import THICK, PenpaBoard, lines_between, marked

UNREAD = ("surface", "line", "freeline", "freeedge", "wall", "squareframe", "polygon")
"""Tools whose drawings are counted alone."""


def read_sudoku(variant: Variant, fields: dict[str, Any], reader: Reader) -> None:
    """Put on a variant what the tools of a sudoku grid tell."""
    board = PenpaBoard(variant.size, variant.size)
    lost = _read_numbers(variant, fields, reader, board)
    _read_regions(variant, fields, reader, board)
    sums = marked(fields, "sudoku", reader)
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
    for place, (_, name, *_) in marked(fields, "symbol", reader, 2).items():
        at = board.square(place)
        if at and str(name).startswith(("circle", "square")):
            draw_spot(variant, [at], None, None, str(name).startswith("circle"))
        lost += 1
    lost += sum(len(found) for name in UNREAD if isinstance(found := fields.get(name), dict | list))
    if lost:
        variant.notes.append(f"what {counted(lost, 'drawing')} mean, of which penpa says nothing")


def _read_numbers(variant: Variant, fields: dict[str, Any], reader: Reader, board: PenpaBoard) -> int:
    """Givens; how many other texts there are, which are drawn where they stand in squares."""
    lost = 0
    for place, (words, *_) in marked(fields, "number", reader).items():
        cell, text = board.square(place), str(words).strip()
        if cell and re.fullmatch("[0-9]{1,2}", text) and 1 <= int(text) <= variant.size:
            variant.givens[cell] = int(text)
        elif text:
            lost += 1
            if cell:
                variant.fact("drawn_text", *cell, symbol(text[:40]))
    return lost


def _read_regions(variant: Variant, fields: dict[str, Any], reader: Reader, board: PenpaBoard) -> None:
    """What thick lines part; no regions where they leave one piece."""
    graph = nx.grid_graph((range(1, variant.size + 1), range(1, variant.size + 1)))
    for one, other, style in lines_between(fields, "edge", reader):
        if style == THICK:
            graph.remove_edges_from([board.beside(min(one, other), max(one, other))])
    pieces = sorted(map(sorted, nx.connected_components(graph)))
    if len(pieces) > 1 and any(len(piece) != variant.size for piece in pieces):
        reader.fail("the thick lines do not part the board into regions of one size")
    if len(pieces) > 1:
        variant.regions = {cell: number for number, piece in enumerate(pieces, 1) for cell in piece}


def _read_cages(
    variant: Variant, fields: dict[str, Any], sums: dict[int, list[Any]], reader: Reader, board: PenpaBoard
) -> int:
    """Cages, in frames or as lists of squares; how many of the texts in corners are their sums."""
    graph: nx.Graph[Square] = nx.Graph()
    for place, next_place, _ in lines_between(fields, "cage", reader):
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
