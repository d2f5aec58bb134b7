"""Processes of this machine as an executor that outlives them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Lock, Thread
from typing import Any

from .lasting import Lasting, T


class Processes(Lasting):
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
    task that has no result yet begins anew; the third time in a process of its own, one such task after the other. The
    processes leave Ctrl-C to the one that has started them, and end when that one ends.

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
        self._single: ProcessPoolExecutor | None = None
        self._singly = ThreadPoolExecutor(1)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; without waiting, and where tasks are cancelled, also end what is still at work."""
        with self._lock:
            self._is_open = False
            pools = [pool for pool in (self._pool, self._single) if pool is not None]
        self._singly.shutdown(wait, cancel_futures=cancel_futures)
        for pool in pools:
            processes = list((pool._processes or {}).values())  # kill_workers() comes with Python 3.14
            manager: Any = pool._executor_manager_thread
            pool.shutdown(wait, cancel_futures=cancel_futures)
            if cancel_futures and not wait and manager is not None:
                for process in processes:
                    process.kill()
                manager.join()
        if cancel_futures:
            self._singly.shutdown()

    def _begin(self, task: Callable[[], T]) -> Future[T]:
        with self._lock:
            if not self._is_open:
                raise RuntimeError("no more tasks are taken")
            try:
                return self._pool.submit(task)
            except (BrokenExecutor, OSError):  # the pipe of a process that has just died is closed
                self._pool = _new_pool(self.width)
                return self._pool.submit(task)

    def _begin_alone(self, task: Callable[[], T]) -> Future[T]:
        return self._singly.submit(self._single_result, task)

    def _single_result(self, task: Callable[[], T]) -> T:
        with self._lock:
            if not self._is_open:
                raise CancelledError
            self._single = self._single or _new_pool(1)
            future = self._single.submit(task)
        try:
            return future.result()
        except BrokenExecutor:
            self._single = None
            raise

    def _is_lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)


def _new_pool(width: int) -> ProcessPoolExecutor:
    """Processes that take over from others. There are threads by now, which forked ones would not have."""
    return ProcessPoolExecutor(width, get_context("spawn"), _settle)


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
