"""Which moments of a trace become numbered pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, replace
from itertools import groupby, islice, takewhile

from ..base.notation import quoted
from ..board.signs import implied_constraints
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
from .scene import Scene, first, merged, scene
from .style import plain_counted


class Frame(Scene):
    """A scene with a place in the sequence.

    Attributes
    ----------
    number : int
        From 0.
    name : str
        What it shows, fit for the name of a file: ``network``, ``givens``, ``round-1``, ``fixpoint`` ...
    """

    _: KW_ONLY
    number: int
    name: str


def frames(trace: Trace) -> Iterator[Frame]:
    """The moments of a trace that are worth a picture.

    They are the bare network, the givens, every round that removed something, and the fixpoint; then every decision of
    the search with what it removes at once, the rounds that follow, and the fixpoint, failure or solution that they led
    to. A fixpoint before which nothing was removed makes no picture, nor does what was taken off the queue and had
    nothing to tell.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [frame.name for frame in frames(trace)]
    ['network', 'round-1', 'fixpoint']
    """
    yield from _numbered(_scenes(trace))


def step_frames(trace: Trace, first: int, last: int) -> Iterator[Frame]:
    """One frame for every step of a range, and for everything taken, failure, restart and solution that follows one.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [(frame.name, frame.removed, frame.marked) for frame in step_frames(trace, 1, 1)]
    [('step-1', (('B', 1),), ('B',)), ('taken', (), ('B',)), ('taken', (), ())]
    """
    yield from _numbered(_steps(trace, first, last))


def _numbered(scenes: Iterable[tuple[str, Scene]]) -> Iterator[Frame]:
    for number, (name, shown) in enumerate(scenes):
        yield Frame(**vars(shown), number=number, name=name)


def _steps(trace: Trace, first: int, last: int) -> Iterator[tuple[str, Scene]]:
    now = 0
    before: list[Moment] = []
    for step, group in groupby(replay(trace), lambda moment: getattr(moment.record, "step", None)):
        moments = list(group)
        if step is not None:
            now, before = step, moments
            if first <= now <= last:
                yield f"step-{step}", _step(moments)
            continue
        for moment in moments if first <= now <= last else ():
            match moment.record:
                case Dequeued():
                    yield "taken", scene(moment)
                case Failure():
                    yield "failure", _failure(moment, before)
                case Restart():
                    yield "restart", scene(moment)
                case Solved():
                    yield "solution", scene(moment)


def _step(moments: Sequence[Moment]) -> Scene:
    """What a step has removed, with all the constraints that it has gone through."""
    if len(moments) == 1:
        return scene(moments[0])
    whole, removals = merged(moments), _removals(moments)
    placed = next((one.cause for one in removals if one.kind == "placed"), None)
    causes = "; ".join(dict.fromkeys(show_cause(one.cause, one.constraint) for one in removals if one.cause))
    which = ", which " if any(len(one.cause) > 1 for one in removals) else " " if causes else ""
    if placed:
        [(variable, value)] = placed
        causes, which = f"{quoted(value)} fits only {variable}", ", which "
    names = ", ".join(dict.fromkeys(one.constraint.name for one in removals if one.constraint is not None))
    title = f"{causes}{which}removes {show_removed(whole.removed)} · {names}"
    return replace(whole, title=f"step {removals[0].step} · {title} · marked {len(whole.marked)}")


def _scenes(trace: Trace) -> Iterator[tuple[str, Scene]]:
    moments = list(replay(trace))
    pending: list[Moment] = []  # what the round, or the filters, have removed so far
    last: list[Moment] = []
    number = seen = 0
    for i, (moment, following) in enumerate(zip(moments, [*moments[1:], None], strict=True)):
        record = moment.record
        if i < seen:
            continue  # it is in the picture of its decision
        if isinstance(record, Dequeued):
            sweeps = record.constraint is None and not (following and _pass(following.record) == "round")
            if pending and _pass(pending[-1].record) == _pass(record) and not sweeps:
                pending.append(moment)
            continue
        if isinstance(record, Removal):
            if pending and _pass(pending[-1].record) != _pass(record):
                yield _together(pending, number)
                pending = []
            pending.append(moment)
            continue
        if pending:
            yield _together(pending, number)
        last, pending = pending or last, []
        match record:
            case None:
                yield "network", _network(moment, trace)
            case Round():
                number = record.number
            case Rest():
                if last and not (following and isinstance(following.record, Solved)):
                    yield "fixpoint", scene(moment)
            case Solved():
                yield "solution", scene(moment)
            case Failure():
                yield "failure", _failure(moment, last)
            case Decision():
                last = _decided(moments, i + 1)
                seen = i + 1 + len(last)
                yield f"decision-{record.node}", _decision(record, last, following or moment)
    if pending:
        yield _together(pending, number)


def _pass(record: Record | None) -> str:
    """The pass that a record is part of: the givens, a round, or the filters."""
    match record:
        case Removal(kind=kind):
            return kind if kind in ("given", "filtered") else "round"
        case Dequeued(constraint=constraint):
            return "round" if constraint is None else "filtered"
        case Round():
            return "round"
    return ""


def constraints_of(trace: Trace) -> str:
    """How many constraints there are, those that were found to follow apart.

    Examples
    --------
    >>> from csp import Equality, Model, Variable, record
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "AC")]
    >>> constraints_of(record(Model({v: range(3) for v in "ABC"}, pairs)))
    '3 constraints, 1 implied'
    """
    implied = len(implied_constraints(trace.origins))
    asked = plain_counted(len(trace.model.constraints) - implied, "constraint")
    return f"{asked}, {implied} implied" if implied else asked


def _network(moment: Moment, trace: Trace) -> Scene:
    title = f"the network · {len(trace.model.domains)} variables · {constraints_of(trace)}"
    return Scene(title=title, domains=moment.domains, following=first(moment))


def _removals(moments: Iterable[Moment]) -> list[Removal]:
    return [moment.record for moment in moments if isinstance(moment.record, Removal)]


def _together(moments: Sequence[Moment], number: int) -> tuple[str, Scene]:
    """What a pass has removed, in one picture."""
    whole, kind = merged(moments), _pass(moments[-1].record)
    narrowed = len({variable for variable, _ in whole.removed})
    fixed = len({variable for one in _removals(moments) for variable, _ in one.cause})
    what = {"given": "givens", "filtered": "filters", "round": f"round {number}"}[kind]
    title = (
        f"{what} · removed {plain_counted(len(whole.removed), 'value')} "
        f"from {plain_counted(narrowed, 'vertex', 'vertices')}"
        f"{f' · fixed {fixed}' if kind == 'round' else ''} · marked {len(whole.marked)}"
    )
    return what.replace(" ", "-"), replace(whole, title=title, active=(), constraints=(), along=whole.constraints)


def _failure(moment: Moment, before: Sequence[Moment]) -> Scene:
    """The failure, with what was removed just before: the reader sees what the last values were."""
    shown = scene(moment)
    if not before:
        return shown
    whole = merged(before)
    return replace(shown, removed=whole.removed)


def _decided(moments: Sequence[Moment], start: int) -> list[Moment]:
    """The removals of the step that begins at a moment, if one does."""
    step = getattr(moments[start].record, "step", None) if start < len(moments) else None
    return list(takewhile(lambda moment: getattr(moment.record, "step", 0) == step, islice(moments, start, None)))


def _decision(record: Decision, removals: Sequence[Moment], after: Moment) -> Scene:
    """A decision, with the values that it takes from its own variable and at once from others."""
    variable, title = record.candidate[0], caption(record)
    if not removals:
        return Scene(title=title, domains=after.domains, marked=after.marked, active=(variable,))
    whole = merged(removals)
    own = [one for one in whole.removed if one[0] == variable]
    others = {one[0] for one in whole.removed if one[0] != variable}
    parts = [show_removed(own)] if own else []
    if others:
        many = plain_counted(len(whole.removed) - len(own), "value")
        parts.append(f"{many} from {plain_counted(len(others), 'other')}")
    title = f"{title} · removes {'; '.join(parts)} · marked {len(whole.marked)}"
    return replace(whole, title=title, active=(variable,), constraints=(), along=whole.constraints)
