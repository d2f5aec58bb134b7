"""The constraint of nonograms: the sums of runs of nonzero elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import ClassVar

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import All, Comparison, Constraint, comparing
from ..expression import Affine
from ..operation import apply, multiply
from ..variable import as_integer
from .base import Listed

RunState = tuple[int, int | None]
"""The number of finished runs, and the sum so far of the current run; ``None`` between runs."""

Arcs = dict[tuple[int, int], tuple[int, ...]]
"""The arcs of one layer: the indices of the states before and after, and the numbers that lead there."""

START: RunState = (0, None)


class Runs(Listed):
    """The constraint that the runs of nonzero elements have the given sums.

    In the language: ``runs([e1, e2, ...], [s1, s2, ...])``. A run is maximal: a 0 or an end of the list precedes and
    follows it. If all elements are 0 or 1, the sums are lengths, as in a nonogram.

    Parameters
    ----------
    elements : tuple of Affine
    sums : tuple of int
        One sum for each run; without sums, all elements are 0.

    Examples
    --------
    >>> row = Runs(tuple(map(Affine.variable, "abcd")), (2, 1))
    >>> print(row, row.check(dict(a=1, b=1, c=0, d=1)), row.check(dict(a=0, b=2, c=1, d=0)))
    runs([a, b, c, d], [2, 1]) True False
    """

    elements: tuple[Affine, ...]
    sums: tuple[int, ...]
    word: ClassVar[str] = "runs"
    takes_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.sums, str) or not isinstance(self.sums, Iterable):
            raise ModelError(f"{self.sums!r} is not a list of sums, such as (3, 1)")
        object.__setattr__(self, "sums", tuple([as_integer(run_sum, "a sum") for run_sum in self.sums]))

    def step(self, state: RunState, number: int) -> RunState | None:
        """Return the automaton's state after one more element; ``None`` if impossible."""
        finished, total = state
        if number:
            return (finished, (total or 0) + number) if finished < len(self.sums) else None
        if total is None:
            return state
        return (finished + 1, None) if total == self.sums[finished] else None

    def ends(self, state: RunState | None) -> bool:
        """Return whether the automaton accepts a list that ends in this state; never for ``None``."""
        return state is not None and self.step(state, 0) == (len(self.sums), None)

    def check(self, values: Mapping[str, Value]) -> bool:
        state: RunState | None = START
        try:
            numbers = [element.number(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        for number in numbers:
            state = self.step(state, number) if state else None
        return self.ends(state)

    def layers(self, numbers: Sequence[Sequence[int]], max_steps: int) -> list[Arcs] | None:
        """Return for each element the automaton's arcs on accepting paths; None beyond a limit.

        Parameters
        ----------
        numbers : sequence of sequences of int
            The possible values of each element.
        max_steps : int
            Maximum number of steps tried in a layer.

        Returns
        -------
        list of dict, or None
            One item for each element; ``None`` if a layer exceeds the maximum. O(steps) time and memory.

        References
        ----------
        .. [1] G. Pesant, "A regular language membership constraint for finite sequences of variables", 2004.
        """
        # Bounds of the sum of the last elements, which limit how much a run can still grow.
        low = [*accumulate([min((0, *possible)) for possible in reversed(numbers)], initial=0)]
        high = [*accumulate([max((0, *possible)) for possible in reversed(numbers)], initial=0)]
        states: dict[RunState, int] = {START: 0}
        layers: list[Arcs] = []
        # Forward: build the reachable states of each layer.
        for place, possible in enumerate(numbers, 1):
            if len(states) * len(possible) > max_steps:
                return None
            rest_low, rest_high = low[len(numbers) - place], high[len(numbers) - place]
            following: dict[RunState, int] = {}
            arcs: dict[tuple[int, int], list[int]] = {}
            for state, index in states.items():
                for number in possible:
                    state_after = self.step(state, number)
                    if state_after is None:
                        continue
                    finished, total = state_after
                    # Keep the arc only if the current run can still reach its sum.
                    if total is None or total + rest_low <= self.sums[finished] <= total + rest_high:
                        arcs.setdefault((index, following.setdefault(state_after, len(following))), []).append(number)
            layers.append({ends: tuple(arc_numbers) for ends, arc_numbers in arcs.items()})
            states = following
        # Backward: remove arcs that do not lead to an accepting state.
        alive = {place for state, place in states.items() if self.ends(state)}
        for place, steps in reversed([*enumerate(layers)]):
            layers[place] = {ends: arc_numbers for ends, arc_numbers in steps.items() if ends[1] in alive}
            alive = {index for index, _ in layers[place]}
        return layers

    def decompose(self) -> tuple[Constraint, ...]:
        zero = Affine()
        # A run starts at an element other than 0 that follows a 0 or nothing.
        run_starts: list[Constraint] = [comparing(element, "!=", zero) for element in self.elements[:1]]
        run_starts += [All((comparing(a, "=", zero), comparing(b, "!=", zero))) for a, b in pairwise(self.elements)]
        # The number of runs that have begun at each element is the number of its run.
        run_numbers = [apply("count", run_starts[: place + 1]) for place in range(len(run_starts))]
        parts: list[Constraint] = [comparing(run_numbers[-1] if run_numbers else zero, "=", Affine((), len(self.sums)))]
        # The elements inside each run have the sum of that run.
        for number, total in enumerate(self.sums, 1) if run_numbers else ():
            inside = [apply("count", [Comparison(run, "=", Affine((), number))]) for run in run_numbers]
            addends = [multiply(element, is_inside) for element, is_inside in zip(self.elements, inside, strict=True)]
            parts.append(comparing(sum(addends, zero), "=", Affine((), total)))
        return (*parts, *[Comparison(element, "=", element) for element in self.elements if element.partial])

    def texts(self, quote: Quote = quoted) -> list[str]:
        return [*super().texts(quote), f"[{', '.join(map(str, self.sums))}]"]
