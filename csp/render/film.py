"""A trace as one drawing and a list of small patches with their inverses: what the player plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from ..model import Domain, Variable, ordered
from ..story import Moment, Removal, Round, SearchTree, Trace, replay, search_tree
from .plan.contract import line_of, plan_data
from .plan.plan import Plan
from .scene import scene, settled

Numbers = Mapping[Variable, int]
"""What the film calls each variable."""


def film(trace: Trace) -> dict[str, Any]:
    """Everything that a player needs, as plain data for JSON.

    A candidate is one number: the number of its variable times the number of values, plus that of its value.
    The patch of a record has ``gone`` and ``back``, the candidates that it takes away and gives back, and ``queue``:
    in turn, a place in the queue, the variables that leave it there, and those that come instead. Swapped, and the
    last place first, it is its own inverse.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    dict
        The plan of the picture (``csp.render.plan.contract.PlanData``), ``records``, and ``trees``: the whole one, and
        collapsed.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair", line=3)])
    >>> for patch in film(record(model))["records"]:
    ...     print(patch)
    {'kind': 'round', 'round': 1, 'text': 'round 1 · marked 0'}
    {'kind': 'fixed', 'step': 1, 'constraint': 0, 'cause': [0], 'gone': [2], 'queue': [[0, [], [1]]], \
'text': 'step 1 · pair (line 3): A = 1 removes 1 from B · marked 1'}
    {'kind': 'taken', 'active': [1], 'queue': [[0, [1], []]], 'text': 'taken · B: nothing to tell · marked 0'}
    {'kind': 'rest', 'text': 'at rest · 0 open'}
    """
    plan = Plan(trace.model, trace.origins)
    values = ordered(value for domain in dict.fromkeys(trace.model.domains.values()) for value in domain)
    numbers = {variable: number for number, variable in enumerate(trace.model.domains)}
    tree = search_tree(trace)
    return {
        **plan_data(plan),
        "records": list(_patches(trace, numbers, values)),
        "trees": [_tree(tree), _tree(tree.collapsed())],
    }


def _patches(trace: Trace, numbers: Numbers, values: Domain) -> Iterator[dict[str, Any]]:
    number = {value: i for i, value in enumerate(values)}

    def codes(before: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """The candidates that only the first has."""
        return [
            numbers[variable] * len(values) + number[value]
            for variable, domain in before.items()
            if domain is not after[variable] and domain != after[variable]
            for value in domain
            if value not in after[variable]
        ]

    for before, after in pairwise(replay(trace)):
        record, shown = after.record, scene(after)
        assert record is not None
        patch: dict[str, Any] = {"kind": _kind(after)}
        if isinstance(record, Round):
            patch["round"] = record.number
        if isinstance(record, Removal):
            patch["step"] = record.step
        if changed := settled(record):
            patch["settled"] = numbers[changed]
        if shown.constraints:
            [patch["constraint"]] = shown.constraints
        elif shown.active:
            patch["active"] = [numbers[variable] for variable in shown.active]
        lists: dict[str, list[Any]] = {
            "cause": [numbers[variable] for variable in shown.causes],
            "gone": codes(before.domains, after.domains),
            "back": codes(after.domains, before.domains),
            "queue": _queue([numbers[v] for v in before.marked], [numbers[v] for v in after.marked]),
            "relies": sorted({line for one in getattr(record, "relies", ()) if (line := line_of(one))}),
        }
        patch.update({name: found for name, found in lists.items() if found})
        patch["text"] = shown.title
        yield patch


def _queue(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """Where the queue changes: the place, what leaves it there, and what comes."""
    if before == after:
        return []
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[at, before[i:j], after[at:end]] for tag, i, j, at, end in changes if tag != "equal"]


def _kind(moment: Moment) -> str:
    record = moment.record
    return record.kind if isinstance(record, Removal) else type(record).__name__.lower()


def _tree(tree: SearchTree) -> list[dict[str, Any]]:
    nodes = []
    for node, (x, y) in zip(tree.nodes, tree.places(), strict=True):
        shown: dict[str, Any] = {"kind": node.kind, "x": x, "y": y, "first": node.first, "last": node.last}
        if node.parent is not None:
            shown["parent"] = node.parent
            shown["edge"] = node.edge
        if node.kind == "collapsed":
            shown["count"] = node.failures
        shown["text"] = node.outcome
        nodes.append(shown)
    return nodes
