"""Reads and writes links to puzz.link, pzv and pzplus: genre, size and body."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache

from ....semantics.clauses.build import Program
from ....semantics.including import gather
from ....syntax import nodes
from ....syntax.errors import Diagnostic, Source, suggest_name
from ....syntax.nodes import Clause, Place
from ....syntax.write import write
from ...convert.gallery import example
from ..packing import Damaged
from ..writing import spec_text
from .board import LinkBoard, size_error
from .codes import Letters, Unwritable
from .genres import GENRES, SYNONYMS, Genre

DRAWING_VARIANTS = {("yajilin", "b")}
"""Genres and kinds of links that differ from the usual kind only in drawing."""

INTERPRETATIONS = {
    "numlin": "every square is on a line, as in arukone; where a puzzle does not ask that, --set every=0"
}
"""Notes for genres whose rules differ between sites: the rules of the spec."""

SITE = "https://puzz.link/p?"
"""The beginning of a link to puzz.link."""

HINT = "include the spec of one genre, as csp import writes it; write clues as grids or as facts"
"""The hint of errors about the form of the spec."""


def read_puzzlink(link: str, at: Place) -> str:
    """Return the spec to which a puzz.link link is converted.

    It is the spec of the genre in the gallery, with the data of the link.

    Parameters
    ----------
    link : str
    at : Place
        The place of the link, for messages.

    Raises
    ------
    Diagnostic, Damaged
        If the gallery does not have the genre, or the body does not fit it.
    """
    name, board = board_of(link, at)
    spec = GENRES[name].spec
    head = [("Puzzle", f"{spec}, {board.rows} rows and {board.cols} columns"), ("Asked", INTERPRETATIONS.get(name, ""))]
    head += [("Not read", note) for note in board.unread]
    return spec_text(head, [spec], board.params, board.pictures(), {})


def board_of(link: str, at: Place) -> tuple[str, LinkBoard]:
    """Return the name of a link's genre, and the board with the link's data.

    For parameters and errors see ``read_puzzlink``.
    """
    match = re.search(r"\?(?:pid=)?([a-z0-9_+-]+)((?:/[a-z]+:?)?)/([0-9]{1,4})/([0-9]{1,4})(?:/|$)", link)
    if not match:
        raise Diagnostic(
            "bad-link", "this link has no genre and size", at, "it should have ?GENRE/COLUMNS/ROWS/ and the puzzle"
        )
    name, variant = SYNONYMS.get(match[1], match[1]), match[2].strip("/")
    cols, rows = int(match[3]), int(match[4])
    if name not in GENRES:
        hint = suggest_name(name, GENRES) or f"there are {_sorted_list(GENRES)}"
        raise Diagnostic(
            "unsupported-link", f"the gallery has no {name[:40]}, of {rows} rows and {cols} columns", at, hint
        )
    if variant not in ("", "v:") and (name, variant) not in DRAWING_VARIANTS:
        raise Diagnostic("unsupported-link", f"the gallery has no {name} of the kind {variant}", at)
    if message := size_error(rows, cols):
        raise Diagnostic("unsupported-link", message, at)
    # Each part of the genre reads its letters from the body; all letters must be read.
    letters, board = Letters(link[match.end() :], match.end()), LinkBoard(rows, cols)
    try:
        board.params = GENRES[name].size.params(rows, cols)
    except Unwritable as error:
        raise Damaged(str(error), match.end()) from None
    for part in GENRES[name].parts:
        part.read(letters, board)
    letters.check_end()
    return name, board


def _sorted_list(names: Iterable[str]) -> str:
    """Join names to one text, sorted and separated by commas."""
    return ", ".join(sorted(names))


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
        raise Diagnostic("not-exportable", str(error), Place(1, 1)) from None


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
    """Return the name and genre whose rules are exactly the rules of a spec.

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
    raise Diagnostic("not-exportable", "these are the rules of no genre of puzz.link", Place(1, 1), HINT)


@cache
def _rules_of(spec: str, data: frozenset[str]) -> frozenset[str]:
    """Return the rules of a gallery spec as canonical texts of clauses.

    ``data`` are the names of params and grids that links contain.
    """
    return _rules(gather(Source(spec, example(spec))).clauses, data)


def _rules(clauses: tuple[Clause, ...], data: frozenset[str]) -> frozenset[str]:
    """Return the rules among ``clauses`` as canonical texts.

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
