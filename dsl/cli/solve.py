"""csp solve"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import Any

import click

from csp import CspError, Level, Solver, Strategy

from ..language.errors import Source
from .options import INPUT, fill_options, json_option, level_option, load_model, read_once, timeout_option
from .output import say, say_effort
from .watch import NO_SOLUTION, Ended, Watch, deadline, report, say_stopped, watching

NEXT = "\n"
"""What stands between the answers of two files."""


@dataclass(frozen=True)
class Wanted:
    """What is to be printed of an answer."""

    limit: int | None
    counting: bool
    as_json: bool
    stats: bool
    file: str | None
    """The spec, where there are several."""

    def dumps(self, answer: dict[str, Any]) -> str:
        """An answer as a line of JSON."""
        return json.dumps(answer if self.file is None else {"file": self.file, **answer})


@click.command()
@click.argument("files", nargs=-1, required=True, type=INPUT, metavar="FILE...")
@fill_options
@click.option("--all", "every", is_flag=True, help="Print every solution, or as many as --limit says.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Print, or count, at most N solutions.")
@click.option("--count", "counting", is_flag=True, help="Print how many solutions there are.")
@json_option
@click.option("--each", metavar="NAME=FILE", help="Solve a puzzle for every line of FILE, as grid NAME.")
@level_option
@timeout_option("Stop after S seconds (for each FILE; --each: per line).")
@click.option("--stats", is_flag=True, help="Tell on stderr what it cost.")
def solve(
    files: tuple[str, ...],
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
    """Solve the spec FILE, or several, with the name of each before its answer.

    Exit code: 0 answered, 1 no solution, 2 malformed input, 3 stopped by a limit before the answer; of several files
    the highest.
    """
    strategy = Strategy(level, seconds=timeout)
    if each is not None:
        if every or counting or limit or len(files) > 1:
            raise click.UsageError("--each goes with one FILE, and not with --all, --limit or --count")
        from .each import solve_each

        sys.exit(solve_each(files[0], settings, grids, each, strategy, as_json, stats))
    if every and counting:
        raise click.UsageError("--all does not go with --count")
    read_once([path for file in files for path in (file, *grids.values())])
    most = limit if every or counting else limit or 1
    several = len(files) > 1
    codes = []
    for number, file in enumerate(files):
        name = Source(file, "").name if several else None
        if name and not as_json:
            say(f"{NEXT if number else ''}{name}:")
        wanted = Wanted(most, counting, as_json, stats, name)
        codes.append(attempt(file, settings, grids, strategy, wanted))
        if Watch.signalled:
            codes.append(Watch.signalled)
            break
    sys.exit(max(codes))


def attempt(file: str, settings: dict[str, str], grids: dict[str, str], strategy: Strategy, wanted: Wanted) -> int:
    """Print what is wanted of the spec; the exit code, also where one of several files has no answer."""
    try:
        with deadline(strategy.seconds):
            solver = Solver(load_model(file, settings, grids), strategy=strategy)
            return count_solutions(solver, wanted) if wanted.counting else print_solutions(solver, wanted)
    except BrokenPipeError:
        raise
    except (Ended, CspError, OSError, MemoryError) as error:
        return report(error, wanted.file)


def print_solutions(solver: Solver, wanted: Wanted) -> int:
    """Print solutions as they are found; the exit code."""
    from csp.render.answer import answer_text

    began, found = time.perf_counter(), 0
    with watching() as watch:
        answers = solver.solutions(watch=watch)
        while found != wanted.limit and (solution := next(answers, None)) is not None:
            if wanted.as_json:
                say(wanted.dumps({"solution": {name: solution[name] for name in solver.model.shown}}))
            else:
                say(("\n" if found else "") + answer_text(solver.model, solution))
            found += 1
    if wanted.stats:
        say_effort(answers.effort, began)
    if answers.stopped:
        return say_stopped(answers.stopped, f"{found:,} found so far", watch, wanted.file)
    if not found:
        say(wanted.dumps({"solution": None}) if wanted.as_json else "no solution")
    return 0 if found else NO_SOLUTION


def count_solutions(solver: Solver, wanted: Wanted) -> int:
    """Print the number of solutions; the exit code."""
    began = time.perf_counter()
    with watching() as watch:
        count = solver.count(watch=watch, most=wanted.limit)
    sys.set_int_max_str_digits(0)  # a count can be long
    say(wanted.dumps({"count": count.value, "complete": count.complete}) if wanted.as_json else count.value)
    if wanted.stats:
        say_effort(count.effort, began)
    if not count.complete and count.value != wanted.limit:
        return say_stopped(count.stopped, f"at least {count.value:,}", watch, wanted.file)
    return 0 if count.value else NO_SOLUTION
