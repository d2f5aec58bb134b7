"""Large models: what they cost, in counts and in memory. ``tests/benchmarks`` has the clocks."""

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

from .conftest import ROOT, Limits


def queens(n: int, shift: int = 1) -> Model:
    names = [f"q{i}" for i in range(n)]
    rising, falling = [
        AllDifferent(tuple(Affine.variable(name) + sign * shift * i for i, name in enumerate(names)))
        for sign in (1, -1)
    ]
    return Model({name: range(n) for name in names}, [AllDifferent.of(names), rising, falling])


def test_two_hundred_queens_cost_hardly_a_failure() -> None:
    model = queens(200)
    answers = Solver(model).solutions()
    rows = list(next(answers).values())
    assert len({*rows}) == len({r + c for c, r in enumerate(rows)}) == len({r - c for c, r in enumerate(rows)}) == 200  # type: ignore[operator]
    assert answers.effort.nodes <= 220 and not answers.effort.restarts


def test_a_program_grows_with_its_candidates() -> None:
    def peak(n: int) -> int:
        model = queens(n)
        tracemalloc.start()
        CompiledModel(model, Settings())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(4)
    small, large = peak(75), peak(150)
    assert large < 4.2 * small and large < 100 * 150 * 150  # bytes; integers of gmpy2 are not seen


def test_the_smallest_lines_are_those_that_counting_finds() -> None:
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


def test_long_lines_are_branched_on_as_short_ones_are(limits: Limits) -> None:
    """Whichever way the smallest line is found, it is the same."""
    program = CompiledModel(queens(30), Settings())
    rng = random.Random(2)
    lengths = set()
    for _ in range(20):
        state, found = program.layout.start, []
        for _ in range(rng.randint(1, 8)):
            state = program.kernel.restrict(state, rng.choice([*program.layout.live(state)]))
        if program.kernel.empty(state):
            continue
        weights = [program.layout.guards & rng.getrandbits(state.bit_length()) for _ in range(3)]
        for stripped in (1, 1000):
            limits("csp.engine.compiled.wide", STRIPPED=stripped)
            found.append(program.kernel.smallest(state, weights))
        assert found[0] == found[1]
        lengths.add(len(found[0]))
    assert len(lengths) > 4


def test_values_of_a_wide_state_are_those_of_its_bits() -> None:
    layout = Layout({f"v{i}": range(40) for i in range(500)}, {}, 1 << 27, Memory(1 << 20))  # type: ignore[misc]
    assert layout.length > WIDE
    rng = random.Random(1)
    kept = [rng.getrandbits(40) & rng.getrandbits(40) | 1 << rng.randrange(40) for _ in range(500)]
    state = Snapshot(sum(one << first for one, first in zip(kept, layout.first, strict=True)))
    assert [layout.values(state, number) for number in range(500)] == kept
    assert [*layout.changed_domains(state, layout.start)] == [
        (n, one) for n, one in enumerate(kept) if one != (1 << 40) - 1
    ]


def test_groups_of_expressions_tell_what_a_candidate_excludes() -> None:
    n = 9
    model = queens(n, shift=2)
    program = CompiledModel(model, Settings())
    layout = program.layout
    for column, row in ((0, 0), (4, 4), (8, 2)):
        state = program.kernel.restrict(layout.start, layout.first[column] + row)
        left = {(c, int(layout.domains[c][i])) for c in range(n) for i in range(n) if layout.values(state, c) >> i & 1}
        apart = {
            (c, r)
            for c in range(n)
            for r in range(n)
            if c != column and r != row and abs(r - row) != 2 * abs(c - column)
        }
        assert left == apart | {(column, row)}


def test_a_wide_node_wears_the_patience_out(limits: Limits) -> None:
    """What is handed over then is still solved, also as very many candidates are."""
    model = queens(30)
    patient = Solver(model).solutions()
    first = next(patient)
    assert patient.effort.failures > 20 and model.check(first) and not patient.effort.literals
    limits("csp.engine.search.learner", MANY_CANDIDATES=0)
    hasty = Solver(model, settings=Settings(patience=0)).solutions()
    assert model.check(next(hasty)) and hasty.effort.literals > 0
    assert len({tuple(one.values()) for one in Solver(queens(6)).solutions(settings=Settings(search="learn"))}) == 4
    assert len({tuple(one.values()) for one in Solver(queens(7)).solutions()}) == 40


def test_what_is_left_of_a_large_model_is_tried_in_order() -> None:
    """The small model has groups over what is left of domains, which are no blocks, and nothing else."""
    n = 50
    square = {f"c{i}_{j}": (i + j) % n for i in range(n) for j in range(n)}
    lines = [[f"c{i}_{j}" for j in range(n)] for i in range(n)] + [[f"c{i}_{j}" for i in range(n)] for j in range(n)]
    solver = Solver(Model(dict.fromkeys(square, range(n)), [AllDifferent.of(line) for line in lines]))
    givens: dict[str, Value] = {cell: square[cell] for line in lines[12:n] for cell in line}
    assert next(solver.solutions(givens)) == next(solver.solutions(givens, log=[]))


def test_a_board_of_few_signs_makes_no_variable_for_each_empty_place(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr("csp.board.answer.Variable", lambda *parts: made.append(parts) or Variable(*parts))
    model = dsl.load(ROOT / "examples" / "queens.csp", params={"n": 30})
    solution = csp.solve(model)
    assert solution is not None
    rows = answer_text(model, solution).splitlines()
    assert [row.count("Q") for row in rows] == [1] * 30 and {len(row.split()) for row in rows} == {30} and not made
