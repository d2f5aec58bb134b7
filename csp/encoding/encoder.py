"""Constraints as formulas, with as many models as there are solutions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, product
from math import prod

from ..model import (
    Affine,
    All,
    AllDifferent,
    Atom,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    Domain,
    Either,
    Equality,
    Iff,
    Inverse,
    Member,
    Not,
    Runs,
    Table,
    Value,
    Variable,
)
from ..model.variable import integer
from .expressions import Expressions
from .formula import Formula, TooManyClauses
from .reaching import encode_circuit, encode_connected, encode_layers
from .shape import ENCODED_KINDS, decompose_known, is_count, shape
from .sums import FAILS
from .terms import DirectEncoding

MAX_TRIED = 1_000
"""The most assignments of a constraint that are tried to exclude those that violate it one by one."""


class Encoder(Expressions):
    """Says constraints in a formula.

    ``constraints``: all that will hold: what keeps variables different says more of their sums.

    Attributes
    ----------
    terms : dict from Variable to dict
        The literals of every variable that has them, by value.

    Examples
    --------
    >>> from csp.encoding.cnf import Clauses
    >>> clauses = Clauses()
    >>> same = Equality(Variable("x"), Variable("y"))
    >>> encoder = Encoder(clauses, {Variable("x"): (1, 2), Variable("y"): (1, 2)}, [same])
    >>> for variable in encoder.domains:
    ...     encoder.introduce(variable)
    >>> encoder.require(same)
    >>> clauses.clauses[-4:]
    [(-1, 3), (1, -3), (-2, 4), (2, -4)]
    """

    def __init__(self, formula: Formula, domains: Mapping[Variable, Domain], constraints: Sequence[Constraint]) -> None:
        super().__init__(formula)
        self.domains = domains
        self._groups: dict[Variable, list[frozenset[Variable]]] = {}
        for group in [frozenset(group) for constraint in constraints for group in constraint.differing()]:
            for variable in group if len(group) > 2 else ():
                self._groups.setdefault(variable, []).append(group)
        self._violations: dict[Hashable, list[tuple[Value | None, ...]]] = {}
        self._conditions: dict[Constraint, int] = {}
        self._relations: dict[tuple[int, tuple[int, ...]], dict[tuple[Value, ...], list[tuple[Value, ...]]]] = {}

    def introduce(self, variable: Variable) -> None:
        """Literals for the values of a variable, before it is named anywhere."""
        self.terms[variable] = self.choice(self.domains[variable])

    # what must hold

    def require(self, constraint: Constraint) -> None:
        """Say that a constraint holds."""
        scope = constraint.scope
        if (known_sum := constraint.total(self.domains)) and self._is_cage(constraint):
            self.cage([self.terms[variable] for variable in known_sum[0]], known_sum[1])
        if isinstance(constraint, Connected | Circuit | Runs):
            for literal in self._path_literals(constraint):
                self.formula.add(literal)
        elif isinstance(constraint, Iff):
            left, right = self.holds(constraint.left), self.holds(constraint.right)
            self.formula.add(-left, right)
            self.formula.add(left, -right)
        elif isinstance(constraint, Inverse):
            self._mirror(*[[self.term(element) for element in side] for side in (constraint.left, constraint.right)])
        elif not isinstance(constraint, ENCODED_KINDS):
            for one in decompose_known(constraint):
                self.require(one)
        elif isinstance(constraint, AllDifferent):
            self._exclude_clashes([self.term(element) for element in constraint.elements])
        elif isinstance(constraint, Equality) and constraint.equal and len(scope) == 2:
            self._equate(*[self.terms[variable] for variable in scope])
        elif isinstance(constraint, Either) and all([len(one.scope) == 1 for one in constraint.alternatives]):
            self.formula.add(*map(self.holds, constraint.alternatives))
        elif not (self.formula.heaviest and is_count(constraint)) and self._tried(scope) <= MAX_TRIED:
            self._exclude_violations(constraint)
        elif isinstance(constraint, Comparison):
            for literal in self._compare(constraint, forbidden=(FAILS,)):
                self.formula.add(literal)
        elif isinstance(constraint, Either):
            self.formula.add(*map(self.holds, constraint.alternatives))
        elif isinstance(constraint, Table):
            self._support(constraint)
        else:
            self.formula.add(self.holds(constraint))

    def _tried(self, scope: Sequence[Variable]) -> int:
        return prod([len(self.domains[variable]) for variable in scope])

    def _is_cage(self, constraint: Constraint) -> bool:
        """Whether a constraint tells the sum of variables that another one keeps different."""
        scope = frozenset(constraint.scope)
        groups = self._groups.get(constraint.scope[0], ())
        return len(scope) > 2 and not constraint.apart() and any(scope <= group for group in groups)

    def _exclude_clashes(self, terms: Sequence[DirectEncoding]) -> None:
        places: dict[Value | None, list[int]] = {}
        for term in terms:
            for value, literal in term.items():
                places.setdefault(value, []).append(literal)
        for literal in places.pop(None, ()):
            self.formula.add(-literal)
        say = self.formula.exactly_one if len(places) == len(terms) else self.formula.at_most_one
        for literals in places.values():
            say(literals)
        if len(places) < len(terms):
            self.formula.add()

    def _equate(self, left: DirectEncoding, right: DirectEncoding) -> None:
        for value in {**left, **right}:
            one, other = left.get(value), right.get(value)
            if one and other:
                self.formula.add(-one, other)
                self.formula.add(one, -other)
            else:
                self.formula.add(-(one or other or 0))

    def _mirror(self, left: Sequence[DirectEncoding], right: Sequence[DirectEncoding]) -> None:
        """Say that a place has a value on one side where that place of the other side has its number."""
        for terms, others in ((left, right), (right, left)):
            for place, term in enumerate(terms, 1):
                for value, literal in term.items():
                    inside = isinstance(value, int) and 1 <= value <= len(others)
                    mirrored = others[value - 1].get(place) if inside else None  # type: ignore[operator]
                    self.formula.add(-literal, *([] if mirrored is None else [mirrored]))

    def _exclude_violations(self, constraint: Constraint) -> None:
        terms = [self.terms[variable] for variable in constraint.scope]
        key = shape(constraint), *map(tuple, terms)
        if key not in self._violations:
            self._violations[key] = [
                row
                for row in product(*terms)
                if not constraint.check(dict(zip(constraint.scope, row, strict=True)))  # type: ignore[arg-type]
            ]
        for row in self._violations[key]:
            self.formula.add(*[-term[value] for term, value in zip(terms, row, strict=True)])

    def _support(self, table: Table) -> None:
        """One of the rows holds, and every value has a row."""
        columns, rows = self._rows(table)
        self.formula.add(*rows.values())
        for place, column in enumerate(columns):
            supports: dict[Value | None, list[int]] = {value: [] for value in column}
            for row, literal in rows.items():
                supports[row[place]].append(literal)
            for value, literals in supports.items():
                self.formula.add(-column[value], *literals)

    # what may hold or not

    def holds(self, constraint: Constraint) -> int:
        """A literal that is true where a constraint holds; the same one wherever that is asked."""
        if constraint not in self._conditions:
            self._conditions[constraint] = self._holds(constraint)
        return self._conditions[constraint]

    def _holds(self, constraint: Constraint) -> int:
        formula = self.formula
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                one = self.terms[left]
                other = self.terms[right] if isinstance(right, Variable) else self.constant(right)
                same = formula.any([formula.all([one[value], other[value]]) for value in one if value in other])
                return same if equal else -same
            case Comparison():
                return formula.all(self._compare(constraint))
            case Member(expression=expression, values=values):
                return formula.any([literal for value, literal in self.term(expression).items() if value in values])
            case Table():
                return formula.any(self._rows(constraint)[1].values())
            case Either(alternatives=alternatives):
                return formula.any([*map(self.holds, alternatives)])
            case AllDifferent(elements=elements):
                return self._differ([*map(self.term, elements)])
            case All(constraints=parts):
                return formula.all(map(self.holds, parts))
            case Not(constraint=inner):
                return -self.holds(inner)
            case Iff(left=left_part, right=right_part):
                sides = [self.holds(left_part), self.holds(right_part)]
                return formula.any([formula.all(sides), formula.all([-side for side in sides])])
            case Connected() | Circuit() | Runs():
                return formula.all(self._path_literals(constraint))
        return formula.all([*map(self.holds, decompose_known(constraint))])

    def _path_literals(self, constraint: Connected | Circuit | Runs) -> list[int]:
        """Literals that are all true where such a constraint holds."""
        if isinstance(constraint, Connected):
            chosen = [self.formula.true if one is None else self.holds(one) for _, one in constraint.places]
            return encode_connected(self.formula, chosen, constraint.neighbours)
        terms = [self.term(element) for element in constraint.elements]
        if isinstance(constraint, Circuit):
            return [self._differ(terms), *encode_circuit(self.formula, terms)]
        numbers = [[integer(value) for value in term if value is not None] for term in terms]
        layers = constraint.layers(numbers, self.formula.most // max(1, len(terms)))
        if layers is None:
            raise TooManyClauses(self.formula.most)
        return encode_layers(self.formula, terms, layers)

    def _differ(self, terms: Sequence[DirectEncoding]) -> int:
        clashes = [term[None] for term in terms if None in term]
        for one, other in combinations(terms, 2):
            both = [value for value in one if value in other and value is not None]
            clashes += [self.formula.all([one[value], other[value]]) for value in both]
        return -self.formula.any(clashes)

    def _rows(self, table: Table) -> tuple[list[DirectEncoding], dict[tuple[Value, ...], int]]:
        """The columns, and a literal for every row that they can be."""
        columns = [self.term(c) if isinstance(c, Affine) else self.constant(c) for c in table.columns]
        known = tuple([place for place, column in enumerate(columns) if len(column) == 1])
        told = tuple([value for place in known for value in columns[place] if value is not None])
        rows = self._relation(table.rows, known).get(told, []) if len(told) == len(known) else []
        possible = [row for row in rows if all(v in c for c, v in zip(columns, row, strict=True))]
        literals = [self.formula.all([c[value] for c, value in zip(columns, row, strict=True)]) for row in possible]
        return columns, dict(zip(possible, literals, strict=True))

    def _relation(
        self, rows: tuple[tuple[Value, ...], ...], known: tuple[int, ...]
    ) -> dict[tuple[Value, ...], list[tuple[Value, ...]]]:
        """The rows of a relation by their values in some columns; the same for all constraints that ask."""
        key = id(rows), known
        if key not in self._relations:
            found = self._relations[key] = {}
            for row in dict.fromkeys(rows):
                found.setdefault(tuple([row[place] for place in known]), []).append(row)
        return self._relations[key]

    def _compare(self, comparison: Comparison, forbidden: tuple[str, ...] = ()) -> list[int]:
        """Literals that are all true where a comparison holds."""
        difference = comparison.difference
        factors: dict[Variable | Atom, int] = dict.fromkeys((*comparison.left.atoms, *comparison.right.atoms), 0)
        factors.update({part: coefficient for coefficient, part in difference.terms})
        terms = [term for part, coefficient in factors.items() for term in self.addends(coefficient, part)]
        return self.compare(comparison.relation, terms, difference.constant, forbidden)

    def minimize(self, expression: Affine, sign: int) -> None:
        """Say that an expression, times a sign, is to be small; where it has no value nothing holds."""
        if steps := [step for factor, part in expression.terms for step in self.cost_steps(sign * factor, part)]:
            self.formula.minimize(steps)

    def cost_steps(self, factor: int, part: Variable | Atom) -> list[tuple[int, int]]:
        """The steps of a multiple that is to be small; where it has no value nothing holds."""
        terms = self.addends(factor, part)
        for term in terms:
            if None in term:
                self.formula.add(-term[None])
        return [step for term in terms for step in self.steps(term)]
