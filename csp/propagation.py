"""The queue: sweep, mark, narrow, until nothing is marked. Knows no constraint by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gmpy2 import mpz

from .constraints import Constraint
from .events import Observer
from .lines import Lines
from .model import Variable


@dataclass(slots=True)
class Effort:
    """What an answer has cost, in counts that do not depend on the machine.

    Attributes
    ----------
    sweeps : int
        Passes over all lines.
    fixes : int
        Candidates fixed by propagation.
    filters : int
        Calls of constraint filters.
    nodes : int
        States of the search tree that were propagated, the root included.
    failures, restarts, solutions : int
    """

    sweeps: int = 0
    fixes: int = 0
    filters: int = 0
    nodes: int = 0
    failures: int = 0
    restarts: int = 0
    solutions: int = 0


class Propagation:
    """Narrows states of compiled lines to their fixpoint.

    Parameters
    ----------
    lines : Lines
    constraints : list of Constraint
        Those with a filter to run besides the lines.

    References
    ----------
    .. [1] A. K. Mackworth, "Consistency in networks of relations", Artificial Intelligence 8, 1977 (the queue).
    .. [2] P. Norvig, "Solving every Sudoku puzzle", 2006 (the two rules that singles in both kinds of lines are).
    .. [3] D. E. Knuth, "The Art of Computer Programming" 7.1.3 (arithmetic on fields within a word).
    """

    def __init__(self, lines: Lines, constraints: list[Constraint]) -> None:
        self.lines = lines
        self.constraints = sorted(constraints, key=lambda constraint: (constraint.strong, len(constraint.scope)))
        self._scopes = [constraint.scope for constraint in self.constraints]
        self._watching: dict[Variable, list[int]] = {}
        for number, scope in enumerate(self._scopes):
            for variable in scope:
                self._watching.setdefault(variable, []).append(number)

    def narrow(
        self,
        state: mpz,
        rest: mpz | None,
        effort: Effort,
        observer: Observer | None = None,
        check_time: Callable[[], None] | None = None,
    ) -> tuple[bool, mpz]:
        """Propagate until nothing is marked.

        Parameters
        ----------
        state : mpz
        rest : mpz or None
            A state at which all filters were at rest; None to run every filter.
        effort : Effort
            Counts are added here.
        observer : Observer, optional
        check_time : function, optional
            Called before every filter; what it raises ends the propagation.

        Returns
        -------
        bool, mpz
            True and the fixpoint, or False and the guards of the lines that have lost every candidate.
        """
        while True:
            holds, found = self._singles(state, effort, observer)
            if not holds or not self.constraints:
                break
            state = self._filtered(found, rest, effort, observer, check_time)
            rest = found
            if state == found:
                break
        if observer is not None and holds:
            observer.rested(found)
        return holds, found

    def _singles(self, state: mpz, effort: Effort, observer: Observer | None) -> tuple[bool, mpz]:
        lines = self.lines
        guards, ones, keep, begin = lines.guards, lines.ones, lines.keep, lines.begin
        sweeps = fixes = 0
        while True:
            sweeps += 1
            less = state - ones
            empty = (less ^ state) & guards
            if empty:
                break
            singles = state & guards & ~((state & less | guards) - ones)
            if not singles:
                break
            if observer is not None:
                observer.swept(singles)
            while singles:
                fixes += 1
                guard = singles.bit_scan1()
                bit = state.bit_scan1(begin[guard])
                try:
                    after = state & keep[bit]
                except KeyError:
                    after = state & lines.fixing(bit)
                if observer is not None:
                    observer.fixed(state, after, guard, bit)
                state = after
                singles &= state
        effort.sweeps += sweeps
        effort.fixes += fixes
        if not empty:
            return True, state
        if observer is not None:
            observer.failed(state, empty)
        return False, empty

    def _filtered(
        self,
        state: mpz,
        rest: mpz | None,
        effort: Effort,
        observer: Observer | None,
        check_time: Callable[[], None] | None,
    ) -> mpz:
        """Run the filters that a change since ``rest`` wakes, each once, cheap ones first."""
        domain = self.lines.domain
        for number in self._woken(state, rest):
            constraint, scope = self.constraints[number], self._scopes[number]
            domains = [domain(state, variable) for variable in scope]
            if check_time is not None:
                check_time()
            effort.filters += 1
            kept = constraint.filter(domains)
            gone = [
                (variable, value)
                for variable, values, staying in zip(scope, domains, kept, strict=True)
                if len(staying) < len(values)
                for value in set(values).difference(staying)
            ]
            if gone:
                before, state = state, state & self.lines.without(gone)
                if observer is not None:
                    observer.narrowed(before, state, constraint)
                if not all(kept):
                    break
        return state

    def _woken(self, state: mpz, rest: mpz | None) -> list[int]:
        if rest is None:
            return list(range(len(self.constraints)))
        return sorted({number for variable in self.changed(state, rest) for number in self._watching.get(variable, ())})

    def changed(self, state: mpz, before: mpz) -> Iterator[Variable]:
        """The variables whose domains differ between two states."""
        lines = self.lines
        difference = state ^ before
        bit = difference.bit_scan1()
        while bit is not None and bit < lines.variable_bits:
            candidate = lines.candidate(bit)
            if candidate is None:
                bit += 1
            else:
                yield candidate[0]
                bit = lines.guards.bit_scan1(bit)
            bit = difference.bit_scan1(bit)
