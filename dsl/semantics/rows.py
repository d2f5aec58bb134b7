"""Converts params, facts and grids from Python objects to a spec's values and text.

Rows of pandas and networkx are welcome, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from operator import index
from reprlib import repr as shortened
from typing import Any, NoReturn

from csp import Value, quoted

from ..syntax import nodes
from ..syntax.errors import Diagnostic, Source, SpecError, counted, suggest_name
from ..syntax.grids import BLANKS, grid_text, read_rows

RowsLike = Iterable[Any]
"""Rows of values; single values for rows of one column; or an object with ``itertuples``, such as a DataFrame."""

FACTS = "each row is a tuple, such as (1, 'red'), as items() of a dict has"
"""Hint on the form of facts."""

GRID = "a grid is a list of lists, or a list of texts"
"""Hint on the form of grids."""


def params_of(params: Mapping[str, Any] | None) -> dict[str, Value]:
    """Convert the caller's param values to integers and symbols."""
    values = {name: _value(value, f"param {name}") for name, value in _items_by_name(params, "params", "{'n': 3}")}
    for name, value in values.items():
        if isinstance(value, str) and value.removeprefix("-").isdigit():
            _refuse(f"param {name}", f"{value!r} is a symbol", f"the number is {value}, without quotes")
    return values


def facts_of(facts: Mapping[str, RowsLike] | None) -> dict[str, Source]:
    """Convert the caller's facts to clause texts, one line per row.

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
    """Convert the caller's grids to pictures in the language.

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


def replace_facts(
    clauses: Sequence[nodes.Clause], relation: str, facts: Sequence[nodes.Clause]
) -> tuple[nodes.Clause, ...]:
    """Replace the facts of one relation in a list of clauses.

    Without new facts, the relation is defined as empty.

    Raises
    ------
    Diagnostic
        If no clause uses the relation, or all use it with another number of arguments.
    """
    # Split the clauses into the facts that are replaced and all others.
    replaced = [clause for clause in clauses if isinstance(clause, nodes.Rule) and _is_fact(clause, relation)]
    other_clauses = tuple(
        [clause for clause in clauses if not (isinstance(clause, nodes.Rule) and _is_fact(clause, relation))]
    )
    terms = [part for part in nodes.walk(other_clauses) if isinstance(part, nodes.Call | nodes.Name)]
    # Without a use of the relation, its name is probably misspelt.
    if not replaced and relation not in {term.name for term in terms}:
        hint = suggest_name(relation, {term.name for term in terms if isinstance(term, nodes.Call)})
        raise Diagnostic(f"no clause is about {relation}, of which there are facts", None, hint)
    if not replaced and not facts:
        raise Diagnostic(f"there are no facts of {relation}", None, f"the spec has an example: {relation}(1, ann).")
    _check_arity(relation, facts, terms)
    return (*other_clauses, *(facts or [replace(replaced[0], body=(_false_condition(replaced[0].at),))]))


def _is_fact(rule: nodes.Rule, relation: str) -> bool:
    """Return whether a rule is a fact of a given relation."""
    match rule:
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name)), ()):
            return name == relation
    return False


def _check_arity(relation: str, facts: Sequence[nodes.Clause], terms: Sequence[nodes.Call | nodes.Name]) -> None:
    """Refuse facts whose number of arguments differs from the spec's.

    Only if all facts, and all terms of the spec, have one number of arguments.
    """
    heads = [fact.head.term for fact in facts if isinstance(fact, nodes.Rule) and isinstance(fact.head, nodes.Fact)]
    passed_lengths = {len(nodes.arguments(head)) for head in heads}
    expected_lengths = {len(nodes.arguments(term)) for term in terms if term.name == relation}
    # Mixed lengths are errors that a later stage reports.
    if len(passed_lengths) == len(expected_lengths) == 1 and passed_lengths != expected_lengths:
        values, arguments = counted(passed_lengths.pop(), "value"), counted(expected_lengths.pop(), "argument")
        message = f"this row has {values}, and {relation} has {arguments}"
        raise Diagnostic(f"{message} in the spec", heads[0].at, "a row has a value for each argument")


def _false_condition(at: nodes.Place) -> nodes.Condition:
    """Return a condition that never holds."""
    return nodes.Comparison(at, nodes.Constant(at, 1), "=", nodes.Constant(at, 2))


def _facts_source(title: str, name: str, rows: RowsLike) -> Source:
    """Return the text of a relation's facts, with one line per row."""
    lines = []
    for number, row in enumerate(_rows(rows, title, FACTS), 1):
        where = f"{title}, row {number}"
        if isinstance(row, Mapping | Set):
            _refuse(where, f"{shortened(row)} has no order", FACTS)
        values = row if isinstance(row, Iterable) and not isinstance(row, str) else (row,)
        lines.append(f"{name}({', '.join([quoted(_value(value, where)) for value in values])}).")
    return Source(title, "\n".join(lines))


def _grid_source(title: str, name: str, rows: str | RowsLike) -> Source:
    """Return the picture of a grid from the caller's rows."""
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
            _refuse(where, f"{shortened(row)} is no row", GRID)
        cells.append([None if _is_blank(cell) else _value(cell, where, "a blank is None") for cell in row])
    source = Source(title, grid_text(cells))
    try:
        read_back = [[token for token, _ in row] for row in read_rows(source.text, name)]
    except Diagnostic:  # the stage that reads the grid reports it with its place
        return source
    if read_back and read_back != [["." if cell is None else str(cell) for cell in row] for row in cells]:
        _refuse(title, "an entry cannot stand in a picture", "it has blanks, or is a line alone; facts can")
    return source


def _items_by_name(passed: Mapping[str, Any] | None, word: str, example: str) -> Iterable[tuple[str, Any]]:
    """Return the items of a mapping with names as keys; refuse other objects."""
    if passed is not None and not isinstance(passed, Mapping):
        _refuse(word, f"{shortened(passed)} says no names", f"{word}={example} does")
    return (passed or {}).items()


def _rows(rows: Any, title: str, hint: str) -> Iterator[Any]:
    """Yield rows of an object; refuse an object without rows."""
    if isinstance(rows, str | dict) or not (hasattr(rows, "itertuples") or isinstance(rows, Iterable)):
        _refuse(title, f"{shortened(rows)} is no list of rows", hint)
    return rows.itertuples(index=False) if hasattr(rows, "itertuples") else iter(rows)


def _is_blank(cell: object) -> bool:
    """Return whether a cell is blank: None, empty, a dot or an underscore."""
    return cell is None or (isinstance(cell, str) and cell in ("", *BLANKS))


def _value(value: object, where: str, hint: str = "") -> Value:
    """Convert a Python value to an integer or symbol; refuse other objects."""
    try:
        return value if isinstance(value, str) else int(index(value))  # type: ignore[arg-type]
    except TypeError:
        suggestion = f"the integer is {int(value)}" if isinstance(value, float) and value.is_integer() else hint
        _refuse(where, f"{value!r} is neither an integer nor a symbol", suggestion)


def _refuse(where: str, message: str, hint: str) -> NoReturn:
    """Raise a SpecError about an argument that the caller passed."""
    raise SpecError([Diagnostic(message, None, hint)], {"": Source(where, "")})
