"""Traces: records of propagation and search, with captions, replay and search tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late import late
from .captions import (
    as_dict,
    caption,
    headline,
    kind_of,
    show_cause,
    show_conflict,
    show_reason,
    show_removed,
    show_why,
)
from .history import Trace, make_trace
from .recorder import Recorder
from .recording import record
from .records import Decision, Dequeued, Failure, Part, Reached, Record, Removal, Rest, Restart, Round, Solved, Waiting

if TYPE_CHECKING:
    from .ending import decisions, was_cut, with_solution
    from .folding import fold_chains
    from .levels import Reach, reach
    from .moments import Moment, replay
    from .tree import Node, SearchTree, search_tree

LATE = {
    "Moment": "moments", "Node": "tree", "Reach": "levels", "SearchTree": "tree", "decisions": "ending",
    "fold_chains": "folding", "reach": "levels", "replay": "moments", "search_tree": "tree", "was_cut": "ending",
    "with_solution": "ending",
}  # fmt: skip
"""Names that are imported on first use, as explanations do without them; by the module that defines each."""

__all__ = [
    "Decision", "Dequeued", "Failure", "Moment", "Node", "Part", "Reach", "Reached", "Record", "Recorder", "Removal",
    "Rest", "Restart", "Round", "SearchTree", "Solved", "Trace", "Waiting", "as_dict", "caption", "decisions",
    "fold_chains", "headline", "kind_of", "make_trace", "reach", "record", "replay", "search_tree", "show_cause",
    "show_conflict", "show_reason", "show_removed", "show_why", "was_cut", "with_solution",
]  # fmt: skip

__getattr__ = late(__name__, LATE)
