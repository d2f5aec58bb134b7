"""Tests that both kernels return equal answers in the same order for the same effort.

One kernel is written in Python, the other in C.

``MODELS=2000 python -m pytest -q tests/engine/test_kernels.py`` compares them on more random models.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from array import array
from collections.abc import Callable
from dataclasses import astuple
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp import Affine, AllDifferent, Model, Settings, Solver, Stopped, Value
from csp.engine.compiled import native
from csp.engine.compiled.kernel import PAUSED, Snapshot, Turn
from csp.engine.search.branching import Branching
from csp.engine.search.depth_first import Search

from ..conftest import ROOT
from .test_learner import random_model

MODELS = int(os.environ.get("MODELS", "48"))
PARTS = 8
MAX_ANSWERS = 12

pytestmark = pytest.mark.skipif(not native.IS_AVAILABLE, reason="there is no kernel in machine code")

Question = Callable[[], Any]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Question], tuple[Any, Any]]:
    """Return a function that asks both kernels a question."""

    def ask(question: Question) -> tuple[Any, Any]:
        answers = []
        for kernel in native.NAMES:
            monkeypatch.setenv("CSP_KERNEL", kernel)
            answers.append(question())
        return answers[0], answers[1]

    return ask


def make_random_group_model(seed: int) -> Model:
    """Return a random model of groups only.

    Groups may be permutations or not, have shifted elements, or cover only part of the domains.
    """
    rng = random.Random(f"kernels {seed}")
    n = rng.randint(2, 7)
    cell = [[f"c{i}_{j}" for j in range(n)] for i in range(n)]
    lines = [*cell, *map(list, zip(*cell, strict=True))]
    groups = [AllDifferent.of(names) for names in lines if rng.random() < 0.9]
    flat = [name for row in cell for name in row]
    for _ in range(rng.randint(0, 4)):
        members = rng.sample(flat, rng.randint(1, n))
        shifts = [rng.randint(-2, 2) * (rng.random() < 0.5) for _ in members]
        signs = [rng.choice((1, 1, 1, -1, 2)) for _ in members]
        groups.append(
            AllDifferent([Affine.variable(v) * k + c for k, v, c in zip(signs, members, shifts, strict=True)])
        )
    size = n + (rng.random() < 0.4)
    domains = {
        name: rng.sample(range(size), rng.randint(1, size)) if rng.random() < 0.1 else range(size) for name in flat
    }
    if rng.random() < 0.2:
        names = "abcdefgh"
        return Model(
            {v: [names[i] for i in d] for v, d in domains.items()},
            [g for g in groups if g.elements and all(e.is_variable for e in g.elements)],
        )
    show = rng.sample(flat, rng.randint(1, len(flat))) if rng.random() < 0.3 else ()
    return Model(domains, groups, show)


def run_all_queries(model: Model, settings: Settings, givens: dict[str, Value] | None = None) -> Any:
    """Return answers, their effort, the fixpoint, the count and the event log."""
    solver = Solver(model, settings=settings)
    answers = solver.solutions(givens)
    rows = [tuple(solution.items()) for solution in islice(answers, MAX_ANSWERS)]
    log: list[Any] = []
    logged_rows = [tuple(solution.items()) for solution in islice(solver.solutions(givens, log=log), 2)]
    fixpoint = solver.propagate(givens)
    count = solver.count(givens, Settings(seconds=None, nodes=300, level=settings.level))
    return (
        (rows, answers.complete, answers.stopped, astuple(answers.effort)),
        (fixpoint.holds, fixpoint.domains, astuple(fixpoint.effort)),
        (count.value, count.complete, astuple(count.effort)),
        (logged_rows, [tuple(event) for event in log[:400]], len(log)),
    )


def make_random_settings(seed: int) -> Settings:
    rng = random.Random(seed)
    return Settings(
        level=csp.LEVELS[seed % len(csp.LEVELS)],
        restart_base=rng.choice((1, 2, 5, 128)),
        seed=rng.choice((None, None, 3)),
        search=rng.choice(("auto", "tree", "tree")),
        patience=rng.choice((0, 1, 100)),
        nodes=rng.choice((None, None, 40)),
        max_stack_bytes=rng.choice((4 << 30, 1 << 12)),
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_kernels_agree_on_random_models(part: int, both: Callable[[Question], tuple[Any, Any]]) -> None:
    for seed in range(part, MODELS, PARTS):
        model = random_model(seed) if seed % 2 else make_random_group_model(seed)
        native_result, python_result = both(
            lambda model=model, seed=seed: run_all_queries(model, make_random_settings(seed))
        )
        assert native_result == python_result, f"seed {seed}: {make_random_settings(seed)}\n{dsl.dumps(model)}"


@pytest.mark.sampled
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csp")), ids=lambda path: path.stem)
def test_kernels_agree_on_the_examples(path: Path, both: Callable[[Question], tuple[Any, Any]]) -> None:
    model = dsl.load(path)
    settings = Settings(nodes=40)
    native_result, python_result = both(lambda: run_all_queries(model, settings))
    assert native_result == python_result


def make_random_wide_model(seed: int) -> Model:
    """Return a random model with domains of many and of few values.

    Snapshots are large and exactly-one sets are long; groups are loose or shifted.
    """
    rng = random.Random(f"wide {seed}")
    names = "abcdefgh"[: rng.randint(3, 8)]
    size = rng.choice((700, 1_500, 4_000))
    domains = {
        v: rng.sample(range(size), rng.choice((2, 3, 5, 70))) if rng.random() < 0.6 else range(size) for v in names
    }
    groups = []
    for _ in range(rng.randint(1, 4)):
        members = rng.sample(names, rng.randint(2, 3))
        groups.append(AllDifferent([Affine.variable(v) + rng.choice((0, 0, 1, -7)) for v in members]))
    return Model({**domains, "z": range(size), "y": range(size)}, [*groups, AllDifferent.of("zy")])


@pytest.mark.parametrize("seed", range(max(8, MODELS // 20)))
def test_kernels_agree_on_wide_models(seed: int, both: Callable[[Question], tuple[Any, Any]]) -> None:
    rng, model = random.Random(seed), make_random_wide_model(seed)
    settings = Settings(nodes=400, restart_base=rng.choice((1, 128)), search=rng.choice(("auto", "tree")))
    givens = {v: rng.choice(d) for v, d in model.domains.items() if rng.random() < 0.4}

    def ask() -> Any:
        answers = Solver(model, settings=settings).solutions(givens)
        return [tuple(solution.items()) for solution in answers], answers.stopped, astuple(answers.effort)

    native_result, python_result = both(ask)
    assert native_result == python_result


def make_group(size: int, groups: int = 1) -> Model:
    """Return a model whose variables are different and have equal domains.

    ``size`` is the number of values; ``groups`` is the number of variables.
    """
    return Model({f"v{i}": range(size) for i in range(groups)}, [AllDifferent.of([f"v{i}" for i in range(groups)])])


def make_shifted_model() -> Model:
    return Model({"x": (1, 2), "y": (1, 2)}, [AllDifferent([Affine.variable(v) + i for v in "xy" for i in (0, 1)])])


@pytest.mark.parametrize(
    ("make_model", "givens"),
    [
        (lambda: Model({}, []), {}),
        (lambda: Model({"x": (1,)}, []), {}),
        (lambda: Model({"x": (1,), "y": (1,)}, [AllDifferent.of("xy")]), {}),
        (make_shifted_model, {}),
        (lambda: make_group(10_000, 2), {"v0": 9_999}),
        (lambda: make_group(63, 63), {}),
        (lambda: make_group(64, 64), {"v3": 63}),
        (lambda: make_group(127, 5), {"v0": 126}),
        (lambda: make_group(2_000, 500), {f"v{i}": i for i in range(495)}),
    ],
    ids=["empty", "one", "two of one", "shifted", "long", "63", "64", "127", "1,000,000 bits"],
)
def test_kernels_agree_on_unusual_layouts(
    make_model: Callable[[], Model], givens: dict[str, Value], both: Callable[[Question], tuple[Any, Any]]
) -> None:
    model = make_model()

    def ask() -> Any:
        answers = Solver(model).solutions(givens)
        return [tuple(solution.items()) for solution in islice(answers, 3)], astuple(answers.effort)

    native_result, python_result = both(ask)
    assert native_result == python_result


@pytest.mark.parametrize("kernel", native.NAMES)
@pytest.mark.parametrize("level", csp.LEVELS)
def test_a_variable_that_cancels_out_is_no_member_of_a_group(
    kernel: str, level: csp.Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In ``x + y != y + z`` the scope has y, but only x and z differ."""
    monkeypatch.setenv("CSP_KERNEL", kernel)
    for domains, count in (([range(1, 4)] * 3, 18), ([range(1, 3), range(3), range(1, 4)], 12)):
        x, y, z = map(csp.Affine.variable, "xyz")
        constraint = csp.Linear(x + y, "!=", y + z)
        assert (
            csp.Solver(Model(dict(zip("xyz", domains, strict=True)), [constraint]), level=level).count().value == count
        )


def load_latin_square(n: int) -> Model:
    return dsl.load(ROOT / "examples" / "latin.csp", {"n": n}, {"clue": ""})


def test_the_next_solution_is_searched_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    answers = Solver(load_latin_square(5)).solutions()
    next(answers)
    nodes = answers.effort.nodes
    assert answers.effort.solutions == 1 and 0 < nodes < 30
    next(answers)
    assert answers.effort.solutions == 2 and answers.effort.nodes > nodes


def test_two_threads_can_query_one_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    solver, results = Solver(load_latin_square(4)), [[], []]  # type: ignore[var-annotated]
    threads = [threading.Thread(target=lambda result=result: result.extend(solver.solutions())) for result in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results[0]) == 576 and results[0] == results[1] == list(solver.solutions())


def test_other_threads_run_during_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    answers, started = Solver(load_latin_square(12)).solutions(settings=Settings(nodes=30_000)), threading.Event()
    interval = sys.getswitchinterval()

    def search() -> None:
        started.set()
        while next(answers, None) is not None:
            pass

    sys.setswitchinterval(1000)  # the interpreter forces no switch of threads
    try:
        thread = threading.Thread(target=search)
        thread.start()
        started.wait()
        assert thread.is_alive()
        thread.join()
    finally:
        sys.setswitchinterval(interval)


def test_a_search_stops_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    solver = Solver(load_latin_square(9))
    answers = solver.solutions(settings=Settings(nodes=1_000))
    assert sum(1 for _ in answers) > 0 and answers.effort.nodes == 1_000 and "1000 nodes" in answers.stopped
    answers = solver.solutions(settings=Settings(seconds=0.05))
    assert sum(1 for _ in answers) > 0 and "0.05 seconds" in answers.stopped
    with pytest.raises(Stopped):
        solver.solve(settings=Settings(seconds=0))


def test_an_unknown_kernel_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "abacus")
    with pytest.raises(csp.CspError, match="CSP_KERNEL is abacus; here it can be native or python"):
        Solver(load_latin_square(3))


def test_both_trees_report_equal_estimates_of_the_remaining_work(both: Callable[[Question], tuple[Any, Any]]) -> None:
    def read_turns() -> tuple[list[tuple[int, float, float]], float]:
        solver = Solver(dsl.load(ROOT / "examples" / "queens.csp", {"n": 8}))
        engine, budget = solver._engine, solver._budget(None, None)
        search = Search(solver.program, engine._propagation, engine.root({}), budget)
        turns = []
        search.turn.until = 20
        for item in search.tree:
            if item is PAUSED:
                turns.append((budget.effort.propagated, search.tree.explored_share, search.estimated_work()))
                search.turn.until = budget.effort.propagated + 20
        return turns, search.tree.explored_share

    native_turns, python_turns = both(read_turns)
    assert native_turns == python_turns
    turns, end = native_turns
    assert len(turns) > 5 and 0 < turns[-1][1] < end == pytest.approx(1)
    assert all(0 <= turn[1] <= next_turn[1] for turn, next_turn in pairwise(turns))


def test_alternatives_dropped_for_hidden_variables_count_as_explored(
    both: Callable[[Question], tuple[Any, Any]],
) -> None:
    spec = "a(I) in 1..4 :- I in 1..3. b(I) in 1..4 :- I in 1..4. a(I) != b(J) :- I in 1..3, J in 1..4. show a."

    def search_all() -> tuple[int, float]:
        solver = Solver(dsl.loads(spec))
        engine, program, budget = solver._engine, solver.program, solver._budget(None, None)
        search = Search(program, engine._propagation, engine.root({}), budget, projection=program.projection)
        return sum(1 for _ in search.solutions()), search.tree.explored_share

    native_end, python_end = both(search_all)
    assert native_end == python_end == (64, pytest.approx(1))


def test_a_layout_beyond_its_snapshot_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    program = Solver(Model({name: range(3) for name in "ABC"}, [AllDifferent.of("ABC")])).program
    program.layout.places[0][1] = (program.layout.length, 1)
    with pytest.raises(ValueError, match="beyond the state"):
        native.make_kernel(program.layout, program.exclusions, program.layout.guards)


def test_malformed_layout_arrays_are_refused() -> None:
    """Call the kernel with arrays that would be read beyond their ends.

    Only ``native.py`` makes kernels otherwise.
    """
    snapshot, empty = type(Solver(Model({})).program.root)(0), array("I")
    valid_arrays = [array("I", part) for part in ([0, 3], [native.NONE, 0], [], [0, 2], [0, 1], [], [], [0], [], [])]
    assert native._native.Kernel(snapshot, snapshot, snapshot, *valid_arrays).sweep(snapshot)
    invalid_parts = [
        (0, [0]),
        (0, [1, 3]),
        (0, [0, 0]),
        (1, [0]),
        (2, [9]),
        (3, [2]),
        (3, [0, 9]),
        (5, [0]),
        (8, [0]),
        (9, [0]),
    ]
    for place, part in [*invalid_parts, *[(place, []) for place in (0, 1, 3, 4)]]:
        arrays = [*valid_arrays[:place], array("I", part), *valid_arrays[place + 1 :]]
        with pytest.raises(ValueError, match="the arrays are no layout"):
            native._native.Kernel(snapshot, snapshot, snapshot, *arrays)
    with pytest.raises(ValueError, match="the arrays are no layout"):
        native._native.Kernel(snapshot, snapshot, snapshot, *[empty] * 10)


def test_a_running_search_refuses_to_list_its_remaining_branches() -> None:
    solver = Solver(dsl.loads("A, B in 1..2. A != B. show A."), search="tree")
    program, budget, snapshots = solver.program, solver._budget(None, None), []

    def is_new(snapshot: Snapshot) -> bool:
        with pytest.raises(ValueError, match="this search is being asked already"):
            tree.frontier()  # type: ignore[union-attr]
        snapshots.append(snapshot)
        return True

    order = Branching(program.kernel, program.layout.guards)
    assert program.projection
    hidden = program.projection.hidden_guards
    tree = program.kernel.tree(program.root, budget, program.plan, order, Turn(), hidden, is_new)
    assert tree and next(iter(tree)) == snapshots[0] and tree.frontier()


@pytest.mark.parametrize("kernel", native.NAMES)
def test_only_copies_of_snapshots_count_as_memory_of_a_branch(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give room for a few copies of the snapshot.

    For large snapshots the C kernel undoes changes where Python keeps a copy for each decision.
    For small snapshots both kernels keep copies.
    """
    monkeypatch.setenv("CSP_KERNEL", kernel)
    for size, is_large in ((20, False), (80, True)):
        model = make_group(size, size)
        settings = Settings(search="tree", max_stack_bytes=Solver(model).program.layout.length // 8 * 5)
        answers = Solver(model, settings=settings).solutions()
        if kernel == "native" and is_large:
            assert len({*next(answers).values()}) == size
        else:
            assert next(answers, None) is None and answers.stopped == "the memory that 6 decisions take"
