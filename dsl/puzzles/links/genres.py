"""The genres of puzz.link that the gallery has: how each is written in a link, and what its spec calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...text.grids import grid_text
from .codec import UNKNOWN, CellNumbers, PuzzleBody


class Data(NamedTuple):
    """The data of a puzzle: params beside ``rows`` and ``cols``, and grids."""

    params: dict[str, int]
    grids: dict[str, str]


class Genre(NamedTuple):
    """A genre: the spec of the gallery, and how the body of a link is read."""

    spec: str
    read: Callable[[PuzzleBody], Data]


def grid(body: PuzzleBody, values: Sequence[object], cols: int | None = None) -> str:
    """The picture of values row by row; a sign without a number is ``?``."""
    cols = cols or body.cols
    tokens = ["?" if value == UNKNOWN else value for value in values]
    return grid_text([tokens[i : i + cols] for i in range(0, len(tokens), cols)])


def _clues(take: Callable[[PuzzleBody], CellNumbers]) -> Callable[[PuzzleBody], Data]:
    return lambda body: Data({}, {"clue": grid(body, take(body))})


def _rooms(body: PuzzleBody) -> Data:
    return Data({}, {"room": grid(body, body.rooms())})


def _rooms_and_their_numbers(body: PuzzleBody) -> Data:
    room = body.rooms()
    return Data({}, {"room": grid(body, room), "clue": grid(body, body.room_numbers(room))})


def _rooms_and(take: Callable[[PuzzleBody], Sequence[object]]) -> Callable[[PuzzleBody], Data]:
    return lambda body: Data({}, {"room": grid(body, body.rooms()), "clue": grid(body, take(body))})


def _signs(circles: Sequence[int | None]) -> list[object]:
    """White and black circles as ``w`` and ``b``."""
    return [{1: "w", 2: "b"}.get(value or 0) for value in circles]


def _circles(body: PuzzleBody) -> Data:
    return Data({}, {"clue": grid(body, _signs(body.circles()))})


def _arrows(body: PuzzleBody) -> Data:
    found = body.arrows()
    ways = [one and ".udlr"[one[0]] for one in found]
    return Data({}, {"clue": grid(body, [one and one[1] for one in found]), "way": grid(body, ways)})


def _balance(body: PuzzleBody) -> Data:
    """Even numbers are white, odd ones black, of twice what they say; 0 and 1 say nothing."""
    found = body.numbers()
    signs = [None if one is None else "b" if one % 2 else "w" for one in found]
    return Data(
        {}, {"clue": grid(body, signs), "number": grid(body, [one // 2 if one and one > 1 else None for one in found])}
    )


def _dots(body: PuzzleBody) -> Data:
    rows, cols = 2 * body.rows - 1, 2 * body.cols - 1
    return Data({}, {"dot": grid(body, ["o" if one else None for one in body.dots(rows * cols)], cols)})


def _walls(body: PuzzleBody) -> Data:
    found = body.walls()
    return Data(
        {},
        {
            "wall": grid(body, [one and "gwb"[one[0]] for one in found]),
            "clue": grid(body, [one and one[2] for one in found]),
            "way": grid(body, [(one and ".udlr"[one[1]].strip(".")) or None for one in found]),
        },
    )


def _snake(body: PuzzleBody) -> Data:
    signs = grid(body, _signs(body.circles()))
    top, left = body.outside()
    return Data({}, {"clue": signs, "left": grid(body, left, 1), "top": grid(body, top)})


def _tents(body: PuzzleBody) -> Data:
    top, left = [[None if one == UNKNOWN else one for one in line] for line in body.outside()]
    trees = ["t" if one else None for one in body.ones()]
    rows: list[object] = [None, *top]
    for r, number in enumerate(left):
        rows += [number, *trees[r * body.cols : (r + 1) * body.cols]]
    return Data({}, {"board": grid(body, rows, body.cols + 1)})


def _kakuro(body: PuzzleBody) -> Data:
    across, down = body.sums()
    return Data(
        {"rows": body.rows + 1, "cols": body.cols + 1},
        {"across": grid(body, across, body.cols + 1), "down": grid(body, down, body.cols + 1)},
    )


def _renban(body: PuzzleBody) -> Data:
    right, below = body.borders()
    room = body.parted(right, below)
    inside = [
        border and room[at + at // (body.cols - 1)] == room[at + at // (body.cols - 1) + 1]
        for at, border in enumerate(right)
    ]
    under = [border and room[at] == room[at + body.cols] for at, border in enumerate(below)]
    walls = [["x" if one else None for one in some] for some in (inside, under)]
    return Data(
        {},
        {
            "room": grid(body, room),
            "clue": grid(body, body.numbers()),
            "wall_right": grid(body, walls[0], body.cols - 1),
            "wall_below": grid(body, walls[1]),
        },
    )


def _kropki(body: PuzzleBody) -> Data:
    n = body.rows
    dots = _signs(body.packed(2 * n * (n - 1), 3, 3))
    return Data({}, {"right": grid(body, dots[: n * (n - 1)], n - 1), "below": grid(body, dots[n * (n - 1) :])})


def _corners(body: PuzzleBody) -> Data:
    numbers = body.fours((body.rows + 1) * (body.cols + 1))
    return Data({}, {"clue": grid(body, numbers, body.cols + 1)})


def _crosses(body: PuzzleBody) -> Data:
    return Data({}, {"clue": grid(body, ["x" if one else None for one in body.flags()])})


def _stars(body: PuzzleBody) -> Data:
    stars = body.until_slash()
    return Data({"stars": stars}, {"room": grid(body, body.rooms())})


def _nonogram(body: PuzzleBody) -> Data:
    """The numbers above the columns, then those beside the rows, the last of each first."""
    sides = {"down": (body.cols, (body.rows + 1) // 2), "across": (body.rows, (body.cols + 1) // 2)}
    found = {}
    for name, (lines, most) in sides.items():
        numbers = body.numbers(lines * most)
        rows = [numbers[at : at + most] for at in range(0, lines * most, most)]
        if UNKNOWN in numbers:
            raise body.fail("the nonogram of the gallery has no sign without a number")
        read = [[one for one in reversed(row) if one is not None] for row in rows]
        found[name] = grid(body, [one for row in read for one in row + [None] * (most - len(row))], most)
    return Data({}, found)


def _lither(body: PuzzleBody) -> Data:
    return Data({"rows": body.rows + 1, "cols": body.cols + 1}, {"clue": grid(body, body.fours())})


def _square(name: str, read: Callable[[PuzzleBody], Data]) -> Callable[[PuzzleBody], Data]:
    """A genre whose board is a square, of ``n`` rows."""

    def square(body: PuzzleBody) -> Data:
        if body.rows != body.cols:
            raise body.fail(f"a {name} of {body.rows} rows has as many columns, not {body.cols}")
        data = read(body)
        return Data({"n": body.rows, **data.params}, data.grids)

    return square


def _known(name: str, read: Callable[[PuzzleBody], Data]) -> Callable[[PuzzleBody], Data]:
    """A genre whose spec knows no signs without a number."""

    def known(body: PuzzleBody) -> Data:
        data = read(body)
        if "?" in data.grids["clue"]:
            raise body.fail(f"the {name} of the gallery has no sign without a number")
        return data

    return known


def _rooms_and_crosses(body: PuzzleBody) -> Data:
    return Data({}, {"room": grid(body, body.rooms()), **_crosses(body).grids})


def _suguru(body: PuzzleBody) -> Data:
    room = grid(body, body.rooms())
    return Data({}, {"region": room, "clue": grid(body, body.numbers())})


BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 16: (4, 4), 25: (5, 5)}
"""Rows and columns of a box of a sudoku, by its size."""


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


def _statues(body: PuzzleBody) -> Data:
    signs = grid(body, _signs(body.circles()))
    name = body.rest().strip("/")
    if name not in SHAPES:
        raise body.fail("the shapes of a statue park are t or p, all of four or of five squares")
    rows = SHAPES[name]
    return Data({"shape_rows": len(rows), "shape_cols": len(rows[0])}, {"clue": signs, "shape": "\n".join(rows)})


def _sudoku(body: PuzzleBody) -> Data:
    if body.rows not in BOXES or body.rows != body.cols:
        raise body.fail(f"a sudoku of links has as many rows and columns, {', '.join(map(str, BOXES))}")
    rows, cols = BOXES[body.rows]
    return Data({"rows": rows, "cols": cols}, {"clue": grid(body, body.numbers())})


NUMBERS, FOURS, DIGITS = _clues(PuzzleBody.numbers), _clues(PuzzleBody.fours), _clues(PuzzleBody.digits)
ROOMS = _rooms_and_their_numbers
ROOMS_AND_NUMBERS, ROOMS_AND_DIGITS = _rooms_and(PuzzleBody.numbers), _rooms_and(PuzzleBody.digits)
ROOMS_AND_CIRCLES = _rooms_and(lambda body: _signs(body.circles()))

GENRES = {
    "akari": Genre("akari", FOURS),
    "aqre": Genre("aqre", ROOMS),
    "balance": Genre("balance", _balance),
    "canal": Genre("canal_view", NUMBERS),
    "castle": Genre("castle_wall", _walls),
    "chocona": Genre("chocona", ROOMS),
    "cocktail": Genre("cocktail", ROOMS),
    "cojun": Genre("cojun", ROOMS_AND_NUMBERS),
    "context": Genre("context", NUMBERS),
    "country": Genre("country_road", ROOMS),
    "creek": Genre("creek", _corners),
    "detour": Genre("detour", ROOMS),
    "dotchi": Genre("dotchi", ROOMS_AND_CIRCLES),
    "dotchi2": Genre("dotchi2", ROOMS_AND_CIRCLES),
    "doubleback": Genre("double_back", _rooms_and_crosses),
    "factors": Genre("factors", _square("factors", ROOMS)),
    "fillmat": Genre("fillmat", DIGITS),
    "geradeweg": Genre("geradeweg", NUMBERS),
    "hanare": Genre("hanare", ROOMS_AND_NUMBERS),
    "hashi": Genre("hashi", NUMBERS),
    "heyablock": Genre("heyablock", ROOMS),
    "heyawake": Genre("heyawake", ROOMS),
    "hitori": Genre("hitori", _square("hitori", lambda body: Data({}, {"clue": grid(body, body.letters())}))),
    "juosan": Genre("juosan", ROOMS),
    "kakuro": Genre("kakuro", _kakuro),
    "kropki": Genre("kropki", _square("kropki", _kropki)),
    "kurodoko": Genre("kurodoko", NUMBERS),
    "lither": Genre("lither", _lither),
    "lits": Genre("lits", _rooms),
    "lookair": Genre("lookair", DIGITS),
    "mannequin": Genre("mannequin", ROOMS),
    "masyu": Genre("masyu", _circles),
    "meander": Genre("meander", ROOMS_AND_NUMBERS),
    "midloop": Genre("midloop", _dots),
    "mochikoro": Genre("mochikoro", NUMBERS),
    "mochinyoro": Genre("mochinyoro", NUMBERS),
    "moonsun": Genre("moon_or_sun", ROOMS_AND_CIRCLES),
    "nanro": Genre("nanro", ROOMS_AND_NUMBERS),
    "nawabari": Genre("nawabari", DIGITS),
    "nonogram": Genre("nonogram", _nonogram),
    "norinori": Genre("norinori", _rooms),
    "norinuri": Genre("norinuri", NUMBERS),
    "nothree": Genre("nothree", _dots),
    "numlin": Genre("numberlink", NUMBERS),
    "nuribou": Genre("nuribou", NUMBERS),
    "nurikabe": Genre("nurikabe", NUMBERS),
    "nurimisaki": Genre("nurimisaki", NUMBERS),
    "paintarea": Genre("paintarea", ROOMS_AND_DIGITS),
    "putteria": Genre("putteria", ROOMS_AND_NUMBERS),
    "renban": Genre("renban_madoguchi", _renban),
    "ripple": Genre("hakyuu", ROOMS_AND_NUMBERS),
    "shikaku": Genre("shikaku", NUMBERS),
    "shimaguni": Genre("shimaguni", ROOMS),
    "simpleloop": Genre("simple_loop", _crosses),
    "slither": Genre("slitherlink", _known("slitherlink", FOURS)),
    "smullyan": Genre("smullyan", NUMBERS),
    "snake": Genre("snake", _snake),
    "squarejam": Genre("squarejam", NUMBERS),
    "starbattle": Genre("star_battle", _stars),
    "statuepark": Genre("statue_park", _statues),
    "stostone": Genre("stostone", ROOMS),
    "sudoku": Genre("sudoku", _known("sudoku", _sudoku)),
    "suguru": Genre("suguru", _known("suguru", _suguru)),
    "sukoro": Genre("sukoro", DIGITS),
    "sukororoom": Genre("sukororoom", ROOMS_AND_DIGITS),
    "tapa": Genre("tapa", _clues(PuzzleBody.sets)),
    "tasquare": Genre("tasquare", NUMBERS),
    "tents": Genre("tents", _square("tents", _tents)),
    "toichika2": Genre("toichika2", ROOMS),
    "usoone": Genre("usoone", _rooms_and(PuzzleBody.fours)),
    "view": Genre("view", NUMBERS),
    "yajikazu": Genre("yajikazu", _arrows),
    "yajilin": Genre("yajilin", _arrows),
    "yajilin-regions": Genre("yajilin_regions", ROOMS),
    "yinyang": Genre("yin_yang", _circles),
}
"""By the name in links."""

SAME = {
    "lightup": "akari",
    "slitherlink": "slither",
    "mashu": "masyu",
    "arukone": "numlin",
    "numlin_bit": "numlin",
    "yajirin": "yajilin",
}
"""Other names of genres."""
