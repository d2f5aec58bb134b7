"""What one picture shows: the state of a moment, and what is at work in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, field

from ..base.frozen import Frozen
from ..model import Candidate, Domain, Variable
from ..trace import Decision, Dequeued, Failure, Moment, Removal, headline


class Scene(Frozen):
    """What one picture shows.

    Attributes
    ----------
    title : str
        The caption underneath.
    domains : mapping of Variable to tuple
        What is left.
    marked : tuple of Variable
    removed : tuple of Candidate
        Values that have just gone, and are still seen, struck out.
    causes : tuple of Variable
        The vertices that made them go by what is left to them.
    reasons : mapping of int to tuple of Variable
        Those of each constraint at work.
    active : tuple of Variable
        The scopes of the constraints at work, or the variables that are decided or taken off the queue.
    failed : tuple of Variable
        Those on which a failure is seen, which ``failure`` tells.
    constraints : tuple of int
        The numbers of the constraints at work, in the model of the trace.
    along : tuple of int
        Those that worked in what many steps show together, where no one of them is at work.
    following : Variable or None
        The first vertex in the queue; of the bare network, if none waits, the first of all.
    pencil : frozenset of Variable
        Those whose single value nobody has written down.
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
    following: Variable | None = None
    pencil: frozenset[Variable] = frozenset()

    def causes_of(self, number: int) -> tuple[Variable, ...]:
        """Those of a constraint; where it alone has none, all."""
        return self.reasons.get(number) or self.causes


MANY = 20
"""Of more variables not all are hatched where a constraint cannot hold."""


def first(moment: Moment) -> Variable | None:
    """The first vertex in the queue, if there is one; before anything has happened, else the first of all.

    Examples
    --------
    >>> from csp import Model, record, replay
    >>> [first(moment) for moment in replay(record(Model({"A": (1,)})))]
    ['A', 'A', None, None]
    """
    waiting = [one.variable for one in moment.queue if one.variable is not None]
    return next(iter(waiting or ([] if moment.record else moment.domains)), None)


def scene(moment: Moment) -> Scene:
    """What the picture of a moment shows.

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
    match moment.record:
        case None:
            title = f"the network · {len(moment.domains)} variables"
            return Scene(title=title, domains=moment.domains, following=first(moment))
        case Removal() as one:
            causes = _reasons(one)
            number, removed = one.number, one.removed
            active = _variables(one.cause) if one.constraint is None else one.constraint.scope
        case Failure() as one:
            number, causes = one.number, _variables(one.cause)
        case Dequeued() as one:
            number = one.number
            active = one.taken if one.constraint is None else one.constraint.scope
        case Decision() as one:
            active = (one.candidate[0],)
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
        following=first(moment),
    )


def _reasons(removal: Removal) -> tuple[Variable, ...]:
    """The vertices that are why: for the only place of a value all other places, and for a decision none."""
    own = _variables(removal.cause)
    if removal.kind not in ("placed", "decided"):
        return own
    return () if removal.constraint is None else tuple(v for v in removal.constraint.scope if v not in own)


def _variables(cause: Sequence[Candidate]) -> tuple[Variable, ...]:
    return tuple(dict.fromkeys(variable for variable, _ in cause))


def _failing(failure: Failure) -> tuple[Variable, ...]:
    """The variables on which a failure is seen: of a constraint on many that cannot hold, those that are why."""
    if failure.constraint is not None:
        own = _variables(failure.cause) if failure.what is None and len(failure.constraint.scope) > MANY else ()
        return own or failure.constraint.scope
    return (failure.what,) if isinstance(failure.what, Variable) else ()


def merged(moments: Sequence[Moment]) -> Scene:
    """What several moments in a row show together; the title has a line for each.

    A vertex that is only now brought down to one value, by a decision or as the only place of a value, is no cause of
    that, but of what goes from others on its account.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record, replay
    >>> model = Model({"A": (1,), "B": (1, 2), "C": (2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> whole = merged([moment for moment in replay(record(model, "arc")) if isinstance(moment.record, Removal)])
    >>> whole.removed, whole.causes, whole.active, len(whole.constraints)
    ((('B', 1), ('C', 2)), ('A', 'B'), ('A', 'B', 'C'), 1)
    """
    scenes = [scene(moment) for moment in moments]
    reasons: dict[int, tuple[Variable, ...]] = {}
    for one in scenes:
        for number, causes in one.reasons.items():
            reasons[number] = tuple(dict.fromkeys((*reasons.get(number, ()), *causes)))
    return Scene(
        title="\n".join(one.title for one in scenes),
        domains=scenes[-1].domains,
        marked=scenes[-1].marked,
        removed=tuple(candidate for one in scenes for candidate in one.removed),
        causes=tuple(dict.fromkeys(v for one in scenes for v in one.causes)),
        reasons=reasons,
        active=tuple(dict.fromkeys(variable for one in scenes for variable in one.active)),
        constraints=tuple(dict.fromkeys(number for one in scenes for number in one.constraints)),
        following=scenes[-1].following,
    )
