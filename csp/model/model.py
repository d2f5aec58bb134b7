"""What is asked: variables with their domains, and the constraints on them. Data only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..ground.errors import ModelError
from ..ground.notation import Domain, Value
from ..ground.show import ShowsSvg
from .constraint import Constraint
from .constraints.comparison import Comparison
from .entry import Entry
from .expression import Affine
from .objective import Objective
from .variable import Variable, ordered


@dataclass(frozen=True, init=False)
class Model(ShowsSvg):
    """Variables, domains and constraints, checked once when built and equal by value.

    Parameters
    ----------
    domains : mapping from Variable to iterable of int or str
        Every variable with its possible values, in the order in which answers list them.
        Plain strings are taken as the variables of that name.
    constraints : iterable of Constraint
        What must hold.
    show : iterable of str, optional
        The families that an answer prints; all of them when empty. Solutions that show alike are one answer.
    objective : Objective, optional
        What makes a solution better than another; then only the best ones are answers.
    layout : iterable of Entry, optional
        What an answer prints in places of their own; it is about the variables in them, and of others about those of
        ``show`` alone.

    Raises
    ------
    ModelError
        If a domain is empty, or a constraint or the objective names a variable that has no domain.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({"A": range(1, 3), "B": range(1, 3)}, [AllDifferent.of(["A", "B"])])
    >>> len(model.domains), len(model.constraints)
    (2, 1)
    """

    domains: Mapping[Variable, Domain]
    constraints: tuple[Constraint, ...] = ()
    show: tuple[str, ...] = ()
    objective: Objective | None = None
    layout: tuple[Entry, ...] = ()

    def __init__(
        self,
        domains: Mapping[Variable, Iterable[Value]] | Mapping[str, Iterable[Value]],
        constraints: Iterable[Constraint] = (),
        show: Iterable[str] = (),
        objective: Objective | None = None,
        layout: Iterable[Entry] = (),
    ) -> None:
        equal: dict[Domain, Domain] = {}
        seen: dict[int, Domain] = {}  # by identity: variables of a large model share their domains
        own = {}
        for name, values in list(domains.items()):
            if id(values) not in seen:
                domain = ordered(values)
                seen[id(values)] = equal.setdefault(domain, domain)
            own[Variable.of(name)] = seen[id(values)]
        object.__setattr__(self, "domains", own)
        object.__setattr__(self, "constraints", tuple(constraints))
        object.__setattr__(self, "show", tuple(show))
        object.__setattr__(self, "objective", objective)
        object.__setattr__(self, "layout", tuple(layout))
        self._check()

    def _check(self) -> None:
        for variable, domain in self.domains.items():
            if not domain:
                raise ModelError(f"the domain of {variable} is empty")
        families = {variable.family for variable in self.domains}
        for constraint in self.constraints:
            for variable in constraint.scope:
                if variable not in self.domains:
                    raise ModelError(f"{constraint.name} names {variable}, which has no domain")
        for variable in self.objective.expression.variables if self.objective else ():
            if variable not in self.domains:
                raise ModelError(f"{self.objective} names {variable}, which has no domain")
        for entry in self.layout:
            for variable in entry.variables:
                if variable not in self.domains:
                    raise ModelError(f"{entry} names {variable}, which has no domain")
        for family in self.show:
            if family not in families:
                raise ModelError(f"nothing to show: there is no variable {family}")

    def __hash__(self) -> int:
        return hash((frozenset(self.domains.items()), self.constraints, self.show, self.objective, self.layout))

    @property
    def shown(self) -> list[Variable]:
        """The variables that an answer is about, in order."""
        placed = {variable for entry in self.layout for variable in entry.variables}
        every = not self.show and not self.layout
        return [v for v in self.domains if every or v.family in self.show or v in placed]

    def check(self, values: Mapping[str, Value]) -> bool:
        """Tell whether a full assignment is a solution, by the meaning of every constraint; not whether it is the best.

        Parameters
        ----------
        values : mapping from str to int or str
            A value for every variable.

        Returns
        -------
        bool
        """
        if not all(values.get(variable) in domain for variable, domain in self.domains.items()):
            return False
        return self._has_value(values) and all(constraint.check(values) for constraint in self.constraints)

    def as_good_as(self, solution: Mapping[str, Value]) -> Model:
        """The model whose solutions are those that are as good, without an objective.

        Parameters
        ----------
        solution : mapping from str to int or str
            A value for every variable of the objective.

        Examples
        --------
        >>> from csp import Affine
        >>> least = Model({"A": (1, 2), "B": (1, 2)}, objective=Objective("minimize", Affine.variable("A")))
        >>> least.as_good_as({"A": 1}).constraints[0].name
        'as good as 1'
        """
        if self.objective is None:
            return self
        value = self.objective.value(solution)
        bound = Comparison(self.objective.expression, "=", Affine((), value), label=f"as good as {value}")
        return Model(self.domains, [*self.constraints, bound], self.show)

    def _has_value(self, values: Mapping[str, Value]) -> bool:
        """Whether the objective, if there is one, can be told."""
        try:
            return self.objective is None or self.objective.value(values) is not None
        except ZeroDivisionError:
            return False
