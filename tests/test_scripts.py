"""The scripts of the page as modules, without a browser: Node asks them, Python has worked out what they must say."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import csp
from csp.engine.compiled.propagators.matching import tight_sets
from csp.picture.matching import Graph, components, find_matching, is_matching, remaining_images
from csp.picture.picture import vertex_shapes
from csp.picture.plan import Plan
from csp.picture.scene import scene
from csp.render.page.film import film
from csp.trace import Failure, Removal

from .conftest import ROOT
from .test_player import HARD, example

PIGEONS = {v: (1, 2) for v in "ABC"}


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("there is no Node on this machine")
    if int(subprocess.run([program, "--version"], capture_output=True, text=True).stdout[1:].split(".")[0]) < 18:
        pytest.skip("this Node knows no --test")
    return program


def test_the_scripts(node: str, tmp_path: Path) -> None:
    traces = [
        csp.record(example("shidoku"), "arc"),
        csp.record(example("sudoku", grids={"clue": HARD}), nodes=30),
        csp.record(example("queens"), "domain", nodes=None),
        csp.record(example("money"), nodes=None),
        csp.record(csp.Model(PIGEONS, [csp.AllDifferent.of("ABC")]), "domain"),
    ]
    path = tmp_path / "film.json"
    path.write_text(json.dumps({"films": [told(trace) for trace in traces]}), "utf-8")
    script = ROOT / "tests" / "scripts" / "page.test.mjs"
    run = subprocess.run(
        [node, "--test", script], env={**os.environ, "FILM": str(path)}, capture_output=True, text=True
    )
    assert run.returncode == 0 and "# pass 8" in run.stdout, run.stdout + run.stderr


def told(trace: csp.Trace) -> dict[str, Any]:
    """A film, what is left at its end, and for every record what had to be gone before: told from the domains alone."""
    data = film(trace)
    wide, names = len(data["values"]), [vertex["name"] for vertex in data["vertices"]]
    number = {name: i for i, name in enumerate(names)}

    def code(variable: str, value: csp.Value) -> int:
        return number[variable] * wide + data["values"].index(str(value))

    moments = list(csp.replay(trace))
    premises, chains = [], []
    takers: list[dict[int, int]] = [{}]  # before each record: who took what is gone
    for i, record in enumerate(trace.records):
        before, after = moments[i].domains, moments[i + 1].domains
        gone = {
            variable: [value for value in domain if value not in before[variable]]
            for variable, domain in trace.model.domains.items()
        }
        own: set[int] = set()
        match record:
            case Removal(kind="placed", constraint=constraint, cause=((variable, value),)):
                images = {element.variables[0]: element for element in constraint.apart()}
                place = images[variable].image(value)
                others = [(v, x) for v in images if v != variable for x in trace.model.domains[v]]
                own = {code(v, x) for v, x in others if images[v].image(x) == place}
                assert all(x in gone[v] for v, x in others if images[v].image(x) == place)
            case Removal(kind="fixed" | "filtered", cause=cause):
                own = {code(v, x) for v, _ in cause for x in gone[v]}
            case Failure(subject=csp.Variable() as what):
                own = {code(what, x) for x in gone[what]}
                assert not before[what]
            case Failure(subject=None, cause=cause):
                own = {code(v, x) for v, _ in cause for x in gone[v]}
            case Failure(removed_by=parts):
                own = {code(v, x) for _, part in parts for v, x in part}
                assert all(x in gone[v] for _, part in parts for v, x in part) and own
        premises.append(sorted(own))
        now = dict(takers[-1])
        for variable, domain in trace.model.domains.items():
            for value in domain:
                if value in after[variable]:
                    now.pop(code(variable, value), None)
                elif value in before[variable]:
                    now[code(variable, value)] = i
        takers.append(now)
    rng = random.Random(1)
    for _ in range(20):
        position = rng.randrange(1, len(takers))
        if takers[position]:
            start = rng.choice(sorted(takers[position]))
            chains.append([start, position, behind(start, position, takers, premises)])
    end = [code(variable, value) for variable, domain in moments[-1].domains.items() for value in domain]
    stands = []
    for position in sorted({0, *rng.sample(range(1, len(moments)), min(40, len(moments) - 1))}):
        groups = {number: one for number, one in enumerate(trace.model.constraints) if is_matching(one)}
        stands.append([position, {number: stood(one, moments[position], trace) for number, one in groups.items()}])
    return {
        "data": data,
        "end": sorted(end),
        "premises": premises,
        "chains": chains,
        "stands": stands,
        "vertices": drawn(trace, moments),
    }


def drawn(trace: csp.Trace, moments: list[csp.Moment]) -> list[Any]:
    """At some moments, the marks of all vertices but their bodies."""
    plan, found = Plan(trace.model, trace.origins), []
    for position in sorted({0, 1, len(moments) // 3, len(moments) // 2, len(moments) - 1}):
        shown = scene(moments[position])
        for number, v in enumerate(trace.model.domains):
            gone = [value for one, value in shown.removed if one == v and value not in shown.domains[v]]
            _, *inside = vertex_shapes(plan, shown, v, gone)
            looks = [(mark.look.replace("head active", "head"), mark) for mark in inside]
            found.append([position, number, [[m.kind, look, round(m.size, 2), m.text] for look, m in looks]])
    return found


def behind(start: int, position: int, takers: list[dict[int, int]], premises: list[list[int]]) -> list[int]:
    found: set[int] = set()
    todo = [takers[position][start]]
    while todo:
        record = todo.pop()
        if record not in found:
            found.add(record)
            todo += [takers[record][code] for code in premises[record]]
    return sorted(found)


def stood(constraint: csp.Constraint, moment: csp.Moment, trace: csp.Trace) -> list[Any]:
    """Where a group stands in the pictures of Python, its partners, and what is left to its elements."""
    graph, images = Graph(constraint, trace.model), remaining_images(constraint, moment.domains)
    assert sorted(list(members) for members, _ in find_matching(images)[1]) == sorted(
        map(list, (m for m, _ in tight_sets(images)))
    )
    stand = graph.place(images)
    partners = [graph.values.index(stand.partner[i]) if i in stand.partner else -1 for i in range(len(images))]
    values = [round(stand.values[value], 1) for value in graph.values]
    left = [[graph.values.index(value) for value in own] for own in images]
    return [[round(y, 1) for y in stand.members], values, partners, [list(one) for one in stand.frames], left]


def test_the_components_are_right() -> None:
    """A value of another component is in no matching of all, and within one every value is."""
    rng = random.Random(3)
    for _ in range(60):
        images = [tuple(sorted(rng.sample(range(6), rng.randint(1, 3)))) for _ in range(rng.randint(2, 5))]
        pairs, tight = find_matching(images)
        parts = components(images, tight)
        assert len({*pairs.values()}) == len(pairs) and all(value in images[i] for i, value in pairs.items())
        assert sorted(i for members, _ in parts for i in members) == list(range(len(images)))
        if not can_differ(images):
            assert len(parts[0][0]) > len(parts[0][1])
            continue
        for members, values in parts:
            for i in members:
                for value in images[i]:
                    rest = [own if j != i else (value,) for j, own in enumerate(images)]
                    assert (value in values) == can_differ(rest)


def can_differ(images: list[tuple[int, ...]]) -> bool:
    if not images:
        return True
    return any(can_differ([tuple(x for x in own if x != value) for own in images[1:]]) for value in images[0])
