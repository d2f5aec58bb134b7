"""Variables and values, and the checks that convert a caller's objects to them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from operator import index
from typing import Any, NoReturn, TypeVar

from ..base.errors import ModelError
from ..base.notation import Domain, Value, quoted

TERM = re.compile(r"([A-Za-z_]\w*)\((-?\d+|[a-z]\w*)((?:,(?:-?\d+|[a-z]\w*))*)\)", re.ASCII)
"""The pattern of a name with indices: integers, or symbols that begin with a lower-case letter."""

MAX_VALUES = 10_000_000
"""Maximum number of values of a domain; ``ordered`` rejects more, so that a mistyped range does not fill the memory."""

Item = TypeVar("Item")


class Variable(str):
    """A variable of a puzzle: a string with family and indices as attributes.

    A variable *is* its name, so ``solution["cell(1,3)"]`` and ``solution[Variable("cell", 1, 3)]`` are the same value.

    Parameters
    ----------
    family : str
        The name of the family, or of the variable itself if it has no indices.
    *indices : int or str
        The arguments of the term, such as row and column.

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
        """Make a variable from its name, such as ``cell(1,2)``.

        Examples
        --------
        >>> Variable.of("cell(1,red)").indices, Variable.of("A").indices
        ((1, 'red'), ())
        """
        if isinstance(name, Variable):
            return name
        term = TERM.fullmatch(name)
        if not term:
            return cls(_require_name(name))
        indices = [term[2], *term[3].split(",")[1:]]
        return cls(term[1], *[index if index[0].isalpha() else int(index) for index in indices])

    @classmethod
    def at(cls, family: str, *indices: Value) -> Variable:
        """Make the variable of a family with some indices.

        The name has quotes around an index that needs them.

        Examples
        --------
        >>> Variable.at("seat", "O'Brien", 1)
        "seat('O''Brien',1)"
        """
        for boolean in [item for item in indices if isinstance(item, bool)]:
            raise ModelError(f"the index {boolean} is a truth value; an integer is {int(boolean)}")
        written_indices = [quoted(item) if isinstance(item, str) else value_of(item) for item in indices]
        return cls(_require_name(family), *written_indices)

    def __mul__(self, other: Any) -> NoReturn:
        raise TypeError(f"a Variable is a name; csp.var({str(self)!r}) can be calculated with")

    __rmul__ = __mul__


def _require_name(name: str) -> str:
    """Check that a variable's name is not empty, and return it."""
    if not name:
        raise ModelError("'' is not a name of a variable, such as csp.var('x')")
    return name


def as_integer(value: object, alternative: str) -> int:
    """Convert an object to the integer it represents, without rounding.

    Raises ``ModelError`` for any other object; the message names the permitted ``alternative``.
    """
    try:
        return int(index(value))  # type: ignore[arg-type]
    except TypeError:
        hint = f"; the integer is {int(value)}" if isinstance(value, float) and value.is_integer() else ""
        raise ModelError(f"{value!r} is neither an integer nor {alternative}{hint}") from None


def value_of(value: object) -> Value:
    """Convert an object to a value: an integer or a symbol.

    Numpy integers become ``int``, and ``True`` becomes 1.
    """
    return str(value) if isinstance(value, str) else as_integer(value, "a symbol")


def check_iterable(values: Iterable[Item], expected: str) -> Iterable[Item]:
    """Check that an argument is an iterable but not a text, and return it.

    Raises
    ------
    ModelError
        If the argument is a text or not iterable; the message names the ``expected`` items.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ModelError(f"{values!r} is not a list of {expected}")
    return values


def integer(value: Value) -> int:
    """Return the value if it is an integer; raise ``TypeError`` for a symbol."""
    if not isinstance(value, int):
        raise TypeError(f"the symbol {value} has no arithmetic")
    return value


Candidate = tuple[Variable, Value]
"""A variable with one of its values."""

Interval = tuple[int, int]
"""The least and the greatest value."""


def ordered(values: Iterable[Value]) -> Domain:
    """Return values as a domain: integers ascending, then symbols, each once.

    Raises
    ------
    ModelError
        If a value is neither an integer nor a symbol, or if there are more than 10,000,000.

    Examples
    --------
    >>> ordered([3, "red", 1, "blue", 3])
    (1, 3, 'red', 'blue')
    """
    items = list(islice(check_iterable(values, "values, such as range(1, 10)"), MAX_VALUES + 1))
    if len(items) > MAX_VALUES:
        raise ModelError(f"a domain has {MAX_VALUES:,} values at most, and these are more: {items[0]}, {items[1]}, ...")
    distinct = dict.fromkeys([value_of(value) for value in items])
    integers = sorted(value for value in distinct if isinstance(value, int))
    return (*integers, *(value for value in distinct if isinstance(value, str)))
