"""Test traces against golden files: the same events in the same order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import csp
import dsl
from csp import Trace, record, replay
from csp.engine.compiled.propagators.base import bits
from csp.engine.events import Event, Popped
from csp.trace import Decision, Failure, Recorder, Removal, Rest, Solved, as_dict, caption, show_cause

from ..commands import HARD, run, spec
from ..conftest import ROOT


def example(name: str, **options: object) -> csp.Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def join_captions(trace: Trace) -> str:
    return "\n".join(trace.captions()) + "\n"


def test_the_article_has_its_golden_trace_by_arc(golden: Callable[[str, str], None]) -> None:
    golden("shidoku-arc.trace", join_captions(record(example("shidoku"), "arc")))


def test_the_article_has_its_golden_trace_by_singles(golden: Callable[[str, str], None]) -> None:
    golden("shidoku-singles.trace", join_captions(record(example("shidoku"))))


def test_a_nine_by_nine_sudoku_has_its_golden_trace(golden: Callable[[str, str], None]) -> None:
    golden("sudoku.trace", join_captions(record(example("sudoku"))))


def test_a_search_has_its_golden_trace(golden: Callable[[str, str], None]) -> None:
    golden("search.trace", join_captions(record(example("sudoku", grids={"clue": HARD}), nodes=20)))


def test_propagators_have_their_golden_trace(golden: Callable[[str, str], None]) -> None:
    golden("money.trace", join_captions(record(example("money"), nodes=None)))


def test_domain_consistency_has_its_golden_trace(golden: Callable[[str, str], None]) -> None:
    golden("sudoku-domain.trace", join_captions(record(example("sudoku", grids={"clue": HARD}), "domain")))


MODELS = {
    "shidoku": lambda: example("shidoku"),
    "sudoku": lambda: example("sudoku", grids={"clue": HARD}),
    "queens": lambda: example("queens"),
    "money": lambda: example("money"),
    "australia": lambda: example("australia"),
}


@pytest.mark.parametrize("level", csp.LEVELS)
@pytest.mark.parametrize("name", MODELS)
def test_the_replay_ends_with_the_domains_of_the_engine(name: str, level: csp.Level) -> None:
    model = MODELS[name]()
    *_, last = replay(record(model, level))
    fixpoint = csp.propagate(model, level)
    assert dict(last.domains) == fixpoint.domains
    *_, last = replay(record(model, level, nodes=None))
    assert isinstance(last.record, Solved)
    assert {v: domain[0] for v, domain in last.domains.items()} == csp.solve(model, level)


def test_changed_variables_are_marked_and_no_mark_is_left() -> None:
    for moment in replay(record(example("shidoku"), "arc")):
        if isinstance(moment.record, Removal):
            assert {variable for variable, _ in moment.record.removed} <= set(moment.marked)
    assert moment.marked == () and isinstance(moment.record, Rest) and moment.record.open == 0


class QueueComparison:
    """An event log that compares the queue of the last record with the queue of the engine."""

    def __init__(self, solver: csp.Solver) -> None:
        self.compared = 0
        self._numbers = [*solver.program.propagators]
        self._recorder = Recorder(solver.program)

    def append(self, event: Event) -> None:
        """Receive an event."""
        records = self._recorder.records
        if isinstance(event, Popped) and records:
            order = [*bits(event.batch), *bits(event.pending & ~event.batch)]
            engine = [event.propagator, *(self._numbers[index] for index in order)]
            assert [waiting.number for waiting in records[-1].queue if waiting.variable is None] == engine  # type: ignore[union-attr]
            self.compared += 1
        self._recorder.append(event)


@pytest.mark.parametrize("name", ["money", "sudoku", "killer", "zebra"])
def test_the_queue_of_a_record_is_the_queue_of_the_engine_in_its_order(name: str) -> None:
    solver = csp.Solver(example(name), "domain")
    log = QueueComparison(solver)
    next(solver.solutions(log=log), None)
    assert log.compared > 5


def test_each_decision_has_an_earlier_parent() -> None:
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=None)
    nodes = {0}
    failures = 0
    for event in trace.records:
        if isinstance(event, Decision):
            assert event.parent in nodes and event.node not in nodes
            nodes.add(event.node)
        failures += isinstance(event, Failure)
    assert len(nodes) > 5 and failures > 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("zebra", "house(old_gold) = house(snails) (line 18) cannot hold: house(old_gold) = 3, house(snails) = 4"),
        ("magic_square", "falling (line 20) with square (line 17) cannot hold: 16 + 6 + 7 + 1 = 30, not 34"),
        ("slitherlink", "the 3 at 5,3 (line 24) cannot hold: inside(5,3) = inside(5,2) = inside(4,3) = 1"),
    ],
)
def test_a_failure_shows_the_value_of_each_variable_or_the_wrong_sum(name: str, words: str) -> None:
    captions = [caption(event) for event in record(example(name), nodes=None).records if isinstance(event, Failure)]
    assert f"failure · {words}" in captions


def test_values_are_joined_only_for_unfixed_cells_of_an_all_different() -> None:
    row = csp.AllDifferent.of("AB")
    fixed, partly_fixed = (("A", 1), ("B", 2)), (("A", 1), ("A", 2), ("B", 2))
    assert show_cause(fixed, row) == show_cause(fixed) == "A = 1, B = 2"
    assert show_cause(partly_fixed, row) == show_cause(partly_fixed) == "A has only 1, 2, B = 2"
    unfixed = (("A", 1), ("A", 2), ("B", 2), ("B", 3), ("C", 1), ("C", 3))
    assert show_cause(unfixed, csp.AllDifferent.of("ABC")) == "A, B, C have only 1, 2, 3"
    assert show_cause(unfixed) == "A has only 1, 2, B has only 2, 3, C has only 1, 3"


def test_the_command_prints_the_golden_traces() -> None:
    for nodes, level, name in ((None, "singles", "money"), (0, "arc", "shidoku-arc"), (0, "singles", "sudoku")):
        limit = [] if nodes is None else ["--nodes", nodes]
        result = run("trace", ROOT / "examples" / f"{name.split('-')[0]}.csp", "--level", level, *limit)
        assert result.exit_code == 0 and result.stderr == ""
        assert result.stdout == (ROOT / "tests" / "golden" / f"{name}.trace").read_text(encoding="utf-8")


def test_a_record_is_printed_as_json() -> None:
    lines = run("trace", ROOT / "examples" / "shidoku.csp", "--json").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    assert [item["caption"] for item in records] == run("trace", ROOT / "examples" / "shidoku.csp").stdout.splitlines()
    assert all("marked" in item and "node" in item for item in records)
    first = next(item for item in records if item["kind"] == "fixed")
    assert first == {
        "format": 2,
        "kind": "fixed",
        "step": 5,
        "node": 0,
        "constraint": "row 1",
        "line": 5,
        "cause": [["C", 4]],
        "removed": [["A", 4], ["B", 4], ["D", 4]],
        "marked": ["F", "K", "N", "A", "B", "D"],
        "also_uses": [],
        "queue": ["F", "K", "N", "A", "B", "D"],
        "caption": "step 5 · row 1 (line 5): C = 4 removes 4 from A, B, D · marked 6",
    }
    assert [item["kind"] for item in records[-2:]] == ["rest", "solved"]


def test_every_kind_of_record_has_its_keys() -> None:
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=None)
    keys: dict[str, set[tuple[str, ...]]] = {}
    for event in trace.records:
        fields = as_dict(event)
        assert json.loads(json.dumps(fields))["caption"] == csp.caption(event)
        keys.setdefault(fields["kind"], set()).add(tuple(fields))
    assert all(len(kinds) == 1 for kinds in keys.values())
    assert keys["failure"] == {
        ("kind", "node", "constraint", "line", "subject", "cause", "also_uses", "removed_by", "marked", "caption")
    }


def test_a_failure_knows_each_constraint_that_removed_a_candidate() -> None:
    trace = record(example("knights_tour"), nodes=30)
    places = [constraint.place for constraint in trace.model.constraints]
    removal_of: dict[csp.Candidate, Removal] = {}
    shared = 0  # removals by a constraint that has its name and line in common with others
    for entry in trace.records:
        if isinstance(entry, Removal):
            removal_of |= dict.fromkeys(entry.removed, entry)
        for remover in entry.removed_by if isinstance(entry, Failure) else ():
            assert {(removal_of[own].place, removal_of[own].number) for own in remover.removed} == {remover[::2]}
            shared += places.count(remover.place) > 1
    assert shared


PIGEONS = "p(I) in 1..9 :- I in 1..10. abs(p(I) - p(J)) > 0 :- I in 1..10, J in 1..10, I < J."


def test_a_limit_ends_a_trace_and_is_reported(tmp_path: Path) -> None:
    limited = run("trace", spec(tmp_path, PIGEONS), "--nodes", 4)
    assert limited.exit_code == 3 and limited.stderr == "csp: stopped by the limit of 4 nodes: no solution so far\n"
    assert [line.split(" · ")[0] for line in limited.stdout.splitlines() if line.startswith("node")][-1] == "node 4"
    root_only = run("trace", spec(tmp_path, PIGEONS), "--nodes", 0)
    *captions, end = root_only.stdout.splitlines()
    assert root_only.exit_code == 0 and end == "fixpoint · 10 unfixed"
    assert len(captions) == 45 and all(line.endswith("no change · marked 0") for line in captions), "each has a turn"


def test_a_trace_without_a_solution_ends_with_a_failure(tmp_path: Path) -> None:
    result = run("trace", spec(tmp_path, "A, B, C in 1..2. A != B. B != C. A != C."))
    assert result.exit_code == 1 and result.stderr == "csp: no solution\n"
    assert result.stdout.splitlines()[-1].startswith("failure · ")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_ends_a_trace(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dsl", "trace", str(spec(tmp_path, PIGEONS)), "--level", "arc"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert running.stdout is not None and running.stdout.readline().startswith("checked · ")
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate()
    assert running.returncode == 130 and errors == "csp: stopped by Ctrl-C: no solution so far\n"
