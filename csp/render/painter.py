"""Pictures of the scenes of one model, with captions and legends, as DOT text or SVG."""

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

WIDTH = 380
"""A caption has at least so much room."""


class Captioned(NamedTuple):
    """What a picture is made of: its marks, its title, and the marks of its caption, from its lower left corner on."""

    marks: list[Shape]
    title: str
    caption: list[Shape]


class Painter:
    """Draws scenes of one model by its plan.

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
        self._width = max(WIDTH, int(right - left))

    def dot(self, scene: Scene, room: CommonRoom | None = None) -> str:
        """The DOT text of a scene, in the room of the sequence that it is part of."""
        return dot(*self.parts(scene), room)

    def svg(self, scene: Scene, attributes: str = "") -> str:
        """The SVG element of a scene."""
        return svg(self.marks(scene), attributes=attributes)

    def marks(self, scene: Scene) -> list[Shape]:
        """All marks of a scene, with its caption below."""
        drawn, _, caption = self.parts(scene)
        (left, _), (_, bottom) = bounding_box(drawn)
        return [*drawn, *(mark.shifted((left, bottom)) for mark in caption)]

    def parts(self, scene: Scene) -> Captioned:
        """Return the marks of a scene, its title, and its caption with a legend of the signs that are among them."""
        drawn, title = picture(self.plan, scene, self.lens), " ".join(scene.title.split())
        seen = [entry for entry in self._legend if entry.is_in(drawn)]
        return Captioned(drawn, title, legend_caption(title, seen, self._width, unseen_note(self.plan, self.lens)))
