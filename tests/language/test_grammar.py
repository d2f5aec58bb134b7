"""Tests that answers of random specs equal those of an independent evaluator.

Every run tries a seeded slice. ``SPECS=20000 pytest tests/language/test_grammar.py`` tries 20,000 specs.
``FIRST=700`` begins with spec 700.

Specs without *show* and without an objective are also solved through the exports whose solvers are installed.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import csp
import dsl
from csp.encoding.export import EXPORTS
from dsl.syntax.errors import Source
from dsl.syntax.format import format_spec

from ..evaluator import NAMES, Spec, Specs
from ..exported import solve_with

SPECS = int(os.environ.get("SPECS", "24"))
FIRST = int(os.environ.get("FIRST", "0"))
PART = 50
"""Number of specs in one test, so that several processes can share the specs."""
PROGRAMS = {"minizinc": "minizinc", "swi-prolog": "swipl"}
FORMS = [form for form in EXPORTS if form not in PROGRAMS or shutil.which(PROGRAMS[form])]


def examine(seed: int) -> tuple[Spec, csp.Model | None, set[tuple[int, ...]]]:
    """Check a spec and return the spec, its model and its answers.

    The model is ``None`` if the language refuses the spec. The answers must be equal at every level.
    """
    spec = Specs(seed).spec()
    text, expected = spec.text, spec.answers()
    try:
        model = dsl.loads(text)
    except dsl.SpecError as error:
        is_expected_refusal = any(
            message in str(error)
            for message in (
                "is not declared",
                "division by zero",
                "of nothing has",
                "stands before :-",
                "all answers are equally good",
                "only a constraint can have a label",  # a relation of numbers alone would be a fact
            )
        )
        assert is_expected_refusal or not expected, f"{text}\n{error}"
        return spec, None, expected
    learner = csp.Settings(search="learn", level=csp.LEVELS[seed % len(csp.LEVELS)])
    strategies = [*(csp.Settings(search="tree", level=level) for level in csp.LEVELS), learner]
    solvers = [csp.Solver(model, settings=settings) for settings in strategies]
    for solver in solvers:
        try:
            rows = [tuple(s[name] for name in spec.shown) for s in solver.solutions()]
        except csp.TooLarge:  # products of products as the objective: a formula of more than two million clauses
            assert solver.settings.search == "learn", text
            continue
        assert len(rows) == len({*rows}) and {*rows} == expected, f"{solver.settings}: {text}"
    assert csp.verdict(solvers[0]).solutions == ["none", "one", "several"][min(2, len(expected))], text
    dump = dsl.dumps(model)
    restored = dsl.loads(dump)
    assert restored == model and dsl.dumps(restored) == dump, text
    residual = dsl.loads(dsl.residual(model, csp.propagate(model).domains))
    assert {tuple(s[name] for name in spec.shown) for s in csp.Solver(residual).solutions()} == expected, text
    formatted = format_spec(Source("-", text))
    assert csp.Solver(dsl.loads(formatted)).count().value == len(expected), text
    assert format_spec(Source("-", formatted)) == formatted
    return spec, model, expected


@pytest.mark.parametrize("first", range(FIRST, FIRST + SPECS, PART))
def test_answers_of_random_specs_equal_those_of_the_evaluator(first: int, tmp_path: Path) -> None:
    seeds = range(first, min(first + PART, FIRST + SPECS))
    examined = {seed: examine(seed) for seed in seeds}
    assert sum(bool(model) and 0 < len(expected) < 576 for _, model, expected in examined.values()) > len(seeds) // 3
    for turn, form in enumerate(FORMS):
        chosen = [seed for seed in seeds if "SPECS" in os.environ or seed % len(FORMS) == turn]
        models = {seed: model for seed in chosen if (model := examined[seed][1]) and examined[seed][0].is_plain}
        answers = solve_with(form, [(model, EXPORTS[form](model)) for model in models.values()], tmp_path)
        for seed, solutions in zip(models, answers, strict=True):
            rows = [tuple(int(solution[name]) for name in NAMES) for solution in solutions]
            assert sorted(rows) == sorted(examined[seed][2]), f"{form} {seed}: {examined[seed][0].text}"
