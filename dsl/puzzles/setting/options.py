"""Which facts are true of a solution, of those that may be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress, product
from random import Random
from typing import NamedTuple, TypeVar

from csp import Constraint, Model, Value

from ...meaning.clauses.build import Build, Program
from ...meaning.expressions.names import Row
from .chosen import Chosen, NoClues
from .follow import Follower, meeting

SAMPLE, MOST = 2, 12
"""How many values of each domain are tried to see what follows from a fact, and how many in all."""


T = TypeVar("T")


class _Form(NamedTuple):
    """What follows from the facts that differ in the last argument, by two of them."""

    start: Row
    low: int
    high: int
    pairs: list[tuple[Constraint, Constraint]]


class Options:
    """The facts that may be true at the places of a relation.

    An argument that is filled in is a symbol that some clause looks for; the last one also the value of a variable that
    must equal it, or the number where the two sides of an equation meet.

    Attributes
    ----------
    places : list of tuple
        Those at which something follows from some fact.

    Raises
    ------
    NoClues
        If there are none.
    """

    def __init__(self, one: Chosen, program: Program, build: Build) -> None:
        self._filled = one.filled
        self._follower = Follower(program, build.names, one.name)
        self._fixed: dict[Row, list[Row]] = {}
        self._forms: dict[Row, list[_Form]] = {}
        columns = [self._follower.column(number) for number in compress(range(len(one.filled)), one.filled)]
        starts = list(product(*[symbols for symbols, _ in columns[:-1]]))
        ends: list[Value] = [*columns[-1][0]] if columns else []
        probes = _probes(build.model) if columns and columns[-1][1] else []
        for place in one.places():
            self._fixed[place] = self._with([self._row(place, (*start, end)) for start in starts for end in ends])
            self._forms[place] = [form for start in starts if (form := self._form(place, start, probes))]
            if not columns:
                self._fixed[place] = self._with([place])

        self.places = [place for place in self._fixed if self._fixed[place] or self._forms[place]]
        if not self.places:
            raise NoClues(f"nothing follows from a fact of {one.name} by itself, so that it is no clue")

    def true(self, solution: Mapping[str, Value], random: Random) -> Iterator[tuple[Row, Row, tuple[Constraint, ...]]]:
        """For every place one of the facts that are true there, and what follows from it."""
        several = {place: {*self._fixed[place], *self._meeting(place, solution)} for place in self.places}
        known = self._follower.constraints(row for place in several for row in sorted(several[place], key=repr))
        for place, rows in several.items():
            true: dict[Row, list[Row]] = {}
            for row in sorted(rows, key=repr):
                if known[row] and all(constraint.check(solution) for constraint in known[row]):
                    true.setdefault(row[:-1], []).append(row)
            if true:
                row = _one_of(_one_of(list(true.values()), random), random)
                yield place, row, known[row]

    def _row(self, place: Row, values: Row) -> Row:
        kept, more = iter(place), iter(values)
        return tuple([next(more if filled else kept) for filled in self._filled])

    def _with(self, rows: list[Row]) -> list[Row]:
        """The facts from which something follows."""
        known = self._follower.constraints(rows)
        return [row for row in rows if known[row]]

    def _form(self, place: Row, start: Row, probes: list[Value]) -> _Form | None:
        known = self._follower.constraints(self._row(place, (*start, probe)) for probe in probes)
        found = [(row[-1], constraints) for row, constraints in known.items() if constraints]
        if not found:
            return None
        numbers = [(value, constraints) for value, constraints in found if isinstance(value, int)][:2]
        (low, one), *others = numbers or [(0, found[0][1])]
        high, other = others[0] if others else (low, one)
        return _Form(start, low, high, list(zip(one, other, strict=False)))

    def _meeting(self, place: Row, solution: Mapping[str, Value]) -> Iterator[Row]:
        for start, low, high, pairs in self._forms[place]:
            for one, other in pairs:
                for value in meeting(one, other, low, high, solution):
                    yield self._row(place, (*start, value))


def _one_of(items: list[T], random: Random) -> T:
    return items[0] if len(items) == 1 else random.choice(items)


def _probes(model: Model) -> list[Value]:
    """Values that an argument may have."""
    samples = [value for domain in dict.fromkeys(model.domains.values()) for value in domain[:SAMPLE]]
    return list(dict.fromkeys([1, 2, *samples]))[:MOST]
