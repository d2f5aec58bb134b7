"""Compute the shapes that each record of a trace adds or removes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

from ...picture.plan import Plan
from ...picture.shapes import UNDER, Shape
from ...trace import Trace, replay
from .data import shape_data


def film_drawings(plan: Plan, trace: Trace) -> tuple[dict[str, Any], Sequence[Sequence[int]]]:
    """Return the shapes that depend on domains, and their changes per record.

    Shapes under the vertices come first. A record refers to a shape by its index.

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
    shapes_of_drawing = {
        number: moving.drawing_shapes(number, moments[0].domains)
        for number in moving.affected_drawings(moving.drawings_of)
    }
    counts = Counter(
        chain.from_iterable(shapes_of_drawing.values())
    )  # number of drawings of each shape: two can produce the same one
    start = [numbers.setdefault(shape, len(numbers)) for shape in counts]
    changes: list[list[int]] = []
    # Draw again only the drawings whose variables changed, and note the shapes whose visibility changes.
    for before, after in pairwise(moments):
        change: Counter[Shape] = Counter()
        for number in sorted(
            moving.affected_drawings(v for v in moving.drawings_of if before.domains[v] is not after.domains[v])
        ):
            change.subtract(shapes_of_drawing[number])
            shapes_of_drawing[number] = moving.drawing_shapes(number, after.domains)
            change.update(shapes_of_drawing[number])
        changed_shapes = [
            shape for shape, count in change.items() if (counts[shape] > 0) != (counts[shape] + count > 0)
        ]
        counts.update(change)
        changes.append(sorted(numbers.setdefault(shape, len(numbers)) for shape in changed_shapes))
    # Sort the shapes under the vertices to the front, and adapt their numbers.
    order = sorted(numbers, key=lambda shape: (shape.layer != UNDER, numbers[shape]))
    place = {numbers[shape]: i for i, shape in enumerate(order)}
    drawings = {
        "marks": list(map(shape_data, order)),
        "under": sum(shape.layer == UNDER for shape in order),
        "start": [place[number] for number in start],
    }
    return drawings, [sorted(place[number] for number in now) for now in changes]
