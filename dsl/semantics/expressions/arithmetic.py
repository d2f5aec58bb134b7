"""Values and expressions, added, multiplied and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from .names import Env, Evaluate, Names, Term

Number = int | Affine
T = TypeVar("T")

Summand = tuple[int, T, nodes.Argument]
"""A sign, what is added, and where it stands."""


def adding(terms: Sequence[Summand[Evaluate]], node: nodes.Operation, names: Names) -> Evaluate:
    """What gives a sum of many terms."""
    signs, values_of, places = zip(*terms, strict=True)

    def added(env: Env) -> Number:
        values = [value_of(env) for value_of in values_of]
        if all([value.__class__ is int for value in values]):
            return checked(sum(map(mul, signs, values)), node)
        return total(zip(signs, values, places, strict=True), node, names)

    return added


def multiplying(left: Evaluate, right: Evaluate, node: nodes.Operation, names: Names) -> Evaluate:
    """What gives a product, or a quotient."""
    combine = multiply if node.operator == "*" else divide

    def combined(env: Env) -> Number:
        a, b = left(env), right(env)
        if a.__class__ is b.__class__ is int:
            return combine(a, b, node)
        for value, side in ((a, node.left), (b, node.right)):
            if isinstance(value, str):
                no_arithmetic(value, side, names)
        return combine(a, b, node)

    return combined


def total(terms: Iterable[Summand[Term]], node: nodes.Argument, names: Names) -> Number:
    """A sum of many terms."""
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
            no_arithmetic(term, at, names)
    checked(constant, node)
    if not sums:
        return constant
    expression = Affine(tuple([(checked(c, node), atom) for atom, c in sums.items()]), constant)
    if not all(sums.values()):
        expression = expression * 1  # drops what cancels, but for divisions by zero
    return expression if expression.terms else constant


def multiply(a: Number, b: Number, node: nodes.Argument) -> Number:
    """A product."""
    if isinstance(a, int) and isinstance(b, int):
        return checked(a * b, node)
    product = multiply_terms(as_affine(a), as_affine(b))
    for number in (product.constant, *(coefficient for coefficient, _ in product.terms)):
        checked(number, node)
    return product if product.terms else product.constant


def divide(a: Number, b: Number, node: nodes.Operation) -> Number:
    """A quotient, or what remains of it."""
    if b == 0:
        raise Undefined("division by zero", node.right.at)
    if isinstance(a, int) and isinstance(b, int):
        return operate(node.operator, [a, b])
    return apply(node.operator, [as_affine(a), as_affine(b)])


def chosen(
    found: Iterable[tuple[Constraint | bool, Callable[[], Term], nodes.Argument]], node: nodes.Call, names: Names
) -> Number:
    """The value of a function of those operands whose conditions hold."""
    sure: list[tuple[Term, nodes.Argument]] = []
    choices: list[tuple[Constraint, Affine]] = []
    for condition, operand, at in found:
        if condition is False:
            continue
        value = operand()
        if isinstance(condition, Constraint):
            if isinstance(value, str):
                no_arithmetic(value, at, names)
            choices.append((condition, as_affine(value)))
        else:
            sure.append((value, at))
    if not choices:
        return call(sure, node, names)
    selected = [Affine(((1, Selection(node.name, (choice,))),)) for choice in choices]
    if node.name in ("sum", "product"):
        return call([*sure, *[(one, node) for one in selected]], node, names)
    for value, at in sure:
        if isinstance(value, str):
            no_arithmetic(value, at, names)
    every = [*[(None, as_affine(value)) for value, _ in sure if not isinstance(value, str)], *choices]
    ends = [end for _, one in every for end in _bounds(one, names)] or [0]
    beyond = max(ends) + 1 if node.name == "min" else min(ends) - 1
    return Affine(((1, Selection(node.name, tuple(every), beyond)),))


def _bounds(expression: Affine, names: Names) -> tuple[int, ...]:
    """The least and the greatest value of an expression, if it has any."""
    try:
        return bounds(expression, names.domains)
    except ZeroDivisionError:
        return ()


def call(operands: list[tuple[Term, nodes.Argument]], node: nodes.Call, names: Names) -> Number:
    """The value of a function."""
    if node.name == "sum":
        return total([(1, operand, at) for operand, at in operands], node, names)
    numbers: list[Number] = []
    for operand, at in operands:
        if isinstance(operand, str):
            no_arithmetic(operand, at, names)
        numbers.append(operand)
    arity = FUNCTIONS[node.name].arity
    if arity is not None and len(numbers) != arity:
        raise Diagnostic(f"{node.name} takes {counted(arity, 'argument')}, not {len(numbers)}", node.at)
    if node.name == "product":
        while len(numbers) > 1:  # halves of equal length, as a factor is copied each time it is multiplied
            pairs = zip(numbers[::2], [*numbers[1::2], 1], strict=False)
            numbers = [multiply(one, other, node) for one, other in pairs]
        return numbers[0] if numbers else 1
    if node.name == "nvalue":
        found = NValue(tuple(map(as_affine, dict.fromkeys(numbers))))
        return Affine(((1, found),)) if found.variables else int(found.value({}))
    if not numbers:
        raise Undefined(f"{node.name} of nothing has no value", node.at)
    known = [number for number in numbers if isinstance(number, int)]
    if len(known) == len(numbers):
        return operate(node.name, known)
    return apply(node.name, list(map(as_affine, numbers)))


def count(name: str, conditions: list[Constraint | bool]) -> Number:
    """How many conditions hold."""
    open_ = [one for one in conditions if isinstance(one, Constraint)]
    known = sum(one is True for one in conditions)
    return apply(name, open_) + known if open_ else known


def looked_up(key: tuple[Term, ...], node: nodes.Argument, names: Names) -> Affine:
    """The member of a family that indices choose which are to be solved."""
    family, *indices = key
    members = [
        variable
        for variable in names.domains
        if variable.family == family
        and len(variable.indices) == len(indices)
        and all(isinstance(index, Affine) or index == own for index, own in zip(indices, variable.indices, strict=True))
    ]
    if not members:
        names.undeclared(tuple([str(index) if isinstance(index, Affine) else index for index in key]), node)
    parts = [as_affine(index) if isinstance(index, int) else index for index in indices]
    for index, at in zip(indices, nodes.arguments(node), strict=True):
        for variable in numeric_variables(index) if isinstance(index, Affine) else ():
            if isinstance(symbol := names.domains[variable][-1], str):
                raise Diagnostic(f"{variable} can be the symbol {symbol}, and an index to be solved is a number", at.at)
    for member in members:
        if isinstance(symbol := names.domains[member][-1], str):
            raise Diagnostic(f"{member} can be the symbol {symbol}, and only numbers are looked up", node.at)
    try:
        return element(parts, members)
    except ModelError as error:
        raise Diagnostic(str(error), node.at) from None


def as_affine(number: Number) -> Affine:
    """A number as an expression."""
    return Affine((), number) if isinstance(number, int) else number


def numeric_variables(expression: Affine) -> Iterator[Variable]:
    """The variables that an expression calculates with; those of the conditions that it counts are not among them."""
    for _, atom in expression.terms:
        if isinstance(atom, Variable):
            yield atom
        else:
            for operand in atom.parts():
                if isinstance(operand, Affine):
                    yield from numeric_variables(operand)


def no_arithmetic(symbol: object, node: nodes.Argument, names: Names) -> NoReturn:
    """Say that symbols are no numbers."""
    hint = suggest_name(symbol, names.params) if isinstance(node, nodes.Name) else ""
    if isinstance(node, nodes.Name) and node.name in names.params:
        hint = f"that is what the param {node.name} is"
    raise Diagnostic(f"{symbol} is a symbol, and symbols have no arithmetic", node.at, hint)


def checked(number: int, node: nodes.Argument) -> int:
    """The number, unless it is too large."""
    if -MAX_NUMBER <= number <= MAX_NUMBER:
        return number
    raise Diagnostic(f"the number is too large: {MAX_NUMBER:,} is the most", node.at)


def compare_values(left: Value, right: Value, node: nodes.Comparison) -> bool:
    """Whether a comparison of values holds; symbols can only be equal or not."""
    if isinstance(left, int) and isinstance(right, int):
        return COMPARE[node.relation](left, right)
    if node.relation in ("=", "!="):
        return (left == right) == (node.relation == "=")
    symbol, side = (left, node.left) if isinstance(left, str) else (right, node.right)
    raise Diagnostic(f"{symbol} is a symbol, and symbols have no order", side.at)
