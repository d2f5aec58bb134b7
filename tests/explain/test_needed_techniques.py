"""Test the search for puzzles that need a technique, and the large fish and templates."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

import dsl
from csp import AllDifferent, Equality, Model, Solver, Value, Variable
from csp.explain.setting.running import attempts
from csp.explain.setting.setter import Clue, ClueGroup, Setter, Wanted
from csp.explain.steps.board import View
from csp.explain.steps.techniques import TECHNIQUES
from csp.explain.steps.techniques.templates import template_use
from csp.explain.steps.walk import Walker

from ..conftest import ROOT, TIMES
from ..oracle import every_solution

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


def make_clues(solution: dict[Variable, Value], random: Random) -> list[ClueGroup]:
    return [
        [Clue(("clue", str(variable), value), (Equality(Variable(variable), value),))]
        for variable, value in solution.items()
    ]


NEEDED = [("X-wing", 25), ("XY-wing", 3), ("ALS-XZ", 12), ("X-chain", 25)]
"""A technique, and the number of attempts that is enough for a puzzle that needs it; ``TIMES=4`` uses all."""


@pytest.mark.parametrize(("technique", "most"), NEEDED[:TIMES])
def test_a_puzzle_that_needs_a_technique_is_found_in_few_attempts(technique: str, most: int) -> None:
    """Fails with puzzles that are minimal in a uniformly random order: X-wing took 206 attempts, X-chain over 50."""
    model = dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": ""})
    wanted = Wanted(needed=(technique,))
    results = attempts(lambda: Setter(model, make_clues), wanted, 0)
    puzzle = next(result.puzzle for result in islice(results, most) if result.is_wanted)
    assert puzzle is not None
    givens = {str(clue.fact[1]): clue.fact[2] for clue in puzzle.clues}
    endings = []
    for ladder in (wanted.ladder, [one for one in wanted.ladder if one.name != technique]):
        walker = Walker(Solver(model), givens, ladder, is_unique=True)
        endings.append((len([*walker]) > 0, walker.ending))
    assert endings == [(True, "solved"), (True, "open")]


SINGLE_VALUE = [name for name in TECHNIQUES if name.startswith(("Franken", "mutant", "Siamese", "template"))]


def make_overlapping_model(rng: Random) -> Model:
    """Return permutations of three or four variables that overlap at random, with some values removed."""
    names, size = [Variable(name) for name in "ABCDEFGH"], rng.choice([3, 4])
    domains = {name: tuple(v for v in range(size) if rng.random() < 0.85) or (0,) for name in names}
    groups = [rng.sample(names, size) for _ in range(rng.randint(3, 6))]
    full = {name: tuple(range(size)) for name in names}
    return Model({**full, **domains} if rng.random() < 0.8 else full, [AllDifferent.of(group) for group in groups])


def test_steps_about_one_value_are_sound_in_overlapping_permutations() -> None:
    """Compare each step with every solution, found by brute force."""
    count = 0
    for seed in range(20 * TIMES):
        model = make_overlapping_model(Random(seed))
        solutions = list(every_solution(model))
        if not solutions:
            continue
        walker = Walker(Solver(model))
        for name in (*SINGLE_VALUE, "Sue de Coq", "death blossom"):
            for step in islice(TECHNIQUES[name].find(walker.view), 20):
                count += 1
                for variable, value in walker.board.listed(step.removed):
                    assert all(solution.get(variable) != value for solution in solutions), (seed, name, step.text)
                for variable, value in walker.board.listed(step.placed):
                    assert all(solution.get(variable, value) == value for solution in solutions), (seed, name)
    assert count > 10 * TIMES


def test_a_complex_fish_removes_only_places_that_no_template_has() -> None:
    model = dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": ""})
    grid = ".2.7....5.......47...49..8......35..7......2......5..1.9324......4.8923.5........"
    givens = {f"cell({i // 9 + 1},{i % 9 + 1})": int(digit) for i, digit in enumerate(grid) if digit != "."}
    walker = Walker(Solver(model), givens, [TECHNIQUES["naked single"], TECHNIQUES["hidden single"]])
    assert [*walker]
    view: View = walker.view
    for name in SINGLE_VALUE:
        for step in TECHNIQUES[name].find(view):
            (value,) = {value for _, value in walker.board.listed(step.removed | step.placed)}
            if not name.startswith("template"):
                assert not step.removed & ~template_use(view, value).in_none, step.text
