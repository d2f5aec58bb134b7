"""The selection term: a sum, product, minimum or maximum under conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import Comparison, Constraint, Either, negated
from ..expression import Affine, Atom
from ..operand import check_constraints, operand
from ..operation import OPERATORS, apply, multiply, operate
from ..variable import Interval

Branch = tuple[Constraint | None, Affine]
"""A condition, ``None`` if it always holds, and the expression that it selects."""

NEUTRAL = {"sum": 0, "product": 1}
"""The number that replaces an expression that is not selected; a minimum or maximum has none."""


class Selection(Atom):
    """A sum, product, minimum or maximum of those expressions whose conditions hold.

    In the language: ``sum(e1 : c1)``, ``max((e1 : c1), (e2 : c2))``. An expression whose condition does not hold is not
    evaluated. The minimum and the maximum of no expressions have no value.

    Parameters
    ----------
    operator : {"sum", "product", "min", "max"}
    choices : tuple of (Constraint or None, Affine)
    beyond : int
        For ``min``, a number larger than all values of the expressions; for ``max``, a smaller one. Comparisons ignore
        it, because the meaning does not depend on it.

    Examples
    --------
    >>> from csp import Linear
    >>> x = Affine.variable("x")
    >>> chosen = Selection("sum", ((Linear(x, ">", Affine((), 2)), x),))
    >>> print(chosen, chosen.value({"x": 2}), chosen.value({"x": 3}))
    sum(x : x > 2) 0 3
    """

    operator: str
    choices: tuple[Branch, ...]
    beyond: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.operator not in ("sum", "product", "min", "max"):
            raise ModelError(f"{self.operator} does not choose")
        check_constraints([condition for condition, _ in self.choices if condition is not None])
        choices = tuple([(condition, operand(expression)) for condition, expression in self.choices])
        object.__setattr__(self, "choices", choices)

    def parts(self) -> tuple[Affine | Constraint, ...]:
        return tuple([part for choice in self.choices for part in choice if part is not None])

    def value(self, values: Mapping[str, Value]) -> int:
        chosen = [e.number(values) for condition, e in self.choices if condition is None or condition.check(values)]
        if self.operator == "sum":
            return sum(chosen)
        if self.operator == "product":
            return OPERATORS["*"].value(chosen)
        if not chosen:
            raise ZeroDivisionError
        return operate(self.operator, chosen)

    @property
    def optional(self) -> bool:
        return True

    def span(self, parts: Sequence[Interval | None]) -> Interval:
        # Sort the intervals into those that are certainly selected and those that may be.
        remaining = iter(parts)
        certain: list[Interval] = []
        possible: list[Interval] = []
        for condition, _ in self.choices:
            holds = (1, 1) if condition is None else next(remaining)
            interval = next(remaining)
            if holds == (0, 0):
                continue
            if holds == (1, 1):
                if interval is None:
                    raise ZeroDivisionError
                certain.append(interval)
            elif interval is not None:
                possible.append(interval)
        # A term that may be missing extends its interval to the neutral number.
        if self.operator in NEUTRAL:
            neutral = NEUTRAL[self.operator]
            widened = [(min(low, neutral), max(high, neutral)) for low, high in possible]
            if self.operator == "product":
                return reduce(lambda first, second: OPERATORS["*"].span([first, second]), [*certain, *widened], (1, 1))
            intervals = [*certain, *widened]
            return sum([low for low, _ in intervals]), sum([high for _, high in intervals])
        if not certain and not possible:
            raise ZeroDivisionError
        intervals = [*certain, *possible]
        low, high = min([low for low, _ in intervals]), max([high for _, high in intervals])
        # Only certain terms bound a minimum from above, or a maximum from below.
        if self.operator == "min":
            return low, min([high for _, high in certain], default=high)
        return max([low for low, _ in certain], default=low), high

    @property
    def partial(self) -> bool:
        empty = self.operator not in NEUTRAL and all(condition is not None for condition, _ in self.choices)
        return empty or any(expression.partial for _, expression in self.choices)

    def total(self) -> Affine:
        chosen = [_times_condition(condition, self._offset(e.total())) for condition, e in self.choices]
        if self.operator == "sum":
            return sum(chosen, Affine())
        if self.operator == "product":
            return reduce(multiply, [term + 1 for term in chosen], Affine((), 1))
        return apply(self.operator, [term + self.beyond for term in chosen])

    def _offset(self, expression: Affine) -> Affine:
        """Return the expression minus the number that replaces it if not selected."""
        return expression - NEUTRAL.get(self.operator, self.beyond)

    def decompose(self) -> Affine:
        """Return an equal expression in which counts of conditions are factors.

        It divides by 0 exactly if the selection has no value.
        """
        conditions = [condition for condition, _ in self.choices if condition is not None]
        result = self.total()
        # A minimum or maximum without any selected expression is undefined.
        if self.operator not in NEUTRAL and len(conditions) == len(self.choices):
            result = result + apply("//", [Affine(), apply("count", conditions)])
        # A selected partial expression must have a value.
        for condition, expression in self.choices:
            if expression.partial and condition is not None:
                evaluated = Either((negated(condition), Comparison(expression, "=", expression)))
                result = result + apply("//", [Affine(), apply("count", [evaluated])])
            elif expression.partial:
                result = result + expression * 0
        return result

    def text(self, quote: Quote = quoted) -> str:
        if len(self.choices) == 1:
            return f"{self.operator}({_choice_text(self.choices[0], quote)})"
        listed = [
            f"({_choice_text(choice, quote)})" if choice[0] is not None else _choice_text(choice, quote)
            for choice in self.choices
        ]
        return f"{self.operator}({', '.join(listed)})"

    def __str__(self) -> str:
        return self.text()


def _times_condition(condition: Constraint | None, expression: Affine) -> Affine:
    return expression if condition is None else multiply(apply("count", [condition]), expression)


def _choice_text(choice: Branch, quote: Quote) -> str:
    condition, expression = choice
    text = expression.text(quote)
    return text if condition is None else f"{text} : {condition.as_condition(quote)}"
