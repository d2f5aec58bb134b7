"""The protocol of the page: an engine answers each question with messages.

Questions and messages are plain data for JSON. ``modes.py`` has the answers of the modes, this module all others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import csp
from csp import CspError, Model, Settings, Solver, Value, Variable

from ..editor import complete, define, fix, format, hover, rename
from ..editor.diagnosing import Problem, full_report, problems
from ..lint.report import Report
from ..puzzles.convert import puzzles, specs
from ..puzzles.links import link_in, linked_source
from ..syntax.errors import Diagnostic, Source
from ..syntax.reading import ENDING, gallery, read
from . import modes
from .acts import apply_acts, record_acts
from .drawing import blank_board, cells_of, draw_item, erase_item, items
from .modes import SECONDS, WAY, Message, Progress, cut_off
from .questions import Question
from .sheets import enter_value, params_and_grids

MAX_FIXED = 5
"""Maximum number of problems, in the order of the text, for which fixes are tried."""

MAX_BOARD = 25
"""Maximum number of rows of an empty board."""


def answer(question: Question, path: str = "-", progress: Progress | None = None) -> Iterator[Message]:
    """Yield the messages that answer a question, each as soon as its content is known.

    Parameters
    ----------
    question : Question
    path : str
        The path of the text, from which its includes are resolved.
    progress : function, optional
        Called often with the effort so far; an exception that it raises ends the work.

    Yields
    ------
    dict
        A message with the ``seq`` of the question and a ``kind``. The answer to ``play`` has ``diagnostics``,
        ``sheets``, ``items``, ``film`` and ``verdict`` if the text has a model, and ``fixes`` if there are any. The
        answer to another question has the kind of its name. Instead, ``refused`` has a ``message``. The last message
        is ``done``, with the time in ``ms``.

    Examples
    --------
    >>> [message["kind"] for message in answer(Question(1, text="A in 1..2. A = 1."))]
    ['diagnostics', 'sheets', 'items', 'film', 'verdict', 'done']
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
        yield {"seq": question.seq, "kind": "refused", "message": f"this needs {error.name}, which is not installed"}
    except RecursionError:
        yield {"seq": question.seq, "kind": "refused", "message": "this is nested too deeply"}
    except MemoryError:
        yield {"seq": question.seq, "kind": "refused", "message": "out of memory"}
    yield {"seq": question.seq, "kind": "done", "ms": round(1000 * (time.perf_counter() - start), 1)}


def _play(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield the messages for ``play``: diagnostics, params and grids, drawn constraints, trace, verdict, fixes."""
    text = apply_acts(question.text, question.acts)
    report = full_report(text, question.params, question.grids, path)
    shown_problems = problems(report)
    yield {"kind": "diagnostics", "diagnostics": [_problem(problem) for problem in shown_problems]}
    yield {"kind": "sheets", **params_and_grids(question.text)}
    if report.model is not None and report.model.domains:
        yield {"kind": "items", "items": items(question.text, cells_of(report.model))}
        yield from _film_and_verdict(report.model, report, question, progress)
    # Fixes are edits of the text without acts.
    fixes = []
    if not question.acts:
        fixes = [_fixes(question.text, problem, path) for problem in shown_problems[:MAX_FIXED]]
    if any(fixes):
        yield {"kind": "fixes", "fixes": fixes}


def _film_and_verdict(model: Model, report: Report, question: Question, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the trace as page data (film), then the verdict."""
    from csp import render

    trace, order_note = record_acts(model, question.acts, question.level, question.nodes)
    cut = cut_off(trace, question.nodes)
    note = " ".join(filter(None, (cut, order_note)))
    included = {name: source.text for name, source in report.sources.items() if name}
    text = apply_acts(question.text, question.acts)
    yield {
        "kind": "film",
        "film": render.playable(trace, text, question.name or "studio", note, included),
        "cut": bool(cut),
    }
    yield {"kind": "verdict", **_verdict(Solver(model, settings=Settings(search=WAY, seconds=SECONDS)), progress)}


def _verdict(solver: Solver, progress: Progress | None) -> Message:
    """Return whether there is no, one or several solutions, as a message.

    With several solutions the message has the differences of two; without a solution it has a conflict.
    """
    from csp import explain

    verdict = csp.verdict(solver, progress)
    message: Message = {"solutions": verdict.solutions, "message": verdict.message}
    if verdict.solutions == "several":
        message["differences"] = [
            [variable, first_value, second_value] for (variable, first_value), (_, second_value) in verdict.differences
        ]
    if verdict.solutions == "none":
        conflict = explain.conflict(solver, progress=progress)
        constraints = [constraint for unit in conflict.units for constraint in unit.constraints[:1]]
        message["conflict"] = [{"name": c.name, "line": c.line, "file": c.file} for c in constraints]
        message["minimal"] = conflict.is_minimal
    return message


def _problem(problem: Problem) -> Message:
    line, column, width, _ = problem.at
    return {
        **{"line": line, "column": column, "width": width, "file": problem.file},
        **{"severity": problem.severity, "message": problem.message, "hint": problem.hint, "code": problem.code},
        "replacements": [_edit(*edit) for edit in problem.replacements],
    }


def _fixes(text: str, problem: Problem, path: str) -> list[Message]:
    return [
        {"title": correction.title, "edits": [_edit(*edit) for edit in correction.edits]}
        for correction in fix(text, problem, path)
    ]


def _edit(at: Any, text: str) -> Message:
    return {"line": at.line, "column": at.column, "width": at.width, "text": text}


def _complete(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    completions = complete(question.text, question.line, question.column, path)
    yield {"kind": "complete", "completions": [completion._asdict() for completion in completions[:200]]}


def _hover(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    description = hover(question.text, question.line, question.column, question.params, question.grids, path)
    message: Message = {"kind": "hover", "description": None}
    if description:
        message["description"] = {"title": description.title, "says": description.says, **_edit(description.at, "")}
    yield message


def _define(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    place = define(question.text, question.line, question.column, path)
    yield {"kind": "define", "definition": {**_edit(place, ""), "file": place.file} if place else None}


def _rename(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    edits = rename(question.text, question.line, question.column, question.name, path)
    yield {"kind": "rename", "edits": [_edit(*edit) for edit in edits]}


def _format(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    yield {"kind": "format", "text": format(question.text)}


def _enter(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    text = enter_value(question.text, question.name, question.row, question.column, question.word)
    yield {"kind": "enter", "text": text}


def _give(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the spec's text after entering the question's value.

    The value is entered into the first grid whose cell becomes a given of the variable.

    Raises
    ------
    Diagnostic
        If no grid gives the variable its value.
    """
    variable = Variable.of(question.name)
    for grid in params_and_grids(question.text)["grids"] if len(variable.indices) == 2 else ():
        row, column = variable.indices
        if not (
            type(row) is type(column) is int and 0 < row <= len(grid["rows"]) and 0 < column <= len(grid["rows"][0])
        ):
            continue
        # Try the entry and see whether the model has the given.
        text = enter_value(question.text, grid["name"], row, column, question.word)
        model = full_report(text, question.params, question.grids, path).model
        if model is not None and any(_is_given(constraint.given, question) for constraint in model.constraints):
            yield {"kind": "give", "text": text}
            return
    raise Diagnostic("unused-input", f"no grid gives a value to {question.name:.40}")


def _is_given(given: tuple[Variable, Value] | None, question: Question) -> bool:
    """Return whether a given fixes the variable ``name`` of a question to its value ``word``."""
    return given is not None and given[0] == question.name and str(given[1]) == question.word


def _draw(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    yield {"kind": "draw", "text": draw_item(question.text, question.name, question.cells, question.word)}


def _erase(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    yield {"kind": "erase", "text": erase_item(question.text, question.name, question.cells)}


def _board(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the spec of an empty board of ``question.row`` rows."""
    if not 2 <= question.row <= MAX_BOARD:
        raise Diagnostic("missing-file", f"a board has 2 to {MAX_BOARD} rows")
    yield {"kind": "board", "text": blank_board(question.row, has_boxes=question.name != "regions")}


def _paste(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the spec of a pasted link or the first puzzle."""
    if link := link_in(question.word):
        yield {"kind": "paste", "text": linked_source(link).text}
        return
    source = Source("pasted text", question.word)
    first_puzzle = puzzles(source)[:1]
    if not first_puzzle:
        raise Diagnostic("bad-puzzle", "no puzzle found", hint="paste 81 characters, a link, or a record of a puzzle")
    yield {"kind": "paste", "text": specs(source, first_puzzle)[0]}


def _example(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the named gallery spec, or all names and first lines."""
    paths = {path.stem: path for path in sorted(gallery().glob(f"*{ENDING}"))}
    if question.name in paths:
        yield {"kind": "example", "name": question.name, "text": read(paths[question.name])}
    elif question.name:
        raise Diagnostic("missing-file", f"the gallery has no {question.name:.40}")
    else:
        yield {"kind": "example", "names": {name: read(path).split("\n")[0][2:] for name, path in paths.items()}}


def _thumbnail(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with an SVG picture of a gallery spec's first solution."""
    if not question.name:
        raise Diagnostic("missing-file", "a picture needs the name of a spec of the gallery")
    [example] = _example(question, path, progress)
    model = full_report(example["text"], {}, {}, path).model
    solution = next(Solver(model).solutions(), None) if model else None
    if model is None or solution is None:
        raise Diagnostic("missing-file", f"the gallery has no picture of {question.name:.40}")
    domains = {variable: (solution[variable],) for variable in model.domains}
    solved = Model(domains, model.constraints, model.show, model.objective, model.layout, model.drawn)
    yield {"kind": "thumbnail", "name": question.name, "picture": solved._repr_svg_()}


ANSWERS: dict[str, Callable[[Question, str, Progress | None], Iterator[Message]]] = {
    "play": _play, "compare": modes.answer_compare, "set": modes.answer_setting,
    "explain": modes.answer_explain, "both": modes.answer_both, "complete": _complete,
    "hover": _hover, "define": _define, "rename": _rename, "format": _format, "enter": _enter,
    "give": _give, "paste": _paste, "example": _example, "thumbnail": _thumbnail,
    "draw": _draw, "erase": _erase, "board": _board,
}  # fmt: skip
