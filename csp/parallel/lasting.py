"""An executor that restarts the tasks of lost workers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Thread
from typing import ParamSpec, TypeVar

from ..base.errors import Lost

P = ParamSpec("P")
T = TypeVar("T")

MAX_LOSSES = 3
"""Number of times that a task may be lost with a dying process, before it is given up as the likely cause."""


class ResilientExecutor(Executor):
    """An executor that wraps another one, and restarts tasks that it loses.

    Finished results are kept, so no result is lost or counted twice. A task that was lost twice gets one last try,
    alone if possible, because a task that kills its process also affects the other tasks. If it is lost again, it ends
    with the error ``Lost``.

    Attributes
    ----------
    width : int
        The number of tasks that run at the same time.
    """

    width: int

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call, and return the future of its result."""
        future: Future[T] = Future()
        self._start_task(future, partial(fn, *args, **kwargs), 0)
        return future

    @abstractmethod
    def _submit_task(self, task: Callable[[], T]) -> Future[T]:
        """Submit a task to the inner executor; raise ``RuntimeError`` after a shutdown."""

    def _submit_alone(self, task: Callable[[], T]) -> Future[T]:
        """Submit a task that should run without other tasks beside it."""
        return self._submit_task(task)

    @abstractmethod
    def _is_lost(self, error: BaseException) -> bool:
        """Return whether an error means that the worker of a task was lost."""

    def _start_task(self, future: Future[T], task: Callable[[], T], losses: int) -> None:
        # The last try runs alone.
        inner = self._submit_task(task) if losses < MAX_LOSSES - 1 else self._submit_alone(task)
        future.add_done_callback(lambda outer: outer.cancelled() and inner.cancel())
        inner.add_done_callback(partial(self._finish_or_restart, future, task, losses))

    def _finish_or_restart(self, future: Future[T], task: Callable[[], T], losses: int, inner: Future[T]) -> None:
        error = None if inner.cancelled() else inner.exception()
        if not future.cancelled() and (inner.cancelled() or (error and self._is_lost(error))):
            # Restart in a new thread, because the broken executor may hold its locks during this callback.
            Thread(target=self._restart, args=(future, task, losses + 1), daemon=True).start()
        elif future.set_running_or_notify_cancel():
            if error:
                future.set_exception(error)
            else:
                future.set_result(inner.result())

    def _restart(self, future: Future[T], task: Callable[[], T], losses: int) -> None:
        try:
            if losses < MAX_LOSSES:
                return self._start_task(future, task, losses)
        except RuntimeError:
            # The executor has been shut down in the meantime.
            future.cancel()
        # The task has no try left.
        if future.set_running_or_notify_cancel():
            future.set_exception(Lost(f"what worked on it was killed, {losses} times"))
