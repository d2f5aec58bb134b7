"""What is drawn once variables are settled, as marks that records put and take away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

from ...picture.plan import Plan
from ...picture.shapes import UNDER, Shape
from ...trace import Trace, replay
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
    if not moving.drawings_of:
        return {}, []
    moments = list(replay(trace))
    numbers: dict[Shape, int] = {}
    shown = {
        number: moving.drawing_shapes(number, moments[0].domains)
        for number in moving.affected_drawings(moving.drawings_of)
    }
    drawn = Counter(chain.from_iterable(shown.values()))  # by how many drawings: two may make one mark
    start = [numbers.setdefault(mark, len(numbers)) for mark in drawn]
    turned: list[list[int]] = []
    for before, after in pairwise(moments):
        change: Counter[Shape] = Counter()
        for number in sorted(
            moving.affected_drawings(v for v in moving.drawings_of if before.domains[v] is not after.domains[v])
        ):
            change.subtract(shown[number])
            shown[number] = moving.drawing_shapes(number, after.domains)
            change.update(shown[number])
        turns = [mark for mark, more in change.items() if (drawn[mark] > 0) != (drawn[mark] + more > 0)]
        drawn.update(change)
        turned.append(sorted(numbers.setdefault(mark, len(numbers)) for mark in turns))
    order = sorted(numbers, key=lambda mark: (mark.layer != UNDER, numbers[mark]))
    place = {numbers[mark]: i for i, mark in enumerate(order)}
    found = {
        "marks": list(map(mark_data, order)),
        "under": sum(mark.layer == UNDER for mark in order),
        "start": [place[number] for number in start],
    }
    return found, [sorted(place[number] for number in now) for now in turned]
