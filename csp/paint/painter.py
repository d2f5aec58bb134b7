"""Pictures of the scenes of one model, with captions and legends, as DOT text or SVG."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Model
from ..picture.layout.layout import FEW
from ..picture.legend import STATES, LegendEntry, entries, hidden, legend_caption
from ..picture.marks import Mark, bounding_box
from ..picture.picture import extent, picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from .dot.dot import dot
from .svg import svg

WIDTH = 380
"""A caption has at least so much room."""


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
        states: Sequence[LegendEntry] = STATES,
        plan: Plan | None = None,
    ) -> None:
        crowded = True if lens == "grid" and len(model.domains) <= FEW else None
        self.plan = plan or Plan(model, origins, crowded)
        self.lens = lens or self.plan.lens
        self._legend = list(entries(self.plan, self.lens, states)) if states else []
        (left, _), (right, _) = extent(self.plan, self.lens)
        self._width = max(WIDTH, int(right - left))

    def dot(self, scene: Scene) -> str:
        """The DOT text of a scene."""
        return dot(picture(self.plan, scene, self.lens), scene.title, self._caption(scene))

    def svg(self, scene: Scene, attributes: str = "") -> str:
        """The SVG element of a scene."""
        return svg(self.marks(scene), attributes=attributes)

    def marks(self, scene: Scene) -> list[Mark]:
        """All marks of a scene, with its caption below."""
        drawn = picture(self.plan, scene, self.lens)
        (left, _), (_, bottom) = bounding_box(drawn)
        return [*drawn, *(mark.shifted((left, bottom)) for mark in self._caption(scene))]

    def _caption(self, scene: Scene) -> list[Mark]:
        title = " ".join(scene.title.split())
        return legend_caption(title, self._legend, self._width, hidden(self.plan, self.lens) if self._legend else "")
