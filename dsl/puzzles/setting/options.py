"""Chooses facts that are true in a given solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress, product
from random import Random
from typing import NamedTuple, TypeVar

from csp import Constraint, Model, Value

from ...semantics.clauses.build import Build, Program
from ...semantics.expressions.names import Row
from .chosen import Chosen, NoClues
from .follow import Follower, meeting

SAMPLES_PER_DOMAIN, MAX_SAMPLES = 2, 12
"""Number of values of each domain that are tried as an argument, and maximum number of values in total."""


T = TypeVar("T")


class _Form(NamedTuple):
    """The constraints derived from facts that differ only in the last argument.

    They are stored for two numbers of it.

    Attributes
    ----------
    start : tuple
        The other arguments that are filled in.
    low, high : int
        The two numbers.
    pairs : list of pairs
        Each constraint for ``low`` and for ``high``.
    """

    start: Row
    low: int
    high: int
    pairs: list[tuple[Constraint, Constraint]]


class Options:
    """The facts that may be true at the places of a relation.

    An argument to fill in is a symbol that some clause looks for. The last argument may also be the value of a variable
    that must equal it, or the number at which both sides of an equation are equal.

    Attributes
    ----------
    places : list of tuple
        The places at which constraints follow from some fact.

    Raises
    ------
    NoClues
        If there is no such place.
    """

    def __init__(self, relation: Chosen, program: Program, build: Build) -> None:
        self._filled = relation.filled
        self._follower = Follower(program, build.names, relation.name)
        self._fixed: dict[Row, list[Row]] = {}
        self._forms: dict[Row, list[_Form]] = {}
        columns = [self._follower.column(number) for number in compress(range(len(relation.filled)), relation.filled)]
        starts = list(product(*[symbols for symbols, _ in columns[:-1]]))
        ends: list[Value] = [*columns[-1][0]] if columns else []
        probes = _probes(build.model) if columns and columns[-1][1] else []
        # Facts with a symbol or no argument are fixed; numbers are computed from two probes.
        for place in relation.places():
            self._fixed[place] = self._effective([self._row(place, (*start, end)) for start in starts for end in ends])
            self._forms[place] = [form for start in starts if (form := self._form(place, start, probes))]
            if not columns:
                self._fixed[place] = self._effective([place])

        self.places = [place for place in self._fixed if self._fixed[place] or self._forms[place]]
        if not self.places:
            raise NoClues(f"nothing follows from a fact of {relation.name} by itself, so that it is no clue")

    def true_facts(
        self, solution: Mapping[str, Value], random: Random
    ) -> Iterator[tuple[Row, Row, tuple[Constraint, ...]]]:
        """Yield a true fact for every place, with its constraints.

        Places without a true fact are skipped.
        """
        rows_by_place = {place: {*self._fixed[place], *self._meeting(place, solution)} for place in self.places}
        constraints_by_row = self._follower.constraints(
            row for place in rows_by_place for row in sorted(rows_by_place[place], key=repr)
        )
        for place, rows in rows_by_place.items():
            true_rows: dict[Row, list[Row]] = {}
            for row in sorted(rows, key=repr):
                if constraints_by_row[row] and all(
                    constraint.check(solution) for constraint in constraints_by_row[row]
                ):
                    true_rows.setdefault(row[:-1], []).append(row)
            if true_rows:
                # Choose the arguments first, then one of their last arguments.
                row = _one_of(_one_of(list(true_rows.values()), random), random)
                yield place, row, constraints_by_row[row]

    def _row(self, place: Row, values: Row) -> Row:
        """Return the fact at a place with some values filled in.

        The values are the arguments that are filled in.
        """
        place_arguments, filled_arguments = iter(place), iter(values)
        return tuple([next(filled_arguments if filled else place_arguments) for filled in self._filled])

    def _effective(self, rows: list[Row]) -> list[Row]:
        """Return those facts from which any constraints follow."""
        constraints_by_row = self._follower.constraints(rows)
        return [row for row in rows if constraints_by_row[row]]

    def _form(self, place: Row, start: Row, probes: list[Value]) -> _Form | None:
        """Return a place's constraints for two different values of the last argument.

        Returns None if nothing follows from any probe.

        If the probes have fewer than two numbers with constraints, both are the same.
        """
        constraints_by_row = self._follower.constraints(self._row(place, (*start, probe)) for probe in probes)
        constraints_by_value = [
            (row[-1], constraints) for row, constraints in constraints_by_row.items() if constraints
        ]
        if not constraints_by_value:
            return None
        numbers = [(value, constraints) for value, constraints in constraints_by_value if isinstance(value, int)][:2]
        (low, constraints_low), *further_numbers = numbers or [(0, constraints_by_value[0][1])]
        high, constraints_high = further_numbers[0] if further_numbers else (low, constraints_low)
        return _Form(start, low, high, list(zip(constraints_low, constraints_high, strict=False)))

    def _meeting(self, place: Row, solution: Mapping[str, Value]) -> Iterator[Row]:
        """Yield facts at a place whose last argument is computed from a solution.

        Their last argument is computed.
        """
        for start, low, high, pairs in self._forms[place]:
            for constraint_low, constraint_high in pairs:
                for value in meeting(constraint_low, constraint_high, low, high, solution):
                    yield self._row(place, (*start, value))


def _one_of(items: list[T], random: Random) -> T:
    """Choose a random item; a single item uses no random number."""
    return items[0] if len(items) == 1 else random.choice(items)


def _probes(model: Model) -> list[Value]:
    """Return sample values to try as an argument of a fact.

    They are 1, 2, and some values of every domain.
    """
    samples = [value for domain in dict.fromkeys(model.domains.values()) for value in domain[:SAMPLES_PER_DOMAIN]]
    return list(dict.fromkeys([1, 2, *samples]))[:MAX_SAMPLES]
