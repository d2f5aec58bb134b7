"""Reads square penpa grids that a tag assigns to a genre.

The data of such a grid are numbers and rooms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from csp import counted

from ..puzzlink.board import LinkBoard, cells
from ..puzzlink.codes import GridEntry, Unwritable
from ..puzzlink.entries import DECIMALS, FOURS, LETTERS, NUMBERS, SIDES
from ..puzzlink.genres import GENRES, SYNONYMS
from ..puzzlink.parts import BodyGrids, BodyPart, BodyRooms, RoomNumbers, Stars
from ..reading import Reader
from ..writing import spec_text
from .board import THICK, PenpaBoard, entries_by_place, lines_between

MAX_SIDE = 60
"""Maximum number of rows or columns of a puzzle; a larger board is an error."""

TAGS = {
    "canalview": "canal", "countryroad": "country", "hanaregumi": "hanare", "hashiwokakero": "hashi",
    "kuromasu": "kurodoko", "meanderingnumbers": "meander", "numberlink": "numlin",
    "regionalyajilin": "yajilin-regions", "rippleeffect": "ripple", "territory": "nawabari",
}  # fmt: skip
"""The name in links to puzz.link of genres that have a different tag in penpa."""

NUMERIC = (NUMBERS, FOURS, DECIMALS, LETTERS, SIDES)
"""Codes of numbers in squares, the only codes that are read from penpa."""

SPEC_WITH_HOLES = "star_battle"
"""The spec whose board may have missing squares."""

UNREAD_TOOLS = {"line", "zD", "wall", "cage", "freeline", "freeedge", "thermo",
         "arrows", "squareframe", "polygon", "killercages", "nobulbthermo"}  # fmt: skip
"""Tools whose drawings are only counted, for a note."""


class TaggedGrid(NamedTuple):
    """A square penpa grid with the tags that name its genre.

    Attributes
    ----------
    rows, cols : int
    title, author : str
    fields : dict
        The drawings, by tool.
    space : list or None
        The numbers of rows and columns around the board.
    squares : list or None
        The places of the squares, each as the difference from the previous one.
    tags : list or None
        The tags. These three are None if the link does not have them.
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
    """Return the spec of a genre with the data of a tagged grid.

    Raises
    ------
    Diagnostic
        If not exactly one genre of numbers and rooms is tagged, or the size or squares of the grid do not fit it.
    """
    name = _genre(grid.tags, reader)
    if any(reader.entries(grid.space, "the space")):
        reader.fail("the board has rows or columns around it, which are not read")
    genre, board = GENRES[name], LinkBoard(grid.rows, grid.cols)
    try:
        board.params = genre.size.params(grid.rows, grid.cols)
    except Unwritable as error:
        reader.fail(str(error))
    places = PenpaBoard(grid.rows, grid.cols)
    is_present = _present_squares(grid.squares, places, reader)
    if not all(is_present) and genre.spec != SPEC_WITH_HOLES:
        reader.fail(f"the board lacks squares, and the gallery's {genre.spec} has them all")
    # The parts of the genre say which grids the numbers and rooms belong to.
    numbers, lost_count = _numbers(grid, places, any(isinstance(part, RoomNumbers) for part in genre.parts), reader)
    for part in genre.parts:
        match part:
            case BodyRooms():
                part.divide(board, _borders(grid, places, is_present, reader))
                rooms = board.row_by_row(part.room, cells(board))
                board.put(
                    part.room,
                    cells(board),
                    [room if present else None for room, present in zip(rooms, is_present, strict=True)],
                )
            case Stars():
                board.unread.append("how many stars a row has, which penpa does not tell; the spec asks for one")
            case BodyGrids(numbered=True) if "?" in numbers:
                reader.fail(f"the gallery's {genre.spec} has no sign without a number")
            case BodyGrids(code=code) if code is LETTERS:
                board.put("clue", cells(board), [None if number == "?" else number for number in numbers])
            case _:
                board.put("clue", cells(board), numbers)
    lost_count += sum(
        len(drawings) for tool in UNREAD_TOOLS if isinstance(drawings := grid.fields.get(tool), dict | list)
    )
    if lost_count:
        board.unread.append(f"what {counted(lost_count, 'drawing')} mean, of which penpa says nothing")
    head = [
        ("Puzzle", grid.title or f"{genre.spec}, {grid.rows} rows and {grid.cols} columns"),
        ("Author", grid.author),
    ]
    head += [("Not read", note) for note in board.unread]
    return spec_text(head, [genre.spec], board.params, board.pictures(), {})


def _genre(tags: Any, reader: Reader) -> str:
    """Return the genre that the tags name."""
    tags_of_grid = [word for word in reader.entries(tags, "the tags") if isinstance(word, str)]
    tag_names = [re.sub("[^a-z0-9]", "", word.lower().partition("(")[0]) for word in tags_of_grid]
    names = {TAGS.get(tag, SYNONYMS.get(tag, tag)) for tag in tag_names}
    genres = sorted(name for name in names & GENRES.keys() if all(map(_is_read, GENRES[name].parts)))
    if len(genres) != 1:
        known_genres = ", ".join(sorted(name for name, genre in GENRES.items() if all(map(_is_read, genre.parts))))
        reason = f"its tags are {', '.join(tags_of_grid)[:60]}" if tags_of_grid else "it has no tag"
        reader.fail(
            f"penpa does not say what this grid asks: {reason}", f"genres of numbers and rooms are read: {known_genres}"
        )
    return genres[0]


def _is_read(part: BodyPart) -> bool:
    """Return whether penpa grids can supply a part of a genre's data."""
    is_numbers = isinstance(part, BodyGrids) and part.shapes == {"clue": cells} and part.code in NUMERIC
    return is_numbers or isinstance(part, BodyRooms | RoomNumbers | Stars)


def _present_squares(squares: Any, places: PenpaBoard, reader: Reader) -> list[bool]:
    """Return whether each square is on the board, row by row."""
    count = places.rows * places.cols
    if squares is None:
        return [True] * count
    steps = reader.entries(squares, "the list of squares")
    if not all(isinstance(step, int) for step in steps):
        reader.fail("the list of squares has something that is no number")
    squares_of_board = {places.square(place) for place in accumulate(steps)}
    return [(r, c) in squares_of_board for r, c in _squares(places)]


def _squares(places: PenpaBoard) -> Iterable[tuple[int, int]]:
    """Yield all squares of the board, row by row."""
    return ((r, c) for r in range(1, places.rows + 1) for c in range(1, places.cols + 1))


def _numbers(grid: TaggedGrid, places: PenpaBoard, in_corners: bool, reader: Reader) -> tuple[list[GridEntry], int]:
    """Return the entry of each square, and how many other drawings were ignored.

    An entry is a number, ``?`` for a sign without a number, or None; the order is row by row. If ``in_corners`` is
    true, numbers may be in the corners of squares, like the numbers of rooms.
    """
    entries_by_square: dict[tuple[int, int] | None, GridEntry] = {}
    entries = [
        (places.square(place), content)
        for place, (content, *_) in entries_by_place(grid.fields, "number", reader).items()
    ]
    corner_entries = [
        (places.quarter(place), content)
        for place, (content, *_) in entries_by_place(grid.fields, "sudoku", reader).items()
    ]
    lost_count = 0 if in_corners else len(corner_entries)
    for square, content in [*entries, *(corner_entries if in_corners else [])]:
        text = str(content).strip() or "?"
        if square and re.fullmatch("[0-9]{1,3}|[?]", text):
            entries_by_square[square] = text if text == "?" else int(text)
        else:
            lost_count += 1
    for tool in ("surface", "symbol"):
        signs = grid.fields.get(tool)
        sign_places = map(int, filter(str.isdecimal, signs)) if isinstance(signs, dict) else ()
        lost_count += sum(places.square(place) not in entries_by_square for place in sign_places)
    return [entries_by_square.get(square) for square in _squares(places)], lost_count


def _borders(grid: TaggedGrid, places: PenpaBoard, is_present: Sequence[bool], reader: Reader) -> list[list[bool]]:
    """Return which squares have a border on the right, and which below.

    A border is a thick line, or the side of a missing square. Both lists go row by row.
    """
    all_squares = {*_squares(places)}
    missing = {square for square, present in zip(_squares(places), is_present, strict=True) if not present}
    thick = {
        places.beside(min(start, end), max(start, end))
        for start, end, style in lines_between(grid.fields, "edge", reader)
        if style == THICK
    }
    pairs = [[(square, (square[0] + down, square[1] + 1 - down)) for square in _squares(places)] for down in (0, 1)]
    return [
        [pair in thick or not missing.isdisjoint(pair) for pair in pairs_of_direction if pair[1] in all_squares]
        for pairs_of_direction in pairs
    ]
