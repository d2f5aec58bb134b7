"""Convert a trace into a film for the page: a picture and reversible changes."""

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
from .data import NO_CONSTRAINT, Numbers, plan_data, shape_data, spec_line
from .drawings import film_drawings
from .matchings import Matchings
from .trees import node_kind_data, tree_pair


def film(trace: Trace, plan: Plan | None = None) -> dict[str, Any]:
    """Convert a trace into the JSON data that the player needs.

    A candidate is one number: the number of its variable times the number of values, plus the number of its value.
    The patch of a record has these fields, each only if it is not empty:

    - ``gone`` and ``back``: the candidates that the record removes and restores
    - ``marks``: the variables that get or lose their asterisk
    - ``queue``: changes of the queue, each with a position, the entries of ``waiting`` removed there, and the entries
      inserted there. Applied in reverse order with the two lists swapped, the changes undo themselves.
    - ``drawn``: the shapes that appear or disappear
    - ``pairs``: the new matchings of the last active group (``csp.render.page.contract.MatchingData``)
    - ``signs``: the shapes of a failure, as numbers in ``tokens``
    - ``reason`` of a removal, or else ``text``: the caption. A dequeued propagator that removed nothing has neither,
      because the page derives its caption from the name of its constraint.

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
    waiting: dict[Waiting, int] = {entry: number for number, entry in enumerate(trace.queue)}
    matchings = Matchings(trace.model)
    moments = [(moment, plan.with_visible_failure(scene(moment))) for moment in replay(trace)]
    first_matchings = matchings.after(*moments[0])
    patches = list(_patches(moments, plan, numbers, values, waiting, matchings))
    # Store each shape of a failure once.
    token_numbers: dict[str, int] = {}
    tokens: list[Any] = []
    for patch in patches:
        for i, shape in enumerate(patch.get("signs", ())):
            if (token := token_numbers.setdefault(repr(shape), len(tokens))) == len(tokens):
                tokens.append(shape)
            patch["signs"][i] = token
    drawings, drawn_changes = film_drawings(plan, trace)
    for patch, changed_drawings in zip(patches, drawn_changes, strict=False):
        patch.update({"drawn": changed_drawings} if changed_drawings else {})
    # Collect the variables from which edges of propagation start, so that the film contains only edges that show.
    causes: dict[int, set[frozenset[Variable]]] = {NO_CONSTRAINT: set()}
    for _, scene_now in moments:
        alone = scene_now.active if len(scene_now.active) == 1 else [scene_now.following] if scene_now.following else ()
        if alone and not scene_now.constraints:
            causes[NO_CONSTRAINT].add(frozenset(alone))
        for number in scene_now.constraints:
            causes.setdefault(number, set()).add(frozenset(scene_now.causes))
    return {
        **plan_data(plan, causes),
        "waiting": [_waiting_data(entry, trace.model, numbers) for entry in waiting],
        "queue": len(trace.queue),
        "pairs": first_matchings,
        **matchings.tables(numbers, values),
        "matching": [SIGNS.index(entry) for entry in MATCHING],
        **({"drawn": drawings} if drawings else {}),
        **({"tokens": tokens} if tokens else {}),
        "records": patches,
        "shapes": node_kind_data((tree.with_untried(), tree.collapse())),
        "trees": tree_pair(tree, [patch.get("text", "") for patch in patches]),
    }


def _waiting_data(entry: Waiting, model: Model, numbers: Numbers) -> list[str | int]:
    """Return the data of a queue entry: its name, variable and constraint.

    Variable and constraint are numbers, -1 for none.
    The name is empty if it equals the name of the variable or of the constraint.
    """
    default_name = entry.variable if entry.number is None else model.constraints[entry.number].name
    name = "" if entry.name == default_name else entry.name
    return [
        name,
        -1 if entry.variable is None else numbers[entry.variable],
        -1 if entry.number is None else entry.number,
    ]


def _patches(
    moments: Sequence[tuple[Moment, Scene]],
    plan: Plan,
    numbers: Numbers,
    values: Domain,
    waiting: dict[Waiting, int],
    matchings: Matchings,
) -> Iterator[dict[str, Any]]:
    """Yield the changes of each record; add new queue entries to ``waiting``."""
    number = {value: i for i, value in enumerate(values)}

    def removed_codes(before: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """Return the candidates that a change of the domains removes."""
        if before is after:
            return []
        changed = [(variable, domain) for variable, domain in before.items() if domain is not after[variable]]
        return [
            numbers[variable] * len(values) + number[value]
            for variable, domain in changed
            for value in domain
            if value not in after[variable]
        ]

    queued = [waiting.setdefault(entry, len(waiting)) for entry in moments[0][0].queue]
    for (before, _), (after, scene_now) in pairwise(moments):
        record = after.record
        assert record is not None
        patch: dict[str, Any] = {"kind": _record_kind(record)}
        if isinstance(record, Round):
            patch["round"] = record.number
        if isinstance(record, Removal):
            patch["step"] = record.step
        if scene_now.constraints:
            [patch["constraint"]] = scene_now.constraints
        # List the active variables, unless they are the scope of the active constraint.
        active_variables = scene_now.failed or (() if scene_now.constraints else scene_now.active)
        if active_variables and not any(
            plan.model.constraints[number].scope == active_variables for number in scene_now.constraints
        ):
            patch["active"] = [numbers[variable] for variable in active_variables]
        lists: dict[str, list[Any]] = {
            "cause": [numbers[variable] for variable in scene_now.causes],
            "lost": [numbers[v] * len(values) + number[value] for v, value in _needed_removals(record, plan.model)],
            "gone": removed_codes(before.domains, after.domains),
            "back": [] if isinstance(record, Removal) else removed_codes(after.domains, before.domains),
            "marks": sorted(numbers[v] for v in {*before.marked} ^ {*after.marked}),
            "queue": _queue_changes(
                queued, queued := [waiting.setdefault(entry, len(waiting)) for entry in after.queue]
            ),
            "pairs": matchings.after(after, scene_now),
            "signs": []
            if scene_now.failure is None
            else list(map(shape_data, failure_shapes(plan.model, plan.layout, scene_now.failure, scene_now.failed))),
            "relies": sorted(
                {line for one in getattr(record, "also_uses", ()) if (line := spec_line(one))}, key=_line_order
            ),
        }
        patch.update({name: entries for name, entries in lists.items() if entries})
        if isinstance(record, Removal):
            patch["reason"] = show_reason(record)
        elif not _is_worded_by_page(record):
            patch["text"] = scene_now.title
        yield patch


def _is_worded_by_page(record: Record) -> bool:
    """Return whether the page itself can write the caption of a record.

    It can for a dequeued propagator of the spec that removed nothing.
    """
    return (
        isinstance(record, Dequeued)
        and record.constraint is not None
        and record.is_asked
        and not (record.last_place or record.constraint.file)
    )


def _line_order(line: int | str) -> tuple[bool, int | str]:
    """Return a sort key for lines: the spec before included files."""
    return isinstance(line, str), line


def _needed_removals(record: Record, model: Model) -> Iterator[Candidate]:
    """Yield earlier removals on which a record depends, besides its causes.

    A value placed by a hidden single needs its removal from all other variables of the group. A failure needs
    the removals of a value from all places.
    """
    match record:
        case Removal(kind="placed", constraint=Constraint() as constraint, cause=((variable, value),)):
            elements = {element.variables[0]: element for element in constraint.apart()}
            placed = elements[variable].image(value)
            for other_variable, element in elements.items():
                if other_variable != variable:
                    yield from (
                        (other_variable, own) for own in model.domains[other_variable] if element.image(own) == placed
                    )
        case Failure(removed_by=removed_by):
            for _, candidates in removed_by:
                yield from candidates


def _queue_changes(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """Return how the queue changes: a position, removed and inserted entries."""
    if before == after:
        return []
    last = len(before) - 1
    if last > 0 and before[1:] == after[:last]:  # the most frequent change: dequeue the first entry, append others
        return [[0, before[:1], []], *([[last, [], after[last:]]] if after[last:] else [])]
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[at, before[i:j], after[at:end]] for tag, i, j, at, end in changes if tag != "equal"]


def _record_kind(record: Record) -> str:
    return record.kind if isinstance(record, Removal) else kind_of(record)
