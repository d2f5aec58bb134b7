"""The form of a model between the steps of rewriting."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ....base.incidence import Incidence
from ....model import Constraint, Domain, Model, Variable
from ..propagators.base import Borrowed


@dataclass
class Rewriting:
    """The constraints of a model between the steps of rewriting, with definitions and implied constraints.

    A constraint is identified by its number. The constraints of the model keep their numbers; new ones come after.

    Attributes
    ----------
    model : Model
    ignored : frozenset of int
        The constraints to ignore. They keep their numbers, and no constraint is derived from them.
    domains : dict of Variable to tuple
        The variables of the model first, then the variables for expressions.
    constraints : list of Constraint
    origins : list of tuples of int
        For each constraint, the constraints of the model that it comes from.
    objective : list of tuples of (Variable, int or None)
        For each expression of the objective, the variable that has its value, and the number of the constraint that
        defines this variable for the objective alone, if there is one.
    """

    model: Model
    ignored: frozenset[int]
    domains: dict[Variable, Domain]
    constraints: list[Constraint]
    origins: list[tuple[int, ...]]
    objective: list[tuple[Variable, int | None]] = field(default_factory=list)

    @classmethod
    def of(cls, model: Model, ignored_numbers: Collection[int]) -> Rewriting:
        """Return the rewriting that begins with the unchanged constraints of a model."""
        origins: list[tuple[int, ...]] = [(number,) for number in range(len(model.constraints))]
        return cls(model, frozenset(ignored_numbers), dict(model.domains), list(model.constraints), origins)

    @cached_property
    def _groups(self) -> list[tuple[int, tuple[Variable, ...]]]:
        """The groups of variables kept different, each with the number of its constraint."""
        constraints = [(n, c) for n, c in enumerate(self.model.constraints) if n not in self.ignored]
        return [(number, group) for number, constraint in constraints for group in constraint.differing()]

    @cached_property
    def _groups_incidence(self) -> Incidence[Variable]:
        """The variables of each group in ``_groups``, and the groups of each variable."""
        return Incidence(self.model.domains, [group for _, group in self._groups])

    def has(self, *kinds: type[Constraint]) -> bool:
        """Return whether a constraint of one of these kinds exists, even an ignored one."""
        return any([isinstance(constraint, kinds) for constraint in self.constraints])

    def active(self) -> Iterator[tuple[int, Constraint]]:
        """Yield the constraints that are not ignored, with their numbers."""
        for number, constraint in enumerate(self.constraints):
            if number not in self.ignored:
                yield number, constraint

    def add(self, constraint: Constraint, origins: Sequence[int]) -> None:
        """Append a constraint; ``origins`` are the numbers of the constraints that imply it."""
        self.constraints.append(constraint)
        self.origins.append(tuple(dict.fromkeys(origin for number in origins for origin in self.origins[number])))

    def groups_within(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        """Return the maximal subsets of a scope that some constraint keeps pairwise different.

        Each set has at least two variables and the number of the constraint of the model that keeps them different.
        """
        # Collect the variables of the scope in each group.
        variables_in: dict[int, list[Variable]] = {}
        for variable in scope:
            for group in self._groups_incidence.constraints_of(variable):
                if group in variables_in:
                    variables_in[group].append(variable)
                else:
                    variables_in[group] = [variable]
        # Keep one constraint for each set.
        constraint_of: dict[tuple[Variable, ...], int] = {}
        for group, members in variables_in.items():
            if len(members) > 1:
                constraint_of.setdefault(tuple(members), self._groups[group][0])
        # Omit each set that another set contains.
        if len(constraint_of) > 1:
            sets = {members: set(members) for members in constraint_of}
            constraint_of = {
                members: constraint_of[members]
                for members, member_set in sets.items()
                if not any([member_set < larger_set for larger_set in sets.values()])
            }
        return tuple([Borrowed(members, number) for members, number in constraint_of.items()])
