"""The rows of ``tests/data/parametric_counts.tsv`` as counts of the gallery."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import csp
import dsl

from .conftest import ROOT

TABLE = ROOT / "tests" / "data" / "parametric_counts.tsv"

EXAMPLE = {
    "n-queens": "queens",
    "all-interval series": "all_interval",
    "costas array": "costas",
    "langford (all, with mirror images)": "langford",
    "latin squares": "latin",
    "reduced latin squares": "latin",
    "magic squares (all symmetries)": "magic_square",
    "empty 4x4 sudoku": "sudoku",
    "golomb ruler of optimal length (both directions)": "golomb",
    "golomb ruler one shorter": "golomb",
}
NAMES = {"marks": "m", "L": "length"}

SLOW = {"all-interval series": 9, "costas array": 7, "magic squares (all symmetries)": 4}
"""Minimum n of a row that takes more than about a second."""

Row = tuple[str, dict[str, int], int]


def rows(path: Path = TABLE) -> Iterator[Row]:
    """Yield the problem, parameters and number of solutions of each row."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            problem, parameters, literature, our_count = line.split("\t")
            pairs = re.findall(r"(\w+)=(\d+)", parameters)
            yield problem, {name: int(value) for name, value in pairs}, int(literature or our_count)


def is_slow(problem: str, parameters: dict[str, int]) -> bool:
    """Return whether a row takes more than about a second."""
    return parameters.get("n", 0) >= SLOW.get(problem, 100) or parameters.get("marks", 0) >= 7


def ask(problem: str, parameters: dict[str, int], settings: csp.Settings | None = None) -> int | None:
    """Count the solutions with the gallery's spec; ``None`` at a limit.

    A group with more variables than values has 0 solutions, without a search.
    """
    params = {NAMES.get(name, name): value for name, value in parameters.items()}
    path = ROOT / "examples" / f"{EXAMPLE[problem]}.csp"
    grids = {"clue": ""} if path.stem in ("latin", "magic_square", "sudoku") else {}
    if problem == "reduced latin squares":
        n = params["n"]
        lines = [[max(r, c) if 1 in (r, c) else "." for c in range(1, n + 1)] for r in range(1, n + 1)]
        grids["clue"] = "\n".join(" ".join(map(str, line)) for line in lines)
    if path.stem == "sudoku":
        params = {"box": 2}
    try:
        model = dsl.load(path, params, grids)
    except dsl.SpecError as error:
        if "can never hold" in str(error):
            return 0
        raise
    count = csp.count(model, settings=settings)
    return count.value if count.complete else None
