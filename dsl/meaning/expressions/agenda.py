"""In which order the literals of a body run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple


class Reads(NamedTuple):
    """What a literal has to do with logical variables.

    Attributes
    ----------
    needs : set of str
        Those that must have values before it can run.
    binds : set of str
        Others, which it binds if they have none.
    either : set of str
        Those that it needs, of which it can bind any single one.
    """

    needs: set[str]
    binds: Collection[str] = ()
    either: Collection[str] = ()


class Agenda:
    """The literals of a body in an order in which they can run.

    Of those that can run, tests come before generators, and earlier ones before later ones. A literal is looked at
    again only when a variable that it names is bound, so that long bodies take no longer than many short ones.

    Parameters
    ----------
    literals : sequence of Reads
    bound : collection of str
        The variables that have values from outside.

    Examples
    --------
    >>> agenda = Agenda([Reads({"B"}, {"A"}), Reads(set(), {"B"}), Reads({"B"})], ())
    >>> agenda.next(), agenda.bind({"B"}), agenda.next(), agenda.next()
    (1, None, 2, 0)
    """

    def __init__(self, literals: Sequence[Reads], bound: Collection[str]) -> None:
        self._literals = literals
        self._missing = [set(literal.needs).difference(bound) for literal in literals]
        self._open = [set(literal.binds).difference(bound) for literal in literals]
        self._named: dict[str, list[int]] = defaultdict(list)
        self._tests: list[int] = []
        self._generators: list[int] = []
        self._taken: set[int] = set()
        for number in range(len(literals)):
            for name in self._missing[number] | self._open[number]:
                self._named[name].append(number)
            self._admit(number)

    def next(self) -> int | None:
        """The number of the literal to run next; None if none can."""
        for heap in (self._tests, self._generators):
            while heap:
                number = heappop(heap)
                if number not in self._taken:
                    self._taken.add(number)
                    return number
        return None

    def bind(self, names: Iterable[str]) -> None:
        """Note that variables have values now."""
        for name in names:
            for number in self._named.pop(name, ()):
                self._missing[number].discard(name)
                self._open[number].discard(name)
                self._admit(number)

    def _admit(self, number: int) -> None:
        """Let a literal run if it can."""
        missing = self._missing[number]
        if not missing:
            heappush(self._generators if self._open[number] else self._tests, number)
        elif len(missing) == 1 and missing.issubset(self._literals[number].either):
            heappush(self._generators, number)
