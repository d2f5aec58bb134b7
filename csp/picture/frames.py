"""Choose the moments of a trace that become numbered pictures (frames).

``csp draw``, worksheets and notebooks show these frames; the player shows every record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from itertools import count, groupby, islice, takewhile

from ..base.notation import quoted
from ..board.clues import implied_constraints
from ..model import Candidate, Constraint, Value
from ..trace import (
    Decision,
    Dequeued,
    Failure,
    Moment,
    Record,
    Removal,
    Rest,
    Restart,
    Round,
    Solved,
    Trace,
    caption,
    replay,
    show_cause,
    show_removed,
)
from ..trace.captions import count_causes, show_place
from .scene import MANY, Loss, Scene, losses_of, merge_moments, scene, summary_caption
from .style import plain_counted


class Frame(Scene):
    """One of a sequence of numbered pictures: a scene with its number and name.

    Attributes
    ----------
    number : int
        The place in the sequence, from 0.
    name : str
        The kind of moment, suitable as a file name: ``network``, ``givens``, ``round-1``, ``rules-1``, ``fixpoint``.
    """

    _: KW_ONLY
    number: int
    name: str


def frames(trace: Trace) -> Iterator[Frame]:
    """Yield a numbered picture (frame) for each important moment of a trace.

    These are the bare network, the givens, every round that removed values, and the fixpoint. For a search they are
    every decision with its immediate removals, the rounds that follow, and the resulting fixpoint, failure or
    solution. A fixpoint without preceding removals has no picture, and neither has a dequeued constraint without
    removals.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [frame.name for frame in frames(trace)]
    ['network', 'round-1', 'fixpoint']
    """
    yield from _number_frames(_scenes(trace))


def step_frames(trace: Trace, first: int, last: int) -> Iterator[Frame]:
    """Yield a numbered picture (frame) for every step from ``first`` to ``last``.

    Dequeued constraints, failures, restarts and solutions after one of these steps have frames, too.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [(frame.name, frame.removed, frame.marked) for frame in step_frames(trace, 1, 1)]
    [('step-1', (('B', 1),), ('B',)), ('checked', (), ('B',)), ('checked', (), ())]
    """
    yield from _number_frames(_step_scenes(trace, first, last))


def _number_frames(scenes: Iterable[tuple[str, Scene]]) -> Iterator[Frame]:
    """Yield named scenes as frames, with numbers from 0."""
    for number, (name, shown_scene) in enumerate(scenes):
        yield Frame(**vars(shown_scene), number=number, name=name)


def _step_scenes(trace: Trace, first: int, last: int) -> Iterator[tuple[str, Scene]]:
    """Yield the name and scene of each step in a range, and of following records."""
    current_step = 0
    preceding: list[Moment] = []
    removal_of: dict[Candidate, Removal] = {}
    # Records of one step are adjacent; records without a step belong to the preceding one.
    for step, group in groupby(replay(trace), lambda moment: getattr(moment.record, "step", None)):
        moments = list(group)
        _add_removals(removal_of, moments)
        if step is not None:
            current_step, preceding = step, moments
            if first <= current_step <= last:
                yield f"step-{step}", _step_scene(moments)
            continue
        for moment in moments if first <= current_step <= last else ():
            match moment.record:
                case Dequeued():
                    yield "checked", scene(moment)
                case Failure() as failure:
                    yield "failure", _failure_scene(moment, failure, preceding, removal_of)
                case Restart():
                    yield "restart", scene(moment)
                case Solved():
                    yield "solution", scene(moment)


def _step_scene(moments: Sequence[Moment]) -> Scene:
    """Return the scene of one step, with all constraints that acted in it."""
    if len(moments) == 1:
        return scene(moments[0])
    summary, removals = merge_moments(moments), _removals(moments)
    # Name the reasons of all removals in the caption, each once.
    placed_cause = next((removal.cause for removal in removals if removal.kind == "placed"), None)
    reasons = "; ".join(
        dict.fromkeys(show_cause(removal.cause, removal.constraint) for removal in removals if removal.cause)
    )
    reasons = count_causes(reasons, removals)
    joiner = ", which " if any(len(removal.cause) > 1 for removal in removals) else " " if reasons else ""
    if placed_cause:
        [(variable, value)] = placed_cause
        reasons, joiner = f"{quoted(value)} fits only {variable}", ", which "
    if removals[0].kind == "decided":
        reasons = f"decision: {reasons}"
    # Name the constraints, and join all parts into one caption.
    acted_alone = [removal for removal in removals if reasons and not removal.cause]
    alone = tuple(candidate for removal in acted_alone for candidate in removal.removed)
    by_cause = tuple(candidate for candidate in summary.removed if candidate not in alone)
    names, names_alone = _names_of(removals), _names_of(acted_alone)
    title = f"{reasons}{joiner}removes {show_removed(by_cause, is_short=True)}"
    if alone and names == names_alone:
        title = f"{names}: removes {show_removed(alone, is_short=True)}; {title}"
    else:
        title += f"; {names_alone} alone removes {show_removed(alone, is_short=True)}" if alone else ""
        title += f" · by {names}" if names else ""
    return replace(summary, title=f"step {removals[0].step} · {title} · marked {len(summary.marked)}")


def _names_of(removals: Iterable[Removal]) -> str:
    """Return the names of the constraints that removed values, each once.

    With them are the names of the other constraints that their propagators used.
    """

    def name(constraint: Constraint) -> str:
        return constraint.name if constraint.line else show_place(constraint, is_short=True)

    acted = ((removal.constraint, removal.also_uses) for removal in removals if removal.constraint is not None)
    names = ([name(constraint), ", ".join(map(name, also_uses))] for constraint, also_uses in acted)
    return "; ".join(dict.fromkeys(" with ".join(filter(None, pair)) for pair in names))


def _scenes(trace: Trace) -> Iterator[tuple[str, Scene]]:
    """Yield the name and the scene of each picture of ``frames``."""
    moments = list(replay(trace))
    pending: list[Moment] = []  # removals of the current round, or of the current pass of propagators
    shown_removals: list[Moment] = []
    round_number = next_index = 0
    rules_numbers = count(1)
    removal_of: dict[Candidate, Removal] = {}
    for i, (moment, following) in enumerate(zip(moments, [*moments[1:], None], strict=True)):
        record = moment.record
        _add_removals(removal_of, [moment])
        if i < next_index:
            continue  # the picture of the decision shows this removal
        # A dequeued record belongs to the pass in progress; a variable only while removals of its round follow.
        if isinstance(record, Dequeued):
            is_round_over = record.constraint is None and not (following and _pass_of(following.record) == "round")
            if pending and _pass_of(pending[-1].record) == _pass_of(record) and not is_round_over:
                pending.append(moment)
            continue
        # A removal of another pass ends the pass in progress.
        if isinstance(record, Removal):
            if pending and _pass_of(pending[-1].record) != _pass_of(record):
                yield _pass_scene(pending, round_number, rules_numbers)
                pending = []
            pending.append(moment)
            continue
        # Any other record ends the pass in progress.
        if pending:
            yield _pass_scene(pending, round_number, rules_numbers)
        shown_removals, pending = pending or shown_removals, []
        # Draw the record itself.
        match record:
            case None:
                yield "network", _network_scene(moment, trace)
            case Round():
                round_number = record.number
            case Rest():
                if shown_removals and not (following and isinstance(following.record, Solved)):
                    yield "fixpoint", scene(moment)
            case Solved():
                yield "solution", scene(moment)
            case Failure() as failure:
                yield "failure", _failure_scene(moment, failure, shown_removals, removal_of)
            case Decision():
                shown_removals = _removals_of_step(moments, i + 1)
                next_index = i + 1 + len(shown_removals)
                yield f"decision-{record.node}", _decision_scene(record, shown_removals, following or moment)
    if pending:
        yield _pass_scene(pending, round_number, rules_numbers)


def _pass_of(record: Record | None) -> str:
    """Return a record's kind of pass: ``given``, ``round``, ``filtered`` (propagators), or empty."""
    match record:
        case Removal(kind=kind):
            return kind if kind in ("given", "filtered") else "round"
        case Dequeued(constraint=constraint):
            return "round" if constraint is None else "filtered"
        case Round():
            return "round"
    return ""


def constraints_of(trace: Trace) -> str:
    """Return the number of constraints of a model as text, implied ones counted separately.

    Examples
    --------
    >>> from csp import Equality, Model, Variable, record
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "AC")]
    >>> constraints_of(record(Model({v: range(3) for v in "ABC"}, pairs)))
    '3 constraints, 1 implied'
    """
    implied = len(implied_constraints(trace.origins))
    count = plain_counted(len(trace.model.constraints) - implied, "constraint")
    return f"{count}, {implied} implied" if implied else count


def _network_scene(moment: Moment, trace: Trace) -> Scene:
    """Return the scene of a model before propagation, with its size as title."""
    title = f"start · {len(trace.model.domains)} variables · {constraints_of(trace)}"
    return Scene(title=title, domains=moment.domains)


def _removals(moments: Iterable[Moment]) -> list[Removal]:
    """Return the records of moments that are removals."""
    return [moment.record for moment in moments if isinstance(moment.record, Removal)]


def _pass_scene(moments: Sequence[Moment], round_number: int, rules_numbers: Iterator[int]) -> tuple[str, Scene]:
    """Return a pass's name and its scene, which highlights groups with a last place.

    A pass consists of all givens, of one round, or of the propagators between two rounds. The latter passes have
    numbers of their own, ``rules_numbers``.
    """
    summary, kind, removals = merge_moments(moments), _pass_of(moments[-1].record), _removals(moments)
    name = "givens" if kind == "given" else f"round {round_number}"
    if kind == "filtered":
        name = f"rules {next(rules_numbers)}"
    changed = dict.fromkeys(v for v, _ in summary.removed)
    # The causes of a round are those who acted: at the tails of the arrows.
    losses = tuple(loss for removal in removals for loss in losses_of(removal))
    causes = tuple(dict.fromkeys(v for loss in losses for v in loss.causes))
    along = dict.fromkeys(removal.number for removal in removals if removal.number is not None)
    numbered = [(removal.number, removal) for removal in removals if removal.number is not None and kind != "given"]
    acted = {candidate: number for number, removal in numbered for candidate in removal.removed}
    pass_scene = replace(
        summary, summary=name, fixed=tuple(v for v in changed if len(summary.domains[v]) == 1), active=(),
        constraints=(), along=tuple(along), causes=causes, losses=losses, acted=acted,
    )  # fmt: skip
    return name.replace(" ", "-"), replace(pass_scene, title=summary_caption(pass_scene, summary.domains))


def _add_removals(removal_of: dict[Candidate, Removal], moments: Iterable[Moment]) -> None:
    """Note the last removal of each candidate, which is in force."""
    for removal in _removals(moments):
        removal_of.update(dict.fromkeys(removal.removed, removal))


def _failure_scene(
    moment: Moment, failure: Failure, preceding: Sequence[Moment], removal_of: Mapping[Candidate, Removal]
) -> Scene:
    """Return the scene of a failure, with the removals that led to it.

    The picture before it shows the other removals.
    """
    used = {*failure.removed}
    losses = tuple(_losses_of_failure(failure, removal_of))
    causes = tuple(dict.fromkeys(v for loss in losses for v in loss.causes))
    removed = tuple(loss for loss in merge_moments(preceding).removed if loss in used) if preceding else ()
    failed_scene = scene(moment)
    # Black borders of too many vertices would distinguish nothing.
    causes = failed_scene.causes or (causes if len(causes) <= MANY else ())
    numbers = {candidate: remover.number for remover in failure.removed_by for candidate in remover.removed}
    acted = {candidate: number for candidate, number in numbers.items() if number is not None}
    return replace(failed_scene, removed=removed, losses=losses, causes=causes, removed_by={**removal_of}, acted=acted)


def _losses_of_failure(failure: Failure, removal_of: Mapping[Candidate, Removal]) -> Iterator[Loss]:
    """Yield, for each removed candidate that led to a failure, its removal as a ``Loss``."""
    is_variable = failure.constraint is None  # the signs of a value without a place need no arrows
    for candidate in failure.removed:
        if removal := removal_of.get(candidate):
            losses = losses_of(removal) or (_pair_losses(removal, failure.subject) if is_variable else ())
            yield from (loss._replace(removed=(candidate,)) for loss in losses)


def _pair_losses(removal: Removal, subject: Value | None) -> tuple[Loss, ...]:
    """Return the ``Loss`` of a removal by a pair alone, in a tuple.

    The other variable of the pair is its cause.
    """
    scope = () if removal.constraint is None or removal.kind != "filtered" else removal.constraint.scope
    return tuple(Loss(removal.number, (v,), removal.removed) for v in scope if v != subject and len(scope) == 2)


def _removals_of_step(moments: Sequence[Moment], start: int) -> list[Moment]:
    """Return the consecutive moments of the step that begins at the index ``start``.

    Without such a step, the list is empty.
    """
    step = getattr(moments[start].record, "step", None) if start < len(moments) else None
    return list(takewhile(lambda moment: getattr(moment.record, "step", 0) == step, islice(moments, start, None)))


def _decision_scene(record: Decision, removals: Sequence[Moment], after: Moment) -> Scene:
    """Return the scene of a decision, with the values that the decision removes at once."""
    variable, title = record.candidate[0], caption(record)
    if not removals:
        return Scene(title=title, domains=after.domains, marked=after.marked, active=(variable,))
    summary = merge_moments(removals)
    # Count the removed values of the decided variable and of other variables separately.
    own_values = [candidate for candidate in summary.removed if candidate[0] == variable]
    other_variables = {candidate[0] for candidate in summary.removed if candidate[0] != variable}
    phrases = [show_removed(own_values)] if own_values else []
    if other_variables:
        value_count = plain_counted(len(summary.removed) - len(own_values), "value")
        phrases.append(f"{value_count} from {plain_counted(len(other_variables), 'other')}")
    title = f"{title} · removes {'; '.join(phrases)} · marked {len(summary.marked)}"
    return replace(summary, title=title, active=(variable,), constraints=(), along=summary.constraints)
