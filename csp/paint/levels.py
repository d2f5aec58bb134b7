"""What every level leaves, side by side in one picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from ..picture.scene import Scene
from ..story import Reach
from .dot.dot import Painter
from .dot.drawing import draw
from .dot.legend import GONE, IDLES

SVG = "http://www.w3.org/2000/svg"
GAP = 24.0


def level_scenes(reaches: Sequence[Reach]) -> list[Scene]:
    """What each of some levels leaves; what it removes beyond the level before it is struck out.

    Parameters
    ----------
    reaches : sequence of Reach
        Of one model, the weakest level first.

    Returns
    -------
    list of Scene

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.story import reach
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    >>> for scene in level_scenes([reach(Solver(model, level)) for level in ("arc", "domain")]):
    ...     print(scene.title, scene.removed)
    arc · removes 0 · 3 open ()
    domain · removes 2 more than arc · 2 open (('C', 1), ('C', 2))
    """
    scenes: list[Scene] = []
    for number, reach in enumerate(reaches):
        before = reaches[number - 1] if number else None
        removed = tuple(c for c in reach.removed if c not in before.removed) if before else ()
        more = f"{len(removed)} more than {before.level}" if before else f"{len(reach.removed)}"
        end = f"{reach.open} open" if reach.fixpoint.holds else "no solution"
        title = f"{reach.level} · removes {more} · {end}"
        scenes.append(Scene(title=title, domains=reach.left, removed=removed))
    return scenes


def draw_levels(reaches: Sequence[Reach], form: str = "svg") -> bytes:
    """Draw what each of some levels leaves, side by side.

    Parameters
    ----------
    reaches : sequence of Reach
        Of one model, the weakest level first.
    form : {"svg", "dot"}
        A picture, or a text of one graph for each level.

    Returns
    -------
    bytes

    Raises
    ------
    DrawingError
        If a picture is asked for and there is no Graphviz.
    """
    first, others = (Painter(reaches[0].model, states=states) for states in ((GONE, IDLES), ()))
    dots = [(others if i else first).dot(scene) for i, scene in enumerate(level_scenes(reaches))]
    return "".join(dots).encode() if form == "dot" else side_by_side(draw(dots))


def side_by_side(pictures: Sequence[bytes]) -> bytes:
    """Some SVG pictures as one, in a row.

    Examples
    --------
    >>> square = b'<svg xmlns="http://www.w3.org/2000/svg" width="10pt" height="10pt" viewBox="0 0 10 10"/>'
    >>> ET.fromstring(side_by_side([square, square])).get("viewBox")
    '0 0 44 10'
    """
    ET.register_namespace("", SVG)
    row = ET.Element(f"{{{SVG}}}svg", style="max-width:100%; height:auto")
    width = height = 0.0
    for picture in pictures:
        drawn = ET.fromstring(picture)
        for element in drawn.iter():
            element.attrib.pop("id", None)  # every picture has the same
        wide, high = (float(drawn.get(side, "").removesuffix("pt")) for side in ("width", "height"))
        drawn.attrib.update(x=f"{width + GAP * bool(len(row)):g}", width=f"{wide:g}", height=f"{high:g}")
        width += wide + GAP * bool(len(row))
        height = max(height, high)
        row.append(drawn)
    row.attrib.update(width=f"{width:g}pt", height=f"{height:g}pt", viewBox=f"0 0 {width:g} {height:g}")
    text: bytes = ET.tostring(row, encoding="utf-8", xml_declaration=True)
    return text
