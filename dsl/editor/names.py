"""Finds the names in a spec: their meanings, definitions, uses and renames."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lark import Token, UnexpectedCharacters

from csp import CspError

from ..lint.words import clause_syntax
from ..semantics.clauses.build import Program
from ..semantics.clauses.definitions import define_names
from ..semantics.expressions.binding import binders, plain_names
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostics, Edit, Source, SpecError
from ..syntax.nodes import Place
from ..syntax.parse import parse, tokens
from ..syntax.vocabulary import KEYWORDS, NAME, RESERVED, VARIABLE

Owner = tuple[Any, ...]
"""The scope of a name: empty for the whole spec, otherwise the clause or list that binds it.

Occurrences of a name with equal owners mean the same.
"""


class Occurrence(NamedTuple):
    """An occurrence of a name at a place, with its kind and scope.

    Attributes
    ----------
    name : str
    at : Place
    kind : str
        ``param``, ``grid``, ``relation``, ``constraint`` (a named one), ``layout``, ``variable`` (to be solved),
        ``bound`` (by a body), ``symbol`` or ``word`` (of the language).
    owner : tuple
        The scope of the name; equal for occurrences of a name that mean the same.
    """

    name: str
    at: Place
    kind: str
    owner: Owner = ()


@dataclass
class SpecNames:
    """The clauses and names of a spec's text, as far as its errors permit.

    Attributes
    ----------
    text, path : str
    own : tuple of nodes.Clause
        The clauses of the text itself that have no syntax error.
    clauses : tuple of nodes.Clause
        These clauses and the clauses of included files.
    kinds : dict of str to str
        The kind of each name of the whole spec.
    names : Names
    sources : mapping from str to Source
        The texts by the ``file`` of their places.
    """

    text: str
    path: str = "-"
    own: tuple[nodes.Clause, ...] = ()
    clauses: tuple[nodes.Clause, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    sources: Mapping[str, Source] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = parse(self.text)[0]
        self.clauses, self.sources = self._gather_clauses()
        define_names(self.clauses, self.names, Diagnostics())
        self.kinds = dict(_kinds(self.clauses, self.names))

    def _gather_clauses(self) -> tuple[tuple[nodes.Clause, ...], Mapping[str, Source]]:
        """Return the clauses of the text and of included files, and their sources.

        If the text has errors, these are the clauses and included files that can be read.
        """
        try:
            program = Program(Source("-", self.text, self.path))
        except SpecError:
            # Read each included file separately, and skip those with errors.
            clauses: list[nodes.Clause] = []
            sources = {"": Source("-", self.text)}
            for clause in self.own:
                clauses.append(clause)
                if isinstance(clause, nodes.Include):
                    name = f'"{clause.name}"' if clause.is_file else clause.name
                    try:
                        included = Program(Source("-", f"include {name}.", self.path))
                    except SpecError:
                        continue
                    clauses += included.clauses
                    sources = {**included.sources, **sources}
            return tuple(clauses), sources
        return program.clauses, program.sources

    def tokens(self) -> list[Token]:
        """Return the tokens of the text; skip characters that begin no token.

        The result is empty if the text has too many such characters.
        """
        text = self.text
        for _ in range(MAX_DIAGNOSTICS):
            try:
                return list(tokens(text))
            except UnexpectedCharacters as error:
                at = error.pos_in_stream or 0
                text = f"{text[:at]} {text[at + 1 :]}"
        return []

    def occurrences(self) -> list[Occurrence]:
        """Return all occurrences of names and language words in the text, in its order.

        Names between the braces of labels are included.
        """
        owners = dict(self._owners())
        occurrences: list[Occurrence] = []
        clause = 0
        for token in self.tokens():
            at = Place(token.line or 1, token.column or 1, len(token))
            if token.type == "_END":
                clause += 1
            if token.type in ("NAME", "VAR") or token in KEYWORDS:
                occurrences.append(self._occurrence(str(token), at, owners, clause))
            elif token.type == "STRING" and "{" in token:
                # The names between the braces of a label.
                inner = [(start, name) for start, (name, _) in owners.items() if _is_within(start, at)]
                occurrences += [
                    self._occurrence(name, Place(*start, len(name)), owners, clause) for start, name in sorted(inner)
                ]
        return occurrences

    def _occurrence(
        self, name: str, at: Place, owners: Mapping[tuple[int, int], tuple[str, Owner]], clause: int
    ) -> Occurrence:
        """Return the occurrence of a name at a place, with its kind and scope.

        ``owners`` has the name and scope at each line and column; ``clause`` is the number of the clause in the text.
        """
        if name in RESERVED or name in KEYWORDS:
            return Occurrence(name, at, "word")
        if name[0].islower():
            return Occurrence(name, at, self.kinds.get(name, "symbol"))
        # In a clause that cannot be read, an uppercase name that is not declared belongs to the clause.
        default_owner = () if name in self.names.families else ("clause", clause)
        _, owner = owners.get((at.line, at.column), (name, default_owner))
        return Occurrence(name, at, "bound" if owner else "variable", owner)

    def _owners(self) -> Iterator[tuple[tuple[int, int], tuple[str, Owner]]]:
        """Yield the place, name and scope of each name in clauses without syntax errors.

        A place is a line and a column. Names in labels are included.
        """
        for clause in self.own:
            body = clause.body or () if isinstance(clause, nodes.Rule | nodes.Show | nodes.Draw) else ()
            owner: Owner = ("clause", clause.at.line, clause.at.column)
            bound = binders(body, (), self.names.families)
            match clause:
                case nodes.Rule(_, _, nodes.Fact(_, nodes.Call(_, name, arguments))) if name in self.names.named:
                    bound |= plain_names(arguments)
            yield from _owners_in(clause_syntax(clause), dict.fromkeys(bound, owner), self.names.families)


def _is_within(at: tuple[int, int], place: Place) -> bool:
    """Return whether a line and column are within a place."""
    return at[0] == place.line and place.column <= at[1] < place.column + place.width


def _owners_in(
    node: Any, bound: Mapping[str, Owner], families: Collection[str]
) -> Iterator[tuple[tuple[int, int], tuple[str, Owner]]]:
    """Yield the place, name and scope of each name in a syntax tree.

    The scope is an ``Owner``. ``bound`` has the scopes of names that are bound outside of the tree.
    """
    waiting = [(node, bound)]
    while waiting:
        part, owners = waiting.pop()
        if isinstance(part, nodes.Logical | nodes.Name | nodes.Call):
            yield (part.at.line, part.at.column), (part.name, owners.get(part.name, ()))
        # The body of a list binds further names inside the list.
        if isinstance(part, nodes.GENERATING) and part.body is not None:
            owner: Owner = ("list", part.at.line, part.at.column)
            owners = {**dict.fromkeys(binders(part.body, owners, families), owner), **owners}
        waiting += [(inner, owners) for inner in nodes.inner(part)]


def _kinds(clauses: tuple[nodes.Clause, ...], names: Names) -> Iterator[tuple[str, str]]:
    """Yield each name of a spec with its kind, such as ``param`` or ``variable``.

    If a name occurs twice, the last kind counts.
    """
    yield from ((name, "relation") for name in names.arities)
    yield from ((name, "constraint") for name in names.named)
    yield from ((name, "variable") for name in names.families)
    for clause in clauses:
        if isinstance(clause, nodes.Param | nodes.Grid):
            yield clause.name, "param" if isinstance(clause, nodes.Param) else "grid"
        elif isinstance(clause, nodes.Show):
            yield from ((item.term.name, "layout") for item in clause.items if item.value is not None)


def occurrence_at(spec_names: SpecNames, line: int, column: int) -> Occurrence | None:
    """Return the first name at a place or just before it, or None."""
    for occurrence in spec_names.occurrences():
        if _is_at(occurrence.at, line, column):
            return occurrence
    return None


def uses(text: str, line: int, column: int, path: str = "-") -> list[Occurrence]:
    """Return all occurrences, in the same scope, of the name at a line and column.

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
    """Return the occurrences that have the name and scope of ``occurrence``."""
    key = occurrence.name, occurrence.owner
    return [candidate for candidate in occurrences if (candidate.name, candidate.owner) == key]


def define(text: str, line: int, column: int, path: str = "-") -> Place | None:
    """Return the place where the name at a line and column is defined, or None.

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
    """Yield the places of a logical variable in body conditions that can bind it."""
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
    """Return the edits that rename the name at a line and column wherever it occurs.

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
        raise RenameRefused("the cursor is not on a name of the spec")
    old = occurrence.name
    is_upper = not old[0].islower()
    if not re.fullmatch(VARIABLE if is_upper else NAME, new) or new == "_":
        raise RenameRefused(f"{new!r:.40} is no {'word in uppercase' if is_upper else 'word in lowercase'}")
    occurrences = spec_names.occurrences()
    if new in RESERVED or new in KEYWORDS:
        raise RenameRefused(f"{new} is a word of the language")
    if new != old and (new in spec_names.kinds or any(candidate.name == new for candidate in occurrences)):
        raise RenameRefused(f"{new} is already in use")
    for name, at in _definitions(spec_names):
        if name == old and occurrence.kind != "bound" and at.file:
            raise RenameRefused(f"{old} is defined in {at.file}")
    if occurrence.kind == "symbol":
        for clause in spec_names.own:
            if isinstance(clause, nodes.Grid) and old in (clause.text or "").split():
                raise RenameRefused(f"{old} is in the picture of grid {clause.name}")
    return [Edit(same.at, new) for same in _same_name(occurrence, occurrences)]
