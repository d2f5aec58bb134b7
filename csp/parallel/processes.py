"""An executor on local processes, which restarts the tasks of killed processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Lock, Thread
from typing import Any

from .lasting import ResilientExecutor, T


class Processes(ResilientExecutor):
    """An executor on processes of this machine that restarts the tasks of killed processes.

    Parameters
    ----------
    width : int
        The number of processes.

    Attributes
    ----------
    width : int

    Notes
    -----
    A ``ProcessPoolExecutor`` is unusable after one of its processes dies. This executor then opens a new pool, and
    restarts each unfinished task there. At its third start, a task runs in a separate pool of one process, one such
    task after the other. The processes ignore Ctrl-C, which their parent handles, and end when their parent ends.

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
        self._pool = ProcessPoolExecutor(width, initializer=_prepare_process)
        self._single_pool: ProcessPoolExecutor | None = None
        self._one_by_one = ThreadPoolExecutor(1)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Refuse new tasks, and end the processes when they are idle.

        Without ``wait`` and with ``cancel_futures``, also kill the running processes.
        """
        with self._lock:
            self._is_open = False
            pools = [pool for pool in (self._pool, self._single_pool) if pool is not None]
        self._one_by_one.shutdown(wait, cancel_futures=cancel_futures)
        for pool in pools:
            # Python 3.14 has kill_workers() for this; earlier versions need private attributes.
            processes = list((pool._processes or {}).values())
            manager: Any = pool._executor_manager_thread
            pool.shutdown(wait, cancel_futures=cancel_futures)
            if cancel_futures and not wait and manager is not None:
                for process in processes:
                    process.kill()
                manager.join()
        if cancel_futures:
            self._one_by_one.shutdown()

    def _submit_task(self, task: Callable[[], T]) -> Future[T]:
        with self._lock:
            if not self._is_open:
                raise RuntimeError("no more tasks are taken")
            try:
                return self._pool.submit(task)
            except (BrokenExecutor, OSError):
                # A process has died; OSError comes from its closed pipe.
                self._pool = _new_pool(self.width)
                return self._pool.submit(task)

    def _submit_alone(self, task: Callable[[], T]) -> Future[T]:
        return self._one_by_one.submit(self._run_alone, task)

    def _run_alone(self, task: Callable[[], T]) -> T:
        with self._lock:
            if not self._is_open:
                raise CancelledError
            self._single_pool = self._single_pool or _new_pool(1)
            future = self._single_pool.submit(task)
        # If the pool breaks, the next task opens a new one.
        try:
            return future.result()
        except BrokenExecutor:
            self._single_pool = None
            raise

    def _is_lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)


def _new_pool(width: int) -> ProcessPoolExecutor:
    """Return a pool of spawned processes.

    Forking is unsafe by now, because threads run.
    """
    return ProcessPoolExecutor(width, get_context("spawn"), _prepare_process)


def _prepare_process() -> None:
    """Make a new process ignore terminal signals and end with its parent."""
    # The parent handles Ctrl-C and the alarm of a timeout.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Wait for the parent process to end, then exit."""
    parent: Any = parent_process()
    wait([parent.sentinel])
    os._exit(1)
