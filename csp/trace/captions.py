"""A record as a line of text, and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import groupby
from typing import Any

from ..base.notation import listed, quoted
from ..model import Affine, AllDifferent, Candidate, Constraint, Linear, Value, Variable, ordered
from .records import Decision, Dequeued, Failure, Part, Reached, Record, Removal, Rest, Restart, Round, Solved

MOST_NAMED = 4
"""How many of the vertices are named that had nothing to tell."""


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
            return f"step {record.step} · {show_reason(record)} · marked {len(record.marked)}"
        case Round(number, _, marked):
            return f"round {number} · marked {len(marked)}"
        case Dequeued():
            return f"taken · {_taken(record)} · marked {len(record.marked)}"
        case Rest(_, still):
            return f"at rest · {still} open"
        case Failure():
            return f"failure · {_failure(record)}"
        case Decision(node, parent, (variable, value)):
            return f"node {node} · {variable} = {quoted(value)}, below {_node(parent)}"
        case Solved():
            return "solved"
        case Reached():
            return "the solution, reached after what is recorded"
        case Restart(node):
            return f"restart from {_node(node)}"
        case Part(node):
            return f"part {node} · the next independent part"


def headline(record: Record) -> str:
    """The caption of pictures, which show themselves who took what has no place.

    Examples
    --------
    >>> headline(Failure(0, None, Variable("A"), takers=(("pair", (("A", 1),)),)))
    'failure · A has no value left'
    """
    return caption(replace(record, takers=()) if isinstance(record, Failure) else record)


def as_dict(record: Record) -> dict[str, Any]:
    """A record as plain data, the same keys for all records of a kind.

    Parameters
    ----------
    record : Record

    Returns
    -------
    dict
        ``kind``, the fields, ``marked`` for every kind, and the ``caption``; a constraint gives its name and its
        spec line, ``relies`` how captions name others, and ``queue`` who stands in it.

    Examples
    --------
    >>> as_dict(Rest(0, 3))
    {'kind': 'rest', 'node': 0, 'open': 3, 'marked': (), 'caption': 'at rest · 3 open'}
    """
    found: dict[str, Any] = {"kind": kind_of(record)}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name == "constraint":
            own = {"constraint": None, "line": None} if value is None else {"constraint": value.name, **value.origin}
            found |= own
        elif field.name == "relies":
            found["relies"] = [one.place for one in value]
        elif field.name == "queue":
            found["queue"] = list(map(str, value))
        elif (field.name != "number" or isinstance(record, Round)) and field.name != "is_asked":
            found[field.name] = value
    return {**found, "marked": found.get("marked", ()), "caption": caption(record)}


def kind_of(record: Record) -> str:
    """The word for a kind of record in plain data and on pages.

    Examples
    --------
    >>> kind_of(Rest(0, 3)), kind_of(Dequeued(0, None, (), ()))
    ('rest', 'taken')
    """
    return "taken" if isinstance(record, Dequeued) else type(record).__name__.lower()


def show_cause(cause: Sequence[Candidate], constraint: Constraint | None = None) -> str:
    """Write the value of each variable, or what is left to it.

    Variables with the same values are named together. Those of an all_different, if none of them has a value yet, are
    named with all values that they have together, since these are what they need.

    Parameters
    ----------
    cause : sequence of Candidate
    constraint : Constraint, optional
        The constraint for which it is the cause.

    Examples
    --------
    >>> show_cause((("A", 1),)), show_cause((("A", 1), ("A", 2), ("B", 1), ("B", 2)))
    ('A = 1', 'A, B have only 1, 2')
    >>> show_cause((("A", 1), ("B", 2), ("B", 3), ("C", 2), ("C", 3), ("C", 4), ("D", 1)))
    'A = D = 1, B has only 2, 3, C has only 2, 3, 4'
    >>> show_cause((("A", 1), ("A", 2), ("B", 2), ("B", 3), ("C", 1), ("C", 3)), AllDifferent.of("ABC"))
    'A, B, C have only 1, 2, 3'
    """
    of: dict[Variable, list[Value]] = {}
    for variable, value in cause:
        of.setdefault(variable, []).append(value)
    values = {value for _, value in cause}
    is_open = all(len(domain) > 1 for domain in of.values())
    if isinstance(constraint, AllDifferent) and is_open and 1 < len(of) >= len(values):
        return f"{', '.join(of)} have only {listed(ordered(values))}"
    alike: dict[tuple[Value, ...], list[Variable]] = {}
    for variable, domain in of.items():
        alike.setdefault(tuple(domain), []).append(variable)
    parts = []
    for left, names in alike.items():
        if len(left) == 1:
            parts.append(f"{' = '.join(names)} = {quoted(left[0])}")
        else:
            parts.append(f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} only {listed(left)}")
    return ", ".join(parts)


def show_conflict(constraint: Constraint, cause: Sequence[Candidate]) -> str:
    """Write why a constraint cannot hold: a sum that is wrong, or what is left to its variables.

    Examples
    --------
    >>> from csp import var
    >>> a, b = var("A"), var("B")
    >>> show_conflict(a + b == 9, (("A", 3), ("B", 4))), show_conflict(a < b, (("A", 4), ("B", 3)))
    ('3 + 4 = 7, not 9', 'A = 4, B = 3')
    >>> show_conflict(a + 2 * b <= b * 3, (("A", 3), ("B", 2)))
    '3 + 2*2 = 7, not <= 3*2 = 6'
    """
    values: dict[str, Value] = {variable: value for variable, value in cause}
    if isinstance(constraint, Linear) and len(values) == len(cause) and set(constraint.scope) <= set(values):
        left, right = (_calculation(side, values) for side in constraint.parts())
        if ("=" in left or "=" in right) and not constraint.check(values):
            return f"{left}, not {'' if constraint.relation == '=' else f'{constraint.relation} '}{right}"
    return show_cause(cause, constraint)


def _calculation(side: Affine, values: Mapping[str, Value]) -> str:
    """A sum with the values in the place of its variables, and what it comes to."""
    parts: list[str] = []
    for coefficient, variable in side.terms:
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
        parts += ["-" if coefficient < 0 else "+", f"{factor}{values[variable]}"]  # type: ignore[index]
    if side.constant or not parts:
        parts += ["-" if side.constant < 0 else "+", str(abs(side.constant))]
    words, total = " ".join(parts).removeprefix("+ "), str(side.number(values))
    return words if words == total else f"{words} = {total}"


def show_removed(removed: Iterable[Candidate]) -> str:
    """Which values go from which variables, variables with the same values together.

    Examples
    --------
    >>> show_removed((("A", 1), ("B", 1), ("C", 1), ("C", 2)))
    '1 from A, B; 1, 2 from C'
    """
    of: dict[Variable, list[Value]] = {}
    for variable, value in removed:
        of.setdefault(variable, []).append(value)
    parts = groupby(of.items(), key=lambda item: item[1])
    return "; ".join([f"{listed(values)} from {', '.join([v for v, _ in group])}" for values, group in parts])


def show_place(constraint: Constraint, relies: Sequence[Constraint] = ()) -> str:
    """A constraint and those that it made use of.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> show_place(AllDifferent.of("AB", label="pair", line=3), (AllDifferent.of("BC", label="other"),))
    'pair (line 3) with other'
    """
    return constraint.place + (f" with {', '.join([one.place for one in relies])}" if relies else "")


def _node(node: int) -> str:
    return f"node {node}" if node else "the root"


def _taken(record: Dequeued) -> str:
    if record.constraint is not None and not record.is_asked:
        return f"{record.constraint.place}: not asked, since it costs much and too much of its scope is open"
    if record.constraint is not None:
        known = f"{quoted(record.only[1])} fits only {record.only[0]}, " if record.only else ""
        return f"{record.constraint.place}: {known}nothing to tell"
    more = len(record.taken) - MOST_NAMED
    return ", ".join(record.taken[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "") + ": nothing to tell"


def _failure(record: Failure) -> str:
    who = ": " if record.takers else ""
    if record.constraint is None:
        who += "; ".join([f"{listed([value for _, value in gone])} by {name}" for name, gone in record.takers])
        return f"{record.what} has no value left{who}"
    place = show_place(record.constraint, record.relies)
    if record.what is not None:
        who += "; ".join([f"{', '.join([variable for variable, _ in gone])} by {name}" for name, gone in record.takers])
        return f"{place}: {quoted(record.what)} has no place left{who}"
    return f"{place} cannot hold" + (f": {show_conflict(record.constraint, record.cause)}" if record.cause else "")


def show_why(removal: Removal) -> str:
    """Which constraint makes values go, and what it follows from.

    Examples
    --------
    >>> show_why(Removal(1, 0, "decided", None, (("A", 1),), (("A", 2),), ()))
    'decision: A = 1'
    """
    place = [show_place(removal.constraint, removal.relies)] if removal.constraint is not None else []
    return ": ".join(place + [words for words in [_cause(removal)] if words])


def show_reason(removal: Removal) -> str:
    """What a removal takes away, and why.

    Examples
    --------
    >>> show_reason(Removal(1, 0, "decided", None, (("A", 1),), (("A", 2),), ()))
    'decision: A = 1 removes 2 from A'
    """
    join = "" if removal.cause and removal.kind != "given" else ":"
    if removal.kind == "placed":
        join = ","
    elif len(removal.cause) > 1 and removal.kind in ("fixed", "filtered"):
        join = ", which"
    return f"{show_why(removal)}{join} removes {show_removed(removal.removed)}"


def _cause(removal: Removal) -> str:
    match removal.kind:
        case "placed":
            variable, value = removal.cause[0]
            return f"{quoted(value)} fits only {variable}"
        case "decided":
            return f"decision: {show_cause(removal.cause)}"
        case "given":
            return "given" if removal.constraint is None else ""
    return show_cause(removal.cause, removal.constraint)
