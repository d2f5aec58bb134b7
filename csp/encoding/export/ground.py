"""Variables and values as gringo writes them: ground terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...model import Domain, Value, Variable
from .names import intervals


def term(variable: Variable) -> str:
    """A variable as a ground term: ``cell(1,3)`` where it is one, else a text in quotes.

    Examples
    --------
    >>> [term(variable) for variable in (Variable("cell", 1, "Big"), Variable("A"))]
    ['cell(1,"Big")', '"A"']
    """
    if not _word(variable.family):
        return _quoted(variable)
    indices = ",".join(map(constant, variable.indices))
    return f"{variable.family}({indices})" if indices else variable.family


def constant(value: Value) -> str:
    """A value as a number, a word or a text in quotes.

    Examples
    --------
    >>> [constant(value) for value in (-1, "red", "Big Red", "not")]
    ['-1', 'red', '"Big Red"', '"not"']
    """
    if isinstance(value, int):
        return str(value)
    return value if _word(value) else _quoted(value)


def _word(text: str) -> bool:
    return bool(re.fullmatch("[a-z][A-Za-z0-9_]*", text)) and text != "not"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def row(texts: Sequence[str]) -> str:
    """A tuple."""
    return f"({','.join(texts)}{',' if len(texts) == 1 else ''})"


def pool(domain: Domain) -> str:
    """Any value of a domain.

    Examples
    --------
    >>> pool((1, 2, 3, 7, "red")), pool((1, 2))
    ('(1..3;7;red)', '1..2')
    """
    numbers = [value for value in domain if isinstance(value, int)]
    texts = [str(low) if low == high else f"{low}..{high}" for low, high in intervals(sorted(numbers))]
    texts += [constant(value) for value in domain if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else f"({';'.join(texts)})"
