"""Work that is spread over processes, of this machine or of many.

Whatever is spread here is written against ``concurrent.futures.Executor``: ``in_order`` maps tasks;
``count``, ``solutions`` and ``better`` ask a model that is split into pieces. ``workers`` opens an executor, and any
other one does as well.
"""

from .cluster import Cluster
from .improving import better
from .mapping import in_order
from .processes import Processes
from .searching import count, solutions
from .splitting import split
from .workers import Workers, pieces_for, workers

__all__ = [
    "Cluster",
    "Processes",
    "Workers",
    "better",
    "count",
    "in_order",
    "pieces_for",
    "solutions",
    "split",
    "workers",
]
