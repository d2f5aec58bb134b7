"""The command ``csp compare``: compares this engine with other solving methods."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from csp import Level, Model, ModelError, Settings
from csp.methods import METHODS, Result, Visits, attempt

from ...puzzles.each import Each, NoPuzzle, numbered_puzzles
from ...syntax.errors import Source, SpecError, suggest_name
from ..asking import Ask, question
from ..options import folder_option, json_option, split_pair, timeout_option
from ..output import WRONG, deliver, format_json, say
from ..progress import NO_SOLUTION, UNFINISHED, Ended, Interrupts

DEFAULT_SECONDS = 120.0
"""The time limit in seconds for a method, without --timeout."""

FIRST_LINES = 3
"""Number of lines of a log that are printed without --verbose."""


@dataclass(frozen=True)
class CompareOptions:
    """The methods to compare, the time limit of each, and how to print the comparison."""

    interrupts: Interrupts
    methods: list[str]
    seconds: float
    as_json: bool
    verbose: bool

    @property
    def prints_logs(self) -> bool:
        """Whether log lines are printed as soon as they arrive."""
        return self.verbose and not self.as_json

    @property
    def ways(self) -> list[tuple[str, Level | None]]:
        """Pairs (method, level) for each selected method; None for a method without levels."""
        return [(name, level) for name in self.methods for level in METHODS[name].levels]


class Log:
    """A callback that counts the lines of a method's log, and prints or collects them.

    Without --verbose it collects the first lines only.
    """

    def __init__(self, options: CompareOptions) -> None:
        self.lines: list[str] = []
        self.count = 0
        self._options = options

    def __call__(self, line: str) -> None:
        self.count += 1
        if self._options.prints_logs:
            say(f"  {line}")
        elif self._options.verbose or self.count <= FIRST_LINES:
            self.lines.append(line)


def known_methods(ctx: click.Context, option: click.Parameter, value: str | None) -> list[str]:
    """Parse the value of --methods, names separated by commas; by default all methods."""
    names = [*METHODS] if value is None else [name.strip() for name in value.split(",")]
    for name in names:
        if name not in METHODS:
            hint = suggest_name(name, METHODS) or f"the methods are {', '.join(METHODS)}"
            raise click.BadParameter(f"unknown method: {name}; {hint}")
    return list(dict.fromkeys(names))


@question(epilog=f"Methods: {', '.join(METHODS)}.")
@click.option("--each", metavar="NAME=FILE", help="Compare on each line of FILE as grid NAME.")
@click.option("--methods", metavar="NAME,...", callback=known_methods,
              help="Use only these methods, separated by commas.")  # fmt: skip
@timeout_option(f"Stop each method after S seconds per puzzle; default {DEFAULT_SECONDS:g}.")
@json_option
@click.option("--verbose", is_flag=True, help="Print the log of each method.")
@folder_option("Draw the search of each method, with an index.html.")
def compare(ask: Ask, each: str | None, methods: list[str], verbose: bool, out: Path | None) -> None:
    """Compare solving methods on the spec FILE: attempts and seconds.

    The engine runs at each level. A method counts all solutions if it can.

    Exit code: 0 solved, 1 proved without solution, 2 malformed input, 3 neither.

    Example: csp compare examples/shidoku.csp --methods engine,backtracking
    """
    seconds = DEFAULT_SECONDS if ask.timeout is None else ask.timeout
    options = CompareOptions(ask.interrupts, methods, seconds, ask.as_json, verbose)
    if each is not None:
        if out is not None:
            raise click.BadParameter("only one puzzle is drawn, without --each", param_hint="--out")
        ask.code = compare_each(ask, each, options)
    else:
        visits: list[Visits] | None = None if out is None else []
        results = compare_on(ask.model, options, visits=visits)
        if out is not None and visits is not None:
            from csp.render import draw_comparison

            out.mkdir(parents=True, exist_ok=True)
            title = Path(ask.spec[0].source.name).name
            for name, content in draw_comparison(ask.model, zip(results, visits, strict=True), title).items():
                deliver(str(out / name), content.encode())
        ask.code = ask.interrupts.signalled or exit_code(results)


def compare_each(ask: Ask, each: str, options: CompareOptions) -> int:
    """Compare the methods on each line's puzzle in a file; return the exit code.

    ``each`` is NAME=FILE: the grid that the lines fill, and the file of lines.
    """
    grid, path = split_pair(each, "NAME=FILE", "--each")
    ask.reads(path)
    spec = Each(*ask.spec, grid)
    name = Source(path, "").name
    comparisons: list[list[Result]] = []
    code = 0
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, puzzle in numbered_puzzles(lines):
            try:
                model = spec.model(puzzle)
            except (NoPuzzle, SpecError, ModelError) as error:
                if options.as_json:
                    say(format_json({"line": number, "error": str(error)}))
                else:
                    say(f"{name}:{number}: {error}", err=True)
                code = WRONG
                continue
            if not options.as_json:
                say(f"{name}:{number}:")
            comparisons.append(compare_on(model, options, number))
            if options.interrupts.signalled:
                break
            if exit_code(comparisons[-1]) == UNFINISHED:
                code = max(code, UNFINISHED)
    if not options.as_json and len(comparisons) > 1:
        say(f"all {len(comparisons)} puzzles:")
        print_table([total_row(results) for results in zip_longest(*comparisons)])
    return options.interrupts.signalled or code


def compare_on(
    model: Model, options: CompareOptions, line: int | None = None, visits: list[Visits] | None = None
) -> list[Result]:
    """Solve a model by every method and level; print and return the results.

    If ``visits`` is a list, the function appends the assignments that each method and level visited.
    """
    results: list[Result] = []
    logs: list[Log] = []
    for method, level in options.ways:
        log = Log(options)
        if options.prints_logs:
            say(way_name(method, level))
        if visits is not None:
            visits.append(Visits())
        result = measure(model, method, level, options, log, visits[-1] if visits else None)
        results.append(result)
        logs.append(log)
        if options.as_json:
            say(format_json(as_dict(result, line, log.lines if options.verbose else None)))
        elif options.prints_logs and result.note:
            say(f"  {result.note}")
        if options.interrupts.signalled:
            say(f"csp: {result.note}: {len(logs) - 1} of {len(options.ways)} ways compared", err=True)
            break
    if not options.as_json:
        print_table([result_row(result) for result in results])
        if not options.prints_logs:
            for result, log in zip(results, logs, strict=True):
                print_log(result, log)
    return results


def measure(
    model: Model, method: str, level: Level | None, options: CompareOptions, log: Log, visits: Visits | None = None
) -> Result:
    """Return the result of one method and level on a model, within the time limit.

    ``log`` receives the method's log lines, and ``visits`` its assignments.
    """
    unit = METHODS[method].unit
    began = time.perf_counter()
    try:
        deadline, watching = options.interrupts.deadline, options.interrupts.watching
        with deadline(options.seconds), watching(way_name(method, level), unit) as progress:
            return attempt(model, method, level, Settings(seconds=options.seconds), progress, log, visits)
    except Ended as end:  # the method did not call the progress callback in time
        return Result(method, level, 0, False, 0, unit, time.perf_counter() - began, f"stopped by {end}")


def exit_code(results: Sequence[Result]) -> int:
    """Return 0 if a method found a solution, 1 if one excluded solutions, else 3."""
    if any(result.solved for result in results):
        return 0
    return NO_SOLUTION if any(result.complete for result in results) else UNFINISHED


def as_dict(result: Result, line: int | None, log: list[str] | None) -> dict[str, Any]:
    """Return a method's result as JSON data, with line number and log unless None."""
    return {
        **({} if line is None else {"line": line}),
        "method": result.method,
        "level": result.level,
        "solved": result.solved,
        "solutions": result.solutions,
        "complete": result.complete,
        "attempts": result.attempts,
        "unit": result.unit,
        "seconds": round(result.seconds, 6),
        "note": result.note,
        **({} if log is None else {"log": log}),
    }


def way_name(method: str, level: Level | None) -> str:
    """Return the name of a method, with its level if it has levels."""
    return f"{method} {level}" if level else method


def result_row(result: Result) -> list[str]:
    """Return the table row, a list of texts, for a result on one puzzle."""
    ending = re.split(" by |: ", result.note)[0]
    solved = "yes" if result.solved else ending or "no solution"
    plus = "+" if result.solved and not result.complete else ""
    return table_row(result, solved, f"{result.solutions:,}{plus}", result.attempts, result.seconds)


def total_row(results: Iterable[Result | None]) -> list[str]:
    """Return the table row that sums one method's results over all puzzles."""
    finished = [result for result in results if result is not None]
    solved, solutions, attempts, seconds = (
        sum([getattr(result, field) for result in finished]) for field in ("solved", "solutions", "attempts", "seconds")
    )
    return table_row(finished[0], f"{solved} of {len(finished)}", f"{solutions:,}", attempts, seconds)


def table_row(result: Result, solved: str, solutions: str, attempts: int, seconds: float) -> list[str]:
    """Return a row of texts; ``result`` gives the method, level and unit."""
    return [way_name(result.method, result.level), solved, solutions, f"{attempts:,}", result.unit, f"{seconds:.3f}"]


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print rows of ``table_row`` as a table with headings."""
    from rich.console import Console
    from rich.table import Table

    table = Table("method", "solved", "solutions", "attempts", "unit", "seconds", box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
        column.justify = "right" if column.header in ("solutions", "attempts", "seconds") else "left"
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def print_log(result: Result, log: Log) -> None:
    """Print a method's name, note, collected log lines and the number of others."""
    say(way_name(result.method, result.level))
    for line in [*([result.note] if result.note else []), *log.lines]:
        say(f"  {line}")
    if log.count > len(log.lines):
        say(f"  ... {log.count - len(log.lines):,} more lines with --verbose")
