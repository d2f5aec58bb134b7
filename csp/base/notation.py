"""How values and domains are written: as the language writes them, in captions as in specs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

Value = int | str
Domain = tuple[Value, ...]
Quote = Callable[[Value], str]

WORD = re.compile("[a-z][A-Za-z0-9_]*")


def quoted(value: Value) -> str:
    """A value as the language writes it: a symbol that is no lowercase word stands in quotes.

    Examples
    --------
    >>> [quoted(value) for value in (3, "red", "Big Red", "don't", "")]
    ['3', 'red', "'Big Red'", "'don''t'", "''"]
    """
    if isinstance(value, int):
        return str(value)
    return value if WORD.fullmatch(value) else in_quotes(value)


def in_quotes(symbol: str) -> str:
    """A symbol of any letters, as the language writes it."""
    return "'" + symbol.replace("'", "''") + "'"


def unquoted(value: Value) -> Value:
    """A value without the quotes that the language needs.

    Examples
    --------
    >>> [unquoted(value) for value in (3, "red", "'don''t'")]
    [3, 'red', "don't"]
    """
    is_quoted = isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == "'"
    return str(value)[1:-1].replace("''", "'") if is_quoted else value


def visible(text: str, keep: str = "") -> str:
    """A text without characters that a terminal obeys or does not show; they are written as Python writes them.

    Examples
    --------
    >>> visible("a \\x1b[31mred\\n\\thouse", keep="\\n")
    'a \\\\x1b[31mred\\n\\\\thouse'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text])


def counted(number: int, one: str, many: str = "", form: str = ",") -> str:
    """A number with its noun.

    Parameters
    ----------
    number : int
    one : str
        The noun of one thing.
    many : str
        The plural, if it is not made by an s.
    form : str
        How the number is formatted; by default its thousands have commas between them.

    Returns
    -------
    str

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(2000, "value")
    ('1 vertex', '2,000 values')
    """
    return f"{number:{form}} {one if number == 1 else many or f'{one}s'}"


def listed(values: Iterable[Value], quote: Quote = quoted) -> str:
    """Values with commas between them.

    Examples
    --------
    >>> listed((1, 2, "Big Red"))
    "1, 2, 'Big Red'"
    """
    return ", ".join(map(quote, values))


def show_domain(domain: Domain, quote: Quote = quoted) -> str:
    """A domain as the language writes it; ``quote`` writes its values.

    Examples
    --------
    >>> show_domain((1, 2, 3)), show_domain((1, 3)), show_domain((1, 2, 3, 7, "red"))
    ('1..3', '{1, 3}', '{1..3, 7, red}')
    """
    parts: list[str] = []
    numbers = [value for value in domain if isinstance(value, int)]
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        values = [value for _, value in run]
        parts += [f"{values[0]}..{values[-1]}"] if len(values) > 2 else map(str, values)
    parts += [quote(value) for value in domain if isinstance(value, str)]
    return parts[0] if len(parts) == 1 and len(numbers) > 2 else f"{{{', '.join(parts)}}}"
