"""Makes constraints on lists: ``all_different`` and its relatives, and comparisons and memberships of lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from csp import (
    Affine,
    AllDifferent,
    AllDifferentExcept,
    Comparison,
    Connected,
    Constraint,
    DifferentTuples,
    Equality,
    Increasing,
    Inverse,
    Lexicographic,
    Linear,
    Runs,
    Table,
    Value,
    apply,
    counted,
)

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.habits import PAIR
from ...syntax.vocabulary import CONSTRAINTS
from .constraints import Tags, as_number, check_element, compare_terms, conjunction, negation
from .names import ConditionalElement, ListElement, Names, Term

Elements = tuple[ListElement, ...]
"""A list whose elements are evaluated."""

MIRRORED = {">": "<", ">=": "<="}
"""Relations that are compared with sides exchanged."""


def constrain_list(
    rows: Sequence[ListElement], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make a constraint on a list, such as ``all_different``; its elements may be lists.

    Lists as elements must have one length; only some constraints allow them.
    """
    # Elements that are not lists.
    if not any([isinstance(row, tuple) for row, _ in rows]):
        return _constrain_elements(rows, node, names, given, tags)
    # All elements must be lists of equal length.
    tuples: list[tuple[Elements, nodes.Argument]] = []
    for row, at in rows:
        if not isinstance(row, tuple):
            raise Diagnostic("misplaced-list", "expected a list, like the other elements", at.at, PAIR)
        if len(row) != len(tuples[0][0] if tuples else row):
            raise Diagnostic(
                "list-length",
                f"this list has {counted(len(row), 'element')}, and the first has {len(tuples[0][0])}",
                at.at,
            )
        tuples.append((row, at))
    kind = CONSTRAINTS[node.name].kind
    if kind is AllDifferent:
        return _constrain_distinct_lists(tuples, names, given, tags)
    if kind is Increasing:
        chain = tuples if len(tuples) > 1 else tuples * 2  # a single tuple must have a value
        pairs = [(left, right, nodes.Comparison(at.at, node, "<=", node)) for (left, _), (right, at) in pairwise(chain)]
        return conjunction([compare_lists(left, right, at, names, False, {}) for left, right, at in pairs], tags)
    raise Diagnostic("misplaced-list", f"{node.name} cannot compare lists", tuples[0][1].at)


def _constrain_distinct_lists(
    rows: Sequence[tuple[Elements, nodes.Argument]], names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make the constraint that all lists in a list differ from each other.

    A repeated list is an error if the constraint is ``given``, and otherwise makes it False.
    """
    distinct: dict[tuple[Term, ...], None] = {}
    for row, at in rows:
        for element, element_node in row:
            check_element(element, element_node, names)
        key = tuple([element for element, _ in row])
        if key in distinct and given:
            raise Diagnostic("repeated-element", "this list occurs twice, so the constraint can never hold", at.at)
        if key in distinct:
            return False
        distinct[key] = None
    constraint = DifferentTuples(tuple(distinct), **tags)
    return constraint if constraint.scope else True


def _constrain_elements(
    elements: Iterable[ListElement], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make a constraint on a list of elements that are not lists.

    Symbols are errors where the constraint needs numbers.
    """
    word = CONSTRAINTS[node.name]
    if word.kind is Equality:
        return _constrain_equal(list(elements), node, names, tags)
    if word.differ:
        return _constrain_distinct(elements, node, names, given, tags)
    members: list[Affine] = []
    for element, at in elements:
        if isinstance(element, str):
            raise _not_a_variable(element, node, at)
        members.append(as_number(element, at, names, "arithmetic"))
    constraint = word.kind(tuple(members), **tags)
    return constraint if constraint.scope else constraint.check({})


def _constrain_equal(elements: list[ListElement], node: nodes.Call, names: Names, tags: Tags) -> Constraint | bool:
    """Make the constraint that all elements of a list are equal.

    A single element is compared with itself, as it must be defined.
    """
    chain = elements if len(elements) != 1 else elements * 2
    pairs = [
        compare_terms(left, right, nodes.Comparison(left_node.at, left_node, "=", right_node), names, False, {})  # type: ignore[arg-type]
        for (left, left_node), (right, right_node) in pairwise(chain)
        if left != right or (isinstance(left, Affine) and left.partial)
    ]
    return conjunction(pairs, tags)


def _not_a_variable(element: Term, node: nodes.Call, at: nodes.Argument) -> Diagnostic:
    """Return the error for an element that is a value, where variables are needed."""
    return Diagnostic(
        "constant-element",
        f"{element} in {node.name} is not a puzzle variable",
        at.at,
        "to exclude the value, write !=",
    )


def _constrain_distinct(
    elements: Iterable[ListElement], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Make the constraint that all elements of a list differ.

    If the constraint is ``given``, values, repeated elements and too few values are errors. Otherwise elements may also
    be values, and a repeated element makes the constraint False.
    """
    # Equal elements are an error, or make the condition false.
    nodes_by_element: dict[Term, nodes.Argument] = {}
    for element, at in elements:
        if given and not isinstance(element, Affine):
            raise _not_a_variable(element, node, at)
        check_element(element, at, names)
        if element not in nodes_by_element:
            nodes_by_element[element] = at
        elif not given:
            return False
        else:
            bag = "generators repeat an element for each solution of their body; a rule makes it once"
            hint = bag if node.body else ""
            raise Diagnostic(
                "repeated-element",
                f"{element} occurs twice in {node.name}, so the constraint can never hold",
                at.at,
                hint,
            )
    # Expressions form a group; each value adds inequalities with all of them.
    members = [element for element in nodes_by_element if isinstance(element, Affine)]
    if given:
        _check_room(members, node, names)
    if not members:
        return True
    group = CONSTRAINTS[node.name].kind(tuple(members), **tags)
    if len(members) == len(nodes_by_element):
        return group
    values = [value for value in nodes_by_element if not isinstance(value, Affine)]
    inequalities = [
        inequality for value in values for member in members if (inequality := _make_unequal(member, value)) is not None
    ]
    if not inequalities:
        return group
    # A count expresses that all parts hold.
    parts = [group, *inequalities] if len(members) > 1 else inequalities
    return Comparison(apply("count", parts), "=", Affine((), len(parts))) if len(parts) > 1 else inequalities[0]


def _make_unequal(element: Affine, value: Value) -> Constraint | None:
    """Return the constraint that an expression differs from a value; None if it always does."""
    if element.is_variable:
        return Equality(element.variables[0], value, False)
    if isinstance(value, str):
        return None
    return (Linear if element.is_linear else Comparison)(element, "!=", Affine((), value))


def _check_room(elements: list[Affine], node: nodes.Call, names: Names) -> None:
    """Raise an error if an all-different group has fewer values than elements.

    Groups with an element of several variables are not checked.
    """
    values: set[Value] = set()
    # If one domain has as many values as there are elements, so has the union.
    for element in elements:
        if not element.is_unary:
            return
        domain = names.domains[element.variables[0]]
        if len(domain) >= len(elements):
            return
        values.update(map(element.image, domain))
    if len(values) < len(elements):
        few = counted(len(values), "value")
        raise Diagnostic(
            "never-holds",
            f"{node.name} has {len(elements)} elements and only {few}, so the constraint can never hold",
            node.at,
        )


def constrain_except(
    free: Value, members: Sequence[ListElement], node: nodes.Call, names: Names, tags: Tags
) -> Constraint | bool:
    """Return the constraint that elements differ unless their value is ``free``.

    An element that is another value is an error.
    """
    for member, at in members:
        check_element(member, at, names)
    unfixed = tuple([member for member, _ in members if isinstance(member, Affine)])
    # A value cannot differ from the others, so only the free one is an element.
    for value, _ in members:
        if not isinstance(value, Affine) and value != free:
            raise _not_a_variable(value, node, node)
    return AllDifferentExcept(free, unfixed, **tags) if unfixed else True


def two_lists(node: nodes.Call, expected: str, hint: str) -> list[nodes.Listing]:
    """Return a call's two lists; refuse a call without exactly two."""
    lists = [argument for argument in node.arguments if isinstance(argument, nodes.Listing)]
    if len(lists) != len(node.arguments) or len(lists) != 2 or node.body is not None:
        raise Diagnostic("wrong-arguments", f"{node.name} needs {expected}", node.at, hint)
    return lists


def constrain_inverse(
    sides: Iterable[Iterable[ListElement]], node: nodes.Call, names: Names, tags: Tags
) -> Constraint | bool:
    """Make the constraint that each of two lists gives the positions of the other's values.

    Lists of different length are an error.
    """
    left, right = (_as_numbers(side, names) for side in sides)
    if len(left) != len(right):
        raise Diagnostic(
            "list-length", f"lists of {len(left)} and {len(right)} elements cannot invert each other", node.at
        )
    inverse = Inverse(left, right, **tags)
    return inverse if inverse.scope else inverse.check({})


def constrain_runs(sides: Iterable[Iterable[ListElement]], names: Names, tags: Tags) -> Constraint | bool:
    """Make the constraint that the runs of nonzero elements have given sums, in order."""
    elements, sums = (_as_numbers(side, names) for side in sides)
    runs = Runs(elements, tuple([expression.constant for expression in sums]), **tags)
    return runs if runs.scope else runs.check({})


def _as_numbers(elements: Iterable[ListElement], names: Names, lacking: str = "arithmetic") -> tuple[Affine, ...]:
    """Convert a list's elements to expressions; refuse symbols, and variables that can be symbols."""
    return tuple([as_number(element, at, names, lacking) for element, at in elements])


def constrain_connected(
    relation: str, choices: Iterable[ConditionalElement], names: Names, tags: Tags
) -> Constraint | bool:
    """Return the constraint that a relation connects all places whose conditions hold.

    A row of the relation joins two places. A repeated place is an error.
    """
    arity = names.arities[relation]
    places: dict[tuple[Value, ...], Constraint | None] = {}
    # Collect the places with their conditions; a row of the relation joins two places.
    for condition, place_of, at in choices:
        if condition is False:
            continue
        elements = place_of()
        place = tuple([value for value, _ in elements]) if isinstance(elements, tuple) else (elements,)
        if 2 * len(place) != arity:
            message = f"{relation} has {counted(arity, 'argument')}, and two places have {2 * len(place)}"
            raise Diagnostic("symbol-not-number", message, at.at)
        if place in places:
            raise Diagnostic("repeated-element", f"the place {', '.join(map(str, place))} occurs twice", at.at)
        places[place] = condition if isinstance(condition, Constraint) else None
    connected = Connected(relation, tuple(places.items()), names.relations[relation].rows, **tags)
    return connected if connected.scope else connected.check({})


def compare_lists(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Return the constraint that compares two lists; refuse lists of different length.

    Under `<`, `<=`, `>` and `>=`, the first elements that differ decide. Without variables, it is a bool.
    """
    if len(left) != len(right):
        raise Diagnostic("list-length", f"lists of {len(left)} and {len(right)} elements cannot be compared", node.at)
    if node.relation in ("=", "!="):
        equal = conjunction(_compare_elements(left, right, node, names, given and node.relation == "="), tags)
        if node.relation == "=":
            return equal
        # Unequal lists must be defined, too: each partial expression equals itself.
        different = negation(equal, {})
        undefined_possible = [e for e, _ in (*left, *right) if isinstance(e, Affine) and e.partial]
        return conjunction((different, *[Comparison(e, "=", e) for e in undefined_possible]), tags)
    if node.relation in MIRRORED:
        left, right = right, left
    strict = node.relation in "<>"
    smaller, larger = [_as_numbers(side, names, "<" if strict else "<=") for side in (left, right)]
    lexicographic = Lexicographic(smaller, larger, strict, **tags)
    return lexicographic if lexicographic.scope else lexicographic.check({})


def _compare_elements(
    left: Elements, right: Elements, node: nodes.Comparison, names: Names, given: bool
) -> Iterable[Constraint | bool]:
    """Yield, for each position of two lists, the constraint that the elements are equal."""
    for (left_element, left_node), (right_element, right_node) in zip(left, right, strict=True):
        pair = nodes.Comparison(node.at, left_node, "=", right_node)  # type: ignore[arg-type]
        yield compare_terms(left_element, right_element, pair, names, given, {})


def make_list_member(
    columns: Elements,
    rows: Sequence[tuple[tuple[Value, ...], nodes.Argument]],
    node: nodes.Listing,
    names: Names,
    tags: Tags,
) -> Constraint | bool:
    """Return the constraint that a tuple is one of several; for values, a bool.

    A row of another length is an error.
    """
    for row, at in rows:
        if len(row) != len(columns):
            raise Diagnostic(
                "list-length", f"this list has {counted(len(row), 'element')}, and the first has {len(columns)}", at.at
            )
    for value, at in columns:
        check_element(value, at, names)
    distinct_rows = tuple(dict.fromkeys([row for row, _ in rows]))
    elements = tuple([value for value, _ in columns])
    if any(isinstance(value, Affine) for value in elements):
        return Table("", elements, distinct_rows, **tags)
    return elements in distinct_rows
