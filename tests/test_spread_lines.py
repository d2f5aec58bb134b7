"""A puzzle a line over several processes and over a cluster, and outputs that go on."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import dsl
from csp import Effort
from csp.base.errors import Lost
from csp.parallel import cluster
from dsl.cli import batches, options
from dsl.cli.commands import each
from dsl.cli.resuming import ResumedOutput
from dsl.puzzles.each import Each
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Source
from dsl.syntax.reading import source_of

from .commands import EASY, SOLVED, run
from .conftest import ROOT, Limits
from .spreading import (
    LATIN,
    SUDOKU,
    WITH_SIGNALS,
    check_answers,
    first_line,
    kill_one_and_finish,
    puzzles,
    start_solve_each,
)


def test_several_processes_print_the_same(tmp_path: Path, limits: Limits) -> None:
    limits("dsl.cli.batches", TASK_SECONDS=0.002)  # the first lines alone would take all of it
    lines = tmp_path / "lines.txt"
    clash = "55" + EASY[2:]
    lines.write_text("\n".join([EASY, "# comment", clash, "bad", *puzzles(40), "x" + EASY[1:], EASY]) + "\n")
    for more in ([], ["--json"]):
        one, two = (run("solve", SUDOKU, "--each", f"clue={lines}", *more, *jobs) for jobs in ([], ["--jobs", 2]))
        assert (one.exit_code, one.stdout, one.stderr) == (two.exit_code, two.stdout, two.stderr)
        assert one.exit_code == 2 and one.stdout.count("\n") == 45
    stats = [run("solve", SUDOKU, "--each", f"clue={lines}", "--stats", *jobs).stderr for jobs in ([], ["--jobs", 2])]
    one_effort, two_effort = (told.splitlines()[-1].partition(" · seconds ")[0] for told in stats)
    assert one_effort == two_effort and one_effort.endswith("puzzles 45")


class DeadlyEach(Each):
    """Whatever solves one of its lines is killed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return DeadlyEach, super().__reduce__()[1]

    def solve(self, puzzle: str, progress: Callable[[Effort], None] | None = None) -> str | None:
        if puzzle.startswith("9"):
            raise Lost("killed")
        return super().solve(puzzle, progress)


def test_lost_lines_are_told_and_the_others_are_finished(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, capsys: pytest.CaptureFixture[str]
) -> None:
    limits("dsl.cli.batches", TASK_SECONDS=0.0)
    monkeypatch.setattr(batches.Pace, "record", lambda pace, lines, seconds: setattr(pace, "size", 7))
    asked = [EASY, *puzzles(40)]
    deadly = [number for number, puzzle in enumerate(asked, 1) if puzzle[0] == "9"]
    solver = DeadlyEach(Program(source_of(str(SUDOKU))), {}, {}, "clue")
    output = StringIO()
    with ThreadPoolExecutor(2) as executor:
        executor.width = 2  # type: ignore[attr-defined]
        code = each.solve_lines(solver, executor, ResumedOutput(output, enumerate(asked, 1), 0), "lines", False, None)  # type: ignore[arg-type]
    assert code == 3 and 0 < len(deadly) < 20
    assert capsys.readouterr().err.splitlines() == [f"lines:{number}: lost: killed" for number in deadly]
    answered = output.getvalue().splitlines()
    assert [number for number, answer in enumerate(answered, 1) if answer == "error"] == deadly
    whole = [(puzzle, answer) for puzzle, answer in zip(asked, answered, strict=True) if answer != "error"]
    check_answers(*map(list, zip(*whole, strict=True)))


def children(running: subprocess.Popen[str]) -> tuple[list[int], str]:
    """The two processes that another one has started, and its output until then, which would fill the pipe unread."""
    known = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    output = first_line(running)
    while len(found := known.read_text().split()) < 2:
        output += first_line(running)
    return [int(child) for child in found], output


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_lines_of_a_killed_process_are_done_again(tmp_path: Path) -> None:
    def kill(running: subprocess.Popen[str]) -> str:
        (one, _), output = children(running)
        os.kill(one, signal.SIGKILL)
        return output

    kill_one_and_finish(tmp_path, kill, "--jobs", 2)


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_an_end_from_outside_leaves_whole_lines_and_no_processes(tmp_path: Path) -> None:
    for number, code, told in ((signal.SIGINT, 130, "Ctrl-C"), (signal.SIGKILL, -9, "")):
        with start_solve_each(tmp_path, "--jobs", 2) as (asked, running):
            left, first = children(running)
            running.send_signal(number)
            output, errors = running.communicate(timeout=60)
            answers = (first + output).splitlines(keepends=True)
            assert running.returncode == code and (told in errors) and "Traceback" not in errors
            assert all(len(answer) == 82 and answer.endswith("\n") for answer in answers)
            check_answers(asked[: len(answers)], [answer.strip() for answer in answers])
            ends = monotonic() + 30
            while any(Path(f"/proc/{child}/cmdline").exists() and state(child) != "Z" for child in left):
                assert monotonic() < ends, "a worker goes on alone"
                sleep(0.02)


def state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_spec_that_includes_others_goes_along(tmp_path: Path) -> None:
    path = tmp_path / "spec.csp"
    path.write_text("include sudoku. param box = 2.")
    for jobs in (1, 2):
        result = run("solve", path, "--each", "clue=-", "--jobs", jobs, stdin="..4..2....1..3..\n" * 3)
        assert (result.exit_code, result.stdout) == (0, "3142423124131324\n" * 3)
    program = dsl.Program(dsl.Source("spec", "include sudoku. param box = 2."))
    sent = pickle.dumps(Each(program, {}, {}, "clue"))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).solve('..4..2....1..3..'))"
    told = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, cwd=ROOT)
    assert told.stdout == b"3142423124131324\n", told.stderr


@pytest.mark.parametrize("more", [[], ["--json"], ["--jobs", "2"]])
def test_an_output_that_broke_off_goes_on(tmp_path: Path, more: list[str]) -> None:
    lines, out = tmp_path / "lines.txt", tmp_path / "out.txt"
    lines.write_text("\n".join(["# comment", EASY, "55" + EASY[2:], "bad", *puzzles(5)]) + "\n")
    command = ["solve", SUDOKU, "--each", f"clue={lines}", "--resume", out, *more]
    result = run(*command)
    whole = out.read_bytes()
    assert result.stdout == "" and result.exit_code == 2 and whole.count(b"\n") == 8
    assert whole.decode() == run("solve", SUDOKU, "--each", f"clue={lines}", *more).stdout
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    for cut in [1, ends[0] - 1, ends[0], ends[0] + 2, ends[1] + 3, ends[3] + 40, ends[-1] - 1, ends[-1]]:
        out.write_bytes(whole[:cut])
        result = run(*command, "--stats")
        assert out.read_bytes() == whole, cut
        done = sum(end <= cut for end in ends)
        assert f" · puzzles {8 - done} · " in result.stderr and result.exit_code == (2 if done < 3 else 0)


def test_only_an_output_goes_on(tmp_path: Path) -> None:
    lines, out = tmp_path / "lines.txt", tmp_path / "out.txt"
    lines.write_text(f"{EASY}\n{EASY}\n")
    for text in (
        "a letter\n",
        f"{SOLVED}\n{SOLVED}\n{SOLVED}\n",
        f"{SOLVED}\nnone of it",
        '{"format": 2, "line": 1, "solution": null}\n',
    ):
        out.write_text(text)
        result = run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", out)
        assert result.exit_code == 2 and "is no answer to the puzzle" in result.stderr and out.read_text() == text
    for text in ('{"format": 2, "line": 2, "solution": null}\n', '{"line": 1, "solution": null}\n'):
        out.write_text(text)
        assert run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", out, "--json").exit_code == 2
    result = run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", lines)
    assert result.exit_code == 2 and "would be lost" in result.stderr and lines.read_text() == f"{EASY}\n{EASY}\n"
    assert "no plain file" in run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", "/dev/null").stderr
    assert "--resume goes with --each" in run("solve", SUDOKU, "--resume", out).stderr


@WITH_SIGNALS
@pytest.mark.parametrize("more", [[], ["--jobs", "2"]])
def test_one_process_at_a_time_writes_an_output(tmp_path: Path, more: list[str]) -> None:
    """A process that is killed leaves nothing that stops the next one."""
    lines, out = tmp_path / "lines.txt", tmp_path / "out.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in puzzles(40)))
    command = ["solve", str(SUDOKU), "--resume", str(out), *more, "--each"]
    first = [sys.executable, "-m", "dsl", *command, "clue=-"]
    with subprocess.Popen(first, stdin=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdin
        running.stdin.write(lines.read_bytes()[: 82 * 20])  # and more is to come
        running.stdin.flush()
        wait_until(out.exists)
        wait_until(lambda: not could_lock(out))
        second = subprocess.run([*first[:-1], f"clue={lines}"], capture_output=True, text=True, cwd=ROOT)
        assert second.returncode == 2 and f"another process is writing {out}" in second.stderr
        running.send_signal(signal.SIGKILL)
    assert run(*command, f"clue={lines}").exit_code == 0
    assert out.read_text() == run("solve", SUDOKU, "--each", f"clue={lines}").stdout


def could_lock(path: Path) -> bool:
    import fcntl

    with open(path, "a") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def wait_until(is_so: Callable[[], bool]) -> None:
    until = monotonic() + 20
    while not is_so() and monotonic() < until:
        sleep(0.01)


@WITH_SIGNALS
def test_a_terminal_shows_how_fast_it_goes(tmp_path: Path) -> None:
    import pty

    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in puzzles(30)))
    terminal, inner = pty.openpty()
    command = [sys.executable, "-m", "dsl", "solve", str(SUDOKU), "--each", f"clue={lines}"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with open(tmp_path / "out.txt", "w") as out:
        running = subprocess.Popen(command, stdout=out, stderr=inner, cwd=ROOT, env=environment)
    os.close(inner)
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    assert running.wait() == 0 and b"30/30" in shown and b"puzzles a second" in shown


# --- a cluster ---


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    assert options.spreading(1, None).__enter__() is None
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "distributed", None)
        result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
        assert result.exit_code == 2 and "pip install 'alldifferent[cluster]'" in result.stderr
    pytest.importorskip("distributed")
    limits("csp.parallel.cluster", PATIENCE=0.1)
    result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2 and "no scheduler answers at tcp://127.0.0.1:9" in result.stderr
    result = run("solve", LATIN, "--cluster", "nowhere at all")
    assert result.exit_code == 2 and "nowhere at all" in result.stderr


class Elsewhere(cluster.Cluster):
    """A cluster without one: its workers are this process, and one of them gives every puzzle the first answer."""

    def __init__(self, address: str) -> None:
        self.width, self._first = 1, ""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        found, *rest = function(*arguments, **more)
        self._first = self._first or found[0].answer
        future.set_result(([one._replace(answer=self._first) for one in found], *rest))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        pass


def test_lines_that_come_from_a_cluster_are_checked(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.modules["csp.parallel.workers"], "Cluster", Elsewhere)
    limits("dsl.cli.batches", TASK_SECONDS=1e-9)
    asked = puzzles(4)
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in asked))
    result = run("solve", SUDOKU, "--each", f"clue={lines}", "--cluster", "somewhere")
    here, second, *others = (
        result.stdout.splitlines()
    )  # the first line is solved here, the second one is the first there
    check_answers(asked[:2], [here, second])
    assert others == ["error", "error"] and result.exit_code == 2
    assert result.stderr.count("a worker has answered with what is no solution of it") == 2


@pytest.mark.parametrize(
    ("more", "right"),
    [
        ("", ["1212", "1221", "1222"]),
        (" y = 3.", ["1212", "1221", "1222"]),
        (" y = 3. y != 4 :- g(1, 1, _).", ["1212", "1221", "1222"]),
    ],
)
def test_answers_are_confirmed_by_the_meaning(more: str, right: list[str]) -> None:
    text = (
        "x(R, C) in 1..2 :- R in 1..2, C in 1..2. grid g. x(R, C) = V :- g(R, C, V). y in 3..4. y = x(1, 1) + x(1, 2)."
    )
    solver = Each(Program(Source("-", text + more)), {}, {}, "g")
    told = ["1212", "1221", "1222", "1112", "2111", "121", "12.2", "12x2", "1232", ""]
    assert [one for one in told if solver.confirms("1...", one)] == right


def test_a_cluster_that_is_left_while_a_task_is_handed_out() -> None:
    """The scheduler is gone between two looks; another thread would print a traceback."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as local:
        executor = cluster.Cluster(local.scheduler_address)
        executor._client.close()
        with pytest.raises(RuntimeError, match="no more tasks are taken"):
            executor.submit(max, 1, 2)
        executor.shutdown()


@contextmanager
def dask(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, as ``dask scheduler`` and ``dask worker`` start them."""
    known = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    usual = ["--scheduler-file", str(known), "--no-dashboard"]
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-jupyter"]
    worker = ["dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
    running = []
    for name, *more in (scheduler, worker, worker):
        command = [sys.executable, "-m", f"distributed.cli.{name}", *more, *usual]
        running.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
    try:
        ends = monotonic() + 60
        while not known.exists() or not known.read_text():
            assert monotonic() < ends
            sleep(0.02)
        yield json.loads(known.read_text())["address"], running[1:]
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


@WITH_SIGNALS
def test_a_cluster_of_which_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with dask(tmp_path) as (address, (one, _)):
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)

        def kill(running: subprocess.Popen[str]) -> str:
            output = first_line(running)
            one.kill()
            return output

        kill_one_and_finish(tmp_path, kill, "--cluster", address)
        counted = run("solve", LATIN, "--count", "--cluster", address)
        assert (counted.exit_code, counted.stdout) == (0, "576\n")
