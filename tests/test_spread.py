"""Work over several processes and over a cluster: the same answers, nothing lost and nothing twice."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

import pytest

import dsl
from csp import CONSTRAINTS, AllDifferent, Model, Solver, Strategy, Value
from csp.errors import Lost
from csp.spread import Processes, cluster, count, in_order, solutions, split
from dsl.cli import options
from dsl.language.each import Each

from .conftest import ROOT
from .makers import NAMES, any_kind
from .oracle import every_solution, is_sudoku
from .test_cli import EASY, SOLVED, run

SUDOKU = ROOT / "examples" / "sudoku.csp"
LATIN = ROOT / "examples" / "latin.csp"
WITH_SIGNALS = pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")


def grid(line: str) -> list[list[int]]:
    return [[int(letter) if letter.isdigit() else 0 for letter in line[at : at + 9]] for at in range(0, 81, 9)]


def puzzles(number: int) -> list[str]:
    """Puzzles of which no two are the same: one with its digits and bands exchanged."""
    rng = random.Random(number)
    made = []
    for _ in range(number):
        digits = "".join(rng.sample("123456789", 9))
        rows = [band * 3 + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
        lines = [EASY[row * 9 : row * 9 + 9] for row in rows]
        made.append("".join(lines).translate(str.maketrans("123456789", digits)))
    return made


def check_answers(asked: list[str], answered: list[str]) -> None:
    """Every puzzle has its answer, at its place."""
    assert len(answered) == len(asked)
    assert all(is_sudoku(grid(answer), grid(puzzle), 3, 3) for puzzle, answer in zip(asked, answered, strict=True))


# --- pieces ---


def random_models(seed: int, number: int) -> Iterator[Model]:
    rng = random.Random(seed)
    while number:
        domains = {name: range(1, rng.randint(2, 4)) for name in NAMES}
        show = rng.choice([[], [rng.choice(NAMES)]])
        constraints = [any_kind(rng, CONSTRAINTS) for _ in range(rng.randint(1, 3))]
        try:
            model = Model(domains, constraints, show)
        except ValueError:
            continue
        number -= 1
        yield model


def alike(model: Model, solution: Mapping[str, Value]) -> tuple[Value, ...]:
    return tuple(solution[variable] for variable in model.shown)


def test_pieces_have_every_solution_once() -> None:
    with ThreadPoolExecutor(1) as executor:
        for number, model in enumerate(random_models(16, 60)):
            known = list(every_solution(model))
            shown = {alike(model, one) for one in known}
            solver = Solver(model)
            pieces = split(solver, 1 + number % 7)
            own = [{alike(model, one) for one in known if piece.items() <= one.items()} for piece in pieces]
            assert sum(map(len, own)) == len(shown) and set().union(*own) == shown
            assert all(solver.propagate(piece).holds for piece in pieces)
            assert count(solver, executor, 5).value == len(shown)
            found = list(solutions(solver, executor, 5))
            assert len(found) == len(shown) and {alike(model, one) for one in found} == shown
            assert all(model.check(one) for one in found)


def test_there_are_as_many_pieces_as_wanted_and_in_the_order_of_a_search() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    pieces = split(solver, 100)
    assert 100 <= len(pieces) < 110
    order = [[piece.get(variable, 0) for variable in solver.model.domains] for piece in pieces]
    assert order[0][0] == 1 and len({tuple(row) for row in order}) == len(pieces)
    one = [solution for piece in pieces for solution in solver.solutions(piece)]
    with ThreadPoolExecutor(2) as executor:
        assert list(solutions(solver, executor, 100)) == one and len(one) == 576


def test_parts_are_not_asked_again_for_each_other() -> None:
    """Twenty squares beside each other are twenty counts, whose pieces are added and not multiplied."""
    names = [[f"x{k}({c})" for c in range(5)] for k in range(20)]
    groups = [AllDifferent.of(row) for row in names]
    model = Model({name: range(5) for row in names for name in row} | {"free": range(3)}, groups)
    with ThreadPoolExecutor(1) as executor:
        counted = count(Solver(model), executor, 8)
        assert counted.value == 3 * 120**20 and counted.complete and counted.effort.solutions <= 20 * 120 + 3
        (first,) = solutions(Solver(model), executor, 8, most=1)
    assert model.check(first) and list(first) == list(model.domains)


def test_the_example_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "spread.md").read_text(encoding="utf-8"), re.S)
    exec(compile(code, "docs/spread.md", "exec"), {})


def test_limits_and_what_is_not_split() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    with ThreadPoolExecutor(1) as executor:
        counted = count(solver, executor, 30, most=100)
        assert (counted.value, counted.complete) == (100, False)
        stopped = count(Solver(solver.model, strategy=Strategy(nodes=5)), executor, 9)
        assert stopped.value < 576 and not stopped.complete and stopped.stopped == "the limit of 5 nodes"
        late = count(Solver(solver.model, strategy=Strategy(seconds=0)), executor, 9)
        assert (late.value, late.complete, late.stopped) == (0, False, "the limit of 0 seconds")
        with pytest.raises(ValueError, match="objective"):
            count(Solver(dsl.loads("A in 1..3. minimize(A).")), executor, 9)
    assert split(Solver(dsl.loads("A in 1..3. A > 3.")), 9) == []


# --- processes ---

ONCE = "(lambda os: (open({0!r}, 'x').close(), os.kill(os.getpid(), 9)) if not os.path.exists({0!r}) else {1})"
"""An expression that kills the process that evaluates it, the first time."""


@WITH_SIGNALS
def test_what_was_lost_with_a_process_is_done_again(tmp_path: Path) -> None:
    deadly = {5: str(tmp_path / "one"), 13: str(tmp_path / "two")}
    tasks = [(ONCE.format(deadly[n], n) + "(__import__('os'))" if n in deadly else str(n),) for n in range(30)]
    with Processes(2) as executor:
        assert list(in_order(executor, eval, tasks, 8)) == list(range(30))
        assert all(os.path.exists(path) for path in deadly.values())


@WITH_SIGNALS
def test_what_kills_every_process_is_given_up() -> None:
    with Processes(1) as executor:
        future = executor.submit(eval, "__import__('os').kill(__import__('os').getpid(), 9)")
        with pytest.raises(Lost, match="was killed, 3 times"):
            future.result(30)
        assert executor.submit(eval, "6 * 7").result(30) == 42
        with pytest.raises(ZeroDivisionError):
            executor.submit(eval, "1 / 0").result(30)


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(100):
            taken.append(number)
            yield (number,)

    with ThreadPoolExecutor(1) as executor:
        results = in_order(executor, abs, tasks(), 10)
        assert list(islice(results, 3)) == [0, 1, 2] and len(taken) == 12
        results.close()  # type: ignore[attr-defined]


# --- a puzzle a line ---


@contextmanager
def begun(*arguments: object, **more: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "dsl", "solve", *map(str, arguments)]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, **more)  # type: ignore[call-overload]
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def feed(running: subprocess.Popen[str], lines: list[str]) -> None:
    assert running.stdin
    running.stdin.write("".join(f"{line}\n" for line in lines))
    running.stdin.flush()


def first_line(running: subprocess.Popen[str]) -> str:
    """The first line of the output, without what comes after it, which ``communicate`` would not find."""
    assert running.stdout
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(running.stdout.fileno(), 1)
        assert letter, "there is no output"
        line += letter
    return line.decode()


def test_several_processes_print_the_same(tmp_path: Path) -> None:
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


def kill_one_and_finish(running: subprocess.Popen[str], kill: Callable[[], None]) -> None:
    """Half of the puzzles come after a worker has been killed, while it has some of the first half."""
    asked = puzzles(600)
    feed(running, asked[:300])
    first = first_line(running)
    kill()
    feed(running, asked[300:])
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert all("distributed" in line for line in errors.splitlines()), errors
    check_answers(asked, (first + output).splitlines())


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_lines_of_a_killed_process_are_done_again() -> None:
    with begun(SUDOKU, "--each", "clue=-", "--jobs", 2) as running:
        kill_one_and_finish(running, lambda: os.kill(children(running.pid)[0], signal.SIGKILL))


@pytest.mark.skipif(sys.platform != "linux", reason="only there are the children of a process known")
def test_an_end_from_outside_leaves_whole_lines_and_no_processes() -> None:
    for number, code, told in ((signal.SIGINT, 130, "Ctrl-C"), (signal.SIGKILL, -9, "")):
        with begun(SUDOKU, "--each", "clue=-", "--jobs", 2) as running:
            asked = puzzles(200)
            feed(running, asked)
            first = first_line(running)
            left = children(running.pid)
            assert len(left) == 2
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
        '{"line": 1, "solution": null}\n',
    ):
        out.write_text(text)
        result = run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", out)
        assert result.exit_code == 2 and "is no answer to the puzzle" in result.stderr and out.read_text() == text
    out.write_text('{"line": 2, "solution": null}\n')
    assert run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", out, "--json").exit_code == 2
    result = run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", lines)
    assert result.exit_code == 2 and "would be lost" in result.stderr and lines.read_text() == f"{EASY}\n{EASY}\n"
    assert "no plain file" in run("solve", SUDOKU, "--each", f"clue={lines}", "--resume", "/dev/null").stderr
    assert "--resume goes with --each" in run("solve", SUDOKU, "--resume", out).stderr


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


# --- one question ---


def test_one_question_over_several_processes() -> None:
    four = ["solve", LATIN, "--set", "n=4", "--jobs", 2]
    assert run(*four, "--count", "--json").stdout == '{"count": 576, "complete": true}\n'
    every = run(*four, "--all", "--json").stdout.splitlines()
    assert len(set(every)) == 576 and set(every) == set(run("solve", LATIN, "--all", "--json").stdout.splitlines())
    assert run(*four, "--limit", 7, "--json").stdout.splitlines() == every[:7]
    assert json.loads(run(*four, "--count", "--limit", 7, "--json").stdout) == {"count": 7, "complete": False}
    best = run("solve", ROOT / "docs" / "data" / "best.csp", "--jobs", 2)
    assert best.exit_code == 2 and "--jobs and --cluster do not look for the best" in best.stderr
    assert "--estimate" in run(*four, "--estimate").stderr
    assert "--jobs does not go with --cluster" in run(*four, "--cluster", "x").stderr


@WITH_SIGNALS
def test_a_question_over_several_processes_ends_with_what_is_known() -> None:
    with begun(LATIN, "--set", "n=7", "--count", "--jobs", 2, "--timeout", 1.5) as running:
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 3 and output.strip().isdigit()
    assert errors.startswith("csp: stopped by the limit of 1.5 seconds: at least ") and errors.count("\n") == 1


# --- a cluster ---


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert options.spreading(1, None).__enter__() is None
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "distributed", None)
        result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
        assert result.exit_code == 2 and "pip install 'alldifferent[cluster]'" in result.stderr
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 0.1)
    result = run("solve", LATIN, "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2 and "no scheduler answers at tcp://127.0.0.1:9" in result.stderr
    result = run("solve", LATIN, "--cluster", "nowhere at all")
    assert result.exit_code == 2 and "nowhere at all" in result.stderr


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
        with begun(SUDOKU, "--each", "clue=-", "--cluster", address) as running:
            kill_one_and_finish(running, one.kill)
        counted = run("solve", LATIN, "--count", "--cluster", address)
        assert (counted.exit_code, counted.stdout) == (0, "576\n")
