"""Both kernels, Python's and the one in machine code: the same answers in the same order, for the same effort.

``MODELS=2000 python -m pytest -q tests/test_kernels.py`` compares them on more random models.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp import Affine, AllDifferent, Model, Solver, Strategy, Value
from csp.engine.compiled import native

from .conftest import ROOT
from .test_learner import random_model

MODELS = int(os.environ.get("MODELS", "120"))
PARTS = 8
MOST = 12

pytestmark = pytest.mark.skipif(not native.IS_THERE, reason="there is no kernel in machine code")

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


def everything(model: Model, strategy: Strategy, givens: dict[str, Value] | None = None) -> Any:
    """Answers and what they cost, what follows, how many there are, and what a trail says."""
    solver = Solver(model, strategy=strategy)
    answers = solver.solutions(givens)
    found = [tuple(solution.items()) for solution in islice(answers, MOST)]
    trail: list[Any] = []
    told = [tuple(solution.items()) for solution in islice(solver.solutions(givens, trail=trail), 2)]
    fixpoint = solver.propagate(givens)
    count = solver.count(givens, Strategy(seconds=None, nodes=300, level=strategy.level))
    return (
        (found, answers.complete, answers.stopped, astuple(answers.effort)),
        (fixpoint.holds, fixpoint.domains, astuple(fixpoint.effort)),
        (count.value, count.complete, astuple(count.effort)),
        (told, [tuple(event) for event in trail[:400]], len(trail)),
    )


def strategy_of(seed: int) -> Strategy:
    rng = random.Random(seed)
    return Strategy(
        level=csp.LEVELS[seed % 3],
        run=rng.choice((1, 2, 5, 128)),
        seed=rng.choice((None, None, 3)),
        search=rng.choice(("auto", "tree", "tree")),
        patience=rng.choice((3, 20, 1000)),
        nodes=rng.choice((None, None, 40)),
        stack=rng.choice((4 << 30, 1 << 12)),
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_random_models(part: int, both: Callable[[Asked], tuple[Any, Any]]) -> None:
    for seed in range(part, MODELS, PARTS):
        model = random_model(seed) if seed % 2 else group_model(seed)
        one, other = both(lambda model=model, seed=seed: everything(model, strategy_of(seed)))
        assert one == other, f"seed {seed}: {strategy_of(seed)}\n{dsl.dumps(model)}"


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csp")), ids=lambda path: path.stem)
def test_examples(path: Path, both: Callable[[Asked], tuple[Any, Any]]) -> None:
    model = dsl.load(path)
    strategy = Strategy(nodes=200)
    one, other = both(lambda: everything(model, strategy))
    assert one == other
