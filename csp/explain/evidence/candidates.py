"""Find the values that occur in some solution, and count in how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...engine.effort import Progress
from ...engine.settings import check_limit
from ...engine.solver.solver import Solver
from ...model import Domain, Value, Variable


class Candidates(Frozen):
    """The values of each shown variable that occur in at least one solution.

    In logic programming, these values are called brave consequences.

    Attributes
    ----------
    counts : mapping from Variable to mapping from value to int
        For each shown variable, each value that occurs and the number of solutions that have it. Counting ends at the
        cutoff: a count equal to it means "at least".
    cutoff : int
    stopped : str
        The limit that ended the search, so that more values may occur; empty if the search is complete.
    """

    counts: Mapping[Variable, Mapping[Value, int]]
    cutoff: int
    stopped: str = ""

    @property
    def holds(self) -> bool:
        """Whether the search found at least one solution."""
        return all(self.counts.values())

    @property
    def domains(self) -> dict[Variable, Domain]:
        """The values that occur in some solution, as a tuple for each shown variable."""
        return {variable: tuple(values) for variable, values in self.counts.items()}

    @property
    def backbone(self) -> dict[Variable, Value]:
        """Each shown variable that has only one occurring value, mapped to this value.

        If the search is complete, all solutions have this value.
        """
        return {variable: domain[0] for variable, domain in self.domains.items() if len(domain) == 1}


def candidates(solver: Solver, cutoff: int = 1, progress: Progress | None = None) -> Candidates:
    """Find which values each shown variable takes in solutions; count each up to ``cutoff``.

    With an objective, only optimal solutions count.

    Parameters
    ----------
    solver : Solver
        Its limits hold for each query separately.
    cutoff : int
        Count the solutions with a value up to this number.
    progress : function, optional
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
    A solution counts for all of its values. There is at most one query for each value that propagation leaves, and most
    values need none. After the first query that the tree search hands over to the learner, the learner runs the
    remaining queries from the start.

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
    cutoff = check_limit("cutoff", cutoff, 1)
    shown_variables = solver.model.shown
    counts: dict[Variable, dict[Value, int]] = {
        variable: dict.fromkeys(solver.model.domains[variable], 0) for variable in shown_variables
    }
    counted: set[tuple[Value, ...]] = set()
    stopped = ""
    try:
        # One query for each value with a count below the cutoff.
        plain = _without_objective(solver, progress)
        session = plain.session(progress=progress)
        domains = session.domains if session.holds else dict.fromkeys(shown_variables, ())
        for variable, value in [(v, value) for v in shown_variables for value in domains[v]]:
            if counts[variable][value] >= cutoff:
                continue
            # A solution adds one to the counts of all its values, unless an earlier query has found it.
            answers = session.given({variable: value}, progress).solutions(progress)
            for answer in answers:
                if (shown_values := tuple([answer[v] for v in shown_variables])) not in counted:
                    counted.add(shown_values)
                    for v in shown_variables:
                        counts[v][answer[v]] += 1
                if counts[variable][value] >= cutoff:
                    break
            if answers.stopped:
                raise Stopped(answers.stopped)
            # The tree was not enough for this query: let the learner run the next ones.
            if answers.effort.literals and session.settings.search == "auto":
                session = plain.session(settings=replace(plain.settings, search="learn"), progress=progress)
    except Stopped as ending:
        stopped = str(ending)
    # Values without a solution do not occur.
    occurring = {v: {value: min(n, cutoff) for value, n in by_value.items() if n} for v, by_value in counts.items()}
    return Candidates(occurring, cutoff, stopped)


def _without_objective(solver: Solver, progress: Progress | None) -> Solver:
    """Return a solver for the optimal solutions only; ``solver`` itself if it has no objective.

    It returns the solver itself also if the model has no solution.
    """
    model = solver.model
    if model.objective is None:
        return solver
    optimal = solver.solve(progress=progress)
    return solver if optimal is None else Solver(model.as_good_as(optimal), settings=solver.settings)
