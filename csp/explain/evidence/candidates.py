"""Which values occur in some solution, and in how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...engine.ask.solver import Solver
from ...engine.effort import Watch
from ...engine.strategy import limit
from ...ground.errors import Stopped
from ...ground.frozen import Frozen
from ...model import Domain, Value, Variable


class Candidates(Frozen):
    """The values that occur in some solution; such consequences are called brave.

    Attributes
    ----------
    counts : mapping from Variable to mapping from value to int
        For the variables that an answer shows, the values that occur, and in how many answers; as many as the cutoff
        are as many or more.
    cutoff : int
    stopped : str
        Which limit came before the end, so that others may occur too; or empty.
    """

    counts: Mapping[Variable, Mapping[Value, int]]
    cutoff: int
    stopped: str = ""

    @property
    def holds(self) -> bool:
        """False if there is no solution, as far as it is known."""
        return all(self.counts.values())

    @property
    def domains(self) -> dict[Variable, Domain]:
        """The values of every variable."""
        return {variable: tuple(values) for variable, values in self.counts.items()}

    @property
    def backbone(self) -> dict[Variable, Value]:
        """The variables that have the same value in all solutions."""
        return {variable: domain[0] for variable, domain in self.domains.items() if len(domain) == 1}


def candidates(solver: Solver, cutoff: int = 1, watch: Watch | None = None) -> Candidates:
    """The values that occur in some solution, of an objective in some of the best.

    Parameters
    ----------
    solver : Solver
        Its limits hold for each question apart.
    cutoff : int
        Up to how many answers a value is counted.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search.

    Returns
    -------
    Candidates

    Raises
    ------
    ValueError
        If the cutoff is not positive.

    Notes
    -----
    A solution counts for all its values. So there are at most as many searches as there are values that propagation
    leaves, each for solutions with one of them, and most need none. Once a tree has handed a question over, the search
    that learns has the next ones from the start.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model, Variable
    >>> rules = [AllDifferent.of("ABC"), Equality(Variable("A"), 2)]
    >>> found = candidates(Solver(Model({v: range(1, 4) for v in "ABC"}, rules)), cutoff=5)
    >>> found.domains, found.counts["B"], found.backbone
    ({'A': (2,), 'B': (1, 3), 'C': (1, 3)}, {1: 1, 3: 1}, {'A': 2})

    References
    ----------
    .. [1] M. Janota, I. Lynce, J. Marques-Silva, "Algorithms for computing backbones of propositional formulae", 2015.
    """
    cutoff = limit("cutoff", cutoff, 1)
    shown = solver.model.shown
    counts: dict[Variable, dict[Value, int]] = {
        variable: dict.fromkeys(solver.model.domains[variable], 0) for variable in shown
    }
    seen: set[tuple[Value, ...]] = set()
    stopped = ""
    try:
        plain = _plain(solver, watch)
        session = plain.session(watch=watch)
        left = session.domains if session.holds else dict.fromkeys(shown, ())
        for variable, value in [(one, value) for one in shown for value in left[one]]:
            if counts[variable][value] >= cutoff:
                continue
            answers = session.given({variable: value}, watch).solutions(watch)
            for answer in answers:
                if (key := tuple([answer[one] for one in shown])) not in seen:
                    seen.add(key)
                    for one in shown:
                        counts[one][answer[one]] += 1
                if counts[variable][value] >= cutoff:
                    break
            if answers.stopped:
                raise Stopped(answers.stopped)
            if answers.effort.literals and session.strategy.search == "auto":
                session = plain.session(strategy=replace(plain.strategy, search="learn"), watch=watch)
    except Stopped as ending:
        stopped = str(ending)
    occurring = {variable: {value: min(n, cutoff) for value, n in own.items() if n} for variable, own in counts.items()}
    return Candidates(occurring, cutoff, stopped)


def _plain(solver: Solver, watch: Watch | None) -> Solver:
    """A solver of a model without an objective: of the best solutions of the one that has it."""
    model = solver.model
    if model.objective is None:
        return solver
    best = solver.solve(watch=watch)
    return solver if best is None else Solver(model.as_good_as(best), strategy=solver.strategy)
