"""Constraints as vertices of their own: what stands on a chip, and where."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ...base.frozen import Frozen
from ...board.clue_texts import SYMBOLS
from ...board.signs import plain_comparison
from ...board.widths import text_width
from ...model import AllDifferent, Constraint, Linear, Model
from ..style import WIDER
from .factors import STRAY, factor_places
from .layout import Placement, Point

HEIGHT = 22.0
FONT_SIZE = 11
ROOM = 24.0
"""The width of a chip whose text is short."""
WIDEST = 110.0
ASIDE = (52.0, 28.0)
"""The size of a chip beside a large grid, which is seen from afar."""
FAR_SIZE = 16
"""That of the font on it, and on those beside a layout."""


class ConstraintNode(Frozen):
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
    font : int
        The size of its text.
    quiet : bool
        Whether it shows only when it is at work, for there is no room for all.
    """

    number: int
    text: str
    name: str
    point: Point
    size: Point
    font: int
    quiet: bool = False


def constraints_with_node(model: Model, picture: Placement, hidden: Collection[int] = ()) -> Iterator[int]:
    """Which constraints are vertices where all that can be are.

    Examples
    --------
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("A"), AllDifferent.of("AB")])
    >>> list(constraints_with_node(model, layout(model)))
    [1]
    """
    seen = {number for puzzle in picture.puzzles for number in puzzle.numbers}
    without = seen.union(hidden)
    caged = {frozenset(one.cells) for puzzle in picture.puzzles for one in puzzle.cages}
    for number, constraint in enumerate(model.constraints):
        scope = constraint.scope
        if number in without or len(scope) < 2 or (isinstance(constraint, AllDifferent) and frozenset(scope) in caged):
            continue
        on_one_track = any(all(variable in track for variable in scope) for track in picture.tracks)
        if not picture.shows_no_edges(scope) or (len(scope) > 2 and on_one_track):
            yield number


def place_constraint_nodes(model: Model, picture: Placement, numbers: Iterable[int]) -> list[ConstraintNode]:
    """A vertex for each of some constraints, clear of each other and of the variables.

    Where some lie on each other, they are ``quiet``, and with them all of the same margin of a grid, or all between the
    variables: the few that have room would say nothing about the rest.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.picture.layout.layout import layout
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC", label="a very long name")])
    >>> [chip.text for chip in place_constraint_nodes(model, layout(model), [0])]
    ['a very long name']
    """
    chosen = list(numbers)
    part = Model(model.domains, [model.constraints[number] for number in chosen])
    places = factor_places(part, picture)
    taken = [(point, picture.size(v)) for v, point in picture.points.items()]
    waiting = dict(places)
    found: list[ConstraintNode] = []
    for own, point in places.items():
        del waiting[own]
        constraint = part.constraints[own]
        known = plain_comparison(constraint)
        name = constraint.label or (known[1] if known else str(constraint))
        brief = short(constraint.label) if constraint.label else _relation(constraint)
        blocks = [*taken, *((other, (ROOM, HEIGHT)) for other in waiting.values())]
        texts = (name, brief) if len(places) <= STRAY else (brief, brief)
        font = FAR_SIZE if picture.sheets else FONT_SIZE
        text, size, point = _fitted(texts, font, point, blocks if len(places) <= STRAY else ())
        taken.append((point, size))
        if all(picture.is_cell(v) for v in constraint.scope):
            text, size, font = short(constraint.name), ASIDE, FAR_SIZE
        found.append(ConstraintNode(chosen[own], text, constraint.name, point, size, font))
    found = list(_told_apart(found))
    loose = {chip.number for chip in found if not picture.shows_no_edges(model.constraints[chip.number].scope)}
    quiet = _lying_on_others(found, loose, [(point, picture.size(v)) for v, point in picture.points.items()])
    if quiet & loose:
        quiet |= loose
    margins = {chip.point[0] for chip in found if chip.number in quiet - loose}
    quiet |= {chip.number for chip in found if chip.number not in loose and chip.point[0] in margins}
    return [replace(chip, quiet=True) if chip.number in quiet else chip for chip in found]


def _told_apart(chips: Sequence[ConstraintNode]) -> Iterator[ConstraintNode]:
    """With more of their names where those of rows and of regions would begin alike."""
    parts = {chip: re.fullmatch(r"([^\W\d_]+)( \d+)", chip.name) for chip in place_constraint_nodes}
    words: dict[str, set[str]] = {}
    for chip, part in parts.items():
        if part:
            words.setdefault(chip.text, set()).add(part[1])
    alike = {word for own in words.values() if len(own) > 1 for word in own}
    for chip, part in parts.items():
        yield replace(chip, text=part[1][:3] + part[2]) if part and part[1] in alike else chip


def _lying_on_others(
    chips: Sequence[ConstraintNode], loose: Collection[int], blocks: Sequence[tuple[Point, Point]]
) -> set[int]:
    """The numbers of the chips that touch another, and of those among the vertices that touch one of them."""
    if len(loose) > STRAY:
        return set(loose)
    found: set[int] = set()
    down = sorted(place_constraint_nodes, key=lambda chip: chip.point[1])
    for i, chip in enumerate(down):
        for other in down[i + 1 :]:
            if other.point[1] - chip.point[1] >= max(chip.size[1], other.size[1]):
                break
            if touch(chip.point, chip.size, other.point, other.size, 0):
                found |= {chip.number, other.number}
        if chip.number in loose and any(touch(chip.point, chip.size, *block, 0) for block in blocks):
            found.add(chip.number)
    return found


def _fitted(
    texts: tuple[str, str], font: int, point: Point, blocks: Sequence[tuple[Point, Point]]
) -> tuple[str, Point, Point]:
    """Text, size and middle of a chip: its whole name, a little higher or lower if need be, or a short one."""
    for text, tries in zip(texts, (5, 1), strict=True):
        size = max(ROOM, round(text_width(text, font) * WIDER + 8)), HEIGHT
        if size[0] <= WIDEST:
            for nth in range(tries):
                moved = point[0], point[1] + (nth + 1) // 2 * (HEIGHT + 4) * (-1) ** nth
                if not any(touch(moved, size, *block) for block in blocks):
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


def touch(one: Point, size: Point, other: Point, its: Point, apart: float = 2) -> bool:
    """Whether two boxes, by their middles and sizes, lie on each other, or almost."""
    return all(abs(one[i] - other[i]) < (size[i] + its[i]) / 2 + apart for i in (0, 1))
