"""A model under way to a program: its constraints under their numbers, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from ....model import Constraint, Domain, Model, Variable
from ..propagators.base import Borrowed


@dataclass
class Rewriting:
    """The constraints of a model and those that were made of them.

    A number is the identity of a constraint: those of the model keep theirs, others come after.

    Attributes
    ----------
    model : Model
    without : frozenset of int
        The constraints that are left out; they keep their numbers, and nothing follows from them.
    domains : dict of Variable to tuple
        The variables of the model first, then those that stand for expressions.
    constraints : list of Constraint
    origins : list of tuples of int
        For each constraint, those of the model that it comes from.
    objective : list of tuples of (Variable, int or None)
        For each level what is to be small or great, and which constraint defines it for this purpose alone.
    """

    model: Model
    without: frozenset[int]
    domains: dict[Variable, Domain]
    constraints: list[Constraint]
    origins: list[tuple[int, ...]]
    _groups_of: dict[Variable, list[int]]
    _groups: list[int]
    objective: list[tuple[Variable, int | None]] = field(default_factory=list)

    @classmethod
    def of(cls, model: Model, without: Collection[int]) -> Rewriting:
        """The model as it is."""
        left_out = frozenset(without)
        groups_of: dict[Variable, list[int]] = {}
        groups: list[int] = []
        for number, constraint in enumerate(model.constraints):
            for group in () if number in left_out else constraint.differing():
                for variable in group:
                    groups_of.setdefault(variable, []).append(len(groups))
                groups.append(number)
        origins: list[tuple[int, ...]] = [(number,) for number in range(len(model.constraints))]
        return cls(model, left_out, dict(model.domains), list(model.constraints), origins, groups_of, groups)

    def has(self, *kinds: type[Constraint]) -> bool:
        """Whether any constraint is of these kinds."""
        return any([isinstance(one, kinds) for one in self.constraints])

    def active(self) -> Iterator[tuple[int, Constraint]]:
        """The constraints that are not left out, with their numbers."""
        for number, constraint in enumerate(self.constraints):
            if number not in self.without:
                yield number, constraint

    def add(self, constraint: Constraint, origins: Sequence[int]) -> None:
        """Another constraint, which follows from some of the model, or from some that were added before."""
        self.constraints.append(constraint)
        self.origins.append(tuple(dict.fromkeys(own for number in origins for own in self.origins[number])))

    def groups_within(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        """Sets of at least two variables of a scope that constraints of the model keep different, and which one."""
        touching: dict[int, list[Variable]] = {}
        for variable in scope:
            for group in self._groups_of.get(variable, ()):
                if group in touching:
                    touching[group].append(variable)
                else:
                    touching[group] = [variable]
        found: dict[tuple[Variable, ...], int] = {}
        for group, common in touching.items():
            if len(common) > 1:
                found.setdefault(tuple(common), self._groups[group])
        if len(found) > 1:
            sets = {common: set(common) for common in found}
            found = {some: found[some] for some, own in sets.items() if not any([own < more for more in sets.values()])}
        return tuple([Borrowed(common, number) for common, number in found.items()])
