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
from csp.explain.steps.techniques import complex_fish, fish, sue_de_coq, turbot, wings
from csp.explain.steps.techniques.joint import joint_constraints
from csp.explain.steps.techniques.templates import places_of, removable_places
from csp.explain.steps.value_sets import sets_of_values
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
    links = [*turbot.box_links(view)]
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


def test_sue_de_coq_searches_two_groups_again_only_after_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("template delete")
    assert not list(sue_de_coq.sue_de_coq(view))
    parts = count_calls(monkeypatch, sue_de_coq, "_parts")
    assert not list(sue_de_coq.sue_de_coq(view)) and not parts["calls"]
    changed = view.board.owner[(view.unplaced & -view.unplaced).bit_length() - 1]
    list(sue_de_coq.sue_de_coq(view.with_live(view.live & ~view.board.domain_masks[changed])))
    pairs = view.board.compute_once("overlapping groups", sue_de_coq._overlapping_groups)
    near = [pair for pair in pairs if any(changed in view.board.groups[group].variables for group in pair[:2])]
    assert 0 < parts["calls"] <= 3 * len(near) < 3 * len(pairs)


def test_fish_are_searched_only_for_values_with_places_outside_all_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("finned jellyfish")
    values = view.board.compute_once("value sets", sets_of_values)
    removable = [value for value in values if removable_places(view, value)]
    searches = count_calls(monkeypatch, fish, "_choose_bases")
    found = [list(fish.find_fish(view, value, 4, fish.MAX_FINS)) for value in values]
    assert any(found) and searches["calls"] == len(removable) < len(values)
    # A search without templates finds the same fish.
    view.board.failed_searches.clear()
    monkeypatch.setattr(fish, "removable_places", places_of)
    assert found == [list(fish.find_fish(view, value, 4, fish.MAX_FINS)) for value in values]
    assert searches["calls"] == len(removable) + len(values)


def test_complex_fish_of_unchanged_places_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_before("Franken swordfish")
    covers = count_calls(monkeypatch, complex_fish, "_count_sets")
    found = complex_fish.complex_fish(view, 3)
    assert found and 0 < covers["calls"] <= LIMITS["Franken swordfish"]
    covers.clear()
    assert complex_fish.complex_fish(view.with_live(view.live), 3) == found and not covers["calls"]


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


LIMITS = {
    "W-wing": 8,
    "box links": 95,
    "parts": 1425,
    "Sue de Coq": 1,
    "Franken swordfish": 449,
    "kurotto": 880,
    "hitori": 82,
}
"""The numbers that were counted when the searches were written; a larger number is a slower search."""
