"""Test pictures of steps: they show exactly the premises of a technique."""

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

from ..browser import opened
from ..commands import EASY, EXAMPLES, run
from ..conftest import ROOT
from ..explain.test_techniques import CORPUS, of_corpus, walker_of
from .test_render import example

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

sys.path.insert(0, str(ROOT / "docs"))

NAMES = [record["technique"] for record in CORPUS]


@cache
def draw_first_step(name: str) -> tuple[Model, Plan, ShownStep, list[Shape]]:
    """Return a technique's puzzle, its plan, its first step and the shapes."""
    record: dict[str, Any] = next(line for line in CORPUS if line["technique"] == name)
    model, _ = of_corpus(name)
    steps = shown_steps(walker_of(model, [name, *record["on"]]))
    shown_step = next(step for step in steps if step.step.technique == name)
    plan = Plan(model)
    return model, plan, shown_step, step_shapes(plan, shown_step)


def middle(plan: Plan, variable: Variable, value: Value) -> tuple[float, float]:
    """Return the place of a candidate in the picture."""
    (x, y), form = plan.layout.points[variable], plan.layout.forms[variable]
    dx, dy = form.place(form.values.index(value))
    return x + dx, y + dy


def places_of(shapes: list[Shape], look: str, kind: str = "disc") -> set[tuple[float, float]]:
    """Return the places of the shapes with a look."""
    return {shape.points[0] for shape in shapes if shape.kind == kind and look in shape.look.split()}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_removed_candidates_are_struck_and_found_values_are_marked(name: str) -> None:
    model, plan, shown_step, shapes = draw_first_step(name)
    strikes = {
        tuple((a + b) / 2 for a, b in zip(*shape.points, strict=True)) for shape in shapes if shape.look == "strike"
    }
    removed = [(v, value) for v, value in shown_step.step.removed if v in model.domains]
    assert removed or shown_step.step.placed
    assert {middle(plan, v, value) for v, value in removed} == strikes
    assert places_of(shapes, "found-now") == {middle(plan, v, value) for v, value in shown_step.step.placed}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_nodes_links_and_sets_are_drawn(name: str) -> None:
    model, plan, shown_step, shapes = draw_first_step(name)
    step = shown_step.step
    discs = {shape.points[0]: shape.look.split()[0] for shape in shapes if shape.kind == "disc"}
    for node in step.nodes if step.links or any(node.is_on for node in step.nodes) else ():
        for v, value in node.candidates:
            if v in model.domains and shown_step.scene.domains[v] != (value,):
                fins = {w for cells in step.sets if cells.role == "fin" for w in cells.cells}
                assert discs.get(middle(plan, v, value), "fin" if v in fins else "") in (
                    ("yes", "fin") if node.is_on else ("no",)
                )
    looks = Counter(shape.look for shape in shapes if shape.look.startswith("edge"))
    assert set(looks) == {"edge strong" if link.is_strong else "edge weak" for link in step.links}
    roles = {cells.role for cells in step.sets}
    all_looks = {word for shape in shapes for word in shape.look.split()}
    assert ("cover" in all_looks) == ("cover" in roles) and ("fin" in all_looks) == ("fin" in roles)
    assert ("nothing" in all_looks) == ("empty" in roles)
    for cells in step.sets:
        if cells.role in ("pivot", "wing", "corner", "pair", "set"):
            outlined = places_of(shapes, "outline", "box")
            assert {plan.layout.points[v] for v in cells.cells} <= outlined


@pytest.mark.parametrize("name", ["X-chain", "XY-chain", "W-wing", "ALS chain", "empty rectangle", "chain with sets"])
def test_a_chain_is_numbered_along_its_links(name: str) -> None:
    _, _, shown_step, shapes = draw_first_step(name)
    assert all(link.end == following.start for link, following in pairwise(shown_step.step.links))
    numbers = [int(shape.text) for shape in shapes if shape.kind == "text" and shape.look == "rank"]
    assert sorted(numbers) == list(range(1, len(shown_step.step.nodes) + 1))


def test_the_name_of_a_constraint_is_drawn_at_its_link() -> None:
    _, _, shown_step, shapes = draw_first_step("skyscraper")
    names = [link.by.name for link in shown_step.step.links if link.by is not None]
    assert sorted(shape.text for shape in shapes if shape.look == "by") == sorted(names) != []


def test_values_that_follow_from_a_supposition_are_numbered() -> None:
    _, plan, shown_step, shapes = draw_first_step("contradiction")
    [(v, value)] = shown_step.step.pattern
    numbers = {shape.text for shape in shapes if shape.kind == "text" and shape.look == "rank"}
    assert middle(plan, v, value) in places_of(shapes, "yes")
    assert numbers == {str(i) for i in range(1, 2 + sum(len(step.placed) for step in shown_step.step.inside))}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_the_legend_has_the_signs_of_the_picture(name: str) -> None:
    _, plan, shown_step, shapes = draw_first_step(name)
    words = [entry.words for entry in legend_entries(shapes)]
    picture = step_svg(plan, shown_step)
    assert all(f">{word}</text>" in picture for word in words)
    assert ("removed" in words) == bool(shown_step.scene.removed)
    assert ("strong: at least one" in words) == any(link.is_strong for link in shown_step.step.links)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_a_hint_shows_no_more_than_its_level(name: str) -> None:
    _, plan, shown_step, _ = draw_first_step(name)
    hint = Hint("step", shown_step.step, left=domains_before(plan, shown_step.scene), pencil=shown_step.scene.pencil)
    place_picture, technique_picture, step_picture = (hint_svg(plan.model, hint, level) for level in (1, 2, 3))
    assert name not in place_picture and name in technique_picture and name in step_picture
    assert step_picture == step_svg(plan, shown_step)
    looks = {word for shape in step_shapes(plan, shown_step, 2) for word in shape.look.split()}
    assert looks.isdisjoint({"strike", "yes", "no", "edge", "cover", "outline"}) and "lined" in looks


SHOWN = """document.querySelector("#caption").innerText, document.querySelectorAll("#picture .strike").length,
  [...document.querySelectorAll("#legend li")].map((sign) => sign.innerText)"""


def test_the_page_plays_the_solution_path(tmp_path: Path, browser: Any) -> None:
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
            current, caption, strikes, signs = page.evaluate(f"[{state}, {SHOWN}]")
            states.append(current)
            assert caption.startswith(line)
            struck += strikes
            assert len(signs) == len(set(signs)) > 0
        assert struck > 0 and page.locator("#picture .links *").count() > 0
        page.keyboard.press("ArrowRight")
        assert page.evaluate("player.film.getRemaining(0).length") == 1 and page.inner_text("#caption") == lines[-2]
        for earlier in reversed(states):
            page.keyboard.press("ArrowLeft")
            assert page.evaluate(state) == earlier
        assert not page.locator("#queue").is_visible() and not page.locator("#grains").is_visible()


def test_candidates_excluded_by_a_found_value_are_removed_in_its_step(tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    assert run("explain", str(ROOT / "examples/shidoku.csp"), "-o", str(page_file)).exit_code == 0
    with opened(browser, page_file, "#step=2") as page:
        [also] = page.evaluate("[player.film.data.records[1].also]")
        assert also and {page.evaluate(f"player.film.findRemover({code})") for code in also} == {0}


def test_a_file_that_is_not_a_page_is_refused(tmp_path: Path) -> None:
    refused = run("explain", EXAMPLES / "shidoku.csp", "-o", tmp_path / "e.pdf")
    assert refused.exit_code == 2 and not [*tmp_path.iterdir()]
    assert f"write a page, such as {tmp_path}/e.html, or a folder, such as {tmp_path}/e" in refused.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["compare", EXAMPLES / "shidoku.csp"],
        ["generate", EXAMPLES / "sudoku.csp", "--grid", "clue"],
        ["import", "-"],
        ["studio", "--runtime", "x"],
    ],
)
def test_a_new_folder_with_the_name_of_a_file_is_refused(words: list[object], tmp_path: Path) -> None:
    """Check also that an existing folder may have such a name."""
    refused = run(*words, "-o", tmp_path / "x.png", stdin=EASY)
    other = "a page (.html) or " if words[0] == "generate" else ""
    assert (
        refused.exit_code == 2 and f"named like a file: write {other}a folder, such as {tmp_path}/x" in refused.stderr
    )
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
    rerun = run("explain", shidoku, "--until", "1", "--out", str(second))
    assert sorted(path.name for path in second.iterdir()) == [names[0], "002-mine.svg"]
    assert "removed 2 files of an earlier run" in rerun.stderr and "removed" not in result.stderr
    (tmp_path / "file").write_text("kept")
    refused = run("explain", shidoku, "-o", str(tmp_path / "file"))
    assert refused.exit_code == 2 and "is a file" in refused.stderr and (tmp_path / "file").read_text() == "kept"
    page = run("explain", shidoku, "-o", "-").stdout
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")


def test_a_notebook_shows_the_steps_of_a_solution_path() -> None:
    pictures = StepPictures(Walker(Solver(example("shidoku"))), until=3)
    html = pictures._repr_html_()
    assert html == pictures._repr_html_(), "the pictures of a walk can be shown twice"
    assert html.count("<details") == html.count("<img") == 3 and html.count("<details open>") == 1
    first = b64decode(re.findall('src="data:image/svg.xml;base64,([^"]*)"', html)[0]).decode()
    assert first == pictures.files()["001-naked-single.svg"]


def test_pictures_of_hints_contain_the_printed_words(tmp_path: Path) -> None:
    jigsaw = str(ROOT / "examples/jigsaw.csp")
    for level in ("1", "2", "3"):
        result = run("hint", jigsaw, "--detail", level, "-o", str(tmp_path / f"{level}.svg"))
        assert result.exit_code == 0
        drawing = (tmp_path / f"{level}.svg").read_text()
        assert all(word in drawing for word in result.stdout.splitlines()[0].split())
    assert run("hint", jigsaw, "-o", "-").stdout == (tmp_path / "3.svg").read_text()
    refused = run("hint", jigsaw, "-o", str(tmp_path / "x.png"))
    assert refused.exit_code == 2 and ".svg" in refused.stderr


def test_a_wrong_value_is_outlined(tmp_path: Path) -> None:
    board, out = tmp_path / "board.txt", tmp_path / "wrong.svg"
    board.write_text("1" + ".................." * 4 + "........")
    result = run("hint", ROOT / "examples/sudoku.csp", "--filled", f"clue={board}", "-o", out)
    assert result.exit_code == 1 and "cell(1,1) = 1 is wrong" in out.read_text()
    assert out.read_text().count(f'stroke="{REMOVED}"') == 1


def test_the_pictures_of_the_docs_are_current() -> None:
    make = importlib.import_module("make_techniques")
    files = dict(make.draw_steps(make.FAMILIES))
    assert {path.name for path in make.PICTURES.iterdir()} == files.keys()
    for name, text in files.items():
        assert (make.PICTURES / name).read_text(encoding="utf-8") == text, "run python docs/make_techniques.py"
        assert f"pictures/techniques/{name}" in (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    modules = {getattr(technique.find, "func", technique.find).__module__ for technique in TECHNIQUES.values()}
    drawn_modules = {getattr(TECHNIQUES[name].find, "func", TECHNIQUES[name].find).__module__ for name in make.FAMILIES}
    assert modules == drawn_modules and len(make.FAMILIES) == len(modules), "one of each family"


@pytest.mark.parametrize("name", ["slitherlink", "numbrix", "killer", "nurikabe", "graeco_latin"])
def test_pages_of_other_families_play_without_an_error(name: str, tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    assert run("explain", ROOT / f"examples/{name}.csp", "--until", "8", "-o", page_file).exit_code == 0
    with opened(browser, page_file) as page:
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        assert page.evaluate("player.film.position === player.film.end")


SPEECH = """
  window.said = [];
  Object.defineProperty(window, "speechSynthesis", { value: {
    speaking: false,
    speak(utterance) { window.said.push([utterance.lang, utterance.text]); },
    cancel() { window.said.push("cancel"); },
  } });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; this.lang = ""; } };
"""
"""A replacement for the speech of the browser, which records what it reads."""


def test_the_page_reads_each_caption_aloud_in_its_language(tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    options = ("--words", "simple", "--language", "de", "-o", page_file)
    assert run("explain", ROOT / "examples/shidoku.csp", *options).exit_code == 0
    with opened(browser, page_file, script=SPEECH) as page:
        page.keyboard.press("ArrowRight")
        assert page.evaluate("said") == [] and page.get_attribute("#caption", "lang") == "de"
        first = page.inner_text("#caption")
        page.click("#speak")
        page.keyboard.press("ArrowRight")
        second = page.inner_text("#caption")
        assert first == "1. B ist 1. Das gilt, weil kein anderer Wert passt." and second.startswith("2. ")
        assert page.evaluate("said") == ["cancel", ["de", first], "cancel", ["de", second]]
        # While a caption is read, a playing film waits.
        page.evaluate("speechSynthesis.speaking = true; player.play()")
        page.wait_for_timeout(1200)
        assert page.inner_text("#caption") == second
        page.click("#speak")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("said.at(-1)") == "cancel" and page.inner_text("#caption") != second


def test_a_browser_without_speech_has_no_button_for_it(tmp_path: Path, browser: Any) -> None:
    page_file = tmp_path / "way.html"
    assert run("explain", ROOT / "examples/shidoku.csp", "-o", page_file).exit_code == 0
    with opened(
        browser, page_file, script="delete Window.prototype.speechSynthesis; delete window.speechSynthesis;"
    ) as page:
        assert not page.locator("#speak").is_visible()
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#caption").startswith("1. ")
