"""Sudoku variants of f-puzzles: solution counts, and export of imported links."""

from __future__ import annotations

import json
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.puzzles.links.exporting import fpuzzle_link
from dsl.puzzles.links.fpuzzles import KINDS
from dsl.syntax.errors import Source

from ..conftest import TIMES
from ..links import ENTRIES, HERE, LINE, THREE, fpuzzle


def count_solutions(link: str) -> int:
    """Return the number of solutions of a link's puzzle."""
    return sum(1 for _ in csp.Solver(dsl.loads(spec_of_link(link, HERE))).solutions())


@pytest.fixture
def published_puzzles(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if not line.startswith("#")]


def test_published_variants_have_exactly_the_published_solution(published_puzzles: list[dict[str, Any]]) -> None:
    """Solve all published puzzles; the slow puzzle needs ``TIMES=2``."""
    for puzzle in published_puzzles if TIMES > 1 else [*published_puzzles[:-2], published_puzzles[-1]]:
        model = dsl.loads(spec_of_link(puzzle["link"], HERE))
        cells = [v for v in model.domains if v.family == "cell"]
        solutions = ["".join(str(answer[v]) for v in cells) for answer in csp.Solver(model).solutions()]
        assert solutions == [puzzle["solution"]], puzzle["title"]


def test_an_exported_link_imports_as_the_same_spec(published_puzzles: list[dict[str, Any]]) -> None:
    for puzzle in published_puzzles:
        spec = spec_of_link(puzzle["link"], HERE)
        reimported = spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)
        assert read_clauses(reimported) == read_clauses(spec), puzzle["title"]


def test_drawings_survive_import_and_export() -> None:
    cells = [["R1C1"], ["R1C1", "R1C2"]]
    link = fpuzzle(
        line=[
            {"lines": [["R1C1", "R2C2"]], "outlineC": code} for code in ("#F00", "#FA0", "#0A0", "#00F", "#A0A", "#888")
        ],
        circle=[
            {"cells": drawn_cells, "baseC": code, "value": "7"}
            for drawn_cells in cells
            for code in ("#FFFFFF", "#000000")
        ],
        rectangle=[{"cells": drawn_cells, "value": "it's"} for drawn_cells in cells],
        text=[{"cells": ["R0C2"], "value": "4"}],
        cage=[{"cells": ["R2C3", "R2C4"], "value": "9"}, {"cells": ["R3C3"], "value": ""}],
    )
    spec = spec_of_link(link, HERE)
    assert read_clauses(spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)) == read_clauses(spec)
    extended = spec + "drawn_shade(4, 4, red). drawn_arrow(1, 1, 4, 1). drawn_arrow(1, 2, 4, 2)."
    reimported = spec_of_link(fpuzzle_link(Source("", extended)).strip(), HERE)
    assert (
        "drawn_square(4, 4, '')." in reimported
        and "drawn_line(7, 1, 4, 1, grey). drawn_line(7, 2, 4, 2, grey)." in reimported
    )


def read_clauses(spec: str) -> list[str]:
    """Return the lines of a spec without those about drawings."""
    return [line for line in spec.split("\n") if line and not line.startswith(("% Drawn", "% Not"))]


def holds(key: str, entry: dict[str, Any], values: dict[str, int]) -> bool:
    """Return whether an entry of f-puzzles holds in a solution of four rows.

    The rules are written without the engine.
    """
    cells = [values[cell] for cell in entry.get("cells", [entry.get("cell")]) if cell in values]
    lines = [[values[cell] for cell in line] for line in entry.get("lines", [])]
    value = int(entry["value"]) if str(entry.get("value", "")).isdecimal() else None
    visible = [values[cell] for cell in find_visible_cells(entry["cell"])] if "cell" in entry and not cells else []
    names = {cell: (int(cell[1]), int(cell[3])) for cell in values}
    box = {cell: ((r - 1) // 2, (c - 1) // 2) for cell, (r, c) in names.items()}
    match key:
        case "extraregion":
            return len({*cells}) == len(cells)
        case "odd" | "even":
            return cells[0] % 2 == (key == "odd")
        case "killercage":
            return len({*cells}) == len(cells) and (value is None or sum(cells) == value)
        case "littlekillersum":
            return sum(values[f"R{k}C{k + 1}"] for k in (1, 2, 3)) == value
        case "sandwichsum":
            first_index, last_index = sorted((visible.index(1), visible.index(4)))
            return sum(visible[first_index + 1 : last_index]) == value
        case "xsum":
            return sum(visible[: visible[0]]) == value
        case "skyscraper":
            return sum(tower > max(visible[:k], default=0) for k, tower in enumerate(visible)) == value
        case "numberedroom":
            return visible[visible[0] - 1] == value
        case "difference":
            return abs(cells[0] - cells[1]) == (value or 1)
        case "ratio":
            return 2 * min(cells) == max(cells)
        case "xv":
            return sum(cells) == 5
        case "clone":
            return cells == [values[cell] for cell in entry["cloneCells"]]
        case "arrow":
            return all(sum(line[1:]) == cells[0] for line in lines)
        case "minimum" | "maximum":
            r, c = names[entry["cell"]]
            beside = [values[f"R{r + i}C{c + j}"] for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
            return all(
                (value_beside > cells[0]) == (key == "minimum") and value_beside != cells[0] for value_beside in beside
            )
        case "quadruple":
            return all(cells.count(quad_value) >= entry["values"].count(quad_value) for quad_value in entry["values"])
        case "rowindexer" | "columnindexer":
            across = key == "columnindexer"
            marked = [names[cell] for cell in entry["cells"]]
            return all(
                values[f"R{r}C{values[f'R{r}C{c}']}"] == c if across else values[f"R{values[f'R{r}C{c}']}C{c}"] == r
                for r, c in marked
            )
        case "boxindexer":
            cell = entry["cells"][0]
            inside = [name for name in sorted(values) if box[name] == box[cell]]
            return values[inside[values[cell] - 1]] == inside.index(cell) + 1
        case _:
            return all(line_holds(key, line, value) for line in lines) and (
                key != "regionsumline" or all(sums_agree(line, values, box) for line in entry["lines"])
            )


def find_visible_cells(place: str) -> list[str]:
    """Return the cells that a place outside a board of four rows sees."""
    r, c = int(place[1]), int(place[3])
    line = [f"R{r}C{k}" if c in (0, 5) else f"R{k}C{c}" for k in range(1, 5)]
    return line[::-1] if 5 in (r, c) else line


def sums_agree(line: list[str], values: dict[str, int], box: dict[str, tuple[int, int]]) -> bool:
    """Return whether the cells of a line have the same sum in every box."""
    sums: list[int] = []
    for k, cell in enumerate(line):
        if not k or box[cell] != box[line[k - 1]]:
            sums.append(0)
        sums[-1] += values[cell]
    return len({*sums}) == 1


def line_holds(key: str, line: list[int], value: int | None) -> bool:
    """Return whether a line obeys the rule of its kind."""
    steps = list(pairwise(line))
    close_pairs = [(a, b) for k, a in enumerate(line) for b in line[k + 1 : k + 3]]
    ends, inner = [line[0], line[-1]], line[1:-1]
    rules = {
        "thermometer": all(a < b for a, b in steps),
        "slowthermometer": all(a <= b for a, b in steps),
        "palindrome": line == line[::-1],
        "doublearrow": sum(ends) == sum(inner),
        "betweenline": all(min(ends) < value_between < max(ends) for value_between in inner),
        "renban": len({*line}) == len(line) == max(line) - min(line) + 1,
        "nabner": all(abs(a - b) > 1 for k, a in enumerate(line) for b in line[k + 1 :]),
        "whispers": all(abs(a - b) >= (value or 2) for a, b in steps),
        "regionsumline": True,
        "zipperline": len(
            {line[k] + line[-1 - k] for k in range(len(line) // 2)}
            | {*line[len(line) // 2 : len(line) // 2 + len(line) % 2]}
        )
        == 1,
        "entropicline": all("lmmh"[a - 1] != "lmmh"[b - 1] for a, b in close_pairs),
        "modularline": all(a % 3 != b % 3 for a, b in close_pairs),
        "parityline": all(a % 2 != b % 2 for a, b in steps),
    }
    return rules[key]


@pytest.fixture(scope="module")
def squares() -> list[dict[str, int]]:
    """Return all 288 sudokus of four rows, enumerated without the engine."""
    rows = list(permutations(range(1, 5)))
    solutions = []
    for a, b, c, d in product(rows, repeat=4):
        if all(len({*column}) == 4 for column in zip(a, b, c, d, strict=True)) and all(
            len({*p[j : j + 2], *q[j : j + 2]}) == 4 for p, q in ((a, b), (c, d)) for j in (0, 2)
        ):
            solutions.append({f"R{i + 1}C{j + 1}": row[j] for i, row in enumerate((a, b, c, d)) for j in range(4)})
    assert len(solutions) == 288
    return solutions


@pytest.mark.parametrize("key", KINDS)
def test_each_constraint_keeps_the_solutions_of_its_rule(key: str, squares: list[dict[str, int]]) -> None:
    """Check each entry alone, and that export and import keep it."""
    for entry in ENTRIES.get(key, THREE if key == "renban" else LINE):
        link = fpuzzle(**{key: [entry]})
        spec = spec_of_link(link, HERE)
        model = dsl.loads(spec)
        cells = [v for v in model.domains if v.family == "cell"]
        solutions = {tuple(answer[v] for v in cells) for answer in csp.Solver(model).solutions()}
        assert solutions == {tuple(values.values()) for values in squares if holds(key, entry, values)}, entry
        assert read_clauses(spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)) == read_clauses(spec)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"nonconsecutive": True}, lambda a, b, dotted: dotted or abs(a - b) != 1),
        ({"negative": ["ratio"]}, lambda a, b, dotted: dotted or (a != 2 * b and b != 2 * a)),
        ({"negative": ["xv"]}, lambda a, b, dotted: a + b not in (5, 10)),
    ],
)
@pytest.mark.parametrize("dots", [[], ["R1C1", "R1C2"]])
def test_pairs_without_a_mark_obey_the_negative_rule(
    fields: dict[str, Any], rule: Any, dots: list[str], squares: list[dict[str, int]]
) -> None:
    # Enumerate the sudokus in which every pair of neighbours without a dot obeys the rule.
    marks = {"difference": [{"cells": dots}]} if dots else {}
    sides = [(f"R{r}C{c}", f"R{r + i}C{c + 1 - i}") for r, c, i in product(range(1, 5), range(1, 5), (0, 1))]
    sides = [(a, b) for a, b in sides if b in squares[0]]
    expected = [
        values for values in squares
        if all(rule(values[a], values[b], [a, b] == dots) for a, b in sides)
        and (not dots or abs(values[dots[0]] - values[dots[1]]) == 1)
    ]  # fmt: skip
    assert count_solutions(fpuzzle(**fields, **marks)) == len(expected)
