"""What the modes of the page ask the engine besides a film: true candidates, several films, the way of a person."""

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
from .acts import apply_acts, recorded
from .questions import KEPT, WITHOUT, Question

SECONDS = 10.0
"""How long a verdict, a conflict or a walk may take each."""

WAY: Way = "auto" if find_spec("clingo") else "tree"
"""How what is left is searched; a browser has no clingo, and goes on with the tree."""

STEPS = 300
"""The most steps of a walk."""

CUTOFF = 9
"""Up to how many solutions a candidate is counted."""

Message = dict[str, Any]
Progress = Callable[[Effort], None]


def model_of(question: Question, path: str) -> Model:
    """What the text means after its acts; a mistake in it is raised."""
    found = full_report(apply_acts(question.text, question.acts), question.params, question.grids, path)
    if found.model is None:
        raise found.found[0]
    return found.model


def solver_of(question: Question, path: str) -> Solver:
    """A solver of that, within the seconds of the page."""
    return Solver(model_of(question, path), question.level, settings=Settings(search=WAY, seconds=SECONDS))


def cut_off(trace: Trace, nodes: int) -> str:
    """What the limits on decisions and events have left out of a trace."""
    return (
        f"cut off after {trace_package.decisions(trace):,} decisions"
        if nodes and trace_package.was_cut(trace, nodes)
        else ""
    )


def answer_candidates(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The values that occur in some solution, and in how many."""
    from csp import explain

    found = explain.candidates(solver_of(question, path), CUTOFF, progress)
    counts = {variable: [[str(value), n] for value, n in of.items()] for variable, of in found.counts.items()}
    yield {"kind": "candidates", "counts": counts, "cutoff": found.cutoff, "stopped": found.stopped}


def answer_setting(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """What who sets a puzzle wants to know: true candidates, what is not needed, and how hard it is."""
    from csp import explain

    yield from answer_candidates(question, path, progress)
    solver = solver_of(question, path)
    try:
        for need in explain.needs(solver, progress):
            one = need.constraint
            if not need.is_needed:
                yield {"kind": "spare", "name": one.name, "what": need.kind, "line": one.line, "file": one.file}
    except explain.NotOne as error:
        yield {"kind": "several", "message": str(error)}
        return
    except Stopped as limit:
        yield {"kind": "several", "message": f"what is needed is not known: {limit}"}
        return
    found = explain.rate(solver, progress=progress)
    yield {"kind": "rating", "rating": found.rating, "hardest": found.hardest or "", "ending": found.ending,
           "steps": dict(found.steps)}  # fmt: skip


def answer_both(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Two solutions as a film: both values where they differ, then the one and the other."""
    from csp import render

    solver = solver_of(question, path)
    two = csp.verdict(solver, progress).found
    if len(two) < 2:
        raise CspError("no two solutions are known")
    domains = solver.model.domains
    differ = sum(two[0][variable] != two[1][variable] for variable in domains)
    ends = [trace_package.Reached(0, tuple([(variable, one[variable]) for variable in domains])) for one in two]
    trace = Trace(solver.model, (trace_package.Rest(0, differ), *ends))
    film = render.playable(trace, question.text, question.name or "studio")
    film["opening"] = f"two solutions · {differ} of {len(domains)} differ"
    number = {value: i for i, value in enumerate(film["values"])}
    gone = [
        v * len(number) + number[str(value)]
        for v, (variable, domain) in enumerate(domains.items())
        for value in domain
        if all(one[variable] != value for one in two)
    ]
    known = frozenset(gone)
    for record, text in zip(film["records"], ("both values where they differ", "the one", "the other"), strict=True):
        record["text"], record["gone"] = text, [code for code in record.get("gone", ()) if code not in known]
    film["start"], film["trees"] = gone, [{**tree, "nodes": []} for tree in film["trees"]]
    yield {"kind": "both", "film": film}


def answer_compare(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """Films of several levels, of two specs, or with acts and without, on one clock."""
    from csp import render

    films = [question, *(_other(question, name) for name in question.against)]
    models = [_meant(one, path, name) for one, name in zip(films, ["", *question.against], strict=True)]
    if not set(models[0].domains).intersection(*(model.domains for model in models)):
        raise CspError("these specs have no variable in common")
    traces = [recorded(model, one.acts, one.level, one.nodes)[0] for model, one in zip(models, films, strict=True)]
    cuts = dict.fromkeys(filter(None, (cut_off(trace, question.nodes) for trace in traces)))
    named = {WITHOUT: "with acts", KEPT: "this spec"}
    first = next((named[name] for name in question.against if name in named), question.level)
    names = [first, *question.against]
    yield {"kind": "compare", "race": render.raced(traces, names, question.name or "studio", " ".join(cuts))}


def _other(question: Question, name: str) -> Question:
    """The question whose film plays under a name."""
    if name == KEPT:
        text, *acts = question.kept or [""]
        return replace(question, text=text, acts=tuple(acts))
    return replace(question, acts=()) if name == WITHOUT else replace(question, level=cast(Level, name))


def _meant(question: Question, path: str, name: str) -> Model:
    """What the spec of a film means; a mistake in the one that was kept is told as such."""
    try:
        return model_of(question, path)
    except Diagnostic as diagnostic:
        if name != KEPT:
            raise
        where = f", line {diagnostic.at.line}" if diagnostic.at else ""
        raise CspError(f"in the {KEPT}{where}: {diagnostic.message}") from None


def answer_techniques(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The steps of a person, in words."""
    from csp import explain

    walk = explain.explain(solver_of(question, path), until=STEPS, progress=progress)
    yield {"kind": "techniques", "steps": [step.as_dict() for step in walk.steps], "ending": walk.ending}


def answer_explain(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The steps of a person as a film, each with its hints."""
    from csp import explain
    from csp import render as paint

    walker = explain.Walker(solver_of(question, path), progress=progress)
    pictures = paint.StepPictures(walker, STEPS)
    steps = sum(1 for _ in pictures)
    ending = (
        f"solved in {csp.counted(steps, 'step')}"
        if walker.ending == "solved"
        else f"{walker.ending}: {walker.open} open"
    )
    film = pictures.playable(ending, question.name or "studio", "", question.text)
    yield {"kind": "explain", "film": film, "ending": walker.ending}


def answer_hint(question: Question, path: str, progress: Progress | None) -> Iterator[Message]:
    """The next step in three levels of detail."""
    from csp import explain

    found = explain.hint(solver_of(question, path), progress=progress)
    yield {"kind": "hint", "found": found.kind, "texts": [found.text(1), found.text(2), found.text(3)]}
