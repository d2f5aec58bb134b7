"""The processes that answer: how each peer is started, asked, and ended where it takes too long."""

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
    """Where things are that cannot be found by themselves."""

    python: str
    """The interpreter in which the peers that are Python packages are installed."""
    iss: Path | None
    tdoku: Path | None
    folder: Path
    """For what is compiled."""


class Result(NamedTuple):
    """What became of a question: the seconds, whether that was too long, and what is wrong with the answer."""

    setup: float = 0.0
    solving: float = 0.0
    is_late: bool = False
    wrong: str = ""

    @property
    def together(self) -> float:
        return self.setup + self.solving


class Refused(Exception):
    """The peer has no such question."""


class Peer:
    """A process that answers one line after the other, and is started again when it had to be ended."""

    def __init__(self, name: str, command: list[str], as_terms: bool = False) -> None:
        self.name = name
        self._command = command
        self._as_terms = as_terms
        self._begin()

    def ask(self, instances: Sequence[Instance], seconds: float) -> Iterator[Result]:
        """Ask all of them at once, so that the process need not wait between them; it ends with what is late or breaks.

        Raises
        ------
        Refused
            If the peer has no such question.
        """
        if self._process.poll() is not None:
            self._begin()
        written = terms if self._as_terms else numbers
        text = "".join(f"{written(instance)}\n" for instance in instances)
        Thread(target=self._write, args=(self._process, text), daemon=True).start()
        for instance in instances:
            try:
                line = self._line(seconds)
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
        with suppress(OSError, ValueError):  # it has ended meanwhile
            process.stdin.write(text.encode())
            process.stdin.flush()

    def end(self) -> None:
        """End the process, and with it those that it has begun."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what is still to be written
                pipe.close()  # type: ignore[union-attr]

    def _begin(self) -> None:
        pipe = subprocess.PIPE
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        self._told = b""
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
        )
        try:
            line = self._line(START)
        except EOFError:
            line = "missing, it does not start"
        if line is None or not line.startswith("ready"):
            self.end()
            raise Skip((line or "it is not ready in time").strip())

    def _line(self, seconds: float) -> str | None:
        """The next line of output, or None where it takes longer."""
        assert self._process.stdout
        ends = perf_counter() + seconds
        while b"\n" not in self._told:
            ready, _, _ = select([self._process.stdout], [], [], max(0.0, ends - perf_counter()))
            if not ready:
                return None
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            if not more:
                raise EOFError
            self._told += more
        line, _, self._told = self._told.partition(b"\n")
        return line.decode()


def numbers(instance: Instance) -> str:
    spec = f" # {json.dumps(instance.spec)}" if instance.spec else ""
    return " ".join(map(str, instance.numbers())) + spec


def terms(instance: Instance) -> str:
    """A question for Prolog."""
    pairs = lambda some: "[" + ",".join(f"{a}-({b})" if b < 0 else f"{a}-{b}" for a, b in some) + "]"  # noqa: E731
    groups = ",".join(map(pairs, instance.groups))
    sums = ",".join(f"{total}-{members}" for total, members in instance.sums)
    head = f"{instance.want},{instance.variables},{instance.values}"
    return f"q({head},{pairs(instance.givens)},[{groups}],[{sums}])."


def found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise Skip(f"there is no {program}")
    return path


def compiled(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Skip(f"it does not compile: {(done.stderr.strip().splitlines() or ['?'])[0]}")


def gecode(places: Places) -> Peer:
    out = str(places.folder / "gecode")
    libraries = [f"-lgecode{name}" for name in ("minimodel", "search", "int", "kernel", "support")]
    compiled([found("g++"), "-O3", "-std=c++17", str(HERE / "gecode.cpp"), "-o", out, *libraries])
    return Peer("Gecode C++", [out])


def tdoku(places: Places) -> Peer:
    if places.tdoku is None:
        raise Skip("no checkout is named (--tdoku)")
    out, source = str(places.folder / "tdoku"), places.tdoku / "src"
    files = [str(HERE / "tdoku.cpp"), str(source / "solver_dpll_triad_simd.cc"), str(source / "util.cc")]
    usual = ["-O3", "-march=native", "-std=c++17", f"-I{places.tdoku / 'include'}"]
    compiled([found("g++"), *usual, *files, "-o", out])
    return Peer("tdoku", [out])


def iss(places: Places) -> Peer:
    if places.iss is None:
        raise Skip("no checkout is named (--iss)")
    return Peer("ISS", [found("node"), str(HERE / "iss.mjs"), str(places.iss)])


def gnu(places: Places) -> Peer:
    out = str(places.folder / "gnu")
    compiled([found("gplc"), "--no-top-level", "-o", out, str(HERE / "gnu.pl")])
    return Peer("GNU Prolog", [out], as_terms=True)


def minizinc(solver: str) -> Callable[[Places], Peer]:
    def begin(places: Places) -> Peer:
        known = subprocess.run([found("minizinc"), "--solvers"], capture_output=True, text=True).stdout
        if solver not in known.lower():
            raise Skip(f"minizinc has no {solver}")
        return Peer(f"MiniZinc {solver}", [sys.executable, str(HERE / "minizinc.py"), solver])

    return begin


def package(name: str) -> Callable[[Places], Peer]:
    return lambda places: Peer(name, [places.python, str(HERE / "packages.py"), name])


OURS = "alldifferent"
PEERS: dict[str, Callable[[Places], Peer]] = {
    OURS: lambda places: Peer(OURS, [sys.executable, str(HERE / "packages.py"), OURS]),
    "Gecode C++": gecode,
    **{name: package(name) for name in PYTHON},
    "MiniZinc gecode": minizinc("gecode"),
    "MiniZinc chuffed": minizinc("chuffed"),
    "SWI-Prolog": lambda places: Peer("SWI-Prolog", [found("swipl"), str(HERE / "swi.pl")], as_terms=True),
    "GNU Prolog": gnu,
    "ISS": iss,
    "tdoku": tdoku,
}
