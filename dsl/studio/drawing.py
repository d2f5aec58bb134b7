"""Write, list and erase the facts that users draw in the picture."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from csp import CspError, Model

from ..puzzles.convert.puzzles import box_shape
from ..puzzles.links.variant import EMPTY_RELATIONS, RULES_WITH_REGIONS, Square
from ..syntax import nodes
from ..syntax.edit import Located, fill_lines, locate
from ..syntax.grids import BLANKS, grid_text, read_rows
from ..syntax.parse import parse
from .sheets import enter_value
from .tools import TOOLS, LetterValues, Tool

CELL = re.compile(r"cell\(([0-9]{1,3}),([0-9]{1,3})\)")
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The steps from a place beside the board into it."""


class DrawnItem(NamedTuple):
    """A drawn constraint, such as a cage, read from the facts of a text.

    Attributes
    ----------
    key : tuple
        The number of the line or group, which its facts share; else the letters and values of their place.
    cells : tuple of cells
        The path that draws it; empty for a clue beside the board if the board is unknown.
    word : str
        Its values, separated by spaces.
    places : set of int
        The places of its facts among the clauses of the text.
    """

    key: tuple[Any, ...]
    cells: tuple[Square, ...]
    word: str
    places: set[int]


def draw_item(text: str, name: str, cells: Iterable[str], word: str) -> str:
    """Return a spec's text with the facts and includes that a tool adds for ``cells``.

    ``word`` has the values, separated by spaces; empty means the tool's usual value. An older constraint of the tool on
    the same cells is replaced. A tool for the whole board only adds an include.

    Raises
    ------
    Diagnostic
        If the text has a syntax error.
    CspError
        If the tool is unknown, or cells or values do not fit it.

    Examples
    --------
    >>> print(draw_item("include sudoku.", "thermometer", ["cell(1,1)", "cell(1,2)"], ""), end="")
    include sudoku.
    include thermometers.
    <BLANKLINE>
    thermometer(1, 1, 1, 1). thermometer(1, 2, 1, 2).
    """
    tool, path = _tool(name), _path(cells)
    values = (word or tool.usual).split()
    tool.check(path, values)
    # Erase the item on these cells; the new one keeps its number.
    clauses = locate(text)
    replaced_items = _items_on(tool, path, clauses)
    text = _erase_items(text, replaced_items, path, clauses)
    number = replaced_items[0].key[0] if replaced_items else _next_number(tool, clauses)
    for relation, template, rules in tool.templates:
        bindings = [{**binding, "L": number} for binding in tool.bind(template, path, values)]
        text = _add_rows(
            text, relation, [[binding.get(letter, letter) for letter in template] for binding in bindings], rules
        )
    if tool.kind == "board":
        text = _include(text, next(iter(tool.rules)))
    return _declare_relations(text)


def erase_item(text: str, name: str, cells: Iterable[str]) -> str:
    """Return a spec's text without a drawing tool's facts on ``cells``, and unneeded includes.

    Examples
    --------
    >>> text = draw_item("include sudoku.", "even", ["cell(1,1)"], "")
    >>> print(erase_item(text, "even", ["cell(1,1)"]), end="")
    include sudoku.
    """
    tool, path, clauses = _tool(name), _path(cells), locate(text)
    text = _erase_items(text, _items_on(tool, path, clauses), path, clauses)
    for rules in tool.rules:
        clauses = locate(text)
        relations = {relation for relation, _, name_of_rules in tool.templates if name_of_rules == rules}
        if relations.isdisjoint(_relation(clause) for clause, _, _ in clauses):
            text = _exclude(text, rules)
    # The boxes were included for rules about regions; drop them with the last of these.
    included = {_included(clause) for clause, _, _ in locate(text)}
    if RULES_WITH_REGIONS & {*tool.rules} and not RULES_WITH_REGIONS & included and "region(" not in text:
        text = _exclude(text, "boxes")
    return _declare_relations(text)


def items(text: str, board: Collection[Square] = ()) -> list[dict[str, Any]]:
    """Return the drawn constraints of a spec's text as JSON data: tool, cells and values.

    ``board`` has the cells of the picture. Without it, clues beside the board are omitted.

    Examples
    --------
    >>> items("include cages. cage(1, 1, 4). cage(1, 2, 4). total(4, 9).")
    [{'tool': 'cage', 'cells': ['cell(1,1)', 'cell(1,2)'], 'word': '9'}]
    """
    clauses = [Located(clause, 0, 0) for clause in parse(text)[0]]
    included = {_included(clause) for clause, _, _ in clauses}
    drawn = [
        {"tool": tool.name, "cells": [f"cell({r},{c})" for r, c in item.cells], "word": item.word}
        for tool in TOOLS.values()
        for item in _items(tool, clauses, board)
        if item.cells
    ]
    whole_board = [tool.name for tool in TOOLS.values() if tool.kind == "board" and included.issuperset(tool.rules)]
    return drawn + [{"tool": name, "cells": [], "word": ""} for name in whole_board]


def cells_of(model: Model) -> set[Square]:
    """Return the rows and columns of the variables ``cell(R, C)`` of a model."""
    return {cell for name in model.domains if CELL.fullmatch(name) for cell in _path([name])}


def blank_board(size: int, has_boxes: bool) -> str:
    """Return the spec of an empty board with boxes or a grid of regions.

    Examples
    --------
    >>> print(blank_board(4, True), end="")
    include sudoku.
    <BLANKLINE>
    param box = 2.
    grid clue = "
      .. | ..
      .. | ..
      ---+---
      .. | ..
      .. | ..
    ".
    """
    rows, cols = box_shape(size)
    blanks = [[BLANKS[0]] * size] * size
    if not has_boxes:
        picture = grid_text(blanks)
        return f'include jigsaw.\n\nparam n = {size}.\ngrid region = "{picture}".\ngrid clue = "{picture}".\n'
    params = f"param box = {cols}." if rows == cols else f"param box = {cols}. param rows = {rows}."
    return f'include sudoku.\n\n{params}\ngrid clue = "{grid_text(blanks, (rows, cols))}".\n'


def _tool(name: str) -> Tool:
    if name not in TOOLS:
        raise CspError(f"unknown tool: {name:.40}")
    return TOOLS[name]


def _path(cells: Iterable[str]) -> list[Square]:
    """Convert names of variables ``cell(R,C)`` to rows and columns; refuse other names."""
    matches = [(name, CELL.fullmatch(name)) for name in cells]
    if wrong := [name for name, match in matches if not match]:
        raise CspError(f"{wrong[0]:.40} is not a cell(R, C)")
    return [(int(match[1]), int(match[2])) for _, match in matches if match]


def _included(clause: nodes.Clause) -> str:
    """Return the name of an include; empty for another clause."""
    return clause.name if isinstance(clause, nodes.Include) else ""


def _relation(clause: nodes.Clause) -> str:
    """Return the name of an unlabelled fact's relation or of a grid; else empty."""
    match clause:
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name)), ()):
            return name
        case nodes.Grid(_, name, str()):
            return name
    return ""


def _rows(clause: nodes.Clause) -> Iterator[list[int | str]]:
    """Yield a fact's arguments, or [row, column, value] for each entry of a grid."""
    match clause:
        case nodes.Rule(_, _, nodes.Fact(_, nodes.Call(_, _, arguments))):
            yield [_constant(argument) for argument in arguments]
        case nodes.Grid(_, name, str() as picture):
            for r, row in enumerate(read_rows(picture, name), 1):
                for c, (token, _) in enumerate(row, 1):
                    if token not in BLANKS:
                        yield [r, c, int(token) if token.isdecimal() else token]


def _constant(argument: nodes.Argument) -> int | str:
    """Return the number, symbol or name in a fact's argument; else an empty text."""
    match argument:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
        case nodes.Operation(_, "-", nodes.Constant(_, 0), nodes.Constant(_, int() as value)):
            return -value
    return ""


def _match(template: Sequence[str], row: Sequence[int | str]) -> LetterValues | None:
    """Match a fact's arguments with a template; return the letters' values, or None.

    Uppercase parts of the template are letters; other parts must equal the argument.
    """
    pairs = [*zip(template, row, strict=False)]
    if len(template) != len(row) or any(part != str(value) for part, value in pairs if not part.isupper()):
        return None
    return {letter: value for letter, value in pairs if letter.isupper()}


def _key(binding: LetterValues) -> tuple[Any, ...]:
    """Return the key that a drawn constraint's facts share: its number, else its place."""
    return (
        (binding["L"],)
        if "L" in binding
        else tuple((letter, binding[letter]) for letter in "RCSDPQABIJ" if letter in binding)
    )


def _items(tool: Tool, clauses: Iterable[Located], board: Collection[Square]) -> list[DrawnItem]:
    """Return the constraints that a tool has drawn, in the order of their first facts."""
    templates = {relation: template for relation, template, _ in tool.templates}
    groups: dict[tuple[Any, ...], list[tuple[LetterValues, int]]] = {}
    for place, (clause, _, _) in enumerate(clauses):
        template = templates.get(_relation(clause), ())
        for row in _rows(clause) if template else ():
            if (binding := _match(template, row)) is not None:
                groups.setdefault(_key(binding), []).append((binding, place))
    result = []
    for key, group in groups.items():
        bindings = sorted((binding for binding, _ in group), key=lambda binding: int(binding.get("K", 0)))
        cells = [cell for pair in ("PQ", "RC", "SD", "TU") for binding in bindings for cell in _cells(binding, pair)]
        word = " ".join(str(binding["V"]) for binding in bindings if "V" in binding)
        if "N" in tool.letters:  # values at the corner of four cells, of which the facts have the first one
            cells = [(r + i, c + j) for r, c in cells[:1] for i in (0, 1) for j in (0, 1)]
        result.append(
            DrawnItem(key, tuple(cells) or _edge_path(bindings[0], board), word, {place for _, place in group})
        )
    return result


def _cells(binding: LetterValues, pair: str) -> Iterator[Square]:
    """Yield the cell whose row and column are the values of two letters.

    Yield nothing unless both are integers.
    """
    row, column = (binding.get(letter) for letter in pair)
    if isinstance(row, int) and isinstance(column, int):
        yield row, column


def _edge_path(binding: LetterValues, board: Collection[Square]) -> tuple[Square, ...]:
    """Return the first two cells that a clue beside the board refers to.

    Empty if they are unknown.
    """
    for r, c in _cells(binding, "AB"):
        for i, j in [*_cells(binding, "IJ")] or SIDES:
            if (r + i, c + j) in board:
                return (r + i, c + j), (r + 2 * i, c + 2 * j)
    return ()


def _items_on(tool: Tool, path: Sequence[Square], clauses: Iterable[Located]) -> list[DrawnItem]:
    """Return a tool's drawn constraints with the same cells or place as ``path``."""
    drawn = _items(tool, clauses, ())
    if "L" in tool.letters:
        return [item for item in drawn if {*item.cells} == {*path}]
    keys = {
        _key({letter: binding[letter] for letter in template if letter in binding})
        for _, template, _ in tool.templates
        for binding in tool.bind(template, path, ["0"])
    }
    return [item for item in drawn if item.key in keys]


def _next_number(tool: Tool, clauses: Sequence[Located]) -> int:
    """Return the next unused number for a line or group of a tool."""
    return 1 + max((item.key[0] for item in _items(tool, clauses, ()) if isinstance(item.key[0], int)), default=0)


def _erase_items(text: str, drawn: Iterable[DrawnItem], path: Iterable[Square], clauses: Sequence[Located]) -> str:
    """Return a text without the facts of ``drawn``, and without their grid entries on ``path``."""
    places = {place for item in drawn for place in item.places}
    grids = [clause for place in places if isinstance(clause := clauses[place].clause, nodes.Grid)]
    text = _cut(text, [place for place in places if clauses[place].clause not in grids], clauses)
    for grid in grids:
        for r, c in path:
            text = enter_value(text, grid.name, r, c, "")
    return text


def _cut(text: str, places: Iterable[int], clauses: Sequence[Located]) -> str:
    """Return a text without some clauses, the blanks after them, and lines that become empty.

    ``places`` are indices of ``clauses``.
    """
    for place in sorted(places, reverse=True):
        before, after = text[: clauses[place].start], text[clauses[place].end :].lstrip(" ")
        if after[:1] in ("", "\n"):
            before = before.rstrip(" ")
        if before[-1:] in ("", "\n"):
            after = after.removeprefix("\n")
        # Of the empty lines around removed lines, one remains.
        text = (
            before.removesuffix("\n") + after if before.endswith("\n\n") and after[:1] in ("", "\n") else before + after
        )
    return text


def _add_rows(text: str, relation: str, rows: Sequence[Sequence[int | str]], rules: str) -> str:
    """Return a text with ``rows`` added to a relation, as grid entries or facts.

    They are entries if the relation has a grid.

    The first facts of a relation are appended to the text, which then includes their rules.
    """
    clauses = [located for located in locate(text) if _relation(located.clause) == relation]
    if clauses and isinstance(clauses[-1].clause, nodes.Grid):
        for r, c, value in rows:
            text = enter_value(text, relation, int(r), int(c), str(value))
        return text
    if not rules:
        raise CspError(f"the text has no grid {relation}; begin with an empty board of regions")
    facts = fill_lines(f"{relation}({', '.join(map(str, row))})." for row in rows)
    if clauses and facts:
        return f"{text[: clauses[-1].end]}\n{facts}{text[clauses[-1].end :]}"
    return f"{_include(text, rules).rstrip()}\n\n{facts}\n" if facts else text


def _include(text: str, rules: str) -> str:
    """Return a text that includes rules, after its last include or before its first clause.

    Rules about regions also need the boxes of a board that has no grid of regions.
    """
    clauses = locate(text)
    has_regions = any(_relation(clause) == "region" for clause, _, _ in clauses)
    names = [*(["boxes"] if rules in RULES_WITH_REGIONS and not has_regions else []), rules]
    lines = [f"include {name}." for name in names if name not in {_included(clause) for clause, _, _ in clauses}]
    ends = [end for clause, _, end in clauses if _included(clause)]
    if ends:
        return "\n".join([text[: ends[-1]], *lines]) + text[ends[-1] :]
    start = clauses[0].start if clauses else 0
    return text[:start] + "".join(f"{line}\n" for line in lines) + text[start:]


def _exclude(text: str, rules: str) -> str:
    """Return a spec's text without the clauses that include ``rules``."""
    clauses = locate(text)
    return _cut(text, [i for i, (clause, _, _) in enumerate(clauses) if _included(clause) == rules], clauses)


def _declare_relations(text: str) -> str:
    """Return a spec's text that declares just those empty relations that its rules need.

    These are relations without facts that rules about unmarked pairs read.
    """
    clauses = [clause for clause, _, _ in locate(text)]
    included, relations = {*map(_included, clauses)}, {*map(_relation, clauses)}
    needed = {
        declaration
        for rules, declaration in EMPTY_RELATIONS.items()
        if rules in included and declaration.partition("(")[0] not in relations
    }
    for declaration in sorted({*EMPTY_RELATIONS.values()}):
        if declaration in text and declaration not in needed:
            text = text.replace(f"{declaration}\n", "").rstrip() + "\n"
        elif declaration in needed and declaration not in text:
            text = f"{text.rstrip()}\n\n{declaration}\n"
    return text
