"""Which uppercase words a body binds and leaves free, and in which order its literals run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from ...text import syntax


def plain_names(terms: Iterable[syntax.Argument]) -> set[str]:
    """The uppercase words among the terms themselves."""
    return {term.name for term in terms if isinstance(term, syntax.Logical)} - {"_"}


def binders(body: Iterable[syntax.Condition] | None) -> set[str]:
    """The uppercase words that a body can bind."""
    found: set[str] = set()
    for literal in body or ():
        match literal:
            case syntax.Declaration(_, terms):
                found |= plain_names(terms)
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                found |= plain_names(arguments)
            case syntax.Comparison(_, left, "=", right):
                found |= plain_names([left, right])
    return found


def free_names(node: Any, outer: Collection[str] = ()) -> set[str]:
    """The uppercase words of a piece of syntax, without those that its own comprehensions bind.

    A comprehension binds no word of ``outer``: those have their values from outside.
    """
    found: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, syntax.Logical):
            found.add(part.name)
        elif isinstance(part, syntax.GENERATING) and part.body is not None:
            found |= free_names(tuple(syntax.inner(part)), outer) - binders(part.body).difference(outer)
        else:
            waiting += syntax.inner(part)
    return found - {"_"}


def all_names(node: Any) -> set[str]:
    """All uppercase words of a piece of syntax."""
    return {part.name for part in syntax.walk(node) if isinstance(part, syntax.Logical)}


def place_of_name(node: Any, name: str) -> syntax.Place | None:
    """Where a word first stands in a piece of syntax."""
    return next((part.at for part in syntax.walk(node) if getattr(part, "name", None) == name), None)


class Reads(NamedTuple):
    """What a literal needs, what else it binds, and what it needs and can bind if it is one variable alone."""

    needs: set[str]
    binds: Collection[str] = ()
    either: Collection[str] = ()


class Agenda:
    """The literals of a body in an order in which they can run.

    Of those that can run, tests come before generators, and earlier ones before later ones. A literal is looked at
    again only when a variable that it names is bound, so that long bodies take no longer than many short ones.

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
