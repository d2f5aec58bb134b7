"""The plan of a picture: boards, tables, rulers and maps; outlines; and the data that the page has of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import csp
import dsl
from csp import AllDifferent, Linear, Model, Variable, record
from csp.board.areas import outline
from csp.board.drawn.facts import facts
from csp.picture.plan import Plan
from csp.render.page.contract import ConstraintData, FormData, LensData, PlanData, VertexData, typedefs
from csp.render.page.data import plan_data
from csp.render.solved import shown_plan, solution_shapes

from .conftest import ROOT
from .plans import FAMILIES, Spot, grids, marks, plan
from .test_render import example

# Boards, tables, rulers, maps.


def test_queens_stand_on_a_board() -> None:
    picture = plan("queens").layout
    [board] = picture.boards
    assert board.kind == "board" and board.piece == "♛" and plan("queens").lens == "grid"
    columns = [picture.points[v][0] for v in board.variables]
    assert columns == sorted(columns) and len({picture.points[v][1] for v in board.variables}) == 1
    blocked = grids("blocked_queens")["blocked"]
    picture = plan("blocked_queens").layout
    rows = [picture.points[v] for v in picture.boards[0].variables]
    assert rows == sorted(rows, key=lambda at: at[1]) and len({x for x, _ in rows}) == 1, "as its layout shows them"
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


def test_columns_of_boards_go_on_in_the_grid_below_and_the_layout_above() -> None:
    """The persons of an assignment are the rows of its costs, so that its board stands beside them."""
    for name, order in (("costas", ("mark", "diff")), ("all_interval", ("row", "note", "step"))):
        found = plan(name).layout
        at = {**found.points, **found.slips}
        columns = [{v.indices[-1]: at[v] for v in at if v.family == family} for family in order]
        heights = [own[1][1] for own in columns]
        assert heights == sorted(heights) and len({*heights}) == len(order)
        assert all(abs(one[c][0] - columns[0][c][0]) < 2 for one in columns for c in one)
    costs = plan("assignment").layout
    assert max(x for x, _ in costs.slips.values()) < min(costs.points[v][0] for v in costs.boards[0].variables)


@pytest.mark.parametrize(
    ("name", "families", "look"),
    [
        ("nurikabe", {"land"}, "tint-dark"), ("hitori", {"shaded"}, "tint-dark"), ("slitherlink", {"inside"}, "loop"),
        ("tents", {"cell"}, "found-text"), ("graeco_latin", {"latin", "greek"}, "found"), ("golomb", {"mark"}, "slot"),
        ("knights_tour", {"cell"}, "path-blue"), ("numbrix", {"cell"}, "path-blue"),
    ],
)  # fmt: skip
def test_the_puzzle_is_drawn_and_not_its_encoding(name: str, families: set[str], look: str) -> None:
    """No helper, no inverse family and no expression has a place, and a solution looks as people draw it."""
    model = example(name)
    assert {v.family for v in Plan(model).visible} == families
    solution = csp.solve(model)
    assert solution and look in {mark.look for mark in solution_shapes(shown_plan(model), solution)}


def test_maps_are_not_turned() -> None:
    west, north, south, _, _, victoria, tasmania = plan("australia").layout.points.values()
    assert west[0] < south[0] and north[1] < south[1] < victoria[1] < tasmania[1]
    at = {v.indices[0]: point for v, point in plan("states").layout.points.items()}
    assert at["wa"][0] == at["ca"][0] < at["fl"][0] < at["me"][0]
    assert at["me"][1] < at["wa"][1] < at["ca"][1] < at["fl"][1]


@pytest.mark.parametrize("lens", ["grid", "clique", "factor"])
def test_no_line_strikes_the_names_of_a_table_out(lens: str) -> None:
    whole = plan("zebra")
    assert not whole.draw_lens(lens).edges
    assert not any(whole.joining_edges(lens, number) for number in range(len(whole.model.constraints)))


def test_maps_have_the_colours_of_their_names() -> None:
    assert plan("australia").paints == {"red": "#D55E00", "green": "#009E73", "blue": "#56B4E9"}
    assert len(set(plan("states").paints.values())) == 4 == len(plan("states").paints)
    assert not plan("money").paints and not plan("shidoku").paints and not plan("queens").paints


def test_what_the_spec_tells_is_told_apart() -> None:
    for name in ("sudoku", "kakuro", "futoshiki", "zebra"):
        model = example(name)
        fixed = [c.scope[0] for c in model.constraints if len(c.scope) == 1 and isinstance(c, csp.Equality) and c.equal]
        assert plan(name).given.keys() == {*fixed}


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


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_printed_lies_on_a_cell_of_others(name: str) -> None:
    picture = plan(name).layout
    outside = [mark for mark in plan(name).shapes if mark.look in ("clue", "header", "title", "sum")]
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
    assert not [mark for mark in Plan(Model(domains, sums)).shapes if mark.look == "cage"]
    assert len([mark for mark in Plan(Model(domains, sums[:1])).shapes if mark.look == "cage"]) == 1


def test_groups_that_cover_all_are_not_shaded() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(4) for c in range(4)}
    groups = [[cell[r, c] for r in (i, i + 2) for c in (j, j + 2)] for i in (0, 1) for j in (0, 1)]
    model = Model({v: range(4) for v in cell.values()}, map(AllDifferent.of, groups))
    assert not [mark for mark in Plan(model, crowded=True).shapes if mark.look == "shade"]


# The contract.


def optional(kind: type) -> set[str]:
    """The keys of a typed dict that may be absent."""
    return {name for name, one in kind.__annotations__.items() if re.search("NotRequired|None", str(one))}


def test_the_data_keeps_the_contract() -> None:
    data = plan_data(plan("killer"))
    kinds = {"forms": FormData, "vertices": VertexData, "constraints": ConstraintData}
    assert set(data) == set(PlanData.__annotations__)
    for name, kind in kinds.items():
        for one in data[name]:  # type: ignore[literal-required]
            assert set(kind.__annotations__) - optional(kind) <= set(one) <= set(kind.__annotations__)
    assert all(set(lens) == set(LensData.__annotations__) for lens in data["lenses"].values())


def test_scripts_know_the_same_contract(golden: Callable[[str, str], None]) -> None:
    """Written anew with --rewrite."""
    golden("../../csp/render/page/scripts/contract.js", typedefs())


def test_chips_of_boxes_stand_like_the_boxes_and_none_are_named_alike() -> None:
    chips = {chip.name: chip for chip in plan("sudoku").constraint_nodes.values()}
    for i in (1, 2, 3):
        across = [chips[f"box {i},{j}"].point for j in (1, 2, 3)]
        down = [chips[f"box {j},{i}"].point for j in (1, 2, 3)]
        assert across == sorted(across) and len({x for x, _ in across}) == 3
        assert len({x for x, _ in down}) == 1 and down == sorted(down)
    for name in ("jigsaw", "sudoku", "evenodd"):
        texts = [chip.text for chip in plan(name).constraint_nodes.values()]
        assert len(texts) == len({*texts}) > 20


def test_constants_of_layouts_stand_in_their_cells() -> None:
    numbers = grids("hitori")["clue"]
    cells = {v: (int(v.indices[0]), int(v.indices[1])) for v in plan("hitori").model.domains}
    assert facts(plan("hitori").model, {v: (0, 0) for v in cells}) == {v: str(numbers[at]) for v, at in cells.items()}
    text = (ROOT / "examples" / "nurikabe.csp").read_text(encoding="utf-8")
    model = dsl.loads(text + "show land, size(R, C) = V : clue(R, C, V).")
    shown = record(model, nodes=0)
    told = {mark.text for mark in Plan(shown.model, shown.origins).shapes if mark.look == "inner"}
    assert told == {str(value) for value in grids("nurikabe")["clue"].values()}
