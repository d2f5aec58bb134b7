"""Variables, their values, and what the two make together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from operator import index
from typing import Any, NoReturn, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value, quoted

TERM = re.compile(r"([A-Za-z_]\w*)\((-?\d+|[a-z]\w*)((?:,(?:-?\d+|[a-z]\w*))*)\)", re.ASCII)


MOST_VALUES = 10_000_000
"""Of one domain, so that a slip of the pen does not fill the memory."""

Passed = TypeVar("Passed")


class Variable(str):
    """A puzzle variable: its name, which remembers its family and its indices.

    A variable *is* its name, so ``solution["cell(1,3)"]`` and ``solution[Variable("cell", 1, 3)]`` are the same.

    Parameters
    ----------
    family : str
        The name of the family, or of the variable itself when there are no indices.
    *indices : int or str
        The arguments of the term.

    Examples
    --------
    >>> Variable("cell", 1, 3)
    'cell(1,3)'
    >>> Variable("cell", 1, 3).indices
    (1, 3)
    >>> Variable("A") == "A"
    True
    """

    __slots__ = ("family", "indices")
    family: str
    indices: tuple[Value, ...]

    def __new__(cls, family: str, *indices: Value) -> Variable:
        name = f"{family}({','.join(map(str, indices))})" if indices else family
        self = super().__new__(cls, name)
        self.family = family
        self.indices = indices
        return self

    def __getnewargs__(self) -> tuple[Value, ...]:  # type: ignore[override]
        return (self.family, *self.indices)

    @classmethod
    def of(cls, name: str) -> Variable:
        """The variable of a name, with the family and the indices that its name shows.

        Examples
        --------
        >>> Variable.of("cell(1,red)").indices, Variable.of("A").indices
        ((1, 'red'), ())
        """
        if isinstance(name, Variable):
            return name
        term = TERM.fullmatch(name)
        if not term:
            return cls(_named(name))
        indices = [term[2], *term[3].split(",")[1:]]
        return cls(term[1], *[index if index[0].isalpha() else int(index) for index in indices])

    @classmethod
    def at(cls, family: str, *indices: Value) -> Variable:
        """The member of a family as the language names it, with quotes where an index needs them.

        Examples
        --------
        >>> Variable.at("seat", "O'Brien", 1)
        "seat('O''Brien',1)"
        """
        for truth in [one for one in indices if isinstance(one, bool)]:
            raise ModelError(f"the index {truth} is a truth value; an integer is {int(truth)}")
        own = [quoted(one) if isinstance(one, str) else value_of(one) for one in indices]
        return cls(_named(family), *own)

    def __mul__(self, other: Any) -> NoReturn:
        raise TypeError(f"a Variable is a name; csp.var({str(self)!r}) can be calculated with")

    __rmul__ = __mul__


def _named(name: str) -> str:
    if not name:
        raise ModelError("a variable has a name, such as csp.var('x'), and '' is none")
    return name


def whole(value: object, wanted: str) -> int:
    """The integer that an object is, such as one of numpy; never a rounded one."""
    try:
        return int(index(value))  # type: ignore[arg-type]
    except TypeError:
        hint = f"; the integer is {int(value)}" if isinstance(value, float) and value.is_integer() else ""
        raise ModelError(f"{value!r} is neither an integer nor {wanted}{hint}") from None


def value_of(value: object) -> Value:
    """The value that an object is: a symbol, or an integer, such as one of numpy; True is 1."""
    return str(value) if isinstance(value, str) else whole(value, "a symbol")


def each_of(values: Iterable[Passed], wanted: str) -> Iterable[Passed]:
    """What is passed for a list.

    Raises
    ------
    ModelError
        If it is a text, or nothing that can be gone through.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ModelError(f"{values!r} is no list of {wanted}")
    return values


def integer(value: Value) -> int:
    """The value, which must be a number."""
    if not isinstance(value, int):
        raise TypeError(f"the symbol {value} has no arithmetic")
    return value


Candidate = tuple[Variable, Value]

Interval = tuple[int, int]
"""A least and a greatest value."""


def ordered(values: Iterable[Value]) -> Domain:
    """The values as a domain: integers ascending, then symbols in the order given, each once.

    Raises
    ------
    ModelError
        If a value is neither, or there are more than 10,000,000.

    Examples
    --------
    >>> ordered([3, "red", 1, "blue", 3])
    (1, 3, 'red', 'blue')
    """
    own = list(islice(each_of(values, "values, such as range(1, 10)"), MOST_VALUES + 1))
    if len(own) > MOST_VALUES:
        raise ModelError(f"a domain has {MOST_VALUES:,} values at most, and these are more: {own[0]}, {own[1]}, ...")
    distinct = dict.fromkeys([value_of(value) for value in own])
    integers = sorted(value for value in distinct if isinstance(value, int))
    return (*integers, *(value for value in distinct if isinstance(value, str)))
