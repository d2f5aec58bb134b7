"""The classes of answers, and the translation of solved snapshots into solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from ...base.errors import Stopped, Unfinished
from ...base.frozen import Frozen
from ...base.late import import_late
from ...base.notation import counted, unquote
from ...model import Affine, Domain, Model, Value, Variable
from ...model.givens import MissingDict
from ..compiled.kernel import Snapshot
from ..effort import Effort

if TYPE_CHECKING:
    from ..compiled.program import CompiledModel


class Solution(MissingDict[str, Value]):
    """A solution: a dictionary from variables to values, in the order of the model.

    Keys are names, families with indices, and expressions. ``print`` writes a solution as the command does.

    Attributes
    ----------
    model : Model or None
        The model that it solves, for printing and drawing; None after pickling.

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

    def __str__(self) -> str:
        """Return the solution as text, as ``csp solve`` prints it."""
        return import_late("csp.board.answer", "solution_text")(self) or repr(self)

    def _repr_html_(self) -> str:
        """Return the solution as HTML tables for a notebook."""
        return str(import_late("csp.render.notebook", "solution_html")(self))

    def __missing__(self, key: object) -> Value:
        if isinstance(key, Affine):
            return key.value(self)
        name = Variable.at(*key) if isinstance(key, tuple) and key else str(key)
        if name in self and name != key:
            return self[name]
        families = [*dict.fromkeys(Variable.of(variable).family for variable in self), ""]
        raise KeyError(f"unknown variable: {name}; the families are {', '.join(families[:10]).removesuffix(', ')}")

    def family(self, name: str | Affine) -> dict[Any, Value]:
        """Return a dictionary from the indices of a family, such as ``cell``, to values.

        Several indices are a tuple; a variable without indices has ().

        Raises
        ------
        KeyError
            If there is no such family.
        """
        members = [(v.indices, value) for key, value in self.items() if (v := Variable.of(key)).family == str(name)]
        if not members:
            self.__missing__(name)
        places = [tuple(map(unquote, indices)) for indices, _ in members]
        return {
            place[0] if len(place) == 1 else place: value for place, (_, value) in zip(places, members, strict=True)
        }

    def to_frame(self, family: str | Affine = "") -> Any:
        """Return a ``pandas.DataFrame`` with a row for every variable of a family.

        Without a family it has all variables, by name.

        Its index is that of the family, so that ``to_frame("cell")["cell"].unstack()`` is a grid.
        """
        name = str(family)
        values = self.family(name) if name else dict(self)
        return import_module("pandas").Series(values, name=name or "value").to_frame()

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (dict(self),)


class Count(Frozen):
    """A number of solutions, exact or a lower bound.

    Attributes
    ----------
    value : int
        Number of solutions found.
    complete : bool
        Whether ``value`` is exact; otherwise it is a lower bound.
    effort : Effort
        The cost of the answer.
    stopped : str
        The limit that ended the count, or empty.
    """

    value: int
    complete: bool
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    stopped: str = field(default="", repr=False)

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        """Return whether at least one solution was counted."""
        return self.value > 0


class Estimate(Frozen):
    """An estimate of the number of solutions, with its standard error.

    Attributes
    ----------
    value : int
        The mean of the counts of random walks down the search tree.
    error : int
        Its standard error; too small if few walks find very many solutions and most find few.
    probes : int
        Number of walks.
    effort : Effort
        The cost of the walks.
    stopped : str
        The limit that ended the walks early, or empty.
    """

    value: int
    error: int
    probes: int
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    stopped: str = field(default="", repr=False)


class Fixpoint(Frozen):
    """The result of propagation: the remaining domains, and whether there was no contradiction.

    Attributes
    ----------
    holds : bool
        False if propagation has found a contradiction, so that no solution exists.
    domains : dict from Variable to tuple
        The remaining values of every variable; if ``holds`` is False, those after the givens alone.
    effort : Effort
        The cost of the answer.
    model : Model or None
        The propagated model, for drawing.
    """

    holds: bool
    domains: dict[Variable, Domain]
    effort: Effort = field(default_factory=Effort, compare=False)
    model: Model | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        unfixed = sum(len(domain) > 1 for domain in self.domains.values())
        outcome = f"{unfixed:,} unfixed" if self.holds else "a contradiction"
        return f"<Fixpoint: {counted(len(self.domains), 'variable')}, {outcome}>"

    def _repr_html_(self) -> str:
        """Return the remaining domains as HTML for a notebook."""
        return str(import_late("csp.render.notebook", "fixpoint_html")(self))

    @property
    def solved(self) -> bool:
        """Whether there is no contradiction and every variable is fixed."""
        return self.holds and all(len(domain) == 1 for domain in self.domains.values())


class Answers(Iterator[Solution]):
    """An iterator over solutions that searches for the next one on demand.

    If a limit ends a search for better solutions and the caller reads neither ``stopped`` nor ``complete``, the
    iterator warns with ``csp.Unfinished``.

    Attributes
    ----------
    effort : Effort
        The cost so far.
    complete : bool
        Whether the whole search space has been searched.
    stopped : str
        The limit that ended the search, or empty.
    """

    def __init__(
        self,
        solved: Iterator[Any],
        decode: Callable[[Any], Solution],
        effort: Effort,
        improving: bool = False,
    ) -> None:
        self.effort = effort
        self._complete = False
        self._stopped = ""
        self._is_status_read = not improving
        self._solved = solved
        self._decode = decode

    @property
    def complete(self) -> bool:
        self._is_status_read = True
        return self._complete

    @property
    def stopped(self) -> str:
        self._is_status_read = True
        return self._stopped

    @stopped.setter
    def stopped(self, limit: str) -> None:
        self._stopped = limit

    def __del__(self) -> None:
        if self._stopped and not self._is_status_read:
            advice = "the last solution may not be optimal; see answers.stopped"
            warn(f"stopped by {self._stopped}: {advice}", Unfinished, stacklevel=2)

    def __next__(self) -> Solution:
        try:
            return self._decode(next(self._solved))
        except StopIteration:
            self._complete = not self._stopped
            raise
        except Stopped as limit:
            self._stopped = str(limit)
            raise StopIteration from None


class Decoder:
    """A function that translates a solved snapshot into a ``Solution`` of the model."""

    def __init__(self, program: CompiledModel) -> None:
        self._model, self._kernel = program.model, program.kernel
        self._names = tuple(program.model.domains)
        self._values = [value for domain in program.layout.domains for value in (*domain, 0)]
        self._blank: dict[str, Value] = dict.fromkeys(self._names, 0)  # filling a copy is faster than growing a dict

    def __call__(self, snapshot: Snapshot) -> Solution:
        solution = self._kernel.pick(snapshot, self._values, self._names, Solution(self._blank))
        solution.model = self._model
        return solution
