"""A spec with the rules of the gallery for a genre, as a link to puzz.link."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ....meaning.clauses.build import Program
from ....meaning.including import gather
from ....text import syntax
from ....text.errors import Mistake, Source
from ....text.printing.write import write
from ....text.syntax import Clause, Place
from ...convert.gallery import example
from .board import LinkBoard
from .codes import Unwritable
from .genres import GENRES, Genre

SITE = "https://puzz.link/p?"

HINT = "such a spec includes the genre's spec of the gallery, as csp import writes it, and says its data"


def puzzlink(source: Source) -> str:
    """The link to puzz.link for a spec.

    Raises
    ------
    Mistake
        If its rules are those of no genre, or links have no letters for its data.
    SpecError
        If the spec has mistakes.
    """
    program = Program(source)
    included = {one.removeprefix("gallery ") for one in program.sources}
    name, genre = _genre(program.clauses, included)
    names = program.build({}, {}).names
    params = {one: value for one, value in names.params.items() if isinstance(value, int)}
    try:
        board = LinkBoard(*genre.size.shape(params), params)
        for one in genre.names & {*names.relations}:
            board.grids[one] = {}
            for r, c, value in names.relations[one].rows:
                if board.grids[one].setdefault((int(r), int(c)), value) != value:
                    raise Unwritable(f"{one}({r}, {c}) is both {board.grids[one][int(r), int(c)]} and {value}")
        return link_of(name, board) + "\n"
    except Unwritable as wrong:
        raise Mistake(str(wrong), Place(1, 1)) from None


def link_of(name: str, board: LinkBoard) -> str:
    """The link for a puzzle of a genre.

    Raises
    ------
    Unwritable
        If there are no letters for it.
    """
    body = "".join(part.write(board) for part in GENRES[name].parts)
    return f"{SITE}{name}/{board.cols}/{board.rows}/{body}"


def _genre(clauses: tuple[Clause, ...], included: Collection[str]) -> tuple[str, Genre]:
    """The genre whose rules these clauses are; those whose spec is included are looked at first."""
    own: dict[frozenset[str], frozenset[str]] = {}
    for name, genre in sorted(GENRES.items(), key=lambda one: one[1].spec not in included):
        data = frozenset(genre.names)
        if data not in own:
            own[data] = _rules(clauses, data)
        if own[data] == _rules_of(genre.spec, data):
            return name, genre
    raise Mistake("these are the rules of no genre of puzz.link", Place(1, 1), HINT)


@cache
def _rules_of(spec: str, data: frozenset[str]) -> frozenset[str]:
    return _rules(gather(Source(spec, example(spec))).clauses, data)


def _rules(clauses: tuple[Clause, ...], data: frozenset[str]) -> frozenset[str]:
    """The clauses that are neither data nor about what is shown."""
    rules = set()
    for clause in clauses:
        match clause:
            case syntax.Show() | syntax.Draw():
                pass
            case syntax.Param(name=name) | syntax.Grid(name=name) if name in data:
                pass
            case syntax.Rule(body=(), head=syntax.Fact(term=syntax.Call(name=name))) if name in data:
                pass
            case _:
                rules.add(write(clause))
    return frozenset(rules)
