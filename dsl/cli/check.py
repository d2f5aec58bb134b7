"""csp check"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from csp import Constraint, Model, Solution, Solver, Stopped, Variable
from csp.recorder import Recorder
from csp.records import Failure, Record, Removal, caption
from csp.solver import Level

from ..language.errors import Mistake, SpecError, near, plural
from ..lint.codes import CODES
from .options import NO_VARIABLE, json_option, read_spec, spec_options
from .watch import INTERRUPTED, UNFINISHED, WRONG, Watch, watching

if TYPE_CHECKING:
    from ..lint.report import Report

FINDINGS = 1
EXPLAINING: tuple[Level, ...] = ("singles", "domain")
MOST_NAMED = 5


@dataclass(frozen=True)
class Verdict:
    """How many solutions there are: none, one, several or unknown; and what more there is to say."""

    solutions: str
    message: str


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
@json_option
@click.option("--timeout", type=click.FloatRange(min=0), metavar="S", help="Stop the search after S seconds.")
def check(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    ignore: tuple[str, ...],
    as_json: bool,
    timeout: float | None,
) -> None:
    """Report what is wrong with the spec FILE and what is hardly meant, and say whether it has none, one or several
    solutions.

    Exit code: 0 one solution and nothing to report, 1 a warning, no solution or several, 2 malformed input, 3 stopped
    by a limit before the number of solutions is known.
    """
    from ..lint.report import Report, inspect

    try:
        program, params, sources = read_spec(file, settings, grids)
        report = inspect(program, params, sources, ignore)
    except SpecError as error:
        report = Report(error.mistakes, error.sources, None)
    if report.model is not None and not report.model.domains:
        report = Report([NO_VARIABLE, *report.found], report.sources, None)
    for mistake in report.found:
        source = report.sources[mistake.grid]
        click.echo(json.dumps(as_dict(report, mistake)) if as_json else source.show(mistake))
    if report.model is None:
        sys.exit(WRONG)
    solver = Solver(report.model)
    with watching(timeout) as watch:
        verdict = judge(solver, watch)
    name = report.sources[""].name
    if as_json:
        click.echo(json.dumps({"file": name, "solutions": verdict.solutions, "message": verdict.message}))
    else:
        warnings = f" · {plural(len(report.found), 'warning')}" if report.found else ""
        click.echo(f"{name}: {verdict.message}{warnings}")
    if verdict.solutions == "unknown":
        sys.exit(INTERRUPTED if watch.interrupted else UNFINISHED)
    sys.exit(FINDINGS if report.found or verdict.solutions != "one" else 0)


def as_dict(report: Report, mistake: Mistake) -> dict[str, Any]:
    """A mistake for an editor; lines and columns count from 1, and the end is behind the last character."""
    source = report.sources[mistake.grid]
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


def judge(solver: Solver, watch: Watch) -> Verdict:
    """How many solutions there are, up to two."""
    answers = solver.solutions(limits=watch)
    found = list(islice(answers, 2))
    if answers.stopped:
        some = "at least one solution" if found else "not known"
        return Verdict("unknown", f"{some}; stopped by {answers.stopped}")
    if not found:
        return Verdict("none", "no solution" + reason(solver.model, watch))
    if len(found) == 1:
        return Verdict("one", "one solution")
    return Verdict("several", f"several solutions: {difference(solver.model, *found)}")


def difference(model: Model, one: Solution, other: Solution) -> str:
    """Where two solutions differ, first where an answer shows it, and in how many variables."""
    order = dict.fromkeys([*model.shown, *model.domains])
    first, *others = [variable for variable in order if one[variable] != other[variable]]
    said = f"{first} is {one[first]} in one and {other[first]} in another; "
    if not others:
        return said + "no other variable differs"
    named = ", ".join(f"{variable} is {one[variable]} or {other[variable]}" for variable in others[:MOST_NAMED])
    more = ", ..." if len(others) > MOST_NAMED else ""
    return f"{said}{len(others) + 1:,} of {len(order):,} variables differ: {named}{more}"


def reason(model: Model, watch: Watch) -> str:
    """Where propagation finds that there is no solution, and which constraints lead to it, as far as it does."""
    for level in EXPLAINING:
        solver, witness = Solver(model, level), Witness()
        try:
            solver.propagate(limits=watch, observer=Recorder(solver, witness.hear))
        except Stopped:
            return ""
        if witness.failure is not None:
            return f": {caption(witness.failure).removeprefix('failure · ')}{witness.because()}"
    return ": only search finds that out"


class Witness:
    """Remembers a failure, and which constraints have taken values from each variable."""

    def __init__(self) -> None:
        self.failure: Failure | None = None
        self._takers: dict[Variable, dict[str, None]] = {}

    def hear(self, record: Record) -> None:
        """Take note of a record."""
        match record:
            case Failure():
                self.failure = self.failure or record
            case Removal(constraint=Constraint() as constraint, removed=removed):
                for variable, _ in removed:
                    self._takers.setdefault(variable, {})[constraint.place] = None

    def because(self) -> str:
        """The constraints that have taken all values from a variable."""
        assert self.failure is not None
        what = self.failure.what
        takers = list(self._takers.get(what, ())) if isinstance(what, Variable) else []
        more = f" and {len(takers) - MOST_NAMED} more" if len(takers) > MOST_NAMED else ""
        return f", because of {', '.join(takers[:MOST_NAMED])}{more}" if takers else ""
