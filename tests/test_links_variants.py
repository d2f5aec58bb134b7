"""Sudoku variants of f-puzzles: each constraint counts right, and what is exported is what was imported."""

from __future__ import annotations

import json
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from dsl.puzzles.links.back.exporting import fpuzzle_link
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.puzzles.links.kinds import KINDS
from dsl.syntax.errors import Source

from .conftest import TIMES
from .links import ENTRIES, HERE, LINE, THREE, fpuzzle


def counted(link: str) -> int:
    return sum(1 for _ in csp.Solver(dsl.loads(spec_of_link(link, HERE))).solutions())


@pytest.fixture
def published(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if not line.startswith("#")]


def test_published_variants(published: list[dict[str, Any]]) -> None:
    """Each has the solution that its setter published and no other; of all but one with ``TIMES=2``, which is slow."""
    for one in published if TIMES > 1 else [*published[:-2], published[-1]]:
        model = dsl.loads(spec_of_link(one["link"], HERE))
        cells = [v for v in model.domains if v.family == "cell"]
        found = ["".join(str(answer[v]) for v in cells) for answer in csp.Solver(model).solutions()]
        assert found == [one["solution"]], one["title"]


def test_import_export_import(published: list[dict[str, Any]]) -> None:
    for one in published:
        spec = spec_of_link(one["link"], HERE)
        again = spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)
        assert said(again) == said(spec), one["title"]


def test_what_is_drawn_only_comes_back() -> None:
    cells = [["R1C1"], ["R1C1", "R1C2"]]
    link = fpuzzle(
        line=[
            {"lines": [["R1C1", "R2C2"]], "outlineC": code} for code in ("#F00", "#FA0", "#0A0", "#00F", "#A0A", "#888")
        ],
        circle=[{"cells": some, "baseC": code, "value": "7"} for some in cells for code in ("#FFFFFF", "#000000")],
        rectangle=[{"cells": some, "value": "it's"} for some in cells],
        text=[{"cells": ["R0C2"], "value": "4"}],
        cage=[{"cells": ["R2C3", "R2C4"], "value": "9"}, {"cells": ["R3C3"], "value": ""}],
    )
    spec = spec_of_link(link, HERE)
    assert said(spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)) == said(spec)
    more = spec + "drawn_shade(4, 4, red). drawn_arrow(1, 1, 4, 1). drawn_arrow(1, 2, 4, 2)."
    again = spec_of_link(fpuzzle_link(Source("", more)).strip(), HERE)
    assert "drawn_square(4, 4, '')." in again and "drawn_line(7, 1, 4, 1, grey). drawn_line(7, 2, 4, 2, grey)." in again


def said(spec: str) -> list[str]:
    """The lines of a spec but for what is drawn only."""
    return [line for line in spec.split("\n") if line and not line.startswith(("% Drawn", "% Not"))]


def holds(key: str, entry: dict[str, Any], at: dict[str, int]) -> bool:
    """Whether an entry of f-puzzles holds in a solution of a sudoku of four rows: by its rule, not by the engine."""
    cells = [at[cell] for cell in entry.get("cells", [entry.get("cell")]) if cell in at]
    lines = [[at[cell] for cell in line] for line in entry.get("lines", [])]
    value = int(entry["value"]) if str(entry.get("value", "")).isdecimal() else None
    seen = [at[cell] for cell in looking(entry["cell"])] if "cell" in entry and not cells else []
    names = {cell: (int(cell[1]), int(cell[3])) for cell in at}
    box = {cell: ((r - 1) // 2, (c - 1) // 2) for cell, (r, c) in names.items()}
    match key:
        case "extraregion":
            return len({*cells}) == len(cells)
        case "odd" | "even":
            return cells[0] % 2 == (key == "odd")
        case "killercage":
            return len({*cells}) == len(cells) and (value is None or sum(cells) == value)
        case "littlekillersum":
            return sum(at[f"R{k}C{k + 1}"] for k in (1, 2, 3)) == value
        case "sandwichsum":
            low, high = sorted((seen.index(1), seen.index(4)))
            return sum(seen[low + 1 : high]) == value
        case "xsum":
            return sum(seen[: seen[0]]) == value
        case "skyscraper":
            return sum(tower > max(seen[:k], default=0) for k, tower in enumerate(seen)) == value
        case "numberedroom":
            return seen[seen[0] - 1] == value
        case "difference":
            return abs(cells[0] - cells[1]) == (value or 1)
        case "ratio":
            return 2 * min(cells) == max(cells)
        case "xv":
            return sum(cells) == 5
        case "clone":
            return cells == [at[cell] for cell in entry["cloneCells"]]
        case "arrow":
            return all(sum(line[1:]) == cells[0] for line in lines)
        case "minimum" | "maximum":
            r, c = names[entry["cell"]]
            beside = [at[f"R{r + i}C{c + j}"] for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
            return all((one > cells[0]) == (key == "minimum") and one != cells[0] for one in beside)
        case "quadruple":
            return all(cells.count(one) >= entry["values"].count(one) for one in entry["values"])
        case "rowindexer" | "columnindexer":
            across = key == "columnindexer"
            marked = [names[cell] for cell in entry["cells"]]
            return all(
                at[f"R{r}C{at[f'R{r}C{c}']}"] == c if across else at[f"R{at[f'R{r}C{c}']}C{c}"] == r for r, c in marked
            )
        case "boxindexer":
            cell = entry["cells"][0]
            inside = [other for other in sorted(at) if box[other] == box[cell]]
            return at[inside[at[cell] - 1]] == inside.index(cell) + 1
        case _:
            return all(line_holds(key, line, value) for line in lines) and (
                key != "regionsumline" or all(sums_agree(line, at, box) for line in entry["lines"])
            )


def looking(place: str) -> list[str]:
    """The cells that are seen from a place beside a board of four rows."""
    r, c = int(place[1]), int(place[3])
    line = [f"R{r}C{k}" if c in (0, 5) else f"R{k}C{c}" for k in range(1, 5)]
    return line[::-1] if 5 in (r, c) else line


def sums_agree(line: list[str], at: dict[str, int], box: dict[str, tuple[int, int]]) -> bool:
    sums: list[int] = []
    for k, cell in enumerate(line):
        if not k or box[cell] != box[line[k - 1]]:
            sums.append(0)
        sums[-1] += at[cell]
    return len({*sums}) == 1


def line_holds(key: str, line: list[int], value: int | None) -> bool:
    steps = list(pairwise(line))
    near = [(a, b) for k, a in enumerate(line) for b in line[k + 1 : k + 3]]
    ends, inner = [line[0], line[-1]], line[1:-1]
    rules = {
        "thermometer": all(a < b for a, b in steps),
        "slowthermometer": all(a <= b for a, b in steps),
        "palindrome": line == line[::-1],
        "doublearrow": sum(ends) == sum(inner),
        "betweenline": all(min(ends) < one < max(ends) for one in inner),
        "renban": len({*line}) == len(line) == max(line) - min(line) + 1,
        "nabner": all(abs(a - b) > 1 for k, a in enumerate(line) for b in line[k + 1 :]),
        "whispers": all(abs(a - b) >= (value or 2) for a, b in steps),
        "regionsumline": True,
        "zipperline": len(
            {line[k] + line[-1 - k] for k in range(len(line) // 2)}
            | {*line[len(line) // 2 : len(line) // 2 + len(line) % 2]}
        )
        == 1,
        "entropicline": all("lmmh"[a - 1] != "lmmh"[b - 1] for a, b in near),
        "modularline": all(a % 3 != b % 3 for a, b in near),
        "parityline": all(a % 2 != b % 2 for a, b in steps),
    }
    return rules[key]


@pytest.fixture(scope="module")
def squares() -> list[dict[str, int]]:
    """All 288 sudokus of four rows, written down without the engine."""
    rows = list(permutations(range(1, 5)))
    found = []
    for a, b, c, d in product(rows, repeat=4):
        if all(len({*column}) == 4 for column in zip(a, b, c, d, strict=True)) and all(
            len({*p[j : j + 2], *q[j : j + 2]}) == 4 for p, q in ((a, b), (c, d)) for j in (0, 2)
        ):
            found.append({f"R{i + 1}C{j + 1}": row[j] for i, row in enumerate((a, b, c, d)) for j in range(4)})
    assert len(found) == 288
    return found


@pytest.mark.parametrize("key", KINDS)
def test_each_constraint_counts_right(key: str, squares: list[dict[str, int]]) -> None:
    """An entry alone, in the sudokus of four rows: as many solutions as its rule leaves; and export says the same."""
    for entry in ENTRIES.get(key, THREE if key == "renban" else LINE):
        link = fpuzzle(**{key: [entry]})
        spec = spec_of_link(link, HERE)
        model = dsl.loads(spec)
        cells = [v for v in model.domains if v.family == "cell"]
        found = {tuple(answer[v] for v in cells) for answer in csp.Solver(model).solutions()}
        assert found == {tuple(at.values()) for at in squares if holds(key, entry, at)}, entry
        assert said(spec_of_link(fpuzzle_link(Source("", spec)).strip(), HERE)) == said(spec)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"nonconsecutive": True}, lambda a, b, dotted: dotted or abs(a - b) != 1),
        ({"negative": ["ratio"]}, lambda a, b, dotted: dotted or (a != 2 * b and b != 2 * a)),
        ({"negative": ["xv"]}, lambda a, b, dotted: a + b not in (5, 10)),
    ],
)
@pytest.mark.parametrize("dots", [[], ["R1C1", "R1C2"]])
def test_what_has_no_mark(fields: dict[str, Any], rule: Any, dots: list[str], squares: list[dict[str, int]]) -> None:
    marks = {"difference": [{"cells": dots}]} if dots else {}
    sides = [(f"R{r}C{c}", f"R{r + i}C{c + 1 - i}") for r, c, i in product(range(1, 5), range(1, 5), (0, 1))]
    sides = [(a, b) for a, b in sides if b in squares[0]]
    wanted = [
        at for at in squares
        if all(rule(at[a], at[b], [a, b] == dots) for a, b in sides)
        and (not dots or abs(at[dots[0]] - at[dots[1]]) == 1)
    ]  # fmt: skip
    assert counted(fpuzzle(**fields, **marks)) == len(wanted)
