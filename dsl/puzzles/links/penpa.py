"""Reads links to penpa: sudokus, and the genres of puzz.link."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from urllib.parse import unquote

import networkx as nx

from csp import counted

from ...syntax.errors import Diagnostic
from ...syntax.nodes import Place
from .packing import Damaged
from .puzzlink.board import LinkBoard, cells, size_error
from .puzzlink.codes import GridEntry, Unwritable
from .puzzlink.entries import DECIMALS, FOURS, LETTERS, NUMBERS, SIDES
from .puzzlink.genres import GENRES, SYNONYMS
from .puzzlink.parts import BodyGrids, BodyPart, BodyRooms, RoomNumbers, Stars
from .reading import SIZES, Reader
from .variant import Square, Variant, draw_line, draw_spot, spec_of, symbol
from .writing import spec_text

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

UNREAD_SUDOKU_TOOLS = ("surface", "line", "freeline", "freeedge", "wall", "squareframe", "polygon")
"""Tools of sudokus whose drawings are only counted, for a note."""


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

UNREAD_GENRE_TOOLS = {"line", "zD", "wall", "cage", "freeline", "freeedge", "thermo",
         "arrows", "squareframe", "polygon", "killercages", "nobulbthermo"}  # fmt: skip
"""Tools of genres whose drawings are only counted, for a note."""

THICK = 2
"""The style of a thick line."""

MARGIN = 2
"""Number of rows and columns around the board, on each side, that have places, too."""


def read_penpa(link: str, at: Place) -> str:
    """Return the spec to which a penpa link is converted.

    Raises
    ------
    Diagnostic
        If the link holds neither a sudoku grid nor a square grid with the tag of a genre, or is malformed.
    """
    match = re.search(r"[#?&]p=([^&#]+)", link)
    if not match:
        raise Diagnostic("bad-link", "this link to penpa holds no puzzle", at, "it should have p= in it")
    lines = _unpack(unquote(match[1]), match.start(1)).split("\n")
    reader = Reader(at)
    # The first line is the header: kind of grid, size, title and author.
    header = lines[0].split(",")
    if header[0] not in ("sudoku", "square"):
        reader.fail(f"grids of the kind {header[0][:20]} are not supported", "its sudoku and square grids are read")
    cols, rows, *_ = [reader.number(number, "the size") or 0 for number in header[1:3]] + [0, 0]
    reader.size = rows
    is_sudoku = header[0] == "sudoku"
    if len(lines) < 4 or (is_sudoku and (cols != rows or rows not in SIZES)):
        reader.fail("the board is not a square of a supported size")
    if message := size_error(rows, cols):
        reader.fail(message)
    # The fourth line has the drawings, by tool.
    fields = _json(KEYS.sub(_write_out, lines[3]))
    if not isinstance(fields, dict):
        reader.fail("the link does not contain a puzzle of penpa")
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
    """Decompress the data of a penpa link; ``start`` is its position, for messages."""
    try:
        unpacker = zlib.decompressobj(-15)
        data = unpacker.decompress(b64decode(text, validate=True), MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        raise Damaged("the content of the link is damaged", start) from None
    if not unpacker.eof:
        raise Damaged("the link is cut short, or holds too much", start + len(text) - 1)
    return data.decode("utf-8", "replace")


def _write_out(match: re.Match[str]) -> str:
    """Return the full JSON name for an abbreviation; a quoted text stays as it is."""
    word = match[0]
    return word if word.startswith('"') else "null" if word == "zO" else f'"{LONG_NAMES.get(word, word)}"'


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
    variant.notes += _unread_note(lost_count, fields, UNREAD_SUDOKU_TOOLS)


def _unread_note(lost_count: int, fields: dict[str, Any], tools: Iterable[str]) -> list[str]:
    """Return a note with the number of drawings that are not read; empty without any.

    These are the lost drawings, and all drawings of the given tools.
    """
    lost_count += sum(len(drawings) for tool in tools if isinstance(drawings := fields.get(tool), dict | list))
    return [f"the meaning of {counted(lost_count, 'drawing')}, which penpa does not define"] if lost_count else []


def _read_numbers(variant: Variant, fields: dict[str, Any], reader: Reader, board: PenpaBoard) -> int:
    """Add the givens to a variant; return the number of other texts.

    These texts are drawn if they are in squares.
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
    """Set a variant's regions from thick lines, if these enclose several regions."""
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
    """Add the cages and their totals to a variant; return the number of totals.

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
            reader.fail("a cage surrounds squares, and its frame does not show whether they belong to it")
        for r, c in cage:
            variant.fact("cage", r, c, number)
        texts = [str(content).strip() for place, (content, *_) in sums.items() if board.quarter(place) in cage]
        if len(texts) == 1 and re.fullmatch("[0-9]{1,3}", texts[0]):
            variant.include("cage_totals")
            variant.fact("total", number, int(texts[0]))
            total_count += 1
    return total_count


class TaggedGrid(NamedTuple):
    """A penpa grid of square cells, with its drawings and perhaps tags that name its genre.

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
    """Return the spec of the genre that a penpa grid's tags name, with its data.

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
                board.unread.append("the number of stars in a row, which penpa does not define; the spec requires one")
            case BodyGrids(numbered=True) if "?" in numbers:
                reader.fail(f"the gallery's {genre.spec} has no sign without a number")
            case BodyGrids(code=code) if code is LETTERS:
                board.put("clue", cells(board), [None if number == "?" else number for number in numbers])
            case _:
                board.put("clue", cells(board), numbers)
    board.unread += _unread_note(lost_count, grid.fields, UNREAD_GENRE_TOOLS)
    head = [
        ("Puzzle", grid.title or f"{genre.spec}, {grid.rows} rows and {grid.cols} columns"),
        ("Author", grid.author),
    ]
    head += [("Not read", note) for note in board.unread]
    return spec_text(head, [genre.spec], board.params, board.pictures(), {})


def _genre(tags: Any, reader: Reader) -> str:
    """Return the genre that the tags name; refuse tags of no or several known genres."""
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
    """Return whether a penpa grid can supply the data of a ``BodyPart``."""
    is_numbers = isinstance(part, BodyGrids) and part.shapes == {"clue": cells} and part.code in NUMERIC
    return is_numbers or isinstance(part, BodyRooms | RoomNumbers | Stars)


def _present_squares(squares: Any, places: PenpaBoard, reader: Reader) -> list[bool]:
    """Return for each square, row by row, whether the board has it; by default all."""
    count = places.rows * places.cols
    if squares is None:
        return [True] * count
    steps = reader.entries(squares, "the list of squares")
    if not all(isinstance(step, int) for step in steps):
        reader.fail("the list of squares contains an entry that is not a number")
    squares_of_board = {places.square(place) for place in accumulate(steps)}
    return [(r, c) in squares_of_board for r, c in _squares(places)]


def _squares(places: PenpaBoard) -> Iterable[tuple[int, int]]:
    """Return an iterator over all squares of the board, row by row."""
    return ((r, c) for r in range(1, places.rows + 1) for c in range(1, places.cols + 1))


def _numbers(grid: TaggedGrid, places: PenpaBoard, in_corners: bool, reader: Reader) -> tuple[list[GridEntry], int]:
    """Return the entry of each square, and the number of other drawings.

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
    """Return two lists of flags: borders to the right of squares, and borders below.

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


class PenpaBoard:
    """A penpa board, which converts place numbers to squares.

    The middles of squares come first, then corners and sides, then quarters of squares.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.wide = rows, cols, cols + 2 * MARGIN
        self.corners = self.wide * (rows + 2 * MARGIN)
        self.quarters = 4 * self.corners

    def square(self, place: int) -> Square | None:
        """Return the square whose centre has a place number; None outside of the board."""
        row, column = divmod(place, self.wide)
        square = row - MARGIN + 1, column - MARGIN + 1
        return square if 1 <= square[0] <= self.rows and 1 <= square[1] <= self.cols else None

    def quarter(self, place: int) -> Square | None:
        """Return the square that contains the quarter with a place number, or None."""
        return self.square((place - self.quarters) // 4) if place >= self.quarters else None

    def beside(self, corner: int, next_corner: int) -> tuple[Square, Square]:
        """Return the squares on both sides of the edge between two neighbouring corners."""
        row, column = divmod(corner - self.corners, self.wide)
        r, c = row - MARGIN + 2, column - MARGIN + 2
        return ((r, c - 1), (r, c)) if next_corner - corner == self.wide else ((r - 1, c), (r, c))


def entries_by_place(fields: dict[str, Any], name: str, reader: Reader, min_length: int = 1) -> dict[int, list[Any]]:
    """Return the drawings of a penpa tool by their place numbers.

    Each is a list of at least ``min_length`` values.
    """
    entries = fields.get(name) or {}
    is_valid = isinstance(entries, dict) and all(re.fullmatch("[0-9]{1,6}", key) for key in entries)
    if not is_valid or any(not isinstance(value, list) or len(value) < min_length for value in entries.values()):
        reader.fail(f"{name} has an entry without a place")
    return {int(place): value for place, value in entries.items()}


def lines_between(fields: dict[str, Any], name: str, reader: Reader) -> Iterator[tuple[int, int, Any]]:
    """Yield each line of a penpa tool: two place numbers and a style."""
    lines = fields.get(name) or {}
    if not isinstance(lines, dict):
        reader.fail(f"{name} is not a table of lines")
    for key, style in lines.items():
        if match := re.fullmatch("([0-9]{1,6}),([0-9]{1,6})", key):
            yield int(match[1]), int(match[2]), style
