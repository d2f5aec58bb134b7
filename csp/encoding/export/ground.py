"""The text of variables and values as ground terms of gringo."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...model import Domain, Value, Variable
from .names import intervals


def term(variable: Variable) -> str:
    """Return a variable as the text of a ground term, in quotes if necessary.

    Examples
    --------
    >>> [term(variable) for variable in (Variable("cell", 1, "Big"), Variable("A"))]
    ['cell(1,"Big")', '"A"']
    """
    if not _is_word(variable.family):
        return _quoted(variable)
    indices = ",".join(map(constant, variable.indices))
    return f"{variable.family}({indices})" if indices else variable.family


def constant(value: Value) -> str:
    """Return a value as the text of a number, word or quoted string.

    Examples
    --------
    >>> [constant(value) for value in (-1, "red", "Big Red", "not")]
    ['-1', 'red', '"Big Red"', '"not"']
    """
    if isinstance(value, int):
        return str(value)
    return value if _is_word(value) else _quoted(value)


def _is_word(text: str) -> bool:
    """Return whether gringo reads a text as a constant without quotes."""
    return bool(re.fullmatch("[a-z][A-Za-z0-9_]*", text)) and text != "not"


def _quoted(text: str) -> str:
    """Return a text as a string of gringo, in quotes and with escapes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def row(texts: Sequence[str]) -> str:
    """Return the texts of terms as the text of a tuple."""
    return f"({','.join(texts)}{',' if len(texts) == 1 else ''})"


def pool(domain: Domain) -> str:
    """Return a domain as alternatives of gringo, with runs of numbers as intervals.

    Examples
    --------
    >>> pool((1, 2, 3, 7, "red")), pool((1, 2))
    ('(1..3;7;red)', '1..2')
    """
    numbers = [value for value in domain if isinstance(value, int)]
    texts = [str(low) if low == high else f"{low}..{high}" for low, high in intervals(sorted(numbers))]
    texts += [constant(value) for value in domain if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else f"({';'.join(texts)})"
