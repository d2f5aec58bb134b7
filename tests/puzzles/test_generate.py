"""Tests of ``csp generate``: seeds, written specs, refusals and limits."""

from __future__ import annotations

import errno
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import csp.base.files
import dsl
from csp.explain import TECHNIQUES, explain, rate
from csp.explain.setting import Setter, Wanted, attempts
from csp.explain.setting.needing import SINGLES, Sweeps
from csp.explain.steps.walk import Walker
from dsl.cli import main
from dsl.cli.commands.generate import Order
from dsl.puzzles.setting import Choice, Clues, NoClues, choice_of
from dsl.syntax.errors import Source

from ..commands import run
from ..conftest import ROOT
from ..spreading import WITH_SIGNALS
from ..squares import SUDOKU, puzzles, squares_with_boxes

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


def test_equal_seeds_set_equal_puzzles() -> None:
    arguments = [sys.executable, "-m", "csp", "generate", SUDOKU, "--set", "box=2", "--grid", "clue"]
    arguments += ["--seed", "x", "--count", "5", "--givens", "4"]
    outputs = {
        subprocess.run(
            [*arguments, "--jobs", jobs],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": jobs},
        ).stdout
        for jobs in ("1", "2")
    }
    (output,) = outputs
    lines = output.splitlines()
    assert len(lines) == 5 == len(set(lines)) and {16 - line.count(".") for line in lines} == {4}
    second_result = run("generate", SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", "y", "--count", 5)
    assert not set(second_result.stdout.splitlines()) & set(lines)


def test_a_seed_draws_a_random_solution() -> None:
    solver = csp.Solver(dsl.load(SUDOKU, {"box": 2}, {"clue": ""}))
    drawn = [solver.solve(settings=csp.Settings(seed=seed)) for seed in range(300)]
    grids = {tuple(solution.values()) for solution in drawn if solution}
    assert len(grids) > 150 and grids <= {
        tuple(value for row in grid for value in row) for grid in squares_with_boxes()
    }
    assert drawn == [solver.solve(settings=csp.Settings(seed=seed)) for seed in range(300)]
    first = solver.solve()
    assert first == csp.Solver(solver.model).solve()
    learner = csp.Solver(solver.model, settings=csp.Settings(search="learn"))
    assert len({str(learner.solve(settings=csp.Settings(search="learn", seed=seed))) for seed in range(12)}) > 3
    assert {csp.count(solver.model, settings=csp.Settings(seed=seed)).value for seed in (1, 2)} == {288}


def test_the_difficulty_of_a_puzzle_equals_its_rating(tmp_path: Path) -> None:
    arguments = (SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 8, "--count", 3)
    for puzzle in puzzles(*arguments, "--difficulty", "10.5..11.5"):
        model = dsl.load(SUDOKU, {"box": 2}, {"clue": puzzle["puzzle"]})
        assert rate(csp.Solver(model)).rating == puzzle["rating"] and 10.5 <= puzzle["rating"] <= 11.5
    assert {puzzle["rating"] for puzzle in puzzles(*arguments)} == {None}


def test_written_specs_are_complete_and_not_overwritten(tmp_path: Path) -> None:
    arguments = ("generate", SUDOKU, "--set", "rows=2", "--set", "cols=3", "--grid", "clue", "--seed", 9, "--count", 2)
    result = run(*arguments, "--out", tmp_path / "new")
    lines = run(*arguments).stdout.splitlines()
    paths = result.stdout.splitlines()
    assert len(paths) == len(lines) == 2 and {str(path) for path in (tmp_path / "new").iterdir()} == set(paths)
    for path, line in zip(paths, lines, strict=True):
        text = Path(path).read_text()
        assert "% Puzzle: set by csp generate --seed 9, attempt" in text and "Wikipedia" not in text
        model = dsl.load(SUDOKU, {"rows": 2, "cols": 3}, {"clue": line})
        assert dsl.loads(text) == model and csp.count(model).value == 1
    Path(paths[0]).write_text("% mine")
    assert run(*arguments, "--out", tmp_path / "new").exit_code == 2 and Path(paths[0]).read_text() == "% mine"


def test_a_spec_with_includes_is_written_into_its_folder(tmp_path: Path) -> None:
    (tmp_path / "own.csp").write_text("include sudoku.\nparam box = 2.\n")
    (tmp_path / "outer.csp").write_text('include "own.csp".\n')
    (puzzle,) = puzzles(tmp_path / "outer.csp", "--grid", "clue", "--seed", 1)
    result = run("generate", tmp_path / "outer.csp", "--grid", "clue", "--seed", 1, "--out", tmp_path)
    assert result.exit_code == 0
    assert dsl.load(result.stdout.strip()) == dsl.load(SUDOKU, {"box": 2}, {"clue": puzzle["puzzle"]})
    refusal = run("generate", tmp_path / "outer.csp", "--grid", "clue", "--seed", 1, "--out", tmp_path / "new")
    assert refusal.exit_code == 2 and "includes files of its folder" in refusal.output
    (tmp_path / "own.csp").write_text("include killer.\n")
    result = run("generate", tmp_path / "outer.csp", "--facts", "total(_, T)")
    assert result.exit_code == 2 and "in a file that the spec includes" in result.output


def test_a_picture_without_its_walls_is_refused_with_names_of_the_spec(tmp_path: Path) -> None:
    """Refuse an akari in one picture without its walls.

    Its numbers would be on squares without a neighbour, and the text could not be read again.
    """
    text = """grid board(2, 3) = ".#. ...".
    white(R, C) :- R in 1..2, C in 1..3, not board(R, C, _).
    bulb(R, C) in 0..1 :- white(R, C).
    sum(bulb(S, D) : white(S, D), abs(R - S) + abs(C - D) = 1) = V :- board(R, C, V), V != '#'."""
    (tmp_path / "akari.csp").write_text(text)
    result = run("generate", tmp_path / "akari.csp", "--grid", "board", "--seed", 1)
    assert result.exit_code == 2 and "never hold" not in result.output
    assert "facts of board exclude more together" in result.output and "such as walls" in result.output


def test_written_pictures_keep_their_boxes(tmp_path: Path) -> None:
    run("generate", SUDOKU, "--grid", "clue", "--seed", 1, "--out", tmp_path)
    (path,) = tmp_path.iterdir()
    assert re.search(r"\n  [1-9.]{3} \| [1-9.]{3} \| [1-9.]{3}\n  ----\+-----\+----\n", path.read_text())


def make_clues(text: str, *choices: Choice, **options: Any) -> Clues:
    return Clues(dsl.Program(Source("s.csp", text)), {}, {}, choices, **options)


def test_facts_that_imply_more_together_are_refused() -> None:
    text = (
        "x(I) in 1..3 :- I in 1..3. big(1). big(2). big(3). x(I) > 1 :- big(I). x(I) != x(J) :- big(I), big(J), I < J."
    )
    clues = make_clues(text, choice_of("big"))
    solution = {"x(1)": 2, "x(2)": 3, "x(3)": 1}
    groups = clues.true_clues(solution, random.Random(1))
    assert [clue.fact for (clue,) in groups] == [("big", 1), ("big", 2)]
    with pytest.raises(NoClues, match="exclude more together"):
        clues.text([clue for group in groups for clue in group], "t")
    assert clues.text(groups[0], "t").count("big(1).") == 1
    clues = make_clues(
        "x(I) in 1..3 :- I in 1..2. big(1). big(2). x(I) > 1 :- big(I). x(I) < 3 :- big(I).", choice_of("big")
    )
    assert [clue.fact for (clue,) in clues.true_clues({"x(1)": 3, "x(2)": 2}, random.Random(1))] == [("big", 2)]


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("sudoku", ["--grid", "cleu"], "did you mean clue?"),
        ("sudoku", [], "choose clues by --grid NAME or --facts NAME"),
        ("sudoku", ["--grid", "clue", "--grid", "clue=a", "--grid", "clue=b"], "clue is given twice"),
        ("sudoku", ["--facts", "less(1)"], "is not of the form"),
        ("sudoku", ["--facts", "less"], "no facts of less"),
        ("killer", ["--facts", "total(T)"], "have 2 arguments, not 1"),
        ("killer", ["--facts", "total(_, T)", "--symmetry", "mirror"], "no such symmetry"),
        ("killer", ["--grid", "cage"], "nothing follows from a fact of cage"),
        ("hitori", ["--grid", "clue"], "nothing follows from a fact of clue"),
        ("sudoku", ["--grid", "clue", "--givens", "5..4"], "is not a range"),
        ("sudoku", ["--grid", "clue", "--givens", "2.5..4"], "is not a range"),
        ("golomb", ["--facts", "x"], "no facts of x"),
    ],
)
def test_invalid_choices_are_refused_with_a_reason(file: str, options: list[str], message: str) -> None:
    result = run("generate", ROOT / "examples" / f"{file}.csp", *options, "--seed", 1)
    assert result.exit_code == 2 and message in result.output and not result.stdout


def test_a_search_without_a_puzzle_reports_its_limit() -> None:
    result = run("generate", SUDOKU, "--grid", "clue", "--seed", 1, "--givens", "17..19", "--timeout", 1)
    assert result.exit_code == 3 and not result.stdout
    assert re.search(
        r"stopped by the limit of 1 second: 0 of 1 puzzle after \d+ attempts?: they have 2\d", result.stderr
    )
    text = 'x(I) in 1..3 :- I in 1..2. "one": x(1) > V :- big(V). big(1).'
    order = Order(Source("s.csp", text), {}, {}, (choice_of("big"),), None)
    tried = [attempt for _, attempt in zip(range(2), attempts(order, Wanted(), 1), strict=False)]
    assert [attempt.puzzle for attempt in tried] == [None, None]


def test_ctrl_c_leaves_complete_puzzles() -> None:
    command = [sys.executable, "-m", "csp", "generate", SUDOKU, "--grid", "clue", "--seed", "1", "--count", "99999"]
    for options in ([], ["--jobs", "2"]):
        with subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            first_line = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        lines = (first_line + output).splitlines()
        assert process.returncode == 130 and all(re.fullmatch(r"[.1-9]{81}", line) for line in lines)
        assert re.fullmatch(r"csp: stopped by Ctrl-C: [\d,]+ of 99,999 puzzles after [\d,]+ attempts?\n", errors), (
            errors
        )


@WITH_SIGNALS
def test_a_search_for_a_rating_shows_the_nearest_rating_on_a_terminal() -> None:
    import pty

    terminal, inner = pty.openpty()
    command = [sys.executable, "-m", "dsl", "generate", str(SUDOKU), "--set", "box=2", "--grid", "clue"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    output = b""
    with subprocess.Popen([*command, "--difficulty", "9000"], stderr=inner, cwd=ROOT, env=environment) as process:
        os.close(inner)
        while b"nearest rating " not in output:
            output += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
    output += os.read(terminal, 4096)
    os.close(terminal)
    assert process.returncode == 130 and b" attempts" in output


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "--difficulty",
            "easy is not a range: write two ratings such as 20..40.5; csp rate prints the rating of a puzzle",
        ),
        ("--givens", "easy is not a range: write two numbers of clues such as 24..28"),
    ],
)
def test_an_invalid_range_is_refused_with_an_example(option: str, message: str) -> None:
    result = run("generate", SUDOKU, "--grid", "clue", option, "easy")
    assert result.exit_code == 2 and message in " ".join(result.stderr.split())


def test_a_full_disk_is_reported_with_the_number_of_written_specs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, remaining_writes = csp.base.files.write_whole, [2]

    def write(path: Path, content: bytes) -> None:
        remaining_writes[0] -= 1
        if remaining_writes[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(csp.base.files, "write_whole", write)
    command = ["generate", SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", "1", "--count", "4", "--out", tmp_path]
    result = run(*command)
    assert result.exit_code == 2 and "No space left on device; 2 of 4 new specs were written" in result.stderr
    assert len([*tmp_path.iterdir()]) == 2
    monkeypatch.undo()
    assert run(*command).exit_code == 0 and len([*tmp_path.iterdir()]) == 4
    last_path = max(tmp_path.iterdir(), key=lambda path: int(path.stem.rpartition("-")[2]))
    last_path.write_text("something else")
    result = run(*command)
    assert result.exit_code == 2 and "exists with other content; 3 of 4 new specs were written" in result.stderr


def test_a_model_with_an_objective_is_refused() -> None:
    clues = make_clues("x in 1..3. minimize(x). big(1). x > V :- big(V).", choice_of("big"))
    with pytest.raises(csp.ModelError, match="without an objective"):
        Setter(clues.model, clues.true_clues)


def test_the_examples_on_the_page_on_setting_are_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "setting.md").read_text(encoding="utf-8")
    sessions = [
        session for block in re.findall(r"```console\n(.*?)```", page, re.S) for session in block.split("$ csp ")[1:]
    ]
    assert len(sessions) == 7
    for session in sessions:
        command, _, expected = session.partition("\n")
        if "--timeout" not in command:
            assert CliRunner().invoke(main, shlex.split(command)).stdout == expected, command
    (code,) = re.findall(r"```python\n(.*?)```", page, re.S)
    scope: dict[str, Any] = {}
    for line in filter(None, code.splitlines()):
        expression, _, value = line.partition("  # ")
        if value and "=" not in expression:
            assert repr(eval(expression, scope)) == value
        else:
            exec(line, scope)


@pytest.mark.parametrize(
    ("file", "options", "technique"),
    [
        ("sudoku", ["--grid", "clue"], "XY-wing"),
        ("sudoku", ["--grid", "clue", "--symmetry", "rotation"], "pointing"),
        ("sudoku_x", ["--grid", "clue"], "hidden single"),
    ],
)
def test_a_puzzle_needs_the_required_technique(tmp_path: Path, file: str, options: list[str], technique: str) -> None:
    path = ROOT / "examples" / f"{file}.csp"
    result = run("generate", path, *options, "--needs", technique, "--seed", 2, "--out", tmp_path)
    solver = csp.Solver(dsl.load(result.stdout.strip()))
    ladder = Wanted(needed=(technique,)).ladder
    assert ladder[-1].name == technique and csp.count(solver.model).value == 1
    assert explain(solver, ladder=ladder).ending == "solved"
    assert explain(solver, ladder=ladder[:-1]).ending == "stuck"


def test_only_the_allowed_techniques_solve_a_puzzle() -> None:
    names = ["full house", "naked single", "hidden single", "pointing", "claiming"]
    options = ["--needs", "hidden single", "--needs", "pointing", "--only", ",".join(names)]
    (line,) = run("generate", SUDOKU, "--grid", "clue", *options, "--seed", 4).stdout.splitlines()
    solver = csp.Solver(dsl.load(SUDOKU, {}, {"clue": line}))
    ladder = [TECHNIQUES[name] for name in names]
    assert explain(solver, ladder=ladder).ending == "solved"
    for omitted in ladder[2:4]:
        assert explain(solver, ladder=[t for t in ladder if t is not omitted]).ending == "stuck"
    # Without --needs, a puzzle that the allowed techniques solve is enough.
    (line,) = run("generate", SUDOKU, "--grid", "clue", "--only", names[1], "--seed", 1).stdout.splitlines()
    solver = csp.Solver(dsl.load(SUDOKU, {}, {"clue": line}))
    assert explain(solver, ladder=[TECHNIQUES[names[1]]]).ending == "solved"


@pytest.mark.parametrize(("technique", "seed"), [("hidden triple", 1), ("X-chain", 1)])
def test_rare_techniques_need_few_attempts(technique: str, seed: int) -> None:
    # Random puzzles need these techniques about once in a thousand.
    setting = make_clues(Path(SUDOKU).read_text(encoding="utf-8"), Choice("clue"))
    wanted = Wanted(needed=(technique,))
    tried = islice(attempts(lambda: Setter(setting.model, setting.true_clues), wanted, seed), 8)
    found = next(attempt.puzzle for attempt in tried if attempt.is_wanted)
    assert found is not None and None not in [clue.values for clue in found.clues]
    givens = {name: value for clue in found.clues for name, value in (clue.values or {}).items()}
    solver = csp.Solver(setting.model)
    assert explain(solver, givens, wanted.ladder).ending == "solved"
    assert explain(solver, givens, wanted.ladder[:-1]).ending == "stuck"


def test_sweeps_place_the_same_singles_as_the_techniques() -> None:
    solver = csp.Solver(dsl.load(ROOT / "examples" / "sudoku_x.csp"))
    walker = Walker(solver, ladder=[TECHNIQUES[name] for name in sorted(SINGLES)])
    swept = Sweeps(walker.view).place_singles(walker.view)
    walker.run()
    assert walker.path and (swept.live, swept.placed) == (walker.view.live, walker.view.placed)


def test_puzzles_for_a_technique_do_not_depend_on_hash_seeds_or_jobs() -> None:
    command = [sys.executable, "-m", "csp", "generate", SUDOKU, "--grid", "clue", "--needs", "XY-wing"]
    outputs = {
        subprocess.run(
            [*command, "--seed", "6", "--jobs", jobs],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed, jobs in (("1", "1"), ("2", "1"), ("3", "2"))
    }
    assert len(outputs) == 1


def test_a_search_for_a_technique_reports_the_nearest_path() -> None:
    arguments = ("generate", SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 1, "--timeout", 1, "--needs")
    result = run(*arguments, "swordfish")
    assert result.exit_code == 3 and not result.stdout
    assert "0 of 1 puzzle after" in result.stderr and "no path used swordfish" in result.stderr
    result = run(*arguments, "sordfish")
    assert result.exit_code == 2 and "did you mean swordfish?" in result.stderr


def test_a_uniqueness_test_is_needed_only_without_hidden_variables() -> None:
    text = "grid clue(1, 1). x in 1..2. y in 1..2. x != y. show x. x = V :- clue(_, _, V)."
    setter = Setter(make_clues(text, Choice("clue")).model, make_clues(text, Choice("clue")).true_clues)
    with pytest.raises(csp.ModelError, match="hidden variables"):
        next(attempts(lambda: setter, Wanted(needed=("uniqueness test 1",)), 1))


def test_a_sheet_has_the_puzzles_and_the_needed_step_in_its_key(tmp_path: Path) -> None:
    page_file = tmp_path / "sheet.html"
    options = ("--grid", "clue", "--needs", "pointing", "--seed", 1, "--count", 2)
    result = run("generate", SUDOKU, *options, "-o", page_file)
    *lines, written = result.stdout.splitlines()
    assert result.exit_code == 0 and written == str(page_file) and "--seed" not in result.stderr
    page = page_file.read_text(encoding="utf-8")
    tasks, key = page.split("<h2>Key")
    assert "@page { size: A4;" in page and ".key { break-before: page; }" in page and "<script" not in page
    assert tasks.count("<section>") == key.count("<li>") == len(lines) == 2
    for number, line in enumerate(lines, 1):
        solver = csp.Solver(dsl.load(SUDOKU, {}, {"clue": line}))
        walk = explain(solver, ladder=Wanted(needed=("pointing",)).ladder)
        at, step = next((i, step) for i, step in enumerate(walk.steps, 1) if step.technique == "pointing")
        # The task shows exactly the givens; the key shows the step of the technique, with its reason.
        drawn_task = tasks.split("<h2>Puzzle ")[number]
        assert "".join(re.findall(r">([1-9]+)</text>", drawn_task)) == line.replace(".", "")
        drawn_key = key.split("<h2>Puzzle ")[number]
        assert f"<h3>step {at}: pointing</h3>" in drawn_key
        assert step.reason.split(", all in")[0] in drawn_key
        solution = solver.solve()
        assert solution is not None
        drawn_solution = "".join(re.findall(r">([1-9]+)</text>", drawn_key.split("<h3>solution</h3>")[1]))
        numbers_of_lines = "123456789" * 2
        assert sorted(drawn_solution) == sorted([*map(str, solution.values()), *numbers_of_lines])


def test_ctrl_c_leaves_a_sheet_of_the_puzzles_found(tmp_path: Path) -> None:
    page_file = tmp_path / "sheet.html"
    command = [sys.executable, "-m", "csp", "generate", SUDOKU, "--grid", "clue", "--seed", "1", "--count", "99999"]
    with subprocess.Popen(
        [*command, "--needs", "hidden_pair", "-o", page_file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        first_line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    *lines, written = (first_line + output).splitlines()
    assert process.returncode == 130 and written == str(page_file)
    assert errors.startswith(f"csp: stopped by Ctrl-C: {len(lines)} of 99,999 puzzles after ")
    page = page_file.read_text(encoding="utf-8")
    assert page.count("<section>") == page.count("<li>") == page.count(": hidden pair</h3>") == len(lines)


def test_a_sheet_without_a_puzzle_is_not_written(tmp_path: Path) -> None:
    options = ("--grid", "clue", "--seed", 1, "--givens", "17", "--timeout", 1, "-o", tmp_path / "sheet.html")
    assert run("generate", SUDOKU, *options).exit_code == 3 and not [*tmp_path.iterdir()]
    result = run("generate", SUDOKU, "--grid", "clue", "-o", tmp_path / "sheet.pdf")
    assert result.exit_code == 2 and "write a page (.html) or a folder" in result.output
