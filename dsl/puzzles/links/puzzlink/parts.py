"""Reads and writes the parts of a link's body as grids."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from csp import counted

from .board import BoardSquare, GridShape, LinkBoard, below, cells, corners, right
from .codes import BodyCode, GridEntry, Letters, Unwritable
from .entries import BORDERS, NUMBERS, SUMS, TREES, read_sum, write_sum


class BodyPart(ABC):
    """A reader and writer of one part of a link's body.

    The body is the text after the genre and the size.

    Attributes
    ----------
    names : tuple of str
        The grids and params of the spec that the part reads and writes.
    """

    names: tuple[str, ...]

    @abstractmethod
    def read(self, letters: Letters, board: LinkBoard) -> None:
        """Read the letters of the part, and store their data on the board."""

    @abstractmethod
    def write(self, board: LinkBoard) -> str:
        """Return the letters for the board's data of this part.

        Raises
        ------
        Unwritable
            If links cannot express the data.
        """


class BodyGrids(BodyPart):
    """A reader and writer of grids that follow each other in the same code.

    If ``numbered`` is true, the spec cannot express a sign without a number.
    """

    def __init__(self, code: BodyCode, *, numbered: bool = False, **shapes: Callable[[LinkBoard], GridShape]) -> None:
        self.code, self.numbered, self.shapes = code, numbered, shapes
        self.names = tuple(shapes)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        shapes = [(name, shape(board)) for name, shape in self.shapes.items()]
        values = self.code.read(letters, sum(rows * cols for _, (rows, cols) in shapes))
        if self.numbered and "?" in values:
            raise letters.fail("the gallery's spec has no sign without a number")
        for name, (rows, cols) in shapes:
            board.put(name, (rows, cols), values[: rows * cols])
            values = values[rows * cols :]

    def write(self, board: LinkBoard) -> str:
        values = [entry for name, shape in self.shapes.items() for entry in board.row_by_row(name, shape(board))]
        return self.code.write(values)


class Sides(BodyPart):
    """A reader and writer of several grids, interleaved cell by cell."""

    def __init__(self, code: BodyCode, *names: str) -> None:
        self.code, self.names = code, names

    def read(self, letters: Letters, board: LinkBoard) -> None:
        blank = (None,) * len(self.names)
        entries = [entry or blank for entry in self.code.read(letters, board.rows * board.cols)]
        for place, name in enumerate(self.names):
            board.put(name, cells(board), [entry[place] for entry in entries])

    def write(self, board: LinkBoard) -> str:
        entries = zip(*(board.row_by_row(name, cells(board)) for name in self.names), strict=True)
        return self.code.write([None if entry == (None,) * len(entry) else entry for entry in entries])


class BodyRooms(BodyPart):
    """A reader and writer of the borders between rooms (regions of cells).

    It also reads and writes walls inside rooms if the spec has grids for them.
    """

    def __init__(self, room: str = "room", *walls: str) -> None:
        self.room, self.walls = room, walls
        self.names = (room, *walls)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        self.divide(board, [BORDERS.read(letters, rows * cols) for rows, cols in (right(board), below(board))])

    def divide(self, board: LinkBoard, borders: Sequence[Sequence[GridEntry | bool]]) -> None:
        """Store on the board the rooms that borders enclose, and walls inside rooms.

        ``borders`` lists the borders to the right of squares, then the borders below squares, each row by row.
        """
        # Rooms are the pieces of cells that are connected without crossing a border.
        joined = [pair for some_borders, pairs in zip(borders, _pairs(board), strict=True)
                  for border, pair in zip(some_borders, pairs, strict=True) if not border]  # fmt: skip
        rooms = _pieces(board.rows * board.cols, joined)
        board.put(self.room, cells(board), rooms)
        # A border between two cells of the same room is a wall.
        inside = [[bool(border) and rooms[a] == rooms[b] for border, (a, b) in zip(some_borders, pairs, strict=True)]
                  for some_borders, pairs in zip(borders, _pairs(board), strict=True)]  # fmt: skip
        wall_count = sum(map(sum, inside))
        for name, shape, flags in zip(self.walls if wall_count else (), (right, below), inside, strict=False):
            board.put(name, shape(board), ["x" if is_wall else None for is_wall in flags])
        if wall_count and not self.walls:
            board.unread.append(f"{counted(wall_count, 'border')} inside of rooms")

    def write(self, board: LinkBoard) -> str:
        rooms = board.row_by_row(self.room, cells(board))
        names: dict[GridEntry, int] = {}
        pairs = _pairs(board)
        joined = [(a, b) for some_pairs in pairs for a, b in some_pairs if rooms[a] == rooms[b]]
        # The rooms must be exactly the pieces that their borders divide the board into.
        if None in rooms or _pieces(len(rooms), joined) != [names.setdefault(room, len(names) + 1) for room in rooms]:
            raise Unwritable("each cell has a room for links, and a room is one piece")
        walls = [board.row_by_row(name, shape(board)) for name, shape in zip(self.walls, (right, below), strict=False)]
        no_walls: list[list[GridEntry]] = [[None] * len(some_pairs) for some_pairs in pairs]
        text = ""
        for some_pairs, wall in zip(pairs, walls or no_walls, strict=True):
            text += BORDERS.write(
                [
                    int(rooms[a] != rooms[b] or bool(wall_entry))
                    for (a, b), wall_entry in zip(some_pairs, wall, strict=True)
                ]
            )
        return text


class RoomNumbers(BodyPart):
    """A reader and writer of a number or blank for each room.

    The number is stored in the first cell of the room.
    """

    names = ("clue",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        rooms = board.row_by_row("room", cells(board))
        is_first_cell = [room not in rooms[:cell] for cell, room in enumerate(rooms)]
        numbers = iter(NUMBERS.read(letters, sum(is_first_cell)))
        board.put("clue", cells(board), [next(numbers) if is_first else None for is_first in is_first_cell])

    def write(self, board: LinkBoard) -> str:
        numbers: dict[GridEntry, GridEntry] = {}
        for room, clue in zip(*(board.row_by_row(name, cells(board)) for name in ("room", "clue")), strict=True):
            if clue is not None and numbers.get(room) is not None:
                raise Unwritable("a room has one number in links")
            numbers[room] = clue if clue is not None else numbers.get(room)
        return NUMBERS.write([*numbers.values()])


class Stars(BodyPart):
    """A reader and writer of the number of stars per row.

    It is written as a number and a slash.
    """

    names = ("stars",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        board.params["stars"] = letters.read_until_slash()

    def write(self, board: LinkBoard) -> str:
        return f"{board.params['stars']}/"


class Trees(BodyPart):
    """A reader and writer of the trees and numbers of a tents puzzle.

    The spec has one grid, whose first row and column have the numbers.
    """

    names = ("board",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        numbers = [None if entry == "?" else entry for entry in NUMBERS.read(letters, board.cols + board.rows)]
        trees = TREES.read(letters, board.rows * board.cols)
        entries: list[GridEntry] = [None, *numbers[: board.cols]]
        for r, row_number in enumerate(numbers[board.cols :]):
            entries += [row_number, *trees[r * board.cols : (r + 1) * board.cols]]
        board.put("board", corners(board), entries)

    def write(self, board: LinkBoard) -> str:
        values = board.row_by_row("board", corners(board))
        rows = [values[start : start + board.cols + 1] for start in range(0, len(values), board.cols + 1)]
        trees = [entry for row in rows[1:] for entry in row[1:]]
        return NUMBERS.write([*rows[0][1:], *(row[0] for row in rows[1:])]) + TREES.write(trees)


class KakuroSums(BodyPart):
    """A reader and writer of the sums of a kakuro.

    The sums in black cells come first, then the sums above columns, then the sums to the left of rows.
    """

    names = ("across", "down")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        inside = [sums or (None, None) for sums in SUMS.read(letters, board.rows * board.cols)]
        rows = [inside[start : start + board.cols] for start in range(0, len(inside), board.cols)]
        black: tuple[GridEntry, GridEntry] = ("#", "#")
        top = [("#", read_sum(letters)) if sums == (None, None) else black for sums in rows[0]]
        # The first row and the first column of the grid are the border, with sums beside white cells only.
        sums_by_cell = [black, *top]
        for row in rows:
            sums_by_cell += [(read_sum(letters), "#") if row[0] == (None, None) else black, *row]
        for place, name in enumerate(self.names):
            board.put(name, corners(board), [sums[place] for sums in sums_by_cell])

    def write(self, board: LinkBoard) -> str:
        sums_by_cell = [*zip(*(board.row_by_row(name, corners(board)) for name in self.names), strict=True)]
        (_, *top), *rows = [
            sums_by_cell[start : start + board.cols + 1] for start in range(0, len(sums_by_cell), board.cols + 1)
        ]
        # Pair the first cell of each column and row with its sum outside, in the order across, down.
        edges = [(below, sums[::-1]) for below, sums in zip(rows[0][1:], top, strict=True)]
        edges += [(row[1], row[0]) for row in rows]
        if sums_by_cell[0] != ("#", "#") or any(
            pair[1] != "#" or (pair[0] != "#" and cell != (None, None)) for cell, pair in edges
        ):
            raise Unwritable("outside, a kakuro of links has sums of the next cell's line only")
        inside = [None if sums == (None, None) else sums for row in rows for sums in row[1:]]
        return SUMS.write(inside) + "".join(write_sum(sums[0]) for cell, sums in edges if cell == (None, None))


class NonogramLines(BodyPart):
    """A reader and writer of a nonogram's numbers, each line in reverse order.

    The numbers of columns come first, then the numbers of rows.
    """

    names = ("down", "across")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        for name, (line_count, max_count) in self._shapes(board):
            numbers = NUMBERS.read(letters, line_count * max_count)
            if "?" in numbers:
                raise letters.fail("the gallery's spec has no sign without a number")
            board.put(name, (line_count, max_count), _reverse_lines(numbers, max_count))

    def write(self, board: LinkBoard) -> str:
        shapes = self._shapes(board)
        return "".join(NUMBERS.write(_reverse_lines(board.row_by_row(name, shape), shape[1])) for name, shape in shapes)

    def _shapes(self, board: LinkBoard) -> list[tuple[str, GridShape]]:
        """Return the name and size of the columns' numbers, then of the rows' numbers.

        A line has at most one number for every two cells, rounded up.
        """
        return [("down", (board.cols, (board.rows + 1) // 2)), ("across", (board.rows, (board.cols + 1) // 2))]


def _reverse_lines(numbers: Sequence[GridEntry], max_count: int) -> list[GridEntry]:
    """Return the numbers of each line reversed, with the blanks at the end."""
    rows = [
        [number for number in numbers[start : start + max_count] if number is not None]
        for start in range(0, len(numbers), max_count)
    ]
    return [number for row in rows for number in row[::-1] + [None] * (max_count - len(row))]


SHAPES = {
    "t": ["i.l...s.ttt.oo", "i.l..ss..t..oo", "i.ll.s........", "i............."],
    "p": [
        ".ff.i.l..n...pp.ttt.u.u.v...w....x..y..zz.",
        "ff..i.l..n...pp..t..uuu.v...ww..xxx.yy..z.",
        ".f..i.l..nn..p...t......vvv..ww..x..y...zz",
        "....i.ll..n.........................y.....",
        "....i.....................................",
    ],
}
"""The named sets of shapes: the tetrominoes and the pentominoes."""


class Shapes(BodyPart):
    """A reader and writer of the shapes of a statue park: tetrominoes or pentominoes."""

    names = ("shape", "shape_rows", "shape_cols")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        name = letters.read_rest().strip("/")
        if name not in SHAPES:
            raise letters.fail("the shapes of a statue park are t or p, all of four or of five squares")
        rows = SHAPES[name]
        board.params |= {"shape_rows": len(rows), "shape_cols": len(rows[0])}
        board.put(
            "shape", (len(rows), len(rows[0])), [None if letter == "." else letter for row in rows for letter in row]
        )

    def write(self, board: LinkBoard) -> str:
        for name, rows in SHAPES.items():
            entries = {
                (r, c): letter for r, row in enumerate(rows, 1) for c, letter in enumerate(row, 1) if letter != "."
            }
            if entries == board.grids.get("shape"):
                return f"//{name}"
        raise Unwritable("the shapes of a statue park of links are all of four or of five squares")


def _pairs(board: LinkBoard) -> list[list[BoardSquare]]:
    """Return the index pairs of horizontally, then of vertically, neighbouring cells."""
    cols = board.cols
    all_cells = range(board.rows * cols)
    return [[(a, a + 1) for a in all_cells if (a + 1) % cols], [(a, a + cols) for a in all_cells[: -cols or None]]]


def _pieces(count: int, joined: Iterable[tuple[int, int]]) -> list[GridEntry]:
    """Return for each cell the number of the connected piece it belongs to.

    Pieces are numbered from 1, in the order of their first cells. ``joined`` are pairs of cells in the same piece.
    """
    # Disjoint sets: every cell points towards the first cell of its piece.
    root = list(range(count))

    def top(cell: int) -> int:
        """Return the first cell of the piece of ``cell``, and shorten the path to it."""
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for a, b in joined:
        a, b = top(a), top(b)
        root[max(a, b)] = min(a, b)
    names: dict[int, GridEntry] = {}
    return [names.setdefault(top(cell), len(names) + 1) for cell in range(count)]
