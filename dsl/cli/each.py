"""csp solve --each: a puzzle a line"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from threading import get_ident
from typing import TYPE_CHECKING, NamedTuple

import click

from csp import Effort, Stopped, Strategy

from ..language.each import Each, Numbered, Outcome, puzzles
from ..language.errors import Source
from .options import read_once, read_spec, spare_inputs, split_pair, spreading
from .output import WRONG, say, say_effort
from .resuming import Resumed, resumed
from .watch import PAUSE, UNFINISHED, Ended, Watch, deadline, watching

if TYPE_CHECKING:
    from csp.spread import Workers

TASK, MOST = 0.03, 200
"""Seconds that a task should take, the first one here and the others in other processes, and its most lines."""

AHEAD = 32
"""How many tasks for each worker are on their way, so that one that takes long does not make the others wait."""


class Told(NamedTuple):
    """What is printed of some lines, how many they are, and what to say of those with an error."""

    text: str
    lines: int
    errors: list[Outcome]


@dataclass(frozen=True)
class Lines:
    """What is to be done for every line of a file."""

    each: str
    resume: str | None
    jobs: int
    cluster: str | None
    as_json: bool
    stats: bool


def solve_each(file: str, settings: dict[str, str], grids: dict[str, str], strategy: Strategy, lines: Lines) -> int:
    """Solve a puzzle for every line of a file; the exit code."""
    grid, path = split_pair(lines.each, "NAME=FILE", "--each")
    inputs = [file, *grids.values(), path]
    read_once(inputs)
    spare_inputs(lines.resume, *inputs, option="--resume")
    with deadline(strategy.seconds):
        program, params, sources = read_spec(file, settings, grids)
        solver = Each(program, params, sources, grid, strategy)
    began = time.perf_counter()
    with ExitStack() as opened:
        text = opened.enter_context(click.open_file(path, encoding="utf-8-sig", errors="replace"))
        work = Resumed(sys.stdout, puzzles(text), 0)
        if lines.resume is not None:
            work = opened.enter_context(resumed(lines.resume, work.todo, lines.as_json))
        executor = opened.enter_context(spreading(lines.jobs, lines.cluster))
        is_seen = sys.stderr.isatty() and not work.output.isatty()
        count = opened.enter_context(progress(path, work.done)) if is_seen else None
        code = solve_lines(solver, executor, work, Source(path, "").name, lines.as_json, count)
    if lines.stats:
        say_effort(solver.effort, began, f" · puzzles {solver.asked}")
    return code


def solve_lines(
    solver: Each,
    executor: Workers | None,
    work: Resumed,
    name: str,
    as_json: bool,
    count: Callable[[int], None] | None,
) -> int:
    """One line of output for each puzzle; the exit code."""
    code = 0
    output = work.output
    try:
        with watching() as watch:
            every = (
                alone(solver, work.todo, as_json)
                if executor is None
                else spread(solver, executor, work, as_json, watch)
            )
            for text, lines, errors in every:
                for number, _, error, is_stopped in errors:
                    if not as_json:
                        output.flush()
                        say(f"{name}:{number}: {error}", err=True)
                    code = max(code, UNFINISHED if is_stopped else WRONG)
                output.write(text)
                if count:
                    count(lines)
                if watch.why:
                    raise Stopped(watch.why)
    except Ended as end:
        output.flush()
        say(f"csp: stopped by {end}: {solver.asked:,} puzzles so far", err=True)
        return end.code
    finally:
        output.flush()
    return code


def told(outcomes: list[Outcome], as_json: bool) -> Told:
    """What is printed of some lines."""
    text = "".join([line_of(outcome, as_json) for outcome in outcomes])
    return Told(text, len(outcomes), [outcome for outcome in outcomes if outcome.error])


def line_of(outcome: Outcome, as_json: bool) -> str:
    """What is printed of a line."""
    number, answer, error, _ = outcome
    if as_json:
        return json.dumps({"line": number, **({"error": error} if error else {"solution": answer})}) + "\n"
    return ("error" if error else answer or "none") + "\n"


def alone(solver: Each, lines: Iterator[Numbered], as_json: bool) -> Iterator[Told]:
    """What becomes of every line, one after the other."""
    for outcome in solver.outcomes(lines):
        yield Told(line_of(outcome, as_json), 1, [outcome] if outcome.error else [])


@contextmanager
def progress(path: str, done: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many puzzles are done, of how many, and how many a second."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    total = None
    if os.path.isfile(path):
        with open(path, encoding="utf-8-sig", errors="replace") as lines:
            total = sum(1 for _ in puzzles(lines)) - done
    pace = TextColumn("{task.fields[pace]}")
    columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), pace, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task("", total=total, pace="")
        began, count, next_at = time.perf_counter(), 0, 0.0

        def step(lines: int) -> None:
            nonlocal count, next_at
            count += lines
            if (seconds := time.perf_counter() - began) >= next_at:
                next_at = seconds + PAUSE
                shown.update(task, completed=count, pace=f"{count / seconds:,.0f} puzzles a second")

        yield step
        shown.update(task, completed=count)


class Pace:
    """How many lines the next task has, by how long the last ones have taken."""

    def __init__(self) -> None:
        self._size = 1

    def batches(self, lines: Iterator[Numbered]) -> Iterator[list[Numbered]]:
        """The lines, some at a time."""
        while batch := list(islice(lines, self._size)):
            yield batch

    def measured(self, lines: int, seconds: float) -> None:
        """Take a task into account."""
        self._size = min(MOST, max(1, int(TASK * lines / max(seconds, 1e-6))))


class Late(Exception):
    """The time of the first task is over, in the middle of a line."""


def spread(solver: Each, executor: Workers, work: Resumed, as_json: bool, watch: Watch) -> Iterator[Told]:
    """What becomes of every line, in their order, by the workers of an executor."""
    from csp.spread import in_order

    pace, shipment = Pace(), pickle.dumps(solver)
    first, opened = first_lines(solver, work.todo, watch, pace)
    yield told(first, as_json)
    _READY[shipment, get_ident()] = solver  # a process that is forked from this one has it, too, with all its masks
    tasks = ((shipment, batch, as_json) for batch in pace.batches(chain(opened, work.todo)))
    ahead = AHEAD * executor.width
    for some, effort, seconds in in_order(executor, _solved, tasks, ahead, lambda: watch(solver.effort)):
        pace.measured(some.lines, seconds)
        solver.asked += some.lines
        solver.effort.add(effort)
        yield some
        work.output.flush()


def first_lines(
    solver: Each, lines: Iterator[Numbered], watch: Watch, pace: Pace
) -> tuple[list[Outcome], list[Numbered]]:
    """What becomes of the lines of a first task, and the line, if any, that takes longer."""
    moments = [time.thread_time()]
    ends = moments[0] + TASK

    def check(effort: Effort) -> None:
        if watch.why or time.thread_time() > ends:
            raise Late

    done: list[Outcome] = []
    late: list[Numbered] = []
    for line in lines:
        try:
            done += solver.outcomes([line], check)
        except Late:
            late = [line]
            solver.asked -= 1
            break
        moments.append(time.thread_time())
        if moments[-1] > ends:
            break
    last = moments[-1 - len(done) // 4 - 1 :]  # the first ones took longer, while there were few masks
    pace.measured(len(last) - 1, last[-1] - last[0])
    return done, late


_READY: dict[tuple[bytes, int], Each] = {}
"""The spec that is being worked on, compiled once for each thread of a process."""


def _solved(shipment: bytes, batch: list[Numbered], as_json: bool) -> tuple[Told, Effort, float]:
    """A task: what becomes of some lines, what it has cost, and how long it took."""
    began = time.thread_time()
    key = shipment, get_ident()
    if key not in _READY:
        _READY.clear()
        _READY[key] = pickle.loads(shipment)
    solver = _READY[key]
    solver.effort = Effort()
    some = told(list(solver.outcomes(batch)), as_json)
    return some, solver.effort, time.thread_time() - began
