"""One attempt after the other at a puzzle that is wanted, in one process or several."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context
from multiprocessing.synchronize import Event

from ..engine.effort import Effort, Watch
from ..errors import Stopped
from .setter import Puzzle, Setter, Wanted

TICK = 0.05
"""Seconds between two looks at whether a process is done, and at whether it is to end."""

AHEAD = 3
"""How many attempts wait for each process."""


@dataclass(frozen=True)
class Attempt:
    """What came of an attempt.

    Attributes
    ----------
    number : int
        From 0; with the seed it decides what the puzzle is.
    puzzle : Puzzle or None
        None where no solution that was tried is told by its clues.
    is_wanted : bool
    """

    number: int
    puzzle: Puzzle | None
    is_wanted: bool


def attempts(
    make: Callable[[], Setter], wanted: Wanted, seed: str | int, jobs: int = 1, watch: Watch | None = None
) -> Generator[Attempt, None, None]:
    """Attempts without end, in the order of their numbers, whatever the number of processes.

    Parameters
    ----------
    make : function
        Makes the setter; for several processes it must pickle, and is called in each.
    wanted : Wanted
    seed : str or int
    jobs : int
        How many processes.
    watch : function, optional
        Told of the effort now and then; what it raises ends the attempts.

    Yields
    ------
    Attempt

    Raises
    ------
    ModelError, Stopped
        As ``Setter.attempt``.
    """
    if jobs == 1:
        setter = make()
        for number in count():
            yield _attempt(setter, wanted, seed, number, watch)
    context = get_context()
    ending = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _begin, (make, wanted, seed, ending))
    waiting: deque[Future[Attempt]] = deque()
    try:
        for number in count():
            waiting.append(pool.submit(_work, number))
            if len(waiting) >= AHEAD * jobs:
                yield _result(waiting.popleft(), watch)
    finally:
        ending.set()
        pool.shutdown(cancel_futures=True)


def _attempt(setter: Setter, wanted: Wanted, seed: str | int, number: int, watch: Watch | None) -> Attempt:
    puzzle = setter.attempt(f"{seed}/{number}", watch)
    if puzzle is None or (wanted.givens and not wanted.givens[0] <= len(puzzle.clues) <= wanted.givens[1]):
        return Attempt(number, puzzle, False)
    if wanted.difficulty is None:
        return Attempt(number, puzzle, True)
    rating = setter.rating(puzzle.clues, watch)
    least, most = wanted.difficulty
    return Attempt(number, replace(puzzle, rating=rating), least <= rating <= most)


def _result(future: Future[Attempt], watch: Watch | None) -> Attempt:
    """What a process has come to; meanwhile the watch is asked."""
    while True:
        try:
            return future.result(TICK)
        except TimeoutError:
            if future.done():
                raise
            if watch is not None:
                watch(Effort())


class _Worker:
    """What a process keeps between its attempts."""

    current: _Worker

    def __init__(self, make: Callable[[], Setter], wanted: Wanted, seed: str | int, ending: Event) -> None:
        self._setter, self._wanted, self._seed, self._ending = make(), wanted, seed, ending

    def attempt(self, number: int) -> Attempt:
        """The attempt of this number."""
        return _attempt(self._setter, self._wanted, self._seed, number, self._watch)

    def _watch(self, effort: Effort) -> None:
        if self._ending.is_set():
            raise Stopped("the end of all attempts")


def _begin(make: Callable[[], Setter], wanted: Wanted, seed: str | int, ending: Event) -> None:
    """Get a process ready; it leaves signals to the one that has begun it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _Worker.current = _Worker(make, wanted, seed, ending)


def _work(number: int) -> Attempt:
    return _Worker.current.attempt(number)
