"""Answers of the gallery's designs, orders and edges of a board, held to their rules by code that knows no solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby, islice, pairwise, permutations, product
from typing import Any

import pytest

import csp

from .checkers import different
from .plans import facts, grids
from .test_render import example


def answers(name: str, most: int = 2) -> list[csp.Solution]:
    return list(islice(csp.Solver(example(name)).solutions(), most))


def best(name: str) -> csp.Solution:
    found = csp.solve(example(name))
    assert found is not None
    return found


def family(answer: csp.Solution, name: str) -> dict[Any, Any]:
    """The values of a family by their indices, or by the one index."""
    own = {v.indices: value for v, value in answer.items() if v.family == name}
    return {at[0] if len(at) == 1 else at: value for at, value in own.items()}


def numbers(name: str, relation: str) -> list[list[int]]:
    return [[int(word) for word in row] for row in facts(name, relation)]


def rows_and_columns(cells: dict[Any, Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    sides = [sorted({at[axis] for at in cells}) for axis in (0, 1)]
    return [[cells[r, c] for c in sides[1]] for r in sides[0]], [[cells[r, c] for r in sides[0]] for c in sides[1]]


def sums_of_runs(line: list[int]) -> list[int]:
    return [
        sum(run) for is_black, run in groupby(line, key=lambda value: value == 0) if not is_black for run in [[*run]]
    ]


def test_a_nonogram() -> None:
    (answer,) = answers("nonogram")
    for lines, grid in zip(rows_and_columns(family(answer, "shaded")), ("across", "down"), strict=True):
        told = grids("nonogram")[grid]
        assert [*map(sums_of_runs, lines)] == [[told[at] for at in sorted(told) if at[0] == i] for i in range(1, 9)]


def test_japanese_sums() -> None:
    (answer,) = answers("japanese_sums")
    for lines, relation in zip(rows_and_columns(family(answer, "cell")), ("across", "down"), strict=True):
        sums = numbers("japanese_sums", relation)
        told = [[value for line, _, value in sums if line == i] for i in range(1, len(lines) + 1)]
        assert [*map(sums_of_runs, lines)] == told
        assert all(different(filter(None, line)) for line in lines)


def test_dominosa() -> None:
    (answer,) = answers("dominosa")
    halves, dots = family(answer, "cell"), grids("dominosa")["number"]
    ways = {"→": (0, 1), "←": (0, -1), "↓": (1, 0), "↑": (-1, 0)}
    other = {(r, c): (r + ways[way][0], c + ways[way][1]) for (r, c), way in halves.items()}
    assert all(other[other[at]] == at for at in other)
    lying = Counter(frozenset([at, to]) for at, to in other.items())
    found = sorted(tuple(sorted(int(dots[at]) for at in domino)) for domino in lying)
    assert found == [(a, b) for a in range(5) for b in range(a, 5)]


def test_abc_end_view() -> None:
    (answer,) = answers("abc_end_view")
    cells = family(answer, "cell")
    rows, columns = rows_and_columns(cells)
    assert all(sorted(line) == ["."] * 2 + ["a", "b", "c"] for line in rows + columns)
    for a, b, letter in facts("abc_end_view", "clue"):
        line = rows[int(a) - 1] if b in "06" else columns[int(b) - 1]
        assert next(one for one in (line if "0" in (a, b) else line[::-1]) if one != ".") == letter


def test_aquarium() -> None:
    (answer,) = answers("aquarium")
    water, tanks = family(answer, "shaded"), grids("aquarium")["tank"]
    assert all(
        water[two]
        for one, two in product(tanks, tanks)
        if tanks[one] == tanks[two] and two >= (one[0], 0) and water[one]
    )
    rows, columns = rows_and_columns(water)
    assert all(sum(rows[i - 1]) == total for i, total in numbers("aquarium", "across"))
    assert all(sum(columns[i - 1]) == total for i, total in numbers("aquarium", "down"))


def test_battleships() -> None:
    (answer,) = answers("battleships")
    sea = {at for at, value in family(answer, "shaded").items() if value}
    assert not any({(r + 1, c + 1), (r + 1, c - 1)} & sea for r, c in sea)
    ships: Counter[int] = Counter()
    for r, c in sea:
        if not {(r - 1, c), (r, c - 1)} & sea:
            down, right = (next(k for k in range(9) if (r + k * i, c + k * j) not in sea) for i, j in ((1, 0), (0, 1)))
            ships[max(down, right)] += 1
    assert ships == {length: many for length, many in numbers("battleships", "fleet")}
    for axis, relation in enumerate(("across", "down")):
        assert all(sum(at[axis] == i for at in sea) == total for i, total in numbers("battleships", relation))
    assert all((at in sea) == (sign == "#") for at, sign in grids("battleships")["clue"].items())


def test_the_magic_hexagon() -> None:
    (answer,) = answers("magic_hexagon")
    cells = family(answer, "cell")
    assert sorted(cells.values()) == [*range(1, 20)]
    for line in (lambda r, c: r, lambda r, c: c, lambda r, c: r - c):
        sums: Counter[int] = Counter()
        for at, value in cells.items():
            sums[line(*at)] += value
        assert [*sums.values()] == [38] * 5


def test_steiner_triples() -> None:
    found = answers("steiner", 100)
    assert len(found) == 30, "as many as the automorphisms of the plane of seven points leave"
    for answer in found:
        third = family(answer, "third")
        triples = {frozenset([a, b, third[a, b]]) for a, b in third if a != b}
        assert len(triples) == 7 and Counter(pair for one in triples for pair in combinations(sorted(one), 2)) == {
            pair: 1 for pair in combinations(range(1, 8), 2)
        }


def test_social_golfers() -> None:
    for answer in answers("golfers", 10):
        met: Counter[tuple[int, int]] = Counter()
        for week in range(1, 5):
            own = {p: group for (p, w), group in family(answer, "group").items() if w == week}
            assert Counter(own.values()) == {1: 3, 2: 3, 3: 3}
            met.update(pair for pair in combinations(sorted(own), 2) if own[pair[0]] == own[pair[1]])
        assert max(met.values()) == 1


def test_an_orthogonal_array() -> None:
    for answer in answers("orthogonal_array", 10):
        rows, columns = rows_and_columns(family(answer, "level"))
        assert rows == sorted(rows) and all(different(zip(*two, strict=True)) for two in combinations(columns, 2))


LAWS = {
    3: lambda q, a, b: q[q[a, b], q[b, a]] == a,
    4: lambda q, a, b: q[q[b, a], q[a, b]] == a,
    5: lambda q, a, b: q[q[q[b, a], b], b] == a,
    6: lambda q, a, b: q[q[a, b], b] == q[a, q[a, b]],
    7: lambda q, a, b: q[q[b, a], b] == q[a, q[b, a]],
}


def idempotent(n: int, cells: dict[tuple[int, int], int] | None = None) -> Iterator[dict[tuple[int, int], int]]:
    """Every idempotent Latin square, square by square."""
    cells = cells or {}
    at = next((at for at in product(range(1, n + 1), repeat=2) if at not in cells), None)
    if at is None:
        yield cells
        return
    for value in range(1, n + 1) if at[0] != at[1] else [at[0]]:
        if all(other != value for (r, c), other in cells.items() if r == at[0] or c == at[1]):
            yield from idempotent(n, {**cells, at: value})


@pytest.mark.parametrize("law", LAWS)
def test_quasigroups_keep_their_law(law: int) -> None:
    from .test_gallery import solutions

    wanted = [
        q for q in idempotent(5) if all(LAWS[law](q, a, b) for a, b in q) and all(q[a, 5] >= a - 1 for a in range(1, 6))
    ]
    found = [
        {at: answer[f"q({at[0]},{at[1]})"] for at in product(range(1, 6), repeat=2)}
        for answer in solutions("qg", law=law, n=5)
    ]
    assert sorted(map(str, found)) == sorted(map(str, wanted))


def test_a_round_robin() -> None:
    answer = best("round_robin")
    against, home = family(answer, "opponent"), family(answer, "home")
    games = [frozenset([t, other]) for (_, t), other in against.items()]
    assert Counter(games) == {frozenset(pair): 2 for pair in combinations(range(1, 7), 2)}
    assert all(home[d, t] != home[d, other] for (d, t), other in against.items())
    assert sum(home[d, t] == home[d + 1, t] for d, t in home if d < 5) == 4, "which is the least for six teams"


def test_the_least_cost() -> None:
    answer = best("assignment")
    cost, task = grids("assignment")["cost"], family(answer, "task")
    asked = {order: sum(int(cost[i, j]) for i, j in enumerate(order, 1)) for order in permutations(range(1, 7))}
    assert asked[tuple(task[p] for p in range(1, 7))] == min(asked.values())


def test_the_shortest_round_trip() -> None:
    answer = best("salesman")
    towns = {i: (r, c) for i, r, c in numbers("salesman", "town")}

    def length(order: tuple[int, ...]) -> int:
        ways = pairwise([*order, order[0]])
        return sum(abs(towns[i][0] - towns[j][0]) + abs(towns[i][1] - towns[j][1]) for i, j in ways)

    follows, trip = family(answer, "next"), [1]
    while follows[trip[-1]] != 1:
        trip.append(follows[trip[-1]])
    assert len(trip) == 7 and length(tuple(trip)) == min(length((1, *rest)) for rest in permutations(range(2, 8)))


def test_couples_at_a_table() -> None:
    found = answers("seating", 100)
    assert len(found) == 12, "of twelve round tables of four couples, of which one woman has her place"
    for answer in found:
        at = {seat: who for who, seat in family(answer, "seat").items()}
        assert all(at[i][0] != at[(i + 1) % 8][0] and at[i][1] != at[(i + 1) % 8][1] for i in range(8))


def test_a_word_square() -> None:
    (answer,) = answers("word_square")
    words = {"".join(row) for row in facts("word_square", "word")}
    for lines in rows_and_columns(family(answer, "letter")):
        assert {*map("".join, lines)} <= words


def test_squares_fill_the_rectangle() -> None:
    (answer,) = answers("squared_rectangle")
    x, y = family(answer, "x"), family(answer, "y")
    covered = Counter(
        (x[i] + a, y[i] + b)
        for i, side in numbers("squared_rectangle", "side")
        for a in range(side)
        for b in range(side)
    )
    assert covered == {at: 1 for at in product(range(33), range(32))}


def test_knights_and_knaves() -> None:
    right, names = [], ("knave", "knight")
    for ann, bob, cat, dan, eve in product((0, 1), repeat=5):
        knights = ann + bob + cat + dan + eve
        says = (not bob or not eve, knights == 2, ann == dan, not dan or bool(cat), 2 * knights > 5)
        right += (
            [[names[one] for one in (ann, bob, cat, dan, eve)]]
            if [*says] == [*map(bool, (ann, bob, cat, dan, eve))]
            else []
        )
    assert [[*answer.values()] for answer in answers("knaves")] == right and len(right) == 1


def test_exams() -> None:
    answer = best("exam_timetable")
    period, room = family(answer, "period"), family(answer, "room")
    clashes = numbers("exam_timetable", "clash")
    assert different((period[e], room[e]) for e in period) and all(period[d] != period[e] for d, e in clashes)
    assert all(room[e] != 1 for (e,) in numbers("exam_timetable", "large")) and len(period) == 8
    assert max(period.values()) == 4, "two rooms have eight exams in four periods"
