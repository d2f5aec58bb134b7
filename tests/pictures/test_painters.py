"""Both painters of a plan, Graphviz and the page, draw the same."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, islice, pairwise
from math import ceil, dist
from pathlib import Path
from typing import Any

import pytest

import csp
from csp import Variable, record, replay
from csp.picture.edges import along
from csp.picture.frames import frames as frames_of
from csp.picture.scene import Scene, scene
from csp.picture.shapes import UNDER, Point, Shape
from csp.render.dot.drawing import draw
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.trace import Removal

from ..browser import opened
from .test_render import example

pytestmark = pytest.mark.sampled(5)

SHOWN = ("kakuro", "killer", "zebra", "queens", "futoshiki", "australia", "skyscrapers", "suguru", "star", "shidoku")
FRAMES = int(os.environ.get("FRAMES", "2"))
"""Number of frames that are compared; 30 compares all."""
CLOSE = 7.0
TEXTS = """(all) => all.map((text) => {
  const box = text.getBBox(), svg = text.ownerSVGElement, at = svg.createSVGPoint();
  [at.x, at.y] = [box.x + box.width / 2, box.y + box.height / 2];
  const { x, y } = at.matrixTransform(svg.getScreenCTM().inverse().multiply(text.getScreenCTM()));
  return [text.textContent, x, y];
})"""
Text = tuple[str, float, float]


def select_visible(texts: list[Text]) -> list[Text]:
    """Return the visible texts, sorted, without the crosses of small squares."""
    return sorted((words.strip(), x, y) for words, x, y in texts if words.strip() not in ("", "×"))


def test_both_painters_draw_the_same(tmp_path: Path, browser: Any) -> None:
    frames = [(name, fraction) for fraction in (0.5, 1, 0.15) for name in SHOWN][:FRAMES]
    for name in dict.fromkeys(name for name, _ in frames):
        trace = record(example(name), nodes=4)
        moments = list(replay(trace))
        indices = [round(fraction * (len(moments) - 1)) for frame_name, fraction in frames if frame_name == name]
        painter = Painter(trace.model, origins=trace.origins)
        pictures = draw([painter.dot(scene(moments[i])) for i in indices])
        path = tmp_path / f"{name}.html"
        path.write_text(player(trace), encoding="utf-8")
        for i, picture in zip(indices, pictures, strict=True):
            svg_path = tmp_path / f"{name}-{i}.svg"
            svg_path.write_bytes(picture)
            with opened(browser, svg_path) as page:
                static_texts = page.eval_on_selector_all("g.node:not(.caption) text", TEXTS)
            with opened(browser, path, f"#event={i}&grain=event") as page:
                page.wait_for_timeout(50)
                live_texts = page.eval_on_selector_all("#picture text", TEXTS)
            compare(live_texts, static_texts, f"{name}, moment {i}")


def compare(live: list[Text], static: list[Text], where: str) -> None:
    """Check that both have the same texts at the same places, up to one offset."""
    live_texts, static_texts = select_visible(live), select_visible(static)
    assert Counter(words for words, _, _ in live_texts) == Counter(words for words, _, _ in static_texts), where
    fixed = [[text for text in texts if text[0] != "*"] for texts in (live_texts, static_texts)]
    dx, dy = (sum(text[i] for text in fixed[0]) - sum(text[i] for text in fixed[1]) for i in (1, 2))
    dx, dy = dx / len(fixed[0]), dy / len(fixed[0])
    for words, x, y in live_texts:
        distance = min(
            max(abs(x - other_x - dx), abs(y - other_y - dy))
            for other_words, other_x, other_y in static_texts
            if other_words == words
        )
        assert distance < CLOSE, f"{where}: {words} is {distance:.1f} away"


def test_arrows_lie_over_all_borders_and_end_at_a_removed_value() -> None:
    """Check a round of a sudoku in DOT, and the ends of its arrows."""
    trace = record(example("sudoku"), "arc")
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-2")
    painter = Painter(trace.model, origins=trace.origins)
    svg = draw([painter.dot(frame)])[0].decode()
    over = [match.start() for match in re.finditer("<title>over ink&#45;&#45;over ink</title>", svg)]
    arrows = [shape for shape in painter.parts(frame).shapes if "hit" in shape.look.split()]
    assert svg.rindex("<title>cell(9,9)</title>") < over[0]
    assert len(over) == 2 * len(arrows) > 20 and svg.count("<polygon", over[0]) >= len(arrows), "each with a head"
    boxes = [shape for shape in painter.parts(frame).shapes if shape.look == "boxed" and shape.of == ("cell(5,2)",)]
    [(x, y)] = [arrow.points[-1] for arrow in arrows if arrow.of[1] == "cell(5,2)"]
    [((p, q), (w, h))] = [shape.points for shape in boxes]
    assert abs(x - p) <= w / 2 + 1 and abs(y - q) <= h / 2 + 1, "the head touches the box of the value"


def test_edges_between_close_cells_stay_on_the_grid_and_avoid_values() -> None:
    """Keep edges inside the grid, so that all pictures have one size."""
    trace = record(example("sudoku"))
    plan = Painter(trace.model, "clique").plan
    sizes, points = plan.layout.size, plan.layout.points
    ends = [[p[i] + side * sizes(v)[i] / 2 for v, p in points.items() for side in (-1, 1)] for i in (0, 1)]
    limits = [(min(coordinates), max(coordinates)) for coordinates in ends]
    edges = [
        edge
        for number, constraint in enumerate(trace.model.constraints)
        if len(constraint.scope) > 1
        for edge in plan.joining_edges("factor", number)
    ]
    assert len(edges) > 27 * 8
    for edge in edges:
        for step in range(21):
            point = along(edge.curve, step / 20)
            assert not isinstance(edge.start, Variable) or all(
                low <= x <= high for x, (low, high) in zip(point, limits, strict=True)
            )
            for end in (v for v in (edge.start, edge.end) if isinstance(v, Variable)):
                assert any(abs(point[i] - points[end][i]) > sizes(end)[i] / 2 - 5 for i in (0, 1)), (
                    "an edge covers at most the margin of a cell"
                )  # type: ignore[index]
    corners = []
    for picture in draw([Painter(trace.model, "clique").dot(frame) for frame in islice(frames_of(trace), 2)]):
        svg = picture.decode()
        [low] = re.findall(r'transform="[^"]*translate\(\S+ (\S+)\)"', svg)
        corners.append(float(low) + float(re.search(r"<title>cell\(1,1\)</title>.*?,(-[\d.]+)", svg, re.S)[1]))  # type: ignore[index]
    assert corners[0] == pytest.approx(corners[1], abs=0.2), "only the first frame has edges"


# Arrows lead from causes to removed values, in every lens.

PATHS = "(all) => all.map((path) => path.getAttribute('d'))"


def read_points(numbers: list[str]) -> tuple[int, ...]:
    """Return the points of a curve in whole points, its ends first."""
    return tuple(round(float(number)) for number in (*numbers[:2], *numbers[-2:], *numbers[2:-2]))


def arrow_points(painter: Painter, shown_scene: Scene) -> list[tuple[int, ...]]:
    """Return the points of all arrows over the vertices of a scene."""
    shapes = [shape for shape in painter.parts(shown_scene).shapes if "hit" in shape.look.split()]
    return sorted(read_points([f"{length:g}" for point in shape.points for length in point]) for shape in shapes)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["sudoku", "kakuro", "queens", "zebra", "killer"])
def test_a_page_has_the_arrows_of_the_picture(name: str, tmp_path: Path, browser: Any) -> None:
    trace = record(example(name), "arc", nodes=4)
    moments = list(replay(trace))
    path = tmp_path / "page.html"
    path.write_text(player(trace), encoding="utf-8")
    acts = [i for i, moment in enumerate(moments) if isinstance(moment.record, Removal) and scene(moment).losses]
    count = 0
    for lens in ("grid", "clique", "factor"):
        painter = Painter(trace.model, lens, trace.origins)
        with opened(browser, path, f"#event=0&lens={lens}&grain=event") as page:
            for i in acts[:: max(1, len(acts) // 6)]:
                page.evaluate("(at) => { location.hash = `event=${at}&grain=event`; }", i)
                page.wait_for_timeout(30)
                live = page.eval_on_selector_all(".active-edges path.hit", PATHS)
                live_ends = sorted(read_points(re.findall(r"-?[\d.]+", line)) for line in live)
                expected = arrow_points(painter, scene(moments[i]))
                assert len(live_ends) == len(expected)
                for ends, expected_ends in zip(live_ends, expected, strict=True):
                    assert ends == pytest.approx(expected_ends, abs=1)
                count += len(live_ends)
                wires = page.eval_on_selector_all(".active-edges path.wire", PATHS)
                shapes = [shape for shape in painter.parts(scene(moments[i])).shapes if "wire" in shape.look.split()]
                corners = [[length for point in shape.points for length in point] for shape in shapes]
                assert len(wires) == len(corners) >= (lens == "factor" and name == "kakuro")
                for wire, expected_corners in zip(wires, corners, strict=True):
                    lengths = list(map(float, re.findall(r"-?[\d.]+", wire)))
                    assert lengths == pytest.approx(expected_corners, abs=0.2)
                digits = page.eval_on_selector_all(
                    ".active-edges text.source", "(all) => all.map((e) => e.textContent)"
                )
                shapes = painter.parts(scene(moments[i])).shapes
                assert digits == [s.text for s in shapes if s.kind == "text" and s.look.startswith("source")]
    assert count > 6


def test_a_round_has_an_arrow_for_every_removal_that_a_variable_caused(tmp_path: Path, browser: Any) -> None:
    trace = record(example("sudoku"), "arc")
    frames = list(frames_of(trace))
    rounds = [frame for frame in frames if frame.name.startswith("round")]
    path = tmp_path / "page.html"
    path.write_text(player(trace), encoding="utf-8")
    drawn = []
    for lens in ("grid", "clique", "factor"):
        painter = Painter(trace.model, lens, trace.origins)
        drawn.append([arrow_points(painter, frame) for frame in rounds])
        assert [len(ends) for ends in drawn[-1][1:]] == [len(frame.removed) for frame in rounds[1:]]
    assert drawn[0] == drawn[1] and not drawn[0][0]
    assert [len(ends) for ends in drawn[2]] == [len(ends) for ends in drawn[0]], "a wire has as many heads"
    counts = count_texts(Painter(trace.model, "grid", trace.origins), rounds[0])
    assert len(counts["sent"]) == len(rounds[0].causes) == 30, "without room for arrows, each cause has a count"
    assert sum(counts["sent"]) == sum(counts["loss"]) == len(rounds[0].removed) > 80
    with opened(browser, path, "#event=0&grain=round") as page:
        live = []
        for stop in page.evaluate("player.film.stops.round"):
            page.evaluate("(at) => player.seek(at)", stop)
            if page.evaluate("player.film.getVisibleRecords().some(({ kind }) => kind === 'fixed')"):
                live.append(page.locator(".active-edges path.hit").count())
                if live == [0]:
                    signs = page.locator(".active-edges text.sent").all_text_contents()
                    assert sorted(int(sign.removeprefix("→×")) for sign in signs) == sorted(counts["sent"])
                if live[1:]:
                    causes = page.locator("#picture .cause").count()
                    assert causes == len(rounds[len(live) - 1].causes)
    assert live == [len(ends) for ends in drawn[0]]


def count_texts(painter: Painter, shown_scene: Scene) -> dict[str, list[int]]:
    """Return the numbers on arrows, at causes and at cells of a picture, by their look."""
    result: dict[str, list[int]] = {"times": [], "sent": [], "loss": []}
    for shape in painter.parts(shown_scene).shapes:
        if shape.kind == "text" and shape.look in result:
            result[shape.look].append(int(shape.text.lstrip("→−×")))
    return result


def test_too_many_arrows_become_one_for_each_direction() -> None:
    trace = record(example("killer"), "arc", nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-1")
    painter = Painter(trace.model, "grid", trace.origins)
    shapes, counts = painter.parts(frame).shapes, count_texts(painter, frame)
    arrows = [shape for shape in shapes if "hit" in shape.look.split()]
    assert 0 < len(arrows) <= len(frame.removed) / 2 and not counts["sent"]
    # An arrow without a number stands for one value.
    assert sum(counts["times"]) + len(arrows) - len(counts["times"]) == len(frame.removed)
    assert sum(counts["loss"]) == len(frame.removed) > 80
    assert not any(shape.look == "boxed" for shape in shapes)


@pytest.mark.parametrize(
    ("name", "level", "title"), [("futoshiki", "arc", "round-1"), ("killer", "singles", "round-5")]
)
def test_each_value_in_a_crowded_round_has_an_arrowhead(name: str, level: str, title: str) -> None:
    trace = record(example(name), level, nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == title)
    painter = Painter(trace.model, "grid", trace.origins)
    shapes = painter.parts(frame).shapes
    arrows = [shape for shape in shapes if "hit" in shape.look.split()]
    struck = [(cause, v) for loss in frame.losses for cause in loss.causes for v, _ in loss.removed]
    assert sorted(arrow.of for arrow in arrows) == sorted(set(struck)) and 30 < len(arrows) <= len(frame.removed)
    assert not any(count_texts(painter, frame).values())
    # Close parallel parts of different causes are at least 4 points apart.
    parts = [(arrow, part) for arrow in arrows for part in pairwise(arrow.points[::3])]
    for (first, one), (second, other) in combinations(parts, 2):
        for i in (0, 1) if first.of[0] != second.of[0] else ():
            is_parallel = all(abs(start[i] - end[i]) < 0.1 for start, end in (one, other))
            (low, high), (bottom, top) = (sorted((start[1 - i], end[1 - i])) for start, end in (one, other))
            if is_parallel and min(high, top) - max(low, bottom) > 6:
                assert abs(one[0][i] - other[0][i]) >= 3.9, (first.of, second.of)


def test_lines_that_meet_have_different_colours() -> None:
    trace = record(example("sudoku"), nodes=0)
    painter, all_frames = Painter(trace.model, "grid", trace.origins), list(frames_of(trace))
    for title, count in (("round-2", 5), ("round-5", 1)):
        shapes = painter.parts(next(frame for frame in all_frames if frame.name == title)).shapes
        looks = {shape.of[0]: set[str]() for shape in shapes if "hit" in shape.look.split()}
        for shape in shapes:
            if "hit" in shape.look.split():
                looks[shape.of[0]].add(shape.look)
        assert all(len(own) == 1 for own in looks.values()), "one colour a cause"
        assert len(set.union(*looks.values())) == count


def test_single_arrows_share_the_lines_of_their_causes() -> None:
    trace = record(example("sudoku"), nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-3")
    painter = Painter(trace.model, "grid", trace.origins)
    arrows = [shape for shape in painter.parts(frame).shapes if "hit" in shape.look.split()]
    assert 20 < len(arrows) <= sum(len(loss.removed) for loss in frame.losses)
    assert not any(count_texts(painter, frame).values()) and ink(arrows) < 0.9


def test_arrows_run_beside_their_columns_rather_than_around_the_board_and_clear_of_frames() -> None:
    trace = record(example("sudoku"), nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-3")
    painter = Painter(trace.model, "clique", trace.origins)
    shapes = painter.parts(frame).shapes
    rows = [y for _, y in painter.plan.layout.points.values()]
    points = {place for shape in shapes if "hit" in shape.look.split() for place in sampled(shape.points)}
    assert min(rows) - 30 <= min(y for _, y in points) and max(y for _, y in points) <= max(rows) + 30
    # The frame of a box has a gap to the arrows beside it: few points of arrows that cross it are near.
    frames = [shape for shape in shapes if shape.look == "spine framing"]
    assert len(frames) == 9
    for start, end in (part for shape in frames for part in pairwise(shape.points)):
        (left, right), (top, bottom) = (sorted(ends) for ends in zip(start, end, strict=True))
        near = [(x, y) for x, y in points if left - 1.9 < x < right + 1.9 and top - 1.9 < y < bottom + 1.9]
        assert len(near) < 40, (start, end)


def ink(arrows: Sequence[Shape]) -> float:
    """Return the length that arrows draw, as a share of their lengths: less if they lie on each other."""
    places = [{(round(x / 3), round(y / 3)) for x, y in sampled(arrow.points)} for arrow in arrows]
    return len({*chain(*places)}) / sum(map(len, places))


def sampled(points: Sequence[Point]) -> list[Point]:
    """Return points of an arrow, about 1 point apart."""
    parts = [points[i : i + 4] for i in range(0, len(points) - 1, 3)]
    return [along(part, i / n) for part in parts for n in [ceil(dist(part[0], part[-1]) + 1)] for i in range(n)]


@pytest.mark.parametrize("name", ["sudoku", "jigsaw", "kenken", "zebra"])
def test_arrows_run_clear_of_borders_and_texts(name: str) -> None:
    """Check that no arrow runs along the border of a cell, or crosses a value of another cell."""
    trace = record(example(name), "arc", nodes=2)
    painter = Painter(trace.model, "grid", trace.origins)
    layout, count = painter.plan.layout, 0
    cells = [(layout.points[v], layout.size(v)) for v in layout.points if layout.is_cell(v)]
    for frame in islice((frame for frame in frames_of(trace) if frame.losses), 6):
        shapes = painter.parts(frame).shapes
        texts = [shape for shape in shapes if shape.kind == "text" and shape.of and shape.look not in ("loss", "name")]
        for arrow in (shape for shape in shapes if "hit" in shape.look.split()):
            count += 1
            points = sampled(arrow.points)
            for middle, (width, height) in cells:
                border = [(x, y) for x, y in points if is_beside((x, y), middle, (width, height))]
                assert len(border) < 15, (frame.name, arrow.of, middle)
            for shape in texts:
                width, height = len(shape.text) * shape.size * 0.45, shape.size * 0.6
                is_hit = any(
                    abs(x - shape.points[0][0]) < width / 2 and abs(y - shape.points[0][1]) < height / 2
                    for x, y in points
                )
                assert not is_hit, (frame.name, arrow.of, shape.of, shape.text)
    assert count > 20


def is_beside(point: Point, middle: Point, size: Point) -> bool:
    """Return whether a point is within 2 points of the border of a cell."""
    outside = max(abs(point[i] - middle[i]) - size[i] / 2 for i in (0, 1))
    return abs(outside) <= 2


def test_a_number_on_an_arrow_covers_no_clue_and_no_value(tmp_path: Path, browser: Any) -> None:
    trace = record(example("killer"), "arc", nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-1")
    shapes = Painter(trace.model, "grid", trace.origins).parts(frame).shapes
    texts = [shape for shape in shapes if shape.kind == "text"]
    numbers = [shape for shape in texts if shape.look == "times"]
    clues = [shape for shape in texts if shape.look == "corner"]
    assert len(numbers) > 20 < len(clues)

    def covers(first: Shape, second: Shape) -> bool:
        """Return whether the letters of two texts meet."""
        (middle, (width, _)), (other, _) = first.points, second.points
        other_width = len(second.text) * second.size * 0.6
        return (
            abs(middle[0] - other[0]) < (width + other_width) / 2
            and abs(middle[1] - other[1]) < (first.size + second.size) * 0.75 / 2
        )

    for number in numbers:
        covered = [shape.text for shape in texts if shape is not number and covers(number, shape)]
        assert not covered, (number.text, number.points[0])
    # The page places the numbers by the same rule.
    path = tmp_path / "page.html"
    path.write_text(player(trace), encoding="utf-8")
    with opened(browser, path, "#event=0&grain=round&lens=grid") as page:
        # Show the round before propagators remove values.
        page.evaluate(
            """() => {
            const kinds = player.film.data.records.map(({ kind }) => kind);
            player.seek(kinds.indexOf("filtered", kinds.indexOf("fixed")));
            }"""
        )
        live = page.eval_on_selector_all(
            ".active-edges text.times",
            "(all) => all.map((text) => [text.textContent, text.getAttribute('x'), text.getAttribute('y')])",
        )
    assert [words for words, *_ in live] == [number.text for number in numbers]
    for (_, *place), number in zip(live, numbers, strict=True):
        assert tuple(map(float, place)) == pytest.approx(number.points[0], abs=1)


def test_the_causes_of_one_removal_are_tied_and_have_one_arrow_to_each_cell() -> None:
    trace = record(example("hitori"), nodes=4)
    painter = Painter(trace.model, "grid", trace.origins)
    frame = next(frame for frame in frames_of(trace) if any(len(loss.causes) > 5 for loss in frame.losses))
    shapes = [shape for shape in painter.parts(frame).shapes if "hit" in shape.look.split()]
    ties = [shape for shape in shapes if "tie" in shape.look.split()]
    arrows = [shape for shape in shapes if shape not in ties]
    assert sorted(arrow.of[1] for arrow in arrows) == sorted({v for v, _ in frame.removed})
    for loss in frame.losses:
        # Ties, and arrows from one cause to another, join all causes.
        links = [
            set(shape.of) for shape in shapes if loss.number in shape.constraints and {*shape.of} <= {*loss.causes}
        ]
        reached, grown = {loss.causes[0]}, True
        while grown:
            before = len(reached)
            reached |= {v for link in links if link & reached for v in link}
            grown = len(reached) > before
        assert reached == {*loss.causes} and len(links) < 2 * len(loss.causes)


def test_a_caption_names_a_variable_of_the_spec_that_is_not_drawn() -> None:
    trace = record(example("skyscraper_sudoku"), "arc", nodes=1)
    painter = Painter(trace.model, "grid", trace.origins)
    scenes = [scene(moment) for moment in replay(trace) if isinstance(moment.record, Removal)]
    hidden = next(v for v in trace.model.domains if v not in painter.plan.visible)
    named = [shown for shown in scenes if f" from {hidden}" in shown.title]
    assert named and all("removes" in shown.title for shown in named)
    for shown in named:
        title = painter.parts(shown).title
        assert f" from {hidden}" in title and "a helper of" not in title


@pytest.mark.parametrize("name", ["queens", "evenodd"])
def test_a_failure_has_arrows_from_those_who_removed_the_places_of_a_value(
    name: str, tmp_path: Path, browser: Any
) -> None:
    trace = record(example(name), "arc", nodes=8)
    position, failure = next(
        (i, entry) for i, entry in enumerate(trace.records) if isinstance(entry, csp.trace.Failure)
    )
    frame = next(frame for frame in frames_of(trace) if frame.name == "failure")
    lost = {*failure.removed}
    assert frame.losses and {loss.removed[0] for loss in frame.losses} <= lost
    assert set(frame.causes) == {v for loss in frame.losses for v in loss.causes}
    painter = Painter(trace.model, "grid", trace.origins)
    path = tmp_path / "page.html"
    path.write_text(player(trace), encoding="utf-8")
    with opened(browser, path, f"#event={position + 1}&lens=grid&grain=event") as page:
        page.wait_for_timeout(50)
        live = page.eval_on_selector_all(".active-edges path.hit", PATHS)
        assert page.locator("#picture .cause").count() == len(frame.causes)
    live_ends = sorted(read_points(re.findall(r"-?[\d.]+", line)) for line in live)
    # The cells of the sudoku have labels that name the reasons.
    assert len(live_ends) == len(arrow_points(painter, frame)) >= (3 if name == "queens" else 0)
    for ends, expected_ends in zip(live_ends, arrow_points(painter, frame), strict=True):
        assert ends == pytest.approx(expected_ends, abs=1)


def test_an_arrowhead_lies_at_the_border_of_a_card() -> None:
    model = example("shidoku")
    frame = next(frame for frame in frames_of(record(model, "arc")) if frame.name == "round-1")
    shapes = Painter(model).parts(frame).shapes
    heads = [shape for shape in shapes if "arrow" in shape.look.split()]
    layout = Painter(model).plan.layout
    assert len(heads) == len({(loss.causes[0], v) for loss in frame.losses for v, _ in loss.removed})
    for shape in heads:
        (x, y), (w, h) = layout.points[Variable(shape.of[1])], layout.size(Variable(shape.of[1]))
        p, q = shape.points[3]
        assert max(abs(p - x) - w / 2, abs(q - y) - h / 2) == pytest.approx(0, abs=0.2)


def test_lines_of_constraints_lie_behind_all_cells(tmp_path: Path, browser: Any) -> None:
    trace = record(example("sudoku"), nodes=0)
    lines = [
        shape
        for shape in Painter(trace.model, "clique").parts(scene(next(replay(trace)))).shapes
        if "spine" in shape.look
    ]
    assert len(lines) == 27 and all(shape.layer < UNDER for shape in lines)
    page = tmp_path / "page.html"
    page.write_text(player(trace), encoding="utf-8")
    with opened(browser, page, "#event=0&lens=factor") as tab:
        assert tab.locator("#picture .spine").count() == 27 and tab.locator(".constraint.cause").count() == 0
        assert tab.evaluate(
            """() => [...document.querySelectorAll("#picture .spine")].every((line) =>
              line.compareDocumentPosition(document.querySelector("#picture .vertex")) & 4)"""
        )
        # The constraints that acted in a round have the border of a cause, as in the picture of the round.
        tab.evaluate(
            "() => { player.setGrain('round'); player.seek(player.film.findNextStop(player.film.findNextStop())); }"
        )
        assert 0 < tab.locator(".constraint.cause").count() <= 27 and tab.locator(".constraint.on").count() == 0


def test_a_free_graph_is_laid_out_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Draw the model in several ways; a spring layout is expensive."""
    from csp.picture.layout import layout
    from csp.render import draw_levels, player, tree_dot, write_frames

    calls: list[int] = []
    original = layout.spread_out
    monkeypatch.setattr(layout, "spread_out", lambda *args: calls.append(1) or original(*args))
    trace = csp.record(example("coloring"))
    reaches = [csp.trace.reach(csp.Solver(trace.model, level)) for level in csp.LEVELS]
    for layouts, paint in (
        (1, lambda: player(trace)),
        (1, lambda: write_frames(trace, tmp_path, (), 5)),
        (1, lambda: draw_levels(reaches)),
        (1, lambda: trace._repr_html_()),
        (0, lambda: tree_dot(trace)),
    ):
        calls.clear()
        paint()
        assert len(calls) == layouts


def test_a_value_that_a_drawing_replaces_is_not_written_over_the_clue() -> None:
    trace = record(example("nurikabe"), "arc", nodes=0)
    frame = next(frame for frame in frames_of(trace) if frame.name == "givens")
    shapes = Painter(trace.model, "grid", trace.origins).parts(frame).shapes
    # The value of this cell is the number of its island, 9; its clue is 4.
    written = [shape for shape in shapes if shape.of == ("land(2,3)",) and shape.text and "asterisk" not in shape.look]
    assert frame.domains[Variable("land", 2, 3)] == (9,) and [shape.text for shape in written] == ["−2"]
    assert written[0].points[0][1] - written[0].points[1][1] / 2 > frame_point(trace, "land(2,3)") + 8, "below the clue"


def frame_point(trace: csp.trace.Trace, name: str) -> float:
    """Return the height of the middle of a variable's vertex."""
    return Painter(trace.model, "grid", trace.origins).plan.layout.points[Variable(name)][1]
