"""What is asked: variables with their domains, and the constraints on them. Data only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .constraints import Constraint

Value = int | str
Domain = tuple[Value, ...]
Candidate = tuple["Variable", Value]
Quote = Callable[[Value], str]


class ModelError(ValueError):
    """A model that cannot be meant: an unknown variable, an empty domain, a name used twice."""


class Variable(str):
    """A puzzle variable: its name, which remembers its family and its indices.

    A variable *is* its name, so ``solution["cell(1,3)"]`` and ``solution[Variable("cell", 1, 3)]`` are the same.

    Parameters
    ----------
    family : str
        The name of the family, or of the variable itself when there are no indices.
    *indices : int or str
        The arguments of the term.

    Examples
    --------
    >>> Variable("cell", 1, 3)
    'cell(1,3)'
    >>> Variable("cell", 1, 3).indices
    (1, 3)
    >>> Variable("A") == "A"
    True
    """

    __slots__ = ("family", "indices")
    family: str
    indices: tuple[Value, ...]

    def __new__(cls, family: str, *indices: Value) -> Variable:
        name = f"{family}({','.join(map(str, indices))})" if indices else family
        self = super().__new__(cls, name)
        self.family = family
        self.indices = indices
        return self

    def __getnewargs__(self) -> tuple[Value, ...]:  # type: ignore[override]
        return (self.family, *self.indices)


def ordered(values: Iterable[Value]) -> Domain:
    """The values as a domain: integers ascending, then symbols in the order given, each once.

    Raises
    ------
    ModelError
        If a value is neither.

    Examples
    --------
    >>> ordered([3, "red", 1, "blue", 3])
    (1, 3, 'red', 'blue')
    """
    values = list(values)
    for value in values:
        if not isinstance(value, int | str):
            raise ModelError(f"{value!r} is neither an integer nor a symbol")
    distinct = dict.fromkeys(values)
    integers = sorted(value for value in distinct if isinstance(value, int))
    return (*integers, *(value for value in distinct if isinstance(value, str)))


def show_domain(domain: Domain, quote: Quote = str) -> str:
    """A domain as the language writes it; ``quote`` writes its values.

    Examples
    --------
    >>> show_domain((1, 2, 3)), show_domain((1, 3)), show_domain((1, 2, 3, 7, "red"))
    ('1..3', '{1, 3}', '{1..3, 7, red}')
    """
    parts: list[str] = []
    numbers = [value for value in domain if isinstance(value, int)]
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        values = [value for _, value in run]
        parts += [f"{values[0]}..{values[-1]}"] if len(values) > 2 else map(str, values)
    parts += [quote(value) for value in domain if isinstance(value, str)]
    return parts[0] if len(parts) == 1 and len(numbers) > 2 else f"{{{', '.join(parts)}}}"


@dataclass(frozen=True, init=False)
class Model:
    """Variables, domains and constraints, checked once when built and equal by value.

    Parameters
    ----------
    domains : mapping from Variable to iterable of int or str
        Every variable with its possible values, in the order in which answers list them.
        Plain strings are taken as variables without indices.
    constraints : iterable of Constraint
        What must hold.
    show : iterable of str, optional
        The families that an answer prints; all of them when empty.

    Raises
    ------
    ModelError
        If a domain is empty or a constraint names a variable that has no domain.

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

    def __init__(
        self,
        domains: Mapping[Variable, Iterable[Value]] | Mapping[str, Iterable[Value]],
        constraints: Iterable[Constraint] = (),
        show: Iterable[str] = (),
    ) -> None:
        known: dict[Domain, Domain] = {}
        seen: dict[int, Domain] = {}  # by identity: variables of a large model share their domains
        own = {}
        for name, values in list(domains.items()):
            if id(values) not in seen:
                domain = ordered(values)
                seen[id(values)] = known.setdefault(domain, domain)
            own[name if isinstance(name, Variable) else Variable(name)] = seen[id(values)]
        object.__setattr__(self, "domains", own)
        object.__setattr__(self, "constraints", tuple(constraints))
        object.__setattr__(self, "show", tuple(show))
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
        for family in self.show:
            if family not in families:
                raise ModelError(f"nothing to show: there is no variable {family}")

    @property
    def shown(self) -> list[Variable]:
        """The variables that an answer prints, in order."""
        return [v for v in self.domains if not self.show or v.family in self.show]

    def check(self, values: Mapping[str, Value]) -> bool:
        """Tell whether a full assignment is a solution, by the meaning of every constraint.

        Parameters
        ----------
        values : mapping from str to int or str
            A value for every variable.

        Returns
        -------
        bool
        """
        return all(values.get(v) in domain for v, domain in self.domains.items()) and all(
            constraint.check(values) for constraint in self.constraints
        )

    def _repr_svg_(self) -> str | None:
        from .render.notebook import model_svg

        return model_svg(self)
