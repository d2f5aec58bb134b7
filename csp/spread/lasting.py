"""An executor that does again what was lost with whatever worked on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Thread
from typing import ParamSpec, TypeVar

from ..ground.errors import Lost

P = ParamSpec("P")
T = TypeVar("T")

DEATHS = 3
"""How often processes may die while a task is at work before it is given up: it may be what kills them."""


class Lasting(Executor):
    """An executor on another one: a task that is lost there begins anew.

    Results that have come stay, so that nothing is lost and nothing is counted twice. A task that is lost twice has a
    last chance, alone where that is possible: what kills a process takes with it what others are at work on. If it is
    lost again, it ends with ``Lost``.

    Attributes
    ----------
    width : int
        How many tasks are done at once.
    """

    width: int

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future result of a call, as for every executor."""
        future: Future[T] = Future()
        self._try(future, partial(fn, *args, **kwargs), 0)
        return future

    @abstractmethod
    def _begin(self, task: Callable[[], T]) -> Future[T]:
        """Hand a task out; a ``RuntimeError`` where no more are taken."""

    def _begin_alone(self, task: Callable[[], T]) -> Future[T]:
        """Hand a task out, if possible where no other one is."""
        return self._begin(task)

    @abstractmethod
    def _is_lost(self, error: BaseException) -> bool:
        """Whether an error says that the task was lost, and not what the task itself has raised."""

    def _try(self, future: Future[T], task: Callable[[], T], deaths: int) -> None:
        inner = self._begin(task) if deaths < DEATHS - 1 else self._begin_alone(task)
        future.add_done_callback(lambda outer: outer.cancelled() and inner.cancel())
        inner.add_done_callback(partial(self._done, future, task, deaths))

    def _done(self, future: Future[T], task: Callable[[], T], deaths: int, inner: Future[T]) -> None:
        error = None if inner.cancelled() else inner.exception()
        if not future.cancelled() and (inner.cancelled() or (error and self._is_lost(error))):
            # in a thread of its own, since what has broken may hold its locks while it says so
            Thread(target=self._again, args=(future, task, deaths + 1), daemon=True).start()
        elif future.set_running_or_notify_cancel():
            if error:
                future.set_exception(error)
            else:
                future.set_result(inner.result())

    def _again(self, future: Future[T], task: Callable[[], T], deaths: int) -> None:
        try:
            if deaths < DEATHS:
                return self._try(future, task, deaths)
        except RuntimeError:
            future.cancel()  # the executor has been shut down meanwhile
        if future.set_running_or_notify_cancel():
            future.set_exception(Lost(f"what worked on it was killed, {deaths} times"))
