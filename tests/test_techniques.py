"""Techniques: found where a library says so, and sound wherever they are found.

``PUZZLES=2000`` in the environment tries that many for soundness.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from math import isqrt
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp import Affine, AllDifferent, Candidate, Constraint, Equality, Model, Settings, Solver, Value, Variable, apply
from csp.explain.steps.board import Board
from csp.explain.steps.techniques import TABLE, TECHNIQUES
from csp.explain.steps.view import Deduction, View
from csp.explain.steps.walk import Step, Walker
from csp.model.constraints.linear import comparing
from dsl.puzzles.convert import puzzles
from dsl.syntax.errors import Source

from . import reglib
from .commands import run, spec
from .conftest import ROOT, TIMES
from .oracle import every_solution, every_sudoku
from .verdicts import records

PUZZLES = int(os.environ.get("PUZZLES", "5"))
STATES, STEPS = 4, 3
"""How many states of a puzzle are looked at, and how many steps of a technique in each."""

NODES = 2000

CORPUS = list(records(ROOT / "tests" / "data" / "techniques.jsonl"))
OWN = [
    record
    for path in sorted((ROOT / "tests" / "data").glob("*.jsonl"))
    if path.stem != "techniques"
    for record in records(path)
]

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
        answers = solver.solutions(settings=Settings(nodes=NODES))
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
    now = view.with_placed(bit)
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
    view = View.at_start(board, board.start(), truth.is_unique)
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
                assert view.after(step).unplaced != view.unplaced or view.after(step).live != view.live, where
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


@cache
def of_corpus(technique: str) -> tuple[Model, list[dict[str, Value]]]:
    """The puzzle of a line, and all its solutions, found by code that shares nothing with the solver."""
    (record,) = (one for one in CORPUS if one["technique"] == technique)
    if record["family"] == "sudoku":
        clues = record["grid"]
        n = isqrt(len(clues))
        grid = "\n".join(clues[i : i + n] for i in range(0, n * n, n))
        params = {"rows": {6: 2, 9: 3}[n], "cols": 3}
        return dsl.load(ROOT / "examples" / "sudoku.csp", params, {"clue": grid}), list(every_sudoku(clues))
    puzzle = dsl.loads(record["spec"])
    return puzzle, list(every_solution(puzzle))


def walker_of(puzzle: Model, names: Collection[str]) -> Walker:
    return Walker(Solver(puzzle), ladder=[one for one in TABLE if one.name in names], is_unique=True)


def candidates(step: Step) -> tuple[set[str], set[str]]:
    return {f"{v} = {value}" for v, value in step.placed}, {f"{v} = {value}" for v, value in step.removed}


def test_every_technique_has_a_line_of_the_corpus() -> None:
    assert [record["technique"] for record in CORPUS] == [technique.name for technique in TABLE]


@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["technique"])
def test_a_technique_finds_on_its_line_what_the_others_do_not(record: dict[str, Any]) -> None:
    """With the technique there is the step; without it, what the step finds is never found; and it is sound."""
    name, on = record["technique"], record["on"]
    puzzle, solutions = of_corpus(record["technique"])
    assert solutions and name not in on
    step = next((step for step in walker_of(puzzle, [name, *on]) if step.technique == name), None)
    assert step is not None and candidates(step) == (set(record["placed"]), set(record["removed"]))
    assert len(solutions) == 1 or not TECHNIQUES[name].on_request
    for solution in solutions:
        assert all(solution[variable] == value for variable, value in step.placed)
        assert all(solution[variable] != value for variable, value in step.removed)
    muted = walker_of(puzzle, on)
    steps = list(muted)
    assert name not in {one.technique for one in steps}
    assert all(value in muted.left[variable] for variable, value in step.removed)
    assert not set(step.placed) & {one for other in steps for one in other.placed}


@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["technique"])
def test_a_step_says_what_a_picture_needs(record: dict[str, Any]) -> None:
    """Nodes are live candidates; links join them, and a weak one is one that no solution has on at both ends."""
    puzzle, solutions = of_corpus(record["technique"])
    walker = walker_of(puzzle, [record["technique"], *record["on"]])
    before = walker.left
    for step in walker:
        if step.technique == record["technique"]:
            break
        before = walker.left
    named = [one.place for one in puzzle.constraints if one.label and one.place in step.reason]
    used = [*step.constraints, *(link.by for link in step.links if link.by is not None)]
    assert all(any(name in one.place for one in used) for name in named), "constraints that the reason names"
    told = json.loads(json.dumps(step.as_dict()))
    assert (told["nodes"] and told["sets"]) or told["links"]
    live = {(str(variable), value) for variable, values in before.items() for value in values}
    for node in told["nodes"]:
        assert node["candidates"] and isinstance(node["on"], bool)
        assert {(name, value) for name, value in node["candidates"] if name in puzzle.domains} <= live
    holds = [
        [any(solution[name] == value for name, value in node["candidates"]) for node in told["nodes"]]
        for solution in solutions
    ]
    for link in told["links"]:
        ends = [(one[link["from"]], one[link["to"]]) for one in holds]
        assert all(a or b for a, b in ends) if link["strong"] else not any(a and b for a, b in ends)
        assert link["by"] is None or link["by"]["name"]
    assert all(one["role"] in ROLES and one["cells"] for one in told["sets"]) and step.reason
    if record["technique"] in FISH:
        roles = Counter(one["role"] for one in told["sets"])
        assert roles["base"] == roles["cover"] == FISH[record["technique"]]
        assert (roles["fin"] == 1) == record["technique"].startswith(("finned", "sashimi"))
    if record["technique"] in ("X-chain", "XY-chain", "W-wing", "ALS chain", "chain with sets"):
        assert [link["strong"] for link in told["links"]] == [i % 2 == 0 for i in range(len(told["links"]))]


PAGE = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
ROLES = {
    role
    for row in PAGE.partition("\n| technique | nodes and links | roles of the sets |\n")[2].split("\n\n")[0].split("\n")
    for role in re.findall(r"`(\w+)`", row.rpartition(" | ")[2])
}
"""The table of the page has them all."""
FISH = {f"{kind}{name}": size for kind in ("", "finned ", "sashimi ") for name, size in
        (("X-wing", 2), ("swordfish", 3), ("jellyfish", 4))}  # fmt: skip


HIDDEN = (
    "cell(R, C) in 1..4 :- R in 1..4, C in 1..4.\n"
    '"row {R}": all_different(cell(R, C) : C in 1..4) :- R in 1..4.\n'
    '"column {C}": all_different(cell(R, C) : R in 1..4) :- C in 1..4.\n'
    '"box {B},{D}": all_different(cell(B + I, D + J) : I in 0..1, J in 0..1) :- B in {1, 3}, D in {1, 3}.\n'
    "cell(1, 1) = 1.  cell(1, 2) = 2.  cell(2, 1) = 3.  cell(2, 2) = 4.  cell(3, 1) = 2.\n"
    "cell(4, 1) = 4.  cell(3, 2) = 1.  cell(1, 3) = 3.  show cell(1, 4).\n"
)
"""One solution in what is shown, and several in all."""


def test_uniqueness_is_that_of_all_variables(tmp_path: Path) -> None:
    """What is not shown may differ, so that no argument from uniqueness holds."""
    path = spec(tmp_path, HIDDEN)
    assert Solver(dsl.loads(HIDDEN)).count().value == 1 < sum(1 for _ in every_hidden())
    refused = run("explain", path, "--uniqueness")
    assert refused.exit_code == 1 and not refused.stdout and "not shown" in refused.stderr


def every_hidden() -> Iterator[dict[str, Value]]:
    whole = dsl.loads(HIDDEN)
    return every_solution(Model({v: d for v, d in Solver(whole).propagate().domains.items()}, whole.constraints))


def small(rng: random.Random) -> Model:
    """A few variables with constraints that count, compare, add up and differ; often with several solutions."""
    names = [Variable(name) for name in "ABCDEF"[: rng.randint(4, 6)]]
    top = rng.choice([1, 3, 4])
    domains = {name: tuple(range(top + 1)) for name in names}
    rules: list[Constraint] = []
    for _ in range(rng.randint(2, 5)):
        some = rng.sample(names, rng.randint(2, min(4, len(names))))
        whole = sum((Affine.variable(name) for name in some), Affine())
        match rng.choice(["sum", "count", "far", "differ"]):
            case "sum":
                rules.append(comparing(whole, rng.choice(["=", "=", "<=", ">="]), Affine((), rng.randint(1, top * 2))))
            case "count":
                value = rng.choice(domains[some[0]])
                counted = apply("count", [Equality(name, value) for name in some])
                rules.append(comparing(counted, rng.choice(["=", "<=", ">="]), Affine((), rng.randint(1, 2))))
            case "far" if top > 1:
                one, other = (Affine.variable(name) for name in some[:2])
                rules.append(comparing(apply("abs", [one - other]), ">=", Affine((), 2)))
            case _ if top >= len(some):
                rules.append(AllDifferent.of(some))
    return Model(domains, rules)


def test_what_constraints_leave_is_sound() -> None:
    """The techniques that look at constraints, on random models, against every solution."""
    found: Counter[str] = Counter()
    for seed in range(60 * TIMES):
        puzzle = small(random.Random(seed))
        solutions = list(every_solution(puzzle))
        walker = Walker(Solver(puzzle), ladder=[one for one in TABLE if not one.on_request])
        if not solutions:
            continue
        for _ in range(12):
            view, board = walker.view, walker.board
            for technique in walker.ladder:
                for step in islice(technique.find(view), STEPS):
                    found[technique.name] += 1
                    for name, value in board.listed(step.removed):
                        assert all(one.get(name) != value for one in solutions), (seed, technique.name, step.text)
                    for name, value in board.listed(step.placed):
                        assert all(one.get(name, value) == value for one in solutions), (
                            seed,
                            technique.name,
                            step.text,
                        )
            if next(iter(walker), None) is None:
                break
        assert walker.ending != "no solution", seed
    assert {"count", "parity", "neighbours", "combinations", "direct exclusion", "shared counts"} <= found.keys()
