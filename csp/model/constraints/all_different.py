"""The constraint ``all_different`` on expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from ...base.errors import ModelError
from ...base.notation import Domain, Value
from ..expression import Affine
from ..variable import Variable
from .base import Listed


class AllDifferent(Listed):
    """The constraint that all elements take pairwise different values.

    In the language: ``all_different([e1, e2, ...])``.

    Parameters
    ----------
    elements : tuple of Affine

    References
    ----------
    .. [1] W. J. van Hoeve, "The alldifferent constraint: a survey", 2001.

    Examples
    --------
    >>> print(AllDifferent.of(["A", "B", "C"], label="row 1"))
    all_different([A, B, C])
    """

    elements: tuple[Affine, ...]
    word: ClassVar[str] = "all_different"

    def __post_init__(self) -> None:
        super().__post_init__()
        for element in self.elements:
            if not (element.is_variable or element.variables):
                raise ModelError(f"{element} in all_different has no variable")
        if len({*self.elements}) < len(self.elements):
            duplicate = next(element for i, element in enumerate(self.elements) if element in self.elements[:i])
            raise ModelError(f"{duplicate} stands twice in all_different")

    @classmethod
    def of(cls, names: Iterable[str], *, label: str = "", line: int = 0) -> AllDifferent:
        """Make an all-different constraint over variables, given by name."""
        return cls(tuple(map(Affine.variable, names)), label=label, line=line)

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return len({element.value(values) for element in self.elements}) == len(self.elements)
        except ZeroDivisionError:
            return False

    def apart(self) -> tuple[Affine, ...]:
        return self.elements

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        if not all([element.is_variable for element in self.elements]):
            return None
        # If there are as many values as elements, every value is taken and the sum is fixed.
        different_domains = {id(domain): domain for variable in self.scope if (domain := domains[variable]) is not None}
        values: set[Value] = set().union(*different_domains.values())
        numbers = [value for value in values if isinstance(value, int)]
        return (self.scope, sum(numbers)) if len(numbers) == len(values) == len(self.elements) else None
