"""Constraints as vertices of their own: what stands on a chip, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..constraints import Constraint, Linear
from ..model import Model
from .factors import STRAY, factor_places
from .layout import Layout, Point
from .signs import SYMBOLS, compared
from .style import text_width

HEIGHT = 22.0
FONT_SIZE = 11
ROOM = 24.0
"""The width of a chip whose text is short."""
WIDEST = 110.0


@dataclass(frozen=True)
class Chip:
    """The vertex of a constraint.

    Attributes
    ----------
    number : int
        Of the constraint in the model.
    text : str
        Its name, shortened where it has no room.
    name : str
        Its whole name.
    point : (float, float)
        Its middle.
    size : (float, float)
        Width and height.
    """

    number: int
    text: str
    name: str
    point: Point
    size: Point


def chips(model: Model, picture: Layout, numbers: Iterable[int]) -> list[Chip]:
    """A vertex for each of some constraints, clear of each other and of the variables.

    Parameters
    ----------
    model : Model
    picture : Layout
        Of that model.
    numbers : iterable of int
        Which constraints.

    Returns
    -------
    list of Chip

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.render.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC", label="a very long name")])
    >>> [chip.text for chip in chips(model, layout(model), [0])]
    ['a very long name']
    """
    chosen = list(numbers)
    part = Model(model.domains, [model.constraints[number] for number in chosen])
    places = factor_places(part, picture)
    taken = [(point, picture.size(v)) for v, point in picture.points.items()]
    waiting = dict(places)
    found: list[Chip] = []
    for own, point in places.items():
        del waiting[own]
        constraint = part.constraints[own]
        known = compared(constraint)
        name = constraint.label or (known[1] if known else str(constraint))
        brief = short(constraint.label) if constraint.label else _relation(constraint)
        blocks = [*taken, *((other, (ROOM, HEIGHT)) for other in waiting.values())]
        texts = (name, brief) if len(places) <= STRAY else (brief, brief)
        text, size, point = _fitted(texts, point, blocks if len(places) <= STRAY else ())
        taken.append((point, size))
        found.append(Chip(chosen[own], text, constraint.name, point, size))
    return found


def _fitted(texts: tuple[str, str], point: Point, blocks: Sequence[tuple[Point, Point]]) -> tuple[str, Point, Point]:
    """Text, size and middle of a chip: its whole name, a little higher or lower if need be, or a short one."""
    for text, tries in zip(texts, (5, 1), strict=True):
        size = max(ROOM, round(text_width(text, FONT_SIZE) + 10)), HEIGHT
        if size[0] <= WIDEST:
            for nth in range(tries):
                moved = point[0], point[1] + (nth + 1) // 2 * (HEIGHT + 4) * (-1) ** nth
                if not any(_touch(moved, size, *block) for block in blocks):
                    return text, size, moved
    return text, size, point


def short(name: str) -> str:
    """Initials and numbers of a name, or its beginning.

    Examples
    --------
    >>> short("column 12"), short("box 1,3"), short("sum"), short("wa and nt")
    ('c12', 'b1,3', 'sum', 'wa…')
    """
    if len(name) <= 4:
        return name
    parts = re.findall(r"[^\W\d_]+|\d[\d,]*", name)
    initials = "".join(part[0] if part[0].isalpha() else part for part in parts)
    return initials if any(map(str.isdigit, initials)) and len(initials) <= 6 else f"{name[:3].rstrip()}…"


def _relation(constraint: Constraint) -> str:
    """The sign of a comparison that nobody gave a name."""
    return SYMBOLS.get(constraint.relation, constraint.relation) if isinstance(constraint, Linear) else "…"


def _touch(one: Point, size: Point, other: Point, its: Point) -> bool:
    return abs(one[0] - other[0]) < (size[0] + its[0]) / 2 + 2 and abs(one[1] - other[1]) < (size[1] + its[1]) / 2 + 2
