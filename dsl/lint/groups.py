"""Constraints that say the same, groups that cannot hold, and givens that a group keeps apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from csp import AllDifferent, Constraint, Value, Variable, ordered, tight_sets

from ..semantics.expressions.constraints import brief
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostic
from .build import WatchedBuild, called
from .codes import warning
from .words import words

CROWD = 1_000
"""An element that is in more groups than this is not asked which of them lie inside each other."""

MAX_PAIRS = 10_000
"""The most pairs of element and value of a group that is searched for too few values."""

Fixing = tuple[Variable, tuple[str, nodes.Place]]
"""A variable that is given, and the grid and the place that its value comes from."""


def check_groups(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Warnings that compare the constraints of a spec with each other."""
    yield from _duplicates(build)
    groups = [
        (rule, [made for _, made in instances if isinstance(made, AllDifferent) and len(made.elements) > 1])
        for rule, instances in build.instances
    ]
    yield from _contained([(rule, of) for rule, of in groups if of], build)
    for rule, of in groups:
        yield from _too_few_values(rule, of, build)
    yield from _clashing_givens(build)


def _duplicates(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Clauses all of whose constraints are there already, and groups that one clause posts under two names."""
    seen: dict[Hashable, tuple[nodes.Rule, Constraint]] = {}
    for rule, instances in build.instances:
        made = {_meaning(one): one for _, one in reversed(instances) if isinstance(one, Constraint)}
        known = [(one, *seen[key]) for key, one in made.items() if key in seen]
        if known and len(known) == len(made):
            one, first, other = known[-1]
            is_group = isinstance(one, AllDifferent)
            message = f"{called(one)} is {'the same group' if is_group else 'the same'} as {called(other)}"
            message += f" of {first.at.line_from(rule.at)}"
            message += ", and so on for the whole clause" if len(made) > 1 else ""
            yield warning("duplicate-group" if is_group else "duplicate-constraint", message, rule.at, "one is enough")
        yield from _renamed(rule, [one for _, one in instances if isinstance(one, AllDifferent)])
        for key, one in made.items():
            seen.setdefault(key, (rule, one))


def _renamed(rule: nodes.Rule, groups: list[AllDifferent]) -> Iterator[Diagnostic]:
    first: dict[Hashable, AllDifferent] = {}
    for group in groups:
        other = first.setdefault(_meaning(group), group)
        if other.label != group.label:
            message = f"{group.name} is the same group as {other.name} of this clause"
            yield warning("duplicate-group", message, rule.at, "is a generator one too many, or an index wrong?")
            return


def _meaning(constraint: Constraint) -> Hashable:
    """What equal constraints have in common, whatever they are called."""
    if isinstance(constraint, AllDifferent):
        return frozenset(constraint.elements)
    return replace(constraint, label="") if constraint.label else constraint


def _contained(groups: list[tuple[nodes.Rule, list[AllDifferent]]], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Clauses all of whose groups lie inside others; those that facts make may do so by chance."""
    sets = {group: frozenset(group.elements) for _, of in groups for group in of}
    places = {group: rule.at for rule, of in groups for group in of}
    around: dict[object, list[AllDifferent]] = {}
    for group, elements in sets.items():
        for element in elements:
            around.setdefault(element, []).append(group)
    for rule, of in groups:
        if not build.names.arities.keys().isdisjoint(word.name for word in words((rule.head, rule.body))):
            continue
        outer: list[AllDifferent] = []
        for group in of:
            nearby = min((around[element] for element in group.elements), key=len)
            wider = [other for other in nearby[:CROWD] if sets[group] < sets[other]]
            if not wider:
                break
            outer.append(wider[0])
        else:
            message = f"{called(of[0])} lies inside {called(outer[0])} of {places[outer[0]].line_from(rule.at)}"
            message += ", and so on for the whole clause" if len(of) > 1 else ""
            yield warning("contained-group", message, rule.at, "the larger group says as much; take this one away")


def _too_few_values(rule: nodes.Rule, groups: list[AllDifferent], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Some elements of a group that have fewer values between them than they are."""
    for group in groups:
        if not all(element.is_unary for element in group.elements):
            continue
        domains = [build.names.domains[element.variables[0]] for element in group.elements]
        sizes = sorted(map(len, domains))
        if sum(sizes) > MAX_PAIRS or all(size > number for number, size in enumerate(sizes)):
            continue
        images = [list(map(e.image, domain)) for e, domain in zip(group.elements, domains, strict=True)]
        for members, values in tight_sets(images):
            if len(members) > len(values):
                names = ", ".join(str(group.elements[i]) for i in members[:6]) + (", ..." if len(members) > 6 else "")
                message = f"{called(group)} can never hold: {names} have only {brief(ordered(values))} between them"
                yield warning("too-few-values", message, rule.at, "widen their domains, or take some of them away")
                return


def _clashing_givens(build: WatchedBuild) -> Iterator[Diagnostic]:
    givens: dict[Variable, tuple[Value, nodes.Rule, Env]] = {}
    for rule, instances in build.instances:
        for env, made in instances:
            if isinstance(made, Constraint) and made.given:
                givens.setdefault(made.given[0], (made.given[1], rule, env))
    told: set[tuple[Variable, Variable]] = set()
    for constraint in build.model.constraints if givens else ():
        for group in constraint.differing():
            first: dict[Value, Variable] = {}
            for variable in group:
                if variable in givens:
                    value, rule, env = givens[variable]
                    other = first.setdefault(value, variable)
                    if other is not variable and (other, variable) not in told and len(told) < MAX_DIAGNOSTICS:
                        told.add((other, variable))
                        here, there = build.place(rule, env), build.place(*givens[other][1:])
                        pair = ((variable, here), (other, there))
                        yield _clash(*(pair if here >= there else pair[::-1]), value, constraint, build)


def _clash(second: Fixing, first: Fixing, value: Value, constraint: Constraint, build: WatchedBuild) -> Diagnostic:
    (variable, (grid, at)), (other, there) = second, first
    message = f"{variable} = {value} clashes with {other} = {value} of {build.where(*there, at)}"
    why = constraint.place if called(constraint) != "this" else f"{constraint.file} line {constraint.line}".strip()
    return warning("clashing-givens", message, at, f"{why} keeps them different", grid)
