"""The matching behind ``all_different``: variables and values as a bipartite graph, and its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..board.widths import text_width, wrapped
from ..engine.compiled.filters.matching import matched_sets
from ..ground.notation import listed
from ..model import Constraint, Domain, Model, Value, Variable, ordered
from .legend import starting
from .marks import BEHIND, JOINS, VERTICES, Mark, Point, bounds, box, text
from .scene import Scene

ROW, GAP = 34.0, 16.0
"""From one variable to the next, and more where a component ends."""
SIZE, SMALL = 14, 11
ACROSS = 132.0
"""From the variables to the values."""
NARROW = 36.0
"""The box of a value, at least."""
MARGIN, BESIDE = 22.0, 8.0
"""From a box to its frame, and from a frame to what it says."""

Component = tuple[tuple[int, ...], tuple[Value, ...]]
"""The positions of elements, and their values."""


def matched(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[Component]]:
    """One matching of elements with values of their own, and the sets of elements that use up all their values.

    Parameters
    ----------
    images : sequence of sequences of values
        What is left to each element.

    Returns
    -------
    dict of int to value, list of (tuple of int, tuple of values)
        As the engine's filter finds them; the sets by their first elements.

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

    Parameters
    ----------
    images : sequence of sequences of values
        What is left to each element.
    tight : sequence of (tuple of int, tuple of values)
        The sets that ``matched`` has found.

    Returns
    -------
    list of (tuple of int, tuple of values)
        These; then one with all the rest, where there are values to spare. If there is no matching, first the elements
        that have too few values.

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


def matching(model: Model, scene: Scene) -> list[Mark]:
    """The groups at work in a scene as bipartite graphs, side by side.

    A frame surrounds what keeps its values to itself; a thick line is a pair of the matching, a dashed one a value
    that was removed now.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="step 1", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, constraints=(0,))
    >>> marks = matching(model, scene)
    >>> sum(mark.look == "edge pair matched" for mark in marks), "use up 1, 2" in [mark.text for mark in marks]
    (3, True)
    """
    found: list[Mark] = []
    for number in scene.constraints:
        if is_matching(model.constraints[number]):
            left = bounds(found)[1][0] + 40 + MARGIN if found else 0.0
            found += _graph(model.constraints[number], number, scene, left)
    return found


def _graph(constraint: Constraint, number: int, scene: Scene, left: float) -> list[Mark]:
    """The graph of one group."""
    elements = constraint.apart()
    names = [str(element) for element in elements]
    images, gone = images_of(constraint, scene.domains), images_of(constraint, _gone(scene))
    wide = max(60.0, *(text_width(name, SIZE) + 16 for name in names))
    every = [value for values in (*images, *gone) for value in values]
    narrow = max(NARROW, *(text_width(str(value), SIZE) + 16 for value in every))
    first, last = left + wide / 2, left + wide + ACROSS + narrow / 2
    outer = left - MARGIN, last + narrow / 2 + MARGIN
    (partner, tight), at = matched(images), dict[str, Point]()
    frames, y = list[Mark](), 0.0
    parts = components(images, tight)
    left_out = [v for own in gone for v in own if not any(v in values for _, values in parts)]
    if left_out:
        parts.append(((), tuple(ordered(dict.fromkeys(left_out)))))
    for members, values in parts:
        high = max(len(members), len(values)) * ROW
        at |= {f"{number} v{one}": (first, y + (row + 0.5) * high / len(members)) for row, one in enumerate(members)}
        at |= {f"{number} {one!r}": (last, y + (row + 0.5) * high / len(values)) for row, one in enumerate(values)}
        what = _meaning(members, values, images)
        look, middle = "component" if what else "component spare", ((outer[0] + outer[1]) / 2, y + high / 2)
        frames.append(box(look, middle, (outer[1] - outer[0], high + 8), corner=10))
        if what:
            frames.append(starting(what, "", (outer[1] + BESIDE, middle[1]), SMALL))
        y += high + GAP
    boxes = [
        (f"{number} v{i}", name, wide, elements[i].variables[0] in scene.causes) for i, name in enumerate(names)
    ] + [(f"{number} {v!r}", str(v), narrow, False) for v in dict.fromkeys(v for _, values in parts for v in values)]
    vertices: list[Mark] = []
    for name, words, width, is_cause in boxes:
        body = box("body active cause" if is_cause else "body", at[name], (width, 24.0), corner=5)
        vertices += [mark._replace(layer=VERTICES, of=(name,)) for mark in (body, text(words, "", at[name], SIZE))]
    title = wrapped(constraint.name, SIZE, last - first + 2 * wide, 2)
    heads = [text(part, "", ((first + last) / 2, 18 * (i - len(title)) - 8), SIZE) for i, part in enumerate(title)]
    edges: list[Mark] = []
    for member, (own, lost) in enumerate(zip(images, gone, strict=True)):
        looks = [(value, "pair matched" if partner.get(member) == value else "pair") for value in own]
        for value, look in [*looks, *((value, "pair gone lost") for value in lost)]:
            ends = f"{number} v{member}", f"{number} {value!r}"
            (x, y), (p, q) = at[ends[0]], at[ends[1]]
            start, end = (x + wide / 2, y), (p - narrow / 2, q)
            edges.append(Mark("line", f"edge {look}", (start, start, end, end), layer=JOINS, of=ends))
    return [*(mark._replace(layer=BEHIND) for mark in frames), *vertices, *heads, *edges]


def _gone(scene: Scene) -> Mapping[Variable, Domain]:
    found: dict[Variable, list[Value]] = {}
    for variable, value in scene.removed:
        found.setdefault(variable, []).append(value)
    return {variable: tuple(values) for variable, values in found.items()}


def images_of(constraint: Constraint, domains: Mapping[Variable, Domain]) -> list[tuple[Value, ...]]:
    """What is left to each element."""
    return [
        tuple(dict.fromkeys([element.image(value) for value in domains.get(element.variables[0], ())]))
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
    return "use up " + listed(values) if len(members) > 1 else f"has {listed(values)}"
