"""What an answer looks like: solutions, counts, fixpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from ...base.errors import Stopped, Unfinished
from ...base.frozen import Frozen
from ...base.notation import unquoted
from ...base.show import ShowsHtml, ShowsText
from ...model import Affine, Domain, Model, Value, Variable
from ...model.operand import MissingDict
from ..compiled.kernel import Snapshot
from ..effort import Effort


class Solution(ShowsText, ShowsHtml, MissingDict[str, Value]):
    """The value of every variable, in the order of the model; ``print`` writes it as the command does.

    It is asked by name, by family and indices, and by an expression.

    Attributes
    ----------
    model : Model or None
        What it solves, so that it is printed and drawn as a puzzle; what is pickled no longer knows.

    Examples
    --------
    >>> from csp import solve, var
    >>> seats = solve(Model({var("seat", "O'Brien"): (1,), var("seat", "ann"): (2, 3)}))
    >>> seats["seat", "O'Brien"], seats["seat(ann)"], seats[var("seat", "ann") + 1], seats.family("seat")
    (1, 2, 3, {"O'Brien": 1, 'ann': 2})
    """

    model: Model | None = None

    if TYPE_CHECKING:

        def __getitem__(self, key: str | tuple[Value, ...] | Affine, /) -> Value: ...

    def __missing__(self, key: object) -> Value:
        if isinstance(key, Affine):
            return key.value(self)
        name = Variable.at(*key) if isinstance(key, tuple) and key else str(key)
        if name in self and name != key:
            return self[name]
        families = [*dict.fromkeys(Variable.of(known).family for known in self), ""]
        raise KeyError(f"there is no variable {name}, only those of {', '.join(families[:10]).removesuffix(', ')}")

    def family(self, name: str | Affine) -> dict[Any, Value]:
        """The values of one family by index, by a tuple where there are several, and by () where there is none.

        Raises
        ------
        KeyError
            If there is no such family.
        """
        own = [(v.indices, value) for key, value in self.items() if (v := Variable.of(key)).family == str(name)]
        if not own:
            self.__missing__(name)
        places = [tuple(map(unquoted, indices)) for indices, _ in own]
        return {place[0] if len(place) == 1 else place: value for place, (_, value) in zip(places, own, strict=True)}

    def to_frame(self, family: str | Affine = "") -> Any:
        """A ``pandas.DataFrame`` with a row for every variable of a family, or of all under their names.

        Its index is that of the family, so that ``to_frame("cell")["cell"].unstack()`` is a grid.
        """
        name = str(family)
        values = self.family(name) if name else dict(self)
        return import_module("pandas").Series(values, name=name or "value").to_frame()

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (dict(self),)


class Count(Frozen):
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

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        """Whether a solution was found."""
        return self.value > 0


class Estimate(Frozen):
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


class Fixpoint(Frozen):
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

    Where a limit ends those of which each is to be better than the one before, and nobody looks at ``stopped`` or
    ``complete``, there is a warning, ``csp.Unfinished``.

    Attributes
    ----------
    effort : Effort
        What has been spent so far.
    complete : bool
        Whether the whole space has been searched.
    stopped : str
        Which limit ended the search, or empty.
    """

    def __init__(
        self,
        states: Iterator[Snapshot],
        decode: Callable[[Snapshot], Solution],
        effort: Effort,
        improving: bool = False,
    ) -> None:
        self.effort = effort
        self._complete = False
        self._stopped = ""
        self._looked = not improving
        self._states = states
        self._decode = decode

    @property
    def complete(self) -> bool:
        self._looked = True
        return self._complete

    @property
    def stopped(self) -> str:
        self._looked = True
        return self._stopped

    @stopped.setter
    def stopped(self, limit: str) -> None:
        self._stopped = limit

    def __del__(self) -> None:
        if self._stopped and not self._looked:
            told = "the last solution is the best so far, and need not be the best; answers.stopped tells"
            warn(f"stopped by {self._stopped}: {told}", Unfinished, stacklevel=2)

    def __next__(self) -> Solution:
        try:
            return self._decode(next(self._states))
        except StopIteration:
            self._complete = not self._stopped
            raise
        except Stopped as limit:
            self._stopped = str(limit)
            raise StopIteration from None
