"""Write the difference between two propagation results like a text diff.

``csp diff`` prints it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...base.notation import show_domain
from ...model import Candidate, Domain, Variable
from ...trace import Failure, Reach, caption, show_removed


def differences(first: Reach, second: Reach) -> Iterator[str]:
    """Yield the difference of two propagation results, as lines of a text diff.

    Lines with ``-`` are true of the first result only, lines with ``+`` of the second only.

    Parameters
    ----------
    first, second : Reach
        The results for one model at two consistency levels, or for two models.

    Yields
    ------
    str
        The lines of four sections: initial domains, values removed by each constraint, remaining domains, and totals.
        Sections without a difference are omitted, except the totals.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.trace import reach
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3, 4)}, [AllDifferent.of("ABC", label="row")])
    >>> print(*differences(reach(Solver(model, "arc")), reach(Solver(model, "domain"))), sep="\\n")
    @@ removed @@
    + row: 1, 2 from C
    @@ left @@
    - C in 1..4
    + C in {3, 4}
    @@ in all @@
    - removed 0 · rounds 0 · propagators 1 · unfixed 3
    + removed 2 · rounds 0 · propagators 2 · unfixed 3
    """
    # Compare only the values that both models have.
    starts = [reach.model.domains for reach in (first, second)]
    shared = {(v, value) for v, domain in starts[0].items() for value in domain if value in starts[1].get(v, ())}
    sections = {
        "domains": _domains(*starts),
        "removed": [
            *_removals("-", first, shared - second.removed.keys()),
            *_removals("+", second, shared - first.removed.keys()),
        ],
        "left": _domains(first.left, second.left),
        "in all": [f"  {_totals(first)}"]
        if _totals(first) == _totals(second)
        else [f"- {_totals(first)}", f"+ {_totals(second)}"],
    }
    for title, lines in sections.items():
        if lines:
            yield f"@@ {title} @@"
            yield from lines


def _domains(first: Mapping[Variable, Domain], second: Mapping[Variable, Domain]) -> list[str]:
    """Return the domains that differ, as lines that begin with ``-`` or ``+``."""
    return [
        f"{sign} {variable} in {show_domain(domains[variable])}"
        for variable in {**first, **second}
        if first.get(variable) != second.get(variable)
        for sign, domains in (("-", first), ("+", second))
        if variable in domains
    ]


def _removals(sign: str, reach: Reach, candidates: Collection[Candidate]) -> list[str]:
    """Return lines of a diff for removed candidates, one line for each constraint."""
    candidates_by_place: dict[str, set[Candidate]] = {}
    for candidate, removal in reach.removed.items():
        if candidate in candidates:
            place = "decision" if removal.constraint is None else removal.constraint.place
            candidates_by_place.setdefault(place, set()).add(candidate)
    order = [(v, value) for v, domain in reach.model.domains.items() for value in domain]
    return [
        f"{sign} {place}: {show_removed(tuple(c for c in order if c in removed))}"
        for place, removed in candidates_by_place.items()
    ]


def _totals(reach: Reach) -> str:
    """Return one line with a result's totals: removed values, rounds, propagators, and the end."""
    last = reach.trace.records[-1]
    end = caption(last) if isinstance(last, Failure) else f"unfixed {reach.open}"
    return f"removed {len(reach.removed)} · rounds {reach.rounds} · propagators {reach.propagators} · {end}"
