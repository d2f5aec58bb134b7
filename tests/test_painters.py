"""Both painters of a plan, graphviz and the page, draw the same."""

from __future__ import annotations

import os
import re
from collections import Counter
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp import Variable, record, replay
from csp.picture.edges.edges import along
from csp.picture.frames import frames as frames_of
from csp.picture.legend import SWATCH, WHY, legend_caption
from csp.picture.scene import Scene, scene
from csp.picture.shapes import Shape, box, disc
from csp.picture.style import CAUSE, painted
from csp.render.dot.dot import dot
from csp.render.dot.drawing import draw
from csp.render.dot.label import label
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.trace import Removal

from .browser import opened
from .plans import plan
from .test_render import EDGE, example

SHOWN = ("kakuro", "killer", "zebra", "queens", "futoshiki", "australia", "skyscrapers", "suguru", "star", "shidoku")
FRAMES = int(os.environ.get("FRAMES", "2"))
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


def test_both_painters_draw_the_same(tmp_path: Path, browser: Any) -> None:
    frames = [(name, part) for part in (0.5, 1, 0.15) for name in SHOWN][:FRAMES]
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
    bold = re.compile(r'<text [^>]* x="([^"]*)" y="([^"]*)"[^>]*font-weight="bold"[^>]*>[A-P]</text>')
    pictures = draw([Painter(trace.model).dot(one) for one in (marked, other)])
    names = [bold.findall(picture.decode()) for picture in pictures]
    assert len(names[0]) == 16
    for one, other in zip(*names, strict=True):
        assert all(abs(float(a) - float(b)) < 2 for a, b in zip(one, other, strict=True)), "lengths of DOT are whole"


def test_texts_are_those_of_the_plan() -> None:
    for name in ("kakuro", "killer", "skyscrapers"):
        trace = record(example(name), nodes=0)
        text = Painter(trace.model, origins=trace.origins).dot(scene(next(replay(trace))))
        written = [
            unescape(re.sub("<[^>]*>", "", found)) for found in re.findall(r'"mark \d+" \[.*label=<(.*)>, pos', text)
        ]
        assert Counter(written) == Counter(mark.text for mark in plan(name).shapes if mark.kind == "text")


@pytest.mark.parametrize(
    "mark",
    [disc("ring", (0, 0), 40), disc("bead", (0, 0), 20), box("slot", (0, 0), (60, 60)), box("quad", (0, 0), (9, 9))],
)
def test_an_outline_has_a_pen_in_dot(mark: Shape) -> None:
    [node] = [line for line in dot([mark], "one").splitlines() if '"mark 0"' in line]
    look = painted(mark.look)
    assert f'color="{look["line"]}", penwidth={look["width"]:g}' in node
    assert ("style=filled" in node) == (look["fill"] != "none")


def test_lines_of_a_spec_lie_under_values_in_dot() -> None:
    """Graphviz paints edges before all vertices or after them; cells lie over a path, and under a border."""
    board = "cell(R, C) in 1..3 :- R in 1..2, C in 1..2.\n"
    lines = "draw line(1, C, C) = green : C in 1..2.\ndraw border(R, C, R) : R in 1..2, C in 1..2."
    model = dsl.loads(board + lines)
    written = Painter(model).dot(Scene(title="", domains=model.domains))
    assert written.count("_background=") == 1 and "outputorder=nodesfirst" in written
    assert written.count('"ink" -- "ink"') == 2, "the borders"
    svg = draw([written])[0].decode()
    assert (
        svg.index('stroke="#b2dda8"')
        < svg.index("<title>cell(1,1)</title>")
        < svg.index("<title>ink&#45;&#45;ink</title>")
    )


def test_the_words_of_a_legend_leave_its_signs() -> None:
    table = label(legend_caption("", [WHY], 300), None)
    before = table.partition(">cause<")[0].rpartition("<TR>")[2]
    assert sum(map(int, re.findall(r'<TD WIDTH="(\d+)"', before)[:-1])) >= 11 + SWATCH / 2 + 3, "its sign is 22 wide"


def test_what_joins_close_cells_leaves_their_values_and_stays_on_the_grid() -> None:
    """So it is as large in every picture, and no vertex ever moves."""
    trace = record(example("sudoku"))
    plan = Painter(trace.model, "clique").plan
    sizes, points = plan.layout.size, plan.layout.points
    ends = [[p[i] + side * sizes(v)[i] / 2 for v, p in points.items() for side in (-1, 1)] for i in (0, 1)]
    sides = [(min(own), max(own)) for own in ends]
    joined = [edge for v in points for edge in plan.edges_around("clique", v)]
    joined += [
        edge
        for n, one in enumerate(trace.model.constraints)
        if len(one.scope) > 1
        for edge in plan.active_edges("factor", n, ())
    ]
    assert len(joined) > 81 * 20 + 27 * 8
    for edge in joined:
        for step in range(21):
            at = along(edge.curve, step / 20)
            assert not isinstance(edge.start, Variable) or all(
                low <= x <= high for x, (low, high) in zip(at, sides, strict=True)
            )
            for end in (v for v in (edge.start, edge.end) if isinstance(v, Variable)):
                assert any(abs(at[i] - points[end][i]) > sizes(end)[i] / 2 - 5 for i in (0, 1)), (
                    "a margin, not the values"
                )  # type: ignore[index]
    corners = []
    for picture in draw([Painter(trace.model, "clique").dot(frame) for frame in islice(frames_of(trace), 2)]):
        svg = picture.decode()
        [low] = re.findall(r'transform="[^"]*translate\(\S+ (\S+)\)"', svg)
        corners.append(float(low) + float(re.search(r"<title>cell\(1,1\)</title>.*?,(-[\d.]+)", svg, re.S)[1]))  # type: ignore[index]
    assert corners[0] == pytest.approx(corners[1]), "the first with edges, the second without"


# Where no group is at work, a large clique shows the edges of one vertex.


def near(variable: Variable) -> set[Variable]:
    """The 20 others of its row, its column and its box."""
    cells = [Variable("cell", r, c) for r in range(1, 10) for c in range(1, 10)]
    of = {v: (v.indices[0], v.indices[1], tuple((int(i) - 1) // 3 for i in v.indices)) for v in cells}
    return {v for v in cells if v != variable and any(a == b for a, b in zip(of[v], of[variable], strict=True))}


def test_a_large_clique_shows_who_comes_next(tmp_path: Path, browser: Any) -> None:
    trace = record(example("sudoku"))
    moments = list(replay(trace))
    painter = Painter(trace.model, "clique", trace.origins)
    expected = {}  # by position, the vertex whose edges show
    for position, moment in enumerate(moments):
        shown = scene(moment)
        if not shown.constraints and not isinstance(moment.record, Removal):
            waiting = [one.variable for one in moment.queue if one.variable]
            own = shown.active if len(shown.active) == 1 else waiting or ([] if position else [Variable("cell", 1, 1)])
            expected[position] = own[0] if own else None
    found = EDGE.findall(painter.dot(scene(moments[0])))
    assert found and all(f'color="{CAUSE}' in way for *_, way in found), "a light line would hide dark values"
    assert set(map(type, expected.values())) == {Variable, type(None)} and len({*expected.values()}) > 3
    chosen = [*expected][:: len(expected) // 6]
    for position in chosen:
        ends = {
            frozenset((one[1:-1], other[1:-1])) for one, other, _ in EDGE.findall(painter.dot(scene(moments[position])))
        }
        assert (
            ends == {frozenset((expected[position], v)) for v in near(expected[position])}
            if expected[position]
            else not ends
        )
    page = tmp_path / "page.html"
    page.write_text(player(trace), encoding="utf-8")
    with opened(browser, page, "#event=0&lens=clique&grain=event") as tab:
        for position in chosen:
            tab.evaluate("(at) => { location.hash = `event=${at}&lens=clique&grain=event`; }", position)
            tab.wait_for_timeout(50)
            assert tab.locator("path.near").count() == (20 if expected[position] else 0), position
            live = tab.eval_on_selector_all("path.near", "(all) => all.map((path) => path.getAttribute('d'))")
            own = painter.plan.edges_around("clique", expected[position]) if expected[position] else []  # type: ignore[arg-type]
            for way, edge in zip(live, own, strict=True):
                left, top, dx, dy, *rest = map(float, re.findall(r"-?[\d.]+", way))
                x, y = left + dx, top + dy  # all else is told from there
                rest = rest if len(rest) == 4 else [rest[0] / 2, rest[1] / 2, *rest]  # a straight one has no bend
                bx, by, p, q = x + rest[0], y + rest[1], x + rest[2], y + rest[3]
                third = x + (bx - x) * 2 / 3, y + (by - y) * 2 / 3
                assert (x, y, *third, p, q) == pytest.approx((*edge.curve[0], *edge.curve[1], *edge.curve[3]), abs=1.1)


def test_a_free_graph_is_laid_out_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever is drawn of a model, and however often: a spring layout costs more than all else."""
    from csp.picture.layout import layout
    from csp.render import draw_levels, player, tree_dot, write_frames

    calls: list[int] = []
    spread = layout.spread_out
    monkeypatch.setattr(layout, "spread_out", lambda *given: calls.append(1) or spread(*given))
    trace = csp.record(example("coloring"))
    reaches = [csp.trace.reach(csp.Solver(trace.model, level)) for level in csp.LEVELS]
    for most, paint in (
        (1, lambda: player(trace)),
        (1, lambda: write_frames(trace, tmp_path, (), 5)),
        (1, lambda: draw_levels(reaches)),
        (1, lambda: trace._repr_html_()),
        (0, lambda: tree_dot(trace)),
    ):
        calls.clear()
        paint()
        assert len(calls) == most
