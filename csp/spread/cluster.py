"""Many machines as an executor: those of a dask.distributed scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from ..errors import CspError
from .processes import hand_over

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 10.0
"""Seconds to wait for a scheduler, and for the first of its workers."""


class Cluster(Executor):
    """An executor on the workers of a dask.distributed scheduler, which need this package installed.

    The scheduler gives what was lost with a worker to another one; a task during which four workers die is given up.

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
        self._lost = (distributed.KilledWorker,)
        self._executor = self._client.get_executor(pure=False)
        self.width = sum(self._client.ncores().values())

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future result of a call, as for every executor."""
        future: Future[T] = Future()
        inner: Future[T] = self._executor.submit(fn, *args, **kwargs)
        future.add_done_callback(lambda outer: outer.cancelled() and inner.cancel())
        inner.add_done_callback(lambda done: hand_over(done, future, self._lost))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks and leave the cluster; without waiting what has not begun is dropped."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()
