"""The model of a puzzle: domains, constraints, objective, layout and drawings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from ..base.errors import ModelError
from ..base.late import import_late
from ..base.notation import Domain, Value, counted
from .algebra import Comparison, Constraint, Equality, Expression
from .constraints.different_tuples import DifferentTuples
from .constraints.increasing import Increasing
from .constraints.lexicographic import Lexicographic
from .constraints.member import Member
from .constraints.runs import Runs
from .constraints.table import Table
from .entry import Drawn, Entry
from .expression import Affine, Atom
from .givens import Domains
from .objective import Objective
from .operand import check_constraints, variable_of
from .operation import Operation
from .variable import Variable, check_iterable, ordered

Placed = TypeVar("Placed", bound=Entry)

ORDERED_KINDS = Comparison, Increasing, Lexicographic, Runs
"""The kinds of constraints that compare expressions by size, so that symbols are not permitted."""


@dataclass(frozen=True, init=False, repr=False)
class Model:
    """The model of a puzzle: variables, domains, constraints and objective, checked when built.

    Parameters
    ----------
    domains : mapping from Variable to iterable of int or str
        Every variable with its possible values; answers list variables in this order. Keys are variables, their
        names, or variables from ``csp.var``. The mapping of the model is read-only.
    constraints : iterable of Constraint
        The conditions that every solution meets.
    show : iterable of str, optional
        The families that an answer prints; all families if empty. Solutions with equal shown values are one answer.
    objective : Objective, optional
        The expression to minimize or maximize; only optimal solutions are answers.
    layout : iterable of Entry, optional
        Entries that an answer prints as a layout. Their variables and the families of ``show`` distinguish answers.
    drawn : iterable of Drawn, optional
        Additional drawings for pictures; answers do not depend on them.

    Raises
    ------
    ModelError
        If a domain is empty, if a constraint or the objective names a variable that has no domain, or if an item of
        ``constraints`` is not a constraint.

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
        # Variables of a large model share their domains: convert each object once, and intern equal domains.
        interned: dict[Domain, Domain] = {}
        by_identity: dict[int, Domain] = {}
        converted = Domains()
        if not isinstance(domains, Mapping):
            raise ModelError(f"{domains!r} says no domains, such as {{'x': range(1, 10)}}")
        for name, values in list(domains.items()):
            if id(values) not in by_identity:
                domain = ordered(values)
                by_identity[id(values)] = interned.setdefault(domain, domain)
            variable = variable_of(name)
            if variable in converted:
                raise ModelError(f"{variable} has two domains: a variable and its name are the same key")
            converted[variable] = by_identity[id(values)]
        object.__setattr__(self, "domains", MappingProxyType(converted))
        object.__setattr__(self, "constraints", check_constraints(constraints))
        if isinstance(show, str):
            raise ModelError(f"{show!r} is not a list of families; write [{show!r}]")
        if not (objective is None or isinstance(objective, Objective)):
            raise ModelError(f"{objective!r} is not an objective, such as csp.Objective('minimize', csp.var('x'))")
        object.__setattr__(self, "show", tuple(show))
        object.__setattr__(self, "objective", objective)
        object.__setattr__(self, "layout", _entries(layout, Entry))
        object.__setattr__(self, "drawn", _entries(drawn, Drawn))
        self._check()

    def _check(self) -> None:
        for variable, domain in self.domains.items():
            if not domain:
                raise ModelError(f"the domain of {variable} is empty")
        # A set of plain keys: the lookup of ``Domains`` would also accept expressions.
        names = self.domains.keys()
        families = {variable.family for variable in self.domains}
        symbols = {variable: domain[-1] for variable, domain in self.domains.items() if isinstance(domain[-1], str)}
        for constraint in self.constraints:
            for variable in constraint.scope:
                if variable not in names:
                    raise ModelError(f"{constraint.name} names {variable}, which has no domain")
            for symbol in _unmatched_symbols(constraint, self.domains):
                if symbol in names:
                    fault = f"{symbol!r} is a symbol there, which none of the values is"
                    hint = f"the variable is {symbol} in a spec, and csp.var({symbol!r}) in Python"
                    raise ModelError(f"{constraint.place}: {fault}; {hint}")
            if symbols and (fault := _arithmetic_fault(constraint, symbols)):
                raise ModelError(f"{constraint.place}: {fault}")
        for variable in self.objective.variables if self.objective else ():
            if variable not in names:
                raise ModelError(f"{self.objective} names {variable}, which has no domain")
        for expression in self.objective.expressions if self.objective and symbols else ():
            if fault := _arithmetic_fault(expression, symbols):
                raise ModelError(f"{self.objective}: {fault}")
        for entry in (*self.layout, *self.drawn):
            for variable in entry.variables:
                if variable not in names:
                    raise ModelError(f"{entry} names {variable}, which has no domain")
        for family in self.show:
            if family not in families:
                raise ModelError(f"nothing to show: {_show_fault(family, self.domains)}")

    def __add__(self, added: Constraint | Iterable[Constraint]) -> Model:
        constraints = (added,) if isinstance(added, Constraint) else check_constraints(added)
        return Model(
            self.domains, (*self.constraints, *constraints), self.show, self.objective, self.layout, self.drawn
        )

    def _repr_svg_(self) -> str:
        """Draw the constraint network for a notebook."""
        return str(import_late("csp.render.notebook", "model_svg")(self))

    def __repr__(self) -> str:
        return f"<Model: {counted(len(self.domains), 'variable')}, {counted(len(self.constraints), 'constraint')}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "domains": dict(self.domains)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, domains=MappingProxyType(Domains(state["domains"])))

    def __hash__(self) -> int:
        other_fields = self.show, self.objective, self.layout, self.drawn
        return hash((frozenset(self.domains.items()), self.constraints, *other_fields))

    @property
    def shown(self) -> list[Variable]:
        """The variables whose values distinguish the solutions, in order."""
        layout_variables = {variable for entry in self.layout for variable in entry.variables}
        shows_all = not self.show and not self.layout
        return [
            variable
            for variable in self.domains
            if shows_all or variable.family in self.show or variable in layout_variables
        ]

    def check(self, values: Mapping[str, Value]) -> bool:
        """Return whether an assignment lies in the domains and satisfies every constraint.

        The objective must have a value, but the solution need not be optimal.

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
        """Return the model of the solutions that are equally good as a given solution.

        The new model has no objective. A model without objective is returned unchanged.

        Examples
        --------
        >>> from csp import Affine
        >>> least = Model({"A": (1, 2), "B": (1, 2)}, objective=Objective("minimize", Affine.variable("A")))
        >>> least.as_good_as({"A": 1}).constraints[0].name
        'objective = 1'
        """
        if self.objective is None:
            return self
        worths = [(goal.expression, goal.value(solution)) for goal in self.objective.priorities]
        bounds = [
            Comparison(expression, "=", Affine((), value), label=f"objective = {value}") for expression, value in worths
        ]
        return Model(self.domains, [*self.constraints, *bounds], self.show, layout=self.layout, drawn=self.drawn)

    def _has_value(self, values: Mapping[str, Value]) -> bool:
        """Return whether an assignment gives the objective a value; true without an objective."""
        try:
            return self.objective is None or self.objective.worth(values) is not None
        except ZeroDivisionError:
            return False


def _entries(entries: Iterable[Placed], kind: type[Placed]) -> tuple[Placed, ...]:
    """Check that all items are of the given kind, and return them as a tuple."""
    checked = tuple(check_iterable(entries, f"csp.{kind.__name__}"))
    for entry in [entry for entry in checked if not isinstance(entry, kind)]:
        raise ModelError(f"{entry!r} is not a csp.{kind.__name__}")
    return checked


def _show_fault(name: object, domains: Mapping[Variable, Domain]) -> str:
    """Return the error message for a name in ``show`` that is not a family."""
    text = str(name)
    family = next((variable.family for variable in domains if variable == text), "")
    hint = f"show takes the names of families, such as {family!r}, and {name!r} is one variable"
    return hint if family else f"unknown variable: {text}"


def _arithmetic_fault(root: Constraint | Affine, symbols: Mapping[Variable, str]) -> str:
    """Return an error message if arithmetic uses a variable that can be a symbol, else "".

    Arithmetic and comparisons by size need numbers.
    """
    # Each part, with whether it must be a number.
    stack: list[tuple[Any, bool]] = [(root, True)]
    while stack:
        part, needs_numbers = stack.pop()
        if part.__class__ is not Affine:
            stack += [(subpart, isinstance(part, ORDERED_KINDS)) for subpart in part.parts()]
            continue
        for _, atom in part.terms:
            if isinstance(atom, Atom):
                stack += [(subpart, isinstance(atom, Operation)) for subpart in atom.parts()]
            elif (needs_numbers or not part.is_variable) and atom in symbols:
                return f"{atom} can be the symbol {symbols[atom]}, and symbols have no arithmetic"
    return ""


def _unmatched_symbols(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Iterator[str]:
    """Yield symbols that a constraint compares with variables that cannot take them."""
    stack: list[Any] = [constraint]
    while stack:
        part = stack.pop()
        if part.__class__ is Equality:
            if part.right.__class__ is str and part.right not in domains[part.left]:
                yield part.right
        elif part.__class__ is not Affine:
            yield from _unmatched_in_lists(part, domains)
            stack += part.parts()
        elif not part.is_linear:
            stack += [subpart for atom in part.atoms for subpart in atom.parts()]


def _unmatched_in_lists(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Iterator[str]:
    """Yield unmatched symbols of one membership, table or tuple constraint.

    The parts of the constraint are not searched.
    """
    # Pairs of items and the values that they can be equal to.
    columns: list[tuple[Iterable[object], Collection[Value]]] = []
    match constraint:
        case Member(expression=expression, values=values) if expression.is_variable:
            columns = [(values, domains[expression.variables[0]])]
        case Table(columns=columns_of_table, rows=rows):
            columns = [
                ((item,), {row[i] for row in rows}) for i, item in enumerate(columns_of_table) if isinstance(item, str)
            ]
        case DifferentTuples(tuples=tuples):
            for column in zip(*tuples, strict=True):
                variables = [v for item in column if isinstance(item, Affine) for v in item.variables]
                columns.append((column, {value for v in variables for value in domains[v]}))
    for items, known_values in columns:
        yield from [
            item for item in items if isinstance(item, str) and item.__class__ is str and item not in known_values
        ]
