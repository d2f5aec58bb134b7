"""Map a function over tasks in parallel, and keep the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from typing import Any, TypeVar

from ..base.errors import Lost

T = TypeVar("T")

TICK = 0.05
"""Seconds between two calls of the progress callback."""


def in_order(
    executor: Executor,
    function: Callable[..., T],
    tasks: Iterable[tuple[Any, ...]],
    ahead: int,
    check: Callable[[], None] | None = None,
    lost: Callable[..., T] | None = None,
) -> Iterator[T]:
    """Yield the results of parallel tasks, in the order of the tasks.

    Tasks are taken from the iterable only when they are submitted.

    Parameters
    ----------
    executor : Executor
        An executor with the interface of ``concurrent.futures``.
    function : function
        A function that can be pickled.
    tasks : iterable of tuples
        The arguments of each call.
    ahead : int
        The maximum number of tasks that are submitted and whose results are not yet yielded.
    check : function, optional
        Progress callback: called often; an exception it raises ends the work.
    lost : function, optional
        Called with the error and the arguments of a task that is lost for good; returns a result in its place.

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
        raise TypeError(f"{executor!r} is not an executor: open one by `with csp.parallel.workers(2) as executor`")
    todo = iter(tasks)
    waiting: deque[tuple[Future[T], tuple[Any, ...]]] = deque()
    try:
        while True:
            # Submit tasks up to the limit, then wait for the oldest one.
            for task in islice(todo, ahead - len(waiting)):
                waiting.append((executor.submit(function, *task), task))
            if not waiting:
                return
            future, task = waiting.popleft()
            try:
                outcome = _wait_for_result(future, check)
            except Lost as error:
                if lost is None:
                    raise
                outcome = lost(error, *task)
            yield outcome
    finally:
        # The consumer has stopped, or an error ends the work.
        for future, _ in waiting:
            future.cancel()


def _wait_for_result(future: Future[T], check: Callable[[], None] | None) -> T:
    while True:
        if check:
            check()
        try:
            return future.result(TICK)
        except TimeoutError:
            # The task itself raised this error; otherwise go on waiting.
            if future.done():
                raise
