"""The runs of a list add up to given sums, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import ClassVar

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from ..listed import Listed
from ..operation import apply, multiply
from ..variable import whole
from .comparison import Comparison
from .conjunction import All
from .linear import comparing

RunState = tuple[int, int | None]
"""How many runs are over, and the sum so far of the one that has begun."""

Arcs = dict[tuple[int, int], tuple[int, ...]]
"""From which state to which, by their places in their layers, and the numbers that lead there."""

START: RunState = (0, None)


class Runs(Listed):
    """``runs([e1, e2, ...], [s1, s2, ...])``: the elements other than 0 stand in runs with these sums, in this order.

    A run is as long as it can be: 0 stands before and behind it, or the list ends. Of elements that are 0 or 1 the sums
    are the lengths, as a nonogram gives them.

    Parameters
    ----------
    elements : tuple of Affine
    sums : tuple of int
        One for each run; without any, all elements are 0.

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
            raise ModelError(f"{self.sums!r} is no list of sums, such as (3, 1)")
        object.__setattr__(self, "sums", tuple([whole(one, "a sum") for one in self.sums]))

    def step(self, state: RunState, number: int) -> RunState | None:
        """Where an element with this value leads; None if there is no such run."""
        over, total = state
        if number:
            return (over, (total or 0) + number) if over < len(self.sums) else None
        if total is None:
            return state
        return (over + 1, None) if total == self.sums[over] else None

    def ends(self, state: RunState | None) -> bool:
        """Whether the list may end here."""
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

    def layers(self, numbers: Sequence[Sequence[int]], most: int) -> list[Arcs] | None:
        """For each element the steps that lead from the start to an end, layer by layer.

        Parameters
        ----------
        numbers : sequence of sequences of int
            What each element may be.
        most : int
            How many steps are tried in a layer at most.

        Returns
        -------
        list of dict, or None
            None where there are more. O(steps) time and memory.

        References
        ----------
        .. [1] G. Pesant, "A regular language membership constraint for finite sequences of variables", 2004.
        """
        low = [*accumulate([min((0, *own)) for own in reversed(numbers)], initial=0)]
        high = [*accumulate([max((0, *own)) for own in reversed(numbers)], initial=0)]
        states: dict[RunState, int] = {START: 0}
        found: list[Arcs] = []
        for place, own in enumerate(numbers, 1):
            if len(states) * len(own) > most:
                return None
            least, greatest = low[len(numbers) - place], high[len(numbers) - place]
            there: dict[RunState, int] = {}
            arcs: dict[tuple[int, int], list[int]] = {}
            for state, here in states.items():
                for number in own:
                    state_after = self.step(state, number)
                    if state_after is None:
                        continue
                    over, total = state_after
                    if total is None or total + least <= self.sums[over] <= total + greatest:
                        arcs.setdefault((here, there.setdefault(state_after, len(there))), []).append(number)
            found.append({ends: tuple(led) for ends, led in arcs.items()})
            states = there
        alive = {place for state, place in states.items() if self.ends(state)}
        for place, steps in reversed([*enumerate(found)]):
            found[place] = {ends: own for ends, own in steps.items() if ends[1] in alive}
            alive = {here for here, _ in found[place]}
        return found

    def decomposed(self) -> tuple[Constraint, ...]:
        zero = Affine()
        begins: list[Constraint] = [comparing(e, "!=", zero) for e in self.elements[:1]]
        begins += [All((comparing(a, "=", zero), comparing(b, "!=", zero))) for a, b in pairwise(self.elements)]
        begun = [apply("count", begins[: place + 1]) for place in range(len(begins))]  # which run an element is in
        parts: list[Constraint] = [comparing(begun[-1] if begun else zero, "=", Affine((), len(self.sums)))]
        for number, total in enumerate(self.sums, 1) if begun else ():
            inside = [apply("count", [Comparison(run, "=", Affine((), number))]) for run in begun]
            own = [multiply(element, here) for element, here in zip(self.elements, inside, strict=True)]
            parts.append(comparing(sum(own, zero), "=", Affine((), total)))
        return (*parts, *[Comparison(e, "=", e) for e in self.elements if e.partial])

    def texts(self, quote: Quote = quoted) -> list[str]:
        return [*super().texts(quote), f"[{', '.join(map(str, self.sums))}]"]
