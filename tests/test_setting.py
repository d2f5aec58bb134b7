"""What csp generate sets has one solution and no clue that could go, by code that shares nothing with the solver."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from dsl.puzzles.convert.gallery import fill

from .conftest import ROOT
from .squares import SUDOKU, Fact, Square, latin, puzzles, squares_with_boxes


def assert_minimal(grids: Iterable[Any], groups: Sequence[Sequence[Fact]], holds: Callable[[Fact, Any], bool]) -> Any:
    """One grid has all clues, and without a group there is another; that one."""
    violated = [([any(not holds(fact, grid) for fact in group) for group in groups], grid) for grid in grids]
    (solution,) = (grid for missing, grid in violated if not any(missing))
    for i in range(len(groups)):
        assert any(missing[i] and sum(missing) == 1 for missing, _ in violated), groups[i]
    return solution


def is_given(fact: Fact, grid: Square) -> bool:
    _, r, c, value = fact
    return grid[r - 1][c - 1] == value


def singly(puzzle: dict[str, Any]) -> list[list[Fact]]:
    return [[fact] for fact in puzzle["clues"]]


def square(puzzle: dict[str, Any], n: int) -> Square:
    return [[puzzle["solution"][f"cell({r},{c})"] for c in range(1, n + 1)] for r in range(1, n + 1)]


def test_4x4() -> None:
    found = puzzles(SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 1, "--count", 12)
    assert len({puzzle["puzzle"] for puzzle in found}) == 12
    for puzzle in found:
        assert assert_minimal(squares_with_boxes(), singly(puzzle), is_given) == square(puzzle, 4)
        assert re.fullmatch(r"[.1-4]{16}", puzzle["puzzle"]) and puzzle["givens"] == len(puzzle["clues"])
        assert [[*map(int, row)] for row in solved_each(puzzle["puzzle"])] == square(puzzle, 4)


def solved_each(line: str) -> list[str]:
    """The solution of a line, by the command that reads such lines."""
    spec = dsl.loads(Path(SUDOKU).read_text(), {"box": 2}, {"clue": line})
    solution = csp.solve(spec)
    assert solution is not None
    return ["".join(str(solution[f"cell({r},{c})"]) for c in range(1, 5)) for r in range(1, 5)]


IMAGES = {
    "rotation": lambda r, c, n: (n + 1 - r, n + 1 - c),
    "mirror": lambda r, c, n: (r, n + 1 - c),
    "diagonal": lambda r, c, n: (c, r),
}


@pytest.mark.parametrize("symmetry", IMAGES)
def test_symmetry_is_kept_and_no_orbit_could_go(symmetry: str) -> None:
    arguments = (SUDOKU, "--set", "box=2", "--grid", "clue", "--symmetry", symmetry, "--seed", 3, "--count", 6)
    for puzzle in puzzles(*arguments):
        at = {(fact[1], fact[2]): fact for fact in puzzle["clues"]}
        assert {IMAGES[symmetry](*place, 4) for place in at} == set(at)
        orbits = {tuple(sorted({place, IMAGES[symmetry](*place, 4)})) for place in at}
        assert_minimal(squares_with_boxes(), [[at[place] for place in orbit] for orbit in orbits], is_given)


def groups_of(name: str) -> tuple[int, list[list[tuple[int, int]]]]:
    """Rows, columns and regions of a grid, written down once more."""
    n, (high, wide) = (6, (2, 3)) if name == "6x6" else (9, (3, 3))
    cells = list(product(range(n), range(n)))
    regions = {(r, c): str((r // high, c // wide)) for r, c in cells}
    if name == "jigsaw":
        text = (ROOT / "examples" / "jigsaw.csp").read_text()
        rows = re.search(r'grid region\(n, n\) = "(.*?)"', text, re.DOTALL)[1].split()  # type: ignore[index]
        regions = {(r, c): rows[r][c] for r, c in cells}
    groups = [[cell for cell in cells if cell[axis] == i] for axis in (0, 1) for i in range(n)]
    groups += [[cell for cell in cells if regions[cell] == region] for region in dict.fromkeys(regions.values())]
    if name == "sudoku_x":
        groups += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    return n, groups


def count(n: int, groups: list[list[tuple[int, int]]], clues: list[Fact], limit: int = 2) -> int:
    """How many ways there are to fill a grid, up to a limit, by Knuth's algorithm X on dictionaries of sets."""
    rows = {
        (cell, value): [("cell", cell), *[(i, value) for i, group in enumerate(groups) if cell in group]]
        for cell in product(range(n), range(n))
        for value in range(1, n + 1)
    }
    columns: dict[Any, set[Any]] = {}
    for row, covered in rows.items():
        for column in covered:
            columns.setdefault(column, set()).add(row)

    def select(row: Any) -> list[set[Any]]:
        taken = []
        for column in rows[row]:
            for other in columns[column]:
                for one in rows[other]:
                    if one != column:
                        columns[one].remove(other)
            taken.append(columns.pop(column))
        return taken

    def deselect(row: Any, taken: list[set[Any]]) -> None:
        for column in reversed(rows[row]):
            columns[column] = taken.pop()
            for other in columns[column]:
                for one in rows[other]:
                    if one != column:
                        columns[one].add(other)

    def solve(found: int) -> int:
        if not columns:
            return found + 1
        for row in list(columns[min(columns, key=lambda column: len(columns[column]))]):
            taken = select(row)
            found = solve(found)
            deselect(row, taken)
            if found >= limit:
                break
        return found

    for _, r, c, value in clues:
        select(((r - 1, c - 1), value))
    return solve(0)


@pytest.mark.parametrize("name", ["6x6", "sudoku_x", "jigsaw"])
def test_grids_with_regions(name: str) -> None:
    file = SUDOKU if name == "6x6" else str(ROOT / "examples" / f"{name}.csp")
    sizes = ["--set", "rows=2", "--set", "cols=3"] if name == "6x6" else []
    (puzzle,) = puzzles(file, *sizes, "--grid", "clue", "--seed", 2)
    n, groups = groups_of(name)
    clues = puzzle["clues"]
    assert count(n, groups, clues) == 1
    assert len(puzzle["puzzle"]) == n * n
    for fact in clues if name == "6x6" else clues[::6]:
        assert count(n, groups, [other for other in clues if other != fact]) == 2, fact


def cage_cells(picture: str) -> dict[str, list[tuple[int, int]]]:
    cells: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(picture.split()):
        for c, name in enumerate(row):
            cells.setdefault(name, []).append((r, c))
    return cells


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "spec.csp"
    path.write_text(text, encoding="utf-8")
    return str(path)


CAGES = "aabb\naccd\neefd\ngffd\n"


def test_killer(tmp_path: Path) -> None:
    spec = fill("killer", "t", {"box": 2}, {"cage": CAGES}, {"total": [(name, 0) for name in "abcdefg"]})
    cells = cage_cells(CAGES)
    grids = [
        grid
        for grid in squares_with_boxes()
        if all(len({grid[r][c] for r, c in own}) == len(own) for own in cells.values())
    ]
    for puzzle in puzzles(written(tmp_path, spec), "--facts", "total(_, T)", "--seed", 4, "--count", 4):
        solution = assert_minimal(
            grids, singly(puzzle), lambda fact, grid: sum(grid[r][c] for r, c in cells[fact[1]]) == fact[2]
        )
        assert solution == square(puzzle, 4)
        assert [fact[0] for fact in puzzle["clues"]] == ["total"] * puzzle["givens"]


def test_kenken_with_any_operation(tmp_path: Path) -> None:
    spec = fill("kenken", "t", {"n": 4}, {"cage": CAGES}, {"clue": [(name, "plus", 4) for name in "abcdefg"]})
    cells = cage_cells(CAGES)

    def holds(fact: Fact, grid: Square) -> bool:
        _, cage, operation, target = fact
        values = [grid[r][c] for r, c in cells[cage]]
        largest, others = max(values), sum(values) - max(values)
        times = values[0]
        for value in values[1:]:
            times *= value
        known = {"plus": sum(values), "times": times, "minus": largest - others, "over": largest / min(values)}
        return target in known.values() if operation == "some" else known[operation] == target

    operations = set()
    for puzzle in puzzles(written(tmp_path, spec), "--facts", "clue(_, Op, T)", "--seed", 5, "--count", 6):
        assert assert_minimal(latin(4), singly(puzzle), holds) == square(puzzle, 4)
        assert len({fact[1] for fact in puzzle["clues"]}) == puzzle["givens"]  # a cage has one clue
        operations |= {fact[2] for fact in puzzle["clues"]}
    assert len(operations) > 3


def test_futoshiki() -> None:
    def holds(fact: Fact, grid: Square) -> bool:
        _, r, c, token = fact
        one = grid[(r - 1) // 2][(c - 1) // 2]
        if isinstance(token, int):
            return one == token
        other = grid[r // 2][c // 2]
        return one < other if token in "<^" else one > other

    file = ROOT / "examples" / "futoshiki.csp"
    for puzzle in puzzles(file, "--set", "n=4", "--grid", "board", "--seed", 6, "--count", 3):
        assert assert_minimal(latin(4), singly(puzzle), holds) == square(puzzle, 4)
        assert len(puzzle["puzzle"]) == 49


def test_kakuro_keeps_its_black_cells(tmp_path: Path) -> None:
    black = "# # # #\n# . . .\n# . . .\n"
    spec = fill("kakuro", "t", {"rows": 3, "cols": 4}, {"across": black, "down": black})
    (puzzle,) = puzzles(written(tmp_path, spec), "--grid", "across", "--grid", "down", "--seed", 7)
    runs = {("across", 2, 1): [0, 1, 2], ("across", 3, 1): [3, 4, 5]}
    runs |= {("down", 1, 2): [0, 3], ("down", 1, 3): [1, 4], ("down", 1, 4): [2, 5]}
    rows = list(permutations(range(1, 10), 3))
    grids = [[*one, *other] for one in rows for other in rows if all(a != b for a, b in zip(one, other, strict=True))]
    solution = assert_minimal(
        grids, singly(puzzle), lambda fact, cells: sum(cells[i] for i in runs[tuple(fact[:3])]) == fact[3]
    )
    assert solution == [puzzle["solution"][f"cell({r},{c})"] for r in (2, 3) for c in (2, 3, 4)]
