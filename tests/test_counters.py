"""What some 60 fixed questions cost, in counts: a change that makes the search worse is seen without a clock.

``--rewrite`` writes the counts anew; whoever does says in the commit why they are better, or worth it.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import csp
import dsl
from csp import AllDifferent, Effort, Model, Solver, Value

from .conftest import ROOT

EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.csp")) if not zlib.crc32(path.stem.encode()) % 3]
"""A third of them, which a new one does not change."""
SHOWN = ("nodes", "failures", "fixes", "sweeps", "propagators")

Question = tuple[str, Callable[[], Effort]]


def first(model: Model, givens: dict[str, Value] | None = None) -> Effort:
    """What the first solution costs, or that there is none."""
    answers = Solver(model).solutions(givens)
    next(answers, None)
    return answers.effort


def load(name: str, **params: Value) -> Model:
    grids = {"clue": ""} if name in ("latin", "sudoku", "magic_square") else None
    return dsl.load(ROOT / "examples" / f"{name}.csp", params, grids)


def punched(n: int, holes: float, seed: int) -> dict[str, Value]:
    """A shuffled cyclic Latin square with blanks."""
    rng = random.Random(seed)
    rows, cols, symbols = (rng.sample(range(n), n) for _ in range(3))
    cells = {f"cell({r + 1},{c + 1})": symbols[(rows[r] + cols[c]) % n] + 1 for r in range(n) for c in range(n)}
    return {name: cells[name] for name in rng.sample(sorted(cells), round((1 - holes) * n * n))}


def graph(count: int, edges: int, colours: int, seed: int) -> Model:
    rng = random.Random(seed)
    pairs = {tuple(sorted(rng.sample(range(count), 2))) for _ in range(edges)}
    links = [AllDifferent.of([f"v{a}", f"v{b}"]) for a, b in sorted(pairs)]
    return Model({f"v{i}": range(colours) for i in range(count)}, links)


def questions() -> Iterator[Question]:
    for path in EXAMPLES:
        yield path.stem, lambda path=path: first(dsl.load(Path(path)))
    for n in (6, 10, 16, 30, 50, 100):
        yield f"queens {n}", lambda n=n: first(load("queens", n=n))
    for n, seed in ((10, 1), (14, 2), (18, 3), (22, 4), (25, 5)):
        yield f"latin {n}, 42 % holes", lambda n=n, seed=seed: first(load("latin", n=n), punched(n, 0.42, seed))
    for rows, cols in ((2, 3), (3, 3), (2, 5), (4, 4)):
        yield f"empty sudoku of {rows}x{cols}", lambda r=rows, c=cols: first(load("sudoku", rows=r, cols=c))
    for seed in (1, 2, 3):
        yield f"graph {seed}", lambda seed=seed: first(graph(40, 130, 4, seed))
    yield "count latin 5", lambda: csp.count(load("latin", n=5)).effort
    yield "count sudoku 2x3", lambda: csp.count(load("sudoku", rows=2, cols=3)).effort
    yield "count queens 7", lambda: csp.count(load("queens", n=7)).effort
    yield "estimate latin 6", lambda: Solver(load("latin", n=6)).estimate(probes=50).effort


def test_what_it_costs(golden: Callable[[str, str], None]) -> None:
    lines = [
        f"{name}: " + " ".join(f"{n} {getattr(e, n)}" for n in SHOWN) for name, ask in questions() for e in [ask()]
    ]
    assert len(lines) >= 60
    golden("counters.txt", "\n".join(lines) + "\n")
