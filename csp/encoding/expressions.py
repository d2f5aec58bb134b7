"""Terms (a literal for each value) of expressions; equal expressions share a term."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from functools import reduce
from math import prod
from operator import add

from ..model import Affine, Atom, Constraint, Element, Operation, Value, Variable, operate
from ..model.variable import integer
from .formula import Formula
from .sums import Sums
from .terms import DirectEncoding


class Expressions(Sums, ABC):
    """A maker of terms for expressions, from the terms of their variables."""

    def __init__(self, formula: Formula) -> None:
        super().__init__(formula)
        self.terms: dict[Variable, DirectEncoding] = {}
        self._expressions: dict[Affine, DirectEncoding] = {}
        self._atoms: dict[Hashable, DirectEncoding] = {}

    @abstractmethod
    def holds(self, constraint: Constraint) -> int:
        """Return a literal that is true if and only if a constraint holds."""

    def term(self, expression: Affine) -> DirectEncoding:
        """Return the term of an expression: a literal for each of its values."""
        # A variable or element may have symbols as values, so that arithmetic must not touch it.
        match expression:
            case Affine(terms=((1, (Variable() | Element()) as atom),), constant=0):
                return self._part(atom)
        if expression not in self._expressions:
            total = self.constant(expression.constant)
            for coefficient, part in expression.terms:
                total = self.combine(total, self._multiple(coefficient, part), _lift(add))
            self._expressions[expression] = total
        return self._expressions[expression]

    def addends(self, coefficient: int, part: Variable | Atom) -> list[DirectEncoding]:
        """Return encoded terms whose sum is ``coefficient * part``.

        A count has one term for each condition.
        """
        match part:
            case Operation(operator="count", operands=conditions):
                literals = [self.holds(condition) for condition in conditions if isinstance(condition, Constraint)]
                return [{coefficient: x, 0: -x} if coefficient else self.constant(0) for x in literals]
        return [self._multiple(coefficient, part)]

    def _multiple(self, coefficient: int, part: Variable | Atom) -> DirectEncoding:
        """Return the term of ``coefficient * part``."""
        return self.image(self._part(part), _lift(lambda value: coefficient * value))

    def _part(self, part: Variable | Atom) -> DirectEncoding:
        """Return the term of a variable or an atom; equal atoms share a term."""
        if isinstance(part, Variable):
            return self.terms[part]
        if part not in self._atoms:
            self._atoms[part] = self._atom(part)
        return self._atoms[part]

    def _atom(self, atom: Atom) -> DirectEncoding:
        """Make the term of an operation, an element or another atom."""
        match atom:
            case Operation():
                return self._operation(atom)
            case Element():
                return self._element(atom)
        return self.term(atom.decompose())

    def _element(self, element: Element) -> DirectEncoding:
        """Make the term of an element ``family(index, ...)``.

        It is undefined if the indices choose no member.
        """
        formula = self.formula
        indices = [self.constant(i) if isinstance(i, str) else self.term(i) for i in element.indices]
        member_literals = []
        sources: dict[Value | None, list[int]] = {}
        for member in element.members:
            if not all(value in index for value, index in zip(member.indices, indices, strict=True)):
                continue
            is_member = formula.all([index[value] for value, index in zip(member.indices, indices, strict=True)])
            member_literals.append(is_member)
            for value, literal in self.terms[member].items():
                sources.setdefault(value, []).append(formula.all([is_member, literal]))
        # A value holds if one of its members is chosen and has it.
        term = {value: formula.any(literals) for value, literals in sources.items()}
        if len(member_literals) < prod(map(len, indices)):
            term[None] = -formula.any(member_literals)
        return term

    def _operation(self, operation: Operation) -> DirectEncoding:
        """Make the term of an operation by combining the terms of its operands."""
        if operation.operator == "count":
            literals = [self.holds(operand) for operand in operation.operands if isinstance(operand, Constraint)]
            return reduce(lambda left, right: self.combine(left, right, _lift(add)), map(self.truth, literals))
        function = _lift(lambda *numbers: operate(operation.operator, numbers))
        terms = [self.term(operand) for operand in operation.operands if isinstance(operand, Affine)]
        if operation.operator == "abs":
            return self.image(terms[0], function)
        return reduce(lambda left, right: self.combine(left, right, function), terms)


def _lift(function: Callable[..., int]) -> Callable[..., Value | None]:
    """Return a function that yields None for undefined arguments and for a division by zero."""

    def lifted_function(*values: Value | None) -> Value | None:
        try:
            return function(*[integer(value) for value in values if value is not None]) if None not in values else None
        except ZeroDivisionError:
            return None

    return lifted_function
