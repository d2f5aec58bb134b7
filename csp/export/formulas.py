"""The formulas of a model, which the languages with nested expressions spell differently."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..encoding.kinds import known
from ..errors import ModelError
from ..model import (
    Affine,
    AllDifferent,
    Atom,
    Comparison,
    Constraint,
    Either,
    Equality,
    Member,
    Model,
    Operation,
    Table,
    Value,
    Variable,
)
from ..model.constraints.circuit import Stop
from ..model.constraints.connected import Reached
from .names import plain_rows, span, symbol_numbers

MOST_PLACES = 4
"""The most places of a piece or a round trip that is written out."""

Terms = Sequence[tuple[int, str]]


class Formula(NamedTuple):
    """What a language writes, and the formulas that must hold besides, because there is no value where they do not."""

    text: str
    conditions: tuple[str, ...] = ()


def factor(text: str) -> str:
    """The text, in parentheses where it is more than a name or a number."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


class Formulas(ABC):
    """Walks over constraints and lets a language spell what it meets.

    Division is the same everywhere: it is by ``d + (d = 0)``, which is never zero, and the constraint around it
    says ``d != 0`` beside what it says itself, also where the quotient is multiplied by 0. So a formula always has a
    value, whatever a solver makes of a division by zero, and a constraint does not hold where its divisor is zero.

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
        numbers = {domain: tuple(sorted(map(self.number_of, domain))) for domain in set(model.domains.values())}
        self._numbers = {variable: numbers[domain] for variable, domain in model.domains.items()}

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
    def post(self, text: str, label: str) -> str:
        """A formula as a constraint of the model, with the label of the constraint that it says."""

    @abstractmethod
    def native(self, constraint: Constraint) -> Formula | None:
        """A constraint that the language has a form of its own for, ready to stand in the file."""

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
        for one in known(constraint):
            if one.scope:
                native = self.native(one)
                meaning = native or self._meaning(one)
                yield from [self.post(condition, one.label) for condition in dict.fromkeys(meaning.conditions)]
                yield meaning.text if native else self.post(meaning.text, one.label)
            elif not one.check({}):
                yield self.post(self.call("or", []), one.label)

    def truth(self, constraint: Constraint) -> str:
        """A formula that is true where the constraint holds, and false elsewhere."""
        text, conditions = self._meaning(constraint)
        return self.call("and", [*dict.fromkeys(conditions), text]) if conditions else text

    def goal(self) -> Formula | None:
        """The expression that is to be small or great."""
        objective = self.model.objective
        return self.expression(objective.expression) if objective else None

    def number_of(self, value: Value) -> int:
        """The number of a value."""
        return self.symbols[value] if isinstance(value, str) else value

    def expression(self, expression: Affine | Value) -> Formula:
        """An expression, which may be a symbol or a variable of symbols."""
        if not isinstance(expression, Affine):
            return Formula(str(self.number_of(expression)))
        parts = [Formula(self.name(p)) if isinstance(p, Variable) else self._atom(p) for _, p in expression.terms]
        terms = [(c, text) for (c, _), (text, _) in zip(expression.terms, parts, strict=True) if c]
        text = self.total(terms, expression.constant) if terms else str(expression.constant)
        return Formula(text, together(parts))

    def expressions(self, expressions: Iterable[Affine | Value]) -> tuple[list[str], tuple[str, ...]]:
        """The texts of several expressions, and the conditions of all."""
        made = [*map(self.expression, expressions)]
        return [text for text, _ in made], together(made)

    def _meaning(self, constraint: Constraint) -> Formula:
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                other = self.name(right) if isinstance(right, Variable) else str(self.number_of(right))
                return Formula(self.call("=" if equal else "!=", [self.name(left), other]))
            case Comparison(left=left, right=right):
                texts, conditions = self.expressions([left, right])
                return Formula(self.call(constraint.relation, texts), conditions)
            case Member():
                text, conditions = self.expression(constraint.expression)
                numbers = sorted(map(self.number_of, constraint.values))
                return Formula(self.member(text, numbers) if numbers else self.call("or", []), conditions)
            case Table():
                return self._in_table(constraint)
            case Either():
                return Formula(self.call("or", [*map(self.truth, constraint.alternatives)]))
            case AllDifferent():
                texts, conditions = self.expressions(constraint.elements)
                return Formula(self.call("and", [self.call("!=", pair) for pair in combinations(texts, 2)]), conditions)
        if isinstance(constraint, Reached):
            self._check_steps(len(constraint.connected.places))
        return Formula(self.call("and", [*map(self.truth, known(constraint))]))

    def _in_table(self, table: Table) -> Formula:
        rows = plain_rows(table, self.model)
        columns, conditions = self.expressions(map(Affine.variable, table.scope) if rows is not None else table.columns)
        numbers = [[*map(self.number_of, row)] for row in (table.rows if rows is None else rows)]
        if len(columns) == 1 and numbers:
            return Formula(self.member(columns[0], sorted({number for (number,) in numbers})), conditions)
        return Formula(self.call("or", [self._row(columns, [*map(str, row)]) for row in numbers]), conditions)

    def _check_steps(self, places: int) -> None:
        """Refuse what would be written out again at each step."""
        if places > MOST_PLACES:
            what = f"a piece or a round trip of {places} places"
            raise ModelError(f"{what} is too large for this language; dimacs and asp say it step by step")

    def _row(self, columns: Sequence[str], row: Sequence[str]) -> str:
        return self.call("and", [self.call("=", pair) for pair in zip(columns, row, strict=True)])

    def _atom(self, atom: Atom) -> Formula:
        if not isinstance(atom, Operation):
            if isinstance(atom, Stop):
                self._check_steps(len(atom.circuit.elements))
            return self.expression(atom.decomposed())
        if atom.operator == "count":
            conditions = [operand for operand in atom.operands if isinstance(operand, Constraint)]
            return Formula(self.total([(1, self.call("number", [self.truth(one)])) for one in conditions], 0))
        operands = [operand for operand in atom.operands if isinstance(operand, Affine)]
        texts, needed = self.expressions(operands)
        if atom.operator not in ("//", "mod"):
            return Formula(self.call(atom.operator, texts), needed)
        dividend, divisor = (span(operand, self._numbers) for operand in operands)
        if not divisor or divisor[0] <= 0 <= divisor[1]:
            needed += (self.call("!=", [texts[1], "0"]),)
            is_zero = self.call("number", [self.call("=", [texts[1], "0"])])
            texts[1] = self.total([(1, texts[1]), (1, is_zero)], 0)
        if dividend and divisor and dividend[0] >= 0 and divisor[0] >= 0:
            return Formula(self.call({"//": "div", "mod": "rem"}[atom.operator], texts), needed)
        return Formula(self.call(atom.operator, texts), needed)


def together(parts: Iterable[Formula]) -> tuple[str, ...]:
    """The conditions of several formulas."""
    return tuple([condition for part in parts for condition in part.conditions])
