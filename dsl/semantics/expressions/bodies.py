"""Compiles bodies to queries, which enumerate the environments that satisfy them.

The query of a comprehension leaves out conditions on puzzle variables: these select elements while solving.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from csp import Value

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, Edit, Suggestion, suggest_name
from ...syntax.write import write
from .arithmetic import compare_values
from .binding import (
    Agenda,
    Reads,
    all_names,
    binders,
    direct_binders,
    free_names,
    place_of_name,
    plain_names,
    solvable_name,
    solvable_names,
)
from .constraints import Make
from .named import expand, expand_all, is_named
from .names import NEEDED, UNSOLVED, DomainOf, Env, Evaluate, Names, Scope, ascending

BINDING = "not, ;, -> and <-> give no values: write a clause for each alternative"
"""Suggestion for a word that only a condition inside another one could bind."""

CONDITIONAL = (nodes.Compound, nodes.Fact)
"""Conditions that short-circuit: their first parts may decide them."""

Bindings = list[dict[str, Value]]
"""Environments of a body, which its steps extend and filter."""

JoinStep = Callable[[Bindings], Bindings]
"""A compiled condition: it extends each environment in all possible ways, or filters environments."""


class Compilers(NamedTuple):
    """The functions that compile the values, conditions and domains inside a body.

    The compiler passes them, as a body contains expressions, and expressions contain bodies.
    """

    value: Callable[[nodes.Argument, Collection[str], str], Evaluate]
    condition: Callable[[nodes.Argument, Scope], Make]
    domain: Callable[[nodes.Union, Collection[str], int], DomainOf]


class Query:
    """A compiled body, which finds all values of logical variables that satisfy it.

    Conditions run in the order written, with two exceptions: a test runs as soon as its logical variables are bound,
    and a generator waits for the variables that it needs.

    ``bound`` are the logical variables that have values after a run. An ``ordered`` query reads sets and relations in
    ascending order, so its environments do not depend on the order of facts: the generator that runs first varies
    slowest.
    """

    def __init__(
        self, body: Sequence[nodes.Condition], bound: Collection[str], compilers: Compilers, names: Names, ordered: bool
    ) -> None:
        self._compilers, self.names, self._ordered = compilers, names, ordered
        # Expand the named constraints, and collect the words that the body can bind.
        body = expand_all(body, self.names)
        self._refuse_symbols(body)
        self.bound = set(bound)
        self._directly_bound = self.bound | direct_binders(body)
        self._bindable = self._directly_bound.union(*map(self._solvable_words, body))
        self._steps: list[JoinStep] = []
        # Compile the conditions in an order in which each has its words bound.
        agenda = Agenda([self._find_reads(literal) for literal in body], self.bound)
        waiting = dict(enumerate(body))
        while waiting:
            number = agenda.next()
            if number is None:
                self._refuse_unbound([*waiting.values()])
            literal = waiting.pop(number)
            new_words = self._find_new_words(literal)
            self._steps.append(self._compile(literal))
            self.bound |= new_words
            agenda.bind(new_words)

    def run(self, env: Env) -> Bindings:
        """Return an environment for each way to satisfy the body, extending ``env``."""
        bindings: Bindings = [dict(env)]
        for step in self._steps:
            bindings = step(bindings)
        return bindings

    def _refuse_symbols(self, body: Sequence[nodes.Condition]) -> None:
        """Raise an error for generators of symbols, such as ``r in 1..n``."""
        generators = [
            (literal, literal.terms[0])
            for literal in body
            if isinstance(literal, nodes.Declaration) and isinstance(literal.terms[0], nodes.Name)
        ]
        symbols = [(literal, term) for literal, term in generators if term.name not in self.names.params]
        if symbols:
            literal, term = symbols[0]
            words = " and ".join([name.name.capitalize() for _, name in symbols])
            hint = f"write {words}: names that get values begin with a capital letter"
            raise Diagnostic(
                "unbound-variable",
                f"{term.name} is a symbol, so nothing satisfies {write(literal)}",
                literal.at,
                Suggestion(hint, Edit(term.at, term.name.capitalize())),
            )

    def _refuse_unbound(self, waiting: list[nodes.Condition]) -> NoReturn:
        """Raise an error for a logical variable that the waiting conditions need and cannot bind."""
        # Prefer a word that nothing binds to one of a cycle.
        needs = [
            (name, literal) for literal in waiting for name in sorted(self._find_reads(literal).needs - self.bound)
        ]
        bindable = binders(waiting, self.bound, self.names.families)
        name, literal = next(((name, literal) for name, literal in needs if name not in bindable), needs[0])
        at = place_of_name(literal, name) or literal.at
        if name in self.names.families and name not in bindable:
            raise Diagnostic("variable-in-body", f"{UNSOLVED} {name}", at, IMPLICATION)
        reason = "it depends on itself" if name in bindable else "no condition gives it one"
        inside = isinstance(literal, nodes.Compound) and name in binders(
            nodes.walk(literal), self.bound, self.names.families
        )
        hint = suggest_name(name, [*self.bound, *bindable, *self.names.params]) or (BINDING if inside else "")
        raise Diagnostic("unbound-variable", f"{name} has no value: {reason}", at, hint)

    def _find_new_words(self, literal: nodes.Condition) -> set[str]:
        """Return the logical variables that a condition would bind if it ran next."""
        match literal:
            case nodes.Declaration(_, terms):
                return plain_names(terms) - self.bound
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                return (plain_names(arguments) | self._solvable_words(literal)) - self.bound
            case nodes.Comparison(_, left, "=", right):
                # An equation binds a word alone on one side, if the other side is known.
                for side, other_side in ((left, right), (right, left)):
                    needed = self._free_words(other_side)
                    free = plain_names([side]) - self.bound - needed
                    if free and needed <= self.bound:
                        return free
        return set()

    def _find_reads(self, literal: nodes.Condition) -> Reads:
        """Return the logical variables that a condition needs, and those it can bind."""
        match literal:
            case nodes.Declaration(_, terms, domain):
                binds = plain_names(terms)
                return Reads(self._free_words(terms) - binds | self._free_words(domain), binds)
            case nodes.Fact(_, nodes.Call(_, _, arguments)):
                binds = plain_names(arguments) | self._solvable_words(literal)
                return Reads(self._free_words(arguments) - binds, binds)
            case nodes.Comparison(_, left, "=", right):
                left_words, right_words = self._free_words(left), self._free_words(right)
                return Reads(
                    left_words | right_words,
                    either=plain_names([left]) - right_words | plain_names([right]) - left_words,
                )
            case nodes.Compound() | nodes.Comparison():
                return Reads(self._free_words(literal))
        return Reads(set())

    def _free_words(self, node: Any) -> set[str]:
        """Return the capitalised names in syntax that no comprehension inside it binds."""
        return free_names(node, self._bindable, self.names.families)

    def _solvable_words(self, literal: nodes.Condition) -> set[str]:
        """Return the logical variables that a relation's rows determine, as K in ``p(K + 1)``."""
        return solvable_names(literal, self._directly_bound, self.names.families)

    def _compile(self, literal: nodes.Condition) -> JoinStep:
        """Compile a condition to a step that extends or filters the environments."""
        match literal:
            case nodes.Declaration(_, (nodes.Listing(),)):
                return self._compile_known(literal)
            case nodes.Comparison(_, nodes.Listing()) | nodes.Comparison(right=nodes.Listing()):
                return self._compile_known(literal)
            case nodes.Declaration():
                return self._compile_membership(literal)
            case nodes.Fact(_, nodes.Call() as term) if is_named(literal, self.names):
                return self._compile(expand(term, self.names))
            case nodes.Fact(_, term):
                return self._compile_lookup(literal, term)
            case nodes.Comparison():
                return self._compile_comparison(literal)
        holds = self._compile_test(literal)
        return lambda bindings: [env for env in bindings if holds(env)]

    def _compile_known(self, literal: nodes.Condition) -> JoinStep:
        """Compile a condition on lists to a filter of environments.

        All its logical variables are bound.
        """
        make = self._compilers.condition(literal, Scope(self.bound, UNSOLVED))
        return lambda bindings: [env for env in bindings if make(env, {})]

    def _compile_test(self, literal: nodes.Condition) -> Callable[[dict[str, Value]], bool]:
        """Compile a condition without unbound variables to a function that tests an environment."""
        match literal:
            case nodes.Conjunction(_, parts):
                tests = list(map(self._compile_test, parts))
                return lambda env: all(test(env) for test in tests)
            case nodes.Disjunction(_, parts):
                alternatives = list(map(self._compile_test, parts))
                return lambda env: any(test(env) for test in alternatives)
            case nodes.Implication(_, condition, consequence):
                premise, consequence_holds = self._compile_test(condition), self._compile_test(consequence)
                return lambda env: not premise(env) or consequence_holds(env)
            case nodes.Equivalence(_, left, right):
                left_holds, right_holds = self._compile_test(left), self._compile_test(right)
                return lambda env: left_holds(env) == right_holds(env)
            case nodes.Negation(_, condition):
                inner = self._compile_test(condition)
                return lambda env: not inner(env)
        step = self._compile(literal)
        return lambda env: bool(step([env]))

    def _compile_value(self, node: nodes.Argument) -> Evaluate:
        """Compile an expression that must have a value before solving; refuse puzzle variables."""
        return self._compilers.value(node, self.bound, UNSOLVED)

    def _compile_membership(self, literal: nodes.Declaration) -> JoinStep:
        """Compile ``X in 1..9`` to a generator of values; to a test if bound."""
        values = self._compilers.domain(literal.domain, self.bound, self.names.limits.instances)
        if self._ordered:
            values = _sort_domain(values)
        (term,) = literal.terms
        spend = self.names.spend
        if term == nodes.Logical(term.at, "_"):
            raise Diagnostic("misplaced-blank", "_ matches any value, so this is always true", term.at)
        # An unbound word takes each value of the domain.
        if free := self._find_new_words(literal):
            (name,) = free

            def generate(bindings: Bindings) -> Bindings:
                extended: Bindings = []
                for env in bindings:
                    domain = values(env)
                    spend(len(domain), literal.at)
                    extended += [{**env, name: value} for value in domain[:-1]]
                    for value in domain[-1:]:
                        env[name] = value  # the last one needs no copy, and mostly there is one only
                        extended.append(env)
                return extended

            return generate
        # A known value is tested.
        value = self._compile_value(term)

        def test(env: Env) -> bool:
            domain, value_found = values(env), value(env)
            if isinstance(domain, range):
                return isinstance(value_found, int) and value_found in domain
            spend(len(domain), literal.at)
            return value_found in domain

        return lambda bindings: [env for env in bindings if test(env)]

    def _compile_lookup(self, literal: nodes.Fact, term: nodes.Expr) -> JoinStep:
        """Compile a relation's term to a step that extends environments by each matching row."""
        relation, arguments = self.names.relation(term)
        # Sort the columns: known ones are the key, words alone are bound, inverted expressions are solved, and all
        # others are tested after that.
        key: dict[int, Evaluate] = {}
        binds: dict[str, int] = {}
        solved: dict[str, tuple[int, nodes.Argument]] = {}
        late_arguments: list[tuple[int, nodes.Argument]] = []
        for column, argument in enumerate(arguments):
            if self._free_words(argument) <= self.bound and argument != nodes.Logical(term.at, "_"):
                key[column] = self._compile_value(argument)
            elif isinstance(argument, nodes.Logical) and argument.name not in binds:
                if argument.name != "_":
                    binds[argument.name] = column
            elif (name := solvable_name(argument, self._directly_bound, self.names.families)) and name not in solved:
                solved[name] = column, argument
            else:
                late_arguments.append((column, argument))
        # Compile the expressions of the columns that are solved or tested.
        bound = self.bound | binds.keys() | solved.keys()
        solves = [
            (name, column, self._compile_inverse(name, argument, bound)) for name, (column, argument) in solved.items()
        ]
        tests = [(column, self._compilers.value(argument, bound, NEEDED)) for column, argument in late_arguments]
        fixed, spend, columns, binds_words = tuple(key), self.names.spend, tuple(binds.items()), binds or solved
        matching = relation.ascending if self._ordered else relation.matching

        def lookup(bindings: Bindings) -> Bindings:
            extended: Bindings = []
            for env in bindings:
                rows = matching(fixed, tuple([value(env) for value in key.values()]))
                spend(len(rows), literal.at)
                for row_number, row in enumerate(rows, 1 - len(rows)):  # 0 for the last row, which needs no copy
                    extended_env = {**env} if row_number and binds_words else env
                    for name, column in columns:
                        extended_env[name] = row[column]
                    for name, column, solve in solves:
                        extended_env[name] = solve(extended_env, row[column])
                    if None in [extended_env[name] for name in solved]:
                        continue
                    if not tests or all(row[column] == value(extended_env) for column, value in tests):
                        extended.append(extended_env)
            return extended

        return lookup

    def _compile_inverse(
        self, name: str, argument: nodes.Argument, bound: Collection[str]
    ) -> Callable[[Env, Value], Any]:
        """Compile a function that solves a linear argument for its unbound logical variable.

        The function maps a row's value to the integer that the variable must have, or to None.
        """
        value = self._compilers.value(argument, bound, NEEDED)

        def solve(env: Env, target: Value) -> int | None:
            # Two values of the expression give its coefficient.
            value_at_zero: int = value({**env, name: 0})
            step = value({**env, name: 1}) - value_at_zero
            if not step:
                raise Diagnostic("unbound-variable", f"{name} has no value: it is multiplied by 0", argument.at)
            fits = isinstance(target, int) and not (target - value_at_zero) % step
            return (target - value_at_zero) // step if fits else None  # type: ignore[operator]

        return solve

    def _compile_comparison(self, literal: nodes.Comparison) -> JoinStep:
        """Compile a comparison to a filter, or a step that binds a variable."""
        if free := self._find_new_words(literal):
            (name,) = free
            word = nodes.Logical(literal.at, name)
            value = self._compile_value(literal.right if literal.left == word else literal.left)

            def bind(bindings: Bindings) -> Bindings:
                for env in bindings:
                    env[name] = value(env)
                return bindings

            return bind
        left, right = self._compile_value(literal.left), self._compile_value(literal.right)
        return lambda bindings: [env for env in bindings if compare_values(left(env), right(env), literal)]


def _sort_domain(values_of: DomainOf) -> DomainOf:
    """Return a function like ``values_of`` that sorts the values, integers before symbols.

    A range is not sorted again.
    """

    def values(env: Env) -> Sequence[Value]:
        domain = values_of(env)
        return domain if isinstance(domain, range) else [value for (value,) in ascending((value,) for value in domain)]

    return values


def has_choices(node: nodes.Call, scope: Scope, names: Names) -> bool:
    """Return whether a body in a call, or its lists, has conditions on puzzle variables.

    A generator that binds a puzzle variable's name, with no other use of it, is an error.
    """
    generating = [*_find_comprehensions(node.arguments)]
    for part in (node, *generating):
        _refuse_generated_variables(part, part.body or (), scope, names)
    bodies = [expand_all(part.body or (), names) for part in (node, *generating)]
    return any(has_puzzle_variables(literal, body, scope, names) for body in bodies for literal in body)


def _refuse_generated_variables(node: nodes.Node, body: Sequence[nodes.Condition], scope: Scope, names: Names) -> None:
    """Raise an error if a generator binds a puzzle variable's name without other uses."""
    generators = [literal for literal in body if isinstance(literal, nodes.Declaration)]
    # If the list contains the name once, the generator is its only use.
    for name in sorted(binders(generators).difference(scope.bound) & names.families):
        if sum(getattr(part, "name", "") == name for part in nodes.walk(node)) == 1:
            hint = f"for a condition, write sum({name}) in {{1, 3}}; for a generator, choose another name"
            message = f"a generator cannot bind the puzzle variable {name}"
            raise Diagnostic("binds-variable", message, place_of_name(tuple(generators), name), hint)


def has_puzzle_variables(node: nodes.Condition, body: Sequence[nodes.Condition], scope: Scope, names: Names) -> bool:
    """Return whether a condition of a body mentions puzzle variables.

    A capitalised name that the body or the scope binds is a logical variable.
    """
    families = names.families
    # An equation binds a word only if the word is not a puzzle variable; other conditions always bind.
    bound_by_equations = binders([literal for literal in body if isinstance(literal, nodes.Comparison)]) - families
    other_conditions = [literal for literal in body if not isinstance(literal, nodes.Comparison)]
    bound_by_others = binders(other_conditions, scope.bound, families)
    bound = {*bound_by_equations, *bound_by_others, *scope.bound}
    return any(
        part.name in families and not (isinstance(part, nodes.Logical) and part.name in bound)
        for part in nodes.walk(node)
        if isinstance(part, nodes.Logical | nodes.Name | nodes.Call)
    )


def costs_the_same(item: nodes.Argument, words: Collection[str]) -> bool:
    """Return whether every evaluation of a list element certainly generates equally many instances.

    ``words`` are the logical variables that differ between evaluations. False means unknown, or that the element has
    no bodies.
    """
    parts = [*nodes.walk(item)]
    bodies = tuple([part.body for part in parts if isinstance(part, nodes.GENERATING) and part.body])
    is_conditional = any(isinstance(part, CONDITIONAL) or getattr(part, "name", "") == "count" for part in parts)
    return bool(bodies) and not is_conditional and all_names(bodies).isdisjoint(words)


def _find_comprehensions(items: Iterable[nodes.Argument]) -> Iterator[nodes.Listing | nodes.Comprehension]:
    """Yield the lists and comprehensions in items, at any depth."""
    for item in items:
        if isinstance(item, nodes.Listing | nodes.Comprehension):
            yield item
            yield from _find_comprehensions(item.items if isinstance(item, nodes.Listing) else [item.item])


def write_facts(body: Sequence[nodes.Condition], env: Env) -> str:
    """Return the facts that a body looks up, as text for a message.

    The text is empty if the body has conditions of other kinds.
    """
    facts = [_write_term(literal.term, env) for literal in body if isinstance(literal, nodes.Fact)]
    return ", ".join(facts) if len(facts) == len(body) else ""


def _write_term(term: nodes.Argument, env: Env) -> str:
    """Return a term as text for a message, with values of its logical variables."""
    match term:
        case nodes.Call(_, name, arguments):
            return f"{name}({', '.join(_write_term(argument, env) for argument in arguments)})"
        case nodes.Logical(_, name):
            return str(env.get(name, name))
        case nodes.Name(_, word) | nodes.Constant(_, word):
            return str(word)
    return "..."
