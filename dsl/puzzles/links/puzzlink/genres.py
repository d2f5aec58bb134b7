"""Defines the puzz.link genres that the gallery has rules for.

Each has the parts of its body, its spec and the size of its board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .board import GridShape, LinkBoard, above, below, beside, cells, corners, middles, right
from .codes import BodyCode, Unwritable
from .entries import (
    ARROWS,
    BALANCE,
    BLACK_DOTS,
    CIRCLES,
    DECIMALS,
    FLAGS,
    FOURS,
    LETTERS,
    NUMBER_SETS,
    NUMBERS,
    SIDES,
    STARS,
    WALLS,
    WHITE_DOTS,
)
from .parts import BodyGrids, BodyPart, BodyRooms, KakuroSums, NonogramLines, RoomNumbers, Shapes, Sides, Stars, Trees


class SpecSize(NamedTuple):
    """Two functions that convert a link's board size to a spec's params, and back.

    Attributes
    ----------
    names : tuple of str
        The params of the size.
    params : function
        Returns the params for a number of rows and columns.
    shape : function
        Returns the number of rows and columns for params.
    """

    names: tuple[str, ...]
    params: Callable[[int, int], dict[str, int]]
    shape: Callable[[Mapping[str, int]], GridShape]


def _around(border: int) -> SpecSize:
    """Return the size conversion for specs with ``border`` more rows and columns than links."""
    return SpecSize(
        ("rows", "cols"),
        lambda rows, cols: {"rows": rows + border, "cols": cols + border},
        lambda params: (params["rows"] - border, params["cols"] - border),
    )


def _square_params(rows: int, cols: int) -> dict[str, int]:
    """Return the param ``n`` that gives the size of a square board.

    Raises
    ------
    Unwritable
        If the board is not square.
    """
    if rows != cols:
        raise Unwritable(f"a board of {rows} rows has as many columns here, not {cols}")
    return {"n": rows}


BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 16: (4, 4), 25: (5, 5)}
"""Rows and columns of the boxes of a sudoku, by its size."""


def _box_params(rows: int, cols: int) -> dict[str, int]:
    """Return the params for the box size of a sudoku with given rows and columns.

    Raises
    ------
    Unwritable
        If a sudoku in links does not have this size.
    """
    if rows not in BOXES or rows != cols:
        raise Unwritable(f"a sudoku of links has as many rows and columns, {', '.join(map(str, BOXES))}")
    return dict(zip(("rows", "cols"), BOXES[rows], strict=True))


def _shape_of_boxes(params: Mapping[str, int]) -> GridShape:
    """Return the rows and columns of a sudoku, from the params of its boxes."""
    n = params["rows"] * params["cols"]
    if BOXES.get(n) != (params["rows"], params["cols"]):
        raise Unwritable(f"links have no boxes of {params['rows']} rows and {params['cols']} columns")
    return n, n


BOARD, WIDER = _around(0), _around(1)
SQUARE = SpecSize(("n",), _square_params, lambda params: (params["n"], params["n"]))
BOXED = SpecSize(("rows", "cols", "box"), _box_params, _shape_of_boxes)


class Genre(NamedTuple):
    """A puzzle genre of puzz.link, with its rules and the format of its links.

    Attributes
    ----------
    spec : str
        The spec in the gallery.
    parts : tuple of BodyPart
        The parts of the body, in their order.
    size : SpecSize
    """

    spec: str
    parts: tuple[BodyPart, ...]
    size: SpecSize = BOARD

    @property
    def names(self) -> set[str]:
        """The names of the grids and params that a link of the genre contains."""
        return {*self.size.names, *(name for part in self.parts for name in part.names)}


def _clue(code: BodyCode, shape: Callable[[LinkBoard], GridShape] = cells, *, numbered: bool = False) -> BodyGrids:
    """Return the ``BodyGrids`` that reads and writes the grid ``clue``."""
    return BodyGrids(code, numbered=numbered, clue=shape)


NUMBER, FOUR, DECIMAL, SIDE = (_clue(NUMBERS),), (_clue(FOURS),), (_clue(DECIMALS),), (_clue(SIDES),)
STAR = (BodyGrids(STARS, star=middles),)
ROOM = (BodyRooms(),)
ROOM_NUMBER = (BodyRooms(), RoomNumbers())
WALLED = BodyRooms("room", "wall_right", "wall_below")
WALLED_NUMBER = (WALLED, RoomNumbers())
ROOM_AND_NUMBERS = (BodyRooms(), _clue(NUMBERS))
ROOM_AND_DECIMALS = (BodyRooms(), _clue(DECIMALS))
ROOM_AND_CIRCLES = (BodyRooms(), _clue(CIRCLES))
CIRCLE = (_clue(CIRCLES),)
ARROW = (Sides(ARROWS, "clue", "way"),)

GENRES = {
    "akari": Genre("akari", FOUR),
    "aqre": Genre("aqre", ROOM_NUMBER),
    "balance": Genre("balance", (Sides(BALANCE, "clue", "number"),)),
    "canal": Genre("canal_view", NUMBER),
    "castle": Genre("castle_wall", (Sides(WALLS, "wall", "clue", "way"),)),
    "chocona": Genre("chocona", ROOM_NUMBER),
    "cocktail": Genre("cocktail", WALLED_NUMBER),
    "cojun": Genre("cojun", ROOM_AND_NUMBERS),
    "context": Genre("context", NUMBER),
    "country": Genre("country_road", WALLED_NUMBER),
    "creek": Genre("creek", (_clue(FOURS, corners),)),
    "detour": Genre("detour", ROOM_NUMBER),
    "dotchi": Genre("dotchi", ROOM_AND_CIRCLES),
    "dotchi2": Genre("dotchi2", ROOM_AND_CIRCLES),
    "doubleback": Genre("double_back", (BodyRooms(), _clue(FLAGS))),
    "factors": Genre("factors", ROOM_NUMBER, SQUARE),
    "fillmat": Genre("fillmat", DECIMAL),
    "fillomino": Genre("fillomino", NUMBER),
    "fivecells": Genre("fivecells", SIDE),
    "fourcells": Genre("fourcells", SIDE),
    "geradeweg": Genre("geradeweg", NUMBER),
    "gokigen": Genre("gokigen", (_clue(FOURS, corners),)),
    "hanare": Genre("hanare", ROOM_AND_NUMBERS),
    "hashi": Genre("hashi", NUMBER),
    "heyablock": Genre("heyablock", WALLED_NUMBER),
    "heyawake": Genre("heyawake", ROOM_NUMBER),
    "hitori": Genre("hitori", (_clue(LETTERS),), SQUARE),
    "island": Genre("island", NUMBER),
    "juosan": Genre("juosan", ROOM_NUMBER),
    "kakuro": Genre("kakuro", (KakuroSums(),), WIDER),
    "kropki": Genre("kropki", (BodyGrids(CIRCLES, right=right, below=below),), SQUARE),
    "kurodoko": Genre("kurodoko", NUMBER),
    "kurotto": Genre("kurotto", NUMBER),
    "lither": Genre("lither", FOUR, WIDER),
    "lits": Genre("lits", ROOM),
    "lookair": Genre("lookair", DECIMAL),
    "mannequin": Genre("mannequin", ROOM_NUMBER),
    "masyu": Genre("masyu", CIRCLE),
    "meander": Genre("meander", ROOM_AND_NUMBERS),
    "midloop": Genre("midloop", (BodyGrids(BLACK_DOTS, dot=middles),)),
    "mochikoro": Genre("mochikoro", NUMBER),
    "mochinyoro": Genre("mochinyoro", NUMBER),
    "moonsun": Genre("moon_or_sun", ROOM_AND_CIRCLES),
    "nanro": Genre("nanro", ROOM_AND_NUMBERS),
    "nawabari": Genre("nawabari", SIDE),
    "nonogram": Genre("nonogram", (NonogramLines(),)),
    "norinori": Genre("norinori", ROOM),
    "norinuri": Genre("norinuri", NUMBER),
    "nothree": Genre("nothree", (BodyGrids(WHITE_DOTS, dot=middles),)),
    "numlin": Genre("numberlink", NUMBER),
    "nuribou": Genre("nuribou", NUMBER),
    "nurikabe": Genre("nurikabe", NUMBER),
    "nurimisaki": Genre("nurimisaki", NUMBER),
    "nuriuzu": Genre("nuriuzu", STAR),
    "paintarea": Genre("paintarea", ROOM_AND_DECIMALS),
    "putteria": Genre("putteria", ROOM_AND_NUMBERS),
    "renban": Genre("renban_madoguchi", (WALLED, _clue(NUMBERS))),
    "ripple": Genre("hakyuu", ROOM_AND_NUMBERS),
    "shakashaka": Genre("shakashaka", FOUR),
    "shikaku": Genre("shikaku", NUMBER),
    "shimaguni": Genre("shimaguni", WALLED_NUMBER),
    "simpleloop": Genre("simple_loop", (_clue(FLAGS),)),
    "slither": Genre("slitherlink", (_clue(FOURS, numbered=True),)),
    "smullyan": Genre("smullyan", NUMBER),
    "snake": Genre("snake", (_clue(CIRCLES), BodyGrids(NUMBERS, top=above, left=beside))),
    "squarejam": Genre("squarejam", NUMBER),
    "starbattle": Genre("star_battle", (Stars(), BodyRooms())),
    "statuepark": Genre("statue_park", (_clue(CIRCLES), Shapes())),
    "stostone": Genre("stostone", WALLED_NUMBER),
    "sudoku": Genre("sudoku", (_clue(NUMBERS, numbered=True),), BOXED),
    "suguru": Genre("suguru", (BodyRooms("region"), _clue(NUMBERS, numbered=True))),
    "sukoro": Genre("sukoro", DECIMAL),
    "sukororoom": Genre("sukororoom", ROOM_AND_DECIMALS),
    "tapa": Genre("tapa", (_clue(NUMBER_SETS),)),
    "tasquare": Genre("tasquare", NUMBER),
    "tentaisho": Genre("tentaisho", STAR),
    "tents": Genre("tents", (Trees(),), SQUARE),
    "tetrochain": Genre("tetrochain", ARROW),
    "toichika2": Genre("toichika2", ROOM_NUMBER),
    "usoone": Genre("usoone", (BodyRooms(), _clue(FOURS))),
    "usotatami": Genre("usotatami", DECIMAL),
    "view": Genre("view", NUMBER),
    "yajikazu": Genre("yajikazu", ARROW),
    "yajilin": Genre("yajilin", ARROW),
    "yajilin-regions": Genre("yajilin_regions", ROOM_NUMBER),
    "yinyang": Genre("yin_yang", CIRCLE),
}
"""The genres, by their names in links."""

SYNONYMS = {
    "lightup": "akari",
    "slant": "gokigen",
    "slitherlink": "slither",
    "mashu": "masyu",
    "arukone": "numlin",
    "numlin_bit": "numlin",
    "hashikake": "hashi",
    "bridges": "hashi",
    "pearl": "masyu",
    "yajirin": "yajilin",
    "yajirin-regions": "yajilin-regions",
}
"""The usual name of genres with several names."""
