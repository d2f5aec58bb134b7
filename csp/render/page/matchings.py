"""The matchings of a trace as data for the page: the places of ``csp.picture.matching``, told when they change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ...model import Domain, Model, Value, Variable
from ...picture.matching import BESIDE, HIGH, Graph, GraphPlaces, is_matching, remaining_images, removed_by_variable
from ...picture.scene import Scene
from ...picture.shapes import Shape, bounding_box
from ...trace import Moment
from .contract import GraphData, GroupData, MatchingData
from .data import edged, letter, mark_data

T = TypeVar("T")


class Matchings:
    """What is new about the matchings that can be seen: of the groups of a step so far, or else of the last group."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._groups = {i: Graph(one, model) for i, one in enumerate(model.constraints) if is_matching(one)}
        self._seen = [*self._groups][:1]
        self._step: int | None = None
        self._left: dict[int, tuple[Domain, ...]] = {}
        self._known: dict[int, MatchingData] = {}
        self._marks: dict[int, list[Shape]] = {number: [*graph.title] for number, graph in self._groups.items()}
        self._rows: dict[float, int] = {}
        self._spans: dict[tuple[float, ...], int] = {}
        self._words: dict[str, int] = {}

    def after(self, moment: Moment, shown: Scene) -> list[MatchingData]:
        """What a moment changes."""
        step = getattr(moment.record, "step", None)
        if step is None or step != self._step:
            self._seen = self._seen[-1:]
        for number in shown.constraints:
            if number in self._groups:
                self._seen = [*self._seen, number] if step is not None and step == self._step else [number]
        self._step = step
        return [found for number in dict.fromkeys(self._seen) if (found := self._fresh(number, shown))]

    def _fresh(self, number: int, shown: Scene) -> MatchingData | None:
        """What is to be known of a group, unless that is known."""
        constraint, graph = self._model.constraints[number], self._groups[number]
        left = tuple(shown.domains[v] for v in constraint.scope)
        if self._left.get(number) == left:
            return None
        self._left[number] = left
        images = remaining_images(constraint, shown.domains)
        stand = graph.place(images)
        low = max(
            stand.values[v] for own in (*images, *remaining_images(constraint, removed_by_variable(shown))) for v in own
        )
        self._marks[number] += graph.frame_shapes(stand)
        self._marks[number].append(Shape("box", "", ((graph.ends[0], low), (0, HIGH))))
        found = self._data(number, graph, stand)
        if self._known.get(number) == found:
            return None
        self._known[number] = found
        return found

    def _data(self, number: int, graph: Graph, stand: GraphPlaces) -> MatchingData:
        return MatchingData(
            number,
            _letters(stand.members, self._rows),
            _letters([stand.values[value] for value in graph.values], self._rows),
            "".join(
                letter(graph.values.index(stand.partner[i])) if i in stand.partner else " "
                for i in range(len(graph.elements))
            ),
            _letters([frame[:2] for frame in stand.frames], self._spans),
            _letters([frame[2] for frame in stand.frames], self._words),
        )

    def tables(self, numbers: Mapping[Variable, int], values: Sequence[Value]) -> dict[str, Any]:
        """What the letters stand for, and the groups."""
        graphs: list[GraphData] = []
        groups: dict[int, GroupData] = {}
        for number, graph in self._groups.items():
            constraint = self._model.constraints[number]
            is_plain = all(element.is_variable for element in graph.elements)
            made = GraphData(
                columns=graph.columns, ends=graph.ends, high=HIGH, frame=graph.outer, said=graph.outer[1] + BESIDE,
                box=edged(bounding_box(self._marks[number])),
                values=[values.index(value) if is_plain else str(value) for value in graph.values],
            )  # fmt: skip
            if made not in graphs:
                graphs.append(made)
            groups[number] = GroupData(graph=graphs.index(made), title=list(map(mark_data, graph.title)))
            own = [numbers[v] for element in graph.elements for v in element.variables]
            if not is_plain or own != [numbers[v] for v in constraint.scope]:
                groups[number]["elements"] = [
                    numbers[v] if is_plain else [numbers[v], name, graph.images(element, self._model.domains[v])]
                    for element, name in zip(graph.elements, graph.names, strict=True) for v in element.variables
                ]  # fmt: skip
        return {
            "rows": [round(row, 1) for row in self._rows],
            "spans": list(self._spans),
            "words": list(self._words),
            "graphs": graphs,
            "groups": groups,
        }


def _letters(found: Iterable[T], table: dict[T, int]) -> str:
    """A letter for each thing: that of its number in a table."""
    return "".join(letter(table.setdefault(one, len(table))) for one in found)
