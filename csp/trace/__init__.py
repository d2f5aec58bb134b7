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
from .history import Moment, Trace, make_trace, replay
from .recorder import Recorder
from .recording import decisions, omitted_part, record, was_cut, with_solution
from .records import (
    Counted,
    Decision,
    Dequeued,
    Failure,
    Part,
    Reached,
    Record,
    Removal,
    Remover,
    Rest,
    Restart,
    Round,
    Solved,
    Subtree,
    Waiting,
)

if TYPE_CHECKING:
    from .levels import Reach, reach
    from .stepping import QueueStep, steps
    from .tree import Node, SearchTree, fold_chains, search_tree

LATE = {
    "Node": "tree", "QueueStep": "stepping", "Reach": "levels", "SearchTree": "tree", "fold_chains": "tree",
    "reach": "levels", "search_tree": "tree", "steps": "stepping",
}  # fmt: skip
"""Names that are imported on first use, as explanations do without them; by the module that defines each."""

__all__ = [
    "Counted", "Decision", "Dequeued", "Failure", "Moment", "Node", "Part", "QueueStep", "Reach", "Reached", "Record",
    "Recorder", "Removal", "Remover", "Rest", "Restart", "Round", "SearchTree", "Solved", "Subtree", "Trace", "Waiting",
    "as_dict", "caption", "decisions", "fold_chains", "headline", "kind_of", "make_trace", "omitted_part", "reach",
    "record", "replay", "search_tree", "show_cause", "show_conflict", "show_reason", "show_removed", "show_why",
    "steps", "was_cut", "with_solution",
]  # fmt: skip

__getattr__ = late(__name__, LATE)
