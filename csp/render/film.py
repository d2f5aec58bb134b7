"""A trace as one drawing and a list of small patches with their inverses: what the player plays."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..constraints import AllDifferent, Equality, Linear
from ..model import Domain, Model, Variable, ordered
from ..moments import Moment, replay
from ..network import network, primal
from ..records import Failure, Removal, Round, Trace
from ..tree import SearchTree, search_tree
from .chips import chips, short
from .dot import WIDE_SEAM
from .layout import CELL, Layout, curve, headers, layout, value_width
from .scene import scene
from .signs import Cage, Sign, signs

DIGITS, BITMAP = 9, 16
"""Up to so many values a cell spells them out, or shows each as a bit; beyond, it shows how many there are."""
CHIP = (52.0, 28.0)
BENDS = 10_000
"""With more pairs of an edge and a vertex, edges run straight: nobody could follow a bow there."""


def film(trace: Trace) -> dict[str, Any]:
    """Everything that a player needs, as plain data for JSON.

    A candidate is one number: the number of its variable times the number of values, plus that of its value.
    The patch of a record has ``gone`` and ``back``, the candidates that it takes away and gives back, and
    ``marks``, the variables whose asterisk comes or goes; swap the first two, and it is its own inverse.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    dict
        ``values``, ``vertices``, ``rules`` (the constraints, in order), ``edges``, ``signs`` and ``cages`` between the
        cells of a grid, ``headers``, ``records``, ``trees`` (the whole one, and collapsed), and sizes.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair", line=3)])
    >>> for patch in film(record(model))["records"]:
    ...     print(patch)
    {'kind': 'round', 'round': 1, 'text': 'round 1 · marked 0'}
    {'kind': 'fixed', 'step': 1, 'rule': 0, 'cause': [0], 'gone': [2], 'marks': [1], \
'text': 'step 1 · pair (line 3): A = 1 removes 1 from B · marked 1'}
    {'kind': 'rest', 'marks': [1], 'text': 'at rest · 0 open'}
    """
    model, picture = trace.model, layout(trace.model)
    between = signs(model, picture.grids) if picture.crowded else []
    if between:
        picture = layout(model, seam=WIDE_SEAM)
    values = ordered(value for domain in dict.fromkeys(model.domains.values()) for value in domain)
    cells = [variable for variable in model.domains if picture.is_cell(variable)]
    tree = search_tree(trace)
    return {
        "values": list(map(str, values)),
        "cell": CELL,
        "card": picture.card,
        "style": _cell_style(model, cells),
        "vertices": _vertices(model, picture, values),
        "rules": _rules(model, picture, {one.number for one in between}),
        "edges": list(_edges(model, picture)),
        "signs": _signs(model, [one for one in between if isinstance(one, Sign)]),
        "cages": _cages(model, [one for one in between if isinstance(one, Cage)]),
        "headers": [
            [text, *point]
            for grid in picture.grids
            if all(map(picture.is_cell, grid))
            for text, point in headers(grid, picture.points)
        ],
        "records": list(_patches(trace, values)),
        "trees": [_tree(tree), _tree(tree.collapsed())],
    }


def _cell_style(model: Model, cells: list[Variable]) -> str:
    """How the cells of a large grid show their domains."""
    universe = {value for variable in cells for value in model.domains[variable]}
    if len(universe) <= DIGITS and all(len(str(value)) == 1 for value in universe):
        return "digits"
    return "bitmap" if len(universe) <= BITMAP else "size"


def _vertices(model: Model, picture: Layout, values: Domain) -> list[dict[str, Any]]:
    number = {value: i for i, value in enumerate(values)}
    vertices = []
    for variable, domain in model.domains.items():
        x, y = picture.points[variable]
        vertex: dict[str, Any] = {"name": variable, "x": x, "y": y, "domain": [number[value] for value in domain]}
        if picture.is_cell(variable):
            vertex["cell"] = True
        else:
            vertex["columns"] = picture.columns[variable]
            vertex["wide"] = value_width(max(len(str(value)) for value in domain))
        vertices.append(vertex)
    return vertices


def _rules(model: Model, picture: Layout, seen: Collection[int]) -> list[dict[str, Any]]:
    """The constraints, with the place of their vertex unless they are seen between the cells of a grid."""
    number = {variable: i for i, variable in enumerate(model.domains)}
    numbers = [i for i in range(len(model.constraints)) if i not in seen]
    chip_of = {chip.number: chip for chip in chips(model, picture, numbers)}
    rules = []
    for i, constraint in enumerate(model.constraints):
        rule: dict[str, Any] = {"name": constraint.name, "scope": [number[v] for v in constraint.scope]}
        if constraint.line:
            rule["line"] = constraint.line
        if i in chip_of:
            chip = chip_of[i]
            aside = all(map(picture.is_cell, constraint.scope))  # on the margin of a large grid, seen from afar
            rule["place"] = [round(ordinate, 1) for ordinate in (*chip.point, *(CHIP if aside else chip.size))]
            rule["chip"] = short(constraint.name) if aside else chip.text
        rules.append(rule)
    return rules


def _edges(model: Model, picture: Layout) -> Iterator[dict[str, Any]]:
    """The edges of the primal graph; of a crowded grid none, for three in four lie on top of each other."""
    if picture.crowded and all(map(picture.on_grid, picture.points)):
        return
    number = {variable: i for i, variable in enumerate(model.domains)}
    edges = [
        (one, other, rules)
        for one, other, rules in primal(network(model)).edges(data="constraints")
        if not (picture.crowded and picture.on_grid(one) and picture.on_grid(other))
    ]
    points = picture.points
    bends = len(edges) * len(points) <= BENDS
    for one, other, rules in edges:
        blocks = [(p, picture.size(v)) for v, p in points.items() if bends and v not in (one, other)]
        way = curve(points[one], points[other], blocks)
        edge: dict[str, Any] = {
            "ends": [number[one], number[other]],
            "way": [round(ordinate, 1) for point in way for ordinate in point],
            "rules": list(rules),
        }
        if not any(_says_different(model, rule) for rule in rules):
            edge["dashed"] = True
        yield edge


def _signs(model: Model, signs: Sequence[Sign]) -> list[dict[str, Any]]:
    number = {variable: i for i, variable in enumerate(model.domains)}
    return [
        {
            "rule": sign.number,
            "ends": [number[sign.one], number[sign.other]],
            "text": html.unescape(re.sub("<[^>]*>", "", sign.text)),
            **({"underlined": True} if "<U>" in sign.text else {}),
        }
        for sign in signs
    ]


def _cages(model: Model, cages: Sequence[Cage]) -> list[dict[str, Any]]:
    number = {variable: i for i, variable in enumerate(model.domains)}
    return [
        {"rule": cage.number, "links": [[number[v] for v in link] for link in cage.links], "text": cage.text}
        for cage in cages
    ]


def _says_different(model: Model, rule: int) -> bool:
    match model.constraints[rule]:
        case AllDifferent():
            return True
        case Equality(equal=equal):
            return not equal
        case Linear(relation=relation):
            return relation == "!="
    return False


def _patches(trace: Trace, values: Domain) -> Iterator[dict[str, Any]]:
    variables = {variable: i for i, variable in enumerate(trace.model.domains)}
    number = {value: i for i, value in enumerate(values)}
    rules = {id(constraint): i for i, constraint in enumerate(trace.model.constraints)}

    def codes(before: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """The candidates that only the first has."""
        return [
            variables[variable] * len(values) + number[value]
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
        rule = rules.get(id(record.constraint)) if isinstance(record, Removal | Failure) else None
        if rule is not None:
            patch["rule"] = rule
        elif shown.active:
            patch["active"] = [variables[variable] for variable in shown.active]
        lists = {
            "cause": [variables[variable] for variable in shown.causes],
            "gone": codes(before.domains, after.domains),
            "back": codes(after.domains, before.domains),
            "marks": sorted(variables[v] for v in {*before.marked} ^ {*after.marked}),
        }
        patch.update({name: numbers for name, numbers in lists.items() if numbers})
        patch["text"] = shown.title
        yield patch


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
        if node.nodes > 1:
            shown["count"] = node.nodes
        shown["text"] = node.outcome
        nodes.append(shown)
    return nodes
