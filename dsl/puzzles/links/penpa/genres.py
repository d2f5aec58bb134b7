"""Square grids of penpa whose tag names a genre: its numbers and its rooms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from csp import counted

from ..puzzlink.board import LinkBoard, cells
from ..puzzlink.codes import DECIMALS, FOURS, LETTERS, NUMBERS, SIDES, GridEntry, Unwritable
from ..puzzlink.genres import GENRES, SAME
from ..puzzlink.parts import BodyGrids, BodyPart, BodyRooms, RoomNumbers, Stars
from ..reading import Reader
from ..writing import spec_text
from .board import THICK, PenpaBoard, lines_between, marked

MOST_ROWS = 60
"""The most rows or columns of a puzzle."""

TAGS = {
    "canalview": "canal", "countryroad": "country", "hanaregumi": "hanare", "hashiwokakero": "hashi",
    "kuromasu": "kurodoko", "meanderingnumbers": "meander", "numberlink": "numlin",
    "regionalyajilin": "yajilin-regions", "rippleeffect": "ripple", "territory": "nawabari",
}  # fmt: skip
"""Tags whose genre has another name in links to puzz.link."""

NUMERIC = (NUMBERS, FOURS, DECIMALS, LETTERS, SIDES)
"""Codes of numbers in squares."""

HOLED = "star_battle"
"""The spec whose board may lack squares."""

TOOLS = {"line", "zD", "wall", "cage", "freeline", "freeedge", "thermo",
         "arrows", "squareframe", "polygon", "killercages", "nobulbthermo"}  # fmt: skip
"""Tools whose drawings are counted alone."""


class TaggedGrid(NamedTuple):
    """A square grid.

    ``space``: rows and columns of it that are around the board; ``squares``: the places of its squares, each as what it
    is more than the one before; None where a link does not tell them.
    """

    rows: int
    cols: int
    title: str
    author: str
    fields: dict[str, Any]
    space: Any
    squares: Any
    tags: Any


def tagged_spec(grid: TaggedGrid, reader: Reader) -> str:
    """The gallery's spec of the genre with the numbers and rooms of a grid.

    Raises
    ------
    Mistake
        If no tag, or more than one, names a genre that is told by numbers and rooms, or the grid has no such shape.
    """
    name = _genre(grid.tags, reader)
    if any(reader.entries(grid.space, "the space")):
        reader.fail("the board has rows or columns around it, which are not read")
    genre, board = GENRES[name], LinkBoard(grid.rows, grid.cols)
    try:
        board.params = genre.size.params(grid.rows, grid.cols)
    except Unwritable as wrong:
        reader.fail(str(wrong))
    places = PenpaBoard(grid.rows, grid.cols)
    there = _there(grid.squares, places, reader)
    if not all(there) and genre.spec != HOLED:
        reader.fail(f"the board lacks squares, and the gallery's {genre.spec} has them all")
    numbers, lost = _numbers(grid, places, any(isinstance(part, RoomNumbers) for part in genre.parts), reader)
    for part in genre.parts:
        match part:
            case BodyRooms():
                part.divide(board, _borders(grid, places, there, reader))
                room = board.row_by_row(part.room, cells(board))
                board.put(part.room, cells(board), [one if own else None for one, own in zip(room, there, strict=True)])
            case Stars():
                board.unread.append("how many stars a row has, which penpa does not tell; the spec asks for one")
            case BodyGrids(known=True) if "?" in numbers:
                reader.fail(f"the gallery's {genre.spec} has no sign without a number")
            case BodyGrids(code=code) if code is LETTERS:
                board.put("clue", cells(board), [None if one == "?" else one for one in numbers])
            case _:
                board.put("clue", cells(board), numbers)
    lost += sum(len(found) for tool in TOOLS if isinstance(found := grid.fields.get(tool), dict | list))
    if lost:
        board.unread.append(f"what {counted(lost, 'drawing')} mean, of which penpa says nothing")
    head = [
        ("Puzzle", grid.title or f"{genre.spec}, {grid.rows} rows and {grid.cols} columns"),
        ("Author", grid.author),
    ]
    head += [("Not read", one) for one in board.unread]
    return spec_text(head, [genre.spec], board.params, board.pictures(), {})


def _genre(tags: Any, reader: Reader) -> str:
    """The genre that a tag names."""
    words = [one for one in reader.entries(tags, "the tags") if isinstance(one, str)]
    short = [re.sub("[^a-z0-9]", "", one.lower().partition("(")[0]) for one in words]
    names = {TAGS.get(one, SAME.get(one, one)) for one in short}
    found = sorted(one for one in names & GENRES.keys() if all(map(_is_read, GENRES[one].parts)))
    if len(found) != 1:
        known = ", ".join(sorted(name for name, genre in GENRES.items() if all(map(_is_read, genre.parts))))
        told = f"its tags are {', '.join(words)[:60]}" if words else "it has no tag"
        reader.fail(f"penpa does not say what this grid asks: {told}", f"genres of numbers and rooms are read: {known}")
    return found[0]


def _is_read(part: BodyPart) -> bool:
    """Whether a part of a genre is numbers in squares, or rooms."""
    is_numbers = isinstance(part, BodyGrids) and part.shapes == {"clue": cells} and part.code in NUMERIC
    return is_numbers or isinstance(part, BodyRooms | RoomNumbers | Stars)


def _there(squares: Any, places: PenpaBoard, reader: Reader) -> list[bool]:
    """Of each square whether the board has it."""
    count = places.rows * places.cols
    if squares is None:
        return [True] * count
    steps = reader.entries(squares, "the list of squares")
    if not all(isinstance(one, int) for one in steps):
        reader.fail("the list of squares has something that is no number")
    own = {places.square(one) for one in accumulate(steps)}
    return [(r, c) in own for r, c in _squares(places)]


def _squares(places: PenpaBoard) -> Iterable[tuple[int, int]]:
    return ((r, c) for r in range(1, places.rows + 1) for c in range(1, places.cols + 1))


def _numbers(grid: TaggedGrid, places: PenpaBoard, in_corners: bool, reader: Reader) -> tuple[list[GridEntry], int]:
    """The number of each square, row by row, and how many other texts and signs there are.

    ``in_corners``: the number of a room may stand in a corner. A blank is a sign without a number.
    """
    found: dict[tuple[int, int] | None, GridEntry] = {}
    entries = [(places.square(place), words) for place, (words, *_) in marked(grid.fields, "number", reader).items()]
    small = [(places.quarter(place), words) for place, (words, *_) in marked(grid.fields, "sudoku", reader).items()]
    lost = 0 if in_corners else len(small)
    for square, words in [*entries, *(small if in_corners else [])]:
        text = str(words).strip() or "?"
        if square and re.fullmatch("[0-9]{1,3}|[?]", text):
            found[square] = text if text == "?" else int(text)
        else:
            lost += 1
    for tool in ("surface", "symbol"):
        signs = grid.fields.get(tool)
        own = map(int, filter(str.isdecimal, signs)) if isinstance(signs, dict) else ()
        lost += sum(places.square(place) not in found for place in own)
    return [found.get(one) for one in _squares(places)], lost


def _borders(grid: TaggedGrid, places: PenpaBoard, there: Sequence[bool], reader: Reader) -> list[list[bool]]:
    """Whether there is a thick line, or a square that is not there, to the right of the squares, and below them."""
    every = {*_squares(places)}
    missing = {square for square, own in zip(_squares(places), there, strict=True) if not own}
    thick = {
        places.beside(min(one, other), max(one, other))
        for one, other, style in lines_between(grid.fields, "edge", reader)
        if style == THICK
    }
    pairs = [[(one, (one[0] + down, one[1] + 1 - down)) for one in _squares(places)] for down in (0, 1)]
    return [[pair in thick or not missing.isdisjoint(pair) for pair in some if pair[1] in every] for some in pairs]
