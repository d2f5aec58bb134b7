"""Finds the definition and uses of a name, and renames it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from csp import CspError

from ..semantics.expressions.binding import binders
from ..syntax import nodes
from ..syntax.nodes import Place
from ..syntax.vocabulary import KEYWORDS, NAME, RESERVED, VARIABLE
from .edits import Edit
from .names import Occurrence, SpecNames


def occurrence_at(spec_names: SpecNames, line: int, column: int) -> Occurrence | None:
    """Return the name's occurrence that contains a place or ends there, or None."""
    for occurrence in spec_names.occurrences():
        if _is_at(occurrence.at, line, column):
            return occurrence
    return None


def uses(text: str, line: int, column: int, path: str = "-") -> list[Occurrence]:
    """Return all occurrences of the name at a place.

    Parameters
    ----------
    text : str
    line, column : int
        The place, counted from 1.
    path : str
        The path of the text, from which its includes are resolved.

    Returns
    -------
    list of Occurrence
        In the order of writing; empty without a name at the place.

    Examples
    --------
    >>> [occurrence.at.column for occurrence in uses("p(X) :- q(X).  q(X) :- X in 1..2.", 1, 3)]
    [3, 11]
    """
    spec_names = SpecNames(text, path)
    occurrence = occurrence_at(spec_names, line, column)
    if occurrence is None or occurrence.kind == "word" or occurrence.name == "_":
        return []
    return _same_name(occurrence, spec_names.occurrences())


def _same_name(occurrence: Occurrence, occurrences: list[Occurrence]) -> list[Occurrence]:
    """Return all occurrences of the same name in the same scope."""
    key = occurrence.name, occurrence.owner
    return [candidate for candidate in occurrences if (candidate.name, candidate.owner) == key]


def define(text: str, line: int, column: int, path: str = "-") -> Place | None:
    """Return the place where the name at a place is defined, or None.

    For the name of an included file, this is the beginning of the file.

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
    spec_names = SpecNames(text, path)
    for clause in spec_names.own:
        if isinstance(clause, nodes.Include) and _is_at(clause.at, line, column):
            files = [file for file in spec_names.sources if file.endswith(clause.name)]
            return Place(1, 1, 1, files[0]) if files else None
    occurrence = occurrence_at(spec_names, line, column)
    if occurrence is None or occurrence.kind == "word":
        return None
    # A logical variable is defined where its body first binds it.
    if occurrence.kind == "bound":
        places = [same.at for same in _same_name(occurrence, spec_names.occurrences())]
        binding = {(at.line, at.column) for at in _bindings(spec_names, occurrence.name)}
        return next((at for at in places if (at.line, at.column) in binding), places[0])
    for name, at in _definitions(spec_names):
        if name == occurrence.name:
            return at._replace(width=len(name))
    return None


def _is_at(at: Place, line: int, column: int) -> bool:
    """Return whether a line and column are within a place, or just after it."""
    return at.line == line and at.column <= column <= at.column + at.width


def _bindings(spec_names: SpecNames, name: str) -> Iterator[Place]:
    """Yield the places where a body binds a logical variable."""
    for clause in spec_names.own:
        bodies = [getattr(part, "body", None) for part in nodes.walk(clause)]
        for body in [*bodies, getattr(clause, "body", None)]:
            for condition in body or ():
                if name in binders([condition]):
                    yield from (p.at for p in nodes.walk(condition) if isinstance(p, nodes.Logical) and p.name == name)


def _definitions(spec_names: SpecNames) -> Iterator[tuple[str, Place]]:
    """Yield the names that a spec defines, with their places.

    The order is that of writing; a name may be defined several times.
    """
    for clause in spec_names.clauses:
        match clause:
            case nodes.Param(at, name) | nodes.Grid(at, name):
                yield name, at
            case nodes.Rule(_, _, nodes.Declaration(_, terms)):
                yield from ((term.name, term.at) for term in terms if hasattr(term, "name"))
            case nodes.Rule(_, _, nodes.Fact(_, nodes.Name(at, name) | nodes.Call(at, name))):
                if spec_names.kinds.get(name) in ("relation", "constraint"):
                    yield name, at
            case nodes.Show(_, items):
                yield from ((item.term.name, item.term.at) for item in items if item.value is not None)


class RenameRefused(CspError):
    """The error for a rename that is impossible; the message says why."""


def rename(text: str, line: int, column: int, new: str, path: str = "-") -> list[Edit]:
    """Return edits that rename all uses of the name at a place.

    Parameters
    ----------
    text, line, column, path
        As for ``uses``.
    new : str
        The new name.

    Returns
    -------
    list of Edit

    Raises
    ------
    CspError
        Without a name at the place, if the name is defined in another file or occurs in a picture, or if the
        new name is in use.

    Examples
    --------
    >>> [edit.at.column for edit in rename("param n = 4.  A in 1..n.", 1, 7, "size")]
    [7, 23]
    """
    spec_names = SpecNames(text, path)
    occurrence = occurrence_at(spec_names, line, column)
    if occurrence is None or occurrence.kind == "word" or occurrence.name == "_":
        raise RenameRefused("there is no name of the spec here")
    old = occurrence.name
    is_upper = not old[0].islower()
    if not re.fullmatch(VARIABLE if is_upper else NAME, new) or new == "_":
        raise RenameRefused(f"{new!r:.40} is no {'word in uppercase' if is_upper else 'word in lowercase'}")
    occurrences = spec_names.occurrences()
    if new in RESERVED or new in KEYWORDS:
        raise RenameRefused(f"{new} is a word of the language")
    if new != old and (new in spec_names.kinds or any(candidate.name == new for candidate in occurrences)):
        raise RenameRefused(f"{new} stands for something already")
    for name, at in _definitions(spec_names):
        if name == old and occurrence.kind != "bound" and at.file:
            raise RenameRefused(f"{old} is defined in {at.file}")
    if occurrence.kind == "symbol":
        for clause in spec_names.own:
            if isinstance(clause, nodes.Grid) and old in (clause.text or "").split():
                raise RenameRefused(f"{old} stands in the picture of grid {clause.name}")
    return [Edit(same.at, new) for same in _same_name(occurrence, occurrences)]
