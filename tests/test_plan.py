"""The plan of a picture: what is printed on every family of the gallery is what its spec says, and nothing else."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

import csp
import dsl
from csp import AllDifferent, Linear, Model, Variable, record, replay
from csp.render.dot import Painter
from csp.render.drawing import draw
from csp.render.plan.areas import outline
from csp.render.plan.contract import (
    ConstraintData,
    FormData,
    LensData,
    MarkData,
    MatchingData,
    PlanData,
    VertexData,
    plan_data,
)
from csp.render.plan.forms import CELL
from csp.render.plan.layout import layout
from csp.render.plan.marks import Mark
from csp.render.plan.plan import Plan
from csp.render.player import player
from csp.render.scene import scene

from .browser import chromium, opened
from .conftest import ROOT
from .test_render import example

sys.path.insert(0, str(ROOT / "docs"))
from gallery_pictures import Example, Values

FAMILIES = sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))
PLANS: dict[str, Plan] = {}
Spot = tuple[int, int]


def plan(name: str) -> Plan:
    """The plan of an example, as the pictures of its trace have it."""
    if name not in PLANS:
        trace = record(example(name), nodes=0)
        PLANS[name] = Plan(trace.model, trace.origins)
    return PLANS[name]


def grids(name: str) -> dict[str, Values]:
    """What stands in the grids of a spec, read from its text."""
    return Example((ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")).grids


def facts(name: str, relation: str) -> list[tuple[str, ...]]:
    """The facts of a spec, read from its text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    found = [tuple(one.split(", ")) for one in re.findall(rf"\b{relation}\(([^()]*)\)\.", text)]
    return [row for row in found if not any(word[0].isupper() for word in row)]


def marks(name: str, *looks: str) -> list[Mark]:
    return [mark for mark in plan(name).marks if mark.look in looks]


def spots(name: str) -> dict[Spot, tuple[float, float]]:
    """The middles of the cells, by row and column."""
    points = plan(name).layout.points
    return {(int(v.indices[0]), int(v.indices[1])): point for v, point in points.items() if v.family == "cell"}


def borders(name: str, look: str) -> set[frozenset[Spot]]:
    """The pairs of neighbours between which a line of some look runs."""
    at = spots(name)
    found = set()
    for mark in marks(name, look):
        for (x, y), (p, q) in pairwise(mark.points):
            for (r, c), (a, b) in at.items():
                for other in ((r, c + 1), (r + 1, c)):
                    if other not in at:
                        continue
                    (m, n), across = at[other], other[0] == r
                    if across and x == p and a < x < m and min(y, q) < b < max(y, q):
                        found.add(frozenset(((r, c), other)))
                    if not across and y == q and b < y < n and min(x, p) < a < max(x, p):
                        found.add(frozenset(((r, c), other)))
    return found


def parted(cells: Values) -> set[frozenset[Spot]]:
    """The pairs of neighbours that are of two regions."""
    return {
        frozenset(((r, c), other))
        for (r, c), region in cells.items()
        for other in ((r, c + 1), (r + 1, c))
        if other in cells and cells[other] != region
    }


def corner_texts(name: str) -> dict[Spot, str]:
    """What stands in the corners of cells."""
    found = {}
    for mark in marks(name, "corner"):
        [(x, y)] = mark.points[:1]
        inside = [at for at, (p, q) in spots(name).items() if p - CELL / 2 < x < p and q - CELL / 2 < y < q]
        assert len(inside) == 1
        found[inside[0]] = mark.text
    return found


def gaps(name: str, axis: int) -> set[int]:
    """The rows, or columns, after which there is more room than after others."""
    line = sorted({point[axis] for point in spots(name).values()})
    steps = [b - a for a, b in pairwise(line)]
    return {i + 1 for i, step in enumerate(steps) if step > min(steps)}


# Families.

BOXED = {"sudoku", "sudoku_x", "windoku", "evenodd", "killer"}
LINED = {  # the look of the lines, and the grid that says between which cells they run
    "jigsaw": ("region", "region"),
    "suguru": ("region", "region"),
    "killer": ("cage", "cage"),
    "kenken": ("cage", "cage"),
}
PLAIN = {  # where nothing is printed but the numbers of rows and columns, and the names of parts
    *("alphametic", "australia", "coloring", "graeco_latin", "hitori", "knights_tour", "langford", "latin", "money"),
    *("numbrix", "nurikabe", "quasigroup", "samurai", "shidoku", "states", "sudoku"),
}
PRINTED = {  # how many marks of each look there are, besides
    "jigsaw": {"region": 9},
    "suguru": {"region": 9},
    "killer": {"cage": 35, "corner": 35},
    "kenken": {"cage": 17, "corner": 17},
    "windoku": {"shade": 36},
    "sudoku_x": {"shade": 18},
    "evenodd": {"shade": 20, "odd": 19},
    "kakuro": {"black": 15, "slash": 12, "sum": 14},
    "futoshiki": {"sign": 22},
    "futoshiki_adjacent": {"sign": 24},
    "skyscrapers": {"clue": 10},
    "tents": {"clue": 16},
    "tenner": {"clue": 10},
    "magic_square": {"clue": 10},
    "slitherlink": {"corner": 15},
    "star": {"thread": 18, "clue": 6},
    "queens": {"dark": 32},
    "blocked_queens": {"black": 56},
    "golomb": {"rule": 19},
    "zebra": {"rule": 30, "region": 5},
    "all_interval": {},
    "costas": {},
}


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_printed_is_all_that_is_printed(name: str) -> None:
    looks = Counter(mark.look for mark in plan(name).marks)
    for beside in ("header", "title"):
        looks.pop(beside, None)
    assert looks == ({} if name in PLAIN else PRINTED[name])
    number = len(plan(name).model.constraints)
    for mark in plan(name).marks:
        assert all(0 <= own < number and own not in plan(name).hidden for own in mark.constraints)


@pytest.mark.parametrize("name", [*sorted(BOXED), "jigsaw", "suguru", "kenken", "futoshiki", "skyscrapers", "tenner"])
def test_only_boxes_stand_apart(name: str) -> None:
    assert gaps(name, 0) == gaps(name, 1) == ({3, 6} if name in BOXED else set())


@pytest.mark.parametrize("name", LINED)
def test_lines_run_between_regions_and_nowhere_else(name: str) -> None:
    look, grid = LINED[name]
    assert borders(name, look) == parted(grids(name)[grid])
    for other in {"region", "cage"} - {look}:
        assert not marks(name, other)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_other_family_has_borders(name: str) -> None:
    has = {mark.look for mark in marks(name, "region", "cage")}
    assert has == ({LINED[name][0]} if name in LINED else {"region"} if name == "zebra" else set())


def test_cages_have_their_totals_in_the_corner() -> None:
    cage = grids("killer")["cage"]
    totals = {int(own): total for own, total in facts("killer", "total")}
    first = {own: spot for spot, own in sorted(cage.items(), reverse=True)}
    assert corner_texts("killer") == {first[own]: total for own, total in totals.items()}
    cage = grids("kenken")["cage"]
    first = {own: spot for spot, own in sorted(cage.items(), reverse=True)}
    signs = {"plus": "+", "times": "×", "minus": "−", "over": "÷"}
    asked = {first[own]: total + signs[kind] for own, kind, total in facts("kenken", "clue")}
    assert corner_texts("kenken") == asked


def test_windows_and_diagonals_are_shaded() -> None:
    at = {point: spot for spot, point in spots("windoku").items()}
    assert {at[mark.points[0]] for mark in marks("windoku", "shade")} == {
        (r + i, c + j) for r in (2, 6) for c in (2, 6) for i in range(3) for j in range(3)
    }
    at = {point: spot for spot, point in spots("sudoku_x").items()}
    assert {at[mark.points[0]] for mark in marks("sudoku_x", "shade")} == {
        (i, j) for i in range(1, 10) for j in (i, 10 - i)
    }


def test_even_cells_are_grey_and_odd_ones_have_a_disc() -> None:
    at = {point: spot for spot, point in spots("evenodd").items()}
    shown = {at[mark.points[0]]: mark.look for mark in marks("evenodd", "shade", "odd")}
    names = {"e": "shade", "o": "odd"}
    assert shown == {spot: names[str(sign)] for spot, sign in grids("evenodd")["parity"].items()}


def test_kakuro_has_its_sums_in_black_cells() -> None:
    own, at = grids("kakuro"), spots("kakuro")
    xs, ys = {c: x for (_, c), (x, _) in at.items()}, {r: y for (r, _), (_, y) in at.items()}
    pitch = xs[3] - xs[2]
    xs[1], ys[1] = xs[2] - pitch, ys[2] - pitch
    black = {(round(xs[c]), round(ys[r])) for r in range(1, 7) for c in range(1, 7) if (r, c) not in at}
    assert {(round(x), round(y)) for (x, y), _ in (mark.points for mark in marks("kakuro", "black"))} == black
    across, down = {}, {}
    for mark in marks("kakuro", "sum"):
        x, y = mark.points[0]
        r = min(ys, key=lambda row: abs(ys[row] - y))
        c = min(xs, key=lambda column: abs(xs[column] - x))
        assert (x > xs[c]) == (y < ys[r]), "on the right above, or on the left below"
        (across if x > xs[c] else down)[r, c] = int(mark.text)
    assert across == {spot: sum_ for spot, sum_ in own["across"].items() if sum_ != "#"}
    assert down == {spot: sum_ for spot, sum_ in own["down"].items() if sum_ != "#"}


def test_signs_stand_between_neighbours() -> None:
    for name, signs in (("futoshiki", {"<": "<", ">": ">", "^": "∧", "v": "∨"}), ("futoshiki_adjacent", {"o": "○"})):
        at = spots(name)
        shown = {}
        for mark in marks(name, "sign"):
            x, y = mark.points[0]
            (r, c), (s, d) = sorted(at, key=lambda spot: abs(at[spot][0] - x) + abs(at[spot][1] - y))[:2]
            shown[r + s - 1, c + d - 1] = mark.text
        board = grids(name)["board"]
        assert shown == {spot: signs[str(sign)] for spot, sign in board.items() if not isinstance(sign, int)}


def beyond(name: str) -> Iterator[tuple[Spot, str]]:
    """The clues outside, as on a board with a frame of one more cell on each side."""
    at = spots(name)
    (left, top), (right, bottom) = min(at.values()), max(at.values())
    for mark in marks(name, "clue"):
        x, y = mark.points[0]
        r, c = min(at, key=lambda spot: abs(at[spot][0] - x) + abs(at[spot][1] - y))
        yield (
            (
                0 if y < top - CELL / 2 else r + 1 if y > bottom + CELL / 2 else r,
                0 if x < left - CELL / 2 else c + 1 if x > right + CELL / 2 else c,
            ),
            mark.text,
        )


def test_clues_stand_outside() -> None:
    board = grids("skyscrapers")["board"]
    outside = {(r - 1, c - 1): str(v) for (r, c), v in board.items() if r in (1, 8) or c in (1, 8)}
    assert dict(beyond("skyscrapers")) == outside
    board = grids("tents")["board"]
    assert dict(beyond("tents")) == {(r - 1, c - 1): str(v) for (r, c), v in board.items() if v != "t"}
    totals = grids("tenner")["total"]
    assert dict(beyond("tenner")) == {(5, c): str(total) for (_, c), total in totals.items()}, "below, as in a sum"
    assert Counter(beyond("magic_square")) == Counter(
        [((i, 0), "34") for i in range(5)] + [((0, i), "34") for i in range(1, 6)]
    )


def test_a_sandwich_has_its_sums_outside() -> None:
    text = (ROOT / "tests" / "benchmarks" / "hard" / "sandwich.csp").read_text(encoding="utf-8")
    PLANS["sandwich"] = Plan(dsl.loads(text))
    asked = {
        kind: re.findall(rf"\b{kind}\((\d+), (\d+)\)\.", text) for kind in ("across", "down")
    }  # fmt: skip
    wanted = {(int(r), 0): total for r, total in asked["across"]} | {(0, int(c)): total for c, total in asked["down"]}
    assert dict(beyond("sandwich")) == wanted


def test_a_hexagon_leans() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "hexagon.csp")
    points = layout(model).points
    rows = {r: sorted(x for v, (x, _) in points.items() if v.indices[0] == r) for r in range(5)}
    middles = {round((row[0] + row[-1]) / 2) for row in rows.values()}
    assert len(middles) == 1 and [len(row) for row in rows.values()] == [3, 4, 5, 4, 3]
    clues = [mark for mark in Plan(model).marks if mark.look == "clue"]
    assert len(clues) == 15 and {mark.text for mark in clues} == {"38"}
    for one in clues:
        for other in (*clues, *(Mark("box", "shade", (p, (CELL, CELL))) for p in points.values())):
            (x, y), (p, q) = one.points[0], other.points[0]
            room = 18 if other.shape == "text" else CELL / 2 + 8
            assert one is other or max(abs(x - p), abs(y - q)) > room, "no two lie on each other"


def test_loops_have_their_clues_in_the_cells() -> None:
    points = plan("slitherlink").layout.points
    asked = grids("slitherlink")["clue"]
    shown = {}
    for mark in marks("slitherlink", "corner"):
        x, y = mark.points[0]
        [v] = [v for v, (p, q) in points.items() if p - CELL / 2 < x < p and q - CELL / 2 < y < q]
        shown[v.indices] = int(mark.text)
    assert shown == asked


def test_a_star_has_its_lines() -> None:
    at = {point: spot for spot, point in spots("star").items()}
    ends = {frozenset(mark.constraints) for mark in marks("star", "thread")}
    assert len(ends) == 6 and {mark.text for mark in marks("star", "clue")} == {"26"}
    assert all(min(abs(x - p) + abs(y - q) for p, q in at) > CELL / 2 for (x, y), _ in
               (mark.points for mark in marks("star", "clue")))  # fmt: skip


# Boards, tables, rulers, maps.


def test_queens_stand_on_a_board() -> None:
    picture = plan("queens").layout
    [board] = picture.boards
    assert board.kind == "board" and board.piece == "♛" and plan("queens").lens == "grid"
    columns = [picture.points[v][0] for v in board.variables]
    assert columns == sorted(columns) and len({picture.points[v][1] for v in board.variables}) == 1
    blocked = grids("blocked_queens")["blocked"]
    picture = plan("blocked_queens").layout
    black = {mark.points[0] for mark in marks("blocked_queens", "black")}
    for v, (x, y) in picture.points.items():
        for i in range(10):
            dx, dy = picture.forms[v].place(i)
            assert ((x + dx, y + dy) in black) == ((v.indices[0], i + 1) in blocked)


def test_the_zebra_has_a_table_of_houses() -> None:
    picture = plan("zebra").layout
    [board] = picture.boards
    assert board.kind == "table" and [title for title, _ in board.groups] == [
        "nation",
        "color",
        "pet",
        "drink",
        "smoke",
    ]
    assert plan("zebra").pieces[Variable("house", "zebra")] == "zebra"
    assert [mark.text for mark in marks("zebra", "header")] == list("12345")


def test_golomb_has_a_ruler() -> None:
    [board] = plan("golomb").layout.boards
    assert board.kind == "ruler" and len(board.variables) == 6
    assert [int(mark.text) for mark in marks("golomb", "header")] == list(range(18))


def test_maps_have_the_colours_of_their_names() -> None:
    assert plan("australia").paints == {"red": "#D55E00", "green": "#009E73", "blue": "#56B4E9"}
    assert len(set(plan("states").paints.values())) == 4 == len(plan("states").paints)
    assert not plan("money").paints and not plan("shidoku").paints and not plan("queens").paints


def test_what_the_spec_tells_is_told_apart() -> None:
    for name in ("sudoku", "kakuro", "futoshiki", "zebra"):
        model = example(name)
        fixed = [c.scope[0] for c in model.constraints if len(c.scope) == 1 and isinstance(c, csp.Equality) and c.equal]
        assert plan(name).given == {*fixed}


# Geometry.


def test_outlines_go_around() -> None:
    for cells in ({(0, 0)}, {(0, 0), (1, 1)}, {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}):
        sides = Counter()
        for way in outline(cells):
            for (r, c), (s, d) in zip(way, [*way[1:], way[0]], strict=True):
                assert (r == s) != (c == d)
                for i in range(max(abs(r - s), abs(c - d))):
                    step = (s > r) - (s < r), (d > c) - (d < c)
                    one = r + step[0] * i, c + step[1] * i
                    sides[one, (one[0] + step[0], one[1] + step[1])] += 1
        wanted = {side for r, c in cells for side in around(r, c) if side[2] not in cells}
        assert sides == Counter((one, other) for one, other, _ in wanted)


def around(r: int, c: int) -> Iterator[tuple[Spot, Spot, Spot]]:
    """The sides of a cell, clockwise, and what is beyond each."""
    yield (r, c), (r, c + 1), (r - 1, c)
    yield (r, c + 1), (r + 1, c + 1), (r, c + 1)
    yield (r + 1, c + 1), (r + 1, c), (r + 1, c)
    yield (r + 1, c), (r, c), (r, c - 1)


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_printed_lies_on_a_cell_of_others(name: str) -> None:
    picture = plan(name).layout
    if name == "tents":
        return
    outside = [mark for mark in plan(name).marks if mark.look in ("clue", "header", "title", "sum")]
    for mark in outside:
        x, y = mark.points[0]
        for v, (p, q) in picture.points.items():
            wide, high = picture.size(v)
            assert abs(x - p) > wide / 2 or abs(y - q) > high / 2, (mark, v)
    for i, one in enumerate(outside):
        for other in outside[:i]:
            (x, y), (p, q) = one.points[0], other.points[0]
            assert abs(x - p) + abs(y - q) > 10, (one, other)


def test_cages_that_share_a_cell_have_no_frame() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(3) for c in range(3)}
    plain = {at: csp.Affine.variable(v) for at, v in cell.items()}
    sums = [
        Linear(plain[r, c] + plain[r, c + 1] + plain[r + 1, c], "=", csp.Affine((), 7)) for r in (0, 1) for c in (0, 1)
    ]
    domains = {v: range(1, 6) for v in cell.values()}
    assert not [mark for mark in Plan(Model(domains, sums)).marks if mark.look == "cage"]
    assert len([mark for mark in Plan(Model(domains, sums[:1])).marks if mark.look == "cage"]) == 1


def test_groups_that_cover_all_are_not_shaded() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(4) for c in range(4)}
    groups = [[cell[r, c] for r in (i, i + 2) for c in (j, j + 2)] for i in (0, 1) for j in (0, 1)]
    model = Model({v: range(4) for v in cell.values()}, map(AllDifferent.of, groups))
    assert not [mark for mark in Plan(model, crowded=True).marks if mark.look == "shade"]


# The contract.


def optional(kind: type) -> set[str]:
    """The keys of a typed dict that may be absent."""
    return {name for name, one in kind.__annotations__.items() if re.search("NotRequired|None", str(one))}


def test_the_data_keeps_the_contract() -> None:
    data = plan_data(plan("killer"))
    kinds = {"forms": FormData, "vertices": VertexData, "marks": MarkData, "constraints": ConstraintData}
    assert set(data) == set(PlanData.__annotations__)
    for name, kind in kinds.items():
        for one in data[name]:  # type: ignore[literal-required]
            assert set(kind.__annotations__) - optional(kind) <= set(one) <= set(kind.__annotations__)
    assert all(set(lens) == set(LensData.__annotations__) for lens in data["lenses"].values())


def test_scripts_know_the_same_contract() -> None:
    text = (ROOT / "csp" / "render" / "page" / "contract.js").read_text(encoding="utf-8")
    for kind in (PlanData, FormData, VertexData, MarkData, ConstraintData, LensData, MatchingData):
        found = re.search(rf"@typedef {{(?:Object|Array)}} {kind.__name__}\n(.*?)\*/", text, re.DOTALL)
        assert found, kind.__name__
        names = re.findall(r"@property {[^}]*} (\[?)(\w+)", found[1])
        assert {name for _, name in names} == set(kind.__annotations__)
        assert {name for bracket, name in names if bracket} == optional(kind)


# Both painters.

SHOWN = ("kakuro", "killer", "zebra", "queens", "futoshiki", "australia", "skyscrapers", "suguru", "star", "shidoku")
FRAMES = int(os.environ.get("FRAMES", "4"))
"""How many frames are compared; 30 are all."""
CLOSE = 7.0
TEXTS = """(all) => all.map((text) => {
  const box = text.getBBox(), svg = text.ownerSVGElement, at = svg.createSVGPoint();
  [at.x, at.y] = [box.x + box.width / 2, box.y + box.height / 2];
  const { x, y } = at.matrixTransform(svg.getScreenCTM().inverse().multiply(text.getScreenCTM()));
  return [text.textContent, x, y];
})"""
Text = tuple[str, float, float]


def kept(texts: list[Text]) -> list[Text]:
    """Those that are seen; one painter crosses small squares with a letter."""
    return sorted((words.strip(), x, y) for words, x, y in texts if words.strip() not in ("", "×"))


def test_both_painters_draw_the_same(tmp_path: Path) -> None:
    frames = [(name, part) for part in (0.5, 1, 0.15) for name in SHOWN][:FRAMES]
    with chromium() as browser:
        for name in dict.fromkeys(name for name, _ in frames):
            trace = record(example(name), nodes=4)
            moments = list(replay(trace))
            chosen = [round(part * (len(moments) - 1)) for own, part in frames if own == name]
            painter = Painter(trace.model, origins=trace.origins)
            pictures = draw([painter.dot(scene(moments[i])) for i in chosen])
            path = tmp_path / f"{name}.html"
            path.write_text(player(trace), encoding="utf-8")
            for i, picture in zip(chosen, pictures, strict=True):
                drawn = tmp_path / f"{name}-{i}.svg"
                drawn.write_bytes(picture)
                with opened(browser, drawn) as page:
                    static = page.eval_on_selector_all("g.node text", TEXTS)
                with opened(browser, path, f"#event={i}&grain=event") as page:
                    page.wait_for_timeout(50)
                    live = page.eval_on_selector_all("#picture text", TEXTS)
                compare(live, static, f"{name}, moment {i}")


def compare(live: list[Text], static: list[Text], where: str) -> None:
    """The same texts; and, if the middle of all is laid on that of the others, each lies on one of its own."""
    one, other = kept(live), kept(static)
    assert Counter(words for words, _, _ in one) == Counter(words for words, _, _ in other), where
    fixed = [[text for text in texts if text[0] != "*"] for texts in (one, other)]
    dx, dy = (sum(text[i] for text in fixed[0]) - sum(text[i] for text in fixed[1]) for i in (1, 2))
    dx, dy = dx / len(fixed[0]), dy / len(fixed[0])
    for words, x, y in one:
        near = min(max(abs(x - p - dx), abs(y - q - dy)) for also, p, q in other if also == words)
        assert near < CLOSE, f"{where}: {words} is {near:.1f} away"


def test_names_stay_where_they_are_when_the_asterisk_comes() -> None:
    trace = record(example("shidoku"))
    shown = [scene(moment) for moment in replay(trace)]
    marked, other = next(one for one in shown if "A" in one.marked), shown[0]
    assert "A" not in other.marked
    names = []
    for picture in draw([Painter(trace.model).dot(one) for one in (marked, other)]):
        names.append(
            re.findall(r'<text [^>]* x="[^"]*" y="[^"]*"[^>]*font-weight="bold"[^>]*>[A-P]</text>', picture.decode())
        )
    assert len(names[0]) == 16 and names[0] == names[1]


def test_texts_are_those_of_the_plan() -> None:
    for name in ("kakuro", "killer", "skyscrapers"):
        trace = record(example(name), nodes=0)
        text = Painter(trace.model, origins=trace.origins).dot(scene(next(replay(trace))))
        written = [
            unescape(re.sub("<[^>]*>", "", found)) for found in re.findall(r'"mark \d+" \[.*label=<(.*)>, pos', text)
        ]
        assert Counter(written) == Counter(mark.text for mark in plan(name).marks if mark.shape == "text")
