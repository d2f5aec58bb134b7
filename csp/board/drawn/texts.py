"""What the spec draws, in letters: the pieces of a board, and a loop in lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...model import Model, Value, Variable
from ..grid import Grid, Position, find_grids, is_square, loops_of
from .said import Said, Stroke, main_grid, said
from .sheets import sheets
from .skins import BLANK, INK, skins, undrawn

LETTERS = {"■": "#", "○": "o", BLANK: ""}
HIGHLIGHT = "yellow"
"""A shading that lights what stands in a square and is no letter; what is shaded in another colour is ``#``."""
WALLS = {"grey": "+", "yellow": "o"}
"""A square that a loop goes around, by its colour; any other is ``#``."""
STROKES = {(False, True): "─", (False, False): "│", (True, True): "═", (True, False): "║"}
"""Lines between places by whether they are double and whether they are level."""
LEVEL = "─═"
JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""A square of a loop by where it goes: up counts 1, down 2, to the left 4, to the right 8."""


def place_texts(model: Model, values: Mapping[str, Value]) -> dict[Variable, str]:
    """What stands in places for the values of variables that are drawn: its letter, or else what the spec writes there.

    Examples
    --------
    >>> from csp import Drawn, Equality
    >>> dark = [Variable("dark", 1, c) for c in (1, 2)]
    >>> drawn = [*(Drawn("shade", v.indices, None, Equality(v, 1)) for v in dark), Drawn("text", (1, 2), 7)]
    >>> place_texts(Model(dict.fromkeys(dark, (0, 1)), drawn=drawn), {dark[0]: 1, dark[1]: 0})
    {'dark(1,1)': '#', 'dark(1,2)': '7'}
    """
    if not model.drawn:
        return {}
    loops, found = loops_of(model), skins(model)
    grid = main_grid(model, find_grids(model, undrawn(model))) or {}
    told = said((one for one in model.drawn if not one.variables), grid, loops)
    texts = {one.places[0]: _closed(one.text) for one in told.spots if len(one.places) == 1}
    made: dict[Variable, str] = {}
    tinted = {v for one in model.drawn if one.name == "shade" and one.value == HIGHLIGHT for v in one.variables}
    for v, skin in found.items():
        if v.family not in loops:
            piece = skin[values[v]]
            piece = BLANK if v in tinted and piece == INK["shade"] else piece
            made[v] = LETTERS.get(piece, piece) or texts.get(grid.get(v, (-1, -1)), "")
    known = {v: texts[place] for v, place in grid.items() if place in texts and len(model.domains[v]) == 1}
    return known | made


def _closed(text: str) -> str:
    """With arrows at their numbers."""
    return re.sub(" (?=[←-↙])", "", text)


def drawn_on(model: Model, grid: Grid, values: Mapping[str, Value]) -> Said:
    """All that is drawn on a grid, of a solution; on that of a layout, where no family is a grid."""
    main = main_grid(model, find_grids(model, undrawn(model)))
    if not model.drawn or grid != (main or next((one.grid for one in sheets(model)), None)):
        return Said()
    return said(model.drawn, grid, loops_of(model), values)


def bridged(chains: Iterable[Stroke]) -> dict[Position, str]:
    """What stands in the places between the ends of straight lines.

    Examples
    --------
    >>> bridged([Stroke("line", "2", ((0, 0), (0, 3))), Stroke("line", "", ((1, 1), (3, 1)))])
    {(0, 1): '═', (0, 2): '═', (2, 1): '│'}
    """
    found = {}
    for (r, c), (s, d), colour in ((*one.places, one.colour) for one in chains if len(one.places) == 2):
        if (r == s or c == d) and colour != "0":
            between = [(r, e) for e in range(c + 1, d)] or [(e, c) for e in range(r + 1, s)]
            found.update(dict.fromkeys(between, STROKES[colour == "2", r == s]))
    return found


def loop_text(model: Model, family: str, values: Mapping[str, Value]) -> str:
    """A loop in lines, with what the spec writes into squares that it leaves out.

    Examples
    --------
    >>> from csp import Drawn
    >>> on = [Variable("on", *at) for at in ((2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3), (4, 4))]
    >>> model = Model(dict.fromkeys(on, (0, 1)), drawn=[Drawn("loop", ("on",))])
    >>> print(loop_text(model, "on", dict.fromkeys(on, 1)))
    ┌─┐
    │ │
    └─┘
    """
    own = {v.indices: v for v in model.domains if v.family == family}
    squares = {(int(r), int(c)) for (r, c), v in own.items() if is_square(v)}
    rows, columns = ([one[axis] for one in squares] for axis in (0, 1))
    grid = {own[place]: (place[0] // 2 - 1, place[1] // 2 - 1) for place in squares}
    told = said(model.drawn, grid, {family}, values)
    texts = {
        one.places[0]: _closed(one.text) or LETTERS.get(INK[one.kind], INK[one.kind])
        for one in told.spots
        if len(one.places) == 1
    }
    walls = {place: WALLS.get(colour, "#") for place, colour in told.shades.items()}
    texts |= {place: wall + texts.get(place, "") for place, wall in walls.items()}
    wide = max([1, *map(len, texts.values())])

    def is_on(r: int, c: int) -> bool:
        return (r, c) in own and values[own[r, c]] == 1

    lines = []
    for r in range(min(rows), max(rows) + 1):
        line = ""
        for c in range(min(columns), max(columns) + 1):
            if (r, c) in squares:
                ways = is_on(r - 1, c) + 2 * is_on(r + 1, c) + 4 * is_on(r, c - 1) + 8 * is_on(r, c + 1)
                shown = JOINTS[ways] if ways else texts.get((r // 2 - 1, c // 2 - 1), "·")
                line += shown.ljust(wide, "─" if ways & 8 else " ")
            elif r % 2:
                line += ("│" if is_on(r, c) else " ").ljust(1 if c % 2 else wide)
            else:
                line += "─" if is_on(r, c) else " "
        lines.append(line.rstrip())
    return "\n".join(lines)
