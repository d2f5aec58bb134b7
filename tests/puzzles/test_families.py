"""Solve puzzles of every family through ``csp import``, and check answers without the solver.

The tests use a sample; ``python tests/benchmarks/families.py`` uses all puzzles.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp import Settings, Solver
from dsl.puzzles.convert import FAMILIES, puzzles
from dsl.syntax.errors import Source

from .. import parametric
from ..checkers import CHECKERS, solution_of
from ..conftest import ROOT, SHARED
from ..verdicts import judge, records

DATA = ROOT / "tests" / "data"
OWN_RECORDS = [*records(DATA / "gallery.jsonl"), *records(DATA / "sgt_variants.jsonl")]
COLLECTION = [
    path
    for path in sorted([*SHARED.glob("*/*/*.jsonl"), *SHARED.glob("*/sudoku9/*.txt")])
    if next(records(path)).get("family") in {*FAMILIES, "coloring"}  # other families cannot be imported yet
]
SAMPLE = 1
NODES = 300
"""Node limit that is enough for most records, and soon reached by the others."""


@pytest.mark.parametrize("record", OWN_RECORDS, ids=lambda record: f"{record['family']} {record['id'].split(',')[0]}")
def test_a_puzzle_of_the_repository_is_solved(record: dict[str, Any]) -> None:
    assert judge(record).outcome == "solved"


@pytest.mark.parametrize("path", COLLECTION, ids=lambda path: path.stem)
def test_a_sample_of_the_collection_has_no_wrong_answer(path: Path) -> None:
    for record in islice(records(path), SAMPLE):
        verdict = judge(record, Settings(nodes=NODES))
        assert verdict.outcome != "wrong", (record["id"], verdict.why)


@pytest.mark.skipif(not SHARED.exists(), reason="the puzzle collection is not beside the project")
def test_the_collection_has_every_family() -> None:
    assert {next(records(path))["family"] for path in COLLECTION} == FAMILIES.keys() - {"windoku"} | {"coloring"}


def test_every_family_has_a_checker() -> None:
    assert CHECKERS.keys() == FAMILIES.keys() == {record["family"] for record in OWN_RECORDS}


@pytest.mark.parametrize("record", OWN_RECORDS, ids=lambda record: f"{record['family']} {record['id'].split(',')[0]}")
def test_the_checkers_refuse_wrong_answers(record: dict[str, Any]) -> None:
    """Change each value, and exchange neighbouring values of a unique solution."""
    check, solution = CHECKERS[record["family"]], solution_of(record)
    assert solution is not None and check(record, solution) and record["solutions"] == 1
    names = list(solution)
    for name, next_name in zip(names, [*names[1:], names[0]], strict=True):
        assert not check(record, {**solution, name: solution[name] % max(solution.values()) + 1})
        if solution[name] != solution[next_name]:
            assert not check(record, {**solution, name: solution[next_name], next_name: solution[name]})


def test_a_record_with_a_wrong_solution_or_count_is_detected() -> None:
    record = next(record for record in OWN_RECORDS if record["family"] == "latin")
    wrong_solution = [[value % record["n"] + 1 for value in row] for row in record["solution"]]
    assert judge({**record, "solution": wrong_solution}).why == "the answer is not the solution of the record"
    assert judge({**record, "solutions": 0}).outcome == judge({**record, "solutions": ">=2"}).outcome == "wrong"
    without_clues = {**record, "grid": [[0] * record["n"]] * record["n"]}
    assert judge({**without_clues, "solution": None}).why == "2 solutions, not 1"
    assert judge({**without_clues, "solutions": ">=2"}).outcome == "solved"
    assert judge(without_clues, Settings(nodes=1)).outcome == "stopped"


def test_numbers_in_a_cage_differ_across_rows_boxes_and_columns() -> None:
    cage = {"sum": 4, "cells": [[0, 0], [2, 3]]}
    record = {"family": "killer", "n": 4, "box": [2, 2], "cages": [cage], "solutions": ">=2"}
    (puzzle,) = puzzles(Source("record", json.dumps(record)))
    answers = [dict(answer) for answer in Solver(dsl.loads(puzzle.spec())).solutions()]
    assert {(answer["cell(1,1)"], answer["cell(3,4)"]) for answer in answers} == {(1, 3), (3, 1)}  # type: ignore[index]
    assert all(CHECKERS["killer"](record, answer) for answer in answers)  # type: ignore[arg-type]
    (puzzle_without_cage,) = puzzles(Source("record", json.dumps({**record, "cages": [{"sum": 2, "cells": [[0, 0]]}]})))
    repeating_answer = next(a for a in Solver(dsl.loads(puzzle_without_cage.spec())).solutions() if a["cell(3,4)"] == 2)  # type: ignore[index]
    assert not CHECKERS["killer"](record, repeating_answer)


def test_a_colouring_uses_exactly_the_chromatic_number() -> None:
    pentagon = "p edge 5 5\n" + "".join(f"e {i} {i % 5 + 1}\n" for i in range(1, 6))
    record = {"family": "coloring", "text": pentagon}
    assert judge({**record, "chromatic": 3}).outcome == "solved"
    assert judge({**record, "chromatic": 4}).why == "fewer colours were enough"
    assert judge({**record, "chromatic": 2}).why == "no solution was found"


def test_a_solution_is_accepted_as_givens() -> None:
    """Use the solution of each puzzle as its givens; expect one solution."""
    for record in OWN_RECORDS:
        if record["family"] in ("sudoku_x", "windoku", "jigsaw", "evenodd"):
            (puzzle,) = puzzles(Source("record", json.dumps({**record, "grid": record["solution"]})))
            assert Solver(dsl.loads(puzzle.spec())).count().value == 1


@pytest.mark.parametrize("row", [row for row in parametric.rows() if not parametric.is_slow(*row[:2])], ids=str)
def test_a_problem_has_its_published_count(row: parametric.Row) -> None:
    problem, parameters, count = row
    assert parametric.ask(problem, parameters) == count


def test_the_table_of_counts_equals_the_table_of_the_collection(shared: Path) -> None:
    table = shared / "free" / "arith" / "parametric_counts.tsv"
    assert list(parametric.rows()) == list(parametric.rows(table))
