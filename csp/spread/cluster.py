"""Many machines as an executor: those of a dask.distributed scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from concurrent.futures import CancelledError, Future
from importlib import import_module
from logging import getLogger
from typing import Any
from weakref import WeakSet

from ..ground.errors import CspError, Lost
from .lasting import Lasting, T

PATIENCE = 10.0
"""Seconds to wait for a scheduler, and for the first of its workers."""


class Cluster(Lasting):
    """An executor on the workers of a dask.distributed scheduler, which need this package installed.

    The scheduler gives what was lost with a worker to another one; what it drops all the same is handed out again here.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Attributes
    ----------
    width : int
        How many threads the workers have together, when it was connected.

    Raises
    ------
    CspError
        If ``distributed`` is not installed.
    OSError
        If no scheduler answers there, or it has no workers.

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
        self._cancelled = (CancelledError, asyncio.CancelledError)
        self._killed: type[Exception] = distributed.KilledWorker
        self._closed: type[Exception] = import_module("distributed.client").ClosedClientError
        getLogger("distributed.client").setLevel("ERROR")  # it warns of results that are not waited for any more
        self._is_open = True
        self._futures: WeakSet[Future[Any]] = WeakSet()
        self.width = sum(self._client.ncores().values())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks and leave the cluster; without waiting what has not begun is dropped."""
        self._is_open = False
        if wait and not cancel_futures:
            futures.wait(self._futures)
        self._client.close()

    def _begin(self, task: Callable[[], T]) -> Future[T]:
        if not self._is_open:
            raise RuntimeError("no more tasks are taken")
        future: Future[T] = Future()
        try:
            remote = self._client.submit(task, pure=False)
        except self._closed:  # by another thread, meanwhile
            raise RuntimeError("no more tasks are taken") from None
        future.add_done_callback(lambda own: own.cancelled() and remote.cancel())
        remote.add_done_callback(lambda done: self._bring(done, future))
        self._futures.add(future)
        return future

    def _bring(self, remote: Any, future: Future[T]) -> None:
        """Fetch what a task has told. (The client's own executor is never told where a result dies with its worker.)"""
        if not future.set_running_or_notify_cancel():
            return
        try:
            outcome = remote.result()
        except self._killed as error:
            future.set_exception(Lost(str(error)))
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(outcome)

    def _is_lost(self, error: BaseException) -> bool:
        return isinstance(error, self._cancelled)
