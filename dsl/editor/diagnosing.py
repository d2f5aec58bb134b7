"""Diagnoses a spec as an editor shows it, and proposes fixes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from csp import CspError, Value

from ..lint.report import Report, inspect
from ..semantics.clauses.build import Program, nothing_declared
from ..syntax.edit import locate
from ..syntax.errors import Diagnostic, Source, SpecError
from ..syntax.nodes import Place
from ..syntax.parse import parse
from .edits import Edit, apply_edits, offset

SIGNS = {
    "<=>": "<->",
    "==>": "->",
    "iff": "<->",
    "<-": ":-",
    "&": ",",
    "&&": ",",
    "/\\": ",",
    "…": "..",
    "|": ";",
    "||": ";",
}
"""The operator for each operator of other languages whose hint gives only an example."""

QUOTES = {"'": '"', '"': "'"}

CLOSING = {"(": ")", "[": "]", "{": "}"}

NEEDLESS = (
    "always-true",
    "duplicate",
    "empty-clause",
    "needless-show",
    "unused-grid",
    "unused-param",
    "unused-relation",
)
"""The beginnings of the codes of warnings about clauses that can be removed."""


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

    Each fix has been tried: the text after it no longer has the problem.

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
    for candidate in _candidates(text, problem):
        is_new = all(candidate.edits != accepted.edits for accepted in fixes)
        if is_new and _removes_problem(text, candidate, problem, path):
            fixes.append(candidate)
        if len(fixes) == 3:
            break
    if problem.code:
        fixes.append(_silence(text, problem))
    return fixes


def _removes_problem(text: str, candidate: Fix, problem: Problem, path: str) -> bool:
    """Return whether a fix removes a problem without causing others of the same stage.

    The stages are syntax, meaning and lint.
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
    if problem.code:
        return _count_errors(new) <= _count_errors(old) and len(new) < len(old)
    is_absent = (problem.message, problem.at.line) not in {(remaining.message, remaining.at.line) for remaining in new}
    return _count_errors(new) < _count_errors(old) or is_absent


def _first_place(diagnostics: list[Diagnostic]) -> Place:
    return diagnostics[0].at or Place(0, 0)


def _count_errors(problems: list[Problem]) -> int:
    return sum(not problem.code for problem in problems)


def _silence(text: str, problem: Problem) -> Fix:
    """Return the fix that silences a warning by adding a comment.

    The comment is put after the line, or above it if the line has a comment already.
    """
    line = text.split("\n")[problem.at.line - 1].rstrip()
    comment = f"{'  ' if line else ''}% lint: ignore {problem.code}"
    if "%" in line:
        at, comment = Place(problem.at.line, 1, 0), f"{comment.strip()}\n"
    else:
        at = Place(problem.at.line, len(line) + 1, 0)
    return Fix(f"silence {problem.code}", (Edit(at, comment),))


def _candidates(text: str, problem: Problem) -> Iterator[Fix]:
    """Yield possible fixes that a problem's hint or message suggests, most likely first.

    The fixes depend on the wording of hints and messages: a reworded hint may need a change here.
    """
    start = offset(text, problem.at.line, problem.at.column)
    word = text[start : start + problem.at.width].split("\n")[0]
    hint, message = problem.hint, problem.message

    def put(new: str, old: str = word, shift: int = 0) -> Fix:
        """Return a fix that replaces ``old`` at the problem's place by ``new``."""
        at = problem.at._replace(column=problem.at.column + shift, width=len(old))
        title = (
            f"replace {old} by {new}"
            if old and new.strip()
            else f"insert {new.strip()}"
            if new.strip()
            else f"remove {old}"
        )
        return Fix(title, (Edit(at, new),))

    # A similar name.
    for suggestion in re.findall(r"did you mean ([^?]+)\?", hint) + re.findall(r"is it the same as ([^?]+)\?", hint):
        name = re.match(r"\w+", word)
        before = re.search(r"\w+\s+$", text[:start])
        if before and f"{before[0].strip()}_{word}" == suggestion:
            yield put(suggestion, before[0] + word, -len(before[0]))
        yield put(suggestion)
        if name:
            yield put(suggestion, name[0])
    # A missing full stop, bracket or quote.
    if message.startswith("a full stop is missing"):
        yield put(".", "")
    if "text ends where" in message and "is not closed" not in hint:
        yield put(".", "")
    if opened := re.search(r"the ([(\[{]) of line", hint):
        yield put(CLOSING[opened[1]], "")
        yield put(f"{CLOSING[opened[1]]}.", "")
        if word in CLOSING.values():
            yield put(CLOSING[opened[1]])
            yield put(f"{CLOSING[opened[1]]}{word}")
    if hint.startswith("no ") and hint.endswith("is open here"):
        yield put("")
    if closed := re.fullmatch(r"close it with (.)", hint):
        yield from _close_quote(text, start, problem.at, closed[1])
    # An operator of another language.
    if "without #" in hint:
        yield put("", "#")
    for operator in re.findall(
        r"(?:is|are) written (?:with a single )?([^\w\s'\"(){}\[\]]+?|in|mod)(?=$|[,;\s])", hint
    ):
        sign = re.match(r"[^\w\s]+", text[start:])
        if sign and sign[0].startswith("#"):
            yield put(operator, sign[0])
        yield put(f" {operator} " if operator.isalpha() else operator)
    longest = max((sign for sign in SIGNS if text.startswith(sign, start)), key=len, default="")
    if longest:
        yield put(SIGNS[longest], longest)
    # A text that the hint quotes.
    for symbols in re.findall(r"symbol is written (.+)$", hint):
        for symbol in re.sub(r" in quotes$", "", symbols).split(", or "):
            yield put(symbol)
    for new_text in re.findall(r"\bwrite (_?\w+|=)(?:\(\.\.\.\))?(?=$|,| if |;)", hint):
        yield put(new_text)
    if hint == "write a plain blank":
        yield put(" ")
    # A range.
    if "two dots" in hint:
        yield put(re.sub(r"\s*(?:-|\.\.\.|:|\bto\b)\s*", "..", word))
        yield put("..", ".", 0)
        yield put("", ".", 0)
        blanks_before = re.search(r"\s+$", text[:start])
        if word in ("to", "range") and blanks_before:
            blanks_after = re.match(r"\s*", text[start + len(word) :])
            old = blanks_before[0] + word + (blanks_after[0] if blanks_after else "")
            yield put("..", old, -len(blanks_before[0]))
    if "two dots" in hint and (dots := re.search(r"\.\s*\.?\s*$", text[: start + 1])):
        yield put("..", dots[0], 1 - len(dots[0]))
    # Punctuation, quotes and separators.
    if message.startswith("a comma stands where a full stop") or "ends with a full stop" in hint:
        yield put(".", word) if word in (",", ";") else put(".", "")
    if "double quotes" in hint or "single quotes" in hint or "straight quotes" in hint:
        yield from _change_quotes(text, start, problem.at)
    if hint == "a product is written with *":
        yield put("*", "")
    if expected := re.search(r"stands where ([)\]}]) is expected", message):
        yield put(expected[1])
    if "missing before it" in hint:
        blank = re.search(r"\s*$", text[:start])
        width = len(blank[0]) if blank else 0
        yield put(".", "", -width)
        yield put(":- ", "")
        yield put(",", "", -width)
    if "a body follows :-" in hint:
        yield put(":-")
    if "generators follow a colon" in hint:
        yield put(":")
    if "values are listed with commas" in hint or "with commas between them" in hint:
        blank = re.search(r"\s*$", text[:start])
        yield put(",", "", -len(blank[0]) if blank else 0)
    # A missing declaration, or a clause without effect.
    if declared := re.search(r"is declared[:,] (.+\.)$", hint):
        yield Fix(f"insert {declared[1]}", (Edit(Place(problem.at.line, 1, 0), f"{declared[1]}\n"),))
    if problem.code.startswith(NEEDLESS):
        yield from _remove_clause(text, problem)


def _close_quote(text: str, start: int, at: Place, quote: str) -> Iterator[Fix]:
    """Yield fixes that add a missing closing quote.

    The places are after the first word, before a colon, and at the end of the line or of the text.
    """
    line = text[start:].split("\n")[0]
    ends = [match.end() for match in (re.match(r"['\"]\w*", line), re.match(r"[^:]*(?=:)", line)) if match]
    for end in [*ends, len(line.rstrip())]:
        yield Fix(f"insert {quote}", (Edit(at._replace(column=at.column + end, width=0), quote),))
    yield Fix(f"insert {quote}.", (Edit(Place(text.count("\n") + 1, len(text) - text.rfind("\n"), 0), f"{quote}."),))


def _change_quotes(text: str, start: int, at: Place) -> Iterator[Fix]:
    """Yield fixes that exchange single and double quotes at a place.

    Single quotes become double quotes and vice versa, and curly quotes straight ones.
    """
    line_start = text.rfind("\n", 0, start) + 1
    line = text[line_start:].split("\n")[0]
    for match in re.finditer(r"(['\"“”‘’])([^'\"“”‘’]*)(['\"“”‘’])", line):
        if match.start() <= start - line_start <= match.end():
            straight = {"“": '"', "”": '"', "‘": "'", "’": "'"}
            quote = straight.get(match[1]) or QUOTES[match[1]]
            place = at._replace(column=match.start() + 1, width=len(match[0]))
            yield Fix(f"write {quote}{match[2]}{quote}", (Edit(place, f"{quote}{match[2]}{quote}"),))


def _remove_clause(text: str, problem: Problem) -> Iterator[Fix]:
    """Yield the fix that removes the clause with the problem.

    A clause of several lines is not removed.
    """
    try:
        located = locate(text)
    except Diagnostic:
        return
    start = offset(text, problem.at.line, problem.at.column)
    for _, begin, end in located:
        if begin <= start < end and "\n" not in text[begin:end]:
            line_start = text.rfind("\n", 0, begin) + 1
            blank = re.match(r"[ \t]*", text[end:])
            width = end - begin + (len(blank[0]) if blank else 0)
            yield Fix("remove the clause", (Edit(Place(problem.at.line, begin - line_start + 1, width), ""),))
