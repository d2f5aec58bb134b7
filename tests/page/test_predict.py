"""The prediction mode: the page checks struck values against the recorded step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.render.page.player import player
from csp.trace import Removal

from ..browser import opened
from ..commands import EXAMPLES, run, spec

pytestmark = pytest.mark.sampled(5)

TRACE = csp.record(dsl.load(EXAMPLES / "shidoku.csp"), "arc")
PLACE = """([name, value]) => {
  const { film: { data }, picture } = player, v = data.vertices.findIndex((one) => one.name === name);
  const [dx, dy] = picture.getPlace(v, data.values.indexOf(value));
  const box = picture.groups[v].firstChild.getBoundingClientRect();
  const [wide, high] = picture.getForm(v).size;
  return [box.left + box.width * (0.5 + dx / wide), box.top + box.height * (0.5 + dy / high)];
}"""


def strike(page: Any, name: str, value: object) -> None:
    """Click a value of a vertex in the picture."""
    page.mouse.click(*page.evaluate(PLACE, [name, str(value)]))


def read_result(page: Any) -> dict[str, set[str]]:
    """Return the values of each kind of the prediction's result."""
    kinds = page.evaluate(
        "Object.fromEntries(Object.entries(player.prediction.result).map(([kind, codes]) => "
        "[kind, codes.map((code) => player.prediction.writeCandidate(code))]))"
    )
    return {kind: {*names} for kind, names in kinds.items()}


def find_removed_by_step() -> dict[int, set[str]]:
    """Return the values that each step removes, except the givens."""
    removed_by_step: dict[int, set[str]] = {}
    for record in TRACE.records:
        if isinstance(record, Removal) and record.kind != "given":
            removed_by_step.setdefault(record.step, set()).update(f"{v} ≠ {value}" for v, value in record.removed)
    return removed_by_step


@pytest.fixture(scope="module")
def shidoku(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predict") / "page.html"
    path.write_text(player(TRACE, predicts=True), "utf-8")
    return path


def test_the_record_of_every_step_judges_the_prediction(browser: Any, shidoku: Path) -> None:
    remaining_steps, [solution] = find_removed_by_step(), csp.Solver(TRACE.model).solutions()
    with opened(browser, shidoku) as page:
        while remaining_steps:
            step = min(remaining_steps)
            removed = remaining_steps.pop(step)
            caption = page.inner_text("#caption")
            assert (
                caption.startswith(f"step {step} · ")
                and caption.endswith("which values are removed?")
                and "removes" not in caption
            )
            right_guess, later = min(removed), next(iter(remaining_steps.values()), set())
            guesses = {right_guess, *sorted(later)[:1], *([f"A ≠ {solution['A']}"] if step < 9 else [])}
            for guess in guesses:
                strike(page, *guess.split(" ≠ "))
            assert page.locator(".guesses .struck").count() == len(guesses)
            page.keyboard.press("n")
            result = read_result(page)
            assert result["right"] == {right_guess} and result["missed"] == removed - {right_guess}
            assert result["later"] == guesses & later and result["wrong"] == guesses - removed - later
            page.keyboard.press("n")
        assert "no step is left" in page.inner_text("#prediction")
        assert page.inner_text("#prediction .score") == f"score · round 1: 4 of {24 + 4} · round 2: 4 of 12"


def test_prediction_works_by_keyboard_and_with_links_and_hides_the_future(browser: Any, shidoku: Path) -> None:
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
        assert page.locator(".guesses .struck").count() == 1, "the first value has the focus, and Space strikes it"
        page.evaluate("player.updateAddress()")
        assert "mode=predict" in page.evaluate("location.hash")
        page.keyboard.press("q")
        assert page.inner_text("#caption").startswith("step 6 ·") and page.locator(".guesses g").count() == 0
        page.keyboard.press("q")
        page.keyboard.press("r")
        assert "which values are removed?" in page.inner_text("#caption")
        page.keyboard.press("b")
        page.keyboard.press("n")
        assert read_result(page)["right"] == set()


def test_checked_predictions_are_saved_as_a_text(browser: Any, shidoku: Path) -> None:
    removed_by_step = find_removed_by_step()
    with opened(browser, shidoku, "#step=6&mode=predict", accept_downloads=True) as page:
        assert page.is_disabled("#prediction button:text('save answers')")
        caption, right = page.inner_text("#caption"), min(removed_by_step[7])
        strike(page, *right.split(" ≠ "))
        page.keyboard.press("n")
        page.fill("#prediction input", "Ada")
        with page.expect_download() as download:
            page.click("#prediction button:text('save answers')")
        score = page.inner_text("#prediction .score")
        text = Path(download.value.path()).read_text(encoding="utf-8")
    missed = removed_by_step[7] - {right}
    head, name, written_score, blank, question, struck, *results = text.split("\n")
    assert (head, name, written_score, blank) == ("predictions · constraint propagation", "name: Ada", score, "")
    assert question == caption and struck == f"  struck: {right}" and results[0] == f"  ✓ right: {right}"
    assert {*results[1].removeprefix("  ○ missed: ").split(" · ")} == missed and results[2:] == [""]


def test_a_value_that_only_a_guess_removes_is_not_proved(browser: Any, tmp_path: Path) -> None:
    file = spec(tmp_path, '"row": all_different([A, B, C, D]). A in 1..4. B in 1..4. C in 1..4. D in 1..4. A = 1.')
    page_file = tmp_path / "page.html"
    assert run("play", file, "--level", "arc", "--predict", "-o", str(page_file)).exit_code == 0
    with opened(browser, page_file) as page:
        solution = page.evaluate(
            "player.film.seek(player.film.end), player.film.getRemaining(1).map((v) => player.film.data.values[v])"
        )
        page.evaluate("player.prediction.askAfter(0)")
        unproved_value = next(value for value in "234" if value not in solution)
        strike(page, "B", 1)
        strike(page, "B", unproved_value)
        page.keyboard.press("n")
        assert read_result(page) == {
            "right": {"B ≠ 1"},
            "missed": {"C ≠ 1", "D ≠ 1"},
            "later": set(),
            "wrong": {f"B ≠ {unproved_value}"},
        }
        assert "not proved: only a later decision removes it" in page.inner_text("#prediction")


def test_predict_without_a_page_is_refused() -> None:
    assert run("play", str(EXAMPLES / "shidoku.csp"), "--predict").exit_code == 2
