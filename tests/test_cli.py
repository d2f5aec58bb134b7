"""The command line as a user meets it: output, errors, exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import dsl
from csp import Effort
from dsl.cli import COMMANDS, GROUPS, main
from dsl.cli import progress as progress

from .commands import EXAMPLES, SOLVED, process, run, spec
from .conftest import ROOT


def test_solve_prints_one_json_object_a_line() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=3", "--all", "--json")
    lines = [json.loads(line)["solution"] for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and len(lines) == 12
    assert all(set(line) == {f"cell({r},{c})" for r in (1, 2, 3) for c in (1, 2, 3)} for line in lines)
    count = run("solve", EXAMPLES / "sudoku.csp", "--set", "box=2", "--grid", "clue=-", "--count", "--json", stdin="")
    assert json.loads(count.stdout) == {"format": 2, "count": 288, "complete": True}


def test_limits_on_solutions() -> None:
    two = run("solve", EXAMPLES / "latin.csp", "--limit", 2)
    assert two.exit_code == 0 and two.stdout.count("\n\n") == 1 and len(two.stdout.splitlines()) == 9
    counted = run("solve", EXAMPLES / "latin.csp", "--count", "--limit", 5, "--json")
    assert counted.exit_code == 0 and json.loads(counted.stdout) == {"format": 2, "count": 5, "complete": False}


def test_no_solution(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B in 1..2.  A < B.  B < A.")
    assert (run("solve", path).exit_code, run("solve", path).stdout) == (1, "no solution\n")
    assert run("solve", path, "--json").stdout == '{"format": 2, "solution": null}\n'
    assert (run("solve", path, "--count").exit_code, run("solve", path, "--count").stdout) == (1, "0\n")
    assert run("propagate", path).exit_code == 1


def test_a_timeout_is_no_answer() -> None:
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=12", "--count", "--timeout", 0.3)
    assert result.exit_code == 3
    assert result.stderr == f"csp: stopped by the limit of 0.3 seconds: at least {int(result.stdout):,}\n"
    result = run("solve", EXAMPLES / "latin.csp", "--set", "n=12", "--all", "--timeout", 0.3)
    assert result.exit_code == 3 and "found so far" in result.stderr


def test_stats_go_to_stderr() -> None:
    result = run("solve", EXAMPLES / "shidoku.csp", "--stats")
    assert result.stderr.startswith("sweeps 4 · fixes 16 · words 980 · propagators 0 · steps 0 · nodes 1 ·")


class Shown(progress.ProgressWatch):
    """Keeps what a terminal would show."""

    def __init__(self, patience: float) -> None:
        super().__init__(patience=patience)
        self.shown: list[Effort] = []

    def show(self, effort: Effort) -> None:
        self.shown.append(effort)


@pytest.mark.parametrize(("is_terminal", "patience"), [(True, 0), (True, 1000), (False, 0)])
def test_a_terminal_shows_that_something_is_going_on(
    is_terminal: bool, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    watcher = Shown(patience)
    effort = Effort(nodes=1)
    watcher(effort)
    assert watcher.shown == ([effort] if is_terminal and not patience else [])


def test_a_timeout_reaches_into_propagation(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B in 1..20000.  A < B.  B < A.")
    result = run("solve", path, "--timeout", 0.3)
    assert result.exit_code == 3 and result.stderr == "csp: stopped by the limit of 0.3 seconds: 0 found so far\n"


def test_a_long_count_is_printed(tmp_path: Path) -> None:
    result = run("solve", spec(tmp_path, "x(I) in 1..16 :- I in 1..3700."), "--count")
    assert result.exit_code == 0 and len(result.stdout) == 4457


def test_usage_errors() -> None:
    assert "There is no command slove; did you mean solve?" in run("slove", "a.csp").stderr
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
    assert unknown.exit_code == 2 and "there is no param m" in unknown.stderr
    assert "there is no grid cleu" in run("solve", EXAMPLES / "latin.csp", "--grid", "cleu=-", stdin="").stderr


def test_a_mistake_is_reported_with_its_place(tmp_path: Path) -> None:
    path = spec(tmp_path, "A in 1..3.\nall_different([A, Bee]).\n")
    result = run("solve", path)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"{path}:2:19: error: Bee ")


def test_a_spec_without_variables_is_a_mistake(tmp_path: Path) -> None:
    for command in ("solve", "play", "tree"):
        result = run(command, spec(tmp_path, "x(i) in 1..4 :- i in 1..4."))
        assert result.exit_code == 2 and "the spec declares no variable" in result.stderr
        assert "hint: logical variables begin in uppercase" in result.stderr
    assert run("solve", "-", stdin="").exit_code == 2


def test_propagate_prints_a_spec_that_reads_back(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..4. A < B. A = 2. all_different([A, B, C]).")
    model = dsl.loads(run("propagate", path).stdout)
    assert list(model.domains.values()) == [(2,), (3, 4), (1, 3, 4)] and len(model.constraints) == 2


def test_graph() -> None:
    import networkx as nx

    text = run("graph", EXAMPLES / "shidoku.csp", "--primal", "--format", "graphml").stdout
    graph = nx.parse_graphml(text)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (16, 56)


def test_draw(tmp_path: Path) -> None:
    result = run("draw", EXAMPLES / "shidoku.csp", "--out", tmp_path / "new" / "folder")
    names = [Path(line).name for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and names[:2] == ["000-network.dot", "000-network.svg"]
    assert all((tmp_path / "new" / "folder" / name).stat().st_size > 1000 for name in names)


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m dsl solve examples/latin.csp --set n=5 --all --json | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and done.stdout.count("\n") == 1 and done.stderr == ""


@pytest.mark.parametrize("command", [("export", "--to", "asp"), ("play",), ("tree",), ("levels",)])
def test_an_output_never_replaces_what_is_read(command: tuple[str, ...], tmp_path: Path) -> None:
    spec_path, clues = tmp_path / "mine.csp", tmp_path / "clues.svg"
    spec_path.write_text('grid g = "1". c(R, C) in 1..2 :- g(R, C, _).', encoding="utf-8")
    clues.write_text("2", encoding="utf-8")
    for out in (spec_path, clues, tmp_path / "." / "mine.csp"):
        name, *options = command
        result = run(name, spec_path, "--grid", f"g={clues}", *options, "--out", out)
        assert result.exit_code == 2 and "is read here and would be lost" in result.stderr
    assert clues.read_text(encoding="utf-8") == "2" and spec_path.read_text(encoding="utf-8").startswith("grid g")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the cache folder is named otherwise")
def test_help_and_version() -> None:
    import csp

    for arguments in ([], ["solve"], ["play"], ["import"]):
        assert run(*arguments, "-h").stdout == run(*arguments, "--help").stdout != ""
    version = run("-V").stdout
    assert version == run("--version").stdout == f"csp (alldifferent) {csp.__version__}, {csp.kernel_in_use()} kernel\n"
    command = [sys.executable, "-m", "csp", "solve", "examples/shidoku.csp"]
    engine = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert engine.stdout == process("solve", "examples/shidoku.csp").stdout != "" and not engine.stderr


def test_a_file_alone_is_solved() -> None:
    assert run(EXAMPLES / "latin.csp").stdout == run("solve", EXAMPLES / "latin.csp").stdout
    assert run(EXAMPLES / "latin.csp", "--limit", 2).stdout.count("\n\n") == 1
    assert run("nowhere.csp").exit_code == 2


def test_several_files(tmp_path: Path) -> None:
    good, none = EXAMPLES / "latin.csp", spec(tmp_path, "A, B in 1..2. A < B. B < A.")
    result = run("solve", good, none, good)
    answer = run("solve", good).stdout
    assert result.stdout == f"{good}:\n{answer}\n{none}:\nno solution\n\n{good}:\n{answer}"
    assert result.exit_code == 1
    result = run("solve", "nowhere.csp", good, "--json")
    assert result.exit_code == 2 and json.loads(result.stdout)["file"] == str(good)
    assert result.stderr == "csp: nowhere.csp: No such file or directory\n"
    wrong = tmp_path / "wrong.csp"
    wrong.write_text("A in .")
    assert run("solve", wrong, none).exit_code == 2 and run("solve", wrong, none).stdout.endswith("no solution\n")
    assert "only once" in run("solve", good, good, "--grid", "clue=-", stdin="").stderr
    assert run("solve", good, good, "--each", "clue=-").exit_code == 2


def test_at_most_so_many_of_all() -> None:
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
        (["--timeout", "nan"], "nan is no number of seconds"),
        (["--timeout", "inf"], "inf is no number of seconds"),
        (["--timeout", "-1"], "-1 is no number of seconds"),
        (["--timeout", "1e18"], "1e+18 is no number of seconds; 1,000,000,000 is the most"),
        (["--limit", "9" * 23], "is too many; 1,000,000,000 is the most"),
        (["--jobs", "9" * 11], "is not in the range 1<=x<=1024"),
    ],
)
def test_settings_that_say_nothing_are_refused(options: list[str], message: str) -> None:
    result = run("solve", EXAMPLES / "latin.csp", *options)
    assert result.exit_code == 2 and message in result.stderr and not result.stdout


def test_a_claim_is_told_as_one() -> None:
    result = run("why", EXAMPLES / "latin.csp", "cell(1,1) = 5 = 5")
    assert result.exit_code == 2 and "Invalid value for CLAIM: cell(1,1)=5 = 5: this is neither" in result.stderr


@pytest.mark.parametrize("command", ["tree", "trace", "levels", "play", "draw"])
def test_nothing_counts_so_far(command: str, tmp_path: Path) -> None:
    option = ["--out", tmp_path, "--limit"] if command == "draw" else ["--nodes"]
    result = run(command, EXAMPLES / "latin.csp", *option, "9" * 23)
    assert result.exit_code == 2 and "is too many; 1,000,000,000 is the most" in result.stderr


ESCAPES = "A in {'\x1b]0;pwn\x07', b}. \"l\x1b[31m\": A != b. x('\x1b[1m', I) in 1..2 :- I in 1..2."


@pytest.mark.parametrize("command", ["solve", "check", "trace", "play", "propagate", "tree", "graph"])
def test_no_escape_sequence_reaches_a_terminal(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = spec(tmp_path, ESCAPES)
    answer = run(command, path).output
    if command in ("solve", "check", "trace", "play"):
        assert not {"\x1b", "\x07"} & set(answer)
        assert command == "check" or "\\x1b" in answer
    monkeypatch.setattr("dsl.cli.output.is_terminal", lambda: True)
    assert not {"\x1b", "\x07"} & set(run(command, path).output)


def test_answers_for_programs_are_what_they_are(tmp_path: Path) -> None:
    path = spec(tmp_path, ESCAPES)
    assert json.loads(run("solve", path, "--json").stdout)["solution"]["A"] == "\x1b]0;pwn\x07"
    assert "\x1b]0;pwn\x07" in dsl.loads(run("propagate", path).stdout).domains["A"]
    assert run("format", "-", stdin=ESCAPES).stdout.startswith("A in {'\x1b]0;pwn\x07', b}.")


def test_help_lists_every_command_once_and_whole() -> None:
    page = run("--help").stdout
    listed = [name for _, _, names in GROUPS for name in names.split()]
    assert sorted(listed) == sorted(COMMANDS), "GROUPS in dsl/cli/__init__.py has each command once"
    assert "..." not in page.partition("Options:")[2]
    assert all(re.search(rf"^  {name} ", page, re.M) for name in COMMANDS)
    assert all(example in page and example.split()[1] in names for _, example, names in GROUPS)
    assert run("help").stdout == page and run("help", "rate").stdout == run("rate", "--help").stdout
    assert run("help", "rat").exit_code == 2


@pytest.mark.parametrize(
    ("words", "begun", "found"),
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
def test_completion(words: list[str], begun: str, found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    completion = ShellComplete(main, {}, "csp", "_CSP_COMPLETE")
    assert [item.value for item in completion.get_completions(words, begun)] == found


MORE = {
    "diff": ["--level", "arc", "--level", "singles"],
    "draw": ["--out", "{}/drawn"],
    "export": ["--to", "dimacs"],
    "generate": ["--grid", "clue"],
    "guard": ["--solution", "{}/good.csp"],
    "import": ["--out", "{}/specs"],
    "why": ["A = 1"],
}
"""What commands need beside a file."""
SPOKEN = re.compile(r"csp: |\s|$|.+: (error|warning): ")


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"lsp", "studio", "verify"}))
def test_what_is_said_on_stderr_names_the_program_or_a_place(command: str, tmp_path: Path) -> None:
    texts = {"good": "A, B in 1..2. A < B.", "none": "A, B, C in 1..2. A != B. B != C. A != C.", "bad": "A in 1.."}
    for name, text in texts.items():
        (tmp_path / f"{name}.csp").write_text(text)
    (tmp_path / "puzzles.txt").write_text(f"{SOLVED}\n")
    (tmp_path / "folder.csp").mkdir()
    for file in ("good.csp", "none.csp", "bad.csp", "missing.csp", "folder.csp", "puzzles.txt"):
        result = run(command, tmp_path / file, *(one.format(tmp_path) for one in MORE.get(command, [])))
        said = result.stderr.splitlines()
        assert "Usage:" not in result.stderr and all(map(SPOKEN.match, said)), (file, said)
