"""Tests that large models need few nodes and little memory."""

from __future__ import annotations

import random
import tracemalloc

import pytest

import csp
import dsl
from csp import Affine, AllDifferent, Model, Settings, Solver, Value, Variable
from csp.board.answer import answer_text
from csp.engine.compiled.kernel import Snapshot
from csp.engine.compiled.layout import WIDE, Layout
from csp.engine.compiled.program import CompiledModel
from csp.engine.compiled.wide import Popcount
from csp.engine.memory import Memory

from ..conftest import ROOT, Limits


def make_queens(n: int, shift: int = 1) -> Model:
    names = [f"q{i}" for i in range(n)]
    rising, falling = [
        AllDifferent(tuple(Affine.variable(name) + sign * shift * i for i, name in enumerate(names)))
        for sign in (1, -1)
    ]
    return Model({name: range(n) for name in names}, [AllDifferent.of(names), rising, falling])


def test_two_hundred_queens_need_hardly_any_failures() -> None:
    model = make_queens(200)
    answers = Solver(model).solutions()
    rows = list(next(answers).values())
    assert len({*rows}) == len({r + c for c, r in enumerate(rows)}) == len({r - c for c, r in enumerate(rows)}) == 200  # type: ignore[operator]
    assert answers.effort.nodes <= 220 and not answers.effort.restarts


def test_memory_of_a_program_grows_with_its_candidates() -> None:
    def measure_peak(n: int) -> int:
        model = make_queens(n)
        tracemalloc.start()
        CompiledModel(model, Settings())
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak_bytes

    measure_peak(4)
    small, large = measure_peak(75), measure_peak(150)
    assert large < 4.2 * small and large < 100 * 150 * 150  # bytes


def test_the_smallest_sets_equal_those_found_by_counting() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        begin, counts, state, waiting, first = {}, {}, 0, 0, 0
        for _ in range(rng.randint(1, 12)):
            size = rng.choice((rng.randint(0, 3), rng.randint(1, 70)))
            bits = [first + i for i in range(size) if rng.random() < 0.6]
            guard = first + size
            begin[guard] = first
            state |= sum(1 << bit for bit in bits)
            if rng.random() < 0.7:
                state |= 1 << guard
                waiting |= 1 << guard
                counts[guard] = len(bits)
            first = guard + 1
        fewest = sum(1 << guard for guard, count in counts.items() if count == min(counts.values()))
        assert Popcount(begin).fewest(Snapshot(state), Snapshot(waiting)) == fewest, seed


def test_both_methods_find_the_same_smallest_sets(limits: Limits) -> None:
    """Compare the smallest set found by either of two methods."""
    program = CompiledModel(make_queens(30), Settings())
    rng = random.Random(2)
    lengths = set()
    for _ in range(20):
        snapshot, results = program.layout.start, []
        for _ in range(rng.randint(1, 8)):
            snapshot = program.kernel.fix(snapshot, rng.choice([*program.layout.live(snapshot)]))
        if program.kernel.empty(snapshot):
            continue
        weights = [program.layout.guards & rng.getrandbits(snapshot.bit_length()) for _ in range(3)]
        for stripped in (1, 1000):
            limits("csp.engine.compiled.wide", STRIPPED=stripped)
            results.append(program.kernel.smallest(snapshot, weights))
        assert results[0] == results[1]
        lengths.add(len(results[0]))
    assert len(lengths) > 4


def test_values_of_a_wide_snapshot_equal_its_bits() -> None:
    layout = Layout({f"v{i}": range(40) for i in range(500)}, {}, 1 << 27, Memory(1 << 20))  # type: ignore[misc]
    assert layout.length > WIDE
    rng = random.Random(1)
    value_masks = [rng.getrandbits(40) & rng.getrandbits(40) | 1 << rng.randrange(40) for _ in range(500)]
    snapshot = Snapshot(sum(mask << first for mask, first in zip(value_masks, layout.first, strict=True)))
    assert [layout.values(snapshot, number) for number in range(500)] == value_masks
    assert [*layout.changed_domains(snapshot, layout.start)] == [
        (n, mask) for n, mask in enumerate(value_masks) if mask != (1 << 40) - 1
    ]


def test_a_candidate_excludes_the_squares_that_its_queen_attacks() -> None:
    n = 9
    model = make_queens(n, shift=2)
    program = CompiledModel(model, Settings())
    layout = program.layout
    for column, row in ((0, 0), (4, 4), (8, 2)):
        snapshot = program.kernel.fix(layout.start, layout.first[column] + row)
        remaining = {
            (c, int(layout.domains[c][i])) for c in range(n) for i in range(n) if layout.values(snapshot, c) >> i & 1
        }
        unattacked = {
            (c, r)
            for c in range(n)
            for r in range(n)
            if c != column and r != row and abs(r - row) != 2 * abs(c - column)
        }
        assert remaining == unattacked | {(column, row)}


def test_wide_nodes_end_the_patience_of_the_tree(limits: Limits) -> None:
    """Check that the learner solves the residual, also with very many candidates."""
    model = make_queens(30)
    patient_answers = Solver(model).solutions()
    first = next(patient_answers)
    assert patient_answers.effort.failures > 20 and model.check(first) and not patient_answers.effort.literals
    limits("csp.engine.search.learner", MANY_CANDIDATES=0)
    hasty_answers = Solver(model, settings=Settings(patience=0)).solutions()
    assert model.check(next(hasty_answers)) and hasty_answers.effort.literals > 0
    learned_answers = Solver(make_queens(6)).solutions(settings=Settings(search="learn"))
    assert len({tuple(solution.values()) for solution in learned_answers}) == 4
    assert len({tuple(solution.values()) for solution in Solver(make_queens(7)).solutions()}) == 40


def test_a_search_with_an_event_log_returns_the_same_first_solution() -> None:
    """Solve a Latin square with few open rows.

    The residual model has only groups over parts of the domains, and they are no blocks.
    """
    n = 50
    square = {f"c{i}_{j}": (i + j) % n for i in range(n) for j in range(n)}
    lines = [[f"c{i}_{j}" for j in range(n)] for i in range(n)] + [[f"c{i}_{j}" for i in range(n)] for j in range(n)]
    solver = Solver(Model(dict.fromkeys(square, range(n)), [AllDifferent.of(line) for line in lines]))
    givens: dict[str, Value] = {cell: square[cell] for line in lines[12:n] for cell in line}
    assert next(solver.solutions(givens)) == next(solver.solutions(givens, log=[]))


def test_a_sparse_board_makes_no_variables_for_empty_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[object] = []
    monkeypatch.setattr("csp.board.answer.Variable", lambda *parts: created.append(parts) or Variable(*parts))
    model = dsl.load(ROOT / "examples" / "queens.csp", params={"n": 30})
    solution = csp.solve(model)
    assert solution is not None
    rows = answer_text(model, solution).splitlines()
    assert [row.count("Q") for row in rows] == [1] * 30 and {len(row.split()) for row in rows} == {30} and not created
