"""Answer set programming, in the language of gringo and clingo."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ModelError
from ..model import (
    Affine,
    AllDifferent,
    Atom,
    Comparison,
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
from .ground import constant, pool, row, term
from .names import all_values, integers, known, one_line, parts, plain_rows, span, title

MAX_NUMBER = 2**31 - 1
"""The largest number of gringo, which does not say when it goes beyond."""

GROUP = ":- group(G,X), group(G,Y), X < Y, value(X,V), value(Y,V)."


def write_asp(model: Model) -> str:
    """A model in the language of gringo and clingo, with an atom ``value(x,v)`` for every variable of an answer.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str

    Raises
    ------
    ModelError
        If its numbers are too large for gringo.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rules = [AllDifferent.of("xy", label="pair"), Linear(x + 1, "<", y)]
    >>> print(write_asp(Model({"x": (1, 2), "y": (1, 5)}, rules)), end="")
    { value(x,1..2) } = 1.
    { value(y,(1;5)) } = 1.
    <BLANKLINE>
    % pair
    group(1,(x;y)).
    <BLANKLINE>
    % x + 1 < y
    holds(1) :- #sum { V,x : value(x,V); -V,y : value(y,V) } < -1.
    :- not holds(1).
    <BLANKLINE>
    :- group(G,X), group(G,Y), X < Y, value(X,V), value(Y,V).
    #show value/2.
    """
    return _Writer(model).text()


class _Writer:
    """Numbers every expression and every condition that needs rules of its own.

    ``number(n,v)`` says that the n-th expression is worth v, and there is no such atom where it has no value;
    ``holds(n)`` says that the n-th condition holds.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lines: list[str] = []
        self.terms = {variable: term(variable) for variable in model.domains}
        self.integers = integers(model)
        self.numbers: dict[Affine | Atom | Constraint, int] = {}
        self.relations: dict[tuple[tuple[Value, ...], ...], int] = {}
        self.groups = 0

    def text(self) -> str:
        self._check()
        self.lines = [f"{{ value({self.terms[v]},{pool(domain)}) }} = 1." for v, domain in self.model.domains.items()]
        for constraint in self.model.constraints:
            self.lines += ["", f"% {title(constraint)}"]
            for one in known(constraint):
                self._require(one)
        return "\n".join([*self.lines, "", *([GROUP] if self.groups else []), "#show value/2.", ""])

    def _require(self, constraint: Constraint) -> None:
        if isinstance(constraint, AllDifferent) and all(element.is_variable for element in constraint.elements):
            self.groups += 1
            self.lines.append(f"group({self.groups},({';'.join(self.terms[v] for v in constraint.scope)})).")
        else:
            self.lines.append(f":- not {self._condition(constraint)}.")

    def _check(self) -> None:
        """Refuse numbers that gringo would silently take for others."""
        for value in all_values(self.model):
            if isinstance(value, int) and abs(value) > MAX_NUMBER:
                raise ModelError(f"{value:,} is beyond {MAX_NUMBER:,}, the largest number of gringo")
        for part in (part for constraint in self.model.constraints for part in parts(constraint)):
            expression = part.difference if isinstance(part, Comparison) else part
            if isinstance(expression, Affine) and not expression.is_variable:
                most = abs(expression.constant) + sum(self._weight(*one) for one in expression.terms)
                if most > MAX_NUMBER:
                    raise ModelError(f"{part} can go beyond {MAX_NUMBER:,}, the largest number of gringo")

    def _weight(self, coefficient: int, part: Variable | Atom) -> int:
        """The weights of a variable, which clasp adds up over all its values, or the most that an operation adds."""
        if isinstance(part, Variable):
            return abs(coefficient) * sum(abs(value) for value in self.model.domains[part] if isinstance(value, int))
        pair = span(Affine(((coefficient, part),)), self.integers)
        return max(map(abs, pair)) if pair else 0

    def _number(self, key: Affine | Atom | Constraint) -> int:
        return self.numbers.setdefault(key, len(self.numbers) + 1)

    # conditions

    def _condition(self, constraint: Constraint) -> str:
        """The atom that says that a constraint holds."""
        if constraint not in self.numbers:
            bodies = self._bodies(constraint)
            number = self._number(constraint)
            self.lines += [f"holds({number}) :- {body}." for body in bodies]
            if not bodies:
                self.lines.append(f"holds({number}) :- #false.")
        return f"holds({self.numbers[constraint]})"

    def _bodies(self, constraint: Constraint) -> list[str]:
        """What makes a constraint hold, one or the other."""
        match constraint:
            case Equality(left=left, right=right, equal=equal):
                atoms = [f"value({self.terms[left]},V)"]
                atoms += [f"value({self.terms[right]},W)"] if isinstance(right, Variable) else []
                other = "W" if isinstance(right, Variable) else constant(right)
                return [", ".join([*atoms, f"V {'=' if equal else '!='} {other}"])]
            case Comparison(left=left, right=right, difference=difference):
                atoms = [f"{self._sum(difference)} {constraint.relation} {-difference.constant}"]
                defined = dict.fromkeys((*left.atoms, *right.atoms))
                return [", ".join([*atoms, *(self._atom(atom, "_") for atom in defined)])]
            case Member():
                atoms = [self._is(constraint.expression, "V"), f"V = {pool(constraint.values)}"]
                return [", ".join(atoms)] if constraint.values else []
            case Table():
                return self._table(constraint)
            case Either():
                return [self._condition(alternative) for alternative in constraint.alternatives]
            case AllDifferent():
                return [self._different(constraint)]
        return [", ".join(map(self._condition, known(constraint))) or "#true"]

    def _table(self, table: Table) -> list[str]:
        rows = plain_rows(table, self.model)
        columns: Sequence[Affine | Value] = [*map(Affine.variable, table.scope)]
        if rows is None:
            columns, rows = table.columns, list(dict.fromkeys(table.rows))
        if not rows:
            return []
        number = self.relations.get(tuple(rows))
        if number is None:
            number = self.relations[tuple(rows)] = len(self.relations) + 1
            self.lines += [f"row({number},{row([constant(value) for value in one])})." for one in rows]
        names = [f"V{i}" if isinstance(c, Affine) else constant(c) for i, c in enumerate(columns, 1)]
        atoms = [self._is(c, name) for c, name in zip(columns, names, strict=True) if isinstance(c, Affine)]
        return [", ".join([*atoms, f"row({number},{row(names)})"])]

    def _different(self, constraint: AllDifferent) -> str:
        number = self._number(constraint)
        elements = [f"element({number},{i},V)" for i in range(1, len(constraint.elements) + 1)]
        for head, element in zip(elements, constraint.elements, strict=True):
            self.lines.append(f"{head} :- {self._is(element, 'V')}.")
        self.lines.append(f"clash({number}) :- element({number},I,V), element({number},J,V), I < J.")
        return ", ".join([f"not clash({number})", *(element.replace("V)", "_)") for element in elements)])

    def _sum(self, expression: Affine) -> str:
        elements = []
        for coefficient, part in expression.terms:
            weight = {1: "V", -1: "-V"}.get(coefficient, f"{coefficient}*V")
            key = self.terms[part] if isinstance(part, Variable) else self._defined(part)
            elements.append(f"{weight},{key} : {self._atom(part, 'V')}")
        return f"#sum {{ {'; '.join(elements)} }}"

    # expressions

    def _is(self, expression: Affine, name: str) -> str:
        """Atoms that say that an expression is worth what a logical variable is worth."""
        if not expression.terms:
            return f"{name} = {expression.constant}"
        first, *more = expression.terms
        if not more and first[0] == 1 and not expression.constant:
            return self._atom(first[1], name)
        if len(expression.terms) <= 2:
            names = [f"{name}{letter}" for letter in "AB"]
            text = " + ".join([f"{c}*{own}" for (c, _), own in zip(expression.terms, names, strict=False)])
            atoms = [self._atom(part, own) for (_, part), own in zip(expression.terms, names, strict=False)]
            return ", ".join([*atoms, f"{name} = {text} + {expression.constant}"])
        return f"number({self._partial_sum(expression)},{name})"

    def _partial_sum(self, expression: Affine) -> int:
        """The number of an expression that is made term by term, so that its rules stay small."""
        if expression not in self.numbers:
            rest, last = Affine(expression.terms[:-1], expression.constant), Affine(expression.terms[-1:])
            body = f"{self._is(rest, 'V')}, {self._is(last, 'W')}"
            self.lines.append(f"number({self._number(expression)},V+W) :- {body}.  % {expression}")
        return self.numbers[expression]

    def _atom(self, part: Variable | Atom, name: str) -> str:
        if isinstance(part, Variable):
            return f"value({self.terms[part]},{name})"
        return f"number({self._defined(part)},{name})"

    def _defined(self, atom: Atom) -> int:
        """The number of an operation or an element, which has its rules."""
        if atom not in self.numbers:
            rules = self._rules(atom)
            number = self._number(atom)
            self.lines += [f"number({number},{head}) :- {body}.  % {one_line(str(atom))}" for head, body in rules]
        return self.numbers[atom]

    def _rules(self, atom: Atom) -> list[tuple[str, str]]:
        """Heads and bodies."""
        match atom:
            case Operation(operator="count"):
                return [self._count(atom)]
            case Operation():
                return [self._arithmetic(atom)]
            case Element():
                return [("V", self._chosen(atom, member)) for member in atom.members]
        return [("V", self._is(atom.decomposed(), "V"))]

    def _chosen(self, element: Element, member: Variable) -> str:
        """Atoms that say that an element is a member, which is worth V."""
        names = [f"I{place}" for place in range(1, len(element.expressions) + 1)]
        atoms = [self._is(index, name) for index, name in zip(element.expressions, names, strict=True)]
        atoms += [f"{name} = {number}" for name, number in zip(names, element.numbers(member), strict=True)]
        return ", ".join([*atoms, self._atom(member, "V")])

    def _count(self, operation: Operation) -> tuple[str, str]:
        atoms = [self._condition(operand) for operand in operation.operands if isinstance(operand, Constraint)]
        return "V", f"V = #sum {{ {'; '.join(f'1,{i} : {atom}' for i, atom in enumerate(atoms, 1))} }}"

    def _arithmetic(self, operation: Operation) -> tuple[str, str]:
        operands = [operand for operand in operation.operands if isinstance(operand, Affine)]
        if len(operands) > 2:
            rest = Operation(operation.operator, operation.operands[:-1])
            operands = [Affine(((1, rest),)), operands[-1]]
        body = ", ".join(self._is(operand, name) for operand, name in zip(operands, ("V", "W"), strict=False))
        match operation.operator:
            case "abs":
                return "|V|", body
            case "min" | "max" if len(operands) == 1:
                return "V", body
            case "min" | "max":
                return "U", f"{body}, U = #{operation.operator} {{ V; W }}"
            case "*":
                return "*".join(("V", "W")[: len(operands)]), body
        remainder = "((V\\W+W)\\W)"  # rounded down; \ and / of gringo round towards zero
        return remainder if operation.operator == "mod" else f"(V-{remainder})/W", f"{body}, W != 0"
