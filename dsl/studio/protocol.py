"""One protocol for all engines of the page: a question in, messages out, as plain data for JSON."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import csp
from csp import CspError, Model, Settings, Solver, Value, Variable

from ..editor import complete, define, fix, format, hover, rename, uses
from ..editor.diagnosing import Problem, full_report, problems
from ..lint.report import Report
from ..puzzles.convert import puzzles, specs
from ..puzzles.links import link_in, linked_source
from ..syntax.errors import Diagnostic, Source
from ..syntax.reading import ENDING, gallery, read
from . import modes
from .acts import apply_acts, recorded
from .modes import SECONDS, WAY, Message, Progress, cut_off
from .questions import Question
from .sheets import entered, params_and_grids

MENDED = 5
"""Of so many mistakes it is tried what mends them."""


def answer(question: Question, path: str = "-", progress: Progress | None = None) -> Iterator[Message]:
    """The messages that answer a question, each as soon as it is known.

    Parameters
    ----------
    question : Question
    path : str
        Where the text stands: what it includes is found from there.
    progress : function, optional
        Called often with the effort so far; an exception that it raises ends the work.

    Yields
    ------
    dict
        With ``seq`` of the question and a ``kind``. To ``play`` those are ``diagnostics``, ``sheets``, ``film`` where
        the text has a meaning, ``verdict`` and ``fixes``; to the others one of the name that was asked, or
        ``refused`` with a ``message``. The last is ``done``, with ``ms``.

    Examples
    --------
    >>> [message["kind"] for message in answer(Question(1, text="A in 1..2. A = 1."))]
    ['diagnostics', 'sheets', 'film', 'verdict', 'done']
    """
    start = time.perf_counter()
    try:
        for message in ANSWERS[question.ask](question, path, progress):
            yield {"seq": question.seq, **message}
    except Diagnostic as diagnostic:
        yield {"seq": question.seq, "kind": "refused", "message": diagnostic.message, "hint": diagnostic.hint}
    except (CspError, OSError) as error:
        yield {"seq": question.seq, "kind": "refused", "message": str(error)}
    except ImportError as error:
        yield {"seq": question.seq, "kind": "refused", "message": f"this takes {error.name}, which is not here"}
    except RecursionError:
        yield {"seq": question.seq, "kind": "refused", "message": "this is nested too deeply"}
    except MemoryError:
        yield {"seq": question.seq, "kind": "refused", "message": "this takes more memory than there is"}
    yield {"seq": question.seq, "kind": "done", "ms": round(1000 * (time.perf_counter() - start), 1)}


def _play(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    text = apply_acts(question.text, question.acts)
    found = full_report(text, question.params, question.grids, path)
    told = problems(found)
    yield {"kind": "diagnostics", "found": [_problem(one) for one in told]}
    yield {"kind": "sheets", **params_and_grids(question.text)}
    if found.model is not None and found.model.domains:
        yield from _played(found.model, found, question, progress)
    fixes = [_fixes(question.text, one, path) for one in told[:MENDED]] if not question.acts else []
    if any(fixes):
        yield {"kind": "fixes", "found": fixes}


def _played(model: Model, found: Report, question: Question, progress: Progress | None) -> Iterator[Message]:
    """The film, then how many solutions there are."""
    from csp import render

    trace, order = recorded(model, question.acts, question.level, question.nodes)
    cut = cut_off(trace, question.nodes)
    note = " ".join(filter(None, (cut, order)))
    included = {name: source.text for name, source in found.sources.items() if name}
    text = apply_acts(question.text, question.acts)
    yield {
        "kind": "film",
        "film": render.playable(trace, text, question.name or "studio", note, included),
        "cut": bool(cut),
    }
    yield {"kind": "verdict", **_verdict(Solver(model, settings=Settings(search=WAY, seconds=SECONDS)), progress)}


def _verdict(solver: Solver, progress: Progress | None) -> Message:
    from csp import explain

    found = csp.verdict(solver, progress)
    said: Message = {"solutions": found.solutions, "message": found.message}
    if found.solutions == "several":
        said["differences"] = [[v, one, other] for (v, one), (_, other) in found.differences]
    if found.solutions == "none":
        conflict = explain.conflict(solver, progress=progress)
        constraints = [constraint for unit in conflict.units for constraint in unit.constraints[:1]]
        said["conflict"] = [{"name": one.name, "line": one.line, "file": one.file} for one in constraints]
        said["minimal"] = conflict.is_minimal
    return said


def _problem(one: Problem) -> Message:
    line, column, width, _ = one.at
    place = {"line": line, "column": column, "width": width, "file": one.file}
    return {**place, "severity": one.severity, "message": one.message, "hint": one.hint, "code": one.code}


def _fixes(text: str, one: Problem, path: str) -> list[Message]:
    return [{"title": each.title, "edits": [_edit(*edit) for edit in each.edits]} for each in fix(text, one, path)]


def _edit(at: Any, text: str) -> Message:
    return {"line": at.line, "column": at.column, "width": at.width, "text": text}


def _complete(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    found = complete(question.text, question.line, question.column, path)
    yield {"kind": "complete", "found": [one._asdict() for one in found[:200]]}


def _hover(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    found = hover(question.text, question.line, question.column, question.params, question.grids, path)
    shown = {"title": found.title, "says": found.says, **_edit(found.at, "")} if found else None
    yield {"kind": "hover", "found": shown}


def _define(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    found = define(question.text, question.line, question.column, path)
    yield {"kind": "define", "found": {**_edit(found, ""), "file": found.file} if found else None}


def _uses(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    found = uses(question.text, question.line, question.column, path)
    yield {"kind": "uses", "found": [_edit(one.at, one.name) for one in found]}


def _rename(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    found = rename(question.text, question.line, question.column, question.name, path)
    yield {"kind": "rename", "edits": [_edit(*edit) for edit in found]}


def _format(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    yield {"kind": "format", "text": format(question.text)}


def _enter(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    text = entered(question.text, question.name, question.row, question.column, question.word)
    yield {"kind": "enter", "text": text}


def _give(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The text with a value in the cell of the grid that gives it to a variable; none where there is no such grid."""
    found = Variable.of(question.name)
    for grid in params_and_grids(question.text)["grids"] if len(found.indices) == 2 else ():
        row, column = found.indices
        if not (
            type(row) is type(column) is int and 0 < row <= len(grid["rows"]) and 0 < column <= len(grid["rows"][0])
        ):
            continue
        text = entered(question.text, grid["name"], row, column, question.word)
        model = full_report(text, question.params, question.grids, path).model
        if model is not None and any(_says(one.given, question) for one in model.constraints):
            yield {"kind": "give", "text": text}
            return
    raise Diagnostic(f"no grid gives a value to {question.name:.40}")


def _says(given: tuple[Variable, Value] | None, question: Question) -> bool:
    return given is not None and given[0] == question.name and str(given[1]) == question.word


def _paste(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The spec of a link, or of a puzzle in another format."""
    if link := link_in(question.word):
        yield {"kind": "paste", "text": linked_source(link).text}
        return
    source = Source("what is pasted", question.word)
    found = puzzles(source)[:1]
    if not found:
        raise Diagnostic("there is no puzzle in this", hint="81 characters, a link, or a record of a puzzle")
    yield {"kind": "paste", "text": specs(source, found)[0]}


def _example(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """A spec of the gallery, or with no name, their names and what each says first."""
    paths = {path.stem: path for path in sorted(gallery().glob(f"*{ENDING}"))}
    if question.name in paths:
        yield {"kind": "example", "name": question.name, "text": read(paths[question.name])}
    elif question.name:
        raise Diagnostic(f"the gallery has no {question.name:.40}")
    else:
        yield {"kind": "example", "names": {name: read(path).split("\n")[0][2:] for name, path in paths.items()}}


ANSWERS: dict[str, Callable[[Question, str, Progress | None], Iterator[Message]]] = {
    "play": _play, "candidates": modes.answer_candidates, "techniques": modes.answer_techniques,
    "hint": modes.answer_hint, "compare": modes.answer_compare, "set": modes.answer_setting,
    "explain": modes.answer_explain, "both": modes.answer_both, "complete": _complete,
    "hover": _hover, "define": _define, "uses": _uses, "rename": _rename, "format": _format, "enter": _enter,
    "give": _give, "paste": _paste, "example": _example,
}  # fmt: skip
