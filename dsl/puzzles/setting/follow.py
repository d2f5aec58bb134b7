"""What follows from facts that a spec does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from csp import Comparison, Constraint, Equality, Value

from ...meaning.clauses.build import Program
from ...meaning.clauses.definitions import is_constraint
from ...meaning.clauses.labels import parse_label
from ...meaning.clauses.posting import compile_rule
from ...meaning.expressions.compiler import Compiler
from ...meaning.expressions.names import Names, Relation, Row
from ...text import syntax
from ...text.errors import Mistake

FACT = "fact"
"""A word that no clause can use, for the number of a fact."""

TRIED = " tried"
"""Follows the name of a relation for the facts that are tried."""


class Follower:
    """The constraints that would follow from facts of a relation, each fact by itself.

    Of a clause with a condition on the relation this is what the fact alone adds to it, all else being as it is.
    """

    def __init__(self, program: Program, names: Names, relation: str) -> None:
        self._names, self._relation = names, relation
        rules = [one for one in program.clauses if isinstance(one, syntax.Rule) and is_constraint(one, names)]
        self._rules = [(rule, number) for rule in rules for number in self._conditions(rule)]
        self._known: dict[Row, tuple[Constraint, ...]] = {}

    def constraints(self, facts: Iterable[Row]) -> Mapping[Row, tuple[Constraint, ...]]:
        """For each fact what follows; nothing where the fact cannot be."""
        facts = list(dict.fromkeys(facts))
        if unknown := [fact for fact in facts if fact not in self._known]:
            self._learn(unknown)
        return {fact: self._known[fact] for fact in facts}

    def column(self, number: int) -> tuple[list[str], bool]:
        """The symbols that clauses look for in an argument, and whether some look for any value."""
        symbols: dict[str, None] = {}
        is_open = False
        for rule, condition in self._rules:
            match _term(rule.body[condition]).arguments[number]:
                case syntax.Name(_, name) if name not in self._names.params:
                    symbols[name] = None
                case syntax.Constant(_, str() as name):
                    symbols[name] = None
                case syntax.Constant():
                    continue
                case _:
                    is_open = True
        return list(symbols), is_open

    def _conditions(self, rule: syntax.Rule) -> Iterator[int]:
        for number, literal in enumerate(rule.body):
            match literal:
                case syntax.Fact(_, syntax.Call(_, name)) if name == self._relation:
                    yield number

    def _learn(self, facts: Sequence[Row]) -> None:
        try:
            found = self._follow(facts)
        except Mistake:
            if len(facts) > 1:
                for fact in facts:
                    self._learn([fact])
                return
            found = {}
        for fact in facts:
            self._known[fact] = tuple(found.get(fact) or ())

    def _follow(self, facts: Sequence[Row]) -> dict[Row, dict[Constraint, None] | None]:
        names, tried = copy(self._names), self._relation + TRIED
        names.arities = {**names.arities, tried: len(facts[0]) + 1}
        names.relations = {**names.relations, tried: Relation([(*fact, i) for i, fact in enumerate(facts)])}
        found: dict[Row, dict[Constraint, None] | None] = {fact: {} for fact in facts}
        for rule, number in self._rules:
            term = _term(rule.body[number])
            own = syntax.Call(term.at, tried, (*term.arguments, syntax.Logical(term.at, FACT)))
            body = (*rule.body[:number], syntax.Fact(term.at, own), *rule.body[number + 1 :])
            label = parse_label(rule.label)
            bound, envs = Compiler(names).instances(body, (rule.head, *label, own))
            make = compile_rule(replace(rule, body=body), label, names, bound)
            for env in envs:
                fact = facts[int(env[FACT])]
                constraints = found[fact]
                if constraints is None:
                    continue
                try:
                    made = make(env)
                except Mistake:
                    made = False
                if isinstance(made, Constraint):
                    constraints[made] = None
                elif not made:
                    found[fact] = None
        return found


def _term(condition: syntax.Condition) -> syntax.Call:
    assert isinstance(condition, syntax.Fact) and isinstance(condition.term, syntax.Call)
    return condition.term


def meeting(one: Constraint, other: Constraint, low: int, high: int, values: Mapping[str, Value]) -> Iterator[Value]:
    """Values of an argument for which a constraint may hold, from what it is for two numbers.

    That is the value of a variable that the argument is said to equal, and where the two sides of an equation meet
    if the argument takes part in it linearly.

    Examples
    --------
    >>> from csp import Affine
    >>> x = Affine.variable("x")
    >>> one, other = (Comparison(x + 5, "=", Affine((), t)) for t in (1, 2))
    >>> list(meeting(one, other, 1, 2, {"x": 7}))
    [12]
    """
    match one, other:
        case Constraint(given=(variable, _)), Equality():
            yield values[variable]
        case Comparison(left, _, right), Comparison(left=also, right=too):
            try:
                at_low = left.number(values) - right.number(values)
                at_high = also.number(values) - too.number(values)
            except (ZeroDivisionError, TypeError, ValueError):
                return
            if at_low != at_high:
                steps, rest = divmod(at_low * (high - low), at_low - at_high)
                if not rest:
                    yield low + steps
        case _:
            for part, its in zip(one.parts(), other.parts(), strict=False):
                if isinstance(part, Constraint) and isinstance(its, Constraint):
                    yield from meeting(part, its, low, high, values)
