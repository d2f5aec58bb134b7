"""The objective of a model: what to minimize or maximize."""

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
    """An expression to minimize or maximize, with further expressions of lower priority.

    In the language: ``minimize(E)`` or ``maximize(E, F)``. An assignment for which an expression has no value is not a
    solution.

    Parameters
    ----------
    sense : {"minimize", "maximize"}
    expression : Affine
    others : tuple of Affine
        Expressions of lower priority, in descending order. Each decides among solutions that are equally good so far.
    line : int
        The line of the spec that states the objective; 0 if unknown.
    file : str
        The file of that line; empty for the spec itself. Comparisons ignore line and file.

    Raises
    ------
    ModelError
        If ``sense`` is unknown, or an expression has no variable.

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
        """All expressions of the objective, highest priority first."""
        return (self.expression, *self.others)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the expressions of the objective, each once."""
        return tuple(dict.fromkeys([v for expression in self.expressions for v in expression.variables]))

    @property
    def priorities(self) -> tuple[Objective, ...]:
        """One objective for each expression, highest priority first."""
        return tuple([replace(self, expression=expression, others=()) for expression in self.expressions])

    def weighted_sum(self, domains: Mapping[Variable, Domain]) -> Affine:
        """Return one expression that orders assignments as all priorities together do.

        The weight of each expression exceeds the range of the sum of those with lower priority.

        Examples
        --------
        >>> x, y = Affine.variable("x"), Affine.variable("y")
        >>> print(Objective("minimize", x, (y,)).weighted_sum({"x": (1, 2), "y": (1, 2, 3)}))
        3*x + y
        """
        total, weight = self.expressions[-1], 1
        for expression, lower_expression in zip(self.expressions[-2::-1], self.others[::-1], strict=True):
            try:
                low, high = bounds(lower_expression, domains)
            except ZeroDivisionError:
                low = high = 0
            # One unit of the expression outweighs the whole range of the expressions after it.
            weight *= high - low + 1
            total = expression * weight + total
        return total

    @property
    def sign(self) -> int:
        """The factor that makes the objective a minimization: 1 or -1."""
        return 1 if self.sense == "minimize" else -1

    @property
    def superlative(self) -> str:
        """The word for the optimal value: least or greatest."""
        return "least" if self.sense == "minimize" else "greatest"

    @property
    def place(self) -> str:
        """The text and spec line of the objective, as messages print them."""
        line = f"{self.file} line {self.line}" if self.file else f"line {self.line}"
        return f"{self} ({line})" if self.line else str(self)

    def value(self, values: Mapping[str, Value]) -> int:
        """Return the value of the first expression for an assignment.

        Raises
        ------
        ZeroDivisionError
            If the expression has no value for the assignment.
        """
        return self.expression.number(values)

    def worth(self, values: Mapping[str, Value]) -> int | tuple[int, ...]:
        """Return the value of the objective: a number, or a tuple by priority."""
        return (
            tuple([expression.number(values) for expression in self.expressions]) if self.others else self.value(values)
        )

    def is_better(self, worth: int | tuple[int, ...], incumbent: int | tuple[int, ...]) -> bool:
        """Return whether an objective value is better than the value of the incumbent."""
        return (worth < incumbent) if self.sign > 0 else (worth > incumbent)  # type: ignore[operator]

    def format_worth(self, worth: int | tuple[int, ...]) -> str:
        """Return the text of an objective value, with commas between priorities."""
        return ", ".join(map(str, worth)) if isinstance(worth, tuple) else str(worth)

    def text(self, quote: Quote = quoted) -> str:
        """Write the objective in the language, without the full stop."""
        return f"{self.sense}({', '.join([expression.text(quote) for expression in self.expressions])})"

    def __str__(self) -> str:
        return self.text()
