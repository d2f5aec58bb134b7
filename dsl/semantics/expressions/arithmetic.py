"""Arithmetic on values and expressions: sums, products, functions and comparisons of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import mul
from typing import NoReturn, TypeVar

from csp import (
    COMPARE,
    Affine,
    Atom,
    Constraint,
    ModelError,
    NValue,
    Selection,
    Value,
    Variable,
    apply,
    bounds,
    counted,
    element,
    operate,
)
from csp import multiply as multiply_terms

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Undefined, suggest_name
from ...syntax.vocabulary import FUNCTIONS, MAX_NUMBER
from .names import ConditionalElement, Env, Evaluate, Names, Term

Number = int | Affine
"""An integer, or an expression in puzzle variables."""

T = TypeVar("T")

Summand = tuple[int, T, nodes.Argument]
"""The sign of a term in a sum, the term, and its syntax."""


def compile_sum(terms: Sequence[Summand[Evaluate]], node: nodes.Operation, names: Names) -> Evaluate:
    """Compile a sum of signed terms to a function from an environment to its value."""
    signs, values_of, places = zip(*terms, strict=True)

    def add(env: Env) -> Number:
        values = [value_of(env) for value_of in values_of]
        # Integers alone are added directly.
        if all([value.__class__ is int for value in values]):
            return check_number(sum(map(mul, signs, values)), node)
        return add_terms(zip(signs, values, places, strict=True), node, names)

    return add


def compile_product(left: Evaluate, right: Evaluate, node: nodes.Operation, names: Names) -> Evaluate:
    """Compile ``*``, ``//`` or ``mod`` to a function from an environment to its value."""
    combine = multiply if node.operator == "*" else divide

    def evaluate(env: Env) -> Number:
        a, b = left(env), right(env)
        if a.__class__ is b.__class__ is int:
            return combine(a, b, node)
        for value, side in ((a, node.left), (b, node.right)):
            if isinstance(value, str):
                refuse_symbol(value, side, names)
        return combine(a, b, node)

    return evaluate


def add_terms(terms: Iterable[Summand[Term]], node: nodes.Argument, names: Names) -> Number:
    """Return the sum of signed terms with one coefficient per variable.

    The sum is an integer if no variable remains. Symbols are refused.
    """
    constant = 0
    sums: dict[Variable | Atom, int] = {}
    for sign, term, at in terms:
        if isinstance(term, int):
            constant += sign * term
        elif isinstance(term, Affine):
            constant += sign * term.constant
            for coefficient, atom in term.terms:
                sums[atom] = sums.get(atom, 0) + sign * coefficient
        else:
            refuse_symbol(term, at, names)
    check_number(constant, node)
    # Build the expression, without terms that cancel out.
    if not sums:
        return constant
    expression = Affine(tuple([(check_number(c, node), atom) for atom, c in sums.items()]), constant)
    if not all(sums.values()):
        expression = expression * 1  # drops what cancels, but for divisions by zero
    return expression if expression.terms else constant


def multiply(a: Number, b: Number, node: nodes.Argument) -> Number:
    """Return the product of two numbers or expressions; refuse a result that is too large."""
    if isinstance(a, int) and isinstance(b, int):
        return check_number(a * b, node)
    product = multiply_terms(as_affine(a), as_affine(b))
    for number in (product.constant, *(coefficient for coefficient, _ in product.terms)):
        check_number(number, node)
    return product if product.terms else product.constant


def divide(a: Number, b: Number, node: nodes.Operation) -> Number:
    """Return the quotient or remainder of numbers or expressions; refuse division by 0."""
    if b == 0:
        raise Undefined("undefined-value", "division by zero", node.right.at)
    if isinstance(a, int) and isinstance(b, int):
        return operate(node.operator, [a, b])
    return apply(node.operator, [as_affine(a), as_affine(b)])


def apply_to_chosen(elements: Iterable[ConditionalElement], node: nodes.Call, names: Names) -> Number:
    """Return a function's value on the operands whose conditions hold.

    If puzzle variables decide a condition, the value is an expression.
    """
    # Sort the elements: always selected, selected while solving, or never.
    unconditional: list[tuple[Term, nodes.Argument]] = []
    conditional: list[tuple[Constraint, Affine]] = []
    for condition, operand, at in elements:
        if condition is False:
            continue
        value = operand()
        if isinstance(condition, Constraint):
            if isinstance(value, str):
                refuse_symbol(value, at, names)
            conditional.append((condition, as_affine(value)))
        else:
            unconditional.append((value, at))
    if not conditional:
        return apply_function(unconditional, node, names)
    selections = [Affine(((1, Selection(node.name, (choice,))),)) for choice in conditional]
    # Sums and products combine one selection per element.
    if node.name in ("sum", "product"):
        return apply_function([*unconditional, *[(selection, node) for selection in selections]], node, names)
    for value, at in unconditional:
        if isinstance(value, str):
            refuse_symbol(value, at, names)
    # Minimum and maximum need one selection, with a value that stands for "none selected".
    operands = [*[(None, as_affine(value)) for value, _ in unconditional if not isinstance(value, str)], *conditional]
    ends = [end for _, expression in operands for end in _bounds(expression, names)] or [0]
    beyond = max(ends) + 1 if node.name == "min" else min(ends) - 1
    return Affine(((1, Selection(node.name, tuple(operands), beyond)),))


def _bounds(expression: Affine, names: Names) -> tuple[int, ...]:
    """Return the minimum and maximum of an expression; empty if it is always undefined."""
    try:
        return bounds(expression, names.domains)
    except ZeroDivisionError:
        return ()


def apply_function(operands: list[tuple[Term, nodes.Argument]], node: nodes.Call, names: Names) -> Number:
    """Return the value of a function such as ``sum`` or ``product`` on operands.

    Symbols and a wrong number of operands are errors.
    """
    if node.name == "sum":
        return add_terms([(1, operand, at) for operand, at in operands], node, names)
    # All functions except sums take numbers only.
    numbers: list[Number] = []
    for operand, at in operands:
        if isinstance(operand, str):
            refuse_symbol(operand, at, names)
        numbers.append(operand)
    arity = FUNCTIONS[node.name].arity
    if arity is not None and len(numbers) != arity:
        raise Diagnostic(
            "wrong-arguments", f"{node.name} needs {counted(arity, 'argument')}, found {len(numbers)}", node.at
        )
    # Some functions are defined without operands.
    if node.name == "product":
        while len(numbers) > 1:  # halves of equal length, as a factor is copied each time it is multiplied
            pairs = zip(numbers[::2], [*numbers[1::2], 1], strict=False)
            numbers = [multiply(left, right, node) for left, right in pairs]
        return numbers[0] if numbers else 1
    if node.name == "nvalue":
        nvalue = NValue(tuple(map(as_affine, dict.fromkeys(numbers))))
        return Affine(((1, nvalue),)) if nvalue.variables else int(nvalue.value({}))
    # All others need an operand.
    if not numbers:
        raise Undefined("undefined-value", f"{node.name} without elements has no value", node.at)
    integers = [number for number in numbers if isinstance(number, int)]
    if len(integers) == len(numbers):
        return operate(node.name, integers)
    return apply(node.name, list(map(as_affine, numbers)))


def count_holding(name: str, conditions: list[Constraint | bool]) -> Number:
    """Return how many conditions hold: an integer, or an expression if some are undecided.

    ``name`` is the function that counts undecided conditions.
    """
    unknown = [condition for condition in conditions if isinstance(condition, Constraint)]
    true_count = sum(condition is True for condition in conditions)
    return apply(name, unknown) + true_count if unknown else true_count


def make_element(key: tuple[Term, ...], node: nodes.Argument, names: Names) -> Affine:
    """Return the expression for a variable whose index contains puzzle variables.

    ``key`` is the family and its indices. A family with symbols, or without such variables, is an error.
    """
    family, *indices = key
    # Collect the variables that agree with the known indices.
    members = [
        variable
        for variable in names.domains
        if variable.family == family
        and len(variable.indices) == len(indices)
        and all(
            isinstance(index, Affine) or index == member_index
            for index, member_index in zip(indices, variable.indices, strict=True)
        )
    ]
    if not members:
        names.refuse_undeclared(tuple([str(index) if isinstance(index, Affine) else index for index in key]), node)
    # Indices and members must be numeric.
    parts = [as_affine(index) if isinstance(index, int) else index for index in indices]
    for index, at in zip(indices, nodes.arguments(node), strict=True):
        for variable in numeric_variables(index) if isinstance(index, Affine) else ():
            if isinstance(symbol := names.domains[variable][-1], str):
                raise Diagnostic(
                    "symbol-not-number",
                    f"{variable} can be the symbol {symbol}, and an index must be a number",
                    at.at,
                )
    for member in members:
        if isinstance(symbol := names.domains[member][-1], str):
            raise Diagnostic(
                "symbol-not-number",
                f"{member} can be the symbol {symbol}, and an index can select only numbers",
                node.at,
            )
    try:
        return element(parts, members)
    except ModelError as error:
        raise Diagnostic("too-large", str(error), node.at) from None


def as_affine(number: Number) -> Affine:
    """Convert a number to an expression; return an expression unchanged."""
    return Affine((), number) if isinstance(number, int) else number


def numeric_variables(expression: Affine) -> Iterator[Variable]:
    """Yield the variables whose values an expression uses as numbers.

    Variables that occur only in conditions, such as in a ``count``, are not among them.
    """
    for _, atom in expression.terms:
        if isinstance(atom, Variable):
            yield atom
        else:
            for operand in atom.parts():
                if isinstance(operand, Affine):
                    yield from numeric_variables(operand)


def refuse_symbol(symbol: object, node: nodes.Argument, names: Names) -> NoReturn:
    """Raise the error for a symbol where arithmetic needs a number."""
    hint = suggest_name(symbol, names.params) if isinstance(node, nodes.Name) else ""
    if isinstance(node, nodes.Name) and node.name in names.params:
        hint = f"the param {node.name} has this value"
    raise Diagnostic("symbol-not-number", f"arithmetic needs numbers, and {symbol} is a symbol", node.at, hint)


def check_range_end(value: Value, node: nodes.Expr, names: Names) -> int:
    """Return ``value``, the end of a range; refuse a symbol."""
    if isinstance(value, str):
        hint = (
            suggest_name(value, names.params)
            or f"write param {value} = ... for a constant; logical variables begin with a capital letter"
        )
        if isinstance(node, nodes.Name) and node.name in names.params:
            hint = f"the param {node.name} has this value"
        raise Diagnostic("symbol-not-number", f"a range needs numbers, and {value} is a symbol", node.at, hint)
    return value


def check_number(number: int, node: nodes.Argument) -> int:
    """Return ``number``; refuse it if its absolute value exceeds ``MAX_NUMBER``."""
    if -MAX_NUMBER <= number <= MAX_NUMBER:
        return number
    raise Diagnostic("too-large", f"the number is too large: the limit is {MAX_NUMBER:,}", node.at)


def compare_values(left: Value, right: Value, node: nodes.Comparison) -> bool:
    """Return whether a comparison of values holds; refuse an order of symbols."""
    if isinstance(left, int) and isinstance(right, int):
        return COMPARE[node.relation](left, right)
    if node.relation in ("=", "!="):
        return (left == right) == (node.relation == "=")
    symbol, side = (left, node.left) if isinstance(left, str) else (right, node.right)
    raise Diagnostic("symbol-not-number", f"{node.relation} needs numbers, and {symbol} is a symbol", side.at)
