"""Frames around the places that helpers, the variables that are not drawn, are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ...base.frozen import Frozen
from ...model import Candidate, Model
from ..edges import Box
from ..helpers import MAX_CELLS, Helpers
from ..layout.clues import label_place
from ..layout.forms import CELL
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import OVER, Point, Shape, box

MAX_VALUES = 8
"""Maximum number of remaining values of a helper that acted; the places of more values would distinguish nothing."""
MAX_FRAMES = 8
"""Maximum number of frames in one picture, without the places that its caption names."""
INSIDE = {"touched": 11.0, "touched-cause": 4.0}
"""Points by which a frame is smaller than a cell, so that both kinds of frames are visible in one cell."""


class Touched(Frozen):
    """The places of a picture that helpers are about.

    Attributes
    ----------
    model : Model
    layout : Placement
    helpers : Helpers
    """

    model: Model
    layout: Placement
    helpers: Helpers

    def frames(self, scene: Scene) -> Iterator[Shape]:
        """Yield a frame around each place that a helper at work is about.

        A helper is at work if it changed or acted.

        Examples
        --------
        >>> from csp import Model
        >>> from ..helpers import find_helpers
        >>> from ..layout.layout import layout
        >>> model = Model({"a": (1, 2), "b": (1, 2)})
        >>> helpers = Helpers({"b": ("a",)}, {}, {})
        >>> scene = Scene(title="", domains=model.domains, removed=(("b", 1),))
        >>> [shape.look for shape in Touched(model, layout(model), helpers).frames(scene)]
        ['touched']
        """
        found, changed, acted = self._candidates(scene)
        causes, victims = self._places(acted), self._places(changed)
        places_of = [("touched", self._places(found))]
        is_full = len(causes) + len(victims) > MAX_FRAMES
        # The caption of a step names a cause, that of a summary only counts.
        if not is_full or (len(causes) <= MAX_FRAMES and not scene.summary):
            places_of.append(("touched-cause", causes))
        if not is_full:
            places_of.append(("touched", victims))
        for look, places in places_of:
            for middle, (width, height) in places:
                inside = INSIDE[look] if min(width, height) >= CELL else -INSIDE[look]
                yield box(look, middle, (width - inside, height - inside), corner=5)._replace(layer=OVER)

    def _candidates(self, scene: Scene) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
        """Return the candidates of helpers that found a place, that changed, and that acted.

        In a summary, of helpers that say where a value is only the places that the caption names are in the result.
        """
        cells, images = self.helpers.cells, self.helpers.images
        lost = [candidate for candidate in scene.removed if candidate[0] in cells]
        # A cause with a place of its own is seen there.
        placed = [v for v in scene.causes if v in images or v in self._own_places or (v in cells and " " in v)]
        if not scene.summary:
            few = (v for v in placed if len(scene.domains[v]) <= MAX_VALUES)
            return [], lost, [(v, value) for v in few for value in scene.domains[v]]
        # A summary shows only causes with one value.
        single = (v for v in placed if len(scene.domains[v]) == 1 and v not in images)
        found = [(v, value) for v in scene.fixed if v in images for value in scene.domains[v]]
        changed = [candidate for candidate in lost if candidate[0] not in images]
        return found[:MAX_CELLS], changed, [(v, value) for v in single for value in scene.domains[v]]

    def _places(self, candidates: Iterable[Candidate]) -> dict[Box, None]:
        """Return the places that candidates of helpers are about, each once."""
        places: dict[Box, None] = {}
        for helper, value in candidates:
            if helper in self._own_places:
                places.update(self._own_places[helper])
            else:
                cells = self.helpers.cells_about([(helper, value)])
                places.update(dict.fromkeys((self.layout.points[v], self.layout.size(v)) for v in cells))
        return places

    @cached_property
    def _own_places(self) -> Mapping[str, Mapping[Box, None]]:
        """The places of helpers in a layout of the spec.

        The spec prints the value of an expression there, or the label of a constraint on the helper names the place.
        """
        own_places: dict[str, dict[Box, None]] = {}
        size = CELL, CELL
        point_at: dict[tuple[object, ...], Point] = {v.indices: point for v, point in self.layout.slips.items()}
        for entry in (entry for sheet in self.layout.sheets for entry in sheet.entries):
            if str(entry.value) in self.helpers.cells and entry.indices in point_at:
                own_places.setdefault(str(entry.value), {})[point_at[entry.indices], size] = None
        unrelated = {v for v, cells in self.helpers.cells.items() if not cells and v not in own_places}
        for constraint in self.model.constraints if unrelated else ():
            if (indices := label_place(constraint)) in point_at:
                for v in unrelated.intersection(constraint.scope):
                    own_places.setdefault(v, {})[point_at[indices], size] = None
        return own_places
