"""Expressions to functions of the logical variables' values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NoReturn

from csp import Affine, Operation, Variable, apply, multiply
from csp.constraints.operation import operate

from . import syntax
from .errors import IMPLICATION, Mistake, near, plural

if TYPE_CHECKING:
    from .ground import Names

Value = int | str
Term = Value | Affine
Env = Mapping[str, Value]
Evaluate = Callable[[Env], Any]
Compile = Callable[[syntax.Expr, "Names", Collection[str]], Evaluate]

FUNCTIONS = {"abs": 1, "min": 0, "max": 0, "sum": 0, "product": 0}
"""The functions, with how many arguments they take; 0 is any number."""

SPECIAL: dict[str, Callable[[syntax.Call, Names, Collection[str]], Evaluate]] = {}
"""What else stands for a value, and how it is compiled."""

RESERVED = {"all_different", "count", *FUNCTIONS}

UNSOLVED = "a body cannot depend on what is to be solved"
INDEX = "an index must be known beforehand"

MAX_NUMBER = 10**18
"""The largest number that arithmetic may yield."""


def compile_expression(node: syntax.Expr, names: Names, bound: Collection[str]) -> Evaluate:
    """A function from the values of the bound variables to a value or an affine expression.

    Parameters
    ----------
    node : syntax.Expr
    names : Names
        What the names of the spec mean.
    bound : collection of str
        The logical variables that have a value; any other uppercase word is a puzzle variable.
    """
    match node:
        case syntax.Constant(_, value):
            return lambda env: value
        case syntax.Logical(_, name) if name in bound:
            return lambda env: env[name]
        case syntax.Logical(at, "_"):
            raise Mistake("_ stands for any value and has none itself", at)
        case syntax.Logical(at, name):
            if name not in names.families:
                message = f"{name} is neither bound by the body nor declared as a puzzle variable"
                close = near(name, [*names.families, *names.params, *bound])
                raise Mistake(message, at, close or _meant(name, names))
            return _puzzle_variable(names, name, (), node)
        case syntax.Name():
            return _compile_name(node, names)
        case syntax.Operation(_, "+" | "-"):
            return _compile_sum(node, names, bound)
        case syntax.Operation():
            return _compile_product(node, names, bound)
        case syntax.Call():
            return _compile_call(node, names, bound)
        case syntax.Listing(at):
            raise Mistake("a list can stand in all_different only", at)
    raise Mistake("a condition can stand in count only", node.at)


def _meant(name: str, names: Names) -> str:
    """What an uppercase word without a meaning was meant for."""
    if names.refusal == INDEX:
        return f"the body gives it values, :- {name} in 1..9"
    if names.refusal:
        return f"a symbol is written {name.lower().lstrip('_')}, or '{name}' in quotes"
    return f"a puzzle variable is declared, {name} in 1..9."


def compile_value(
    node: syntax.Expr, names: Names, bound: Collection[str], why: str = "a number or a symbol is needed here"
) -> Evaluate:
    """As ``compile_expression``, for what must be known before the puzzle is solved."""
    before, names.refusal = names.refusal, why
    try:
        return compile_expression(node, names, bound)
    finally:
        names.refusal = before


def _compile_name(node: syntax.Name, names: Names) -> Evaluate:
    name = node.name
    if name in names.params:
        value = names.params[name]
        return lambda env: value
    if name in names.families:
        return _puzzle_variable(names, name, (), node)
    if name in RESERVED:
        raise Mistake(f"{name} is a word of the language and takes arguments", node.at, f"write {name}(...)")
    if names.arities.get(name):
        raise Mistake(f"{name} is a relation and has no value", node.at)
    return lambda env: name


def _puzzle_variable(names: Names, family: str, arguments: tuple[Evaluate, ...], node: syntax.Expr) -> Evaluate:
    if names.refusal:
        hint = IMPLICATION if names.refusal == UNSOLVED else ""
        raise Mistake(f"{family} is a puzzle variable, and {names.refusal}", node.at, hint)
    variables = names.variables

    def variable(env: Env) -> Affine:
        key = (family, *[argument(env) for argument in arguments])
        found = variables.get(key)
        return found if found is not None else names.undeclared(key, node)

    return variable


def _no_arithmetic(symbol: object, node: syntax.Expr, names: Names) -> NoReturn:
    hint = near(symbol, names.params) if isinstance(node, syntax.Name) else ""
    raise Mistake(f"{symbol} is a symbol, and symbols have no arithmetic", node.at, hint)


def _checked(number: int, node: syntax.Expr) -> int:
    if -MAX_NUMBER <= number <= MAX_NUMBER:
        return number
    raise Mistake(f"the number is too large: {MAX_NUMBER:,} is the most", node.at)


def _compile_sum(node: syntax.Operation, names: Names, bound: Collection[str]) -> Evaluate:
    """A chain of sums and differences, however long."""
    terms: list[tuple[int, Evaluate, syntax.Expr]] = []
    left: syntax.Expr = node
    while isinstance(left, syntax.Operation) and left.operator in ("+", "-"):
        sign = 1 if left.operator == "+" else -1
        terms.append((sign, compile_expression(left.right, names, bound), left.right))
        left = left.left
    terms.append((1, compile_expression(left, names, bound), left))
    terms.reverse()
    return lambda env: _total([(sign, term(env), at) for sign, term, at in terms], node, names)


def _total(terms: Iterable[tuple[int, Term, syntax.Expr]], node: syntax.Expr, names: Names) -> int | Affine:
    constant = 0
    sums: dict[Variable | Operation, int] = {}
    for sign, term, at in terms:
        if isinstance(term, int):
            constant += sign * term
        elif isinstance(term, Affine):
            constant += sign * term.constant
            for coefficient, atom in term.terms:
                sums[atom] = sums.get(atom, 0) + sign * coefficient
        else:
            _no_arithmetic(term, at, names)
    _checked(constant, node)
    kept = tuple((_checked(c, node), atom) for atom, c in sums.items() if c)
    return Affine(kept, constant) if kept else constant


def _compile_product(node: syntax.Operation, names: Names, bound: Collection[str]) -> Evaluate:
    left, right = (compile_expression(side, names, bound) for side in (node.left, node.right))
    combine = _multiply if node.operator == "*" else _divide

    def operation(env: Env) -> int | Affine:
        a, b = left(env), right(env)
        for value, side in ((a, node.left), (b, node.right)):
            if isinstance(value, str):
                _no_arithmetic(value, side, names)
        return combine(a, b, node)

    return operation


def _multiply(a: int | Affine, b: int | Affine, node: syntax.Expr) -> int | Affine:
    if isinstance(a, int) and isinstance(b, int):
        return _checked(a * b, node)
    product = multiply(_affine(a), _affine(b))
    for number in (product.constant, *(coefficient for coefficient, _ in product.terms)):
        _checked(number, node)
    return product if product.terms else product.constant


def _divide(a: int | Affine, b: int | Affine, node: syntax.Operation) -> int | Affine:
    operator = "//" if node.operator == "//" else "mod"
    if b == 0:
        raise Mistake("division by zero", node.right.at)
    if isinstance(a, int) and isinstance(b, int):
        return operate(operator, [a, b])
    return apply(operator, [_affine(a), _affine(b)])


def _affine(number: int | Affine) -> Affine:
    return Affine((), number) if isinstance(number, int) else number


def _compile_call(node: syntax.Call, names: Names, bound: Collection[str]) -> Evaluate:
    name = node.name
    at = node.at._replace(width=len(name))
    if name in names.families:
        if node.body is not None:
            raise Mistake(f"{name} is a puzzle variable and takes no generators", at)
        arguments = tuple(compile_value(argument, names, bound, INDEX) for argument in node.arguments)
        return _puzzle_variable(names, name, arguments, node)
    if name in FUNCTIONS:
        return _compile_function(node, names, bound)
    if name == "all_different":
        raise Mistake("all_different is a constraint and has no value", at)
    if name in SPECIAL:
        return SPECIAL[name](node, names, bound)
    if name in names.params:
        raise Mistake(f"{name} is a param and takes no arguments", at)
    if name in names.arities:
        raise Mistake(f"{name} is a relation and has no value", at, f"write {name}(...) in the body, after :-")
    if hint := near(name, [*names.families, *names.arities, *FUNCTIONS]):
        raise Mistake(f"nothing is called {name}", at, hint)
    words = indices(len(node.arguments))
    declaration = f"{name}({', '.join(words)}) in 1..9 :- {', '.join(f'{word} in 1..9' for word in words)}."
    raise Mistake(f"nothing is called {name}", at, f"a variable is declared: {declaration}", once=True)


def indices(count: int) -> list[str]:
    """Names for so many indices, for an example.

    Examples
    --------
    >>> indices(2)
    ['I', 'J']
    """
    return [chr(ord("I") + i) for i in range(min(count, 9))]


def _compile_function(node: syntax.Call, names: Names, bound: Collection[str]) -> Evaluate:
    name, arity = node.name, FUNCTIONS[node.name]
    if name == "sum":
        added, nodes = compile_elements(node, names, bound, compile_expression)
        return lambda env: _total([(1, term, at) for term, at in blamed(added(env), nodes)], node, names)

    values, nodes = compile_elements(node, names, bound, compile_expression)

    def function(env: Env) -> int | Affine:
        operands = values(env)
        for operand, at in blamed(operands, nodes):
            if isinstance(operand, str):
                _no_arithmetic(operand, at, names)
        if arity and len(operands) != arity:
            raise Mistake(f"{name} takes {plural(arity, 'argument')}, not {len(operands)}", node.at)
        return _apply(name, operands, node)

    return function


def _apply(name: str, operands: list[int | Affine], node: syntax.Call) -> int | Affine:
    if name == "product":
        result: int | Affine = 1
        for operand in operands:
            result = _multiply(result, operand, node)
        return result
    if not operands:
        raise Mistake(f"{name} of nothing has no value", node.at)
    numbers = [operand for operand in operands if isinstance(operand, int)]
    if len(numbers) == len(operands):
        return operate(name, numbers)
    return apply(name, list(map(_affine, operands)))


def numeric_variables(expression: Affine) -> Iterator[Variable]:
    """The variables that an expression calculates with; those of the conditions that it counts are not among them."""
    for _, atom in expression.terms:
        if isinstance(atom, Variable):
            yield atom
        else:
            for operand in atom.operands:
                if isinstance(operand, Affine):
                    yield from numeric_variables(operand)


def blamed(values: Iterable[Any], nodes: Sequence[syntax.Expr]) -> Iterable[tuple[Any, syntax.Expr]]:
    """Values with the pieces of syntax that they come from, of which the last one stands for all that remain."""
    return zip(values, chain(nodes, repeat(nodes[-1])), strict=False)


def compile_elements(
    node: syntax.Call, names: Names, bound: Collection[str], compile: Compile
) -> tuple[Callable[[Env], list[Any]], Sequence[syntax.Expr]]:
    """The elements of a list ``[a, b]``, of arguments ``a, b`` or of a comprehension ``a : generators``.

    In ``max(0, cell(R, K) : K in 1..3)`` the generators make instances of the last argument.

    Returns
    -------
    function from the values of the bound variables to a list
    sequence of syntax.Expr
        Where the elements come from; all elements beyond come from the last one.
    """
    arguments = node.arguments
    if len(arguments) == 1 and isinstance(arguments[0], syntax.Listing):
        arguments = arguments[0].items
    if node.body is None or not arguments:
        single = [compile(argument, names, bound) for argument in arguments]
        return lambda env: [element(env) for element in single], arguments or (node,)
    before = [compile(argument, names, bound) for argument in arguments[:-1]]
    query = names.query(node.body, bound)
    last = compile(arguments[-1], names, query.bound)
    return lambda env: [*(element(env) for element in before), *(last(inner) for inner in query.run(env))], arguments
