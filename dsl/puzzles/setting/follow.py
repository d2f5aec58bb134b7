"""Finds the constraints that a spec's clauses would derive from additional facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from csp import Comparison, Constraint, Equality, Value

from ...semantics.clauses.build import Program
from ...semantics.clauses.definitions import is_constraint
from ...semantics.clauses.posting import compile_rule, parse_label
from ...semantics.expressions.compiler import Compiler
from ...semantics.expressions.names import Names, Relation, Row
from ...syntax import nodes
from ...syntax.errors import Diagnostic

FACT = "fact"
"""The name of a variable for the number of a fact; no clause can use this name."""

TRIED = " tried"
"""The suffix of the name of a relation with facts to try."""


class Follower:
    """A calculator of the constraints that clauses derive from a single fact.

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
        """Return the constraints that follow from each of the facts.

        A fact that a clause does not accept has none.
        """
        facts = list(dict.fromkeys(facts))
        if unknown_facts := [fact for fact in facts if fact not in self._known]:
            self._learn(unknown_facts)
        return {fact: self._known[fact] for fact in facts}

    def column(self, number: int) -> tuple[list[str], bool]:
        """Return the symbols that clauses accept in an argument of the relation.

        The second result is whether a clause accepts any value there.
        """
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
        """Yield the indices of a rule's conditions on the relation."""
        for number, literal in enumerate(rule.body):
            match literal:
                case nodes.Fact(_, nodes.Call(_, name)) if name == self._relation:
                    yield number

    def _learn(self, facts: Sequence[Row]) -> None:
        """Compute and cache the constraints that follow from facts.

        If they raise an error together, each fact is evaluated separately.
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
        """Compute the constraints that follow from each of the facts.

        The value is None for a fact that a clause does not accept.

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
    """Return the term of a condition on a relation."""
    assert isinstance(condition, nodes.Fact) and isinstance(condition.term, nodes.Call)
    return condition.term


def meeting(
    constraint_low: Constraint, constraint_high: Constraint, low: int, high: int, values: Mapping[str, Value]
) -> Iterator[Value]:
    """Yield values of a fact's argument for which a constraint may hold.

    The constraint is passed for two numbers ``low`` and ``high`` of the argument. In a solution, the values are

    - the value of a variable that must equal the argument;
    - the number at which both sides of an equation are equal, if the argument occurs in it linearly.

    Examples
    --------
    >>> from csp import Affine
    >>> x = Affine.variable("x")
    >>> low, high = (Comparison(x + 5, "=", Affine((), t)) for t in (1, 2))
    >>> list(meeting(low, high, 1, 2, {"x": 7}))
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
                    yield from meeting(part_low, part_high, low, high, values)
