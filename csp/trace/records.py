"""What happened, as frozen records: the only source for logs, pictures and explanations."""

from __future__ import annotations

from typing import Literal

from ..base.frozen import Frozen
from ..model import Candidate, Constraint, Value, Variable

Removing = Literal["given", "fixed", "placed", "filtered", "decided"]


class Waiting(Frozen):
    """What stands in the queue: a vertex, a value of a group that has one place left, or a filter.

    Attributes
    ----------
    variable : Variable or None
        The vertex that tells its value, or is looked at.
    number : int or None
        Of the constraint that has one place left for a value, or whose filter waits, in ``Trace.model.constraints``.
    name : str
        How captions and pictures call it.
    """

    variable: Variable | None
    number: int | None
    name: str

    def __str__(self) -> str:
        return self.name


class Removal(Frozen):
    """Values that one constraint removed.

    Attributes
    ----------
    step : int
        The revision: one fixed vertex, one filter call, one given. A revision may have several removals.
    node : int
        The node of the search tree; 0 is the root.
    kind : {"given", "fixed", "placed", "filtered", "decided"}
        ``given``: a constraint of the model on one variable; ``fixed``: a vertex with one value left tells its
        neighbours; ``placed``: a value of a group had one place left; ``filtered``: a filter, also that of a
        constraint on one variable which follows from others; ``decided``: the search.
    constraint : Constraint or None
        None for a decision and for a given from outside the model.
    cause : tuple of Candidate
        The candidate that was fixed; for a filter, what was left to the variables that are the reason. Empty for
        givens, and where a filter needed nothing but the constraint and the whole domains of its variables.
    removed : tuple of Candidate
    marked : tuple of Variable
        The vertices that carry an asterisk after it, in the order in which the queue will take them.
    relies : tuple of Constraint
        Other constraints that were made use of: differences that a sum has borrowed.
    number : int or None
        Of the constraint, in ``Trace.model.constraints``.
    queue : tuple of Waiting
        The engine's own work list after it, the head first.
    """

    step: int
    node: int
    kind: Removing
    constraint: Constraint | None
    cause: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    marked: tuple[Variable, ...]
    relies: tuple[Constraint, ...] = ()
    number: int | None = None
    queue: tuple[Waiting, ...] = ()


class Round(Frozen):
    """The queue begins a round: these vertices, or single places, will be revised in turn."""

    number: int
    node: int
    marked: tuple[Variable, ...]
    queue: tuple[Waiting, ...] = ()


class Dequeued(Frozen):
    """Vertices were taken off the queue, or a filter had its turn, and there was nothing to tell.

    Attributes
    ----------
    node : int
    constraint : Constraint or None
        The one whose filter had its turn; None where the lines were looked at.
    taken : tuple of Variable
        The vertices that were revised; of a filter, those that it has seen. What others still have to see stays
        marked.
    marked : tuple of Variable
    number : int or None
        Of the constraint, in ``Trace.model.constraints``.
    queue : tuple of Waiting
    only : Candidate or None
        The one place that a value of the constraint had left, which was known.
    is_asked : bool
        False of a filter that was passed over: in search it costs much, and too many of its variables are open.
    """

    node: int
    constraint: Constraint | None
    taken: tuple[Variable, ...]
    marked: tuple[Variable, ...]
    number: int | None = None
    queue: tuple[Waiting, ...] = ()
    only: Candidate | None = None
    is_asked: bool = True


class Rest(Frozen):
    """Nothing is marked any more."""

    node: int
    open: int


class Failure(Frozen):
    """A line has no candidate left: a variable without a value, or a value of a group without a place.

    Attributes
    ----------
    node : int
    constraint : Constraint or None
    what : Variable, int, str or None
        The variable, or the value; None where the constraint cannot hold.
    cause : tuple of Candidate
        What was left to the variables for which the constraint cannot hold.
    relies : tuple of Constraint
        Other constraints that were made use of.
    number : int or None
        Of the constraint, in ``Trace.model.constraints``.
    takers : tuple of (str, tuple of Candidate)
        Who took which candidate of the line that is empty.
    """

    node: int
    constraint: Constraint | None
    what: Variable | Value | None
    cause: tuple[Candidate, ...] = ()
    relies: tuple[Constraint, ...] = ()
    number: int | None = None
    takers: tuple[tuple[str, tuple[Candidate, ...]], ...] = ()


class Decision(Frozen):
    """The search tries a candidate below a parent node.

    Attributes
    ----------
    node, parent : int
    candidate : Candidate
    choices : tuple of Candidate
        All that could be tried there, in order: what is left to a variable, or the places of a value.
    """

    node: int
    parent: int
    candidate: Candidate
    choices: tuple[Candidate, ...] = ()


class Solved(Frozen):
    """A node in which every variable has its value."""

    node: int


class Reached(Frozen):
    """The solution that the search comes to after all that is recorded.

    Attributes
    ----------
    node : int
        The root.
    solution : tuple of Candidate
        A value for every variable.
    """

    node: int
    solution: tuple[Candidate, ...]


class Restart(Frozen):
    """The search begins again from the root of the present part."""

    node: int


class Part(Frozen):
    """The search turns to the next independent part; what it has found for the others stays.

    Attributes
    ----------
    node : int
        The root of the part.
    """

    node: int


Record = Removal | Round | Dequeued | Rest | Failure | Decision | Solved | Reached | Restart | Part
