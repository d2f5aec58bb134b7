"""The incidence of variables and constraints, as numbers in both directions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)


class Incidence(Generic[V]):
    """The variables of each constraint and the constraints of each variable, as numbers.

    All tables of neighbours are derived from it: the watchers of a variable, independent parts, residual problems,
    exclusions, and the graph of ``csp.network``. A constraint may also be any other set of variables, such as a group
    of different ones.

    Parameters
    ----------
    variables : iterable of V
        The number of a variable is its position.
    scopes : iterable of collections of V
        The variables of each constraint, each variable once.

    Attributes
    ----------
    number : dict of V to int
    scopes : tuple of tuples of int
        For each constraint, the numbers of its variables in their order.
    constraints : tuple of tuples of int
        For each variable, the numbers of its constraints, ascending.

    Examples
    --------
    >>> incidence = Incidence("ABC", ["CA", "A"])
    >>> incidence.scopes, incidence.constraints
    (((2, 0), (0,)), ((0, 1), (), (0,)))
    """

    def __init__(self, variables: Iterable[V], scopes: Iterable[Collection[V]]) -> None:
        self.number = {variable: number for number, variable in enumerate(variables)}
        self.scopes = tuple([tuple(map(self.number.__getitem__, scope)) for scope in scopes])
        constraints: list[list[int]] = [[] for _ in self.number]
        for number, scope in enumerate(self.scopes):
            for variable in scope:
                constraints[variable].append(number)
        self.constraints = tuple([tuple(numbers) for numbers in constraints])

    def constraints_of(self, variable: V) -> tuple[int, ...]:
        """Return the numbers of the constraints that contain a variable; () for an unknown one."""
        number = self.number.get(variable)
        return () if number is None else self.constraints[number]

    def has_common_constraint(self, variables: Iterable[V]) -> bool:
        """Return whether some constraint contains all of these variables."""
        return bool(set.intersection(*[set(self.constraints_of(variable)) for variable in variables]))

    def parts(self) -> list[list[int]]:
        """Return the connected components of the variables, in the order of their first variables.

        No constraint has variables of two of them. O(size of all scopes).

        Examples
        --------
        >>> Incidence(range(5), [(0, 2), (3, 4)]).parts()
        [[0, 2], [1], [3, 4]]
        """
        parts: list[list[int]] = []
        is_reached = [False] * len(self.constraints)
        is_spread = [False] * len(self.scopes)
        for start in range(len(self.constraints)):
            if is_reached[start]:
                continue
            # Collect all variables that are reached from this one; each constraint spreads once.
            part, is_reached[start] = [start], True
            for variable in part:
                for constraint in self.constraints[variable]:
                    if not is_spread[constraint]:
                        is_spread[constraint] = True
                        for neighbour in self.scopes[constraint]:
                            if not is_reached[neighbour]:
                                is_reached[neighbour] = True
                                part.append(neighbour)
            parts.append(sorted(part))
        return parts
