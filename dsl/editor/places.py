"""Where a name is defined, where it is used, and what renames it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from csp import CspError

from ..semantics.expressions.binding import binders
from ..syntax import nodes
from ..syntax.nodes import Place
from ..syntax.vocabulary import KEYWORDS, NAME, RESERVED, VARIABLE
from .edits import Edit
from .names import Occurrence, Spelt


def found_at(spelt: Spelt, line: int, column: int) -> Occurrence | None:
    """The name at a place, or the one that ends there."""
    for one in spelt.occurrences():
        if one.at.line == line and one.at.column <= column <= one.at.column + one.at.width:
            return one
    return None


def uses(text: str, line: int, column: int, path: str = "-") -> list[Occurrence]:
    """Where the name at a place stands in the text, and nothing where there is none.

    Parameters
    ----------
    text : str
    line, column : int
        Counted from 1.
    path : str
        Where the text stands: what it includes is found from there.

    Returns
    -------
    list of Occurrence
        In the order of writing.

    Examples
    --------
    >>> [one.at.column for one in uses("p(X) :- q(X).  q(X) :- X in 1..2.", 1, 3)]
    [3, 11]
    """
    spelt = Spelt(text, path)
    one = found_at(spelt, line, column)
    if one is None or one.kind == "word" or one.name == "_":
        return []
    return [other for other in spelt.occurrences() if (other.name, other.owner) == (one.name, one.owner)]


def define(text: str, line: int, column: int, path: str = "-") -> Place | None:
    """Where the name at a place is defined; of a file that is included, where its text begins.

    Parameters
    ----------
    text, line, column, path
        As for ``uses``.

    Returns
    -------
    Place or None
        Its ``file`` is empty for the text itself; otherwise the path of a file, or ``gallery`` and a name.

    Examples
    --------
    >>> define("param n = 4.  A in 1..n.", 1, 23)
    Place(line=1, column=7, width=1, file='')
    """
    spelt = Spelt(text, path)
    for clause in spelt.own:
        if isinstance(clause, nodes.Include) and _covers(clause.at, line, column):
            files = [file for file in spelt.sources if file.endswith(clause.name)]
            return Place(1, 1, 1, files[0]) if files else None
    one = found_at(spelt, line, column)
    if one is None or one.kind == "word":
        return None
    if one.kind == "bound":
        same = [other.at for other in spelt.occurrences() if (other.name, other.owner) == (one.name, one.owner)]
        binding = {(at.line, at.column) for at in _bindings(spelt, one.name)}
        return next((at for at in same if (at.line, at.column) in binding), same[0])
    return next((at._replace(width=len(one.name)) for name, at in _definitions(spelt) if name == one.name), None)


def _covers(at: Place, line: int, column: int) -> bool:
    return at.line == line and at.column <= column <= at.column + at.width


def _bindings(spelt: Spelt, name: str) -> Iterator[Place]:
    """Where a body gives values to an uppercase word."""
    for clause in spelt.own:
        bodies = [getattr(part, "body", None) for part in nodes.walk(clause)]
        for body in [*bodies, getattr(clause, "body", None)]:
            for condition in body or ():
                if name in binders([condition]):
                    yield from (p.at for p in nodes.walk(condition) if isinstance(p, nodes.Logical) and p.name == name)


def _definitions(spelt: Spelt) -> Iterator[tuple[str, Place]]:
    """Each name of the spec with a place that says what it is, the first of them first."""
    for clause in spelt.clauses:
        match clause:
            case nodes.Param(at, name) | nodes.Grid(at, name):
                yield name, at
            case nodes.Rule(_, _, nodes.Declaration(_, terms)):
                yield from ((term.name, term.at) for term in terms if hasattr(term, "name"))
            case nodes.Rule(_, _, nodes.Fact(_, nodes.Name(at, name) | nodes.Call(at, name))):
                if spelt.kinds.get(name) in ("relation", "constraint"):
                    yield name, at
            case nodes.Show(_, items):
                yield from ((item.term.name, item.term.at) for item in items if item.value is not None)


class RenameRefused(CspError):
    """A name that cannot be given; the message says why."""


def rename(text: str, line: int, column: int, new: str, path: str = "-") -> list[Edit]:
    """What gives the name at a place another one, wherever it stands for the same.

    Parameters
    ----------
    text, line, column, path
        As for ``uses``.
    new : str

    Returns
    -------
    list of Edit

    Raises
    ------
    CspError
        If there is no name, if it is defined in another file or stands in a picture, or if the new one means
        something already.

    Examples
    --------
    >>> [edit.at.column for edit in rename("param n = 4.  A in 1..n.", 1, 7, "size")]
    [7, 23]
    """
    spelt = Spelt(text, path)
    one = found_at(spelt, line, column)
    if one is None or one.kind == "word" or one.name == "_":
        raise RenameRefused("there is no name of the spec here")
    is_upper = not one.name[0].islower()
    if not re.fullmatch(VARIABLE if is_upper else NAME, new) or new == "_":
        raise RenameRefused(f"{new!r:.40} is no {'word in uppercase' if is_upper else 'word in lowercase'}")
    everywhere = spelt.occurrences()
    if new in RESERVED or new in KEYWORDS:
        raise RenameRefused(f"{new} is a word of the language")
    if new != one.name and (new in spelt.kinds or any(other.name == new for other in everywhere)):
        raise RenameRefused(f"{new} stands for something already")
    for name, at in _definitions(spelt):
        if name == one.name and one.kind != "bound" and at.file:
            raise RenameRefused(f"{one.name} is defined in {at.file}")
    if one.kind == "symbol":
        for clause in spelt.own:
            if isinstance(clause, nodes.Grid) and one.name in (clause.text or "").split():
                raise RenameRefused(f"{one.name} stands in the picture of grid {clause.name}")
    same = [other for other in everywhere if (other.name, other.owner) == (one.name, one.owner)]
    return [Edit(other.at, new) for other in same]
