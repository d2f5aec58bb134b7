"""Places that helpers cover, such as the squares of a rectangle.

Exactly one helper covers each place, and a labelled constraint of the spec states it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from ...model import Constraint, Equality, Linear, Model

PLACE = re.compile(r"(\D+) (-?\d+),(-?\d+)")
"""The label of one place: a noun, a row and a column."""
MAX_PLACES = 5
"""Maximum number of places that a text names one by one."""


def find_covered(model: Model, helpers: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the labels of the places that helpers cover.

    A family with two helpers of the same places is omitted.

    Examples
    --------
    >>> from csp import Variable
    >>> from csp.model import Affine
    >>> parts = [Variable("part", i) for i in (1, 2, 3)]
    >>> squares = {"square 1,1": parts[:2], "square 1,2": parts[1:]}
    >>> sums = {label: Affine(tuple((1, v) for v in own)) for label, own in squares.items()}
    >>> rules = [Linear(total, "=", Affine((), 1), label=label) for label, total in sums.items()]
    >>> find_covered(Model(dict.fromkeys(parts, (0, 1)), rules), parts)
    {'part(1)': ('square 1,1',), 'part(2)': ('square 1,1', 'square 1,2'), 'part(3)': ('square 1,2',)}
    """
    labels: dict[str, dict[str, None]] = {}
    for constraint in model.constraints if helpers else ():
        if PLACE.fullmatch(constraint.label) and _has_one_true(constraint):
            for v in constraint.scope:
                labels.setdefault(v, {})[constraint.label] = None
    covered = {v: tuple(labels[v]) for v in helpers if v in labels and len({*map(_noun, labels[v])}) == 1}
    counts = Counter((_family(v), places) for v, places in covered.items())
    ambiguous = {family for (family, _), count in counts.items() if count > 1}
    return {v: places for v, places in covered.items() if _family(v) not in ambiguous}


def _family(helper: str) -> str:
    """Return the name of a helper without its indices."""
    return helper.partition("(")[0]


def _has_one_true(constraint: Constraint) -> bool:
    """Return whether a constraint says that exactly one of its variables is 1."""
    match constraint:
        case Equality():
            return constraint.equal and constraint.right == 1
        case Linear(relation="="):
            difference = constraint.left - constraint.right
            return {coefficient * difference.constant for coefficient, _ in difference.terms} == {-1}
    return False


def _noun(label: str) -> str:
    """Return the words of a label before its place."""
    return label.rpartition(" ")[0]


def show_covered(labels: Iterable[str]) -> str:
    """Return the labels of places as text: the corners of a rectangle, or a list.

    Examples
    --------
    >>> show_covered(["square 1,3", "square 1,4", "square 2,3", "square 2,4"])
    'square 1,3 to 2,4'
    >>> show_covered(["square 1,3", "square 1,4", "square 2,3"])
    'square 1,3, 1,4 and 2,3'
    >>> show_covered(f"square {r},{5 - r}" for r in range(7))
    'square 0,5, 1,4, 2,3, 3,2, 4,1 and 2 more'
    """
    found = [match for match in map(PLACE.fullmatch, labels) if match]
    places = [(int(match[2]), int(match[3])) for match in found]
    texts = [f"{row},{column}" for row, column in places]
    height, width = (max(numbers) - min(numbers) + 1 for numbers in zip(*places, strict=True))
    if len(places) == height * width > 2:
        return f"{found[0][1]} {texts[0]} to {texts[-1]}"
    last = f"{len(texts) - MAX_PLACES} more" if len(texts) > MAX_PLACES else texts[-1]
    first_texts = texts[:MAX_PLACES] if len(texts) > MAX_PLACES else texts[:-1]
    return f"{found[0][1]} {', '.join(first_texts)}{' and ' if first_texts else ''}{last}"
