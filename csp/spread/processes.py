"""Processes of this machine as an executor that outlives them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

from ..errors import Lost

P = ParamSpec("P")
T = TypeVar("T")

DEATHS = 3
"""How often processes may die while a task is at work before it is given up: it may be what kills them."""


class Processes(Executor):
    """An executor on processes of this machine, which does again what was lost with a process that was killed.

    Parameters
    ----------
    width : int
        How many processes.

    Attributes
    ----------
    width : int

    Notes
    -----
    A ``ProcessPoolExecutor`` is broken for good when one of its processes dies. Here another one takes over, and every
    task that has no result yet begins anew; results that have come stay, so that nothing is lost and nothing is counted
    twice. A task during which processes die three times ends with ``Lost``. The processes leave Ctrl-C to the one that
    has started them, and end when that one ends.

    Examples
    --------
    >>> with Processes(2) as executor:
    ...     list(executor.map(abs, [1, -2, 3]))
    [1, 2, 3]
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._lock = Lock()
        self._is_open = True
        self._pool = ProcessPoolExecutor(width, initializer=_settle)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future result of a call, as for every executor."""
        future: Future[T] = Future()
        self._try(future, partial(fn, *args, **kwargs), 0)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; without waiting, and where tasks are cancelled, also end what is still at work."""
        with self._lock:
            self._is_open, pool = False, self._pool
        processes = list((pool._processes or {}).values())  # kill_workers() comes with Python 3.14
        if cancel_futures and not wait:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
        pool.shutdown(wait or cancel_futures, cancel_futures=cancel_futures)

    def _try(self, future: Future[T], task: Callable[[], T], deaths: int) -> None:
        with self._lock:
            if not self._is_open:
                raise RuntimeError("no more tasks are taken")
            try:
                inner = self._pool.submit(task)
            except BrokenExecutor:
                # there are threads by now, which a forked process would not have
                self._pool = ProcessPoolExecutor(self.width, get_context("spawn"), _settle)
                inner = self._pool.submit(task)
        future.add_done_callback(lambda outer: outer.cancelled() and inner.cancel())
        inner.add_done_callback(partial(self._done, future, task, deaths))

    def _done(self, future: Future[T], task: Callable[[], T], deaths: int, inner: Future[T]) -> None:
        if inner.cancelled() or not isinstance(inner.exception(), BrokenExecutor):
            hand_over(inner, future)
        else:  # in a thread of its own, since the broken pool holds its locks while it says so
            Thread(target=self._again, args=(future, task, deaths + 1), daemon=True).start()

    def _again(self, future: Future[T], task: Callable[[], T], deaths: int) -> None:
        try:
            if deaths < DEATHS:
                return self._try(future, task, deaths)
        except RuntimeError:
            pass  # the executor has been shut down meanwhile
        if future.set_running_or_notify_cancel():
            future.set_exception(Lost(f"the process that did it was killed, {deaths} times"))


def hand_over(inner: Future[T], future: Future[T], lost: tuple[type[Exception], ...] = ()) -> None:
    """Give a future the outcome of another one, where some errors mean that it was lost."""
    if inner.cancelled():
        future.cancel()
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(error := inner.exception(), lost):
        future.set_exception(Lost(str(error)))
    elif error:
        future.set_exception(error)
    else:
        future.set_result(inner.result())


def _settle() -> None:
    """What a new process does first: signals of the terminal are not its business, and it does not stay alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End with the process that has started this one, however that ends."""
    parent: Any = parent_process()
    wait([parent.sentinel])
    os._exit(1)
