"""Export to answer set programming, in the language of gringo and clingo."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...base.errors import ModelError
from ...base.notation import intervals
from ...model import Domain, Model, Value, Variable
from ..encoder import Encoder
from ..formula import Rules, TooHeavy, TooManyClauses
from .names import one_line, title

MAX_NUMBER = 2**31 - 1
"""The largest integer of gringo, which overflows without a message."""


def write_asp(model: Model) -> str:
    """Return a model as a program in the language of gringo.

    The file has an atom ``value(x,v)`` for every variable of an answer.

    Raises
    ------
    ModelError
        If a number is too large for gringo, or there are too many rules. The message names the number or constraint.

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
    """A formula that writes its rules as lines of text for gringo.

    An atom is ``value(x,v)`` for a value of a variable, or ``also(n)`` for the n-th atom of the file.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._names = [""]

    def value(self, variable: Variable, value: Value) -> int:
        """Return a new atom that states that a variable has a value."""
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
            condition = f"{{ {'; '.join(literals)} }}"
        else:
            elements = [
                f"{weight},{index} : {self._literal(literal)}" for index, (literal, weight) in enumerate(body, 1)
            ]
            condition = f"#sum {{ {'; '.join(elements)} }}"
        self.lines.append(f"{self._head(head)}:- {condition} >= {least}.")

    def exactly_one(self, literals: Sequence[int]) -> None:
        self.lines.append(f":- {{ {'; '.join(map(self._literal, literals))} }} != 1.")

    def prefer(self, terms: Sequence[tuple[int, int]]) -> None:
        elements = [f"{weight},{index} : {self._literal(literal)}" for index, (weight, literal) in enumerate(terms, 1)]
        self.lines.append(f"#minimize {{ {'; '.join(elements)} }}.")

    def _head(self, head: int | None) -> str:
        """Return the text of a rule's head and a space, or an empty text."""
        return f"{self._names[head]} " if head else ""

    def _literal(self, literal: int) -> str:
        """Return the text of a literal, with ``not`` if it is negated."""
        return self._names[literal] if literal > 0 else f"not {self._names[-literal]}"


def term(variable: Variable) -> str:
    """Return a variable as the text of a ground term, in quotes if necessary.

    Examples
    --------
    >>> [term(variable) for variable in (Variable("cell", 1, "Big"), Variable("A"))]
    ['cell(1,"Big")', '"A"']
    """
    if not _is_word(variable.family):
        return _quoted(variable)
    indices = ",".join(map(constant, variable.indices))
    return f"{variable.family}({indices})" if indices else variable.family


def constant(value: Value) -> str:
    """Return a value as the text of a number, word or quoted string.

    Examples
    --------
    >>> [constant(value) for value in (-1, "red", "Big Red", "not")]
    ['-1', 'red', '"Big Red"', '"not"']
    """
    if isinstance(value, int):
        return str(value)
    return value if _is_word(value) else _quoted(value)


def _is_word(text: str) -> bool:
    """Return whether gringo reads a text as a constant without quotes."""
    return bool(re.fullmatch("[a-z][A-Za-z0-9_]*", text)) and text != "not"


def _quoted(text: str) -> str:
    """Return a text as a string of gringo, in quotes and with escapes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def row(texts: Sequence[str]) -> str:
    """Return the text of a gringo tuple from the texts of its terms."""
    return f"({','.join(texts)}{',' if len(texts) == 1 else ''})"


def pool(domain: Domain) -> str:
    """Return the text of a domain in gringo, with runs of numbers as intervals.

    Examples
    --------
    >>> pool((1, 2, 3, 7, "red")), pool((1, 2))
    ('(1..3;7;red)', '1..2')
    """
    numbers = [value for value in domain if isinstance(value, int)]
    texts = [str(low) if low == high else f"{low}..{high}" for low, high in intervals(sorted(numbers))]
    texts += [constant(value) for value in domain if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else f"({';'.join(texts)})"
