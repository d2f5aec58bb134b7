"""csp solve"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from csp import Effort, Level, ModelError, Solver, Stopped, Strategy, TooLarge

from ..language.errors import SpecError
from .options import json_option, level_option, load_model, read_once, read_spec, spec_options, split_pair
from .watch import INTERRUPTED, NO_SOLUTION, UNFINISHED, WRONG, fail, say_stopped, watching

if TYPE_CHECKING:
    from ..language.each import Each


@dataclass(frozen=True)
class Wanted:
    """What is to be printed of an answer."""

    limit: int | None
    as_json: bool
    stats: bool


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
    strategy = Strategy(level, seconds=timeout)
    if each is not None:
        if every or counting or as_json or stats or limit:
            raise click.UsageError("--each goes with --set, --grid, --level and --timeout only")
        sys.exit(solve_each(file, settings, grids, each, strategy))
    if every and (limit or counting):
        raise click.UsageError("--all does not go with --limit or --count")
    solver = Solver(load_model(file, settings, grids), strategy=strategy)
    if counting:
        sys.exit(count_solutions(solver, Wanted(limit, as_json, stats)))
    sys.exit(print_solutions(solver, Wanted(None if every else limit or 1, as_json, stats)))


def print_solutions(solver: Solver, wanted: Wanted) -> int:
    """Print solutions as they are found; the exit code."""
    from csp.render.answer import answer_json, answer_text

    began, found = time.perf_counter(), 0
    with watching() as watch:
        answers = solver.solutions(watch=watch)
        while found != wanted.limit and (solution := next(answers, None)) is not None:
            if wanted.as_json:
                click.echo(answer_json(solver.model, solution))
            else:
                click.echo(("\n" if found else "") + answer_text(solver.model, solution))
            found += 1
    if wanted.stats:
        print_stats(answers.effort, began)
    if answers.stopped:
        say_stopped(answers.stopped, f"{found:,} found so far", watch)
    if not found:
        click.echo(answer_json(solver.model, None) if wanted.as_json else "no solution")
    return 0 if found else NO_SOLUTION


def count_solutions(solver: Solver, wanted: Wanted) -> int:
    """Print the number of solutions; the exit code."""
    began = time.perf_counter()
    with watching() as watch:
        count = solver.count(watch=watch, most=wanted.limit)
    sys.set_int_max_str_digits(0)  # a count can be long
    click.echo(json.dumps({"count": count.value, "complete": count.complete}) if wanted.as_json else count.value)
    if wanted.stats:
        print_stats(count.effort, began)
    if not count.complete and count.value != wanted.limit:
        say_stopped(count.stopped, f"at least {count.value:,}", watch)
    return 0 if count.value else NO_SOLUTION


def print_stats(effort: Effort, began: float) -> None:
    """Say what an answer has cost."""
    counts = " · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__)
    click.echo(f"{counts} · seconds {time.perf_counter() - began:.3f}", err=True)


def solve_each(file: str, settings: dict[str, str], grids: dict[str, str], each: str, strategy: Strategy) -> int:
    """Solve a puzzle for every line of a file; the exit code."""
    from ..language.each import Each, puzzles

    grid, path = split_pair(each, "NAME=FILE", "--each")
    read_once([file, *grids.values(), path])
    program, params, sources = read_spec(file, settings, grids)
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
        todo: Iterable[tuple[int, str]] = puzzles(lines)
        solver = Each(program, params, sources, grid, strategy)
        if sys.stderr.isatty() and not sys.stdout.isatty():
            from rich.console import Console
            from rich.progress import track

            todo = track(list(todo), "solving", console=Console(stderr=True))
        return solve_lines(solver, todo, path)


def solve_lines(solver: Each, todo: Iterable[tuple[int, str]], path: str) -> int:
    """One line of output for each puzzle; the exit code."""
    from ..language.each import NoPuzzle

    code = done = 0
    write = sys.stdout.write
    try:
        for number, puzzle in todo:
            try:
                write((solver.solve(puzzle) or "none") + "\n")
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
