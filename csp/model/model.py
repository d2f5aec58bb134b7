"""What is asked: variables with their domains, and the constraints on them. Data only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value, counted
from ..base.show import ShowsSvg
from .algebra import Expression
from .constraint import Constraint, conditions
from .constraints.comparison import Comparison
from .constraints.different_tuples import DifferentTuples
from .constraints.equality import Equality
from .constraints.increasing import Increasing
from .constraints.lexicographic import Lexicographic
from .constraints.member import Member
from .constraints.runs import Runs
from .constraints.table import Table
from .entry import Drawn, Entry
from .expression import Affine, Atom
from .objective import Objective
from .operand import Domains, variable_of
from .operation import Operation
from .variable import Variable, each_of, ordered

Placed = TypeVar("Placed", bound=Entry)

OF_NUMBERS = Comparison, Increasing, Lexicographic, Runs
"""What compares its expressions by size."""


@dataclass(frozen=True, init=False, repr=False)
class Model(ShowsSvg):
    """Variables, domains and constraints, checked once when built and equal by value.

    Parameters
    ----------
    domains : mapping from Variable to iterable of int or str
        Every variable with its possible values, in the order in which answers list them; afterwards they can be read
        and not written. Plain strings are taken as the variables of that name, as are those of ``csp.var``.
    constraints : iterable of Constraint
        What must hold.
    show : iterable of str, optional
        The families that an answer prints; all of them when empty. Solutions that show alike are one answer.
    objective : Objective, optional
        What makes a solution better than another; then only the best ones are answers.
    layout : iterable of Entry, optional
        What an answer prints in places of their own; it is about the variables in them, and of others about those of
        ``show`` alone.
    drawn : iterable of Drawn, optional
        What pictures show besides; answers do not depend on it.

    Raises
    ------
    ModelError
        If a domain is empty, a constraint or the objective names a variable that has no domain, or what is no
        constraint stands among them.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({"A": range(1, 3), "B": range(1, 3)}, [AllDifferent.of(["A", "B"])])
    >>> len(model.domains), len((model + AllDifferent.of(["A", "B"])).constraints)
    (2, 2)
    """

    domains: Mapping[Variable, Domain]
    constraints: tuple[Constraint, ...] = ()
    show: tuple[str, ...] = ()
    objective: Objective | None = None
    layout: tuple[Entry, ...] = ()
    drawn: tuple[Drawn, ...] = ()

    def __init__(
        self,
        domains: Mapping[Variable, Iterable[Value]]
        | Mapping[str, Iterable[Value]]
        | Mapping[Expression, Iterable[Value]],
        constraints: Iterable[Constraint] = (),
        show: Iterable[str] = (),
        objective: Objective | None = None,
        layout: Iterable[Entry] = (),
        drawn: Iterable[Drawn] = (),
    ) -> None:
        equal: dict[Domain, Domain] = {}
        seen: dict[int, Domain] = {}  # by identity: variables of a large model share their domains
        own = Domains()
        if not isinstance(domains, Mapping):
            raise ModelError(f"{domains!r} says no domains, such as {{'x': range(1, 10)}}")
        for name, values in list(domains.items()):
            if id(values) not in seen:
                domain = ordered(values)
                seen[id(values)] = equal.setdefault(domain, domain)
            variable = variable_of(name)
            if variable in own:
                raise ModelError(f"{variable} has two domains: a variable and its name are the same key")
            own[variable] = seen[id(values)]
        object.__setattr__(self, "domains", MappingProxyType(own))
        object.__setattr__(self, "constraints", conditions(constraints))
        if isinstance(show, str):
            raise ModelError(f"{show!r} is no list of families; a list of one is [{show!r}]")
        if not (objective is None or isinstance(objective, Objective)):
            raise ModelError(f"{objective!r} is no objective, such as csp.Objective('minimize', csp.var('x'))")
        object.__setattr__(self, "show", tuple(show))
        object.__setattr__(self, "objective", objective)
        object.__setattr__(self, "layout", _entries(layout, Entry))
        object.__setattr__(self, "drawn", _entries(drawn, Drawn))
        self._check()

    def _check(self) -> None:
        for variable, domain in self.domains.items():
            if not domain:
                raise ModelError(f"the domain of {variable} is empty")
        known = self.domains.keys()  # asked without the keys that are made of expressions
        families = {variable.family for variable in self.domains}
        symbols = {variable: domain[-1] for variable, domain in self.domains.items() if isinstance(domain[-1], str)}
        for constraint in self.constraints:
            for variable in constraint.scope:
                if variable not in known:
                    raise ModelError(f"{constraint.name} names {variable}, which has no domain")
            for symbol in _strange(constraint, self.domains):
                if symbol in known:
                    told = f"{symbol!r} is a symbol there, which none of the values is"
                    hint = f"the variable is {symbol} in a spec, and csp.var({symbol!r}) in Python"
                    raise ModelError(f"{constraint.place}: {told}; {hint}")
            if symbols and (told := _miscalculated(constraint, symbols)):
                raise ModelError(f"{constraint.place}: {told}")
        for variable in self.objective.variables if self.objective else ():
            if variable not in known:
                raise ModelError(f"{self.objective} names {variable}, which has no domain")
        for expression in self.objective.expressions if self.objective and symbols else ():
            if told := _miscalculated(expression, symbols):
                raise ModelError(f"{self.objective}: {told}")
        for entry in (*self.layout, *self.drawn):
            for variable in entry.variables:
                if variable not in known:
                    raise ModelError(f"{entry} names {variable}, which has no domain")
        for family in self.show:
            if family not in families:
                raise ModelError(f"nothing to show: {_unshown(family, self.domains)}")

    def __add__(self, more: Constraint | Iterable[Constraint]) -> Model:
        own = (more,) if isinstance(more, Constraint) else conditions(more)
        return Model(self.domains, (*self.constraints, *own), self.show, self.objective, self.layout, self.drawn)

    def __repr__(self) -> str:
        return f"<Model: {counted(len(self.domains), 'variable')}, {counted(len(self.constraints), 'constraint')}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "domains": dict(self.domains)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, domains=MappingProxyType(Domains(state["domains"])))

    def __hash__(self) -> int:
        about = self.show, self.objective, self.layout, self.drawn
        return hash((frozenset(self.domains.items()), self.constraints, *about))

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
        levels = [(one.expression, one.value(solution)) for one in self.objective.levels]
        bounds = [Comparison(one, "=", Affine((), value), label=f"as good as {value}") for one, value in levels]
        return Model(self.domains, [*self.constraints, *bounds], self.show, layout=self.layout, drawn=self.drawn)

    def _has_value(self, values: Mapping[str, Value]) -> bool:
        """Whether the objective, if there is one, can be told."""
        try:
            return self.objective is None or self.objective.worth(values) is not None
        except ZeroDivisionError:
            return False


def _entries(entries: Iterable[Placed], kind: type[Placed]) -> tuple[Placed, ...]:
    own = tuple(each_of(entries, f"csp.{kind.__name__}"))
    for entry in [entry for entry in own if not isinstance(entry, kind)]:
        raise ModelError(f"{entry!r} is no csp.{kind.__name__}")
    return own


def _unshown(name: object, domains: Mapping[Variable, Domain]) -> str:
    """Why what is no family is not shown."""
    text = str(name)
    family = next((variable.family for variable in domains if variable == text), "")
    hint = f"show takes the names of families, such as {family!r}, and {name!r} is one variable"
    return hint if family else f"there is no variable {text}"


def _miscalculated(whole: Constraint | Affine, symbols: Mapping[Variable, str]) -> str:
    """Why a variable that can be a symbol has no place where numbers are calculated with, or compared by size."""
    waiting: list[tuple[Any, bool]] = [(whole, True)]
    while waiting:
        part, numbers = waiting.pop()
        if part.__class__ is not Affine:
            waiting += [(inner, isinstance(part, OF_NUMBERS)) for inner in part.parts()]
            continue
        for _, atom in part.terms:
            if isinstance(atom, Atom):
                waiting += [(inner, isinstance(atom, Operation)) for inner in atom.parts()]
            elif (numbers or not part.is_variable) and atom in symbols:
                return f"{atom} can be the symbol {symbols[atom]}, and symbols have no arithmetic"
    return ""


def _strange(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Iterator[str]:
    """The symbols that no value can be equal to, with which a constraint compares."""
    waiting: list[Any] = [constraint]
    while waiting:
        part = waiting.pop()
        if part.__class__ is Equality:
            if part.right.__class__ is str and part.right not in domains[part.left]:
                yield part.right
        elif part.__class__ is not Affine:
            yield from _compared(part, domains)
            waiting += part.parts()
        elif not part.is_linear:
            waiting += [inner for atom in part.atoms for inner in atom.parts()]


def _compared(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Iterator[str]:
    """As ``_strange``, of what a constraint compares with itself, and not in its parts."""
    columns: list[tuple[Iterable[object], Collection[Value]]] = []
    match constraint:
        case Member(expression=expression, values=values) if expression.is_variable:
            columns = [(values, domains[expression.variables[0]])]
        case Table(columns=asked, rows=rows):
            columns = [((one,), {row[i] for row in rows}) for i, one in enumerate(asked) if isinstance(one, str)]
        case DifferentTuples(tuples=tuples):
            for column in zip(*tuples, strict=True):
                variables = [v for one in column if isinstance(one, Affine) for v in one.variables]
                columns.append((column, {value for v in variables for value in domains[v]}))
    for compared, known in columns:
        yield from [one for one in compared if isinstance(one, str) and one.__class__ is str and one not in known]
