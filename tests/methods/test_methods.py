"""The methods of web articles: exact counts, agreement with each other, and limits.

The environment variable ``PUZZLES=300`` compares them on that many random puzzles.
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

from ..commands import HARD
from ..conftest import ROOT, TIMES, Limits
from ..oracle import every_solution, grid_of, is_sudoku

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
    """Run a method and return its result and its log."""
    log: list[str] = []
    return attempt(model, method, log=log.append), log


def latin(n: int, givens: dict[tuple[int, int], int], extra_groups: Sequence[Sequence[tuple[int, int]]] = ()) -> Model:
    """Return a Latin square with additional groups of cells."""
    cell = {(r, c): Variable("cell", r, c) for r in range(1, n + 1) for c in range(1, n + 1)}
    lines = [[(r, c) for c in range(1, n + 1)] for r in range(1, n + 1)]
    groups = [*lines, *(list(line) for line in zip(*lines, strict=True)), *extra_groups]
    constraints: list[Constraint] = [AllDifferent.of([cell[place] for place in group]) for group in groups]
    return Model(
        {variable: range(1, n + 1) for variable in cell.values()},
        [*constraints, *(Equality(cell[place], value) for place, value in givens.items())],
    )


def boxes(rows: int, cols: int) -> list[list[tuple[int, int]]]:
    """Return the cells of every box, box by box."""
    n = rows * cols
    tops = product(range(1, n + 1, rows), range(1, n + 1, cols))
    return [[(top + r, left + c) for r in range(rows) for c in range(cols)] for top, left in tops]


# Backtracking.


@pytest.mark.skipif(TIMES == 1, reason="six million attempts; TIMES=2 runs them")
def test_backtracking_needs_as_many_attempts_as_the_article_reports() -> None:
    places = dict(pair.split(":") for pair in PLACES.split())
    assert "".join(places.get(str(i), ".") for i in range(81)) == ARTICLE
    result, log = logged(nine(ARTICLE), "backtracking")
    assert (result.attempts, result.solutions, result.complete) == (6_432_362, 1, True)
    assert log == ["2,901,611 values placed, 3,530,751 givens tried"]
    assert result.first is not None
    answer = grid_of(result.first, 9)
    givens = [[int(places.get(str(9 * r + c), 0)) for c in range(9)] for r in range(9)]
    assert is_sudoku(answer, givens, 3, 3) and answer[0] == [3, 5, 8, 4, 1, 9, 2, 7, 6]


def count_partial_solutions(model: Model) -> list[int]:
    """Count the consistent assignments of the first k variables, for every k.

    Each assignment satisfies every constraint on these variables: these are the nodes that plain backtracking
    visits, computed here level by level from the meaning of the constraints.
    """
    variables = list(model.domains)
    partial_solutions: list[dict[str, int | str]] = [{}]
    counts = [1]
    for k, variable in enumerate(variables, 1):
        assigned = set(variables[:k])
        pairs = [(a, b) for c in model.constraints for group in c.differing() for a, b in combinations(group, 2)]
        neighbours = [a if b == variable else b for a, b in pairs if variable in (a, b) and {a, b} <= assigned]
        decided = [c for c in model.constraints if variable in c.scope and set(c.scope) <= assigned]
        extensions = [
            {**partial, variable: value} for partial in partial_solutions for value in model.domains[variable]
        ]
        partial_solutions = [
            assignment
            for assignment in extensions
            if all(assignment[variable] != assignment[neighbour] for neighbour in neighbours)
            and all(c.check(assignment) for c in decided)
        ]
        counts.append(len(partial_solutions))
    return counts


def count_attempts_by_definition(model: Model) -> tuple[int, int]:
    """Return the values placed and the givens tried, for models of groups and givens."""
    given_variables = {c.left for c in model.constraints if isinstance(c, Equality)}
    counts = count_partial_solutions(model)
    placed = sum(counts[k + 1] for k, variable in enumerate(model.domains) if variable not in given_variables)
    return placed, sum(counts[k] for k, variable in enumerate(model.domains) if variable in given_variables)


def make_puzzle(rng: random.Random) -> Model:
    """Return a small random puzzle with no, one or several solutions."""
    shape = rng.randrange(6)
    if shape == 5:  # groups may lack values, and variables may be in no group
        names = "ABCDEF"
        groups = [AllDifferent.of(rng.sample(names, rng.randint(2, 4))) for _ in range(rng.randint(1, 4))]
        givens = [Equality(name, rng.randint(1, 3)) for name in rng.sample(names, rng.randint(0, 2))]
        return Model({name: rng.sample(range(1, 6), rng.randint(3, 4)) for name in names}, [*groups, *givens])
    n, extra_groups = 4, boxes(2, 2)
    if shape == 1:
        extra_groups = []
    elif shape == 2:
        extra_groups = [*extra_groups, [(i, i) for i in range(1, 5)], [(i, 5 - i) for i in range(1, 5)]]
    elif shape == 3:
        extra_groups = [
            [(1, 1), (1, 2), (1, 3), (2, 1)], [(1, 4), (2, 4), (3, 4), (2, 3)],
            [(2, 2), (3, 1), (3, 2), (4, 1)], [(3, 3), (4, 2), (4, 3), (4, 4)],
        ]  # fmt: skip
    elif shape == 4:
        n, extra_groups = 6, boxes(2, 3)
    solution = solve(latin(n, {(1, c): v for c, v in enumerate(rng.sample(range(1, n + 1), n), 1)}, extra_groups))
    places = list(product(range(1, n + 1), repeat=2))
    given_places = rng.sample(places, rng.randint(24, 30) if n == 6 else rng.randint(2, 9))
    givens = {p: int(solution[f"cell({p[0]},{p[1]})"]) for p in given_places} if solution else {}
    if givens and rng.random() < 0.3:  # this usually leaves no solution
        givens[rng.choice(list(givens))] = rng.randint(1, n)
    return latin(n, givens, extra_groups)


def make_puzzles() -> Iterator[tuple[int, Model]]:
    for seed in range(PUZZLES):
        yield seed, make_puzzle(random.Random(seed))


def test_attempts_are_counted_as_in_the_article() -> None:
    for seed, model in make_puzzles():
        result, log = logged(model, "backtracking")
        placed, tried = count_attempts_by_definition(model)
        assert (result.attempts, log) == (placed + tried, [f"{placed:,} values placed, {tried:,} givens tried"]), seed


# All methods.


def test_methods_agree_on_the_number_of_solutions(limits: Limits) -> None:
    limits("csp.methods.annealing", MAX_COOLINGS=1)
    outcomes = {"none": 0, "one": 0, "several": 0, "by hand": 0, "annealed": 0, "contradiction": 0}
    for seed, model in make_puzzles():
        *_, expected = count_partial_solutions(model)
        outcomes["none" if not expected else "one" if expected == 1 else "several"] += 1
        for name, level in COUNTING:
            result = attempt(model, name, level)
            if result.note:
                assert name == "permutation" and result.note.startswith("not for this model"), (seed, result)
            else:
                assert (result.solutions, result.complete) == (expected, True), (seed, name, level)
        by_hand, annealed = attempt(model, "human"), attempt(model, "annealing")
        if by_hand.complete:
            assert by_hand.solutions == expected <= 1, seed
            outcomes["by hand" if expected else "contradiction"] += 1
        assert not annealed.complete and annealed.solutions <= expected, seed
        outcomes["annealed"] += annealed.solved
    assert min(outcomes.values()) >= PUZZLES // 30, outcomes


def test_solutions_agree_with_enumeration() -> None:
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
def test_methods_find_the_solution_of_an_example(puzzle: str, method: str) -> None:
    model = dsl.load(ROOT / "examples" / f"{puzzle}.csp")
    result = attempt(model, method)
    assert (result.solutions, result.complete, result.note) == (1, True, "")
    assert result.first == solve(model)


def test_methods_solve_the_examples_of_norvig(shared: Path) -> None:
    collection = shared / "measure" / "sudoku9"
    lines = (collection / "norvig_easy50.txt").read_text(encoding="utf-8").splitlines()
    easy, solution, *_ = next(line.split() for line in lines if not line.startswith("#"))
    for name in ("tracking", "norvig", "human", "permutation", "cover", "annealing", "engine"):
        result = attempt(nine(easy), name)
        assert result.first and "".join(map(str, result.first.values())) == solution, name
    for name in ("tracking", "norvig", "human", "cover", "engine"):
        assert attempt(nine(HARD), name).solutions == 1, name


def test_methods_solve_a_sudoku_of_sixteen_rows() -> None:
    lines = (ROOT / "tests" / "data" / "sgt_16x16.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(next(text for text in lines if not text.startswith("#")))
    clue = "\n".join(" ".join(str(value or ".") for value in row) for row in record["grid"])
    model = dsl.load(SPEC, {"box": 4}, {"clue": clue})
    for method in ("norvig", "cover", "engine"):
        result = attempt(model, method)
        assert (result.solutions, result.complete) == (1, True) and result.first
        assert grid_of(result.first, 16) == record["solution"]
    by_hand, log = logged(model, "human")
    assert by_hand.note.startswith("gave up: ") and log[0].startswith("U152,") and not by_hand.complete


def test_methods_handle_empty_and_unsatisfiable_models() -> None:
    for name in METHODS:
        assert attempt(Model({}), name).solutions == 1, name
    contradiction = Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB"), Equality("A", 1), Equality("A", 2)])
    for name in METHODS:
        result = attempt(contradiction, name)
        assert not result.solved and result.complete == (name != "annealing"), name
    false_model = Model({"A": (1, 2)}, [Linear(Affine(), "=", Affine((), 1))])
    for name in METHODS:
        result = attempt(false_model, name)
        assert (result.solved, result.attempts) == (False, 0) and result.complete == (name != "annealing"), name


def test_methods_check_or_refuse_constraints_that_are_not_groups() -> None:
    model = dsl.load(ROOT / "examples" / "zebra.csp")
    for name in METHODS:
        result = attempt(model, name)
        if name in ("human", "cover", "annealing"):
            assert result.note.startswith("not for this model: house(english) = house(red) (line 13)")
            assert not result.solved and not result.complete
        else:
            assert (result.solutions, result.complete) == (1, True)


def test_a_reached_limit_is_reported(limits: Limits) -> None:
    empty = dsl.load(ROOT / "examples" / "latin.csp", {"n": 9})
    for name, method in METHODS.items():
        for level in method.levels:
            result = attempt(empty, name, level, Settings(seconds=0))
            assert result.note == "stopped by the limit of 0 seconds", name
            assert not result.complete
    limits("csp.methods.groups", MAX_BITS=100)
    assert attempt(empty, "backtracking").note == "not for this model: its groups have too many values"


def test_a_wrong_answer_of_a_method_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "check", lambda self, values: False)
    for name in METHODS:
        with pytest.raises(RuntimeError, match="no solution"):
            attempt(latin(3, {(1, 1): 1, (1, 2): 2, (2, 1): 3}), name)


def test_unknown_methods_and_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="method is one of backtracking, "):
        attempt(Model({}), "magic")
    with pytest.raises(ValueError, match="cover has no level arc"):
        attempt(Model({}), "cover", "arc")
