"""The algorithm on one page: its events, its fixpoints and answers beside the engine's, and its pictures."""

from __future__ import annotations

import ast
import inspect
import random
import re
from itertools import islice, pairwise

import pytest

import csp
import dsl
from csp.graph import GraphEvent, constraint_graph, pop, propagate, propagate_arcs, snapshot_dot, snapshots, solutions
from csp.render.dot.drawing import draw

from ..conftest import ROOT, TIMES
from ..makers import NAMES, any_kind
from ..oracle import every_solution

ARTICLE = "3142 4231 2413 1324"
SNAPSHOTS = 100
"""Snapshots after which a comparison of answers ends: the graph is slow, and its first answers say enough."""

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))


def shidoku() -> csp.Model:
    return dsl.load(ROOT / "examples" / "shidoku.csp")


def plain(model: csp.Model) -> csp.Model:
    """Return the model without objective and layout, whose answers are all of its solutions."""
    return csp.Model(model.domains, model.constraints)


def test_the_article_s_4x4_has_16_vertices_56_edges_and_one_solution() -> None:
    graph = constraint_graph(shidoku())
    assert (len(graph), len(graph.edges)) == (16, 56)
    assert [v for v in graph if graph.nodes[v]["marked"]] == ["C", "F", "K", "N"]
    (values,) = solutions(graph)
    assert "".join(map(str, values.values())) == ARTICLE.replace(" ", "")


def test_propagation_alone_solves_the_4x4_and_leaves_nothing_marked() -> None:
    graph = constraint_graph(shidoku())
    events = list(propagate(graph))
    assert events[:2] == [GraphEvent("popped", "C"), GraphEvent("pruned", "A", (4,), "C")]
    assert not any(graph.nodes[v]["marked"] for v in graph)
    assert all(len(d) == 1 for _, d in graph.nodes(data="domain"))
    assert list(propagate(graph)) == []


def test_events_are_true_of_the_graph_when_they_are_yielded() -> None:
    graph = constraint_graph(dsl.load(ROOT / "examples" / "sudoku.csp"))
    domains = dict(graph.nodes(data="domain"))
    marked = [v for v in graph if graph.nodes[v]["marked"]]
    for event in propagate(graph):
        vertex = graph.nodes[event.vertex]
        if event.kind == "popped":
            assert event.vertex == marked.pop(0) and not vertex["marked"]
        elif event.kind == "marked":
            marked.append(event.vertex)
            assert vertex["marked"]
        else:
            assert event.kind == "pruned" and vertex["domain"] == tuple(
                value for value in domains[event.vertex] if value not in event.removed
            )
            domains[event.vertex] = vertex["domain"]
    assert not marked


def test_a_user_decides_between_two_calls() -> None:
    model = csp.Model({v: (1, 2, 3) for v in "ABC"}, [csp.AllDifferent.of("ABC")])
    graph = constraint_graph(model)
    assert list(propagate(graph)) == []
    graph.nodes["B"].update(domain=(2,), marked=True)
    assert [str(event) for event in propagate(graph)][:3] == ["popped B", "pruned A: 2 by B", "marked A"]
    assert dict(graph.nodes(data="domain")) == {"A": (1, 3), "B": (2,), "C": (1, 3)}


def test_a_failure_names_the_vertex_without_a_value() -> None:
    model = csp.Model({v: (1, 2) for v in "ABC"}, [csp.AllDifferent.of("ABC"), csp.Equality("A", 1)])
    *_, failed = propagate(constraint_graph(model))
    assert (failed.kind, failed.vertex, failed.cause) == ("failed", "C", "B")
    assert list(solutions(constraint_graph(model))) == []


def test_a_constraint_on_no_variable_leaves_no_value() -> None:
    never = csp.Model({"A": (1, 2)}, [csp.Linear(csp.Affine(), "=", csp.Affine((), 1))])
    assert list(solutions(constraint_graph(never))) == []


def test_level_arc_has_the_same_fixpoint_where_edges_express_all_constraints() -> None:
    held = 0
    for seed in range(250 * TIMES):
        rng = random.Random(seed)
        names = [f"v{i}" for i in range(rng.randint(2, 7))]
        domains = {name: rng.sample(range(6), rng.randint(1, 5)) for name in names}
        groups = [rng.sample(names, rng.randint(2, len(names))) for _ in range(rng.randint(1, 4))]
        # The engine refuses a group with more variables than values when it compiles; the graph has no groups.
        groups = [group for group in groups if len(group) <= len({value for name in group for value in domains[name]})]
        model = csp.Model(domains, map(csp.AllDifferent.of, groups))
        graph = constraint_graph(model)
        has_failed = any(event.kind == "failed" for event in propagate(graph))
        fixpoint = csp.Solver(model, "arc").propagate()
        assert fixpoint.holds == (not has_failed), seed
        if fixpoint.holds:
            held += 1
            assert fixpoint.domains == dict(graph.nodes(data="domain")), seed
    assert held > 50 * TIMES


def test_random_models_have_the_answers_of_brute_force_and_of_the_engine() -> None:
    for seed in range(250 * TIMES):
        rng = random.Random(seed)
        domains = {name: rng.sample(range(-1, 4), rng.randint(1, 4)) for name in NAMES}
        model = csp.Model(domains, [any_kind(rng, [*csp.CONSTRAINTS]) for _ in range(rng.randint(1, 3))])
        answers = sorted(tuple(values.values()) for values in solutions(constraint_graph(model)))
        assert answers == sorted(tuple(values[v] for v in model.domains) for values in every_solution(model)), seed
        assert answers == sorted(tuple(values.values()) for values in csp.Solver(model, "arc").solutions()), seed


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXAMPLES)
def test_answers_of_small_examples_are_the_engine_s(name: str) -> None:
    model = plain(dsl.load(ROOT / "examples" / f"{name}.csp"))
    if len(model.domains) > 100:
        pytest.skip(f"{len(model.domains)} variables take the graph too long")
    graph = constraint_graph(model)
    fixpoint = csp.Solver(model, "arc").propagate()
    searched = solved = 0
    for snapshot in islice(snapshots(graph), SNAPSHOTS):
        domains = dict(snapshot.nodes(data="domain"))
        if not searched and all(domains.values()) and fixpoint.holds:
            assert all({*fixpoint.domains[v]} <= {*d} for v, d in domains.items())
        searched += 1
        if all(len(d) == 1 for d in domains.values()):
            solved += 1
            assert model.check({v: d[0] for v, d in domains.items()})
    if searched < SNAPSHOTS:
        assert csp.Solver(model).count(limit=solved + 1) == csp.Count(solved, complete=True)


def test_a_queue_of_arcs_has_the_same_fixpoint_and_prunes_one_vertex_per_arc() -> None:
    for seed in range(100 * TIMES):
        rng = random.Random(seed)
        domains = {name: rng.sample(range(-1, 4), rng.randint(1, 4)) for name in NAMES}
        model = csp.Model(domains, [any_kind(rng, [*csp.CONSTRAINTS]) for _ in range(rng.randint(1, 3))])
        by_vertices, by_arcs = constraint_graph(model), constraint_graph(model)
        has_failed = any(event.kind == "failed" for event in propagate(by_vertices))
        events = list(propagate_arcs(by_arcs))
        assert has_failed == any(event.kind == "failed" for event in events), seed
        if not has_failed:
            assert dict(by_arcs.nodes(data="domain")) == dict(by_vertices.nodes(data="domain")), seed
            assert not any(by_arcs.nodes[v]["marked"] for v in by_arcs) and not list(propagate_arcs(by_arcs))
        arc = None
        for event in events:
            if event.kind == "popped":
                arc = event.vertex, event.cause
            assert event.kind == "marked" or not arc or (event.vertex, event.cause) == arc, seed


def test_an_arc_enters_the_queue_when_the_vertex_that_it_reads_was_pruned() -> None:
    model = csp.Model({"A": (1,), "B": (1, 2), "C": (1, 2, 3)}, [csp.AllDifferent.of("AB"), csp.AllDifferent.of("BC")])
    assert [str(event) for event in propagate_arcs(constraint_graph(model))] == [
        "popped B by A",
        "pruned B: 1 by A",
        "marked A by B",
        "marked C by B",
        "popped A by B",
        "popped C by B",
        "pruned C: 2 by B",
        "marked B by C",
        "popped B by C",
    ]
    never = csp.Model({"A": (1, 2)}, [csp.Equality("A", 3)])
    assert [str(event) for event in propagate_arcs(constraint_graph(never))] == ["failed A"]


def test_the_page_of_the_algorithm_has_at_most_200_lines() -> None:
    assert len((ROOT / "csp" / "graph.py").read_text(encoding="utf-8").splitlines()) <= 200


def test_the_page_on_the_engine_quotes_the_propagation() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    (quoted,) = re.findall(r"```python\n(def propagate.*?)```", page, re.S)
    for quotation, function in zip(ast.parse(quoted).body, (propagate, pop), strict=True):
        (source,) = ast.parse(inspect.getsource(function)).body
        assert isinstance(quotation, ast.FunctionDef) and isinstance(source, ast.FunctionDef)
        assert list(map(ast.unparse, quotation.body)) == list(map(ast.unparse, source.body[1:]))


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "zebra", "money"])
def test_steps_have_the_events_of_propagation_in_the_same_order(name: str) -> None:
    model = dsl.load(ROOT / "examples" / f"{name}.csp")
    graph = constraint_graph(model)
    start, *following = csp.steps(model)
    assert start.domains == dict(graph.nodes(data="domain")) and start.event is None
    assert [event for step in following for event in step.events] == list(propagate(graph))
    assert following[-1].domains == dict(graph.nodes(data="domain")) and not following[-1].queue
    for before, step in pairwise([start, *following]):
        assert step.event == GraphEvent("popped", before.queue[0])
        assert {v: {*d} - {*step.removed.get(v, ())} for v, d in before.domains.items()} == {
            v: {*d} for v, d in step.domains.items()
        }
        assert len(repr(step)) <= 120 and "\n" not in repr(step)


def test_a_user_chooses_the_next_step_and_earlier_steps_stay() -> None:
    start = next(csp.steps(shidoku()))
    first = start.next("N")
    assert str(first) == "step 1: N = 3 removes 3 from M, O, P, B, J, I; queue C F K M O P B J I"
    assert first.removed["B"] == (3,) and start.queue == ("C", "F", "K", "N")
    assert str(start.next()).startswith("step 1: C = 4 removes 4 from ") and start.domains["B"] == (1, 2, 3, 4)
    with pytest.raises(csp.ModelError, match="P is not in the queue: C F K N"):
        start.next("P")


def test_every_order_of_steps_has_the_same_fixpoint() -> None:
    for seed in range(20 * TIMES):
        rng = random.Random(seed)
        *_, last = csp.steps(shidoku())
        step = next(csp.steps(shidoku()))
        while step.queue:
            step = step.next(rng.choice(step.queue))
        assert step.domains == last.domains


def test_a_step_continues_with_a_given_and_names_a_failure() -> None:
    model = csp.Model({v: (1, 2) for v in "ABC"}, [csp.AllDifferent.of("ABC")])
    (start,) = csp.steps(model)
    given = start.given(csp.var("A"), 1)  # type: ignore[arg-type]
    assert str(given) == "step 1: given A = 1 removes 2 from A; queue A" and given.removed == {"A": (2,)}
    popped, failed = given
    assert str(popped) == "step 2: A = 1 removes 1 from B, C; queue B C"
    assert (failed.failed, failed.queue) == ("C", ()) and str(failed).endswith("; C has no value left")
    for refused, text in (
        (lambda: start.given("A", 3), "A = 3 is not a remaining candidate"),
        (lambda: start.next(), "the queue is empty"),
        (lambda: failed.next(), "C has no value left"),
        (lambda: failed.given("B", 1), "C has no value left"),
    ):
        with pytest.raises(csp.ModelError, match=text):
            refused()
    (never,) = csp.steps(csp.Model({"A": (1, 2)}, [csp.Equality("A", 3)]))
    assert never.failed == "A" and str(never) == "step 0: start; A has no value left"


LESSON = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")


def test_the_program_of_the_lesson_prints_its_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    ((program, output),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", LESSON, re.S)
    exec(program, {})
    assert capsys.readouterr().out == output


def test_the_lesson_s_pseudocode_has_eight_lines_and_names_every_event() -> None:
    (pseudocode,) = re.findall(r"```text\n(mark .*?)```", LESSON, re.S)
    assert pseudocode.count("\n") == 8
    assert all(verb in pseudocode for verb in ("pop the", "prune the", "mark it", "failed"))


def test_the_figures_of_the_lesson_are_measured() -> None:
    start, *following = csp.steps(shidoku())
    step = start
    while step.queue:
        step = step.next(next(v for v in step.queue if len(step.domains[v]) == 1))
    arcs = [event.kind for event in propagate_arcs(constraint_graph(shidoku()))]
    removed = [value for after in following for values in after.removed.values() for value in values]
    assert f"needs {len(following)} steps" in LESSON and f"needs only\n{step.number}?" in LESSON
    assert f"pops {arcs.count('popped')} arcs instead of {len(following)} vertices" in LESSON
    assert f"the same {len(removed)}\n" in LESSON and arcs.count("pruned") == len(removed)


def test_a_picture_has_domains_asterisks_and_the_acting_edge() -> None:
    graph = constraint_graph(shidoku())
    steps = propagate(graph)
    next(steps)
    source = snapshot_dot(graph, next(steps)).source
    assert 'A [label="A\n{1 2 3}"]' in source and 'F [label="F*\n{2}"]' in source
    assert "\tA -- C [color=red penwidth=4]" in source and source.count("--") == 56
    assert b"<svg" in draw([source])[0]
