"""The articles' other ways: exact counts, agreement with each other, and the command that shows them side by side.

``PUZZLES=300`` in the environment compares them on that many seeded puzzles.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

import dsl
from csp import LEVELS, Affine, AllDifferent, Constraint, Equality, Linear, Model, Solver, Strategy, Variable, solve
from csp.methods import METHODS, Result, attempt
from csp.methods.links import Links

from .conftest import ROOT
from .oracle import every_solution, grid_of, is_sudoku
from .test_cli import run

PUZZLES = int(os.environ.get("PUZZLES", "60"))

SPEC = ROOT / "examples" / "sudoku.csp"
ARTICLE = (ROOT / "docs" / "data" / "nine.txt").read_text(encoding="utf-8").split()[-1]
PLACES = (
    "0:3 4:1 12:5 14:6 15:9 16:8 20:9 25:1 26:5 28:9 29:4 30:3 31:6 32:7 34:5 35:2 37:1 38:7 40:9 41:5 42:3 43:4 44:8 "
    "46:2 47:3 51:6 54:4 56:6 58:5 59:2 63:9 66:1 68:3 71:4 74:5 78:8"
)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
COUNTING = [(name, level) for name in METHODS if name not in ("human", "annealing") for level in METHODS[name].levels]


def nine(puzzle: str) -> Model:
    return dsl.load(SPEC, grids={"clue": puzzle})


def logged(model: Model, method: str) -> tuple[Result, list[str]]:
    log: list[str] = []
    return attempt(model, method, tell=log.append), log


def latin(n: int, givens: dict[tuple[int, int], int], more: Sequence[Sequence[tuple[int, int]]] = ()) -> Model:
    """A Latin square with more groups of cells."""
    cell = {(r, c): Variable("cell", r, c) for r in range(1, n + 1) for c in range(1, n + 1)}
    lines = [[(r, c) for c in range(1, n + 1)] for r in range(1, n + 1)]
    groups = [*lines, *(list(line) for line in zip(*lines, strict=True)), *more]
    constraints: list[Constraint] = [AllDifferent.of([cell[place] for place in group]) for group in groups]
    return Model(
        {variable: range(1, n + 1) for variable in cell.values()},
        [*constraints, *(Equality(cell[place], value) for place, value in givens.items())],
    )


def boxes(rows: int, cols: int) -> list[list[tuple[int, int]]]:
    n = rows * cols
    tops = product(range(1, n + 1, rows), range(1, n + 1, cols))
    return [[(top + r, left + c) for r in range(rows) for c in range(cols)] for top, left in tops]


# The first method


def test_the_article_s_9x9_takes_as_many_attempts_as_it_reports() -> None:
    places = dict(pair.split(":") for pair in PLACES.split())
    assert "".join(places.get(str(i), ".") for i in range(81)) == ARTICLE
    result, log = logged(nine(ARTICLE), "backtracking")
    assert (result.attempts, result.solutions, result.complete) == (6_432_362, 1, True)
    assert log == ["2,901,611 values placed, 3,530,751 givens tried"]
    assert result.first is not None
    answer = grid_of(result.first, 9)
    givens = [[int(places.get(str(9 * r + c), 0)) for c in range(9)] for r in range(9)]
    assert is_sudoku(answer, givens, 3, 3) and answer[0] == [3, 5, 8, 4, 1, 9, 2, 7, 6]


def beginnings(model: Model) -> list[int]:
    """How many ways there are to fill in the first variables, for every number of them, so that all can be.

    A way of k variables is tried against every constraint that these k variables decide: what plain backtracking
    visits, found here level by level and from the constraints' meaning.
    """
    variables = list(model.domains)
    ways: list[dict[str, int | str]] = [{}]
    counts = [1]
    for k, variable in enumerate(variables, 1):
        known = set(variables[:k])
        pairs = [(a, b) for c in model.constraints for group in c.differing() for a, b in combinations(group, 2)]
        near = [a if b == variable else b for a, b in pairs if variable in (a, b) and {a, b} <= known]
        due = [c for c in model.constraints if variable in c.scope and set(c.scope) <= known]
        longer = [{**way, variable: value} for way in ways for value in model.domains[variable]]
        ways = [w for w in longer if all(w[variable] != w[other] for other in near) and all(c.check(w) for c in due)]
        counts.append(len(ways))
    return counts


def attempts_by_definition(model: Model) -> tuple[int, int]:
    """Values placed in open variables, and givens tried; for models in which only groups and givens are."""
    given = {c.left for c in model.constraints if isinstance(c, Equality)}
    counts = beginnings(model)
    placed = sum(counts[k + 1] for k, variable in enumerate(model.domains) if variable not in given)
    return placed, sum(counts[k] for k, variable in enumerate(model.domains) if variable in given)


def some_puzzle(rng: random.Random) -> Model:
    """A small puzzle of groups and givens: solvable or not, with one solution or many."""
    shape = rng.randrange(6)
    if shape == 5:  # groups that need not have all values, variables in no group
        names = "ABCDEF"
        groups = [AllDifferent.of(rng.sample(names, rng.randint(2, 4))) for _ in range(rng.randint(1, 4))]
        givens = [Equality(name, rng.randint(1, 3)) for name in rng.sample(names, rng.randint(0, 2))]
        return Model({name: rng.sample(range(1, 6), rng.randint(3, 4)) for name in names}, [*groups, *givens])
    n, more = 4, boxes(2, 2)
    if shape == 1:
        more = []
    elif shape == 2:
        more = [*more, [(i, i) for i in range(1, 5)], [(i, 5 - i) for i in range(1, 5)]]
    elif shape == 3:
        more = [
            [(1, 1), (1, 2), (1, 3), (2, 1)], [(1, 4), (2, 4), (3, 4), (2, 3)],
            [(2, 2), (3, 1), (3, 2), (4, 1)], [(3, 3), (4, 2), (4, 3), (4, 4)],
        ]  # fmt: skip
    elif shape == 4:
        n, more = 6, boxes(2, 3)
    solution = solve(latin(n, {(1, c): v for c, v in enumerate(rng.sample(range(1, n + 1), n), 1)}, more))
    places = list(product(range(1, n + 1), repeat=2))
    kept = rng.sample(places, rng.randint(24, 30) if n == 6 else rng.randint(2, 9))
    givens = {p: int(solution[f"cell({p[0]},{p[1]})"]) for p in kept} if solution else {}
    if givens and rng.random() < 0.3:  # most often without a solution then
        givens[rng.choice(list(givens))] = rng.randint(1, n)
    return latin(n, givens, more)


def seeded() -> Iterator[tuple[int, Model]]:
    for seed in range(PUZZLES):
        yield seed, some_puzzle(random.Random(seed))


def test_attempts_are_counted_as_the_article_does() -> None:
    for seed, model in seeded():
        result, log = logged(model, "backtracking")
        placed, tried = attempts_by_definition(model)
        assert (result.attempts, log) == (placed + tried, [f"{placed:,} values placed, {tried:,} givens tried"]), seed


# All of them


def test_methods_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.methods.annealing.COOLINGS", 1)
    seen = {"none": 0, "one": 0, "several": 0, "by hand": 0, "annealed": 0, "contradiction": 0}
    for seed, model in seeded():
        *_, expected = beginnings(model)
        seen["none" if not expected else "one" if expected == 1 else "several"] += 1
        for name, level in COUNTING:
            result = attempt(model, name, level)
            if result.note:
                assert name == "permutation" and result.note.startswith("not for this model"), (seed, result)
            else:
                assert (result.solutions, result.complete) == (expected, True), (seed, name, level)
        by_hand, annealed = attempt(model, "human"), attempt(model, "annealing")
        if by_hand.complete:
            assert by_hand.solutions == expected <= 1, seed
            seen["by hand" if expected else "contradiction"] += 1
        assert not annealed.complete and annealed.solutions <= expected, seed
        seen["annealed"] += annealed.solved
    assert min(seen.values()) >= PUZZLES // 30, seen


def test_the_solutions_are_those_of_brute_force() -> None:
    rng = random.Random(7)
    for _ in range(40):
        names = "ABCDE"
        constraints: list[Constraint] = [AllDifferent.of(rng.sample(names, rng.randint(2, 4))) for _ in range(2)]
        constraints.append(Equality("A", Variable("B"), equal=rng.random() < 0.5))
        constraints.append(Equality(rng.choice(names), rng.randint(1, 3), equal=rng.random() < 0.5))
        model = Model({name: rng.sample(range(1, 5), rng.randint(2, 4)) for name in names}, constraints)
        solutions = list(every_solution(model))
        for name, level in COUNTING:
            result = attempt(model, name, level)
            if not result.note:
                assert result.solutions == len(solutions), (model, name)
                assert result.first is None or dict(result.first) in solutions


@pytest.mark.parametrize("puzzle", ["shidoku", "jigsaw", "sudoku", "sudoku_x"])
@pytest.mark.parametrize("method", ["tracking", "norvig", "permutation", "cover", "engine"])
def test_one_solution_of_a_real_puzzle(puzzle: str, method: str) -> None:
    model = dsl.load(ROOT / "examples" / f"{puzzle}.csp")
    result = attempt(model, method)
    assert (result.solutions, result.complete, result.note) == (1, True, "")
    assert result.first == solve(model)


def test_norvig_s_examples(shared: Path) -> None:
    collection = shared / "measure" / "sudoku9"
    lines = (collection / "norvig_easy50.txt").read_text(encoding="utf-8").splitlines()
    easy, known, *_ = next(line.split() for line in lines if not line.startswith("#"))
    for name in ("tracking", "norvig", "human", "permutation", "cover", "annealing", "engine"):
        result = attempt(nine(easy), name)
        assert result.first and "".join(map(str, result.first.values())) == known, name
    for name in ("tracking", "norvig", "human", "cover", "engine"):
        assert attempt(nine(HARD), name).solutions == 1, name


def test_sixteen_by_sixteen() -> None:
    line = (ROOT / "tests" / "data" / "sgt_16x16.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(next(text for text in line if not text.startswith("#")))
    clue = "\n".join(" ".join(str(value or ".") for value in row) for row in record["grid"])
    model = dsl.load(SPEC, {"box": 4}, {"clue": clue})
    for method in ("norvig", "cover", "engine"):
        result = attempt(model, method)
        assert (result.solutions, result.complete) == (1, True) and result.first
        assert grid_of(result.first, 16) == record["solution"]
    by_hand, log = logged(model, "human")
    assert by_hand.note.startswith("gave up: ") and log[0].startswith("U152,") and not by_hand.complete


def test_a_model_without_variables_and_one_that_cannot_be() -> None:
    for name in METHODS:
        assert attempt(Model({}), name).solutions == 1, name
    one = Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB"), Equality("A", 1), Equality("A", 2)])
    for name in METHODS:
        result = attempt(one, name)
        assert not result.solved and result.complete == (name != "annealing"), name
    never = Model({"A": (1, 2)}, [Linear(Affine(), "=", Affine((), 1))])
    for name in METHODS:
        result = attempt(never, name)
        assert (result.solved, result.attempts) == (False, 0) and result.complete == (name != "annealing"), name


def test_what_is_no_group_is_checked_or_refused() -> None:
    model = dsl.load(ROOT / "examples" / "zebra.csp")
    for name in METHODS:
        result = attempt(model, name)
        if name in ("human", "cover", "annealing"):
            assert result.note.startswith("not for this model: house(english) = house(red) (line 12)")
            assert not result.solved and not result.complete
        else:
            assert (result.solutions, result.complete) == (1, True)


def test_a_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = dsl.load(ROOT / "examples" / "latin.csp", {"n": 9})
    for name, method in METHODS.items():
        for level in method.levels:
            result = attempt(empty, name, level, Strategy(seconds=0))
            assert result.note == "stopped by the limit of 0 seconds", name
            assert not result.complete
    monkeypatch.setattr("csp.methods.groups.MOST_BITS", 100)
    assert attempt(empty, "backtracking").note == "not for this model: its groups have too many values"


def test_an_answer_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "check", lambda self, values: False)
    for name in METHODS:
        with pytest.raises(RuntimeError, match="no solution"):
            attempt(latin(3, {(1, 1): 1, (1, 2): 2, (2, 1): 3}), name)


def test_unknown_methods_and_levels() -> None:
    with pytest.raises(ValueError, match="method is one of backtracking, "):
        attempt(Model({}), "magic")
    with pytest.raises(ValueError, match="cover has no level arc"):
        attempt(Model({}), "cover", "arc")


# One by one


def test_the_checks_come_before_any_search() -> None:
    cases = {
        "A and B are both given 1, in row": {"A": 1, "B": 1},
        "C has no candidate": {"A": 1, "B": 2, "D": 3},
        "C and D both have one candidate, 3, in row": {"A": 1, "B": 2},
    }
    groups = [AllDifferent.of("ABCD", label="row")]
    for message, givens in cases.items():
        model = Model({v: (1, 2, 3) for v in "ABCD"}, [*groups, *(Equality(v, i) for v, i in givens.items())])
        result, log = logged(model, "tracking")
        assert (result.attempts, result.solutions, result.complete) == (0, 0, True)
        assert f"check: {message}" in log and all(line.startswith("check: ") for line in log)
    sum_of_givens = dsl.loads('A, B in 1..3. A = 1. B = 2. "sum": A + B = 4.')
    assert logged(sum_of_givens, "tracking")[1] == ["check: sum (line 1) does not hold"]


def test_the_history() -> None:
    model = Model({"A": (1, 2), "B": (1, 3), "C": (3,)}, [AllDifferent.of("AB"), AllDifferent.of("AC")])
    assert logged(model, "tracking")[1] == [
        "check: nothing against the givens, which are 1",
        "counter  options  history",
        "      1        2  A = 1",
        "      2        1  B = 3",
        "      2           solution",
        "      2           B = 3 taken back",
        "      2           A = 1 taken back",
        "      3        1  A = 2",
        "      4        2  B = 1",
        "      4           solution",
        "      4           B = 1 taken back",
        "      5        1  B = 3",
        "      5           solution",
        "      5           B = 3 taken back",
        "      5           A = 2 taken back",
    ]
    fewest = Model({"A": (1, 2, 3), "B": (2, 3), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    assert [line[18:] for line in logged(fewest, "tracking")[1][2:5]] == ["B = 2", "A = 1", "C = 3"]
    dead, log = logged(dsl.loads("A, B, C in 1..3. all_different([A, B, C]). A + B + C = 5."), "tracking")
    assert not dead.solved and "      3           C: dead end, A + B + C = 5 (line 1) does not hold" in log


def test_the_history_can_be_followed() -> None:
    """Every assignment has its options, and what is taken back was assigned."""
    _, log = logged(
        nine("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"), "tracking"
    )
    path: list[str] = []
    dead = counter = 0
    for line in log[2:]:
        what = line[18:]
        if what.endswith(" taken back"):
            assert path.pop() == what.removesuffix(" taken back")
        elif what.endswith("dead end"):
            assert int(line[9:16]) == 0
            dead += 1
        elif what != "solution":
            counter += 1
            assert int(line[:7]) == counter and int(line[9:16]) >= 1
            path.append(what)
    assert not path and dead > 100


def test_norvig_s_grid_of_what_is_left() -> None:
    result, log = logged(nine(HARD), "norvig")
    left = Solver(nine(HARD), "singles").propagate().domains
    grid = [line.replace("|", "").split() for line in log[1:12] if "-+-" not in line]
    assert grid == [["".join(map(str, left[Variable("cell", r, c)])) for c in range(1, 10)] for r in range(1, 10)]
    assert log[0] == "the rules leave 61 variables with several values" and result.solutions == 1
    assert logged(nine(ARTICLE), "norvig")[1][0] == "the rules alone solve it"
    twice = Model({"A": (1, 2), "B": (1,), "C": (2,)}, [AllDifferent.of("ABC")])
    assert logged(twice, "norvig")[1][0] == "the rules alone prove that there is no solution"
    wide = Model({"A": ("red", "blue"), "B": ("red", "blue")}, [AllDifferent.of("AB")])
    assert logged(wide, "norvig")[1][1:3] == ["A = red blue", "B = red blue"]


@pytest.mark.parametrize(
    ("domains", "groups", "report"),
    [
        ({"A": "12", "B": "12", "C": "123"}, ["ABC"], "U3,A2,S1,U2"),  # 3 has one place, and is filled in
        ({"A": "12", "B": "2", "C": "123"}, ["ABC"], "U2,S1,S1,U0"),
        # 1 is in A or B within ABC, so it is not in D
        ({"A": "12", "B": "13", "C": "23", "D": "14"}, ["ABC", "ABD"], "U4,P1,S1,U3"),
        ({"A": "1", "B": "1", "C": "12"}, ["ABC"], "U1,contradiction: B has no candidate,U1"),
        (
            {"A": "123", "B": "123", "C": "123", "D": "1"},
            ["ABC", "ABD", "CD"],
            "U3,contradiction: ABC has no place for 1,U3",
        ),
        ({"A": "1234", "B": "1234", "C": "1234"}, ["ABC"], "U3,U3"),  # not all values have a place
    ],
)
def test_the_report_of_the_human_way(domains: dict[str, str], groups: list[str], report: str) -> None:
    constraints = [AllDifferent.of(group, label=group) for group in groups]
    model = Model({v: [*map(int, values)] for v, values in domains.items()}, constraints)
    assert logged(model, "human")[1] == [report]


def test_the_steps_of_the_parts() -> None:
    """The article's 4x4: for every block the permutations under the givens, for every band those that fit together."""
    model = dsl.load(ROOT / "examples" / "shidoku.csp")
    result, log = logged(model, "permutation")
    sizes = {line.split(":")[0]: int(line.split()[-4].replace(",", "")) for line in log[:-1]}
    blocks = {"box 1": "ABEF", "box 2": "CDGH", "box 3": "IJMN", "box 4": "KLOP"}
    given = {c.left: c.right for c in model.constraints if isinstance(c, Equality)}
    rivals = [set(c.scope) for c in model.constraints if isinstance(c, AllDifferent)]

    def fits(ways: dict[str, int]) -> bool:
        known = {**given, **ways}
        pairs = combinations(known, 2)
        return all(known[a] != known[b] for a, b in pairs if any({a, b} <= group for group in rivals))

    def ways(names: str) -> list[dict[str, int]]:
        every = (dict(zip(names, values, strict=True)) for values in permutations(range(1, 5)))
        return [way for way in every if all(way.get(v, i) == i for v, i in given.items()) and fits(way)]

    for name, block in blocks.items():
        assert sizes[f"S1 {name}"] == len(ways(block))
    for one, other in (("box 1", "box 2"), ("box 3", "box 4")):
        joined = [{**a, **b} for a in ways(blocks[one]) for b in ways(blocks[other])]
        assert sizes[f"S2 {one}, {other}"] == sum(map(fits, joined))
    assert len(sizes) == 7 and sizes["S3 all"] == 1 and log[-1] == "S4 whole solutions verified: 1"
    counts = [int(line.split(": ")[1].split()[0].replace(",", "")) for line in log[:-1]]
    assert result.attempts == sum(counts)


def test_parts_that_have_too_many_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.methods.permutation.MOST", 20)
    result = attempt(dsl.load(ROOT / "examples" / "latin.csp"), "permutation")
    assert result.note == "gave up: S1 column 1 has more than 20 solutions"


@pytest.mark.parametrize(
    ("example", "size"),
    [
        ("sudoku", "729 options, 324 items"),
        ("shidoku", "64 options, 64 items"),
        ("sudoku_x", "729 options, 342 items"),
        ("australia", "21 options, 34 items, 27 of which need not be covered"),
    ],
)
def test_the_size_of_the_cover_problem(example: str, size: str) -> None:
    assert logged(dsl.load(ROOT / "examples" / f"{example}.csp"), "cover")[1][0] == size


def test_dancing_links_begin_with_the_item_that_has_the_fewest_options() -> None:
    steps: list[int] = []
    assert list(Links(2, 2, [(0,), (0,), (1,)]).covers(lambda: steps.append(1))) == [[2, 0], [2, 1]] and len(steps) == 3


def test_dancing_links_find_every_cover_once() -> None:
    rng = random.Random(2000)
    found = 0
    for _ in range(300):
        count = rng.randint(1, 6)
        needed = rng.randint(0, count)
        options = [rng.sample(range(count), rng.randint(1, min(3, count))) for _ in range(rng.randint(0, 8))]
        tried: list[int] = []
        covers = [sorted(cover) for cover in Links(count, needed, options).covers(lambda tried=tried: tried.append(1))]
        expected = []
        for size in range(len(options) + 1):
            for chosen in combinations(range(len(options)), size):
                items = [item for number in chosen for item in options[number]]
                useful = all(any(item < needed for item in options[number]) for number in chosen)
                if useful and len(items) == len(set(items)) and set(range(needed)) <= set(items):
                    expected.append(list(chosen))
        assert sorted(covers) == sorted(expected)
        found += len(covers)
    assert found > 200


def test_annealing_is_the_same_each_time_and_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    model = dsl.load(SPEC)
    (one, log), (other, again) = logged(model, "annealing"), logged(model, "annealing")
    assert one.solved and not one.complete and (one.attempts, log) == (other.attempts, again)
    assert log[0].startswith("cost in ") and len(log) == 9 and all(line[7] == "|" for line in log[1:])
    monkeypatch.setattr("csp.methods.annealing.COOLINGS", 1)
    monkeypatch.setattr("csp.methods.annealing.COOLING", 0.9)
    none = latin(4, {(1, 1): 1, (1, 2): 2, (2, 3): 3}, boxes(2, 2))
    assert Solver(none).solve() is None
    assert attempt(none, "annealing").note.startswith("gave up: the least cost in 1 coolings was ")
    assert attempt(latin(4, {(1, 1): 1, (2, 2): 1}, boxes(2, 2)), "annealing").note == (
        f"gave up: two givens of {AllDifferent.of([f'cell({r},{c})' for r, c in boxes(2, 2)[0]])} are equal"
    )
    australia = attempt(dsl.load(ROOT / "examples" / "australia.csp"), "annealing")
    assert australia.note.startswith("not for this model: no set of its groups")
    odd = attempt(dsl.load(ROOT / "examples" / "evenodd.csp"), "annealing")
    assert odd.note == "not for this model: cell(1,3) may have some values of box 1,1 and not others"


@pytest.mark.parametrize("level", LEVELS)
def test_the_engine_counts_its_nodes(level: str) -> None:
    model = dsl.load(ROOT / "examples" / "sudoku_x.csp")
    answers = Solver(model, level).solutions()  # type: ignore[arg-type]
    assert len(list(answers)) == 1
    assert attempt(model, "engine", level).attempts == answers.effort.nodes  # type: ignore[arg-type]


# The command


def test_the_table() -> None:
    result = run("compare", ROOT / "examples" / "shidoku.csp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and lines[0].split() == [
        "method", "solved", "solutions", "attempts", "unit", "seconds",
    ]  # fmt: skip
    rows = {line.split(" yes ")[0].strip(): line.split(" yes ")[1].split() for line in lines[1:11]}
    assert [*rows] == [f"{name} {level}" if level else name for name in METHODS for level in METHODS[name].levels]
    assert rows["backtracking"][:4] == ["1", "117", "values", "tried"] and rows["annealing"][0] == "1+"
    assert "human\n  U12,S4,S8,U0\n" in result.stdout
    assert "  ... 24 more lines with --verbose\n" in result.stdout and len(lines[0]) <= 80


def test_verbose_prints_the_log() -> None:
    result = run("compare", ROOT / "examples" / "shidoku.csp", "--methods", "tracking,human", "--verbose")
    _, log = logged(dsl.load(ROOT / "examples" / "shidoku.csp"), "tracking")
    told = "".join(f"  {line}\n" for line in log)
    assert result.stdout.startswith(f"tracking\n{told}human\n  U12,S4,S8,U0\nmethod ")
    given_up = run("compare", ROOT / "examples" / "latin.csp", "--methods", "human", "--verbose")
    assert given_up.stdout.startswith("human\n  U16,U16\n  gave up: 16 variables are left\nmethod ")
    as_json = run("compare", ROOT / "examples" / "shidoku.csp", "--methods", "tracking", "--verbose", "--json")
    assert json.loads(as_json.stdout)["log"] == log


def test_compare_prints_one_json_object_a_method_and_level() -> None:
    result = run("compare", SPEC, "--grid", "clue=-", "--json", "--methods", "engine,human", stdin="55" + 79 * ".")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [(one["method"], one["level"]) for one in objects] == [
        *(("engine", level) for level in LEVELS),
        ("human", None),
    ]
    assert all(one["solved"] is False and one["solutions"] == 0 and one["complete"] for one in objects)


def test_compare_on_every_line(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("# comment\n..4..2....1..3..\nbad\n44..............\nx...............\n")
    arguments = ["compare", SPEC, "--set", "box=2", "--each", f"clue={lines}", "--methods", "cover,norvig"]
    result = run(*arguments)
    assert result.exit_code == 2
    assert f"{lines}:3: it has 3 characters, and the grid has 16 cells\n" in result.stderr
    assert f"{lines}:5: x in row 1, column 1: " in result.stderr
    summary = result.stdout.partition("all 2 puzzles:\n")[2].splitlines()
    assert [line.split()[:4] for line in summary[1:]] == [["cover", "1", "of", "2"], ["norvig", "singles", "1", "of"]]
    objects = [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]
    assert [one["line"] for one in objects] == [2, 2, 3, 4, 4, 5]
    assert [one.get("solved") for one in objects] == [True, True, None, False, False, None]


def test_compare_ends_after_its_time() -> None:
    latin_squares = ROOT / "examples" / "latin.csp"
    result = run("compare", latin_squares, "--set", "n=9", "--timeout", "0.05", "--json")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["note"] for one in objects if one["method"] not in ("human", "permutation", "annealing")] == (
        ["stopped by the limit of 0.05 seconds"] * 7
    )
    assert not any(one["complete"] for one in objects)
    human = run("compare", latin_squares, "--methods", "human")
    assert human.exit_code == 3 and "gave up: 16 variables are left" in human.stdout


def test_what_compare_cannot_do() -> None:
    result = run("compare", SPEC, "--methods", "covers")
    assert result.exit_code == 2 and "there is no method covers; did you mean cover?" in result.stderr
    result = run("compare", SPEC, "--methods", "x")
    assert result.exit_code == 2 and "there is no method x; there are backtracking, tracking, " in result.stderr
    assert run("compare", "nowhere.csp").stderr == "csp: nowhere.csp: No such file or directory\n"
    assert run("compare", SPEC, "--timeout", "nan").exit_code == 2
    assert run("compare", SPEC, "--each", "clue").exit_code == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_compare_tells_what_it_knows_when_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "dsl", "compare", "examples/latin.csp", "--set", "n=9", "--verbose"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--methods", "human,cover,engine"], stdout=pipe, stderr=pipe, text=True, cwd=ROOT
    ) as running:
        assert running.stdout
        while "under the givens" not in running.stdout.readline():
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == 130 and "Traceback" not in errors
    note, _, *rows = output.splitlines()
    assert note == "  stopped by Ctrl-C" and [row.split()[0] for row in rows] == ["human", "cover"]
    assert errors == "csp: stopped by Ctrl-C: 1 of 5 ways compared\n"


# The page


def test_the_session_on_the_page() -> None:
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"```console\n\$ csp compare examples/shidoku.csp\n(.*?)```", page, re.S)
    seconds = re.compile(r" *[0-9]+\.[0-9]{3}$", re.M)
    assert seconds.sub("", run("compare", ROOT / "examples" / "shidoku.csp").stdout) == seconds.sub("", told)


def test_the_chart_and_the_tables_are_of_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    make = importlib.import_module("make_methods")
    rows = make.measured()
    assert make.PICTURE.read_text(encoding="utf-8") == make.picture(rows), "run python docs/make_methods.py"
    assert make.PAGE.read_text(encoding="utf-8") == make.page(rows), "run python docs/make_methods.py"


def test_what_was_measured_is_what_is_tried_now() -> None:
    """The attempts on the article's 4x4, the 9x9 with a changed given and the diagonal one."""
    lines = (ROOT / "docs" / "data" / "methods.jsonl").read_text(encoding="utf-8").splitlines()
    nines = (ROOT / "docs" / "data" / "nines.txt").read_text(encoding="utf-8").splitlines()
    none, several = [line for line in nines if line[0] != "#"]
    models = {
        "the article's 4x4": dsl.load(ROOT / "examples" / "shidoku.csp"),
        "no solution": nine(none),
        "several solutions": nine(several),
        "X": dsl.load(ROOT / "examples" / "sudoku_x.csp"),
    }
    compared = 0
    for row in map(json.loads, lines):
        if row["puzzle"] in models and row["seconds"] < 0.5:
            result = attempt(models[row["puzzle"]], row["method"], row["level"])
            told = ("solved", "solutions", "complete", "attempts", "unit", "note")
            assert {key: getattr(result, key) for key in told} == {key: row[key] for key in told}
            compared += 1
    assert compared > 30
