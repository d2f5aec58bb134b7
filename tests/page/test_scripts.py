"""Test the scripts of the page in Node against data from Python."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from math import floor
from pathlib import Path
from typing import Any

import pytest

import csp
from csp.engine.compiled.propagators.all_different import tight_sets
from csp.picture.matching import Graph, components, find_matching, is_matching, remaining_images
from csp.picture.picture import vertex_shapes
from csp.picture.plan import Plan
from csp.picture.scene import Scene, scene
from csp.render.page.film import film
from csp.render.page.player import script
from csp.trace import Failure, Removal

from ..conftest import ROOT
from .test_player import HARD, example

PIGEONS = {v: (1, 2) for v in "ABC"}


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("Node is not installed")
    if int(subprocess.run([program, "--version"], capture_output=True, text=True).stdout[1:].split(".")[0]) < 18:
        pytest.skip("this Node has no --test")
    return program


def test_the_scripts_pass_their_tests_in_node(node: str, tmp_path: Path) -> None:
    traces = [
        csp.record(example("shidoku"), "arc"),
        csp.record(example("sudoku", grids={"clue": HARD}), nodes=30),
        csp.record(example("queens"), "domain", nodes=None),
        csp.record(example("money"), nodes=None),
        csp.record(example("doublers"), nodes=2),
        csp.record(example("numbrix"), nodes=0),
        csp.record(example("shikaku"), nodes=0),
        csp.record(example("view"), nodes=0),
        csp.record(example("exam_timetable"), nodes=12),
        csp.record(example("graeco_latin"), nodes=2),
        csp.record(example("mannequin"), nodes=2),
        csp.record(example("dotchi"), nodes=0),
        csp.record(csp.Model(PIGEONS, [csp.AllDifferent.of("ABC")]), "domain"),
    ]
    path = tmp_path / "film.json"
    path.write_text(json.dumps({"films": [describe_film(trace) for trace in traces]}), "utf-8")
    script = ROOT / "tests" / "scripts" / "page.test.mjs"
    result = subprocess.run(
        [node, "--test", script], env={**os.environ, "FILM": str(path)}, capture_output=True, text=True
    )
    assert result.returncode == 0 and "# pass 10" in result.stdout, result.stdout + result.stderr


def describe_film(trace: csp.Trace) -> dict[str, Any]:
    """Return a film and its expected data: last domains, premises, chains, matchings."""
    data = film(trace)
    wide, names = len(data["values"]), [vertex["name"] for vertex in data["vertices"]]
    number = {name: i for i, name in enumerate(names)}

    def code(variable: str, value: csp.Value) -> int:
        return number[variable] * wide + data["values"].index(str(value))

    moments = list(csp.replay(trace))
    premises, chains = [], []
    removers: list[dict[int, int]] = [{}]  # before each record: which record removed a candidate
    for i, record in enumerate(trace.records):
        # Find the candidates that must be removed before this record.
        before, after = moments[i].domains, moments[i + 1].domains
        removed = {
            variable: [value for value in domain if value not in before[variable]]
            for variable, domain in trace.model.domains.items()
        }
        premise: set[int] = set()
        match record:
            case Removal(kind="placed", constraint=constraint, cause=((variable, value),)):
                images = {element.variables[0]: element for element in constraint.apart()}
                place = images[variable].image(value)
                other_candidates = [(v, x) for v in images if v != variable for x in trace.model.domains[v]]
                premise = {code(v, x) for v, x in other_candidates if images[v].image(x) == place}
                assert all(x in removed[v] for v, x in other_candidates if images[v].image(x) == place)
            case Removal(kind="fixed" | "filtered", cause=cause):
                premise = {code(v, x) for v, _ in cause for x in removed[v]}
            case Failure(subject=csp.Variable() as subject):
                premise = {code(subject, x) for x in removed[subject]}
                assert not before[subject]
            case Failure(subject=None, cause=cause):
                premise = {code(v, x) for v, _ in cause for x in removed[v]}
            case Failure() as failure:
                premise = {code(v, x) for v, x in failure.removed}
                assert all(x in removed[v] for v, x in failure.removed) and premise
        premises.append(sorted(premise))
        # Note which record removed each candidate.
        remover_of = dict(removers[-1])
        for variable, domain in trace.model.domains.items():
            for value in domain:
                if value in after[variable]:
                    remover_of.pop(code(variable, value), None)
                elif value in before[variable]:
                    remover_of[code(variable, value)] = i
        removers.append(remover_of)
    # Follow the causes of some removed candidates.
    rng = random.Random(1)
    for _ in range(20):
        position = rng.randrange(1, len(removers))
        if removers[position]:
            start = rng.choice(sorted(removers[position]))
            chains.append([start, position, collect_causes(start, position, removers, premises)])
    end = [code(variable, value) for variable, domain in moments[-1].domains.items() for value in domain]
    # Place the matchings of some moments.
    placements = []
    for position in sorted({0, *rng.sample(range(1, len(moments)), min(40, len(moments) - 1))}):
        matchings = {
            number: describe_matching(constraint, moments[position], trace)
            for number, constraint in enumerate(trace.model.constraints)
            if is_matching(constraint)
        }
        placements.append([position, matchings])
    plan = Plan(trace.model, trace.origins)
    return {
        "data": data,
        "end": sorted(end),
        "premises": premises,
        "chains": chains,
        "stands": placements,
        "vertices": describe_vertices(trace, moments),
        "helpers": [describe_helpers(plan, plan.with_visible_removals(scene(moment))) for moment in moments[1:]],
    }


def describe_vertices(trace: csp.Trace, moments: list[csp.Moment]) -> list[Any]:
    """Return the shapes of all vertices, except their bodies, at some moments."""
    plan, shapes = Plan(trace.model, trace.origins), []
    for position in sorted({0, 1, len(moments) // 3, len(moments) // 2, len(moments) - 1}):
        current = plan.with_visible_removals(scene(moments[position]))
        for number, v in enumerate(trace.model.domains):
            removed = [
                value
                for variable, value in current.removed
                if variable == v and value not in plan.list_values(v, current)
            ]
            _, *inside = vertex_shapes(plan, current, v, removed)
            looks = [(s.look.replace("head active", "head"), s) for s in inside if not s.look.startswith("ground")]
            shapes.append([position, number, [[s.kind, look, round(s.size, 2), s.text] for look, s in looks]])
    return shapes


def describe_helpers(plan: Plan, shown: Scene) -> list[Any]:
    """Return the looks, middles, widths and texts of the signs of helpers in a scene, and its note on others.

    A line has its first point, and no width.
    """
    shapes = [] if shown.failure else list(plan.touched.signs(shown))
    drawn = [shape for shape in shapes if shape.look != "cross" and not shape.look.endswith("-cause")]
    middles = [[floor(coordinate + 0.5) for coordinate in shape.points[0]] for shape in drawn]
    widths = [floor(shape.points[1][0] + 0.5) if shape.kind == "box" else 0 for shape in drawn]
    signs = [[shape.look, *at, width, shape.text] for shape, at, width in zip(drawn, middles, widths, strict=True)]
    return [signs, plan.undrawn_note(shown)]


def collect_causes(start: int, position: int, removers: list[dict[int, int]], premises: list[list[int]]) -> list[int]:
    """Return the records from which the removal of a candidate follows."""
    records: set[int] = set()
    stack = [removers[position][start]]
    while stack:
        record = stack.pop()
        if record not in records:
            records.add(record)
            stack += [removers[record][code] for code in premises[record]]
    return sorted(records)


def describe_matching(constraint: csp.Constraint, moment: csp.Moment, trace: csp.Trace) -> list[Any]:
    """Return the places of a matching, its frames, partners and remaining values."""
    graph, images = Graph(constraint, trace.model), remaining_images(constraint, moment.domains)
    assert sorted(list(members) for members, _ in find_matching(images)[1]) == sorted(
        map(list, (m for m, _ in tight_sets(images)))
    )
    stand = graph.place(images)
    partners = [graph.values.index(stand.partner[i]) if i in stand.partner else -1 for i in range(len(images))]
    values = [round(stand.values[value], 1) for value in graph.values]
    remaining = [[graph.values.index(value) for value in image] for image in images]
    return [[round(y, 1) for y in stand.members], values, partners, [list(frame) for frame in stand.frames], remaining]


def test_a_value_is_possible_exactly_within_its_component() -> None:
    """Compare the components of matchings with a search over all assignments."""
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
                    restricted = [image if j != i else (value,) for j, image in enumerate(images)]
                    assert (value in values) == can_differ(restricted)


def can_differ(images: list[tuple[int, ...]]) -> bool:
    """Return whether distinct values can be chosen, one from each image."""
    if not images:
        return True
    return any(can_differ([tuple(x for x in image if x != value) for image in images[1:]]) for value in images[0])


def test_no_template_spans_lines_so_that_the_page_can_drop_indentation() -> None:
    for path in sorted((ROOT / "csp/render/page/scripts").glob("*.js")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if len(re.findall(r"(?<!\\)`", line)) % 2], path.name
    assert "\n " not in script()
