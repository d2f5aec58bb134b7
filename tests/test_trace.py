"""Golden traces: the story of the asterisk, in order, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

import csp
import dsl
from csp.moments import replay
from csp.recorder import record
from csp.records import Decision, Failure, Removal, Rest, Solved, Trace

from .conftest import ROOT

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def example(name: str, **options: object) -> csp.Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def text(trace: Trace) -> str:
    return "\n".join(trace.captions()) + "\n"


def test_the_article_by_arc(golden: Callable[[str, str], None]) -> None:
    golden("shidoku-arc.trace", text(record(example("shidoku"), "arc")))


def test_the_article_by_singles(golden: Callable[[str, str], None]) -> None:
    golden("shidoku-singles.trace", text(record(example("shidoku"))))


def test_nine_by_nine(golden: Callable[[str, str], None]) -> None:
    golden("sudoku.trace", text(record(example("sudoku"))))


def test_search(golden: Callable[[str, str], None]) -> None:
    golden("search.trace", text(record(example("sudoku", grids={"clue": HARD}), nodes=20)))


def test_filters(golden: Callable[[str, str], None]) -> None:
    golden("money.trace", text(record(example("money"), nodes=None)))


MODELS = {
    "shidoku": lambda: example("shidoku"),
    "sudoku": lambda: example("sudoku", grids={"clue": HARD}),
    "queens": lambda: example("queens"),
    "money": lambda: example("money"),
    "australia": lambda: example("australia"),
}


@pytest.mark.parametrize("level", ["arc", "singles"])
@pytest.mark.parametrize("name", MODELS)
def test_the_replay_ends_where_the_engine_does(name: str, level: csp.solver.Level) -> None:
    model = MODELS[name]()
    *_, last = replay(record(model, level))
    fixpoint = csp.propagate(model, level)
    assert dict(last.domains) == fixpoint.domains
    *_, last = replay(record(model, level, nodes=None))
    assert isinstance(last.record, Solved)
    assert {v: domain[0] for v, domain in last.domains.items()} == csp.solve(model, level)


@pytest.mark.parametrize("name", MODELS)
def test_every_reason_holds(name: str) -> None:
    """A removed value must contradict its constraint, given what the domains were."""
    model = MODELS[name]()
    moments = list(replay(record(model, nodes=None)))
    checked = 0
    for before, after in pairwise(moments):
        removal = after.record
        if not isinstance(removal, Removal) or removal.constraint is None:
            continue
        for variable, value in removal.removed:
            assert value in before.domains[variable]
            if removal.kind == "fixed":
                other, fixed = removal.cause[0]
                pair = csp.Model({variable: [value], other: [fixed]}, [clipped(removal.constraint, variable, other)])
                assert csp.solve(pair) is None
                checked += 1
            elif removal.kind == "placed":
                _, placed = removal.cause[0]
                scope = removal.constraint.scope
                assert [v for v in scope if placed in before.domains[v]] == [removal.cause[0][0]]
                checked += 1
    assert checked > 5


def clipped(constraint: csp.Constraint, *variables: csp.Variable) -> csp.Constraint:
    """The constraint on two of its variables alone."""
    if isinstance(constraint, csp.AllDifferent):
        return csp.AllDifferent(tuple(e for e in constraint.elements if e.terms[0][1] in variables))
    return constraint


def test_marks_are_what_changed_and_end_empty() -> None:
    for moment in replay(record(example("shidoku"), "arc")):
        if isinstance(moment.record, Removal):
            assert {variable for variable, _ in moment.record.removed} <= set(moment.marked)
    assert moment.marked == () and isinstance(moment.record, Rest) and moment.record.open == 0


def test_decisions_form_a_tree() -> None:
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=None)
    known = {0}
    failures = 0
    for one in trace.records:
        if isinstance(one, Decision):
            assert one.parent in known and one.node not in known
            known.add(one.node)
        failures += isinstance(one, Failure)
    assert len(known) > 5 and failures > 1
