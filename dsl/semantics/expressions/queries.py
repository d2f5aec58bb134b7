"""Bodies to instances: the generators of the language, evaluated bottom up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn

from csp import Value

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, suggest_name
from .arithmetic import compare_values
from .binding import (
    Agenda,
    Reads,
    binders,
    free_names,
    place_of_name,
    plain_names,
    solvable,
    solvable_names,
    standing_alone,
)
from .domains import DomainCompiler, DomainOf
from .named import expand_all, expanded, is_named
from .names import UNSOLVED, Env, Evaluate, Scope, ascending

BINDING = "inside not, ;, -> and <-> nothing is bound; a clause can be written for each alternative"

Bindings = list[dict[str, Value]]
JoinStep = Callable[[Bindings], Bindings]


class Bodies(DomainCompiler):
    """The part of a compiler that makes bodies ready to run."""

    def query(self, body: Sequence[nodes.Condition], bound: Collection[str] = (), ordered: bool = False) -> Query:
        """A body, ready to run where these words have values from outside."""
        return Query(body, bound, self, ordered)

    def gathered(self, item: nodes.Argument, body: Sequence[nodes.Condition], bound: Collection[str]) -> DomainOf:
        found = self.query(body, bound)
        value = self.value(item, found.bound)
        return lambda env: tuple(dict.fromkeys([value(inner) for inner in found.run(env)]))


class Query:
    """A body: from values of the bound variables to all bindings that satisfy it.

    Literals run in the order written, except that a test runs as soon as its variables are bound and a generator
    waits until those that it depends on are.

    ``bound`` are the words that have values once it has run. An ``ordered`` query reads sets and relations in ascending
    order, so that its bindings do not depend on the order of facts: the generator that runs first varies slowest.
    """

    def __init__(
        self, body: Sequence[nodes.Condition], bound: Collection[str], compiler: DomainCompiler, ordered: bool
    ) -> None:
        self._compiler, self.names, self._ordered = compiler, compiler.names, ordered
        body = expand_all(body, self.names)
        self.bound = set(bound)
        self._alone = self.bound | standing_alone(body)
        self._outer = self._alone.union(*map(self._solved, body))
        self._steps: list[JoinStep] = []
        agenda = Agenda([self._reads(literal) for literal in body], self.bound)
        waiting = dict(enumerate(body))
        while waiting:
            number = agenda.next()
            if number is None:
                self._unbound([*waiting.values()])
            literal = waiting.pop(number)
            gives = self._gives(literal)
            self._steps.append(self._compile(literal))
            self.bound |= gives
            agenda.bind(gives)

    def run(self, env: Env) -> Bindings:
        """All bindings, each once for every way to reach it."""
        bindings: Bindings = [dict(env)]
        for step in self._steps:
            bindings = step(bindings)
        return bindings

    def _unbound(self, waiting: list[nodes.Condition]) -> NoReturn:
        needs = [(name, literal) for literal in waiting for name in sorted(self._reads(literal).needs - self.bound)]
        given = binders(waiting, self.bound, self.names.families)
        name, literal = next(((name, literal) for name, literal in needs if name not in given), needs[0])
        at = place_of_name(literal, name) or literal.at
        if name in self.names.families and name not in given:
            raise Diagnostic(f"{name} is a puzzle variable: {UNSOLVED}", at, IMPLICATION)
        why = "it depends on itself" if name in given else "nothing in the body gives it values"
        inside = isinstance(literal, nodes.Compound) and name in binders(
            nodes.walk(literal), self.bound, self.names.families
        )
        hint = suggest_name(name, [*self.bound, *given, *self.names.params]) or (BINDING if inside else "")
        raise Diagnostic(f"{name} is not bound: {why}", at, hint)

    def _gives(self, literal: nodes.Condition) -> set[str]:
        """The variables that the literal can bind."""
        match literal:
            case nodes.Declaration(_, terms):
                return plain_names(terms) - self.bound
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                return (plain_names(arguments) | self._solved(literal)) - self.bound
            case nodes.Comparison(_, left, "=", right):
                for one, other in ((left, right), (right, left)):
                    needed = self._free(other)
                    free = plain_names([one]) - self.bound - needed
                    if free and needed <= self.bound:
                        return free
        return set()

    def _reads(self, literal: nodes.Condition) -> Reads:
        """Which variables the literal needs, and which it can bind."""
        match literal:
            case nodes.Declaration(_, terms, domain):
                binds = plain_names(terms)
                return Reads(self._free(terms) - binds | self._free(domain), binds)
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                binds = plain_names(arguments) | self._solved(literal)
                return Reads(self._free(arguments) - binds, binds)
            case nodes.Comparison(_, left, "=", right):
                one, other = self._free(left), self._free(right)
                return Reads(one | other, either=plain_names([left]) - other | plain_names([right]) - one)
            case nodes.Compound() | nodes.Comparison():
                return Reads(self._free(literal))
        return Reads(set())

    def _free(self, node: Any) -> set[str]:
        return free_names(node, self._outer, self.names.families)

    def _solved(self, literal: nodes.Condition) -> set[str]:
        return solvable_names(literal, self._alone, self.names.families)

    def _compile(self, literal: nodes.Condition) -> JoinStep:
        match literal:
            case nodes.Declaration(_, (nodes.Listing(),)):
                return self._known(literal)
            case nodes.Comparison(_, nodes.Listing()) | nodes.Comparison(right=nodes.Listing()):
                return self._known(literal)
            case nodes.Declaration():
                return self._membership(literal)
            case nodes.Fact(_, nodes.Call() as term) if is_named(literal, self.names):
                return self._compile(expanded(term, self.names))
            case nodes.Fact(_, term):
                return self._atom(literal, term)
            case nodes.Comparison():
                return self._comparison(literal)
        holds = self._test(literal)
        return lambda bindings: [env for env in bindings if holds(env)]

    def _known(self, literal: nodes.Condition) -> JoinStep:
        """A condition that is known where all its names are bound."""
        make = self._compiler.condition(literal, Scope(self.bound, UNSOLVED))
        return lambda bindings: [env for env in bindings if make(env, {})]

    def _test(self, literal: nodes.Condition) -> Callable[[dict[str, Value]], bool]:
        """Whether a condition holds, in which nothing is bound."""
        match literal:
            case nodes.Conjunction(_, parts):
                every = list(map(self._test, parts))
                return lambda env: all(one(env) for one in every)
            case nodes.Disjunction(_, parts):
                some = list(map(self._test, parts))
                return lambda env: any(one(env) for one in some)
            case nodes.Implication(_, condition, consequence):
                given, follows = self._test(condition), self._test(consequence)
                return lambda env: not given(env) or follows(env)
            case nodes.Equivalence(_, left, right):
                one, other = self._test(left), self._test(right)
                return lambda env: one(env) == other(env)
            case nodes.Negation(_, condition):
                inner = self._test(condition)
                return lambda env: not inner(env)
        step = self._compile(literal)
        return lambda env: bool(step([env]))

    def _value(self, node: nodes.Argument) -> Evaluate:
        return self._compiler.value(node, self.bound, UNSOLVED)

    def _membership(self, literal: nodes.Declaration) -> JoinStep:
        values = self._compiler.domain(literal.domain, self.bound, self.names.limits.instances)
        if self._ordered:
            values = _ascending_domain(values)
        (term,) = literal.terms
        spend = self.names.spend
        if term == nodes.Logical(term.at, "_"):
            raise Diagnostic("_ stands for any value, so this says nothing", term.at)
        if free := self._gives(literal):
            (name,) = free

            def generate(bindings: Bindings) -> Bindings:
                made: Bindings = []
                for env in bindings:
                    domain = values(env)
                    spend(len(domain), literal.at)
                    made += [{**env, name: value} for value in domain[:-1]]
                    for value in domain[-1:]:
                        env[name] = value  # the last one needs no copy, and mostly there is one only
                        made.append(env)
                return made

            return generate
        value = self._value(term)

        def test(env: Env) -> bool:
            domain, found = values(env), value(env)
            if isinstance(domain, range):
                return isinstance(found, int) and found in domain
            spend(len(domain), literal.at)
            return found in domain

        return lambda bindings: [env for env in bindings if test(env)]

    def _atom(self, literal: nodes.Fact, term: nodes.Expr) -> JoinStep:
        relation, arguments = self.names.relation(term)
        key: dict[int, Evaluate] = {}
        binds: dict[str, int] = {}
        solved: dict[str, tuple[int, nodes.Argument]] = {}
        late: list[tuple[int, nodes.Argument]] = []
        for column, argument in enumerate(arguments):
            if self._free(argument) <= self.bound and argument != nodes.Logical(term.at, "_"):
                key[column] = self._value(argument)
            elif isinstance(argument, nodes.Logical) and argument.name not in binds:
                if argument.name != "_":
                    binds[argument.name] = column
            elif (name := solvable(argument, self._alone, self.names.families)) and name not in solved:
                solved[name] = column, argument
            else:
                late.append((column, argument))
        bound = self.bound | binds.keys() | solved.keys()
        solves = [(name, column, self._solving(name, argument, bound)) for name, (column, argument) in solved.items()]
        tests = [(column, self._compiler.value(argument, bound)) for column, argument in late]
        fixed, spend, columns, fresh = tuple(key), self.names.spend, tuple(binds.items()), binds or solved
        matching = relation.ascending if self._ordered else relation.matching

        def lookup(bindings: Bindings) -> Bindings:
            made: Bindings = []
            for env in bindings:
                rows = matching(fixed, tuple([value(env) for value in key.values()]))
                spend(len(rows), literal.at)
                for left, row in enumerate(rows, 1 - len(rows)):
                    found = {**env} if left and fresh else env
                    for name, column in columns:
                        found[name] = row[column]
                    for name, column, solve in solves:
                        found[name] = solve(found, row[column])
                    if None in [found[name] for name in solved]:
                        continue
                    if not tests or all(row[column] == value(found) for column, value in tests):
                        made.append(found)
            return made

        return lookup

    def _solving(self, name: str, argument: nodes.Argument, bound: Collection[str]) -> Callable[[Env, Value], Any]:
        """What gives the integer with which an argument has a value; None where there is none."""
        value = self._compiler.value(argument, bound)

        def solve(env: Env, wanted: Value) -> int | None:
            first: int = value({**env, name: 0})
            step = value({**env, name: 1}) - first
            if not step:
                raise Diagnostic(f"{name} is not bound: it is multiplied by 0", argument.at)
            fits = isinstance(wanted, int) and not (wanted - first) % step
            return (wanted - first) // step if fits else None  # type: ignore[operator]

        return solve

    def _comparison(self, literal: nodes.Comparison) -> JoinStep:
        if free := self._gives(literal):
            (name,) = free
            given = nodes.Logical(literal.at, name)
            value = self._value(literal.right if literal.left == given else literal.left)

            def bind(bindings: Bindings) -> Bindings:
                for env in bindings:
                    env[name] = value(env)
                return bindings

            return bind
        left, right = self._value(literal.left), self._value(literal.right)
        return lambda bindings: [env for env in bindings if compare_values(left(env), right(env), literal)]


def _ascending_domain(values_of: DomainOf) -> DomainOf:
    """The values of a domain in ascending order."""

    def values(env: Env) -> Sequence[Value]:
        domain = values_of(env)
        return domain if isinstance(domain, range) else [value for (value,) in ascending((value,) for value in domain)]

    return values
