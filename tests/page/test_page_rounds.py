"""The player shows last places, helpers and acting clues like the numbered pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import csp
from csp.picture.frames import frames, step_frames
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.trace import Removal

from ..browser import opened
from .test_player import example

pytestmark = pytest.mark.sampled(3)


def test_a_round_of_the_player_highlights_the_groups_of_its_picture(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("sudoku"))
    path = tmp_path / "sudoku.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(frame for frame in frames(trace) if frame.name == "round-2")
    groups = {v for number in frame.groups for v in trace.model.constraints[number].scope}
    removals = [entry for entry in trace.records if isinstance(entry, Removal)]
    last = max(entry.step for entry in removals if entry.step and set(entry.removed) <= set(frame.removed))
    assert frame.last_places and len(groups) == 27
    with opened(browser, path, f"#step={last}&grain=round") as page:
        lit = page.eval_on_selector_all(
            "#picture .vertex.grouped", "(all) => all.map((one) => one.ariaLabel.split(', ')[0])"
        )
        caption = page.text_content("#caption")
    assert set(lit) == groups
    labels = [trace.model.constraints[number].label for number in frame.groups]
    assert all(f" in {label}" in caption for label in labels) and "5 more values" in caption


@pytest.mark.parametrize(
    ("name", "step", "sign"),
    [("numbrix", 16, "touched"), ("numbrix", 16, "touched-cause"), ("slitherlink", 30, "acted")],
)
def test_a_step_of_the_player_has_the_frames_of_its_picture(
    browser: Any, tmp_path: Path, name: str, step: int, sign: str
) -> None:
    trace = csp.record(example(name), nodes=0)
    path = tmp_path / "steps.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(step_frames(trace, step, step))
    picture = Painter(trace.model, origins=trace.origins).parts(frame)
    expected = sum(shape.look == sign for shape in picture.shapes)
    with opened(browser, path, f"#step={step}") as page:
        assert page.locator(f"#picture rect.{sign}").count() == expected > 0
        # The frame of a clue is filled and below the clue, which has no halo.
        fills = page.eval_on_selector_all(f"#picture rect.{sign}", "(all) => all.map((r) => getComputedStyle(r).fill)")
        assert {fill != "none" for fill in fills} == {sign == "acted"}
        halos = page.eval_on_selector_all(
            "#picture .framed ~ .marks text.on", "(all) => all.map((t) => getComputedStyle(t).stroke)"
        )
        assert halos == ["none"] * (expected if sign == "acted" else 0)


def test_a_round_of_the_player_has_no_frames_of_many_helpers(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "slitherlink.html"
    path.write_text(player(csp.record(example("slitherlink"), nodes=0)), encoding="utf-8")
    with opened(browser, path, "#step=24&grain=round") as page:
        assert page.locator("#picture rect.touched").count() == 0
        assert "not drawn lost values" in page.text_content("#caption")
