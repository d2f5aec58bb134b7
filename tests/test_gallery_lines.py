"""Answers of the gallery's sudokus with lines and clues, held to their rules by code that knows no solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, pairwise, product

import pytest

import csp

from .checkers import boxes, different, is_latin
from .plans import facts, grids, plan

Cells = dict[tuple[int, int], int]
Values = list[int]


def told(name: str, relation: str) -> Iterator[list[int]]:
    return ([int(word) if word.lstrip("-").isdigit() else 0 for word in row] for row in facts(name, relation))


def lines(name: str, relation: str) -> dict[int, list[tuple[int, int]]]:
    """The places of each line, in order."""
    found: dict[int, list[tuple[int, int]]] = {}
    for line, _, r, c in sorted(told(name, relation)):
        found.setdefault(line, []).append((r, c))
    return found


def along(relation: str, holds: Callable[[Values], bool]) -> Callable[[str, Cells], bool]:
    return lambda name, cells: all(holds([cells[at] for at in line]) for line in lines(name, relation).values())


def seen_from(relation: str, number: Callable[[Values], int]) -> Callable[[str, Cells], bool]:
    """Clues at the edge, each a number that the line from there gives."""

    def check(name: str, cells: Cells) -> bool:
        for a, b, value in told(name, relation):
            line = [cells[at] for at in sorted(cells) if at[0] == a or at[1] == b]
            if number(line if 0 in (a, b) else line[::-1]) != value:
                return False
        return True

    return check


def neighbours(cells: Cells) -> Iterator[tuple[list[int], int, int]]:
    for r, c in cells:
        for s, d in ((r, c + 1), (r + 1, c)):
            if (s, d) in cells:
                yield [r, c, s, d], cells[r, c], cells[s, d]


def arrows(name: str, cells: Cells) -> bool:
    circles = {own: cells[r, c] for own, _, r, c in told(name, "circle")}
    return all(sum(cells[at] for at in line) == circles[own] for own, line in lines(name, "arrow").items())


def region_sums(name: str, cells: Cells) -> bool:
    for line in lines(name, "region_sum").values():
        sums, before = [0], None
        for r, c in line:
            if before not in (None, box := ((r - 1) // 2, (c - 1) // 3)):
                sums.append(0)
            sums[-1] += cells[r, c]
            before = box
        if len({*sums}) > 1 or len(sums) == 1:
            return False
    return True


def little_killers(name: str, cells: Cells) -> bool:
    return all(
        sum(cells.get((a + k * i, b + k * j), 0) for k in range(1, 7)) == total
        for a, b, i, j, total in told(name, "little_killer")
    )


def kropki(name: str, cells: Cells) -> bool:
    dots = {tuple(map(int, at)): colour for *at, colour, _ in facts(name, "dot")}
    for at, a, b in neighbours(cells):
        could_be = {colour for colour, fits in (("white", abs(a - b) == 1), ("black", 2 in (a / b, b / a))) if fits}
        if (dots.get(tuple(at)) not in could_be) if could_be else (tuple(at) in dots):
            return False
    return True


def xv(name: str, cells: Cells) -> bool:
    return all((a + b in (5, 10)) == ([*at, a + b] in told(name, "pair_sum")) for at, a, b in neighbours(cells))


def quadruples(name: str, cells: Cells) -> bool:
    around: dict[tuple[int, int], Counter[int]] = {}
    for r, c, _, value in told(name, "quadruple"):
        around.setdefault((r, c), Counter())[value] += 1
    return all(
        asked <= Counter(cells[r + i, c + j] for i, j in product((0, 1), repeat=2)) for (r, c), asked in around.items()
    )


def miracle(_: str, cells: Cells) -> bool:
    far = {(1, 2), (2, 1), (1, 1)}
    return all(abs(a - b) > 1 for _, a, b in neighbours(cells)) and all(
        cells[one] != cells[other] for one in cells for other in cells
        if (abs(one[0] - other[0]), abs(one[1] - other[1])) in far
    )  # fmt: skip


def sandwich(line: Values) -> int:
    first, last = sorted((line.index(1), line.index(6)))
    return sum(line[first + 1 : last])


RULES: dict[str, Callable[[str, Cells], bool]] = {
    "thermo_sudoku": along("thermometer", lambda line: all(a < b for a, b in pairwise(line))),
    "arrow_sudoku": arrows,
    "whisper_sudoku": along("whisper", lambda line: all(abs(a - b) >= 3 for a, b in pairwise(line))),
    "renban_sudoku": along("renban", lambda line: different(line) and max(line) - min(line) == len(line) - 1),
    "palindrome_sudoku": along("palindrome", lambda line: line == line[::-1]),
    "between_sudoku": along(
        "between", lambda line: all(min(line[0], line[-1]) < v < max(line[0], line[-1]) for v in line[1:-1])
    ),
    "region_sum_sudoku": region_sums,
    "zipper_sudoku": along(
        "zipper",
        lambda line: (
            len({a + b if i != len(line) - 1 - i else a for i, (a, b) in enumerate(zip(line, line[::-1], strict=True))})
            == 1
        ),
    ),
    "sandwich_sudoku": seen_from("sandwich", sandwich),
    "x_sum_sudoku": seen_from("x_sum", lambda line: sum(line[: line[0]])),
    "skyscraper_sudoku": seen_from(
        "skyscraper", lambda line: sum(all(w < v for w in line[:i]) for i, v in enumerate(line))
    ),
    "numbered_room_sudoku": seen_from("numbered_room", lambda line: line[line[0] - 1]),
    "little_killer_sudoku": little_killers,
    "kropki_sudoku": kropki,
    "xv_sudoku": xv,
    "quadruple_sudoku": quadruples,
    "miracle": miracle,
}


@pytest.mark.parametrize("name", RULES)
def test_the_answer_keeps_the_rules_and_is_the_only_one(name: str) -> None:
    found = list(islice(csp.Solver(plan(name).model).solutions(), 2))
    assert len(found) == 1
    cells: Cells = {v.indices: value for v, value in found[0].items() if v.family == "cell"}  # type: ignore[misc]
    n, box = (9, (3, 3)) if name == "miracle" else (6, (2, 3))
    rows = [[cells[r, c] for c in range(1, n + 1)] for r in range(1, n + 1)]
    assert is_latin(rows, range(1, n + 1)) and all(map(different, boxes(rows, *box)))
    assert all(cells[at] == value for at, value in grids(name)["clue"].items())
    assert RULES[name](name, cells)
    other = {at: n + 1 - value for at, value in cells.items()}
    symmetric = name in ("whisper_sudoku", "renban_sudoku", "palindrome_sudoku", "between_sudoku", "miracle")
    assert RULES[name](name, other) == symmetric, "what is wrong is seen, and what is as right upside down"
