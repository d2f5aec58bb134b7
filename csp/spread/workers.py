"""Opening an executor, and leaving it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from .cluster import Cluster
from .processes import Processes

PIECES = 30
"""Into how many pieces for each worker one question is split: enough for all to be busy until near the end."""

MOST = 3_000
"""The most pieces for many workers: handing them out one after the other would take longer than what it gains."""


Workers: TypeAlias = Processes | Cluster
"""Executors that know how many tasks they do at once."""


def pieces_for(width: int) -> int:
    """Into how many pieces to split a question for so many workers.

    Examples
    --------
    >>> pieces_for(2), pieces_for(500), pieces_for(10_000)
    (60, 3000, 10000)
    """
    return max(width, min(PIECES * width, MOST))


@contextmanager
def workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """An executor on processes of this machine or, with the address of a scheduler, on a cluster.

    Parameters
    ----------
    jobs : int
        How many processes.
    cluster : str, optional
        The address of a dask.distributed scheduler.

    Yields
    ------
    Executor
        Its ``width`` is how many tasks it does at once. What is still going on when it is left is dropped.

    Raises
    ------
    CspError, OSError
        As ``Cluster``.

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
