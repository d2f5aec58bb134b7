"""What makes one solution better than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, get_args

from ..ground.errors import ModelError
from ..ground.notation import Quote, Value, quoted
from .expression import Affine
from .operand import operand

Sense = Literal["minimize", "maximize"]


@dataclass(frozen=True)
class Objective:
    """``minimize(E)`` or ``maximize(E)``. What has no value, as after a division by zero, is no solution.

    Parameters
    ----------
    sense : {"minimize", "maximize"}
    expression : Affine
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
    """

    sense: Sense
    expression: Affine
    _: KW_ONLY
    line: int = field(default=0, compare=False)
    file: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.sense not in get_args(Sense):
            raise ModelError(f"{self.sense} is neither minimize nor maximize")
        object.__setattr__(self, "expression", operand(self.expression))
        if not self.expression.variables:
            raise ModelError(f"{self.expression} has no variable, and all solutions are equally good")

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
        """How good an assignment is.

        Raises
        ------
        ZeroDivisionError
            If the expression has no value there.
        """
        return self.expression.number(values)

    def text(self, quote: Quote = quoted) -> str:
        """As the language writes it, without full stop."""
        return f"{self.sense}({self.expression.text(quote)})"

    def __str__(self) -> str:
        return self.text()
