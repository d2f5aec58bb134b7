"""Tests that answers of designs, orders and edge puzzles keep their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby, islice, pairwise, permutations, product
from typing import Any

import pytest

import csp

from ..checkers import different
from ..pictures.test_render import example
from ..plans import facts, grids


def find_answers(name: str, limit: int = 2) -> list[csp.Solution]:
    return list(islice(csp.Solver(example(name)).solutions(), limit))


def solve_optimally(name: str) -> csp.Solution:
    solution = csp.solve(example(name))
    assert solution is not None
    return solution


def read_family(answer: csp.Solution, name: str) -> dict[Any, Any]:
    """Return the values of a family by index or tuple of indices."""
    values = {v.indices: value for v, value in answer.items() if v.family == name}
    return {at[0] if len(at) == 1 else at: value for at, value in values.items()}


def read_numbers(name: str, relation: str) -> list[list[int]]:
    """Return the facts of a relation as lists of numbers."""
    return [[int(word) for word in row] for row in facts(name, relation)]


def read_lines(cells: dict[Any, Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    sides = [sorted({at[axis] for at in cells}) for axis in (0, 1)]
    return [[cells[r, c] for c in sides[1]] for r in sides[0]], [[cells[r, c] for r in sides[0]] for c in sides[1]]


def sum_runs(line: list[int]) -> list[int]:
    """Return the sums of the runs that zeros separate."""
    return [
        sum(run) for is_black, run in groupby(line, key=lambda value: value == 0) if not is_black for run in [[*run]]
    ]


def test_the_answer_of_a_nonogram_keeps_the_rules() -> None:
    (answer,) = find_answers("nonogram")
    for lines, grid in zip(read_lines(read_family(answer, "shaded")), ("across", "down"), strict=True):
        clues = grids("nonogram")[grid]
        assert [*map(sum_runs, lines)] == [[clues[at] for at in sorted(clues) if at[0] == i] for i in range(1, 9)]


def test_the_answer_of_japanese_sums_keeps_the_rules() -> None:
    (answer,) = find_answers("japanese_sums")
    for lines, relation in zip(read_lines(read_family(answer, "cell")), ("across", "down"), strict=True):
        sums = read_numbers("japanese_sums", relation)
        expected = [[value for line, _, value in sums if line == i] for i in range(1, len(lines) + 1)]
        assert [*map(sum_runs, lines)] == expected
        assert all(different(filter(None, line)) for line in lines)


def test_the_answer_of_dominosa_has_each_domino_once() -> None:
    (answer,) = find_answers("dominosa")
    halves, dots = read_family(answer, "cell"), grids("dominosa")["number"]
    ways = {"→": (0, 1), "←": (0, -1), "↓": (1, 0), "↑": (-1, 0)}
    partner = {(r, c): (r + ways[way][0], c + ways[way][1]) for (r, c), way in halves.items()}
    assert all(partner[partner[at]] == at for at in partner)
    dominoes = Counter(frozenset([at, to]) for at, to in partner.items())
    pairs = sorted(tuple(sorted(int(dots[at]) for at in domino)) for domino in dominoes)
    assert pairs == [(a, b) for a in range(5) for b in range(a, 5)]


def test_the_answer_of_abc_end_view_keeps_the_rules() -> None:
    (answer,) = find_answers("abc_end_view")
    cells = read_family(answer, "cell")
    rows, columns = read_lines(cells)
    assert all(sorted(line) == ["."] * 2 + ["a", "b", "c"] for line in rows + columns)
    for a, b, letter in facts("abc_end_view", "clue"):
        line = rows[int(a) - 1] if b in "06" else columns[int(b) - 1]
        assert next(value for value in (line if "0" in (a, b) else line[::-1]) if value != ".") == letter


def test_the_answer_of_an_aquarium_keeps_the_rules() -> None:
    (answer,) = find_answers("aquarium")
    water, tanks = read_family(answer, "shaded"), grids("aquarium")["tank"]
    assert all(
        water[lower]
        for upper, lower in product(tanks, tanks)
        if tanks[upper] == tanks[lower] and lower >= (upper[0], 0) and water[upper]
    )
    rows, columns = read_lines(water)
    assert all(sum(rows[i - 1]) == total for i, total in read_numbers("aquarium", "across"))
    assert all(sum(columns[i - 1]) == total for i, total in read_numbers("aquarium", "down"))


def test_the_answer_of_battleships_keeps_the_rules() -> None:
    (answer,) = find_answers("battleships")
    sea = {at for at, value in read_family(answer, "shaded").items() if value}
    assert not any({(r + 1, c + 1), (r + 1, c - 1)} & sea for r, c in sea)
    ships: Counter[int] = Counter()
    for r, c in sea:
        if not {(r - 1, c), (r, c - 1)} & sea:
            down, right = (next(k for k in range(9) if (r + k * i, c + k * j) not in sea) for i, j in ((1, 0), (0, 1)))
            ships[max(down, right)] += 1
    assert ships == {length: count for length, count in read_numbers("battleships", "fleet")}
    for axis, relation in enumerate(("across", "down")):
        assert all(sum(at[axis] == i for at in sea) == total for i, total in read_numbers("battleships", relation))
    assert all((at in sea) == (sign == "#") for at, sign in grids("battleships")["clue"].items())


def test_the_lines_of_the_magic_hexagon_have_equal_sums() -> None:
    (answer,) = find_answers("magic_hexagon")
    cells = read_family(answer, "cell")
    assert sorted(cells.values()) == [*range(1, 20)]
    for line in (lambda r, c: r, lambda r, c: c, lambda r, c: r - c):
        sums: Counter[int] = Counter()
        for at, value in cells.items():
            sums[line(*at)] += value
        assert [*sums.values()] == [38] * 5


def test_steiner_triples_cover_each_pair_once() -> None:
    solutions = find_answers("steiner", 100)
    assert len(solutions) == 30, "7! / 168: the plane of seven points has 168 automorphisms"
    for answer in solutions:
        third = read_family(answer, "third")
        triples = {frozenset([a, b, third[a, b]]) for a, b in third if a != b}
        assert len(triples) == 7 and Counter(
            pair for triple in triples for pair in combinations(sorted(triple), 2)
        ) == {pair: 1 for pair in combinations(range(1, 8), 2)}


def test_social_golfers_meet_at_most_once() -> None:
    for answer in find_answers("golfers", 10):
        meetings: Counter[tuple[int, int]] = Counter()
        for week in range(1, 5):
            groups = {p: group for (p, w), group in read_family(answer, "group").items() if w == week}
            assert Counter(groups.values()) == {1: 3, 2: 3, 3: 3}
            meetings.update(pair for pair in combinations(sorted(groups), 2) if groups[pair[0]] == groups[pair[1]])
        assert max(meetings.values()) == 1


def test_columns_of_an_orthogonal_array_pair_without_repetition() -> None:
    for answer in find_answers("orthogonal_array", 10):
        rows, columns = read_lines(read_family(answer, "level"))
        assert rows == sorted(rows) and all(different(zip(*pair, strict=True)) for pair in combinations(columns, 2))


LAWS = {
    3: lambda q, a, b: q[q[a, b], q[b, a]] == a,
    4: lambda q, a, b: q[q[b, a], q[a, b]] == a,
    5: lambda q, a, b: q[q[q[b, a], b], b] == a,
    6: lambda q, a, b: q[q[a, b], b] == q[a, q[a, b]],
    7: lambda q, a, b: q[q[b, a], b] == q[a, q[b, a]],
}


def generate_idempotent_squares(
    n: int, cells: dict[tuple[int, int], int] | None = None
) -> Iterator[dict[tuple[int, int], int]]:
    """Yield all idempotent Latin squares, filled square by square."""
    cells = cells or {}
    at = next((at for at in product(range(1, n + 1), repeat=2) if at not in cells), None)
    if at is None:
        yield cells
        return
    for value in range(1, n + 1) if at[0] != at[1] else [at[0]]:
        if all(cell_value != value for (r, c), cell_value in cells.items() if r == at[0] or c == at[1]):
            yield from generate_idempotent_squares(n, {**cells, at: value})


@pytest.mark.parametrize("law", LAWS)
def test_quasigroups_keep_their_law(law: int) -> None:
    from .test_gallery import solve_example

    expected = [
        q
        for q in generate_idempotent_squares(5)
        if all(LAWS[law](q, a, b) for a, b in q) and all(q[a, 5] >= a - 1 for a in range(1, 6))
    ]
    squares = [
        {at: answer[f"q({at[0]},{at[1]})"] for at in product(range(1, 6), repeat=2)}
        for answer in solve_example("qg", law=law, n=5)
    ]
    assert sorted(map(str, squares)) == sorted(map(str, expected))


def test_a_round_robin_has_every_game_and_the_fewest_breaks() -> None:
    answer = solve_optimally("round_robin")
    against, home = read_family(answer, "opponent"), read_family(answer, "home")
    games = [frozenset([t, opponent]) for (_, t), opponent in against.items()]
    assert Counter(games) == {frozenset(pair): 2 for pair in combinations(range(1, 7), 2)}
    assert all(home[d, t] != home[d, opponent] for (d, t), opponent in against.items())
    assert sum(home[d, t] == home[d + 1, t] for d, t in home if d < 5) == 4, "six teams have at least four breaks"


def test_the_optimal_assignment_has_the_least_cost() -> None:
    answer = solve_optimally("assignment")
    cost, task = grids("assignment")["cost"], read_family(answer, "task")
    costs = {order: sum(int(cost[i, j]) for i, j in enumerate(order, 1)) for order in permutations(range(1, 7))}
    assert costs[tuple(task[p] for p in range(1, 7))] == min(costs.values())


def test_the_optimal_round_trip_is_the_shortest() -> None:
    answer = solve_optimally("salesman")
    towns = {i: (r, c) for i, r, c in read_numbers("salesman", "town")}

    def length(order: tuple[int, ...]) -> int:
        ways = pairwise([*order, order[0]])
        return sum(abs(towns[i][0] - towns[j][0]) + abs(towns[i][1] - towns[j][1]) for i, j in ways)

    follows, trip = read_family(answer, "next"), [1]
    while follows[trip[-1]] != 1:
        trip.append(follows[trip[-1]])
    assert len(trip) == 7 and length(tuple(trip)) == min(length((1, *rest)) for rest in permutations(range(2, 8)))


def test_couples_alternate_and_are_separated_at_the_table() -> None:
    solutions = find_answers("seating", 100)
    assert len(solutions) == 12, "four couples have twelve round tables if the place of one woman is fixed"
    for answer in solutions:
        guests = {seat: person for person, seat in read_family(answer, "seat").items()}
        assert all(guests[i][0] != guests[(i + 1) % 8][0] and guests[i][1] != guests[(i + 1) % 8][1] for i in range(8))


def test_rows_and_columns_of_a_word_square_are_words() -> None:
    (answer,) = find_answers("word_square")
    words = {"".join(row) for row in facts("word_square", "word")}
    for lines in read_lines(read_family(answer, "letter")):
        assert {*map("".join, lines)} <= words


def test_squares_fill_the_rectangle() -> None:
    (answer,) = find_answers("squared_rectangle")
    x, y = read_family(answer, "x"), read_family(answer, "y")
    covered = Counter(
        (x[i] + a, y[i] + b)
        for i, side in read_numbers("squared_rectangle", "side")
        for a in range(side)
        for b in range(side)
    )
    assert covered == {at: 1 for at in product(range(33), range(32))}


def test_knights_tell_the_truth_and_knaves_lie() -> None:
    expected, names = [], ("knave", "knight")
    for ann, bob, cat, dan, eve in product((0, 1), repeat=5):
        knights = ann + bob + cat + dan + eve
        statements = (not bob or not eve, knights == 2, ann == dan, not dan or bool(cat), 2 * knights > 5)
        expected += (
            [[names[is_knight] for is_knight in (ann, bob, cat, dan, eve)]]
            if [*statements] == [*map(bool, (ann, bob, cat, dan, eve))]
            else []
        )
    assert [[*answer.values()] for answer in find_answers("knaves")] == expected and len(expected) == 1


def test_the_exam_timetable_is_feasible_and_shortest() -> None:
    answer = solve_optimally("exam_timetable")
    period, room = read_family(answer, "period"), read_family(answer, "room")
    clashes = read_numbers("exam_timetable", "clash")
    assert different((period[e], room[e]) for e in period) and all(period[d] != period[e] for d, e in clashes)
    assert all(room[e] != 1 for (e,) in read_numbers("exam_timetable", "large")) and len(period) == 8
    assert max(period.values()) == 4, "two rooms have eight exams in four periods"
