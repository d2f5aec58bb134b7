"""The base class of exports to languages with nested expressions, and their phrases."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple, TypeVar

from ...base.errors import ModelError
from ...model import (
    Affine,
    AllDifferent,
    Atom,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    Either,
    Element,
    Equality,
    Member,
    Model,
    Operation,
    Table,
    Value,
    Variable,
)
from ..shape import ENCODED_KINDS, decompose_known
from .names import identifiers, plain_rows, span, symbol_numbers

MAX_LENGTH = 100_000_000
"""Maximum number of characters of all operations, where a nested operation is counted at each level."""

NamedTerms = Sequence[tuple[int, str]]
"""The terms of a sum: pairs of coefficient and text."""


class Phrase(NamedTuple):
    """The text of an expression, with the conditions under which the expression is defined.

    ``conditions``: formulas that must hold for the expression to be defined.
    """

    text: str
    conditions: tuple[str, ...] = ()


def factor(text: str) -> str:
    """Return a text in parentheses, or unchanged if it is a single word."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def together(parts: Iterable[Phrase]) -> tuple[str, ...]:
    """Return the conditions under which several phrases are all defined, in one tuple."""
    return tuple([condition for part in parts for condition in part.conditions])


C = TypeVar("C", bound=Constraint)


class Formulas(ABC):
    """A base class that writes constraints as nested formulas, in the spelling of a language.

    The divisor of each division is ``d + (d = 0)``, which is never zero, and the constraint around it also requires ``d
    != 0``, even if the quotient is multiplied by 0. So a formula always has a value, whatever a solver does with a
    division by zero, and a constraint is violated if its divisor is zero.

    ``reserved``: names with a meaning in the language; ``capital``: whether names begin in uppercase.

    Attributes
    ----------
    names : dict from Variable to str
    symbols : dict from str to int
        The number of every symbol.
    statements : list of str
        The constraints of the file, in order. The definitions of auxiliary variables precede the formula that uses
        them; the model's variables determine their values.
    """

    name_pattern = "also_{}"

    def __init__(self, model: Model, reserved: Collection[str] = (), *, capital: bool = False) -> None:
        self.model = model
        self.names = identifiers(model.domains, reserved, capital=capital)
        self.statements: list[str] = []
        self._used_names = {*self.names.values(), *reserved}
        self._connectivity: dict[Constraint, Phrase] = {}
        self._atoms: dict[tuple[Atom, bool], Phrase] = {}
        # The number of elements whose indices are being written around the current expression.
        self._indices = 0
        self._length, self._place = 0, ""
        self.symbols = symbol_numbers(model)
        numbers = {domain: tuple(sorted(map(self.number_of, domain))) for domain in set(model.domains.values())}
        self._numbers = {variable: numbers[domain] for variable, domain in model.domains.items()}

    @abstractmethod
    def call(self, operator: str, operands: Sequence[str]) -> str:
        """Return the text of an operation or a relation applied to operands.

        ``*``, ``//`` and ``mod`` (which round down), ``div`` and ``rem`` (of numbers that are not negative), ``abs``,
        ``min``, ``max``, a relation, ``and``, ``or``, and ``number``, which is 1 if its operand holds, else 0.
        """

    @abstractmethod
    def member(self, text: str, numbers: Sequence[int]) -> str:
        """Return the text of the condition that an expression has one of some ascending numbers."""

    @abstractmethod
    def post(self, text: str, label: str) -> str:
        """Return the text of the statement which requires that a formula holds, with a label."""

    @abstractmethod
    def native(self, constraint: Constraint) -> Phrase | None:
        """Return the statement that the language has for a constraint, as ``Phrase``, or None."""

    def least(self, name: str, texts: Sequence[str]) -> list[str]:
        """Return the texts of formulas which make a variable the minimum of expressions."""
        return [self.call("=", [name, self.call("min", texts)])]

    @abstractmethod
    def declare(self, name: str, least: int, greatest: int) -> None:
        """Declare an auxiliary variable with its least and greatest value."""

    def name(self, variable: Variable) -> str:
        """Return the name of a variable in the language."""
        return self.names[variable]

    def new_name(self) -> str:
        """Return an unused name for an auxiliary variable, and reserve it."""
        number = 1
        while (name := self.name_pattern.format(number)) in self._used_names:
            number += 1
        self._used_names.add(name)
        return name

    def total(self, terms: NamedTerms, constant: int) -> str:
        """Return the text of a sum of terms and a constant."""
        if len(terms) == 1 and terms[0][0] == 1 and not constant:
            return terms[0][1]
        text = ""
        for coefficient, atom in terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + (f"{abs(coefficient)}*" if abs(coefficient) != 1 else "") + factor(atom)
        return text + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")

    def write(self, constraint: Constraint) -> None:
        """Append to ``statements`` those which require that a constraint holds."""
        self._place = constraint.place
        self._write(constraint)

    def _write(self, constraint: Constraint) -> None:
        """Append to ``statements`` those of a constraint, or of its decomposition if necessary."""
        label = constraint.label
        if not constraint.scope:
            self.statements += [] if constraint.check({}) else [self.post(self.call("or", []), label)]
        elif native := self.native(constraint):
            self.statements += [*self._post_all(native.conditions, label), native.text]
        elif isinstance(constraint, ENCODED_KINDS):
            text, conditions = self._meaning(constraint)
            self.statements += self._post_all([*conditions, text], label)
        else:
            for part in constraint.decompose():
                self._write(replace(part, label=label))

    def truth(self, constraint: Constraint) -> str:
        """Return the text of a formula that is equivalent to a constraint."""
        text, conditions = self._meaning(constraint)
        return self.call("and", [*dict.fromkeys(conditions), text]) if conditions else text

    def goal(self) -> Phrase | None:
        """Return the objective as a ``Phrase``; None if the model has no objective.

        Its conditions are added to the statements.
        """
        if not self.model.objective:
            return None
        self._place = self.model.objective.place
        goal = self.expression(self.model.objective.weighted_sum(self.model.domains))
        self.statements += self._post_all(goal.conditions, "")
        return goal

    def number_of(self, value: Value) -> int:
        """Return a number unchanged, and for a symbol the number that represents it."""
        return self.symbols[value] if isinstance(value, str) else value

    def expression(self, expression: Affine | Value) -> Phrase:
        """Return the text of an expression or value, with the conditions that define it."""
        if not isinstance(expression, Affine):
            return Phrase(str(self.number_of(expression)))
        parts = [Phrase(self.name(p)) if isinstance(p, Variable) else self._atom(p) for _, p in expression.terms]
        terms = [(c, text) for (c, _), (text, _) in zip(expression.terms, parts, strict=True) if c]
        text = self.total(terms, expression.constant) if terms else str(expression.constant)
        return Phrase(text, together(parts))

    def expressions(self, expressions: Iterable[Affine | Value]) -> tuple[list[str], tuple[str, ...]]:
        """Return the texts of expressions, and the conditions under which all of them are defined."""
        phrases = [*map(self.expression, expressions)]
        return [text for text, _ in phrases], together(phrases)

    def _meaning(self, constraint: Constraint) -> Phrase:
        """Return the ``Phrase`` whose text and conditions all hold exactly if a constraint holds."""
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                right_text = self.name(right) if isinstance(right, Variable) else str(self.number_of(right))
                return Phrase(self.call("=" if equal else "!=", [self.name(left), right_text]))
            case Comparison(left=left, right=right):
                texts, conditions = self.expressions([left, right])
                return Phrase(self.call(constraint.relation, texts), conditions)
            case Member():
                text, conditions = self.expression(constraint.expression)
                numbers = sorted(map(self.number_of, constraint.values))
                return Phrase(self.member(text, numbers) if numbers else self.call("or", []), conditions)
            case Table():
                return self._in_table(constraint)
            case Either():
                return Phrase(self.call("or", [*map(self.truth, constraint.alternatives)]))
            case AllDifferent():
                texts, conditions = self.expressions(constraint.elements)
                return Phrase(self.call("and", [self.call("!=", pair) for pair in combinations(texts, 2)]), conditions)
            case Connected():
                return self._once(constraint, self._piece)
            case Circuit():
                return self._once(constraint, self._round_trip)
        return Phrase(self.call("and", [*map(self.truth, decompose_known(constraint))]))

    def _in_table(self, table: Table) -> Phrase:
        """Return the ``Phrase`` of a table constraint: some row has the values of the columns."""
        rows = plain_rows(table, self.model)
        columns, conditions = self.expressions(map(Affine.variable, table.scope) if rows is not None else table.columns)
        numbers = [[*map(self.number_of, row)] for row in (table.rows if rows is None else rows)]
        if len(columns) == 1 and numbers:
            return Phrase(self.member(columns[0], sorted({number for (number,) in numbers})), conditions)
        pairs = [zip(columns, map(str, row), strict=True) for row in numbers]
        alternatives = [self.call("and", [self.call("=", pair) for pair in row]) for row in pairs]
        return Phrase(self.call("or", alternatives), conditions)

    def _once(self, constraint: C, write: Callable[[C], Phrase]) -> Phrase:
        """Return the cached ``Phrase`` of a constraint; ``write`` makes it on first use."""
        if constraint not in self._connectivity:
            self._connectivity[constraint] = write(constraint)
        return self._connectivity[constraint]

    def _piece(self, connected: Connected) -> Phrase:
        """Return the ``Phrase`` of a ``connected`` constraint, which uses new distance variables.

        All chosen places can be reached from the first chosen place.
        """
        chosen = [
            "1" if c is None else self._zero_one(self.call("number", [self.truth(c)])) for _, c in connected.places
        ]
        # For each place, whether it or a preceding place is chosen; the first such place is the start.
        any_before = accumulate(chosen, self._maximum)
        start = [self._sum([(1, is_chosen), (-1, previous)], 0) for previous, is_chosen in pairwise(["0", *any_before])]
        steps = [(i, j, chosen[j]) for i, place_neighbours in enumerate(connected.neighbours) for j in place_neighbours]
        formulas = [
            is_reachable if is_chosen == "1" else self.call("or", [self.call("=", [is_chosen, "0"]), is_reachable])
            for is_chosen, is_reachable in zip(chosen, self._reachable(start, steps), strict=True)
        ]
        return Phrase(self.call("and", formulas[-1:]), tuple(formulas[:-1]))

    def _round_trip(self, circuit: Circuit) -> Phrase:
        """Return the ``Phrase`` of a ``circuit`` constraint, which uses new distance variables.

        All places can be reached from the first place, and some place leads back to it.
        """
        texts, conditions = self.expressions(circuit.elements)
        steps = [
            (i, j, self.call("number", [self.call("=", [text, str(j + 1)])]))
            for i, text in enumerate(texts)
            for j in range(len(texts))
            if i != j
        ]
        is_reachable = self._reachable(["0" if place else "1" for place in range(len(texts))], steps)
        returning = [self.call("or", [self.call("=", [text, "1"]) for text in texts])] if texts else []
        return Phrase(self.call("and", returning), (*conditions, *is_reachable[1:]))

    def _reachable(self, start: Sequence[str], steps: Sequence[tuple[int, int, str]]) -> list[str]:
        """Add distance variables; return for each place the condition that a start reaches it.

        Every place has a number, its distance: 0 at a start, else one more than the least distance of the places from
        which a step leads to it, and at most the number of places. Only the lengths of shortest paths satisfy this.

        ``start``: for each place a text that is 1 if it is a start, else 0; ``steps``: source, target, and a text that
        is 1 if the step is allowed, else 0.
        """
        unreachable = len(start)
        distances = [self._declare_new(0, unreachable) for _ in start]
        candidates = [[str(unreachable), self._sum([(-unreachable, text)], unreachable)] for text in start]
        for source, target, may_step in steps:
            candidates[target].append(self._sum([(1, distances[source]), (-unreachable, may_step)], unreachable + 1))
        for distance, texts in zip(distances, candidates, strict=True):
            for text in self.least(distance, [*dict.fromkeys(texts)]):
                self._state(text)
        return [self.call("<", [distance, str(unreachable)]) for distance in distances]

    def _maximum(self, left: str, right: str) -> str:
        """Return the text of the maximum of two expressions that are 0 or 1."""
        return "1" if "1" in (left, right) else self._zero_one(self.call("max", [left, right]))

    def _sum(self, terms: NamedTerms, constant: int) -> str:
        """Return the text of a sum; terms whose text is a number join the constant."""
        constant += sum(factor * int(text) for factor, text in terms if text.isdigit())
        named_terms = [(factor, text) for factor, text in terms if not text.isdigit()]
        return self.total(named_terms, constant) if named_terms else str(constant)

    def _zero_one(self, text: str) -> str:
        """Return the name of a 0-1 variable that equals an expression; declare it if necessary."""
        if not text.isidentifier():
            name = self._declare_new(0, 1)
            self._state(self.call("=", [name, text]))
            return name
        return text

    def _post_all(self, texts: Iterable[str], label: str) -> list[str]:
        """Return the text of a statement with the label for each different formula."""
        return [self.post(text, label) for text in dict.fromkeys(texts)]

    def _declare_new(self, least: int, greatest: int) -> str:
        """Declare an auxiliary variable with bounds, and return its name."""
        name = self.new_name()
        self.declare(name, least, greatest)
        return name

    def _state(self, text: str) -> None:
        """Append the statement which requires that a formula holds, without a label."""
        self.statements.append(self.post(text, ""))

    def _atom(self, atom: Atom) -> Phrase:
        """Return the cached ``Phrase`` of an atom; raise ``ModelError`` if texts become too long."""
        key = atom, self._indices > 0
        phrase = self._atoms[key] = self._atoms.get(key) or self._spell(atom)
        self._length += len(phrase.text)
        if self._length > MAX_LENGTH:
            raise ModelError(f"{self._place} takes more than {MAX_LENGTH:,} characters; give nested parts variables")
        return phrase

    def _spell(self, atom: Atom) -> Phrase:
        """Make the ``Phrase`` of an operation, or of another atom by its decomposition."""
        if isinstance(atom, Operation):
            return self._operation(atom)
        if not isinstance(atom, Element):
            return self.expression(atom.decompose())
        self._indices += 1
        phrase = self.expression(atom.decompose())
        self._indices -= 1
        return self._abbreviate(phrase, atom) if self._indices else phrase

    def _abbreviate(self, phrase: Phrase, element: Element) -> Phrase:
        """Replace the ``Phrase`` of a nested element by new variables for value and condition.

        Decomposed elements repeat their index for each member, so that nested elements would grow exponentially.
        """
        numbers = [0, *[number for member in element.members for number in self._numbers[member]]]
        name = self._declare_new(min(numbers), max(numbers))
        self._state(self.call("=", [name, phrase.text]))
        conditions = [*dict.fromkeys(phrase.conditions)]
        is_chosen = self._zero_one(self.call("number", [self.call("and", conditions)]))
        return Phrase(name, (self.call("=", [is_chosen, "1"]),))

    def _operation(self, atom: Operation) -> Phrase:
        """Return the ``Phrase`` of an operation such as ``min``, ``//`` or ``count``."""
        if atom.operator == "count":
            conditions = [operand for operand in atom.operands if isinstance(operand, Constraint)]
            return Phrase(
                self.total([(1, self.call("number", [self.truth(condition)])) for condition in conditions], 0)
            )
        operands = [operand for operand in atom.operands if isinstance(operand, Affine)]
        texts, conditions_needed = self.expressions(operands)
        if atom.operator not in ("//", "mod"):
            return Phrase(self.call(atom.operator, texts), conditions_needed)
        dividend, divisor = (span(operand, self._numbers) for operand in operands)
        # A divisor that can be zero is replaced, and the condition is required.
        if not divisor or divisor[0] <= 0 <= divisor[1]:
            conditions_needed += (self.call("!=", [texts[1], "0"]),)
            is_zero = self.call("number", [self.call("=", [texts[1], "0"])])
            texts[1] = self.total([(1, texts[1]), (1, is_zero)], 0)
        # Without negative numbers, all roundings agree.
        if dividend and divisor and dividend[0] >= 0 and divisor[0] >= 0:
            return Phrase(self.call({"//": "div", "mod": "rem"}[atom.operator], texts), conditions_needed)
        return Phrase(self.call(atom.operator, texts), conditions_needed)
