"""Checkers of answers to records of FORMAT, which share no code with the solver.

An answer maps the names of puzzle variables to values; every checker has the name of its family.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Grid = list[list[Any]]


def rows_of(answer: Answer, rows: int, cols: int, family: str = "cell") -> Grid:
    """Return the values of a family as rows."""
    return [[answer.get(f"{family}({r},{c})") for c in range(1, cols + 1)] for r in range(1, rows + 1)]


def different(values: Iterable[Any]) -> bool:
    """Return whether all values differ."""
    listed = list(values)
    return len(listed) == len(set(listed))


def keeps(grid: Grid, givens: Grid | None, blank: Any = 0) -> bool:
    """Return whether a grid keeps its givens."""
    return all(
        given == blank or given == grid[r][c] for r, row in enumerate(givens or []) for c, given in enumerate(row)
    )


def is_latin(grid: Grid, values: Iterable[int]) -> bool:
    """Return whether every row and column has each value once."""
    expected = sorted(values)
    return all(sorted(line) == expected for line in [*grid, *zip(*grid, strict=True)])


def diagonals(grid: Grid) -> list[list[Any]]:
    n = len(grid)
    return [[grid[i][i] for i in range(n)], [grid[i][n - 1 - i] for i in range(n)]]


def boxes(grid: Grid, rows: int, cols: int) -> Iterator[list[Any]]:
    for top, left in product(range(0, len(grid), rows), range(0, len(grid), cols)):
        yield [grid[top + r][left + c] for r in range(rows) for c in range(cols)]


def touching(rows: int, cols: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the pairs of cells that touch, diagonally too."""
    for r, c, (i, j) in product(range(rows), range(cols), ((0, 1), (1, -1), (1, 0), (1, 1))):
        if r + i < rows and 0 <= c + j < cols:
            yield r, c, r + i, c + j


def latin(record: Record, answer: Answer) -> bool:
    n = record["n"]
    grid = rows_of(answer, n, n)
    diagonal = all(map(different, diagonals(grid))) if record.get("diagonals") else True
    return is_latin(grid, range(1, n + 1)) and keeps(grid, record.get("grid")) and diagonal


def sudoku(record: Record, answer: Answer) -> bool:
    n = record["n"]
    return latin(record, answer) and all(map(different, boxes(rows_of(answer, n, n), *record["box"])))


def sudoku_x(record: Record, answer: Answer) -> bool:
    return sudoku({**record, "diagonals": True}, answer)


def windoku(record: Record, answer: Answer) -> bool:
    grid = rows_of(answer, 9, 9)
    windows = ([grid[top + r][left + c] for r in range(3) for c in range(3)] for top in (1, 5) for left in (1, 5))
    return sudoku(record, answer) and all(map(different, windows))


def jigsaw(record: Record, answer: Answer) -> bool:
    n, grid = record["n"], rows_of(answer, record["n"], record["n"])
    regions: dict[int, list[int]] = {}
    for r, c in product(range(n), range(n)):
        regions.setdefault(record["regions"][r][c], []).append(grid[r][c])
    return latin(record, answer) and all(map(different, regions.values()))


def evenodd(record: Record, answer: Answer) -> bool:
    grid = rows_of(answer, record["n"], record["n"])
    odd = {"E": 0, "O": 1}
    return sudoku(record, answer) and all(
        token not in odd or grid[r][c] % 2 == odd[token]
        for r, row in enumerate(record["parity"])
        for c, token in enumerate(row)
    )


def multi_sudoku(record: Record, answer: Answer) -> bool:
    grid = rows_of(answer, record["rows"], record["cols"])
    for top, left in record["grids"]:
        square = [row[left : left + 9] for row in grid[top : top + 9]]
        if not is_latin(square, range(1, 10)) or not all(map(different, boxes(square, 3, 3))):
            return False
    extra = all(different(grid[r][c] for r, c in group) for group in record.get("extra", []))
    cells = zip(record["grid"], grid, strict=True)
    return extra and all(
        (value is None) == (token == " ") and token in (" ", ".", str(value))
        for tokens, values in cells
        for token, value in zip(tokens, values, strict=True)
    )


def killer(record: Record, answer: Answer) -> bool:
    n, grid = record["n"], rows_of(answer, record["n"], record["n"])
    for cage in record["cages"]:
        values = [grid[r][c] for r, c in cage["cells"]]
        if not different(values) or cage["sum"] not in (None, sum(values)):
            return False
    return latin(record, answer) and all(map(different, boxes(rows_of(answer, n, n), *record["box"])))


def results(operation: str, values: Sequence[int]) -> set[Any]:
    """Return the possible results of an operation on some values.

    The largest value comes first in a subtraction or a division.
    """
    first, *rest = sorted(values, reverse=True)
    result_of = {
        "+": sum(values),
        "=": sum(values),
        "*": prod(values),
        "-": first - sum(rest),
        "/": first / prod(rest),
    }
    return set(result_of.values()) if operation == "?" else {result_of[operation]}


def kenken(record: Record, answer: Answer) -> bool:
    grid = rows_of(answer, record["n"], record["n"])
    return latin(record, answer) and all(
        cage["target"] in results(cage["op"], [grid[r][c] for r, c in cage["cells"]]) for cage in record["cages"]
    )


def futoshiki(record: Record, answer: Answer) -> bool:
    n, grid = record["n"], rows_of(answer, record["n"], record["n"])
    for (r, c), (p, q) in record.get("less", []):
        if not grid[r][c] < grid[p][q]:
            return False
    if "adjacent" in record:
        marked_pairs = {frozenset(map(tuple, pair)) for pair in record["adjacent"]}
        for r, c, p, q in touching(n, n):
            if (r == p or c == q) and (abs(grid[r][c] - grid[p][q]) == 1) != (
                frozenset({(r, c), (p, q)}) in marked_pairs
            ):
                return False
    return latin(record, answer)


def count_visible(heights: Iterable[int]) -> int:
    """Count the heights that are visible from the start of a line."""
    count = highest = 0
    for height in heights:
        if height > highest:
            count, highest = count + 1, height
    return count


def skyscrapers(record: Record, answer: Answer) -> bool:
    n, zero = record["n"], bool(record.get("zero"))
    grid = rows_of(answer, n, n)
    columns = [list(column) for column in zip(*grid, strict=True)]
    for clues, lines, step in (
        ("left", grid, 1), ("right", grid, -1), ("top", columns, 1), ("bottom", columns, -1),
    ):  # fmt: skip
        if any(clue and clue != count_visible(line[::step]) for clue, line in zip(record[clues], lines, strict=True)):
            return False
    diagonal = all(map(different, diagonals(grid))) if record.get("diagonals") else True
    givens = [[None if v in (None, 0 if not zero else None) else v for v in row] for row in record.get("grid") or []]
    return is_latin(grid, range(1 - zero, n + 1 - zero)) and keeps(grid, givens, None) and diagonal


def kakuro(record: Record, answer: Answer) -> bool:
    tokens = [line.split() for line in record["grid"]]
    grid = rows_of(answer, record["rows"], record["cols"])
    if any((tokens[r][c] == ".") != (v in range(1, 10)) for r, row in enumerate(grid) for c, v in enumerate(row)):
        return False

    def holds(line: list[tuple[str, Any]], side: int) -> bool:
        """Check each run of white cells against the black cell before it."""
        total, run = "", list[int]()
        for token, value in [*line, ("#", None)]:
            if token == ".":
                run.append(value)
                continue
            if run and (not different(run) or total not in ("", str(sum(run)))):
                return False
            total, run = (token.split("\\")[side] if "\\" in token else ""), []
        return True

    rows_with_tokens = [list(zip(*pair, strict=True)) for pair in zip(tokens, grid, strict=True)]
    return all(holds(row, 1) for row in rows_with_tokens) and all(
        holds(list(line), 0) for line in zip(*rows_with_tokens, strict=True)
    )


def tenner(record: Record, answer: Answer) -> bool:
    rows = record["rows"]
    grid = rows_of(answer, rows, 10)
    return (
        all(sorted(row) == list(range(10)) for row in grid)
        and [sum(column) for column in zip(*grid, strict=True)] == record["colsums"]
        and all(grid[r][c] != grid[p][q] for r, c, p, q in touching(rows, 10))
        and keeps(grid, record["grid"], None)
    )


def graeco_latin(record: Record, answer: Answer) -> bool:
    n = record["n"]
    first, second = rows_of(answer, n, n, "latin"), rows_of(answer, n, n, "greek")
    pairs = [[*zip(a, b, strict=True)] for a, b in zip(first, second, strict=True)]
    return (
        is_latin(first, range(1, n + 1))
        and is_latin(second, range(1, n + 1))
        and different(pair for row in pairs for pair in row)
        and all(
            given in (0, pairs[r][c][i])
            for r, row in enumerate(record["grid"])
            for c, pair in enumerate(row)
            for i, given in enumerate(pair)
        )
    )


def suguru(record: Record, answer: Answer) -> bool:
    rows, cols = record["rows"], record["cols"]
    grid = rows_of(answer, rows, cols)
    regions: dict[int, list[int]] = {}
    for r, c in product(range(rows), range(cols)):
        regions.setdefault(record["regions"][r][c], []).append(grid[r][c])
    return (
        all(sorted(region) == list(range(1, len(region) + 1)) for region in regions.values())
        and all(grid[r][c] != grid[p][q] for r, c, p, q in touching(rows, cols))
        and keeps(grid, record["grid"])
    )


def magic_square(record: Record, answer: Answer) -> bool:
    n = record["n"]
    grid = rows_of(answer, n, n)
    lines = [*grid, *zip(*grid, strict=True), *diagonals(grid)]
    has_all_numbers = sorted(value for row in grid for value in row) == list(range(1, n * n + 1))
    return has_all_numbers and {sum(line) for line in lines} == {n * (n * n + 1) // 2} and keeps(grid, record["grid"])


def blocked_queens(record: Record, answer: Answer) -> bool:
    n = record["n"]
    columns = [answer[f"queen({r})"] - 1 for r in range(1, n + 1)]
    return (
        sorted(columns) == list(range(n))
        and different(r + c for r, c in enumerate(columns))
        and different(r - c for r, c in enumerate(columns))
        and not {*enumerate(columns)} & {(r, c) for r, c in record["blocked"]}
    )


def alphametic(record: Record, answer: Answer) -> bool:
    base = record["base"]
    words = re.findall("[a-z]+", record["puzzle"].lower())
    digit = {letter: answer[f"digit({letter})"] for word in words for letter in word}
    *terms, total = (sum(digit[letter] * base**i for i, letter in enumerate(reversed(word))) for word in words)
    leading = all(len(word) == 1 or digit[word[0]] for word in words)
    return different(digit.values()) and max(digit.values()) < base and leading and sum(terms) == total


CHECKERS: dict[str, Callable[[Record, Answer], bool]] = {
    check.__name__: check
    for check in (
        latin, sudoku, sudoku_x, windoku, jigsaw, evenodd, multi_sudoku, killer, kenken, futoshiki, skyscrapers,
        kakuro, tenner, graeco_latin, suguru, magic_square, blocked_queens, alphametic,
    )
}  # fmt: skip


def solution_of(record: Record) -> Answer | None:
    """Return the solution of a record as an answer, or ``None``."""
    solution = record.get("solution")
    if not solution:
        return None
    match record["family"]:
        case "blocked_queens":
            return {f"queen({r})": c + 1 for r, c in enumerate(solution, 1)}
        case "alphametic":
            return {f"digit({letter.lower()})": value for letter, value in solution.items()}
        case "graeco_latin":
            cells = [(r, c, pair) for r, row in enumerate(solution, 1) for c, pair in enumerate(row, 1)]
            return {f"{name}({r},{c})": pair[i] for i, name in enumerate(("latin", "greek")) for r, c, pair in cells}
    return {
        f"cell({r},{c})": int(value)
        for r, row in enumerate(solution, 1)
        for c, value in enumerate(row, 1)
        if value not in (" ", "#")
    }
