"""Both kernels, Python's and the one in machine code: the same answers in the same order, for the same effort.

``MODELS=2000 python -m pytest -q tests/test_kernels.py`` compares them on more random models.
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
from csp.engine.compiled.kernel import Snapshot, Turn
from csp.engine.search.branching import Branching
from csp.engine.search.depth_first import Search

from .conftest import ROOT
from .test_learner import random_model

MODELS = int(os.environ.get("MODELS", "48"))
PARTS = 8
MOST = 12

pytestmark = pytest.mark.skipif(not native.IS_AVAILABLE, reason="there is no kernel in machine code")

Asked = Callable[[], Any]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Asked], tuple[Any, Any]]:
    """What a question is answered with by each of the two."""

    def ask(question: Asked) -> tuple[Any, Any]:
        answers = []
        for kernel in native.NAMES:
            monkeypatch.setenv("CSP_KERNEL", kernel)
            answers.append(question())
        return answers[0], answers[1]

    return ask


def group_model(seed: int) -> Model:
    """Groups alone, tight and loose, some of shifted elements, some over part of the domains."""
    rng = random.Random(f"kernels {seed}")
    n = rng.randint(2, 7)
    cell = [[f"c{i}_{j}" for j in range(n)] for i in range(n)]
    groups = [AllDifferent.of(line) for line in [*cell, *map(list, zip(*cell, strict=True))] if rng.random() < 0.9]
    flat = [name for line in cell for name in line]
    for _ in range(rng.randint(0, 4)):
        some = rng.sample(flat, rng.randint(1, n))
        shifts = [rng.randint(-2, 2) * (rng.random() < 0.5) for _ in some]
        signs = [rng.choice((1, 1, 1, -1, 2)) for _ in some]
        groups.append(AllDifferent([Affine.variable(v) * k + c for k, v, c in zip(signs, some, shifts, strict=True)]))
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


def everything(model: Model, settings: Settings, givens: dict[str, Value] | None = None) -> Any:
    """Answers and what they cost, what follows, how many there are, and what a trail says."""
    solver = Solver(model, settings=settings)
    answers = solver.solutions(givens)
    found = [tuple(solution.items()) for solution in islice(answers, MOST)]
    log: list[Any] = []
    told = [tuple(solution.items()) for solution in islice(solver.solutions(givens, log=log), 2)]
    fixpoint = solver.propagate(givens)
    count = solver.count(givens, Settings(seconds=None, nodes=300, level=settings.level))
    return (
        (found, answers.complete, answers.stopped, astuple(answers.effort)),
        (fixpoint.holds, fixpoint.domains, astuple(fixpoint.effort)),
        (count.value, count.complete, astuple(count.effort)),
        (told, [tuple(event) for event in log[:400]], len(log)),
    )


def settings_of(seed: int) -> Settings:
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
def test_random_models(part: int, both: Callable[[Asked], tuple[Any, Any]]) -> None:
    for seed in range(part, MODELS, PARTS):
        model = random_model(seed) if seed % 2 else group_model(seed)
        one, other = both(lambda model=model, seed=seed: everything(model, settings_of(seed)))
        assert one == other, f"seed {seed}: {settings_of(seed)}\n{dsl.dumps(model)}"


@pytest.mark.sampled
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csp")), ids=lambda path: path.stem)
def test_examples(path: Path, both: Callable[[Asked], tuple[Any, Any]]) -> None:
    model = dsl.load(path)
    settings = Settings(nodes=40)
    one, other = both(lambda: everything(model, settings))
    assert one == other


def wide_model(seed: int) -> Model:
    """Variables of many values and of a few, so that states are large and lines long, in loose and shifted groups."""
    rng = random.Random(f"wide {seed}")
    names = "abcdefgh"[: rng.randint(3, 8)]
    size = rng.choice((700, 1_500, 4_000))
    domains = {
        v: rng.sample(range(size), rng.choice((2, 3, 5, 70))) if rng.random() < 0.6 else range(size) for v in names
    }
    groups = []
    for _ in range(rng.randint(1, 4)):
        some = rng.sample(names, rng.randint(2, 3))
        groups.append(AllDifferent([Affine.variable(v) + rng.choice((0, 0, 1, -7)) for v in some]))
    return Model({**domains, "z": range(size), "y": range(size)}, [*groups, AllDifferent.of("zy")])


@pytest.mark.parametrize("seed", range(max(8, MODELS // 20)))
def test_wide_models(seed: int, both: Callable[[Asked], tuple[Any, Any]]) -> None:
    rng, model = random.Random(seed), wide_model(seed)
    settings = Settings(nodes=400, restart_base=rng.choice((1, 128)), search=rng.choice(("auto", "tree")))
    givens = {v: rng.choice(d) for v, d in model.domains.items() if rng.random() < 0.4}

    def ask() -> Any:
        answers = Solver(model, settings=settings).solutions(givens)
        return [tuple(one.items()) for one in answers], answers.stopped, astuple(answers.effort)

    one, other = both(ask)
    assert one == other


def line(size: int, groups: int = 1) -> Model:
    """Variables that all have the same so many values, and are all different; as many as there are groups of them."""
    return Model({f"v{i}": range(size) for i in range(groups)}, [AllDifferent.of([f"v{i}" for i in range(groups)])])


def shifted() -> Model:
    return Model({"x": (1, 2), "y": (1, 2)}, [AllDifferent([Affine.variable(v) + i for v in "xy" for i in (0, 1)])])


@pytest.mark.parametrize(
    ("made", "givens"),
    [
        (lambda: Model({}, []), {}),
        (lambda: Model({"x": (1,)}, []), {}),
        (lambda: Model({"x": (1,), "y": (1,)}, [AllDifferent.of("xy")]), {}),
        (shifted, {}),
        (lambda: line(10_000, 2), {"v0": 9_999}),
        (lambda: line(63, 63), {}),
        (lambda: line(64, 64), {"v3": 63}),
        (lambda: line(127, 5), {"v0": 126}),
        (lambda: line(2_000, 500), {f"v{i}": i for i in range(495)}),
    ],
    ids=["empty", "one", "two of one", "shifted", "long", "63", "64", "127", "1,000,000 bits"],
)
def test_hostile_layouts(
    made: Callable[[], Model], givens: dict[str, Value], both: Callable[[Asked], tuple[Any, Any]]
) -> None:
    model = made()

    def ask() -> Any:
        answers = Solver(model).solutions(givens)
        return [tuple(one.items()) for one in islice(answers, 3)], astuple(answers.effort)

    one, other = both(ask)
    assert one == other


def latin(n: int) -> Model:
    return dsl.load(ROOT / "examples" / "latin.csp", {"n": n}, {"clue": ""})


def test_the_next_solution_is_not_looked_for_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    answers = Solver(latin(5)).solutions()
    next(answers)
    before = answers.effort.nodes
    assert answers.effort.solutions == 1 and 0 < before < 30
    next(answers)
    assert answers.effort.solutions == 2 and answers.effort.nodes > before


def test_two_threads_ask_one_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    solver, found = Solver(latin(4)), [[], []]  # type: ignore[var-annotated]
    threads = [threading.Thread(target=lambda own=own: own.extend(solver.solutions())) for own in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found[0]) == 576 and found[0] == found[1] == list(solver.solutions())


def test_others_run_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    answers, begun = Solver(latin(12)).solutions(settings=Settings(nodes=30_000)), threading.Event()
    interval = sys.getswitchinterval()

    def search() -> None:
        begun.set()
        while next(answers, None) is not None:
            pass

    sys.setswitchinterval(1000)  # so that nobody is made to let others run
    try:
        thread = threading.Thread(target=search)
        thread.start()
        begun.wait()
        assert thread.is_alive()
        thread.join()
    finally:
        sys.setswitchinterval(interval)


def test_limits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    solver = Solver(latin(9))
    answers = solver.solutions(settings=Settings(nodes=1_000))
    assert sum(1 for _ in answers) > 0 and answers.effort.nodes == 1_000 and "1000 nodes" in answers.stopped
    answers = solver.solutions(settings=Settings(seconds=0.05))
    assert sum(1 for _ in answers) > 0 and "0.05 seconds" in answers.stopped
    with pytest.raises(Stopped):
        solver.solve(settings=Settings(seconds=0))


def test_an_unknown_kernel_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "abacus")
    with pytest.raises(csp.CspError, match="CSP_KERNEL is abacus; here it can be native or python"):
        Solver(latin(3))


def test_both_trees_tell_alike_how_much_of_a_run_is_left(both: Callable[[Asked], tuple[Any, Any]]) -> None:
    def told() -> tuple[list[tuple[int, float, float]], float]:
        solver = Solver(dsl.load(ROOT / "examples" / "queens.csp", {"n": 8}))
        engine, budget = solver._engine, solver._budget(None, None)
        tree = Search(solver.program, engine._propagation, budget)
        turns = []
        tree.turn.until = 20
        for state in tree.turns(engine.root({})):
            if state is None:
                turns.append((budget.effort.propagated, (tree._tree or tree).closed, tree.estimated_work()))
                tree.turn.until = budget.effort.propagated + 20
        return turns, (tree._tree or tree).closed

    native_turns, python_turns = both(told)
    assert native_turns == python_turns
    turns, end = native_turns
    assert len(turns) > 5 and 0 < turns[-1][1] < end == pytest.approx(1)
    assert all(0 <= one[1] <= other[1] for one, other in pairwise(turns))


def test_a_layout_beyond_its_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSP_KERNEL", "native")
    program = Solver(Model({name: range(3) for name in "ABC"}, [AllDifferent.of("ABC")])).program
    program.layout.places[0][1] = (program.layout.length, 1)
    with pytest.raises(ValueError, match="beyond the state"):
        native.make_kernel(program.layout, program.exclusions, program.layout.guards)


def test_arrays_that_are_no_layout_are_refused() -> None:
    """Nothing but ``native.py`` makes a kernel; called by hand it must not read beyond what it is given."""
    state, none = type(Solver(Model({})).program.root)(0), array("I")
    good = [array("I", part) for part in ([0, 3], [native.NONE, 0], [], [0, 2], [0, 1], [], [], [0], [], [])]
    assert native._native.Kernel(state, state, state, *good).sweep(state)
    wrong = [
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
    for place, part in [*wrong, *[(place, []) for place in (0, 1, 3, 4)]]:
        arrays = [*good[:place], array("I", part), *good[place + 1 :]]
        with pytest.raises(ValueError, match="the arrays are no layout"):
            native._native.Kernel(state, state, state, *arrays)
    with pytest.raises(ValueError, match="the arrays are no layout"):
        native._native.Kernel(state, state, state, *[none] * 10)


def test_what_a_running_search_has_left_is_not_read() -> None:
    solver = Solver(dsl.loads("A, B in 1..2. A != B. show A."), search="tree")
    program, budget, told = solver.program, solver._budget(None, None), []

    def is_new(state: Snapshot) -> bool:
        with pytest.raises(ValueError, match="this search is being asked already"):
            tree.left()  # type: ignore[union-attr]
        told.append(state)
        return True

    order = Branching(program.kernel, program.layout.guards)
    assert program.projection
    hidden = program.projection.guards
    tree = program.kernel.tree(program.root, budget, program.plan, order, Turn(), hidden, is_new)
    assert tree and next(iter(tree)) == told[0] and tree.left()


@pytest.mark.parametrize("kernel", native.NAMES)
def test_only_copies_of_states_count_as_memory_of_a_branch(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code takes a large state back, Python keeps it for each decision; a small one has copies in both."""
    monkeypatch.setenv("CSP_KERNEL", kernel)
    for size, is_large in ((20, False), (80, True)):
        model = line(size, size)
        settings = Settings(search="tree", max_stack_bytes=Solver(model).program.layout.length // 8 * 5)
        answers = Solver(model, settings=settings).solutions()
        if kernel == "native" and is_large:
            assert len({*next(answers).values()}) == size
        else:
            assert next(answers, None) is None and answers.stopped == "the memory that 6 decisions take"
