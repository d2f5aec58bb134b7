"""What the engine did, as records: the domains after each, the search tree, and how far levels come."""

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
from .history import Trace, traced
from .recorder import Recorder
from .recording import record
from .records import Decision, Dequeued, Failure, Part, Reached, Record, Removal, Rest, Restart, Round, Solved, Waiting

if TYPE_CHECKING:
    from .ending import decisions, was_cut, with_solution
    from .folding import folded
    from .levels import Reach, reach
    from .moments import Moment, replay
    from .tree import Node, SearchTree, search_tree

LATE = {
    "Moment": "moments", "Node": "tree", "Reach": "levels", "SearchTree": "tree", "decisions": "ending",
    "folded": "folding", "reach": "levels", "replay": "moments", "search_tree": "tree", "was_cut": "ending",
    "with_solution": "ending",
}  # fmt: skip
"""What a question for reasons does without."""

__all__ = [
    "Decision", "Dequeued", "Failure", "Moment", "Node", "Part", "Reach", "Reached", "Record", "Recorder", "Removal",
    "Rest", "Restart", "Round", "SearchTree", "Solved", "Trace", "Waiting", "as_dict", "caption", "decisions",
    "folded", "headline", "kind_of", "reach", "record", "replay", "search_tree", "show_cause", "show_conflict",
    "show_reason", "show_removed", "show_why", "traced", "was_cut", "with_solution",
]  # fmt: skip

__getattr__ = late(__name__, LATE)
