"""Finds the words that a body binds, and decides the order of its conditions.

An uppercase word is a logical variable where a body binds it, and a puzzle variable elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from ...syntax import nodes

UNDONE = "+-*"
"""Operators that can be inverted: a row's value for ``K + 1`` determines K."""


def plain_names(terms: Iterable[nodes.Argument]) -> set[str]:
    """Return the capitalised names among terms, except ``_``; names inside terms do not count."""
    return {term.name for term in terms if isinstance(term, nodes.Logical)} - {"_"}


def binders(
    body: Iterable[nodes.Condition] | None, outer: Collection[str] = (), declared: Collection[str] = ()
) -> set[str]:
    """Return the logical variables to which a body can give values.

    The names in ``outer`` have values before the body runs. ``declared`` are the puzzle variables, which arithmetic
    in an argument never binds.
    """
    body = tuple(body or ())
    direct = direct_binders(body)
    known_words = direct.union(outer)
    return direct.union(*[solvable_names(literal, known_words, declared) for literal in body])


def direct_binders(body: Iterable[nodes.Condition]) -> set[str]:
    """Return the logical variables that a body can bind without inverting arithmetic.

    These are whole terms of memberships, arguments of relations, and sides of equations.
    """
    words: set[str] = set()
    for literal in body:
        match literal:
            case nodes.Declaration(_, terms):
                words |= plain_names(terms)
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                words |= plain_names(arguments)
            case nodes.Comparison(_, left, "=", right):
                words |= plain_names([left, right])
    return words


def solvable_names(literal: nodes.Condition, known: Collection[str], declared: Collection[str]) -> set[str]:
    """Return the logical variables that a lookup can solve, as K in ``p(K + 1)``."""
    match literal:
        case nodes.Fact(_, nodes.Call(_, _, arguments)):
            return {solvable_name(argument, known, declared) for argument in arguments} - {""}
    return set()


def solvable_name(node: nodes.Argument, known: Collection[str], declared: Collection[str]) -> str:
    """Return the logical variable that an expression's result determines, or an empty text.

    The expression consists of sums, differences and products, and all its other variables are ``known``.

    Examples
    --------
    >>> at = nodes.Place(1, 1)
    >>> following = nodes.Operation(at, "+", nodes.Logical(at, "K"), nodes.Constant(at, 1))
    >>> solvable_name(following, (), ()), solvable_name(following, {"K"}, ()), solvable_name(following, (), {"K"})
    ('K', '', '')
    """
    # Remove the known side of the outermost operation until a logical variable remains.
    while isinstance(node, nodes.Operation) and node.operator in UNDONE:
        if free_names(node.right, known, declared).issubset(known):
            node = node.left
        elif free_names(node.left, known, declared).issubset(known):
            node = node.right
        else:
            return ""
    return "".join(plain_names([node]).difference(known, declared))


def free_names(node: Any, outer: Collection[str] = (), declared: Collection[str] = ()) -> set[str]:
    """Return the capitalised names in syntax that no comprehension inside it binds.

    Names in ``outer`` have values already, so no comprehension binds them.
    """
    free: set[str] = set()
    waiting = [node]
    # Visit the parts with a stack; a comprehension removes the words that it binds.
    while waiting:
        part = waiting.pop()
        if isinstance(part, nodes.Logical):
            free.add(part.name)
        elif isinstance(part, nodes.GENERATING) and part.body is not None:
            locally_bound = binders(part.body, outer, declared).difference(outer)
            free |= free_names(tuple(nodes.inner(part)), outer, declared) - locally_bound
        else:
            waiting += nodes.inner(part)
    return free - {"_"}


def all_names(node: Any) -> set[str]:
    """Return all capitalised names in a piece of syntax."""
    return {part.name for part in nodes.walk(node) if isinstance(part, nodes.Logical)}


def place_of_name(node: Any, name: str) -> nodes.Place | None:
    """Return the place where a name first occurs in syntax; None if it does not."""
    return next((part.at for part in nodes.walk(node) if getattr(part, "name", None) == name), None)


class Reads(NamedTuple):
    """The logical variables that a condition needs, and the ones that it can bind.

    Variables in ``either`` are needed, too, except that the condition binds one if all others have values.
    """

    needs: set[str]
    binds: Collection[str] = ()
    either: Collection[str] = ()


class Agenda:
    """A queue of a body's conditions that releases a condition when it can run.

    Tests come before generators, and earlier ones before later ones. A condition is examined
    again only if a logical variable that it names becomes bound; other conditions cost nothing then.

    Examples
    --------
    >>> agenda = Agenda([Reads({"B"}, {"A"}), Reads(set(), {"B"}), Reads({"B"})], ())
    >>> agenda.next(), agenda.bind({"B"}), agenda.next(), agenda.next()
    (1, None, 2, 0)
    """

    def __init__(self, literals: Sequence[Reads], bound: Collection[str]) -> None:
        self._literals = literals
        self._missing = [set(literal.needs).difference(bound) for literal in literals]
        self._unbound = [set(literal.binds).difference(bound) for literal in literals]
        self._named: dict[str, list[int]] = defaultdict(list)
        self._tests: list[int] = []
        self._generators: list[int] = []
        self._dequeued: set[int] = set()
        # Index the conditions by the words that they wait for.
        for number in range(len(literals)):
            for name in self._missing[number] | self._unbound[number]:
                self._named[name].append(number)
            self._admit(number)

    def next(self) -> int | None:
        """Remove and return the index of the next condition; None if none can run."""
        for heap in (self._tests, self._generators):
            while heap:
                number = heappop(heap)
                if number not in self._dequeued:
                    self._dequeued.add(number)
                    return number
        return None

    def bind(self, names: Iterable[str]) -> None:
        """Record that logical variables are bound, and queue the conditions that can run now."""
        for name in names:
            for number in self._named.pop(name, ()):
                self._missing[number].discard(name)
                self._unbound[number].discard(name)
                self._admit(number)

    def _admit(self, number: int) -> None:
        """Queue a condition as a test or generator if its needed variables are bound."""
        missing = self._missing[number]
        if not missing:
            heappush(self._generators if self._unbound[number] else self._tests, number)
        elif len(missing) == 1 and missing.issubset(self._literals[number].either):
            heappush(self._generators, number)
