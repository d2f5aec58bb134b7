"""Expressions to functions of the logical variables' values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, NoReturn

from csp import Affine

from . import syntax
from .errors import Mistake, near

if TYPE_CHECKING:
    from .ground import Names

Value = int | str
Term = Value | Affine
Env = Mapping[str, Value]
Evaluate = Callable[[Env], Any]

FUNCTIONS = {"abs": 1, "min": 0, "max": 0, "sum": 0, "product": 0}
"""The functions, with how many arguments they take; 0 is any number."""

RESERVED = {"all_different", "count", *FUNCTIONS}


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
        case syntax.Logical(at, name):
            if name in bound:
                return lambda env: env[name]
            if name == "_":
                raise Mistake("_ stands for any value and has none itself", at)
            return _puzzle_variable(names, name, (), node)
        case syntax.Name(_, name):
            return _compile_name(node, name, names)
        case syntax.Operation():
            return _compile_operation(node, names, bound)
        case syntax.Call():
            return _compile_call(node, names, bound)
        case syntax.Listing(at):
            raise Mistake("a list can stand in all_different only", at)


def _compile_name(node: syntax.Name, name: str, names: Names) -> Evaluate:
    if name in names.params:
        value = names.params[name]
        return lambda env: value
    if name in names.families:
        return _puzzle_variable(names, name, (), node)
    return lambda env: name


def _puzzle_variable(names: Names, family: str, arguments: tuple[Evaluate, ...], node: Any) -> Evaluate:
    variables = names.variables

    def variable(env: Env) -> Affine:
        key = (family, *[plain(argument(env), node) for argument in arguments])
        found = variables.get(key)
        return found if found is not None else names.undeclared(key, node)

    return variable


def plain(value: Term, node: Any) -> Value:
    """The value, which must not depend on a puzzle variable."""
    if isinstance(value, Affine):
        raise Mistake(f"a number or a symbol is needed here, and {value} is a puzzle variable", node.at)
    return value


def _compile_operation(node: syntax.Operation, names: Names, bound: Collection[str]) -> Evaluate:
    left, right = compile_expression(node.left, names, bound), compile_expression(node.right, names, bound)
    operate = {"+": _add, "-": _subtract, "*": _multiply, "//": _divide, "mod": _modulo}[node.operator]

    def operation(env: Env) -> Term:
        a, b = left(env), right(env)
        if isinstance(a, str):
            _no_arithmetic(a, node.left)
        if isinstance(b, str):
            _no_arithmetic(b, node.right)
        return operate(a, b, node)

    return operation


def _no_arithmetic(symbol: str, node: Any) -> NoReturn:
    raise Mistake(f"{symbol} is a symbol, and symbols have no arithmetic", node.at)


def _add(a: int | Affine, b: int | Affine, node: Any) -> int | Affine:
    return b + a if isinstance(a, int) and isinstance(b, Affine) else a + b  # type: ignore[operator]


def _subtract(a: int | Affine, b: int | Affine, node: Any) -> int | Affine:
    return b * -1 + a if isinstance(a, int) and isinstance(b, Affine) else a - b  # type: ignore[operator]


def _multiply(a: int | Affine, b: int | Affine, node: Any) -> int | Affine:
    if isinstance(b, Affine):
        if isinstance(a, Affine):
            raise Mistake(f"{a} times {b} is not linear", node.at, "one side of * must be a number")
        return b * a
    return a * b


def _divide(a: int | Affine, b: int | Affine, node: Any) -> int:
    return _numbers(a, b, node)[0] // b  # type: ignore[operator]


def _modulo(a: int | Affine, b: int | Affine, node: Any) -> int:
    return _numbers(a, b, node)[0] % b  # type: ignore[operator]


def _numbers(a: int | Affine, b: int | Affine, node: syntax.Operation) -> tuple[int, int]:
    for value, side in ((a, node.left), (b, node.right)):
        if isinstance(value, Affine):
            raise Mistake(f"{node.operator} takes numbers, and {value} is a puzzle variable", side.at)
    if b == 0:
        raise Mistake("division by zero", node.right.at)
    return a, b  # type: ignore[return-value]


def _compile_call(node: syntax.Call, names: Names, bound: Collection[str]) -> Evaluate:
    name = node.name
    if name in names.families:
        if node.body is not None:
            raise Mistake(f"{name} is a puzzle variable and takes no generators", node.at)
        arguments = tuple(compile_expression(argument, names, bound) for argument in node.arguments)
        return _puzzle_variable(names, name, arguments, node)
    if name in FUNCTIONS:
        return _compile_function(node, names, bound)
    if name == "all_different":
        raise Mistake("all_different is a constraint and has no value", node.at)
    if name in names.params:
        raise Mistake(f"{name} is a param and takes no arguments", node.at)
    if name in names.relations:
        raise Mistake(f"{name} is a relation and has no value", node.at, f"write {name}(...) in the body, after :-")
    hint = near(name, [*names.families, *names.relations, *RESERVED])
    raise Mistake(f"nothing is called {name}", node.at._replace(width=len(name)), hint)


def _compile_function(node: syntax.Call, names: Names, bound: Collection[str]) -> Evaluate:
    values = compile_elements(node, names, bound)
    name, arity = node.name, FUNCTIONS[node.name]

    def function(env: Env) -> Any:
        numbers = values(env)
        for number in numbers:
            if isinstance(number, str):
                _no_arithmetic(number, node)
            if isinstance(number, Affine) and name != "sum":
                raise Mistake(f"{name} takes numbers, and {number} is a puzzle variable", node.at)
        if arity and len(numbers) != arity:
            raise Mistake(f"{name} takes {arity} argument, not {len(numbers)}", node.at)
        match name:
            case "abs":
                return abs(numbers[0])
            case "sum":
                return reduce(lambda a, b: _add(a, b, node), numbers, 0)
            case "product":
                return reduce(lambda a, b: a * b, numbers, 1)
        if not numbers:
            raise Mistake(f"{name} of nothing has no value", node.at)
        return min(numbers) if name == "min" else max(numbers)

    return function


def compile_elements(node: syntax.Call, names: Names, bound: Collection[str]) -> Callable[[Env], list[Any]]:
    """The elements of a list ``[a, b]``, of arguments ``a, b`` or of a comprehension ``a : generators``.

    In ``max(0, cell(R, K) : K in 1..3)`` the generators make instances of the last argument.
    """
    arguments = node.arguments
    if len(arguments) == 1 and isinstance(arguments[0], syntax.Listing):
        arguments = arguments[0].items
    if node.body is None:
        single = [compile_expression(argument, names, bound) for argument in arguments]
        return lambda env: [element(env) for element in single]
    before = [compile_expression(argument, names, bound) for argument in arguments[:-1]]
    query = names.query(node.body, bound)
    last = compile_expression(arguments[-1], names, query.bound)
    return lambda env: [*(element(env) for element in before), *(last(inner) for inner in query.run(env))]
