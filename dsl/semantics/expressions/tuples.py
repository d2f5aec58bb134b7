"""Makes constraints on tuples: comparisons, membership, and lists of lists."""

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
from .constraints import Tags, as_number, check_numbers
from .names import Names, Term

Elements = tuple[tuple[Term, nodes.Argument], ...]
"""Evaluated elements, each with its syntax."""

MIRRORED = {">": "<", ">=": "<="}
"""Relations that are compared with sides exchanged."""


def compare(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make the constraint that compares two lists, element by element.

    Under `<`, `<=`, `>` and `>=`, the first elements that differ decide.
    """
    if len(left) != len(right):
        raise Diagnostic(f"a list of {len(left)} and one of {len(right)} are not compared", node.at)
    if node.relation in ("=", "!="):
        equal = constraints.conjunction(
            _compare_elements(left, right, node, names, given and node.relation == "="), tags
        )
        if node.relation == "=":
            return equal
        # Unequal lists must be defined, too: each partial expression equals itself.
        different = constraints.negation(equal, {})
        undefined_possible = [e for e, _ in (*left, *right) if isinstance(e, Affine) and e.partial]
        return constraints.conjunction((different, *[Comparison(e, "=", e) for e in undefined_possible]), tags)
    if node.relation in MIRRORED:
        left, right = right, left
    strict = node.relation in "<>"
    smaller, larger = [tuple([as_number(e, at, names, "order") for e, at in side]) for side in (left, right)]
    lexicographic = Lexicographic(smaller, larger, strict, **tags)
    return lexicographic if lexicographic.scope else lexicographic.check({})


def _compare_elements(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool
) -> Iterable[Constraint | bool]:
    """Yield the comparison of each pair of elements of two lists."""
    for (left_element, left_node), (right_element, right_node) in zip(left, right, strict=True):
        pair = nodes.Comparison(node.at, left_node, "=", right_node)  # type: ignore[arg-type]
        yield constraints.compare(left_element, right_element, pair, names, given, {})


def make_table(
    columns: Elements,
    rows: Sequence[tuple[tuple[Value, ...], nodes.Argument]],
    node: nodes.Listing,
    names: Names,
    tags: Tags,
) -> Constraint | bool:
    """Make the constraint that a tuple equals one of several tuples."""
    for row, at in rows:
        if len(row) != len(columns):
            raise Diagnostic(f"this list has {counted(len(row), 'element')}, not {len(columns)}", at.at)
    for value, at in columns:
        if isinstance(value, Affine) and not value.is_variable:
            check_numbers(value, at, names)
    distinct_rows = tuple(dict.fromkeys([row for row, _ in rows]))
    elements = tuple([value for value, _ in columns])
    if any(isinstance(value, Affine) for value in elements):
        return Table("", elements, distinct_rows, **tags)
    return elements in distinct_rows


def constrain_list(
    rows: Sequence[tuple[Elements | Term, nodes.Argument]], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make a list constraint whose elements may be lists themselves."""
    # Elements that are not lists.
    if not any([isinstance(row, tuple) for row, _ in rows]):
        return constraints.constrain_list(rows, node, names, given, tags)  # type: ignore[arg-type]
    # All elements must be lists of equal length.
    tuples: list[tuple[Elements, nodes.Argument]] = []
    for row, at in rows:
        if not isinstance(row, tuple):
            raise Diagnostic("this is no list, and others are", at.at, PAIR)
        if len(row) != len(tuples[0][0] if tuples else row):
            raise Diagnostic(f"this list has {counted(len(row), 'element')}, not {len(tuples[0][0])}", at.at)
        tuples.append((row, at))
    kind = CONSTRAINTS[node.name].kind
    if kind is AllDifferent:
        return _constrain_distinct(tuples, names, given, tags)
    if kind is Increasing:
        chain = tuples if len(tuples) > 1 else tuples * 2  # a single tuple must have a value
        pairs = [(left, right, nodes.Comparison(at.at, node, "<=", node)) for (left, _), (right, at) in pairwise(chain)]
        return constraints.conjunction([compare(left, right, at, names, False, {}) for left, right, at in pairs], tags)
    raise Diagnostic(f"the elements of {node.name} are no lists", tuples[0][1].at)


def _constrain_distinct(
    rows: Sequence[tuple[Elements, nodes.Argument]], names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make the constraint that all lists in a list differ."""
    distinct: dict[tuple[Term, ...], None] = {}
    for row, at in rows:
        for element, element_node in row:
            if isinstance(element, Affine) and not element.is_variable:
                check_numbers(element, element_node, names)
        key = tuple([element for element, _ in row])
        if key in distinct and given:
            raise Diagnostic("this list stands twice, so it can never hold", at.at)
        if key in distinct:
            return False
        distinct[key] = None
    constraint = DifferentTuples(tuple(distinct), **tags)
    return constraint if constraint.scope else True
