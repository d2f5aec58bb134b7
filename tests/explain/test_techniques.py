"""Test that techniques are found in their puzzles and are sound.

``PUZZLES=2000`` in the environment sets how many puzzles are tested for soundness.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import islice
from math import isqrt
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp import Affine, AllDifferent, Candidate, Constraint, Equality, Model, Settings, Solver, Value, Variable, apply
from csp.engine.compiled.kernel import Stable
from csp.engine.effort import Budget, Effort
from csp.explain.steps.board import Board, Deduction, View
from csp.explain.steps.supposing import Suppositions
from csp.explain.steps.techniques import TABLE, TECHNIQUES
from csp.explain.steps.walk import Step, Walker
from csp.model.algebra import comparing
from dsl.puzzles.convert import puzzles
from dsl.syntax.errors import Source

from .. import reglib
from ..commands import EXAMPLES, run, spec
from ..conftest import ROOT, TIMES
from ..oracle import every_solution, every_sudoku
from ..verdicts import records

PUZZLES = int(os.environ.get("PUZZLES", "2"))
SNAPSHOTS, STEPS = 4, 3
"""Number of snapshots of a puzzle, and steps of a technique in each."""

NODES = 2000

CORPUS = list(records(ROOT / "tests" / "data" / "techniques.jsonl"))
PUZZLE_RECORDS = [
    record
    for path in sorted((ROOT / "tests" / "data").glob("*.jsonl"))
    if path.stem != "techniques"
    for record in records(path)
]

needs_library = pytest.mark.skipif(not reglib.LIBRARY.exists(), reason="the library is not beside the project")


@needs_library
@pytest.mark.parametrize("family", reglib.EXACT)
def test_exact_families_of_the_library_are_found_alone(family: str) -> None:
    lines = [line for line in reglib.lines() if line.family == family]
    assert lines
    for line in lines:
        assert reglib.is_found(line) and (line.must_fail or reglib.is_alone(line)), line.number


@needs_library
def test_most_steps_of_the_library_are_found() -> None:
    lines = list(reglib.lines())
    assert sum(map(reglib.is_found, lines)) >= MOST * len(lines)


@needs_library
def test_lines_of_the_library_without_a_step_have_none() -> None:
    assert all(reglib.is_found(line) for line in reglib.lines() if line.must_fail and line.family in reglib.FAMILIES)


MOST = 0.98
"""Minimum share of the steps of the library that are found."""


@cache
def load_model(number: int) -> Model:
    record = {key: value for key, value in PUZZLE_RECORDS[number].items() if key != "solution"}
    (puzzle,) = puzzles(Source("record", json.dumps(record)))
    return dsl.loads(puzzle.spec())


class KnownCandidates:
    """The candidates in solutions of a solver, tested on demand."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._known: dict[Candidate, bool] = {}
        answers = solver.solutions(settings=Settings(nodes=NODES))
        self.solutions = [dict(solution) for solution in islice(answers, 2)]
        self.is_unique = len(self.solutions) == 1 and answers.complete
        for solution in self.solutions:
            self._known |= dict.fromkeys(solution.items(), True)  # type: ignore[arg-type]

    def holds(self, candidate: Candidate) -> bool:
        if candidate not in self._known:
            name, value = candidate
            self._known[candidate] = not self.is_unique and self._solver.solve({name: value}) is not None
        return self._known[candidate]


def remove_givens(rng: random.Random, model: Model) -> Model:
    """Return the model without some of its givens, chosen at random."""
    share = rng.choice([0.0, 0.0, 0.1, 0.3])
    given = [isinstance(constraint, Equality) and len(constraint.scope) == 1 for constraint in model.constraints]
    constraints = [
        constraint
        for constraint, is_given in zip(model.constraints, given, strict=True)
        if not is_given or rng.random() >= share
    ]
    return Model(model.domains, constraints, model.show)


def replay(view: View, supposition: Deduction) -> None:
    """Replay the steps of a supposition; check that they end in conflict."""
    (bit,) = reglib.bits(supposition.pattern)
    current = view.with_placed(bit)
    for name, step in supposition.inside:
        assert not step.absent & current.live, f"{supposition.text}: {step.text}"
        if name == "contradiction":
            replay(current, step)
        current = current.after(step)
    assert supposition.inside[-1][0] == "conflict" and supposition.inside[-1][1].absent


def check_techniques(seed: int) -> Counter[str]:
    """Apply every technique to snapshots of a puzzle.

    Return how often each technique found a step.
    """
    rng = random.Random(seed)
    number = rng.randrange(len(PUZZLE_RECORDS))
    solver = Solver(remove_givens(rng, load_model(number)))
    oracle, board = KnownCandidates(solver), Board(solver.program)
    view = View.at_start(board, board.start(), oracle.is_unique)
    counts: Counter[str] = Counter()
    variables = {variable for variable in solver.model.domains}
    for _ in range(SNAPSHOTS):
        steps = []
        for technique in TABLE:
            if technique.name == "contradiction" and len(board.candidates) > 800:
                continue
            for step in islice(technique.find(view), STEPS):
                steps.append(step)
                counts[technique.name] += 1
                where = f"{PUZZLE_RECORDS[number]['id']}, seed {seed}: {technique.name}: {step.text}"
                # The step changes live candidates.
                assert step.placed or step.removed, where
                assert not step.removed & ~view.live and not step.placed & ~view.live, where
                assert step.placed & ~view.placed or step.removed, where
                # No solution has a removed candidate; every solution has a placed one.
                for candidate in board.listed(step.removed):
                    assert candidate[0] not in variables or not oracle.solutions or not oracle.holds(candidate), where
                for variable, value in board.listed(step.placed):
                    other_candidates = [
                        (variable, other_value)
                        for other_value in solver.program.domains[variable]
                        if other_value != value
                    ]
                    if variable in variables and oracle.solutions:
                        assert not any(map(oracle.holds, other_candidates)), where
                if technique.supposes:
                    replay(view, step)
                assert view.after(step).unplaced != view.unplaced or view.after(step).live != view.live, where
        # Go on to another snapshot by random steps and single values.
        if not steps:
            break
        for step in rng.sample(steps, rng.randint(1, len(steps))):
            view = view.after(step)
        while rng.random() < 0.9 and (single := next(TABLE[1].find(view), None)):
            view = view.after(single)
    return counts


def test_no_technique_removes_a_value_of_a_solution() -> None:
    counts: Counter[str] = Counter()
    for seed in range(PUZZLES):
        counts += check_techniques(seed)
    rare = {technique.name for technique in TABLE} - counts.keys()
    assert PUZZLES < 1000 or not rare, rare
    assert len(counts) > 10


@cache
def of_corpus(technique: str) -> tuple[Model, list[dict[str, Value]]]:
    """Return the puzzle of a technique and its solutions, by brute force."""
    (record,) = (line for line in CORPUS if line["technique"] == technique)
    if record["family"] == "sudoku":
        clues = record["grid"]
        n = isqrt(len(clues))
        grid = "\n".join(clues[i : i + n] for i in range(0, n * n, n))
        params = {"rows": {6: 2, 9: 3}[n], "cols": 3}
        return dsl.load(ROOT / "examples" / "sudoku.csp", params, {"clue": grid}), list(every_sudoku(clues))
    puzzle = dsl.loads(record["spec"])
    return puzzle, list(every_solution(puzzle))


def walker_of(puzzle: Model, names: Collection[str]) -> Walker:
    return Walker(Solver(puzzle), ladder=[technique for technique in TABLE if technique.name in names], is_unique=True)


def show_candidates(step: Step) -> tuple[set[str], set[str]]:
    return {f"{v} = {value}" for v, value in step.placed}, {f"{v} = {value}" for v, value in step.removed}


def test_every_technique_has_a_line_of_the_corpus() -> None:
    names = [record["technique"] for record in CORPUS]
    assert names == [technique.name for technique in TABLE], "tests/data/techniques.jsonl: a line for each, in order"


@pytest.mark.sampled
@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["technique"])
def test_a_technique_finds_a_sound_step_that_its_helpers_do_not_find(record: dict[str, Any]) -> None:
    name, helpers = record["technique"], record["on"]
    puzzle, solutions = of_corpus(record["technique"])
    assert solutions and name not in helpers
    step = next((step for step in walker_of(puzzle, [name, *helpers]) if step.technique == name), None)
    assert step is not None and show_candidates(step) == (set(record["placed"]), set(record["removed"]))
    assert len(solutions) == 1 or not TECHNIQUES[name].needs_uniqueness
    for solution in solutions:
        assert all(solution[variable] == value for variable, value in step.placed)
        assert all(solution[variable] != value for variable, value in step.removed)
    walker = walker_of(puzzle, helpers)
    steps = list(walker)
    assert name not in {later_step.technique for later_step in steps}
    assert all(value in walker.left[variable] for variable, value in step.removed)
    assert not set(step.placed) & {candidate for later_step in steps for candidate in later_step.placed}


@pytest.mark.sampled
@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["technique"])
def test_a_step_contains_the_nodes_links_and_sets_of_its_picture(record: dict[str, Any]) -> None:
    """Check that nodes are live and links hold in all solutions."""
    puzzle, solutions = of_corpus(record["technique"])
    walker = walker_of(puzzle, [record["technique"], *record["on"]])
    # Walk to the first step of the technique; keep the candidates before it.
    before = walker.left
    for step in walker:
        if step.technique == record["technique"]:
            break
        before = walker.left
    named_places = [rule.place for rule in puzzle.constraints if rule.label and rule.place in step.reason]
    constraints = [*step.constraints, *(link.by for link in step.links if link.by is not None)]
    assert all(any(name in rule.place for rule in constraints) for name in named_places), (
        "constraints that the reason names"
    )
    fields = json.loads(json.dumps(step.as_dict()))
    assert (fields["nodes"] and fields["sets"]) or fields["links"]
    # Nodes are sets of live candidates.
    live = {(str(variable), value) for variable, values in before.items() for value in values}
    for node in fields["nodes"]:
        assert node["candidates"] and isinstance(node["on"], bool)
        assert {(name, value) for name, value in node["candidates"] if name in puzzle.domains} <= live
    # A strong link has an end that holds; a weak link has one that does not.
    holds = [
        [any(solution[name] == value for name, value in node["candidates"]) for node in fields["nodes"]]
        for solution in solutions
    ]
    for link in fields["links"]:
        ends = [(values[link["from"]], values[link["to"]]) for values in holds]
        assert all(a or b for a, b in ends) if link["strong"] else not any(a and b for a, b in ends)
        assert link["by"] is None or link["by"]["name"]
    assert all(cell_set["role"] in ROLES and cell_set["cells"] for cell_set in fields["sets"]) and step.reason
    if record["technique"] in FISH:
        roles = Counter(cell_set["role"] for cell_set in fields["sets"])
        assert roles["base"] == roles["cover"] == FISH[record["technique"]]
        assert (roles["fin"] == 1) == record["technique"].startswith(("finned", "sashimi"))
    if record["technique"] in COMPLEX_FISH:
        roles = Counter(cell_set["role"] for cell_set in fields["sets"])
        assert roles["base"] == roles["cover"] == COMPLEX_FISH[record["technique"]] and roles["fin"] <= 1
    if record["technique"] in ("X-chain", "XY-chain", "W-wing", "ALS chain", "chain with sets"):
        assert [link["strong"] for link in fields["links"]] == [i % 2 == 0 for i in range(len(fields["links"]))]


PAGE = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
ROLES = {
    role
    for row in PAGE.partition("\n| technique | nodes and links | roles of the sets |\n")[2].split("\n\n")[0].split("\n")
    for role in re.findall(r"`(\w+)`", row.rpartition(" | ")[2])
}
"""Roles of sets, read from the table of docs/explain.md."""
FISH = {f"{kind}{name}": size for kind in ("", "finned ", "sashimi ") for name, size in
        (("X-wing", 2), ("swordfish", 3), ("jellyfish", 4))}  # fmt: skip
COMPLEX_FISH = {f"{kind} {name}": size for kind in ("Franken", "mutant") for name, size in
                (("X-wing", 2), ("swordfish", 3), ("jellyfish", 4), ("squirmbag", 5), ("whale", 6))}  # fmt: skip


HIDDEN = (
    "cell(R, C) in 1..4 :- R in 1..4, C in 1..4.\n"
    '"row {R}": all_different(cell(R, C) : C in 1..4) :- R in 1..4.\n'
    '"column {C}": all_different(cell(R, C) : R in 1..4) :- C in 1..4.\n'
    '"box {B},{D}": all_different(cell(B + I, D + J) : I in 0..1, J in 0..1) :- B in {1, 3}, D in {1, 3}.\n'
    "cell(1, 1) = 1.  cell(1, 2) = 2.  cell(2, 1) = 3.  cell(2, 2) = 4.  cell(3, 1) = 2.\n"
    "cell(4, 1) = 4.  cell(3, 2) = 1.  cell(1, 3) = 3.  show cell(1, 4).\n"
)
"""A spec with one solution in its shown variables and several in all variables."""


def test_uniqueness_is_refused_when_hidden_variables_differ(tmp_path: Path) -> None:
    path = spec(tmp_path, HIDDEN)
    assert Solver(dsl.loads(HIDDEN)).count().value == 1 < sum(1 for _ in solve_hidden())
    refused = run("explain", path, "--uniqueness")
    assert refused.exit_code == 1 and not refused.stdout and "in all variables, including hidden ones" in refused.stderr


def solve_hidden() -> Iterator[dict[str, Value]]:
    model = dsl.loads(HIDDEN)
    return every_solution(Model({v: d for v, d in Solver(model).propagate().domains.items()}, model.constraints))


def make_small_model(rng: random.Random) -> Model:
    """Return a few variables with random constraints, often with several solutions."""
    names = [Variable(name) for name in "ABCDEF"[: rng.randint(4, 6)]]
    top = rng.choice([1, 3, 4])
    domains = {name: tuple(range(top + 1)) for name in names}
    rules: list[Constraint] = []
    for _ in range(rng.randint(2, 5)):
        scope = rng.sample(names, rng.randint(2, min(4, len(names))))
        total = sum((Affine.variable(name) for name in scope), Affine())
        match rng.choice(["sum", "count", "far", "differ"]):
            case "sum":
                rules.append(comparing(total, rng.choice(["=", "=", "<=", ">="]), Affine((), rng.randint(1, top * 2))))
            case "count":
                value = rng.choice(domains[scope[0]])
                counted = apply("count", [Equality(name, value) for name in scope])
                rules.append(comparing(counted, rng.choice(["=", "<=", ">="]), Affine((), rng.randint(1, 2))))
            case "far" if top > 1:
                first, second = (Affine.variable(name) for name in scope[:2])
                rules.append(comparing(apply("abs", [first - second]), ">=", Affine((), 2)))
            case _ if top >= len(scope):
                rules.append(AllDifferent.of(scope))
    return Model(domains, rules)


def test_steps_from_constraints_are_sound_on_random_models() -> None:
    """Compare each step with every solution, found by brute force."""
    counts: Counter[str] = Counter()
    for seed in range(60 * TIMES):
        puzzle = make_small_model(random.Random(seed))
        solutions = list(every_solution(puzzle))
        walker = Walker(Solver(puzzle), ladder=[technique for technique in TABLE if not technique.on_request])
        if not solutions:
            continue
        for _ in range(12):
            view, board = walker.view, walker.board
            for technique in walker.ladder:
                for step in islice(technique.find(view), STEPS):
                    counts[technique.name] += 1
                    for name, value in board.listed(step.removed):
                        assert all(solution.get(name) != value for solution in solutions), (
                            seed,
                            technique.name,
                            step.text,
                        )
                    for name, value in board.listed(step.placed):
                        assert all(solution.get(name, value) == value for solution in solutions), (
                            seed,
                            technique.name,
                            step.text,
                        )
            if next(iter(walker), None) is None:
                break
        assert walker.ending != "no solution", seed
    assert {"count", "parity", "neighbours", "combinations", "direct exclusion", "shared counts"} <= counts.keys()


@pytest.mark.parametrize("name", ["slitherlink", "tapa"])
def test_suppositions_run_no_propagator_again_after_a_removal_that_they_know(
    name: str, limits: Callable[..., None]
) -> None:
    limits("csp.explain.steps.supposing", MAX_STEPS=10**9)  # all candidates are supposed in the first view
    walker = Walker(Solver(dsl.load(EXAMPLES / f"{name}.csp")))
    suppositions, view = Suppositions(walker.board), walker.view
    suppositions.update(view)
    fixpoint = walker.board.engine.reach_fixpoint(walker.board.state(view.live), None, Budget(Settings(), Effort()))
    assert isinstance(fixpoint, Stable)
    known = view.live & ~walker.board.mask(fixpoint.snapshot) & walker.board.shown
    assert known
    after = view.after(Deduction("", removed=known & -known))
    counts: list[int] = []
    after.progress = lambda effort: counts.append(effort.propagators)
    suppositions.update(after)
    assert max(counts, default=0) == 0


def first_reason(name: str, technique: str) -> str:
    """Return the reason of the first step by a technique in an example."""
    walker = Walker(Solver(dsl.load(EXAMPLES / f"{name}.csp")))
    return next(step.reason for step in walker if step.technique == technique)


def test_a_count_names_the_cells_that_fill_it_or_are_left() -> None:
    model = dsl.load(EXAMPLES / "star_battle.csp")
    short, full = [step.sentence for step in Walker(Solver(model)) if step.technique == "count"][:2]
    assert short == "count · region 2 (line 24) needs 1 more cell with 1, and only star(1,5) is left: star(1,5) = 1"
    assert full == "count · apart at 1,4 (line 25) has its 1 cell with 1, star(1,5): star(2,4) = 0"


def test_shared_counts_are_found_in_rows_of_more_than_nine_cells() -> None:
    spec = """
        star(R, C) in 0..1 :- R in 1..3, C in 1..10.
        "row {R}": count(star(R, C) = 1 : C in 1..10) = 1 :- R in 1..2.
        "left": count(star(R, C) = 1 : R in 1..2, C in 1..5) <= 1.
        "right": count(star(R, C) = 1 : R in 1..3, C in 6..10) <= 1.
    """
    step = next(iter(Walker(Solver(dsl.loads(spec)))))
    assert step.technique == "shared counts"
    assert show_candidates(step)[1] == {f"star(3,{column}) = 1" for column in range(6, 11)}


def test_a_step_that_removes_one_of_two_values_places_the_other() -> None:
    for name in ("hitori", "star_battle", "binairo", "akari"):
        steps = [*Walker(Solver(dsl.load(EXAMPLES / f"{name}.csp")))]
        assert all(step.technique != "naked single" for step in steps)
        for step in steps:
            assert {variable for variable, _ in step.removed} <= {variable for variable, _ in step.placed}, (
                step.sentence
            )


def first_sentence(spec: str) -> str:
    return next(iter(Walker(Solver(dsl.loads(spec))))).sentence


def test_a_sum_with_a_factor_and_unequal_cells_of_two_values_are_counts() -> None:
    cells = 'x(I) in 0..1 :- I in 1..4. "row": 2 * sum(x(I) : I in 1..4) = 4.'
    assert first_sentence(cells + "x(1) = 1. x(2) = 1.").endswith(
        "row (line 1) has its 2 cells with 1, x(1) and x(2): x(3) = x(4) = 0"
    )
    three = '"three": not all_equal([A, B, C]).'
    assert first_sentence(f"A, B, C in 0..1. A = 0. B = 0. {three}") == (
        "count · three (line 1) has its 2 cells with 0, A and B: C = 1"
    )
    # Three values are no count; nor are pairs that leave a cell free.
    assert first_sentence(f"A, B, C in 0..2. A = 0. B = 0. {three}").startswith("single constraint · by three")
    assert "count" not in first_sentence("A, B, C, D in 0..1. A = 0. B = 0. C = 0. A != B ; C != D.")


def test_counts_inside_a_count_need_all_that_it_may_have() -> None:
    spec = """
        x(I) in 0..1 :- I in 1..8.
        "row": sum(x(I) : I in 1..8) = 6.
        "from {I}": not all_equal(x(I + K) : K in 0..2) :- I in {1, 4}.
    """
    step = next(iter(Walker(Solver(dsl.loads(spec)))))
    assert step.sentence == (
        "shared counts · from 1 (line 4) and from 4 (line 4) need 2 more of 0 inside row (line 3), which can have no "
        "more: x(7) = x(8) = 1"
    )


def test_a_comparison_names_the_bound_that_it_uses() -> None:
    reasons = [step.reason for step in Walker(Solver(dsl.load(EXAMPLES / "futoshiki.csp"))).first(9)]
    assert "by cell(1,1) < cell(2,1) (line 31), as cell(2,1) is at most 6" in reasons
    assert "by cell(2,1) < cell(2,2) (line 29), as cell(2,1) is at least 2" in reasons


def test_a_direct_exclusion_names_the_constraints_between_candidate_and_clash() -> None:
    assert first_reason("star_battle", "direct exclusion") == (
        "with star(1,4) = 1, by column 4 (line 23), region 5 (line 24) cannot hold, as star(3,4) = star(4,4) = 0"
    )


def test_an_xy_wing_says_what_its_pivot_leaves() -> None:
    assert first_reason("skyscrapers", "XY-wing") == (
        "cell(2,3) is 3 or 5, which leaves 4 in cell(2,2) or cell(5,3): cell(2,2) has only 3, 4, cell(5,3) 4, 5"
    )


@pytest.mark.parametrize("name", ["star_battle", "akari"])
def test_a_direct_exclusion_names_only_constraints_that_its_clash_needs(name: str) -> None:
    steps = Walker(Solver(dsl.load(ROOT / "examples" / f"{name}.csp")))
    exclusions = [step for step in steps if step.technique == "direct exclusion"]
    assert exclusions
    for step in exclusions:
        supposed = {variable for variable, _ in step.removed}
        concerned = {v for v, _ in step.pattern} | {v for outline in step.sets for v in outline.cells}
        for constraint in step.constraints:
            assert {*constraint.scope} & concerned - supposed, (step.sentence, constraint.place)
