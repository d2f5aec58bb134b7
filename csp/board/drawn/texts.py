"""Write the drawings of a puzzle in characters, for terminals and plain text.

The drawings are pieces on a board, bridges, and loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...model import Model, Value, Variable
from ..grid import Grid, Position, find_grids, is_square, loops_of
from .drawing import GridDrawing, Stroke, grid_drawing, main_grid
from .layouts import sheets
from .skins import BLANK, INK, skins, undrawn_variables

LETTERS = {"■": "#", "○": "o", BLANK: ""}
"""The ASCII text for characters of skins."""

HIGHLIGHTS = ("yellow", "green")
"""The colours of shades that light a cell; they have no character, other shades are ``#``."""
WALLS = {"grey": "+", "yellow": "o"}
"""The character for a square that a loop goes around, by its colour; other colours are ``#``."""
STROKES = {(False, True): "─", (False, False): "│", (True, True): "═", (True, False): "║"}
"""The character of a line, by whether it is double and whether it is horizontal."""
HORIZONTAL = "─═"
"""Characters of horizontal lines."""

JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The character of a loop's square, at the sum of 1 for a step up, 2 down, 4 left and 8 right."""


def place_texts(model: Model, values: Mapping[str, Value]) -> dict[Variable, str]:
    """Return the text to print instead of the value of each variable with a drawing.

    A text is that of the value, or the text of the spec at that place.

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
    loops, skin_of_variable = loops_of(model), skins(model)
    grid = main_grid(model, find_grids(model, undrawn_variables(model))) or {}
    drawing = grid_drawing((entry for entry in model.drawn if not entry.variables), grid, loops)
    # Constants that the spec writes into cells are used where a value has no text.
    texts = {spot.places[0]: _join_arrows(spot.text) for spot in drawing.spots if len(spot.places) == 1}
    texts_of_values: dict[Variable, str] = {}
    tinted = {
        v for entry in model.drawn if entry.name == "shade" and entry.value in HIGHLIGHTS for v in entry.variables
    }
    for v, skin in skin_of_variable.items():
        if v.family not in loops:
            piece = skin[values[v]]
            piece = BLANK if v in tinted and piece == INK["shade"] else piece
            texts_of_values[v] = LETTERS.get(piece, piece) or texts.get(grid.get(v, (-1, -1)), "")
    texts_of_constants = {v: texts[place] for v, place in grid.items() if place in texts and len(model.domains[v]) == 1}
    return texts_of_constants | texts_of_values


def _join_arrows(text: str) -> str:
    """Return a text without the spaces before arrows."""
    return re.sub(" (?=[←-↙])", "", text)


def solution_drawing(model: Model, grid: Grid, values: Mapping[str, Value]) -> GridDrawing:
    """Return the drawings that a solution shows on the main grid.

    If no family is a grid, the first sheet is the main one. The result is empty for any other grid.
    """
    main = main_grid(model, find_grids(model, undrawn_variables(model)))
    if not model.drawn or grid != (main or next((sheet.grid for sheet in sheets(model)), None)):
        return GridDrawing()
    return grid_drawing(model.drawn, grid, loops_of(model), values)


def bridge_characters(chains: Iterable[Stroke]) -> dict[Position, str]:
    """Return the line characters between the two places of each bridge, by place.

    A bridge is a straight stroke to the right or down. It is double for the colour 2; the colour 0 has no characters.

    Examples
    --------
    >>> bridge_characters([Stroke("line", "2", ((0, 0), (0, 3))), Stroke("line", "", ((1, 1), (3, 1)))])
    {(0, 1): '═', (0, 2): '═', (2, 1): '│'}
    """
    characters = {}
    for (r, c), (s, d), colour in ((*stroke.places, stroke.colour) for stroke in chains if len(stroke.places) == 2):
        if (r == s or c == d) and colour != "0":
            between = [(r, e) for e in range(c + 1, d)] or [(e, c) for e in range(r + 1, s)]
            characters.update(dict.fromkeys(between, STROKES[colour == "2", r == s]))
    return characters


def loop_text(model: Model, family: str, values: Mapping[str, Value]) -> str:
    """Return a closed loop as text, in box-drawing characters.

    Squares that are not on the loop have the texts of the spec.

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
    variable_at = {v.indices: v for v in model.domains if v.family == family}
    squares = {(int(r), int(c)) for (r, c), v in variable_at.items() if is_square(v)}
    rows, columns = ([square[axis] for square in squares] for axis in (0, 1))
    grid = {variable_at[place]: (place[0] // 2 - 1, place[1] // 2 - 1) for place in squares}
    drawing = grid_drawing(model.drawn, grid, {family}, values)
    texts = {
        spot.places[0]: _join_arrows(spot.text) or LETTERS.get(INK[spot.kind], INK[spot.kind])
        for spot in drawing.spots
        if len(spot.places) == 1
    }
    walls = {place: WALLS.get(colour, "#") for place, colour in drawing.shades.items()}
    texts |= {place: wall + texts.get(place, "") for place, wall in walls.items()}
    width = max([1, *map(len, texts.values())])

    def is_on(r: int, c: int) -> bool:
        """Return whether the square or step with indices ``r`` and ``c`` is on the loop."""
        return (r, c) in variable_at and values[variable_at[r, c]] == 1

    # Rows and columns of squares have even indices; between them are the steps of the loop.
    lines = []
    for r in range(min(rows), max(rows) + 1):
        line = ""
        for c in range(min(columns), max(columns) + 1):
            if (r, c) in squares:
                directions = is_on(r - 1, c) + 2 * is_on(r + 1, c) + 4 * is_on(r, c - 1) + 8 * is_on(r, c + 1)
                shown = JOINTS[directions] if directions else texts.get((r // 2 - 1, c // 2 - 1), "·")
                line += shown.ljust(width, "─" if directions & 8 else " ")
            elif r % 2:
                line += ("│" if is_on(r, c) else " ").ljust(1 if c % 2 else width)
            else:
                line += "─" if is_on(r, c) else " "
        lines.append(line.rstrip())
    return "\n".join(lines)
