"""Rows of Python, such as those of pandas and networkx, as the texts of facts and grids."""

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
"""Rows of values; of single values, where each is a row of one; or whatever has ``itertuples``, as pandas has."""

FACTS = "each row is a tuple, such as (1, 'red'), as items() of a dict has"
GRID = "a grid is a list of lists, or a list of texts"


def params_of(params: Mapping[str, Any] | None) -> dict[str, Value]:
    """The values of params."""
    found = {name: _value(value, f"param {name}") for name, value in _named(params, "params", "{'n': 3}")}
    for name, value in found.items():
        if isinstance(value, str) and value.removeprefix("-").isdigit():
            _refuse(f"param {name}", f"{value!r} is a symbol", f"the number is {value}, without quotes")
    return found


def facts_of(facts: Mapping[str, RowsLike] | None) -> dict[str, Source]:
    """The facts of relations as texts, with a line for every row.

    Examples
    --------
    >>> facts_of({"lesson": [("ann", 3), ("O'Brien", 4)], "room": [1, 2]})["lesson"].text
    "lesson(ann, 3).\\nlesson('O''Brien', 4)."
    """
    return {name: _facts(f"facts {name}", name, rows) for name, rows in _named(facts, "facts", "{'age': [('ann', 4)]}")}


def grids_of(grids: Mapping[str, str | RowsLike] | None) -> dict[str, Source]:
    """The pictures of grids; rows are texts, or lists in which None is blank.

    Examples
    --------
    >>> print(grids_of({"clue": [[None, 12], [3, None]]})["clue"].text)
    <BLANKLINE>
       . 12
       3  .
    <BLANKLINE>
    """
    return {
        name: _grid(f"grid {name}", name, rows)
        for name, rows in _named(grids, "grids", "{'clue': [[1, None], [None, 2]]}")
    }


def with_facts(
    clauses: Sequence[nodes.Clause], relation: str, facts: Sequence[nodes.Clause]
) -> tuple[nodes.Clause, ...]:
    """Clauses with other facts of a relation; without any the relation is said to have none.

    Raises
    ------
    Mistake
        If no clause is about the relation, or all are about one with another number of arguments.
    """
    own = [clause for clause in clauses if isinstance(clause, nodes.Rule) and _is_fact(clause, relation)]
    others = tuple([one for one in clauses if not (isinstance(one, nodes.Rule) and _is_fact(one, relation))])
    terms = [part for part in nodes.walk(others) if isinstance(part, nodes.Call | nodes.Name)]
    if not own and relation not in {term.name for term in terms}:
        hint = suggest_name(relation, {term.name for term in terms if isinstance(term, nodes.Call)})
        raise Diagnostic(f"no clause is about {relation}, of which there are facts", None, hint)
    if not own and not facts:
        raise Diagnostic(f"there are no facts of {relation}", None, f"the spec has an example: {relation}(1, ann).")
    _check_arity(relation, facts, terms)
    return (*others, *(facts or [replace(own[0], body=(_never(own[0].at),))]))


def _is_fact(rule: nodes.Rule, relation: str) -> bool:
    match rule:
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name)), ()):
            return name == relation
    return False


def _check_arity(relation: str, facts: Sequence[nodes.Clause], terms: Sequence[nodes.Call | nodes.Name]) -> None:
    """Refuse rows that are alike, and unlike what the spec says of the relation."""
    heads = [fact.head.term for fact in facts if isinstance(fact, nodes.Rule) and isinstance(fact.head, nodes.Fact)]
    passed = {len(nodes.arguments(head)) for head in heads}
    wanted = {len(nodes.arguments(term)) for term in terms if term.name == relation}
    if len(passed) == len(wanted) == 1 and passed != wanted:
        values, arguments = counted(passed.pop(), "value"), counted(wanted.pop(), "argument")
        told = f"this row has {values}, and {relation} has {arguments}"
        raise Diagnostic(f"{told} in the spec", heads[0].at, "a row has a value for each argument")


def _never(at: nodes.Place) -> nodes.Condition:
    return nodes.Comparison(at, nodes.Constant(at, 1), "=", nodes.Constant(at, 2))


def _facts(title: str, name: str, rows: RowsLike) -> Source:
    lines = []
    for number, row in enumerate(_rows(rows, title, FACTS), 1):
        where = f"{title}, row {number}"
        if isinstance(row, Mapping | Set):
            _refuse(where, f"{shortened(row)} has no order", FACTS)
        values = row if isinstance(row, Iterable) and not isinstance(row, str) else (row,)
        lines.append(f"{name}({', '.join([quoted(_value(value, where)) for value in values])}).")
    return Source(title, "\n".join(lines))


def _grid(title: str, name: str, rows: str | RowsLike) -> Source:
    if isinstance(rows, str):
        return Source(title, rows)
    listed = list(_rows(rows, title, GRID))
    if all(isinstance(row, str) for row in listed):
        return Source(title, "\n".join(listed))
    cells: list[Sequence[Value | None]] = []
    for number, row in enumerate(listed, 1):
        where = f"{title}, row {number}"
        if isinstance(row, str) or not isinstance(row, Iterable):
            _refuse(where, f"{shortened(row)} is no row", GRID)
        cells.append([None if _is_blank(cell) else _value(cell, where, "a blank is None") for cell in row])
    source = Source(title, grid_text(cells))
    try:
        written = [[token for token, _ in row] for row in read_rows(source.text, name)]
    except Diagnostic:  # which is told with its place when the spec is read
        return source
    if written and written != [["." if cell is None else str(cell) for cell in row] for row in cells]:
        _refuse(title, "an entry cannot stand in a picture", "it has blanks, or is a line alone; facts can")
    return source


def _named(passed: Mapping[str, Any] | None, word: str, example: str) -> Iterable[tuple[str, Any]]:
    """What is passed by name."""
    if passed is not None and not isinstance(passed, Mapping):
        _refuse(word, f"{shortened(passed)} says no names", f"{word}={example} does")
    return (passed or {}).items()


def _rows(rows: Any, title: str, hint: str) -> Iterator[Any]:
    if isinstance(rows, str | dict) or not (hasattr(rows, "itertuples") or isinstance(rows, Iterable)):
        _refuse(title, f"{shortened(rows)} is no list of rows", hint)
    return rows.itertuples(index=False) if hasattr(rows, "itertuples") else iter(rows)


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and cell in ("", *BLANKS))


def _value(value: object, where: str, hint: str = "") -> Value:
    try:
        return value if isinstance(value, str) else int(index(value))  # type: ignore[arg-type]
    except TypeError:
        told = f"the integer is {int(value)}" if isinstance(value, float) and value.is_integer() else hint
        _refuse(where, f"{value!r} is neither an integer nor a symbol", told)


def _refuse(where: str, message: str, hint: str) -> NoReturn:
    raise SpecError([Diagnostic(message, None, hint)], {"": Source(where, "")})
