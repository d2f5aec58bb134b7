"""The places that conditions choose are one piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, conditions
from .table import Row

Vertex = tuple[Row, Constraint | None]
"""The name of a place, and the condition that chooses it; None where nothing can leave it out."""


class Connected(Constraint):
    """``connected(touch, ([1, 1] : c1), ([1, 2] : c2), ...)``: from each chosen place there is a way to each other.

    Fewer than two places are connected.

    Parameters
    ----------
    relation : str
        The name of the relation of neighbours.
    places : tuple of (row, Constraint or None)
        Each once.
    rows : tuple of rows
        The pairs of neighbours, the one place followed by the other; either way round.

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
        conditions([condition for _, condition in self.places if condition is not None])
        super().__post_init__()
        number = {place: i for i, (place, _) in enumerate(self.places)}
        near: list[dict[int, None]] = [{} for _ in self.places]
        for row in self.rows:
            one, other = number.get(row[: len(row) // 2]), number.get(row[len(row) // 2 :])
            if one is not None and other is not None and one != other:
                near[one][other] = near[other][one] = None
        object.__setattr__(self, "neighbours", tuple(map(tuple, near)))

    def parts(self) -> tuple[Constraint, ...]:
        return tuple([condition for _, condition in self.places if condition is not None])

    def check(self, values: Mapping[str, Value]) -> bool:
        chosen = {i for i, (_, condition) in enumerate(self.places) if condition is None or condition.check(values)}
        waiting = [min(chosen)] if chosen else []
        reached = {*waiting}
        for place in waiting:
            more = [other for other in self.neighbours[place] if other in chosen and other not in reached]
            reached.update(more)
            waiting += more
        return reached == chosen

    def text(self, quote: Quote = quoted) -> str:
        texts = [
            f"({written(place, quote)} : {one.as_condition(quote)})" if one is not None else written(place, quote)
            for place, one in self.places
        ]
        return f"connected({', '.join([self.relation, *texts])})"


def written(place: Row, quote: Quote) -> str:
    """A place of one value, or of several as a tuple."""
    return quote(place[0]) if len(place) == 1 else f"[{', '.join(map(quote, place))}]"
