"""The command line."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp import Limits, Model, ModelError, Solver, Stopped, TooLarge, Value
from csp.propagation import Effort
from csp.solver import LEVELS, Level

from .build import Program
from .errors import Mistake, Source, SpecError
from .load import read

if TYPE_CHECKING:
    from .each import Each

NO_SOLUTION, WRONG, UNFINISHED, INTERRUPTED = 1, 2, 3, 130


class Watch(Limits):
    """Limits that Ctrl-C reaches too, and that show on a terminal that something is going on."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds=seconds)
        self.interrupted = False
        self._began = time.monotonic()
        self._status: Any = None

    def check_time(self, effort: Effort) -> None:
        super().check_time(effort)
        if self.interrupted:
            raise Stopped("Ctrl-C")
        if effort.nodes % 2048 == 0 and sys.stderr.isatty() and time.monotonic() - self._began > 1:
            self._show(effort)

    def _show(self, effort: Effort) -> None:
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        self._status.update(
            f"{time.monotonic() - self._began:.0f} s · {effort.nodes:,} nodes · {effort.solutions:,} solutions"
        )

    def close(self) -> None:
        """Take the status line away."""
        if self._status is not None:
            self._status.stop()


@contextmanager
def watching(seconds: float | None) -> Iterator[Watch]:
    """Limits for one question; the first Ctrl-C within ends it, the second one ends the program."""
    watch = Watch(seconds)

    def interrupt(*_: object) -> None:
        watch.interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield watch
    finally:
        watch.close()
        signal.signal(signal.SIGINT, before)


class Commands(click.Group):
    """Commands whose errors are reports on stderr and exit codes, never tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (SpecError, ModelError, TooLarge) as error:
            fail(str(error))
        except UnicodeEncodeError as error:
            fail(f"csp: this terminal cannot show {error.object[error.start : error.end]!r}; set PYTHONUTF8=1")
        except Stopped as limit:
            fail(f"csp: stopped by {limit}", INTERRUPTED)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the interpreter would complain when it flushes
            sys.exit(0)
        except OSError as error:
            fail(f"csp: {error.filename}: {error.strerror}" if error.filename else f"csp: {error}")
        except KeyboardInterrupt:
            fail("csp: interrupted", INTERRUPTED)
        except MemoryError:
            fail("csp: out of memory", UNFINISHED)


def fail(message: str, code: int = WRONG) -> None:
    """Say what is wrong and leave."""
    click.echo(message, err=True)
    sys.exit(code)


def parse_setting(value: str) -> Value:
    """The value of a ``--set``: a number or a symbol."""
    return int(value) if re.fullmatch("-?[0-9]{1,18}", value) else value


def pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE options as a dictionary."""
    return dict(split_pair(value, str(option.metavar)) for value in values)


def split_pair(value: str, form: str, hint: str | None = None) -> tuple[str, str]:
    """The two sides of NAME=VALUE."""
    name, equals, right = value.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{value} is not of the form {form}", param_hint=hint)
    return name, right


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """FILE, --set and --grid, which every command takes."""
    options = [
        click.argument("file"),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", callback=pairs, help="Set a param."),
        click.option(
            "--grid", "grids", multiple=True, metavar="NAME=FILE", callback=pairs,
            help="Read a grid from a file; - is standard input.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


level_option = click.option(
    "--level", type=click.Choice(LEVELS), default="singles", show_default=True, help="How much is propagated."
)


def read_spec(
    file: str, settings: dict[str, str], grids: dict[str, str]
) -> tuple[Program, dict[str, Value], dict[str, Source]]:
    """The spec with its params and grids."""
    if [file, *grids.values()].count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    sources = {name: Source(path, read(path)) for name, path in grids.items()}
    params = {name: parse_setting(value) for name, value in settings.items()}
    return Program(Source(file, read(file))), params, sources


def load_model(file: str, settings: dict[str, str], grids: dict[str, str]) -> Model:
    """The model of a spec on the command line."""
    program, params, sources = read_spec(file, settings, grids)
    model = program.build(params, sources).model
    if not model.domains:
        hint = "logical variables begin in uppercase: x(I) in 1..4 :- I in 1..4."
        raise SpecError([Mistake("the spec declares no variable", None, hint)], {"": program.source})
    return model


@click.group(cls=Commands)
@click.version_option(package_name="alldifferent", message="csp (alldifferent) %(version)s")
def main() -> None:
    """Solve, propagate and draw all-different puzzles written as text."""


@main.command()
@spec_options
@click.option("--all", "every", is_flag=True, help="Print every solution.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Print, or count, at most N solutions.")
@click.option("--count", "counting", is_flag=True, help="Print how many solutions there are.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
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
    import json

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


def say_stopped(why: str, known: str, watch: Watch) -> None:
    """Say that a limit or Ctrl-C ended the search, with what is known, and leave."""
    fail(f"csp: stopped by {why}: {known}", INTERRUPTED if watch.interrupted else UNFINISHED)


def print_stats(effort: Effort, began: float) -> None:
    """Say what an answer has cost."""
    counts = " · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__)
    click.echo(f"{counts} · seconds {time.perf_counter() - began:.3f}", err=True)


def solve_each(
    file: str, settings: dict[str, str], grids: dict[str, str], each: str, level: Level, timeout: float | None
) -> None:
    """Solve a puzzle for every line of a file, and leave."""
    from .each import Each, puzzles

    grid, path = split_pair(each, "NAME=FILE", "--each")
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
    from .each import NoPuzzle

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


@main.command(short_help="Print what is left without search.")
@spec_options
@level_option
@click.option("--trace", "tracing", is_flag=True, help="Print what happened, a line for each event.")
def propagate(
    file: str, settings: dict[str, str], grids: dict[str, str], level: Level, tracing: bool
) -> None:
    """Propagate the spec FILE without search and print what is left, as a spec."""
    model = load_model(file, settings, grids)
    if tracing:
        from csp.recorder import record
        from csp.records import Failure

        trace = record(model, level)
        for line in trace.captions():
            click.echo(line)
        sys.exit(NO_SOLUTION if isinstance(trace.records[-1], Failure) else 0)
    from .unparse import residual

    with watching(None) as watch:
        left = Solver(model, level).propagate(limits=watch)
    if not left.holds:
        click.echo("no solution", err=True)
        sys.exit(NO_SOLUTION)
    click.echo(residual(model, left.domains), nl=False)


@main.command(short_help="Draw the graph from step to step.")
@spec_options
@level_option
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the pictures go.")
@click.option("--format", "formats", multiple=True, type=click.Choice(["svg", "png"]), default=["svg"],
              show_default=True, help="Besides DOT.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
              help="The most pictures.")  # fmt: skip
def draw(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    level: Level,
    out: Path,
    formats: tuple[str, ...],
    limit: int,
) -> None:
    """Draw numbered snapshots of the graph of the spec FILE while it is solved."""
    from csp.recorder import record
    from csp.render.drawing import DrawingError
    from csp.render.frames import write_frames

    trace = record(load_model(file, settings, grids), level, nodes=limit)
    try:
        written = write_frames(trace, out, tuple(dict.fromkeys(formats)), limit)
    except DrawingError as error:
        fail(f"csp: {error}")
    for path in written:
        click.echo(path)
    if written.omitted:
        click.echo(f"csp: the limit left out {written.omitted} pictures; --limit takes more", err=True)


@main.command()
@spec_options
@click.option("--primal", is_flag=True, help="Variables only, joined where they share a constraint.")
@click.option("--format", "form", type=click.Choice(["dot", "graphml", "json"]), default="dot", show_default=True)
def graph(file: str, settings: dict[str, str], grids: dict[str, str], primal: bool, form: str) -> None:
    """Print the constraint network of the spec FILE."""
    from csp.render.graphs import write_graph

    click.echo(write_graph(load_model(file, settings, grids), form, primal), nl=False)
