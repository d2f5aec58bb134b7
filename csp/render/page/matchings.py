"""Convert the matchings of ``all_different`` groups in a trace into page data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ...model import Domain, Model, Value, Variable
from ...picture.matching import BESIDE, HIGH, Graph, GraphPlaces, is_matching, remaining_images, removed_by_variable
from ...picture.scene import Scene
from ...picture.shapes import Shape, bounding_box
from ...trace import Moment
from .contract import GraphData, GroupData, MatchingData
from .data import box_with_margin, letter, shape_data

T = TypeVar("T")


class Matchings:
    """An encoder of the matchings that are visible at the records of a trace.

    Visible are the groups of different values that the current step has used so far, or else the last active group.
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
        """Return the changed matchings of the groups visible after a moment."""
        step = getattr(moment.record, "step", None)
        if step is None or step != self._step:
            self._visible = self._visible[-1:]
        for number in scene.constraints:
            if number in self._groups:
                self._visible = [*self._visible, number] if step is not None and step == self._step else [number]
        self._step = step
        return [data for number in dict.fromkeys(self._visible) if (data := self._changed_matching(number, scene))]

    def _changed_matching(self, number: int, scene: Scene) -> MatchingData | None:
        """Return the encoded matching of a group, or ``None`` if unchanged."""
        constraint, graph = self._model.constraints[number], self._groups[number]
        remaining = tuple(scene.domains[v] for v in constraint.scope)
        if self._remaining.get(number) == remaining:
            return None
        self._remaining[number] = remaining
        # Compute the positions, and extend the visible part of the plane to the lowest value.
        images = remaining_images(constraint, scene.domains)
        stand = graph.place(images)
        low = max(
            stand.values[v]
            for image in (*images, *remaining_images(constraint, removed_by_variable(scene)))
            for v in image
        )
        self._shapes[number] += graph.frame_shapes(stand)
        self._shapes[number].append(Shape("box", "", ((graph.ends[0], low), (0, HIGH))))
        data = self._matching_data(number, graph, stand)
        if self._last.get(number) == data:
            return None
        self._last[number] = data
        return data

    def _matching_data(self, number: int, graph: Graph, stand: GraphPlaces) -> MatchingData:
        """Encode a matching and the positions of its parts."""
        return MatchingData(
            number,
            _encode(stand.members, self._rows),
            _encode([stand.values[value] for value in graph.values], self._rows),
            "".join(
                letter(graph.values.index(stand.partner[i])) if i in stand.partner else " "
                for i in range(len(graph.elements))
            ),
            _encode([frame[:2] for frame in stand.frames], self._spans),
            _encode([frame[2] for frame in stand.frames], self._texts),
        )

    def tables(self, numbers: Mapping[Variable, int], values: Sequence[Value]) -> dict[str, Any]:
        """Return the tables that decode letters, and the graphs of the groups."""
        graphs: list[GraphData] = []
        groups: dict[int, GroupData] = {}
        for number, graph in self._groups.items():
            constraint = self._model.constraints[number]
            is_plain = all(element.is_variable for element in graph.elements)
            graph_data = GraphData(
                columns=graph.columns, ends=graph.ends, high=HIGH, frame=graph.outer, said=graph.outer[1] + BESIDE,
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
    """Encode items as letters for their indices in a table; add new items."""
    return "".join(letter(table.setdefault(thing, len(table))) for thing in things)
