"""Replace constraints by equivalent ones that propagate better, some with new variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import gcd, perm, prod

from ....base.errors import ModelError
from ....model import (
    Affine,
    All,
    AllDifferent,
    Atom,
    Comparison,
    Constraint,
    DifferentTuples,
    Domain,
    Element,
    Equality,
    Iff,
    Linear,
    Objective,
    Operation,
    Value,
    Variable,
    ordered,
)
from ....model.bounds import bounds
from ...settings import Settings
from .rewriting import Rewriting


def split_conjunctions(rewriting: Rewriting) -> None:
    """Replace each conjunction by its parts; the first part keeps the number of the conjunction.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Equality, Model, Variable
    >>> both = All((Equality(Variable("A"), 1), Equality(Variable("B"), 2)))
    >>> rewriting = Rewriting.of(Model({"A": (1, 2), "B": (1, 2)}, [both]), ())
    >>> split_conjunctions(rewriting)
    >>> print(*rewriting.constraints, rewriting.origins, sep=", ")
    A = 1, B = 2, [(0,), (0,)]
    """
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, All):
            first, *later_parts = [replace(part, **constraint.tags) for part in _iterate_parts(constraint)]
            rewriting.constraints[number] = first
            for part in later_parts:
                rewriting.add(part, (number,))


def _iterate_parts(constraint: Constraint) -> Iterator[Constraint]:
    """Yield the constraints of nested conjunctions that are not conjunctions themselves."""
    if isinstance(constraint, All):
        for part in constraint.constraints:
            yield from _iterate_parts(part)
    else:
        yield constraint


MAX_TUPLE_VALUES = 10_000
"""Maximum number of values of the sum for a tuple. Constraints above the limit are not rewritten."""


def number_tuples(rewriting: Rewriting) -> None:
    """Replace tuples of numbers that must differ by weighted sums, as 23 represents (2, 3).

    Tuples with symbols or with too many values stay.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Model
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> pairs = DifferentTuples(((x, y), (y, x)))
    >>> rewriting = Rewriting.of(Model({"x": (1, 2), "y": (1, 2)}, [pairs]), ())
    >>> number_tuples(rewriting)
    >>> print(rewriting.constraints[0])
    all_different([2*x + y - 3, 2*y + x - 3])
    """
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, DifferentTuples) and (sums := _sums(constraint, rewriting)):
            label, line, file = constraint.label, constraint.line, constraint.file
            rewriting.constraints[number] = AllDifferent(sums, label=label, line=line, file=file)


def _sums(constraint: DifferentTuples, rewriting: Rewriting) -> tuple[Affine, ...]:
    """Return for each tuple a weighted sum that identifies it, or ().

    The result is () if an element is not a number or can be undefined, or if the sums would have too many values.
    """
    domains = rewriting.domains
    elements = constraint.parts()
    are_numbers = all(isinstance(domains[variable][-1], int) for variable in constraint.scope)
    if not are_numbers or any(element.partial for element in elements):
        return ()
    # Append each column as a digit, whose base is the number of values between its bounds.
    sums = [Affine()] * len(constraint.tuples)
    size = 1
    for column in zip(*constraint.tuples, strict=True):
        if any(isinstance(element, str) for element in column):
            return ()
        expressions = [element if isinstance(element, Affine) else Affine((), int(element)) for element in column]
        spans = [bounds(element, domains) for element in expressions]
        low, width = min(spans)[0], max([high for _, high in spans]) - min(spans)[0] + 1
        sums = [total * width + (element - low) for total, element in zip(sums, expressions, strict=True)]
        size *= width
    # Equal sums, and sums without variables, are left to the propagator of different tuples.
    is_usable = size <= MAX_TUPLE_VALUES and len({*sums}) == len(sums) and all(total.variables for total in sums)
    return tuple(sums) if is_usable else ()


def name_conditions(rewriting: Rewriting, settings: Settings) -> None:
    """Replace counts of conditions by sums of new 0/1 variables, one for each condition.

    This happens only if a table of the comparison would be too large. Each condition gets one variable for all counts,
    which is 1 if the condition holds. Its name is the text of the condition. A count stays if its conditions have one
    variable each, all different.

    ``rewriting``: changed in place.

    Notes
    -----
    Without the new variables, propagation checks all k conditions of a count for every value that it tries. With them,
    it checks a condition only when one of its variables changes.

    Examples
    --------
    >>> from csp import AllDifferent, Model, apply
    >>> groups = [AllDifferent.of(names) for names in ("ABC", "CDE", "EFG", "GHA")]
    >>> counted = Comparison(apply("count", groups), "=", Affine((), 2))
    >>> rewriting = Rewriting.of(Model(dict.fromkeys("ABCDEFGH", range(10)), [counted]), ())
    >>> name_conditions(rewriting, Settings())
    >>> len(rewriting.domains), len(rewriting.constraints), str(rewriting.constraints[1])
    (12, 5, 'all_different([A, B, C]) = 1 <-> all_different([A, B, C])')
    """
    variables: dict[Constraint, Variable] = {}
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, Comparison) and _is_wide(constraint, rewriting, settings):
            sides = constraint.left, constraint.right
            left, right = (_replace_counts(side, (number,), variables, rewriting) for side in sides)
            rewriting.constraints[number] = Linear(left, constraint.relation, right, **constraint.tags)


def _is_wide(comparison: Comparison, rewriting: Rewriting, settings: Settings) -> bool:
    """Return whether a comparison of counts needs new variables, as its table is too large.

    Only a comparison of counts and variables can need new variables.
    """
    conditions: list[Constraint] = []
    for _, atom in (*comparison.left.terms, *comparison.right.terms):
        if isinstance(atom, Operation) and atom.operator == "count":
            conditions += [condition for condition in atom.operands if isinstance(condition, Constraint)]
        elif not isinstance(atom, Variable):
            return False
    if not conditions:
        return False
    # Estimate the number of rows of a table; it is smaller if all variables are different.
    scope = comparison.scope
    is_all_different = any([len(group) == len(scope) for group, _ in rewriting.groups_within(scope)])
    values = len({value for variable in scope for value in rewriting.domains[variable]})
    assignments = prod([len(rewriting.domains[variable]) for variable in scope])
    if min(assignments, perm(values, len(scope)) if is_all_different else assignments) <= settings.max_rows**2:
        return False  # the propagator can make a table when some variables are fixed
    # Conditions that share no variable, with one variable each, are already cheap to count.
    uses = Counter(variable for condition in conditions for variable in condition.scope)
    return any(len(condition.scope) > 1 for condition in conditions) or any(times > 1 for times in uses.values())


def _replace_counts(
    side: Affine, origins: tuple[int, ...], variables: dict[Constraint, Variable], rewriting: Rewriting
) -> Affine:
    """Replace every count in an expression by the sum of the variables of its conditions."""
    total = Affine((), side.constant)
    for factor, atom in side.terms:
        if isinstance(atom, Operation):
            for condition in atom.operands:
                assert isinstance(condition, Constraint)
                total = total + factor * Affine.variable(_truth_variable(condition, origins, variables, rewriting))
        else:
            total = total + Affine(((factor, atom),))
    return total


def _truth_variable(
    condition: Constraint, origins: tuple[int, ...], variables: dict[Constraint, Variable], rewriting: Rewriting
) -> Variable:
    """Return the 0/1 variable that equals a condition; add it if it is new.

    A new variable is added with its definition. The condition ``X = 1`` for a 0/1 variable ``X`` needs no new variable.
    """
    match condition:
        case Equality(left=left, right=1, equal=True) if rewriting.domains[left] == (0, 1):
            return left
    if condition not in variables:
        name = str(condition)
        while name in rewriting.domains:
            name += "'"
        truth = variables[condition] = Variable(name)
        rewriting.domains[truth] = (0, 1)
        tags = {**condition.tags, "label": f"the truth of {condition}"}
        rewriting.add(Iff(Equality(truth, 1), condition, **tags), origins)
    return variables[condition]


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
