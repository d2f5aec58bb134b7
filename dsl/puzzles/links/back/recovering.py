"""Recovers a sudoku variant from a spec that includes rules of the gallery."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....syntax import nodes
from ....syntax.errors import Diagnostic
from ....syntax.grids import read_grid
from ....syntax.nodes import Place
from ....syntax.parse import parse
from ....syntax.write import write
from ...convert.gallery import located_clauses
from ..kinds import FLAGS, KINDS, NEGATIVES
from ..variant import EMPTY_RELATIONS, Variant, boxes

BASES = ("sudoku", "jigsaw", "quasigroup")
"""Specs of the gallery that are sudokus with boxes, with irregular regions, and without regions."""

AUXILIARY_RULES = {"boxes", "cage_totals"}
"""Specs of the gallery that other rules need."""

RULES = {kind.rules for kind in KINDS.values()} | {*FLAGS.values()} | {*NEGATIVES.values()} | AUXILIARY_RULES
"""All specs of the gallery that a variant may include."""

HINT = "such a spec includes sudoku, jigsaw or quasigroup and rules as csp import takes them, and says its data"
"""The hint of errors about the form of the spec."""


def variant_of(text: str) -> Variant:
    """Return the sudoku variant that a spec describes.

    Parameters
    ----------
    text : str
        A spec without errors.

    Raises
    ------
    Diagnostic
        At the first clause that f-puzzles cannot express.
    """
    parsed_clauses, diagnostics = parse(text)
    if diagnostics:
        raise diagnostics[0]
    # Read all clauses except those of the base as data of the variant.
    base, clauses = _base(parsed_clauses)
    params: dict[str, int] = {}
    grids: dict[str, dict[tuple[int, int], int | str]] = {}
    variant = Variant(0)
    for clause in clauses:
        match clause:
            case nodes.Include(_, name, False) if name in RULES:
                variant.include(name)
            case nodes.Param(_, name, nodes.Constant(_, int(number))) if name in ("n", "box", "rows", "cols"):
                params[name] = number
            case nodes.Grid(_, name, str(picture)) if name in ("clue", "region", "cage"):
                if re.search(r"[^\s.|+=-]", picture):
                    grids[name] = {(r, c): token for r, c, token in read_grid(picture, name)}
            case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name, arguments)), ()):
                variant.fact(name, *(_value(argument) for argument in arguments))
            case nodes.Rule(_, None, nodes.Declaration(_, (nodes.Call(_, "cell", (row, col)),), domain), ()):
                variant.marks[int(_value(row)), int(_value(col))] = sorted(_members(domain))
            case nodes.Draw() | nodes.Show(_, (nodes.Shown(_, nodes.Name(_, "cell"), None),), None):
                pass
            case _ if write(clause) in EMPTY_RELATIONS.values():
                pass
            case _:
                raise Diagnostic("f-puzzles has no word for this", clause.at, HINT)
    # The size follows from the params; the spec's own defaults are 3 by 3 boxes.
    cols = params.get("cols", params.get("box", 3))
    rows = params.get("rows", params.get("box", 3))
    variant.size = params.get("n", rows * cols if base == "sudoku" else 9)
    if base == "sudoku":
        variant.regions = boxes(variant.size)
        if (rows, cols) != _box(variant.regions):
            raise Diagnostic(f"f-puzzles has no boxes of {rows} rows and {cols} columns", Place(1, 1), HINT)
    # Regions may be named by letters: number them in their order.
    names: dict[int | str, int] = {}
    for cell, region in grids.get("region", {}).items() if base == "jigsaw" else ():
        variant.regions[cell] = names.setdefault(region, len(names) + 1)
    variant.givens = {cell: int(value) for cell, value in grids.get("clue", {}).items()}
    for (top, left_column), cage in grids.get("cage", {}).items():
        variant.fact("cage", top, left_column, cage)
    _read_comments(variant, text)
    return variant


def _base(parsed_clauses: Iterable[nodes.Clause]) -> tuple[str, list[nodes.Clause]]:
    """Return the name of a spec's base rules, and its other clauses.

    The base is found by its include or by its clauses.

    Raises
    ------
    Diagnostic
        If the spec has none of the bases.
    """
    clauses = list(parsed_clauses)
    # First look for an include of a base.
    for base in BASES:
        includes = [
            clause
            for clause in clauses
            if isinstance(clause, nodes.Include) and (clause.name, clause.is_file) == (base, False)
        ]
        if includes:
            return base, [clause for clause in clauses if clause not in includes]
    for base in BASES:
        # Otherwise all rules of a base must be clauses of the spec.
        rules = {write(item.clause) for item in located_clauses(base)}
        other_clauses = [
            clause for clause in clauses if isinstance(clause, (nodes.Grid, nodes.Param)) or write(clause) not in rules
        ]
        data = sum(isinstance(item.clause, (nodes.Grid, nodes.Param)) for item in located_clauses(base))
        if len(clauses) - len(other_clauses) == len(rules) - data:
            return base, [
                clause for clause in other_clauses if not (isinstance(clause, nodes.Param) and write(clause) in rules)
            ]
    raise Diagnostic("this is no sudoku variant that f-puzzles has words for", Place(1, 1), HINT)


def _box(regions: dict[tuple[int, int], int]) -> tuple[int, int]:
    """Return the numbers of rows and columns of the first box."""
    cells = [cell for cell, region in regions.items() if region == 1]
    return max(r for r, _ in cells), max(c for _, c in cells)


def _value(argument: object) -> int | str:
    """Return the number or name that an argument of a fact contains."""
    match argument:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
        case nodes.Operation(_, "-", nodes.Constant(_, 0), nodes.Constant(_, int(value))):
            return -value
    raise Diagnostic("a fact for f-puzzles has numbers only", getattr(argument, "at", Place(1, 1)), HINT)


def _members(domain: nodes.Union) -> set[int]:
    """Return the values of a domain, without values above 99."""
    values: set[int] = set()
    for part in domain.parts:
        low, high = (part.low, part.high) if isinstance(part, nodes.Range) else (part, part)
        values |= {*range(int(_value(low)), min(int(_value(high)), 99) + 1)}
    return values


def _read_comments(variant: Variant, text: str) -> None:
    """Read title, author and rules from the comments that an import writes."""
    texts: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        if match := re.fullmatch(r"% (Puzzle|Author|Rules|Drawn only|Not read): (.*)", line):
            name = match[1]
            texts[name] = [match[2]]
        elif name and re.fullmatch(r"%(   .*)?", line):
            texts[name].append(line[4:])
        else:
            name = ""
    variant.title, variant.author, variant.rules = (
        "\n".join(texts.get(heading, [])) for heading in ("Puzzle", "Author", "Rules")
    )
