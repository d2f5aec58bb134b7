"""csp solve --each: a puzzle a line"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable

import click

from csp import ModelError, Stopped, Strategy, TooLarge

from ..language.each import Each, NoPuzzle, puzzles
from ..language.errors import Source, SpecError
from .options import read_once, read_spec, split_pair
from .output import WRONG, say, say_effort
from .watch import UNFINISHED, Ended, deadline


def solve_each(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    each: str,
    strategy: Strategy,
    as_json: bool,
    stats: bool,
) -> int:
    """Solve a puzzle for every line of a file; the exit code."""
    grid, path = split_pair(each, "NAME=FILE", "--each")
    read_once([file, *grids.values(), path])
    with deadline(strategy.seconds):
        program, params, sources = read_spec(file, settings, grids)
        solver = Each(program, params, sources, grid, strategy)
    began = time.perf_counter()
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
        todo: Iterable[tuple[int, str]] = puzzles(lines)
        if sys.stderr.isatty() and not sys.stdout.isatty():
            from rich.console import Console
            from rich.progress import track

            todo = track(todo, "solving", total=None, console=Console(stderr=True))
        code = solve_lines(solver, todo, Source(path, "").name, as_json)
    if stats:
        say_effort(solver.effort, began, f" · puzzles {solver.asked}")
    return code


def solve_lines(solver: Each, todo: Iterable[tuple[int, str]], name: str, as_json: bool) -> int:
    """One line of output for each puzzle; the exit code."""
    code = 0
    write = sys.stdout.write
    try:
        for number, puzzle in todo:
            try:
                answer = solver.solve(puzzle)
                write((json.dumps({"line": number, "solution": answer}) if as_json else answer or "none") + "\n")
            except (NoPuzzle, SpecError, ModelError, TooLarge, Stopped) as error:
                stopped = isinstance(error, Stopped)
                message = f"{'stopped by ' if stopped else ''}{error}"
                if not as_json:
                    sys.stdout.flush()
                    say(f"{name}:{number}: {message}", err=True)
                write((json.dumps({"line": number, "error": message}) if as_json else "error") + "\n")
                code = max(code, UNFINISHED if stopped else WRONG)
    except Ended as end:
        sys.stdout.flush()
        say(f"csp: stopped by {end}: {solver.asked:,} puzzles so far", err=True)
        return end.code
    sys.stdout.flush()
    return code
