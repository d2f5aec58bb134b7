"""Test turns of tree and learner: short turns change no answer."""

from __future__ import annotations

import subprocess
import sys

import pytest

import csp
import dsl
from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Equality,
    Inverse,
    Linear,
    Model,
    Settings,
    Solver,
    Stopped,
    Variable,
    apply,
    deciding,
    verdict,
)
from csp.encoding.estimate import VALUE, estimate_literals
from csp.encoding.shape import shape
from csp.engine.compiled.kernel import PAUSED
from csp.engine.compiled.rewrite import Rewriting, rewrite_model
from csp.engine.search.depth_first import Search
from csp.engine.search.learner import Learner
from csp.engine.search.propagation import Propagation
from csp.explain import WorkSpent, proof, settle

from ..conftest import ROOT, TIMES, Limits
from ..makers import MAKERS
from ..oracle import every_solution
from .test_learner import random_model, shown

FLEET = """
ship(R, C) in 0..1 :- R in 0..7, C in 0..7.
ship(R, C) = 0 :- R in 0..7, C in 0..7, (R in {0, 7} ; C in {0, 7}).
ship(R, C) + ship(R+1, C+D) <= 1 :- R in 1..6, C in 1..6, D in {-1, 1}.
across(R, C, L) :- sum(ship(R, D) : D in C..C+L-1) = L, ship(R, C-1) = 0, ship(R, C+L) = 0.
below(R, C, L) :- sum(ship(S, C) : S in R..R+L-1) = L, ship(R-1, C) = 0, ship(R+L, C) = 0.
fleet(1, 3). fleet(2, 2). fleet(3, 1).
count(across(R, C, L) : R in 1..6, C in 1..7-L) + count(below(R, C, L) : C in 1..6, R in 1..7-L) = V
  :- fleet(V, L), L > 1.
count((across(R, C, 1), below(R, C, 1)) : R in 1..6, C in 1..6) = V :- fleet(V, 1).
"""


def find_all(model: Model, settings: Settings) -> tuple[list[tuple[object, ...]], csp.Effort]:
    """Return all solutions and the effort."""
    answers = Solver(model, settings=settings).solutions()
    return [shown(model, solution) for solution in answers], answers.effort


def make_learner(model: Model) -> tuple[Learner, Solver]:
    """Return a prepared learner at the fixpoint, and its solver."""
    solver = Solver(model)
    engine, budget = solver._engine, solver._budget(None, None)
    result = engine.reach_fixpoint(engine.root({}), None, budget)
    learner = Learner(solver.program, result.snapshot, budget)  # type: ignore[union-attr]
    learner.prepare(None)
    return learner, solver


# work


def test_work_is_deterministic_and_grows_with_the_number_of_pairs() -> None:
    efforts = [find_all(dsl.load(ROOT / "examples" / "tenner.csp"), Settings(search="tree"))[1] for _ in range(2)]
    assert efforts[0] == efforts[1] and efforts[0].work > efforts[0].propagated // 2 > 0

    def count_steps(number: int) -> int:
        cells = [Variable(f"x{i}") for i in range(number + 1)]
        pairs = [AllDifferent.of([cells[i], cells[i + 1]]) for i in range(number)]
        counted = Comparison(apply("count", pairs), ">=", Affine((), 1))
        model = Model(dict.fromkeys(cells, (1, 2, 3)), [counted])
        return csp.propagate(model, settings=Settings(max_rows=1)).effort.steps

    steps = [count_steps(number) for number in (4, 8, 12)]
    assert steps[2] - steps[1] == steps[1] - steps[0] > 0, steps


def test_every_propagator_counts_its_steps_and_words() -> None:
    import random

    for kind, make in MAKERS.items():
        rng = random.Random(f"steps {kind}")
        constraints = [constraint for constraint in (make(rng) for _ in range(20)) if len(constraint.scope) > 1]
        fixpoints = [
            csp.propagate(Model({v: range(1, 5) for v in constraint.scope}, [constraint])).effort
            for constraint in constraints
        ]
        assert all(effort.steps >= 2 * effort.propagators for effort in fixpoints), kind
        assert all(effort.words > 0 for effort in fixpoints)


def test_stats_print_the_work() -> None:
    command = [sys.executable, "-m", "dsl", "solve", "examples/tenner.csp", "--stats", "--search", "learn"]
    output = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stderr
    counts = dict(part.split() for part in output.strip().split("\n")[-1].split(" · "))
    assert int(counts["literals"]) > 1_000 and int(counts["steps"]) > 0 and int(counts["words"]) > 0


# turns


@pytest.mark.parametrize("seed", range(20 * TIMES))
def test_the_shortest_turns_find_each_answer_once(seed: int, limits: Limits) -> None:
    limits("csp.engine.search.learner", MIN_TURN_CONFLICTS=1)
    limits("csp.engine.effort", MIN_CONFLICT_WORK=10**9)
    limits("csp.engine.search.alternation", SETUP_WORK=1)
    limits("csp.engine.search.propagation", LONG_CALL_STEPS=0)
    model = random_model(seed)
    solutions, _ = find_all(model, Settings(patience=1))
    expected, _ = find_all(model, Settings(search="tree"))
    assert len(solutions) == len(set(solutions)) and set(solutions) == set(expected)


def test_an_expensive_node_is_finished_in_the_next_turn(limits: Limits) -> None:
    limits("csp.engine.search.propagation", LONG_CALL_STEPS=0)
    solver = Solver(dsl.loads(FLEET))
    engine, budget = solver._engine, solver._budget(None, None)
    result = engine.reach_fixpoint(engine.root({}), None, budget)
    search = Search(solver.program, Propagation(solver.program), result.snapshot, budget)  # type: ignore[union-attr]
    search.turn.until = budget.effort.propagated + 10
    states = iter(search.tree)
    assert next(states) is PAUSED and budget.effort.nodes == 1 and not search.nogoods()
    assert next(states) is PAUSED and budget.effort.nodes == 2


def test_turns_alternate_and_the_learner_excludes_closed_branches(
    monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    limits("csp.engine.search.learner", MIN_TURN_CONFLICTS=1)
    limits("csp.engine.effort", MIN_CONFLICT_WORK=10**9)
    counts: list[int] = []
    exclude = Learner.exclude
    monkeypatch.setattr(Learner, "exclude", lambda self, nogoods: (counts.append(len(nogoods)), exclude(self, nogoods)))
    model = dsl.load(ROOT / "examples" / "all_interval.csp")
    solutions, effort = find_all(model, Settings(patience=20))
    assert len(counts) > 2 and effort.conflicts < 100 and effort.failures > 10
    assert sorted(solutions) == sorted(find_all(model, Settings(search="learn"))[0])


def test_easy_puzzles_are_solved_before_the_learner_starts() -> None:
    """Check also that a hard puzzle reaches the learner."""
    easy = verdict(Solver(dsl.load(ROOT / "examples" / "windoku.csp")))
    assert easy.solutions == "one" and easy.effort.literals == 0
    hard = verdict(Solver(dsl.load(ROOT / "tests" / "data" / "forty" / "magic_hexagon.csp")))
    assert hard.effort.conflicts and hard.effort.propagated < 4 * hard.effort.work // 5


def test_a_formula_larger_than_estimated_is_built_in_several_turns(
    monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    is_finished: list[bool] = []
    prepare = Learner.prepare
    monkeypatch.setattr(
        Learner, "prepare", lambda self, work: is_finished.append(prepare(self, work)) or is_finished[-1]
    )
    limits("csp.engine.search.alternation", SETUP_WORK=1)
    monkeypatch.setattr("csp.encoding.estimate.estimate_literals", lambda constraints, sizes: 0)
    model = dsl.load(ROOT / "examples" / "slitherlink.csp")
    solutions, effort = find_all(model, Settings(patience=1))
    assert len(solutions) == 1 and len(is_finished) > 2 and not is_finished[0] and effort.literals
    assert set(solutions) == set(find_all(model, Settings(search="tree"))[0])


def test_delayed_propagators_lose_no_solution(limits: Limits) -> None:
    limits("csp.engine.search.propagation", MAX_IDLE_STEPS=0)
    for seed in range(30):
        model = random_model(seed)
        if model.objective is None:
            solutions, _ = find_all(model, Settings(search="tree"))
            assert set(solutions) == {shown(model, values) for values in every_solution(model)}


def test_a_propagator_that_removes_nothing_is_delayed(limits: Limits) -> None:
    model = dsl.load(ROOT / "examples" / "slitherlink.csp")
    frequent = find_all(model, Settings(search="tree"))[1]
    limits("csp.engine.search.propagation", MAX_IDLE_STEPS=200)
    delayed = find_all(model, Settings(search="tree"))[1]
    assert (
        delayed.solutions == frequent.solutions
        and delayed.propagators / delayed.nodes < frequent.propagators / frequent.nodes
    )


# rewriting and encoding


def test_counted_conditions_are_named_once() -> None:
    model = dsl.loads(FLEET)
    rewriting = rewrite_model(model, Settings())
    new_variables = [variable for variable in rewriting.domains if variable not in model.domains]
    assert len(new_variables) == len(set(new_variables)) == 2 * (6 * 4 + 6 * 5) + 36
    answers = Solver(model).solutions()
    first = next(answers)
    assert model.check(first) and set(first) == set(model.domains)
    effort = csp.propagate(model).effort
    assert effort.steps < 60 * len(rewriting.constraints) * 10


def test_small_counts_are_not_rewritten() -> None:
    model = dsl.load(ROOT / "examples" / "slitherlink.csp")
    assert isinstance(Rewriting.of(model, ()), Rewriting)
    assert len(rewrite_model(model, Settings()).domains) == len(model.domains)


def test_constraints_with_equal_meaning_have_equal_shapes() -> None:
    x, y, z = map(Affine.variable, "xyz")
    assert shape(Linear(x + 2 * y, "<", z)) == shape(Linear(z + 2 * x, "<", y)) != shape(Linear(2 * x + y, "<", z))
    assert shape(Equality(Variable("x"), "y")) != shape(Equality(Variable("x"), Variable("y")))
    first, second = (Linear(x, "<", y, label=label) for label in "ab")
    assert shape(first) == shape(second)


def test_an_inverse_is_encoded_by_its_values() -> None:
    names = [[Affine.variable(f"{side}{i}") for i in range(1, 31)] for side in "xy"]
    model = Model(
        dict.fromkeys([str(affine) for side in names for affine in side], range(1, 31)), [Inverse(*map(tuple, names))]
    )
    learner, _ = make_learner(model)
    assert learner._backend.literals < 30 * 30 * 20
    small_model = Model(
        dict.fromkeys(["a", "b", "c", "d"], range(4)),
        [Inverse(*[tuple(map(Affine.variable, s)) for s in ("ab", "cd")])],
    )
    assert set(find_all(small_model, Settings(search="learn"))[0]) == set(
        find_all(small_model, Settings(search="tree"))[0]
    )


def test_a_relation_is_looked_up_by_value() -> None:
    spec = "cover(P, P mod 9) :- P in 1..{n}. at in 1..{n}. on(R) in 0..1 :- R in 0..8. "
    spec += "on(R) = 1 <-> cover(at, R) :- R in 0..8."
    small, large = (make_learner(dsl.loads(spec.replace("{n}", str(n))))[0]._backend.literals for n in (90, 360))
    assert large < 5 * small


def test_one_bound_of_a_count_is_one_rule() -> None:
    spec = "x(I) in 0..1 :- I in 1..20. count(x(I) = 1 : I in 1..20) {sign} 3."
    literals = {
        sign: make_learner(dsl.loads(spec.replace("{sign}", sign)))[0]._backend.literals for sign in ("<=", ">", "=")
    }
    assert literals["<="] == literals[">"] == literals["="] - 22  # a head, 20 literals, and that the head must be false


def test_connectivity_starts_in_the_middle_and_keeps_all_solutions() -> None:
    """Check a strip, whose paths from the middle are half as long."""
    spec = "x(I) in 0..1 :- I in 1..7. near(I, I+1) :- I in 1..6. connected(near, [I] : I in 1..7, x(I) = 1)."
    model = dsl.loads(spec)
    expected = {shown(model, values) for values in every_solution(model)}
    for search in csp.WAYS:
        assert set(find_all(model, Settings(search=search, patience=0))[0]) == expected


def test_a_part_does_not_pay_for_the_work_of_other_parts(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Check that no part estimates a formula, which would read all domains."""
    limits("csp.engine.search.alternation", SETUP_WORK=200)
    estimates: list[int] = []
    monkeypatch.setattr("csp.encoding.estimate.estimate_literals", lambda *_: estimates.append(1) or 0)
    solver = Solver(dsl.loads("x(I) in 0..1 :- I in 1..200."))
    answers = solver.solutions()
    assert next(answers) == dict.fromkeys(solver.model.domains, 0)
    assert answers.effort.propagated >= 800 and not estimates


@pytest.mark.parametrize("name", ["costas", "slitherlink", "tenner", "windoku", "samurai", "nurikabe", "kenken"])
def test_estimates_are_near_the_number_of_literals(name: str) -> None:
    learner, solver = make_learner(dsl.load(ROOT / "examples" / f"{name}.csp"))
    layout, state = solver.program.layout, learner._fixpoint
    sizes = {v: len(layout.domain(state, layout.number[v])) for v in layout.variables}
    estimate = VALUE * sum(sizes.values()) + estimate_literals(learner._constraints, sizes.__getitem__)
    assert estimate / 4 < learner._backend.literals < 4 * estimate


def test_operands_are_estimated_one_after_another() -> None:
    """Compare a maximum of nine with a product, which has more values."""
    cells = [Affine.variable(f"x{i}") for i in range(10)]
    greatest = Comparison(apply("max", cells[:9]), "<", cells[9])
    assert estimate_literals([greatest], lambda variable: 9) < 9 * 9 * 9 * VALUE + 1_000
    wide = [
        sum([9 * 10**i * cell for i, cell in enumerate(digits)], Affine((), 0)) for digits in (cells[:3], cells[3:6])
    ]
    product = Comparison(apply("*", wide), "=", Affine((), 7))
    assert estimate_literals([product], lambda variable: 9) > (9**3) ** 2


# check


def test_lint_stops_at_its_limit_of_steps(limits: Limits) -> None:
    below = Linear(Affine.variable("x"), "<", Affine.variable("y"))
    limited = deciding({"x": (1, 2), "y": (3,)}, most=1)
    with pytest.raises(Stopped, match=r"the limit of 1 step$"):
        limited(below)
    assert deciding({"x": (1, 2), "y": (3,)}, most=1_000)(below) is True
    from dsl.lint.report import inspect
    from dsl.semantics.clauses.build import Program
    from dsl.syntax.errors import Source

    program = Program(Source("a.csp", "A in 1..3. B in 4..6. A < B. A + 3 < B + 3."))
    assert [diagnostic.code for diagnostic in inspect(program).found].count("always-true") == 2
    limits("dsl.lint.build", LOOKS=8)
    report = inspect(program)
    assert report.left_out == 1 and [diagnostic.code for diagnostic in report.found].count("always-true") == 1


def test_settling_stops_at_its_limit_of_work() -> None:
    solver = Solver(dsl.loads("q(I) in 1..8 :- I in 1..8. all_different(q(I) : I in 1..8)."))
    solution = solver.solve()
    assert solution is not None and settle(solver, solution).is_smallest
    with pytest.raises(WorkSpent, match="the work limit of 10 for the distinguishing values"):
        settle(solver, solution, work=10)


def test_a_proof_tries_only_levels_that_may_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[str] = []

    class RecordingSolver(Solver):
        def __init__(self, model: Model, level: csp.Level, settings: Settings) -> None:
            levels.append(level)
            super().__init__(model, level, settings)

    solver, searched = [Solver(dsl.load(ROOT / "examples" / f"{name}.csp")) for name in ("tents", "windoku")]
    propagated_verdict, searched_verdict = verdict(solver), verdict(searched)
    monkeypatch.setattr("csp.explain.evidence.verdicts.Solver", RecordingSolver)
    proof(solver, propagated_verdict)
    assert not {"bounds", "domain", solver.level} & {*levels}
    levels.clear()
    assert searched_verdict.effort.nodes > 1 and proof(searched, searched_verdict).message.startswith("by a search")
    assert levels == ["bounds", "domain"]
