"""What the processes that answer in Python have in common.

A line of numbers comes in for each instance (works.py); a line goes out: seconds of set-up, seconds of solving, how
many solutions, and their values; or `refused`, where the peer has no such question.
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
    """A question that this peer cannot be asked."""


@dataclass
class Question:
    """An instance, as it was sent."""

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
    def most(self) -> int | None:
        """How many solutions to look for."""
        return {FIRST: 1, UNIQUE: 2, COUNT: None, ALL: None}[self.want]

    def domain(self, variable: int) -> list[int]:
        return [self.givens[variable]] if variable in self.givens else list(range(1, self.values + 1))

    def refuse(self, sums: bool = False, offsets: bool = False) -> None:
        if sums and self.sums:
            raise Refused("no sums")
        if offsets and any(more for group in self.groups for _, more in group):
            raise Refused("no offsets")


Run = Callable[[], tuple[int, list[list[int]]]]
"""What is timed as solving: gives how many solutions there are, and those that are to be told."""


def listing(question: Question, solutions: Callable[[], Iterable[list[int]]]) -> Run:
    """A run that takes solutions one after the other, as many as are wanted."""

    def run() -> tuple[int, list[list[int]]]:
        found = islice(solutions(), question.most)
        if question.want == COUNT:
            return sum(1 for _ in found), []
        told = list(found)
        return len(told), told

    return run


def blocking(question: Question, solve: Callable[[], list[int] | None], block: Callable[[list[int]], None]) -> Run:
    """The same where every solution is excluded before the next is looked for."""

    def solutions() -> Iterator[list[int]]:
        while (found := solve()) is not None:
            yield found
            if question.want == FIRST:
                return
            block(found)

    return listing(question, solutions)


def serve(ask: Callable[[Question], Run]) -> None:
    """Say that all is ready, and answer line by line."""
    print("ready", flush=True)
    for line in sys.stdin:
        question = Question.read(line)
        began = perf_counter()
        try:
            run = ask(question)
            ready = perf_counter()
            count, solutions = run()
        except Refused as refused:
            print("refused", refused, flush=True)
            continue
        ended = perf_counter()
        told = solutions[:1] if question.want == UNIQUE else solutions
        values = [value for solution in told for value in solution]
        print(ready - began, ended - ready, count, *values, flush=True)
