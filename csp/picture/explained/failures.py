"""Describe failures in terms of drawn variables.

A failure may be about helpers, which are not drawn: about the place of a value, or about the code of a tuple.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ...base.notation import quoted
from ...board.wording import Wording
from ...model import Candidate, Domain, Model, Value, Variable
from ...trace import Failure
from ...trace.captions import show_cause, show_conflict
from ..helpers import MAX_CELLS, Helpers
from ..layout.failing import BADGE, cut_pieces, failure_shapes, printed_places, shows_struck_values
from ..layout.forms import LINES
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import Shape, text
from ..style import plain_counted

MAX_VALUES = 8
"""Maximum number of values of one constraint that the text of a failure lists."""
MAX_NAME = 40
"""Maximum length of a constraint's name in the text of a failure."""
TAKEN = "taken"
"""The reason why a value cannot be in a cell with another value."""


class Failures(NamedTuple):
    """The parts of a plan that draw and describe failures."""

    model: Model
    layout: Placement
    helpers: Helpers
    wording: Wording

    def signs(self, scene: Scene, printed: Collection[Shape]) -> Iterator[Shape]:
        """Yield the signs of a scene's failure; nothing for other scenes.

        The signs avoid the texts in ``printed``, and struck values in lines.
        """
        if scene.failure is not None:
            failure, places = self.shown(scene.failure, scene.domains), self._last_places(scene)
            struck = (c for c in scene.removed if (form := self.layout.forms.get(c[0])) and form.kind in LINES)
            texts = [*printed, *(text(str(c[1]), "gone", self.layout.square(*c), BADGE) for c in struck)]
            yield from failure_shapes(self.model, self.layout, failure, scene.failed, scene.domains, texts, places)

    def shown(self, failure: Failure, domains: Mapping[Variable, Domain]) -> Failure:
        """Return a failure whose subject and removed candidates are drawn, if they can be.

        A value without a place replaces the helper that says where it is. A tuple replaces the code of an expression.
        """
        if failure.constraint is None and (images := self.helpers.images.get(str(failure.subject))):
            places = [
                (name, images[code]) for name, removed in failure.removed_by for _, code in removed if code in images
            ]
            removed_by = tuple((TAKEN if len(domains[v]) == 1 else name, ((v, value),)) for name, (v, value) in places)
            return replace(failure, subject=next(iter(images.values()))[1], removed_by=removed_by)
        if failure.constraint is None or failure.subject is None:
            return failure
        reasons = (
            missing_part(self.helpers, candidate, domains) or (name, candidate)
            for name, removed in failure.removed_by
            for candidate in removed
        )
        return replace(
            failure,
            subject=self.helpers.show_value(failure.constraint.scope, failure.subject),
            removed_by=tuple((name, (candidate,)) for name, candidate in reasons),
        )

    def tuple_cells(self, failure: Failure, domains: Mapping[Variable, Domain]) -> tuple[Variable, ...]:
        """Return the drawn variables that exclude the places of a tuple; empty for other failures."""
        if failure.constraint is None:
            return ()
        places = {v for _, removed in self.shown(failure, domains).removed_by for v, _ in removed}
        return tuple(v for v in self.model.domains if v in places and v not in self.helpers.cells)

    def caption(self, words: str, failure: Failure, domains: Mapping[Variable, Domain]) -> str:
        """Return the caption of a failure in terms of drawn variables.

        It names the pieces that cannot be joined, and the lines of a loop instead of their sum.
        """
        subject = self.shown(failure, domains).subject
        words = words.replace(f"{failure.subject} has no place left", f"{subject} has no place left")
        # Zeros and ones of a loop are lines.
        constraint = failure.constraint
        if constraint is not None and self.wording.lines.keys() >= {*constraint.scope}:
            words = words.replace(show_conflict(constraint, failure.cause), show_cause(failure.cause, constraint))
        if pieces := cut_pieces(self.layout, failure, domains):
            joined = " and ".join(pieces)
            words = words.replace(" cannot hold:", f" cannot hold: {joined} cannot be joined, because")
        return words

    def reasons(self, failure: Failure, domains: Mapping[Variable, Domain]) -> str:
        """Return a text that names what removed the values or places of a failure.

        The result is empty if signs in the picture show it.
        """
        shown = self.shown(failure, domains)
        subject, values_by = shown.subject, dict[str, list[str]]()
        is_variable = isinstance(subject, Variable)
        has_place = shows_struck_values(self.layout, str(subject)) or printed_places(self.layout, subject)
        if shown.constraint is not None or (is_variable and not has_place):
            return ""
        for name, removed in shown.removed_by:
            short = self.helpers.replace_in(name) if len(name) <= MAX_NAME else "an implied constraint"
            texts = (self.wording.values.get(v, {}).get(quoted(value), str(value)) for v, value in removed)
            values_by.setdefault(short, []).extend(texts)
        parts = (
            f"{name} removed {', '.join(values)}"
            if is_variable and len(values) <= MAX_VALUES
            else f"{name} removed {len(values)} values"
            if is_variable
            else f"{plain_counted(len(values), 'cell')} taken"
            if name == TAKEN
            else f"{name} removed {len(values)}"
            for name, values in values_by.items()
        )
        return f": {'; '.join(parts)}" if values_by else ""

    def _last_places(self, scene: Scene) -> list[Candidate]:
        """Return the few places of each value that a failed constraint needs.

        Only helpers that say where a value is have such places.
        """
        causes = scene.failure.cause if scene.failure else ()
        few = [candidate for candidate in causes if len(scene.domains[candidate[0]]) <= MAX_CELLS]
        images = [self.helpers.images.get(v, {}).get(code) for v, code in few]
        return [image for image in images if image]


def missing_part(
    helpers: Helpers, candidate: Candidate, domains: Mapping[Variable, Domain]
) -> tuple[str, tuple[Variable, Value]] | None:
    """Return which drawn variable has lost its part of a tuple.

    The result is a text and the candidate; None if every drawn variable still has its part.

    Examples
    --------
    >>> helpers = Helpers({}, {}, {}, tuples={"2*x + y": ("xy", {4: (1, 2)})})
    >>> missing_part(helpers, ("2*x + y", 4), {"x": (1,), "y": (0, 1)})
    ('not 2', ('y', 2))
    """
    parts = helpers.needs(candidate) if candidate[0] in helpers.tuples else []
    return next(((f"not {value}", (v, value)) for v, value in parts if value not in domains[v]), None)
