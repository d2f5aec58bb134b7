"""Bodies to instances: the generators of the language, evaluated bottom up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NoReturn

from csp import Affine, Variable
from csp.constraints.linear import COMPARE
from csp.model import Domain

from . import syntax
from .errors import IMPLICATION, Mistake, near, plural
from .expressions import RESERVED, UNSOLVED, Env, Evaluate, Value, compile_value, indices
from .relations import Relation, Row
from .scopes import all_names, binders, free_names, place_of_name, plain_names

MAX_INSTANCES = 1_000_000
"""The most bindings of logical variables that a spec may make in all."""

Bindings = list[dict[str, Value]]
Step = Callable[[Bindings], Bindings]


class Names:
    """What the names of a spec mean, and how much of the budget of instances is left.

    Attributes
    ----------
    params : dict of str to value
    arities : dict of str to int
        The arity of every relation.
    relations : dict of str to Relation
        Those of them that are known yet.
    families : set of str
        The families of puzzle variables, plain ones included.
    variables : dict of (family, *indices) to Affine
        The declared puzzle variables.
    domains : dict of Variable to tuple
        Their domains.
    refusal : str
        Why what is compiled now may not depend on puzzle variables; empty where it may.
    """

    def __init__(self) -> None:
        self.params: dict[str, Value] = {}
        self.arities: dict[str, int] = {}
        self.relations: dict[str, Relation] = {}
        self.families: set[str] = set()
        self.variables: dict[Row, Affine] = {}
        self.domains: dict[Variable, Domain] = {}
        self.refusal = ""
        self._left = MAX_INSTANCES

    def query(self, body: Sequence[syntax.Literal], bound: Collection[str] = ()) -> Query:
        """The body, ready to run."""
        return Query(body, self, bound)

    def instances(self, body: Sequence[syntax.Literal], used: Any) -> tuple[set[str], list[Env]]:
        """The bindings of a body that differ in the words of a piece of syntax, and the words that it binds."""
        if not body:
            return set(), [{}]
        query = self.query(body)
        words = sorted(query.bound & all_names(used))
        distinct: dict[Row, Env] = {}
        for env in query.run({}):
            distinct.setdefault(tuple([env[word] for word in words]), env)
        return query.bound, list(distinct.values())

    def spend(self, instances: int, at: syntax.Place) -> None:
        """Take from the budget, or say that the clause is too large."""
        self._left -= instances
        if self._left < 0:
            raise Mistake(f"this makes more than {MAX_INSTANCES:,} instances", at, "narrow its ranges")

    def relation(self, term: syntax.Expr) -> tuple[Relation, tuple[syntax.Expr, ...]]:
        """The relation that a term names, and the arguments."""
        if not isinstance(term, syntax.Call | syntax.Name):
            hint = f"write {term.name} in ..." if isinstance(term, syntax.Logical) else ""
            raise Mistake("a condition is a relation, a comparison or a membership", term.at, hint)
        name, arguments = term.name, syntax.arguments(term)
        at = term.at._replace(width=len(name))
        if name in self.families:
            raise Mistake(f"{name} is a puzzle variable: {UNSOLVED}", at, IMPLICATION)
        if name in RESERVED:
            what = "is a constraint and stands before :-" if name == "all_different" else "is a function, no condition"
            raise Mistake(f"{name} {what}", at)
        if name not in self.arities:
            raise Mistake(f"nothing says what {name} is", at, near(name, self.arities))
        if self.arities[name] != len(arguments):
            raise Mistake(f"{name} has {plural(self.arities[name], 'argument')}, not {len(arguments)}", at)
        if isinstance(term, syntax.Call) and term.body is not None:
            raise Mistake(f"{name} is a relation and takes no generators", at)
        if name not in self.relations:
            raise Mistake(f"{name} is not known yet: params are read before relations", at)
        return self.relations[name], arguments

    def undeclared(self, key: Row, node: syntax.Expr) -> NoReturn:
        """Say that there is no such puzzle variable, and which there are."""
        family, *index = key
        others = [known[1:] for known in self.variables if known[0] == family]
        if not others:
            raise Mistake(f"the declaration of {family} declares nothing: its generators are empty", node.at)
        same = [other for other in others if len(other) == len(index)]
        if not same:
            *few, most = sorted({len(other) for other in others})
            arities = " or ".join([*map(str, few), plural(most, "argument")])
            hint = "" if index else _all_of(family, most)
            raise Mistake(f"{family} has {arities}, not {len(index)}", node.at, hint)
        ranges = ", ".join(_span(column) for column in zip(*same, strict=True))
        variable = Variable(str(family), *index)
        alike = [Variable(str(family), *other) for other in same if [*map(type, other)] == [*map(type, index)]]
        hint = near(variable, alike) if any(isinstance(one, str) for one in index) else ""
        raise Mistake(f"{variable} is not declared: {family} has {ranges}", node.at, hint)


def _all_of(family: Value, arity: int) -> str:
    """How all variables of a family are written."""
    words = indices(arity)
    return f"all of them are {family}({', '.join(words)}) : {', '.join(f'{word} in ...' for word in words)}"


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
        self._outer = self.bound | binders(body)
        self._steps: list[Step] = []
        waiting = list(body)
        while waiting:
            literal = waiting.pop(self._next(waiting))
            self._steps.append(self._compile(literal))
            self.bound |= self._gives(literal)

    def run(self, env: Env) -> Bindings:
        """All bindings, each once for every way to reach it."""
        bindings: Bindings = [dict(env)]
        for step in self._steps:
            bindings = step(bindings)
        return bindings

    def _next(self, waiting: list[syntax.Literal]) -> int:
        """The index of the literal to run next."""
        ready = [i for i, literal in enumerate(waiting) if self._needs(literal) <= self.bound]
        if not ready:
            self._unbound(waiting)
        return next((i for i in ready if not self._gives(waiting[i])), ready[0])

    def _unbound(self, waiting: list[syntax.Literal]) -> NoReturn:
        needs = [(name, literal) for literal in waiting for name in sorted(self._needs(literal) - self.bound)]
        given = binders(waiting)
        name, literal = next(((name, literal) for name, literal in needs if name not in given), needs[0])
        at = place_of_name(literal, name) or literal.at
        if name in self.names.families and name not in given:
            raise Mistake(f"{name} is a puzzle variable: {UNSOLVED}", at, IMPLICATION)
        why = "it depends on itself" if name in given else "nothing in the body gives it values"
        raise Mistake(f"{name} is not bound: {why}", at, near(name, [*self.bound, *given, *self.names.params]))

    def _gives(self, literal: syntax.Literal) -> set[str]:
        """The variables that the literal can bind."""
        match literal:
            case syntax.Declaration(_, terms):
                return plain_names(terms) - self.bound
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                return plain_names(arguments) - self.bound
            case syntax.Comparison(_, left, "=", right):
                for one, other in ((left, right), (right, left)):
                    needed = free_names(other, self._outer)
                    free = plain_names([one]) - self.bound - needed
                    if free and needed <= self.bound:
                        return free
        return set()

    def _needs(self, literal: syntax.Literal) -> set[str]:
        """The variables that must have values before the literal can run."""
        match literal:
            case syntax.Declaration(_, terms, domain):
                return free_names(terms, self._outer) - plain_names(terms) | free_names(domain, self._outer)
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                return free_names(arguments, self._outer) - plain_names(arguments)
            case syntax.Negation() | syntax.Comparison():
                return free_names(literal, self._outer) - self._gives(literal)
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

    def _value(self, node: syntax.Expr) -> Evaluate:
        return compile_value(node, self.names, self.bound, UNSOLVED)

    def _membership(self, literal: syntax.Declaration) -> Step:
        values = compile_domain(literal.domain, self.names, self.bound, limit=MAX_INSTANCES)
        (term,) = literal.terms
        spend = self.names.spend
        if term == syntax.Logical(term.at, "_"):
            raise Mistake("_ stands for any value, so this says nothing", term.at)
        if free := self._gives(literal):
            (name,) = free

            def generate(bindings: Bindings) -> Bindings:
                made: Bindings = []
                for env in bindings:
                    domain = values(env)
                    spend(len(domain), literal.at)
                    made += [{**env, name: value} for value in domain]
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

    def _atom(self, literal: syntax.Fact, term: syntax.Expr) -> Step:
        relation, arguments = self.names.relation(term)
        key: dict[int, Evaluate] = {}
        binds: dict[str, int] = {}
        late: list[tuple[int, syntax.Expr]] = []
        for column, argument in enumerate(arguments):
            if free_names(argument, self._outer) <= self.bound and argument != syntax.Logical(term.at, "_"):
                key[column] = self._value(argument)
            elif isinstance(argument, syntax.Logical) and argument.name not in binds:
                if argument.name != "_":
                    binds[argument.name] = column
            else:
                late.append((column, argument))
        known = self.bound | binds.keys()
        tests = [(column, compile_value(argument, self.names, known)) for column, argument in late]
        fixed, spend = tuple(key), self.names.spend

        def lookup(bindings: Bindings) -> Bindings:
            made: Bindings = []
            for env in bindings:
                rows = relation.matching(fixed, tuple([value(env) for value in key.values()]))
                spend(len(rows), literal.at)
                for row in rows:
                    found = {**env, **{name: row[column] for name, column in binds.items()}}
                    if all(row[column] == value(found) for column, value in tests):
                        made.append(found)
            return made

        return lookup

    def _comparison(self, literal: syntax.Comparison) -> Step:
        if free := self._gives(literal):
            (name,) = free
            given = syntax.Logical(literal.at, name)
            value = self._value(literal.right if literal.left == given else literal.left)
            return lambda bindings: [{**env, name: value(env)} for env in bindings]
        left, right = self._value(literal.left), self._value(literal.right)
        return lambda bindings: [env for env in bindings if compare(left(env), right(env), literal)]


def compare(left: Value, right: Value, node: syntax.Comparison) -> bool:
    """Whether a comparison of values holds; symbols can only be equal or not."""
    if isinstance(left, int) and isinstance(right, int):
        return COMPARE[node.relation](left, right)
    if node.relation in ("=", "!="):
        return (left == right) == (node.relation == "=")
    symbol, side = (left, node.left) if isinstance(left, str) else (right, node.right)
    raise Mistake(f"{symbol} is a symbol, and symbols have no order", side.at)


def compile_domain(
    node: syntax.Union, names: Names, bound: Collection[str], limit: int
) -> Callable[[Env], Sequence[Value]]:
    """A function from the values of the bound variables to the values of a domain, in order of writing."""
    parts = [_compile_part(part, names, bound, limit) for part in node.parts]
    if len(parts) == 1:
        return parts[0]

    def union(env: Env) -> Sequence[Value]:
        found: dict[Value, None] = {}
        for part in parts:
            found.update(dict.fromkeys(part(env)))
            if len(found) > limit:
                raise Mistake(f"the domain has more than {limit:,} values", node.at)
        return tuple(found)

    return union


def _compile_part(
    node: syntax.Range | syntax.Expr, names: Names, bound: Collection[str], limit: int
) -> Callable[[Env], Sequence[Value]]:
    if isinstance(node, syntax.Range):
        return _compile_range(node, names, bound, limit)
    if isinstance(node, syntax.Operation) and node.operator == "-" and node.left.at != node.at:
        raise Mistake("this is a difference, a single value", node.at, "a range is written with two dots, 1..4")
    evaluate = compile_value(node, names, bound)
    return lambda env: (evaluate(env),)


def _compile_range(
    node: syntax.Range, names: Names, bound: Collection[str], limit: int
) -> Callable[[Env], Sequence[Value]]:
    low, high = compile_value(node.low, names, bound), compile_value(node.high, names, bound)

    def values(env: Env) -> range:
        first, last = _number(low(env), node.low, names), _number(high(env), node.high, names)
        if last - first >= limit:
            raise Mistake(f"{first}..{last} has {last - first + 1:,} values, and {limit:,} is the most", node.at)
        return range(first, last + 1)

    return values


def _number(value: Value, node: syntax.Expr, names: Names) -> int:
    if isinstance(value, str):
        hint = near(value, names.params) or f"write param {value} = ... for a constant; logical variables are uppercase"
        raise Mistake(f"a range goes between numbers, and {value} is a symbol", node.at, hint)
    return value
