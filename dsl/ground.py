"""Bodies to instances: the generators of the language, evaluated bottom up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NoReturn

from csp import Affine, Variable
from csp.constraints.linear import COMPARE

from . import syntax
from .errors import Mistake, near
from .expressions import RESERVED, Env, Evaluate, Value, compile_expression, plain
from .relations import Relation, Row

MAX_INSTANCES = 2_000_000
"""The most bindings of logical variables that a spec may make in all."""

Bindings = list[dict[str, Value]]
Step = Callable[[Bindings], Bindings]


class Names:
    """What the names of a spec mean, and how much of the budget of instances is left.

    Attributes
    ----------
    params : dict of str to value
    relations : dict of str to Relation
    arities : dict of str to int
        The arity of every relation.
    families : set of str
        The families of puzzle variables, plain ones included.
    variables : dict of (family, *indices) to Affine
        The declared puzzle variables.
    """

    def __init__(self) -> None:
        self.params: dict[str, Value] = {}
        self.relations: dict[str, Relation] = {}
        self.arities: dict[str, int] = {}
        self.families: set[str] = set()
        self.variables: dict[Row, Affine] = {}
        self._left = MAX_INSTANCES

    def query(self, body: Sequence[syntax.Literal], bound: Collection[str] = ()) -> Query:
        """The body, ready to run."""
        return Query(body, self, bound)

    def spend(self, instances: int, at: syntax.Place) -> None:
        """Take from the budget, or say that the clause is too large."""
        self._left -= instances
        if self._left < 0:
            raise Mistake(f"this makes more than {MAX_INSTANCES:,} instances", at, "narrow its ranges")

    def undeclared(self, key: Row, node: Any) -> NoReturn:
        """Say that there is no such puzzle variable, and which there are."""
        family, *indices = key
        others = [known[1:] for known in self.variables if known[0] == family]
        if not others and not indices:
            raise Mistake(
                f"{family} is neither bound by the body nor declared as a puzzle variable",
                node.at,
                near(str(family), [str(known[0]) for known in self.variables]),
            )
        same = [other for other in others if len(other) == len(indices)]
        if not same:
            arities = " or ".join(str(n) for n in sorted({len(other) for other in others}))
            raise Mistake(f"{family} has {arities or 'no'} indices, not {len(indices)}", node.at)
        ranges = ", ".join(_span(column) for column in zip(*same, strict=True))
        raise Mistake(f"{Variable(str(family), *indices)} is not declared: {family} has {ranges}", node.at)


def _span(values: Iterable[Value]) -> str:
    distinct = list(dict.fromkeys(values))
    numbers = sorted(value for value in distinct if isinstance(value, int))
    if len(numbers) == len(distinct) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, distinct[:8]))}{', ...' if len(distinct) > 8 else ''}}}"


class Query:
    """A body: from values of the bound variables to all bindings that satisfy it.

    Literals run in the order written, except that a test runs as soon as its variables are bound and a generator
    waits until those that it depends on are.
    """

    def __init__(self, body: Sequence[syntax.Literal], names: Names, bound: Collection[str]) -> None:
        self.names = names
        self.bound = set(bound)
        self._steps: list[Step] = []
        waiting = list(body)
        while waiting:
            literal = self._next(waiting)
            waiting.remove(literal)
            self._steps.append(self._compile(literal))
            self.bound |= self._gives(literal)

    def run(self, env: Env) -> Bindings:
        """All bindings, each once for every way to reach it."""
        bindings: Bindings = [dict(env)]
        for step in self._steps:
            bindings = step(bindings)
        return bindings

    def _next(self, waiting: list[syntax.Literal]) -> syntax.Literal:
        ready = [literal for literal in waiting if self._needs(literal) <= self.bound]
        if ready:
            return next((literal for literal in ready if not self._gives(literal)), ready[0])
        missing = min(self._needs(waiting[0]) - self.bound)
        raise Mistake(f"{missing} is not bound: nothing in the body gives it values", waiting[0].at)

    def _gives(self, literal: syntax.Literal) -> set[str]:
        """The variables that the literal can bind."""
        match literal:
            case syntax.Declaration(_, terms):
                return _plain_names(terms) - self.bound
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                return _plain_names(arguments) - self.bound
            case syntax.Comparison(_, left, "=", right):
                for one, other in ((left, right), (right, left)):
                    free = _plain_names([one]) - self.bound - free_names(other)
                    if free and free_names(other) <= self.bound:
                        return free
        return set()

    def _needs(self, literal: syntax.Literal) -> set[str]:
        """The variables that must have values before the literal can run."""
        match literal:
            case syntax.Declaration(_, terms, domain):
                inside = set().union(*map(free_names, terms)) - _plain_names(terms)
                return inside | set().union(*map(free_names, domain.parts))
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                return set().union(*map(free_names, arguments)) - _plain_names(arguments)
            case syntax.Negation(_, syntax.Fact(_, term)):
                return free_names(term)
            case syntax.Comparison(_, left, _, right):
                return (free_names(left) | free_names(right)) - self._gives(literal)
        return set()

    def _compile(self, literal: syntax.Literal) -> Step:
        match literal:
            case syntax.Declaration():
                return self._membership(literal)
            case syntax.Fact(_, term):
                return self._atom(literal, term)
            case syntax.Negation(_, fact):
                found = self._atom(fact, fact.term)
                return lambda bindings: [env for env in bindings if not found([env])]
            case syntax.Comparison():
                return self._comparison(literal)

    def _membership(self, literal: syntax.Declaration) -> Step:
        if len(literal.terms) != 1:
            raise Mistake("in a body, one term stands before in", literal.at, "write R in 1..n, C in 1..n")
        values = compile_domain(literal.domain, self.names, self.bound, limit=MAX_INSTANCES)
        (term,) = literal.terms
        if free := self._gives(literal):
            (name,) = free
            spend = self.names.spend

            def generate(bindings: Bindings) -> Bindings:
                made: Bindings = []
                for env in bindings:
                    domain = values(env)
                    spend(len(domain), literal.at)
                    made += [{**env, name: value} for value in domain]
                return made

            return generate
        value = compile_expression(term, self.names, self.bound)
        return lambda bindings: [env for env in bindings if plain(value(env), term) in values(env)]

    def _atom(self, literal: syntax.Fact, term: syntax.Expr) -> Step:
        if not isinstance(term, syntax.Call | syntax.Name):
            raise Mistake("a condition is a relation, a comparison or a membership", literal.at)
        relation, arguments = self._relation(term)
        columns, key = [], []
        binds: dict[str, int] = {}
        again: list[tuple[int, int]] = []
        for column, argument in enumerate(arguments):
            if isinstance(argument, syntax.Logical) and argument.name not in self.bound:
                if argument.name in binds:
                    again.append((binds[argument.name], column))
                elif argument.name != "_":
                    binds[argument.name] = column
            else:
                columns.append(column)
                key.append((compile_expression(argument, self.names, self.bound), argument))
        fixed, spend = tuple(columns), self.names.spend

        def lookup(bindings: Bindings) -> Bindings:
            made: Bindings = []
            for env in bindings:
                rows = relation.matching(fixed, tuple(plain(value(env), node) for value, node in key))
                spend(len(rows), literal.at)
                for row in rows:
                    if all(row[one] == row[other] for one, other in again):
                        made.append({**env, **{name: row[column] for name, column in binds.items()}})
            return made

        return lookup

    def _relation(self, term: syntax.Call | syntax.Name) -> tuple[Relation, tuple[syntax.Expr, ...]]:
        names, name = self.names, term.name
        arguments = term.arguments if isinstance(term, syntax.Call) else ()
        at = term.at._replace(width=len(name))
        if name in names.families:
            raise Mistake(f"{name} is a puzzle variable: a body cannot depend on what is to be solved", at)
        if name not in names.relations:
            raise Mistake(f"nothing says what {name} is", at, near(name, names.relations))
        if names.arities[name] != len(arguments):
            raise Mistake(f"{name} has {names.arities[name]} arguments, not {len(arguments)}", at)
        return names.relations[name], arguments

    def _comparison(self, literal: syntax.Comparison) -> Step:
        if free := self._gives(literal):
            (name,) = free
            source = literal.right if literal.left == syntax.Logical(literal.at, name) else literal.left
            value = compile_expression(source, self.names, self.bound)
            return lambda bindings: [{**env, name: plain(value(env), source)} for env in bindings]
        left = compile_expression(literal.left, self.names, self.bound)
        right = compile_expression(literal.right, self.names, self.bound)
        return lambda bindings: [
            env
            for env in bindings
            if compare(plain(left(env), literal.left), literal.relation, plain(right(env), literal.right), literal)
        ]


def compare(left: Value, relation: str, right: Value, node: Any) -> bool:
    """Whether a comparison of values holds; symbols can only be equal or not."""
    if isinstance(left, int) and isinstance(right, int):
        return COMPARE[relation](left, right)
    if relation in ("=", "!="):
        return (left == right) == (relation == "=")
    symbol = left if isinstance(left, str) else right
    raise Mistake(f"{symbol} is a symbol, and symbols have no order", node.at)


def compile_domain(
    node: syntax.Union, names: Names, bound: Collection[str], limit: int
) -> Callable[[Env], Sequence[Value]]:
    """A function from the values of the bound variables to the values of a domain, in order of writing."""
    parts: list[Callable[[Env], Iterable[Value]]] = []
    for part in node.parts:
        if isinstance(part, syntax.Range):
            parts.append(_compile_range(part, names, bound, limit))
        else:
            parts.append(_compile_single(part, names, bound))
    if len(parts) == 1:
        (only,) = parts
        return lambda env: tuple(only(env))
    return lambda env: tuple(dict.fromkeys(value for part in parts for value in part(env)))


def _compile_single(node: syntax.Expr, names: Names, bound: Collection[str]) -> Callable[[Env], Iterable[Value]]:
    evaluate = compile_expression(node, names, bound)
    return lambda env: (plain(evaluate(env), node),)


def _compile_range(
    node: syntax.Range, names: Names, bound: Collection[str], limit: int
) -> Callable[[Env], Iterable[Value]]:
    low, high = compile_expression(node.low, names, bound), compile_expression(node.high, names, bound)

    def values(env: Env) -> range:
        first, last = (_number(end(env), end_node, names) for end, end_node in ((low, node.low), (high, node.high)))
        if last - first >= limit:
            raise Mistake(f"{first}..{last} has {last - first + 1:,} values, and {limit:,} is the most", node.at)
        return range(first, last + 1)

    return values


def _number(value: Any, node: syntax.Expr, names: Names) -> int:
    value = plain(value, node)
    if isinstance(value, str):
        raise Mistake(f"a range goes between numbers, and {value} is a symbol", node.at, near(value, names.params))
    return int(value)


def _plain_names(terms: Iterable[syntax.Expr]) -> set[str]:
    return {term.name for term in terms if isinstance(term, syntax.Logical)} - {"_"}


def free_names(node: Any) -> set[str]:
    """The uppercase words of an expression or literal, without those that its own comprehensions bind."""
    match node:
        case syntax.Logical(_, name):
            return {name} - {"_"}
        case syntax.Operation(_, _, left, right) | syntax.Range(_, left, right):
            return free_names(left) | free_names(right)
        case syntax.Comparison(_, left, _, right):
            return free_names(left) | free_names(right)
        case syntax.Listing(_, items) | syntax.Union(_, items):
            return set().union(*map(free_names, items))
        case syntax.Declaration(_, terms, domain):
            return free_names(domain).union(*map(free_names, terms))
        case syntax.Fact(_, inner) | syntax.Negation(_, inner):
            return free_names(inner)
        case syntax.Call(_, _, arguments, body):
            inside = set().union(*map(free_names, arguments))
            return inside - binders(body) | (set().union(*map(free_names, body)) - binders(body) if body else set())
    return set()


def binders(body: Iterable[syntax.Literal] | None) -> set[str]:
    """The uppercase words that a body can bind."""
    found: set[str] = set()
    for literal in body or ():
        match literal:
            case syntax.Declaration(_, terms):
                found |= _plain_names(terms)
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                found |= _plain_names(arguments)
            case syntax.Comparison(_, left, "=", right):
                found |= _plain_names([left, right])
    return found


__all__ = ["MAX_INSTANCES", "RESERVED", "Evaluate", "Names", "Query", "compare", "compile_domain"]
