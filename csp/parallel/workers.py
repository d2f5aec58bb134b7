"""Open and close an executor on local processes or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from .cluster import Cluster
from .processes import Processes

PIECES_PER_WORKER = 30
"""Number of pieces per worker: enough to keep all workers busy until near the end."""

MAX_PIECES = 3_000
"""Maximum number of pieces, because submitting more takes longer than it saves; but one per worker always."""


Workers: TypeAlias = Processes | Cluster
"""Executors that have a ``width``, the number of tasks that run at the same time."""


def pieces_for(width: int) -> int:
    """Return into how many pieces to split a search for a number of workers.

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
