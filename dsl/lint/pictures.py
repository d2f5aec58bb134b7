"""Values of pictures that are not what a clause takes them for, or that no clause takes; drawings that nobody sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from csp import Drawn, Value, unseen_drawings

from ..semantics.clauses.observer import ClauseObserver
from ..semantics.clauses.showing import drawn_of
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostic, Diagnostics, Source
from ..syntax.grids import read_grid
from .build import WatchedBuild
from .codes import warning

RelationColumn = tuple[str, int]
"""A relation and a column of it."""

VALUE = 2
"""The column of a picture in which its values stand."""


def lint_params(clauses: Sequence[nodes.Clause], names: Names, grids: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """Params that stand in relations as if they were symbols of a picture."""
    params = {clause.name for clause in clauses if isinstance(clause, nodes.Param)}
    texts = {clause.name: clause.text or "" for clause in clauses if isinstance(clause, nodes.Grid)}
    joins = _joins(clauses, texts, names)
    meant: dict[tuple[str, RelationColumn], str] = {}
    for grid, text in texts.items():
        for symbol in params & _symbols(grids[grid].text if grid in grids else text):
            meant.update(((symbol, place), grid) for place in [(grid, VALUE), *joins.get(grid, ())])
    for call in _calls(clauses, names) if meant else ():
        for column, argument in enumerate(call.arguments):
            if isinstance(argument, nodes.Name) and (argument.name, (call.name, column)) in meant:
                name, grid = argument.name, meant[argument.name, (call.name, column)]
                message = f"{name} stands for the value of the param here, and is a symbol in grid {grid}"
                hint = f"write the symbol in quotes, '{name}', or rename the param"
                yield warning("param-or-symbol", message, argument.at, hint)


def check_joins(clauses: Sequence[nodes.Clause], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Values of a picture that are in none of the relations that clauses look them up in, where most values are."""
    joins = _joins(clauses, build.cells, build.names)
    literal: dict[str, set[Value | None]] = {}
    for call in _calls(clauses, build.names):
        if call.name in joins:
            literal.setdefault(call.name, set()).add(_literal(call.arguments[VALUE]))
    for grid, places in joins.items():
        of = [place for place in places if place[0] not in build.pictures]
        first: dict[Value, nodes.Place] = {}
        for (_, _, value), at in build.cells[grid].items():
            first.setdefault(value, at)
        known = {row[column] for other, column in of for row in build.names.relations[other].rows}
        missing = [value for value in first if value not in known | literal[grid]]
        if of and 2 * len(missing) < len(first):
            for value in missing[:MAX_DIAGNOSTICS]:
                others = " or ".join(dict.fromkeys(other for other, _ in of))
                message = f"{value} stands in grid {grid}, and in no fact of {others}"
                hint = f"is a fact missing, such as {_fact(of[0], value, build)}?"
                yield warning("unmatched-value", message, first[value], hint, build.text_of(grid))


def check_drawings(clauses: Sequence[nodes.Clause], build: WatchedBuild) -> Iterator[Diagnostic]:
    """What a clause draws where there is no board, or outside of it; some of what values decide may lie outside."""
    unseen = unseen_drawings(build.model)
    for clause in clauses if unseen else ():
        own = drawn_of([clause], build.names, Diagnostics(), ClauseObserver())
        lost = [drawn for drawn in own if drawn in unseen]
        if isinstance(clause, nodes.Draw) and lost and (lost == own or any(one.condition is None for one in lost)):
            yield _unseen(lost[0], *unseen[lost[0]], clause.item.at)


def _unseen(one: Drawn, rows: range, columns: range, at: nodes.Place) -> Diagnostic:
    drawn = str(one).partition(" : ")[0]
    if not rows:
        message = f"{drawn} is not drawn: there is no board, as no family of variables has two integer indices"
        return warning("unseen-drawing", message, at, "show a board, show board(R, C) = '.' : R in 1..4, C in 1..4.")
    down, across = (f"{span[0]} to {span[-1]}" for span in (rows, columns))
    message = f"{drawn} lies outside of the board, which has rows {down} and columns {across}"
    return warning(
        "unseen-drawing", message, at, "write a row and a column of the board; only a text can stand beside it"
    )


def _symbols(text: str) -> set[str]:
    try:
        return {value for _, _, value in read_grid(text, "") if isinstance(value, str)}
    except Diagnostic:
        return set()


def _calls(clauses: Iterable[nodes.Clause], names: Names) -> list[nodes.Call]:
    """All terms of relations."""
    parts = nodes.walk(tuple(clauses))
    return [part for part in parts if isinstance(part, nodes.Call) and part.name in names.arities]


def _joins(clauses: Iterable[nodes.Clause], grids: Collection[str], names: Names) -> dict[str, list[RelationColumn]]:
    """For each picture, where clauses look its values up in relations that say more of them."""
    found: dict[str, dict[RelationColumn, None]] = {}
    for clause in clauses:
        of: dict[str, set[str]] = {}
        at: dict[str, dict[RelationColumn, None]] = {}
        for call in _calls([clause], names):
            for column, argument in enumerate(call.arguments):
                if isinstance(argument, nodes.Logical) and argument.name != "_":
                    if call.name not in grids and len(call.arguments) > 1:
                        at.setdefault(argument.name, {})[call.name, column] = None
                    elif call.name in grids and column == VALUE:
                        of.setdefault(argument.name, set()).add(call.name)
        for word, pictures in of.items():
            for picture in pictures:
                found.setdefault(picture, {}).update(at.get(word, {}))
    return {picture: list(places) for picture, places in found.items()}


def _literal(argument: nodes.Argument) -> Value | None:
    match argument:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
    return None


def _fact(place: RelationColumn, value: Value, build: WatchedBuild) -> str:
    other, column = place
    arguments = [str(value) if i == column else "..." for i in range(build.names.arities[other])]
    return f"{other}({', '.join(arguments)})"
