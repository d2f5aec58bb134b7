"""What shares nothing with the solver: checkers of answers and a brute-force enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import isqrt

from csp import Model, Value

Grid = Sequence[Sequence[int]]


def is_sudoku(answer: Grid, givens: Grid, rows: int, cols: int) -> bool:
    """Whether an answer fills rows, columns and boxes of ``rows`` by ``cols`` cells and keeps the givens."""
    n = rows * cols
    every = set(range(1, n + 1))
    units = [list(row) for row in answer] + [list(column) for column in zip(*answer, strict=True)]
    for top in range(0, n, rows):
        for left in range(0, n, cols):
            units.append([answer[r][c] for r in range(top, top + rows) for c in range(left, left + cols)])
    kept = all(not given or given == answer[r][c] for r, row in enumerate(givens) for c, given in enumerate(row))
    return kept and len(units) == 3 * n and all(set(unit) == every for unit in units)


def grid_of(solution: Mapping[str, Value], n: int) -> list[list[int]]:
    """The values of ``cell(R,C)`` as rows."""
    return [[int(solution[f"cell({r},{c})"]) for c in range(1, n + 1)] for r in range(1, n + 1)]


def givens_of(grid: Grid) -> dict[str, Value]:
    """The givens of a grid in which 0 is blank."""
    return {f"cell({r},{c})": v for r, row in enumerate(grid, 1) for c, v in enumerate(row, 1) if v}


def every_solution(model: Model) -> Iterator[dict[str, Value]]:
    """All solutions, by trying every assignment against the meaning of every constraint."""
    for values in product(*model.domains.values()):
        assignment: dict[str, Value] = dict(zip(model.domains, values, strict=True))
        if all(constraint.check(assignment) for constraint in model.constraints):
            yield assignment


def every_sudoku(clues: str) -> Iterator[dict[str, Value]]:
    """All solutions of a sudoku, 9x9 or 6x6 with boxes of 2x3, by trying the values of the cell with the fewest."""
    n = isqrt(len(clues))
    rows = {6: 2, 9: 3}[n]
    cells = [(r, c) for r in range(n) for c in range(n)]
    units = {(r, c): {(0, r), (1, c), (2, r // rows, c // 3)} for r, c in cells}
    near = {cell: {other for other in cells if other != cell and units[cell] & units[other]} for cell in cells}
    given = {cell: int(text) for cell, text in zip(cells, clues, strict=True) if text.isdigit()}
    if any(given.get(other) == value for cell, value in given.items() for other in near[cell]):
        return
    left = {
        cell: set(range(1, n + 1)) - {given[other] for other in near[cell] if other in given}
        for cell in cells
        if cell not in given
    }

    def fill(done: dict[tuple[int, int], int], left: dict[tuple[int, int], set[int]]) -> Iterator[dict[str, Value]]:
        if not left:
            yield {f"cell({r + 1},{c + 1})": done[r, c] for r, c in cells}
            return
        cell = min(left, key=lambda one: len(left[one]))
        for value in sorted(left[cell]):
            rest = {one: own - {value} if one in near[cell] else own for one, own in left.items() if one != cell}
            yield from fill({**done, cell: value}, rest)

    return (yield from fill(given, left))
