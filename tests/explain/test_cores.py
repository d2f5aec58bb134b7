"""Test that reasons by search are sound and minimal, and that little work finds them."""

from __future__ import annotations

import random

import pytest

import dsl
from csp import Model, Solver, Value, Variable
from csp.explain import Walker, explain
from csp.explain.steps.board import Board, View
from csp.explain.steps.cores import Cores, unsatisfiable_cores
from csp.explain.steps.minimal import MinimalReason, minimal_reasons
from csp.explain.steps.supposing import Suppositions, SuppositionTree

from ..commands import EXAMPLES
from ..conftest import TIMES
from ..evidence import assert_path_without_supposition
from ..oracle import every_solution


def random_parities(rng: random.Random) -> Model:
    """Return a model of random parities, which propagation alone seldom refutes."""
    names = [*(f"x({i})" for i in range(1, 7)), *(f"h({i})" for i in range(1, 4))]
    lines = ["x(I) in 0..1 :- I in 1..6.", "h(I) in 0..1 :- I in 1..3.", "show x."]
    lines.append(f"x({rng.randint(1, 6)}) = {rng.randint(0, 1)}.")
    for _ in range(8):
        total = " + ".join(rng.sample(names, 3))
        lines.append(f"{total} in {{{rng.choice(['1, 3', '0, 2'])}}}.")
    return dsl.loads("\n".join(lines))


def excludes(board: Board, reason: MinimalReason, constraints: list[int], cells: list[Variable]) -> bool:
    """Return whether constraints and known cells alone exclude the candidates that a reason removes."""
    absent = [(variable, value) for variable, value in board.listed(reason.absent) if variable in cells]
    domains: dict[Variable, tuple[Value, ...]] = {
        variable: tuple(value for value in domain if (variable, value) not in absent)
        for variable, domain in board.program.model.domains.items()
    }
    solutions = [*every_solution(Model(domains, [board.constraints[number] for number in constraints]))]
    removed = board.listed(reason.removed)
    return not any(solution[variable] == value for solution in solutions for variable, value in removed)


def test_a_searched_reason_excludes_its_candidates_and_needs_all_that_it_names() -> None:
    count = 0
    for seed in range(20 * TIMES):
        walker = Walker(Solver(random_parities(random.Random(seed))))
        board = walker.board
        for reason in unsatisfiable_cores(board).find(walker.view):
            count += 1
            constraints = [*reason.constraints]
            cells = [*dict.fromkeys([variable for variable, _ in board.listed(reason.absent)])]
            assert excludes(board, reason, constraints, cells), seed
            for number in constraints:
                assert not excludes(board, reason, [each for each in constraints if each != number], cells), seed
            for cell in cells:
                assert not excludes(board, reason, constraints, [each for each in cells if each != cell]), seed
    assert count > 15 * TIMES


def test_the_distance_of_a_constraint_counts_the_constraints_on_the_way_but_ends_at_a_large_one() -> None:
    lines = ["x(I) in 0..1 :- I in 1..20.", "x(I) != x(I + 1) :- I in 1..5.", "sum(x(I) : I in 5..18) = 7."]
    board = Board(Solver(dsl.loads("\n".join([*lines, "x(19) != x(20).", "x(18) != x(19)."]))).program)
    distances = minimal_reasons(board).sources.distances(0)
    # The sum after x(5) ends the way, so that no way leads to the last two constraints.
    assert [distances[number] for number in sorted(distances)] == [1, 2, 3, 4, 5, 5, 7, 7]


@pytest.mark.parametrize("name", ["kurotto", "tetrochain", "statue_park"][: 1 + TIMES // 2 * 2])
def test_hard_puzzles_are_explained_without_supposition_by_little_search(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = searches = 0
    search, find = Suppositions._search, Cores.find

    def count_nodes(*arguments: object) -> SuppositionTree:
        nonlocal nodes
        nodes += 1
        return search(*arguments)  # type: ignore[arg-type]

    def count_searches(cores: Cores, view: View) -> list[MinimalReason]:
        nonlocal searches
        searches += 1
        return find(cores, view)

    monkeypatch.setattr(Suppositions, "_search", count_nodes)
    monkeypatch.setattr(Cores, "find", count_searches)
    solver = Solver(dsl.load(EXAMPLES / f"{name}.csp"))
    walk = explain(solver)
    assert_path_without_supposition(walk, solver.solve())
    # Each search gives several steps, and the search for cases before it ends soon.
    searched = [step for step in walk.steps if step.reason.endswith("whatever the other cells have")]
    assert 0 < searches < len(searched)
    assert nodes < 4_000
