"""Variables, their values, and what the two make together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..ground.errors import ModelError
from ..ground.notation import Domain, Value

TERM = re.compile(r"([A-Za-z_]\w*)\((-?\d+|[a-z]\w*)((?:,(?:-?\d+|[a-z]\w*))*)\)", re.ASCII)


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
            return cls(name)
        indices = [term[2], *term[3].split(",")[1:]]
        return cls(term[1], *[index if index[0].isalpha() else int(index) for index in indices])


Candidate = tuple[Variable, Value]


def ordered(values: Iterable[Value]) -> Domain:
    """The values as a domain: integers ascending, then symbols in the order given, each once.

    Raises
    ------
    ModelError
        If a value is neither.

    Examples
    --------
    >>> ordered([3, "red", 1, "blue", 3])
    (1, 3, 'red', 'blue')
    """
    values = list(values)
    for value in values:
        if not isinstance(value, int | str):
            raise ModelError(f"{value!r} is neither an integer nor a symbol")
    distinct = dict.fromkeys(values)
    integers = sorted(value for value in distinct if isinstance(value, int))
    return (*integers, *(value for value in distinct if isinstance(value, str)))
