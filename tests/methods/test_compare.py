"""Tests of csp compare, and of the page about methods."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dsl
from csp import LEVELS
from csp.methods import METHODS, attempt

from ..commands import run
from ..conftest import ROOT
from .test_methods import SPEC, logged, nine


def test_compare_prints_a_table_of_all_methods_and_levels() -> None:
    result = run("compare", ROOT / "examples" / "shidoku.csp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and lines[0].split() == [
        "method", "solved", "solutions", "attempts", "unit", "seconds",
    ]  # fmt: skip
    rows = {line.split(" yes ")[0].strip(): line.split(" yes ")[1].split() for line in lines[1:13]}
    assert [*rows] == [f"{name} {level}" if level else name for name in METHODS for level in METHODS[name].levels]
    assert rows["backtracking"][:4] == ["1", "117", "values", "tried"] and rows["annealing"][0] == "1+"
    assert "human\n  U12,S4,S8,U0\n" in result.stdout
    assert "  ... 24 more lines with --verbose\n" in result.stdout and len(lines[0]) <= 80


def test_verbose_prints_the_log() -> None:
    result = run("compare", ROOT / "examples" / "shidoku.csp", "--methods", "tracking,human", "--verbose")
    _, log = logged(dsl.load(ROOT / "examples" / "shidoku.csp"), "tracking")
    expected_log = "".join(f"  {line}\n" for line in log)
    assert result.stdout.startswith(f"tracking\n{expected_log}human\n  U12,S4,S8,U0\nmethod ")
    unsolved = run("compare", ROOT / "examples" / "latin.csp", "--methods", "human", "--verbose")
    assert unsolved.stdout.startswith("human\n  U16,U16\n  gave up: 16 variables are unfixed\nmethod ")
    as_json = run("compare", ROOT / "examples" / "shidoku.csp", "--methods", "tracking", "--verbose", "--json")
    assert json.loads(as_json.stdout)["log"] == log


def test_compare_prints_a_json_object_for_each_method_and_level() -> None:
    result = run("compare", SPEC, "--grid", "clue=-", "--json", "--methods", "engine,human", stdin="55" + 79 * ".")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [(record["method"], record["level"]) for record in objects] == [
        *(("engine", level) for level in LEVELS),
        ("human", None),
    ]
    assert all(record["solved"] is False and record["solutions"] == 0 and record["complete"] for record in objects)


def test_compare_with_each_compares_every_line(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("# comment\n..4..2....1..3..\nbad\n44..............\nx...............\n")
    arguments = ["compare", SPEC, "--set", "box=2", "--each", f"clue={lines}", "--methods", "cover,norvig"]
    result = run(*arguments)
    assert result.exit_code == 2
    assert f"{lines}:3: it has 3 characters, and the grid has 16 cells\n" in result.stderr
    assert f"{lines}:5: x in row 1, column 1: " in result.stderr
    summary = result.stdout.partition("all 2 puzzles:\n")[2].splitlines()
    assert [line.split()[:4] for line in summary[1:]] == [["cover", "1", "of", "2"], ["norvig", "singles", "1", "of"]]
    objects = [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]
    assert [record["line"] for record in objects] == [2, 2, 3, 4, 4, 5]
    assert [record.get("solved") for record in objects] == [True, True, None, False, False, None]


def test_compare_stops_each_method_at_the_timeout() -> None:
    latin_squares = ROOT / "examples" / "latin.csp"
    result = run("compare", latin_squares, "--set", "n=9", "--timeout", "0.05", "--json")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["note"] for record in objects if record["method"] not in ("human", "permutation", "annealing")] == (
        ["stopped by the limit of 0.05 seconds"] * 9
    )
    assert not any(record["complete"] for record in objects)
    human = run("compare", latin_squares, "--methods", "human")
    assert human.exit_code == 3 and "gave up: 16 variables are unfixed" in human.stdout


def test_compare_refuses_unknown_methods_and_invalid_options() -> None:
    result = run("compare", SPEC, "--methods", "covers")
    assert result.exit_code == 2 and "unknown method: covers; did you mean cover?" in result.stderr
    result = run("compare", SPEC, "--methods", "x")
    assert result.exit_code == 2 and "unknown method: x; the methods are backtracking, tracking, " in result.stderr
    assert run("compare", "nowhere.csp").stderr == "csp: nowhere.csp: No such file or directory\n"
    assert run("compare", SPEC, "--timeout", "nan").exit_code == 2
    assert run("compare", SPEC, "--each", "clue").exit_code == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_an_interrupted_compare_prints_the_results_so_far() -> None:
    command = [sys.executable, "-m", "dsl", "compare", "examples/latin.csp", "--set", "n=9", "--verbose"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--methods", "human,cover,engine"], stdout=pipe, stderr=pipe, text=True, cwd=ROOT
    ) as process:
        assert process.stdout
        while "under the givens" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in errors
    note, _, *rows = output.splitlines()
    assert note == "  stopped by Ctrl-C" and [row.split()[0] for row in rows] == ["human", "cover"]
    assert errors == "csp: stopped by Ctrl-C: 1 of 6 ways compared\n"


def test_the_session_on_the_page_is_the_output_of_compare() -> None:
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    (expected,) = re.findall(r"```console\n\$ csp compare examples/shidoku.csp\n(.*?)```", page, re.S)
    seconds = re.compile(r" *[0-9]+\.[0-9]{3}$", re.M)
    assert seconds.sub("", run("compare", ROOT / "examples" / "shidoku.csp").stdout) == seconds.sub("", expected)


def test_the_chart_and_the_table_show_the_measured_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    make = importlib.import_module("make_methods")
    rows = make.read_measurements()
    assert make.PICTURE.read_text(encoding="utf-8") == make.draw_chart(rows), "run python docs/make_methods.py"
    assert make.PAGE.read_text(encoding="utf-8") == make.write_page(rows), "run python docs/make_methods.py"


def test_the_measured_data_agree_with_new_runs() -> None:
    """Repeat fast measurements, and compare all fields except the time."""
    lines = (ROOT / "docs" / "data" / "methods.jsonl").read_text(encoding="utf-8").splitlines()
    nines = (ROOT / "docs" / "data" / "nines.txt").read_text(encoding="utf-8").splitlines()
    unsolvable, several = [line for line in nines if line[0] != "#"]
    models = {
        "the article's 4x4": dsl.load(ROOT / "examples" / "shidoku.csp"),
        "no solution": nine(unsolvable),
        "several solutions": nine(several),
        "X": dsl.load(ROOT / "examples" / "sudoku_x.csp"),
    }
    compared = 0
    for row in map(json.loads, lines):
        if row["puzzle"] in models and row["seconds"] < 0.5:
            result = attempt(models[row["puzzle"]], row["method"], row["level"])
            fields = ("solved", "solutions", "complete", "attempts", "unit", "note")
            assert {key: getattr(result, key) for key in fields} == {key: row[key] for key in fields}
            compared += 1
    assert compared > 30
