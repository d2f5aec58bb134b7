"""csp check"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp import Settings, Solver, counted, verdict

from ...lint.codes import CODES
from ...semantics.clauses.build import nothing_declared
from ...syntax.errors import Source, SpecError, suggest_name
from ..asking import Ask, question
from ..evidence import gather_evidence, place_as_dict
from ..options import search_option, threads_option
from ..output import WRONG
from ..progress import Ended, ProgressWatch

if TYPE_CHECKING:
    from ...lint.report import Report

FINDINGS = 1


def known_codes(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of --ignore, which must be names of warnings."""
    for value in values:
        if value not in CODES:
            hint = suggest_name(value, CODES) or "a warning ends with its name"
            raise click.BadParameter(f"there is no warning {value}; {hint}")
    return values


@question("Report mistakes and warnings, and whether there is one solution.", json=True, timeout=True)
@click.option("--ignore", multiple=True, metavar="CODE", callback=known_codes,
              shell_complete=lambda ctx, option, text: [code for code in CODES if code.startswith(text)],
              help="Leave out the warnings of this name, as in [unused-param].")  # fmt: skip
@click.option("--fine", is_flag=True,
              help="Tell why there is none in pairs that differ; look to the end for what settles it.")  # fmt: skip
@click.option("--certificate", type=click.Path(file_okay=False), metavar="DIR",
              help="Of none or one, write a proof that csp verify DIR checks: clauses.cnf and proof.drup.")  # fmt: skip
@search_option
@threads_option
def check(ask: Ask, ignore: tuple[str, ...], fine: bool, certificate: str | None, threads: int) -> None:
    """Report what is wrong with the spec FILE and what is hardly meant, and say whether it has none, one or several
    solutions, where answers that show alike are one; of a spec that says what is best, also how good the best is.
    Where there is none, what cannot hold together is shown; where there are several, two of them and which values would
    settle it; where there is one, how that is proved.

    Exit code: 0 one solution and nothing to report, 1 a warning, no solution or several, 2 malformed input, 3 stopped
    by a limit before the number of solutions is known, or the certificate would be too large.
    """
    settings = Settings(search=ask.search, threads=threads, seconds=ask.timeout)
    ask.code = answer(ask, ignore, fine, certificate, settings)


def answer(ask: Ask, ignore: tuple[str, ...], fine: bool, certificate: str | None, settings: Settings) -> int:
    """Print what there is to report; the exit code."""
    try:
        from ...lint.report import Report, inspect

        report = inspect(*ask.spec, ignore)
    except SpecError as error:
        report = Report(error.diagnostics, error.sources, None, {})
    except Ended as end:
        return not_known(ask, Source(ask.file, "").name, end)
    if report.model is not None and not report.model.domains:
        nothing = nothing_declared(ask.spec[0].clauses)
        others = [warned for warned in report.found if warned.at != nothing.at]
        report = Report([nothing, *others], report.sources, None, {})
    for diagnostic in report.found:
        ask.say(report.sources[diagnostic.text].show(diagnostic), place_as_dict(report, diagnostic))
    if report.model is None:
        return WRONG
    name, progress = report.sources[""].name, ask.progress
    try:
        solver = Solver(report.model, settings=settings)
        found = verdict(solver, progress)
    except Ended as end:
        return not_known(ask, name, end)
    evidence = gather_evidence(solver, found, fine, progress)
    paper = None
    if certificate is not None:
        from ..certifying import certify

        paper = certify(solver, found, certificate, report.sources, ask.spec[1], progress)
    warnings = f" · {counted(len(report.found), 'warning')}" if report.found else ""
    texts = [*evidence.texts(report), *_left_out(report), f"{name}: {found.message}{evidence.more}{warnings}"]
    best = {} if found.best is None else {"objective": found.best}
    message = found.message + (evidence.more if evidence.stopped else "")
    said = {"file": name, "solutions": found.solutions, **best, "message": message}
    left = {"left_out": report.left_out} if report.left_out else {}
    written = {} if paper is None else {"certificate": paper.as_dict()}
    ask.tell("\n".join(texts), {**said, **evidence.as_dict(report), **left, **written})
    if paper is not None:
        paper.tell(ask.as_json)
    if found.solutions == "unknown" or ProgressWatch.signalled:
        return progress.code
    if paper is not None and paper.why_not and found.solutions != "several":
        return progress.code
    return FINDINGS if report.found or found.solutions != "one" else 0


def not_known(ask: Ask, name: str, end: Ended) -> int:
    """Say that the time was over, or a signal came, before there was anything to ask; the exit code."""
    message = f"not known; stopped by {end}"
    ask.say(f"{name}: {message}", {"file": name, "solutions": "unknown", "message": message})
    return end.code


def _left_out(report: Report) -> Iterator[str]:
    """A line about what lint has not looked at."""
    if report.left_out:
        name, told = report.sources[""].name, counted(report.left_out, "constraint")
        yield f"{name}: whether they always hold or never was not asked of {told}, which would take long"
