"""csp check"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from csp import Solver, Strategy, Way, verdict

from ..language.clauses.build import nothing_declared
from ..language.errors import Mistake, SpecError, near, plural
from ..lint.codes import CODES
from .options import json_option, read_spec, search_option, spec_options, threads_option, timeout_option
from .output import WRONG, say
from .watch import deadline, watching

if TYPE_CHECKING:
    from ..lint.report import Report

FINDINGS = 1


def known_codes(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of --ignore, which must be names of warnings."""
    for value in values:
        if value not in CODES:
            hint = near(value, CODES) or "a warning ends with its name"
            raise click.BadParameter(f"there is no warning {value}; {hint}")
    return values


@click.command(short_help="Report mistakes and warnings, and whether there is one solution.")
@spec_options
@click.option("--ignore", multiple=True, metavar="CODE", callback=known_codes,
              help="Leave out the warnings of this name, as in [unused-param].")  # fmt: skip
@search_option
@threads_option
@json_option
@timeout_option("Stop after S seconds.")
def check(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    ignore: tuple[str, ...],
    search: Way,
    threads: int,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Report what is wrong with the spec FILE and what is hardly meant, and say whether it has none, one or several
    solutions, where answers that show alike are one; of a spec that says what is best, also how good the best is.

    Exit code: 0 one solution and nothing to report, 1 a warning, no solution or several, 2 malformed input, 3 stopped
    by a limit before the number of solutions is known.
    """
    with deadline(timeout):
        strategy = Strategy(search=search, threads=threads, seconds=timeout)
        sys.exit(answer(file, settings, grids, ignore, as_json, strategy))


def answer(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    ignore: tuple[str, ...],
    as_json: bool,
    strategy: Strategy,
) -> int:
    """Print what there is to report; the exit code."""
    from ..lint.report import Report, inspect

    try:
        program, params, sources = read_spec(file, settings, grids)
        report = inspect(program, params, sources, ignore)
    except SpecError as error:
        report = Report(error.mistakes, error.sources, None)
    if report.model is not None and not report.model.domains:
        report = Report([nothing_declared(program.clauses), *report.found], report.sources, None)
    for mistake in report.found:
        source = report.sources[mistake.text]
        say(json.dumps(as_dict(report, mistake)) if as_json else source.show(mistake))
    if report.model is None:
        return WRONG
    with watching() as watch:
        found = verdict(Solver(report.model, strategy=strategy), watch)
    name = report.sources[""].name
    if as_json:
        best = {} if found.best is None else {"objective": found.best}
        say(json.dumps({"file": name, "solutions": found.solutions, **best, "message": found.message}))
    else:
        warnings = f" · {plural(len(report.found), 'warning')}" if report.found else ""
        say(f"{name}: {found.message}{warnings}")
    if found.solutions == "unknown":
        return watch.code
    return FINDINGS if report.found or found.solutions != "one" else 0


def as_dict(report: Report, mistake: Mistake) -> dict[str, Any]:
    """A mistake for an editor; lines and columns count from 1, and the end is behind the last character."""
    source = report.sources[mistake.text]
    at = mistake.at and source.clipped(mistake.at)
    return {
        "file": source.name,
        "line": at and at.line,
        "column": at and at.column,
        "end_column": at and at.column + at.width,
        "severity": mistake.severity,
        "code": mistake.code or None,
        "message": mistake.message,
        "hint": mistake.hint,
    }
