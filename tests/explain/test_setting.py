"""Test that generated puzzles are unique and minimal, independently of the solver."""

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

from ..conftest import ROOT
from ..squares import SUDOKU, Fact, Square, latin, puzzles, squares_with_boxes


def assert_minimal(grids: Iterable[Any], groups: Sequence[Sequence[Fact]], holds: Callable[[Fact, Any], bool]) -> Any:
    """Return the only grid that fits; check that each group is needed."""
    violations = [([any(not holds(fact, grid) for fact in group) for group in groups], grid) for grid in grids]
    (solution,) = (grid for violated, grid in violations if not any(violated))
    for i in range(len(groups)):
        assert any(violated[i] and sum(violated) == 1 for violated, _ in violations), groups[i]
    return solution


def is_given(fact: Fact, grid: Square) -> bool:
    _, r, c, value = fact
    return grid[r - 1][c - 1] == value


def single_groups(puzzle: dict[str, Any]) -> list[list[Fact]]:
    return [[fact] for fact in puzzle["clues"]]


def solution_grid(puzzle: dict[str, Any], n: int) -> Square:
    return [[puzzle["solution"][f"cell({r},{c})"] for c in range(1, n + 1)] for r in range(1, n + 1)]


def test_small_sudokus_are_minimal() -> None:
    sudokus = puzzles(SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 1, "--count", 12)
    assert len({puzzle["puzzle"] for puzzle in sudokus}) == 12
    for puzzle in sudokus:
        assert assert_minimal(squares_with_boxes(), single_groups(puzzle), is_given) == solution_grid(puzzle, 4)
        assert re.fullmatch(r"[.1-4]{16}", puzzle["puzzle"]) and puzzle["givens"] == len(puzzle["clues"])
        assert [[*map(int, row)] for row in solve_line(puzzle["puzzle"])] == solution_grid(puzzle, 4)


def solve_line(line: str) -> list[str]:
    """Return the rows of the solution of a puzzle in one line."""
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
def test_clues_are_symmetric_and_no_orbit_is_redundant(symmetry: str) -> None:
    arguments = (SUDOKU, "--set", "box=2", "--grid", "clue", "--symmetry", symmetry, "--seed", 3, "--count", 6)
    for puzzle in puzzles(*arguments):
        fact_at = {(fact[1], fact[2]): fact for fact in puzzle["clues"]}
        assert {IMAGES[symmetry](*place, 4) for place in fact_at} == set(fact_at)
        orbits = {tuple(sorted({place, IMAGES[symmetry](*place, 4)})) for place in fact_at}
        assert_minimal(squares_with_boxes(), [[fact_at[place] for place in orbit] for orbit in orbits], is_given)


def groups_of(name: str) -> tuple[int, list[list[tuple[int, int]]]]:
    """Return the size of a grid, and its rows, columns and regions."""
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


def count_solutions(n: int, groups: list[list[tuple[int, int]]], clues: list[Fact], limit: int = 2) -> int:
    """Count the solutions of a grid by Knuth's algorithm X.

    The count stops at a limit.
    """
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
        covered = []
        for column in rows[row]:
            # Remove the rows that clash with this row from their other columns.
            for clash in columns[column]:
                for crossed in rows[clash]:
                    if crossed != column:
                        columns[crossed].remove(clash)
            covered.append(columns.pop(column))
        return covered

    def deselect(row: Any, covered: list[set[Any]]) -> None:
        for column in reversed(rows[row]):
            columns[column] = covered.pop()
            for clash in columns[column]:
                for crossed in rows[clash]:
                    if crossed != column:
                        columns[crossed].add(clash)

    def solve(number: int) -> int:
        if not columns:
            return number + 1
        for row in list(columns[min(columns, key=lambda column: len(columns[column]))]):
            covered = select(row)
            number = solve(number)
            deselect(row, covered)
            if number >= limit:
                break
        return number

    for _, r, c, value in clues:
        select(((r - 1, c - 1), value))
    return solve(0)


@pytest.mark.parametrize("name", ["6x6", "sudoku_x", "jigsaw"])
def test_sudokus_with_regions_are_minimal(name: str) -> None:
    file = SUDOKU if name == "6x6" else str(ROOT / "examples" / f"{name}.csp")
    sizes = ["--set", "rows=2", "--set", "cols=3"] if name == "6x6" else []
    (puzzle,) = puzzles(file, *sizes, "--grid", "clue", "--seed", 2)
    n, groups = groups_of(name)
    clues = puzzle["clues"]
    assert count_solutions(n, groups, clues) == 1
    assert len(puzzle["puzzle"]) == n * n
    for fact in clues if name == "6x6" else clues[::6]:
        assert count_solutions(n, groups, [clue for clue in clues if clue != fact]) == 2, fact


def cage_cells(picture: str) -> dict[str, list[tuple[int, int]]]:
    cells: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(picture.split()):
        for c, name in enumerate(row):
            cells.setdefault(name, []).append((r, c))
    return cells


def write_spec(tmp_path: Path, text: str) -> str:
    path = tmp_path / "spec.csp"
    path.write_text(text, encoding="utf-8")
    return str(path)


CAGES = "aabb\naccd\neefd\ngffd\n"


def test_killer_sudokus_are_minimal(tmp_path: Path) -> None:
    spec = fill("killer", "t", {"box": 2}, {"cage": CAGES}, {"total": [(name, 0) for name in "abcdefg"]})
    cells = cage_cells(CAGES)
    grids = [
        grid
        for grid in squares_with_boxes()
        if all(len({grid[r][c] for r, c in cage}) == len(cage) for cage in cells.values())
    ]
    for puzzle in puzzles(write_spec(tmp_path, spec), "--facts", "total(_, T)", "--seed", 4, "--count", 4):
        solution = assert_minimal(
            grids, single_groups(puzzle), lambda fact, grid: sum(grid[r][c] for r, c in cells[fact[1]]) == fact[2]
        )
        assert solution == solution_grid(puzzle, 4)
        assert [fact[0] for fact in puzzle["clues"]] == ["total"] * puzzle["givens"]


def test_kenkens_with_any_operation_are_minimal(tmp_path: Path) -> None:
    spec = fill("kenken", "t", {"n": 4}, {"cage": CAGES}, {"clue": [(name, "plus", 4) for name in "abcdefg"]})
    cells = cage_cells(CAGES)

    def holds(fact: Fact, grid: Square) -> bool:
        _, cage, operation, target = fact
        values = [grid[r][c] for r, c in cells[cage]]
        largest, remainder = max(values), sum(values) - max(values)
        product = values[0]
        for value in values[1:]:
            product *= value
        results = {"plus": sum(values), "times": product, "minus": largest - remainder, "over": largest / min(values)}
        return target in results.values() if operation == "some" else results[operation] == target

    operations = set()
    for puzzle in puzzles(write_spec(tmp_path, spec), "--facts", "clue(_, Op, T)", "--seed", 5, "--count", 6):
        assert assert_minimal(latin(4), single_groups(puzzle), holds) == solution_grid(puzzle, 4)
        assert len({fact[1] for fact in puzzle["clues"]}) == puzzle["givens"]  # a cage has one clue
        operations |= {fact[2] for fact in puzzle["clues"]}
    assert len(operations) > 3


def test_futoshikis_are_minimal() -> None:
    def holds(fact: Fact, grid: Square) -> bool:
        _, r, c, token = fact
        value = grid[(r - 1) // 2][(c - 1) // 2]
        if isinstance(token, int):
            return value == token
        neighbour = grid[r // 2][c // 2]
        return value < neighbour if token in "<^" else value > neighbour

    file = ROOT / "examples" / "futoshiki.csp"
    for puzzle in puzzles(file, "--set", "n=4", "--grid", "board", "--seed", 6, "--count", 3):
        assert assert_minimal(latin(4), single_groups(puzzle), holds) == solution_grid(puzzle, 4)
        assert len(puzzle["puzzle"]) == 49


def test_kakuros_are_minimal_and_keep_their_black_cells(tmp_path: Path) -> None:
    black = "# # # #\n# . . .\n# . . .\n"
    spec = fill("kakuro", "t", {"rows": 3, "cols": 4}, {"across": black, "down": black})
    (puzzle,) = puzzles(write_spec(tmp_path, spec), "--grid", "across", "--grid", "down", "--seed", 7)
    runs = {("across", 2, 1): [0, 1, 2], ("across", 3, 1): [3, 4, 5]}
    runs |= {("down", 1, 2): [0, 3], ("down", 1, 3): [1, 4], ("down", 1, 4): [2, 5]}
    rows = list(permutations(range(1, 10), 3))
    grids = [
        [*upper, *lower] for upper in rows for lower in rows if all(a != b for a, b in zip(upper, lower, strict=True))
    ]
    solution = assert_minimal(
        grids, single_groups(puzzle), lambda fact, cells: sum(cells[i] for i in runs[tuple(fact[:3])]) == fact[3]
    )
    assert solution == [puzzle["solution"][f"cell({r},{c})"] for r in (2, 3) for c in (2, 3, 4)]
