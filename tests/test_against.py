"""Two films on one page: they stand where both are equally far, and what only one has removed is marked in both."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.render.page.against import against, raced
from csp.render.page.clocks import clocks, remaining_counts
from csp.trace import Failure, Moment, Removal, Round, Trace, replay

from .browser import opened
from .commands import EXAMPLES, run, spec
from .test_player import HARD, example

LEVELS = ("singles", "domain")


def hard(nodes: int = 0) -> list[Trace]:
    model = dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": HARD})
    return [csp.record(model, level, nodes=nodes) for level in LEVELS]  # type: ignore[arg-type]


@pytest.mark.parametrize("nodes", [0, 20])
def test_the_clocks(nodes: int) -> None:
    traces = hard(nodes)
    counts = [remaining_counts(trace, trace.model.domains) for trace in traces]
    found = clocks(traces, counts)
    for stops in found.values():
        assert len({*map(len, stops)}) == 1 and len(stops[0]) > 5
        for own, trace in zip(stops, traces, strict=True):
            assert own == sorted(own) and own[0] == 0
            assert own[-1] == len(trace.records) or stops is found["left"]
    for own, trace in zip(found["round"], traces, strict=True):
        assert all(at == len(trace.records) or isinstance(trace.records[at], Round) for at in own[1:])
        assert {at for at, one in enumerate(trace.records) if isinstance(one, Round)} <= {*own}
    for own, trace in zip(found["step"], traces, strict=True):
        for start, end in pairwise(own):
            within = trace.records[start:end]
            assert len({one.step for one in within if isinstance(one, Removal)}) <= 1
            assert sum(isinstance(one, Failure) for one in within) <= 1
    levels = sorted({min(own[: at + 1]) for own in counts for at in range(len(own))}, reverse=True)
    for stops, own in zip(found["left"], counts, strict=True):
        assert len(stops) == len(levels)
        for at, level in zip(stops, levels, strict=True):
            assert all(count > level for count in own[:at])
            assert own[at] <= level or at == len(own) - 1


def test_a_film_that_never_comes_so_far_waits_at_its_end() -> None:
    traces = hard()
    counts = [remaining_counts(trace, trace.model.domains) for trace in traces]
    assert (counts[0][-1], counts[1][-1]) == (291, 81)
    stops = clocks(traces, counts)["left"]
    late = [at for at, other in zip(*stops, strict=True) if counts[1][other] < 291]
    assert len(late) > 5 and {*late} == {len(traces[0].records)}


def test_only_variables_of_both_are_counted(tmp_path: Path) -> None:
    one = dsl.load(spec(tmp_path, "x, y, z in 1..3. x = 1. x != y."))
    other = dsl.load(spec(tmp_path, "x, y, w in 1..3. x = 1. x != y. w = 2."))
    data = raced([csp.record(one), csp.record(other)], ["one", "other"])
    assert [counts[0] for counts in data["left"]] == [6, 6] and [counts[-1] for counts in data["left"]] == [3, 3]


def gone(moment: Moment, domains: dict[Any, Any]) -> set[tuple[str, str]]:
    return {(v, str(value)) for v, domain in domains.items() for value in domain if value not in moment.domains[v]}


SEEN = """race.sides.map(({ film: { data, width } }, i) => race.sides[i].only().map((codes) => (
  codes.map((code) => [data.vertices[Math.floor(code / width)].name, data.values[code % width]]))))"""
DRAWN = """race.sides.map(({ picture: { svg } }) => (
  ["boxed", "there"].map((kind) => svg.querySelectorAll(`.${kind}`).length)))"""


@pytest.mark.parametrize("clock", ["round", "left", "step"])
def test_what_only_one_has_removed(browser: Any, tmp_path: Path, clock: str) -> None:
    traces = hard(20)
    path = tmp_path / "page.html"
    path.write_text(against(traces, LEVELS), "utf-8")
    data = raced(traces, LEVELS)
    moments = [list(replay(trace)) for trace in traces]
    domains = [dict(trace.model.domains) for trace in traces]
    some = differing = 0
    with opened(browser, path, f"#clock={clock}&tick=1") as page:
        assert page.evaluate("race.tick") == 1
        for tick in [*range(0, len(data["clocks"][clock][0]), 7), 3]:
            page.evaluate(f"race.seek({tick})")
            here, there = (gone(moments[i][data["clocks"][clock][i][tick]], domains[i]) for i in (0, 1))
            wanted = [[here - there, there - here], [there - here, here - there]]
            assert [[{*map(tuple, codes)} for codes in side] for side in page.evaluate(SEEN)] == wanted
            sizes = [[len(codes) for codes in side] for side in wanted]
            drawn = page.evaluate(DRAWN)
            assert [boxed for boxed, _ in drawn] == [own for own, _ in sizes]
            assert all(
                (dashed > 0) == (own > 0) and dashed <= own for (_, dashed), (_, own) in zip(drawn, sizes, strict=True)
            )
            differing += bool(sizes[0][0] or sizes[1][0])
            some += 1
        page.keyboard.press("End")
        assert page.evaluate("race.slider.value") == page.evaluate("race.slider.max")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("race.tick") == page.evaluate("race.end") - 1
    assert some > 3 and differing > 1


def test_a_click_says_why(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(against(hard(), LEVELS), "utf-8")
    with opened(browser, path, "#clock=round&tick=4") as page:
        [(name, value), *_] = page.evaluate(SEEN)[1][0]
        number = page.evaluate(f"race.sides[0].numbers.get({json.dumps(name)})")
        page.evaluate(
            f"race.sides[0].picture.groups[{number}].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
        )
        told = page.inner_text("#why")
        assert told.startswith(name) and f"domain · {value} is gone: step " in told
        assert page.evaluate("document.querySelectorAll('#curve path').length") == 4
        page.click("#play")
        page.wait_for_selector("#play[aria-pressed=true]")
        page.click("#play")
        assert page.inner_text("#play") == "play"


def test_the_page_is_one_file(tmp_path: Path) -> None:
    path = spec(tmp_path, '"</script><b>": x != y. x, y in 1..2. y = 1.')
    page = run("play", path, "--level", "arc", "--against", "level=singles", "-o", "-").stdout
    assert page.count("</script>") == 2 and "<b>" not in page and "\\u003cb\\u003e" in page
    assert not re.search(r'(?:src|href)="(?!data:,")|@import|url\((?!#)', page)
    assert page == run("play", path, "--level", "arc", "--against", "level=singles", "-o", "-").stdout


def test_two_specs(tmp_path: Path) -> None:
    result = run("play", EXAMPLES / "sudoku.csp", "--against", EXAMPLES / "sudoku_x.csp", "-o", tmp_path / "x.html")
    assert result.exit_code == 0 and "sudoku.csp and sudoku_x.csp · singles" in (tmp_path / "x.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--against", "level=domain"], "--against makes a page: give -o PAGE"),
        (["--against", "level=full", "-o", "-"], "full is no level: one of arc, singles, bounds, domain"),
        (["--against", "level=singles", "-o", "-"], "singles is the level of the first film"),
        (["--against", "none.csp", "-o", "-"], "none.csp: No such file or directory"),
        (["--against", EXAMPLES / "zebra.csp", "-o", "-"], "zebra.csp have no variable in common"),
        (["--against", "level=arc", "-o", "x.svg"], "x.svg: this command writes .html .htm"),
    ],
)
def test_what_cannot_be_compared(arguments: list[str], told: str) -> None:
    result = run("play", EXAMPLES / "shidoku.csp", *arguments)
    assert result.exit_code == 2 and told in result.stderr and not result.stdout


@pytest.mark.parametrize("name", ["queens", "kakuro", "money", "zebra", "states", "nurikabe"])
def test_every_kind_of_picture(browser: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "page.html"
    model = example(name)
    path.write_text(against([csp.record(model, level, nodes=5) for level in ("arc", "domain")], ["a", "b"]), "utf-8")
    with opened(browser, path, size=(390, 844)) as page:
        page.keyboard.press("End")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
