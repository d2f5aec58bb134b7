"""Compare the effort of about 60 problems with stored counts.

Counts show a slower search without a clock. ``--rewrite`` stores new counts; the commit gives the reason.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import csp
import dsl
from csp import AllDifferent, Effort, Model, Solver, Value

from ..conftest import ROOT

EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.csp")) if not zlib.crc32(path.stem.encode()) % 3]
"""A third of the examples; a new example does not change the selection."""
COUNTERS = ("nodes", "failures", "fixes", "sweeps", "propagators")

Problem = tuple[str, Callable[[], Effort]]


def effort_of_first(model: Model, givens: dict[str, Value] | None = None) -> Effort:
    """Return the effort until the first solution, or until the search fails."""
    answers = Solver(model).solutions(givens)
    next(answers, None)
    return answers.effort


def load(name: str, **params: Value) -> Model:
    grids = {"clue": ""} if name in ("latin", "sudoku", "magic_square") else None
    return dsl.load(ROOT / "examples" / f"{name}.csp", params, grids)


def latin_givens(n: int, holes: float, seed: int) -> dict[str, Value]:
    """Return the givens of a shuffled cyclic Latin square with holes."""
    rng = random.Random(seed)
    rows, cols, symbols = (rng.sample(range(n), n) for _ in range(3))
    cells = {f"cell({r + 1},{c + 1})": symbols[(rows[r] + cols[c]) % n] + 1 for r in range(n) for c in range(n)}
    return {name: cells[name] for name in rng.sample(sorted(cells), round((1 - holes) * n * n))}


def random_colouring(count: int, edges: int, colours: int, seed: int) -> Model:
    rng = random.Random(seed)
    pairs = {tuple(sorted(rng.sample(range(count), 2))) for _ in range(edges)}
    constraints = [AllDifferent.of([f"v{a}", f"v{b}"]) for a, b in sorted(pairs)]
    return Model({f"v{i}": range(colours) for i in range(count)}, constraints)


def problems() -> Iterator[Problem]:
    for path in EXAMPLES:
        yield path.stem, lambda path=path: effort_of_first(dsl.load(Path(path)))
    for n in (6, 10, 16, 30, 50, 100):
        yield f"queens {n}", lambda n=n: effort_of_first(load("queens", n=n))
    for n, seed in ((10, 1), (14, 2), (18, 3), (22, 4), (25, 5)):
        yield (
            f"latin {n}, 42 % holes",
            lambda n=n, seed=seed: effort_of_first(load("latin", n=n), latin_givens(n, 0.42, seed)),
        )
    for rows, cols in ((2, 3), (3, 3), (2, 5), (4, 4)):
        yield f"empty sudoku of {rows}x{cols}", lambda r=rows, c=cols: effort_of_first(load("sudoku", rows=r, cols=c))
    for seed in (1, 2, 3):
        yield f"graph {seed}", lambda seed=seed: effort_of_first(random_colouring(40, 130, 4, seed))
    yield "count latin 5", lambda: csp.count(load("latin", n=5)).effort
    yield "count sudoku 2x3", lambda: csp.count(load("sudoku", rows=2, cols=3)).effort
    yield "count queens 7", lambda: csp.count(load("queens", n=7)).effort
    yield "estimate latin 6", lambda: Solver(load("latin", n=6)).estimate(probes=50).effort


def test_the_effort_of_each_problem_equals_its_stored_counts(golden: Callable[[str, str], None]) -> None:
    lines = [
        f"{name}: " + " ".join(f"{counter} {getattr(effort, counter)}" for counter in COUNTERS)
        for name, solve in problems()
        for effort in [solve()]
    ]
    assert len(lines) >= 60
    golden("counters.txt", "\n".join(lines) + "\n")
