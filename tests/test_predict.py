"""Prediction: the page asks what a step takes, and holds what is struck against the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.render.page.player import player
from csp.trace import Removal

from .browser import opened
from .commands import EXAMPLES, run, spec

TRACE = csp.record(dsl.load(EXAMPLES / "shidoku.csp"), "arc")
PLACE = """([name, value]) => {
  const { film: { data }, picture } = player, v = data.vertices.findIndex((one) => one.name === name);
  const [dx, dy] = picture.room(v, data.values.indexOf(value));
  const box = picture.groups[v].firstChild.getBoundingClientRect();
  const [wide, high] = picture.form(v).size;
  return [box.left + box.width * (0.5 + dx / wide), box.top + box.height * (0.5 + dy / high)];
}"""


def strike(page: Any, name: str, value: object) -> None:
    """Click a value of a vertex, where it stands."""
    page.mouse.click(*page.evaluate(PLACE, [name, str(value)]))


def judged(page: Any) -> dict[str, set[str]]:
    """What the page says of all that was struck, and of what was not."""
    kinds = page.evaluate(
        "Object.fromEntries(Object.entries(player.prediction.result).map(([kind, codes]) => "
        "[kind, codes.map((code) => player.prediction.name(code))]))"
    )
    return {kind: {*names} for kind, names in kinds.items()}


def steps() -> dict[int, set[str]]:
    """What goes in each step, but for the givens."""
    found: dict[int, set[str]] = {}
    for record in TRACE.records:
        if isinstance(record, Removal) and record.kind != "given":
            found.setdefault(record.step, set()).update(f"{v} ≠ {value}" for v, value in record.removed)
    return found


@pytest.fixture(scope="module")
def shidoku(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predict") / "page.html"
    path.write_text(player(TRACE, predicts=True), "utf-8")
    return path


def test_every_step_is_asked_and_its_record_judges(browser: Any, shidoku: Path) -> None:
    rest, [solution] = steps(), csp.Solver(TRACE.model).solutions()
    with opened(browser, shidoku) as page:
        while rest:
            step = min(rest)
            goes = rest.pop(step)
            asked = page.inner_text("#caption")
            assert asked.startswith(f"step {step} · ") and asked.endswith("what goes?") and "removes" not in asked
            first, later = min(goes), next(iter(rest.values()), set())
            own = {first, *sorted(later)[:1], *([f"A ≠ {solution['A']}"] if step < 9 else [])}
            for one in own:
                strike(page, *one.split(" ≠ "))
            assert page.locator(".guesses .struck").count() == len(own)
            page.keyboard.press("n")
            found = judged(page)
            assert found["right"] == {first} and found["missed"] == goes - {first}
            assert found["later"] == own & later and found["wrong"] == own - goes - later
            page.keyboard.press("n")
        assert "nothing is left" in page.inner_text("#prediction")
        assert page.inner_text("#prediction .score") == f"score · round 1: 4 of {24 + 4} · round 2: 4 of 12"


def test_by_keyboard_with_links_and_without_looking_ahead(browser: Any, shidoku: Path) -> None:
    with opened(browser, shidoku, "#step=6&mode=watch") as page:
        assert page.is_hidden("#prediction") and page.is_visible("#log")
        page.keyboard.press("q")
        assert page.is_visible("#prediction") and page.is_hidden("#log") and page.is_hidden("#tree-panel")
        assert page.inner_text("#caption").startswith("step 7 · K = 1 · row 3, column 3, box 4")
        page.focus("#picture [tabindex='0']")  # A
        page.keyboard.press("3")
        assert page.locator("#prediction [aria-pressed=true]").all_inner_texts() == ["3"]
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.keyboard.press("Space")
        assert page.locator(".guesses .struck").count() == 1, "the first value has the focus, and is struck by it"
        page.evaluate("player.link()")
        assert "mode=predict" in page.evaluate("location.hash")
        page.keyboard.press("q")
        assert page.inner_text("#caption").startswith("step 6 ·") and page.locator(".guesses g").count() == 0
        page.keyboard.press("q")
        page.keyboard.press("r")
        assert "what goes?" in page.inner_text("#caption")
        page.keyboard.press("b")
        page.keyboard.press("n")
        assert judged(page)["right"] == set()


def test_what_only_a_guess_takes_is_not_proved(browser: Any, tmp_path: Path) -> None:
    file = spec(tmp_path, '"row": all_different([A, B, C, D]). A in 1..4. B in 1..4. C in 1..4. D in 1..4. A = 1.')
    page_file = tmp_path / "page.html"
    assert run("play", file, "--level", "arc", "--predict", "-o", str(page_file)).exit_code == 0
    with opened(browser, page_file) as page:
        solution = page.evaluate(
            "player.film.seek(player.film.end), player.film.left(1).map((v) => player.film.data.values[v])"
        )
        page.evaluate("player.prediction.ask(0)")
        other = next(value for value in "234" if value not in solution)
        strike(page, "B", 1)
        strike(page, "B", other)
        page.keyboard.press("n")
        assert judged(page) == {
            "right": {"B ≠ 1"},
            "missed": {"C ≠ 1", "D ≠ 1"},
            "later": set(),
            "wrong": {f"B ≠ {other}"},
        }
        assert "not proved: only what is tried later takes it" in page.inner_text("#prediction")


def test_the_command_wants_a_page() -> None:
    assert run("play", str(EXAMPLES / "shidoku.csp"), "--predict").exit_code == 2
