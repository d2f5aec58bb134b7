"""Terms on lists: the number of values; a sum, product or extreme under conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import All, Comparison, Constraint, Either, negated
from ..constraints.different_tuples import differing
from ..expression import Affine, Atom
from ..operand import check_constraints, operand, operands
from ..operation import OPERATORS, apply, multiply, operate
from ..variable import Interval

NEUTRAL = {"sum": 0, "product": 1}
"""The number that replaces an expression that is not selected; a minimum or maximum has none."""


class NValue(Atom):
    """The number of different values in a list of expressions, ``nvalue([e1, e2, ...])``.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> number = NValue((Affine.variable("x"), Affine.variable("y"), Affine((), 3)))
    >>> print(number, number.value({"x": 3, "y": "red"}), number.span([(1, 2), (1, 2), (3, 3)]))
    nvalue([x, y, 3]) 2 (2, 3)
    """

    elements: tuple[Affine, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", operands(self.elements))

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def value(self, values: Mapping[str, Value]) -> int:
        return len({element.value(values) for element in self.elements})

    def span(self, parts: Sequence[Interval]) -> Interval:
        # The least number of values: a greedy choice of disjoint intervals, in order of their ends.
        disjoint, end = 0, None
        for low, high in sorted(parts, key=lambda part: part[1]):
            if end is None or low > end:
                disjoint, end = disjoint + 1, high
        # The most values: one for each expression, but no more than integers in the range.
        width = max([high for _, high in parts]) - min([low for low, _ in parts]) + 1 if parts else 0
        return disjoint, min(len(parts), width)

    def total(self) -> Affine:
        return NValue(tuple([element.total() for element in self.elements])).decompose()

    def decompose(self) -> Affine:
        """Return an equal expression: count the elements different from all preceding ones."""
        is_new: list[Constraint] = []
        for number, element in enumerate(self.elements):
            differences = [differing(element, earlier) for earlier in self.elements[:number]]
            if differences:
                is_new.append(All(tuple(differences)) if len(differences) > 1 else differences[0])
        counted = apply("count", is_new) if is_new else Affine()
        # Times 0, a partial expression adds nothing, but it can still make the sum undefined.
        partial_terms = [element * 0 for element in self.elements if element.partial]
        return sum(partial_terms, counted + bool(self.elements))

    def text(self, quote: Quote = quoted) -> str:
        return f"nvalue([{', '.join([element.text(quote) for element in self.elements])}])"

    def __str__(self) -> str:
        return self.text()


Branch = tuple[Constraint | None, Affine]
"""A condition, ``None`` if it always holds, and the expression that it selects."""


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
        """Return an expression minus the number that replaces it when it is not selected.

        The number is 0, 1 or ``beyond``.
        """
        return expression - NEUTRAL.get(self.operator, self.beyond)

    def decompose(self) -> Affine:
        """Return an equal expression without selections: each condition becomes a 0-1 factor.

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
