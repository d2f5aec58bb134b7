"""Reads penpa sudokus from the drawings of each tool.

These draw givens, regions, thermometers, arrows and cages.
"""

from __future__ import annotations

import re
from typing import Any

import networkx as nx

from csp import counted

from ..reading import Reader
from ..variant import Square, Variant, draw_line, draw_spot, symbol
from .board import THICK, PenpaBoard, entries_by_place, lines_between

UNREAD_TOOLS = ("surface", "line", "freeline", "freeedge", "wall", "squareframe", "polygon")
"""Tools whose drawings are only counted, for a note."""


def read_sudoku(variant: Variant, fields: dict[str, Any], reader: Reader) -> None:
    """Add the data of a penpa sudoku to a variant."""
    board = PenpaBoard(variant.size, variant.size)
    lost_count = _read_numbers(variant, fields, reader, board)
    _read_regions(variant, fields, reader, board)
    sums = entries_by_place(fields, "sudoku", reader)
    lost_count += len(sums) - _read_cages(variant, fields, sums, reader, board)
    # Thermometers, arrows and plain lines; a line that leaves the board is only counted.
    for name, relation in (("thermo", "thermometer"), ("arrows", "arrow"), ("nobulbthermo", "")):
        for line in reader.entries(fields.get(name), name):
            places_on_line = [board.square(place) for place in reader.entries(line, name) if isinstance(place, int)]
            cells = [cell for cell in places_on_line if cell]
            if len(cells) < 2 or len(cells) < len(places_on_line):
                lost_count += bool(places_on_line)
            elif not relation:
                draw_line(variant, cells)
                lost_count += 1
            else:
                number = variant.next_number("circle" if relation == "arrow" else relation)
                variant.include(f"{relation}s")
                if relation == "arrow":
                    variant.fact("circle", number, 1, *cells.pop(0))
                for place, cell in enumerate(cells, 1):
                    variant.fact(relation, number, place, *cell)
    for place, (_, name, *_) in entries_by_place(fields, "symbol", reader, 2).items():
        square = board.square(place)
        if square and str(name).startswith(("circle", "square")):
            draw_spot(variant, [square], None, None, str(name).startswith("circle"))
        lost_count += 1
    lost_count += sum(len(drawings) for name in UNREAD_TOOLS if isinstance(drawings := fields.get(name), dict | list))
    if lost_count:
        variant.notes.append(f"what {counted(lost_count, 'drawing')} mean, of which penpa says nothing")


def _read_numbers(variant: Variant, fields: dict[str, Any], reader: Reader, board: PenpaBoard) -> int:
    """Read the givens; return how many other texts were ignored.

    Those in squares are drawn.
    """
    lost_count = 0
    for place, (content, *_) in entries_by_place(fields, "number", reader).items():
        cell, text = board.square(place), str(content).strip()
        if cell and re.fullmatch("[0-9]{1,2}", text) and 1 <= int(text) <= variant.size:
            variant.givens[cell] = int(text)
        elif text:
            lost_count += 1
            if cell:
                variant.fact("drawn_text", *cell, symbol(text[:40]))
    return lost_count


def _read_regions(variant: Variant, fields: dict[str, Any], reader: Reader, board: PenpaBoard) -> None:
    """Read the regions that thick lines enclose.

    A board that stays in one piece has none.
    """
    # Remove the edges that thick lines cross: the connected components are the regions.
    graph = nx.grid_graph((range(1, variant.size + 1), range(1, variant.size + 1)))
    for start, end, style in lines_between(fields, "edge", reader):
        if style == THICK:
            graph.remove_edges_from([board.beside(min(start, end), max(start, end))])
    pieces = sorted(map(sorted, nx.connected_components(graph)))
    if len(pieces) > 1 and any(len(piece) != variant.size for piece in pieces):
        reader.fail("the thick lines do not part the board into regions of one size")
    if len(pieces) > 1:
        variant.regions = {cell: number for number, piece in enumerate(pieces, 1) for cell in piece}


def _read_cages(
    variant: Variant, fields: dict[str, Any], sums: dict[int, list[Any]], reader: Reader, board: PenpaBoard
) -> int:
    """Read the cages; return the number of their totals.

    A cage is a frame or a list of squares; its total is a text in a corner.
    """
    # The quarters of squares that a frame runs through connect the squares of a cage.
    graph: nx.Graph[Square] = nx.Graph()
    for place, next_place, _ in lines_between(fields, "cage", reader):
        start, end = board.quarter(place), board.quarter(next_place)
        if start and end:
            graph.add_edge(start, end)
    cages = {tuple(sorted(component)) for component in nx.connected_components(graph)}
    for line in reader.entries(fields.get("killercages"), "killercages"):
        cells = [board.square(place) for place in reader.entries(line, "killercages") if isinstance(place, int)]
        cages.add(tuple(sorted(cell for cell in {*cells} if cell)))
    total_count = 0
    for number, cage in enumerate(sorted(filter(None, cages)), 1):
        variant.include("cages")
        # If the cage encloses other squares, its frame does not say whether they belong to it.
        inside = nx.grid_graph((range(variant.size + 2), range(variant.size + 2)))
        inside.remove_nodes_from(cage)
        if nx.number_connected_components(inside) > 1:
            reader.fail("a cage has squares all around others, and its frame does not tell whether they are in it")
        for r, c in cage:
            variant.fact("cage", r, c, number)
        texts = [str(content).strip() for place, (content, *_) in sums.items() if board.quarter(place) in cage]
        if len(texts) == 1 and re.fullmatch("[0-9]{1,3}", texts[0]):
            variant.include("cage_totals")
            variant.fact("total", number, int(texts[0]))
            total_count += 1
    return total_count
