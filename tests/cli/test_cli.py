"""Tests of the command line: output, errors and exit codes."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import dsl
from csp import Effort
from dsl.cli import COMMANDS, GROUPS, main
from dsl.cli import progress as progress

from ..commands import EXAMPLES, SOLVED, process, run, spec
from ..conftest import ROOT
from ..studios import served


def test_solve_prints_a_json_object_on_each_line() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=3", "--all", "--json")
    lines = [json.loads(line)["solution"] for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and len(lines) == 12
    assert all(set(line) == {f"cell({r},{c})" for r in (1, 2, 3) for c in (1, 2, 3)} for line in lines)
    count = run("solve", EXAMPLES / "sudoku.csp", "--set", "box=2", "--grid", "clue=-", "--count", "--json", stdin="")
    assert json.loads(count.stdout) == {"format": 2, "count": 288, "complete": True}


def test_a_limit_bounds_printed_and_counted_solutions() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--limit", 2)
    assert result.exit_code == 0 and result.stdout.count("\n\n") == 1 and len(result.stdout.splitlines()) == 9
    counted = run("solve", EXAMPLES / "latin.csp", "--count", "--limit", 5, "--json")
    assert counted.exit_code == 0 and json.loads(counted.stdout) == {"format": 2, "count": 5, "complete": False}


def test_an_unsatisfiable_spec_has_exit_code_1(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B in 1..2.  A < B.  B < A.")
    assert (run("solve", path).exit_code, run("solve", path).stdout) == (1, "no solution\n")
    assert run("solve", path, "--json").stdout == '{"format": 2, "solution": null}\n'
    assert (run("solve", path, "--count").exit_code, run("solve", path, "--count").stdout) == (1, "0\n")
    assert run("propagate", path).exit_code == 1


def test_a_timeout_has_exit_code_3() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=12", "--count", "--timeout", 0.3)
    assert result.exit_code == 3
    assert result.stderr == f"csp: stopped by the limit of 0.3 seconds: at least {int(result.stdout):,}\n"
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=12", "--all", "--timeout", 0.3)
    assert result.exit_code == 3 and re.search("seconds: [0-9,]+ solutions so far; more may exist", result.stderr)


def test_statistics_are_printed_on_stderr() -> None:
    result = run("solve", EXAMPLES / "shidoku.csp", "--stats")
    assert result.stderr.startswith("sweeps 4 · fixes 16 · words 980 · propagators 0 · steps 0 · nodes 1 ·")


class RecordingWatch(progress.ProgressWatch):
    """A progress watch that records each effort that it would display."""

    def __init__(self, patience: float) -> None:
        super().__init__(patience=patience)
        self.efforts: list[Effort] = []

    def show(self, effort: Effort) -> None:
        self.efforts.append(effort)


@pytest.mark.parametrize(("is_terminal", "patience"), [(True, 0), (True, 1000), (False, 0)])
def test_only_a_terminal_shows_progress_after_a_while(
    is_terminal: bool, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    watcher = RecordingWatch(patience)
    effort = Effort(nodes=1)
    watcher(effort)
    assert watcher.efforts == ([effort] if is_terminal and not patience else [])


def test_a_timeout_interrupts_propagation(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B in 1..20000.  A < B.  B < A.")
    result = run("solve", path, "--timeout", 0.3)
    # On a slow machine the limit ends the compilation already.
    assert result.exit_code == 3
    assert re.fullmatch(r"csp: stopped by the limit of 0\.3 seconds(: no solution so far)?\n", result.stderr)


def test_a_count_of_4456_digits_is_printed(tmp_path: Path) -> None:
    result = run("solve", spec(tmp_path, "x(I) in 1..16 :- I in 1..3700."), "--count")
    assert result.exit_code == 0 and len(result.stdout) == 4457


def test_a_usage_error_has_a_hint_and_exit_code_2() -> None:
    assert "unknown command: slove; did you mean solve?" in run("slove", "a.csp").stderr
    assert run("slove").exit_code == run("nosuch").exit_code == 2
    assert run("solve").exit_code == 2
    assert run("solve", EXAMPLES / "latin.csp", "--all", "--count").exit_code == 2
    assert run("solve", EXAMPLES / "latin.csp", "--set", "n").exit_code == 2
    assert run("solve", EXAMPLES / "latin.csp", "--each", "clue=x", "--count").exit_code == 2
    missing = run("solve", "nowhere.csp")
    assert missing.exit_code == 2 and missing.stderr == "csp: nowhere.csp: No such file or directory\n"
    assert run("solve", EXAMPLES / "latin").stderr.endswith(f"; did you mean {EXAMPLES / 'latin.csp'}?\n")
    assert run("solve", EXAMPLES).exit_code == 2
    unknown = run("solve", EXAMPLES / "latin.csp", "--set", "m=3")
    assert unknown.exit_code == 2 and "unknown param: m" in unknown.stderr
    assert "unknown grid: cleu" in run("solve", EXAMPLES / "latin.csp", "--grid", "cleu=-", stdin="").stderr


def test_a_diagnostic_is_printed_with_its_place(tmp_path: Path) -> None:
    path = spec(tmp_path, "A in 1..3.\nall_different([A, Bee]).\n")
    result = run("solve", path)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"{path}:2:19: error: Bee ")


def test_a_spec_without_variables_is_refused(tmp_path: Path) -> None:
    for command in ("solve", "play", "tree"):
        result = run(command, spec(tmp_path, "x(i) in 1..4 :- i in 1..4."))
        assert result.exit_code == 2 and "i is a symbol, so nothing satisfies i in 1..4" in result.stderr
        assert "names that get values begin with a capital letter" in result.stderr
    assert run("solve", "-", stdin="").exit_code == 2


def test_propagate_prints_a_spec(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..4. A < B. A = 2. all_different([A, B, C]).")
    model = dsl.loads(run("propagate", path).stdout)
    assert list(model.domains.values()) == [(2,), (3, 4), (1, 3, 4)] and len(model.constraints) == 2


def test_graph_prints_the_primal_graph_in_graphml() -> None:
    import networkx as nx

    text = run("graph", EXAMPLES / "shidoku.csp", "--primal", "--format", "graphml").stdout
    graph = nx.parse_graphml(text)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (16, 56)


def test_draw_writes_numbered_files_into_a_new_folder(tmp_path: Path) -> None:
    result = run("draw", EXAMPLES / "shidoku.csp", "--out", tmp_path / "new" / "folder")
    names = [Path(line).name for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and names[:2] == ["000-network.dot", "000-network.svg"]
    assert all((tmp_path / "new" / "folder" / name).stat().st_size > 1000 for name in names)


def test_a_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m dsl solve examples/latin.csp --set n=5 --all --json | head -n 1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0 and result.stdout.count("\n") == 1 and result.stderr == ""


@pytest.mark.parametrize("command", [("export", "--to", "asp"), ("play",), ("tree",), ("levels",)])
def test_an_output_file_must_not_be_an_input_file(command: tuple[str, ...], tmp_path: Path) -> None:
    spec_path, clues = tmp_path / "mine.csp", tmp_path / "clues.svg"
    spec_path.write_text('grid g = "1". c(R, C) in 1..2 :- g(R, C, _).', encoding="utf-8")
    clues.write_text("2", encoding="utf-8")
    for out in (spec_path, clues, tmp_path / "." / "mine.csp"):
        name, *options = command
        result = run(name, spec_path, "--grid", f"g={clues}", *options, "--out", out)
        assert result.exit_code == 2 and "is an input file and would be overwritten" in result.stderr
    assert clues.read_text(encoding="utf-8") == "2" and spec_path.read_text(encoding="utf-8").startswith("grid g")


def test_help_and_version_have_short_options() -> None:
    import csp

    for arguments in ([], ["solve"], ["play"], ["import"]):
        assert run(*arguments, "-h").stdout == run(*arguments, "--help").stdout != ""
    version = run("-V").stdout
    assert version == run("--version").stdout == f"csp (alldifferent) {csp.__version__}, {csp.kernel_in_use()} kernel\n"


def test_both_packages_run_the_same_program() -> None:
    command = [sys.executable, "-m", "csp", "solve", "examples/shidoku.csp"]
    engine = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    language = process("solve", "examples/shidoku.csp")
    assert (engine.returncode, engine.stderr, language.returncode, language.stderr) == (0, "", 0, "")
    assert engine.stdout == language.stdout != ""


def test_a_file_without_a_command_is_solved() -> None:
    assert run(EXAMPLES / "latin.csp").stdout == run("solve", EXAMPLES / "latin.csp").stdout
    assert run(EXAMPLES / "latin.csp", "--limit", 2).stdout.count("\n\n") == 1
    assert run("nowhere.csp").exit_code == 2


def test_several_files_are_solved_in_order(tmp_path: Path) -> None:
    solvable, unsolvable = EXAMPLES / "latin.csp", spec(tmp_path, "A, B in 1..2. A < B. B < A.")
    result = run("solve", solvable, unsolvable, solvable)
    answer = run("solve", solvable).stdout
    assert result.stdout == f"{solvable}:\n{answer}\n{unsolvable}:\nno solution\n\n{solvable}:\n{answer}"
    assert result.exit_code == 1
    result = run("solve", "nowhere.csp", solvable, "--json")
    assert result.exit_code == 2 and json.loads(result.stdout)["file"] == str(solvable)
    assert result.stderr == "csp: nowhere.csp: No such file or directory\n"
    invalid = tmp_path / "wrong.csp"
    invalid.write_text("A in .")
    assert run("solve", invalid, unsolvable).exit_code == 2 and run("solve", invalid, unsolvable).stdout.endswith(
        "no solution\n"
    )
    assert "only once" in run("solve", solvable, solvable, "--grid", "clue=-", stdin="").stderr
    assert run("solve", solvable, solvable, "--each", "clue=-").exit_code == 2


def test_all_with_a_limit_prints_as_many_as_the_limit() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--all", "--limit", 2)
    assert result.exit_code == 0 and result.stdout == run("solve", EXAMPLES / "latin.csp", "--limit", 2).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "n=4", "--set", "n=5"], "n is given twice"),
        (["--grid", "clue=a", "--grid", "clue=b"], "clue is given twice"),
        (["--set", "n=" + "9" * 21], "this has more than 18 digits"),
        (["--set", "n=3.5"], "n=3.5: this is neither a whole number nor a symbol"),
        (["--set", "n="], "n= has no value; an empty symbol is ''"),
        (["--set", "n=9**9"], "n=9**9: this is neither a whole number nor a symbol"),
        (["--timeout", "nan"], "nan is not a number of seconds"),
        (["--timeout", "inf"], "inf is not a number of seconds"),
        (["--timeout", "-1"], "-1 is not a number of seconds"),
        (["--timeout", "1e18"], "1e+18 is not a number of seconds; the maximum is 1,000,000,000"),
        (["--limit", "9" * 23], "is too large; the maximum is 1,000,000,000"),
        (["--jobs", "9" * 11], "is not in the range 1<=x<=1024"),
    ],
)
def test_invalid_settings_are_refused(options: list[str], message: str) -> None:
    result = run("solve", EXAMPLES / "latin.csp", *options)
    assert result.exit_code == 2 and message in result.stderr and not result.stdout


def test_the_message_about_a_claim_contains_the_whole_claim() -> None:
    result = run("why", EXAMPLES / "latin.csp", "cell(1,1) = 5 = 5")
    assert result.exit_code == 2 and "Invalid value for CLAIM: cell(1,1)=5 = 5: this is neither" in result.stderr


@pytest.mark.parametrize("command", ["tree", "trace", "levels", "play", "draw"])
def test_a_limit_above_the_maximum_is_refused(command: str, tmp_path: Path) -> None:
    option = ["--out", tmp_path, "--limit"] if command == "draw" else ["--nodes"]
    result = run(command, EXAMPLES / "latin.csp", *option, "9" * 23)
    assert result.exit_code == 2 and "is too large; the maximum is 1,000,000,000" in result.stderr


ESCAPES = "A in {'\x1b]0;pwn\x07', b}. \"l\x1b[31m\": A != b. x('\x1b[1m', I) in 1..2 :- I in 1..2."


@pytest.mark.parametrize("command", ["solve", "check", "trace", "play", "propagate", "tree", "graph"])
def test_no_escape_sequence_is_printed_on_a_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = spec(tmp_path, ESCAPES)
    answer = run(command, path).output
    if command in ("solve", "check", "trace", "play"):
        assert not {"\x1b", "\x07"} & set(answer)
        assert command == "check" or "\\x1b" in answer
    monkeypatch.setattr("dsl.cli.output.is_terminal", lambda: True)
    assert not {"\x1b", "\x07"} & set(run(command, path).output)


def test_output_for_programs_is_not_escaped(tmp_path: Path) -> None:
    path = spec(tmp_path, ESCAPES)
    assert json.loads(run("solve", path, "--json").stdout)["solution"]["A"] == "\x1b]0;pwn\x07"
    assert "\x1b]0;pwn\x07" in dsl.loads(run("propagate", path).stdout).domains["A"]
    assert run("format", "-", stdin=ESCAPES).stdout.startswith("A in {'\x1b]0;pwn\x07', b}.")


def test_help_lists_every_command_once_without_abbreviation() -> None:
    page = run("--help").stdout
    listed = [name for _, _, names in GROUPS for name in names.split()]
    assert sorted(listed) == sorted(COMMANDS), "GROUPS in dsl/cli/__init__.py must contain each command once"
    assert "..." not in page.partition("Options:")[2]
    assert all(re.search(rf"^  {name} ", page, re.M) for name in COMMANDS)
    assert all(example in page and example.split()[1] in names for _, example, names in GROUPS)
    assert run("help").stdout == page and run("help", "rate").stdout == run("rate", "--help").stdout
    assert run("help", "rat").exit_code == 2


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_a_help_text_has_one_line_of_exit_codes_and_an_example_that_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("examples", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    command = main.get_command(None, name) if name else main  # type: ignore[arg-type]
    assert command and command.help
    text = inspect.cleandoc(command.help)
    assert len(re.findall(r"(?m)^Exit code: 0 \w.*\.$", text)) == 1
    [example] = re.findall(r"(?m)^Example: csp (.*)$", text)
    assert example.split()[0] == (name or "solve")
    if name == "verify":
        assert run("check", "examples/sudoku.csp", "--certificate", "PROOF").exit_code == 0
    if name == "studio":
        with served(*example.split()[1:]) as studio:
            assert studio.address.startswith("http://")
    else:
        result = run(*shlex.split(example))
        assert result.exit_code <= 1, result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_is_a_sentence_of_at_most_ten_words(name: str) -> None:
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command
    texts = [option.help or "" for option in command.params if isinstance(option, click.Option)]
    assert all(re.fullmatch(r"[A-Z].*\.", text) for text in texts)
    assert all(len(text.removesuffix(" - is standard output.").split()) <= 10 for text in texts)


@pytest.mark.parametrize(
    ("words", "incomplete", "completions"),
    [
        (["solve", "examples/sudoku.csp", "--grid"], "", ["clue="]),
        (["solve", "examples/sudoku.csp", "--set"], "b", ["box="]),
        (["generate", "examples/sudoku.csp", "--grid"], "c", ["clue"]),
        (["generate", "examples/sudoku.csp", "--set"], "b", ["box="]),
        (["check", "examples/sudoku.csp", "--grid"], "clue=docs/da", ["clue=docs/data/"]),
        (["check", "examples/sudoku.csp", "--set"], "box=", []),
        (["check", "examples/none.csp", "--set"], "", []),
        (["check", "--ignore"], "unused-p", ["unused-param"]),
        (["explain", "--techniques"], "naked_single,x-w", ["naked_single,x-wing"]),
        (["help"], "gu", ["guard"]),
        (["checks", "--ignore"], "gu", ["guard"]),
        (["examples/sudoku.csp", "--grid"], "", ["clue="]),
    ],
)
def test_completion_offers_grids_params_and_commands(
    words: list[str], incomplete: str, completions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    completion = ShellComplete(main, {}, "csp", "_CSP_COMPLETE")
    assert [item.value for item in completion.get_completions(words, incomplete)] == completions


NEEDED_ARGUMENTS = {
    "diff": ["--level", "arc", "--level", "singles"],
    "draw": ["--out", "{}/drawn"],
    "export": ["--to", "dimacs"],
    "generate": ["--grid", "clue"],
    "guard": ["--solution", "{}/good.csp"],
    "import": ["--out", "{}/specs"],
    "why": ["A = 1"],
}
"""Arguments that a command needs in addition to a file."""
ERROR_LINE = re.compile(r"csp: |\s|$|.+: (error|warning): ")


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"lsp", "studio", "verify"}))
def test_each_line_on_stderr_names_the_program_or_a_place(command: str, tmp_path: Path) -> None:
    texts = {"good": "A, B in 1..2. A < B.", "none": "A, B, C in 1..2. A != B. B != C. A != C.", "bad": "A in 1.."}
    for name, text in texts.items():
        (tmp_path / f"{name}.csp").write_text(text)
    (tmp_path / "puzzles.txt").write_text(f"{SOLVED}\n")
    (tmp_path / "folder.csp").mkdir()
    for file in ("good.csp", "none.csp", "bad.csp", "missing.csp", "folder.csp", "puzzles.txt"):
        result = run(
            command, tmp_path / file, *(argument.format(tmp_path) for argument in NEEDED_ARGUMENTS.get(command, []))
        )
        lines = result.stderr.splitlines()
        assert "Usage:" not in result.stderr and all(map(ERROR_LINE.match, lines)), (file, lines)
