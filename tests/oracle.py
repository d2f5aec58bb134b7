"""Checks of answers and a brute-force enumeration, without code of the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import isqrt

from csp import Model, Value

Grid = Sequence[Sequence[int]]


def is_sudoku(answer: Grid, givens: Grid, rows: int, cols: int) -> bool:
    """Return whether an answer is a sudoku with the givens.

    Its boxes have ``rows`` by ``cols`` cells.
    """
    n = rows * cols
    expected = set(range(1, n + 1))
    units = [list(row) for row in answer] + [list(column) for column in zip(*answer, strict=True)]
    for top in range(0, n, rows):
        for left in range(0, n, cols):
            units.append([answer[r][c] for r in range(top, top + rows) for c in range(left, left + cols)])
    has_givens = all(not given or given == answer[r][c] for r, row in enumerate(givens) for c, given in enumerate(row))
    return has_givens and len(units) == 3 * n and all(set(unit) == expected for unit in units)


def grid_of(solution: Mapping[str, Value], n: int) -> list[list[int]]:
    """Return the values of ``cell(R,C)`` as rows."""
    return [[int(solution[f"cell({r},{c})"]) for c in range(1, n + 1)] for r in range(1, n + 1)]


def givens_of(grid: Grid) -> dict[str, Value]:
    """Return the givens of a grid in which 0 is blank."""
    return {f"cell({r},{c})": v for r, row in enumerate(grid, 1) for c, v in enumerate(row, 1) if v}


def every_solution(model: Model) -> Iterator[dict[str, Value]]:
    """Yield all solutions: check every assignment against every constraint."""
    for values in product(*model.domains.values()):
        assignment: dict[str, Value] = dict(zip(model.domains, values, strict=True))
        if all(constraint.check(assignment) for constraint in model.constraints):
            yield assignment


def every_sudoku(clues: str) -> Iterator[dict[str, Value]]:
    """Yield all solutions of a sudoku of 9x9 or 6x6.

    Boxes of 6x6 are 2x3. The search tries the values of the cell with the fewest candidates.
    """
    n = isqrt(len(clues))
    rows = {6: 2, 9: 3}[n]
    cells = [(r, c) for r in range(n) for c in range(n)]
    units = {(r, c): {(0, r), (1, c), (2, r // rows, c // 3)} for r, c in cells}
    peers = {cell: {peer for peer in cells if peer != cell and units[cell] & units[peer]} for cell in cells}
    given = {cell: int(text) for cell, text in zip(cells, clues, strict=True) if text.isdigit()}
    if any(given.get(peer) == value for cell, value in given.items() for peer in peers[cell]):
        return

    # the candidates of each empty cell
    candidates = {
        cell: set(range(1, n + 1)) - {given[peer] for peer in peers[cell] if peer in given}
        for cell in cells
        if cell not in given
    }

    def fill(
        assigned: dict[tuple[int, int], int], candidates: dict[tuple[int, int], set[int]]
    ) -> Iterator[dict[str, Value]]:
        if not candidates:
            yield {f"cell({r + 1},{c + 1})": assigned[r, c] for r, c in cells}
            return
        cell = min(candidates, key=lambda place: len(candidates[place]))
        for value in sorted(candidates[cell]):
            narrowed = {
                place: values - {value} if place in peers[cell] else values
                for place, values in candidates.items()
                if place != cell
            }
            yield from fill({**assigned, cell: value}, narrowed)

    return (yield from fill(given, candidates))
