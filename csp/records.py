"""What happened, as frozen records: the only source for logs, pictures and explanations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, Literal

from .constraints import Constraint
from .model import Candidate, Model, Value, Variable, ordered

Kind = Literal["given", "fixed", "placed", "filtered", "decided"]


@dataclass(frozen=True, slots=True)
class Removal:
    """Values that one constraint removed.

    Attributes
    ----------
    step : int
        The revision: one fixed vertex, one filter call, one given. A revision may have several removals.
    node : int
        The node of the search tree; 0 is the root.
    kind : str
        ``given``: a constraint of the model on one variable; ``fixed``: a vertex with one value left tells its
        neighbours; ``placed``: a value of a group had one place left; ``filtered``: a filter, also that of a
        constraint on one variable which follows from others; ``decided``: the search.
    constraint : Constraint or None
        None for a decision and for a given from outside the model.
    cause : tuple of Candidate
        The candidate that was fixed; for a filter, the candidates left to the variables that are the reason, or none
        if that is the whole scope. Empty for givens.
    removed : tuple of Candidate
    marked : tuple of Variable
        The vertices that carry an asterisk after it, in the order of the model.
    """

    step: int
    node: int
    kind: Kind
    constraint: Constraint | None
    cause: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    marked: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The queue begins a round: these marked vertices, or single places, will be revised in turn."""

    number: int
    node: int
    marked: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is marked any more."""

    node: int
    open: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A line has no candidate left: a variable without a value, or a value of a group without a place.

    Attributes
    ----------
    node : int
    constraint : Constraint or None
    what : Variable, int or str
        The variable, or the value; empty where the constraint alone cannot hold.
    """

    node: int
    constraint: Constraint | None
    what: Variable | Value


@dataclass(frozen=True, slots=True)
class Decision:
    """The search tries a candidate below a parent node."""

    node: int
    parent: int
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Solved:
    """A node in which every variable has its value."""

    node: int


@dataclass(frozen=True, slots=True)
class Restart:
    """The search begins again from the root of the present part."""

    node: int


@dataclass(frozen=True, slots=True)
class Part:
    """The search turns to the next independent part; what it has found for the others stays.

    Attributes
    ----------
    node : int
        The root of the part.
    """

    node: int


Record = Removal | Round | Rest | Failure | Decision | Solved | Restart | Part


@dataclass(frozen=True)
class Trace:
    """A model and everything that happened to it.

    Attributes
    ----------
    model : Model
        As it was solved: the variables that stand for expressions come last.
    records : tuple of Record
    """

    model: Model
    records: tuple[Record, ...]

    def captions(self) -> Iterator[str]:
        """One line of text for every record."""
        return map(caption, self.records)

    def _repr_html_(self) -> str:
        from .render.notebook import trace_html

        return trace_html(self)


def as_dict(record: Record) -> dict[str, Any]:
    """A record as plain data, the same keys for all records of a kind.

    Parameters
    ----------
    record : Record

    Returns
    -------
    dict
        ``kind``, the fields, ``marked`` for every kind, and the ``caption``; a constraint gives its name and its
        spec line.

    Examples
    --------
    >>> as_dict(Rest(0, 3))
    {'kind': 'rest', 'node': 0, 'open': 3, 'marked': (), 'caption': 'at rest · 3 open'}
    """
    found: dict[str, Any] = {"kind": type(record).__name__.lower()}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name == "constraint":
            found |= {"constraint": value and value.name, "line": value and (value.line or None)}
        else:
            found[field.name] = value
    return {**found, "marked": found.get("marked", ()), "caption": caption(record)}


def caption(record: Record) -> str:
    """The one line of text for a record that logs, pictures and the player share.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str

    Examples
    --------
    >>> caption(Decision(2, 0, (Variable("A"), 3)))
    'node 2 · A = 3, below the root'
    """
    match record:
        case Removal():
            return f"step {record.step} · {_reason(record)} · marked {len(record.marked)}"
        case Round(number, _, marked):
            return f"round {number} · marked {len(marked)}"
        case Rest(_, still):
            return f"at rest · {still} open"
        case Failure(_, constraint, what):
            return f"failure · {what} has no value left" if constraint is None else f"failure · {_no_place(record)}"
        case Decision(node, parent, (variable, value)):
            return f"node {node} · {variable} = {value}, below {_node(parent)}"
        case Solved():
            return "solved"
        case Restart(node):
            return f"restart from {_node(node)}"
        case Part(node):
            return f"part {node} · the next independent part"


def _node(node: int) -> str:
    return f"node {node}" if node else "the root"


def _no_place(failure: Failure) -> str:
    assert failure.constraint is not None
    if failure.what == "":
        return f"{failure.constraint.place} cannot hold"
    return f"{failure.constraint.place}: {failure.what} has no place left"


def _reason(removal: Removal) -> str:
    place = removal.constraint.place + ": " if removal.constraint else ""
    removes = f"removes {show_removed(removal.removed)}"
    match removal.kind:
        case "placed":
            variable, value = removal.cause[0]
            return f"{place}{value} fits only {variable}, {removes}"
        case "decided":
            return f"decision: {show_cause(removal.cause)} {removes}"
        case "fixed" | "filtered" if removal.cause:
            return f"{place}{show_cause(removal.cause)}{', which' if len(removal.cause) > 1 else ''} {removes}"
        case "given" if removal.constraint is None:
            return f"given: {removes}"
    return f"{place}{removes}"


def show_cause(cause: tuple[Candidate, ...]) -> str:
    """The value of a variable, or what is left to several.

    Examples
    --------
    >>> show_cause((("A", 1),)), show_cause((("A", 1), ("A", 2), ("B", 1), ("B", 2)))
    ('A = 1', 'A, B have only 1, 2')
    """
    variables = ", ".join(dict.fromkeys(variable for variable, _ in cause))
    values = ", ".join(map(str, ordered(value for _, value in cause)))
    return f"{variables} {'have only' if len(cause) > 1 else '='} {values}"


def show_removed(removed: tuple[Candidate, ...]) -> str:
    """Which values go from which variables, variables with the same values together.

    Examples
    --------
    >>> show_removed((("A", 1), ("B", 1), ("C", 1), ("C", 2)))
    '1 from A, B; 1, 2 from C'
    """
    of: dict[Variable, list[str]] = {}
    for variable, value in removed:
        of.setdefault(variable, []).append(str(value))
    parts = groupby(of.items(), key=lambda item: item[1])
    return "; ".join(f"{', '.join(values)} from {', '.join(v for v, _ in group)}" for values, group in parts)
