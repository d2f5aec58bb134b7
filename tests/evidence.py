"""Small puzzles and unsolvable ones by the dozen, and what an independent search says of conflicts and certificates."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import dsl
from csp import Comparison, Constraint, Equality, Model, Settings, Solver, Variable
from csp.explain import Conflict
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
"""Ten families, and where in the collection their puzzles are."""

UNSOLVABLE = ["measure/sudoku9/nosolution_derived.txt", "measure/sudoku9/nosolution_sudopedia.txt"]

LEARN = Settings(search="learn")
"""The other search: what ours has said is asked of clingo."""

MOST_CANDIDATES = 1_500
"""Larger puzzles are left out: the largest are a fifth of the work and tell nothing more."""


TURNED = {"<": ">", ">": "<"}


def model_of(record: dict[str, Any]) -> Model:
    """The model of a record of the collection."""
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    return dsl.loads(puzzle.spec())


def example(name: str) -> Model:
    return dsl.load(DATA.parent.parent / "examples" / f"{name}.csp")


def random_model(seed: int) -> Model:
    rng = random.Random(seed)
    domains = {name: range(1, 4) for name in [*FAMILY, *NAMES]}
    return Model(domains, dict.fromkeys(flat(rng, rng.randint(3, 8))))


def models(path: Path) -> Iterator[Model]:
    """The models of a file, but those that are large."""
    for record in records(path):
        model = model_of(record)
        if sum(map(len, model.domains.values())) <= MOST_CANDIDATES:
            yield model


def first(name: str, count: int) -> list[Model]:
    """The first models of a file in tests/data."""
    return list(islice(models(DATA / f"{name}.jsonl"), count))


def changed(model: Model, rng: random.Random) -> Model:
    """The model with another number in one given, or in one sum, or with a sign turned round."""
    places = [n for n, one in enumerate(model.constraints) if _others(one, model)]
    number = rng.choice(places)
    constraints = [*model.constraints]
    constraints[number] = rng.choice(_others(constraints[number], model))
    return Model(model.domains, constraints, model.show)


def _others(constraint: Constraint, model: Model) -> list[Constraint]:
    match constraint:
        case Equality(left, right, True) if not isinstance(right, Variable):
            return [replace(constraint, right=value) for value in model.domains[left] if value != right]
        case Comparison(left, "=", right) if not right.terms and len(constraint.scope) > 1:
            return [replace(constraint, right=right + one) for one in (-1, 1)]
        case Comparison(relation=relation) if relation in TURNED:
            return [replace(constraint, relation=TURNED[relation])]
    return []


def unsolvable(model: Model, rng: random.Random) -> Model | None:
    """A model with one number changed, so that there is no solution by either search; None if none of many does it."""
    for _ in range(30):
        made = changed(model, rng)
        if Solver(made, settings=LEARN).solve() is None:
            return made
    return None


def mutants(path: Path, count: int, seed: int = 0) -> Iterator[Model]:
    """So many unsolvable puzzles from the puzzles of a file, which are taken again and again."""
    rng = random.Random(seed)
    every = [model for model in islice(models(path), count) if any(_others(one, model) for one in model.constraints)]
    while count:
        for model in every:
            made = unsolvable(model, rng)
            if made is not None and count:
                count -= 1
                yield made


def faults(model: Model, conflict: Conflict) -> list[str]:
    """What is wrong with a conflict, by another search on models of their own."""

    def ask(constraints: list[Constraint]) -> bool:
        solution = Solver(Model(model.domains, constraints), settings=LEARN).solve()
        return solution is not None

    found = [] if conflict.is_minimal else ["it is not minimal"]
    if ask([*conflict.constraints]):
        found.append("it has a solution")
    for unit in conflict.units:
        if not ask([one for other in conflict.units if other is not unit for one in other.constraints]):
            found.append(f"{unit.place} is not needed")
    return found


def damaged(clauses: str, proof: str) -> Iterator[tuple[str, str, str]]:
    """What is done to a certificate, a line of it, and the certificate then, which must be refused."""
    told, lines = clauses.splitlines(), proof.splitlines()
    yield "the end is lost", clauses, "\n".join(lines[:-1])
    yield "the end has no 0", clauses, "\n".join([*lines[:-1], lines[-1].removesuffix("0") + "1"])
    yield "a clause is lost", "\n".join(told[:-1]), proof
    solution = next((number for number, line in enumerate(told) if line.startswith("c solution")), None)
    if solution is not None:
        yield "the solution is another one", "\n".join(_turned(told, solution, 2)), proof
        yield "the last clause allows the solution", "\n".join(_turned(told, len(told) - 1, 0)), proof


def _turned(lines: list[str], number: int, place: int) -> list[str]:
    """The lines with one literal turned round."""
    words = lines[number].split()
    words[place] = str(-int(words[place]))
    return [*lines[:number], " ".join(words), *lines[number + 1 :]]
