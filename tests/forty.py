"""Forty puzzles of a new user, and independent checks of their answers.

Three of the forty puzzles are in the gallery and tested there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from math import gcd

from .conftest import ROOT

FOLDER = ROOT / "tests" / "data" / "forty"
Grid = list[list[int]]
Values = Mapping[tuple[object, ...], int]
"""The value of every variable, by its family and indices."""

BEFORE = {  # number of lines of the user's spec, without comments, pictures and facts
    "miracle": 8, "thermo": 6, "arrow": 6, "whispers": 6, "renban": 7, "little_killer": 7, "xv": 10, "kropki": 12,
    "sandwich": 7, "sandwich_few": 7, "survo": 5, "sujiko": 4, "str8ts": 10, "takuzu": 10, "knight": 7,
    "magic_hexagon": 7, "two_two_three": 4, "talktalk": 5, "fish": 4, "seating": 10, "exams": 7, "round_robin": 13,
    "assignment": 6, "salesman": 6, "golfers": 6, "steiner": 6, "orthogonal": 6, "quasigroup5": 6,
    "magic_sequence": 3, "rectangle": 6, "duijvestijn": 8, "circles": 4, "sudoku_3d": 10, "word_square": 3,
    "nonogram": 8, "dominosa": 5, "ripple": 4,
}  # fmt: skip
GALLERY = {"hitori": 16, "numbrix": 9, "knights_tour": 7}
SLOW = ("rectangle", "round_robin", "duijvestijn")
"""Puzzles that a test solves only with ``FORTY=1`` in the environment."""


def text_of(name: str) -> str:
    """Return the text of a spec."""
    return (FOLDER / f"{name}.csp").read_text(encoding="utf-8")


def picture(name: str, grid: str) -> list[list[str]]:
    """Return the tokens of a picture, row by row."""
    block = re.search(rf'^grid {grid}\(.*?\) = "\n(.*?)"', text_of(name), re.DOTALL | re.MULTILINE)
    assert block
    rows = [line.strip() for line in block[1].strip("\n").split("\n")]
    return [row.split() if " " in row else list(row) for row in rows]


def facts(name: str, relation: str) -> list[tuple[str, ...]]:
    """Return the facts of a relation as tuples of words."""
    return [
        tuple(arguments.split(", ")) for arguments in re.findall(rf"\b{relation}\(([a-z0-9, -]*)\)\.", text_of(name))
    ]


def numbers(name: str, relation: str) -> list[tuple[int, ...]]:
    """Return the facts of a relation as tuples of numbers."""
    return [tuple(map(int, words)) for words in facts(name, relation)]


# sudokus of six by six: all completions of the givens, from which the rule of the puzzle selects


def sudokus(name: str) -> Iterator[Grid]:
    """Yield all sudokus of six by six with a spec's givens."""
    given = [[int(token) if token != "." else 0 for token in row] for row in picture(name, "clue")]

    def fill(grid: Grid, place: int) -> Iterator[Grid]:
        if place == 36:
            yield [row[:] for row in grid]
            return
        r, c = divmod(place, 6)
        box = [grid[r // 2 * 2 + i][c // 3 * 3 + j] for i in (0, 1) for j in (0, 1, 2)]
        used_values = {*grid[r], *[row[c] for row in grid], *box} if not given[r][c] else set()
        for value in [given[r][c]] if given[r][c] else [v for v in range(1, 7) if v not in used_values]:
            grid[r][c] = value
            yield from fill(grid, place + 1)
            grid[r][c] = given[r][c]

    for grid in fill([row[:] for row in given], 0):
        if all(len({*line}) == 6 for line in [*grid, *zip(*grid, strict=True)]):
            yield grid


def lines(name: str, grid: str) -> list[list[tuple[int, int]]]:
    """Return the cells of every line of a picture.

    A token numbers a cell: the tens are the line, the units the place in it.
    """
    tokens = {int(t): (r, c) for r, row in enumerate(picture(name, grid)) for c, t in enumerate(row) if t != "."}
    tens = sorted({token // 10 for token in tokens})
    return [[tokens[token] for token in sorted(tokens) if token // 10 == ten] for ten in tens]


def check_lines(name: str, grid: str, test: Callable[[list[int]], bool]) -> Callable[[Grid], bool]:
    """Return a check of a condition along every line of a picture."""
    return lambda cells: all(test([cells[r][c] for r, c in line]) for line in lines(name, grid))


def renban(cells: Grid) -> bool:
    """Return whether every region has consecutive values."""
    regions: dict[str, list[int]] = {}
    for r, row in enumerate(picture("renban", "line")):
        for c, token in enumerate(row):
            regions.setdefault(token, []).append(cells[r][c])
    regions.pop(".")
    return all(sorted(values) == [*range(min(values), min(values) + len(values))] for values in regions.values())


def little_killer(cells: Grid) -> bool:
    """Return whether every diagonal has its total."""
    for r, c, down, right, total in numbers("little_killer", "total"):
        steps = [(r - 1 + k * down, c - 1 + k * right) for k in range(6)]
        if sum(cells[i][j] for i, j in steps if 0 <= i < 6 and 0 <= j < 6) != total:
            return False
    return True


def check_signs(name: str, sign: Callable[[int, int], str]) -> Callable[[Grid], bool]:
    """Return a check of the signs between neighbours.

    A pair must have exactly the sign of the picture.
    """
    right, below = picture(name, "right"), picture(name, "below")

    def holds(cells: Grid) -> bool:
        across = all(sign(cells[r][c], cells[r][c + 1]) == right[r][c] for r in range(6) for c in range(5))
        return across and all(sign(cells[r][c], cells[r + 1][c]) == below[r][c] for r in range(5) for c in range(6))

    return holds


def dot(first: int, second: int) -> str:
    """Return the kropki sign of two values.

    The pair of 1 and 2 could have either; the pictures show white.
    """
    if {first, second} == {1, 2}:
        return "w"
    return "b" if 2 * first == second or 2 * second == first else "w" if abs(first - second) == 1 else "."


def roman(first: int, second: int) -> str:
    """Return the sign of the sum of two values."""
    return {10: "X", 5: "V"}.get(first + second, ".")


def between(line: Sequence[int]) -> int:
    """Return the sum between 1 and 6 of a line."""
    low, high = sorted((line.index(1), line.index(6)))
    return sum(line[low + 1 : high])


def sandwich(name: str) -> Callable[[Grid], bool]:
    """Return a check of the sums between 1 and 6."""
    across, down = dict(numbers(name, "across")), dict(numbers(name, "down"))  # type: ignore[arg-type]

    def holds(cells: Grid) -> bool:
        columns = [*zip(*cells, strict=True)]
        return all(between(row) == across[i] for i, row in enumerate(cells, 1)) and all(
            between(column) == down[i] for i, column in enumerate(columns, 1)
        )

    return holds


SUDOKUS: dict[str, Callable[[Grid], bool]] = {
    "thermo": check_lines("thermo", "thermo", lambda line: all(a < b for a, b in pairwise(line))),
    "arrow": check_lines("arrow", "arrow", lambda line: line[0] == sum(line[1:])),
    "whispers": check_lines("whispers", "line", lambda line: all(abs(a - b) >= 3 for a, b in pairwise(line))),
    "renban": renban,
    "little_killer": little_killer,
    "xv": check_signs("xv", roman),
    "kropki": check_signs("kropki", dot),
    "sandwich": sandwich("sandwich"),
    "sandwich_few": sandwich("sandwich_few"),
}


# checks of answers, and numbers of answers


def square(values: Values, family: str = "cell") -> dict[tuple[int, int], int]:
    """Return the values of a family with two indices."""
    return {(int(r), int(c)): v for (name, *at), v in values.items() if name == family for r, c in [at]}  # type: ignore[call-overload]


def series(values: Values, family: str) -> dict[int, int]:
    """Return the values of a family with one index."""
    return {int(at): v for (name, *rest), v in values.items() if name == family for at in rest[:1]}  # type: ignore[call-overload]


def miracle(values: Values) -> bool:
    """Return whether an answer keeps all rules of the miracle sudoku."""
    cells = square(values)
    is_valid = cells[5, 3] == 1 and cells[6, 7] == 2
    for (r, c), (s, d) in combinations(cells, 2):
        down, right = abs(r - s), abs(c - d)
        same_box = (r - 1) // 3 == (s - 1) // 3 and (c - 1) // 3 == (d - 1) // 3
        moves = (down, right) in ((1, 1), (1, 2), (2, 1))
        is_valid &= not (0 in (down, right) or same_box or moves) or cells[r, c] != cells[s, d]
        is_valid &= down + right != 1 or abs(cells[r, c] - cells[s, d]) != 1
    return is_valid


def survo(values: Values) -> bool:
    """Return whether the numbers 1 to 12 have the given sums."""
    cells = square(values)
    rows = [sum(cells[r, c] for c in range(1, 5)) for r in (1, 2, 3)]
    columns = [sum(cells[r, c] for r in (1, 2, 3)) for c in range(1, 5)]
    keeps_givens = cells[1, 2] == 6 and cells[2, 1] == 8 and cells[3, 3] == 3
    return (
        keeps_givens
        and sorted(cells.values()) == [*range(1, 13)]
        and [rows, columns] == [[30, 18, 30], [27, 16, 10, 25]]
    )


def count_sujikos() -> int:
    """Count the answers of the sujiko."""
    count = 0
    for a in permutations([2, 3, 4, 5, 6, 7, 8]):
        g = [[9, a[0], a[1]], [a[2], a[3], a[4]], [a[5], a[6], 1]]
        sums = [g[r][c] + g[r][c + 1] + g[r + 1][c] + g[r + 1][c + 1] for r in (0, 1) for c in (0, 1)]
        count += sums == [23, 20, 22, 17]
    return count


def count_takuzus() -> int:
    """Count the answers of the takuzu."""
    rows = [row for row in product((0, 1), repeat=4) if is_takuzu(row)]
    squares = (four_rows for four_rows in permutations(rows, 4))
    return sum(len({*zip(*s, strict=True)}) == 4 and all(map(is_takuzu, zip(*s, strict=True))) for s in squares)


def is_takuzu(line: Sequence[int]) -> bool:
    """Return whether a line has two ones and no three equal neighbours."""
    return sum(line) == 2 and not any(line[i] == line[i + 1] == line[i + 2] for i in (0, 1))


def str8ts(values: Values) -> bool:
    """Return whether the board keeps its givens and all runs are consecutive."""
    cells, board = square(values), picture("str8ts", "board")
    keeps_givens = all(
        cells[r + 1, c + 1] == int(t) for r, row in enumerate(board) for c, t in enumerate(row) if t.isdigit()
    )
    across = [[cells.get((r, c), 0) for c in range(1, 6)] for r in range(1, 6)]
    return keeps_givens and all(map(is_straight, [*across, *zip(*across, strict=True)]))


def is_straight(line: Sequence[int]) -> bool:
    """Return whether all values differ and every run is consecutive."""
    runs = [[*map(int, run)] for run in "".join(map(str, line)).split("0") if run]
    values = [v for v in line if v]
    return len({*values}) == len(values) and all(max(run) - min(run) == len(run) - 1 for run in runs)


def magic_hexagon(values: Values) -> bool:
    """Return whether every line of the hexagon has the sum 38."""
    cells = square(values)
    lines = [[v for (q, r), v in cells.items() if at(q, r) == k] for k in range(-2, 3) for at in AXES]
    return sorted(cells.values()) == [*range(1, 20)] and all(sum(line) == 38 for line in lines)


AXES: list[Callable[[int, int], int]] = [lambda q, r: q, lambda q, r: r, lambda q, r: q + r]


def letters(values: Values, word: str) -> int:
    """Return the number that a word stands for."""
    return int("".join(str(values[letter,]) for letter in word))


def two_two_three(values: Values) -> bool:
    """Return whether TWO * TWO = THREE holds with six different digits."""
    return letters(values, "TWO") ** 2 == letters(values, "THREE") > 9999 and len({*values.values()}) == 6


def talktalk(values: Values) -> bool:
    """Return whether EVE / DID = 0.TALKTALK... holds in lowest terms.

    The eight letters must stand for different digits.
    """
    eve, did, talk = (letters(values, word) for word in ("EVE", "DID", "TALK"))
    return eve * 9999 == did * talk and gcd(eve, did) == 1 and eve > 99 < did and len({*values.values()}) == 8


def fish(values: Values) -> bool:
    """Return whether the clues hold and the German has the fish."""
    house = {name: value for (_, name), value in values.items()}
    are_equal = all(house[a] == house[b] for a, b in facts("fish", "same"))
    are_neighbours = all(abs(house[a] - house[b]) == 1 for a, b in facts("fish", "beside"))
    return are_equal and are_neighbours and house["fish"] == house["german"] and house["green"] + 1 == house["white"]


def count_seatings() -> int:
    """Count the seatings of couples in which no couple sits together."""
    men = permutations(range(1, 10, 2))
    return sum(
        all((w - m) % 10 not in (0, 1, 9) for w, m in zip(women, seats, strict=True))
        for seats in men
        for rest in permutations(range(2, 10, 2))
        for women in [(0, *rest)]
    )


def exams(values: Values) -> bool:
    """Return whether exams that clash have different periods.

    No room has two exams in a period, and four of the exams are not in room 1.
    """
    period, room = series(values, "period"), series(values, "room")
    have_no_clash = all(period[a] != period[b] for a, b in numbers("exams", "clash"))
    return (
        have_no_clash and len({(period[e], room[e]) for e in period}) == 12 and all(room[e] > 1 for e in (2, 5, 8, 11))
    )


def round_robin(values: Values) -> bool:
    """Return whether all teams meet once, with six breaks."""
    opponent, home = square(values, "opponent"), square(values, "home")
    weeks, teams = range(1, 8), range(1, 9)
    pairs = all(
        opponent[opponent[t, w], w] == t != opponent[t, w] and home[opponent[t, w], w] != home[t, w]
        for t, w in opponent
    )
    breaks = sum(home[t, w] == home[t, w + 1] for t in teams for w in range(1, 7))
    return pairs and breaks == 6 and all(len({opponent[t, w] for w in weeks}) == 7 for t in teams)


def minimum_cost() -> int:
    """Return the minimum cost of an assignment."""
    cost = [[*map(int, row)] for row in picture("assignment", "cost")]
    return min(sum(row[t] for row, t in zip(cost, tasks, strict=True)) for tasks in permutations(range(8)))


def minimum_length() -> int:
    """Return the minimum length of a round trip."""
    distance = [[*map(int, row)] for row in picture("salesman", "way")]
    return min(sum(distance[a][b] for a, b in pairwise([0, *trip, 0])) for trip in permutations(range(1, 6)))


def rectangle(values: Values) -> bool:
    """Return whether the squares cover the rectangle exactly."""
    x, y = series(values, "x"), series(values, "y")
    sides = dict(numbers("rectangle", "square"))  # type: ignore[arg-type]
    covered = [(x[i] + a, y[i] + b) for i, s in sides.items() for a in range(s) for b in range(s)]
    return sorted(covered) == [*product(range(33), range(32))]


def count_circles() -> int:
    """Count the numberings in which joined circles are not consecutive."""
    edges = [(ord(a) - 97, ord(b) - 97) for a, b in facts("circles", "join")]
    return sum(all(abs(p[a] - p[b]) > 1 for a, b in edges) for p in permutations(range(8)))


def cube(values: Values) -> bool:
    """Return whether every layer is a sudoku of four by four."""
    cells = {tuple(map(int, at)): v for (_, *at), v in values.items()}  # type: ignore[call-overload]
    for axis, k in product(range(3), range(1, 5)):
        layer = {tuple(a for i, a in enumerate(at) if i != axis): v for at, v in cells.items() if at[axis] == k}
        rows = [[layer[r, c] for c in range(1, 5)] for r in range(1, 5)]
        boxes = [[layer[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (1, 3) for c in (1, 3)]
        if any(sorted(line) != [1, 2, 3, 4] for line in [*rows, *zip(*rows, strict=True), *boxes]):
            return False
    return True


def count_word_squares() -> int:
    """Count the word squares."""
    words = facts("word_square", "word")
    return sum(tuple(zip(*four, strict=True)) == four for four in product(words, repeat=4))


def runs(line: Sequence[int]) -> list[int]:
    """Return the lengths of the runs of a line."""
    return [len(run) for run in "".join(map(str, line)).split("0") if run]


def count_nonograms() -> int:
    """Count the answers of the nonogram."""
    rows, columns = (
        [[length for line, _, length in numbers("nonogram", relation) if line == i] for i in range(1, 6)]
        for relation in ("row", "column")
    )
    choices = [[line for line in product((0, 1), repeat=5) if runs(line) == row] for row in rows]
    return sum([runs(c) for c in zip(*board, strict=True)] == columns for board in product(*choices))


def dominosa(values: Values) -> bool:
    """Return whether the dominoes cover the board and all are different."""
    board = picture("dominosa", "number")
    laid = [tuple(map(int, at)) for (_, *at), v in values.items() if v]  # type: ignore[call-overload]
    covered = [square for r, c, s, d in laid for square in ((r, c), (s, d))]
    shown = {tuple(sorted((board[r - 1][c - 1], board[s - 1][d - 1]))) for r, c, s, d in laid}
    return sorted(covered) == [*product(range(1, 5), range(1, 6))] and len(shown) == len(laid) == 10


def ripple(values: Values) -> bool:
    """Return whether regions are consecutive and equal values are apart."""
    cells, region = square(values), picture("ripple", "region")
    values_of: dict[str, list[int]] = {}
    for (r, c), v in cells.items():
        values_of.setdefault(region[r - 1][c - 1], []).append(v)
    is_repeated = any(
        cells.get((r + a * k, c + b * k)) == v
        for (r, c), v in cells.items()
        for k in range(1, v + 1)
        for a, b in ((0, 1), (1, 0))
    )
    keeps_givens = all(
        cells[r + 1, c + 1] == int(t)
        for r, row in enumerate(picture("ripple", "clue"))
        for c, t in enumerate(row)
        if t != "."
    )
    return (
        keeps_givens
        and not is_repeated
        and all(sorted(region_values) == [*range(1, len(region_values) + 1)] for region_values in values_of.values())
    )


RIGHT: dict[str, Callable[[Values], bool]] = {
    "miracle": miracle, "survo": survo, "str8ts": str8ts, "magic_hexagon": magic_hexagon, "rectangle": rectangle,
    "two_two_three": two_two_three, "talktalk": talktalk, "fish": fish, "exams": exams, "round_robin": round_robin,
    "sudoku_3d": cube, "dominosa": dominosa, "ripple": ripple,
}  # fmt: skip
COUNTS: dict[str, Callable[[], int]] = {
    "sujiko": count_sujikos, "takuzu": count_takuzus, "seating": count_seatings, "circles": count_circles,
    "word_square": count_word_squares,
    "nonogram": count_nonograms, "knight": lambda: 304, "golfers": lambda: 72, "steiner": lambda: 30,
    "quasigroup5": lambda: 120, "magic_sequence": lambda: 1,
}  # fmt: skip
"""Number of answers, counted here or taken from the literature: 304 tours from a corner of 5x5, 30 triple systems of
7 points, 120 labelled QG5 quasigroups of order 7. Two programs agree on the 72 of golfers."""
BEST: dict[str, Callable[[], int]] = {"assignment": minimum_cost, "salesman": minimum_length}
UNIQUE = {
    "miracle",
    "survo",
    "str8ts",
    "magic_hexagon",
    "two_two_three",
    "talktalk",
    "fish",
    "dominosa",
    "ripple",
    "rectangle",
}
