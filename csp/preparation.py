"""The model in the form in which it is solved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from .constraints import Affine, Comparison, Constraint, Linear
from .implied import implied_groups, implied_sums
from .model import Domain, Model, ModelError, Value, Variable, ordered

MAX_TRIED = 20_000
"""The most assignments that are tried to find the values of an expression."""

MAX_SPAN = 100_000
"""The most values that an expression may have."""

NO_VALUE: Domain = (0,)
"""The domain of an expression that has no value, so that its definition never holds."""


class Preparation:
    """Gives every constraint the variables for its expressions and the differences that it can make use of.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    prepared : Model
        Has the variables of the model first, then one for each expression inside an ``all_different`` or a table,
        named by its text; the constraints in their order, what defines the new variables, and what is implied.

    Examples
    --------
    >>> from csp.constraints import AllDifferent
    >>> x, y, z = map(Affine.variable, "xyz")
    >>> model = Model({v: range(1, 4) for v in "xyz"}, [AllDifferent((y - x, z - y)), AllDifferent.of("xyz")])
    >>> prepared = Preparation(model).prepared
    >>> prepared.domains["y - x"], str(prepared.constraints[2])
    ((-2, -1, 1, 2), 'y - x = y - x (y, x differ)')
    """

    def __init__(self, model: Model) -> None:
        self._groups_of: dict[Variable, list[tuple[Variable, ...]]] = {}
        for constraint in model.constraints:
            for group in constraint.differing():
                for variable in group:
                    self._groups_of.setdefault(variable, []).append(group)
        self._domains = dict(model.domains)
        self._named: dict[Affine, Affine] = {}
        self._definitions: list[Constraint] = []
        self._label, self._line = "", 0
        prepared = []
        for constraint in model.constraints:
            self._label, self._line = constraint.label, constraint.line
            prepared.append(constraint.prepared(self))
        implied: list[Constraint] = [*implied_groups(model), *(one.prepared(self) for one in implied_sums(model))]
        same = not implied and all(one is other for one, other in zip(prepared, model.constraints, strict=True))
        self.prepared = model if same else Model(self._domains, prepared + self._definitions + implied)

    def variable(self, expression: Affine) -> Affine:
        """A variable that stands for an expression."""
        if expression not in self._named:
            variable = Variable(str(expression))
            while variable in self._domains:
                variable = Variable(variable + "'")
            self._domains[variable] = self._values(expression)
            self._named[expression] = own = Affine.variable(variable)
            kind = Linear if expression.is_linear else Comparison
            definition = kind(own, "=", expression, label=self._label, line=self._line)
            self._definitions.append(definition.prepared(self))
        return self._named[expression]

    def groups(self, scope: Sequence[Variable]) -> tuple[tuple[Variable, ...], ...]:
        """Sets of at least two variables of the scope that other constraints keep different."""
        inside = set(scope)
        seen: dict[frozenset[Variable], tuple[Variable, ...]] = {}
        touching = {id(group): group for variable in scope for group in self._groups_of.get(variable, ())}
        for group in touching.values():
            if len(common := inside.intersection(group)) > 1:
                seen.setdefault(frozenset(common), tuple([v for v in scope if v in common]))
        return tuple([group for key, group in seen.items() if not any(key < other for other in seen)])

    def _values(self, expression: Affine) -> Domain:
        """The values of an expression, or, where it has many variables, all between its bounds."""
        scope = expression.variables
        domains = [self._domains[variable] for variable in scope]
        if prod(map(len, domains)) <= MAX_TRIED:
            groups = [[scope.index(variable) for variable in group] for group in self.groups(scope)]
            found = {
                value
                for row in product(*domains)
                if all(len({row[i] for i in group}) == len(group) for group in groups)
                if (value := _value(expression, dict(zip(scope, row, strict=True)))) is not None
            }
            return ordered(found) or NO_VALUE
        try:
            low, high = expression.bounds(self._domains)
        except ZeroDivisionError:
            return NO_VALUE
        if high - low >= MAX_SPAN:
            where = f"{self._label} (line {self._line}): " if self._line else ""
            raise ModelError(f"{where}{expression} can have {high - low + 1:,} values, and {MAX_SPAN:,} is the most")
        return tuple(range(low, high + 1))


def _value(expression: Affine, values: dict[str, Value]) -> Value | None:
    try:
        return expression.value(values)
    except ZeroDivisionError:
        return None
