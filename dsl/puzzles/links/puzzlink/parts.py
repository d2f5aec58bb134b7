"""What the body of a puzzle consists of: parts that read and write the grids of its spec."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from csp import counted

from .board import BoardSquare, GridShape, LinkBoard, below, cells, corners, right
from .codes import NUMBERS, SUMS, TREES, BodyCode, GridEntry, Unwritable, packed, read_sum, write_sum
from .letters import Letters


class BodyPart(ABC):
    """A part of a body; ``names``: the grids and params of the spec that it tells."""

    names: tuple[str, ...]

    @abstractmethod
    def read(self, letters: Letters, board: LinkBoard) -> None:
        """Take the letters, and put what they say on the board."""

    @abstractmethod
    def write(self, board: LinkBoard) -> str:
        """The letters of what is on the board.

        Raises
        ------
        Unwritable
            If there are none.
        """


class BodyGrids(BodyPart):
    """BodyGrids, one behind the other, in one code; ``known``: the spec has no sign without a number."""

    def __init__(self, code: BodyCode, *, known: bool = False, **shapes: Callable[[LinkBoard], GridShape]) -> None:
        self.code, self.known, self.shapes = code, known, shapes
        self.names = tuple(shapes)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        shapes = [(name, shape(board)) for name, shape in self.shapes.items()]
        values = self.code.read(letters, sum(rows * cols for _, (rows, cols) in shapes))
        if self.known and "?" in values:
            raise letters.fail("the gallery's spec has no sign without a number")
        for name, (rows, cols) in shapes:
            board.put(name, (rows, cols), values[: rows * cols])
            values = values[rows * cols :]

    def write(self, board: LinkBoard) -> str:
        values = [one for name, shape in self.shapes.items() for one in board.row_by_row(name, shape(board))]
        return self.code.write(values)


class Sides(BodyPart):
    """Several grids of which each cell has an entry together."""

    def __init__(self, code: BodyCode, *names: str) -> None:
        self.code, self.names = code, names

    def read(self, letters: Letters, board: LinkBoard) -> None:
        nothing = (None,) * len(self.names)
        entries = [one or nothing for one in self.code.read(letters, board.rows * board.cols)]
        for place, name in enumerate(self.names):
            board.put(name, cells(board), [one[place] for one in entries])

    def write(self, board: LinkBoard) -> str:
        entries = zip(*(board.row_by_row(name, cells(board)) for name in self.names), strict=True)
        return self.code.write([None if one == (None,) * len(one) else one for one in entries])


BORDERS = packed(5, 0, 1)


class BodyRooms(BodyPart):
    """BodyRooms by their borders, and walls inside of rooms if the spec has grids for them."""

    def __init__(self, room: str = "room", *walls: str) -> None:
        self.room, self.walls = room, walls
        self.names = (room, *walls)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        self.divide(board, [BORDERS.read(letters, rows * cols) for rows, cols in (right(board), below(board))])

    def divide(self, board: LinkBoard, borders: Sequence[Sequence[GridEntry | bool]]) -> None:
        """Put the rooms on the board that borders to the right of squares, and below squares, make."""
        joined = [pair for some, pairs in zip(borders, _pairs(board), strict=True)
                  for border, pair in zip(some, pairs, strict=True) if not border]  # fmt: skip
        room = _pieces(board.rows * board.cols, joined)
        board.put(self.room, cells(board), room)
        inside = [[bool(border) and room[a] == room[b] for border, (a, b) in zip(some, pairs, strict=True)]
                  for some, pairs in zip(borders, _pairs(board), strict=True)]  # fmt: skip
        many = sum(map(sum, inside))
        for name, shape, some in zip(self.walls if many else (), (right, below), inside, strict=False):
            board.put(name, shape(board), ["x" if one else None for one in some])
        if many and not self.walls:
            board.unread.append(f"{counted(many, 'border')} inside of rooms")

    def write(self, board: LinkBoard) -> str:
        room = board.row_by_row(self.room, cells(board))
        names: dict[GridEntry, int] = {}
        pairs = _pairs(board)
        joined = [(a, b) for some in pairs for a, b in some if room[a] == room[b]]
        if None in room or _pieces(len(room), joined) != [names.setdefault(one, len(names) + 1) for one in room]:
            raise Unwritable("each cell has a room for links, and a room is one piece")
        walls = [board.row_by_row(name, shape(board)) for name, shape in zip(self.walls, (right, below), strict=False)]
        blank: list[list[GridEntry]] = [[None] * len(some) for some in pairs]
        text = ""
        for some, wall in zip(pairs, walls or blank, strict=True):
            text += BORDERS.write(
                [int(room[a] != room[b] or bool(one)) for (a, b), one in zip(some, wall, strict=True)]
            )
        return text


class RoomNumbers(BodyPart):
    """Numbers of rooms, each at the first cell of its room."""

    names = ("clue",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        room = board.row_by_row("room", cells(board))
        first = [one not in room[:cell] for cell, one in enumerate(room)]
        numbers = iter(NUMBERS.read(letters, sum(first)))
        board.put("clue", cells(board), [next(numbers) if one else None for one in first])

    def write(self, board: LinkBoard) -> str:
        numbers: dict[GridEntry, GridEntry] = {}
        for room, clue in zip(*(board.row_by_row(name, cells(board)) for name in ("room", "clue")), strict=True):
            if clue is not None and numbers.get(room) is not None:
                raise Unwritable("a room has one number in links")
            numbers[room] = clue if clue is not None else numbers.get(room)
        return NUMBERS.write([*numbers.values()])


class Stars(BodyPart):
    """A param, written with a slash behind it."""

    names = ("stars",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        board.params["stars"] = letters.until_slash()

    def write(self, board: LinkBoard) -> str:
        return f"{board.params['stars']}/"


class Trees(BodyPart):
    """Numbers above and on the left, and trees: one grid of the spec, whose first row and column have the numbers."""

    names = ("board",)

    def read(self, letters: Letters, board: LinkBoard) -> None:
        numbers = [None if one == "?" else one for one in NUMBERS.read(letters, board.cols + board.rows)]
        trees = TREES.read(letters, board.rows * board.cols)
        rows: list[GridEntry] = [None, *numbers[: board.cols]]
        for r, number in enumerate(numbers[board.cols :]):
            rows += [number, *trees[r * board.cols : (r + 1) * board.cols]]
        board.put("board", corners(board), rows)

    def write(self, board: LinkBoard) -> str:
        values = board.row_by_row("board", corners(board))
        rows = [values[at : at + board.cols + 1] for at in range(0, len(values), board.cols + 1)]
        trees = [one for row in rows[1:] for one in row[1:]]
        return NUMBERS.write([*rows[0][1:], *(row[0] for row in rows[1:])]) + TREES.write(trees)


class KakuroSums(BodyPart):
    """The sums of a kakuro: of the black cells, then above the columns and on the left of the rows."""

    names = ("across", "down")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        inside = [one or (None, None) for one in SUMS.read(letters, board.rows * board.cols)]
        rows = [inside[at : at + board.cols] for at in range(0, len(inside), board.cols)]
        black: tuple[GridEntry, GridEntry] = ("#", "#")
        top = [("#", read_sum(letters)) if one == (None, None) else black for one in rows[0]]
        found = [black, *top]
        for row in rows:
            found += [(read_sum(letters), "#") if row[0] == (None, None) else black, *row]
        for place, name in enumerate(self.names):
            board.put(name, corners(board), [one[place] for one in found])

    def write(self, board: LinkBoard) -> str:
        both = [*zip(*(board.row_by_row(name, corners(board)) for name in self.names), strict=True)]
        (_, *top), *rows = [both[at : at + board.cols + 1] for at in range(0, len(both), board.cols + 1)]
        edges = [(below, one[::-1]) for below, one in zip(rows[0][1:], top, strict=True)]
        edges += [(row[1], row[0]) for row in rows]
        if both[0] != ("#", "#") or any(
            one[1] != "#" or (one[0] != "#" and cell != (None, None)) for cell, one in edges
        ):
            raise Unwritable("outside, a kakuro of links has sums of the next cell's line only")
        inside = [None if one == (None, None) else one for row in rows for one in row[1:]]
        return SUMS.write(inside) + "".join(write_sum(one[0]) for cell, one in edges if cell == (None, None))


class NonogramLines(BodyPart):
    """The numbers of a nonogram, above the columns and then beside the rows, the last of each line first."""

    names = ("down", "across")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        for name, (lines, most) in self._shapes(board):
            numbers = NUMBERS.read(letters, lines * most)
            if "?" in numbers:
                raise letters.fail("the gallery's spec has no sign without a number")
            board.put(name, (lines, most), _turned(numbers, most))

    def write(self, board: LinkBoard) -> str:
        shapes = self._shapes(board)
        return "".join(NUMBERS.write(_turned(board.row_by_row(name, shape), shape[1])) for name, shape in shapes)

    def _shapes(self, board: LinkBoard) -> list[tuple[str, GridShape]]:
        return [("down", (board.cols, (board.rows + 1) // 2)), ("across", (board.rows, (board.cols + 1) // 2))]


def _turned(numbers: Sequence[GridEntry], most: int) -> list[GridEntry]:
    """The numbers of each line in reverse order, blanks at the end."""
    rows = [[one for one in numbers[at : at + most] if one is not None] for at in range(0, len(numbers), most)]
    return [one for row in rows for one in row[::-1] + [None] * (most - len(row))]


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
"""The sets of shapes that have a name, the tetrominoes and the pentominoes."""


class Shapes(BodyPart):
    """A set of shapes by its name."""

    names = ("shape", "shape_rows", "shape_cols")

    def read(self, letters: Letters, board: LinkBoard) -> None:
        name = letters.rest().strip("/")
        if name not in SHAPES:
            raise letters.fail("the shapes of a statue park are t or p, all of four or of five squares")
        rows = SHAPES[name]
        board.params |= {"shape_rows": len(rows), "shape_cols": len(rows[0])}
        board.put("shape", (len(rows), len(rows[0])), [None if one == "." else one for row in rows for one in row])

    def write(self, board: LinkBoard) -> str:
        for name, rows in SHAPES.items():
            told = {(r, c): one for r, row in enumerate(rows, 1) for c, one in enumerate(row, 1) if one != "."}
            if told == board.grids.get("shape"):
                return f"//{name}"
        raise Unwritable("the shapes of a statue park of links are all of four or of five squares")


def _pairs(board: LinkBoard) -> list[list[BoardSquare]]:
    """The cells that a border to the right parts, and those that a border below parts."""
    cols = board.cols
    every = range(board.rows * cols)
    return [[(a, a + 1) for a in every if (a + 1) % cols], [(a, a + cols) for a in every[: -cols or None]]]


def _pieces(count: int, joined: Iterable[tuple[int, int]]) -> list[GridEntry]:
    """The piece of each of so many cells, from 1 in the order of their first cells."""
    root = list(range(count))

    def top(cell: int) -> int:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for a, b in joined:
        a, b = top(a), top(b)
        root[max(a, b)] = min(a, b)
    names: dict[int, GridEntry] = {}
    return [names.setdefault(top(cell), len(names) + 1) for cell in range(count)]
