"""A trace as one drawing and a list of small patches with their inverses: what the player plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from ..model import Affine, Candidate, Constraint, Domain, Model, Variable, ordered
from ..story import Failure, Moment, Record, Removal, Round, SearchTree, Trace, Waiting, replay, search_tree
from .cells import cell_style
from .chips import chips, short, with_chip
from .dot import WIDE_SEAM
from .edges import clique_edges
from .layout import CELL, Layout, headers, layout, value_width
from .regions import region_lines
from .scene import scene, settled
from .signs import Cage, Sign, follows, signs, unsaid
from .style import text_of
from .threads import threads

CHIP = (52.0, 28.0)
"""The size of a constraint beside a large grid, which is seen from afar."""
Numbers = Mapping[Variable, int]
"""What the film calls each variable."""


def film(trace: Trace) -> dict[str, Any]:
    """Everything that a player needs, as plain data for JSON.

    A candidate is one number: the number of its variable times the number of values, plus that of its value.
    The patch of a record has ``gone`` and ``back``, the candidates that it takes away and gives back, ``marks``, the
    variables that get or lose their asterisk, and ``queue``: in turn, a place in the queue, those of ``waiting`` that
    leave it there, and those that come instead. Swapped, and the last place first, it is its own inverse.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    dict
        ``values``, ``vertices``, ``constraints`` (in order), ``waiting`` (who can stand in the queue, as a variable
        or a constraint with its name, and at the start how many do), ``edges``, ``signs`` and ``cages`` between the
        cells of a grid, lines around its ``regions``, ``headers``, ``records``, ``trees`` (the whole one, and
        collapsed), and sizes.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair", line=3)])
    >>> for patch in film(record(model))["records"]:
    ...     print(patch)
    {'kind': 'round', 'round': 1, 'queue': [[0, [], [0, 1]]], 'text': 'round 1 · marked 0'}
    {'kind': 'fixed', 'step': 1, 'constraint': 0, 'cause': [0], 'gone': [2], 'marks': [1], 'queue': [[0, [0], []], \
[1, [], [2]]], 'text': 'step 1 · pair (line 3): A = 1 removes 1 from B · marked 1'}
    {'kind': 'taken', 'constraint': 0, 'queue': [[0, [1], []]], \
'text': 'taken · pair (line 3): 2 fits only B, nothing to tell · marked 1'}
    {'kind': 'taken', 'active': [1], 'marks': [1], 'queue': [[0, [2], []]], \
'text': 'taken · B: nothing to tell · marked 0'}
    {'kind': 'rest', 'text': 'at rest · 0 open'}
    """
    model, hidden = trace.model, unsaid(trace.model, trace.origins)
    picture = layout(model, hidden=hidden)
    between = signs(model, picture.grids, hidden) if picture.crowded else []
    if between:
        picture = layout(model, seam=WIDE_SEAM, hidden=hidden)
    values = ordered(value for domain in dict.fromkeys(model.domains.values()) for value in domain)
    universe = ordered(value for v, domain in model.domains.items() if picture.is_cell(v) for value in domain)
    numbers = {variable: number for number, variable in enumerate(model.domains)}
    tree = search_tree(trace)
    waiting: dict[Waiting, int] = {one: number for number, one in enumerate(trace.queue)}
    patches = list(_patches(trace, numbers, values, waiting))
    return {
        "values": list(map(str, values)),
        "cell": CELL,
        "card": picture.card,
        "style": cell_style(universe),
        "vertices": _vertices(model, picture, values),
        "constraints": _constraints(trace, picture, numbers, between, hidden),
        "edges": list(_edges(model, picture, numbers, hidden)),
        "signs": _signs(numbers, [one for one in between if isinstance(one, Sign)]),
        "cages": _cages(numbers, [one for one in between if isinstance(one, Cage)]),
        "regions": [
            line
            for grid in picture.grids
            if all(map(picture.is_cell, grid))
            for line in region_lines(model, grid, picture.points, hidden)
        ],
        "headers": [
            [text, *point]
            for grid in picture.grids
            if all(map(picture.is_cell, grid))
            for text, point in headers(grid, picture.points)
        ],
        "waiting": [
            [one.name, -1 if one.variable is None else numbers[one.variable], -1 if one.number is None else one.number]
            for one in waiting
        ],
        "queue": len(trace.queue),
        "records": patches,
        "trees": [_tree(tree), _tree(tree.collapsed())],
    }


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


def _constraints(
    trace: Trace, picture: Layout, numbers: Numbers, between: Sequence[Sign | Cage], hidden: Collection[int]
) -> list[dict[str, Any]]:
    """The constraints, with the place of their vertex if they have one, and what they come from if that is others."""
    model = trace.model
    chip_of = {chip.number: chip for chip in chips(model, picture, with_chip(model, picture, between, hidden), CHIP)}
    found, made = [], follows(trace.origins)
    for i, constraint in enumerate(model.constraints):
        shown: dict[str, Any] = {"name": constraint.name, "scope": [numbers[v] for v in constraint.scope]}
        if line := _line(constraint):
            shown["line"] = line
        if len(elements := constraint.apart()) > 1:
            shown["apart"] = [_apart(element, numbers, model) for element in elements]
        if i in made:
            shown["origins"] = list(trace.origins[i])
        if i in chip_of:
            chip = chip_of[i]
            shown["place"] = [round(ordinate, 1) for ordinate in (*chip.point, *chip.size)]
            shown["chip"] = short(constraint.name) if chip.size == CHIP else chip.text
            if chip.quiet:
                shown["quiet"] = True
        if len(constraint.scope) > 2 and picture.shows_no_edges(constraint.scope):
            ends, links = threads(constraint.scope, chip_of[i].point if i in chip_of else None, picture)
            shown["ends"] = [numbers[v] for v in ends]
            shown["links"] = [[numbers[v] for v in link] for link in links]
        found.append(shown)
    return found


def _apart(element: Affine, numbers: Numbers, model: Model) -> Any:
    """An element that must differ from others: its variable, or its text, its variable and what its values give."""
    [variable] = element.variables
    if element.is_variable:
        return numbers[variable]
    return [str(element), numbers[variable], [element.image(value) for value in model.domains[variable]]]


def _line(constraint: Constraint) -> int:
    """The line of the spec that is beside the picture; 0 for none."""
    return 0 if constraint.file else constraint.line


def _edges(model: Model, picture: Layout, numbers: Numbers, hidden: Collection[int]) -> Iterator[dict[str, Any]]:
    for one, other, way, look, own in clique_edges(model, picture, hidden):
        edge: dict[str, Any] = {
            "ends": [numbers[Variable(one)], numbers[other]],
            "way": [round(ordinate, 1) for point in way for ordinate in point],
            "constraints": list(own),
        }
        if look == "dashed":
            edge["dashed"] = True
        yield edge


def _signs(numbers: Numbers, signs: Sequence[Sign]) -> list[dict[str, Any]]:
    return [
        {
            "constraint": sign.number,
            "ends": [numbers[sign.one], numbers[sign.other]],
            "text": text_of(sign.text),
            **({"underlined": True} if "<U>" in sign.text else {}),
        }
        for sign in signs
    ]


def _cages(numbers: Numbers, cages: Sequence[Cage]) -> list[dict[str, Any]]:
    return [
        {
            "constraint": cage.number,
            "links": [[numbers[v] for v in link] for link in cage.links],
            "text": cage.text,
            **({"left": True} if cage.side == "left" else {}),
        }
        for cage in cages
    ]


def _patches(trace: Trace, numbers: Numbers, values: Domain, waiting: dict[Waiting, int]) -> Iterator[dict[str, Any]]:
    """The patches of all records; who waits gets a number when he comes first."""
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
            "lost": [numbers[v] * len(values) + number[value] for v, value in _lost(record, trace.model)],
            "gone": codes(before.domains, after.domains),
            "back": codes(after.domains, before.domains),
            "marks": sorted(numbers[v] for v in {*before.marked} ^ {*after.marked}),
            "queue": _queue(*([waiting.setdefault(one, len(waiting)) for one in m.queue] for m in (before, after))),
            "relies": sorted({line for one in getattr(record, "relies", ()) if (line := _line(one))}),
        }
        patch.update({name: found for name, found in lists.items() if found})
        patch["text"] = shown.title
        yield patch


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
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[at, before[i:j], after[at:end]] for tag, i, j, at, end in changes if tag != "equal"]


def _kind(moment: Moment) -> str:
    record = moment.record
    return record.kind if isinstance(record, Removal) else type(record).__name__.lower()


def _tree(tree: SearchTree) -> list[dict[str, Any]]:
    nodes, tree = [], tree.with_untried()
    for node, (x, y) in zip(tree.nodes, tree.places(), strict=True):
        shown: dict[str, Any] = {"kind": node.kind, "x": x, "y": y}
        if node.kind != "untried":
            shown |= {"first": node.first, "last": node.last}
        if node.parent is not None:
            shown["parent"] = node.parent
            shown["edge"] = node.edge
        if node.kind == "collapsed":
            shown |= {"count": node.failures, "nodes": node.nodes}
        elif node.kind == "untried":
            shown["count"] = node.nodes
        shown["text"] = node.outcome
        nodes.append(shown)
    return nodes
