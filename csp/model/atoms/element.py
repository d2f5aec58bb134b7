"""An element that is looked up: the member of a family whose indices are to be solved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..constraints.member import Member
from ..expression import Affine, Atom
from ..operand import operand, variable_of
from ..operation import apply, multiply
from ..variable import Interval, Variable, ordered


class Element(Atom):
    """``x(I)``: the variable of a family that an index, which is to be solved, chooses.

    Where no member has these indices there is no value, as with a division by zero.

    Parameters
    ----------
    family : str
        The name of the family.
    indices : tuple of Affine or str
        What is between the parentheses; a symbol is known.
    members : tuple of Variable
        Those that may be chosen; where an index is an expression, theirs are integers.

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
            for index, own in zip(self.indices, member.indices, strict=True):
                if own != index and not (isinstance(index, Affine) and isinstance(own, int)):
                    raise ModelError(f"{member} cannot be chosen by {self}: {own} is no integer")

    def numbers(self, member: Variable) -> tuple[int, ...]:
        """What the expressions among the indices must be worth to choose a member."""
        return tuple([int(own) for i, own in zip(self.indices, member.indices, strict=True) if isinstance(i, Affine)])

    @property
    def expressions(self) -> tuple[Affine, ...]:
        """The indices that are no symbols."""
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
        return self._summed()[0]

    def decomposed(self) -> Affine:
        """The sum of all members, each times whether it is chosen; and a division by 0 where none is."""
        total, chosen = self._summed()
        return total + apply("//", [Affine(), chosen])

    def _summed(self) -> tuple[Affine, Affine]:
        """The sum of all members, each times whether it is chosen; and how many are."""
        total = chosen = Affine()
        for member in self.members:
            here = Affine((), 1)
            for index, value in zip(self.expressions, self.numbers(member), strict=True):
                here = multiply(here, apply("count", [Member(index, ordered([value]))]))
            total = total + multiply(here, Affine.variable(member))
            chosen = chosen + here
        return total, chosen

    def text(self, quote: Quote = quoted) -> str:
        indices = [index.text(quote) if isinstance(index, Affine) else quote(index) for index in self.indices]
        return f"{self.family}({', '.join(indices)})"

    def __str__(self) -> str:
        return self.text()


def element(indices: Sequence[Affine | int | str], members: Sequence[Variable | Affine]) -> Affine:
    """The element of a family, as an expression.

    Parameters
    ----------
    indices : sequence of Affine, int or str
        Those that are known are symbols, or numbers.
    members : sequence of Variable, or of what ``csp.var`` makes
        All of the family; those with other known indices are left out.

    Raises
    ------
    ModelError
        If no member can be chosen.

    Examples
    --------
    >>> x = [Variable("x", r, c) for r in (1, 2) for c in (1, 2)]
    >>> print(element([1, Affine.variable("A")], x).terms[0][1].members)
    ('x(1,1)', 'x(1,2)')
    """
    for one in (indices, members):
        if isinstance(one, str | Affine) or not isinstance(one, Iterable):
            raise ModelError(f"{one!r} is no list; csp.element([x], members) chooses the member whose index is x")
    for member in members:
        if isinstance(member, int):
            rows = "csp.Table('', (x, y), [(1, 4), (2, 5)])"
            raise ModelError(
                f"csp.element chooses a variable, and {member} is a number: write {rows}, index and number"
            )
    own = tuple(map(_index, indices))
    family = [variable_of(member) for member in members]
    known = {
        place: index if isinstance(index, str) else index.constant
        for place, index in enumerate(own)
        if isinstance(index, str) or not index.terms
    }
    kept = tuple([m for m in family if all(m.indices[place] == value for place, value in known.items())])
    return Affine(((1, Element(family[0].family if family else "?", own, kept)),))


def _index(index: Affine | int | str) -> Affine | str:
    return index if isinstance(index, str) and not isinstance(index, Variable) else operand(index)
