"""Compile a model once; solve, count and propagate it for many sets of givens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial, reduce
from itertools import islice
from operator import and_
from typing import Any, Literal

from gmpy2 import mpz

from .answers import Answers, Count, Fixpoint, Solution
from .constraints import Constraint
from .events import Observer
from .lines import Lines
from .model import Model, ModelError, Value
from .preparation import Preparation
from .propagation import Effort, Propagation
from .search import Limits, Search, Stopped

Level = Literal["arc", "singles", "domain"]
LEVELS: tuple[Level, ...] = ("arc", "singles", "domain")


class Solver:
    """A compiled model. Asking again gives the same answer, whatever was asked before.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "domain"}
        How much is propagated. Answers do not depend on it; effort and traces do.

    Raises
    ------
    TooLarge
        If the model has more candidates than the engine holds.

    Notes
    -----
    Compiling is O(candidates of all lines); every mask is made when it is first needed and then kept, so that a
    solver grows faster with use.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solver = Solver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    >>> solver.solve({"A": 2, "B": 3})
    {'A': 2, 'B': 3, 'C': 1}
    >>> solver.count({"A": 2})
    Count(value=2, complete=True)
    """

    def __init__(self, model: Model, level: Level = "singles") -> None:
        if level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {level}")
        self.model = model
        self.level = level
        self.prepared = prepared = Preparation(model).prepared
        self.lines = Lines(prepared, dual=level != "arc")
        active = [c for c in prepared.constraints if c.filters(prepared.domains)]
        if level != "domain":
            active = [c for c in active if not c.strong]
        self._propagation = Propagation(self.lines, [c for c in active if len(c.scope) > 1])
        self._narrowing = [(c, self._unary_mask(c)) for c in active if len(c.scope) == 1]
        self._given: dict[tuple[str, Value], mpz] = {}
        self._firsts = [self.lines.first_bit[variable] for variable in model.domains]
        self._values = [value for domain in prepared.domains.values() for value in (*domain, 0)]

    def solve(self, givens: Mapping[str, Value] | None = None, limits: Limits | None = None) -> Solution | None:
        """The first solution, or None when there is none.

        Parameters
        ----------
        givens : mapping from str to int or str, optional
            Values of variables, besides those that the model fixes.
        limits : Limits, optional

        Returns
        -------
        Solution or None
            A model without variables has an empty solution, so ask whether it ``is None``.

        Raises
        ------
        ModelError
            If a given names no variable, or a value outside its domain.
        Stopped
            If a limit ends the search before the answer is known.
        """
        answers = self.solutions(givens, limits)
        solution = next(answers, None)
        if answers.stopped:
            raise Stopped(answers.stopped)
        return solution

    def solutions(
        self,
        givens: Mapping[str, Value] | None = None,
        limits: Limits | None = None,
        observer: Observer | None = None,
    ) -> Answers:
        """All solutions, each once, in an order that is always the same.

        Parameters
        ----------
        givens, limits
            As for ``solve``.
        observer : Observer, optional
            Told of every step.

        Returns
        -------
        Answers
        """
        effort = Effort()
        root = self._root(givens, observer)
        states = self._states(root, limits or Limits(), effort, observer)
        return Answers(states, self._decode, effort)

    def count(
        self, givens: Mapping[str, Value] | None = None, limits: Limits | None = None, most: int | None = None
    ) -> Count:
        """How many solutions there are; independent parts are counted apart and multiplied.

        Parameters
        ----------
        givens, limits
            As for ``solve``.
        most : int, optional
            Stop at this number.

        Returns
        -------
        Count
        """
        if most is not None:
            answers = self.solutions(givens, limits)
            found = sum(1 for _ in islice(answers, most))
            return Count(found, found < most and not answers.stopped, answers.effort, answers.stopped)
        effort, limits = Effort(), limits or Limits()
        try:
            holds, state = self._narrow_root(self._root(givens, None), limits, effort, None)
        except Stopped as limit:
            return Count(0, False, effort, str(limit))
        if not holds:
            return Count(0, True, effort)
        total, stopped = 1, ""
        for part in self._parts(state):
            found = 0
            try:
                for _ in self._search(part, limits, effort, None):
                    found += 1
            except Stopped as limit:
                stopped = str(limit)
            if not found and not stopped:
                return Count(0, True, effort)
            total *= found
        return Count(total, not stopped, effort, stopped)

    def propagate(
        self,
        givens: Mapping[str, Value] | None = None,
        limits: Limits | None = None,
        observer: Observer | None = None,
    ) -> Fixpoint:
        """What follows without search.

        Parameters
        ----------
        givens, limits
            As for ``solve``.
        observer : Observer, optional

        Returns
        -------
        Fixpoint

        Raises
        ------
        Stopped
            If a limit comes first.
        """
        effort, root = Effort(), self._root(givens, observer)
        holds, state = self._narrow_root(root, limits or Limits(), effort, observer)
        if holds:
            domains = {v: self.lines.domain(state, v) for v in self.prepared.domains}
            lines = (line for one in self.prepared.constraints for line in one.lines(domains))
            holds = all(candidates for _, candidates in lines)
        left = state if holds else root
        return Fixpoint(holds, {v: self.lines.domain(left, v) for v in self.model.domains}, effort)

    @cached_property
    def network(self) -> Any:
        """The frozen constraint network of the prepared model (a ``networkx.Graph``)."""
        from .network import network  # networkx takes longer to import than most puzzles take to solve

        return network(self.prepared)

    def _unary_mask(self, constraint: Constraint) -> mpz:
        (variable,) = constraint.scope
        domain = self.prepared.domains[variable]
        kept = {value for value in constraint.filter([domain])[0] if constraint.check({variable: value})}
        return self.lines.without((variable, value) for value in domain if value not in kept)

    def _given_mask(self, variable: str, value: Value) -> mpz:
        if variable not in self.model.domains or not self.lines.bits(variable, value):
            raise ModelError(self._bad_given(variable, value))
        if not self.lines.has_room(len(self._given) + 1):
            self._given.clear()
        mask = self._given[variable, value] = self.lines.only(variable, value)
        return mask

    def _root(self, givens: Mapping[str, Value] | None, observer: Observer | None) -> mpz:
        """The state after givens and constraints on one variable."""
        state = self.lines.start
        for constraint, mask in self._narrowing:
            before, state = state, state & mask
            if observer is not None:
                observer.narrowed(before, state, constraint)
        for given in (givens or {}).items():
            before, state = state, state & (self._given.get(given) or self._given_mask(*given))
            if observer is not None:
                observer.narrowed(before, state, None)
        return state

    def _bad_given(self, name: str, value: Value) -> str:
        if name not in self.model.domains:
            return f"there is no variable {name} to be given {value}"
        domain = self.model.domains[name]  # type: ignore[index]
        return f"{name} is given {value}, which is not one of {', '.join(map(str, domain))}"

    def _narrow_root(
        self, root: mpz, limits: Limits, effort: Effort, observer: Observer | None
    ) -> tuple[bool, mpz]:
        effort.nodes += 1
        holds, state = self._propagation.narrow(root, None, effort, observer, partial(limits.check_time, effort))
        effort.failures += not holds
        return holds, state

    def _states(self, root: mpz, limits: Limits, effort: Effort, observer: Observer | None) -> Iterator[mpz]:
        holds, state = self._narrow_root(root, limits, effort, observer)
        if holds:
            parts = self._parts(state)
            for solved in product([self._search(part, limits, effort, observer) for part in parts]):
                if observer is not None:
                    observer.solved(solved)
                yield solved

    def _search(self, part: mpz, limits: Limits, effort: Effort, observer: Observer | None) -> Iterator[mpz]:
        if observer is not None:
            observer.turned()
        yield from Search(self._propagation, limits, effort, observer).solutions(part)

    def _parts(self, state: mpz) -> list[mpz]:
        """The state once for every independent part of the model, with the lines of the other parts at rest."""
        guards = self.lines.guards
        if not state & guards or len(self._part_guards) == 1:
            return [state]
        return [state & ~(guards ^ own) for own in self._part_guards if state & own]

    @cached_property
    def _part_guards(self) -> list[mpz]:
        from .network import components

        parts = components(self.network)
        if len(parts) == 1 or not self.lines.has_room(len(parts)):
            return [self.lines.guards]
        return [self.lines.guards_of(part) for part in parts]

    def _decode(self, state: mpz) -> Solution:
        scan, values = state.bit_scan1, self._values
        return Solution(zip(self.model.domains, [values[scan(first)] for first in self._firsts], strict=True))


def product(parts: list[Iterator[mpz]]) -> Iterator[mpz]:
    """The solved states of the whole, from those of its parts; each part is searched once, as far as it is needed."""
    found: list[list[mpz]] = []
    for part in parts:
        first = next(part, None)
        if first is None:
            return
        found.append([first])
    chosen = [0] * len(parts)
    while True:
        yield reduce(and_, [states[choice] for states, choice in zip(found, chosen, strict=True)])
        for number in reversed(range(len(parts))):
            chosen[number] += 1
            if chosen[number] == len(found[number]):
                found[number] += islice(parts[number], 1)
            if chosen[number] < len(found[number]):
                break
            chosen[number] = 0
        else:
            return


def solve(model: Model, level: Level = "singles", limits: Limits | None = None) -> Solution | None:
    """The first solution of a model, or None when there is none; see ``Solver``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "domain"}
    limits : Limits, optional

    Returns
    -------
    Solution or None

    Raises
    ------
    Stopped
        If a limit comes before the answer.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> solve(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")]))
    {'A': 2, 'B': 1}
    """
    return Solver(model, level).solve(limits=limits)


def count(model: Model, level: Level = "singles", limits: Limits | None = None) -> Count:
    """The number of solutions of a model; see ``Solver.count``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "domain"}
    limits : Limits, optional

    Returns
    -------
    Count
        A lower bound where a limit came first.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> count(Model({v: range(3) for v in "ABC"}, [AllDifferent.of("ABC")])).value
    6
    """
    return Solver(model, level).count(limits=limits)


def propagate(model: Model, level: Level = "singles", observer: Observer | None = None) -> Fixpoint:
    """What follows from a model without search; see ``Solver.propagate``.

    Parameters
    ----------
    model : Model
    level : {"singles", "arc", "domain"}
    observer : Observer, optional
        Told of every step.

    Returns
    -------
    Fixpoint

    Examples
    --------
    >>> from csp import AllDifferent
    >>> propagate(Model({"A": (1, 2), "B": (1,)}, [AllDifferent.of("AB")])).domains
    {'A': (2,), 'B': (1,)}
    """
    return Solver(model, level).propagate(observer=observer)
