"""The pictures of every example: arrows in every round, complete legends, and one frame for all pictures."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, pairwise
from math import dist

import pytest

import csp
from csp.picture.frames import Frame, frames
from csp.picture.shapes import OVER, UNDER, Point, Shape
from csp.picture.style import combine_styles
from csp.render.dot.dot import common_room
from csp.render.painter import Captioned, Painter

from ..plans import FAMILIES
from .test_render import example

ACTED = ("edge hit", "lit", "spine on", "thin", "sent")
"""Looks of lines along which something was removed, and of counts at causes; a line contains one of them."""
HELPER_SIGNS = ("spot-lost", "spot-count", "touched", "refused", "held")
"""Looks of what helpers lost."""
SHADED = ("golomb", "heyawake", "hitori", "kenken", "masyu", "nurikabe", "queens", "slitherlink", "windoku", "zebra")
"""Examples with shades, discs or lines under the vertices, or with boards."""
STATES = frozenset({"marked", "active", "failed", "cause"})
"""States of vertices, which are words of the looks of their bodies."""
LABELS = frozenset({"header", "title", "name", "named", "body", "head", "slot", "rule", "slash", "room", "folded"})
"""First words of looks that need no entry: names, the text of a flag, and the frames of cells, boards and tables."""


@lru_cache(maxsize=4)
def drawn(name: str) -> tuple[Painter, list[tuple[Frame, Captioned]]]:
    """Return the painter and the first pictures of an example."""
    trace = csp.record(example(name), "arc", nodes=2)
    painter = Painter(trace.model, origins=trace.origins)
    return painter, [(frame, painter.parts(frame)) for frame in islice(frames(trace), 8)]


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES, scope="module")
def test_every_round_with_removals_has_edges_that_acted_and_no_carpet(name: str) -> None:
    painter, pictures = drawn(name)
    sizes, helpers = painter.plan.layout.size, painter.plan.touched.helpers
    for frame, picture in pictures:
        # Variables that are not drawn, such as helpers, have no arrows.
        is_drawn = any(
            min(*sizes(cause), *sizes(v)) for loss in frame.losses for cause in loss.causes for v, _ in loss.removed
        )
        if frame.name.startswith("round") and is_drawn:
            assert any(word in shape.look for shape in picture.shapes for word in ACTED), frame.name
        # A picture shows a removal; for a variable that is not drawn it has a sign, or the caption names the variable.
        visible = painter.plan.visible
        looks = {word for shape in picture.shapes for word in shape.look.split()}
        removed = {*frame.removed, *painter.plan.with_visible_removals(frame).removed}
        lost, hidden = ({v for v, _ in removed if (v in visible) is is_drawn} for is_drawn in (True, False))
        assert not lost or not looks.isdisjoint(("boxed", "loss")), frame.name
        is_said = any(words in picture.title for words in ("not drawn: ", "nothing new"))
        has_sign = is_said or not looks.isdisjoint(HELPER_SIGNS)
        assert has_sign or not hidden or all(helpers.repeats(c, frame.domains) for c in frame.removed if c[0] in hidden)
        assert hidden or not has_sign, frame.name
        arrows = [shape.points for shape in picture.shapes if "hit" in shape.look.split()]
        assert len(arrows) <= 80, (frame.name, "a carpet of arrows")
        # The head of an arrow covers 8 points of it.
        assert all(dist(points[0], points[-1]) > 12.5 or not is_straight(points) for points in arrows), frame.name


def is_straight(points: tuple[Point, ...]) -> bool:
    """Return whether a curve is not much longer than the distance of its ends."""
    return sum(dist(*pair) for pair in pairwise(points)) < 1.5 * dist(points[0], points[-1])


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES, scope="module")
def test_a_legend_has_exactly_the_signs_of_its_picture(name: str) -> None:
    painter, pictures = drawn(name)
    for frame, picture in pictures:
        listed = {shape.text for shape in picture.caption}
        known = [entry for entry in painter._legend if entry.is_in(picture.shapes)]
        assert {entry.words for entry in known} == listed.intersection(entry.words for entry in painter._legend)
        # Every shape has an entry, or is a part of the sample of one.
        samples = {shape.look for entry in known for shape in entry.shapes}
        unexplained = {
            (shape.look, shape.text)
            for shape in picture.shapes
            if shape.look.partition(" ")[0] not in LABELS
            and shape.look != "edge casing"
            and "ramp" not in shape.look.split()  # shades have an entry only if they differ
            and shape.look.removesuffix("backed").rstrip() not in samples
            and not any(entry.is_in([shape]) for entry in known)
        }
        assert not unexplained, (frame.name, unexplained)
        # A state of a body has an entry, too.
        states = {word for shape in picture.shapes for word in shape.look.split() if word in STATES}
        assert states <= {word for entry in known for word in entry.look_words}, (frame.name, states)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES, scope="module")
def test_every_picture_has_the_same_left_edge_and_size(name: str) -> None:
    painter, pictures = drawn(name)
    room = common_room((picture.shapes, picture.caption) for _, picture in pictures)
    texts = [painter.dot(frame, room) for frame, _ in pictures]
    assert len({re.search(r'^  "room" .*', text, re.M)[0] for text in texts}) == 1  # type: ignore[index]
    vertices = re.compile(r'^  ("[^"]*") \[(?!class)[^\n]*?pos="([^"]*)"', re.M)
    places: dict[str, str] = {}
    for text in texts:
        assert all(places.setdefault(vertex, place) == place for vertex, place in vertices.findall(text))


@pytest.mark.parametrize("name", SHADED, scope="module")
def test_no_state_hides_a_shade_a_disc_or_a_value(name: str) -> None:
    """Look at filled shapes above print under vertices, and at signs of failures above values."""
    _, pictures = drawn(name)
    for frame, picture in pictures:
        low = [shape for shape in picture.shapes if shape.layer <= UNDER and shape.kind != "line"]
        low = [shape for shape in low if "ground" not in shape.look]
        filled = [s for s in picture.shapes if s.look.startswith("body") and combine_styles(s.look)["fill"] != "none"]
        assert not [(frame.name, s.look, body.of) for s in low for body in filled if is_inside(s, body)]
        values = [s for s in picture.shapes if s.kind == "text" and {"found", "fixed"}.intersection(s.look.split())]
        signs = [shape for shape in picture.shapes if shape.look in ("failed-square", "badge") and shape.layer == OVER]
        assert not [(frame.name, s.text, sign.look) for s in values for sign in signs if is_inside(s, sign)]


def is_inside(shape: Shape, area: Shape) -> bool:
    """Return whether the middle of a shape is inside of a box."""
    (x, y), ((p, q), (width, height)) = shape.points[0], area.points
    return abs(x - p) < width / 2 and abs(y - q) < height / 2
