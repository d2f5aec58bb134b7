"""What an answer looks like: solutions, counts, fixpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...ground.errors import Stopped
from ...ground.show import ShowsHtml
from ...model import Domain, Model, Value, Variable
from ..compiled.kernel import State
from ..effort import Effort


class Solution(ShowsHtml, dict[str, Value]):
    """The value of every variable, in the order of the model.

    Attributes
    ----------
    model : Model or None
        What it solves, so that a notebook draws it as a puzzle; what is pickled no longer knows.

    Examples
    --------
    >>> from csp import Model, solve
    >>> solve(Model({"A": (1,), "B": (2, 3)}))["A"]
    1
    """

    model: Model | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (dict(self),)


@dataclass(frozen=True)
class Count:
    """How many solutions there are.

    Attributes
    ----------
    value : int
        The number found.
    complete : bool
        Whether that is all of them; otherwise it is a lower bound.
    effort : Effort
        What it has cost.
    stopped : str
        Which limit ended the count, or empty.
    """

    value: int
    complete: bool
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    stopped: str = field(default="", repr=False)


@dataclass(frozen=True)
class Estimate:
    """About how many solutions there are.

    Attributes
    ----------
    value : int
        The mean of what random walks down the tree have found.
    error : int
        Its standard error. Where few walks find very much and most find little, it is too small.
    probes : int
        How many walks there were.
    effort : Effort
        What they have cost.
    stopped : str
        Which limit made it fewer walks than were asked for, or empty.
    """

    value: int
    error: int
    probes: int
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    stopped: str = field(default="", repr=False)


@dataclass(frozen=True)
class Fixpoint:
    """What propagation leaves.

    Attributes
    ----------
    holds : bool
        False if propagation alone proves that there is no solution.
    domains : dict from Variable to tuple
        The values left to every variable; where ``holds`` is False, those after the givens alone.
    effort : Effort
        What it has cost.
    """

    holds: bool
    domains: dict[Variable, Domain]
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)

    @property
    def solved(self) -> bool:
        """Whether every variable has one value left."""
        return self.holds and all(len(domain) == 1 for domain in self.domains.values())


class Answers(Iterator[Solution]):
    """The solutions of one question, found as they are asked for.

    Attributes
    ----------
    effort : Effort
        What has been spent so far.
    complete : bool
        Whether the whole space has been searched.
    stopped : str
        Which limit ended the search, or empty.
    """

    def __init__(self, states: Iterator[State], decode: Callable[[State], Solution], effort: Effort) -> None:
        self.effort = effort
        self.complete = False
        self.stopped = ""
        self._states = states
        self._decode = decode

    def __next__(self) -> Solution:
        try:
            return self._decode(next(self._states))
        except StopIteration:
            self.complete = not self.stopped
            raise
        except Stopped as limit:
            self.stopped = str(limit)
            raise StopIteration from None
