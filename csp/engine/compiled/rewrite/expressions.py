"""Expressions replaced by new variables, so that propagation can remove values of an expression.

Propagation can then remove the values of an expression one by one.
"""

from __future__ import annotations

from itertools import product
from math import gcd, prod

from ....base.errors import ModelError
from ....model import Affine, Atom, Comparison, Constraint, Domain, Element, Linear, Objective, Value, Variable, ordered
from ....model.bounds import bounds
from ...settings import Settings
from .rewriting import Rewriting

NO_VALUE: Domain = (0,)
"""The domain of the variable of an expression without a value. Its definition never holds, so any value will do."""


def name_expressions(rewriting: Rewriting, settings: Settings) -> None:
    """Replace expressions in constraints and in the objective by new variables.

    Each kind of constraint decides which of its expressions it needs as variables. The name of a variable is the text
    of its expression.

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
    # Name the expressions of the constraints.
    naming = _Naming(rewriting, settings)
    for number, constraint in list(rewriting.active()):
        naming.origins, naming.source = (number,), constraint
        rewriting.constraints[number] = _simplest(constraint.over(naming.variable))
    # Name those of the objective, and note the definitions that are new.
    for level in rewriting.model.objective.priorities if rewriting.model.objective else ():
        naming.origins, naming.source, count = (), level, len(rewriting.constraints)
        expression = level.expression if level.expression.is_variable else naming.variable(level.expression)
        (variable,) = expression.variables
        definition = len(rewriting.constraints) - 1 if len(rewriting.constraints) > count else None
        rewriting.objective.append((variable, definition))


class _Naming:
    """The new variables for expressions, each added with its definition on first use.

    ``source``: the constraint or the objective that needs the next variable; ``origins``: the origins of its
    definition.
    """

    def __init__(self, rewriting: Rewriting, settings: Settings) -> None:
        self.rewriting = rewriting
        self.settings = settings
        self.origins: tuple[int, ...] = ()
        self.source: Constraint | Objective
        self._named: dict[Affine, Affine] = {}

    def variable(self, expression: Affine) -> Affine:
        """Return the variable that equals an expression; add it if it is new."""
        if expression not in self._named:
            domains = self.rewriting.domains
            name = str(expression)
            while name in domains:
                name += "'"
            variable = Variable(name)
            domains[variable] = self._values(expression)
            variable_expression = Affine(((1, variable),))
            self._named[expression] = variable_expression
            # Name the expressions inside first.
            match expression:
                case Affine(terms=((1, Atom() as atom),), constant=0):
                    meaning = Affine(((1, atom.inside(self.variable)),))
                case _:
                    meaning = expression.over(self.variable)
            label, line, file = f"the value of {expression}", self.source.line, self.source.file
            definition = Comparison(variable_expression, "=", meaning, label=label, line=line, file=file)
            self.rewriting.add(_simplest(definition), self.origins)
        return self._named[expression]

    def _values(self, expression: Affine) -> Domain:
        """Return the possible values of an expression, as the domain of its new variable.

        If it has too many assignments, these are all numbers between its bounds.
        """
        domains = self.rewriting.domains
        scope = expression.variables
        # Try all assignments if there are few; omit those in which different variables are equal.
        scope_domains = [domains[v] for v in scope]
        if prod(map(len, scope_domains)) <= self.settings.max_assignments:
            groups = [[scope.index(v) for v in group] for group, _ in self.rewriting.groups_within(scope)]
            possible_values = {
                value
                for row in product(*scope_domains)
                if all(len({row[i] for i in group}) == len(group) for group in groups)
                if (value := _value(expression, dict(zip(scope, row, strict=True)))) is not None
            }
            return ordered(possible_values) or NO_VALUE
        # Join the domains of an element constraint.
        match expression:
            case Affine(terms=((1, Element(members=members)),), constant=0):
                return ordered(value for member in members for value in domains[member])
        # Use the bounds, in steps of the greatest common divisor.
        try:
            low, high = bounds(expression, domains)
        except ZeroDivisionError:
            return NO_VALUE
        values = range(low, high + 1, gcd(*[factor for factor, _ in expression.terms]) or 1)
        if (size := (high - low) // values.step + 1) > self.settings.max_values:
            where = f"{self.source.place}: " if self.source.line else ""
            subject = "its expression" if where and isinstance(self.source, Objective) else str(expression)
            raise ModelError(f"{where}{subject} can have {size:,} values, and {self.settings.max_values:,} is the most")
        return tuple(values)


def _simplest(constraint: Constraint) -> Constraint:
    """Return a comparison of linear sums as ``Linear``, and any other constraint unchanged."""
    if type(constraint) is not Comparison or not (constraint.left.is_linear and constraint.right.is_linear):
        return constraint
    return Linear(constraint.left, constraint.relation, constraint.right, **constraint.tags)


def _value(expression: Affine, values: dict[str, Value]) -> Value | None:
    """Return the value of an expression under an assignment; None if it divides by zero."""
    try:
        return expression.value(values)
    except ZeroDivisionError:
        return None
