"""Chooses facts that are true in a given solution.

It finds the constraints that the clauses of a spec derive from additional facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import compress, product
from random import Random
from typing import NamedTuple, TypeVar

from csp import Comparison, Constraint, Equality, Model, Value

from ...semantics.clauses.build import Build, Program
from ...semantics.clauses.definitions import is_constraint
from ...semantics.clauses.posting import compile_rule, parse_label
from ...semantics.expressions.compiler import Compiler
from ...semantics.expressions.names import Names, Relation, Row
from ...syntax import nodes
from ...syntax.errors import Diagnostic
from .chosen import Chosen, NoClues

SAMPLES_PER_DOMAIN, MAX_SAMPLES = 2, 12
"""Number of values of each domain that are tried as an argument, and maximum number of values in total."""

T = TypeVar("T")

FACT = "fact"
"""The name of a variable for the number of a fact; no clause can use this name."""

TRIED = " tried"
"""The suffix of the name of a relation with facts to try."""


class _Form(NamedTuple):
    """The constraints of two facts that differ only in their last argument, a number.

    Attributes
    ----------
    start : tuple
        The other arguments that are filled in.
    low, high : int
        The two numbers.
    pairs : list of pairs
        Each constraint for ``low`` and for ``high``.
    """

    start: Row
    low: int
    high: int
    pairs: list[tuple[Constraint, Constraint]]


class Options:
    """The facts of a relation that may be clues, by their places.

    An argument to fill in is a symbol that some clause looks for. The last argument may also be the value of a variable
    that must equal it, or the number at which both sides of an equation are equal.

    Attributes
    ----------
    places : list of tuple
        The places at which constraints follow from some fact.

    Raises
    ------
    NoClues
        If there is no such place.
    """

    def __init__(self, relation: Chosen, program: Program, build: Build) -> None:
        self._filled = relation.filled
        self._follower = Follower(program, build.names, relation.name)
        self._fixed: dict[Row, list[Row]] = {}
        self._forms: dict[Row, list[_Form]] = {}
        columns = [self._follower.column(number) for number in compress(range(len(relation.filled)), relation.filled)]
        starts = list(product(*[symbols for symbols, _ in columns[:-1]]))
        ends: list[Value] = [*columns[-1][0]] if columns else []
        probes = _probes(build.model) if columns and columns[-1][1] else []
        # Facts with a symbol or no argument are fixed; numbers are computed from two probes.
        for place in relation.places():
            self._fixed[place] = self._effective([self._row(place, (*start, end)) for start in starts for end in ends])
            self._forms[place] = [form for start in starts if (form := self._form(place, start, probes))]
            if not columns:
                self._fixed[place] = self._effective([place])

        self.places = [place for place in self._fixed if self._fixed[place] or self._forms[place]]
        if not self.places:
            raise NoClues(f"nothing follows from a fact of {relation.name} alone, so it is not a clue")

    def true_facts(
        self, solution: Mapping[str, Value], random: Random
    ) -> Iterator[tuple[Row, Row, tuple[Constraint, ...]]]:
        """Yield (place, fact, constraints) for a random true fact at every place.

        Places without a true fact are skipped.
        """
        rows_by_place = {place: {*self._fixed[place], *self._solution_rows(place, solution)} for place in self.places}
        constraints_by_row = self._follower.constraints(
            row for place in rows_by_place for row in sorted(rows_by_place[place], key=repr)
        )
        for place, rows in rows_by_place.items():
            true_rows: dict[Row, list[Row]] = {}
            for row in sorted(rows, key=repr):
                if constraints_by_row[row] and all(
                    constraint.check(solution) for constraint in constraints_by_row[row]
                ):
                    true_rows.setdefault(row[:-1], []).append(row)
            if true_rows:
                # Choose the arguments first, then one of their last arguments.
                row = _one_of(_one_of(list(true_rows.values()), random), random)
                yield place, row, constraints_by_row[row]

    def _row(self, place: Row, values: Row) -> Row:
        """Return the fact at a place, with ``values`` for the arguments to fill in."""
        place_arguments, filled_arguments = iter(place), iter(values)
        return tuple([next(filled_arguments if filled else place_arguments) for filled in self._filled])

    def _effective(self, rows: list[Row]) -> list[Row]:
        """Return the facts among ``rows`` from which clauses derive at least one constraint."""
        constraints_by_row = self._follower.constraints(rows)
        return [row for row in rows if constraints_by_row[row]]

    def _form(self, place: Row, start: Row, probes: list[Value]) -> _Form | None:
        """Return a place's constraints for two numbers as last argument, or None.

        ``start`` has the other arguments to fill in, and ``probes`` the values to try as last argument. Both numbers
        are the same if only one gives constraints. The function returns None if no value in ``probes`` gives any.
        """
        constraints_by_row = self._follower.constraints(self._row(place, (*start, probe)) for probe in probes)
        constraints_by_value = [
            (row[-1], constraints) for row, constraints in constraints_by_row.items() if constraints
        ]
        if not constraints_by_value:
            return None
        numbers = [(value, constraints) for value, constraints in constraints_by_value if isinstance(value, int)][:2]
        (low, constraints_low), *further_numbers = numbers or [(0, constraints_by_value[0][1])]
        high, constraints_high = further_numbers[0] if further_numbers else (low, constraints_low)
        return _Form(start, low, high, list(zip(constraints_low, constraints_high, strict=False)))

    def _solution_rows(self, place: Row, solution: Mapping[str, Value]) -> Iterator[Row]:
        """Yield the facts at a place whose last argument a solution determines."""
        for start, low, high, pairs in self._forms[place]:
            for constraint_low, constraint_high in pairs:
                for value in argument_values(constraint_low, constraint_high, low, high, solution):
                    yield self._row(place, (*start, value))


def _one_of(items: list[T], random: Random) -> T:
    """Choose a random item; a list of one item uses no randomness."""
    return items[0] if len(items) == 1 else random.choice(items)


def _probes(model: Model) -> list[Value]:
    """Return values to try as an argument: 1, 2, and domain values.

    There are at most ``MAX_SAMPLES``.
    """
    samples = [value for domain in dict.fromkeys(model.domains.values()) for value in domain[:SAMPLES_PER_DOMAIN]]
    return list(dict.fromkeys([1, 2, *samples]))[:MAX_SAMPLES]


class Follower:
    """A calculator of the constraints that clauses derive from a single fact of a relation.

    These are the constraints that the clauses with a condition on the relation would add to the spec.
    """

    def __init__(self, program: Program, names: Names, relation: str) -> None:
        self._names, self._relation = names, relation
        rules = [
            clause for clause in program.clauses if isinstance(clause, nodes.Rule) and is_constraint(clause, names)
        ]
        self._rules = [(rule, number) for rule in rules for number in self._conditions(rule)]
        self._known: dict[Row, tuple[Constraint, ...]] = {}

    def constraints(self, facts: Iterable[Row]) -> Mapping[Row, tuple[Constraint, ...]]:
        """Return for each fact the constraints that clauses derive from that fact alone.

        A fact that makes a clause false or undefined has none.
        """
        facts = list(dict.fromkeys(facts))
        if unknown_facts := [fact for fact in facts if fact not in self._known]:
            self._learn(unknown_facts)
        return {fact: self._known[fact] for fact in facts}

    def column(self, number: int) -> tuple[list[str], bool]:
        """Return the symbols that clauses name in argument ``number``, and whether any value matches."""
        symbols: dict[str, None] = {}
        accepts_any = False
        for rule, condition in self._rules:
            match _term(rule.body[condition]).arguments[number]:
                case nodes.Name(_, name) if name not in self._names.params:
                    symbols[name] = None
                case nodes.Constant(_, str() as name):
                    symbols[name] = None
                case nodes.Constant():
                    continue
                case _:
                    accepts_any = True
        return list(symbols), accepts_any

    def _conditions(self, rule: nodes.Rule) -> Iterator[int]:
        """Yield the indices of a rule's conditions that are terms of the relation."""
        for number, literal in enumerate(rule.body):
            match literal:
                case nodes.Fact(_, nodes.Call(_, name)) if name == self._relation:
                    yield number

    def _learn(self, facts: Sequence[Row]) -> None:
        """Compute and cache the constraints that follow from each of the facts.

        If evaluating them together raises an error, each fact is evaluated separately.
        """
        try:
            constraints = self._follow(facts)
        except Diagnostic:
            if len(facts) > 1:
                for fact in facts:
                    self._learn([fact])
                return
            constraints = {}
        for fact in facts:
            self._known[fact] = tuple(constraints.get(fact) or ())

    def _follow(self, facts: Sequence[Row]) -> dict[Row, dict[Constraint, None] | None]:
        """Return for each fact the constraints that follow from it, or None.

        The value is None for a fact that makes an instance of a clause false or undefined.

        All facts are evaluated at once, in a relation of their own; the number of the fact is an additional argument.
        """
        names, relation_to_try = copy(self._names), self._relation + TRIED
        names.arities = {**names.arities, relation_to_try: len(facts[0]) + 1}
        names.relations = {**names.relations, relation_to_try: Relation([(*fact, i) for i, fact in enumerate(facts)])}
        constraints_by_fact: dict[Row, dict[Constraint, None] | None] = {fact: {} for fact in facts}
        # Replace the condition of each clause by one on the relation to try.
        for rule, number in self._rules:
            term = _term(rule.body[number])
            tried_term = nodes.Call(term.at, relation_to_try, (*term.arguments, nodes.Logical(term.at, FACT)))
            body = (*rule.body[:number], nodes.Fact(term.at, tried_term), *rule.body[number + 1 :])
            label = parse_label(rule.label)
            bound, envs = Compiler(names).instances(body, (rule.head, *label, tried_term))
            make = compile_rule(replace(rule, body=body), label, names, bound)
            for env in envs:
                # Each instance of the clause belongs to one fact.
                fact = facts[int(env[FACT])]
                constraints = constraints_by_fact[fact]
                if constraints is None:
                    continue
                # An instance that raises an error, or is false, rejects its fact.
                try:
                    result = make(env)
                except Diagnostic:
                    result = False
                if isinstance(result, Constraint):
                    constraints[result] = None
                elif not result:
                    constraints_by_fact[fact] = None
        return constraints_by_fact


def _term(condition: nodes.Condition) -> nodes.Call:
    """Return the term of a condition that is a relation with arguments."""
    assert isinstance(condition, nodes.Fact) and isinstance(condition.term, nodes.Call)
    return condition.term


def argument_values(
    constraint_low: Constraint, constraint_high: Constraint, low: int, high: int, values: Mapping[str, Value]
) -> Iterator[Value]:
    """Yield values of a fact's argument for which its constraint may hold in a solution.

    The constraint is passed for two numbers ``low`` and ``high`` of the argument. In a solution, the values are

    - the value of a variable that must equal the argument;
    - the number at which both sides of an equation are equal, if the argument occurs in it linearly.

    Examples
    --------
    >>> from csp import Affine
    >>> x = Affine.variable("x")
    >>> low, high = (Comparison(x + 5, "=", Affine((), t)) for t in (1, 2))
    >>> list(argument_values(low, high, 1, 2, {"x": 7}))
    [12]
    """
    match constraint_low, constraint_high:
        case Constraint(given=(variable, _)), Equality():
            yield values[variable]
        case Comparison(left_low, _, right_low), Comparison(left=left_high, right=right_high):
            try:
                at_low = left_low.number(values) - right_low.number(values)
                at_high = left_high.number(values) - right_high.number(values)
            except (ZeroDivisionError, TypeError, ValueError):
                return
            # The difference of both sides is linear in the argument: find its zero.
            if at_low != at_high:
                steps, remainder = divmod(at_low * (high - low), at_low - at_high)
                if not remainder:
                    yield low + steps
        case _:
            for part_low, part_high in zip(constraint_low.parts(), constraint_high.parts(), strict=False):
                if isinstance(part_low, Constraint) and isinstance(part_high, Constraint):
                    yield from argument_values(part_low, part_high, low, high, values)
