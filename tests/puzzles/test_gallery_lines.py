"""Tests that answers of sudokus with lines and clues keep their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, pairwise, product

import pytest

import csp

from ..checkers import boxes, different, is_latin
from ..plans import facts, grids, plan

Cells = dict[tuple[int, int], int]
Values = list[int]


def read_facts(name: str, relation: str) -> Iterator[list[int]]:
    """Yield the facts of a relation as numbers, 0 for other words."""
    return ([int(word) if word.lstrip("-").isdigit() else 0 for word in row] for row in facts(name, relation))


def read_lines(name: str, relation: str) -> dict[int, list[tuple[int, int]]]:
    """Return the places of each line, in order."""
    places: dict[int, list[tuple[int, int]]] = {}
    for line, _, r, c in sorted(read_facts(name, relation)):
        places.setdefault(line, []).append((r, c))
    return places


def check_along_lines(relation: str, holds: Callable[[Values], bool]) -> Callable[[str, Cells], bool]:
    return lambda name, cells: all(holds([cells[at] for at in line]) for line in read_lines(name, relation).values())


def check_from_edge(relation: str, number: Callable[[Values], int]) -> Callable[[str, Cells], bool]:
    """Return a check that compares edge clues with numbers of lines."""

    def check(name: str, cells: Cells) -> bool:
        for a, b, value in read_facts(name, relation):
            line = [cells[at] for at in sorted(cells) if at[0] == a or at[1] == b]
            if number(line if 0 in (a, b) else line[::-1]) != value:
                return False
        return True

    return check


def list_neighbour_pairs(cells: Cells) -> Iterator[tuple[list[int], int, int]]:
    """Yield the places and values of each pair of neighbours."""
    for r, c in cells:
        for s, d in ((r, c + 1), (r + 1, c)):
            if (s, d) in cells:
                yield [r, c, s, d], cells[r, c], cells[s, d]


def check_arrows(name: str, cells: Cells) -> bool:
    circles = {number: cells[r, c] for number, _, r, c in read_facts(name, "circle")}
    return all(sum(cells[at] for at in line) == circles[number] for number, line in read_lines(name, "arrow").items())


def check_region_sums(name: str, cells: Cells) -> bool:
    for line in read_lines(name, "region_sum").values():
        sums, last_box = [0], None
        for r, c in line:
            if last_box not in (None, box := ((r - 1) // 2, (c - 1) // 3)):
                sums.append(0)
            sums[-1] += cells[r, c]
            last_box = box
        if len({*sums}) > 1 or len(sums) == 1:
            return False
    return True


def check_little_killers(name: str, cells: Cells) -> bool:
    return all(
        sum(cells.get((a + k * i, b + k * j), 0) for k in range(1, 7)) == total
        for a, b, i, j, total in read_facts(name, "little_killer")
    )


def check_kropki(name: str, cells: Cells) -> bool:
    dots = {tuple(map(int, at)): colour for *at, colour, _ in facts(name, "dot")}
    for at, a, b in list_neighbour_pairs(cells):
        possible_colours = {
            colour for colour, fits in (("white", abs(a - b) == 1), ("black", 2 in (a / b, b / a))) if fits
        }
        if (dots.get(tuple(at)) not in possible_colours) if possible_colours else (tuple(at) in dots):
            return False
    return True


def check_xv(name: str, cells: Cells) -> bool:
    return all(
        (a + b in (5, 10)) == ([*at, a + b] in read_facts(name, "pair_sum")) for at, a, b in list_neighbour_pairs(cells)
    )


def check_quadruples(name: str, cells: Cells) -> bool:
    around: dict[tuple[int, int], Counter[int]] = {}
    for r, c, _, value in read_facts(name, "quadruple"):
        around.setdefault((r, c), Counter())[value] += 1
    return all(
        values <= Counter(cells[r + i, c + j] for i, j in product((0, 1), repeat=2))
        for (r, c), values in around.items()
    )


def check_miracle(_: str, cells: Cells) -> bool:
    offsets = {(1, 2), (2, 1), (1, 1)}
    return all(abs(a - b) > 1 for _, a, b in list_neighbour_pairs(cells)) and all(
        cells[a] != cells[b] for a in cells for b in cells
        if (abs(a[0] - b[0]), abs(a[1] - b[1])) in offsets
    )  # fmt: skip


def sandwich_sum(line: Values) -> int:
    """Return the sum of the values between 1 and 6."""
    first, last = sorted((line.index(1), line.index(6)))
    return sum(line[first + 1 : last])


RULES: dict[str, Callable[[str, Cells], bool]] = {
    "thermo_sudoku": check_along_lines("thermometer", lambda line: all(a < b for a, b in pairwise(line))),
    "arrow_sudoku": check_arrows,
    "whisper_sudoku": check_along_lines("whisper", lambda line: all(abs(a - b) >= 3 for a, b in pairwise(line))),
    "renban_sudoku": check_along_lines(
        "renban", lambda line: different(line) and max(line) - min(line) == len(line) - 1
    ),
    "palindrome_sudoku": check_along_lines("palindrome", lambda line: line == line[::-1]),
    "between_sudoku": check_along_lines(
        "between", lambda line: all(min(line[0], line[-1]) < v < max(line[0], line[-1]) for v in line[1:-1])
    ),
    "region_sum_sudoku": check_region_sums,
    "zipper_sudoku": check_along_lines(
        "zipper",
        lambda line: (
            len({a + b if i != len(line) - 1 - i else a for i, (a, b) in enumerate(zip(line, line[::-1], strict=True))})
            == 1
        ),
    ),
    "sandwich_sudoku": check_from_edge("sandwich", sandwich_sum),
    "x_sum_sudoku": check_from_edge("x_sum", lambda line: sum(line[: line[0]])),
    "skyscraper_sudoku": check_from_edge(
        "skyscraper", lambda line: sum(all(w < v for w in line[:i]) for i, v in enumerate(line))
    ),
    "numbered_room_sudoku": check_from_edge("numbered_room", lambda line: line[line[0] - 1]),
    "little_killer_sudoku": check_little_killers,
    "kropki_sudoku": check_kropki,
    "xv_sudoku": check_xv,
    "quadruple_sudoku": check_quadruples,
    "miracle": check_miracle,
}


@pytest.mark.parametrize("name", RULES)
def test_the_only_answer_keeps_the_rules(name: str) -> None:
    solutions = list(islice(csp.Solver(plan(name).model).solutions(), 2))
    assert len(solutions) == 1
    cells: Cells = {v.indices: value for v, value in solutions[0].items() if v.family == "cell"}  # type: ignore[misc]
    n, box = (9, (3, 3)) if name == "miracle" else (6, (2, 3))
    rows = [[cells[r, c] for c in range(1, n + 1)] for r in range(1, n + 1)]
    assert is_latin(rows, range(1, n + 1)) and all(map(different, boxes(rows, *box)))
    assert all(cells[at] == value for at, value in grids(name)["clue"].items())
    assert RULES[name](name, cells)
    inverted = {at: n + 1 - value for at, value in cells.items()}
    is_symmetric = name in ("whisper_sudoku", "renban_sudoku", "palindrome_sudoku", "between_sudoku", "miracle")
    assert RULES[name](name, inverted) == is_symmetric, (
        "the check refuses inverted values, unless the rule is symmetric"
    )
