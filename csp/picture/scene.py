"""Scenes: the domains at one moment of a trace, with the parts to highlight.

``scene`` converts a moment; change it if a picture highlights the wrong vertices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import KW_ONLY, field
from functools import cached_property
from typing import NamedTuple

from ..base.frozen import Frozen
from ..base.notation import listed
from ..model import Candidate, Constraint, Domain, Value, Variable, ordered
from ..trace import Decision, Dequeued, Failure, Moment, Removal, headline
from .style import plain_counted


class Loss(NamedTuple):
    """The values that one record of a trace removed, with their constraint and causing variables."""

    number: int | None
    causes: tuple[Variable, ...]
    removed: tuple[Candidate, ...]


class LastPlace(NamedTuple):
    """A value with one place left in a group: value, variable, number, group."""

    value: Value
    variable: Variable
    number: int
    group: Constraint


class Scene(Frozen):
    """The content of one picture: the domains, and the parts to highlight.

    Attributes
    ----------
    title : str
        The caption underneath.
    domains : mapping of Variable to tuple
        The remaining values of each variable.
    marked : tuple of Variable
        The variables that carry the asterisk, because they wait in the propagation queue.
    removed : tuple of Candidate
        Values that the step has just removed; the picture strikes them out.
    causes : tuple of Variable
        The variables whose domains are the reason for the removal.
    reasons : mapping of int to tuple of Variable
        The causes of each constraint at work.
    active : tuple of Variable
        The scopes of the constraints at work, or the variables that are decided or dequeued.
    failed : tuple of Variable
        The variables on which the failure is drawn.
    failure : Failure or None
        The failure of this moment, if it is one.
    constraints : tuple of int
        The numbers of the constraints at work, in the model of the trace.
    along : tuple of int
        The constraints of all steps, in a picture that summarises many steps and has no single constraint at work.
    pencil : frozenset of Variable
        Variables with one remaining value that the solver of the puzzle has not written down yet.
    losses : tuple of Loss
        The removals that arrows show, one entry for each record. In a round, a last place of a value has none: no
        variable acted.
    removed_by : mapping of Candidate to Removal
        At a failure, the last removal of each value.
    summary : str
        In a picture that summarises many steps, the kind of pass, such as ``round 2``.
    acted : mapping of Candidate to int
        In such a picture, except of givens, the number of the constraint that removed each value. At a failure these
        are the values that it lacks.
    fixed : tuple of Variable
        In such a picture, the variables that these steps reduced to one value.
    last_places : tuple of LastPlace
        The values with one place left in a group, found by these steps.
    groups : tuple of int
        The groups of ``last_places`` that the picture highlights.
    """

    _: KW_ONLY
    title: str
    domains: Mapping[Variable, Domain]
    marked: tuple[Variable, ...] = ()
    removed: tuple[Candidate, ...] = ()
    causes: tuple[Variable, ...] = ()
    reasons: Mapping[int, tuple[Variable, ...]] = field(default_factory=dict)
    active: tuple[Variable, ...] = ()
    failed: tuple[Variable, ...] = ()
    failure: Failure | None = None
    constraints: tuple[int, ...] = ()
    along: tuple[int, ...] = ()
    pencil: frozenset[Variable] = frozenset()
    losses: tuple[Loss, ...] = ()
    removed_by: Mapping[Candidate, Removal] = field(default_factory=dict)
    summary: str = ""
    acted: Mapping[Candidate, int] = field(default_factory=dict)
    fixed: tuple[Variable, ...] = ()
    last_places: tuple[LastPlace, ...] = ()
    groups: tuple[int, ...] = ()

    @cached_property
    def grouped(self) -> frozenset[Variable]:
        """The variables of the groups that the picture highlights."""
        return frozenset(v for place in self.last_places if place.number in self.groups for v in place.group.scope)

    def causes_of(self, number: int) -> tuple[Variable, ...]:
        """Return the variables that caused a constraint's removals; all causes if unknown."""
        return self.reasons.get(number) or self.causes

    @cached_property
    def _changed(self) -> Mapping[int | None, set[Variable]]:
        """The variables that each constraint removed values from, and under None all changed variables."""
        changed: dict[int | None, set[Variable]] = {None: {v for v, _ in self.removed}}
        for number, _, removed in self.losses:
            changed.setdefault(number, set()).update(v for v, _ in removed)
        return changed

    def changed_by(self, numbers: Collection[int]) -> Set[Variable]:
        """Return the variables that these constraints removed values from; all changed variables if unknown."""
        own = [self._changed[number] for number in numbers if number in self._changed]
        return set[Variable]().union(*own) if own else self._changed[None]


MAX_LONG = 90
"""Maximum number of characters about values with one place left in a caption, with the constraints that acted.

Of a longer part, the values of groups without a highlight are counted."""
MAX_SCOPE = 5
"""Maximum number of variables of a scope that is always shown whole."""
MAX_GROUPS = 3
"""Maximum number of groups with a last place that one picture highlights."""
MAX_NAMED = 4
"""Maximum number of variables that the text of a group without a label names."""
MANY = 20
"""Maximum number of variables of a failed constraint that are all drawn as failed, and of borders of causes there."""


def scene(moment: Moment) -> Scene:
    """Convert a moment of a trace to a scene: its domains and what to highlight.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record, replay
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])
    >>> scenes = [scene(moment) for moment in replay(record(model))]
    >>> scenes[2].title, scenes[2].removed, scenes[2].causes, scenes[2].active
    ('step 1 · pair: A = 1 removes 1 from B · marked 1', (('B', 1),), ('A',), ('A', 'B'))
    """
    causes: tuple[Variable, ...] = ()
    active: tuple[Variable, ...] = ()
    removed: tuple[Candidate, ...] = ()
    number: int | None = None
    last_places: tuple[LastPlace, ...] = ()
    # Each kind of record decides which variables and constraints are at work.
    match moment.record:
        case None:
            title = f"start · {len(moment.domains)} variables"
            # The remaining fields are the same for every kind of record.
            return Scene(title=title, domains=moment.domains)
        case Removal() as record:
            number, removed, last_places = record.number, record.removed, tuple(_last_places(record))
            # The group of a last place has a tint of its own; no single variable caused the removals.
            if not last_places:
                causes, active = _reasons(record), _variables(record.cause)
            if record.constraint is not None and not last_places:
                active = _at_work(record.constraint.scope, len(moment.domains))
        case Failure() as record:
            number, causes = record.number, _variables(record.cause)
        case Dequeued() as record:
            number = record.number
            active = record.variables
            if record.constraint is not None:
                active = _at_work(record.constraint.scope, len(moment.domains))
        case Decision() as record:
            active = (record.candidate[0],)
    return Scene(
        title=headline(moment.record),
        domains=moment.domains,
        marked=moment.marked,
        removed=removed,
        causes=causes,
        reasons={} if number is None else {number: causes},
        active=active,
        failed=_failing(moment.record) if isinstance(moment.record, Failure) else (),
        failure=moment.record if isinstance(moment.record, Failure) else None,
        constraints=() if number is None else (number,),
        losses=losses_of(moment.record) if isinstance(moment.record, Removal) else (),
        last_places=last_places,
        groups=_shown_groups(last_places, len(moment.domains)),
    )


def _at_work(scope: tuple[Variable, ...], size: int) -> tuple[Variable, ...]:
    """Return the scope of a constraint at work; empty for a large one.

    A large scope has more than half of the ``size`` variables: yellow would distinguish nothing, and what acted has a
    border.
    """
    return scope if len(scope) <= MAX_SCOPE or 2 * len(scope) <= size else ()


def _last_places(removal: Removal) -> Iterator[LastPlace]:
    """Yield the last place of a value that a removal found, if it found one."""
    if removal.kind == "placed" and removal.constraint is not None and removal.number is not None:
        [(variable, value)] = removal.cause
        yield LastPlace(value, variable, removal.number, removal.constraint)


def _shown_groups(places: Iterable[LastPlace], size: int) -> tuple[int, ...]:
    """Return the numbers of the first groups of ``places``, at most ``MAX_GROUPS``.

    A large group of the ``size`` variables is omitted, as in ``_at_work``.
    """
    groups = dict.fromkeys(place.number for place in places if _at_work(place.group.scope, size))
    return tuple(groups)[:MAX_GROUPS]


def losses_of(removal: Removal) -> tuple[Loss, ...]:
    """Return the ``Loss`` of a removal in a tuple; empty if no variable caused it."""
    causes = _reasons(removal)
    return (Loss(removal.number, causes, removal.removed),) if causes else ()


def _reasons(removal: Removal) -> tuple[Variable, ...]:
    """Return the variables that caused a removal; none for decisions and last places."""
    return () if removal.kind in ("placed", "decided") else _variables(removal.cause)


def _variables(cause: Sequence[Candidate]) -> tuple[Variable, ...]:
    """Return the variables of candidates, without repetitions."""
    return tuple(dict.fromkeys(variable for variable, _ in cause))


def _failing(failure: Failure) -> tuple[Variable, ...]:
    """Return the variables at which a failure is drawn.

    Usually these are the scope of the failed constraint. If a constraint on many variables cannot hold, they are those
    that caused the failure.
    """
    if failure.constraint is not None:
        causes = _variables(failure.cause) if failure.subject is None and len(failure.constraint.scope) > MANY else ()
        return causes or failure.constraint.scope
    return (failure.subject,) if isinstance(failure.subject, Variable) else ()


def merge_moments(moments: Sequence[Moment]) -> Scene:
    """Merge consecutive moments of a trace into one scene, with a title line for each.

    A variable that a decision or a single place of a value fixes is not a cause of its own removals, but it is a cause
    of removals from other variables.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record, replay
    >>> model = Model({"A": (1,), "B": (1, 2), "C": (2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> whole = merge_moments([moment for moment in replay(record(model, "arc")) if isinstance(moment.record, Removal)])
    >>> whole.removed, whole.causes, whole.active, len(whole.constraints)
    ((('B', 1), ('C', 2)), ('A', 'B'), ('A', 'B', 'C'), 1)
    """
    scenes = [scene(moment) for moment in moments]
    last_places = tuple(dict.fromkeys(place for part in scenes for place in part.last_places))
    # Collect the causes of each constraint over all moments.
    reasons: dict[int, tuple[Variable, ...]] = {}
    for part in scenes:
        for number, causes in part.reasons.items():
            reasons[number] = tuple(dict.fromkeys((*reasons.get(number, ()), *causes)))
    return Scene(
        title="\n".join(part.title for part in scenes),
        domains=scenes[-1].domains,
        marked=scenes[-1].marked,
        removed=tuple(candidate for part in scenes for candidate in part.removed),
        causes=tuple(dict.fromkeys(v for part in scenes for v in part.causes)),
        reasons=reasons,
        active=tuple(dict.fromkeys(variable for part in scenes for variable in part.active)),
        constraints=tuple(dict.fromkeys(number for part in scenes if part.removed for number in part.constraints)),
        losses=tuple(loss for part in scenes for loss in part.losses),
        last_places=last_places,
        groups=_shown_groups(last_places, len(scenes[-1].domains)),
    )


def summary_caption(
    scene: Scene,
    visible: Collection[Variable],
    noun: str = "variable",
    places: Mapping[str, Mapping[Value, Candidate]] | None = None,
    combined: Collection[str] = (),
    truths: Collection[str] = (),
    acted: str = "",
) -> str:
    """Return the caption of a scene that summarises many steps.

    Variables that are not ``visible`` are counted as helpers. ``places`` has the cell and the number for each value of
    a helper that says where a number is. The values of ``combined`` are combinations of other values, those of
    ``truths`` truth values. ``acted`` names the constraints that acted.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> rows = [AllDifferent.of("AB", label=f"row {r}", line=1) for r in (3, 5)]
    >>> last = (LastPlace(5, Variable("A"), 7, rows[0]), LastPlace(6, Variable("B"), 8, rows[1]))
    >>> lost = ((Variable("A"), 1), (Variable("A"), 2), (Variable("h", 3), 4))
    >>> shown = Scene(title="", domains={}, removed=lost, summary="round 2", last_places=last, groups=(7,))
    >>> print(summary_caption(shown, ["A", "B"], "cell", acted="row ×2"))
    round 2 · row ×2 removed 2 values from 1 cell, 1 value from 1 helper (h) · \
only one place left: 5 in row 3, and for 1 more value · marked 0
    >>> print(summary_caption(shown, ["A", "B"], places={"h(3)": {4: (Variable("A"), 3)}}))
    round 2 · removed 2 values from 1 variable, 1 place of numbers in 1 cell · \
only one place left: 5 fits only A in row 3, and for 1 more value · marked 0
    >>> summary_caption(shown, ["A", "B"], combined=["h(3)"]).split(" · ")[1]
    'removed 2 values from 1 variable, 1 combination of values'
    >>> decided = Scene(title="", domains={}, removed=((Variable("h", 3), 1), (Variable("h", 4), 0)), summary="rules 1")
    >>> summary_caption(decided, (), truths=["h(3)", "h(4)"], acted="row").split(" · ")[1]
    'row ruled out 1 helper (h), found 1 helper (h)'
    >>> print(summary_caption(shown, ["C"]).split(" · ")[2])
    only one place left: 5 in row 3; 6 in row 5
    >>> unnamed = LastPlace(5, Variable("A"), 7, AllDifferent.of("ABC"))
    >>> print(summary_caption(Scene(title="", domains={}, summary="round 1", last_places=(unnamed,)), ["A"]))
    round 1 · only one place left: 5 fits only A among A, B, C · marked 0
    """
    images = places or {}
    drawn, placing, other = (Counter[Variable]() for _ in range(3))
    tuples = sum(v in combined for v, _ in scene.removed)
    for v in (v for v, _ in scene.removed if v not in combined and v not in truths):
        (drawn if v in visible else placing if v in images else other)[v] += 1
    # Count the removed values of drawn variables, and those of helpers.
    parts = [f"{plain_counted(drawn.total(), 'value')} from {plain_counted(len(drawn), noun)}"] if drawn else []
    if placing:
        cells = {images[v][value][0] for v, value in scene.removed if v in images and value in images[v]}
        parts.append(f"{plain_counted(placing.total(), 'place')} of numbers in {plain_counted(len(cells), 'cell')}")
    if other:
        parts.append(f"{plain_counted(other.total(), 'value')} from {_show_helpers(other)}")
    if tuples:
        parts.append(f"{plain_counted(tuples, 'combination')} of values")
    acts = [f"removed {', '.join(parts)}"] if parts else []
    # A helper that can only be true is found; one that can only be false is ruled out.
    for verb, excluded in (("ruled out", 1), ("found", 0)):
        decided = [v for v, value in scene.removed if v in truths and value == excluded]
        acts += [f"{verb} {_show_helpers(decided)}"] if decided else []
    last_places = _last_places_text(scene, visible, noun == "cell") if scene.last_places else ""
    acted = acted if len(acted) + len(last_places) <= MAX_LONG else ""
    phrases = [scene.summary, *([f"{acted} {', '.join(acts)}".strip()] if acts else [])]
    if fixed := sum(v in visible for v in scene.fixed):
        phrases.append(f"{plain_counted(fixed, noun)} now {'has' if fixed == 1 else 'have'} one value")
    if last_places:
        phrases.append(last_places)
    marked = sum(v in visible for v in scene.marked)
    return " · ".join([*phrases, *([f"marked {marked}"] if marked or not scene.marked else [])])


def _show_helpers(helpers: Collection[Variable]) -> str:
    """Return the number of helpers or expressions, with the families of helpers."""
    families = dict.fromkeys(v.family for v in helpers if v.family.isidentifier())
    names = f" ({', '.join(families)})" if families else ""
    return plain_counted(len(helpers), "helper" if families else "expression") + names


def _last_places_text(scene: Scene, visible: Collection[str], is_board: bool) -> str:
    """Return the values with one place left, by group.

    If groups are highlighted, the values of others are counted; otherwise only in a long text. The cells of a board
    show where a value is; other variables are named.
    """
    places_of: dict[tuple[bool, Constraint], dict[Value, Variable]] = {}
    for place in scene.last_places:
        is_yellow = place.number in scene.groups and any(v in visible for v in place.group.scope)
        places_of.setdefault((is_yellow, place.group), {})[place.value] = place.variable
    yellow, others = (
        "; ".join(
            _places_text(group, places, () if is_board else visible)
            for (is_yellow, group), places in places_of.items()
            if is_yellow is kind
        )
        for kind in (True, False)
    )
    count = sum(len(places) for (is_yellow, _), places in places_of.items() if not is_yellow)
    if not yellow:
        text = f"only one place left: {others}"
        return text if len(text) <= MAX_LONG else f"{plain_counted(count, 'value')} have only one place left"
    more = f", and for {plain_counted(count, 'more value')}" if count else ""
    return f"only one place left: {yellow}{more}"


def _places_text(group: Constraint, places: Mapping[Value, Variable], named: Collection[str]) -> str:
    """Return the values with one place in a group.

    If the group has no label, its variables describe it. A place is named if it is in ``named``.
    """
    if group.line and group.label:
        if not all(v in named for v in places.values()):
            return f"{listed(ordered(places), str)} in {group.label}"
        return f"{', '.join([f'{value} fits only {places[value]}' for value in ordered(places)])} in {group.label}"
    members = f"among {', '.join(group.scope)}" if len(group.scope) <= MAX_NAMED else "in a group"
    return f"{', '.join([f'{value} fits only {places[value]}' for value in ordered(places)])} {members}"
