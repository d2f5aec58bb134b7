"""Tests that drawn grids have the borders and clues of their specs."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import pytest

import csp
from csp.render.solved import solution_svg
from csp.render.text.terminal import Reel

from ..conftest import ROOT
from ..plans import Spot, facts, grids
from .test_plan import parted
from .test_render import example

REGIONS = {"jigsaw": "region", "suguru": "region", "killer": "cage", "kenken": "cage"}


def draw_screen(name: str, width: int = 110, height: int | None = None) -> list[str]:
    return Reel(csp.record(example(name), "arc", nodes=0)).screen(0, width, height).plain.splitlines()[5:]


def read_borders(lines: list[str]) -> tuple[set[frozenset[Spot]], dict[Spot, str]]:
    """Return the pairs of cells with a line between them, and texts on the lines.

    The key of a text is the cell below the line.
    """
    header = next(i for i, line in enumerate(lines) if re.fullmatch(r"[\d ]+", line) and line.strip())
    columns = [match.start() for match in re.finditer(r"\d+", lines[header])]
    line_of_row = {
        int(match[0]): i for i, line in enumerate(lines) if (match := re.match(r"\d+(?= )", line)) and i > header
    }
    borders, texts = set(), {}
    for row, i in line_of_row.items():
        above, below = (lines[j] if j not in line_of_row.values() and j != header else "" for j in (i - 1, i + 1))
        for c, x in enumerate(columns):
            if c + 1 < len(columns) and re.search("[│┆┃]", lines[i][x : columns[c + 1]]):
                borders.add(frozenset(((row, c + 1), (row, c + 2))))
            if row + 1 in line_of_row and re.search("[─┄━]", below[x : x + 5]):
                borders.add(frozenset(((row, c + 1), (row + 1, c + 1))))
            if match := re.match(r"[^─┄━│┆┃┌┬┐├┼┤└┴┘ ]+", above[x:]):
                texts[row, c + 1] = match[0]
    return borders, texts


@pytest.mark.parametrize("name", REGIONS)
def test_a_screen_has_the_borders_of_the_spec(name: str) -> None:
    cells = grids(name)[REGIONS[name]]
    borders, texts = read_borders(draw_screen(name))
    assert borders == parted(cells)
    firsts = {
        min(at for at, cell_region in cells.items() if cell_region == region): region for region in cells.values()
    }
    assert set(texts) == (set(firsts) if REGIONS[name] == "cage" else set())
    if name == "killer":
        totals = dict(facts(name, "total"))
        assert texts == {at: totals[str(cage)] for at, cage in firsts.items()}


def test_a_low_screen_omits_the_lines_between_rows() -> None:
    cells = grids("jigsaw")["region"]
    lines = draw_screen("jigsaw", 110, 24)
    borders, _ = read_borders(lines)
    assert borders == {pair for pair in parted(cells) if len({r for r, _ in pair}) == 1}
    assert len(lines) + 5 < 24 and "too low" not in "".join(lines)


def test_a_screen_has_clues_and_signs() -> None:
    tents = draw_screen("tents")
    rows = [line.split() for line in tents if re.match(r"\d \d ", line)]
    assert [row[1] for row in rows] == list("40131030") and tents[2].split() == list("13021203")
    sums = set(" ".join(draw_screen("kakuro")).split())
    assert {"22\\7", "13\\19", "\\9", "6\\"} <= sums and sum("\\" in word for word in sums) == 12
    spec = (ROOT / "examples" / "futoshiki.csp").read_text(encoding="utf-8").split('"')[1]
    signs = Counter(re.findall("[<>∧∨]", "".join(draw_screen("futoshiki")[1:-2])))
    assert signs == Counter(re.findall("[<>∧∨]", spec.replace("^", "∧").replace("v", "∨")))


def draw_table(name: str) -> list[list[tuple[str, str]]]:
    """Return the styles and texts of the cells of a solution."""
    solution = csp.solve(example(name))
    assert solution is not None
    rows = re.findall("<tr>(.*?)</tr>", solution._repr_html_() or "")
    return [re.findall(r'<td style="([^"]*)">(.*?)</td>', row) for row in rows]


@pytest.mark.parametrize("name", REGIONS)
def test_a_table_has_the_borders_of_the_spec(name: str) -> None:
    cells, rows, borders = grids(name)[REGIONS[name]], draw_table(name), set()
    for r, row in enumerate(rows, 1):
        for c, (style, _) in enumerate(row, 1):
            for side, neighbour in (("right", (r, c + 1)), ("bottom", (r + 1, c))):
                if neighbour in cells and re.search(rf"border-{side}: (2px dashed|3px solid #000000)", style):
                    borders.add(frozenset(((r, c), neighbour)))
    assert borders == parted(cells)
    assert sum("font-size" in text for row in rows for _, text in row) == (
        len({*cells.values()}) if REGIONS[name] == "cage" else 0
    )


def test_a_table_has_the_clues_beside_the_cells() -> None:
    kakuro = [[text for _, text in row] for row in draw_table("kakuro")]
    assert kakuro[0] == ["", "6\\", "16\\", "", "25\\", "4\\"] and kakuro[1][0] == "\\9" and kakuro[1][3] == "22\\7"
    tents = csp.solve(example("tents"))
    assert tents is not None and "model" not in repr(tents) and pickle.loads(pickle.dumps(tents)) == tents
    gallery = re.findall(r"\d", (ROOT / "tests" / "golden" / "futoshiki.answer").read_text(encoding="utf-8"))
    assert [re.sub("<.*>", "", text) for row in draw_table("futoshiki") for _, text in row] == gallery


def test_an_answer_has_the_trees_and_all_clues() -> None:
    model, board = example("tents"), grids("tents")["board"]
    solution = csp.solve(model)
    assert solution is not None
    texts = re.findall(">([^<]+)</text>", solution_svg(model, solution))
    trees, clues = (sorted(str(v) for v in board.values() if (v == "t") == is_tree) for is_tree in (True, False))
    assert texts.count("♣") == len(trees) == 12
    outside_texts = re.findall(">([^<]+)</text>", re.findall('font-size="18".*?</g>', solution_svg(model, solution))[0])
    assert sorted("".join(outside_texts)) == clues and len(clues) == 16
    rows = [[text for _, text in row] for row in draw_table("tents")]
    at = {(r, c): text for r, row in enumerate(rows, 1) for c, text in enumerate(row, 1)}
    assert {place: at[place] for place in board} == {place: str(v) for place, v in board.items()}


def test_boxes_have_thick_borders_at_the_outside() -> None:
    for name in ("samurai", "jigsaw"):
        cells = {(r, c): style for r, row in enumerate(draw_table(name)) for c, (style, _) in enumerate(row)}
        places = {place for place, style in cells.items() if "border: 0" not in style}
        ways = {"top": (-1, 0), "right": (0, 1), "bottom": (1, 0), "left": (0, -1)}
        assert all(
            f"border-{side}: 3px solid" in cells[r, c]
            for r, c in places
            for side, (i, j) in ways.items()
            if (r + i, c + j) not in places
        )
