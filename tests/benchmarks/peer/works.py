"""The workloads as plain numbers, and a checker of answers that shares no code with any peer."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

FIRST, UNIQUE, COUNT, ALL = range(4)
"""Questions: one solution; one solution and a proof that it is unique; the number of solutions; all solutions."""

Group = list[tuple[int, int]]
"""Variables with an offset each; the sums of variable and offset all differ."""


class Skip(Exception):
    """If a peer or a workload cannot be measured here; the message says why."""


@dataclass(frozen=True)
class Instance:
    """Variables 0, 1, ... with the values 1 to `values`, groups that differ, and sums of some variables."""

    name: str
    want: int
    variables: int
    values: int
    groups: tuple[Group, ...]
    sums: tuple[tuple[int, list[int]], ...] = ()
    givens: tuple[tuple[int, int], ...] = ()
    box: tuple[int, int] | None = None
    expected_count: int = 1
    """The number of solutions, if they are counted or proved."""
    spec: str = ""
    """The instance as a spec, if reading it is part of the work."""

    def numbers(self) -> list[int]:
        """Return the whole instance as a list of numbers."""
        row = [self.want, self.variables, self.values, *(self.box or (0, 0)), len(self.givens)]
        row += itertools.chain(*self.givens)
        row.append(len(self.groups))
        for group in self.groups:
            row += [len(group), *itertools.chain(*group)]
        row.append(len(self.sums))
        for total, members in self.sums:
            row += [total, len(members), *members]
        return row

    def check(self, count: int, values: Sequence[int]) -> str:
        """Return the fault of an answer, "" if it is right; ``values`` are the values of all its solutions in turn."""
        if self.want != FIRST and count != self.expected_count:
            return f"{count:,} solutions, not {self.expected_count:,}"
        listed = {FIRST: 1, UNIQUE: 1, COUNT: 0, ALL: self.expected_count}[self.want]
        if len(values) != listed * self.variables:
            return f"{len(values)} values"
        solutions = [tuple(row) for row in _slices(values, self.variables)] if listed else []
        if len(set(solutions)) < len(solutions):
            return "a solution comes twice"
        return next(filter(None, map(self._fault, solutions)), "")

    def _fault(self, values: tuple[int, ...]) -> str:
        if not all(1 <= value <= self.values for value in values):
            return "a value outside its domain"
        if any(values[variable] != value for variable, value in self.givens):
            return "a given is not kept"
        if any(len({values[v] + offset for v, offset in group}) < len(group) for group in self.groups):
            return "a group with equal values"
        if any(sum(values[v] for v in members) != total for total, members in self.sums):
            return "a wrong sum"
        return ""


def lines_of(data: Path, name: str) -> list[str]:
    path = data / name
    if not path.is_file():
        raise Skip(f"no file {name} in the data folder")
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def without_offsets(cells: Iterator[int] | range) -> Group:
    return [(cell, 0) for cell in cells]


def square(n: int, box: tuple[int, int] | None) -> tuple[Group, ...]:
    """Return the groups of a square: its rows, its columns and, if ``box`` is given, its boxes."""
    groups = [without_offsets(range(r * n, r * n + n)) for r in range(n)] + [
        without_offsets(range(c, n * n, n)) for c in range(n)
    ]
    if box:
        rows, cols = box
        for top, left in itertools.product(range(0, n, rows), range(0, n, cols)):
            groups.append([(r * n + c, 0) for r in range(top, top + rows) for c in range(left, left + cols)])
    return tuple(groups)


def sudoku(name: str, cells: Sequence[int], box: tuple[int, int]) -> Instance:
    n = box[0] * box[1]
    givens = tuple((cell, value) for cell, value in enumerate(cells) if value)
    return Instance(name, FIRST, n * n, n, square(n, box), givens=givens, box=box)


def lines9(file: str) -> Callable[[Path], list[Instance]]:
    def read(data: Path) -> list[Instance]:
        texts = [line.split()[0] for line in lines_of(data, file)]
        rows = [[int(letter) if letter.isdigit() else 0 for letter in text] for text in texts]
        return [sudoku(f"line {number}", row, (3, 3)) for number, row in enumerate(rows, 1)]

    return read


def records(data: Path, *files: str) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files for line in lines_of(data, file)]


def sixteen(data: Path) -> list[Instance]:
    rows = records(data, "measure/sudokuN/gecode_16x16.jsonl", "measure/sudokuN/janko_16x16.jsonl")
    instances = [sudoku(record["id"], [*itertools.chain(*record["grid"])], (4, 4)) for record in rows]
    return [instance for instance in instances if 0.39 <= len(instance.givens) / 256 <= 0.54]


def twenty_five(data: Path) -> list[Instance]:
    """Return shuffled grids with 50 to 54 % of their cells given."""
    instances = []
    for seed, share in enumerate((0.50, 0.51, 0.52, 0.53, 0.54), 1):
        rng, n = Random(seed), 25
        bands, stacks = ([5 * b + i for b in rng.sample(range(5), 5) for i in rng.sample(range(5), 5)] for _ in "rc")
        digits = rng.sample(range(1, n + 1), n)
        cells = [digits[(5 * (r % 5) + r // 5 + c) % n] for r in bands for c in stacks]
        for cell in rng.sample(range(n * n), round((1 - share) * n * n)):
            cells[cell] = 0
        instances.append(sudoku(f"25x25 {share:.0%}", cells, (5, 5)))
    return instances


def quasigroups(data: Path) -> list[Instance]:
    """Return shuffled cyclic Latin squares with 42 % of the cells blank."""
    instances = []
    for seed, n in enumerate((30, 31, 32, 33, 35), 1):
        rng = Random(seed)
        rows, cols, symbols = (rng.sample(range(n), n) for _ in range(3))
        cells = [symbols[(r + c) % n] + 1 for r in rows for c in cols]
        for cell in rng.sample(range(n * n), round(0.42 * n * n)):
            cells[cell] = 0
        givens = tuple((cell, value) for cell, value in enumerate(cells) if value)
        instances.append(Instance(f"order {n}", FIRST, n * n, n, square(n, None), givens=givens))
    return instances


def killers(file: str) -> Callable[[Path], list[Instance]]:
    def read(data: Path) -> list[Instance]:
        from dsl.puzzles.convert import puzzles
        from dsl.syntax.errors import Source

        instances = []
        for record in records(data, file):
            if record["n"] != 9 or record["solutions"] != 1 or record.get("diagonals"):
                continue
            (puzzle,) = puzzles(Source("record", json.dumps(record)))
            cages = [(cage["sum"], [9 * r + c for r, c in cage["cells"]]) for cage in record["cages"]]
            groups = [*square(9, (3, 3)), *(without_offsets(members) for _, members in cages if len(members) > 1)]
            sums = tuple(cage for cage in cages if cage[0] is not None)
            cells = itertools.chain(*record.get("grid") or [])
            givens = tuple((cell, value) for cell, value in enumerate(cells) if value)
            spec = puzzle.spec()
            instances.append(Instance(record["id"], UNIQUE, 81, 9, tuple(groups), sums, givens, (3, 3), spec=spec))
        return instances

    return read


def latin5(data: Path) -> list[Instance]:
    return [Instance("order 5", COUNT, 25, 5, square(5, None), expected_count=161_280)]


def queens(n: int, want: int, expected_count: int = 1) -> Callable[[Path], list[Instance]]:
    rows = range(n)
    groups = ([(r, 0) for r in rows], [(r, r) for r in rows], [(r, -r) for r in rows])
    return lambda data: [Instance(f"{n} queens", want, n, n, groups, expected_count=expected_count)]


WORKS: dict[str, Callable[[Path], list[Instance]]] = {
    "royle17": lines9("measure/sudoku9/royle17.txt"),
    "top95": lines9("measure/sudoku9/norvig_top95.txt"),
    "forum": lines9("measure/sudoku9/forum_hardest_1106.txt"),
    "16x16": sixteen,
    "25x25": twenty_five,
    "quasigroup": quasigroups,
    "killer_janko": killers("measure/variants/killer_janko.jsonl"),
    "killer_sgt": killers("free/variants/killer_sgt.jsonl"),
    "latin5": latin5,
    "queens8": queens(8, ALL, 92),
    "queens50": queens(50, FIRST),
    "queens200": queens(200, FIRST),
}


def _slices(values: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (values[start : start + size] for start in range(0, len(values), size))
