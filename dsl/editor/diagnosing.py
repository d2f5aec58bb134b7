"""Diagnoses a spec: returns errors and lint warnings as an editor shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from csp import CspError, Value

from ..lint.report import Report, inspect
from ..semantics.clauses.build import Program, nothing_declared
from ..syntax.errors import Diagnostic, Source, SpecError
from ..syntax.nodes import Place


class Problem(NamedTuple):
    """An error or warning of a spec, as an editor shows it.

    Attributes
    ----------
    at : Place
        A place on one line; the start of the text if the diagnostic has no place.
    severity : str
        ``error``, ``warning`` or ``note``.
    message : str
    hint : str
        How to correct the spec; empty if no hint is known.
    code : str
        The name by which a comment silences a warning; empty for an error.
    file : str
        The grid or included file that contains the place; empty for the text itself.
    """

    at: Place
    severity: str
    message: str
    hint: str = ""
    code: str = ""
    file: str = ""


def diagnose(
    text: str, params: Mapping[str, Value] | None = None, grids: Mapping[str, str] | None = None, path: str = "-"
) -> list[Problem]:
    """Return the errors and warnings of a spec, sorted by place.

    Parameters
    ----------
    text : str
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str, optional
        Texts that replace the grids of the spec.
    path : str
        The path of the text, from which its includes are resolved.

    Returns
    -------
    list of Problem

    Examples
    --------
    >>> [(problem.at.column, problem.hint) for problem in diagnose("A in 1..4. A =< 3.")]
    [(14, 'at most is written <=')]
    """
    return problems(full_report(text, params, grids, path))


def full_report(
    text: str, params: Mapping[str, Value] | None = None, grids: Mapping[str, str] | None = None, path: str = "-"
) -> Report:
    """Return the lint report of a text: its diagnostics and its model.

    The model is None if the text has errors. The parameters are described at ``diagnose``.
    """
    sources = {name: Source(name, grid) for name, grid in (grids or {}).items()}
    try:
        program = Program(Source("-", text, path))
        report = inspect(program, params, sources)
        if report.model is not None and not report.model.domains and text.strip():
            return Report([nothing_declared(program.clauses), *report.found], report.sources, None, {})
        return report
    except SpecError as error:
        return Report(error.diagnostics, error.sources, None, {})
    except CspError as error:  # a limit of the engine
        return Report([Diagnostic(str(error))], {"": Source("-", text)}, None, {})


def problems(report: Report) -> list[Problem]:
    """Convert the diagnostics of a report to the editor's problems."""
    return [_problem(diagnostic, report.sources.get(diagnostic.text)) for diagnostic in report.found]


def _problem(diagnostic: Diagnostic, source: Source | None) -> Problem:
    """Convert a diagnostic in the text ``source`` to an editor's problem."""
    at = diagnostic.at or Place(1, 1)
    at = source.clip_to_line(at) if source else at
    return Problem(at, diagnostic.severity, diagnostic.message, diagnostic.hint, diagnostic.code, diagnostic.text)
