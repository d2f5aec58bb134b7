"""A sum, a product, the least or the greatest of those expressions whose conditions hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint, conditions
from ..constraints.comparison import Comparison
from ..constraints.either import Either
from ..constraints.negation import negated
from ..expression import Affine, Atom
from ..operand import operand
from ..operation import OPERATORS, apply, multiply, operate
from ..variable import Interval

Branch = tuple[Constraint | None, Affine]
"""A condition, None for one that always holds, and what it chooses."""

NEUTRAL = {"sum": 0, "product": 1}


class Selection(Atom):
    """``sum(e1 : c1)``, ``max((e1 : c1), (e2 : c2))``: what the conditions choose, added, multiplied or compared.

    What is not chosen is not evaluated. The least and the greatest of nothing have no value.

    Parameters
    ----------
    operator : {"sum", "product", "min", "max"}
    choices : tuple of (Constraint or None, Affine)
    beyond : int
        For ``min`` a number that is larger than all that may be chosen, for ``max`` one that is smaller. Comparisons
        ignore it, because the meaning does not depend on it.

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
        conditions([condition for condition, _ in self.choices if condition is not None])
        own = tuple([(condition, operand(expression)) for condition, expression in self.choices])
        object.__setattr__(self, "choices", own)

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
        left = iter(parts)
        sure: list[Interval] = []
        possible: list[Interval] = []
        for condition, _ in self.choices:
            holds = (1, 1) if condition is None else next(left)
            own = next(left)
            if holds == (0, 0):
                continue
            if holds == (1, 1):
                if own is None:
                    raise ZeroDivisionError
                sure.append(own)
            elif own is not None:
                possible.append(own)
        if self.operator in NEUTRAL:
            neutral = NEUTRAL[self.operator]
            widened = [(min(low, neutral), max(high, neutral)) for low, high in possible]
            if self.operator == "product":
                return reduce(lambda one, other: OPERATORS["*"].span([one, other]), [*sure, *widened], (1, 1))
            every = [*sure, *widened]
            return sum([low for low, _ in every]), sum([high for _, high in every])
        if not sure and not possible:
            raise ZeroDivisionError
        every = [*sure, *possible]
        low, high = min([low for low, _ in every]), max([high for _, high in every])
        if self.operator == "min":
            return low, min([high for _, high in sure], default=high)
        return max([low for low, _ in sure], default=low), high

    @property
    def partial(self) -> bool:
        empty = self.operator not in NEUTRAL and all(condition is not None for condition, _ in self.choices)
        return empty or any(expression.partial for _, expression in self.choices)

    def total(self) -> Affine:
        chosen = [_times(condition, self._part(e.total())) for condition, e in self.choices]
        if self.operator == "sum":
            return sum(chosen, Affine())
        if self.operator == "product":
            return reduce(multiply, [one + 1 for one in chosen], Affine((), 1))
        return apply(self.operator, [one + self.beyond for one in chosen])

    def _part(self, expression: Affine) -> Affine:
        """What is added to the neutral number where the expression is chosen."""
        return expression - NEUTRAL.get(self.operator, self.beyond)

    def decomposed(self) -> Affine:
        """The same with counts of conditions as factors; and divisions by 0 where there is no value."""
        conditions = [condition for condition, _ in self.choices if condition is not None]
        made = self.total()
        if self.operator not in NEUTRAL and len(conditions) == len(self.choices):
            made = made + apply("//", [Affine(), apply("count", conditions)])
        for condition, expression in self.choices:
            if expression.partial and condition is not None:
                evaluated = Either((negated(condition), Comparison(expression, "=", expression)))
                made = made + apply("//", [Affine(), apply("count", [evaluated])])
            elif expression.partial:
                made = made + expression * 0
        return made

    def text(self, quote: Quote = quoted) -> str:
        if len(self.choices) == 1:
            return f"{self.operator}({_chosen(self.choices[0], quote)})"
        listed = [f"({_chosen(one, quote)})" if one[0] is not None else _chosen(one, quote) for one in self.choices]
        return f"{self.operator}({', '.join(listed)})"

    def __str__(self) -> str:
        return self.text()


def _times(condition: Constraint | None, expression: Affine) -> Affine:
    return expression if condition is None else multiply(apply("count", [condition]), expression)


def _chosen(choice: Branch, quote: Quote) -> str:
    condition, expression = choice
    text = expression.text(quote)
    return text if condition is None else f"{text} : {condition.as_condition(quote)}"
