"""The protocol of the peers in Python.

For each instance a line of numbers comes in (works.py) and a line goes out: seconds of set-up, seconds of solving, the
number of solutions, and their values; or `refused`, if the peer cannot answer this kind of question.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[2])]

FIRST, UNIQUE, COUNT, ALL = range(4)


class Refused(Exception):
    """If this peer cannot answer this kind of question."""


@dataclass
class Question:
    """An instance as works.py sends it."""

    want: int
    variables: int
    values: int
    box: tuple[int, int]
    givens: dict[int, int]
    groups: list[list[tuple[int, int]]]
    sums: list[tuple[int, list[int]]]
    spec: str

    @classmethod
    def read(cls, line: str) -> Question:
        """Return the question in a line."""
        text, _, spec = line.partition("#")
        numbers = map(int, text.split())
        take = lambda count: list(islice(numbers, count))  # noqa: E731
        want, variables, values, rows, cols, givens = take(6)
        pairs = lambda count: [(a, b) for a, b in zip(*[iter(take(2 * count))] * 2, strict=True)]  # noqa: E731
        given = dict(pairs(givens))
        groups = [pairs(next(numbers)) for _ in range(next(numbers))]
        sums = []
        for _ in range(next(numbers)):
            total, count = take(2)
            sums.append((total, take(count)))
        return cls(want, variables, values, (rows, cols), given, groups, sums, json.loads(spec) if spec else "")

    @property
    def limit(self) -> int | None:
        """Return the number of solutions to look for; None for all."""
        return {FIRST: 1, UNIQUE: 2, COUNT: None, ALL: None}[self.want]

    def domain(self, variable: int) -> list[int]:
        return [self.givens[variable]] if variable in self.givens else list(range(1, self.values + 1))

    def refuse(self, sums: bool = False, offsets: bool = False) -> None:
        if sums and self.sums:
            raise Refused("no sums")
        if offsets and any(offset for group in self.groups for _, offset in group):
            raise Refused("no offsets")


Run = Callable[[], tuple[int, list[list[int]]]]
"""The timed part of solving: returns the number of solutions, and the solutions to be listed."""


def listing(question: Question, solutions: Callable[[], Iterable[list[int]]]) -> Run:
    """Return a run that takes as many solutions from an iterator as the question asks for."""

    def run() -> tuple[int, list[list[int]]]:
        wanted = islice(solutions(), question.limit)
        if question.want == COUNT:
            return sum(1 for _ in wanted), []
        listed = list(wanted)
        return len(listed), listed

    return run


def blocking(question: Question, solve: Callable[[], list[int] | None], block: Callable[[list[int]], None]) -> Run:
    """Return a run that excludes each solution before it looks for the next."""

    def solutions() -> Iterator[list[int]]:
        while (solution := solve()) is not None:
            yield solution
            if question.want == FIRST:
                return
            block(solution)

    return listing(question, solutions)


def serve(ask: Callable[[Question], Run]) -> None:
    """Print that the peer is ready, then answer line by line."""
    print("ready", flush=True)
    for line in sys.stdin:
        question = Question.read(line)
        start = perf_counter()
        try:
            run = ask(question)
            ready = perf_counter()
            count, solutions = run()
        except Refused as refused:
            print("refused", refused, flush=True)
            continue
        end = perf_counter()
        listed = solutions[:1] if question.want == UNIQUE else solutions
        values = [value for solution in listed for value in solution]
        print(ready - start, end - ready, count, *values, flush=True)
