"""Small pictures of the examples, as SVG: what stands in a spec's grids, and the solution."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import cos, pi, sin
from xml.sax.saxutils import escape

import csp
import dsl
from csp.render.plan.grid import grid_places
from dsl.language.text.grids import read_grid

SIDE = 28
GIVEN, FOUND, SHADE, THIN, BLACK = "#000000", "#0072B2", "#DDDDDD", "#999999", "#444444"
HUES = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#D55E00")
COLOURS = {  # what a colour is called
    "blue": "#56B4E9", "orange": "#E69F00", "green": "#009E73", "yellow": "#F0E442", "pink": "#CC79A7",
    "red": "#D55E00", "white": "#FFFFFF", "grey": "#999999", "gray": "#999999", "purple": "#B09CD8", "brown": "#B5835A",
}  # fmt: skip
SIGNS = {"^": "∧", "v": "∨"}

Spot = tuple[int, int]
Values = dict[Spot, csp.Value]


class Sheet:
    """An SVG that grows with what is drawn."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.wide = self.high = 0.0

    def grow(self, x: float, y: float) -> None:
        self.wide, self.high = max(self.wide, x), max(self.high, y)

    def square(self, x: float, y: float, fill: str, wide: float = SIDE) -> None:
        self.grow(x + wide, y + SIDE)
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{SIDE}" fill="{fill}" stroke="{THIN}"/>')

    def path(self, *points: tuple[float, float], width: float, color: str = GIVEN, fill: str = "none") -> None:
        steps = "L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f'<path d="M{steps}" fill="{fill}" stroke="{color}" stroke-width="{width:g}"/>')

    def dot(self, x: float, y: float, radius: float, fill: str, line: str = GIVEN) -> None:
        self.grow(x + radius, y + radius)
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}"/>')

    def text(self, x: float, y: float, words: object, size: float = 16, color: str = GIVEN, bold: bool = False) -> None:
        """Words around a point."""
        self.grow(x, y + size / 2)
        weight = ' font-weight="bold"' if bold else ""
        at = f'x="{x:g}" y="{y + size * 0.36:.5g}" font-size="{size:g}"'
        self.parts.append(f'<text {at} fill="{color}"{weight}>{escape(str(words))}</text>')

    def svg(self) -> str:
        wide, high = self.wide + 8, self.high + 8
        size = f'width="{wide:g}" height="{high:g}" viewBox="-4 -4 {wide:g} {high:g}"'
        style = 'font-family="Helvetica, Arial, sans-serif" text-anchor="middle"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', *self.parts, "</svg>", ""])


class Example:
    """A spec with its grids and its solution."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.model = dsl.loads(text)
        self.solution = csp.solve(self.model) or csp.Solution({})
        self.grids: dict[str, Values] = {}
        for found in re.finditer(r'^grid (\w+)(?:\(.*\))? = "([^"]*)"', text, re.MULTILINE):
            self.grids[found[1]] = {(r, c): value for r, c, value in read_grid(found[2], found[1])}

    def grid(self, name: str) -> Values:
        """What stands in a grid; nothing if the spec has none of that name."""
        return self.grids.get(name, {})

    def family(self, name: str) -> dict[tuple[csp.Value, ...], csp.Value]:
        """The values of a family of variables, by their indices."""
        return {v.indices: self.solution[v] for v in self.model.domains if v.family == name}


def draw(text: str) -> str:
    """The picture of a spec."""
    example, sheet = Example(text), Sheet()
    places = grid_places(example.model, example.model.shown)
    if latin := example.family("latin"):
        pairs = {spot: f"{value} {example.family('greek')[spot]}" for spot, value in latin.items()}
        Board(sheet, example, pairs).draw()  # type: ignore[arg-type]
    elif squares := {**example.family("land"), **{s: 1 - int(v) for s, v in example.family("shaded").items()}}:
        draw_shaded(sheet, example, [spot for spot, value in squares.items() if value == 0])
    elif inside := [spot for spot, value in example.family("inside").items() if value == 1]:
        draw_loop(sheet, example, inside)
    elif example.family("cell"):
        Board(sheet, example, example.family("cell")).draw()  # type: ignore[arg-type]
    elif places and not example.family("at"):
        Board(sheet, example, {(r + 1, c + 1): example.solution[v] for v, (r, c) in places.items()}).draw()
    elif is_permutation(rows := [*(example.family("queen") or example.family("mark")).values()]):
        draw_pieces(sheet, example, rows)
    elif any(v.family == "color" for v in example.model.shown):
        draw_graph(sheet, example)
    else:
        draw_cards(sheet, example)
    return sheet.svg()


def is_permutation(values: list[csp.Value]) -> bool:
    """Whether each number from 1 is there once."""
    return bool(values) and set(values) == {*range(1, len(values) + 1)}


class Board:
    """Cells with what is printed in and around them; givens are black and bold, what is found is blue."""

    def __init__(self, sheet: Sheet, example: Example, cells: Values) -> None:
        self.sheet, self.example, self.cells = sheet, example, cells
        around = example.grid("board")
        self.rows = max(r for r, _ in cells)
        self.framed = bool(around) and max(r for r, _ in around) <= self.rows + 2
        places = grid_places(example.model, example.model.shown)
        named: dict[str, list[set[Spot]]] = {}
        for constraint in example.model.constraints:
            kind = re.match("[a-z]*", constraint.label or "")[0]  # type: ignore[index]
            spots = {(places[v][0] + 1, places[v][1] + 1) for v in constraint.scope if v in places}
            named.setdefault(kind, []).append(spots)
        self.blocks = named.get("box", []) + named.get("region", [])
        self.shaded = set().union(*named.get("window", []), *named.get("diagonal", []))
        self.trees = {(r - 1, c - 1) for (r, c), sign in around.items() if sign == "t" and self.framed}

    def corner(self, spot: Spot) -> tuple[float, float]:
        r, c = spot
        return (c - 1 + self.framed) * SIDE, (r - 1 + self.framed) * SIDE

    def draw(self) -> None:
        for spot, value in self.cells.items():
            self.cell(spot, value)
        self.borders()
        self.totals()
        self.blacks()
        self.around()

    def cell(self, spot: Spot, value: csp.Value) -> None:
        (x, y), half = self.corner(spot), SIDE / 2
        parity = self.example.grid("parity").get(spot)
        self.sheet.square(x, y, SHADE if parity == "e" or spot in self.shaded else "#FFFFFF")
        if parity == "o":
            self.sheet.dot(x + half, y + half, half * 0.85, SHADE, SHADE)
        if spot in self.trees:
            self.sheet.dot(x + half, y + half, half * 0.6, HUES[2])
        elif self.trees:
            if value:
                self.sheet.path((x + 5, y + 23), (x + 14, y + 5), (x + 23, y + 23), width=1, color=FOUND, fill=FOUND)
        else:
            given, size = spot in self.givens(), 15 if len(str(value)) < 3 else 12
            self.sheet.text(x + half, y + half, value, size, GIVEN if given else FOUND, given)

    def givens(self) -> set[Spot]:
        """The cells whose values the grids tell."""
        clues = {**self.example.grid("clue"), **self.example.grid("star")}
        found = {spot for spot, value in clues.items() if isinstance(value, int)}
        board = self.example.grid("board")
        if self.framed:
            return found | {(r - 1, c - 1) for r, c in board}
        return found | {((r + 1) // 2, (c + 1) // 2) for (r, c), sign in board.items() if isinstance(sign, int)}

    def borders(self) -> None:
        """Thick lines around boxes and regions, thin ones in a colour between cages."""
        cage = self.example.grid("cage")
        for r, c in self.cells:
            x, y = self.corner((r, c))
            for other, line in (
                ((r, c + 1), ((x + SIDE, y), (x + SIDE, y + SIDE))),
                ((r + 1, c), ((x, y + SIDE), (x + SIDE, y + SIDE))),
                ((r, c - 1), ((x, y), (x, y + SIDE))),
                ((r - 1, c), ((x, y), (x + SIDE, y))),
            ):
                if other in self.cells and other < (r, c):
                    continue
                if any(((r, c) in block) != (other in block) for block in self.blocks):
                    self.sheet.path(*line, width=3)
                elif other in self.cells and cage.get((r, c)) != cage.get(other):
                    self.sheet.path(*line, width=1.5, color=HUES[5])

    def totals(self) -> None:
        """What a cage makes, in its first cell."""
        cage = self.example.grid("cage")
        signs = {"plus": "+", "minus": "−", "times": "×", "over": "÷", "some": "?"}
        facts = re.findall(r"\b(?:total|clue)\((\w+), (?:(\w+), )?(\d+)\)", self.example.text)
        words = {name: total + signs.get(operation, "") for name, operation, total in facts}
        first = {str(name): spot for spot, name in reversed(cage.items())}
        for name, spot in first.items():
            x, y = self.corner(spot)
            self.sheet.text(x + 3 + 2.4 * len(words[name]), y + 6, words[name], 8, HUES[5])

    def blacks(self) -> None:
        """The black cells of a kakuro, with their sums."""
        for spot, right in self.example.grid("across").items():
            (x, y), below = self.corner(spot), self.example.grid("down")[spot]
            self.sheet.square(x, y, BLACK)
            self.sheet.path((x, y), (x + SIDE, y + SIDE), width=1, color=THIN)
            for total, p, q in ((right, 0.7, 0.28), (below, 0.3, 0.74)):
                if total != "#":
                    self.sheet.text(x + SIDE * p, y + SIDE * q, total, 11, "#FFFFFF")

    def around(self) -> None:
        """Numbers at the edge, sums under the columns, signs between the cells."""
        for (r, c), sign in self.example.grid("board").items():
            if not self.framed and not isinstance(sign, int):
                self.sheet.dot(c * SIDE / 2, r * SIDE / 2, 6, "#FFFFFF", GIVEN if sign == "o" else "#FFFFFF")
                if sign != "o":
                    self.sheet.text(c * SIDE / 2, r * SIDE / 2, SIGNS.get(sign, sign), 13, bold=True)
            elif self.framed and (r - 1, c - 1) not in self.cells:
                self.sheet.grow(c * SIDE, r * SIDE)
                self.sheet.text((c - 0.5) * SIDE, (r - 0.5) * SIDE, sign, 14)
        for (_, c), total in self.example.grid("total").items():
            self.sheet.text((c - 0.5) * SIDE, self.rows * SIDE + 12, total, 13)


def draw_shaded(sheet: Sheet, example: Example, dark: list[tuple[csp.Value, ...]]) -> None:
    """The clues of a board, some of whose squares are dark."""
    for r, c in sorted(example.family("shaded") or example.family("land")):
        x, y = (int(c) - 1) * SIDE, (int(r) - 1) * SIDE
        sheet.square(x, y, THIN if (r, c) in dark else "#FFFFFF")
        sheet.text(x + SIDE / 2, y + SIDE / 2, example.grid("clue").get((int(r), int(c)), ""))


def draw_loop(sheet: Sheet, example: Example, inside: list[tuple[csp.Value, ...]]) -> None:
    """The clues of a board, and the border of what is inside."""
    size = max(int(r) for r, _ in example.family("inside"))
    for r, c in sorted(example.family("inside")):
        x, y = (int(c) - 1) * SIDE, (int(r) - 1) * SIDE
        if 0 < int(r) < size and 0 < int(c) < max(int(one) for _, one in example.family("inside")):
            sheet.text(x + SIDE / 2, y + SIDE / 2, example.grid("clue").get((int(r), int(c)), ""))
            sheet.dot(x, y, 1, THIN, THIN)
            sheet.dot(x + SIDE, y + SIDE, 1, THIN, THIN)
        if ((r, c) in inside) != ((r, int(c) + 1) in inside):
            sheet.path((x + SIDE, y), (x + SIDE, y + SIDE), width=3, color=FOUND)
        if ((r, c) in inside) != ((int(r) + 1, c) in inside):
            sheet.path((x, y + SIDE), (x + SIDE, y + SIDE), width=3, color=FOUND)


def draw_pieces(sheet: Sheet, example: Example, rows: list[csp.Value]) -> None:
    """A board with one piece in each line."""
    by_row = bool(example.grid("blocked"))
    sign = "●" if example.family("mark") else "♛"
    for r in range(1, len(rows) + 1):
        for c, row in enumerate(rows, 1):
            x, y = (c - 1) * SIDE, (r - 1) * SIDE
            blocked = (r, c) in example.grid("blocked")
            sheet.square(x, y, THIN if blocked else SHADE if (r + c) % 2 else "#FFFFFF")
            if (rows[r - 1] == c) if by_row else row == r:
                sheet.text(x + SIDE / 2, y + SIDE / 2, sign, 20)


def draw_graph(sheet: Sheet, example: Example) -> None:
    """Vertices on a circle, in the order of the spec, each in its colour."""
    names = list(example.model.shown)
    fills = paints(example.solution.values())
    radius = max(70, 6 * len(names))
    spot = {
        name: (radius * (1 + sin(2 * pi * i / len(names))) + 16, radius * (1 - cos(2 * pi * i / len(names))) + 16)
        for i, name in enumerate(names)
    }
    for constraint in example.model.constraints:
        for one, other in zip(constraint.scope, constraint.scope[1:], strict=False):
            sheet.path(*[(round(x, 1), round(y, 1)) for x, y in (spot[one], spot[other])], width=1, color=THIN)
    for name, (x, y) in spot.items():
        sheet.dot(round(x, 1), round(y, 1), 14, fills[example.solution[name]])
        sheet.text(round(x, 1), round(y, 1), name.indices[0], 11)


def paints(values: Iterable[csp.Value]) -> dict[csp.Value, str]:
    """A fill for each value: what is called like a colour has that one, and no other value has it."""
    found = {value: COLOURS[str(value)] for value in values if str(value) in COLOURS}
    rest = dict.fromkeys(value for value in values if value not in found)
    free = [hue for hue in HUES if hue not in found.values()] or [SHADE]
    return found | {value: free[i % len(free)] for i, value in enumerate(rest)}


def draw_cards(sheet: Sheet, example: Example) -> None:
    """Names above their values, some in a row."""
    names = list(example.model.shown)
    labels = [", ".join(map(str, name.indices)) or str(name) for name in names]
    wide = max(SIDE, 12 + 7 * max(map(len, labels)))
    across = next(k for k in (10, 8, 5) if len(names) <= k or len(names) % k == 0 or k == 5)
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        x, y = (i % across) * wide, (i // across) * (SIDE + 20)
        sheet.text(x + wide / 2, y + 8, label, 12)
        sheet.square(x, y + 16, "#FFFFFF", wide)
        sheet.text(x + wide / 2, y + 16 + SIDE / 2, example.solution[name], 15, FOUND)
