"""Models as clauses, with as many models as there are solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from operator import add

from ..model import (
    Affine,
    AllDifferent,
    Atom,
    Comparison,
    Constraint,
    Domain,
    Either,
    Element,
    Equality,
    Member,
    Operation,
    Table,
    Value,
    Variable,
    operate,
)
from ..model.constraints.comparison import compared
from ..model.expression import integer
from .encoding import Encoding, Term
from .names import KNOWN, known

MAX_TRIED = 1_000
"""The most assignments of a constraint that are tried to exclude those that violate it one by one."""

HOLDS, FAILS = "holds", "fails"


class Clauses(Encoding):
    """A formula about the variables of a model.

    Parameters
    ----------
    domains : mapping from Variable to tuple

    Attributes
    ----------
    terms : dict from Variable to dict
        The literals of every variable that has them, by value.

    Examples
    --------
    >>> domains = {Variable("x"): (1, 2), Variable("y"): (1, 2)}
    >>> clauses = Clauses(domains)
    >>> for variable in domains:
    ...     clauses.introduce(variable)
    >>> clauses.require(AllDifferent.of("xy"))
    >>> clauses.clauses[-2:]
    [(-1, -3), (-2, -4)]
    """

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        super().__init__()
        self.domains = domains
        self.terms: dict[Variable, Term] = {}
        self._atoms: dict[Atom, Term] = {}
        self._expressions: dict[Affine, Term] = {}

    def introduce(self, variable: Variable) -> None:
        """Literals for the values of a variable, before it is named anywhere."""
        self.terms[variable] = self.choice(self.domains[variable])

    # what must hold

    def require(self, constraint: Constraint) -> None:
        """Clauses that say that a constraint holds."""
        scope = constraint.scope
        if not isinstance(constraint, KNOWN):
            for one in known(constraint):
                self.require(one)
        elif isinstance(constraint, AllDifferent):
            self._exclude_clashes([self.term(element) for element in constraint.elements])
        elif isinstance(constraint, Equality) and constraint.equal and len(scope) == 2:
            self._equate(*[self.terms[variable] for variable in scope])
        elif prod(len(self.domains[variable]) for variable in scope) <= MAX_TRIED:
            self._exclude_violations(constraint)
        elif isinstance(constraint, Comparison):
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
            case Comparison():
                return self._compare(constraint).get(HOLDS, -self.true)
            case Member(expression=expression, values=values):
                found = [literal for value, literal in self.term(expression).items() if value in values]
                return self.any(found or [-self.true])
            case Table():
                return self.any(self._rows(constraint) or [-self.true])
            case Either(alternatives=alternatives):
                return self.any([*map(self.holds, alternatives)])
            case AllDifferent(elements=elements):
                return self._differ([*map(self.term, elements)])
        return self.all([*map(self.holds, known(constraint))])

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

    def _compare(self, constraint: Comparison, forbidden: Sequence[str] = ()) -> Term:
        """A diagram with a layer for each term, whose states are the sums so far that may still do either."""
        difference = constraint.difference
        factors: dict[Variable | Atom, int] = dict.fromkeys((*constraint.left.atoms, *constraint.right.atoms), 0)
        factors.update({part: coefficient for coefficient, part in difference.terms})
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
        match expression:
            case Affine(terms=((1, (Variable() | Element()) as whole),), constant=0):  # which may be a symbol
                return self._part(whole)
        if expression not in self._expressions:
            total = self.constant(expression.constant)
            for coefficient, part in expression.terms:
                total = self.combine(total, self._multiple(coefficient, part), _lifted(add))
            self._expressions[expression] = total
        return self._expressions[expression]

    def _multiple(self, coefficient: int, part: Variable | Atom) -> Term:
        return self.image(self._part(part), _lifted(lambda value: coefficient * value))

    def _part(self, part: Variable | Atom) -> Term:
        if isinstance(part, Variable):
            return self.terms[part]
        if part not in self._atoms:
            self._atoms[part] = self._atom(part)
        return self._atoms[part]

    def _atom(self, atom: Atom) -> Term:
        match atom:
            case Operation():
                return self._operation(atom)
            case Element():
                return self._element(atom)
        return self.term(atom.decomposed())

    def _element(self, element: Element) -> Term:
        """The values of the members, each where its indices are chosen, and none where no member is."""
        indices = [self.constant(i) if isinstance(i, str) else self.term(i) for i in element.indices]
        chosen = []
        sources: dict[Value | None, list[int]] = {}
        for member in element.members:
            if not all(value in index for value, index in zip(member.indices, indices, strict=True)):
                continue
            here = self.all([index[value] for value, index in zip(member.indices, indices, strict=True)])
            chosen.append(here)
            for value, literal in self.terms[member].items():
                sources.setdefault(value, []).append(self.all([here, literal]))
        term = {value: self.any(literals) for value, literals in sources.items()}
        if len(chosen) < prod(map(len, indices)):
            term[None] = -self.any(chosen) if chosen else self.true
        return term

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
