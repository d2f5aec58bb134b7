"""csp solve"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from csp import Limits, ModelError, Solver, Stopped, TooLarge
from csp.propagation import Effort
from csp.solver import Level

from ..language.errors import SpecError
from .options import json_option, level_option, load_model, read_once, read_spec, spec_options, split_pair
from .watch import INTERRUPTED, NO_SOLUTION, UNFINISHED, WRONG, fail, say_stopped, watching

if TYPE_CHECKING:
    from ..language.each import Each


@click.command()
@spec_options
@click.option("--all", "every", is_flag=True, help="Print every solution.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Print, or count, at most N solutions.")
@click.option("--count", "counting", is_flag=True, help="Print how many solutions there are.")
@json_option
@click.option("--each", metavar="NAME=FILE", help="Solve a puzzle for every line of FILE, as grid NAME.")
@level_option
@click.option("--timeout", type=click.FloatRange(min=0), metavar="S", help="Stop after S seconds (--each: per line).")
@click.option("--stats", is_flag=True, help="Tell on stderr what it cost.")
def solve(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    every: bool,
    limit: int | None,
    counting: bool,
    as_json: bool,
    each: str | None,
    level: Level,
    timeout: float | None,
    stats: bool,
) -> None:
    """Solve the spec FILE.

    Exit code: 0 answered, 1 no solution, 2 malformed input, 3 stopped by a limit before the answer.
    """
    if each is not None:
        if every or counting or as_json or stats or limit:
            raise click.UsageError("--each goes with --set, --grid, --level and --timeout only")
        solve_each(file, settings, grids, each, level, timeout)
    if every and (limit or counting):
        raise click.UsageError("--all does not go with --limit or --count")
    solver = Solver(load_model(file, settings, grids), level)
    if counting:
        count_solutions(solver, limit, timeout, as_json, stats)
    print_solutions(solver, None if every else limit or 1, timeout, as_json, stats)


def print_solutions(solver: Solver, limit: int | None, timeout: float | None, as_json: bool, stats: bool) -> None:
    """Print solutions as they are found, and leave."""
    from csp.render.answer import answer_json, answer_text

    began, found = time.perf_counter(), 0
    with watching(timeout) as watch:
        answers = solver.solutions(limits=watch)
        while found != limit and (solution := next(answers, None)) is not None:
            if as_json:
                click.echo(answer_json(solver.model, solution))
            else:
                click.echo(("\n" if found else "") + answer_text(solver.model, solution))
            found += 1
    if stats:
        print_stats(answers.effort, began)
    if answers.stopped:
        say_stopped(answers.stopped, f"{found:,} found so far", watch)
    if not found:
        click.echo(answer_json(solver.model, None) if as_json else "no solution")
        sys.exit(NO_SOLUTION)
    sys.exit(0)


def count_solutions(solver: Solver, limit: int | None, timeout: float | None, as_json: bool, stats: bool) -> None:
    """Print the number of solutions, and leave."""
    began = time.perf_counter()
    with watching(timeout) as watch:
        count = solver.count(limits=watch, most=limit)
    sys.set_int_max_str_digits(0)  # a count can be long
    click.echo(json.dumps({"count": count.value, "complete": count.complete}) if as_json else count.value)
    if stats:
        print_stats(count.effort, began)
    if not count.complete and count.value != limit:
        say_stopped(count.stopped, f"at least {count.value:,}", watch)
    sys.exit(0 if count.value else NO_SOLUTION)


def print_stats(effort: Effort, began: float) -> None:
    """Say what an answer has cost."""
    counts = " · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__)
    click.echo(f"{counts} · seconds {time.perf_counter() - began:.3f}", err=True)


def solve_each(
    file: str, settings: dict[str, str], grids: dict[str, str], each: str, level: Level, timeout: float | None
) -> None:
    """Solve a puzzle for every line of a file, and leave."""
    from ..language.each import Each, puzzles

    grid, path = split_pair(each, "NAME=FILE", "--each")
    read_once([file, *grids.values(), path])
    program, params, sources = read_spec(file, settings, grids)
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
        todo: Any = puzzles(lines)
        solver = Each(program, params, sources, grid, level)
        if sys.stderr.isatty() and not sys.stdout.isatty():
            from rich.console import Console
            from rich.progress import track

            todo = track(list(todo), "solving", console=Console(stderr=True))
        sys.exit(solve_lines(solver, todo, path, timeout))


def solve_lines(solver: Each, todo: Iterator[tuple[int, str]], path: str, timeout: float | None) -> int:
    """One line of output for each puzzle; the exit code."""
    from ..language.each import NoPuzzle

    code = done = 0
    write = sys.stdout.write
    try:
        for number, puzzle in todo:
            try:
                limits = None if timeout is None else Limits(seconds=timeout)
                write((solver.solve(puzzle, limits) or "none") + "\n")
            except (NoPuzzle, SpecError, ModelError, TooLarge, Stopped) as error:
                stopped = isinstance(error, Stopped)
                sys.stdout.flush()
                click.echo(f"{path}:{number}: {'stopped by ' if stopped else ''}{error}", err=True)
                write("error\n")
                code = max(code, UNFINISHED if stopped else WRONG)
            done += 1
    except KeyboardInterrupt:
        sys.stdout.flush()
        fail(f"csp: interrupted after {done:,} puzzles", INTERRUPTED)
    sys.stdout.flush()
    return code
