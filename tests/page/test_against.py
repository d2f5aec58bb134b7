"""Tests of pages with two films side by side (``csp play --against``)."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.render.page.against import against, clocks, raced, remaining_counts
from csp.trace import Failure, Moment, Removal, Round, Trace, replay

from ..browser import opened
from ..commands import EXAMPLES, run, spec
from .test_player import HARD, example

LEVELS = ("singles", "domain")


def record_hard_sudoku(nodes: int = 0) -> list[Trace]:
    """Record a hard sudoku at both levels."""
    model = dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": HARD})
    return [csp.record(model, level, nodes=nodes) for level in LEVELS]  # type: ignore[arg-type]


@pytest.mark.parametrize("nodes", [0, 20])
def test_the_films_stop_at_the_same_events_of_a_clock(nodes: int) -> None:
    traces = record_hard_sudoku(nodes)
    counts = [remaining_counts(trace, trace.model.domains) for trace in traces]
    stops_of = clocks(traces, counts)
    for stops in stops_of.values():
        assert len({*map(len, stops)}) == 1 and len(stops[0]) > 5
        for positions, trace in zip(stops, traces, strict=True):
            assert positions == sorted(positions) and positions[0] == 0
            assert positions[-1] == len(trace.records) or stops is stops_of["left"]
    # the clock of rounds stops at every round
    for positions, trace in zip(stops_of["round"], traces, strict=True):
        assert all(at == len(trace.records) or isinstance(trace.records[at], Round) for at in positions[1:])
        assert {at for at, record in enumerate(trace.records) if isinstance(record, Round)} <= {*positions}
    # between two stops of the clock of steps is at most one step
    for positions, trace in zip(stops_of["step"], traces, strict=True):
        for start, end in pairwise(positions):
            records = trace.records[start:end]
            assert len({record.step for record in records if isinstance(record, Removal)}) <= 1
            assert sum(isinstance(record, Failure) for record in records) <= 1
    # the clock of remaining values stops when a count is reached for the first time
    targets = sorted({min(remaining[: at + 1]) for remaining in counts for at in range(len(remaining))}, reverse=True)
    for stops, remaining in zip(stops_of["left"], counts, strict=True):
        assert len(stops) == len(targets)
        for at, target in zip(stops, targets, strict=True):
            assert all(count > target for count in remaining[:at])
            assert remaining[at] <= target or at == len(remaining) - 1


def test_a_film_without_the_next_count_waits_at_its_end() -> None:
    traces = record_hard_sudoku()
    counts = [remaining_counts(trace, trace.model.domains) for trace in traces]
    assert (counts[0][-1], counts[1][-1]) == (291, 81)
    stops = clocks(traces, counts)["left"]
    waiting = [at for at, position in zip(*stops, strict=True) if counts[1][position] < 291]
    assert len(waiting) > 5 and {*waiting} == {len(traces[0].records)}


def test_only_variables_of_both_films_are_counted(tmp_path: Path) -> None:
    first = dsl.load(spec(tmp_path, "x, y, z in 1..3. x = 1. x != y."))
    second = dsl.load(spec(tmp_path, "x, y, w in 1..3. x = 1. x != y. w = 2."))
    data = raced([csp.record(first), csp.record(second)], ["one", "other"])
    assert [counts[0] for counts in data["left"]] == [6, 6] and [counts[-1] for counts in data["left"]] == [3, 3]


def removed_candidates(moment: Moment, domains: dict[Any, Any]) -> set[tuple[str, str]]:
    """Return the candidates of the domains that are removed at a moment."""
    return {(v, str(value)) for v, domain in domains.items() for value in domain if value not in moment.domains[v]}


SEEN = """race.sides.map(({ film: { data, width } }, i) => race.sides[i].findDifferences().map((codes) => (
  codes.map((code) => [data.vertices[Math.floor(code / width)].name, data.values[code % width]]))))"""
DRAWN = """race.sides.map(({ picture: { svg } }) => (
  ["boxed", "there"].map((kind) => svg.querySelectorAll(`.${kind}`).length)))"""


@pytest.mark.sampled
@pytest.mark.parametrize("clock", ["round", "left", "step"])
def test_candidates_that_only_one_film_has_removed_are_marked_in_both(browser: Any, tmp_path: Path, clock: str) -> None:
    traces = record_hard_sudoku(20)
    path = tmp_path / "page.html"
    path.write_text(against(traces, LEVELS), "utf-8")
    data = raced(traces, LEVELS)
    moments = [list(replay(trace)) for trace in traces]
    domains = [dict(trace.model.domains) for trace in traces]
    number_of_ticks = differing = 0
    with opened(browser, path, f"#clock={clock}&tick=1") as page:
        assert page.evaluate("race.tick") == 1
        for tick in [*range(0, len(data["clocks"][clock][0]), 7), 3]:
            page.evaluate(f"race.seek({tick})")
            first, second = (removed_candidates(moments[i][data["clocks"][clock][i][tick]], domains[i]) for i in (0, 1))
            expected = [[first - second, second - first], [second - first, first - second]]
            assert [[{*map(tuple, codes)} for codes in side] for side in page.evaluate(SEEN)] == expected
            sizes = [[len(codes) for codes in side] for side in expected]
            sizes_of_shapes = page.evaluate(DRAWN)
            assert [number_of_boxes for number_of_boxes, _ in sizes_of_shapes] == [size for size, _ in sizes]
            assert all(
                (number_of_dashes > 0) == (size > 0) and number_of_dashes <= size
                for (_, number_of_dashes), (_, size) in zip(sizes_of_shapes, sizes, strict=True)
            )
            differing += bool(sizes[0][0] or sizes[1][0])
            number_of_ticks += 1
        page.keyboard.press("End")
        assert page.evaluate("race.slider.value") == page.evaluate("race.slider.max")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("race.tick") == page.evaluate("race.end") - 1
    assert number_of_ticks > 3 and differing > 1


def test_a_click_shows_the_step_that_removed_a_value(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(against(record_hard_sudoku(), LEVELS), "utf-8")
    with opened(browser, path, "#clock=round&tick=4") as page:
        [(name, value), *_] = page.evaluate(SEEN)[1][0]
        number = page.evaluate(f"race.sides[0].numbers.get({json.dumps(name)})")
        page.evaluate(
            f"race.sides[0].picture.groups[{number}].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
        )
        text = page.inner_text("#why")
        assert text.startswith(name) and f"domain · {value} removed: step " in text
        assert page.evaluate("document.querySelectorAll('#curve path').length") == 4
        page.click("#play")
        page.wait_for_selector("#play[aria-pressed=true]")
        page.click("#play")
        assert page.inner_text("#play") == "play"


def test_the_page_refers_to_no_other_file(tmp_path: Path) -> None:
    path = spec(tmp_path, '"</script><b>": x != y. x, y in 1..2. y = 1.')
    page = run("play", path, "--level", "arc", "--against", "level=singles", "-o", "-").stdout
    assert page.count("</script>") == 2 and "<b>" not in page and "\\u003cb\\u003e" in page
    assert not re.search(r'(?:src|href)="(?!data:,")|@import|url\((?!#)', page)
    assert page == run("play", path, "--level", "arc", "--against", "level=singles", "-o", "-").stdout


def test_two_specs_are_compared_on_one_page(tmp_path: Path) -> None:
    result = run("play", EXAMPLES / "sudoku.csp", "--against", EXAMPLES / "sudoku_x.csp", "-o", tmp_path / "x.html")
    assert result.exit_code == 0 and "sudoku.csp and sudoku_x.csp · singles" in (tmp_path / "x.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "level=domain"], "--against makes a page: give -o PAGE"),
        (["--against", "level=full", "-o", "-"], "full is not a level: arc, singles, bounds, domain"),
        (["--against", "level=singles", "-o", "-"], "singles is the level of the first film"),
        (["--against", "none.csp", "-o", "-"], "none.csp: No such file or directory"),
        (["--against", EXAMPLES / "zebra.csp", "-o", "-"], "zebra.csp have no variable in common"),
        (["--against", "level=arc", "-o", "x.svg"], "x.svg: this command writes .html .htm"),
    ],
)
def test_films_that_cannot_be_compared_are_refused(arguments: list[str], message: str) -> None:
    result = run("play", EXAMPLES / "shidoku.csp", *arguments)
    assert result.exit_code == 2 and message in result.stderr and not result.stdout


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["queens", "kakuro", "money", "zebra", "states", "nurikabe"])
def test_every_kind_of_picture_fits_a_narrow_window(browser: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "page.html"
    model = example(name)
    path.write_text(against([csp.record(model, level, nodes=5) for level in ("arc", "domain")], ["a", "b"]), "utf-8")
    with opened(browser, path, size=(390, 844)) as page:
        page.keyboard.press("End")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
