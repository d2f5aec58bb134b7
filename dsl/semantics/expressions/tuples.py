"""Comparisons of tuples of expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    DifferentTuples,
    Increasing,
    Lexicographic,
    Table,
    Value,
    counted,
)

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.habits import PAIR
from ...syntax.vocabulary import CONSTRAINTS
from . import constraints
from .constraints import Tags, check_numbers, number
from .names import Names, Term

Elements = tuple[tuple[Term, nodes.Argument], ...]
"""Values or expressions, and where they stand."""

MIRRORED = {">": "<", ">=": "<="}


def compared(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """A comparison of tuples: all elements are equal, or they are not, or the first that differ decide."""
    if len(left) != len(right):
        raise Diagnostic(f"a list of {len(left)} and one of {len(right)} are not compared", node.at)
    if node.relation in ("=", "!="):
        equal = constraints.conjunction(_equal(left, right, node, names, given and node.relation == "="), tags)
        if node.relation == "=":
            return equal
        different = constraints.negation(equal, {})
        partial = [e for e, _ in (*left, *right) if isinstance(e, Affine) and e.partial]
        return constraints.conjunction((different, *[Comparison(e, "=", e) for e in partial]), tags)
    if node.relation in MIRRORED:
        left, right = right, left
    strict = node.relation in "<>"
    one, other = [tuple([number(e, at, names, "order") for e, at in side]) for side in (left, right)]
    made = Lexicographic(one, other, strict, **tags)
    return made if made.scope else made.check({})


def _equal(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool
) -> Iterable[Constraint | bool]:
    for (one, at), (other, there) in zip(left, right, strict=True):
        pair = nodes.Comparison(node.at, at, "=", there)  # type: ignore[arg-type]
        yield constraints.compared(one, other, pair, names, given, {})


def member(
    columns: Elements,
    rows: Sequence[tuple[tuple[Value, ...], nodes.Argument]],
    node: nodes.Listing,
    names: Names,
    tags: Tags,
) -> Constraint | bool:
    """A tuple is one of some tuples of values."""
    for row, at in rows:
        if len(row) != len(columns):
            raise Diagnostic(f"this list has {counted(len(row), 'element')}, not {len(columns)}", at.at)
    for value, at in columns:
        if isinstance(value, Affine) and not value.is_variable:
            check_numbers(value, at, names)
    known = tuple(dict.fromkeys([row for row, _ in rows]))
    elements = tuple([value for value, _ in columns])
    if any(isinstance(value, Affine) for value in elements):
        return Table("", elements, known, **tags)
    return elements in known


def listed(
    rows: Sequence[tuple[Elements | Term, nodes.Argument]], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """A constraint on a list, which may be one of tuples."""
    if not any([isinstance(row, tuple) for row, _ in rows]):
        return constraints.listed(rows, node, names, given, tags)  # type: ignore[arg-type]
    found: list[tuple[Elements, nodes.Argument]] = []
    for row, at in rows:
        if not isinstance(row, tuple):
            raise Diagnostic("this is no list, and others are", at.at, PAIR)
        if len(row) != len(found[0][0] if found else row):
            raise Diagnostic(f"this list has {counted(len(row), 'element')}, not {len(found[0][0])}", at.at)
        found.append((row, at))
    kind = CONSTRAINTS[node.name].kind
    if kind is AllDifferent:
        return _different(found, names, given, tags)
    if kind is Increasing:
        chain = found if len(found) > 1 else found * 2  # a single tuple must have a value
        pairs = [(one, other, nodes.Comparison(at.at, node, "<=", node)) for (one, _), (other, at) in pairwise(chain)]
        return constraints.conjunction([compared(one, other, at, names, False, {}) for one, other, at in pairs], tags)
    raise Diagnostic(f"the elements of {node.name} are no lists", found[0][1].at)


def _different(
    rows: Sequence[tuple[Elements, nodes.Argument]], names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    found: dict[tuple[Term, ...], None] = {}
    for row, at in rows:
        for element, there in row:
            if isinstance(element, Affine) and not element.is_variable:
                check_numbers(element, there, names)
        key = tuple([element for element, _ in row])
        if key in found and given:
            raise Diagnostic("this list stands twice, so it can never hold", at.at)
        if key in found:
            return False
        found[key] = None
    made = DifferentTuples(tuple(found), **tags)
    return made if made.scope else True
