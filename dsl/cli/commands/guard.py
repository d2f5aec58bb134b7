"""The command ``csp guard``: finds what removes a value of an intended solution."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import click

from csp import Effort, ModelError, Settings, Solver, Value, Variable
from csp.explain import UnreadableAnswer, read_answer
from csp.explain import guard as find_broken

from ...syntax.errors import Source, SpecError
from ...syntax.reading import read
from ..asking import Ask, question
from ..evidence import place_as_dict
from ..options import INPUT
from ..output import fail
from ..progress import NO_SOLUTION


@question(json=True, timeout=True)
@click.option("--solution", required=True, type=INPUT, metavar="FILE",
              help="Intended solution as csp solve prints it; . is any.")  # fmt: skip
def guard(ask: Ask, solution: str) -> None:
    """Find the given, clause or group that rules out an intended solution.

    Propagate the spec FILE, and report the first constraint that removes a value of the solution. Then list all
    constraints that the solution violates.

    Exit code: 0 valid, 1 not valid, 2 malformed input, 3 stopped by a limit.

    Example: csp guard examples/sudoku.csp --solution docs/data/right.txt
    """
    from ...lint.report import inspect

    ask.reads(solution)
    report = inspect(*ask.spec)
    if report.model is None:
        raise SpecError(
            [diagnostic for diagnostic in report.found if diagnostic.severity == "error"], dict(report.sources)
        )
    solver = Solver(report.model, settings=Settings(seconds=ask.timeout))
    result = find_broken(solver, read_solution(read(solution), solver, ask.progress), ask.progress)
    removing_notes = [report.note(constraint, constraint.name) for constraint in result.removing_constraints]
    broken_notes = [report.note(constraint, constraint.name) for constraint in result.broken]
    text = [report.sources[note.text].show(note) for note in removing_notes or broken_notes[:1]]
    text.append(f"{Source(ask.file, '').name}: {result.message}")
    if result.broken:
        text.append(f"it violates {', '.join([constraint.place for constraint in result.broken])}")
    places = [[place_as_dict(report, note) for note in notes] for notes in (removing_notes, broken_notes)]
    outcome = {"valid": result.is_valid, "message": result.message, "lost": result.lost}
    data = {**outcome, "removing_constraints": places[0], "broken": places[1]}
    ask.finish("\n".join(text), data, 0 if result.is_valid else NO_SOLUTION)


def read_solution(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read a solution from a JSON object, or from a text that ``csp solve`` prints."""
    model = solver.model
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    if not text.strip():
        fail("csp: the solution is empty")
    if text.lstrip().startswith("{"):
        return from_json(text, names)
    return from_answer(text, solver, progress)


def from_json(text: str, names: dict[str, Variable]) -> dict[str, Value]:
    """Return the values by variable of a JSON object, or of its key ``solution``.

    If the text contains this key, only its first line is read. ``names`` are the variables by names without blanks.
    """
    try:
        data = json.loads(text.strip().split("\n")[0] if '"solution"' in text else text)
    except ValueError as error:
        fail(f"csp: the solution is not JSON: {error}")
    data = data.get("solution", data)
    if not isinstance(data, dict):
        fail("csp: the solution has no values")
    for name, value in data.items():
        if name.replace(" ", "") not in names:
            fail(f"csp: the solution has an unknown variable: {name}")
        if isinstance(value, bool) or not isinstance(value, int | str):
            fail(f"csp: the solution has {name} = {json.dumps(value)}, which is neither a number nor a symbol")
    return {str(names[name.replace(" ", "")]): value for name, value in data.items()}


def from_answer(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read the values of a solution from a text that ``csp solve`` prints without --json."""
    from csp.board import read_table

    model = solver.model
    if model.objective is not None:
        text = re.sub(rf"(?m)^({model.objective.superlative}|so far): [-0-9, ]+$", "", text)
    try:
        return read_table(text, model) or read_answer(text, solver, progress)
    except UnreadableAnswer as error:
        fail(f"csp: {error}; write it as csp solve --json prints it")
    except ModelError as error:
        fail(f"csp: {error}")
