"""Random specs over the whole grammar: their answers are those of an evaluator that shares nothing with the language.

A seeded slice runs every time. ``SPECS=20000 pytest tests/test_grammar.py`` tries that many, those that say nothing of
what is shown or best also through every export whose solver is installed; ``FIRST=700`` begins with that one.
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
from dsl.syntax.printing.format import format_spec

from .evaluator import NAMES, Spec, Specs
from .exported import solve_with

SPECS = int(os.environ.get("SPECS", "24"))
FIRST = int(os.environ.get("FIRST", "0"))
PART = 50
"""How many are one test, so that processes share them."""
PROGRAMS = {"minizinc": "minizinc", "swi-prolog": "swipl"}
FORMS = [form for form in EXPORTS if form not in PROGRAMS or shutil.which(PROGRAMS[form])]


def examine(seed: int) -> tuple[Spec, csp.Model | None, set[tuple[int, ...]]]:
    """The model of a spec, None where the language refuses it, and its answers, which are those of every level."""
    spec = Specs(seed).spec()
    text, expected = spec.text, spec.answers()
    try:
        model = dsl.loads(text)
    except dsl.SpecError as error:
        known = any(
            word in str(error)
            for word in (
                "is not declared",
                "division by zero",
                "of nothing has",
                "stands before :-",
                "all answers are equally good",
                "only a constraint has a label",  # a relation of numbers alone would be a fact
            )
        )
        assert known or not expected, f"{text}\n{error}"
        return spec, None, expected
    learner = csp.Settings(search="learn", level=csp.LEVELS[seed % len(csp.LEVELS)])
    strategies = [*(csp.Settings(search="tree", level=level) for level in csp.LEVELS), learner]
    solvers = [csp.Solver(model, settings=settings) for settings in strategies]
    for solver in solvers:
        try:
            found = [tuple(s[name] for name in spec.shown) for s in solver.solutions()]
        except csp.TooLarge:  # products of products as the objective: a formula of more than two million clauses
            assert solver.settings.search == "learn", text
            continue
        assert len(found) == len({*found}) and {*found} == expected, f"{solver.settings}: {text}"
    assert csp.verdict(solvers[0]).solutions == ["none", "one", "several"][min(2, len(expected))], text
    written = dsl.dumps(model)
    again = dsl.loads(written)
    assert again == model and dsl.dumps(again) == written, text
    left = dsl.loads(dsl.residual(model, csp.propagate(model).domains))
    assert {tuple(s[name] for name in spec.shown) for s in csp.Solver(left).solutions()} == expected, text
    formatted = format_spec(Source("-", text))
    assert csp.Solver(dsl.loads(formatted)).count().value == len(expected), text
    assert format_spec(Source("-", formatted)) == formatted
    return spec, model, expected


@pytest.mark.parametrize("first", range(FIRST, FIRST + SPECS, PART))
def test_random_specs(first: int, tmp_path: Path) -> None:
    seeds = range(first, min(first + PART, FIRST + SPECS))
    examined = {seed: examine(seed) for seed in seeds}
    assert sum(bool(model) and 0 < len(expected) < 576 for _, model, expected in examined.values()) > len(seeds) // 3
    for turn, form in enumerate(FORMS):
        chosen = [seed for seed in seeds if "SPECS" in os.environ or seed % len(FORMS) == turn]
        told = {seed: model for seed in chosen if (model := examined[seed][1]) and examined[seed][0].is_plain}
        answers = solve_with(form, [(model, EXPORTS[form](model)) for model in told.values()], tmp_path)
        for seed, found in zip(told, answers, strict=True):
            rows = [tuple(int(own[name]) for name in NAMES) for own in found]
            assert sorted(rows) == sorted(examined[seed][2]), f"{form} {seed}: {examined[seed][0].text}"
