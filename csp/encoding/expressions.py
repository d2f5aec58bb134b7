"""Expressions as terms."""

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
    """Terms for expressions, each made once, over the terms of variables."""

    def __init__(self, formula: Formula) -> None:
        super().__init__(formula)
        self.terms: dict[Variable, DirectEncoding] = {}
        self._expressions: dict[Affine, DirectEncoding] = {}
        self._atoms: dict[Hashable, DirectEncoding] = {}

    @abstractmethod
    def holds(self, constraint: Constraint) -> int:
        """A literal that is true where a constraint holds."""

    def term(self, expression: Affine) -> DirectEncoding:
        """What an expression is worth."""
        match expression:
            case Affine(terms=((1, (Variable() | Element()) as whole),), constant=0):  # which may be a symbol
                return self._part(whole)
        if expression not in self._expressions:
            total = self.constant(expression.constant)
            for coefficient, part in expression.terms:
                total = self.combine(total, self._multiple(coefficient, part), _lift(add))
            self._expressions[expression] = total
        return self._expressions[expression]

    def addends(self, coefficient: int, part: Variable | Atom) -> list[DirectEncoding]:
        """Terms that add up to a multiple: a number of conditions is added up one by one."""
        match part:
            case Operation(operator="count", operands=conditions):
                literals = [self.holds(one) for one in conditions if isinstance(one, Constraint)]
                return [{coefficient: one, 0: -one} if coefficient else self.constant(0) for one in literals]
        return [self._multiple(coefficient, part)]

    def _multiple(self, coefficient: int, part: Variable | Atom) -> DirectEncoding:
        return self.image(self._part(part), _lift(lambda value: coefficient * value))

    def _part(self, part: Variable | Atom) -> DirectEncoding:
        if isinstance(part, Variable):
            return self.terms[part]
        if part not in self._atoms:
            self._atoms[part] = self._atom(part)
        return self._atoms[part]

    def _atom(self, atom: Atom) -> DirectEncoding:
        match atom:
            case Operation():
                return self._operation(atom)
            case Element():
                return self._element(atom)
        return self.term(atom.decomposed())

    def _element(self, element: Element) -> DirectEncoding:
        """The values of the members, each where its indices are chosen, and none where no member is."""
        formula = self.formula
        indices = [self.constant(i) if isinstance(i, str) else self.term(i) for i in element.indices]
        chosen = []
        sources: dict[Value | None, list[int]] = {}
        for member in element.members:
            if not all(value in index for value, index in zip(member.indices, indices, strict=True)):
                continue
            here = formula.all([index[value] for value, index in zip(member.indices, indices, strict=True)])
            chosen.append(here)
            for value, literal in self.terms[member].items():
                sources.setdefault(value, []).append(formula.all([here, literal]))
        term = {value: formula.any(literals) for value, literals in sources.items()}
        if len(chosen) < prod(map(len, indices)):
            term[None] = -formula.any(chosen)
        return term

    def _operation(self, operation: Operation) -> DirectEncoding:
        if operation.operator == "count":
            literals = [self.holds(operand) for operand in operation.operands if isinstance(operand, Constraint)]
            return reduce(lambda one, other: self.combine(one, other, _lift(add)), map(self.truth, literals))
        function = _lift(lambda *numbers: operate(operation.operator, numbers))
        terms = [self.term(operand) for operand in operation.operands if isinstance(operand, Affine)]
        if operation.operator == "abs":
            return self.image(terms[0], function)
        return reduce(lambda one, other: self.combine(one, other, function), terms)


def _lift(function: Callable[..., int]) -> Callable[..., Value | None]:
    """The function of numbers, without a value where an argument has none or where it divides by zero."""

    def lifted(*values: Value | None) -> Value | None:
        try:
            return function(*[integer(value) for value in values if value is not None]) if None not in values else None
        except ZeroDivisionError:
            return None

    return lifted
