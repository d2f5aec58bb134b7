"""Test solving line by line over processes and a cluster, and resumed outputs."""

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
from csp.parallel import executors
from dsl.cli import batches, options
from dsl.cli.commands import each
from dsl.cli.lines import ResumedOutput
from dsl.cli.progress import Interrupts
from dsl.puzzles.each import Each
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Source
from dsl.syntax.reading import source_of

from ..commands import EASY, SOLVED, run
from ..conftest import ROOT, Limits
from ..spreading import (
    LATIN,
    SUDOKU,
    WITH_SIGNALS,
    check_answers,
    first_line,
    kill_one_and_finish,
    puzzles,
    start_solve_each,
)


def test_several_processes_print_the_output_of_one(tmp_path: Path, limits: Limits) -> None:
    limits("dsl.cli.batches", TASK_SECONDS=0.002)  # the first lines alone would take all of it
    lines = tmp_path / "lines.txt"
    clash = "55" + EASY[2:]
    lines.write_text("\n".join([EASY, "# comment", clash, "bad", *puzzles(40), "x" + EASY[1:], EASY]) + "\n")
    for flags in ([], ["--json"]):
        single, parallel = (
            run("solve", SUDOKU, "--each", f"clue={lines}", *flags, *jobs) for jobs in ([], ["--jobs", 2])
        )
        assert (single.exit_code, single.stdout, single.stderr) == (
            parallel.exit_code,
            parallel.stdout,
            parallel.stderr,
        )
        assert single.exit_code == 2 and single.stdout.count("\n") == 45
    stats = [run("solve", SUDOKU, "--each", f"clue={lines}", "--stats", *jobs).stderr for jobs in ([], ["--jobs", 2])]
    single_effort, parallel_effort = (text.splitlines()[-1].partition(" · seconds ")[0] for text in stats)
    assert single_effort == parallel_effort and single_effort.endswith("puzzles 45")


class DeadlyEach(Each):
    """A line solver that is killed by lines that start with 9."""

    def __reduce__(self) -> tuple[Any, ...]:
        return DeadlyEach, super().__reduce__()[1]

    def solve(self, puzzle: str, progress: Callable[[Effort], None] | None = None) -> str | None:
        if puzzle.startswith("9"):
            raise Lost("killed")
        return super().solve(puzzle, progress)


def test_lost_lines_are_reported_and_other_lines_are_finished(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, capsys: pytest.CaptureFixture[str]
) -> None:
    limits("dsl.cli.batches", TASK_SECONDS=0.0)
    monkeypatch.setattr(batches.Pace, "record", lambda pace, lines, seconds: setattr(pace, "size", 7))
    lines = [EASY, *puzzles(40)]
    deadly = [number for number, puzzle in enumerate(lines, 1) if puzzle[0] == "9"]
    solver = DeadlyEach(Program(source_of(str(SUDOKU))), {}, {}, "clue")
    output, options = StringIO(), each.Lines("clue=lines", None, 2, None, False, False, Interrupts())
    with ThreadPoolExecutor(2) as executor:
        executor.width = 2  # type: ignore[attr-defined]
        work = ResumedOutput(output, enumerate(lines, 1), 0)
        code = each.solve_lines(solver, executor, work, "lines", options, None)  # type: ignore[arg-type]
    assert code == 3 and 0 < len(deadly) < 20
    assert capsys.readouterr().err.splitlines() == [f"lines:{number}: lost: killed" for number in deadly]
    answers = output.getvalue().splitlines()
    assert [number for number, answer in enumerate(answers, 1) if answer == "error"] == deadly
    answered_lines = [(puzzle, answer) for puzzle, answer in zip(lines, answers, strict=True) if answer != "error"]
    check_answers(*map(list, zip(*answered_lines, strict=True)))


def wait_for_children(running: subprocess.Popen[str]) -> tuple[list[int], str]:
    """Return the two children of a process, and its output until then."""
    children_file = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    output = first_line(running)
    # Read on, as a full pipe would block the process.
    while len(children := children_file.read_text().split()) < 2:
        output += first_line(running)
    return [int(child) for child in children], output


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_lines_of_a_killed_process_are_solved_again(tmp_path: Path) -> None:
    def kill(running: subprocess.Popen[str]) -> str:
        (child, _), output = wait_for_children(running)
        os.kill(child, signal.SIGKILL)
        return output

    kill_one_and_finish(tmp_path, kill, "--jobs", 2)


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_a_signal_leaves_whole_lines_and_no_processes(tmp_path: Path) -> None:
    for number, code, message in ((signal.SIGINT, 130, "Ctrl-C"), (signal.SIGKILL, -9, "")):
        with start_solve_each(tmp_path, "--jobs", 2) as (lines, running):
            workers, first = wait_for_children(running)
            running.send_signal(number)
            output, errors = running.communicate(timeout=60)
            answers = (first + output).splitlines(keepends=True)
            assert running.returncode == code and (message in errors) and "Traceback" not in errors
            assert all(len(answer) == 82 and answer.endswith("\n") for answer in answers)
            check_answers(lines[: len(answers)], [answer.strip() for answer in answers])
            deadline = monotonic() + 30
            while any(Path(f"/proc/{child}/cmdline").exists() and process_state(child) != "Z" for child in workers):
                assert monotonic() < deadline, "a worker still runs"
                sleep(0.02)


def process_state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_workers_receive_a_spec_with_its_includes(tmp_path: Path) -> None:
    path = tmp_path / "spec.csp"
    path.write_text("include sudoku. param box = 2.")
    for jobs in (1, 2):
        result = run("solve", path, "--each", "clue=-", "--jobs", jobs, stdin="..4..2....1..3..\n" * 3)
        assert (result.exit_code, result.stdout) == (0, "3142423124131324\n" * 3)
    program = dsl.Program(dsl.Source("spec", "include sudoku. param box = 2."))
    pickled = pickle.dumps(Each(program, {}, {}, "clue"))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).solve('..4..2....1..3..'))"
    completed = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True, cwd=ROOT)
    assert completed.stdout == b"3142423124131324\n", completed.stderr


@pytest.mark.parametrize("options", [[], ["--json"], ["--jobs", "2"]])
def test_an_interrupted_output_is_resumed(tmp_path: Path, options: list[str]) -> None:
    lines, out = tmp_path / "lines.txt", tmp_path / "out.txt"
    lines.write_text("\n".join(["# comment", EASY, "55" + EASY[2:], "bad", *puzzles(5)]) + "\n")
    command = ["solve", SUDOKU, "--each", f"clue={lines}", "--resume", out, *options]
    result = run(*command)
    complete = out.read_bytes()
    assert result.stdout == "" and result.exit_code == 2 and complete.count(b"\n") == 8
    assert complete.decode() == run("solve", SUDOKU, "--each", f"clue={lines}", *options).stdout
    ends = [at + 1 for at, byte in enumerate(complete) if byte == 10]
    for cut in [1, ends[0] - 1, ends[0], ends[0] + 2, ends[1] + 3, ends[3] + 40, ends[-1] - 1, ends[-1]]:
        out.write_bytes(complete[:cut])
        result = run(*command, "--stats")
        assert out.read_bytes() == complete, cut
        finished = sum(end <= cut for end in ends)
        assert f" · puzzles {8 - finished} · " in result.stderr and result.exit_code == (2 if finished < 3 else 0)


def test_a_file_that_is_not_an_output_is_not_resumed(tmp_path: Path) -> None:
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
        assert result.exit_code == 2 and "is not an answer to its puzzle" in result.stderr and out.read_text() == text
    for text in ('{"format": 2, "line": 2, "solution": null}\n', '{"line": 1, "solution": null}\n'):
        out.write_text(text)
        assert run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", out, "--json").exit_code == 2
    result = run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", lines)
    assert (
        result.exit_code == 2 and "would be overwritten" in result.stderr and lines.read_text() == f"{EASY}\n{EASY}\n"
    )
    assert "not a regular file" in run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", "/dev/null").stderr
    assert "--resume needs --each" in run("solve", SUDOKU, "--resume", out).stderr


@WITH_SIGNALS
@pytest.mark.parametrize("options", [[], ["--jobs", "2"]])
def test_only_one_process_at_a_time_writes_an_output(tmp_path: Path, options: list[str]) -> None:
    """Check also that a killed process does not block the next one."""
    lines, out = tmp_path / "lines.txt", tmp_path / "out.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in puzzles(40)))
    command = ["solve", str(SUDOKU), "--resume", str(out), *options, "--each"]
    first = [sys.executable, "-m", "dsl", *command, "clue=-"]
    with subprocess.Popen(first, stdin=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdin
        running.stdin.write(lines.read_bytes()[: 82 * 20])  # and more is to come
        running.stdin.flush()
        wait_until(out.exists)
        wait_until(lambda: not can_lock(out))
        second = subprocess.run([*first[:-1], f"clue={lines}"], capture_output=True, text=True, cwd=ROOT)
        assert second.returncode == 2 and f"another process is writing {out}" in second.stderr
        running.send_signal(signal.SIGKILL)
    assert run(*command, f"clue={lines}").exit_code == 0
    assert out.read_text() == run("solve", SUDOKU, "--each", f"clue={lines}").stdout


def can_lock(path: Path) -> bool:
    import fcntl

    with open(path, "a") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + 20
    while not condition() and monotonic() < deadline:
        sleep(0.01)


@WITH_SIGNALS
def test_a_terminal_shows_the_puzzles_per_second(tmp_path: Path) -> None:
    import pty

    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in puzzles(30)))
    terminal, inner = pty.openpty()
    command = [sys.executable, "-m", "dsl", "solve", str(SUDOKU), "--each", f"clue={lines}"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with open(tmp_path / "out.txt", "w") as out:
        running = subprocess.Popen(command, stdout=out, stderr=inner, cwd=ROOT, env=environment)
    os.close(inner)
    output = b""
    while True:
        try:
            output += os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    assert running.wait() == 0 and b"30/30" in output and b"puzzles a second" in output


# --- a cluster ---


def test_a_missing_cluster_is_an_error(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    assert options.spreading(1, None).__enter__() is None
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "distributed", None)
        result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
        assert result.exit_code == 2 and "pip install 'alldifferent[cluster]'" in result.stderr
    pytest.importorskip("distributed")
    limits("csp.parallel.executors", PATIENCE=0.1)
    result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2 and "no scheduler answers at tcp://127.0.0.1:9" in result.stderr
    result = run("solve", LATIN, "--cluster", "nowhere at all")
    assert result.exit_code == 2 and "nowhere at all" in result.stderr


class FaultyCluster(executors.Cluster):
    """A cluster in this process that gives every puzzle the first answer."""

    def __init__(self, address: str) -> None:
        self.width, self._first = 1, ""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        results, *effort = function(*arguments, **keywords)
        self._first = self._first or results[0].answer
        future.set_result(([result._replace(answer=self._first) for result in results], *effort))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        pass


def test_wrong_answers_of_a_cluster_are_refused(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, tmp_path: Path
) -> None:
    monkeypatch.setattr(executors, "Cluster", FaultyCluster)
    limits("dsl.cli.batches", TASK_SECONDS=1e-9)
    unsolved = puzzles(4)
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{puzzle}\n" for puzzle in unsolved))
    result = run("solve", SUDOKU, "--each", f"clue={lines}", "--cluster", "somewhere")
    # This process solves the first line; the cluster solves the second and repeats its answer.
    first, second, *wrong = result.stdout.splitlines()
    check_answers(unsolved[:2], [first, second])
    assert wrong == ["error", "error"] and result.exit_code == 2
    assert result.stderr.count("a worker returned a wrong solution") == 2


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("", ["1212", "1221", "1222"]),
        (" y = 3.", ["1212", "1221", "1222"]),
        (" y = 3. y != 4 :- g(1, 1, _).", ["1212", "1221", "1222"]),
    ],
)
def test_an_answer_is_confirmed_when_the_model_accepts_it(clauses: str, expected: list[str]) -> None:
    text = (
        "x(R, C) in 1..2 :- R in 1..2, C in 1..2. grid g. x(R, C) = V :- g(R, C, V). y in 3..4. y = x(1, 1) + x(1, 2)."
    )
    solver = Each(Program(Source("-", text + clauses)), {}, {}, "g")
    candidates = ["1212", "1221", "1222", "1112", "2111", "121", "12.2", "12x2", "1232", ""]
    assert [answer for answer in candidates if solver.confirms("1...", answer)] == expected


def test_a_closed_cluster_accepts_no_tasks() -> None:
    """Check a scheduler that stops between two checks of its status."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as local:
        executor = executors.Cluster(local.scheduler_address)
        executor._client.close()
        with pytest.raises(RuntimeError, match="the executor accepts no more tasks"):
            executor.submit(max, 1, 2)
        executor.shutdown()


@contextmanager
def start_dask(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and two workers by the commands of dask."""
    scheduler_file = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    common = ["--scheduler-file", str(scheduler_file), "--no-dashboard"]
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-jupyter"]
    worker = ["dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
    processes = []
    for name, *words in (scheduler, worker, worker):
        command = [sys.executable, "-m", f"distributed.cli.{name}", *words, *common]
        processes.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
    try:
        deadline = monotonic() + 60
        while not scheduler_file.exists() or not scheduler_file.read_text():
            assert monotonic() < deadline
            sleep(0.02)
        yield json.loads(scheduler_file.read_text())["address"], processes[1:]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


@WITH_SIGNALS
def test_a_cluster_finishes_after_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with start_dask(tmp_path) as (address, (worker, _)):
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)

        def kill(running: subprocess.Popen[str]) -> str:
            output = first_line(running)
            worker.kill()
            return output

        kill_one_and_finish(tmp_path, kill, "--cluster", address)
        result = run("solve", LATIN, "--count", "--cluster", address)
        assert (result.exit_code, result.stdout) == (0, "576\n")
