"""The articles' other ways: exact counts, agreement with each other, and the command that shows them side by side.

``PUZZLES=300`` in the environment compares them on that many seeded puzzles.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path

import pytest

import dsl
from csp import Affine, AllDifferent, Constraint, Equality, Linear, Model, Settings, Variable, solve
from csp.methods import METHODS, Result, attempt

from .commands import HARD
from .conftest import ROOT, TIMES, Limits
from .oracle import every_solution, grid_of, is_sudoku

PUZZLES = int(os.environ.get("PUZZLES", "40"))

SPEC = ROOT / "examples" / "sudoku.csp"
ARTICLE = (ROOT / "docs" / "data" / "nine.txt").read_text(encoding="utf-8").split()[-1]
PLACES = (
    "0:3 4:1 12:5 14:6 15:9 16:8 20:9 25:1 26:5 28:9 29:4 30:3 31:6 32:7 34:5 35:2 37:1 38:7 40:9 41:5 42:3 43:4 44:8 "
    "46:2 47:3 51:6 54:4 56:6 58:5 59:2 63:9 66:1 68:3 71:4 74:5 78:8"
)
COUNTING = [(name, level) for name in METHODS if name not in ("human", "annealing") for level in METHODS[name].levels]


def nine(puzzle: str) -> Model:
    return dsl.load(SPEC, grids={"clue": puzzle})


def logged(model: Model, method: str) -> tuple[Result, list[str]]:
    log: list[str] = []
    return attempt(model, method, log=log.append), log


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


@pytest.mark.skipif(TIMES == 1, reason="six million attempts, which TIMES=2 asks for")
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


def test_methods_agree(limits: Limits) -> None:
    limits("csp.methods.annealing", MAX_COOLINGS=1)
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


def test_a_limit_is_told(limits: Limits) -> None:
    empty = dsl.load(ROOT / "examples" / "latin.csp", {"n": 9})
    for name, method in METHODS.items():
        for level in method.levels:
            result = attempt(empty, name, level, Settings(seconds=0))
            assert result.note == "stopped by the limit of 0 seconds", name
            assert not result.complete
    limits("csp.methods.groups", MAX_BITS=100)
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
