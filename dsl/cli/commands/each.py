"""The part of ``csp solve --each`` that reads lines and prints answers."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from csp import Settings, Stopped

from ...puzzles.each import Each, Numbered, numbered_puzzles
from ...syntax.errors import Source
from ..lines import LineOutput, ResumedOutput, format_outcome, resume_output
from ..options import read_once, read_spec, spare_inputs, split_pair, spreading
from ..output import WRONG, say, say_effort
from ..progress import PAUSE, UNFINISHED, Ended, Interrupts

if TYPE_CHECKING:
    from csp.parallel import Workers


@dataclass(frozen=True)
class Lines:
    """The options of ``csp solve --each``; ``each`` is NAME=FILE with the file of puzzles."""

    each: str
    resume: str | None
    jobs: int
    cluster: str | None
    as_json: bool
    stats: bool
    interrupts: Interrupts


def solve_each(file: str, param_texts: dict[str, str], grids: dict[str, str], settings: Settings, lines: Lines) -> int:
    """Solve a spec once for each line of a file; return the exit code.

    ``lines.each`` is NAME=FILE: each line of the file fills the grid NAME.
    """
    grid, path = split_pair(lines.each, "NAME=FILE", "--each")
    inputs = [file, *grids.values(), path]
    read_once(inputs)
    spare_inputs(lines.resume, *inputs, option="--resume")
    with lines.interrupts.deadline(settings.seconds):
        program, params, sources = read_spec(file, param_texts, grids)
        solver = Each(program, params, sources, grid, settings)
    began = time.perf_counter()
    with ExitStack() as contexts:
        contexts.enter_context(add_file_name(lines.resume))
        text = contexts.enter_context(click.open_file(path, encoding="utf-8-sig", errors="replace"))
        work = ResumedOutput(sys.stdout, numbered_puzzles(text), 0)
        if lines.resume is not None:
            work = contexts.enter_context(resume_output(lines.resume, work.todo, lines.as_json))
        executor = contexts.enter_context(spreading(lines.jobs, lines.cluster))
        shows_progress = sys.stderr.isatty() and not work.output.isatty()
        count = contexts.enter_context(show_progress(path, work.done)) if shows_progress else None
        code = solve_lines(solver, executor, work, Source(path, "").name, lines, count)
    if lines.stats:
        say_effort(solver.effort, began, f" · puzzles {solver.puzzle_count}")
    return code


@contextmanager
def add_file_name(path: str | None) -> Iterator[None]:
    """Return a context that adds the output file's name to system errors without one."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or path
        raise


def solve_lines(
    solver: Each,
    executor: Workers | None,
    work: ResumedOutput,
    name: str,
    options: Lines,
    report_lines: Callable[[int], None] | None,
) -> int:
    """Solve the remaining puzzles, write their output, and return the exit code."""
    code, as_json = 0, options.as_json
    output = work.output
    try:
        with options.interrupts.watching() as progress:
            if executor is None:
                line_outputs = solve_in_order(solver, work.todo, as_json)
            else:
                from ..batches import spread_lines

                line_outputs = spread_lines(solver, executor, work, as_json, progress)
            for text, lines, errors in line_outputs:
                for number, _, error, is_stopped in errors:
                    # Flush first, so that answers and errors are in order on a terminal.
                    if not as_json:
                        output.flush()
                        say(f"{name}:{number}: {error}", err=True)
                    code = max(code, UNFINISHED if is_stopped else WRONG)
                output.write(text)
                if report_lines:
                    report_lines(lines)
                if progress.why:
                    raise Stopped(progress.why)
    except Ended as end:
        output.flush()
        say(f"csp: stopped by {end}: {solver.puzzle_count:,} puzzles so far", err=True)
        return end.code
    finally:
        output.flush()
    return code


def solve_in_order(solver: Each, lines: Iterator[Numbered], as_json: bool) -> Iterator[LineOutput]:
    """Solve the lines one by one in this process; yield their output."""
    for outcome in solver.outcomes(lines):
        yield LineOutput(format_outcome(outcome, as_json), 1, [outcome] if outcome.error else [])


@contextmanager
def show_progress(path: str, done: int) -> Iterator[Callable[[int], None]]:
    """Return a context that shows a progress bar and provides a function to advance it.

    The function takes the number of further solved lines; ``done`` lines were solved earlier.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    total = None
    if os.path.isfile(path):
        with open(path, encoding="utf-8-sig", errors="replace") as lines:
            total = sum(1 for _ in numbered_puzzles(lines)) - done
    pace = TextColumn("{task.fields[pace]}")
    columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), pace, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total, pace="")
        began, count, next_at = time.perf_counter(), 0, 0.0

        def step(lines: int) -> None:
            nonlocal count, next_at
            count += lines
            if (seconds := time.perf_counter() - began) >= next_at:
                next_at = seconds + PAUSE
                bar.update(task, completed=count, pace=f"{count / seconds:,.0f} puzzles a second")

        yield step
        bar.update(task, completed=count)
