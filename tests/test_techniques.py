"""Techniques: found where a library says so, and sound wherever they are found.

``PUZZLES=2000`` in the environment tries that many for soundness.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from functools import cache
from itertools import islice

import pytest

import dsl
from csp import Candidate, Equality, Model, Solver, Strategy
from csp.explain.steps.board import Board
from csp.explain.steps.techniques import TABLE
from csp.explain.steps.view import Deduction, View
from dsl.puzzles.convert import puzzles
from dsl.text.errors import Source

from . import reglib
from .conftest import ROOT
from .verdicts import records

PUZZLES = int(os.environ.get("PUZZLES", "5"))
STATES, STEPS = 4, 3
"""How many states of a puzzle are looked at, and how many steps of a technique in each."""

NODES = 2000

OWN = [record for path in sorted((ROOT / "tests" / "data").glob("*.jsonl")) for record in records(path)]

with_library = pytest.mark.skipif(not reglib.LIBRARY.exists(), reason="the library is not beside the project")


@with_library
@pytest.mark.parametrize("family", reglib.EXACT)
def test_the_library_is_met_exactly(family: str) -> None:
    own = [line for line in reglib.lines() if line.family == family]
    assert own
    for line in own:
        assert reglib.is_found(line) and (line.must_fail or reglib.is_alone(line)), line.number


@with_library
def test_most_of_the_library_is_found() -> None:
    lines = list(reglib.lines())
    assert sum(map(reglib.is_found, lines)) >= MOST * len(lines)


@with_library
def test_where_the_library_says_that_nothing_is_found_nothing_is() -> None:
    assert all(reglib.is_found(line) for line in reglib.lines() if line.must_fail and line.family in reglib.FAMILIES)


MOST = 0.85
"""How much of the library is found at least."""


@cache
def model(number: int) -> Model:
    record = {key: value for key, value in OWN[number].items() if key != "solution"}
    (puzzle,) = puzzles(Source("record", json.dumps(record)))
    return dsl.loads(puzzle.spec())


class Truth:
    """Which candidates occur in a solution, asked of the solver one by one."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._known: dict[Candidate, bool] = {}
        answers = solver.solutions(strategy=Strategy(nodes=NODES))
        self.found = [dict(solution) for solution in islice(answers, 2)]
        self.is_unique = len(self.found) == 1 and answers.complete
        for solution in self.found:
            self._known |= dict.fromkeys(solution.items(), True)  # type: ignore[arg-type]

    def holds(self, candidate: Candidate) -> bool:
        if candidate not in self._known:
            name, value = candidate
            self._known[candidate] = not self.is_unique and self._solver.solve({name: value}) is not None
        return self._known[candidate]


def loosened(rng: random.Random, whole: Model) -> Model:
    """A puzzle with some of its givens, or all of them."""
    share = rng.choice([0.0, 0.0, 0.1, 0.3])
    given = [isinstance(one, Equality) and len(one.scope) == 1 for one in whole.constraints]
    kept = [
        one for one, is_given in zip(whole.constraints, given, strict=True) if not is_given or rng.random() >= share
    ]
    return Model(whole.domains, kept, whole.show)


def replay(view: View, supposition: Deduction) -> None:
    """Make the steps inside a supposition, and no others: each finds gone what it builds on, and nothing is left."""
    (bit,) = reglib.bits(supposition.pattern)
    now = view.placing(bit)
    for name, step in supposition.inside:
        assert not step.absent & now.live, f"{supposition.text}: {step.text}"
        if name == "contradiction":
            replay(now, step)
        now = now.after(step)
    assert supposition.inside[-1][0] == "conflict" and supposition.inside[-1][1].absent


def check(seed: int) -> Counter[str]:
    """Apply every technique to some states of a puzzle; how often each has found something."""
    rng = random.Random(seed)
    number = rng.randrange(len(OWN))
    solver = Solver(loosened(rng, model(number)))
    truth, board = Truth(solver), Board(solver.program)
    view = View.begun(board, board.start(), truth.is_unique)
    found: Counter[str] = Counter()
    own = {variable for variable in solver.model.domains}
    for _ in range(STATES):
        steps = []
        for technique in TABLE:
            if technique.name == "contradiction" and len(board.candidates) > 800:
                continue
            for step in islice(technique.find(view), STEPS):
                steps.append(step)
                found[technique.name] += 1
                where = f"{OWN[number]['id']}, seed {seed}: {technique.name}: {step.text}"
                assert step.placed or step.removed, where
                assert not step.removed & ~view.live and not step.placed & ~view.live, where
                assert step.placed & ~view.placed or step.removed, where
                for candidate in board.listed(step.removed):
                    assert candidate[0] not in own or not truth.found or not truth.holds(candidate), where
                for variable, value in board.listed(step.placed):
                    others = [(variable, other) for other in solver.program.domains[variable] if other != value]
                    if variable in own and truth.found:
                        assert not any(map(truth.holds, others)), where
                if technique.supposes:
                    replay(view, step)
                assert view.after(step).open != view.open or view.after(step).live != view.live, where
        if not steps:
            break
        for step in rng.sample(steps, rng.randint(1, len(steps))):
            view = view.after(step)
        while rng.random() < 0.9 and (single := next(TABLE[1].find(view), None)):
            view = view.after(single)
    return found


def test_no_technique_removes_what_a_solution_has() -> None:
    found: Counter[str] = Counter()
    for seed in range(PUZZLES):
        found += check(seed)
    rare = {technique.name for technique in TABLE} - found.keys()
    assert PUZZLES < 1000 or not rare, rare
    assert len(found) > 10
