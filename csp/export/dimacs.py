"""DIMACS CNF, with as many models as there are solutions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from operator import add

from ..constraints import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    Either,
    Equality,
    Linear,
    Member,
    Operation,
    Table,
)
from ..constraints.affine import integer
from ..constraints.linear import compared
from ..constraints.operation import operate
from ..model import Model, ModelError, Value, Variable
from .encoding import Encoding, Term
from .names import title

MAX_TRIED = 1_000
"""The most assignments of a constraint that are tried to exclude those that violate it one by one."""

HOLDS, FAILS = "holds", "fails"


def write_dimacs(model: Model) -> str:
    """A model in the DIMACS format for propositional formulas.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str

    Raises
    ------
    ModelError
        If the formula has too many clauses; the message names the constraint that was too large.

    Examples
    --------
    >>> print(write_dimacs(Model({"A": (1, 2), "B": (1, 5)}, [AllDifferent.of("AB", label="pair")])), end="")
    c A 1 -> 1
    c A 2 -> 2
    c B 1 -> 3
    c B 5 -> 4
    c clauses 5..5: pair
    p cnf 4 5
    1 2 0
    -1 -2 0
    3 4 0
    -3 -4 0
    -1 -3 0
    """
    writer = _Writer(model)
    comments = []
    for variable, values in writer.terms.items():
        comments += [f"c {_word(variable)} {_word(value)} -> {literal}" for value, literal in values.items()]
    for constraint in model.constraints:
        before = len(writer.clauses)
        try:
            writer.require(constraint)
        except ModelError as error:
            raise ModelError(f"{constraint.place} needs {error}, too many to write") from None
        if before < len(writer.clauses):
            comments.append(f"c clauses {before + 1}..{len(writer.clauses)}: {title(constraint)}")
    clauses = [" ".join(map(str, (*clause, 0))) for clause in writer.clauses]
    return "\n".join([*comments, f"p cnf {writer.size} {len(clauses)}", *clauses, ""])


def _word(value: Value | None) -> str:
    text = str(value)
    return text if isinstance(value, int) or re.fullmatch(r'[^\W\d][^\s"]*', text) else json.dumps(text)


class _Writer(Encoding):
    def __init__(self, model: Model) -> None:
        super().__init__()
        self.domains = model.domains
        self.terms: dict[Variable, Term] = {}
        self._operations: dict[Operation, Term] = {}
        self._expressions: dict[Affine, Term] = {}
        for variable, domain in model.domains.items():
            try:
                self.terms[variable] = self.choice(domain)
            except ModelError as error:
                raise ModelError(f"{variable} needs {error}, too many to write") from None

    # what must hold

    def require(self, constraint: Constraint) -> None:
        """Clauses that say that a constraint holds."""
        scope = constraint.scope
        if isinstance(constraint, AllDifferent):
            self._exclude_clashes([self.term(element) for element in constraint.elements])
        elif isinstance(constraint, Equality) and constraint.equal and len(scope) == 2:
            self._equate(*[self.terms[variable] for variable in scope])
        elif prod(len(self.domains[variable]) for variable in scope) <= MAX_TRIED:
            self._exclude_violations(constraint)
        elif isinstance(constraint, Linear | Comparison) and not constraint.different:
            self._compare(constraint, forbidden=(FAILS,))
        elif isinstance(constraint, Either):
            self.add(*map(self.holds, constraint.alternatives))
        elif isinstance(constraint, Table):
            self.add(*self._rows(constraint))
        else:
            self.add(self.holds(constraint))

    def _exclude_clashes(self, terms: Sequence[Term]) -> None:
        places: dict[Value | None, list[int]] = {}
        for term in terms:
            for value, literal in term.items():
                places.setdefault(value, []).append(literal)
        for literal in places.pop(None, ()):
            self.add(-literal)
        for literals in places.values():
            self.at_most_one(literals)

    def _equate(self, left: Term, right: Term) -> None:
        for value in {**left, **right}:
            one, other = left.get(value), right.get(value)
            if one and other:
                self.add(-one, other)
            elif one or other:
                self.add(-(one or other or 0))

    def _exclude_violations(self, constraint: Constraint) -> None:
        terms = [self.terms[variable] for variable in constraint.scope]
        for row in product(*terms):
            if not constraint.check(dict(zip(constraint.scope, row, strict=True))):  # type: ignore[arg-type]
                self.add(*[-term[value] for term, value in zip(terms, row, strict=True)])

    # what may hold or not

    def holds(self, constraint: Constraint) -> int:
        """A literal that is true where a constraint holds."""
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                one = self.terms[left]
                other = self.terms[right] if isinstance(right, Variable) else self.constant(right)
                both = [self.all([one[value], other[value]]) for value in one if value in other]
                same = self.any(both or [-self.true])
                return same if equal else -same
            case Linear() | Comparison():
                literal = self._compare(constraint).get(HOLDS, -self.true)
                groups = [self._differ([self.terms[variable] for variable in group]) for group in constraint.different]
                return self.all([literal, *groups])
            case Member(expression=expression, values=values):
                found = [literal for value, literal in self.term(expression).items() if value in values]
                return self.any(found or [-self.true])
            case Table():
                return self.any(self._rows(constraint) or [-self.true])
            case Either(alternatives=alternatives):
                return self.any([*map(self.holds, alternatives)])
            case AllDifferent(elements=elements):
                return self._differ([*map(self.term, elements)])
        raise NotImplementedError(type(constraint).__name__)

    def _differ(self, terms: Sequence[Term]) -> int:
        clashes = [term[None] for term in terms if None in term]
        for one, other in combinations(terms, 2):
            both = [value for value in one if value in other and value is not None]
            clashes += [self.all([one[value], other[value]]) for value in both]
        return -self.any(clashes) if clashes else self.true

    def _rows(self, table: Table) -> list[int]:
        """A literal for every row that the columns can be."""
        columns = [self.term(c) if isinstance(c, Affine) else self.constant(c) for c in table.columns]
        possible = [row for row in dict.fromkeys(table.rows) if all(v in c for c, v in zip(columns, row, strict=True))]
        return [self.all([column[value] for column, value in zip(columns, row, strict=True)]) for row in possible]

    def _compare(self, constraint: Linear | Comparison, forbidden: Sequence[str] = ()) -> Term:
        """A diagram with a layer for each term, whose states are the sums so far that may still do either."""
        difference = constraint.left - constraint.right
        parts = dict.fromkeys(part for side in (constraint.left, constraint.right) for _, part in side.terms)
        factors = {part: 0 for part in parts if isinstance(part, Operation)}  # what cancels out may still divide by 0
        factors.update({part: coefficient for coefficient, part in difference.terms})  # type: ignore[misc]
        terms = [self._multiple(coefficient, part) for part, coefficient in factors.items()]
        terms = terms or [self.constant(0)]
        terms.sort(key=lambda term: _span([term])[0] - _span([term])[1])
        state = self.constant(difference.constant)
        for number, term in enumerate(terms, 1):
            state = self.combine(state, term, _step(constraint.relation, terms[number:]), forbidden)
        return state

    # expressions

    def term(self, expression: Affine) -> Term:
        """What an expression is worth."""
        if expression.is_variable:
            return self._part(expression.terms[0][1])
        if expression not in self._expressions:
            total = self.constant(expression.constant)
            for coefficient, part in expression.terms:
                total = self.combine(total, self._multiple(coefficient, part), _lifted(add))
            self._expressions[expression] = total
        return self._expressions[expression]

    def _multiple(self, coefficient: int, part: Variable | Operation) -> Term:
        return self.image(self._part(part), _lifted(lambda value: coefficient * value))

    def _part(self, part: Variable | Operation) -> Term:
        if isinstance(part, Variable):
            return self.terms[part]
        if part not in self._operations:
            self._operations[part] = self._operation(part)
        return self._operations[part]

    def _operation(self, operation: Operation) -> Term:
        if operation.operator == "count":
            literals = [self.holds(operand) for operand in operation.operands if isinstance(operand, Constraint)]
            return reduce(lambda one, other: self.combine(one, other, _lifted(add)), map(self.truth, literals))
        function = _lifted(lambda *numbers: operate(operation.operator, numbers))
        terms = [self.term(operand) for operand in operation.operands if isinstance(operand, Affine)]
        if operation.operator == "abs":
            return self.image(terms[0], function)
        return reduce(lambda one, other: self.combine(one, other, function), terms)


def _lifted(function: Callable[..., int]) -> Callable[..., Value | None]:
    """The function of numbers, without a value where an argument has none or where it divides by zero."""

    def lifted(*values: Value | None) -> Value | None:
        try:
            return function(*[integer(value) for value in values if value is not None]) if None not in values else None
        except ZeroDivisionError:
            return None

    return lifted


def _span(terms: Sequence[Term]) -> tuple[int, int]:
    """The least and the greatest sum of terms."""
    numbers = [[value for value in term if isinstance(value, int)] or [0] for term in terms]
    return sum(map(min, numbers)), sum(map(max, numbers))


def _step(relation: str, rest: Sequence[Term]) -> Callable[..., Value | None]:
    """The next state of a diagram, from the present one and the value of the next term."""
    low, high = _span(rest)

    def step(state: Value | None, value: Value | None) -> Value | None:
        if state is None or value is None:
            return FAILS
        if isinstance(state, str):
            return state
        total = state + integer(value)
        known = compared(relation, (total + low, total + high))
        return FAILS if known is False else HOLDS if known else total

    return step
