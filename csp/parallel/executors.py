"""Executors that survive lost workers: on processes of this machine, or on a cluster."""

from __future__ import annotations

import os
import signal
from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from logging import getLogger
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeAlias, TypeVar
from weakref import WeakSet

from ..base.errors import CspError, Lost

MAX_LOSSES = 3
"""Number of times that a task may be lost with a dying process, before it is given up as the likely cause."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler and for its first worker, before an error."""

PIECES_PER_WORKER = 30
"""Number of pieces per worker: enough to keep all workers busy until near the end."""

MAX_PIECES = 3_000
"""Maximum number of pieces, because submitting more takes longer than it saves; but one per worker always."""

P = ParamSpec("P")
T = TypeVar("T")


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
        """Schedule a call in the inner executor, and return the future of its result."""
        future: Future[T] = Future()
        self._start_task(future, partial(fn, *args, **kwargs), 0)
        return future

    @abstractmethod
    def _submit_task(self, task: Callable[[], T]) -> Future[T]:
        """Submit a task to the inner executor; raise ``RuntimeError`` after a shutdown."""

    def _submit_alone(self, task: Callable[[], T]) -> Future[T]:
        """Submit a task for its last try, by default like any other task.

        An executor that can run the task alone overrides this method.
        """
        return self._submit_task(task)

    @abstractmethod
    def _is_lost(self, error: BaseException) -> bool:
        """Return whether an error means that a task lost its worker and must restart."""

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
            future.set_exception(Lost(f"its worker was killed {losses} times"))


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
                raise RuntimeError("the executor accepts no more tasks")
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
    """Wait for the parent process to end, then exit at once."""
    parent: Any = parent_process()
    wait([parent.sentinel])
    os._exit(1)


class Cluster(ResilientExecutor):
    """An executor on the workers of a dask.distributed scheduler.

    This package must be installed on the workers. If a worker is lost, the scheduler gives its tasks to another worker.
    If the scheduler drops a task, this executor submits it again.

    Parameters
    ----------
    address : str
        The address of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Attributes
    ----------
    width : int
        The number of threads of all workers at the time of connection.

    Raises
    ------
    CspError
        If ``distributed`` is not installed.
    OSError
        If no scheduler answers at the address, or it has no workers.

    References
    ----------
    .. [1] M. Rocklin, "Dask: parallel computation with blocked algorithms and task scheduling", 2015.
    """

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise CspError("a cluster needs dask.distributed: pip install 'alldifferent[cluster]'") from None
        try:
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (ValueError, TypeError) as error:
            raise OSError(f"{address} is not the address of a scheduler: {error}") from None
        except OSError:
            raise OSError(f"no scheduler answers at {address}") from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self._client.close()
            raise OSError(f"the scheduler at {address} has no workers") from None
        asyncio: Any = import_module("asyncio")
        self._cancelled_errors = (CancelledError, asyncio.CancelledError)
        self._killed_error: type[Exception] = distributed.KilledWorker
        self._closed_error: type[Exception] = import_module("distributed.client").ClosedClientError
        # Hide warnings about results that nothing waits for any more.
        getLogger("distributed.client").setLevel("ERROR")
        self._is_open = True
        self._futures: WeakSet[Future[Any]] = WeakSet()
        self.width = sum(self._client.ncores().values())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Refuse new tasks and disconnect, which drops unfinished tasks.

        With ``wait`` and without ``cancel_futures``, first wait for their results.
        """
        self._is_open = False
        if wait and not cancel_futures:
            futures.wait(self._futures)
        self._client.close()

    def _submit_task(self, task: Callable[[], T]) -> Future[T]:
        if not self._is_open:
            raise RuntimeError("the executor accepts no more tasks")
        future: Future[T] = Future()
        try:
            remote = self._client.submit(task, pure=False)
        except self._closed_error:
            # Another thread has closed the client in the meantime.
            raise RuntimeError("the executor accepts no more tasks") from None
        # Pass on the cancellation of the task, and its result.
        future.add_done_callback(lambda local_future: local_future.cancelled() and remote.cancel())
        remote.add_done_callback(lambda done: self._copy_result(done, future))
        self._futures.add(future)
        return future

    def _copy_result(self, remote: Any, future: Future[T]) -> None:
        """Copy the result of a finished remote task to its local future.

        The executor of dask reports nothing if a result is lost with its worker; here, ``result`` raises an error.
        """
        if not future.set_running_or_notify_cancel():
            return
        try:
            outcome = remote.result()
        except self._killed_error as error:
            future.set_exception(Lost(str(error)))
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(outcome)

    def _is_lost(self, error: BaseException) -> bool:
        return isinstance(error, self._cancelled_errors)


Workers: TypeAlias = Processes | Cluster
"""Executors that have a ``width``, the number of tasks that run at the same time."""


def pieces_for(width: int) -> int:
    """Return the number of pieces into which to split a search for this many workers.

    Examples
    --------
    >>> pieces_for(2), pieces_for(500), pieces_for(10_000)
    (60, 3000, 10000)
    """
    return max(width, min(PIECES_PER_WORKER * width, MAX_PIECES))


@contextmanager
def workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Open an executor on processes of this machine, or on a cluster.

    Parameters
    ----------
    jobs : int
        The number of processes.
    cluster : str, optional
        The address of a dask.distributed scheduler; without it, processes of this machine are used.

    Yields
    ------
    Executor
        Its ``width`` is the number of tasks that run at the same time. Tasks that are unfinished at the end are
        dropped.

    Raises
    ------
    CspError, OSError
        The errors of ``Cluster``.

    Examples
    --------
    >>> with workers(2) as executor:
    ...     executor.submit(max, 3, 4).result(), executor.width
    (4, 2)
    """
    executor: Workers = Processes(jobs) if cluster is None else Cluster(cluster)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
