"""Objectives in the languages of other solvers, which find the same best answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import clingo
import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

import csp
import dsl
from csp import Model
from csp.encoding.export import EXPORTS
from csp.encoding.export.ground import constant, term

from . import foreign
from .exported import SOLVERS, comparable, random_models
from .makers import expression
from .oracle import every_solution


def with_objectives(seed: str, count: int) -> Iterator[Model]:
    rng = random.Random(seed)
    for model in random_models(seed, count):
        goal = expression(rng, rng.randrange(3))
        if goal.variables:
            sense = rng.choice(["minimize", "maximize"])
            yield Model(model.domains, model.constraints, objective=csp.Objective(sense, goal))  # type: ignore[arg-type]


def best_of(model: Model) -> list[foreign.Solution]:
    objective = model.objective
    assert objective
    found = [values for values in every_solution(model) if model.check(values)]
    least = min((objective.sign * objective.value(values) for values in found), default=0)
    return [dict(values) for values in found if objective.sign * objective.value(values) == least]


def test_the_best_by_clingo(tmp_path: Path) -> None:
    for model in with_objectives("asp best", 60):
        control = clingo.Control(["--opt-mode=optN", "0"], logger=lambda code, message: None)
        control.add("base", [], EXPORTS["asp"](model))
        control.ground([("base", [])])
        with control.solve(yield_=True) as answers:
            best = [answer.symbols(shown=True) for answer in answers if answer.optimality_proven or not answer.cost]
        found = [{str(atom) for atom in symbols} for symbols in best]
        right = [{f"value({term(v)},{constant(w)})" for v, w in own.items()} for own in best_of(model)]
        assert sorted(map(sorted, found)) == sorted(map(sorted, right)), model.objective


def test_the_best_by_maxsat() -> None:
    for model in with_objectives("wcnf best", 60):
        text = EXPORTS["dimacs"](model)
        meaning = foreign.literals(model, text)
        lines = [line.split() for line in text.splitlines() if not line.startswith("c ")]
        formula = WCNF()
        for weight, *clause in lines:
            formula.append([*map(int, clause[:-1])], weight=None if weight == "h" else int(weight))
        with RC2(formula) as solver:
            answer = solver.compute()
        right = best_of(model)
        found = answer and dict(meaning[literal] for literal in answer if literal in meaning)
        assert found in right if right else found is None, model.objective


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog"])
def test_the_best_by_others(form: str, tmp_path: Path) -> None:
    models = [*with_objectives(f"{form} best", 12)]
    texts = [(model, EXPORTS[form](model)) for model in models]
    for model, found in zip(models, SOLVERS[form](texts, tmp_path, 0), strict=True):
        right = comparable(best_of(model), model)
        if form == "minizinc" and right:  # it prints better and better ones
            assert comparable(found[-1:], model)[0] in right
        else:
            assert comparable(found, model) == right


def test_the_best_by_our_reading_of_xcsp3() -> None:
    for model in with_objectives("xcsp3 best", 40):
        instance, objective = foreign.Instance(EXPORTS["xcsp3"](model)), model.objective
        assert objective
        found = [dict(values) for values in every_solution(Model(model.domains)) if instance.holds(values)]
        least = min(map(instance.worth, found), default=0)
        best = [values for values in found if instance.worth(values) == least]
        assert comparable(best, model) == comparable(best_of(model), model), objective


def test_objectives_as_text() -> None:
    model = dsl.loads("X in 1..3. Y in -1..2. X != Y. maximize(X // Y).")
    assert "solve maximize floor_div(X, Y + (zero_or_one(Y = 0)));\n" in EXPORTS["minizinc"](model)
    assert "constraint Y != 0;\n" in EXPORTS["minizinc"](model)
    xcsp3 = EXPORTS["xcsp3"](model)
    assert 'type="COP"' in xcsp3 and "<intension> ne(Y,0) </intension>" in xcsp3 and "<maximize> div(" in xcsp3
    assert "labeling([max(Best), ff], Some)" in EXPORTS["swi-prolog"](model)


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog"])
def test_a_symbol_that_only_the_objective_names(form: str, tmp_path: Path) -> None:
    model = dsl.loads("v in {red} \\/ 0..2. w in 0..1. minimize(count(v = blue) + w, count(v != green)).")
    ((*_, best),) = SOLVERS[form]([(model, EXPORTS[form](model))], tmp_path, 0)
    assert best in best_of(model)
    assert "<!-- 5 is green -->" in EXPORTS["xcsp3"](model)


def test_an_objective_too_heavy_for_gringo() -> None:
    model = dsl.loads("A in {0, 2000000000}. B in {0, 1}. maximize(2*A + B).")
    with pytest.raises(csp.ModelError, match=r"maximize\(2\*A \+ B\) \(line 1\) needs a weight of 4,000,000,000"):
        EXPORTS["asp"](model)
