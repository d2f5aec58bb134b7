"""Variables that stand for expressions, so that each value of an expression is a candidate."""

from __future__ import annotations

from itertools import product
from math import gcd, prod

from ....base.errors import ModelError
from ....model import Affine, Atom, Comparison, Constraint, Domain, Element, Linear, Objective, Value, Variable, ordered
from ....model.bounds import bounds
from ...settings import Settings
from .rewriting import Rewriting

NO_VALUE: Domain = (0,)
"""The domain of an expression that has no value, so that its definition never holds."""


def name_expressions(rewriting: Rewriting, settings: Settings) -> None:
    """Give constraints that want them, and the objective, variables for their expressions, named by their text.

    ``rewriting``: changed in place.

    Raises
    ------
    ModelError
        If an expression can have too many values.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> x, y, z = map(Affine.variable, "xyz")
    >>> model = Model({v: range(1, 4) for v in "xyz"}, [AllDifferent((y - x, z - y)), AllDifferent.of("xyz")])
    >>> rewriting = Rewriting.of(model, ())
    >>> name_expressions(rewriting, Settings())
    >>> rewriting.domains["y - x"], str(rewriting.constraints[2]), rewriting.origins[2]
    ((-2, -1, 1, 2), 'y - x = y - x', (0,))
    """
    naming = _Naming(rewriting, settings)
    for number, constraint in list(rewriting.active()):
        naming.origins, naming.source = (number,), constraint
        rewriting.constraints[number] = _simplest(constraint.over(naming.variable))
    for level in rewriting.model.objective.levels if rewriting.model.objective else ():
        naming.origins, naming.source, before = (), level, len(rewriting.constraints)
        own = level.expression if level.expression.is_variable else naming.variable(level.expression)
        (variable,) = own.variables
        definition = len(rewriting.constraints) - 1 if len(rewriting.constraints) > before else None
        rewriting.objective.append((variable, definition))


class _Naming:
    def __init__(self, rewriting: Rewriting, settings: Settings) -> None:
        self.rewriting = rewriting
        self.settings = settings
        self.origins: tuple[int, ...] = ()
        self.source: Constraint | Objective
        self._named: dict[Affine, Affine] = {}

    def variable(self, expression: Affine) -> Affine:
        """A variable that stands for an expression."""
        if expression not in self._named:
            domains = self.rewriting.domains
            name = str(expression)
            while name in domains:
                name += "'"
            variable = Variable(name)
            domains[variable] = self._values(expression)
            own = Affine(((1, variable),))
            self._named[expression] = own
            match expression:
                case Affine(terms=((1, Atom() as atom),), constant=0):
                    meaning = Affine(((1, atom.inside(self.variable)),))
                case _:
                    meaning = expression.over(self.variable)
            label, line, file = f"the value of {expression}", self.source.line, self.source.file
            definition = Comparison(own, "=", meaning, label=label, line=line, file=file)
            self.rewriting.add(_simplest(definition), self.origins)
        return self._named[expression]

    def _values(self, expression: Affine) -> Domain:
        """The values of an expression, or, where it has many variables, all between its bounds."""
        domains = self.rewriting.domains
        scope = expression.variables
        own = [domains[v] for v in scope]
        if prod(map(len, own)) <= self.settings.max_assignments:
            groups = [[scope.index(v) for v in group] for group, _ in self.rewriting.groups_within(scope)]
            found = {
                value
                for row in product(*own)
                if all(len({row[i] for i in group}) == len(group) for group in groups)
                if (value := _value(expression, dict(zip(scope, row, strict=True)))) is not None
            }
            return ordered(found) or NO_VALUE
        match expression:
            case Affine(terms=((1, Element(members=members)),), constant=0):
                return ordered(value for member in members for value in domains[member])
        try:
            low, high = bounds(expression, domains)
        except ZeroDivisionError:
            return NO_VALUE
        values = range(low, high + 1, gcd(*[factor for factor, _ in expression.terms]) or 1)
        if (many := (high - low) // values.step + 1) > self.settings.max_values:
            where = f"{self.source.place}: " if self.source.line else ""
            what = "its expression" if where and isinstance(self.source, Objective) else str(expression)
            raise ModelError(f"{where}{what} can have {many:,} values, and {self.settings.max_values:,} is the most")
        return tuple(values)


def _simplest(constraint: Constraint) -> Constraint:
    """A comparison of sums as such."""
    if type(constraint) is not Comparison or not (constraint.left.is_linear and constraint.right.is_linear):
        return constraint
    return Linear(constraint.left, constraint.relation, constraint.right, **constraint.tags)


def _value(expression: Affine, values: dict[str, Value]) -> Value | None:
    try:
        return expression.value(values)
    except ZeroDivisionError:
        return None
