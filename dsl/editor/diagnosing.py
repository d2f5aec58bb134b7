"""What is wrong with a text, and what is hardly meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from csp import CspError, Value

from ..lint.report import Report, inspect
from ..semantics.clauses.build import Program, nothing_declared
from ..syntax.errors import Diagnostic, Source, SpecError
from ..syntax.nodes import Place


class Problem(NamedTuple):
    """What is to be said of a place.

    Attributes
    ----------
    at : Place
        On one line; the first line where the mistake is in no text.
    severity : str
        ``error``, ``warning`` or ``note``.
    message : str
    hint : str
        Empty where there is nothing helpful to say.
    code : str
        By which a comment silences a warning; empty for an error.
    file : str
        Empty for the text itself; otherwise the grid or the included file in which the place is.
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
    """The mistakes of a spec, and what is hardly meant, in the order of their places.

    Parameters
    ----------
    text : str
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str, optional
        Texts that replace the grids of the spec.
    path : str
        Where the text stands or would stand: what it includes is found from there.

    Returns
    -------
    list of Diagnostic

    Examples
    --------
    >>> [(found.at.column, found.hint) for found in diagnose("A in 1..4. A =< 3.")]
    [(14, 'at most is written <=')]
    """
    return problems(full_report(text, params, grids, path))


def full_report(
    text: str, params: Mapping[str, Value] | None = None, grids: Mapping[str, str] | None = None, path: str = "-"
) -> Report:
    """All that is found in a text; the model, where it has one."""
    sources = {name: Source(name, grid) for name, grid in (grids or {}).items()}
    try:
        program = Program(Source("-", text, path))
        found = inspect(program, params, sources)
        if found.model is not None and not found.model.domains and text.strip():
            return Report([nothing_declared(program.clauses), *found.found], found.sources, None, {})
        return found
    except SpecError as error:
        return Report(error.diagnostics, error.sources, None, {})
    except CspError as error:  # a limit of the engine
        return Report([Diagnostic(str(error))], {"": Source("-", text)}, None, {})


def problems(found: Report) -> list[Problem]:
    """A report as plain data."""
    return [_problem(diagnostic, found.sources.get(diagnostic.text)) for diagnostic in found.found]


def _problem(diagnostic: Diagnostic, source: Source | None) -> Problem:
    at = diagnostic.at or Place(1, 1)
    at = source.clip_to_line(at) if source else at
    return Problem(at, diagnostic.severity, diagnostic.message, diagnostic.hint, diagnostic.code, diagnostic.text)
