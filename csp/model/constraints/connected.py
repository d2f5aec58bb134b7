"""The constraint that selected places of a graph form one component."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ...base.notation import Quote, Value, quoted
from ..algebra import Constraint
from ..operand import check_constraints
from ..variable import Variable
from .table import Row

Vertex = tuple[Row, Constraint | None]
"""The name of a place, and the condition that selects it; ``None`` if the place is always selected."""


class Connected(Constraint):
    """The constraint that the places with true conditions form a connected graph.

    In the language: ``connected(touch, ([1, 1] : c1), ([1, 2] : c2), ...)``. Fewer than two places are always
    connected.

    Parameters
    ----------
    relation : str
        The name of the relation between neighbours.
    places : tuple of (row, Constraint or None)
        Each place once.
    rows : tuple of rows
        The pairs of neighbours, each a row of both places, in either order.

    Examples
    --------
    >>> from csp import Equality, Variable
    >>> places = tuple([((i,), Equality(Variable("x", i), 1)) for i in (1, 2, 3)])
    >>> row = Connected("next", places, ((1, 2), (2, 3)))
    >>> print(row, row.check({"x(1)": 1, "x(2)": 0, "x(3)": 1}))
    connected(next, (1 : x(1) = 1), (2 : x(2) = 1), (3 : x(3) = 1)) False
    """

    relation: str
    places: tuple[Vertex, ...]
    rows: tuple[Row, ...] = field(hash=False)
    neighbours: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_constraints([condition for _, condition in self.places if condition is not None])
        super().__post_init__()
        number = {place: i for i, (place, _) in enumerate(self.places)}
        neighbours: list[dict[int, None]] = [{} for _ in self.places]
        # Places that the constraint does not mention are not in the graph.
        for row in self.rows:
            first, second = number.get(row[: len(row) // 2]), number.get(row[len(row) // 2 :])
            if first is not None and second is not None and first != second:
                neighbours[first][second] = neighbours[second][first] = None
        object.__setattr__(self, "neighbours", tuple(map(tuple, neighbours)))

    def parts(self) -> tuple[Constraint, ...]:
        return tuple([condition for _, condition in self.places if condition is not None])

    def selects(self, variable: Variable, value: Value) -> bool:
        """Return whether one value is enough to select a place.

        Examples
        --------
        >>> from csp import Equality
        >>> x = Variable("x")
        >>> graph = Connected("next", (((1,), Equality(x, 1)), ((2,), None)), ((1, 2),))
        >>> graph.selects(x, 1), graph.selects(x, 0)
        (True, False)
        """
        return any(part.scope == (variable,) and part.check({variable: value}) for part in self.parts())

    def check(self, values: Mapping[str, Value]) -> bool:
        selected = {i for i, (_, condition) in enumerate(self.places) if condition is None or condition.check(values)}
        # Breadth-first search from one selected place must reach all selected places.
        queue = [min(selected)] if selected else []
        reached = {*queue}
        for place in queue:
            new_places = [
                neighbour for neighbour in self.neighbours[place] if neighbour in selected and neighbour not in reached
            ]
            reached.update(new_places)
            queue += new_places
        return reached == selected

    def text(self, quote: Quote = quoted) -> str:
        texts = [
            f"({place_text(place, quote)} : {condition.as_condition(quote)})"
            if condition is not None
            else place_text(place, quote)
            for place, condition in self.places
        ]
        return f"connected({', '.join([self.relation, *texts])})"


def place_text(place: Row, quote: Quote) -> str:
    """Return the text of a place's name: one value, or several in brackets."""
    return quote(place[0]) if len(place) == 1 else f"[{', '.join(map(quote, place))}]"
