"""Distribute searches over processes of this machine or a cluster.

All functions take an executor with the interface of ``concurrent.futures.Executor``; ``workers`` opens one.
``in_order`` maps tasks. ``count``, ``solutions`` and ``better`` split the search space of a model into pieces.
"""

from .executors import Cluster, Processes, Workers, pieces_for, workers
from .mapping import in_order
from .optimizing import improving
from .searching import count, solutions, split

__all__ = [
    "Cluster", "Processes", "Workers", "count", "improving", "in_order", "pieces_for", "solutions", "split",
    "workers",
]  # fmt: skip
