"""A trace as one drawing and a list of small patches with their inverses: what the player plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from ...model import Candidate, Constraint, Domain, Model, Variable, ordered
from ...picture.layout.failing import failure_shapes
from ...picture.legend import MATCHING, SIGNS
from ...picture.plan import Plan
from ...picture.scene import Scene, scene
from ...trace import (
    Dequeued,
    Failure,
    Moment,
    Record,
    Removal,
    Round,
    Trace,
    Waiting,
    kind_of,
    replay,
    search_tree,
    show_reason,
)
from .data import ALONE, Numbers, mark_data, plan_data, spec_line
from .drawings import film_drawings
from .matchings import Matchings
from .trees import both, shape_data


def film(trace: Trace, plan: Plan | None = None) -> dict[str, Any]:
    """Everything that a player needs, as plain data for JSON.

    A candidate is one number: the number of its variable times the number of values, plus that of its value.
    The patch of a record has ``gone`` and ``back``, the candidates that it takes away and gives back, ``marks``, the
    variables that get or lose their asterisk, and ``queue``: in turn, a place in the queue, those of ``waiting`` that
    leave it there, and those that come instead. Swapped, and the last place first, it is its own inverse. ``drawn`` are
    the marks that it puts or takes away. A filter that was taken and had nothing to tell has no ``text``: it follows
    from the name of its constraint. Where a group of different values is to be seen, since it was at work last,
    ``pairs`` has what is new about it (``csp.render.page.contract.MatchingData``). A failure has ``signs``, the marks
    of what it looks like, as their numbers in ``tokens``.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair", line=3)])
    >>> for patch in film(record(model))["records"]:
    ...     print({name: value for name, value in patch.items() if name not in ("pairs", "queue")})
    {'kind': 'round', 'round': 1, 'text': 'round 1 · marked 0'}
    {'kind': 'fixed', 'step': 1, 'constraint': 0, 'cause': [0], 'gone': [2], 'marks': [1], \
'reason': 'pair (line 3): A = 1 removes 1 from B'}
    {'kind': 'taken', 'constraint': 0, 'text': 'taken · pair (line 3): 2 fits only B, nothing to tell · marked 1'}
    {'kind': 'taken', 'active': [1], 'marks': [1], 'text': 'taken · B: nothing to tell · marked 0'}
    {'kind': 'rest', 'text': 'at rest · 0 open'}
    """
    plan = plan or Plan(trace.model, trace.origins)
    values = ordered(value for domain in dict.fromkeys(trace.model.domains.values()) for value in domain)
    numbers = {variable: number for number, variable in enumerate(trace.model.domains)}
    tree = search_tree(trace)
    waiting: dict[Waiting, int] = {one: number for number, one in enumerate(trace.queue)}
    matchings = Matchings(trace.model)
    moments = [(moment, plan.with_visible_failure(scene(moment))) for moment in replay(trace)]
    start = matchings.after(*moments[0])
    patches = list(_patches(moments, plan, numbers, values, waiting, matchings))
    failed: dict[str, int] = {}
    tokens: list[Any] = []
    for patch in patches:
        for i, mark in enumerate(patch.get("signs", ())):
            if (known := failed.setdefault(repr(mark), len(tokens))) == len(tokens):
                tokens.append(mark)
            patch["signs"][i] = known
    drawn, turned = film_drawings(plan, trace)
    for patch, own in zip(patches, turned, strict=False):
        patch.update({"drawn": own} if own else {})
    worked: dict[int, set[frozenset[Variable]]] = {ALONE: set()}
    for _, shown in moments:
        alone = shown.active if len(shown.active) == 1 else [shown.following] if shown.following else ()
        if alone and not shown.constraints:
            worked[ALONE].add(frozenset(alone))
        for one in shown.constraints:
            worked.setdefault(one, set()).add(frozenset(shown.causes))
    return {
        **plan_data(plan, worked),
        "waiting": [_waits(one, trace.model, numbers) for one in waiting],
        "queue": len(trace.queue),
        "pairs": start,
        **matchings.tables(numbers, values),
        "matching": [SIGNS.index(entry) for entry in MATCHING],
        **({"drawn": drawn} if drawn else {}),
        **({"tokens": tokens} if tokens else {}),
        "records": patches,
        "shapes": shape_data((tree.with_untried(), tree.collapsed())),
        "trees": both(tree, [patch.get("text", "") for patch in patches]),
    }


def _waits(one: Waiting, model: Model, numbers: Numbers) -> list[str | int]:
    """Its name, empty where it is that of the variable or of the constraint, and their numbers."""
    own = one.variable if one.number is None else model.constraints[one.number].name
    name = "" if one.name == own else one.name
    return [name, -1 if one.variable is None else numbers[one.variable], -1 if one.number is None else one.number]


def _patches(
    moments: Sequence[tuple[Moment, Scene]],
    plan: Plan,
    numbers: Numbers,
    values: Domain,
    waiting: dict[Waiting, int],
    matchings: Matchings,
) -> Iterator[dict[str, Any]]:
    """The patches of all records; who waits gets a number when he comes first."""
    number = {value: i for i, value in enumerate(values)}

    def codes(before: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """The candidates that only the first has."""
        if before is after:
            return []
        changed = [(variable, domain) for variable, domain in before.items() if domain is not after[variable]]
        return [
            numbers[variable] * len(values) + number[value]
            for variable, domain in changed
            for value in domain
            if value not in after[variable]
        ]

    queued = [waiting.setdefault(one, len(waiting)) for one in moments[0][0].queue]
    for (before, _), (after, shown) in pairwise(moments):
        record = after.record
        assert record is not None
        patch: dict[str, Any] = {"kind": _kind(record)}
        if isinstance(record, Round):
            patch["round"] = record.number
        if isinstance(record, Removal):
            patch["step"] = record.step
        if shown.constraints:
            [patch["constraint"]] = shown.constraints
        own = shown.failed or (() if shown.constraints else shown.active)
        if own and not any(plan.model.constraints[number].scope == own for number in shown.constraints):
            patch["active"] = [numbers[variable] for variable in own]
        lists: dict[str, list[Any]] = {
            "cause": [numbers[variable] for variable in shown.causes],
            "lost": [numbers[v] * len(values) + number[value] for v, value in _lost(record, plan.model)],
            "gone": codes(before.domains, after.domains),
            "back": [] if isinstance(record, Removal) else codes(after.domains, before.domains),
            "marks": sorted(numbers[v] for v in {*before.marked} ^ {*after.marked}),
            "queue": _queue(queued, queued := [waiting.setdefault(one, len(waiting)) for one in after.queue]),
            "pairs": matchings.after(after, shown),
            "signs": []
            if shown.failure is None
            else list(map(mark_data, failure_shapes(plan.model, plan.layout, shown.failure, shown.failed))),
            "relies": sorted({line for one in getattr(record, "relies", ()) if (line := spec_line(one))}, key=_order),
        }
        patch.update({name: found for name, found in lists.items() if found})
        if isinstance(record, Removal):
            patch["reason"] = show_reason(record)
        elif not _is_plain(record):
            patch["text"] = shown.title
        yield patch


def _is_plain(record: Record) -> bool:
    """Whether the page words a record all by itself: a filter of the spec had its turn, and had nothing to tell."""
    return (
        isinstance(record, Dequeued)
        and record.constraint is not None
        and record.is_asked
        and not (record.only or record.constraint.file)
    )


def _order(line: int | str) -> tuple[bool, int | str]:
    """Lines of the spec before those of other files."""
    return isinstance(line, str), line


def _lost(record: Record, model: Model) -> Iterator[Candidate]:
    """What had to be gone, where the cause does not say it: the other places of a value, or a whole line."""
    match record:
        case Removal(kind="placed", constraint=Constraint() as constraint, cause=((variable, value),)):
            elements = {element.variables[0]: element for element in constraint.apart()}
            placed = elements[variable].image(value)
            for other, element in elements.items():
                if other != variable:
                    yield from ((other, own) for own in model.domains[other] if element.image(own) == placed)
        case Failure(takers=takers):
            for _, taken in takers:
                yield from taken


def _queue(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """Where the queue changes: the place, what leaves it there, and what comes."""
    if before == after:
        return []
    behind = len(before) - 1
    if behind > 0 and before[1:] == after[:behind]:  # one is taken, and others come behind, as most often
        return [[0, before[:1], []], *([[behind, [], after[behind:]]] if after[behind:] else [])]
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[at, before[i:j], after[at:end]] for tag, i, j, at, end in changes if tag != "equal"]


def _kind(record: Record) -> str:
    return record.kind if isinstance(record, Removal) else kind_of(record)
