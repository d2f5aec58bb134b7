"""Answer set programming, in the language of gringo and clingo."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import ModelError
from ...model import Model, Value, Variable
from ..encoder import Encoder
from ..formula import TooManyClauses
from ..rules import Rules, TooHeavy
from .ground import constant, pool, term
from .names import one_line, title

MAX_NUMBER = 2**31 - 1
"""The largest number of gringo, which does not say when it goes beyond."""


def write_asp(model: Model) -> str:
    """A model in the language of gringo and clingo, with an atom ``value(x,v)`` for every variable of an answer.

    Raises
    ------
    ModelError
        If its numbers are too large for gringo, or its rules too many; the message names what was too large.

    Examples
    --------
    >>> from csp import AllDifferent, Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rules = [AllDifferent.of("xy", label="pair"), Linear(x + 1, "<", y)]
    >>> print(write_asp(Model({"x": (1, 2), "y": (1, 5)}, rules)), end="")
    { value(x,1..2) } = 1.
    { value(y,(1;5)) } = 1.
    <BLANKLINE>
    % pair
    :- value(x,1), value(y,1).
    <BLANKLINE>
    % x + 1 < y
    :- value(x,1), value(y,1).
    :- value(x,2), value(y,1).
    <BLANKLINE>
    #show value/2.
    """
    text = _Text()
    encoder = Encoder(text, model.domains, model.constraints)
    for variable, domain in model.domains.items():
        encoder.terms[variable] = {value: text.value(variable, value) for value in domain}
        text.lines.append(f"{{ value({term(variable)},{pool(domain)}) }} = 1.")
    for constraint in model.constraints:
        text.lines += ["", f"% {title(constraint)}"]
        try:
            encoder.require(constraint)
        except TooManyClauses as error:
            raise ModelError(f"{constraint.place} needs more than {error.most:,} rules, too many to write") from None
    if model.objective:
        text.lines += ["", f"% {one_line(str(model.objective))}"]
        try:
            encoder.minimize(model.objective.weighted_sum(model.domains), model.objective.sign)
        except TooHeavy as error:
            raise ModelError(f"{model.objective.place} needs {error}, the largest number of gringo") from None
    return "\n".join([*text.lines, "", "#show value/2.", ""])


class _Text(Rules):
    """Rules as text. An atom is ``value(x,v)``, or ``also(n)`` where the n-th of all that are made stands for more."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._names = [""]

    def value(self, variable: Variable, value: Value) -> int:
        """The atom of a value of a variable."""
        if isinstance(value, int) and abs(value) > MAX_NUMBER:
            raise ModelError(f"{value:,} is beyond {MAX_NUMBER:,}, the largest number of gringo")
        self._names.append(f"value({term(variable)},{constant(value)})")
        return len(self._names) - 1

    def atom(self) -> int:
        self._names.append(f"also({len(self._names)})")
        return len(self._names) - 1

    def choose(self, variables: Sequence[int]) -> None:
        self.lines += [f"{{ {self._names[variable]} }}." for variable in variables]

    def rule(self, head: int | None, body: Sequence[int]) -> None:
        self.lines.append(f"{self._head(head)}:- {', '.join(map(self._literal, body)) or '#true'}.")

    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        literals = {self._literal(literal): None for literal, weight in body if weight == 1}
        if len(literals) == len(body):
            what = f"{{ {'; '.join(literals)} }}"
        else:
            elements = [f"{weight},{i} : {self._literal(literal)}" for i, (literal, weight) in enumerate(body, 1)]
            what = f"#sum {{ {'; '.join(elements)} }}"
        self.lines.append(f"{self._head(head)}:- {what} >= {least}.")

    def exactly_one(self, literals: Sequence[int]) -> None:
        self.lines.append(f":- {{ {'; '.join(map(self._literal, literals))} }} != 1.")

    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        elements = [f"{weight},{i} : {self._literal(literal)}" for i, (weight, literal) in enumerate(terms, 1)]
        self.lines.append(f"#minimize {{ {'; '.join(elements)} }}.")

    def _head(self, head: int | None) -> str:
        return f"{self._names[head]} " if head else ""

    def _literal(self, literal: int) -> str:
        return self._names[literal] if literal > 0 else f"not {self._names[-literal]}"
