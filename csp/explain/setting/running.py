"""Repeats attempts at a puzzle until one is as wanted, in this process or by workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import lru_cache
from itertools import count
from threading import get_ident

from ...engine.effort import Effort, Watch
from ...ground.frozen import Frozen
from ...spread import Workers, in_order
from .setter import Puzzle, Setter, Wanted

AHEAD = 3
"""How many attempts are on their way for each worker."""


class Attempt(Frozen):
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
    make: Callable[[], Setter],
    wanted: Wanted,
    seed: str | int,
    executor: Workers | None = None,
    watch: Watch | None = None,
) -> Generator[Attempt, None, None]:
    """Attempts without end, in the order of their numbers, whoever makes them.

    Parameters
    ----------
    make : function
        Makes the setter; for workers it must pickle, and each of them calls it.
    wanted : Wanted
    seed : str or int
    executor : Workers, optional
        As ``csp.spread.workers`` opens it.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the attempts.

    Yields
    ------
    Attempt

    Raises
    ------
    ModelError, Stopped
        As ``Setter.attempt``.
    """
    if executor is None:
        setter = make()
        for number in count():
            yield _attempt(setter, wanted, seed, number, watch)
    else:
        shipment = pickle.dumps((make, wanted, seed))
        check = None if watch is None else lambda: watch(Effort())
        yield from in_order(executor, _sent, ((shipment, number) for number in count()), AHEAD * executor.width, check)


def _sent(shipment: bytes, number: int) -> Attempt:
    return _attempt(*_ready(shipment, get_ident()), number, None)


@lru_cache(maxsize=4)
def _ready(shipment: bytes, thread: int) -> tuple[Setter, Wanted, str | int]:
    """What was sent, with a setter that is made once for each thread of a process."""
    make, wanted, seed = pickle.loads(shipment)
    return make(), wanted, seed


def _attempt(setter: Setter, wanted: Wanted, seed: str | int, number: int, watch: Watch | None) -> Attempt:
    puzzle = setter.attempt(f"{seed}/{number}", watch)
    if puzzle is None or (wanted.givens and not wanted.givens[0] <= len(puzzle.clues) <= wanted.givens[1]):
        return Attempt(number, puzzle, False)
    if wanted.difficulty is None:
        return Attempt(number, puzzle, True)
    rating = setter.rating(puzzle.clues, watch)
    least, most = wanted.difficulty
    return Attempt(number, replace(puzzle, rating=rating), least <= rating <= most)
