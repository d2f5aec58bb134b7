"""The element term ``x(I)``: a variable of a family, chosen by index expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import Constraint
from ..constraints.member import Member
from ..expression import Affine, Atom
from ..operand import operand, variable_of
from ..operation import apply, multiply
from ..variable import Interval, Variable, ordered


class Element(Atom):
    """A term ``x(I)``: the variable of a family that the value of ``I`` selects.

    If no member has these indices, the element has no value, as with a division by zero.

    Parameters
    ----------
    family : str
        The name of the family.
    indices : tuple of Affine or str
        The text between the parentheses; a string is a fixed symbol.
    members : tuple of Variable
        The variables that the indices can select. Where an index is an expression, the members have an integer.

    Examples
    --------
    >>> x = [Variable("x", i) for i in (1, 2, 3)]
    >>> third = Element("x", (Affine.variable("I"),), tuple(x))
    >>> print(third, third.value({"I": 2, "x(1)": 7, "x(2)": 8, "x(3)": 9}))
    x(I) 8
    >>> third.span([(2, 5), (7, 7), (1, 3), (4, 6)])
    (1, 6)
    """

    family: str
    indices: tuple[Affine | str, ...]
    members: tuple[Variable, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "indices", tuple(map(_index, self.indices)))
        if not self.members:
            raise ModelError(f"{self} has no member to choose")
        for member in self.members:
            if len(member.indices) != len(self.indices):
                raise ModelError(f"{member} has not {len(self.indices)} indices, as {self} needs")
            for index, member_index in zip(self.indices, member.indices, strict=True):
                if member_index != index and not (isinstance(index, Affine) and isinstance(member_index, int)):
                    raise ModelError(f"{member} cannot be chosen by {self}: {member_index} is not an integer")

    def numbers(self, member: Variable) -> tuple[int, ...]:
        """Return the values of the index expressions that select a member."""
        return tuple(
            [
                int(member_index)
                for index, member_index in zip(self.indices, member.indices, strict=True)
                if isinstance(index, Affine)
            ]
        )

    @property
    def expressions(self) -> tuple[Affine, ...]:
        """The indices that are expressions, without those that are symbols."""
        return tuple([index for index in self.indices if isinstance(index, Affine)])

    def parts(self) -> tuple[Affine | Constraint, ...]:
        return (*self.expressions, *map(Affine.variable, self.members))

    def value(self, values: Mapping[str, Value]) -> Value:
        chosen = tuple([index.value(values) for index in self.expressions])
        for member in self.members:
            if self.numbers(member) == chosen:
                return values[member]
        raise ZeroDivisionError

    def span(self, parts: Sequence[Interval]) -> Interval:
        width = len(parts) - len(self.members)
        # Only members whose indices lie within the bounds of the index expressions can be selected.
        possible = [
            span
            for member, span in zip(self.members, parts[width:], strict=True)
            if all(low <= i <= high for i, (low, high) in zip(self.numbers(member), parts[:width], strict=True))
        ]
        if not possible:
            raise ZeroDivisionError
        return min(possible)[0], max([high for _, high in possible])

    @property
    def partial(self) -> bool:
        return True

    def over(self, variable: Callable[[Affine], Affine]) -> Affine:
        return variable(Affine(((1, self),)))

    def inside(self, variable: Callable[[Affine], Affine]) -> Element:
        indices = [variable(i) if isinstance(i, Affine) and i.terms and not i.is_variable else i for i in self.indices]
        return self if tuple(indices) == self.indices else replace(self, indices=tuple(indices))

    def total(self) -> Affine:
        return self._sum_of_members()[0]

    def decompose(self) -> Affine:
        """Return an equal expression: a sum over all members.

        The expression divides by 0 if the indices select no member.
        """
        total, chosen = self._sum_of_members()
        return total + apply("//", [Affine(), chosen])

    def _sum_of_members(self) -> tuple[Affine, Affine]:
        """Return the selected value and the number of selected members, as sums.

        Both are sums over all members, with a factor of 0 or 1 for each.
        """
        total = selected = Affine()
        for member in self.members:
            is_selected = Affine((), 1)
            # The product of ``index = value`` over all indices, 1 for the selected member.
            for index, value in zip(self.expressions, self.numbers(member), strict=True):
                is_selected = multiply(is_selected, apply("count", [Member(index, ordered([value]))]))
            total = total + multiply(is_selected, Affine.variable(member))
            selected = selected + is_selected
        return total, selected

    def text(self, quote: Quote = quoted) -> str:
        indices = [index.text(quote) if isinstance(index, Affine) else quote(index) for index in self.indices]
        return f"{self.family}({', '.join(indices)})"

    def __str__(self) -> str:
        return self.text()


def element(indices: Sequence[Affine | int | str], members: Sequence[Variable | Affine]) -> Affine:
    """Make the expression ``x(I)`` for a family and its index expressions.

    Parameters
    ----------
    indices : sequence of Affine, int or str
        Fixed indices are symbols or numbers.
    members : sequence of Variable, or of variables from ``csp.var``
        All variables of the family; the function ignores those with other fixed indices.

    Raises
    ------
    ModelError
        If no member can be selected.

    Examples
    --------
    >>> x = [Variable("x", r, c) for r in (1, 2) for c in (1, 2)]
    >>> print(element([1, Affine.variable("A")], x).terms[0][1].members)
    ('x(1,1)', 'x(1,2)')
    """
    for argument in (indices, members):
        if isinstance(argument, str | Affine) or not isinstance(argument, Iterable):
            raise ModelError(f"{argument!r} is not a list; csp.element([x], members) chooses the member with index x")
    for member in members:
        if isinstance(member, int):
            rows = "csp.Table('', (x, y), [(1, 4), (2, 5)])"
            raise ModelError(
                f"csp.element chooses a variable, and {member} is a number: write {rows}, index and number"
            )
    converted = tuple(map(_index, indices))
    family = [variable_of(member) for member in members]
    # The places of indices that are symbols or numbers, each with its value.
    fixed = {
        place: index if isinstance(index, str) else index.constant
        for place, index in enumerate(converted)
        if isinstance(index, str) or not index.terms
    }
    selectable = tuple(
        [member for member in family if all(member.indices[place] == value for place, value in fixed.items())]
    )
    return Affine(((1, Element(family[0].family if family else "?", converted, selectable)),))


def _index(index: Affine | int | str) -> Affine | str:
    return index if isinstance(index, str) and not isinstance(index, Variable) else operand(index)
