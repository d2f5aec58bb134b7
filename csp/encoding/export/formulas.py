"""The formulas of a model, which the languages with nested expressions spell differently."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, pairwise
from typing import TypeVar

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
from .phrases import NamedTerms, Phrase, factor, together

MAX_LENGTH = 100_000_000
"""How many characters the operations of a model take, with each counted again for each that it stands in."""

C = TypeVar("C", bound=Constraint)


class Formulas(ABC):
    """Walks over constraints and lets a language spell what it meets.

    Division is the same everywhere: it is by ``d + (d = 0)``, which is never zero, and the constraint around it
    says ``d != 0`` beside what it says itself, also where the quotient is multiplied by 0. So a formula always has a
    value, whatever a solver makes of a division by zero, and a constraint does not hold where its divisor is zero.

    ``reserved``: names that the language has a meaning for; ``capital``: whether names begin in uppercase.

    Attributes
    ----------
    names : dict from Variable to str
    symbols : dict from str to int
        The number of every symbol.
    statements : list of str
        What stands in the file as constraints, in order. A formula that needs variables of its own says first what
        they are; they have one value wherever the model's have theirs.
    """

    name_pattern = "also_{}"

    def __init__(self, model: Model, reserved: Collection[str] = (), *, capital: bool = False) -> None:
        self.model = model
        self.names = identifiers(model.domains, reserved, capital=capital)
        self.statements: list[str] = []
        self._used_names = {*self.names.values(), *reserved}
        self._ways: dict[Constraint, Phrase] = {}
        self._atoms: dict[tuple[Atom, bool], Phrase] = {}
        self._indices = 0  # how many elements are being written around what is written
        self._length, self._place = 0, ""
        self.symbols = symbol_numbers(model)
        numbers = {domain: tuple(sorted(map(self.number_of, domain))) for domain in set(model.domains.values())}
        self._numbers = {variable: numbers[domain] for variable, domain in model.domains.items()}

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
    def native(self, constraint: Constraint) -> Phrase | None:
        """A constraint that the language has a form of its own for, ready to stand in the file."""

    def least(self, name: str, texts: Sequence[str]) -> list[str]:
        """Formulas that say that a variable is the least of several expressions."""
        return [self.call("=", [name, self.call("min", texts)])]

    @abstractmethod
    def declare(self, name: str, least: int, most: int) -> None:
        """Make a variable of the file's own, with these bounds."""

    def name(self, variable: Variable) -> str:
        """The name of a variable."""
        return self.names[variable]

    def new_name(self) -> str:
        """A name that nothing has."""
        number = 1
        while (name := self.name_pattern.format(number)) in self._used_names:
            number += 1
        self._used_names.add(name)
        return name

    def total(self, terms: NamedTerms, constant: int) -> str:
        """A sum of coefficients times expressions, of which there is at least one, and a number."""
        if len(terms) == 1 and terms[0][0] == 1 and not constant:
            return terms[0][1]
        text = ""
        for coefficient, atom in terms:
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + (f"{abs(coefficient)}*" if abs(coefficient) != 1 else "") + factor(atom)
        return text + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")

    def write(self, constraint: Constraint) -> None:
        """Add the constraints of the language that together say what one of the model says."""
        self._place = constraint.place
        self._write(constraint)

    def _write(self, constraint: Constraint) -> None:
        label = constraint.label
        if not constraint.scope:
            self.statements += [] if constraint.check({}) else [self.post(self.call("or", []), label)]
        elif native := self.native(constraint):
            self.statements += [*self._post_all(native.conditions, label), native.text]
        elif isinstance(constraint, ENCODED_KINDS):
            text, conditions = self._meaning(constraint)
            self.statements += self._post_all([*conditions, text], label)
        else:
            for part in constraint.decomposed():
                self._write(replace(part, label=label))

    def truth(self, constraint: Constraint) -> str:
        """A formula that is true where the constraint holds, and false elsewhere."""
        text, conditions = self._meaning(constraint)
        return self.call("and", [*dict.fromkeys(conditions), text]) if conditions else text

    def goal(self) -> Phrase | None:
        """The expression that is to be small or great, after its conditions were written."""
        if not self.model.objective:
            return None
        self._place = self.model.objective.place
        goal = self.expression(self.model.objective.weighed(self.model.domains))
        self.statements += self._post_all(goal.conditions, "")
        return goal

    def number_of(self, value: Value) -> int:
        """The number of a value."""
        return self.symbols[value] if isinstance(value, str) else value

    def expression(self, expression: Affine | Value) -> Phrase:
        """An expression, which may be a symbol or a variable of symbols."""
        if not isinstance(expression, Affine):
            return Phrase(str(self.number_of(expression)))
        parts = [Phrase(self.name(p)) if isinstance(p, Variable) else self._atom(p) for _, p in expression.terms]
        terms = [(c, text) for (c, _), (text, _) in zip(expression.terms, parts, strict=True) if c]
        text = self.total(terms, expression.constant) if terms else str(expression.constant)
        return Phrase(text, together(parts))

    def expressions(self, expressions: Iterable[Affine | Value]) -> tuple[list[str], tuple[str, ...]]:
        """The texts of several expressions, and the conditions of all."""
        made = [*map(self.expression, expressions)]
        return [text for text, _ in made], together(made)

    def _meaning(self, constraint: Constraint) -> Phrase:
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                other = self.name(right) if isinstance(right, Variable) else str(self.number_of(right))
                return Phrase(self.call("=" if equal else "!=", [self.name(left), other]))
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
        rows = plain_rows(table, self.model)
        columns, conditions = self.expressions(map(Affine.variable, table.scope) if rows is not None else table.columns)
        numbers = [[*map(self.number_of, row)] for row in (table.rows if rows is None else rows)]
        if len(columns) == 1 and numbers:
            return Phrase(self.member(columns[0], sorted({number for (number,) in numbers})), conditions)
        pairs = [zip(columns, map(str, row), strict=True) for row in numbers]
        alternatives = [self.call("and", [self.call("=", pair) for pair in row]) for row in pairs]
        return Phrase(self.call("or", alternatives), conditions)

    def _once(self, constraint: C, write: Callable[[C], Phrase]) -> Phrase:
        """What is written with variables of its own, which are made once."""
        if constraint not in self._ways:
            self._ways[constraint] = write(constraint)
        return self._ways[constraint]

    def _piece(self, connected: Connected) -> Phrase:
        """That the chosen places are reached from the first one that is chosen."""
        chosen = [
            "1" if c is None else self._zero_one(self.call("number", [self.truth(c)])) for _, c in connected.places
        ]
        until = accumulate(chosen, self._maximum)  # whether this or a place before is chosen
        start = [self._sum([(1, here), (-1, before)], 0) for before, here in pairwise(["0", *until])]
        steps = [(i, j, chosen[j]) for i, near in enumerate(connected.neighbours) for j in near]
        needed = [
            there if here == "1" else self.call("or", [self.call("=", [here, "0"]), there])
            for here, there in zip(chosen, self._reachable(start, steps), strict=True)
        ]
        return Phrase(self.call("and", needed[-1:]), tuple(needed[:-1]))

    def _round_trip(self, circuit: Circuit) -> Phrase:
        """That all places are reached from the first one, and that some place leads back."""
        texts, conditions = self.expressions(circuit.elements)
        steps = [
            (i, j, self.call("number", [self.call("=", [text, str(j + 1)])]))
            for i, text in enumerate(texts)
            for j in range(len(texts))
            if i != j
        ]
        reached = self._reachable(["0" if place else "1" for place in range(len(texts))], steps)
        back = [self.call("or", [self.call("=", [text, "1"]) for text in texts])] if texts else []
        return Phrase(self.call("and", back), (*conditions, *reached[1:]))

    def _reachable(self, start: Sequence[str], steps: Sequence[tuple[int, int, str]]) -> list[str]:
        """For each place a formula that is true where steps lead to it from where one starts.

        Every place has a number: 0 where one starts, else one more than the least of those from which a step leads
        here, and the number of all places where that is less. Only one choice of numbers is like that: how many steps
        lead to each place.

        ``start``: for each place what is 1 where one starts there, else 0; ``steps``: from which place to which, and
        what is 1 where one may go, else 0.
        """
        never = len(start)
        numbers = [self._declare_new(0, never) for _ in start]
        least = [[str(never), self._sum([(-never, text)], never)] for text in start]
        for one, other, may in steps:
            least[other].append(self._sum([(1, numbers[one]), (-never, may)], never + 1))
        for number, texts in zip(numbers, least, strict=True):
            for text in self.least(number, [*dict.fromkeys(texts)]):
                self._say(text)
        return [self.call("<", [number, str(never)]) for number in numbers]

    def _maximum(self, one: str, other: str) -> str:
        return "1" if "1" in (one, other) else self._zero_one(self.call("max", [one, other]))

    def _sum(self, terms: NamedTerms, constant: int) -> str:
        """A sum in which numbers stand among the terms."""
        constant += sum(factor * int(text) for factor, text in terms if text.isdigit())
        left = [(factor, text) for factor, text in terms if not text.isdigit()]
        return self.total(left, constant) if left else str(constant)

    def _zero_one(self, text: str) -> str:
        """A variable that is 0 or 1, as an expression is."""
        if not text.isidentifier():
            name = self._declare_new(0, 1)
            self._say(self.call("=", [name, text]))
            return name
        return text

    def _post_all(self, texts: Iterable[str], label: str) -> list[str]:
        return [self.post(text, label) for text in dict.fromkeys(texts)]

    def _declare_new(self, least: int, most: int) -> str:
        name = self.new_name()
        self.declare(name, least, most)
        return name

    def _say(self, text: str) -> None:
        self.statements.append(self.post(text, ""))

    def _atom(self, atom: Atom) -> Phrase:
        key = atom, self._indices > 0
        phrase = self._atoms[key] = self._atoms.get(key) or self._spell(atom)
        self._length += len(phrase.text)
        if self._length > MAX_LENGTH:
            raise ModelError(f"{self._place} takes more than {MAX_LENGTH:,} characters: it is nested too deeply")
        return phrase

    def _spell(self, atom: Atom) -> Phrase:
        if isinstance(atom, Operation):
            return self._operation(atom)
        if not isinstance(atom, Element):
            return self.expression(atom.decomposed())
        self._indices += 1
        phrase = self.expression(atom.decomposed())
        self._indices -= 1
        return self._abbreviate(phrase, atom) if self._indices else phrase

    def _abbreviate(self, phrase: Phrase, element: Element) -> Phrase:
        """Variables for an element and for whether it has a value, because an index is repeated for each member."""
        numbers = [0, *[number for member in element.members for number in self._numbers[member]]]
        name = self._declare_new(min(numbers), max(numbers))
        self._say(self.call("=", [name, phrase.text]))
        conditions = [*dict.fromkeys(phrase.conditions)]
        is_chosen = self._zero_one(self.call("number", [self.call("and", conditions)]))
        return Phrase(name, (self.call("=", [is_chosen, "1"]),))

    def _operation(self, atom: Operation) -> Phrase:
        if atom.operator == "count":
            conditions = [operand for operand in atom.operands if isinstance(operand, Constraint)]
            return Phrase(self.total([(1, self.call("number", [self.truth(one)])) for one in conditions], 0))
        operands = [operand for operand in atom.operands if isinstance(operand, Affine)]
        texts, needed = self.expressions(operands)
        if atom.operator not in ("//", "mod"):
            return Phrase(self.call(atom.operator, texts), needed)
        dividend, divisor = (span(operand, self._numbers) for operand in operands)
        if not divisor or divisor[0] <= 0 <= divisor[1]:
            needed += (self.call("!=", [texts[1], "0"]),)
            is_zero = self.call("number", [self.call("=", [texts[1], "0"])])
            texts[1] = self.total([(1, texts[1]), (1, is_zero)], 0)
        if dividend and divisor and dividend[0] >= 0 and divisor[0] >= 0:
            return Phrase(self.call({"//": "div", "mod": "rem"}[atom.operator], texts), needed)
        return Phrase(self.call(atom.operator, texts), needed)
