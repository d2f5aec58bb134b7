"""Traces replay and every reason holds, for puzzles of all sizes and families.

The environment variable ``PUZZLES=1000`` checks a thousand puzzles.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

import csp
import dsl
from csp import LEVELS, AllDifferent, Level, Model, Value, Variable
from csp.engine.search import propagation
from csp.trace import Failure, Removal

from ..conftest import ROOT
from ..makers import MAKERS, NAMES
from ..story import check_trace

PUZZLES = int(os.environ.get("PUZZLES", "120"))


def example(name: str, params: Mapping[str, Value] | None = None, **grids: str) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", params, grids)


def random_model(rng: random.Random) -> Model:
    constraints = [rng.choice(list(MAKERS.values()))(rng) for _ in range(rng.randint(1, 4))]
    constraints.append(AllDifferent.of(rng.sample(NAMES, rng.randint(2, 4)), label="group"))
    return Model({name: rng.sample(range(-1, 5), rng.randint(2, 5)) for name in NAMES}, constraints)


def overlapping_groups(rng: random.Random) -> Model:
    """Return a model of overlapping groups with few spare values."""
    names = [f"x({i})" for i in range(rng.randint(5, 9))]
    groups = [rng.sample(names, rng.randint(3, 5)) for _ in range(rng.randint(1, 3))]
    domains = {name: rng.sample(range(6), rng.choice([2, 2, 3, 3, 5])) for name in names}
    return Model(domains, [AllDifferent.of(group, label=f"group {i}") for i, group in enumerate(groups)])


def sudoku(rows: int, columns: int, max_givens: int) -> Callable[[random.Random], Model]:
    """Return a function that makes sudokus with at most ``max_givens`` givens."""

    def make(rng: random.Random) -> Model:
        n = rows * columns
        symbols = rng.sample(range(1, n + 1), n)
        square = [[symbols[(columns * (r % rows) + r // rows + c) % n] for c in range(n)] for r in range(n)]
        if rng.random() < 0.5:
            square = [list(line) for line in zip(*square, strict=True)]
            box = {"rows": columns, "cols": rows}
        else:
            box = {"rows": rows, "cols": columns}
        given_places = set(rng.sample(range(n * n), rng.randint(n, max_givens)))
        wrong_place = rng.choice([*given_places]) if rng.random() < 0.1 else None
        values = [rng.randint(1, n) if i == wrong_place else square[i // n][i % n] for i in range(n * n)]
        clue = "".join(format(v, "X") if i in given_places else "." for i, v in enumerate(values))
        return example("sudoku", box, clue=clue)

    return make


def latin(rng: random.Random) -> Model:
    n = rng.randint(3, 6)
    model = example("latin", {"n": n})
    shift = rng.randrange(n)
    cells = rng.sample(list(model.domains), rng.randint(1, n * n // 2))
    givens = [csp.Equality(cell, (int(cell.indices[0]) + int(cell.indices[1]) + shift) % n + 1) for cell in cells]
    return Model(model.domains, [*model.constraints, *givens])


def queens(rng: random.Random) -> Model:
    n = rng.randint(4, 9)
    model = example("queens", {"n": n})
    columns = rng.sample(list(model.domains), rng.randint(0, 2))
    givens = [csp.Equality(column, rng.choice(model.domains[column])) for column in columns]
    return Model(model.domains, [*model.constraints, *givens])


def colouring(rng: random.Random) -> Model:
    names = [Variable("c", i) for i in range(rng.randint(3, 12))]
    colours = ("red", "green", "blue", "grey")[: rng.randint(2, 4)]
    edges = [(a, b) for i, a in enumerate(names) for b in names[:i] if rng.random() < 0.4]
    domains = {name: rng.sample(colours, rng.randint(1, len(colours))) for name in names}
    return Model(domains, [csp.Equality(a, b, equal=False) for a, b in edges])


FAMILIES: dict[str, tuple[int, Callable[[random.Random], Model]]] = {  # per hundred puzzles, this many are ...
    "random": (30, random_model),
    "groups": (20, overlapping_groups),
    "4x4": (12, sudoku(2, 2, 8)),
    "6x6": (8, sudoku(2, 3, 18)),
    "9x9": (5, sudoku(3, 3, 40)),
    "12x12": (1, sudoku(3, 4, 80)),
    "latin": (8, latin),
    "queens": (7, queens),
    "colouring": (8, colouring),
    "money": (1, lambda _: example("money")),
}


LONG = (
    "hidoku",
    "knights_tour",
    "numbrix",
)  # lists of 25 or 36 places, inverses of each other: too slow for clingo
NAMES_OF_EXAMPLES = [path.stem for path in sorted((ROOT / "examples").glob("*.csp")) if path.stem not in LONG]


EXAMPLE_LEVELS = [
    (name, LEVELS[(i + j) % len(LEVELS)])
    for i, name in enumerate(NAMES_OF_EXAMPLES)
    for j in range(len(LEVELS) if PUZZLES >= 1000 else 1)
]
"""Each example at one level, or at all levels in a long run."""


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "level"), EXAMPLE_LEVELS)
def test_every_reason_of_the_examples_holds(name: str, level: Level) -> None:
    assert check_trace(example(name), level, 2).total() > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_reason_holds_and_every_trace_replays(family: str) -> None:
    share, make = FAMILIES[family]
    checked: Counter[str] = Counter()
    for number in range(max(1, PUZZLES * share // 100)):
        seed = f"{family} {number}"
        rng = random.Random(seed)
        model, level = make(rng), rng.choice(LEVELS)
        try:
            checked += check_trace(model, level, rng.choice([0, 12]))
        except AssertionError as error:
            raise AssertionError(f"{seed}, {level}: {error}") from error
    assert checked.total() > 0, family


def test_the_cause_of_a_failure_is_minimal() -> None:
    """Check a table that either of two fixed values makes impossible."""
    model = dsl.loads("r(1, 0). r(4, 4). A, B in 0..4. A = 0. B = 1. r(A, B).")
    (failure,) = [record for record in csp.record(model).records if isinstance(record, Failure)]
    assert failure.constraint == model.constraints[2] and failure.cause in ((("A", 0),), (("B", 1),))
    check_trace(model, "singles", 0)


def test_an_expensive_propagator_that_is_skipped_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "MAX_IDLE_STEPS", 1_000)
    skipped = [
        record
        for record in csp.record(example("lits"), "domain", nodes=4).records
        if not getattr(record, "is_asked", True)
    ]
    assert skipped and all("deferred: it is expensive" in csp.trace.caption(record) for record in skipped)


def test_a_value_that_the_constraint_alone_removes_has_no_cause() -> None:
    removals = [r for r in csp.record(example("kakuro"), nodes=0).records if isinstance(r, Removal) and r.step == 8]
    assert [(removal.cause[:1], removal.removed) for removal in removals] == [
        ((), (("cell(5,6)", 7), ("cell(5,6)", 8), ("cell(5,6)", 9), ("cell(6,6)", 7))),
        ((("cell(6,6)", 1),), (("cell(5,6)", 3),)),
    ]
