"""Expressions and conditions to functions of the logical variables' values.

They contain each other: a body stands in an expression, an expression in a condition, a condition in ``count``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from csp import Affine, Constraint

from ...text import syntax
from ...text.errors import IMPLICATION, Falsehood, Mistake, near
from ...text.habits import PAIR, WORDS
from ...text.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED
from . import arithmetic, catalogue, constraints, tuples
from .binding import all_names
from .choices import Choosing
from .constraints import MAX_DOMAIN, Make, Tags
from .domains import Values, compile_union
from .emptiness import of_nothing
from .named import expanded, told_of
from .names import INDEX, NEEDED, UNSOLVED, Env, Evaluate, Names, Scope, Term, indices
from .queries import Query
from .relations import Row

Compile = Callable[[syntax.Argument, Scope], Evaluate]
Elements = Callable[[Env], Iterable[tuple[Any, syntax.Argument]]]

TRUTH = "the number count(A = 1) is 1 where A = 1, and 0 elsewhere"


def compile_expression(node: syntax.Argument, scope: Scope) -> Evaluate:
    """A function from the values of the bound variables to a value or an affine expression.

    Parameters
    ----------
    node : syntax.Expr
    scope : Scope
        What its names mean, and whether puzzle variables may stand here.

    Examples
    --------
    >>> at = syntax.Place(1, 1)
    >>> node = syntax.Operation(at, "+", syntax.Logical(at, "I"), syntax.Constant(at, 1))
    >>> compile_expression(node, Scope(Names(), {"I"}))({"I": 2})
    3
    """
    names, bound = scope.names, scope.bound
    match node:
        case syntax.Constant(_, value):
            return lambda env: value
        case syntax.Logical(_, name) if name in bound:
            return lambda env: env[name]
        case syntax.Logical(at, "_"):
            hint = "all variables of a family are x(I) : I in 1..9" if scope.is_index else ""
            raise Mistake("_ stands for any value and has none itself", at, hint)
        case syntax.Logical(at, name):
            if name not in names.families:
                message = f"{name} is neither bound by the body nor declared as a puzzle variable"
                close = near(name, [*names.families, *names.params, *bound])
                raise Mistake(message, at, close or _meant(name, scope))
            return _puzzle_variable(name, compile_row((), scope), node, scope)
        case syntax.Name():
            return _compile_name(node, scope)
        case syntax.Operation(_, "+" | "-"):
            return _compile_sum(node, scope)
        case syntax.Operation():
            left, right = (compile_expression(side, scope) for side in (node.left, node.right))
            return arithmetic.multiplying(left, right, node, names)
        case syntax.Call():
            return _compile_call(node, scope)
        case syntax.Listing(at):
            raise Mistake("a list stands in a constraint or beside another list, and not here", at, PAIR)
        case syntax.Comprehension(at):
            raise Mistake("elements with generators can stand in a list only", at)
    raise Mistake(f"a condition can stand in {' or '.join(_counting())} only", node.at, TRUTH)


def compile_row(nodes: Sequence[syntax.Argument], scope: Scope) -> Callable[[Env], Row]:
    """As ``compile_expression``, for several of them."""
    words = [node.name for node in nodes if isinstance(node, syntax.Logical) and node.name in scope.bound]
    if len(words) == len(nodes) > 1:
        return itemgetter(*words)
    parts = [compile_expression(node, scope) for node in nodes]
    return lambda env: tuple([part(env) for part in parts])


def compile_value(node: syntax.Argument, names: Names, bound: Collection[str] = (), why: str = NEEDED) -> Evaluate:
    """As ``compile_expression``, for what must be known before the puzzle is solved."""
    return compile_expression(node, Scope(names, bound, why))


def compile_domain(node: syntax.Union, names: Names, bound: Collection[str], limit: int) -> Values:
    """A function from the values of the bound variables to the values of a domain, in order of writing."""
    return compile_union(node, lambda part: compile_value(part, names, bound), names, limit)


def query(body: Sequence[syntax.Condition], names: Names, bound: Collection[str] = ()) -> Query:
    """A body, ready to run."""
    return Query(body, names, bound, compile_expression, compile_condition)


def instances(body: Sequence[syntax.Condition], used: Any, names: Names) -> tuple[set[str], list[Env]]:
    """The bindings of a body that differ in the words of a piece of syntax, and the words that it binds."""
    if not body:
        return set(), [{}]
    found = query(body, names)
    words = sorted(found.bound & all_names(used))
    distinct: dict[Row, Env] = {}
    for env in found.run({}):
        distinct.setdefault(tuple([env[word] for word in words]), env)
    return found.bound, list(distinct.values())


def compile_condition(node: syntax.Argument, scope: Scope, given: bool = False) -> Make:
    """A function from the values of the bound variables, and tags, to a constraint or to what is known beforehand.

    Parameters
    ----------
    node : syntax
        A comparison, a membership, a constraint on a list, a tuple of a relation, or a disjunction.
    scope : Scope
    given : bool
        Whether it must hold, so that a value outside a domain and a group without room are mistakes.
    """
    names = scope.names
    match node:
        case syntax.Comparison():
            return _compile_comparison(node, scope, given)
        case syntax.Declaration():
            return _compile_membership(node, scope)
        case syntax.Compound():
            return _compile_compound(node, scope, given)
        case syntax.Fact(_, term):
            return compile_condition(term, scope, given)
        case syntax.Call(_, name) if name in catalogue.WORDS:
            tools = catalogue.Tools(compile_elements, compile_expression, _compile_element, compile_condition, query)
            return catalogue.WORDS[name](node, scope, tools)
        case syntax.Call() if node.name in CONSTRAINTS:
            elements = compile_elements(node.arguments, node.body, scope, _compile_element)
            return lambda env, tags: tuples.listed(list(elements(env)), node, names, given, tags)
        case syntax.Call(_, name) if name in names.named:
            return _compile_named(node, scope, given)
        case syntax.Call() | syntax.Name() if node.name not in {*RESERVED, *names.families, *names.params}:
            return _compile_tuple(node, scope)
    raise Mistake("this is no condition", node.at, "a condition is a comparison such as cell(R, C) > 3")


# expressions


def _counting() -> list[str]:
    """The functions whose arguments are conditions."""
    return [name for name, function in FUNCTIONS.items() if function.conditions]


def _meant(name: str, scope: Scope) -> str:
    """What an uppercase word without a meaning was meant for."""
    if scope.is_index or scope.refusal == INDEX:
        return f"the body gives it values, :- {name} in 1..9"
    if scope.refusal:
        return f"a symbol is written {name.lower().lstrip('_')}, or '{name}' in quotes"
    return f"a puzzle variable is declared, {name} in 1..9."


def _compile_name(node: syntax.Name, scope: Scope) -> Evaluate:
    name, names = node.name, scope.names
    if name in names.params:
        value = names.params[name]
        return lambda env: value
    if name in names.families:
        return _puzzle_variable(name, compile_row((), scope), node, scope)
    if name in RESERVED:
        raise Mistake(f"{name} is a word of the language and takes arguments", node.at, f"write {name}(...)")
    if names.arities.get(name):
        raise Mistake(f"{name} is a relation and has no value", node.at)
    return lambda env: name


def _puzzle_variable(family: str, row: Callable[[Env], Row], node: syntax.Argument, scope: Scope) -> Evaluate:
    names, refusal = scope.names, scope.refusal
    if refusal:
        hint = IMPLICATION if refusal == UNSOLVED else ""
        raise Mistake(f"{family} is a puzzle variable, and {refusal}", node.at, hint)
    variables = names.variables

    def variable(env: Env) -> Affine:
        key = (family, *row(env))
        found = variables.get(key)
        if found is not None:
            return found
        if any([isinstance(part, Affine) for part in key]):
            return arithmetic.looked_up(key, node, names)
        names.undeclared(key, node)

    return variable


def _compile_sum(node: syntax.Operation, scope: Scope) -> Evaluate:
    """A chain of sums and differences, however long."""
    terms: list[arithmetic.Summand[Evaluate]] = []
    left: syntax.Expr = node
    while isinstance(left, syntax.Operation) and left.operator in ("+", "-"):
        sign = 1 if left.operator == "+" else -1
        terms.append((sign, compile_expression(left.right, scope), left.right))
        left = left.left
    terms.append((1, compile_expression(left, scope), left))
    return arithmetic.adding(terms[::-1], node, scope.names)


def _compile_call(node: syntax.Call, scope: Scope) -> Evaluate:
    name, names = node.name, scope.names
    at = node.at._replace(width=len(name))
    if name in names.families:
        if node.body is not None:
            raise Mistake(f"{name} is a puzzle variable and takes no generators", at)
        inner = scope._replace(is_index=True)
        return _puzzle_variable(name, compile_row(node.arguments, inner), node, scope)
    if name in FUNCTIONS:
        return _compile_function(node, scope)
    if name in CONSTRAINTS:
        raise Mistake(f"{name} is a constraint and has no value", at)
    if name in names.named:
        raise Mistake(f"{name} is a named constraint and has no value", at)
    if name in names.params:
        raise Mistake(f"{name} is a param and takes no arguments", at)
    if name in names.arities:
        raise Mistake(f"{name} is a relation and has no value", at, f"write {name}(...) in the body, after :-")
    if hint := WORDS.get(name) or near(name, [*names.families, *names.arities, *FUNCTIONS]):
        raise Mistake(f"nothing is called {name}", at, hint)
    words = indices(len(node.arguments))
    declaration = f"{name}({', '.join(words)}) in 1..9 :- {', '.join(f'{word} in 1..9' for word in words)}."
    raise Mistake(f"nothing is called {name}", at, f"a variable is declared: {declaration}", once=True)


def _compile_function(node: syntax.Call, scope: Scope) -> Evaluate:
    name, names = node.name, scope.names
    counts = FUNCTIONS[name].conditions
    if counts and not node.arguments:
        raise Mistake(f"{name} of nothing", node.at, f"write {name}(cell(R, C) > 3 : C in 1..n)")
    compile = _compile_counted if counts else compile_expression
    choosing = Choosing(scope, compile, compile_condition, query)
    if FUNCTIONS[name].chooses and choosing.is_asked_for(node):
        choices = choosing.choices(node.arguments, node.body)
        if counts:
            return lambda env: arithmetic.count(name, [_both(held, made()) for held, made, _ in choices(env)])
        return lambda env: arithmetic.chosen(choices(env), node, names)
    elements = compile_elements(node.arguments, node.body, scope, compile)
    if counts:
        return lambda env: arithmetic.count(name, [condition for condition, _ in elements(env)])
    return lambda env: arithmetic.call(list(elements(env)), node, names)


def _compile_counted(node: syntax.Argument, scope: Scope) -> Evaluate:
    make = compile_condition(node, scope)
    return lambda env: make(env, {})


def _both(one: Constraint | bool, other: Constraint | bool) -> Constraint | bool:
    return constraints.conjunction((one, other), {})


def compile_elements(
    items: Sequence[syntax.Argument], body: Sequence[syntax.Condition] | None, scope: Scope, compile: Compile
) -> Elements:
    """The elements of a list ``[a, b]``, of arguments ``a, b`` or of a comprehension ``a : generators``.

    In ``max(0, cell(R, K) : K in 1..3)`` the generators make instances of the last argument.

    Returns
    -------
    function from the values of the bound variables to elements
        Each with the piece of syntax that it comes from.
    """
    if body is not None and items:
        before = compile_elements(items[:-1], None, scope, compile) if len(items) > 1 else None
        generated = query(body, scope.names, scope.bound)
        last = compile(items[-1], scope._replace(bound=generated.bound))

        def elements(env: Env) -> Iterable[tuple[Any, syntax.Argument]]:
            found = [*before(env)] if before else []
            return [*found, *[(last(inner), items[-1]) for inner in generated.run(env)]]

        return elements
    match items:
        case (syntax.Listing(_, inside, of),):
            return compile_elements(inside, of, scope, compile)
        case _ if not any(isinstance(item, syntax.Comprehension) for item in items):
            single = [compile(item, scope) for item in items]
            return lambda env: zip([element(env) for element in single], items, strict=True)
    several = [
        compile_elements([item.item], item.body, scope, compile)
        if isinstance(item, syntax.Comprehension)
        else compile_elements([item], None, scope, compile)
        for item in items
    ]
    return lambda env: chain.from_iterable([some(env) for some in several])


# conditions


def _compile_element(node: syntax.Argument, scope: Scope) -> Evaluate:
    """An element of a list: an expression, or a tuple of them."""
    if not isinstance(node, syntax.Listing):
        return compile_expression(node, scope)
    elements = compile_elements(node.items, node.body, scope, compile_expression)
    return lambda env: tuple(elements(env))


def _compile_comparison(node: syntax.Comparison, scope: Scope, given: bool) -> Make:
    if isinstance(node.left, syntax.Listing) or isinstance(node.right, syntax.Listing):
        return tuples.compile_comparison(node, scope, _compile_element, given)
    left_of, right_of = compile_expression(node.left, scope), compile_expression(node.right, scope)

    def make(env: Env, tags: Tags) -> Constraint | bool:
        left, right = left_of(env), right_of(env)
        made = constraints.compared(left, right, node, scope.names, given, tags)
        if given and made is False:
            why = of_nothing(node, env, partial(query, names=scope.names, bound=scope.bound))
            raise Falsehood(f"{left} {node.relation} {right} never holds", node.at, why)
        return made

    return make


def _compile_membership(node: syntax.Declaration, scope: Scope) -> Make:
    if len(node.terms) > 1:
        raise Mistake("one expression stands before in here", node.at, "write a condition for each")
    (term,), names = node.terms, scope.names
    if isinstance(term, syntax.Listing):
        return tuples.compile_membership(node, term, scope, _compile_element)
    value_of = compile_expression(term, scope)
    values_of = compile_domain(node.domain, names, scope.bound, MAX_DOMAIN)

    def make(env: Env, tags: Tags) -> Constraint | bool:
        value, values = value_of(env), values_of(env)
        names.spend(len(values), node.at)
        return constraints.member(value, values, term, names, tags)

    return make


def _compile_named(node: syntax.Call, scope: Scope, given: bool) -> Make:
    with told_of(node):
        make = compile_condition(expanded(node, scope.names), scope, given)

    def made(env: Env, tags: Tags) -> Constraint | bool:
        with told_of(node):
            return make(env, tags)

    return made


def _compile_tuple(node: syntax.Call | syntax.Name, scope: Scope) -> Make:
    relation, arguments = scope.names.relation(node)
    columns = [compile_expression(argument, scope) for argument in arguments]

    def make(env: Env, tags: Tags) -> Constraint | bool:
        row: list[tuple[Term, syntax.Argument]] = [
            (column(env), argument) for column, argument in zip(columns, arguments, strict=True)
        ]
        return constraints.tuple_of(node.name, relation, row, scope.names, tags)

    return make


def _compile_compound(node: syntax.Compound, scope: Scope, given: bool) -> Make:
    """A condition made of others; from left to right, so that what is known may make the rest superfluous."""
    match node:
        case syntax.Conjunction(_, parts):
            every = [compile_condition(part, scope, given) for part in parts]
            return lambda env, tags: constraints.conjunction((one(env, {}) for one in every), tags)
        case syntax.Negation(_, condition):
            inner = compile_condition(condition, scope)
            return lambda env, tags: constraints.negation(inner(env, {}), tags)
        case syntax.Equivalence(_, left, right):
            one, other = compile_condition(left, scope), compile_condition(right, scope)
            return lambda env, tags: constraints.equivalence(one(env, {}), other(env, {}), tags)
        case syntax.Implication(at, condition, consequence):
            parts = (syntax.Negation(at, condition), consequence)
        case syntax.Disjunction(_, parts):
            pass
    some = [compile_condition(part, scope) for part in parts]

    def make(env: Env, tags: Tags) -> Constraint | bool:
        made = constraints.either((one(env, {}) for one in some), tags)
        if given and made is False:
            raise Falsehood("none of these can hold", node.at)
        return made

    return make
