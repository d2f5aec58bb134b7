"""Compares constraints with each other, to find repeated and contained ones.

They find repeated constraints, groups with too few values, and clashing givens.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from csp import AllDifferent, Constraint, Value, Variable, ordered, tight_sets

from ..semantics.expressions.constraints import brief
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostic
from .build import WatchedBuild, display_name
from .codes import warning
from .words import words

CROWD = 1_000
"""Maximum number of groups of one element that are searched for a group that contains another."""

MAX_PAIRS = 10_000
"""Maximum number of pairs of element and value in a group that is checked for too few values."""

Fixing = tuple[Variable, tuple[str, nodes.Place]]
"""A variable that is given, with the grid and the place of its value."""


def check_groups(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about repeated, contained and impossible groups, and about givens."""
    yield from _check_duplicates(build)
    groups = [
        (rule, [c for _, c in instances if isinstance(c, AllDifferent) and len(c.elements) > 1])
        for rule, instances in build.instances
    ]
    yield from _check_contained([(rule, group_list) for rule, group_list in groups if group_list], build)
    for rule, group_list in groups:
        yield from _check_room(rule, group_list, build)
    yield from _check_givens(build)


def _check_duplicates(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about clauses whose constraints all occur in earlier clauses."""
    seen: dict[Hashable, tuple[nodes.Rule, Constraint]] = {}
    for rule, instances in build.instances:
        constraints_by_meaning = {
            _meaning(constraint): constraint
            for _, constraint in reversed(instances)
            if isinstance(constraint, Constraint)
        }
        # A clause is reported only if all its constraints are repeated.
        repeated = [(constraint, *seen[key]) for key, constraint in constraints_by_meaning.items() if key in seen]
        if repeated and len(repeated) == len(constraints_by_meaning):
            constraint, first_rule, earlier_constraint = repeated[-1]
            is_group = isinstance(constraint, AllDifferent)
            message = f"{display_name(constraint)} is {'the same group' if is_group else 'the same'}"
            message += f" as {display_name(earlier_constraint)} of {first_rule.at.line_from(rule.at)}"
            message += ", and so on for the whole clause" if len(constraints_by_meaning) > 1 else ""
            yield warning("duplicate-group" if is_group else "duplicate-constraint", message, rule.at, "one is enough")
        yield from _check_renamed(
            rule, [constraint for _, constraint in instances if isinstance(constraint, AllDifferent)]
        )
        for key, constraint in constraints_by_meaning.items():
            seen.setdefault(key, (rule, constraint))


def _check_renamed(rule: nodes.Rule, groups: list[AllDifferent]) -> Iterator[Diagnostic]:
    """Yield a warning if a clause posts one all-different group under two labels."""
    first: dict[Hashable, AllDifferent] = {}
    for group in groups:
        earlier_group = first.setdefault(_meaning(group), group)
        if earlier_group.label != group.label:
            message = f"{group.name} is the same group as {earlier_group.name} of this clause"
            yield warning("duplicate-group", message, rule.at, "is a generator one too many, or an index wrong?")
            return


def _meaning(constraint: Constraint) -> Hashable:
    """Return a key that is equal for constraints that differ in labels only."""
    if isinstance(constraint, AllDifferent):
        return frozenset(constraint.elements)
    return replace(constraint, label="") if constraint.label else constraint


def _check_contained(groups: list[tuple[nodes.Rule, list[AllDifferent]]], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about clauses whose groups all lie inside other groups.

    Clauses that use facts are left out, as their groups depend on the facts.
    """
    # Index the groups by their elements.
    sets = {group: frozenset(group.elements) for _, group_list in groups for group in group_list}
    places = {group: rule.at for rule, group_list in groups for group in group_list}
    groups_of_element: dict[object, list[AllDifferent]] = {}
    for group, elements in sets.items():
        for element in elements:
            groups_of_element.setdefault(element, []).append(group)
    for rule, group_list in groups:
        if not build.names.arities.keys().isdisjoint(word.name for word in words((rule.head, rule.body))):
            continue
        outer_groups: list[AllDifferent] = []
        for group in group_list:
            # A group around this one has all its elements, so search the groups of the rarest element.
            nearby = min((groups_of_element[element] for element in group.elements), key=len)
            wider_groups = [candidate for candidate in nearby[:CROWD] if sets[group] < sets[candidate]]
            if not wider_groups:
                break
            outer_groups.append(wider_groups[0])
        else:
            group, outer = group_list[0], outer_groups[0]
            message = f"{display_name(group)} lies inside {display_name(outer)} of {places[outer].line_from(rule.at)}"
            message += ", and so on for the whole clause" if len(group_list) > 1 else ""
            yield warning("contained-group", message, rule.at, "the larger group says as much; take this one away")


def _check_room(rule: nodes.Rule, groups: list[AllDifferent], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield a warning if a group has more elements than values."""
    for group in groups:
        if not all(element.is_unary for element in group.elements):
            continue
        # Skip large groups, and those in which each element has enough values by size alone.
        domains = [build.names.domains[element.variables[0]] for element in group.elements]
        sizes = sorted(map(len, domains))
        if sum(sizes) > MAX_PAIRS or all(size > number for number, size in enumerate(sizes)):
            continue
        # Find a set of elements that has fewer values than elements.
        images = [list(map(e.image, domain)) for e, domain in zip(group.elements, domains, strict=True)]
        for members, values in tight_sets(images):
            if len(members) > len(values):
                names = ", ".join(str(group.elements[i]) for i in members[:6]) + (", ..." if len(members) > 6 else "")
                message = (
                    f"{display_name(group)} can never hold: {names} have only {brief(ordered(values))} between them"
                )
                yield warning("too-few-values", message, rule.at, "widen their domains, or take some of them away")
                return


def _check_givens(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about equal givens of variables that must differ."""
    # Collect the givens.
    givens: dict[Variable, tuple[Value, nodes.Rule, Env]] = {}
    for rule, instances in build.instances:
        for env, constraint in instances:
            if isinstance(constraint, Constraint) and constraint.given:
                givens.setdefault(constraint.given[0], (constraint.given[1], rule, env))
    # Report each pair of equal givens in a group once.
    reported: set[tuple[Variable, Variable]] = set()
    for constraint in build.model.constraints if givens else ():
        for group in constraint.differing():
            first_variable: dict[Value, Variable] = {}
            for variable in group:
                if variable in givens:
                    value, rule, env = givens[variable]
                    earlier_variable = first_variable.setdefault(value, variable)
                    if (
                        earlier_variable is not variable
                        and (earlier_variable, variable) not in reported
                        and len(reported) < MAX_DIAGNOSTICS
                    ):
                        reported.add((earlier_variable, variable))
                        place, earlier_place = build.place(rule, env), build.place(*givens[earlier_variable][1:])
                        pair = ((variable, place), (earlier_variable, earlier_place))
                        yield _warn_clash(*(pair if place >= earlier_place else pair[::-1]), value, constraint, build)


def _warn_clash(
    later: Fixing, earlier: Fixing, value: Value, constraint: Constraint, build: WatchedBuild
) -> Diagnostic:
    """Return the warning about two contradicting givens, at the later given."""
    (variable, (grid, at)), (earlier_variable, earlier_place) = later, earlier
    message = f"{variable} = {value} clashes with {earlier_variable} = {value} of {build.where(*earlier_place, at)}"
    reason = (
        constraint.place if display_name(constraint) != "this" else f"{constraint.file} line {constraint.line}".strip()
    )
    return warning("clashing-givens", message, at, f"{reason} keeps them different", grid)
