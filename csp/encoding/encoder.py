"""Encode constraints as formulas, with the paths, circuits and layers that they need."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, product
from math import prod

from ..base.incidence import Incidence
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
from .formula import Formula, TooManyClauses
from .shape import ENCODED_KINDS, decompose_known, is_count, shape
from .terms import FAILS, DirectEncoding, Expressions

MAX_TRIED = 1_000
"""Maximum number of assignments to test, if a constraint excludes each violating assignment by a clause."""


class Encoder(Expressions):
    """An encoder of constraints, which adds their clauses and rules to a formula.

    ``constraints``: all constraints of the model. Groups of different variables make the encoding of sums stronger.

    Attributes
    ----------
    terms : dict from Variable to dict
        For each introduced variable a literal for each of its values.

    Examples
    --------
    >>> from csp.encoding.formula import Clauses
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
        groups = [group for constraint in constraints for group in constraint.differing() if len(group) > 2]
        self._groups = Incidence(domains, groups)
        self._violations: dict[Hashable, list[tuple[Value | None, ...]]] = {}
        self._conditions: dict[Constraint, int] = {}
        self._relations: dict[tuple[int, tuple[int, ...]], dict[tuple[Value, ...], list[tuple[Value, ...]]]] = {}

    def introduce(self, variable: Variable) -> None:
        """Add a literal for each value of a variable to ``terms``, before constraints use it."""
        self.terms[variable] = self.choice(self.domains[variable])

    # constraints that must hold

    def require(self, constraint: Constraint) -> None:
        """Add clauses which require that a constraint holds."""
        scope = constraint.scope
        # A sum of a group of different variables also gets the sets of values that it can have.
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
            for part in decompose_known(constraint):
                self.require(part)
        elif isinstance(constraint, AllDifferent):
            self._exclude_clashes([self.term(element) for element in constraint.elements])
        elif isinstance(constraint, Equality) and constraint.equal and len(scope) == 2:
            self._equate(*[self.terms[variable] for variable in scope])
        elif isinstance(constraint, Either) and all([len(part.scope) == 1 for part in constraint.alternatives]):
            self.formula.add(*map(self.holds, constraint.alternatives))
        # Small constraints exclude each violating assignment; counts do better with weights.
        elif not (self.formula.heaviest and is_count(constraint)) and self._count_assignments(scope) <= MAX_TRIED:
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

    def _count_assignments(self, scope: Sequence[Variable]) -> int:
        """Return the number of assignments of the variables in a scope."""
        return prod([len(self.domains[variable]) for variable in scope])

    def _is_cage(self, constraint: Constraint) -> bool:
        """Return whether an all_different contains the scope of a constraint of another kind.

        The scope needs three variables or more.
        """
        scope = constraint.scope
        return len(scope) > 2 and not constraint.apart() and self._groups.has_common_constraint(scope)

    def _exclude_clashes(self, terms: Sequence[DirectEncoding]) -> None:
        """Add clauses which require that encoded expressions have different, defined values.

        With as many values as expressions, each value is used exactly once.
        """
        literals_of: dict[Value | None, list[int]] = {}
        for term in terms:
            for value, literal in term.items():
                literals_of.setdefault(value, []).append(literal)
        for literal in literals_of.pop(None, ()):
            self.formula.add(-literal)
        restrict = self.formula.exactly_one if len(literals_of) == len(terms) else self.formula.at_most_one
        # At most one term has each value, and exactly one in a permutation.
        for literals in literals_of.values():
            restrict(literals)
        if len(literals_of) < len(terms):
            self.formula.add()

    def _equate(self, left: DirectEncoding, right: DirectEncoding) -> None:
        """Add clauses which require that two encoded expressions have equal values."""
        for value in {**left, **right}:
            left_literal, right_literal = left.get(value), right.get(value)
            if left_literal and right_literal:
                self.formula.add(-left_literal, right_literal)
                self.formula.add(left_literal, -right_literal)
            else:
                self.formula.add(-(left_literal or right_literal or 0))

    def _mirror(self, left: Sequence[DirectEncoding], right: Sequence[DirectEncoding]) -> None:
        """Add clauses which require that two lists of encoded expressions are inverse permutations."""
        for terms, other_terms in ((left, right), (right, left)):
            for place, term in enumerate(terms, 1):
                for value, literal in term.items():
                    is_place = isinstance(value, int) and 1 <= value <= len(other_terms)
                    # If element ``place`` is ``value``, then element ``value`` of the other list is ``place``.
                    mirrored = other_terms[value - 1].get(place) if is_place else None  # type: ignore[operator]
                    self.formula.add(-literal, *([] if mirrored is None else [mirrored]))

    def _exclude_violations(self, constraint: Constraint) -> None:
        """Add a clause against each assignment that violates a constraint.

        Constraints of equal shape share the list of violations.
        """
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
        """Add clauses which require that the values of a table's columns form a row.

        A value of a column requires one of its rows.
        """
        columns, rows = self._rows(table)
        self.formula.add(*rows.values())
        for index, column in enumerate(columns):
            supports: dict[Value | None, list[int]] = {value: [] for value in column}
            for row, literal in rows.items():
                supports[row[index]].append(literal)
            for value, literals in supports.items():
                self.formula.add(-column[value], *literals)

    # constraints that may hold or not (reified)

    def holds(self, constraint: Constraint) -> int:
        """Return a literal that is true if and only if a constraint holds (reified constraint)."""
        if constraint not in self._conditions:
            self._conditions[constraint] = self._holds(constraint)
        return self._conditions[constraint]

    def _holds(self, constraint: Constraint) -> int:
        """Make the literal that is true if and only if a constraint holds."""
        formula = self.formula
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                left_term = self.terms[left]
                right_term = self.terms[right] if isinstance(right, Variable) else self.constant(right)
                same = formula.any(
                    [formula.all([left_term[value], right_term[value]]) for value in left_term if value in right_term]
                )
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
        """Return literals that are all true exactly if a connectivity constraint or ``runs`` holds."""
        if isinstance(constraint, Connected):
            chosen = [
                self.formula.true if condition is None else self.holds(condition) for _, condition in constraint.places
            ]
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
        """Return a literal that is true exactly if all encoded expressions have different values."""
        clashes = [term[None] for term in terms if None in term]
        for first, second in combinations(terms, 2):
            common_values = [value for value in first if value in second and value is not None]
            clashes += [self.formula.all([first[value], second[value]]) for value in common_values]
        return -self.formula.any(clashes)

    def _rows(self, table: Table) -> tuple[list[DirectEncoding], dict[tuple[Value, ...], int]]:
        """Return the encoded columns of a table, and the literal of each possible row."""
        columns = [self.term(c) if isinstance(c, Affine) else self.constant(c) for c in table.columns]
        # Look the rows up by the columns that have one value, then filter by the others.
        fixed_columns = tuple([index for index, column in enumerate(columns) if len(column) == 1])
        fixed_values = tuple([value for index in fixed_columns for value in columns[index] if value is not None])
        rows = (
            self._relation(table.rows, fixed_columns).get(fixed_values, [])
            if len(fixed_values) == len(fixed_columns)
            else []
        )
        possible = [row for row in rows if all(v in c for c, v in zip(columns, row, strict=True))]
        literals = [self.formula.all([c[value] for c, value in zip(columns, row, strict=True)]) for row in possible]
        return columns, dict(zip(possible, literals, strict=True))

    def _relation(
        self, rows: tuple[tuple[Value, ...], ...], columns: tuple[int, ...]
    ) -> dict[tuple[Value, ...], list[tuple[Value, ...]]]:
        """Group the rows of a table by their values in ``columns``; cache the result."""
        key = id(rows), columns
        if key not in self._relations:
            rows_by_values = self._relations[key] = {}
            for row in dict.fromkeys(rows):
                rows_by_values.setdefault(tuple([row[index] for index in columns]), []).append(row)
        return self._relations[key]

    def _compare(self, comparison: Comparison, forbidden: tuple[str, ...] = ()) -> list[int]:
        """Return literals that are all true if and only if a comparison holds.

        ``forbidden``: contains ``FAILS`` if the comparison must hold.
        """
        difference = comparison.difference
        # Atoms that cancel out stay with factor 0: where they are undefined, the comparison fails.
        factors: dict[Variable | Atom, int] = dict.fromkeys((*comparison.left.atoms, *comparison.right.atoms), 0)
        factors.update({part: coefficient for coefficient, part in difference.terms})
        terms = [term for part, coefficient in factors.items() for term in self.addends(coefficient, part)]
        return self.compare(comparison.relation, terms, difference.constant, forbidden)

    def minimize(self, expression: Affine, sign: int) -> None:
        """Make the formula minimize ``sign`` times an expression.

        Adds clauses that exclude assignments for which the expression is undefined.
        """
        if steps := [step for factor, part in expression.terms for step in self.cost_steps(sign * factor, part)]:
            self.formula.minimize(steps)

    def cost_steps(self, factor: int, part: Variable | Atom) -> list[tuple[int, int]]:
        """Encode ``factor * part``, up to a constant, as pairs (weight, literal).

        Adds clauses that exclude assignments for which the expression is undefined.
        """
        terms = self.addends(factor, part)
        for term in terms:
            if None in term:
                self.formula.add(-term[None])
        return [step for term in terms for step in self.steps(term)]


def encode_connected(formula: Formula, chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return literals that are all true exactly if the chosen places (vertices) are connected.

    ``chosen``: for each place the literal that chooses it; ``neighbours``: for each place its neighbours.

    Notes
    -----
    The start is a place that is always chosen, if one exists, else the first chosen place in an order from the middle
    outwards. From the middle, paths are short, and so are the clauses that the search learns about them.

    Examples
    --------
    >>> from csp.encoding.formula import Clauses
    >>> clauses = Clauses()
    >>> places = [clauses.new() for _ in range(3)]
    >>> len(encode_connected(clauses, places, [[1], [0, 2], [1]]))
    3
    """
    places = _from_the_middle(chosen, neighbours)
    always_chosen = [place for place in places if chosen[place] == formula.true]
    any_before, first = -formula.true, dict.fromkeys(places, -formula.true)
    # Exactly one start: a certain place, or the first chosen one.
    for place in always_chosen[:1] or places:
        first[place] = formula.all([chosen[place], -any_before])
        any_before = formula.any([any_before, chosen[place]])
    steps = [
        (i, j, chosen[j])
        for i, place_neighbours in enumerate(neighbours)
        for j in place_neighbours
        if chosen[j] != -formula.true
    ]
    reachable = formula.define_reachable([first[place] for place in range(len(chosen))], steps)
    return [formula.any([-is_chosen, is_reachable]) for is_chosen, is_reachable in zip(chosen, reachable, strict=True)]


def encode_circuit(formula: Formula, terms: Sequence[DirectEncoding]) -> list[int]:
    """Return literals, all true exactly if successors lead from the first place to all.

    A term is the successor of a place, which must be a place, too. The caller requires that the successors differ.
    """
    steps = [
        (i, place, term[place + 1]) for i, term in enumerate(terms) for place in range(len(terms)) if place + 1 in term
    ]
    is_place = [formula.any([literal for place, _, literal in steps if place == i]) for i in range(len(terms))]
    start = [-formula.true if place else formula.true for place in range(len(terms))]
    return [*is_place, *formula.define_reachable(start, steps)]


def encode_layers(
    formula: Formula, terms: Sequence[DirectEncoding], layers: Sequence[Mapping[tuple[int, int], Sequence[int]]]
) -> list[int]:
    """Return literals, all true exactly if the terms' values form a path through layers.

    The path starts in state 0. The last literals follow from the first one: they let unit propagation remove the values
    that no path supports.

    ``layers``: for each term a map from (state, next state) to values. The values from one state are different, and all
    states lead to the end.
    """
    reached = {0: formula.true}
    forward_literals: list[int] = []
    for term, steps in zip(terms, layers, strict=True):
        arcs_into: dict[int, list[int]] = {}
        arcs_out: dict[int, list[int]] = {}
        for (source, target), values in steps.items():
            arcs_into.setdefault(target, []).append(
                formula.all([reached[source], formula.any([term[v] for v in values])])
            )
            arcs_out.setdefault(source, []).extend([term[value] for value in values])
        forward_literals += [
            formula.any([-reached[source], *literals])
            for source, literals in arcs_out.items()
            if len(literals) < len(term)
        ]
        reached = {state: formula.any(arcs) for state, arcs in arcs_into.items()}
    return [formula.any(reached.values()), *forward_literals]


def _from_the_middle(chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return all places of a graph by their distance from its middle, unreachable ones last."""
    # Two breadth-first searches find the ends of a longest shortest path.
    first_distances = _by_distance(neighbours, 0) if chosen else []
    distances = _by_distance(neighbours, first_distances[-1][1]) if first_distances else []
    if not distances:
        return []
    length = distances[-1][0]
    distance_back = {place: steps for steps, place in _by_distance(neighbours, distances[-1][1])}
    middle = min(distances, key=lambda entry: (max(entry[0], distance_back.get(entry[1], length)), entry[1]))[1]
    ordered = [place for _, place in _by_distance(neighbours, middle)]
    reached = {*ordered}
    return [*ordered, *(place for place in range(len(chosen)) if place not in reached)]


def _by_distance(neighbours: Sequence[Sequence[int]], start: int) -> list[tuple[int, int]]:
    """Return pairs (distance, place) for the places reachable from ``start``, the nearest first."""
    visited = [(0, start)]
    seen = {start}
    for steps, place in visited:
        for neighbour in neighbours[place]:
            if neighbour not in seen:
                seen.add(neighbour)
                visited.append((steps + 1, neighbour))
    return visited
