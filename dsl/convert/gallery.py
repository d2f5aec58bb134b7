"""The rules of every family, which stand in one place: the gallery in ``examples/``.

An imported puzzle is the example of its family with other params, grids and facts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ..language import syntax
from ..language.reading import ENDING, gallery
from ..language.syntax import Place
from ..language.text.edit import Located, locate, replace
from ..language.text.write import write
from ..language.vocabulary import is_name

HERE = Place(1, 1)
"""Where a clause stands that no text has."""

Rows = Sequence[Sequence[object]]
Facts = Iterable[tuple[int | str, ...]]


@cache
def example(name: str) -> str:
    """The text of an example."""
    return (gallery() / f"{name}{ENDING}").read_text(encoding="utf-8")


@cache
def located(name: str) -> list[Located]:
    """The clauses of an example."""
    return locate(example(name))


def fill(
    name: str,
    title: str,
    params: Mapping[str, int] | None = None,
    grids: Mapping[str, str] | None = None,
    facts: Mapping[str, Facts] | None = None,
    more: Iterable[str] = (),
) -> str:
    """An example with another puzzle in it.

    Parameters
    ----------
    name : str
        The example.
    title : str
        What the puzzle is called.
    params : mapping from str to int, optional
    grids : mapping from str to str, optional
        The pictures.
    facts : mapping from str to tuples, optional
        The facts of a relation; they replace those of the example.
    more : iterable of str
        Clauses to add.

    Returns
    -------
    str

    Examples
    --------
    >>> text = fill("quasigroup", "mine", {"n": 2}, {"clue": picture([[2, None], [None, None]])})
    >>> text.splitlines()[2:8]
    ['param n = 2.', '', '% Puzzle: mine', 'grid clue(n, n) = "', '  2.', '  ..']
    """
    new: dict[tuple[str, str], list[syntax.Clause]] = {}
    for param, value in (params or {}).items():
        new["param", param] = [syntax.Param(HERE, param, syntax.Constant(HERE, value))]
    for grid, rows in (grids or {}).items():
        new["grid", grid] = [syntax.Grid(HERE, grid, rows, HERE)]
    for relation, tuples in (facts or {}).items():
        new["fact", relation] = [_fact(relation, values) for values in tuples]
    told: set[tuple[str, str]] = set()

    def change(clause: syntax.Clause) -> Sequence[syntax.Clause] | None:
        key = _defines(clause)
        if key not in new:
            return None
        by = () if key in told else new[key]
        told.add(key)
        return [_sized(one, clause) for one in by]

    text = _titled(replace(example(name), located(name), change), title)
    missing = [write(clause) for key, clauses in new.items() if key not in told for clause in clauses]
    added = "".join(f"{clause}\n" for clause in [*missing, *more])
    return f"{text}\n{added}" if added else text


def _sized(clause: syntax.Clause, old: syntax.Clause) -> syntax.Clause:
    """A grid with the size of the one that it replaces; any other clause as it is."""
    if isinstance(clause, syntax.Grid) and isinstance(old, syntax.Grid):
        return dataclasses.replace(clause, size=old.size)
    return clause


def labelled(name: str, label: str) -> list[str]:
    """The clauses of an example whose labels begin so."""
    return [
        example(name)[start:end]
        for clause, start, end in located(name)
        if isinstance(clause, syntax.Rule) and clause.label and str(clause.label.value).startswith(label)
    ]


def _defines(clause: syntax.Clause) -> tuple[str, str]:
    """What another puzzle may say in its own way: a param, a grid, or the facts of a relation."""
    match clause:
        case syntax.Param(_, name):
            return "param", name
        case syntax.Grid(_, name):
            return "grid", name
        case syntax.Rule(_, None, syntax.Fact(_, syntax.Call(_, name)), ()):
            return "fact", name
    return "", ""


def _fact(relation: str, values: Iterable[int | str]) -> syntax.Rule:
    terms: list[syntax.Expr] = [
        syntax.Name(HERE, value) if isinstance(value, str) and is_name(value) else syntax.Constant(HERE, value)
        for value in values
    ]
    return syntax.Rule(HERE, None, syntax.Fact(HERE, syntax.Call(HERE, relation, tuple(terms))), ())


def _titled(text: str, title: str) -> str:
    """The text with this title instead of the one that the example has, and of what follows it there."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("% Puzzle:")), 0)
    end = start
    while lines[start].startswith("% Puzzle:") and lines[end].startswith("%"):
        end += 1
    return "\n".join([*lines[:start], f"% Puzzle: {_one_line(title)}", *lines[end:]])


def picture(rows: Rows, box: tuple[int, int] | None = None) -> str:
    """The text of a grid that stands between the quotes; empty if all of it is blank.

    Parameters
    ----------
    rows : sequence of sequences
        What stands in the cells, None for blank.
    box : (int, int), optional
        Set off boxes of so many rows and columns.

    Returns
    -------
    str

    Examples
    --------
    >>> picture([[1, None], ["a", 10]])
    '\\n   1  .\\n   a 10\\n'
    """
    if all(token is None for row in rows for token in row):
        return ""
    tokens = [["." if token is None else str(token) for token in row] for row in rows]
    width = max(len(token) for row in tokens for token in row)
    between = " " if width > 1 or len(rows) == 1 else ""
    high, wide = box or (len(rows), len(rows[0]))
    lines = []
    for number, row in enumerate(tokens):
        parts = [row[i : i + wide] for i in range(0, len(row), wide)]
        line = " | ".join(between.join(token.rjust(width) for token in part) for part in parts)
        if number and number % high == 0:
            lines.append("".join("+" if letter == "|" else "-" for letter in line))
        lines.append(line)
    return "\n" + "".join(f"  {line}\n" for line in lines)


def _one_line(text: str) -> str:
    """A text that can stand in a comment."""
    return "".join(c if c.isprintable() else " " for c in text).strip()
