"""What makes one solution better than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field, replace
from typing import Literal, get_args

from ..base.errors import ModelError
from ..base.frozen import Frozen
from ..base.notation import Domain, Quote, Value, quoted
from .bounds import bounds
from .expression import Affine
from .operand import operand, operands
from .variable import Variable

Sense = Literal["minimize", "maximize"]


class Objective(Frozen):
    """``minimize(E)`` or ``maximize(E)``; with more expressions, each decides among what is best by those before.

    What has no value, as after a division by zero, is no solution.

    Parameters
    ----------
    sense : {"minimize", "maximize"}
    expression : Affine
    others : tuple of Affine
        The levels below: what decides, in this order, among solutions that are equally good so far.
    line : int
        The line of the spec it came from, 0 when there is none.
    file : str
        The file of that line; empty for the spec itself. Neither takes part in comparisons.

    Raises
    ------
    ModelError
        If there is no such sense, or the expression has no variable.

    Examples
    --------
    >>> objective = Objective("maximize", Affine.variable("x") * 2)
    >>> print(objective, objective.value({"x": 3}), objective.sign)
    maximize(2*x) 6 -1
    >>> print(Objective("minimize", Affine.variable("x"), (Affine.variable("y") + 1,)).worth({"x": 3, "y": 4}))
    (3, 5)
    """

    sense: Sense
    expression: Affine
    others: tuple[Affine, ...] = ()
    _: KW_ONLY
    line: int = field(default=0, compare=False)
    file: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.sense not in get_args(Sense):
            raise ModelError(f"{self.sense} is neither minimize nor maximize")
        object.__setattr__(self, "expression", operand(self.expression))
        object.__setattr__(self, "others", operands(self.others))
        for expression in self.expressions:
            if not expression.variables:
                raise ModelError(f"{expression} has no variable, and all solutions are equally good")

    @property
    def expressions(self) -> tuple[Affine, ...]:
        """All expressions, the one that matters most first."""
        return (self.expression, *self.others)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What any of its expressions names, each once."""
        return tuple(dict.fromkeys([v for expression in self.expressions for v in expression.variables]))

    @property
    def levels(self) -> tuple[Objective, ...]:
        """An objective for every expression."""
        return tuple([replace(self, expression=one, others=()) for one in self.expressions])

    def weighed(self, domains: Mapping[Variable, Domain]) -> Affine:
        """One expression that orders assignments as all do: each level weighs more than those below come to.

        Examples
        --------
        >>> x, y = Affine.variable("x"), Affine.variable("y")
        >>> print(Objective("minimize", x, (y,)).weighed({"x": (1, 2), "y": (1, 2, 3)}))
        3*x + y
        """
        total, weight = self.expressions[-1], 1
        for one, below in zip(self.expressions[-2::-1], self.others[::-1], strict=True):
            try:
                low, high = bounds(below, domains)
            except ZeroDivisionError:
                low = high = 0
            weight *= high - low + 1
            total = one * weight + total
        return total

    @property
    def sign(self) -> int:
        """What the expression is multiplied by so that less is better."""
        return 1 if self.sense == "minimize" else -1

    @property
    def superlative(self) -> str:
        """What the best value is called: the least or the greatest."""
        return "least" if self.sense == "minimize" else "greatest"

    @property
    def place(self) -> str:
        """Its text and the line of the spec, as messages print them."""
        where = f"{self.file} line {self.line}" if self.file else f"line {self.line}"
        return f"{self} ({where})" if self.line else str(self)

    def value(self, values: Mapping[str, Value]) -> int:
        """How good an assignment is by the first expression.

        Raises
        ------
        ZeroDivisionError
            If the expression has no value there.
        """
        return self.expression.number(values)

    def worth(self, values: Mapping[str, Value]) -> int | tuple[int, ...]:
        """How good an assignment is: a number, or one for each of several expressions."""
        return tuple([one.number(values) for one in self.expressions]) if self.others else self.value(values)

    def is_better(self, worth: int | tuple[int, ...], known: int | tuple[int, ...]) -> bool:
        """Whether one worth is better than another."""
        return (worth < known) if self.sign > 0 else (worth > known)  # type: ignore[operator]

    def told(self, worth: int | tuple[int, ...]) -> str:
        """How good something is, as answers print it."""
        return ", ".join(map(str, worth)) if isinstance(worth, tuple) else str(worth)

    def text(self, quote: Quote = quoted) -> str:
        """As the language writes it, without full stop."""
        return f"{self.sense}({', '.join([one.text(quote) for one in self.expressions])})"

    def __str__(self) -> str:
        return self.text()
