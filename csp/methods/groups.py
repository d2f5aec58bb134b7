"""Convert a model to numbered variables, all-different groups, and other constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

from ..base.errors import TooLarge
from ..base.frozen import Frozen
from ..base.incidence import Incidence
from ..model import Constraint, Domain, Model, Value, Variable, ordered
from .links import Links

MAX_BITS = 1 << 32
"""Maximum number of bits for used values, summed over all candidates; a larger model raises ``TooLarge``."""


class Groups(Frozen):
    """The all-different groups of a model, whose variables are numbered.

    Attributes
    ----------
    variables : tuple of Variable
        In the order of the model.
    declared : tuple of Domain
        The domain that the model declares for each variable.
    domains : tuple of Domain
        The domain of each variable after its constraints with only this variable; a given leaves one value.
    groups : tuple of tuple of int
        The variables of each group. A group is a constraint that states that plain variables differ, and nothing else.
    names : tuple of str
        The name of each group.
    other_constraints : tuple of Constraint
        All other constraints on several variables.

    Examples
    --------
    >>> from csp import AllDifferent, Equality
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC", label="row"), Equality("B", 2)])
    >>> groups = Groups.of(model)
    >>> groups.domains, groups.groups, groups.is_permutation
    (((1, 2, 3), (2,), (1, 2, 3)), ((0, 1, 2),), (True,))
    """

    variables: tuple[Variable, ...]
    declared: tuple[Domain, ...]
    domains: tuple[Domain, ...]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    other_constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, model: Model) -> Groups:
        """Convert a model to groups, narrowed domains, and other constraints."""
        number_of = {variable: i for i, variable in enumerate(model.domains)}
        domains = list(model.domains.values())
        groups, names, other_constraints = [], [], []
        for constraint in model.constraints:
            apart = constraint.apart()
            # A constraint on one variable narrows its domain; an all_different of variables is a group.
            if len(constraint.scope) == 1:
                (variable,) = constraint.scope
                allowed = [value for value in domains[number_of[variable]] if constraint.check({variable: value})]
                domains[number_of[variable]] = tuple(allowed)
            elif apart and all(element.is_variable for element in apart):
                groups.append(tuple(number_of[variable] for variable in constraint.scope))
                names.append(constraint.name)
            elif constraint.scope:
                other_constraints.append(constraint)
        declared = tuple(model.domains.values())
        return cls(tuple(number_of), declared, tuple(domains), tuple(groups), tuple(names), tuple(other_constraints))

    @cached_property
    def values(self) -> tuple[Domain, ...]:
        """For each group, the values in the declared domains of its variables."""
        return tuple(ordered(value for i in group for value in self.declared[i]) for group in self.groups)

    @cached_property
    def is_permutation(self) -> tuple[bool, ...]:
        """For each group, whether it has as many variables as values."""
        return tuple(len(group) == len(values) for group, values in zip(self.groups, self.values, strict=True))

    @cached_property
    def groups_of(self) -> tuple[tuple[int, ...], ...]:
        """For each variable, the numbers of the groups that contain it."""
        return Incidence(range(len(self.variables)), self.groups).constraints

    @cached_property
    def value_bits(self) -> tuple[dict[Value, int], ...]:
        """For each variable, the bits of each value: one bit per group of the variable.

        Assignments of two variables agree with all groups if and only if they have no bit in common.

        Raises
        ------
        TooLarge
            If there are too many bits.
        """
        # Each value of each group has a bit of its own.
        single_bit: list[dict[Value, int]] = []
        bit_count = 0
        for values in self.values:
            single_bit.append({value: 1 << bit_count + k for k, value in enumerate(values)})
            bit_count += len(values)
        if bit_count * sum(map(len, self.domains)) > MAX_BITS:
            raise TooLarge("its groups have too many values")
        return tuple(
            {value: sum(single_bit[number][value] for number in group_numbers) for value in domain}
            for group_numbers, domain in zip(self.groups_of, self.domains, strict=True)
        )

    @property
    def givens(self) -> tuple[int, ...]:
        """The numbers of the variables whose domain has one value."""
        return tuple(i for i, domain in enumerate(self.domains) if len(domain) == 1)

    def bits_used_by(self, values: Mapping[int, Value]) -> int:
        """Return the bitwise or of the ``value_bits`` of all assignments in ``values``."""
        return reduce(or_, [self.value_bits[i][value] for i, value in values.items()], 0)

    def checks_after(self, pieces: Sequence[Sequence[int]]) -> list[list[Constraint]]:
        """Return the constraints to check after each set of variables is assigned.

        ``pieces``: the sets of variables, assigned one after the other. The result has neither groups nor constraints
        within one piece.
        """
        piece_of = {self.variables[i]: k for k, piece in enumerate(pieces) for i in piece}
        checks: list[list[Constraint]] = [[] for _ in pieces]
        for constraint in self.other_constraints:
            # A constraint is checked with the last piece of its scope.
            if all(variable in piece_of for variable in constraint.scope):
                scope_pieces = {piece_of[variable] for variable in constraint.scope}
                if len(scope_pieces) > 1:
                    checks[max(scope_pieces)].append(constraint)
        return checks

    def partition(self, numbers: Iterable[int], count_attempt: Callable[[], None]) -> list[int] | None:
        """Choose from ``numbers`` groups that together contain each variable exactly once, or return None.

        Later groups of the model are preferred. Returns None if no choice fits.

        ``numbers``: the groups to choose from; ``count_attempt``: called for each group that is tried.
        """
        last_first = sorted(numbers, reverse=True)
        count = len(self.variables)
        # A partition is an exact cover of the variables.
        covers = Links(count, count, [self.groups[number] for number in last_first]).covers(count_attempt)
        cover = next(covers, None)
        return None if cover is None else sorted(last_first[option] for option in cover)
