"""Pictures of steps: what a technique builds on is drawn, and nothing else."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from csp import Model, Value, Variable
from csp.paint.steps import step_svg
from csp.picture.links import KIND, WHAT, WHERE, Shown, linked, shown_steps, signs
from csp.picture.marks import Mark
from csp.picture.plan import Plan

from .test_techniques import CORPUS, of_corpus, walker_of

NAMES = [record["technique"] for record in CORPUS]


@cache
def drawn(name: str) -> tuple[Model, Plan, Shown, list[Mark]]:
    """The first step of a technique in its puzzle of the corpus, and its marks."""
    record: dict[str, Any] = next(one for one in CORPUS if one["technique"] == name)
    model, _ = of_corpus(record)
    steps = shown_steps(walker_of(model, [name, *record["on"]]))
    shown = next(one for one in steps if one.step.technique == name)
    plan = Plan(model)
    return model, plan, shown, linked(plan, shown)


def middle(plan: Plan, variable: Variable, value: Value) -> tuple[float, float]:
    (x, y), form = plan.layout.points[variable], plan.layout.forms[variable]
    dx, dy = form.place(form.values.index(value))
    return x + dx, y + dy


def at(marks: list[Mark], look: str, shape: str = "disc") -> set[tuple[float, float]]:
    return {mark.points[0] for mark in marks if mark.shape == shape and look in mark.look.split()}


@pytest.mark.parametrize("name", NAMES)
def test_what_goes_is_struck_and_what_is_found_is_marked(name: str) -> None:
    model, plan, shown, marks = drawn(name)
    strikes = {tuple((a + b) / 2 for a, b in zip(*mark.points, strict=True)) for mark in marks if mark.look == "strike"}
    own = [(v, value) for v, value in shown.step.removed if v in model.domains]
    assert own or shown.step.placed
    assert {middle(plan, v, value) for v, value in own} == strikes
    assert at(marks, "found-now") == {middle(plan, v, value) for v, value in shown.step.placed}


@pytest.mark.parametrize("name", NAMES)
def test_nodes_links_and_sets_are_drawn(name: str) -> None:
    model, plan, shown, marks = drawn(name)
    step = shown.step
    discs = {mark.points[0]: mark.look.split()[0] for mark in marks if mark.shape == "disc"}
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
    assert ("hatch" in every) == ("cover" in roles) and ("fin" in every) == ("fin" in roles)
    assert ("nothing" in every) == ("empty" in roles)
    for one in step.sets:
        if one.role in ("pivot", "wing", "corner", "pair", "set"):
            outlined = at(marks, "outline", "box")
            assert {plan.layout.points[v] for v in one.cells} <= outlined


@pytest.mark.parametrize("name", ["X-chain", "XY-chain", "W-wing", "ALS chain", "empty rectangle", "chain with sets"])
def test_a_chain_is_numbered_along_its_links(name: str) -> None:
    _, _, shown, marks = drawn(name)
    assert all(one.end == other.start for one, other in pairwise(shown.step.links))
    numbers = [int(mark.text) for mark in marks if mark.shape == "text" and mark.look == "rank"]
    assert sorted(numbers) == list(range(1, len(shown.step.nodes) + 1))


def test_the_name_of_a_constraint_stands_at_its_link() -> None:
    _, _, shown, marks = drawn("skyscraper")
    told = [link.by.name for link in shown.step.links if link.by is not None]
    assert sorted(mark.text for mark in marks if mark.look == "by") == sorted(told) != []


def test_what_follows_from_a_supposition_is_numbered() -> None:
    _, plan, shown, marks = drawn("contradiction")
    [(v, value)] = shown.step.pattern
    numbers = {mark.text for mark in marks if mark.shape == "text" and mark.look == "rank"}
    assert middle(plan, v, value) in at(marks, "yes")
    assert numbers == {str(i) for i in range(1, 2 + sum(len(one.placed) for one in shown.step.inside))}


@pytest.mark.parametrize("name", NAMES)
def test_the_legend_has_the_signs_that_are_there(name: str) -> None:
    _, plan, shown, marks = drawn(name)
    words = [entry.words for entry in signs(marks)]
    picture = step_svg(plan, shown)
    assert all(f">{one}</text>" in picture for one in words)
    assert ("removed now" in words) == bool(shown.scene.removed)
    assert ("strong link: at least one" in words) == any(link.is_strong for link in shown.step.links)


@pytest.mark.parametrize("name", NAMES)
def test_a_hint_uncovers_in_three_steps(name: str) -> None:
    _, plan, shown, _ = drawn(name)
    where, kind, what = (step_svg(plan, shown, level) for level in (WHERE, KIND, WHAT))
    assert name not in where and name in kind and name in what
    secret = {word for mark in linked(plan, shown, KIND) for word in mark.look.split()}
    assert secret.isdisjoint({"strike", "yes", "no", "edge", "hatch", "outline"}) and "lined" in secret
