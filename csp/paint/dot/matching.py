"""The matching behind ``all_different``, as DOT text: variables and values as a bipartite graph, and its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...board.widths import text_width, wrapped
from ...engine.compiled.filters.matching import matched_sets
from ...ground.notation import listed
from ...model import Constraint, Domain, Model, Value, Variable, ordered
from ...picture.marks import Point
from ...picture.scene import Scene
from ...picture.style import ACTIVE, FONT, IDLE, QUIET, REMOVED, WIDER
from . import legend
from .cells import TABLE
from .quoting import escape, inches, pos, quote

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
    return pairs, sorted((members, tuple(ordered(values))) for members, values in tight)


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


class MatchingPainter:
    """Draws the groups at work in a scene as bipartite graphs, side by side.

    A frame surrounds what keeps its values to itself; a thick line is a pair of the matching, a dashed one a value
    that was removed now.

    Parameters
    ----------
    model : Model
        That of the trace.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    >>> scene = Scene(title="step 1", domains={"A": (1, 2), "B": (1, 2), "C": (3,)}, constraints=(0,))
    >>> text = MatchingPainter(model).dot(scene)
    >>> text.count("penwidth=3"), "use up 1, 2" in text
    (3, True)
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def shows(self, scene: Scene) -> bool:
        """Whether a group is at work."""
        return any(is_matching(self._model.constraints[number]) for number in scene.constraints)

    def dot(self, scene: Scene) -> str:
        """The picture of a scene as DOT text."""
        lines, left, low = list[str](), 0.0, 0.0
        for number in scene.constraints:
            if is_matching(self._model.constraints[number]):
                own, left, bottom = self._graph(number, scene, left)
                lines += own
                low = max(low, bottom)
        title = [part for line in scene.title.split("\n") for part in wrapped(line, SIZE, max(320.0, left - 60), 9)]
        for row, part in enumerate(title):
            lines.append(_text(f"title {row}", part, (-MARGIN, low + 30 + 18 * row), SIZE, left=True))
        signs = legend.signs(legend.MATCHING, max(380, int(left)))
        return "\n".join([
            f"// {scene.title.splitlines()[0]}",
            f"graph {quote(scene.title.splitlines()[0])} {{",
            f'  graph [layout=nop2, outputorder=nodesfirst, bgcolor=white, pad=0.3, labelloc=b, fontname="{FONT}",',
            f"    label=<{signs}>];",
            f'  node [shape=box, style="filled,rounded", fillcolor=white, fixedsize=true, fontname="{FONT}",',
            f"    fontsize={SIZE}];",
            f'  edge [color="{IDLE}"];',
            *lines,
            "}",
            "",
        ])  # fmt: skip

    def _graph(self, number: int, scene: Scene, left: float) -> tuple[list[str], float, float]:
        """The graph of one group, where the next one begins, and how far down it goes."""
        constraint = self._model.constraints[number]
        elements = constraint.apart()
        names = [str(element) for element in elements]
        images = images_of(constraint, scene.domains)
        gone = images_of(constraint, _gone(scene))
        wide = max(60.0, *(text_width(name, SIZE) + 16 for name in names))
        every = {value for values in (*images, *gone) for value in values}
        narrow = max(NARROW, *(text_width(str(value), SIZE) + 16 for value in every))
        first, last = left + wide / 2, left + wide + ACROSS + narrow / 2
        outer = left - MARGIN, last + narrow / 2 + MARGIN
        centre = sum(outer) / 2
        (partner, tight), at = matched(images), dict[str, Point]()
        nodes, frames, y, right = list[str](), list[str](), 0.0, outer[1]
        parts = components(images, tight)
        left_out = [v for own in gone for v in own if not any(v in values for _, values in parts)]
        if left_out:
            parts.append(((), tuple(ordered(dict.fromkeys(left_out)))))
        for index, (members, values) in enumerate(parts):
            top, high = y, max(len(members), len(values)) * ROW
            for row, member in enumerate(members):
                at[f"{number} v{member}"] = first, top + (row + 0.5) * high / len(members)
            for row, value in enumerate(values):
                at[f"{number} {value!r}"] = last, top + (row + 0.5) * high / len(values)
            what = _meaning(members, values, images)
            wide_box, high_box = (outer[1] - outer[0]) / 72, (high + 8) / 72
            frames.append(
                f'  "{number} component {index}" [style="{"solid" if what else "dashed"},rounded", color="{QUIET}", '
                f'label="", width={wide_box:.3g}, height={high_box:.3g}, pos="{pos((centre, top + high / 2))}"];'
            )
            if what:
                beside = outer[1] + BESIDE
                right = max(right, beside + WIDER * text_width(what, SMALL))
                frames.append(_text(f"{number} meaning {index}", what, (beside, top + high / 2), SMALL, left=True))
            y += high + GAP
        fixed = set(scene.causes)
        for member, name in enumerate(names):
            active = elements[member].variables[0] in fixed
            nodes.append(_box(f"{number} v{member}", name, at[f"{number} v{member}"], wide, active))
        for value in dict.fromkeys(value for _, values in parts for value in values):
            nodes.append(_box(f"{number} {value!r}", str(value), at[f"{number} {value!r}"], narrow, False))
        edges = []
        for member, own in enumerate(images):
            for value in own:
                look = "penwidth=3, color=black" if partner.get(member) == value else ""
                edges.append(_edge(number, member, value, at, (wide, narrow), look))
            for value in gone[member]:
                if f"{number} {value!r}" in at:
                    look = f'style=dashed, penwidth=2, color="{REMOVED}"'
                    edges.append(_edge(number, member, value, at, (wide, narrow), look))
        title = wrapped(constraint.name, SIZE, last - first + 2 * wide, 2)
        heads = [
            _text(f"{number} name {i}", part, ((first + last) / 2, 18 * (i - len(title)) - 8), SIZE)
            for i, part in enumerate(title)
        ]
        return [*frames, *nodes, *heads, *edges], right + MARGIN + 40, y


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


def _box(name: str, label: str, point: Point, wide: float, is_cause: bool) -> str:
    look = f', fillcolor="{ACTIVE}", penwidth=3' if is_cause else ""
    return f'  {quote(name)} [label={quote(label)}, width={wide / 72:.3g}, height=0.33, pos="{pos(point)}"{look}];'


def _text(name: str, label: str, point: Point, size: int, left: bool = False) -> str:
    """A text around a point, or one that begins there."""
    room, words = WIDER * text_width(label, size) + 12, escape(label)
    if left:
        point = point[0] + room / 2, point[1]
        words = f'{TABLE}<TR><TD WIDTH="{int(room)}" ALIGN="LEFT">{words}</TD></TR></TABLE>'
    return (
        f'  {quote(name)} [shape=plaintext, style="", label=<{words}>, margin=0, fontsize={size}, '
        f'width={inches(room)}, height=0.33, pos="{pos(point)}"];'
    )


def _edge(number: int, member: int, value: Value, at: Mapping[str, Point], boxes: Point, look: str) -> str:
    """From border to border of boxes of two widths."""
    one, other = f"{number} v{member}", f"{number} {value!r}"
    (x, y), (p, q) = at[one], at[other]
    start, end = (x + boxes[0] / 2, y), (p - boxes[1] / 2, q)
    way = " ".join(map(pos, (start, start, end, end)))
    return f'  {quote(one)} -- {quote(other)} [pos="{way}"{", " + look if look else ""}];'
