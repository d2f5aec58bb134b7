"""The first pass over a large puzzle comes to where the sweeps come, without their masks."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest

import csp
from csp import AllDifferent, Effort, Level, Model, Strategy, Value
from csp.engine.ask.engine import Engine
from csp.engine.compiled.kernel import Rest
from csp.engine.compiled.presolve import Presolve
from csp.engine.compiled.program import Program

N = 6


def boxes(rng: Random) -> Model:
    """Rows, columns and boxes of 2x3, some of them left out or without an element, so that it need not use a value."""
    cell = [[f"x{r}{c}" for c in range(N)] for r in range(N)]
    groups = [*cell, *map(list, zip(*cell, strict=True))]
    groups += [[cell[r + i][c + j] for i in (0, 1) for j in (0, 1, 2)] for r in (0, 2, 4) for c in (0, 3)]
    chosen = [rng.sample(group, rng.choice((N, N, N, N - 1))) for group in groups if rng.random() < 0.9]
    return Model({name: range(N) for name in chain(*cell)}, [AllDifferent.of(group) for group in chosen])


@pytest.mark.parametrize("level", ["arc", "singles"])
def test_presolved_is_where_the_sweeps_come(level: Level) -> None:
    rng, seen = Random(7), set()
    for _ in range(100):
        model = boxes(rng)
        program = Program(model, Strategy(level=level))
        engine, presolve = Engine(program), Presolve(program.layout, level != "arc")
        solution = csp.solve(model) if rng.random() < 0.8 else None
        names = rng.sample(sorted(model.domains), rng.randint(2, 18))
        givens: dict[str, Value] = {name: solution[name] if solution else rng.randrange(N) for name in names}
        root, effort = engine.root(givens), Effort()
        expected = program.kernel.sweep(root, Effort(), None)
        presolved = presolve.presolved(root, effort)
        found = program.kernel.sweep(presolved, Effort(), None)
        if isinstance(expected, Rest):
            assert isinstance(found, Rest) and found.state == expected.state
            assert presolved == expected.state
            seen.add("rest" if expected.state & program.layout.guards else "solved")
        else:
            assert not isinstance(found, Rest)
            seen.add("conflict")
    assert seen == {"rest", "solved", "conflict"}


def test_a_large_puzzle_that_needs_no_search_needs_no_masks() -> None:
    n = 16
    cell = [[f"x{r},{c}" for c in range(n)] for r in range(n)]
    groups = [*cell, *map(list, zip(*cell, strict=True))]
    solver = csp.Solver(Model({name: range(n) for name in chain(*cell)}, [AllDifferent.of(group) for group in groups]))
    square = {cell[r][c]: (r + c) % n for r in range(n) for c in range(n)}
    given = Random(1).sample(sorted(square), n * n * 3 // 4)
    answers = solver.solutions({name: square[name] for name in given})
    assert next(answers) == square
    assert answers.effort.fixes == n * n and not solver.program.exclusions.keep
