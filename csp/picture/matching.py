"""The matching behind ``all_different``: variables and values as a bipartite graph, and its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..base.notation import listed
from ..board.widths import text_width, wrap_text
from ..engine.compiled.propagators.matching import matched_sets
from ..model import Affine, Constraint, Domain, Model, Value, Variable, ordered
from .legend import starting
from .scene import Scene
from .shapes import BEHIND, JOINS, VERTICES, Point, Shape, bounding_box, box, text

ROW, GAP = 34.0, 16.0
"""From one variable to the next, and more where a component ends."""
SIZE, SMALL = 14, 13
ACROSS = 132.0
"""From the variables to the values."""
NARROW, HIGH = 36.0, 24.0
"""The width of the box of a value, at least, and the height of all boxes."""
KEPT = 1 << 13
"""So many stands are kept: groups have the same left again and again, and the next film begins like this one."""
MARGIN, BESIDE = 22.0, 8.0
"""From a box to its frame, and from a frame to what it says."""

Component = tuple[tuple[int, ...], tuple[Value, ...]]
"""The positions of elements, and their values."""


def matched(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[Component]]:
    """One matching of elements with values of their own, and the sets of elements that use up all their values.

    Examples
    --------
    >>> matched([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((0,), (2,)), ((1,), (1,))])
    """
    pairs, tight = matched_sets(images)
    order = dict.fromkeys(v for own in images for v in own)
    return pairs, sorted((members, ordered(v for v in order if v in values)) for members, values in tight)


def components(images: Sequence[Sequence[Value]], tight: Sequence[Component]) -> list[Component]:
    """The strongly connected components of the graph of elements and values that a matching directs.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.

    Examples
    --------
    >>> components([(1, 2), (1, 2), (2, 3, 4)], [((0, 1), (1, 2))])
    [((0, 1), (1, 2)), ((2,), (3, 4))]
    """
    taken = {value for _, values in tight for value in values}
    inside = {position for members, _ in tight for position in members}
    rest = tuple([i for i in range(len(images)) if i not in inside])
    spare = tuple([v for v in ordered(dict.fromkeys(v for own in images for v in own)) if v not in taken])
    return [*tight, (rest, spare)] if rest or spare else [*tight]


def is_matching(constraint: Constraint) -> bool:
    """Whether a constraint is one that a matching decides: expressions that take different values."""
    return len(constraint.apart()) > 1


def shows(model: Model, scene: Scene) -> bool:
    """Whether a group is at work."""
    return any(is_matching(model.constraints[number]) for number in scene.constraints)


def matching(model: Model, scene: Scene) -> list[Shape]:
    """The groups at work in a scene as bipartite graphs, side by side.

    A frame surrounds what keeps its values to itself; a thick line is a pair of the matching, a dashed one a value
    that was removed now.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="step 1", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, constraints=(0,))
    >>> shapes = matching(model, scene)
    >>> sum(shape.look == "edge pair matched" for shape in shapes), "use up 1, 2" in [shape.text for shape in shapes]
    (3, True)
    """
    found: list[Shape] = []
    for number in scene.constraints:
        if is_matching(model.constraints[number]):
            left = bounding_box(found)[1][0] + 40 + MARGIN if found else 0.0
            found += (shape.shifted((left, 0)) for shape in _drawn(model.constraints[number], number, model, scene))
    return found


class Stand(NamedTuple):
    """Where a graph stands: how far down each element and each value, and the partner of each element; of each frame
    its middle, how high it is, and what it says."""

    members: Sequence[float]
    values: Mapping[Value, float]
    frames: Sequence[tuple[float, float, str]]
    partner: Mapping[int, Value]


class Graph:
    """The bipartite graph of a group: what does not change from step to step."""

    def __init__(self, constraint: Constraint, model: Model) -> None:
        self.elements = constraint.apart()
        self.names = [str(element) for element in self.elements]
        self.values = ordered(dict.fromkeys(v for own in remaining_images(constraint, model.domains) for v in own))
        wide = max(60.0, *(text_width(name, SIZE) + 16 for name in self.names))
        narrow = max(NARROW, *(text_width(str(value), SIZE) + 16 for value in self.values))
        self.columns = (wide / 2, wide), (wide + ACROSS + narrow / 2, narrow)
        self.ends = wide, wide + ACROSS
        self.outer = -MARGIN, wide + ACROSS + narrow + MARGIN
        title = wrap_text(constraint.name, SIZE, ACROSS + narrow / 2 + 1.5 * wide, 2)
        middle = (wide + ACROSS + narrow / 2) / 2 + wide / 4
        self.title = [text(part, "", (middle, 18 * (i - len(title)) - 8), SIZE) for i, part in enumerate(title)]

    def images(self, element: Affine, domain: Domain) -> list[int]:
        """The places among the values of what the values of a domain give."""
        return [self.values.index(element.image(value)) for value in domain]

    def stand(self, images: Sequence[Sequence[Value]]) -> Stand:
        """Components below each other, and below them the values that nothing has any more."""
        return _stand(self.values, tuple(map(tuple, images)))

    def framed(self, stand: Stand) -> list[Shape]:
        """The frames, and what they say."""
        return [*_framed(*self.outer, tuple(stand.frames))]


@lru_cache(KEPT)
def _stand(every: Domain, images: tuple[Domain, ...]) -> Stand:
    partner, tight = matched(images)
    members, values, frames, y = [0.0] * len(images), dict[Value, float](), [], 0.0
    for own, taken in components(images, tight):
        high = max(len(own), len(taken)) * ROW
        for row, one in enumerate(own):
            members[one] = y + (row + 0.5) * high / len(own)
        values |= {value: y + (row + 0.5) * high / len(taken) for row, value in enumerate(taken)}
        frames.append((y + high / 2, high + 8, _meaning(own, taken, images)))
        y += high + GAP
    for value in (value for value in every if value not in values):
        values[value], y = y + ROW / 2, y + ROW
    return Stand(tuple(members), values, tuple(frames), partner)


@lru_cache(KEPT)
def _framed(left: float, right: float, frames: tuple[tuple[float, float, str], ...]) -> list[Shape]:
    found = list[Shape]()
    for y, high, words in frames:
        look = "component" if words else "component spare"
        found.append(box(look, ((left + right) / 2, y), (right - left, high), corner=10))
        found += [starting(words, "", (right + BESIDE, y), SMALL)] if words else []
    return [shape._replace(layer=BEHIND) for shape in found]


def _drawn(constraint: Constraint, number: int, model: Model, scene: Scene) -> list[Shape]:
    """The graph of one group in a scene."""
    graph, images, gone = (
        Graph(constraint, model),
        remaining_images(constraint, scene.domains),
        remaining_images(constraint, removed_by_variable(scene)),
    )
    stand = graph.stand(images)
    vertices, edges = list[Shape](), list[Shape]()

    def put(name: str, words: str, at: Point, wide: float, look: str = "body") -> None:
        shapes = box(look, at, (wide, HIGH), corner=5), text(words, "", at, SIZE)
        vertices.extend(shape._replace(layer=VERTICES, of=(f"{number} {name}",)) for shape in shapes)

    (first, wide), (last, narrow) = graph.columns
    for i, (y, element) in enumerate(zip(stand.members, graph.elements, strict=True)):
        put(
            f"v{i}",
            graph.names[i],
            (first, y),
            wide,
            "body active cause" if element.variables[0] in scene.causes else "body",
        )
    for value in dict.fromkeys(value for own in (*images, *gone) for value in own):
        put(repr(value), str(value), (last, stand.values[value]), narrow)
    for i, (own, lost) in enumerate(zip(images, gone, strict=True)):
        looks = [(value, "pair matched" if stand.partner.get(i) == value else "pair") for value in own]
        for value, look in [*looks, *((value, "pair gone lost") for value in lost)]:
            start, end = (graph.ends[0], stand.members[i]), (graph.ends[1], stand.values[value])
            ends = f"{number} v{i}", f"{number} {value!r}"
            edges.append(Shape("line", f"edge {look}", (start, start, end, end), layer=JOINS, of=ends))
    return [*graph.framed(stand), *vertices, *graph.title, *edges]


def removed_by_variable(scene: Scene) -> Mapping[Variable, Domain]:
    """What a scene removes, by variables."""
    found: dict[Variable, list[Value]] = {}
    for variable, value in scene.removed:
        found.setdefault(variable, []).append(value)
    return {variable: tuple(values) for variable, values in found.items()}


def remaining_images(constraint: Constraint, domains: Mapping[Variable, Domain]) -> list[tuple[Value, ...]]:
    """What is left to each element."""
    return [
        domains.get(element.variables[0], ())
        if element.is_variable
        else tuple(dict.fromkeys([element.image(value) for value in domains.get(element.variables[0], ())]))
        for element in constraint.apart()
    ]


def _meaning(members: Sequence[int], values: Sequence[Value], images: Sequence[Sequence[Value]]) -> str:
    """What a component says; nothing of those that have values to spare."""
    if not values:
        return "no value left"
    if len(members) > len(values):
        return f"{len(members)} for {len(values)} values: {listed(values)}"
    if not members or len(members) < len(values):
        return ""
    if len(members) > 1:
        return "use up " + listed(values)
    return f"{'has' if len(images[members[0]]) == 1 else 'must take'} {listed(values)}"
