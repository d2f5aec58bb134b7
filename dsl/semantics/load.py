"""Loads the model of a spec from a file or from text.

Params, facts and grids may be Python objects; rows of pandas and networkx are welcome, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from operator import index
from os import PathLike
from reprlib import repr as shortened
from typing import Any, NoReturn

from csp import Model, Value, quoted

from ..syntax.errors import Diagnostic, Source, SpecError
from ..syntax.grids import BLANKS, grid_text, read_rows
from ..syntax.reading import source_of
from .clauses.build import Program

RowsLike = Iterable[Any]
"""Rows of values; single values for rows of one column; or an object with ``itertuples``, such as a DataFrame."""

FACTS = "each row is a tuple, such as (1, 'red'), as items() of a dict has"
"""Hint on the form of facts."""

GRID = "a grid is a list of lists, or a list of texts"
"""Hint on the form of grids."""


def loads(
    text: str,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str | RowsLike] | None = None,
    name: str = "<text>",
    base: str | PathLike[str] = "",
    facts: Mapping[str, RowsLike] | None = None,
) -> Model:
    """Return the model of a spec that is passed as text.

    Parameters
    ----------
    text : str
        The spec.
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str or rows, optional
        Replace the grids of the spec. A grid is a text, a list of texts, or a list of lists of numbers and symbols with
        None for a blank.
    name : str
        The name of the spec in messages.
    base : path of a folder, optional
        The folder of included files; by default, the working folder.
    facts : mapping from str to rows, optional
        Replace the facts of relations: by a list of tuples, the edges of a graph, or a ``pandas.DataFrame``. A row of
        one column may be a plain value. Values are symbols and integers, including numpy's.

    Returns
    -------
    csp.Model

    Raises
    ------
    SpecError
        With file, line, column and caret for each error.
    TypeError
        If ``text`` is not a str.

    Examples
    --------
    >>> print(loads("param n = 3.  x(I) in 1..n :- I in 1..n.", {"n": 2}).domains)
    {'x(1)': (1, 2), 'x(2)': (1, 2)}
    >>> model = loads("seat(P) in 1..2 :- guest(P).", facts={"guest": ["ann", "O'Brien"]})
    >>> print(*model.domains)
    seat(ann) seat('O''Brien')
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r:.80} is not a text; use dsl.load(path) for a file")
    return _model(Source(name, text, os.path.join(base, "-")), params, grids, facts)


def _model(
    source: Source,
    params: Mapping[str, Value] | None,
    grids: Mapping[str, str | RowsLike] | None,
    facts: Mapping[str, RowsLike] | None,
) -> Model:
    """Build the model of a source with the caller's params, grids and facts."""
    return Program(source, facts_of(facts)).build(params_of(params), grids_of(grids)).model


def load(
    path: str | PathLike[str],
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str | RowsLike] | None = None,
    facts: Mapping[str, RowsLike] | None = None,
) -> Model:
    """Return the model of a spec in a file; ``loads`` describes the parameters.

    Parameters
    ----------
    path : path of the file, in UTF-8
    params, grids, facts
        As for ``loads``.

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If the file is not UTF-8, or has errors.
    """
    return _model(source_of(path), params, grids, facts)


def params_of(params: Mapping[str, Any] | None) -> dict[str, Value]:
    """Convert the caller's param values to integers and symbols; refuse a number in quotes."""
    values = {name: _value(value, f"param {name}") for name, value in _items_by_name(params, "params", "{'n': 3}")}
    for name, value in values.items():
        if isinstance(value, str) and value.removeprefix("-").isdigit():
            _refuse(f"param {name}", f"{value!r} is a symbol", f"write the number {value} without quotes")
    return values


def facts_of(facts: Mapping[str, RowsLike] | None) -> dict[str, Source]:
    """Convert the caller's facts to texts of clauses; return the texts by relation.

    Examples
    --------
    >>> facts_of({"lesson": [("ann", 3), ("O'Brien", 4)], "room": [1, 2]})["lesson"].text
    "lesson(ann, 3).\\nlesson('O''Brien', 4)."
    """
    return {
        name: _facts_source(f"facts {name}", name, rows)
        for name, rows in _items_by_name(facts, "facts", "{'age': [('ann', 4)]}")
    }


def grids_of(grids: Mapping[str, str | RowsLike] | None) -> dict[str, Source]:
    """Convert the caller's grids to texts as in a spec; return the texts by grid.

    Rows are texts, or lists with None for a blank.

    Examples
    --------
    >>> print(grids_of({"clue": [[None, 12], [3, None]]})["clue"].text)
    <BLANKLINE>
       . 12
       3  .
    <BLANKLINE>
    """
    return {
        name: _grid_source(f"grid {name}", name, rows)
        for name, rows in _items_by_name(grids, "grids", "{'clue': [[1, None], [None, 2]]}")
    }


def _facts_source(title: str, name: str, rows: RowsLike) -> Source:
    """Return a relation's facts as the text of a ``Source``, one line per row."""
    lines = []
    for number, row in enumerate(_rows(rows, title, FACTS), 1):
        where = f"{title}, row {number}"
        if isinstance(row, Mapping | Set):
            _refuse(where, f"{shortened(row)} has no order", FACTS)
        values = row if isinstance(row, Iterable) and not isinstance(row, str) else (row,)
        lines.append(f"{name}({', '.join([quoted(_value(value, where)) for value in values])}).")
    return Source(title, "\n".join(lines))


def _grid_source(title: str, name: str, rows: str | RowsLike) -> Source:
    """Return a grid of the caller as the text of a ``Source``; refuse unreadable entries."""
    if isinstance(rows, str):
        return Source(title, rows)
    row_list = list(_rows(rows, title, GRID))
    # Rows of text are joined.
    if all(isinstance(row, str) for row in row_list):
        return Source(title, "\n".join(row_list))
    # Cells are written, and read again, as some symbols have no place in a picture.
    cells: list[Sequence[Value | None]] = []
    for number, row in enumerate(row_list, 1):
        where = f"{title}, row {number}"
        if isinstance(row, str) or not isinstance(row, Iterable):
            _refuse(where, f"{shortened(row)} is not a row", GRID)
        cells.append([None if _is_blank(cell) else _value(cell, where, "write None for a blank") for cell in row])
    source = Source(title, grid_text(cells))
    try:
        read_back = [[token for token, _ in row] for row in read_rows(source.text, name)]
    except Diagnostic:  # the stage that reads the grid reports it with its place
        return source
    if read_back and read_back != [["." if cell is None else str(cell) for cell in row] for row in cells]:
        _refuse(title, "a picture cannot contain this entry", "use facts for entries with blanks")
    return source


def _items_by_name(passed: Mapping[str, Any] | None, word: str, example: str) -> Iterable[tuple[str, Any]]:
    """Return the items of a mapping, or none for None; refuse other objects."""
    if passed is not None and not isinstance(passed, Mapping):
        _refuse(word, f"{shortened(passed)} is not a mapping", f"write {word}={example}")
    return (passed or {}).items()


def _rows(rows: Any, title: str, hint: str) -> Iterator[Any]:
    """Return an iterator over an object's rows; refuse texts, dicts and objects without rows."""
    if isinstance(rows, str | dict) or not (hasattr(rows, "itertuples") or isinstance(rows, Iterable)):
        _refuse(title, f"{shortened(rows)} is not a list of rows", hint)
    return rows.itertuples(index=False) if hasattr(rows, "itertuples") else iter(rows)


def _is_blank(cell: object) -> bool:
    """Return whether a cell is blank: None, an empty text, ``.`` or ``_``."""
    return cell is None or (isinstance(cell, str) and cell in ("", *BLANKS))


def _value(value: object, where: str, hint: str = "") -> Value:
    """Convert a Python value to an integer or symbol; refuse other objects."""
    try:
        return value if isinstance(value, str) else int(index(value))  # type: ignore[arg-type]
    except TypeError:
        suggestion = f"write {int(value)}" if isinstance(value, float) and value.is_integer() else hint
        _refuse(where, f"{value!r} is neither an integer nor a symbol", suggestion)


def _refuse(where: str, message: str, hint: str) -> NoReturn:
    """Raise a SpecError about an argument that the caller passed."""
    raise SpecError([Diagnostic("bad-facts", message, None, hint)], {"": Source(where, "")})
