"""A spec that says a sudoku variant in the words of the gallery, back to the variant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....text import syntax
from ....text.errors import Mistake
from ....text.grids import read_grid
from ....text.parsing.parse import parse
from ....text.printing.write import write
from ....text.syntax import Place
from ...convert.gallery import located
from ..kinds import FLAGS, KINDS, NEGATIVES
from ..variant import EMPTY_RELATIONS, Variant, boxes

BASES = ("sudoku", "jigsaw", "quasigroup")
"""Specs of the gallery that are sudokus of other regions, or of none."""

HELPERS = {"boxes", "cage_totals"}
RULES = {kind.rules for kind in KINDS.values()} | {*FLAGS.values()} | {*NEGATIVES.values()} | HELPERS

HINT = "such a spec includes sudoku, jigsaw or quasigroup and rules as csp import takes them, and says its data"


def variant_of(text: str) -> Variant:
    """The variant that a spec says.

    ``text``: of a spec without mistakes.

    Raises
    ------
    Mistake
        At the first clause that f-puzzles has no word for.
    """
    written, mistakes = parse(text)
    if mistakes:
        raise mistakes[0]
    base, clauses = _base(written)
    params: dict[str, int] = {}
    grids: dict[str, dict[tuple[int, int], int | str]] = {}
    variant = Variant(0)
    for clause in clauses:
        match clause:
            case syntax.Include(_, name, False) if name in RULES:
                variant.include(name)
            case syntax.Param(_, name, syntax.Constant(_, int(number))) if name in ("n", "box", "rows", "cols"):
                params[name] = number
            case syntax.Grid(_, name, str(picture)) if name in ("clue", "region", "cage"):
                if re.search(r"[^\s.|+=-]", picture):
                    grids[name] = {(r, c): token for r, c, token in read_grid(picture, name)}
            case syntax.Rule(_, None, syntax.Fact(_, syntax.Call(_, name, arguments)), ()):
                variant.fact(name, *(_value(one) for one in arguments))
            case syntax.Rule(_, None, syntax.Declaration(_, (syntax.Call(_, "cell", (row, col)),), domain), ()):
                variant.marks[int(_value(row)), int(_value(col))] = sorted(_members(domain))
            case syntax.Draw() | syntax.Show(_, (syntax.Shown(_, syntax.Name(_, "cell"), None),), None):
                pass
            case _ if write(clause) in EMPTY_RELATIONS.values():
                pass
            case _:
                raise Mistake("f-puzzles has no word for this", clause.at, HINT)
    cols = params.get("cols", params.get("box", 3))
    rows = params.get("rows", params.get("box", 3))
    variant.size = params.get("n", rows * cols if base == "sudoku" else 9)
    if base == "sudoku":
        variant.regions = boxes(variant.size)
        if (rows, cols) != _box(variant.regions):
            raise Mistake(f"f-puzzles has no boxes of {rows} rows and {cols} columns", Place(1, 1), HINT)
    names: dict[int | str, int] = {}
    for cell, region in grids.get("region", {}).items() if base == "jigsaw" else ():
        variant.regions[cell] = names.setdefault(region, len(names) + 1)
    variant.givens = {cell: int(value) for cell, value in grids.get("clue", {}).items()}
    for (top, left), cage in grids.get("cage", {}).items():
        variant.fact("cage", top, left, cage)
    _read_comments(variant, text)
    return variant


def _base(written: Iterable[syntax.Clause]) -> tuple[str, list[syntax.Clause]]:
    """Which sudoku it is, by what it includes or by its clauses; and the others."""
    clauses = list(written)
    for base in BASES:
        included = [
            one for one in clauses if isinstance(one, syntax.Include) and (one.name, one.is_file) == (base, False)
        ]
        if included:
            return base, [one for one in clauses if one not in included]
    for base in BASES:
        rules = {write(one.clause) for one in located(base)}
        rest = [one for one in clauses if isinstance(one, (syntax.Grid, syntax.Param)) or write(one) not in rules]
        data = sum(isinstance(one.clause, (syntax.Grid, syntax.Param)) for one in located(base))
        if len(clauses) - len(rest) == len(rules) - data:
            return base, [one for one in rest if not (isinstance(one, syntax.Param) and write(one) in rules)]
    raise Mistake("this is no sudoku variant that f-puzzles has words for", Place(1, 1), HINT)


def _box(regions: dict[tuple[int, int], int]) -> tuple[int, int]:
    first = [cell for cell, region in regions.items() if region == 1]
    return max(r for r, _ in first), max(c for _, c in first)


def _value(argument: object) -> int | str:
    match argument:
        case syntax.Constant(_, value):
            return value
        case syntax.Name(_, name):
            return name
        case syntax.Operation(_, "-", syntax.Constant(_, 0), syntax.Constant(_, int(value))):
            return -value
    raise Mistake("a fact for f-puzzles has numbers only", getattr(argument, "at", Place(1, 1)), HINT)


def _members(domain: syntax.Union) -> set[int]:
    found: set[int] = set()
    for part in domain.parts:
        low, high = (part.low, part.high) if isinstance(part, syntax.Range) else (part, part)
        found |= {*range(int(_value(low)), min(int(_value(high)), 99) + 1)}
    return found


def _read_comments(variant: Variant, text: str) -> None:
    """Title, author and rules."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        if head := re.fullmatch(r"% (Puzzle|Author|Rules|Drawn only|Not read): (.*)", line):
            name = head[1]
            found[name] = [head[2]]
        elif name and re.fullmatch(r"%(   .*)?", line):
            found[name].append(line[4:])
        else:
            name = ""
    variant.title, variant.author, variant.rules = (
        "\n".join(found.get(one, [])) for one in ("Puzzle", "Author", "Rules")
    )
