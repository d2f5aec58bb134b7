"""What the engine did, as records: the domains after each, the search tree, and how far levels come."""

from .captions import as_dict, caption, kind_of, show_cause, show_reason, show_removed
from .history import Trace, traced
from .levels import Reach, reach
from .moments import Moment, replay
from .recorder import Recorder, record
from .records import Decision, Dequeued, Failure, Part, Record, Removal, Rest, Restart, Round, Solved, Waiting
from .tree import Node, SearchTree, search_tree

__all__ = [
    "Decision",
    "Dequeued",
    "Failure",
    "Moment",
    "Node",
    "Part",
    "Reach",
    "Record",
    "Recorder",
    "Removal",
    "Rest",
    "Restart",
    "Round",
    "SearchTree",
    "Solved",
    "Trace",
    "Waiting",
    "as_dict",
    "caption",
    "kind_of",
    "reach",
    "record",
    "replay",
    "search_tree",
    "show_cause",
    "show_reason",
    "show_removed",
    "traced",
]  # fmt: skip
