"""What is drawn once variables are settled, as marks that records put and take away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...picture.marks import UNDER, Mark
from ...picture.plan import Plan
from ...story import Trace, replay
from .data import mark_data


def film_drawings(plan: Plan, trace: Trace) -> tuple[dict[str, Any], Sequence[Sequence[int]]]:
    """All marks that are ever drawn, those under the vertices first, and which of them each record puts or takes away.

    Examples
    --------
    >>> from csp import Drawn, Equality, Model, Variable, record
    >>> dark = Variable("dark", 1, 1)
    >>> trace = record(Model({dark: (1,)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))]))
    >>> found, _ = film_drawings(Plan(trace.model), trace)
    >>> len(found["marks"]), found["under"], found["start"]
    (1, 1, [0])
    """
    moving = plan.moving
    if not moving.of:
        return {}, []
    moments = list(replay(trace))
    numbers: dict[Mark, int] = {}
    shown = {number: moving.drawn(number, moments[0].domains) for number in moving.changed(moving.of)}
    start = [numbers.setdefault(mark, len(numbers)) for own in shown.values() for mark in own]
    turned: list[list[int]] = []
    for before, after in pairwise(moments):
        now: list[int] = []
        for number in sorted(moving.changed(v for v in moving.of if before.domains[v] is not after.domains[v])):
            old, shown[number] = shown[number], moving.drawn(number, after.domains)
            now += [numbers.setdefault(mark, len(numbers)) for mark in {*old} ^ {*shown[number]}]
        turned.append(sorted(now))
    order = sorted(numbers, key=lambda mark: (mark.layer != UNDER, numbers[mark]))
    place = {numbers[mark]: i for i, mark in enumerate(order)}
    found = {
        "marks": list(map(mark_data, order)),
        "under": sum(mark.layer == UNDER for mark in order),
        "start": [place[number] for number in start],
    }
    return found, [sorted(place[number] for number in now) for now in turned]
