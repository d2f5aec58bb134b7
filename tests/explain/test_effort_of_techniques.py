"""Test how many candidate patterns techniques look at on fixed puzzles: counters, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import dsl
from csp import Solver
from csp.explain import TECHNIQUES, Walker
from csp.explain.steps.board import Board, View
from csp.explain.steps.minimal import minimal_reasons
from csp.explain.steps.sources import Sources
from csp.explain.steps.techniques import sue_de_coq, turbot, wings
from csp.explain.steps.techniques.joint import joint_constraints
from docs.make_techniques import CORPUS, load_puzzle

from ..commands import EXAMPLES
from ..verdicts import records


def view_before(technique: str) -> View:
    """Return the view in which the first test puzzle of a technique needs it."""
    record = next(record for record in records(CORPUS) if record["technique"] == technique)
    walker = Walker(Solver(load_puzzle(record)), ladder=[TECHNIQUES[name] for name in record["on"]])
    walker.run()
    return walker.view


def count_calls(patch: pytest.MonkeyPatch, owner: Any, name: str) -> Counter[str]:
    """Count the calls of a function, and the items of the lists that it returns."""
    counter: Counter[str] = Counter()
    function: Callable[..., Any] = getattr(owner, name)

    def count(*arguments: Any) -> Any:
        result = function(*arguments)
        counter["calls"] += 1
        counter["items"] += len(result) if isinstance(result, list) else 0
        return result

    patch.setattr(owner, name, count)
    return counter


def test_a_w_wing_looks_only_at_pairs_of_equal_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("W-wing")
    seen = count_calls(monkeypatch, Board, "seen_by_all")
    list(wings.w_wing(view))
    # Two possible values for each pair of cells with the same two values.
    twins = Counter([view.board.values(cell) for cell in view.cells if cell.bit_count() == 2])
    assert 0 < seen["calls"] == sum([count * (count - 1) for count in twins.values()]) <= LIMITS["W-wing"]


def test_box_links_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("empty rectangle")
    links = [*turbot._box_links(view)]
    seen = count_calls(monkeypatch, Board, "seen_by_all")
    list(turbot._join_box_links(view))
    # Both sides of a link are looked at from both ends.
    assert 0 < len(links) <= LIMITS["box links"] and seen["calls"] == 4 * len(links)


def test_sue_de_coq_looks_at_parts_and_not_at_all_pairs_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("Sue de Coq")
    parts = count_calls(monkeypatch, sue_de_coq, "_parts")
    patterns = count_calls(monkeypatch, sue_de_coq, "_excluded_candidates")
    list(sue_de_coq.sue_de_coq(view))
    assert 0 < parts["items"] <= LIMITS["parts"]
    assert 0 < patterns["calls"] <= LIMITS["Sue de Coq"]


@pytest.mark.parametrize("name", ["kurotto", "hitori"])
def test_sources_run_a_constraint_once_for_the_same_domains(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    walker = Walker(Solver(dsl.load(EXAMPLES / f"{name}.csp")))
    runs = count_calls(monkeypatch, Sources, "_run")
    reasons = minimal_reasons(walker.board)
    if name == "kurotto":
        list(joint_constraints(walker.view))
    else:
        sources = reasons.sources
        for _ in range(3):
            sources.propagate(sources.start(walker.view), sources.of)
    assert 0 < runs["calls"] <= LIMITS[name]


LIMITS = {"W-wing": 8, "box links": 95, "parts": 1425, "Sue de Coq": 1, "kurotto": 880, "hitori": 82}
"""The numbers that were counted when the searches were written; a larger number is a slower search."""
