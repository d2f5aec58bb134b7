"""Tests of signals and limits: each command ends soon, with one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dsl.cli.progress import Ended, Interrupts

from ..conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")

SIGNALS = [(signal.SIGINT, 130, "Ctrl-C"), (signal.SIGTERM, 143, "SIGTERM")]
BY_SIGNAL = pytest.mark.parametrize(("number", "code", "why"), SIGNALS, ids=["Ctrl-C", "SIGTERM"])
LONG = "A, B, C in 1..100000.  A*B*C = 99999999.  A < B.  B < C."
"""A spec that is compiled for a long time before the search begins."""


def start_command(*arguments: object, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dsl", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, **options)  # type: ignore[call-overload, no-any-return]


def make_pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def write_to_reader(process: subprocess.Popen[str], path: Path, text: str) -> None:
    """Write a spec to a pipe when a command opens it.

    At this time, the imports of the command are complete, on slow machines, too.
    """
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert process.poll() is None, "the command ended before it read its spec"
            time.sleep(0.02)
        else:
            os.write(descriptor, text.encode())
            os.close(descriptor)
            return


@pytest.mark.parametrize("slow_module", ["csp", "dsl.cli", "dsl.cli.commands.solve", "dsl.syntax.parse"])
@BY_SIGNAL
def test_a_signal_during_imports_ends_the_command(
    slow_module: str, number: int, code: int, why: str, tmp_path: Path
) -> None:
    """Delay the import of a module, which prints a line when it begins."""
    script = tmp_path / "slow.py"
    script.write_text(
        "import sys, time\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {slow_module!r}:\n"
        "            print('begun', flush=True)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "from dsl.start import main\n"
        "main()\n"
    )
    command = [sys.executable, str(script), "solve", "examples/shidoku.csp"]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdout and process.stdout.readline() == "begun\n"
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (code, "", f"csp: stopped by {why}\n")


def test_the_start_module_imports_only_small_modules() -> None:
    code = "import sys; before = set(sys.modules); import dsl.start; print(*(set(sys.modules) - before))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT).stdout.split()
    assert {name for name in modules if "." in name} <= {"dsl.start", "dsl.signals", "importlib._bootstrap"}
    assert not {"csp", "lark", "click", "typing", "dataclasses"} & set(modules)


@BY_SIGNAL
def test_a_signal_ends_a_search_and_a_command_that_reads(number: int, code: int, why: str, tmp_path: Path) -> None:
    """Start all commands at the same time, so that the test waits only once."""
    latin = (ROOT / "examples" / "latin.csp").read_text(encoding="utf-8")
    specs = {mode: make_pipe(tmp_path / f"{mode}.csp") for mode in ("--count", "--all")}
    searches = {mode: start_command("solve", spec, "--set", "n=9", mode) for mode, spec in specs.items()}
    reader = start_command("solve", "-", stdin=subprocess.PIPE)
    for mode, process in searches.items():
        write_to_reader(process, specs[mode], latin)
    time.sleep(0.7)
    for process in (*searches.values(), reader):
        process.send_signal(number)
    for process in searches.values():
        output, errors = process.communicate(timeout=30)
        assert process.returncode == code and output.strip()
        assert errors.startswith(f"csp: stopped by {why}: ") and errors.count("\n") == 1
    _, errors = reader.communicate(timeout=30)
    assert (reader.returncode, errors) == (code, f"csp: stopped by {why}\n")


@pytest.mark.parametrize(
    ("signal_case", "names"),
    [
        (SIGNALS[0], ("solve", "trace", "explain", "play")),
        (SIGNALS[1], ("check", "play")),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_signal_ends_a_command_that_compiles(
    signal_case: tuple[int, int, str], names: tuple[str, ...], tmp_path: Path
) -> None:
    """Start all commands at the same time, so that the test waits only once."""
    number, code, why = signal_case
    processes = {}
    for name in names:
        (tmp_path / name).mkdir()
        out = ["--out", tmp_path / name / "page.html"] if name == "play" else []
        processes[name] = start_command(name, make_pipe(tmp_path / name / "long.csp"), *out)
    for name, process in processes.items():
        write_to_reader(process, tmp_path / name / "long.csp", LONG)
    time.sleep(0.5)
    for process in processes.values():
        assert process.poll() is None
        process.send_signal(number)
    for name, process in processes.items():
        output, errors = process.communicate(timeout=60)
        assert process.returncode == code and why in output + errors and "Traceback" not in errors, name
        assert [path.name for path in (tmp_path / name).iterdir()] == ["long.csp"]


@BY_SIGNAL
def test_a_signal_prevents_the_solving_of_later_files(number: int, code: int, why: str, tmp_path: Path) -> None:
    path = make_pipe(tmp_path / "long.csp")
    process = start_command("solve", "examples/latin.csp", path, "examples/money.csp")
    write_to_reader(process, path, LONG)
    time.sleep(0.5)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == code and f"stopped by {why}" in errors
    assert output.startswith("examples/latin.csp:\n1 2 3 4\n") and "money" not in output


@BY_SIGNAL
def test_a_signal_ends_the_work_of_its_command_only(number: int, code: int, why: str) -> None:
    earlier, interrupted = Interrupts(), Interrupts()
    with earlier.signals():
        pass
    with interrupted.signals(), pytest.raises(Ended, match=why):
        signal.raise_signal(number)
    assert (earlier.signalled, interrupted.signalled) == (0, code)


@pytest.mark.parametrize("command", ["solve", "check"])
def test_the_timeout_includes_the_time_of_compilation(command: str, tmp_path: Path) -> None:
    path = tmp_path / "long.csp"
    path.write_text(LONG)
    start = time.monotonic()
    process = start_command(command, path, "--timeout", "0.5")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 3 and "the limit of 0.5 seconds" in output + errors
    assert time.monotonic() - start < 10


def test_an_export_ends_after_its_timeout(tmp_path: Path) -> None:
    path = tmp_path / "long.csp"
    path.write_text("x(I) in 1..9 :- I in 1..400. x(I) * x(J) != I + J :- I in 1..400, J in 1..400, I < J.")
    process = start_command("export", path, "--to", "minizinc", "--timeout", "0.5")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 3 and not output and "the limit of 0.5 seconds" in errors
