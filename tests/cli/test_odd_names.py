"""Unusual names of files and symbols, and a working folder that no longer exists."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.dom.minidom import parseString

import pytest

from ..commands import EXAMPLES, run, spec

NAMES = {os.fsdecode(b"a\xff.csp"): r"a\udcff.csp", "a\nb.csp": r"a\nb.csp", "a\x1b[31m.csp": r"a\x1b[31m.csp"}


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_file_is_shown_on_one_line_and_in_every_page(name: str, tmp_path: Path) -> None:
    path, page, second_spec = tmp_path / name, tmp_path / "page.html", tmp_path / "other.csp"
    try:
        path.write_bytes((EXAMPLES / "shidoku.csp").read_bytes())
    except OSError:
        pytest.skip("this file system has no such names")
    second_spec.write_bytes((EXAMPLES / "shidoku.csp").read_bytes())
    printed_name = NAMES[name]
    assert f"{printed_name}: one solution" in run("check", path).stdout
    for command in (["play"], ["explain"], ["play", "--against", "level=domain"], ["worksheet"]):
        result = run(command[0], path, *command[1:], "--out", page)
        assert result.exit_code == 0 and printed_name.replace("\\", "") in page.read_text().replace("\\", ""), (
            result.stderr
        )
    assert run("play", second_spec, "--against", path, "--out", page).exit_code == 0
    grid = tmp_path / name.replace("csp", "txt")
    grid.write_text("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")
    assert run("play", EXAMPLES / "sudoku.csp", "--grid", f"clue={grid}", "--out", page).exit_code == 0
    path.write_text("A in 1..2. A = B.")
    assert run("solve", path).stderr.startswith(str(path).replace(name, printed_name) + ":1:16: error: ")


def test_an_argument_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = spec(tmp_path, "param n = x. A in {n, b}.")
    command = [sys.executable, "-m", "dsl", "propagate", path, "--set", b"n=\xff"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (result.returncode, result.stderr) == (2, r"csp: '\udcff' is not text in UTF-8" + "\n")


def test_symbols_and_labels_with_control_characters_are_drawn_as_valid_xml(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = spec(tmp_path, "x in {'\x1b[31mred', b}. \"lab\x1b[31m\": x != b.")
    assert run("draw", path, "--out", tmp_path / "pictures").exit_code == 0
    assert capfd.readouterr().err == ""
    for command in (["graph", "--format", "graphml"], ["graph", "--format", "gexf"], ["export", "--to", "xcsp3"]):
        parseString(run(command[0], path, *command[1:]).stdout)
    assert "c clauses 3..3: lab\\x1b[31m (line 1)" in run("export", path, "--to", "dimacs").stdout
    assert 'constraint :: "lab\\\\x1b[31m"' in run("export", path, "--to", "minizinc").stdout


def test_standard_input_needs_no_working_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    shell = f'mkdir {folder} && cd {folder} && rmdir {folder} && echo "$1" | "$0" -P -m dsl solve -'

    def solve(text: str) -> tuple[int, str, str]:
        result = subprocess.run(["bash", "-c", shell, sys.executable, text], capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    assert solve("A in 1..2. A = 1.") == (0, "A = 1\n", "")
    assert solve('include "a.csp".') == (2, "", "csp: the working folder: No such file or directory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")
def test_a_full_disk_names_the_output_of_resume(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n" * 500)
    code = """if True:
        import resource, signal, sys
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        from dsl.cli import main
        main(sys.argv[1:])"""
    out = tmp_path / "out.txt"
    command = ["solve", EXAMPLES / "sudoku.csp", "--each", f"clue={lines}", "--resume", out]
    # Without -B, the limit of file sizes would also truncate the bytecode files that Python writes.
    result = subprocess.run([sys.executable, "-B", "-c", code, *command], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (2, f"csp: {out}: File too large\n")
