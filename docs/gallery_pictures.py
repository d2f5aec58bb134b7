"""Small pictures of the examples, as SVG: what stands in a spec's grids, and the solution."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import csp
import dsl
from csp.paint.solved import solution_svg
from dsl.text.grids import read_grid

SIDE = 28
GIVEN, FOUND, THIN, TREE = "#000000", "#0072B2", "#999999", "#009E73"

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
        ground = f'<rect x="-4" y="-4" width="{wide:g}" height="{high:g}" fill="#FFFFFF"/>'
        return "\n".join(
            [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', ground, *self.parts, "</svg>", ""]
        )


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
    """The picture of a spec: its plan, with the solution in it; facts that no constraint tells are drawn here."""
    example, sheet = Example(text), Sheet()
    if example.family("on") or example.family("lamp") or example.grid("room"):
        draw_board(sheet, example)
    elif squares := {**example.family("land"), **{s: 1 - int(v) for s, v in example.family("shaded").items()}}:
        draw_shaded(sheet, example, [spot for spot, value in squares.items() if value == 0])
    elif inside := [spot for spot, value in example.family("inside").items() if value == 1]:
        draw_loop(sheet, example, inside)
    elif "t" in example.grid("board").values():
        draw_tents(sheet, example)
    else:
        return solution_svg(example.model, example.solution)
    return sheet.svg()


def draw_tents(sheet: Sheet, example: Example) -> None:
    """Trees, the tents beside them, and how many tents there are in each row and column."""
    tents = example.family("cell")
    for (r, c), sign in example.grid("board").items():
        if sign != "t":
            sheet.text((c - 0.5) * SIDE, (r - 0.5) * SIDE, sign, 14)
    for (row, column), value in tents.items():
        x, y = int(column) * SIDE, int(row) * SIDE
        sheet.square(x, y, "#FFFFFF")
        if example.grid("board").get((int(row) + 1, int(column) + 1)) == "t":
            sheet.dot(x + SIDE / 2, y + SIDE / 2, SIDE * 0.3, TREE)
        elif value != 0:
            sheet.path((x + 5, y + 23), (x + 14, y + 5), (x + 23, y + 23), width=1, color=FOUND, fill=FOUND)


def draw_shaded(sheet: Sheet, example: Example, dark: list[tuple[csp.Value, ...]]) -> None:
    """The clues of a board, some of whose squares are dark."""
    for r, c in sorted(example.family("shaded") or example.family("land")):
        x, y = (int(c) - 1) * SIDE, (int(r) - 1) * SIDE
        sheet.square(x, y, THIN if (r, c) in dark else "#FFFFFF")
        sheet.text(x + SIDE / 2, y + SIDE / 2, example.grid("clue").get((int(r), int(c)), ""))


ARROWS = {"u": "↑", "d": "↓", "l": "←", "r": "→", "w": "○", "b": "●"}


def draw_board(sheet: Sheet, example: Example) -> None:
    """Squares with their clues, rooms with thick borders, what is shaded, lamps, numbers and a loop."""
    clues, ways, rooms = example.grid("clue"), example.grid("way"), example.grid("room")
    shaded, numbers = example.family("shaded"), example.family("cell")
    rows, cols = (
        (max(int(spot[k]) // 2 for spot in example.family("on")) for k in (0, 1))
        if example.family("on")
        else (max(r for r, _ in [*clues, *rooms]), max(c for _, c in [*clues, *rooms]))
    )
    for r in range(1, rows + 1):
        for c in range(1, cols + 1):
            x, y = (c - 1) * SIDE, (r - 1) * SIDE
            wall = bool(example.family("lamp")) and (r, c) in clues
            sheet.square(x, y, GIVEN if wall else THIN if shaded.get((r, c)) == 1 and not numbers else "#FFFFFF")
            words = "".join(
                str(ARROWS.get(str(token), token)) for token in (clues.get((r, c), ""), ways.get((r, c), ""))
            )
            if numbers and not words and numbers[r, c]:
                sheet.text(x + SIDE / 2, y + SIDE / 2, numbers[r, c], color=FOUND)
            sheet.text(x + SIDE / 2, y + SIDE / 2, words, 13, "#FFFFFF" if wall else GIVEN)
            if example.family("lamp").get((r, c)) == 1:
                sheet.dot(x + SIDE / 2, y + SIDE / 2, SIDE * 0.3, FOUND)
            if rooms and rooms.get((r, c)) != rooms.get((r, c + 1)):
                sheet.path((x + SIDE, y), (x + SIDE, y + SIDE), width=2.5)
            if rooms and rooms.get((r, c)) != rooms.get((r + 1, c)):
                sheet.path((x, y + SIDE), (x + SIDE, y + SIDE), width=2.5)
    for (i, j), value in example.family("on").items():
        x, y = (int(j) - 1) * SIDE / 2, (int(i) - 1) * SIDE / 2
        if value == 1 and int(i) % 2:
            sheet.path((x, y - SIDE / 2), (x, y + SIDE / 2), width=3, color=FOUND)
        elif value == 1 and int(j) % 2:
            sheet.path((x - SIDE / 2, y), (x + SIDE / 2, y), width=3, color=FOUND)


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
