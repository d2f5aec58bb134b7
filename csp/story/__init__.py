"""What the engine did, as records: the domains after each, the search tree, and how far levels come."""

from .captions import as_dict, caption, headline, show_cause, show_reason, show_removed
from .history import Trace
from .levels import Reach, reach
from .moments import Moment, replay
from .recorder import Recorder, record, traced
from .records import Decision, Failure, Part, Record, Removal, Rest, Restart, Round, Solved, Taken, Waiting
from .tree import Node, SearchTree, search_tree

__all__ = [
    "Decision",
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
    "Taken",
    "Trace",
    "Waiting",
    "as_dict",
    "caption",
    "headline",
    "reach",
    "record",
    "replay",
    "search_tree",
    "show_cause",
    "show_reason",
    "show_removed",
    "traced",
]  # fmt: skip
