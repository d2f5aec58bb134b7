"""What ends the program from outside ends it soon, with one line, what is known, and the right exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")

SIGNALS = [(signal.SIGINT, 130, "Ctrl-C"), (signal.SIGTERM, 143, "SIGTERM")]
BY_SIGNAL = pytest.mark.parametrize(("number", "code", "why"), SIGNALS, ids=["Ctrl-C", "SIGTERM"])
LONG = "A, B, C in 1..100000.  A*B*C = 99999999.  A < B.  B < C."
"""What takes long before it is searched."""


def begun(*arguments: object, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dsl", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, **more)  # type: ignore[call-overload, no-any-return]


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def feed(running: subprocess.Popen[str], path: Path, text: str) -> None:
    """Give a command its spec; when it opens the pipe, its imports are behind it, however slow the machine is."""
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert running.poll() is None, "it has ended before it has read"
            time.sleep(0.02)
        else:
            os.write(descriptor, text.encode())
            os.close(descriptor)
            return


@pytest.mark.parametrize("late", ["csp", "dsl.cli", "dsl.cli.commands.solve", "dsl.syntax.parsing.lalr"])
@BY_SIGNAL
def test_in_the_middle_of_the_imports(late: str, number: int, code: int, why: str, tmp_path: Path) -> None:
    """An import that takes long stands for all of them; it says when it has begun."""
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import sys, time\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {late!r}:\n"
        "            print('begun', flush=True)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "from dsl.start import main\n"
        "main()\n"
    )
    command = [sys.executable, str(slow), "solve", "examples/shidoku.csp"]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment) as running:
        assert running.stdout and running.stdout.readline() == "begun\n"
        running.send_signal(number)
        output, errors = running.communicate(timeout=30)
    assert (running.returncode, output, errors) == (code, "", f"csp: stopped by {why}\n")


def test_the_guard_imports_nothing_that_takes_long() -> None:
    code = "import sys; before = set(sys.modules); import dsl.start; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT).stdout.split()
    assert {name for name in loaded if "." in name} <= {"dsl.start", "dsl.signals", "importlib._bootstrap"}
    assert not {"csp", "lark", "click", "typing", "dataclasses"} & set(loaded)


@BY_SIGNAL
def test_what_asks_and_what_reads_end(number: int, code: int, why: str, tmp_path: Path) -> None:
    """Commands that have begun together, so that the test waits once."""
    latin = (ROOT / "examples" / "latin.csp").read_text(encoding="utf-8")
    specs = {mode: pipe(tmp_path / f"{mode}.csp") for mode in ("--count", "--all")}
    searching = {mode: begun("solve", spec, "--set", "n=9", mode) for mode, spec in specs.items()}
    reading = begun("solve", "-", stdin=subprocess.PIPE)
    for mode, one in searching.items():
        feed(one, specs[mode], latin)
    time.sleep(0.7)
    for one in (*searching.values(), reading):
        one.send_signal(number)
    for one in searching.values():
        output, errors = one.communicate(timeout=30)
        assert one.returncode == code and output.strip()
        assert errors.startswith(f"csp: stopped by {why}: ") and errors.count("\n") == 1
    _, errors = reading.communicate(timeout=30)
    assert (reading.returncode, errors) == (code, f"csp: stopped by {why}\n")


@pytest.mark.parametrize(
    ("signalled", "names"),
    [
        (SIGNALS[0], ("solve", "propagate", "check", "trace", "levels", "explain", "play")),
        (SIGNALS[1], ("check", "play")),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_what_asks_nobody_ends_too(signalled: tuple[int, int, str], names: tuple[str, ...], tmp_path: Path) -> None:
    """Commands that have begun together, so that the test waits once."""
    number, code, why = signalled
    running = {}
    for name in names:
        (tmp_path / name).mkdir()
        out = ["--out", tmp_path / name / "page.html"] if name == "play" else []
        running[name] = begun(name, pipe(tmp_path / name / "long.csp"), *out)
    for name, one in running.items():
        feed(one, tmp_path / name / "long.csp", LONG)
    time.sleep(0.5)
    for one in running.values():
        assert one.poll() is None
        one.send_signal(number)
    for name, one in running.items():
        output, errors = one.communicate(timeout=60)
        assert one.returncode == code and why in output + errors and "Traceback" not in errors, name
        assert [path.name for path in (tmp_path / name).iterdir()] == ["long.csp"]


@BY_SIGNAL
def test_nothing_more_is_begun(number: int, code: int, why: str, tmp_path: Path) -> None:
    path = pipe(tmp_path / "long.csp")
    running = begun("solve", "examples/latin.csp", path, "examples/money.csp")
    feed(running, path, LONG)
    time.sleep(0.5)
    running.send_signal(number)
    output, errors = running.communicate(timeout=60)
    assert running.returncode == code and f"stopped by {why}" in errors
    assert output.startswith("examples/latin.csp:\n1 2 3 4\n") and "money" not in output


@pytest.mark.parametrize("command", ["solve", "check"])
def test_the_time_counts_from_the_beginning(command: str, tmp_path: Path) -> None:
    path = tmp_path / "long.csp"
    path.write_text(LONG)
    began = time.monotonic()
    running = begun(command, path, "--timeout", "0.5")
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 3 and "the limit of 0.5 seconds" in output + errors
    assert time.monotonic() - began < 10


def test_an_export_ends_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "long.csp"
    path.write_text("x(I) in 1..9 :- I in 1..400. x(I) * x(J) != I + J :- I in 1..400, J in 1..400, I < J.")
    running = begun("export", path, "--to", "minizinc", "--timeout", "0.5")
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 3 and not output and "the limit of 0.5 seconds" in errors
