"""Compare optimal solutions of models with the optimal solutions of their exports."""

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
from csp.encoding.export.asp import constant, term

from .. import foreign
from ..exported import SOLVERS, comparable, random_models
from ..makers import expression
from ..oracle import every_solution


def models_with_objectives(seed: str, count: int) -> Iterator[Model]:
    """Yield random models with a random objective."""
    rng = random.Random(seed)
    for model in random_models(seed, count):
        goal = expression(rng, rng.randrange(3))
        if goal.variables:
            sense = rng.choice(["minimize", "maximize"])
            yield Model(model.domains, model.constraints, objective=csp.Objective(sense, goal))  # type: ignore[arg-type]


def optimal_solutions(model: Model) -> list[foreign.Solution]:
    """Return all optimal solutions of a model."""
    objective = model.objective
    assert objective
    solutions = [values for values in every_solution(model) if model.check(values)]
    least = min((objective.sign * objective.value(values) for values in solutions), default=0)
    return [dict(values) for values in solutions if objective.sign * objective.value(values) == least]


def test_clingo_finds_the_optimal_solutions(tmp_path: Path) -> None:
    for model in models_with_objectives("asp best", 60):
        control = clingo.Control(["--opt-mode=optN", "0"], logger=lambda code, message: None)
        control.add("base", [], EXPORTS["asp"](model))
        control.ground([("base", [])])
        with control.solve(yield_=True) as answers:
            best = [answer.symbols(shown=True) for answer in answers if answer.optimality_proven or not answer.cost]
        atoms = [{str(atom) for atom in symbols} for symbols in best]
        expected = [
            {f"value({term(v)},{constant(w)})" for v, w in solution.items()} for solution in optimal_solutions(model)
        ]
        assert sorted(map(sorted, atoms)) == sorted(map(sorted, expected)), model.objective


def test_a_maxsat_solver_finds_an_optimal_solution() -> None:
    for model in models_with_objectives("wcnf best", 60):
        text = EXPORTS["dimacs"](model)
        meaning = foreign.literals(model, text)
        lines = [line.split() for line in text.splitlines() if not line.startswith("c ")]
        formula = WCNF()
        for weight, *clause in lines:
            formula.append([*map(int, clause[:-1])], weight=None if weight == "h" else int(weight))
        with RC2(formula) as solver:
            answer = solver.compute()
        expected = optimal_solutions(model)
        solution = answer and dict(meaning[literal] for literal in answer if literal in meaning)
        assert solution in expected if expected else solution is None, model.objective


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog"])
def test_minizinc_and_prolog_find_optimal_solutions(form: str, tmp_path: Path) -> None:
    models = [*models_with_objectives(f"{form} best", 12)]
    texts = [(model, EXPORTS[form](model)) for model in models]
    for model, solutions in zip(models, SOLVERS[form](texts, tmp_path, 0), strict=True):
        expected = comparable(optimal_solutions(model), model)
        if form == "minizinc" and expected:  # it prints each improvement
            assert comparable(solutions[-1:], model)[0] in expected
        else:
            assert comparable(solutions, model) == expected


def test_xcsp3_has_the_same_optimal_solutions() -> None:
    for model in models_with_objectives("xcsp3 best", 40):
        instance, objective = foreign.Instance(EXPORTS["xcsp3"](model)), model.objective
        assert objective
        solutions = [dict(values) for values in every_solution(Model(model.domains)) if instance.holds(values)]
        least = min(map(instance.worth, solutions), default=0)
        best = [values for values in solutions if instance.worth(values) == least]
        assert comparable(best, model) == comparable(optimal_solutions(model), model), objective


def test_an_export_contains_the_objective() -> None:
    model = dsl.loads("X in 1..3. Y in -1..2. X != Y. maximize(X // Y).")
    assert "solve maximize floor_div(X, Y + (zero_or_one(Y = 0)));\n" in EXPORTS["minizinc"](model)
    assert "constraint Y != 0;\n" in EXPORTS["minizinc"](model)
    xcsp3 = EXPORTS["xcsp3"](model)
    assert 'type="COP"' in xcsp3 and "<intension> ne(Y,0) </intension>" in xcsp3 and "<maximize> div(" in xcsp3
    assert "labeling([max(Best), ff], Some)" in EXPORTS["swi-prolog"](model)


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog"])
def test_a_symbol_may_occur_only_in_the_objective(form: str, tmp_path: Path) -> None:
    model = dsl.loads("v in {red} \\/ 0..2. w in 0..1. minimize(count(v = blue) + w, count(v != green)).")
    ((*_, best),) = SOLVERS[form]([(model, EXPORTS[form](model))], tmp_path, 0)
    assert best in optimal_solutions(model)
    assert "<!-- 5 is green -->" in EXPORTS["xcsp3"](model)


def test_an_objective_with_weights_too_large_for_gringo_is_refused() -> None:
    model = dsl.loads("A in {0, 2000000000}. B in {0, 1}. maximize(2*A + B).")
    with pytest.raises(csp.ModelError, match=r"maximize\(2\*A \+ B\) \(line 1\) needs a weight of 4,000,000,000"):
        EXPORTS["asp"](model)
