"""The command ``csp check``: reports errors, warnings and the number of solutions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp import Settings, Solver, counted, verdict

from ...semantics.clauses.build import nothing_declared
from ...syntax.errors import WARNINGS, Source, SpecError, suggest_name
from ..asking import Ask, question
from ..evidence import gather_evidence, place_as_dict
from ..options import search_option, threads_option
from ..output import WRONG
from ..progress import Ended

if TYPE_CHECKING:
    from ...lint.report import Report

FINDINGS = 1
"""The exit code for a warning, and for no or several solutions."""


def known_codes(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of --ignore; refuse values that are not codes of warnings."""
    for value in values:
        if value not in WARNINGS:
            hint = suggest_name(value, WARNINGS) or "write the code in brackets at the end of a warning"
            raise click.BadParameter(f"unknown warning: {value}; {hint}")
    return values


@question(json=True, timeout=True)
@click.option("--ignore", multiple=True, metavar="CODE", callback=known_codes,
              shell_complete=lambda ctx, option, text: [code for code in WARNINGS if code.startswith(text)],
              help="Omit warnings of this code, such as unused-param; repeatable.")  # fmt: skip
@click.option("--fine", is_flag=True,
              help="Search without work limit for the smallest evidence.")  # fmt: skip
@click.option("--certificate", type=click.Path(file_okay=False), metavar="DIR",
              help="Write a proof for csp verify: no or one solution.")  # fmt: skip
@search_option
@threads_option
def check(ask: Ask, ignore: tuple[str, ...], fine: bool, certificate: str | None, threads: int) -> None:
    """Report errors, warnings, and whether the spec FILE has one solution.

    Without a solution, show constraints that contradict each other. With several solutions, show two of them, and
    values that would make one of them unique. With one solution, show how it is proved.

    Exit code: 0 one solution, 1 warnings, none or several, 2 malformed input, 3 stopped by a limit.

    Example: csp check examples/sudoku.csp
    """
    settings = Settings(search=ask.search, threads=threads, seconds=ask.timeout)
    ask.code = answer(ask, ignore, fine, certificate, settings)


def answer(ask: Ask, ignore: tuple[str, ...], fine: bool, certificate: str | None, settings: Settings) -> int:
    """Print the report of csp check and return the exit code."""
    try:
        from ...lint.report import Report, inspect

        report = inspect(*ask.spec, ignore)
    except SpecError as error:
        report = Report(error.diagnostics, error.sources, None, {})
    except Ended as end:
        return report_unknown(ask, Source(ask.file, "").name, end)
    if report.model is not None and not report.model.domains:
        # A spec without variables is malformed; drop other diagnostics at the same place.
        no_variable = nothing_declared(ask.spec[0].clauses)
        other_diagnostics = [diagnostic for diagnostic in report.found if diagnostic.at != no_variable.at]
        report = Report([no_variable, *other_diagnostics], report.sources, None, {})
    for diagnostic in report.found:
        ask.say(report.sources[diagnostic.text].show(diagnostic), place_as_dict(report, diagnostic))
    if report.model is None:
        return WRONG
    name, progress = report.sources[""].name, ask.progress
    try:
        solver = Solver(report.model, settings=settings)
        result = verdict(solver, progress)
    except Ended as end:
        return report_unknown(ask, name, end)
    evidence = gather_evidence(solver, result, fine, progress)
    certificate_report = None
    if certificate is not None:
        from ..certifying import certify

        certificate_report = certify(solver, result, certificate, report.sources, ask.spec[1], progress)
    # The verdict is the last line; its evidence precedes it.
    warnings = f" · {counted(len(report.found), 'warning')}" if report.found else ""
    texts = [*evidence.texts(report), *_left_out(report), f"{name}: {result.message}{evidence.more}{warnings}"]
    objective_data = {} if result.best is None else {"objective": result.best}
    message = result.message + (evidence.more if evidence.stopped else "")
    data = {"file": name, "solutions": result.solutions, **objective_data, "message": message}
    left_out_data = {"left_out": report.left_out} if report.left_out else {}
    certificate_data = {} if certificate_report is None else {"certificate": certificate_report.as_dict()}
    ask.finish("\n".join(texts), {**data, **evidence.as_dict(report), **left_out_data, **certificate_data})
    if certificate_report is not None:
        certificate_report.print(ask.as_json)
    if result.solutions == "unknown" or ask.interrupts.signalled:
        return progress.code
    # A limit prevented the requested certificate.
    if certificate_report is not None and certificate_report.why_not and result.solutions != "several":
        return progress.code
    return FINDINGS if report.found or result.solutions != "one" else 0


def report_unknown(ask: Ask, name: str, end: Ended) -> int:
    """Print that the number of solutions is unknown; return the exit code.

    ``end`` is the limit or signal that ended the work.
    """
    message = f"not known; stopped by {end}"
    ask.say(f"{name}: {message}", {"file": name, "solutions": "unknown", "message": message})
    return end.code


def _left_out(report: Report) -> Iterator[str]:
    """Yield a line with the number of constraints that lint skipped, if any.

    Lint does not test whether these constraints always or never hold, to save time.
    """
    if report.left_out:
        name, count = report.sources[""].name, counted(report.left_out, "constraint")
        yield f"{name}: {count} not examined for being always true or false, to save time"
