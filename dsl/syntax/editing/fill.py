"""A spec with another puzzle in it: other params, pictures and facts, all else as it stands."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from .. import nodes
from ..nodes import Place
from ..printing.write import write
from ..vocabulary import is_name
from .edit import Located, replace

HERE = Place(1, 1)
"""Where a clause stands that no text has."""

Facts = Iterable[tuple[int | str, ...]]

NEVER = (nodes.Comparison(HERE, nodes.Constant(HERE, 1), "=", nodes.Constant(HERE, 2)),)
"""The body of a fact that says which relation there is, and nothing of it."""


def filled(
    text: str,
    located: Iterable[Located],
    title: str,
    params: Mapping[str, int | str],
    grids: Mapping[str, str],
    facts: Mapping[str, Facts],
    more: Iterable[str] = (),
) -> str:
    """A spec with other params, grids and facts in the places of its own; what it has no place for follows.

    Examples
    --------
    >>> from .edit import locate
    >>> text = "f(1).  f(2).\\nparam n = 9."
    >>> print(filled(text, locate(text), "mine", {"n": 4}, {}, {"f": [(3,), (4,)]}))
    % Puzzle: mine
    f(3). f(4).
    param n = 4.
    >>> print(filled(text, locate(text), "mine", {}, {}, {"f": []}))
    % Puzzle: mine
    f(1) :- 1 = 2.  % f has no facts
    param n = 9.
    """
    new: dict[tuple[str, str], list[nodes.Clause]] = {}
    for param, value in params.items():
        new["param", param] = [nodes.Param(HERE, param, _constant(value))]
    for grid, rows in grids.items():
        new["grid", grid] = [nodes.Grid(HERE, grid, rows, HERE)]
    for relation, tuples in facts.items():
        new["fact", relation] = [_fact(relation, values) for values in tuples]
    told: set[tuple[str, str]] = set()
    empty: dict[str, nodes.Clause] = {}

    def change(clause: nodes.Clause) -> Sequence[nodes.Clause] | None:
        key = _defines(clause)
        if key not in new:
            return None
        by = () if key in told else new[key] or _never(clause)
        if by and not new[key]:
            empty[key[1]] = by[0]
        told.add(key)
        return [_sized(one, clause) for one in by]

    text = _titled(replace(text, located, change), title)
    for relation, clause in empty.items():
        line = rf"(?m)^([^%\n]*{re.escape(write(clause))}[^%\n]*)$"
        text = re.sub(line, rf"\1  % {relation} has no facts", text, count=1)
    missing = [write(clause) for key, clauses in new.items() if key not in told for clause in clauses]
    added = "".join(f"{clause}\n" for clause in [*missing, *more])
    return f"{text}\n{added}" if added else text


def _never(clause: nodes.Clause) -> list[nodes.Clause]:
    """The relation of a fact, of which nothing is said."""
    return [dataclasses.replace(clause, body=NEVER)] if isinstance(clause, nodes.Rule) else []


def _sized(clause: nodes.Clause, old: nodes.Clause) -> nodes.Clause:
    """A grid with the size of the one that it replaces; any other clause as it is."""
    if isinstance(clause, nodes.Grid) and isinstance(old, nodes.Grid):
        return dataclasses.replace(clause, size=old.size)
    return clause


def _defines(clause: nodes.Clause) -> tuple[str, str]:
    """What another puzzle may say in its own way: a param, a grid, or the facts of a relation."""
    match clause:
        case nodes.Param(_, name):
            return "param", name
        case nodes.Grid(_, name):
            return "grid", name
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name)), ()):
            return "fact", name
    return "", ""


def _fact(relation: str, values: Iterable[int | str]) -> nodes.Rule:
    return nodes.Rule(HERE, None, nodes.Fact(HERE, nodes.Call(HERE, relation, tuple(map(_constant, values)))), ())


def _constant(value: int | str) -> nodes.Expr:
    is_plain = isinstance(value, str) and is_name(value)
    return nodes.Name(HERE, str(value)) if is_plain else nodes.Constant(HERE, value)


def _titled(text: str, title: str) -> str:
    """The text with this title instead of the one that the example has, and of what follows it there."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("% Puzzle:")), 0)
    end = start
    while lines[start].startswith("% Puzzle:") and lines[end].startswith("%"):
        end += 1
    return "\n".join([*lines[:start], f"% Puzzle: {_one_line(title)}", *lines[end:]])


def _one_line(text: str) -> str:
    """A text that can stand in a comment."""
    return "".join(c if c.isprintable() else " " for c in text).strip()
