"""The text of values, domains and counts in captions and messages.

Values and domains are written as in the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

Value = int | str
Domain = tuple[Value, ...]
Quote = Callable[[Value], str]

WORD = re.compile("[a-z][A-Za-z0-9_]*")


def quoted(value: Value) -> str:
    """Format a value for a spec, in quotes unless a number or lowercase word.

    Examples
    --------
    >>> [quoted(value) for value in (3, "red", "Big Red", "don't", "")]
    ['3', 'red', "'Big Red'", "'don''t'", "''"]
    """
    if isinstance(value, int):
        return str(value)
    return value if WORD.fullmatch(value) else quote_symbol(value)


def quote_symbol(symbol: str) -> str:
    """Put a symbol in single quotes, and double the quotes inside it."""
    return "'" + symbol.replace("'", "''") + "'"


def unquote(value: Value) -> Value:
    """Remove the single quotes around a value, if there are any.

    Examples
    --------
    >>> [unquote(value) for value in (3, "red", "'don''t'")]
    [3, 'red', "don't"]
    """
    is_quoted = isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == "'"
    return str(value)[1:-1].replace("''", "'") if is_quoted else value


def visible(text: str, keep: str = "") -> str:
    """Escape the unprintable characters of a text, such as those that control a terminal.

    ``keep``: characters that stay.

    Examples
    --------
    >>> visible("a \\x1b[31mred\\n\\thouse", keep="\\n")
    'a \\\\x1b[31mred\\n\\\\thouse'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text])


def counted(number: float, singular: str, plural: str = "", form: str = ",") -> str:
    """Format a number followed by its noun, in the singular or the plural.

    Parameters
    ----------
    number : int or float
    singular : str
        The singular of the noun.
    plural : str
        The plural, if it is not the singular and an s.
    form : str
        Format of the number; by default with commas between thousands.

    Returns
    -------
    str

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(2000, "value")
    ('1 vertex', '2,000 values')
    """
    return f"{number:{form}} {singular if number == 1 else plural or f'{singular}s'}"


def listed(values: Iterable[Value], quote: Quote = quoted) -> str:
    """Format values and join them by commas, such as ``1, 2, red``.

    Examples
    --------
    >>> listed((1, 2, "Big Red"))
    "1, 2, 'Big Red'"
    """
    return ", ".join(map(quote, values))


def intervals(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as pairs (first, last) of intervals without gaps.

    Examples
    --------
    >>> intervals([1, 2, 3, 5, 8, 9])
    [(1, 3), (5, 5), (8, 9)]
    """
    ranges = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        values = [value for _, value in run]
        ranges.append((values[0], values[-1]))
    return ranges


def show_domain(domain: Domain, quote: Quote = quoted) -> str:
    """Format a domain as in a spec, such as ``1..3`` or ``{1, 3}``.

    Examples
    --------
    >>> show_domain((1, 2, 3)), show_domain((1, 3)), show_domain((1, 2, 3, 7, "red"))
    ('1..3', '{1, 3}', '{1..3, 7, red}')
    """
    parts: list[str] = []
    numbers = [value for value in domain if isinstance(value, int)]
    for low, high in intervals(numbers):
        parts += [f"{low}..{high}"] if high - low > 1 else map(str, range(low, high + 1))
    parts += [quote(value) for value in domain if isinstance(value, str)]
    return parts[0] if len(parts) == 1 and len(numbers) > 2 else f"{{{', '.join(parts)}}}"
