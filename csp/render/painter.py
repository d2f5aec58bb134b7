"""Draw scenes of one model with captions and legends, as SVG or DOT.

A ``Painter`` keeps the plan, so that vertices have equal places in all pictures of a sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..model import Model
from ..picture.layout.layout import FEW
from ..picture.legend import entries, legend_caption, unseen_note
from ..picture.picture import extent, picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import Shape, bounding_box
from .dot.dot import CommonRoom, dot
from .svg import svg

MIN_WIDTH = 380
"""Minimum width of a caption, in points."""


class Captioned(NamedTuple):
    """The shapes of a drawing, with its title and the shapes of its caption.

    The origin of the caption is the lower left corner of the drawing.
    """

    shapes: list[Shape]
    title: str
    caption: list[Shape]


class Painter:
    """A painter of a model's scenes, which keeps each vertex in one place.

    Parameters
    ----------
    model : Model
    lens : str, optional
        The view of the network; by default the plan chooses it.
    origins : sequence of sequence of int
        For each constraint of the model, the numbers of the constraints that it follows from.
    plan : Plan, optional
        The layout of the model, if it is computed already.

    Examples
    --------
    >>> painter = Painter(Model({"A": (1, 2)}))
    >>> print(painter.dot(Scene(title="hello", domains=painter.plan.model.domains)).splitlines()[0])
    // hello
    """

    def __init__(
        self,
        model: Model,
        lens: str | None = None,
        origins: Sequence[Sequence[int]] = (),
        plan: Plan | None = None,
    ) -> None:
        crowded = True if lens == "grid" and len(model.domains) <= FEW else None
        self.plan = plan or Plan(model, origins, crowded)
        self.lens = lens or self.plan.lens
        self._legend = list(entries(self.plan, self.lens))
        (left, _), (right, _) = extent(self.plan, self.lens)
        self._width = max(MIN_WIDTH, int(right - left))

    def dot(self, scene: Scene, room: CommonRoom | None = None) -> str:
        """Return a scene's picture as DOT text; ``room`` is the size of its sequence."""
        return dot(*self.parts(scene), room)

    def svg(self, scene: Scene, attributes: str = "") -> str:
        """Return a scene's picture, with its caption, as an SVG element."""
        return svg(self.shapes(scene), attributes=attributes)

    def shapes(self, scene: Scene) -> list[Shape]:
        """Return the shapes of a scene's picture, with its caption below."""
        shapes, _, caption = self.parts(scene)
        (left, _), (_, bottom) = bounding_box(shapes)
        return [*shapes, *(shape.shifted((left, bottom)) for shape in caption)]

    def parts(self, scene: Scene) -> Captioned:
        """Return the shapes, the title and the caption of a scene's picture.

        The caption has a legend of the signs that the scene contains, and counts removals that neither shows.
        """
        shapes = picture(self.plan, scene, self.lens)
        note = self.plan.undrawn_note(scene)
        words = self.plan.caption(scene.title, scene).split()
        title = " ".join([*words, "·", note] if note else words)
        used_entries = [entry for entry in self._legend if entry.is_in(shapes)]
        return Captioned(
            shapes, title, legend_caption(title, used_entries, self._width, unseen_note(self.plan, self.lens))
        )
