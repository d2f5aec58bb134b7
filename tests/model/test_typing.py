"""Test the types, the imports and the printed forms of the library."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import csp
import dsl

from ..commands import EXAMPLES
from ..conftest import ROOT

TYPED = """
import csp

square = [[csp.var("x", row, column) for column in range(3)] for row in range(3)]
rules = [csp.Distinct(row) for row in square] + [csp.Sum(row) == 15 for row in square]
model = csp.Model({x: range(1, 10) for row in square for x in row}, rules)
walk = csp.explain.explain(csp.Solver(model))
edges = csp.primal(csp.network(model)).number_of_edges()
"""


def blocks(page: str) -> list[str]:
    """Return the Python examples of a page."""
    return re.findall(r"(?s)```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"))


def test_examples_are_clean_under_a_strict_type_checker(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate([TYPED, *blocks("library.md")]):
        files.append(tmp_path / f"example_{number}.py")
        files[-1].write_text(text, encoding="utf-8")
    arguments = ["--strict", "--follow-imports=silent", "--cache-dir", str(ROOT / ".mypy_cache"), *map(str, files)]
    result = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stdout


def test_subpackages_are_imported_on_first_use() -> None:
    code = (
        "import csp, sys; print('csp.explain' in sys.modules, csp.explain.explain, csp.render.player, csp.trace.reach)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.startswith("False <function explain")
    with pytest.raises(AttributeError, match="has no attribute 'explains'"):
        csp.explains  # noqa: B018


def test_the_constraint_graph_is_public() -> None:
    model = dsl.load(EXAMPLES / "shidoku.csp")
    network = csp.network(model)
    assert len(network) == len(model.domains) + len(model.constraints)
    assert csp.primal(network).number_of_edges() == 56
    assert {"network", "primal", "Sum"} <= {*dir(csp)}


def test_large_objects_have_short_printed_forms() -> None:
    model = dsl.load(EXAMPLES / "killer.csp")
    solver, trace = csp.Solver(model), csp.record(model)
    assert repr(model) == "<Model: 81 variables, 97 constraints>"
    assert repr(solver) == "<Solver of <Model: 81 variables, 97 constraints>>"
    assert re.fullmatch("<Trace: [0-9]+ records of <Model: .*>>", repr(trace))
    assert re.fullmatch("<Walk: [0-9]+ steps, solved>", repr(csp.explain.explain(solver)))
    first, second, *_ = csp.replay(trace)
    assert repr(first) == "<Moment: start>" and repr(second).startswith("<Moment: step 1 ")
    assert len(repr(csp.trace.reach(solver))) < 120


def test_a_replay_begins_before_the_first_record() -> None:
    trace = csp.record(dsl.load(EXAMPLES / "shidoku.csp"))
    first, *after = csp.replay(trace)
    assert first.record is None and [moment.record for moment in after] == [*trace.records]
    for record, moment in zip(trace.records, islice(csp.replay(trace), 1, None), strict=True):
        assert moment.record is record


def test_a_sum_counts_constraints() -> None:
    x, y = csp.var("x"), csp.var("y")
    assert str(csp.Sum([x, y, 3]) == 7) == "x + y + 3 = 7" == str(sum([x, y, 3]) == 7)
    model = csp.Model({x: (1, 2), y: (1, 2)}, [csp.Sum(x == 1, y == 1) == 2])
    assert csp.solve(model) == {"x": 1, "y": 1} and str(csp.Sum([])) == "0"


def test_an_element_of_numbers_is_a_table() -> None:
    with pytest.raises(csp.ModelError, match=r"4 is a number: write csp.Table\('', \(x, y\)"):
        csp.element([csp.var("x")], [4, 5, 6])  # type: ignore[list-item]
