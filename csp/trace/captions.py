"""Captions of records as lines of text, and records as plain data for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import groupby
from typing import Any

from ..base.notation import counted, listed, quoted
from ..model import Affine, AllDifferent, Candidate, Constraint, Linear, Value, Variable, ordered
from .records import (
    Counted,
    Decision,
    Dequeued,
    Failure,
    Part,
    Reached,
    Record,
    Removal,
    Rest,
    Restart,
    Round,
    Solved,
)

MAX_NAMED = 4
"""Maximum number of names in a list; the others are counted."""
MAX_PART = 150
"""Maximum number of characters of causes, and of removed values, in a short caption, which counts longer ones."""
MAX_IMPLIED = 60
"""Maximum number of characters of an implied constraint in a short caption, with the constraints that imply it."""
MAX_TERMS = 8
"""Maximum number of terms of a sum that are written one by one; equal terms of longer sums are counted."""


def caption(record: Record, is_short: bool = False) -> str:
    """Return the line of text that describes a record in logs, pictures and the player.

    Parameters
    ----------
    record : Record
    is_short : bool, default False
        Whether to count many causes and many removed values.

    Returns
    -------
    str

    Examples
    --------
    >>> caption(Decision(2, 0, (Variable("A"), 3)))
    'node 2 · try A = 3 at the root'
    """
    match record:
        case Removal():
            return f"step {record.step} · {show_reason(record, is_short)} · marked {len(record.marked)}"
        case Round(number, _, marked):
            return f"round {number} · marked {len(marked)}"
        case Dequeued():
            return f"checked · {_show_dequeued(record)} · marked {len(record.marked)}"
        case Rest(_, unfixed):
            return f"fixpoint · {unfixed} unfixed"
        case Failure():
            return f"failure · {_show_failure(record, is_short)}"
        case Decision(node, parent, (variable, value)):
            return f"node {node} · try {variable} = {quoted(value)} at {_show_node(parent)}"
        case Solved():
            return "solved"
        case Counted(_, _, nodes, failures, depth):
            return (
                f"counted, not recorded: {counted(nodes, 'further node')}, {counted(failures, 'failure')}, "
                f"{counted(depth, 'decision')} deep"
            )
        case Reached():
            return "solution, found after the recording"
        case Restart(node):
            return f"restart from {_show_node(node)}"
        case Part(_, number):
            return f"part {number} · the next independent part"


def headline(record: Record) -> str:
    """Return the short caption of a record; for a failure, without what removed candidates.

    Examples
    --------
    >>> from .records import Remover
    >>> headline(Failure(0, None, Variable("A"), removed_by=(Remover("pair", (("A", 1),)),)))
    'failure · A has no value left'
    """
    return caption(replace(record, removed_by=()) if isinstance(record, Failure) else record, is_short=True)


def as_dict(record: Record) -> dict[str, Any]:
    """Convert a record to plain data for JSON; records of one kind have equal keys.

    Parameters
    ----------
    record : Record

    Returns
    -------
    dict
        ``kind``, the fields, ``marked`` for every kind, and the ``caption``. A constraint gives its name and its spec
        line, ``also_uses`` the names of constraints as in captions, and ``queue`` the names of its entries.

    Examples
    --------
    >>> as_dict(Rest(0, 3))
    {'kind': 'rest', 'node': 0, 'open': 3, 'marked': (), 'caption': 'fixpoint · 3 unfixed'}
    """
    data: dict[str, Any] = {"kind": kind_of(record)}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name == "constraint":
            data |= {"constraint": None, "line": None} if value is None else {"constraint": value.name, **value.origin}
        elif field.name == "also_uses":
            data["also_uses"] = [constraint.place for constraint in value]
        elif isinstance(record, Failure) and field.name == "removed_by":
            data["removed_by"] = [*_removed_by_place(record).items()]
        elif field.name == "queue":
            data["queue"] = list(map(str, value))
        elif (field.name != "number" or isinstance(record, Round | Part)) and field.name != "is_asked":
            data[field.name] = value
    return {**data, "marked": data.get("marked", ()), "caption": caption(record)}


def kind_of(record: Record) -> str:
    """Return the name of a kind of record, as used in JSON and on pages.

    Examples
    --------
    >>> kind_of(Rest(0, 3)), kind_of(Dequeued(0, None, (), ()))
    ('rest', 'dequeued')
    """
    return type(record).__name__.lower()


def show_cause(cause: Sequence[Candidate], constraint: Constraint | None = None) -> str:
    """Format the candidates of a cause: the value or the remaining values of each variable.

    Variables with equal values are named together. Unfixed variables of an all_different are named with the union of
    their values if it has at most as many values as variables, since this Hall set is the reason.

    Parameters
    ----------
    cause : sequence of Candidate
    constraint : Constraint, optional
        The constraint that removed candidates by this cause.

    Examples
    --------
    >>> show_cause((("A", 1),)), show_cause((("A", 1), ("A", 2), ("B", 1), ("B", 2)))
    ('A = 1', 'A, B have only 1, 2')
    >>> show_cause((("A", 1), ("B", 2), ("B", 3), ("C", 2), ("C", 3), ("C", 4), ("D", 1)))
    'A = D = 1, B has only 2, 3, C has only 2, 3, 4'
    >>> show_cause((("A", 1), ("A", 2), ("B", 2), ("B", 3), ("C", 1), ("C", 3)), AllDifferent.of("ABC"))
    'A, B, C have only 1, 2, 3'
    """
    values_of: dict[Variable, list[Value]] = {}
    for variable, value in cause:
        values_of.setdefault(variable, []).append(value)
    values = {value for _, value in cause}
    is_unfixed = all(len(domain) > 1 for domain in values_of.values())
    if isinstance(constraint, AllDifferent) and is_unfixed and 1 < len(values_of) >= len(values):
        return f"{', '.join(values_of)} have only {listed(ordered(values))}"
    # Group the variables with equal values.
    names_by_domain: dict[tuple[Value, ...], list[Variable]] = {}
    for variable, domain in values_of.items():
        names_by_domain.setdefault(tuple(domain), []).append(variable)
    parts = []
    for remaining, names in names_by_domain.items():
        if len(remaining) == 1:
            parts.append(f"{' = '.join(names)} = {quoted(remaining[0])}")
        else:
            parts.append(f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} only {listed(remaining)}")
    return ", ".join(parts)


def show_conflict(constraint: Constraint, cause: Sequence[Candidate]) -> str:
    """Format why a constraint cannot hold: a wrong sum, or its variables' remaining values.

    Examples
    --------
    >>> from csp import var
    >>> a, b = var("A"), var("B")
    >>> show_conflict(a + b == 9, (("A", 3), ("B", 4))), show_conflict(a < b, (("A", 4), ("B", 3)))
    ('3 + 4 = 7, not 9', 'A = 4, B = 3')
    >>> show_conflict(a + 2 * b <= b * 3, (("A", 3), ("B", 2)))
    '3 + 2*2 = 7, not <= 3*2 = 6'
    >>> show_conflict(a == b - 1, (("A", 4), ("B", 3)))
    'A = 4, not 3 - 1 = 2'
    >>> lamps = [var("lamp", i) for i in range(10)]
    >>> show_conflict(sum(lamps) == 1, [(f"lamp({i})", int(i > 7)) for i in range(10)])
    '0 (8 times) + 1 (2 times) = 2, not 1'
    """
    values: dict[str, Value] = {variable: value for variable, value in cause}
    if isinstance(constraint, Linear) and len(values) == len(cause) and set(constraint.scope) <= set(values):
        left, right = (_show_sum(side, values) for side in constraint.parts())
        if ("=" in left or "=" in right) and not constraint.check(values):
            # A number alone would not say what has it.
            named = [(v, values[v]) for _, v in constraint.parts()[0].terms if isinstance(v, Variable)]
            left = show_cause(named) if named and "=" not in left else left
            return f"{left}, not {'' if constraint.relation == '=' else f'{constraint.relation} '}{right}"
    return show_cause(cause, constraint)


def _show_sum(side: Affine, values: Mapping[str, Value]) -> str:
    """Format a sum with values for its variables, such as ``3 + 4 = 7``."""
    parts: list[str] = []
    for coefficient, variable in side.terms:
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
        parts.append(f"{'-' if coefficient < 0 else '+'} {factor}{values[variable]}")  # type: ignore[index]
    if len(parts) > MAX_TERMS:
        parts = [f"{part} ({times} times)" if times > 1 else part for part, times in Counter(parts).items()]
    if side.constant or not parts:
        parts.append(f"{'-' if side.constant < 0 else '+'} {abs(side.constant)}")
    terms, total = " ".join(parts).removeprefix("+ "), str(side.number(values))
    return terms if terms == total else f"{terms} = {total}"


def show_removed(removed: Sequence[Candidate], is_short: bool = False) -> str:
    """Format removed candidates: values from variables, consecutive variables with equal values together.

    If the text is to be short, many candidates are counted.

    Examples
    --------
    >>> show_removed((("A", 1), ("B", 1), ("C", 1), ("C", 2)))
    '1 from A, B; 1, 2 from C'
    >>> show_removed([(Variable("x", i), i) for i in range(40)], is_short=True)
    '40 values from 40 variables'
    """
    values_of: dict[Variable, list[Value]] = {}
    for variable, value in removed:
        values_of.setdefault(variable, []).append(value)
    groups = groupby(values_of.items(), key=lambda item: item[1])
    parts = [f"{listed(values)} from {', '.join([v for v, _ in group])}" for values, group in groups]
    if is_short and len(parts) > 1 and len("; ".join(parts)) > MAX_PART:
        return f"{counted(len(removed), 'value')} from {counted(len(values_of), 'variable')}"
    return "; ".join(parts)


def show_place(constraint: Constraint, also_uses: Sequence[Constraint] = (), is_short: bool = False) -> str:
    """Return the name of a constraint, with the other constraints that its propagator uses.

    If it is short, many others are counted, and a long implied constraint is named without those that imply it.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> show_place(AllDifferent.of("AB", label="pair", line=3), (AllDifferent.of("BC", label="other"),))
    'pair (line 3) with other'
    >>> implied = AllDifferent.of("AB", label=f"A, B differ from {'row 1, ' * 9}row 2")
    >>> show_place(implied, is_short=True)
    'A, B differ (implied)'
    """
    places = [used.place for used in also_uses]
    if is_short and len(places) > MAX_NAMED:
        places = [f"{len(places)} other constraints"]
    name = constraint.place
    if is_short and not constraint.line and len(name) > MAX_IMPLIED and " from " in name:
        name = f"{name.partition(' from ')[0]} (implied)"
    return name + (f" with {', '.join(places)}" if places else "")


def _show_node(node: int) -> str:
    return f"node {node}" if node else "the root"


def _show_dequeued(record: Dequeued) -> str:
    if record.constraint is not None and not record.is_asked:
        return f"{record.constraint.place}: deferred: it is expensive, and too many of its variables are unfixed"
    if record.constraint is not None:
        place = f"{quoted(record.last_place[1])} fits only {record.last_place[0]}, " if record.last_place else ""
        return f"{record.constraint.place}: {place}no change"
    unnamed = len(record.variables) - MAX_NAMED
    return ", ".join(record.variables[:MAX_NAMED]) + (f" and {unnamed} more" if unnamed > 0 else "") + ": no change"


def _removed_by_place(record: Failure) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates that led to a failure, by the name of what removed them."""
    removed: dict[str, tuple[Candidate, ...]] = {}
    for remover in record.removed_by:
        removed[remover.place] = (*removed.get(remover.place, ()), *remover.removed)
    return removed


def _show_failure(record: Failure, is_short: bool) -> str:
    removals = ": " if record.removed_by else ""

    def show_list(text: str, count: int, noun: str) -> str:
        return counted(count, noun) if is_short and count > MAX_TERMS else text

    if record.constraint is None:
        removals += "; ".join(
            [
                f"{name} removes {show_list(listed([value for _, value in removed]), len(removed), 'value')}"
                for name, removed in _removed_by_place(record).items()
            ]
        )
        return f"{record.subject} has no value left{removals}"
    place = show_place(record.constraint, record.also_uses)
    if record.subject is not None:
        removals += "; ".join(
            [
                f"{show_list(', '.join([variable for variable, _ in removed]), len(removed), 'variable')} by {name}"
                for name, removed in _removed_by_place(record).items()
            ]
        )
        return f"{place}: {quoted(record.subject)} has no place left{removals}"
    return f"{place} cannot hold" + (f": {show_conflict(record.constraint, record.cause)}" if record.cause else "")


def show_why(removal: Removal, is_short: bool = False) -> str:
    """Format the constraint that removed values and the cause of the removal.

    If it is short, many causes are counted.

    Examples
    --------
    >>> show_why(Removal(1, 0, "decided", None, (("A", 1),), (("A", 2),), ()))
    'decision: A = 1'
    """
    place = [] if removal.constraint is None else [show_place(removal.constraint, removal.also_uses, is_short)]
    cause = _show_removal_cause(removal)
    return ": ".join(place + [text for text in [count_causes(cause, [removal]) if is_short else cause] if text])


def count_causes(text: str, removals: Iterable[Removal]) -> str:
    """Return the text of causes, or their number if it is long.

    Examples
    --------
    >>> removal = Removal(1, 0, "fixed", None, (("A", 1), ("B", 1)), (("C", 1),), ())
    >>> count_causes("A = B = 1", [removal]), count_causes("A = " * 50, [removal])
    ('A = B = 1', '2 causes')
    """
    causes = {variable for removal in removals for variable, _ in removal.cause}
    return counted(len(causes), "cause") if len(text) > MAX_PART else text


def show_reason(removal: Removal, is_short: bool = False) -> str:
    """Format a removal with the removing constraint, the cause and the removed values.

    If it is short, many causes and many removed values are counted.

    Examples
    --------
    >>> show_reason(Removal(1, 0, "decided", None, (("A", 1),), (("A", 2),), ()))
    'decision: A = 1 removes 2 from A'
    """
    separator = "" if removal.cause and removal.kind != "given" else ":"
    if removal.kind == "placed" or (len(removal.cause) > 1 and removal.kind in ("fixed", "filtered")):
        separator = ", which"
    removed = show_removed(removal.removed, is_short)
    return f"{show_why(removal, is_short)}{separator} removes {removed}"


def _show_removal_cause(removal: Removal) -> str:
    """Format why a removal happened; return an empty text for a given of the model."""
    match removal.kind:
        case "placed":
            variable, value = removal.cause[0]
            return f"{quoted(value)} fits only {variable}"
        case "decided":
            return f"decision: {show_cause(removal.cause)}"
        case "given":
            return "given" if removal.constraint is None else ""
    return show_cause(removal.cause, removal.constraint)
