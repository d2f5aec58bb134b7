"""Writes the puzz.link address for a spec of a supported genre."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ....semantics.clauses.build import Program
from ....semantics.including import gather
from ....syntax import nodes
from ....syntax.errors import Diagnostic, Source
from ....syntax.nodes import Clause, Place
from ....syntax.write import write
from ...convert.gallery import example
from .board import LinkBoard
from .codes import Unwritable
from .genres import GENRES, Genre

SITE = "https://puzz.link/p?"
"""The beginning of a link to puzz.link."""

HINT = "such a spec includes the genre's spec of the gallery, as csp import writes it, and says its data"
"""The hint of errors about the form of the spec."""


def puzzlink(source: Source) -> str:
    """Return the link to puzz.link for a spec.

    Raises
    ------
    Diagnostic
        If its rules belong to no genre, or links cannot express its data.
    SpecError
        If the spec has errors.
    """
    program = Program(source)
    included = {source_name.removeprefix("gallery ") for source_name in program.sources}
    name, genre = _genre(program.clauses, included)
    names = program.build({}, {}).names
    params = {param: value for param, value in names.params.items() if isinstance(value, int)}
    try:
        # Take the data from the facts of the evaluated spec.
        board = LinkBoard(*genre.size.shape(params), params)
        for name_of_grid in genre.names & {*names.relations}:
            board.grids[name_of_grid] = {}
            for r, c, value in names.relations[name_of_grid].rows:
                if board.grids[name_of_grid].setdefault((int(r), int(c)), value) != value:
                    raise Unwritable(
                        f"{name_of_grid}({r}, {c}) is both {board.grids[name_of_grid][int(r), int(c)]} and {value}"
                    )
        return link_of(name, board) + "\n"
    except Unwritable as error:
        raise Diagnostic(str(error), Place(1, 1)) from None


def link_of(name: str, board: LinkBoard) -> str:
    """Return the puzz.link address for a puzzle of a known genre.

    Raises
    ------
    Unwritable
        If links cannot express its data.
    """
    body = "".join(part.write(board) for part in GENRES[name].parts)
    return f"{SITE}{name}/{board.cols}/{board.rows}/{body}"


def _genre(clauses: tuple[Clause, ...], included: Collection[str]) -> tuple[str, Genre]:
    """Return the genre whose rules are exactly the rules of the spec.

    Genres whose spec is included are compared first.
    """
    rules_by_data: dict[frozenset[str], frozenset[str]] = {}
    # The rules are what remains without the data of the genre.
    for name, genre in sorted(GENRES.items(), key=lambda item: item[1].spec not in included):
        data = frozenset(genre.names)
        if data not in rules_by_data:
            rules_by_data[data] = _rules(clauses, data)
        if rules_by_data[data] == _rules_of(genre.spec, data):
            return name, genre
    raise Diagnostic("these are the rules of no genre of puzz.link", Place(1, 1), HINT)


@cache
def _rules_of(spec: str, data: frozenset[str]) -> frozenset[str]:
    """Return the rules of a gallery spec as canonical text."""
    return _rules(gather(Source(spec, example(spec))).clauses, data)


def _rules(clauses: tuple[Clause, ...], data: frozenset[str]) -> frozenset[str]:
    """Return the rules of a spec as canonical text.

    Rules are all clauses except data, ``show`` and ``draw``.
    """
    rules = set()
    for clause in clauses:
        match clause:
            case nodes.Show() | nodes.Draw():
                pass
            case nodes.Param(name=name) | nodes.Grid(name=name) if name in data:
                pass
            case nodes.Rule(body=(), head=nodes.Fact(term=nodes.Call(name=name))) if name in data:
                pass
            case _:
                rules.add(write(clause))
    return frozenset(rules)
