"""Check pictures for values without facts, and drawings without effect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from csp import Value, unseen_drawings

from ..semantics.clauses.inputs import VALUE
from ..semantics.clauses.observing import ClauseObserver
from ..semantics.clauses.showing import collect_drawings
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostic, Diagnostics, Source, Suggestion
from ..syntax.grids import read_grid
from .build import WatchedBuild, constant_value

RelationColumn = tuple[str, int]
"""A relation's name and the number of one of its columns."""

BOARD_HINT = "show a board, show board(R, C) = '.' : R in 1..4, C in 1..4."
PLACE_HINT = "write a row and a column of the board; only a text can be beside it"
HINTS = {
    "boxes": "state the boxes with all_different, or draw border(R, C, K)",
    "pair": "declare both families with the same two indices",
    "loop": "declare squares at even indices and steps between them, such as on(R, C) in 0..1 :- R in 0..8, C in 0..8",
    "map": "place every variable on the map, or remove the clause",
    "word": "name the values of one variable, such as draw word(R, C) = sea : R in 1..6, C in 1..6, x(R, C) = 0",
}
"""Hints for drawings without effect that have no place; for other kinds a hint is about their place."""


def check_params_as_symbols(
    clauses: Sequence[nodes.Clause], names: Names, grids: Mapping[str, Source]
) -> Iterator[Diagnostic]:
    """Yield warnings about params in columns where a picture has a symbol of that name."""
    params = {clause.name for clause in clauses if isinstance(clause, nodes.Param)}
    texts = {clause.name: clause.text or "" for clause in clauses if isinstance(clause, nodes.Grid)}
    joins = _find_joins(clauses, texts, names)
    # Collect the columns in which a picture's symbol has the name of a param.
    meant: dict[tuple[str, RelationColumn], str] = {}
    for grid, text in texts.items():
        for symbol in params & _symbols(grids[grid].text if grid in grids else text):
            meant.update(((symbol, place), grid) for place in [(grid, VALUE), *joins.get(grid, ())])
    # Find terms with the param in such a column.
    for call in _find_terms(clauses, names) if meant else ():
        for column, argument in enumerate(call.arguments):
            if isinstance(argument, nodes.Name) and (argument.name, (call.name, column)) in meant:
                name, grid = argument.name, meant[argument.name, (call.name, column)]
                message = f"{name} is the param here, and a symbol in grid {grid}"
                hint = Suggestion(f"write the symbol in quotes, '{name}', or rename the param", f"'{name}'")
                yield Diagnostic("param-or-symbol", message, argument.at, hint)


def check_joins(clauses: Sequence[nodes.Clause], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about values of a picture that a relation has in no fact.

    Only relations where clauses look up the values count. If half of the values or more have no fact, the
    relation has another purpose, and nothing is reported.
    """
    joins = _find_joins(clauses, build.cells, build.names)
    # Collect the values that clauses name themselves.
    literals: dict[str, set[Value | None]] = {}
    for call in _find_terms(clauses, build.names):
        if call.name in joins:
            literals.setdefault(call.name, set()).add(constant_value(call.arguments[VALUE]))
    # Compare the values of each picture with the columns in which clauses look them up.
    for grid, places in joins.items():
        columns = [place for place in places if place[0] not in build.pictures]
        first: dict[Value, nodes.Place] = {}
        for (_, _, value), cell_place in build.cells[grid].items():
            first.setdefault(value, cell_place)
        known_values = {row[column] for relation, column in columns for row in build.names.relations[relation].rows}
        missing = [value for value in first if value not in known_values | literals[grid]]
        if columns and 2 * len(missing) < len(first):
            for value in missing[:MAX_DIAGNOSTICS]:
                relation_names = " or ".join(dict.fromkeys(relation for relation, _ in columns))
                message = f"{value} is in grid {grid}, but in no fact of {relation_names}"
                hint = f"is a fact missing, such as {_write_fact(columns[0], value, build)}?"
                yield Diagnostic("unmatched-value", message, first[value], hint, build.text_of(grid))


def check_drawings(clauses: Sequence[nodes.Clause], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about drawings without effect, such as those outside the board.

    If values decide the place of a drawing, some of its alternatives may lie outside.
    """
    unseen = unseen_drawings(build.model)
    for clause in clauses if unseen else ():
        drawings = collect_drawings([clause], build.names, Diagnostics(), ClauseObserver())
        unseen_here = [drawn for drawn in drawings if drawn in unseen]
        if (
            isinstance(clause, nodes.Draw)
            and unseen_here
            and (unseen_here == drawings or any(drawing.condition is None for drawing in unseen_here))
        ):
            drawing = unseen_here[0]
            message = f"{str(drawing).partition(' : ')[0]} {unseen[drawing]}"
            hint = BOARD_HINT if unseen[drawing].startswith("has no board") else HINTS.get(drawing.name, PLACE_HINT)
            yield Diagnostic("unseen-drawing", message, clause.item.at, hint)


def _symbols(text: str) -> set[str]:
    """Return the symbols in a picture; empty if it has errors."""
    try:
        return {value for _, _, value in read_grid(text, "") if isinstance(value, str)}
    except Diagnostic:
        return set()


def _find_terms(clauses: Iterable[nodes.Clause], names: Names) -> list[nodes.Call]:
    """Return all terms of relations, such as ``clue(R, C, V)``, in clauses."""
    parts = nodes.walk(tuple(clauses))
    return [part for part in parts if isinstance(part, nodes.Call) and part.name in names.arities]


def _find_joins(
    clauses: Iterable[nodes.Clause], grids: Collection[str], names: Names
) -> dict[str, list[RelationColumn]]:
    """Return for each grid the columns of other relations where clauses look up its values."""
    joins: dict[str, dict[RelationColumn, None]] = {}
    for clause in clauses:
        pictures_of_word: dict[str, set[str]] = {}
        columns_of_word: dict[str, dict[RelationColumn, None]] = {}
        # Find the columns of pictures and of other relations in which each logical variable occurs.
        for call in _find_terms([clause], names):
            for column, argument in enumerate(call.arguments):
                if isinstance(argument, nodes.Logical) and argument.name != "_":
                    if call.name not in grids and len(call.arguments) > 1:
                        columns_of_word.setdefault(argument.name, {})[call.name, column] = None
                    elif call.name in grids and column == VALUE:
                        pictures_of_word.setdefault(argument.name, set()).add(call.name)
        # Join them by the logical variables that occur in both.
        for word, pictures in pictures_of_word.items():
            for picture in pictures:
                joins.setdefault(picture, {}).update(columns_of_word.get(word, {}))
    return {picture: list(places) for picture, places in joins.items()}


def _write_fact(place: RelationColumn, value: Value, build: WatchedBuild) -> str:
    """Write an example fact with a value in one column, for a hint."""
    relation, column = place
    arguments = [str(value) if i == column else "..." for i in range(build.names.arities[relation])]
    return f"{relation}({', '.join(arguments)})"
