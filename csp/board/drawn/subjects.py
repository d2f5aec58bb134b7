"""Find the drawn variables that helpers are about, in the constraints that define them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ...model import Comparison, Constraint, Equality, Iff, Model, Variable

ALONE, SHARED, BOUND, OTHER = range(4)
"""Kinds of constraints on a helper, the most telling first: an equation that defines it or has no other helper, another
equation, another constraint without other helpers, and the rest."""


class Subject(NamedTuple):
    """The drawn variables that a helper is about.

    ``line`` is the line of the spec that says so; 0 if no line does.
    """

    cells: tuple[Variable, ...]
    line: int


def find_subjects(
    model: Model, helpers: Collection[Variable], outside: Collection[Variable]
) -> Mapping[Variable, Subject]:
    """Return what helpers are about: all drawn variables of their most telling constraints.

    A constraint that mentions several helpers, such as the border of two rooms, says nothing about one of them. If
    there are only such constraints, the smallest one decides. Variables ``outside`` of the board count as no helpers.

    Examples
    --------
    >>> from csp import Linear
    >>> from csp.model import Affine
    >>> a, b, c, first, second = map(Variable, ["a", "b", "c", "first", "second"])
    >>> total = Linear(Affine.variable("a") + Affine.variable("b"), "=", Affine.variable("first"), line=3)
    >>> border = Linear(Affine.variable("c") + Affine.variable("first"), "<", Affine.variable("second"), line=4)
    >>> model = Model(dict.fromkeys([a, b, c, first, second], (1, 2)), [border, total])
    >>> [(*subject.cells, subject.line) for subject in find_subjects(model, [first, second], ()).values()]
    [('a', 'b', 3), ('c', 4)]
    """
    found: dict[Variable, tuple[int, Subject]] = {}
    for constraint in model.constraints if helpers else ():
        drawn = tuple(v for v in constraint.scope if v not in helpers)
        own = [v for v in constraint.scope if v in helpers]
        is_alone = sum(v not in outside for v in own) == 1
        for v in own if drawn else ():
            kind = _kind_of(constraint, v, is_alone)
            subject = Subject(drawn, constraint.line or 0)
            best, (cells, line) = found.get(v, (OTHER + 1, subject))
            if kind < best or (kind == best == OTHER and len(drawn) < len(cells)):
                found[v] = kind, subject
            elif kind == best < OTHER:
                found[v] = kind, Subject(tuple(dict.fromkeys((*cells, *drawn))), line)
    return {v: subject for v, (_, subject) in found.items()}


def _kind_of(constraint: Constraint, helper: Variable, is_alone: bool) -> int:
    """Return the kind of a constraint on a helper, which may be its only one."""
    match constraint:
        case Comparison(relation="="):
            is_defined = any(side.terms == ((1, helper),) and not side.constant for side in constraint.parts())
        case Equality(equal=True) | Iff():
            is_defined = False
        case _:
            return BOUND if is_alone else OTHER
    return ALONE if is_alone or is_defined else SHARED
