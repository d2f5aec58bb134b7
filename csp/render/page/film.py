"""Convert a trace into a film for the page: a picture and reversible changes.

The picture comes from ``data.py``. Here are the changes of each record, with the drawings, the matchings and the search
tree at that record. ``contract.py`` names the fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import chain, pairwise
from typing import Any, TypeVar

from ...model import Candidate, Constraint, Domain, Model, Value, Variable, ordered
from ...picture.frames import frames
from ...picture.legend import MATCHING, SIGNS
from ...picture.lines.arrows import swept
from ...picture.lines.touched import HelperPlace
from ...picture.matching import BESIDE, HIGH, Graph, GraphPlaces, is_matching, remaining_images, removed_by_variable
from ...picture.picture import clue_frame, is_clue, picture, placed_squares, square_frames
from ...picture.plan import Plan
from ...picture.scene import Scene, scene
from ...picture.shapes import UNDER, Shape, bounding_box, box
from ...picture.tree import branch, cost_shape, edge_text, node_distance, node_points, node_shapes, shape_entries
from ...trace import (
    Dequeued,
    Failure,
    Moment,
    Node,
    Record,
    Removal,
    Round,
    SearchTree,
    Trace,
    Waiting,
    fold_chains,
    kind_of,
    replay,
    search_tree,
    show_reason,
)
from ..svg import path_data
from .contract import GraphData, GroupData, HelperData, MatchingData, NodeData, SpotData, TreeData
from .data import Numbers, box_with_margin, letter, plan_data, shape_data, spec_line


def film_drawings(plan: Plan, trace: Trace) -> tuple[dict[str, Any], Sequence[Sequence[int]]]:
    """Return the shapes that depend on variables' values, and their changes per record.

    Shapes under the vertices are first. The change of a record lists the indices of shapes that appear or disappear.

    Examples
    --------
    >>> from csp import Drawn, Equality, Model, Variable, record
    >>> dark = Variable("dark", 1, 1)
    >>> trace = record(Model({dark: (1,)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))]))
    >>> found, _ = film_drawings(Plan(trace.model), trace)
    >>> len(found["shapes"]), found["under"], found["start"]
    (1, 1, [0])
    """
    moving = plan.moving
    if not moving.drawings_of:
        return {}, []
    states = [plan.list_domains(moment.domains) for moment in replay(trace)]
    numbers: dict[Shape, int] = {}
    shapes_of_drawing = {
        number: moving.drawing_shapes(number, states[0]) for number in moving.affected_drawings(moving.drawings_of)
    }
    counts = Counter(
        chain.from_iterable(shapes_of_drawing.values())
    )  # number of drawings of each shape: two can produce the same one
    start = [numbers.setdefault(shape, len(numbers)) for shape in counts]
    changes: list[list[int]] = []
    # Draw again only the drawings whose variables changed, and note the shapes whose visibility changes.
    for before, after in pairwise(states):
        change: Counter[Shape] = Counter()
        for number in sorted(moving.affected_drawings(v for v in moving.drawings_of if before[v] != after[v])):
            change.subtract(shapes_of_drawing[number])
            shapes_of_drawing[number] = moving.drawing_shapes(number, after)
            change.update(shapes_of_drawing[number])
        changed_shapes = [
            shape for shape, count in change.items() if (counts[shape] > 0) != (counts[shape] + count > 0)
        ]
        counts.update(change)
        changes.append(sorted(numbers.setdefault(shape, len(numbers)) for shape in changed_shapes))
    # Sort the shapes under the vertices to the front, and adapt their numbers.
    order = sorted(numbers, key=lambda shape: (shape.layer > UNDER, numbers[shape]))
    place = {numbers[shape]: i for i, shape in enumerate(order)}
    drawings = {
        "shapes": list(map(shape_data, order)),
        "under": sum(shape.layer <= UNDER for shape in order),
        "start": [place[number] for number in start],
    }
    return drawings, [sorted(place[number] for number in now) for now in changes]


T = TypeVar("T")


class Matchings:
    """An encoder of the matchings that the page shows at each record of a trace.

    Visible are the all-different constraints that the current step has used so far, or else the last active one.
    Positions and texts that repeat are stored in tables, and matchings refer to them by letters.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._groups = {
            i: Graph(constraint, model) for i, constraint in enumerate(model.constraints) if is_matching(constraint)
        }
        self._visible = [*self._groups][:1]
        self._step: int | None = None
        self._remaining: dict[int, tuple[Domain, ...]] = {}
        self._last: dict[int, MatchingData] = {}
        self._shapes: dict[int, list[Shape]] = {number: [*graph.title] for number, graph in self._groups.items()}
        self._rows: dict[float, int] = {}
        self._spans: dict[tuple[float, ...], int] = {}
        self._texts: dict[str, int] = {}

    def after(self, moment: Moment, scene: Scene) -> list[MatchingData]:
        """Return the encoded matchings that are visible after a moment and have changed.

        Moments must be passed in the order of the trace, as the previous ones are remembered.
        """
        step = getattr(moment.record, "step", None)
        if step is None or step != self._step:
            self._visible = self._visible[-1:]
        for number in scene.constraints:
            if number in self._groups:
                self._visible = [*self._visible, number] if step is not None and step == self._step else [number]
        self._step = step
        return [data for number in dict.fromkeys(self._visible) if (data := self._changed_matching(number, scene))]

    def _changed_matching(self, number: int, scene: Scene) -> MatchingData | None:
        """Return and store a constraint's encoded matching, or None if it has not changed."""
        constraint, graph = self._model.constraints[number], self._groups[number]
        remaining = tuple(scene.domains[v] for v in constraint.scope)
        if self._remaining.get(number) == remaining:
            return None
        self._remaining[number] = remaining
        # Compute the positions, and extend the visible part of the plane to the lowest value.
        images = remaining_images(constraint, scene.domains)
        places = graph.place(images)
        low = max(
            places.values[v]
            for image in (*images, *remaining_images(constraint, removed_by_variable(scene)))
            for v in image
        )
        self._shapes[number] += graph.frame_shapes(places)
        self._shapes[number].append(Shape("box", "", ((graph.ends[0], low), (0, HIGH))))
        data = self._matching_data(number, graph, places)
        if self._last.get(number) == data:
            return None
        self._last[number] = data
        return data

    def _matching_data(self, number: int, graph: Graph, places: GraphPlaces) -> MatchingData:
        """Encode a matching, with the positions of its elements, values and frames."""
        return MatchingData(
            number,
            _encode(places.members, self._rows),
            _encode([places.values[value] for value in graph.values], self._rows),
            "".join(
                letter(graph.values.index(places.partner[i])) if i in places.partner else " "
                for i in range(len(graph.elements))
            ),
            _encode([frame[:2] for frame in places.frames], self._spans),
            _encode([frame[2] for frame in places.frames], self._texts),
        )

    def tables(self, numbers: Mapping[Variable, int], values: Sequence[Value]) -> dict[str, Any]:
        """Return the tables that decode the letters of matchings, and all constraints' graphs."""
        graphs: list[GraphData] = []
        groups: dict[int, GroupData] = {}
        for number, graph in self._groups.items():
            constraint = self._model.constraints[number]
            is_plain = all(element.is_variable for element in graph.elements)
            graph_data = GraphData(
                columns=graph.columns, ends=graph.ends, high=HIGH, frame=graph.outer, label_x=graph.outer[1] + BESIDE,
                box=box_with_margin(bounding_box(self._shapes[number])),
                values=[values.index(value) if is_plain else str(value) for value in graph.values],
            )  # fmt: skip
            if graph_data not in graphs:
                graphs.append(graph_data)
            groups[number] = GroupData(graph=graphs.index(graph_data), title=list(map(shape_data, graph.title)))
            variables = [numbers[v] for element in graph.elements for v in element.variables]
            if not is_plain or variables != [numbers[v] for v in constraint.scope]:
                groups[number]["elements"] = [
                    numbers[v] if is_plain else [numbers[v], name, graph.images(element, self._model.domains[v])]
                    for element, name in zip(graph.elements, graph.names, strict=True) for v in element.variables
                ]  # fmt: skip
        return {
            "rows": [round(row, 1) for row in self._rows],
            "spans": list(self._spans),
            "words": list(self._texts),
            "graphs": graphs,
            "groups": groups,
        }


def _encode(things: Iterable[T], table: dict[T, int]) -> str:
    """Return a letter for each item's index in ``table``; add new items to it."""
    return "".join(letter(table.setdefault(thing, len(table))) for thing in things)


def node_kind_data(trees: Iterable[SearchTree]) -> Mapping[str, Any]:
    """Return, for each kind of search node, its legend text and its shapes."""
    entries = {kind: entry for tree in trees for kind, entry in shape_entries(tree)}
    return {kind: [entry.words, *map(shape_data, entry.shapes)] for kind, entry in entries.items()}


def tree_pair(tree: SearchTree, captions: Sequence[str], say: Callable[[str], str]) -> list[TreeData]:
    """Return the page data of a search tree: the whole tree, and the collapsed one.

    The collapsed tree has folded chains, too. Its nodes have only the fields that the whole tree does not have. The
    function ``say`` returns the words of a decision.
    """
    full_tree, collapsed = (tree_data(t, captions, say) for t in (tree, fold_chains(tree.collapse())))
    indices = {(node.get("first"), node.get("text"), node["kind"]): i for i, node in enumerate(full_tree["nodes"])}
    for i, node in enumerate(collapsed["nodes"]):
        if (index := indices.get((node.get("first"), node.get("text"), node["kind"]))) is not None:
            old = full_tree["nodes"][index]
            fresh = {name: value for name, value in node.items() if old.get(name) != value}
            collapsed["nodes"][i] = NodeData(like=index, **fresh)  # type: ignore[typeddict-item]
    return [full_tree, collapsed]


def tree_data(tree: SearchTree, captions: Sequence[str], say: Callable[[str], str]) -> TreeData:
    """Convert a search tree to JSON data; texts equal to ``captions`` are omitted."""
    tree = tree.with_untried()
    points, costs, wide, children = node_points(tree, say), tree.costs(), node_distance(tree, say), tree.children
    shapes = [list(node_shapes(node, wide, say)) for node in tree.nodes]
    for node, shapes_of_node, cost in zip(tree.nodes, shapes, costs, strict=True):
        shapes_of_node[:] = [shape for shape in shapes_of_node if shape.look != "why"]  # the caption and the log say it
        shapes_of_node += [cost_shape(cost)] if cost[0] > 2 and node.kind != "collapsed" else []
    drawn = [
        shape.shifted(point) for shapes_of_node, point in zip(shapes, points, strict=True) for shape in shapes_of_node
    ]
    nodes: list[NodeData] = []
    for node, (x, y), shapes_of_node, cost in zip(tree.nodes, points, shapes, costs, strict=True):
        node_data = NodeData(
            kind=node.kind, x=round(x, 1), y=round(y, 1), shapes=list(map(shape_data, shapes_of_node[1:]))
        )
        texts = list(_node_texts(node, cost, say))
        # The page shows the caption of the last record already.
        if node.kind == "untried" or [node.outcome] != captions[node.last : node.last + 1]:
            texts.append(node.outcome)
        if texts:
            node_data["text"] = ", ".join(texts)
        if node.kind == "untried":
            siblings = [tree.nodes[sibling] for sibling in children[node.parent or 0]]
            tried = [sibling.branch for sibling in siblings if sibling.kind != "untried"]
            node_data["choices"] = [f"{variable} = {value}" for variable, value in node.choices]
            node_data["tried"] = [f"{decision[0]} = {decision[1]}" for decision in tried if decision]
        else:
            node_data |= {"first": node.first, "last": node.last}
        if node.parent is not None:
            node_data["branch"] = path_data(branch(node, points))
        nodes.append(node_data)
    return TreeData(box=box_with_margin(bounding_box(drawn)), nodes=nodes)


def _node_texts(node: Node, cost: tuple[int, int], say: Callable[[str], str]) -> Iterator[str]:
    """Yield the decision of a search node, and the size of its subtree, as texts."""
    nodes, failures = cost
    if edge := edge_text(node):
        yield say(edge)
    if nodes > 1:
        yield f"below: {nodes - (node.kind != 'collapsed')} nodes, {failures} ■"


def film(trace: Trace, plan: Plan | None = None) -> dict[str, Any]:
    """Convert a trace to the JSON data (film) that the player of the page needs.

    A candidate is one number: the number of its variable times the number of values, plus the number of its value.
    The patch of a record has these fields, each only if it is not empty:

    - ``gone`` and ``back``: the candidates that the record removes and restores
    - ``marks``: the variables that get or lose their asterisk
    - ``queue``: changes of the queue, each with a position, the entries of ``waiting`` removed there, and the entries
      inserted there. Applied in reverse order with the two lists swapped, the changes undo themselves.
    - ``drawn``: the shapes that appear or disappear
    - ``pairs``: the new matchings of the last active group (``csp.render.page.contract.MatchingData``)
    - ``swept``: the candidates of ``gone`` in a whole area, which has a tint
    - ``signs``: the shapes of a failure, and the frames about helpers and around clues, as numbers in ``tokens``
    - ``struck``: the parts of a tuple that cells lack at a failure
    - ``fits`` of a last place: the tuple for which the value stands, if it is a code
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
    {'kind': 'dequeued', 'constraint': 0, 'text': 'checked · pair (line 3): 2 fits only B, no change · marked 1'}
    {'kind': 'dequeued', 'active': [1], 'marks': [1], 'text': 'checked · B: no change · marked 0'}
    {'kind': 'rest', 'text': 'fixpoint · 0 unfixed'}
    """
    plan = plan or Plan(trace.model, trace.origins)
    values = ordered(value for domain in dict.fromkeys(trace.model.domains.values()) for value in domain)
    numbers = {variable: number for number, variable in enumerate(trace.model.domains)}
    tree = search_tree(trace)
    waiting: dict[Waiting, int] = {entry: number for number, entry in enumerate(trace.queue)}
    matchings = Matchings(trace.model)
    failures = (plan.with_visible_failure(frame) for frame in frames(trace) if frame.failure is not None)
    moments = [(moment, plan.with_visible_decision(_page_scene(moment, failures))) for moment in replay(trace)]
    first_matchings = matchings.after(*moments[0])
    patches = list(_patches(moments, plan, numbers, values, waiting, matchings))
    # Store each sign once.
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
    # Collect the constraints at work, so that the film contains only edges that show.
    at_work = {number for _, scene_now in moments for number in scene_now.constraints}
    return {
        **plan_data(plan, at_work, [box(look, at[:2], at[2:]) for kind, look, at, *_ in tokens if kind == "box"]),
        "waiting": [_waiting_data(entry, plan, numbers) for entry in waiting],
        "queue": len(trace.queue),
        "pairs": first_matchings,
        **matchings.tables(numbers, values),
        "matching": [SIGNS.index(entry) for entry in MATCHING],
        **({"drawn": drawings} if drawings else {}),
        **({"tokens": tokens} if tokens else {}),
        **_helper_data(plan, trace, numbers, values),
        "records": patches,
        "shapes": node_kind_data((tree.with_untried(), fold_chains(tree.collapse()))),
        "trees": tree_pair(tree, [scene_now.title for _, scene_now in moments[1:]], plan.say),
    }


def _page_scene(moment: Moment, failures: Iterator[Scene]) -> Scene:
    """Return a moment's scene; a failure lights the variables of its numbered picture."""
    shown_scene = scene(moment)
    if not isinstance(moment.record, Failure):
        return shown_scene
    frame = next(failures)
    return replace(
        shown_scene, failed=frame.failed, causes=frame.causes, losses=frame.losses, removed_by=frame.removed_by
    )


def _helper_data(plan: Plan, trace: Trace, numbers: Numbers, values: Domain) -> dict[str, Any]:
    """Return the places of helpers that lose values or are in a printed table."""
    value_numbers = {value: i for i, value in enumerate(values)}
    losing = dict.fromkeys(v for r in trace.records if isinstance(r, Removal) for v, _ in r.removed)
    losing |= {v: None for v in trace.model.domains if v in plan.touched.helpers.tabled}
    spots: dict[HelperPlace, int] = {}
    labels: dict[str, int] = {}
    helpers: dict[int, HelperData] = {}
    for v in losing:
        domain = trace.model.domains[v]
        places = [None if v in plan.visible else plan.touched.place(v, value) for value in domain]
        if not any(places):
            continue
        letters = [
            letter(spots.setdefault(place._replace(label="", is_number=False), len(spots))) if place else " "
            for place in places
        ]
        texts = [letter(labels.setdefault(place.label if place else "", len(labels))) for place in places]
        data = helpers[numbers[v]] = HelperData(spots="".join(letters), labels="".join(texts))
        if plan.touched.is_truth(v):
            data["truth"] = True
        if v in plan.touched.helpers.outside:
            data["outside"] = True
        if number := plan.touched.helpers.number_of(v):
            data["number"] = number
        if v in plan.touched.helpers.tabled:
            data["tabled"] = True
        needs = [
            [numbers[w] * len(values) + value_numbers[x] for w, x in plan.touched.helpers.needs((v, value))]
            for value in domain
        ]
        if any(needs):
            data["needs"] = [codes[0] if len(codes) == 1 else codes for codes in needs]
    return {"helpers": helpers, "spots": list(map(_spot_data, spots)), "labels": [*labels]} if helpers else {}


def _spot_data(place: HelperPlace) -> SpotData:
    """Return a place of helpers as data."""
    frames = [[*chain(*frame)] for frame in place.frames]
    return SpotData(place.anchor, frames, [HelperPlace((own,)).anchor for own in place.boxes])


def _waiting_data(entry: Waiting, plan: Plan, numbers: Numbers) -> list[str | int]:
    """Return an entry of the propagation queue as data: its name, variable, constraint.

    Variable and constraint are numbers, -1 for none.
    The name is empty if it equals the name of the variable or of the constraint.
    """
    default_name = entry.variable if entry.number is None else plan.model.constraints[entry.number].name
    name = plan.say(entry.name) if entry.number is None or entry.name != default_name else entry.name
    # The name of a value in a group is written as a tuple if it stands for one.
    value, _, group = entry.name.partition(" in ")
    if entry.number is not None and group == default_name and value.lstrip("-").isdigit():
        shown = [plan.shown_value((v, int(value))) for v in plan.model.constraints[entry.number].scope]
        name = f"{shown[0]} in {group}"
    return [
        "" if name == default_name else name,
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
    """Yield each record's changes as data; add new queue entries to ``waiting``."""
    number = {value: i for i, value in enumerate(values)}

    def removed_codes(before: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """Return the numbers of the candidates in ``before`` that ``after`` lacks."""
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
        # List the active variables, even none, unless they are the scope of the active constraint.
        active_variables = scene_now.failed or scene_now.active
        if (active_variables or scene_now.constraints) and not any(
            plan.model.constraints[number].scope == active_variables for number in scene_now.constraints
        ):
            patch["active"] = [numbers[variable] for variable in active_variables]
        lists: dict[str, list[Any]] = {
            "cause": [numbers[variable] for variable in scene_now.causes],
            "lost": [numbers[v] * len(values) + number[value] for v, value in _needed_removals(record, plan.model)],
            "struck": [numbers[v] * len(values) + number[value] for v, value in _struck(plan, scene_now)],
            "gone": removed_codes(before.domains, after.domains),
            "back": [] if isinstance(record, Removal) else removed_codes(after.domains, before.domains),
            "marks": sorted(numbers[v] for v in {*before.marked} ^ {*after.marked}),
            "queue": _queue_changes(
                queued, queued := [waiting.setdefault(entry, len(waiting)) for entry in after.queue]
            ),
            "pairs": matchings.after(after, scene_now),
            "swept": [numbers[v] * len(values) + number[value] for v, value in swept(plan.layout, scene_now)],
            "signs": list(map(shape_data, _signs(plan, scene_now))),
            "relies": sorted(
                {line for constraint in _used_constraints(record, plan, scene_now) if (line := spec_line(constraint))},
                key=_line_order,
            ),
        }
        patch.update({name: entries for name, entries in lists.items() if entries})
        if isinstance(record, Removal):
            patch["reason"] = plan.caption(show_reason(record, is_short=True), scene_now)
            # A round names the value of a last place: a code of a tuple is written as the tuple.
            if record.kind == "placed" and (shown := plan.shown_value(record.cause[0])) != record.cause[0][1]:
                patch["fits"] = shown
        elif not _is_worded_by_page(record):
            patch["text"] = plan.caption(scene_now.title, scene_now)
        yield patch


def _signs(plan: Plan, scene_now: Scene) -> Iterator[Shape]:
    """Yield the signs of a failure, and of helpers and clues that acted."""
    yield from plan.failures.signs(scene_now, (*plan.shapes, *plan.moving.shapes(plan.list_domains(scene_now.domains))))
    # The place of the flag depends on all other shapes.
    drawn = picture(plan, scene_now) if scene_now.failure is not None else ()
    yield from (shape for shape in drawn if shape.look in ("badge", "named"))
    yield from plan.touched.cause_signs(scene_now)
    yield from placed_squares(plan, scene_now)
    acted = scene_now.constraints if scene_now.removed or scene_now.failure else ()
    lit = plan.lit_constraints(plan.lens, {*acted, *plan.failures.removers(scene_now)})
    yield from square_frames(plan, lit)
    yield from (clue_frame(shape) for shape in plan.shapes if is_clue(shape) and not lit.isdisjoint(shape.constraints))


def _struck(plan: Plan, scene_now: Scene) -> Iterable[Candidate]:
    """Return the parts of a tuple that cells lack at a failure."""
    return () if scene_now.failure is None else plan.failures.struck(scene_now.failure, scene_now.domains)


def _is_worded_by_page(record: Record) -> bool:
    """Return whether the page, and not this module, writes a record's caption.

    The page does so for a dequeued propagator of the spec that removed nothing.
    """
    return (
        isinstance(record, Dequeued)
        and record.constraint is not None
        and record.is_asked
        and not (record.last_place or record.constraint.file)
    )


def _used_constraints(record: Record, plan: Plan, scene_now: Scene) -> Iterator[Constraint]:
    """Yield the constraints whose lines a record lights, in addition to its own one."""
    yield from getattr(record, "also_uses", ())
    for number in plan.failures.removers(scene_now):
        yield from plan.failures.find_stated(number)


def _line_order(line: int | str) -> tuple[bool, int | str]:
    """Return a sort key for lines that puts the spec before included files."""
    return isinstance(line, str), line


def _needed_removals(record: Record, model: Model) -> Iterator[Candidate]:
    """Yield the candidates whose earlier removal a record needs in addition to its causes.

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
                        (other_variable, value)
                        for value in model.domains[other_variable]
                        if element.image(value) == placed
                    )
        case Failure():
            yield from record.removed


def _queue_changes(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """Return the changes of the queue: lists of position, removed and inserted entries."""
    if before == after:
        return []
    last = len(before) - 1
    if last > 0 and before[1:] == after[:last]:  # the most frequent change: dequeue the first entry, append others
        return [[0, before[:1], []], *([[last, [], after[last:]]] if after[last:] else [])]
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[at, before[i:j], after[at:end]] for tag, i, j, at, end in changes if tag != "equal"]


def _record_kind(record: Record) -> str:
    return record.kind if isinstance(record, Removal) else kind_of(record)
