"""The command ``csp solve``: prints or counts the solutions of specs."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from csp import Answers, Count, CspError, Level, Model, Settings, Solution, Solver, Way

from ...syntax.errors import Source, counted
from ..options import (
    INPUT,
    Whole,
    fill_options,
    json_option,
    level_option,
    load_model,
    read_once,
    search_option,
    spread_options,
    spreading,
    threads_option,
    timeout_option,
)
from ..output import format_json, is_terminal, say, say_effort
from ..progress import NO_SOLUTION, Ended, Interrupts, ProgressWatch, report_error, say_stopped

if TYPE_CHECKING:
    from csp.parallel import Workers

PIECES_PER_WORKER = 4
"""Number of pieces, for each worker, into which the search for an optimal solution is split."""

SEPARATOR = "\n"
"""The text between the answers of two files."""


@dataclass(frozen=True)
class PrintOptions:
    """The options for solving one spec and printing its answers."""

    limit: int | None
    counting: bool
    estimating: bool
    as_json: bool
    stats: bool
    jobs: int
    cluster: str | None
    path: str
    file: str | None
    """The name of the spec in the output, if there are several specs."""
    interrupts: Interrupts

    def dumps(self, answer: dict[str, Any]) -> str:
        """Format an answer as JSON, with the spec's name if there are several."""
        return format_json(answer if self.file is None else {"file": self.file, **answer})

    def answers(self, solver: Solver, executor: Workers | None, progress: ProgressWatch) -> Answers:
        """Return an iterator over solutions, found here or by the executor's workers."""
        if executor is None:
            return solver.solutions(progress=progress)
        from csp.parallel import pieces_for, solutions

        return solutions(solver, executor, pieces_for(executor.width), self.limit, progress)

    def improving(self, solver: Solver, executor: Workers | None, progress: ProgressWatch) -> Answers:
        """Return an iterator over ever better solutions, found here or by the executor's workers."""
        if executor is None:
            return solver.improving(progress=progress)
        from csp.parallel import improving

        return improving(solver, executor, PIECES_PER_WORKER * executor.width, progress)

    def count(self, solver: Solver, executor: Workers | None, progress: ProgressWatch) -> Count:
        """Count solutions up to ``limit``, here or by the executor's workers."""
        if executor is None:
            return solver.count(progress=progress, limit=self.limit)
        from csp.parallel import count, pieces_for

        return count(solver, executor, pieces_for(executor.width), self.limit, progress)


@click.command()
@click.argument("files", nargs=-1, required=True, type=INPUT, metavar="FILE...")
@fill_options
@click.option("--all", "every", is_flag=True, help="Print all solutions, or with --limit the first N.")
@click.option("--limit", type=Whole(min=1), metavar="N", help="Maximum number of solutions to print or count.")
@click.option("--count", "counting", is_flag=True, help="Print the number of solutions.")
@click.option("--estimate", "estimating", is_flag=True, help="Print an estimate of the number of solutions.")
@json_option
@click.option("--each", metavar="NAME=FILE", help="Solve each line of FILE as grid NAME.")
@click.option(
    "--resume", type=click.Path(dir_okay=False), metavar="OUT",
    help="With --each: write to OUT, after its last whole line.",
)  # fmt: skip
@spread_options
@level_option
@search_option
@threads_option
@timeout_option("Stop after S seconds per FILE or line of --each.")
@click.option("--stats", is_flag=True, help="Print the search effort on standard error.")
@click.pass_obj
def solve(
    interrupts: Interrupts,
    files: tuple[str, ...],
    param_texts: dict[str, str],
    grids: dict[str, str],
    every: bool,
    limit: int | None,
    counting: bool,
    estimating: bool,
    as_json: bool,
    each: str | None,
    resume: str | None,
    jobs: int,
    cluster: str | None,
    level: Level,
    search: Way,
    threads: int,
    timeout: float | None,
    stats: bool,
) -> None:
    """Print a solution of the spec FILE, or of several specs.

    Solutions that agree on all shown variables are one answer. With an objective, print an optimal solution;
    --all and --count then cover all optimal solutions.

    Exit code: 0 answered, 1 no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp solve examples/sudoku.csp --stats
    """
    settings = Settings(level, search, threads=threads, seconds=timeout)
    if each is not None:
        if every or counting or estimating or limit or len(files) > 1:
            raise click.UsageError("--each needs one FILE, and excludes --all, --limit, --count and --estimate")
        from .each import Lines, solve_each

        line_options = Lines(each, resume, jobs, cluster, as_json, stats, interrupts)
        sys.exit(solve_each(files[0], param_texts, grids, settings, line_options))
    if resume is not None:
        raise click.UsageError("--resume needs --each")
    if every and counting:
        raise click.UsageError("--all does not go with --count")
    if estimating and (every or counting or limit or jobs > 1 or cluster):
        raise click.UsageError("--estimate does not go with --all, --limit, --count, --jobs or --cluster")
    read_once([path for file in files for path in (file, *grids.values())])
    solution_limit = limit if every or counting else limit or 1
    has_several = len(files) > 1
    codes = []
    for number, file in enumerate(files):
        name = Source(file, "").name if has_several else None
        if name and not as_json:
            say(f"{SEPARATOR if number else ''}{name}:")
        options = PrintOptions(
            solution_limit, counting, estimating, as_json, stats, jobs, cluster, file, name, interrupts
        )
        codes.append(attempt(file, param_texts, grids, settings, options))
        if interrupts.signalled:
            codes.append(interrupts.signalled)
            break
    sys.exit(max(codes))


def attempt(
    file: str, param_texts: dict[str, str], grids: dict[str, str], settings: Settings, options: PrintOptions
) -> int:
    """Solve one spec and print the answers; return the exit code.

    Errors are reported and have an exit code, too.
    """
    try:
        with options.interrupts.deadline(settings.seconds), spreading(options.jobs, options.cluster) as executor:
            solver = Solver(load_model(file, param_texts, grids), settings=settings)
            if solver.model.objective and executor and (options.counting or options.limit != 1):
                raise click.UsageError("--jobs and --cluster find one optimal solution, not all; use --threads N")
            if options.estimating and executor:
                raise click.UsageError("--jobs and --cluster do not go with --estimate")
            if options.counting:
                return count_solutions(solver, options, executor)
            if options.estimating:
                return estimate_solutions(solver, options)
            if solver.model.objective and options.limit == 1:
                return print_better(solver, options, executor)
            return print_solutions(solver, options, executor)
    except BrokenPipeError:
        raise
    except (Ended, CspError, OSError, MemoryError) as error:
        return report_error(error, options.file)


def print_solutions(solver: Solver, options: PrintOptions, executor: Workers | None) -> int:
    """Print up to ``options.limit`` solutions as they are found; return the exit code."""
    from csp.board import answer_text

    began, count = time.perf_counter(), 0
    with options.interrupts.watching() as progress:
        answers = options.answers(solver, executor, progress)
        # Print each solution at once: the next one may take long.
        while count != options.limit and (solution := next(answers, None)) is not None:
            if options.as_json:
                say(options.dumps(as_dict(solver.model, solution)))
            else:
                say(("\n" if count else "") + answer_text(solver.model, solution))
            count += 1
    if options.stats:
        say_effort(answers.effort, began)
    if answers.stopped:
        partial_result = f"{counted(count, 'solution')} so far; more may exist" if count else "no solution so far"
        return say_stopped(answers.stopped, partial_result, progress, options.file)
    if not count:
        say_none(options)
    return 0 if count else NO_SOLUTION


def say_none(options: PrintOptions) -> None:
    """Print ``no solution``, and on stderr which command explains it unless the spec is stdin."""
    say(options.dumps({"solution": None}) if options.as_json else "no solution")
    if options.path != "-":
        say(f"csp: run csp check {options.path} to see why", err=True)


def as_dict(model: Model, solution: Solution) -> dict[str, Any]:
    """Return a solution's shown variables, and any objective value, as JSON data."""
    data: dict[str, Any] = {"solution": {name: solution[name] for name in model.shown}}
    return {**data, "objective": model.objective.worth(solution)} if model.objective else data


def print_better(solver: Solver, options: PrintOptions, executor: Workers | None) -> int:
    """Print an optimal solution, or the best at a limit; return the exit code.

    A terminal or --json also gets the improving solutions on the way.
    """
    from csp.board import answer_text

    model = solver.model
    assert model.objective is not None
    began, best, shows_improving = time.perf_counter(), None, is_terminal() and not options.as_json
    with options.interrupts.watching() as progress:
        answers = options.improving(solver, executor, progress)
        # A terminal shows each improving solution at once; JSON shows it when a better one is found.
        for better in answers:
            if shows_improving:
                say(f"{answer_text(model, better)}\n{model.objective.format_worth(model.objective.worth(better))}\n")
            elif options.as_json and best is not None:
                say(options.dumps({**as_dict(model, best), "proved": False}))
            best = better
    value = best and model.objective.format_worth(model.objective.worth(best))
    if best is None:
        if not answers.stopped:
            say_none(options)
    elif options.as_json:
        say(options.dumps({**as_dict(model, best), "proved": answers.complete}))
    else:
        ending = f"{model.objective.superlative}: {value}" if answers.complete else f"so far: {value}"
        say(ending if shows_improving else f"{answer_text(model, best)}\n{ending}")
    if options.stats:
        say_effort(answers.effort, began)
    if answers.stopped:
        partial_result = "no answer so far" if best is None else f"{value} is the best so far"
        return say_stopped(answers.stopped, partial_result, progress, options.file)
    return NO_SOLUTION if best is None else 0


def count_solutions(solver: Solver, options: PrintOptions, executor: Workers | None) -> int:
    """Print the number of solutions; return the exit code."""
    began = time.perf_counter()
    with options.interrupts.watching() as progress:
        count = options.count(solver, executor, progress)
    sys.set_int_max_str_digits(0)  # a count can be long
    reached_limit = not count.complete and count.value == options.limit
    text = f"at least {count.value}" if reached_limit else count.value
    say(options.dumps({"count": count.value, "complete": count.complete}) if options.as_json else text)
    if options.stats:
        say_effort(count.effort, began)
    if not count.complete and not reached_limit:
        return say_stopped(count.stopped, f"at least {count.value:,}", progress, options.file)
    return 0 if count.value else NO_SOLUTION


def estimate_solutions(solver: Solver, options: PrintOptions) -> int:
    """Print the estimated number of solutions; return the exit code."""
    began = time.perf_counter()
    with options.interrupts.watching() as progress:
        estimate = solver.estimate(progress=progress)
    sys.set_int_max_str_digits(0)
    if options.as_json:
        say(options.dumps({"estimate": estimate.value, "error": estimate.error, "probes": estimate.probes}))
    else:
        text = f"about {round_number(estimate.value)}, standard error {round_number(estimate.error)}"
        say(f"{text if estimate.value else 'no solution found'}, of {estimate.probes:,} probes")
    if options.stats:
        say_effort(estimate.effort, began)
    return say_stopped(estimate.stopped, "fewer probes", progress, options.file) if estimate.stopped else 0


def round_number(number: int) -> str:
    """Format a number; one of seven digits or more gets three digits and an exponent.

    Examples
    --------
    >>> round_number(161280), round_number(6670903752021072936960)
    ('161,280', '6.67e+21')
    """
    digits = str(number)
    return f"{number:,}" if len(digits) < 7 else f"{digits[0]}.{digits[1:3]}e+{len(digits) - 1}"
