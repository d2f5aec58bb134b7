"""Tasks one after the other, of which many are at work."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from typing import Any, TypeVar

from ..ground.errors import Lost

T = TypeVar("T")

TICK = 0.05
"""Seconds between two looks at what may end the work."""


def in_order(
    executor: Executor,
    function: Callable[..., T],
    tasks: Iterable[tuple[Any, ...]],
    ahead: int,
    check: Callable[[], None] | None = None,
    lost: Callable[..., T] | None = None,
) -> Iterator[T]:
    """The results of tasks, in the order of the tasks, which are taken as they are needed.

    Parameters
    ----------
    executor : Executor
        Any that keeps to ``concurrent.futures``.
    function : function
        One that can be pickled.
    tasks : iterable of tuples
        The arguments of each call.
    ahead : int
        How many tasks are at work, or done and not yet asked for, at most.
    check : function, optional
        Progress callback: called often; an exception it raises ends the work.
    lost : function, optional
        Called with the error and the arguments of a task that is given up; its result stands for that of the task.

    Yields
    ------
    result

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     list(in_order(executor, divmod, [(7, 2), (9, 4), (5, 5)], 2))
    [(3, 1), (2, 1), (1, 0)]
    """
    if not hasattr(executor, "submit"):
        raise TypeError(f"{executor!r} is no executor: with csp.spread.workers(2) as executor opens one")
    todo = iter(tasks)
    waiting: deque[tuple[Future[T], tuple[Any, ...]]] = deque()
    try:
        while True:
            for task in islice(todo, ahead - len(waiting)):
                waiting.append((executor.submit(function, *task), task))
            if not waiting:
                return
            future, task = waiting.popleft()
            try:
                outcome = _outcome(future, check)
            except Lost as error:
                if lost is None:
                    raise
                outcome = lost(error, *task)
            yield outcome
    finally:
        for future, _ in waiting:
            future.cancel()


def _outcome(future: Future[T], check: Callable[[], None] | None) -> T:
    while True:
        if check:
            check()
        try:
            return future.result(TICK)
        except TimeoutError:
            if future.done():
                raise  # by the task itself
