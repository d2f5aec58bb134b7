"""Run attempts to generate a puzzle, in this process or by workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import lru_cache
from itertools import count
from threading import get_ident

from ...base.frozen import Frozen
from ...engine.effort import Effort, Progress
from ...parallel import Workers, in_order
from .needing import TechniqueSearch
from .setter import Puzzle, Setter, Wanted

AHEAD_PER_WORKER = 3
"""Number of attempts that are submitted ahead per worker, so that no worker waits."""


class Attempt(Frozen):
    """The result of one attempt to generate a puzzle.

    Attributes
    ----------
    number : int
        The number of the attempt, from 0. Together with the seed it determines the puzzle.
    puzzle : Puzzle or None
        None if the clues of every tried solution allowed another solution.
    is_wanted : bool
        Whether the puzzle meets the requirements.
    nearest : int or None
        The ``nearest`` of a search for techniques.
    """

    number: int
    puzzle: Puzzle | None
    is_wanted: bool
    nearest: int | None = None


def attempts(
    make: Callable[[], Setter],
    requirements: Wanted,
    seed: str | int,
    executor: Workers | None = None,
    progress: Progress | None = None,
) -> Generator[Attempt, None, None]:
    """Yield the results of successive attempts to generate a puzzle, without end.

    The results do not depend on the executor.

    Parameters
    ----------
    make : function
        Makes the setter. With workers it must pickle, and each worker calls it.
    requirements : Wanted
    seed : str or int
    executor : Workers, optional
        An executor from ``csp.parallel.workers``.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the attempts.

    Yields
    ------
    Attempt

    Raises
    ------
    ModelError, Stopped
        The errors of ``Setter.attempt``.
    """
    if executor is None:
        setter = make()
        for number in count():
            yield _attempt(setter, requirements, seed, number, progress)
    else:
        shipment = pickle.dumps((make, requirements, seed))
        check = None if progress is None else lambda: progress(Effort())
        yield from in_order(
            executor,
            _attempt_in_worker,
            ((shipment, number) for number in count()),
            AHEAD_PER_WORKER * executor.width,
            check,
        )


def _attempt_in_worker(shipment: bytes, number: int) -> Attempt:
    return _attempt(*_unpack(shipment, get_ident()), number, None)


@lru_cache(maxsize=4)
def _unpack(shipment: bytes, thread: int) -> tuple[Setter, Wanted, str | int]:
    """Unpickle ``shipment`` and make its setter; cached, so once per worker thread."""
    make, requirements, seed = pickle.loads(shipment)
    return make(), requirements, seed


def _attempt(setter: Setter, requirements: Wanted, seed: str | int, number: int, progress: Progress | None) -> Attempt:
    draft = setter.draw(f"{seed}/{number}", progress)
    if draft is None:
        return Attempt(number, None, False)
    puzzle, nearest = Puzzle(draft.clues_of(draft.kept), draft.solution), None
    if requirements.ladder:
        search = TechniqueSearch(setter, requirements, draft, progress)
        suitable, nearest = search.run(), search.nearest
        if suitable is None:
            return Attempt(number, puzzle, False, nearest)
        puzzle = suitable
    # Check the number of clues before the rating, which takes much longer.
    if requirements.givens and not requirements.givens[0] <= len(puzzle.clues) <= requirements.givens[1]:
        return Attempt(number, puzzle, False, nearest)
    if requirements.difficulty is None:
        return Attempt(number, puzzle, True, nearest)
    rating = setter.rating(puzzle.clues, progress)
    minimum, maximum = requirements.difficulty
    return Attempt(number, replace(puzzle, rating=rating), minimum <= rating <= maximum, nearest)
