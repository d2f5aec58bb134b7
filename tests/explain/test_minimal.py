"""Test that reasons of several constraints imply their conclusion, need all that they name, and are small."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pytest

import dsl
from csp import Candidate, Effort, Model, Solver, Stopped, Value, Variable
from csp.base.shrinking import shrink_by_deletion
from csp.explain import TECHNIQUES, Walker, explain
from csp.explain.steps.board import Board, Deduction
from csp.explain.steps.minimal import MAX_CELLS, MAX_CONSTRAINTS
from csp.explain.steps.sources import Sources
from csp.explain.steps.supposing import Suppositions
from csp.explain.steps.techniques.joint import joint_constraints

from ..commands import EXAMPLES
from ..conftest import TIMES
from ..oracle import every_solution

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

NUMBRIX = ". 2 . .\n. 7 . .\n9 . . 12\n. . . ."
"""A numbrix of 4 rows with one solution."""


def reasons_of(model: Model) -> Iterator[tuple[Board, Deduction]]:
    """Yield the reasons of several constraints on a solution path."""
    walker = Walker(Solver(model))
    while (easiest := walker.find()) is not None:
        technique, deduction = easiest
        if technique.name in ("small reason", "joint constraints"):
            yield walker.board, deduction
        walker.view = walker.view.after(deduction)


def excluded_candidates(
    board: Board,
    deduction: Deduction,
    left_out: int = -1,
    without: Variable | Value | None = None,
    without_case: str = "",
) -> set[Candidate]:
    """Return the removed candidates of a reason that follow from what it names.

    They follow by propagation in the cases of the reason, or by search, as its text says.

    ``left_out``, ``without``, ``without_case``: a constraint, a known cell or a value with few places, and a cell with
    cases that are omitted.
    """
    absent = {candidate for candidate in board.listed(deduction.absent) if without not in candidate}
    domains = {
        variable: tuple(value for value in domain if (variable, value) not in absent)
        for variable, domain in board.program.model.domains.items()
    }
    named = board.program.model.constraints  # as written, with their expressions
    constraints = [named[number] for number in deduction.constraints if number != left_out]
    cases = [cell for cell in cases_of(deduction) if cell != without_case]

    removed = {variable for variable, _ in board.listed(deduction.removed)}

    def fails(domains: Mapping[Variable, Collection[Value]]) -> bool:
        if deduction.text.endswith("whatever the other cells have"):
            scope = {*removed, *[variable for constraint in constraints for variable in constraint.scope]}
            return Solver(Model({v: domains[v] for v in domains if v in scope}, constraints)).solve() is None
        fixpoint = Solver(Model(domains, constraints)).propagate()
        unfixed = [Variable.of(cell) for cell in cases if len(fixpoint.domains[Variable.of(cell)]) > 1]
        if not fixpoint.holds or not unfixed:
            return not fixpoint.holds
        values = fixpoint.domains[unfixed[0]]
        return all(fails({**fixpoint.domains, unfixed[0]: (value,)}) for value in values)

    return {(v, value) for v, value in board.listed(deduction.removed) if fails({**domains, v: (value,)})}


def cases_of(deduction: Deduction) -> list[str]:
    cells = re.search(r"whichever value (.*) ha(?:s|ve)$", deduction.text)
    return re.split(", | and ", cells[1]) if cells else []


def check_reason(board: Board, deduction: Deduction) -> None:
    """Check that a reason implies its conclusion, and not without any of the things that it names."""
    absent, removed = board.listed(deduction.absent), set(board.listed(deduction.removed))
    assert excluded_candidates(board, deduction) == removed, deduction.text
    is_by_value = "only in" in deduction.text
    known: set[Variable | Value] = {value if is_by_value else variable for variable, value in absent}
    # A propagator that borrows a constraint always uses it.
    propagators = board.program.propagators
    named = [propagators[number] for number in deduction.constraints if number in propagators]
    borrowed = {each.constraint for propagator in named for each in propagator.borrowed}
    for number in {*deduction.constraints} - borrowed:
        assert excluded_candidates(board, deduction, number) != removed, (board.constraints[number], deduction.text)
    for cell in known:
        assert excluded_candidates(board, deduction, without=cell) != removed, (cell, deduction.text)
    for name in cases_of(deduction):
        assert excluded_candidates(board, deduction, without_case=name) != removed, (name, deduction.text)


HIDDEN_PARITIES = """x in 0..1.
h(I) in 0..1 :- I in 1..3.
show x.
h(1) + h(2) + h(3) in {1, 3}.
x + h(1) + h(2) + h(3) in {1, 3}."""
"""A spec in which x = 1 fails only if hidden variables are supposed to have values."""


def test_cases_of_hidden_variables_belong_to_one_reason_that_does_not_name_them(limits: Callable[..., None]) -> None:
    solver = Solver(dsl.loads(HIDDEN_PARITIES))
    by = "by h(1) + h(2) + h(3) in {1, 3} (line 4) and x + h(1) + h(2) + h(3) in {1, 3} (line 5)"
    (step,) = explain(solver).steps
    assert step.sentence == f"small reason · {by}, whatever the other cells have: x = 0"
    suppose = "contradiction · suppose x = 1, and {}: x = 0"
    (step,) = explain(solver, ladder=[TECHNIQUES["contradiction"]]).steps
    assert step.sentence == suppose.format(f"{by}, as x = 1, whatever the other cells have, nothing is left")
    # With more cases than a reason may distinguish, the conflict names no constraint.
    limits("csp.explain.steps.minimal", MAX_CASES=1)
    (step,) = explain(solver, ladder=[TECHNIQUES["contradiction"]]).steps
    assert step.sentence == suppose.format("no values of the hidden variables agree with the cells")


def test_a_reason_states_that_a_value_is_nowhere() -> None:
    cells = "x(I) in 0..1 :- I in 1..3. y in 2..3. h in 0..1. show x. show y. x(I) = 0 :- I in 1..3."
    walk = explain(Solver(dsl.loads(f"{cells}\nx(1) + x(2) + x(3) + h >= 2.")))
    assert walk.conflict == "by x(1) + x(2) + x(3) + h >= 2 (line 2), as 1 is nowhere, nothing is left"


NAMES = [
    *("slitherlink", "nurikabe", "zebra", "heyawake", "hitori", "tapa", "nuribou", "midloop", "abc_end_view"),
    *("sukoro", "lits", "shakashaka", "geradeweg", "yajilin", "skyscraper_sudoku"),
]
"""Examples with reasons of several constraints, the cheaper ones first; ``TIMES=2`` uses all."""


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES[: 9 * TIMES])
def test_a_small_reason_implies_its_conclusion_and_needs_all_that_it_names(name: str) -> None:
    reasons = [*reasons_of(dsl.load(EXAMPLES / f"{name}.csp"))]
    for board, deduction in reasons[:: max(1, len(reasons) // 4)]:
        check_reason(board, deduction)


def test_the_reason_with_the_fewest_constraints_is_taken_from_cases_and_cores() -> None:
    # If the number of named cells decided, a reason of 9 constraints would be taken.
    sizes = [len(deduction.constraints) for _, deduction in reasons_of(dsl.load(EXAMPLES / "binairo.csp"))]
    assert sizes and max(sizes) <= 7


MAX_PARTS = 20
"""Maximum number of constraints and cells of the reasons by search that are checked."""


@pytest.mark.parametrize("name", ["battleships", "doublers"][:TIMES])
def test_a_reason_by_search_of_few_parts_needs_all_that_it_names(name: str) -> None:
    checked = 0
    for board, deduction in reasons_of(dsl.load(EXAMPLES / f"{name}.csp")):
        parts = len(deduction.constraints) + len(board.variables_of(deduction.absent))
        if deduction.text.endswith("whatever the other cells have") and parts <= MAX_PARTS:
            checked += 1
            check_reason(board, deduction)
        if checked == TIMES:
            return
    assert checked


def random_spec(rng: random.Random) -> str:
    """Return a spec of four shown and three hidden variables with random constraints."""
    shown, hidden = [f"x({i})" for i in range(1, 5)], [f"h({i})" for i in range(1, 4)]
    lines = ["x(I) in 0..3 :- I in 1..4.", "h(I) in 0..3 :- I in 1..3.", "show x."]
    for _ in range(rng.randint(4, 8)):
        a, b = rng.choice(shown), rng.choice(hidden)
        c = rng.choice([variable for variable in shown + hidden if variable not in (a, b)])
        total = rng.randint(1, 5)
        texts = [f"{b} < {a}.", f"{a} < {b}.", f"{a} != {b}.", f"{a} + {b} = {total}.", f"abs({b} - {c}) = 1."]
        texts += [
            f"{a} + {b} + {c} >= {total}.",
            f"{a} = 0; {b} = {rng.randint(0, 3)}.",
            f"{a} + {c} != 3.",
        ]
        lines.append(rng.choice(texts))
    return "\n".join(lines)


def test_reasons_on_random_specs_are_minimal_and_lose_no_solution() -> None:
    reason_count = 0
    for seed in range(10 * TIMES):
        model = dsl.loads(random_spec(random.Random(seed)))
        solutions = [*every_solution(model)]
        for board, deduction in reasons_of(model) if solutions else ():
            reason_count += 1
            removed, placed = board.listed(deduction.removed), board.listed(deduction.placed)
            for solution in solutions:
                assert all(solution[variable] != value for variable, value in removed), (seed, deduction.text)
                assert all(solution[variable] == value for variable, value in placed), (seed, deduction.text)
            check_reason(board, deduction)
    assert reason_count > 5 * TIMES


def test_steps_of_joint_constraints_name_few_constraints_and_cells() -> None:
    walk = explain(Solver(dsl.load(EXAMPLES / "numbrix.csp", {"n": 4}, {"clue": NUMBRIX})))
    joint = [step for step in walk.steps if step.technique == "joint constraints"]
    assert walk.ending == "solved" and len(walk.steps) < 30 and len(joint) > 10
    assert all(len(step.constraints) <= MAX_CONSTRAINTS for step in joint)
    assert all(len({variable for variable, _ in step.pattern}) <= MAX_CELLS for step in joint)
    assert joint[0].sentence == (
        "joint constraints · "
        "by numbers and squares (line 20), step 2–3 and step 3–4 (line 21), as cell(1,2) = 2: "
        "3 is only in cell(1,1) and cell(1,3); 4 is only in cell(1,4), cell(2,1), cell(2,3) and cell(3,2)"
    )
    by = "by numbers and squares (line 20), step 13–14 and step 14–15 (line 21)"
    assert f"{by}, as 13 is only in cell(2,4), cell(3,3)" in str([step.sentence for step in joint])


def test_minimal_reasons_look_at_the_limit_before_each_run_of_a_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    walker = Walker(Solver(dsl.load(EXAMPLES / "kurotto.csp")))
    runs = looks = 0
    run = Sources._run

    def count_run(sources: Sources, number: int, domains: Sequence[int]) -> Sequence[int] | None:
        nonlocal runs
        runs += 1
        return run(sources, number, domains)

    def look(effort: Effort) -> None:
        nonlocal looks
        looks += 1
        if runs == 5:
            raise Stopped("the limit")

    monkeypatch.setattr(Sources, "_run", count_run)
    walker.view.progress = look
    with pytest.raises(Stopped):
        list(joint_constraints(walker.view))
    assert runs == 5
    assert looks >= 5


def test_few_propagations_find_and_shrink_the_reasons_of_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = suppositions = 0
    find_used, propagate = Sources.find_used, Suppositions._propagate

    def count_tests(*arguments: Any) -> Any:
        nonlocal tests
        tests += 1
        return find_used(*arguments)

    def count_suppositions(*arguments: Any) -> None:
        nonlocal suppositions
        suppositions += 1
        propagate(*arguments)

    monkeypatch.setattr(Sources, "find_used", count_tests)
    monkeypatch.setattr(Suppositions, "_propagate", count_suppositions)
    assert explain(Solver(dsl.load(EXAMPLES / "shakashaka.csp"))).ending == "solved"
    assert tests < 3_000 and suppositions < 600


def test_deletion_stops_once_the_limit_is_reached() -> None:
    tried: list[int] = []

    def find_enough(numbers: Sequence[int]) -> None:
        tried.append(len(numbers))

    assert shrink_by_deletion(range(100), find_enough, limit=7) == [*range(100)] and tried == [99] * 7
