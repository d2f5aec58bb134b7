"""Edit the text of a spec: replace clauses, and fill in another puzzle."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from . import nodes
from .nodes import Place
from .parse import clause_spans, parse
from .vocabulary import is_name
from .write import write

WIDTH = 118
"""Maximum number of characters of a line with several clauses."""

HERE = Place(1, 1)
"""The place of a clause that is in no text."""

Facts = Iterable[tuple[int | str, ...]]
"""The arguments of each fact of a relation."""

NEVER = (nodes.Comparison(HERE, nodes.Constant(HERE, 1), "=", nodes.Constant(HERE, 2)),)
"""A body that never holds: with it, a fact declares its relation without adding a row."""


class Located(NamedTuple):
    """A clause with the offset where it starts and the offset after its full stop."""

    clause: nodes.Clause
    start: int
    end: int


def locate(text: str) -> list[Located]:
    """Return the clauses of a text with their start and end offsets.

    Raises
    ------
    Diagnostic
        The first syntax error, if there is one.

    Examples
    --------
    >>> [(clause.start, clause.end) for clause in locate("A in 1..2. % one\\n  B in 1..2.")]
    [(0, 10), (19, 29)]
    """
    clauses, diagnostics = parse(text)
    if diagnostics:
        raise diagnostics[0]
    return [Located(clause, *span) for clause, span in zip(clauses, clause_spans(text), strict=True)]


def replace(
    text: str, located: Iterable[Located], change: Callable[[nodes.Clause], Sequence[nodes.Clause] | None]
) -> str:
    """Return ``text`` with some of its clauses replaced.

    ``change`` returns the new clauses for a clause, or None to keep it. Comments are kept, and so are the blanks around
    clauses, except before a clause that is removed.

    Examples
    --------
    >>> text = "f(1).  f(2).  % two\\nparam n  =  9."
    >>> replace(text, locate(text), lambda clause: () if isinstance(clause, nodes.Rule) else None)
    '  % two\\nparam n  =  9.'
    """
    result = ""
    copied_to = 0
    for clause, start, end in located:
        new_clauses = change(clause)
        if new_clauses is not None:
            text_between = text[copied_to:start]
            result += text_between if new_clauses or text_between.strip() else ""
            result += fill_lines(map(write, new_clauses))
            copied_to = end
    return result + text[copied_to:]


def fill_lines(clauses: Iterable[str]) -> str:
    """Join clauses into lines of at most ``WIDTH`` characters.

    A longer clause has a line of its own.
    """
    lines: list[str] = []
    for clause in clauses:
        if lines and len(lines[-1]) + 1 + len(clause) <= WIDTH:
            lines[-1] += f" {clause}"
        else:
            lines.append(clause)
    return "\n".join(lines)


def fill_in(
    text: str,
    located: Iterable[Located],
    title: str,
    params: Mapping[str, int | str],
    grids: Mapping[str, str],
    facts: Mapping[str, Facts],
    added_clauses: Iterable[str] = (),
) -> str:
    """Return a spec's text with new params, grids and facts; append missing ones.

    Parameters
    ----------
    text : str
    located : iterable of Located
        The clauses of the text.
    title : str
        The title of the puzzle, for the comment at the start.
    params, grids : mappings from str
        The new value of each param and the new picture of each grid.
    facts : mapping from str to Facts
        All facts of each relation.
    added_clauses : iterable of str
        Further clauses to append.

    Examples
    --------
    >>> text = "f(1).  f(2).\\nparam n = 9."
    >>> print(fill_in(text, locate(text), "mine", {"n": 4}, {}, {"f": [(3,), (4,)]}))
    % Puzzle: mine
    f(3). f(4).
    param n = 4.
    >>> print(fill_in(text, locate(text), "mine", {}, {}, {"f": []}))
    % Puzzle: mine
    f(1) :- 1 = 2.  % f has no facts
    param n = 9.
    """
    # Collect the new clauses by kind and name.
    new: dict[tuple[str, str], list[nodes.Clause]] = {}
    for param, value in params.items():
        new["param", param] = [nodes.Param(HERE, param, _constant(value))]
    for grid, rows in grids.items():
        new["grid", grid] = [nodes.Grid(HERE, grid, rows, HERE)]
    for relation, tuples in facts.items():
        new["fact", relation] = [_fact(relation, values) for values in tuples]
    written: set[tuple[str, str]] = set()
    empty: dict[str, nodes.Clause] = {}

    def change(clause: nodes.Clause) -> Sequence[nodes.Clause] | None:
        """Return the clauses that replace ``clause``; None keeps it.

        All new clauses of a name replace its first old clause; its later ones are removed.
        """
        key = _key(clause)
        if key not in new:
            return None
        replacements = () if key in written else new[key] or _declare_empty(clause)
        if replacements and not new[key]:
            empty[key[1]] = replacements[0]
        written.add(key)
        return [_keep_size(replacement, clause) for replacement in replacements]

    text = _set_title(replace(text, located, change), title)
    # Add a comment to each relation that has no facts now.
    for relation, clause in empty.items():
        line = rf"(?m)^([^%\n]*{re.escape(write(clause))}[^%\n]*)$"
        text = re.sub(line, rf"\1  % {relation} has no facts", text, count=1)
    # Append the clauses for which the spec has no place.
    missing = [write(clause) for key, clauses in new.items() if key not in written for clause in clauses]
    added = "".join(f"{clause}\n" for clause in [*missing, *added_clauses])
    return f"{text}\n{added}" if added else text


def _declare_empty(clause: nodes.Clause) -> list[nodes.Clause]:
    """Return ``[clause]`` with a body that never holds, which declares an empty relation.

    If ``clause`` is not a rule, the list is empty.
    """
    return [dataclasses.replace(clause, body=NEVER)] if isinstance(clause, nodes.Rule) else []


def _keep_size(clause: nodes.Clause, old: nodes.Clause) -> nodes.Clause:
    """Return a copy of a grid clause with the declared size of ``old``.

    If one of the two is not a grid, ``clause`` is returned unchanged.
    """
    if isinstance(clause, nodes.Grid) and isinstance(old, nodes.Grid):
        return dataclasses.replace(clause, size=old.size)
    return clause


def _key(clause: nodes.Clause) -> tuple[str, str]:
    """Return the kind and name of a param, grid or unlabelled fact.

    Examples are ``("param", "n")`` and ``("fact", "total")``. For any other clause, both texts are empty.

    Another puzzle may replace params, grids and facts.
    """
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


def _set_title(text: str, title: str) -> str:
    """Return the text with the comment ``% Puzzle: title`` in place of its old title.

    The old title is the comment block that begins with ``% Puzzle:``. Without one, the new comment becomes the first
    line.
    """
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("% Puzzle:")), 0)
    end = start
    while lines[start].startswith("% Puzzle:") and lines[end].startswith("%"):
        end += 1
    return "\n".join([*lines[:start], f"% Puzzle: {_one_line(title)}", *lines[end:]])


def _one_line(text: str) -> str:
    """Replace unprintable characters by blanks and strip the text, so that it fits a comment."""
    return "".join(c if c.isprintable() else " " for c in text).strip()
