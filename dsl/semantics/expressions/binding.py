"""Which uppercase words a body binds and leaves free, and in which order its literals run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from ...syntax import nodes

UNDONE = "+-*"
"""What can be undone in an argument, so that a row of the relation gives a value to the word in it."""


def plain_names(terms: Iterable[nodes.Argument]) -> set[str]:
    """The uppercase words among the terms themselves."""
    return {term.name for term in terms if isinstance(term, nodes.Logical)} - {"_"}


def binders(
    body: Iterable[nodes.Condition] | None, outer: Collection[str] = (), declared: Collection[str] = ()
) -> set[str]:
    """The uppercase words that a body can bind, where those of ``outer`` have values from outside.

    What is declared as a puzzle variable has no value that could be calculated from an argument.
    """
    body = tuple(body or ())
    found = standing_alone(body)
    known = found.union(outer)
    return found.union(*[solvable_names(literal, known, declared) for literal in body])


def standing_alone(body: Iterable[nodes.Condition]) -> set[str]:
    """The uppercase words that a body can bind without a calculation."""
    found: set[str] = set()
    for literal in body:
        match literal:
            case nodes.Declaration(_, terms):
                found |= plain_names(terms)
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                found |= plain_names(arguments)
            case nodes.Comparison(_, left, "=", right):
                found |= plain_names([left, right])
    return found


def solvable_names(literal: nodes.Condition, known: Collection[str], declared: Collection[str]) -> set[str]:
    """The words that stand with a number in an argument of a relation, as K in ``p(K + 1)``."""
    match literal:
        case nodes.Fact(_, nodes.Call(_, _, arguments)):
            return {solvable(argument, known, declared) for argument in arguments} - {""}
    return set()


def solvable(node: nodes.Argument, known: Collection[str], declared: Collection[str]) -> str:
    """The word of a sum, a difference or a product that its value tells, since all else in it is known; or none.

    Examples
    --------
    >>> at = nodes.Place(1, 1)
    >>> following = nodes.Operation(at, "+", nodes.Logical(at, "K"), nodes.Constant(at, 1))
    >>> solvable(following, (), ()), solvable(following, {"K"}, ()), solvable(following, (), {"K"})
    ('K', '', '')
    """
    while isinstance(node, nodes.Operation) and node.operator in UNDONE:
        if free_names(node.right, known, declared).issubset(known):
            node = node.left
        elif free_names(node.left, known, declared).issubset(known):
            node = node.right
        else:
            return ""
    return "".join(plain_names([node]).difference(known, declared))


def free_names(node: Any, outer: Collection[str] = (), declared: Collection[str] = ()) -> set[str]:
    """The uppercase words of a piece of syntax, without those that its own comprehensions bind.

    A comprehension binds no word of ``outer``: those have their values from outside.
    """
    found: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, nodes.Logical):
            found.add(part.name)
        elif isinstance(part, nodes.GENERATING) and part.body is not None:
            own = binders(part.body, outer, declared).difference(outer)
            found |= free_names(tuple(nodes.inner(part)), outer, declared) - own
        else:
            waiting += nodes.inner(part)
    return found - {"_"}


def all_names(node: Any) -> set[str]:
    """All uppercase words of a piece of syntax."""
    return {part.name for part in nodes.walk(node) if isinstance(part, nodes.Logical)}


def place_of_name(node: Any, name: str) -> nodes.Place | None:
    """Where a word first stands in a piece of syntax."""
    return next((part.at for part in nodes.walk(node) if getattr(part, "name", None) == name), None)


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
