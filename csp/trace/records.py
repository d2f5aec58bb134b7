"""The records of a trace, the only source for logs, pictures and explanations."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..base.frozen import Frozen
from ..model import Candidate, Constraint, Value, Variable

Removing = Literal["given", "fixed", "placed", "filtered", "decided"]
SubtreeKind = Literal["open", "part", "failure", "solution", "collapsed"]


class Waiting(Frozen):
    """An entry of the propagation queue: a variable, a value's single place, or a propagator.

    Attributes
    ----------
    variable : Variable or None
        The vertex, which is fixed or has changed; None for other entries.
    number : int or None
        The index in ``Trace.model.constraints`` of the constraint with the single place, or of the propagator; None
        for a vertex.
    name : str
        The name in captions and pictures.
    """

    variable: Variable | None
    number: int | None
    name: str

    def __str__(self) -> str:
        return self.name


class Removal(Frozen):
    """A removal: candidates that one constraint, a given or a decision has removed.

    Attributes
    ----------
    step : int
        The number of the step: one fixed vertex, one call of a propagator, one given. A step may have several
        removals.
    node : int
        The node of the search tree; 0 is the root.
    kind : {"given", "fixed", "placed", "filtered", "decided"}
        - ``given``: a given, or a constraint of the model on one variable;
        - ``fixed``: a fixed vertex removes its value from its neighbours;
        - ``placed``: a value of a permutation had one remaining place: a hidden single;
        - ``filtered``: a propagator, or an implied constraint on one variable;
        - ``decided``: a decision of the search.
    constraint : Constraint or None
        The removing constraint; None for a decision and for a given from outside the model.
    cause : tuple of Candidate
        The fixed candidate; for a propagator, the remaining candidates of the variables that are the reason. Empty for
        givens, and if the constraint and the original domains of its variables are the only reason.
    removed : tuple of Candidate
        The removed candidates.
    marked : tuple of Variable
        The marked vertices after the removal, in the order in which the queue will pop them.
    also_uses : tuple of Constraint
        Other constraints that the propagator used, such as the not-equal constraints that a sum has borrowed.
    number : int or None
        The index of the constraint in ``Trace.model.constraints``.
    queue : tuple of Waiting
        The queue of the engine after the removal, the head first.
    """

    step: int
    node: int
    kind: Removing
    constraint: Constraint | None
    cause: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    marked: tuple[Variable, ...]
    also_uses: tuple[Constraint, ...] = ()
    number: int | None = None
    queue: tuple[Waiting, ...] = ()

    @property
    def place(self) -> str:
        """The name and line of the constraint, or a text without one."""
        if self.constraint is not None:
            return self.constraint.place
        return "the decision" if self.kind == "decided" else "a given"


class Round(Frozen):
    """The start of a round, which applies the consequences of variables fixed so far.

    Also a value with a single remaining place in a group has consequences.
    """

    number: int
    node: int
    marked: tuple[Variable, ...]
    queue: tuple[Waiting, ...] = ()


class Dequeued(Frozen):
    """Variables or a propagator that left the queue without a removal.

    Attributes
    ----------
    node : int
    constraint : Constraint or None
        The constraint whose propagator ran; None for a sweep.
    variables : tuple of Variable
        The revised vertices; for a propagator, those whose change it has seen. Vertices that other propagators still
        have to see stay marked.
    marked : tuple of Variable
        The marked vertices after it.
    number : int or None
        The index of the constraint in ``Trace.model.constraints``.
    queue : tuple of Waiting
        The queue of the engine after it, the head first.
    last_place : Candidate or None
        The single remaining place of a value of the constraint, if it was fixed already.
    is_asked : bool
        False if the propagator was deferred: in search it is expensive, and too many of its variables are unfixed.
    """

    node: int
    constraint: Constraint | None
    variables: tuple[Variable, ...]
    marked: tuple[Variable, ...]
    number: int | None = None
    queue: tuple[Waiting, ...] = ()
    last_place: Candidate | None = None
    is_asked: bool = True


class Rest(Frozen):
    """A fixpoint: no variable is marked, and ``open`` variables are unfixed."""

    node: int
    open: int


class Remover(NamedTuple):
    """A constraint, a given or a decision that removed candidates before a failure.

    Attributes
    ----------
    place : str
        The name and line of the constraint, or a text without one, as captions name it.
    removed : tuple of Candidate
    number : int or None
        The index of the constraint in ``Trace.model.constraints``.
    """

    place: str
    removed: tuple[Candidate, ...]
    number: int | None = None


class Failure(Frozen):
    """A failure: an empty domain, a value that fits no variable, or a violated constraint.

    Attributes
    ----------
    node : int
    constraint : Constraint or None
    subject : Variable, int, str or None
        The variable without a value, or the value without a place; None if the constraint cannot hold.
    cause : tuple of Candidate
        The remaining candidates of the variables for which the constraint cannot hold.
    also_uses : tuple of Constraint
        Other constraints that the propagator used.
    number : int or None
        The index of the constraint in ``Trace.model.constraints``.
    removed_by : tuple of Remover
        What removed the candidates of the empty exactly-one set.
    """

    node: int
    constraint: Constraint | None
    subject: Variable | Value | None
    cause: tuple[Candidate, ...] = ()
    also_uses: tuple[Constraint, ...] = ()
    number: int | None = None
    removed_by: tuple[Remover, ...] = ()

    @property
    def removed(self) -> tuple[Candidate, ...]:
        """The removed candidates of the empty exactly-one set."""
        return tuple([candidate for remover in self.removed_by for candidate in remover.removed])


class Decision(Frozen):
    """A decision: the search fixes a candidate below a parent node.

    Attributes
    ----------
    node, parent : int
    candidate : Candidate
    choices : tuple of Candidate
        The alternatives at the parent, in order: the remaining values of a variable, or places of a value.
    """

    node: int
    parent: int
    candidate: Candidate
    choices: tuple[Candidate, ...] = ()


class Solved(Frozen):
    """A solution: a node of the search at which every variable is fixed."""

    node: int


class Reached(Frozen):
    """The solution that the search found after the end of the recorded part.

    Attributes
    ----------
    node : int
        Its number in the search; 0 if the path to it is unknown.
    solution : tuple of Candidate
        A value for every variable.
    """

    node: int
    solution: tuple[Candidate, ...]


class Subtree(Frozen):
    """A node of the search that is counted only, with everything below it.

    Attributes
    ----------
    number, parent : int
        The numbers of the node and of its parent, which continue those of the decisions.
    kind : {"open", "part", "failure", "solution", "collapsed"}
        ``collapsed`` has nodes below it. ``open`` and ``part`` are on the path.
    candidate : Candidate or None
        The decision; None for a part, and for the runs before a restart.
    choices : tuple of Candidate
        The alternatives at the parent.
    nodes, failures : int
        Number of nodes and failures, the node itself included.
    outcome : str
        ``no solution``, or ``left at a restart``; empty on the path.
    """

    number: int
    parent: int
    kind: SubtreeKind
    candidate: Candidate | None
    choices: tuple[Candidate, ...]
    nodes: int
    failures: int
    outcome: str


class Counted(Frozen):
    """The part of the search that the trace counts instead of recording.

    Attributes
    ----------
    node : int
        The root.
    subtrees : tuple of Subtree
        The path to the last node, with the subtrees beside it; parents are before children.
    nodes, failures : int
        Number of counted nodes and failures.
    depth : int
        Number of decisions above the deepest counted node.
    is_over : bool
        Whether the search has ended; False if a limit has stopped it.
    """

    node: int
    subtrees: tuple[Subtree, ...]
    nodes: int
    failures: int
    depth: int
    is_over: bool


class Restart(Frozen):
    """A restart of the search from the root of the current independent part."""

    node: int


class Part(Frozen):
    """The start of the search in the next independent part of the model.

    The solutions of earlier parts are kept.

    Attributes
    ----------
    node : int
        The root of the part.
    number : int
        The place of the part in the order of the search, from 2.
    """

    node: int
    number: int


Record = Removal | Round | Dequeued | Rest | Failure | Decision | Solved | Counted | Reached | Restart | Part
