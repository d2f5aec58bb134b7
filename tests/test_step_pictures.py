"""Pictures of steps: what a technique builds on is drawn, and nothing else."""

from __future__ import annotations

import importlib
import re
import sys
from base64 import b64decode
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from csp import Model, Solver, Value, Variable
from csp.explain import TECHNIQUES, Hint, Walker
from csp.picture.explained.links import ShownStep, domains_before, legend_entries, shown_steps, step_shapes
from csp.picture.plan import Plan
from csp.picture.shapes import Shape
from csp.picture.style import REMOVED
from csp.render import StepPictures, hint_svg
from csp.render.steps import step_svg

from .browser import opened
from .commands import EASY, EXAMPLES, run
from .conftest import ROOT
from .test_render import example
from .test_techniques import CORPUS, of_corpus, walker_of

sys.path.insert(0, str(ROOT / "docs"))

NAMES = [record["technique"] for record in CORPUS]


@cache
def drawn(name: str) -> tuple[Model, Plan, ShownStep, list[Shape]]:
    """The first step of a technique in its puzzle of the corpus, and its marks."""
    record: dict[str, Any] = next(one for one in CORPUS if one["technique"] == name)
    model, _ = of_corpus(name)
    steps = shown_steps(walker_of(model, [name, *record["on"]]))
    shown = next(one for one in steps if one.step.technique == name)
    plan = Plan(model)
    return model, plan, shown, step_shapes(plan, shown)


def middle(plan: Plan, variable: Variable, value: Value) -> tuple[float, float]:
    (x, y), form = plan.layout.points[variable], plan.layout.forms[variable]
    dx, dy = form.place(form.values.index(value))
    return x + dx, y + dy


def at(marks: list[Shape], look: str, shape: str = "disc") -> set[tuple[float, float]]:
    return {mark.points[0] for mark in marks if mark.kind == shape and look in mark.look.split()}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_what_goes_is_struck_and_what_is_found_is_marked(name: str) -> None:
    model, plan, shown, marks = drawn(name)
    strikes = {tuple((a + b) / 2 for a, b in zip(*mark.points, strict=True)) for mark in marks if mark.look == "strike"}
    own = [(v, value) for v, value in shown.step.removed if v in model.domains]
    assert own or shown.step.placed
    assert {middle(plan, v, value) for v, value in own} == strikes
    assert at(marks, "found-now") == {middle(plan, v, value) for v, value in shown.step.placed}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_nodes_links_and_sets_are_drawn(name: str) -> None:
    model, plan, shown, marks = drawn(name)
    step = shown.step
    discs = {mark.points[0]: mark.look.split()[0] for mark in marks if mark.kind == "disc"}
    for node in step.nodes if step.links or any(node.is_on for node in step.nodes) else ():
        for v, value in node.candidates:
            if v in model.domains and shown.scene.domains[v] != (value,):
                fins = {w for one in step.sets if one.role == "fin" for w in one.cells}
                assert discs.get(middle(plan, v, value), "fin" if v in fins else "") in (
                    ("yes", "fin") if node.is_on else ("no",)
                )
    looks = Counter(mark.look for mark in marks if mark.look.startswith("edge"))
    assert set(looks) == {"edge strong" if link.is_strong else "edge weak" for link in step.links}
    roles = {one.role for one in step.sets}
    every = {word for mark in marks for word in mark.look.split()}
    assert ("cover" in every) == ("cover" in roles) and ("fin" in every) == ("fin" in roles)
    assert ("nothing" in every) == ("empty" in roles)
    for one in step.sets:
        if one.role in ("pivot", "wing", "corner", "pair", "set"):
            outlined = at(marks, "outline", "box")
            assert {plan.layout.points[v] for v in one.cells} <= outlined


@pytest.mark.parametrize("name", ["X-chain", "XY-chain", "W-wing", "ALS chain", "empty rectangle", "chain with sets"])
def test_a_chain_is_numbered_along_its_links(name: str) -> None:
    _, _, shown, marks = drawn(name)
    assert all(one.end == other.start for one, other in pairwise(shown.step.links))
    numbers = [int(mark.text) for mark in marks if mark.kind == "text" and mark.look == "rank"]
    assert sorted(numbers) == list(range(1, len(shown.step.nodes) + 1))


def test_the_name_of_a_constraint_stands_at_its_link() -> None:
    _, _, shown, marks = drawn("skyscraper")
    told = [link.by.name for link in shown.step.links if link.by is not None]
    assert sorted(mark.text for mark in marks if mark.look == "by") == sorted(told) != []


def test_what_follows_from_a_supposition_is_numbered() -> None:
    _, plan, shown, marks = drawn("contradiction")
    [(v, value)] = shown.step.pattern
    numbers = {mark.text for mark in marks if mark.kind == "text" and mark.look == "rank"}
    assert middle(plan, v, value) in at(marks, "yes")
    assert numbers == {str(i) for i in range(1, 2 + sum(len(one.placed) for one in shown.step.inside))}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_the_legend_has_the_signs_that_are_there(name: str) -> None:
    _, plan, shown, marks = drawn(name)
    words = [entry.words for entry in legend_entries(marks)]
    picture = step_svg(plan, shown)
    assert all(f">{one}</text>" in picture for one in words)
    assert ("removed now" in words) == bool(shown.scene.removed)
    assert ("strong: at least one" in words) == any(link.is_strong for link in shown.step.links)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_a_hint_uncovers_no_more_than_its_level(name: str) -> None:
    _, plan, shown, _ = drawn(name)
    hint = Hint("step", shown.step, left=domains_before(plan, shown.scene), pencil=shown.scene.pencil)
    where, kind, what = (hint_svg(plan.model, hint, level) for level in (1, 2, 3))
    assert name not in where and name in kind and name in what
    assert what == step_svg(plan, shown)
    secret = {word for mark in step_shapes(plan, shown, 2) for word in mark.look.split()}
    assert secret.isdisjoint({"strike", "yes", "no", "edge", "cover", "outline"}) and "lined" in secret


SHOWN = """document.querySelector("#caption").innerText, document.querySelectorAll("#picture .strike").length,
  [...document.querySelectorAll("#legend li")].map((sign) => sign.innerText)"""


def test_the_page_plays_the_way(tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    result = run("explain", str(ROOT / "examples/zebra.csp"), "-o", str(page_file))
    lines = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert result.exit_code == 0 and lines[-1] == str(page_file)
    steps = len(lines) - 2
    with opened(browser, page_file) as page:
        state = "Array.from(player.film.alive).join('') + Array.from(player.film.pencil).join('')"
        assert page.evaluate("player.film.end") == steps + 1
        states, struck = [page.evaluate(state)], 0
        for line in lines[:steps]:
            page.keyboard.press("ArrowRight")
            left, caption, strikes, signs = page.evaluate(f"[{state}, {SHOWN}]")
            states.append(left)
            assert caption.startswith(line)
            struck += strikes
            assert len(signs) == len(set(signs)) > 0
        assert struck > 0 and page.locator("#picture .links *").count() > 0
        page.keyboard.press("ArrowRight")
        assert page.evaluate("player.film.left(0).length") == 1 and page.inner_text("#caption") == lines[-2]
        for before_it in reversed(states):
            page.keyboard.press("ArrowLeft")
            assert page.evaluate(state) == before_it
        assert not page.locator("#queue").is_visible() and not page.locator("#grains").is_visible()


def test_what_a_found_value_excludes_goes_with_its_step(tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    assert run("explain", str(ROOT / "examples/shidoku.csp"), "-o", str(page_file)).exit_code == 0
    with opened(browser, page_file, "#step=2") as page:
        [also] = page.evaluate("[player.film.data.records[1].also]")
        assert also and {page.evaluate(f"player.film.taker({code})") for code in also} == {0}


def test_a_file_that_is_no_page_is_refused(tmp_path: Path) -> None:
    refused = run("explain", EXAMPLES / "shidoku.csp", "-o", tmp_path / "e.pdf")
    assert refused.exit_code == 2 and not [*tmp_path.iterdir()]
    assert f"write a page, such as {tmp_path}/e.html, or a folder, such as {tmp_path}/e" in refused.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["draw", EXAMPLES / "shidoku.csp"],
        ["compare", EXAMPLES / "shidoku.csp"],
        ["generate", EXAMPLES / "sudoku.csp", "--grid", "clue"],
        ["import", "-"],
        ["studio", "--runtime", "x"],
    ],
)
def test_a_folder_is_not_named_like_a_file(words: list[object], tmp_path: Path) -> None:
    """Unless there is one of that name."""
    refused = run(*words, "-o", tmp_path / "x.png", stdin=EASY)
    assert refused.exit_code == 2 and f"named like a file: write a folder, such as {tmp_path}/x" in refused.stderr
    (tmp_path / "x.png").mkdir()
    assert "named like a file" not in run(*words, "-o", tmp_path / "x.png", stdin=EASY).output


def test_pictures_go_into_a_folder_and_pages_into_a_file(tmp_path: Path) -> None:
    shidoku = str(ROOT / "examples/shidoku.csp")
    first, second = tmp_path / "one", tmp_path / "two"
    for folder in (first, second):
        result = run("explain", shidoku, "--until", "3", "--out", str(folder))
        assert result.exit_code == 0 and str(folder / "001-naked-single.svg") in result.stdout
    names = sorted(path.name for path in first.iterdir())
    assert [name[:3] for name in names] == ["001", "002", "003"]
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)
    (second / "002-mine.svg").write_text("kept")
    again = run("explain", shidoku, "--until", "1", "--out", str(second))
    assert sorted(path.name for path in second.iterdir()) == [names[0], "002-mine.svg"]
    assert "removed 2 files of an earlier run" in again.stderr and "removed" not in result.stderr
    (tmp_path / "file").write_text("kept")
    refused = run("explain", shidoku, "-o", str(tmp_path / "file"))
    assert refused.exit_code == 2 and "is a file" in refused.stderr and (tmp_path / "file").read_text() == "kept"
    page = run("explain", shidoku, "-o", "-").stdout
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")


def test_a_notebook_shows_the_steps_of_a_walk() -> None:
    pictures = StepPictures(Walker(Solver(example("shidoku"))), until=3)
    shown = pictures._repr_html_()
    assert shown == pictures._repr_html_(), "the walk is gone once"
    assert shown.count("<details") == shown.count("<img") == 3 and shown.count("<details open>") == 1
    first = b64decode(re.findall('src="data:image/svg.xml;base64,([^"]*)"', shown)[0]).decode()
    assert first == pictures.files()["001-naked-single.svg"]


def test_hints_are_drawn_as_they_are_told(tmp_path: Path) -> None:
    jigsaw = str(ROOT / "examples/jigsaw.csp")
    for level in ("1", "2", "3"):
        result = run("hint", jigsaw, "--detail", level, "-o", str(tmp_path / f"{level}.svg"))
        assert result.exit_code == 0
        drawing = (tmp_path / f"{level}.svg").read_text()
        assert all(word in drawing for word in result.stdout.splitlines()[0].split())
    assert run("hint", jigsaw, "-o", "-").stdout == (tmp_path / "3.svg").read_text()
    refused = run("hint", jigsaw, "-o", str(tmp_path / "x.png"))
    assert refused.exit_code == 2 and ".svg" in refused.stderr


def test_what_is_wrong_is_outlined(tmp_path: Path) -> None:
    board, out = tmp_path / "board.txt", tmp_path / "wrong.svg"
    board.write_text("1" + ".................." * 4 + "........")
    result = run("hint", ROOT / "examples/sudoku.csp", "--filled", f"clue={board}", "-o", out)
    assert result.exit_code == 1 and "cell(1,1) = 1 is wrong" in out.read_text()
    assert out.read_text().count(f'stroke="{REMOVED}"') == 1


def test_the_pictures_of_the_docs_are_those_of_the_corpus() -> None:
    make = importlib.import_module("make_techniques")
    files = dict(make.pictures(make.FAMILIES))
    assert {path.name for path in make.PICTURES.iterdir()} == files.keys()
    for name, text in files.items():
        assert (make.PICTURES / name).read_text(encoding="utf-8") == text, "run python docs/make_techniques.py"
        assert f"pictures/techniques/{name}" in (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    modules = {getattr(one.find, "func", one.find).__module__ for one in TECHNIQUES.values()}
    shown = {getattr(TECHNIQUES[name].find, "func", TECHNIQUES[name].find).__module__ for name in make.FAMILIES}
    assert modules == shown and len(make.FAMILIES) == len(modules), "one of each family"


@pytest.mark.parametrize("name", ["slitherlink", "numbrix", "killer", "nurikabe", "graeco_latin"])
def test_pages_of_other_families_play_without_complaint(name: str, tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    assert run("explain", ROOT / f"examples/{name}.csp", "--until", "8", "-o", page_file).exit_code == 0
    with opened(browser, page_file) as page:
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        assert page.evaluate("player.film.position === player.film.end")
