"""Answer the questions of the page's modes: comparisons, candidates, two solutions, solution paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, cast

import csp
from csp import CspError, Effort, Level, Model, Settings, Solver, Stopped, Trace, Way
from csp import trace as trace_package

from ..editor.diagnosing import full_report
from ..syntax.errors import Diagnostic
from .acts import apply_acts, record_acts
from .questions import KEPT, WITHOUT, Question

SECONDS = 10.0
"""Time limit in seconds of a verdict, a conflict or a solution path; its result is then incomplete."""

WAY: Way = "auto" if find_spec("clingo") else "tree"
"""The search after propagation; a browser has no clingo, so the tree is searched there."""

STEPS = 300
"""Maximum number of steps of a solution path."""

CUTOFF = 9
"""Maximum number of solutions that are counted for a candidate."""

Message = dict[str, Any]
Progress = Callable[[Effort], None]


def model_of(question: Question, path: str) -> Model:
    """Return the model of a question's text after its acts (the user's changes).

    Raises
    ------
    Diagnostic
        The first error of the text, if it has errors.
    """
    report = full_report(apply_acts(question.text, question.acts), question.params, question.grids, path)
    if report.model is None:
        raise report.found[0]
    return report.model


def solver_of(question: Question, path: str) -> Solver:
    """Return a solver of a question's model, with the page's time limit."""
    return Solver(model_of(question, path), question.level, settings=Settings(search=WAY, seconds=SECONDS))


def cut_off(trace: Trace, nodes: int) -> str:
    """Return a note on the limit that shortened a trace, or an empty text.

    Empty, too, if ``nodes`` is 0, which records propagation only.
    """
    return (
        f"cut off after {trace_package.decisions(trace):,} decisions"
        if nodes and trace_package.was_cut(trace, nodes)
        else ""
    )


def answer_setting(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield messages for puzzle setters: true candidates, redundant clues and the rating.

    Without exactly one solution, a message says so in place of the rating.
    """
    from csp import explain

    solver = solver_of(question, path)
    candidates = explain.candidates(solver, CUTOFF, progress)
    counts = {
        variable: [[str(value), count] for value, count in counts_of_values.items()]
        for variable, counts_of_values in candidates.counts.items()
    }
    yield {"kind": "candidates", "counts": counts, "cutoff": candidates.cutoff, "stopped": candidates.stopped}
    try:
        for need in explain.needs(solver, progress):
            clue = need.constraint
            if not need.is_needed:
                yield {"kind": "spare", "name": clue.name, "what": need.kind, "line": clue.line, "file": clue.file}
    except explain.NotOne as error:
        yield {"kind": "several", "message": str(error)}
        return
    except Stopped as limit:
        yield {"kind": "several", "message": f"the needed clues are unknown: {limit}"}
        return
    rating = explain.rate(solver, progress=progress)
    yield {"kind": "rating", "rating": rating.rating, "hardest": rating.hardest or "", "ending": rating.ending,
           "steps": dict(rating.steps)}  # fmt: skip


def answer_both(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with page data that show two solutions of a question's spec.

    The trace has three records: the values that occur in either solution, the first solution, and the second.
    """
    from csp import render

    solver = solver_of(question, path)
    solutions = csp.verdict(solver, progress).found
    if len(solutions) < 2:
        raise CspError("no two solutions are known")
    domains = solver.model.domains
    differ = sum(solutions[0][variable] != solutions[1][variable] for variable in domains)
    ends = [
        trace_package.Reached(0, tuple([(variable, solution[variable]) for variable in domains]))
        for solution in solutions
    ]
    trace = Trace(solver.model, (trace_package.Rest(0, differ), *ends))
    film = render.playable(trace, question.text, question.name or "studio")
    film["opening"] = f"two solutions · different in {differ} of {len(domains)} variables"
    # The data begin without the values that occur in neither solution, so that records need not remove them.
    number = {value: i for i, value in enumerate(film["values"])}
    removed = [
        v * len(number) + number[str(value)]
        for v, (variable, domain) in enumerate(domains.items())
        for value in domain
        if all(solution[variable] != value for solution in solutions)
    ]
    removed_set = frozenset(removed)
    for record, text in zip(
        film["records"], ("both values where they differ", "the first solution", "the second solution"), strict=True
    ):
        record["text"], record["gone"] = text, [code for code in record.get("gone", ()) if code not in removed_set]
    film["start"], film["trees"] = removed, [{**tree, "nodes": []} for tree in film["trees"]]
    yield {"kind": "both", "film": film}


def answer_compare(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with the data of traces to play side by side.

    They compare levels, two specs, or a spec with and without acts.
    """
    from csp import render

    questions = [question, *(_question_against(question, name) for name in question.against)]
    models = [
        _model_against(compared, path, name) for compared, name in zip(questions, ["", *question.against], strict=True)
    ]
    if not set(models[0].domains).intersection(*(model.domains for model in models)):
        raise CspError("these specs have no variable in common")
    traces = [
        record_acts(model, compared.acts, compared.level, compared.nodes)[0]
        for model, compared in zip(models, questions, strict=True)
    ]
    cuts = dict.fromkeys(filter(None, (cut_off(trace, question.nodes) for trace in traces)))
    # The name of the first film says how it differs from the others.
    counterparts = {WITHOUT: "with acts", KEPT: "this spec"}
    first = next((counterparts[name] for name in question.against if name in counterparts), question.level)
    names = [first, *question.against]
    yield {"kind": "compare", "race": render.raced(traces, names, question.name or "studio", " ".join(cuts))}


def _question_against(question: Question, name: str) -> Question:
    """Return the question with the level, acts or spec that ``name`` denotes."""
    if name == KEPT:
        text, *acts = question.kept or [""]
        return replace(question, text=text, acts=tuple(acts))
    return replace(question, acts=()) if name == WITHOUT else replace(question, level=cast(Level, name))


def _model_against(question: Question, path: str, name: str) -> Model:
    """Return the model of a question to compare; errors name a kept spec.

    The page has kept this spec to compare others with it.
    """
    try:
        return model_of(question, path)
    except Diagnostic as diagnostic:
        if name != KEPT:
            raise
        where = f", line {diagnostic.at.line}" if diagnostic.at else ""
        raise CspError(f"in the {KEPT}{where}: {diagnostic.message}") from None


def answer_explain(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Yield a message with a solution path by human techniques, as page data.

    The path has at most ``STEPS`` steps.
    """
    from csp import explain, render

    walker = explain.Walker(solver_of(question, path), progress=progress)
    pictures = render.StepPictures(walker, STEPS)
    steps = sum(1 for _ in pictures)
    ending = (
        f"solved in {csp.counted(steps, 'step')}"
        if walker.ending == "solved"
        else f"{walker.ending}: {walker.open} unfixed"
    )
    film = pictures.playable(ending, question.name or "studio", "", question.text)
    yield {"kind": "explain", "film": film, "ending": walker.ending}
