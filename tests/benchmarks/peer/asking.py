"""Processes of the peers: start a peer, send it questions, end it after a time limit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from threading import Thread
from time import perf_counter
from typing import NamedTuple

from .works import Instance, Skip

HERE = Path(__file__).resolve().parent
PYTHON = [
    *("Norvig", "python-constraint2", "OR-tools CP-SAT", "CPMpy", "clingo", "python-sat", "z3"),
    *("exact-cover", "dlx"),
]
START = 60.0
"""Seconds that a peer may take to be ready."""


@dataclass(frozen=True)
class Places:
    """Paths of programs that are not on the search path."""

    python: str
    """The interpreter in which the peers that are Python packages are installed."""
    iss: Path | None
    tdoku: Path | None
    folder: Path
    """The folder for compiled programs."""


class Result(NamedTuple):
    """The seconds of a question, whether it was stopped by the time limit, and the fault of its answer."""

    setup: float = 0.0
    solving: float = 0.0
    is_late: bool = False
    wrong: str = ""

    @property
    def total(self) -> float:
        return self.setup + self.solving


class Refused(Exception):
    """If a peer cannot answer this kind of question."""


class Peer:
    """A process that answers line by line; after it was ended, the next question starts it again."""

    def __init__(self, name: str, command: list[str], as_terms: bool = False) -> None:
        self.name = name
        self._command = command
        self._as_terms = as_terms
        self._start()

    def ask(self, instances: Sequence[Instance], seconds: float) -> Iterator[Result]:
        """Send all instances at once and yield their results; stop after an instance that is late or fails.

        Raises
        ------
        Refused
            If the peer cannot answer this kind of question.
        """
        if self._process.poll() is not None:
            self._start()
        format_instance = terms if self._as_terms else numbers
        text = "".join(f"{format_instance(instance)}\n" for instance in instances)
        Thread(target=self._write, args=(self._process, text), daemon=True).start()
        for instance in instances:
            try:
                line = self._read_line(seconds)
            except EOFError:
                self.end()
                yield Result(wrong="the process ended")
                return
            if line is None:
                self.end()
                yield Result(solving=seconds, is_late=True)
                return
            if line.startswith("refused"):
                raise Refused(line.removeprefix("refused ").strip())
            try:
                setup, solving, count, *values = line.split()
                wrong = instance.check(int(count), [*map(int, values)])
                yield Result(float(setup), float(solving), False, wrong)
            except ValueError:
                self.end()
                yield Result(wrong=line.strip()[:60] or "an empty line")
                return

    @staticmethod
    def _write(process: subprocess.Popen[bytes], text: str) -> None:
        assert process.stdin
        with suppress(OSError, ValueError):  # the process has ended
            process.stdin.write(text.encode())
            process.stdin.flush()

    def end(self) -> None:
        """Kill the process and its children."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # unwritten input is lost
                pipe.close()  # type: ignore[union-attr]

    def _start(self) -> None:
        pipe = subprocess.PIPE
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        self._output = b""
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
        )
        try:
            line = self._read_line(START)
        except EOFError:
            line = "missing, it does not start"
        if line is None or not line.startswith("ready"):
            self.end()
            raise Skip((line or "it is not ready in time").strip())

    def _read_line(self, seconds: float) -> str | None:
        """Return the next line of output; None after this many seconds."""
        assert self._process.stdout
        deadline = perf_counter() + seconds
        while b"\n" not in self._output:
            ready, _, _ = select([self._process.stdout], [], [], max(0.0, deadline - perf_counter()))
            if not ready:
                return None
            chunk = os.read(self._process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise EOFError
            self._output += chunk
        line, _, self._output = self._output.partition(b"\n")
        return line.decode()


def numbers(instance: Instance) -> str:
    """Return an instance as a line of numbers, with its spec as JSON after #."""
    spec = f" # {json.dumps(instance.spec)}" if instance.spec else ""
    return " ".join(map(str, instance.numbers())) + spec


def terms(instance: Instance) -> str:
    """Return an instance as a Prolog term."""
    pairs = lambda rows: "[" + ",".join(f"{a}-({b})" if b < 0 else f"{a}-{b}" for a, b in rows) + "]"  # noqa: E731
    groups = ",".join(map(pairs, instance.groups))
    sums = ",".join(f"{total}-{members}" for total, members in instance.sums)
    head = f"{instance.want},{instance.variables},{instance.values}"
    return f"q({head},{pairs(instance.givens)},[{groups}],[{sums}])."


def find_program(program: str) -> str:
    """Return the path of a program; skip its peers if it is not installed."""
    path = shutil.which(program)
    if path is None:
        raise Skip(f"there is no {program}")
    return path


def run_compiler(command: list[str]) -> None:
    """Run a compiler; skip its peer if that fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Skip(f"it does not compile: {(done.stderr.strip().splitlines() or ['?'])[0]}")


def gecode(places: Places) -> Peer:
    out = str(places.folder / "gecode")
    libraries = [f"-lgecode{name}" for name in ("minimodel", "search", "int", "kernel", "support")]
    run_compiler([find_program("g++"), "-O3", "-std=c++17", str(HERE / "gecode.cpp"), "-o", out, *libraries])
    return Peer("Gecode C++", [out])


def tdoku(places: Places) -> Peer:
    if places.tdoku is None:
        raise Skip("no checkout is named (--tdoku)")
    out, source = str(places.folder / "tdoku"), places.tdoku / "src"
    files = [str(HERE / "tdoku.cpp"), str(source / "solver_dpll_triad_simd.cc"), str(source / "util.cc")]
    options = ["-O3", "-march=native", "-std=c++17", f"-I{places.tdoku / 'include'}"]
    run_compiler([find_program("g++"), *options, *files, "-o", out])
    return Peer("tdoku", [out])


def iss(places: Places) -> Peer:
    if places.iss is None:
        raise Skip("no checkout is named (--iss)")
    return Peer("ISS", [find_program("node"), str(HERE / "iss.mjs"), str(places.iss)])


def gnu(places: Places) -> Peer:
    out = str(places.folder / "gnu")
    run_compiler([find_program("gplc"), "--no-top-level", "-o", out, str(HERE / "gnu.pl")])
    return Peer("GNU Prolog", [out], as_terms=True)


def minizinc(solver: str) -> Callable[[Places], Peer]:
    def start(places: Places) -> Peer:
        solvers = subprocess.run([find_program("minizinc"), "--solvers"], capture_output=True, text=True).stdout
        if solver not in solvers.lower():
            raise Skip(f"minizinc has no {solver}")
        return Peer(f"MiniZinc {solver}", [sys.executable, str(HERE / "minizinc.py"), solver])

    return start


def package(name: str) -> Callable[[Places], Peer]:
    return lambda places: Peer(name, [places.python, str(HERE / "packages.py"), name])


OURS = "alldifferent"
PEERS: dict[str, Callable[[Places], Peer]] = {
    OURS: lambda places: Peer(OURS, [sys.executable, str(HERE / "packages.py"), OURS]),
    "Gecode C++": gecode,
    **{name: package(name) for name in PYTHON},
    "MiniZinc gecode": minizinc("gecode"),
    "MiniZinc chuffed": minizinc("chuffed"),
    "SWI-Prolog": lambda places: Peer("SWI-Prolog", [find_program("swipl"), str(HERE / "swi.pl")], as_terms=True),
    "GNU Prolog": gnu,
    "ISS": iss,
    "tdoku": tdoku,
}
