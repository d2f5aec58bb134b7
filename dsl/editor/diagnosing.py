"""Diagnoses a spec as an editor shows it, and proposes fixes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from csp import CspError, Value

from ..lint.report import Report, inspect
from ..semantics.clauses.build import Program, nothing_declared
from ..syntax.errors import Diagnostic, Edit, Source, SpecError
from ..syntax.nodes import Place
from ..syntax.parse import parse
from .edits import apply_edits, offset


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
        The code, which is stable; a comment silences a warning by its code.
    file : str
        The grid or included file that contains the place; empty for the text itself.
    replacements : tuple of Edit
        Alternatives that may correct the text, the most likely first.
    """

    at: Place
    severity: str
    message: str
    hint: str = ""
    code: str = ""
    file: str = ""
    replacements: tuple[Edit, ...] = ()

    @property
    def is_warning(self) -> bool:
        """Whether the problem is a warning, which can be silenced."""
        return self.severity == "warning"


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
    [(14, 'write <= for at most')]
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
        return Report([Diagnostic("too-large", str(error))], {"": Source("-", text)}, None, {})


def problems(report: Report) -> list[Problem]:
    """Convert the diagnostics of a report to the editor's problems."""
    return [_problem(diagnostic, report.sources.get(diagnostic.text)) for diagnostic in report.found]


def _problem(diagnostic: Diagnostic, source: Source | None) -> Problem:
    """Convert a diagnostic in the text ``source`` to an editor's problem."""
    at = diagnostic.at or Place(1, 1)
    at = source.clip_to_line(at) if source else at
    replacements = [edit._replace(at=at) if edit.at == diagnostic.at else edit for edit in diagnostic.replacements]
    return Problem(
        at,
        diagnostic.severity,
        diagnostic.message,
        str(diagnostic.hint),
        diagnostic.code,
        diagnostic.text,
        tuple(replacements),
    )


class Fix(NamedTuple):
    """A correction of a problem: a title and its edits.

    Attributes
    ----------
    title : str
        A short description of the edits.
    edits : tuple of Edit
    """

    title: str
    edits: tuple[Edit, ...]


def fix(text: str, problem: Problem, path: str = "-") -> list[Fix]:
    """Return the fixes that remove a problem, the most likely first.

    A fix is a replacement of the problem after which the text no longer has the problem.

    Parameters
    ----------
    text : str
    problem : Problem
        A problem that ``diagnose`` returns for the text.
    path : str
        The path of the text, from which its includes are resolved.

    Returns
    -------
    list of Fix
        At most three. For a warning, another fix follows: a comment that silences it.

    Examples
    --------
    >>> text = "A in 1..4. A == 3."
    >>> [correction] = fix(text, diagnose(text)[0])
    >>> correction.title, apply_edits(text, correction.edits)
    ('replace == by =', 'A in 1..4. A = 3.')
    """
    if problem.file:
        return []
    fixes: list[Fix] = []
    for edit in problem.replacements:
        candidate = Fix(_title(text, edit), (edit,))
        is_new = all(candidate.edits != accepted.edits for accepted in fixes)
        if is_new and _removes_problem(text, candidate, problem, path):
            fixes.append(candidate)
        if len(fixes) == 3:
            break
    if problem.is_warning:
        fixes.append(_silence(text, problem))
    return fixes


def _title(text: str, edit: Edit) -> str:
    """Return a short description of an edit, such as ``replace == by =``."""
    start = offset(text, edit.at.line, edit.at.column)
    old, new = text[start : start + edit.at.width].strip(), edit.text.strip()
    if old and new:
        return f"replace {old} by {new}"
    return f"insert {new}" if new else f"remove {old}"


def _removes_problem(text: str, candidate: Fix, problem: Problem, path: str) -> bool:
    """Return whether a fix leaves fewer problems in a text, or later syntax errors.

    Syntax errors are compared first, then errors, then warnings. An error must disappear, or errors become fewer.
    """
    after = apply_edits(text, candidate.edits)
    if after == text:
        return False
    # A syntax error: there must be fewer, or the first one must be further down.
    before_syntax, after_syntax = (parse(version)[1] for version in (text, after))
    if before_syntax or after_syntax:
        is_same_count = len(before_syntax) == len(after_syntax)
        is_later = is_same_count and _first_place(after_syntax) > _first_place(before_syntax)
        return len(after_syntax) < len(before_syntax) or is_later
    # A warning: no more errors, and fewer problems. An error: fewer errors, or not this one on this line.
    old, new = diagnose(text, path=path), diagnose(after, path=path)
    if problem.is_warning:
        return _count_errors(new) <= _count_errors(old) and len(new) < len(old)
    is_absent = (problem.message, problem.at.line) not in {(remaining.message, remaining.at.line) for remaining in new}
    return _count_errors(new) < _count_errors(old) or is_absent


def _first_place(diagnostics: list[Diagnostic]) -> Place:
    return diagnostics[0].at or Place(0, 0)


def _count_errors(problems: list[Problem]) -> int:
    return sum(problem.severity == "error" for problem in problems)


def _silence(text: str, problem: Problem) -> Fix:
    """Return the fix that silences a warning by a comment ``lint: ignore``.

    The comment is put after the line, or above it if the line has a comment already.
    """
    line = text.split("\n")[problem.at.line - 1].rstrip()
    comment = f"{'  ' if line else ''}% lint: ignore {problem.code}"
    if "%" in line:
        at, comment = Place(problem.at.line, 1, 0), f"{comment.strip()}\n"
    else:
        at = Place(problem.at.line, len(line) + 1, 0)
    return Fix(f"silence {problem.code}", (Edit(at, comment),))
