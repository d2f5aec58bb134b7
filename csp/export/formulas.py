"""The formulas of a model, which the languages with nested expressions spell differently."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations

from ..constraints import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    Either,
    Equality,
    Linear,
    Member,
    Operation,
    Table,
)
from ..model import Model, Value, Variable
from .names import bounds, plain_rows, symbol_numbers

Terms = Sequence[tuple[int, str]]


def factor(text: str) -> str:
    """The text, in parentheses where it is more than a name or a number."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


class Formulas(ABC):
    """Walks over constraints and lets a language spell what it meets.

    Division is the same everywhere: it is by ``d + (d = 0)``, which is never zero, and the constraint around it
    says ``d != 0`` beside what it says itself. So a formula always has a value, whatever a solver makes of a
    division by zero, and a constraint does not hold where its divisor is zero.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    symbols : dict from str to int
        The number of every symbol.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.symbols = symbol_numbers(model)
        self._conditions: list[str] = []

    @abstractmethod
    def name(self, variable: Variable) -> str:
        """The name of a variable."""

    @abstractmethod
    def call(self, operator: str, operands: Sequence[str]) -> str:
        """An operation.

        ``*``, ``//`` and ``mod`` (which round down), ``div`` and ``rem`` (of numbers that are not negative), ``abs``,
        ``min``, ``max``, a relation, ``and``, ``or``, and ``number``, which is 1 where its operand holds, else 0.
        """

    @abstractmethod
    def member(self, text: str, numbers: Sequence[int]) -> str:
        """That an expression is one of some numbers, ascending."""

    @abstractmethod
    def post(self, text: str) -> str:
        """A formula as a constraint of the model."""

    @abstractmethod
    def native(self, constraint: Constraint) -> str | None:
        """A constraint that the language has a form of its own for."""

    def total(self, terms: Terms, constant: int) -> str:
        """A sum of coefficients times expressions, of which there is at least one, and a number."""
        if len(terms) == 1 and terms[0][0] == 1 and not constant:
            return terms[0][1]
        text = ""
        for coefficient, atom in terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + (f"{abs(coefficient)}*" if abs(coefficient) != 1 else "") + factor(atom)
        return text + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")

    def posted(self, constraint: Constraint) -> Iterator[str]:
        """The constraints of the language that together say what one of the model says."""
        if not constraint.scope:
            if not constraint.check({}):
                yield self.post(self.call("or", []))
            return
        text = self.native(constraint)
        if text is None:
            text = self.post(self._meaning(constraint))
        conditions, self._conditions = self._conditions, []
        yield from map(self.post, dict.fromkeys(conditions))
        yield text

    def truth(self, constraint: Constraint) -> str:
        """A formula that is true where the constraint holds, and false elsewhere."""
        outer, self._conditions = self._conditions, []
        meaning = self._meaning(constraint)
        conditions, self._conditions = dict.fromkeys(self._conditions), outer
        return self.call("and", [*conditions, meaning]) if conditions else meaning

    def number_of(self, value: Value) -> int:
        """The number of a value."""
        return self.symbols[value] if isinstance(value, str) else value

    def expression(self, expression: Affine | Value) -> str:
        """An expression, which may be a symbol or a variable of symbols."""
        if not isinstance(expression, Affine):
            return str(self.number_of(expression))
        if not expression.terms:
            return str(expression.constant)
        terms = [(c, self.name(a) if isinstance(a, Variable) else self._operation(a)) for c, a in expression.terms]
        return self.total(terms, expression.constant)

    def _meaning(self, constraint: Constraint) -> str:
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                other = self.name(right) if isinstance(right, Variable) else str(self.number_of(right))
                return self.call("=" if equal else "!=", [self.name(left), other])
            case Linear() | Comparison():
                sides = [self.expression(constraint.left), self.expression(constraint.right)]
                text = self.call(constraint.relation, sides)
                groups = [self._different([*map(self.name, group)]) for group in constraint.different]
                return self.call("and", [text, *groups]) if groups else text
            case Member():
                text = self.expression(constraint.expression)
                numbers = sorted(map(self.number_of, constraint.values))
                return self.member(text, numbers) if numbers else self.call("or", [])
            case Table():
                return self._in_table(constraint)
            case Either():
                return self.call("or", [*map(self.truth, constraint.alternatives)])
            case AllDifferent():
                return self._different([*map(self.expression, constraint.elements)])
        raise NotImplementedError(type(constraint).__name__)

    def _in_table(self, table: Table) -> str:
        rows = plain_rows(table, self.model)
        columns = [*map(self.name, table.scope)] if rows is not None else [*map(self.expression, table.columns)]
        numbers = [[*map(self.number_of, row)] for row in (table.rows if rows is None else rows)]
        if len(columns) == 1 and numbers:
            return self.member(columns[0], sorted({number for (number,) in numbers}))
        return self.call("or", [self._row(columns, [*map(str, row)]) for row in numbers])

    def _row(self, columns: Sequence[str], row: Sequence[str]) -> str:
        return self.call("and", [self.call("=", pair) for pair in zip(columns, row, strict=True)])

    def _different(self, texts: Sequence[str]) -> str:
        return self.call("and", [self.call("!=", pair) for pair in combinations(texts, 2)])

    def _operation(self, operation: Operation) -> str:
        if operation.operator == "count":
            conditions = [operand for operand in operation.operands if isinstance(operand, Constraint)]
            return self.total([(1, self.call("number", [self.truth(condition)])) for condition in conditions], 0)
        operands = [operand for operand in operation.operands if isinstance(operand, Affine)]
        texts = [*map(self.expression, operands)]
        if operation.operator not in ("//", "mod"):
            return self.call(operation.operator, texts)
        dividend, divisor = (bounds(operand, self.model) for operand in operands)
        if not divisor or divisor[0] <= 0 <= divisor[1]:
            self._conditions.append(self.call("!=", [texts[1], "0"]))
            is_zero = self.call("number", [self.call("=", [texts[1], "0"])])
            texts[1] = self.total([(1, texts[1]), (1, is_zero)], 0)
        if dividend and divisor and dividend[0] >= 0 and divisor[0] >= 0:
            return self.call({"//": "div", "mod": "rem"}[operation.operator], texts)
        return self.call(operation.operator, texts)
