"""A model as the methods see it: variables by number, groups that must differ, and what is no group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

from ..ground.errors import TooLarge
from ..ground.frozen import Frozen
from ..model import Constraint, Domain, Model, Value, Variable, ordered
from .links import Links

MOST_BITS = 1 << 32
"""How many bits the used values of all groups may have, over all candidates."""


class Groups(Frozen):
    """The groups of a model, over the numbers of its variables.

    ``variables``: in the order of the model; ``declared``: the values that the model declares for each variable;
    ``domains``: those that the variable's own constraints leave: one for a given; ``groups``: the variables of each
    group, that is of each constraint that only says that plain variables differ; ``names``: of the groups; ``others``:
    all other constraints on several variables.

    Examples
    --------
    >>> from csp import AllDifferent, Equality
    >>> model = Model({v: (1, 2, 3) for v in "ABC"}, [AllDifferent.of("ABC", label="row"), Equality("B", 2)])
    >>> groups = Groups.of(model)
    >>> groups.domains, groups.groups, groups.full
    (((1, 2, 3), (2,), (1, 2, 3)), ((0, 1, 2),), (True,))
    """

    variables: tuple[Variable, ...]
    declared: tuple[Domain, ...]
    domains: tuple[Domain, ...]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    others: tuple[Constraint, ...]

    @classmethod
    def of(cls, model: Model) -> Groups:
        """The groups of a model."""
        number = {variable: i for i, variable in enumerate(model.domains)}
        domains = list(model.domains.values())
        groups, names, others = [], [], []
        for constraint in model.constraints:
            apart = constraint.apart()
            if len(constraint.scope) == 1:
                (variable,) = constraint.scope
                left = [value for value in domains[number[variable]] if constraint.check({variable: value})]
                domains[number[variable]] = tuple(left)
            elif apart and all(element.is_variable for element in apart):
                groups.append(tuple(number[variable] for variable in constraint.scope))
                names.append(constraint.name)
            elif constraint.scope:
                others.append(constraint)
        declared = tuple(model.domains.values())
        return cls(tuple(number), declared, tuple(domains), tuple(groups), tuple(names), tuple(others))

    @cached_property
    def values(self) -> tuple[Domain, ...]:
        """The values that the variables of each group declare, together."""
        return tuple(ordered(value for i in group for value in self.declared[i]) for group in self.groups)

    @cached_property
    def full(self) -> tuple[bool, ...]:
        """Whether each group has as many variables as values, so that every value has its place in it."""
        return tuple(len(group) == len(values) for group, values in zip(self.groups, self.values, strict=True))

    @cached_property
    def groups_of(self) -> tuple[tuple[int, ...], ...]:
        """The groups of each variable."""
        found: list[list[int]] = [[] for _ in self.variables]
        for number, group in enumerate(self.groups):
            for i in group:
                found[i].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def takes(self) -> tuple[dict[Value, int], ...]:
        """What each variable takes from others with each of its values: a bit for the value in each of its groups.

        Values fit together if and only if they have no bit in common.

        Raises
        ------
        TooLarge
            If there are too many bits.
        """
        position: list[dict[Value, int]] = []
        bits = 0
        for values in self.values:
            position.append({value: 1 << bits + k for k, value in enumerate(values)})
            bits += len(values)
        if bits * sum(map(len, self.domains)) > MOST_BITS:
            raise TooLarge("its groups have too many values")
        return tuple(
            {value: sum(position[number][value] for number in own) for value in domain}
            for own, domain in zip(self.groups_of, self.domains, strict=True)
        )

    @property
    def givens(self) -> tuple[int, ...]:
        """The variables to which their own constraints leave one value."""
        return tuple(i for i, domain in enumerate(self.domains) if len(domain) == 1)

    def used(self, values: Mapping[int, Value]) -> int:
        """What some variables take from others with their values."""
        return reduce(or_, [self.takes[i][value] for i, value in values.items()], 0)

    def due(self, pieces: Sequence[Sequence[int]]) -> list[list[Constraint]]:
        """The other constraints that can be checked after each of some pieces, and not in it alone."""
        when = {self.variables[i]: k for k, piece in enumerate(pieces) for i in piece}
        found: list[list[Constraint]] = [[] for _ in pieces]
        for constraint in self.others:
            if all(variable in when for variable in constraint.scope):
                about = {when[variable] for variable in constraint.scope}
                if len(about) > 1:
                    found[max(about)].append(constraint)
        return found

    def partition(self, numbers: Iterable[int], step: Callable[[], None]) -> list[int] | None:
        """Some of the groups of these numbers that have every variable once, the last ones of the model if possible.

        ``step``: called for every group that is tried.
        """
        last_first = sorted(numbers, reverse=True)
        count = len(self.variables)
        covers = Links(count, count, [self.groups[number] for number in last_first]).covers(step)
        found = next(covers, None)
        return None if found is None else sorted(last_first[option] for option in found)
