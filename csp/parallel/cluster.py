"""An executor for the workers of a dask.distributed cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from concurrent.futures import CancelledError, Future
from importlib import import_module
from logging import getLogger
from typing import Any
from weakref import WeakSet

from ..base.errors import CspError, Lost
from .lasting import ResilientExecutor, T

PATIENCE = 10.0
"""Seconds to wait for a scheduler and for its first worker, before an error."""


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
            raise OSError(f"{address} is no address of a scheduler: {error}") from None
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
        """Refuse new tasks and disconnect; cancel waiting tasks unless ``wait``."""
        self._is_open = False
        if wait and not cancel_futures:
            futures.wait(self._futures)
        self._client.close()

    def _submit_task(self, task: Callable[[], T]) -> Future[T]:
        if not self._is_open:
            raise RuntimeError("no more tasks are taken")
        future: Future[T] = Future()
        try:
            remote = self._client.submit(task, pure=False)
        except self._closed_error:
            # Another thread has closed the client in the meantime.
            raise RuntimeError("no more tasks are taken") from None
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
