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
from ..helpers import Helpers
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
TAKEN, HERE = "taken", " is here"
"""The reasons why a value cannot be in a cell with another value, and in the place that another value has found."""


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
            failure = self.shown(scene.failure, scene.domains)
            struck = (c for c in scene.removed if (form := self.layout.forms.get(c[0])) and form.kind in LINES)
            texts = [*printed, *(text(str(c[1]), "gone", self.layout.square(*c), BADGE) for c in struck)]
            yield from failure_shapes(self.model, self.layout, failure, scene.failed, scene.domains, texts)

    def shown(self, failure: Failure, domains: Mapping[Variable, Domain]) -> Failure:
        """Return a failure whose subject and removed candidates are drawn, if they can be.

        A value without a place replaces the helper that says where it is. A tuple replaces the code of an expression.
        """
        if failure.constraint is None and (images := self.helpers.images.get(str(failure.subject))):
            places = [
                (name, images[code]) for name, removed in failure.removed_by for _, code in removed if code in images
            ]
            number_at = self._numbers_found(domains)
            removed_by = tuple(
                (TAKEN if len(domains[v]) == 1 else number_at.get(v) or name, ((v, value),))
                for name, (v, value) in places
            )
            return replace(failure, subject=next(iter(images.values()))[1], removed_by=removed_by)
        if failure.constraint is None or failure.subject is None:
            return failure
        reasons = (
            missing_part(self.helpers, candidate, domains) or self._whole_tuple(candidate, domains) or (name, candidate)
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

    def lacking_cells(self, failure: Failure, domains: Mapping[Variable, Domain]) -> tuple[Variable, ...]:
        """Return the variables of ``tuple_cells`` that have lost their part of the tuple."""
        lacking = {
            v for _, removed in self.shown(failure, domains).removed_by for v, x in removed if x not in domains[v]
        }
        return tuple(v for v in self.tuple_cells(failure, domains) if v in lacking)

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
        tuples = [
            f"({', '.join(self.helpers.tuples[v][0])}) {sign[0]} by {name}"
            for name, removed in failure.removed_by
            for v, value in removed
            if not missing_part(self.helpers, (v, value), domains) and (sign := self._whole_tuple((v, value), domains))
        ]
        if tuples and shown.constraint is not None:
            return f": {'; '.join(tuples)}"
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
            else f"{plain_counted(len(values), 'cell')} the place of {name.removesuffix(HERE)}"
            if name.endswith(HERE)
            else f"{name} removed {len(values)}"
            for name, values in values_by.items()
        )
        return f": {'; '.join(parts)}" if values_by else ""

    def _numbers_found(self, domains: Mapping[Variable, Domain]) -> dict[Variable, str]:
        """Return the text of the value that has found its place in a variable, by the variable."""
        fixed = {helper: domains[Variable(helper)] for helper in self.helpers.images}
        images = [self.helpers.images[helper].get(domain[0]) for helper, domain in fixed.items() if len(domain) == 1]
        return {v: f"{value}{HERE}" for v, value in filter(None, images)}

    def _whole_tuple(self, candidate: Candidate, domains: Mapping[Variable, Domain]) -> tuple[str, Candidate] | None:
        """Return a text for a removed tuple, with the drawn candidate that shows it.

        The text is the remaining tuple if there is only one. The result is None for other candidates.
        """
        helper, value = candidate
        if helper not in self.helpers.tuples:
            return None
        domain = domains[helper]
        is_fixed = len(domain) == 1
        shown_value = self.helpers.show_value([helper], domain[0] if is_fixed else value)
        return f"{'is' if is_fixed else 'not'} {shown_value}", self.helpers.needs(candidate)[0]


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
