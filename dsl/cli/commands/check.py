"""csp check"""

from __future__ import annotations

import json
import sys

import click

from csp import Solver, Strategy, Way, verdict

from ...lint.codes import CODES
from ...meaning.clauses.build import nothing_declared
from ...text.errors import SpecError, near, plural
from ..certifying import certify
from ..evidence import gather, place_as_dict
from ..options import json_option, read_spec, search_option, spec_options, threads_option, timeout_option
from ..output import WRONG, say
from ..watch import Watch, deadline, watching

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
@click.option("--fine", is_flag=True, help="Where there is no solution: tell it in pairs that differ, not in groups.")
@click.option("--certificate", type=click.Path(file_okay=False), metavar="DIR",
              help="Of none or one, write a proof that csp verify DIR checks: clauses.cnf and proof.drup.")  # fmt: skip
@search_option
@threads_option
@json_option
@timeout_option("Stop after S seconds.")
def check(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    ignore: tuple[str, ...],
    fine: bool,
    certificate: str | None,
    search: Way,
    threads: int,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Report what is wrong with the spec FILE and what is hardly meant, and say whether it has none, one or several
    solutions, where answers that show alike are one; of a spec that says what is best, also how good the best is.
    Where there is none, what cannot hold together is shown; where there are several, two of them and which values would
    settle it; where there is one, how that is proved.

    Exit code: 0 one solution and nothing to report, 1 a warning, no solution or several, 2 malformed input, 3 stopped
    by a limit before the number of solutions is known, or the certificate would be too large.
    """
    with deadline(timeout):
        strategy = Strategy(search=search, threads=threads, seconds=timeout)
        sys.exit(answer(file, settings, grids, ignore, fine, certificate, as_json, strategy))


def answer(
    file: str,
    settings: dict[str, str],
    grids: dict[str, str],
    ignore: tuple[str, ...],
    fine: bool,
    certificate: str | None,
    as_json: bool,
    strategy: Strategy,
) -> int:
    """Print what there is to report; the exit code."""
    from ...lint.report import Report, inspect

    try:
        program, params, sources = read_spec(file, settings, grids)
        report = inspect(program, params, sources, ignore)
    except SpecError as error:
        report = Report(error.mistakes, error.sources, None, {})
    if report.model is not None and not report.model.domains:
        report = Report([nothing_declared(program.clauses), *report.found], report.sources, None, {})
    for mistake in report.found:
        source = report.sources[mistake.text]
        say(json.dumps(place_as_dict(report, mistake)) if as_json else source.show(mistake))
    if report.model is None:
        return WRONG
    solver = Solver(report.model, strategy=strategy)
    with watching() as watch:
        found = verdict(solver, watch)
        evidence = gather(solver, found, fine, watch)
        paper = None if certificate is None else certify(solver, found, certificate, watch)
    name = report.sources[""].name
    if as_json:
        best = {} if found.best is None else {"objective": found.best}
        message = found.message + (evidence.more if evidence.stopped else "")
        said = {"file": name, "solutions": found.solutions, **best, "message": message}
        written = {} if paper is None else {"certificate": paper.as_dict()}
        say(json.dumps({**said, **evidence.as_dict(report), **written}))
    else:
        for text in evidence.texts(report):
            say(text)
        warnings = f" · {plural(len(report.found), 'warning')}" if report.found else ""
        say(f"{name}: {found.message}{evidence.more}{warnings}")
    if paper is not None:
        paper.tell(as_json)
    if found.solutions == "unknown" or Watch.signalled:
        return watch.code
    if paper is not None and paper.why_not and found.solutions != "several":
        return watch.code
    return FINDINGS if report.found or found.solutions != "one" else 0
