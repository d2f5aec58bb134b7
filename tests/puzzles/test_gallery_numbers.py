"""Tests that answers of number puzzles keep their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice, pairwise, product

import networkx as nx
import pytest

import csp

from ..checkers import different, is_latin
from ..plans import facts, grids, plan

Cells = dict[tuple[int, int], int]
Lines = list[list[int]]


def solve_uniquely(name: str) -> Cells:
    """Return the cells of the only answer, by row and column."""
    solutions = list(islice(csp.Solver(plan(name).model).solutions(), 2))
    assert len(solutions) == 1
    return {v.indices: value for v, value in solutions[0].items() if v.family == "cell"}  # type: ignore[misc]


def read_lines(cells: Cells) -> tuple[Lines, Lines]:
    """Return the rows and the columns, without missing squares."""
    rows = [[cells[at] for at in sorted(cells) if at[0] == r] for r in sorted({r for r, _ in cells})]
    columns = [[cells[at] for at in sorted(cells) if at[1] == c] for c in sorted({c for _, c in cells})]
    return rows, columns


def read_facts(name: str, relation: str) -> list[list[int]]:
    """Return the facts of a relation as lists of numbers."""
    return [[int(word) for word in row] for row in facts(name, relation)]


def keeps_clues(name: str, cells: Cells) -> bool:
    return all(cells[at] == value for at, value in grids(name).get("clue", {}).items())


def read_runs(cells: Cells) -> Iterable[list[int]]:
    """Yield the values of each horizontal and vertical run of squares."""
    for down, right in ((0, 1), (1, 0)):
        for r, c in cells:
            if (r - down, c - right) not in cells:
                length = next(k for k in range(99) if (r + k * down, c + k * right) not in cells)
                yield [cells[r + k * down, c + k * right] for k in range(length)]


def str8ts(cells: Cells) -> bool:
    black = grids("str8ts")["black"]
    numbers = cells | {at: int(value) for at, value in black.items() if value != "#"}
    return (
        all(map(different, (line for lines in read_lines(numbers) for line in lines)))
        and all(different(run) and max(run) - min(run) == len(run) - 1 for run in read_runs(cells))
        and len(cells) + len(black) == 36
    )


def survo(cells: Cells) -> bool:
    rows, columns = read_lines(cells)
    sums = [[i, sum(line)] for i, line in enumerate(rows, 1)], [[i, sum(line)] for i, line in enumerate(columns, 1)]
    return sorted(cells.values()) == [*range(1, 13)] and sums == (
        read_facts("survo", "across"),
        read_facts("survo", "down"),
    )


def binairo(cells: Cells) -> bool:
    return all(
        different(map(tuple, lines))
        and all(sorted(line) == [0] * 4 + [1] * 4 for line in lines)
        and all(len({*line[i : i + 3]}) == 2 for line in lines for i in range(6))
        for lines in read_lines(cells)
    )


def hidoku(cells: Cells) -> bool:
    path = sorted(cells, key=cells.__getitem__)
    steps = ({abs(r - s), abs(c - d)} for (r, c), (s, d) in pairwise(path))
    return sorted(cells.values()) == [*range(1, 26)] and all(step <= {0, 1} for step in steps)


def doppelblock(cells: Cells) -> bool:
    for lines, relation in zip(read_lines(cells), ("across", "down"), strict=True):
        between = [sum(line[line.index(0) : 5 - line[::-1].index(0)]) for line in lines]
        if any(sorted(line) != [0, 0, 1, 2, 3] for line in lines):
            return False
        if any(between[i - 1] != total for i, total in read_facts("doppelblock", relation)):
            return False
    return True


def mathrax(cells: Cells) -> bool:
    holds: dict[str, Callable[[int, int, int], bool]] = {
        "'+'": lambda a, b, v: a + b == v,
        "'×'": lambda a, b, v: a * b == v,
        "'−'": lambda a, b, v: abs(a - b) == v,
        "'/'": lambda a, b, v: max(a, b) == v * min(a, b),
        "even": lambda a, b, _: a % 2 == b % 2 == 0,
        "odd": lambda a, b, _: a % 2 == b % 2 == 1,
    }
    return is_latin(read_lines(cells)[0], range(1, 6)) and all(
        holds[sign](cells[r, c], cells[r + 1, c + 1], int(value))
        and holds[sign](cells[r, c + 1], cells[r + 1, c], int(value))
        for *corner, sign, value in facts("mathrax", "sign")
        for r, c in [map(int, corner)]
    )


def sujiko(cells: Cells) -> bool:
    return sorted(cells.values()) == [*range(1, 10)] and all(
        sum(cells[r + i, c + j] for i, j in product((0, 1), repeat=2)) == total
        for r, c, total in read_facts("sujiko", "circle")
    )


@pytest.mark.parametrize(
    "check", [str8ts, survo, binairo, hidoku, doppelblock, mathrax, sujiko], ids=lambda check: check.__name__
)
def test_the_only_answer_keeps_the_rules(check: Callable[[Cells], bool]) -> None:
    cells = solve_uniquely(check.__name__)
    assert check(cells) and keeps_clues(check.__name__, cells)
    cell, different_cell = next((a, b) for a in cells for b in cells if cells[a] != cells[b])
    assert not check({**cells, cell: cells[different_cell]}), "the check refuses a wrong answer"


def test_doublers_are_in_different_rows_columns_and_boxes() -> None:
    [answer] = islice(csp.Solver(plan("doublers").model).solutions(), 2)
    squares = list(product(range(1, 7), repeat=2))
    cells = {at: int(answer["cell", *at]) for at in squares}
    doubled = [at for at in squares if answer["doubler", *at]]
    assert is_latin(read_lines(cells)[0], range(1, 7)) and sorted(cells[at] for at in doubled) == [*range(1, 7)]
    box = {at: ((at[0] - 1) // 2, (at[1] - 1) // 3) for at in squares}
    assert all(different((box[at], cells[at]) for at in squares if box[at] == number) for number in box.values())
    assert all(map(different, ([r for r, _ in doubled], [c for _, c in doubled], [box[at] for at in doubled])))
    cage_values: dict[str, list[int]] = {}
    for at, cage in grids("doublers")["cage"].items():
        cage_values.setdefault(cage, []).append(cells[at] * (1 + (at in doubled)))
    assert {cage: str(sum(values)) for cage, values in cage_values.items()} == dict(
        map(tuple, facts("doublers", "total"))
    )


def test_schroedinger_cells_have_two_numbers_once_in_each_group() -> None:
    [answer] = islice(csp.Solver(plan("schroedinger").model).solutions(), 2)
    squares = list(product(range(1, 7), repeat=2))
    cells = {at: [v for v in (answer["cell", *at], answer["second", *at]) if int(v) >= 0] for at in squares}
    for group in (lambda r, c: r, lambda r, c: c, lambda r, c: ((r - 1) // 2, (c - 1) // 3)):
        for number in {group(*at) for at in squares}:
            members = [cells[at] for at in squares if group(*at) == number]
            assert sorted(chain(*members)) == [*range(7)] and sorted(map(len, members)) == [1, 1, 1, 1, 1, 2]
    cage_values: dict[str, list[int]] = {}
    for at, cage in grids("schroedinger")["cage"].items():
        cage_values.setdefault(cage, []).extend(map(int, cells[at]))
    assert all(map(different, cage_values.values()))
    assert {cage: str(sum(values)) for cage, values in cage_values.items()} == dict(
        map(tuple, facts("schroedinger", "total"))
    )
    assert all([value] == cells[at] for at, value in grids("schroedinger")["clue"].items())


def test_found_regions_are_connected_and_have_all_values() -> None:
    [answer] = islice(csp.Solver(plan("chaos_construction").model).solutions(), 2)
    squares = list(product(range(1, 6), repeat=2))
    cells = {at: int(answer["cell", *at]) for at in squares}
    assert is_latin(read_lines(cells)[0], range(1, 6)) and keeps_clues("chaos_construction", cells)
    region = {at: answer["region", *at] for at in squares}
    board = nx.grid_graph((range(1, 6), range(1, 6)))
    for number in range(1, 6):
        members = [at for at in squares if region[at] == number]
        assert sorted(cells[at] for at in members) == [1, 2, 3, 4, 5] and nx.is_connected(board.subgraph(members))
    letters = grids("chaos_construction")["letter"]
    assert all((letters[a] == letters[b]) == (region[a] == region[b]) for a in letters for b in letters)
