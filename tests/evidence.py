"""Small puzzles, unsolvable variants, and checks of conflicts by an independent search."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import dsl
from csp import Comparison, Constraint, Equality, Model, Settings, Solver, Value, Variable
from csp.explain import Conflict, Walk
from dsl.puzzles.convert import puzzles
from dsl.syntax.errors import Source

from .makers import FAMILY, NAMES, flat
from .verdicts import records

DATA = Path(__file__).parent / "data"
RIPPLE = Path(__file__).parent / "benchmarks" / "hard" / "ripple.csp"

FAMILIES = {
    "sudoku": "free/sudokuN/sgt_09x09_graded.jsonl",
    "sudoku_x": "free/variants/sudoku_x_sgt.jsonl",
    "jigsaw": "free/variants/jigsaw_sgt.jsonl",
    "killer": "free/variants/killer_sgt.jsonl",
    "kenken": "free/variants/kenken_sgt.jsonl",
    "futoshiki": "free/variants/futoshiki_sgt.jsonl",
    "skyscrapers": "free/variants/skyscrapers_sgt.jsonl",
    "kakuro": "measure/variants/kakuro_janko.jsonl",
    "suguru": "measure/variants/suguru_janko.jsonl",
    "tenner": "measure/variants/tenner_janko.jsonl",
}
"""File of the puzzles in the collection, for ten families."""

UNSOLVABLE = ["measure/sudoku9/nosolution_derived.txt", "measure/sudoku9/nosolution_sudopedia.txt"]

LEARN = Settings(search="learn")
"""Settings of the learning search, which checks variants and conflicts."""

MOST_CANDIDATES = 1_500
"""Maximum number of candidates of a puzzle.

With larger puzzles, the largest take a fifth of the time and show nothing new.
"""


TURNED = {"<": ">", ">": "<"}


def model_of(record: dict[str, Any]) -> Model:
    """Return the model of a record of the collection."""
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    return dsl.loads(puzzle.spec())


def example(name: str) -> Model:
    """Load an example of the gallery."""
    return dsl.load(DATA.parent.parent / "examples" / f"{name}.csp")


def assert_path_without_supposition(walk: Walk, solution: Mapping[Variable, Value] | None) -> None:
    """Assert that a path solves its puzzle without a supposition, and that no step contradicts the solution."""
    assert walk.ending == "solved" and solution is not None
    assert not any(step.depth for step in walk.steps)
    for step in walk.steps:
        assert all(solution[variable] == value for variable, value in step.placed), step.sentence
        assert all(solution[variable] != value for variable, value in step.removed), step.sentence


def random_model(seed: int) -> Model:
    """Return a model of three to eight random constraints."""
    rng = random.Random(seed)
    domains = {name: range(1, 4) for name in [*FAMILY, *NAMES]}
    return Model(domains, dict.fromkeys(flat(rng, rng.randint(3, 8))))


def models(path: Path) -> Iterator[Model]:
    """Yield the models of the records of a file, except large ones."""
    for record in records(path):
        model = model_of(record)
        if sum(map(len, model.domains.values())) <= MOST_CANDIDATES:
            yield model


def first(name: str, count: int) -> list[Model]:
    """Return the first models of a file in ``tests/data``."""
    return list(islice(models(DATA / f"{name}.jsonl"), count))


def change_constraint(model: Model, rng: random.Random) -> Model:
    """Return the model with one constraint changed.

    That is another number in a given or a sum, or a reversed inequality.
    """
    places = [n for n, constraint in enumerate(model.constraints) if _variants(constraint, model)]
    number = rng.choice(places)
    constraints = [*model.constraints]
    constraints[number] = rng.choice(_variants(constraints[number], model))
    return Model(model.domains, constraints, model.show)


def _variants(constraint: Constraint, model: Model) -> list[Constraint]:
    """Return the changed variants of a constraint, which may be none."""
    match constraint:
        case Equality(left, right, True) if not isinstance(right, Variable):
            return [replace(constraint, right=value) for value in model.domains[left] if value != right]
        case Comparison(left, "=", right) if not right.terms and len(constraint.scope) > 1:
            return [replace(constraint, right=right + step) for step in (-1, 1)]
        case Comparison(relation=relation) if relation in TURNED:
            return [replace(constraint, relation=TURNED[relation])]
    return []


def unsolvable(model: Model, rng: random.Random) -> Model | None:
    """Return an unsolvable variant of a model; ``None`` after 30 trials."""
    for _ in range(30):
        variant = change_constraint(model, rng)
        if Solver(variant, settings=LEARN).solve() is None:
            return variant
    return None


def mutants(path: Path, count: int, seed: int = 0) -> Iterator[Model]:
    """Yield a number of unsolvable variants of the puzzles of a file.

    The puzzles are used repeatedly.
    """
    rng = random.Random(seed)
    originals = [
        model
        for model in islice(models(path), count)
        if any(_variants(constraint, model) for constraint in model.constraints)
    ]
    while count:
        for model in originals:
            variant = unsolvable(model, rng)
            if variant is not None and count:
                count -= 1
                yield variant


def faults(model: Model, conflict: Conflict) -> list[str]:
    """Return the faults of a conflict, found by another search.

    The list is empty if the conflict is correct.
    """

    def has_solution(constraints: list[Constraint]) -> bool:
        solution = Solver(Model(model.domains, constraints), settings=LEARN).solve()
        return solution is not None

    messages = [] if conflict.is_minimal else ["it is not minimal"]
    if has_solution([*conflict.constraints]):
        messages.append("it has a solution")
    for unit in conflict.units:
        others = [constraint for each in conflict.units if each is not unit for constraint in each.constraints]
        if not has_solution(others):
            messages.append(f"{unit.place} is not needed")
    return messages


def damage_certificate(clauses: str, proof: str) -> Iterator[tuple[str, str, str]]:
    """Yield damaged certificates: the damage, the clauses and the proof.

    The checker must refuse each of them.
    """
    clause_lines, proof_lines = clauses.splitlines(), proof.splitlines()
    yield "the end is lost", clauses, "\n".join(proof_lines[:-1])
    yield "the end has no 0", clauses, "\n".join([*proof_lines[:-1], proof_lines[-1].removesuffix("0") + "1"])
    yield "a clause is lost", "\n".join(clause_lines[:-1]), proof
    solution = next((number for number, line in enumerate(clause_lines) if line.startswith("c solution")), None)
    if solution is not None:
        yield "the solution is another one", "\n".join(_negate(clause_lines, solution, 2)), proof
        yield "the last clause allows the solution", "\n".join(_negate(clause_lines, len(clause_lines) - 1, 0)), proof


def _negate(lines: list[str], number: int, place: int) -> list[str]:
    """Return the lines with one literal negated."""
    words = lines[number].split()
    words[place] = str(-int(words[place]))
    return [*lines[:number], " ".join(words), *lines[number + 1 :]]
