"""csp compare"""

from __future__ import annotations

import json
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
from ..output import WRONG, deliver, say
from ..progress import NO_SOLUTION, UNFINISHED, Ended, ProgressWatch, deadline, watching

SECONDS = 120.0
"""The most for a method, if nothing else is asked for."""

FIRST_LINES = 3
"""How much of a log is shown without --verbose."""


@dataclass(frozen=True)
class CompareOptions:
    """What is to be compared, and how it is shown."""

    methods: list[str]
    seconds: float
    as_json: bool
    verbose: bool

    @property
    def prints_logs(self) -> bool:
        """Whether logs are printed as they are written."""
        return self.verbose and not self.as_json

    @property
    def ways(self) -> list[tuple[str, Level | None]]:
        """Every method with each of its levels."""
        return [(name, level) for name in self.methods for level in METHODS[name].levels]


class Log:
    """Takes the lines of a log: prints them as they come, or keeps them, or the first ones and how many there are."""

    def __init__(self, wanted: CompareOptions) -> None:
        self.lines: list[str] = []
        self.count = 0
        self._wanted = wanted

    def __call__(self, line: str) -> None:
        self.count += 1
        if self._wanted.prints_logs:
            say(f"  {line}")
        elif self._wanted.verbose or self.count <= FIRST_LINES:
            self.lines.append(line)


def known_methods(ctx: click.Context, option: click.Parameter, value: str | None) -> list[str]:
    """The value of --methods: names with commas between them."""
    names = [*METHODS] if value is None else [name.strip() for name in value.split(",")]
    for name in names:
        if name not in METHODS:
            hint = suggest_name(name, METHODS) or f"there are {', '.join(METHODS)}"
            raise click.BadParameter(f"there is no method {name}; {hint}")
    return list(dict.fromkeys(names))


@question("Solve a puzzle in several ways, side by side.")
@click.option("--each", metavar="NAME=FILE", help="Compare on a puzzle for every line of FILE, as grid NAME.")
@click.option("--methods", metavar="NAME,...", callback=known_methods,
              help=f"Only these of {', '.join(METHODS)}.")  # fmt: skip
@timeout_option(f"Stop a method after S seconds (for each puzzle); {SECONDS:g} if not given.")
@json_option
@click.option("--verbose", is_flag=True, help="Print the whole log of every method.")
@folder_option("Draw what each method visited: SVG, and a page with all of them.")
def compare(ask: Ask, each: str | None, methods: list[str], verbose: bool, out: Path | None) -> None:
    """Solve the spec FILE by this engine at each level and by other methods, and compare how much each has to try,
    and how long it takes. A method counts all solutions, if it can.

    Exit code: 0 some method has found a solution, 1 some method has proved that there is none, 2 malformed input,
    3 neither.
    """
    wanted = CompareOptions(methods, SECONDS if ask.timeout is None else ask.timeout, ask.as_json, verbose)
    if each is not None:
        if out is not None:
            raise click.BadParameter("only one puzzle is drawn, without --each", param_hint="--out")
        ask.code = compare_each(ask, each, wanted)
    else:
        visits: list[Visits] | None = None if out is None else []
        results = compare_on(ask.model, wanted, visits=visits)
        if out is not None and visits is not None:
            from csp.render import draw_comparison

            out.mkdir(parents=True, exist_ok=True)
            title = Path(ask.spec[0].source.name).name
            for name, content in draw_comparison(ask.model, zip(results, visits, strict=True), title).items():
                deliver(str(out / name), content.encode())
        ask.code = ProgressWatch.signalled or code_of(results)


def compare_each(ask: Ask, each: str, wanted: CompareOptions) -> int:
    """Compare on a puzzle for every line of a file; the exit code."""
    grid, path = split_pair(each, "NAME=FILE", "--each")
    ask.reads(path)
    spec = Each(*ask.spec, grid)
    name = Source(path, "").name
    found: list[list[Result]] = []
    code = 0
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, puzzle in numbered_puzzles(lines):
            try:
                model = spec.model(puzzle)
            except (NoPuzzle, SpecError, ModelError) as error:
                if wanted.as_json:
                    say(json.dumps({"line": number, "error": str(error)}))
                else:
                    say(f"{name}:{number}: {error}", err=True)
                code = WRONG
                continue
            if not wanted.as_json:
                say(f"{name}:{number}:")
            found.append(compare_on(model, wanted, number))
            if ProgressWatch.signalled:
                break
            if code_of(found[-1]) == UNFINISHED:
                code = max(code, UNFINISHED)
    if not wanted.as_json and len(found) > 1:
        say(f"all {len(found)} puzzles:")
        print_table([total(results) for results in zip_longest(*found)])
    return ProgressWatch.signalled or code


def compare_on(
    model: Model, wanted: CompareOptions, line: int | None = None, visits: list[Visits] | None = None
) -> list[Result]:
    """Solve a model in every way that is wanted, and print what comes of it; ``visits`` is given what each visits."""
    results: list[Result] = []
    logs: list[Log] = []
    for method, level in wanted.ways:
        log = Log(wanted)
        if wanted.prints_logs:
            say(named(method, level))
        if visits is not None:
            visits.append(Visits())
        result = measure(model, method, level, wanted.seconds, log, visits[-1] if visits else None)
        results.append(result)
        logs.append(log)
        if wanted.as_json:
            say(json.dumps(as_dict(result, line, log.lines if wanted.verbose else None)))
        elif wanted.prints_logs and result.note:
            say(f"  {result.note}")
        if ProgressWatch.signalled:
            say(f"csp: {result.note}: {len(logs) - 1} of {len(wanted.ways)} ways compared", err=True)
            break
    if not wanted.as_json:
        print_table([row_of(result) for result in results])
        if not wanted.prints_logs:
            for result, log in zip(results, logs, strict=True):
                print_log(result, log)
    return results


def measure(
    model: Model, method: str, level: Level | None, seconds: float, log: Log, visits: Visits | None = None
) -> Result:
    """Solve a model in one way, for so many seconds at most."""
    unit = METHODS[method].unit
    began = time.perf_counter()
    try:
        with deadline(seconds), watching(named(method, level), unit) as progress:
            return attempt(model, method, level, Settings(seconds=seconds), progress, log, visits)
    except Ended as end:  # in the middle of something that asks nobody
        return Result(method, level, 0, False, 0, unit, time.perf_counter() - began, f"stopped by {end}")


def code_of(results: Sequence[Result]) -> int:
    """The exit code for one model."""
    if any(result.solved for result in results):
        return 0
    return NO_SOLUTION if any(result.complete for result in results) else UNFINISHED


def as_dict(result: Result, line: int | None, log: list[str] | None) -> dict[str, Any]:
    """A result as JSON."""
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


def named(method: str, level: Level | None) -> str:
    """A method at a level."""
    return f"{method} {level}" if level else method


def row_of(result: Result) -> list[str]:
    """The line of the table for a result."""
    ended = re.split(" by |: ", result.note)[0]
    solved = "yes" if result.solved else ended or "no solution"
    more = "+" if result.solved and not result.complete else ""
    return cells(result, solved, f"{result.solutions:,}{more}", result.attempts, result.seconds)


def total(results: Iterable[Result | None]) -> list[str]:
    """The line of the table for the results of one method on several puzzles."""
    done = [result for result in results if result is not None]
    solved, solutions, attempts, seconds = (
        sum([getattr(result, what) for result in done]) for what in ("solved", "solutions", "attempts", "seconds")
    )
    return cells(done[0], f"{solved} of {len(done)}", f"{solutions:,}", attempts, seconds)


def cells(one: Result, solved: str, solutions: str, attempts: int, seconds: float) -> list[str]:
    """A line of the table."""
    return [named(one.method, one.level), solved, solutions, f"{attempts:,}", one.unit, f"{seconds:.3f}"]


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """One line for each method and level."""
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
    """How a method ended, and the first lines of its log."""
    say(named(result.method, result.level))
    for line in [*([result.note] if result.note else []), *log.lines]:
        say(f"  {line}")
    if log.count > len(log.lines):
        say(f"  ... {log.count - len(log.lines):,} more lines with --verbose")
