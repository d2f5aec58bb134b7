"""csp guard"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import click

from csp import Model, Solution, Solver, Strategy, Value, Variable
from csp.explain import guard as replayed

from ...text.errors import Source, SpecError
from ...text.reading import read
from ..asking import Ask, question
from ..evidence import place_as_dict
from ..options import INPUT
from ..output import fail
from ..watch import NO_SOLUTION

BLANKS = (".", "_")


@question("Tell what kills the solution that a puzzle should have.", json=True, timeout=True)
@click.option("--solution", required=True, type=INPUT, metavar="FILE",
              help="What the solution should be, as csp solve prints it, also with --json; a dot is any.")  # fmt: skip
def guard(ask: Ask, solution: str) -> None:
    """Propagate the spec FILE with the solution in mind that it should have, and tell the first given, clause or group
    that takes a value of it, and all that it breaks.

    Exit code: 0 it stands; 1 it does not; 2 malformed input; 3 stopped by a limit.
    """
    from ...lint.report import inspect

    ask.reads(solution)
    report = inspect(*ask.spec)
    if report.model is None:
        raise SpecError([one for one in report.found if not one.code], dict(report.sources))
    wanted = read_solution(read(solution), report.model)
    found = replayed(Solver(report.model, strategy=Strategy(seconds=ask.timeout)), wanted, ask.watch)
    notes = [report.note(one, one.name) for one in found.blamed]
    broken = [report.note(one, one.name) for one in found.broken]
    text = [report.sources[note.text].show(note) for note in notes or broken[:1]]
    text.append(f"{Source(ask.file, '').name}: {found.message}")
    if found.broken:
        text.append(f"it breaks {', '.join([one.place for one in found.broken])}")
    places = [[place_as_dict(report, note) for note in some] for some in (notes, broken)]
    said = {"stands": found.stands, "message": found.message, "lost": found.lost}
    data = {**said, "blamed": places[0], "broken": places[1]}
    ask.tell("\n".join(text), data, 0 if found.stands else NO_SOLUTION)


def read_solution(text: str, model: Model) -> dict[str, Value]:
    """The values in a text: JSON, or what ``csp solve`` prints."""
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    if not text.strip():
        fail("csp: the solution is empty")
    if text.lstrip().startswith("{"):
        return from_json(text, names)
    return from_answer(text, model)


def from_json(text: str, names: dict[str, Variable]) -> dict[str, Value]:
    """The values of an object, or of its key ``solution``."""
    try:
        found = json.loads(text.strip().split("\n")[0] if '"solution"' in text else text)
    except ValueError as error:
        fail(f"csp: the solution is no JSON: {error}")
    found = found.get("solution", found)
    if not isinstance(found, dict):
        fail("csp: the solution has no values")
    for name, value in found.items():
        if name.replace(" ", "") not in names:
            fail(f"csp: the solution has {name}, and there is no such variable")
        if isinstance(value, bool) or not isinstance(value, int | str):
            fail(f"csp: the solution has {name} = {json.dumps(value)}, which is neither a number nor a symbol")
    return {str(names[name.replace(" ", "")]): value for name, value in found.items()}


def from_answer(text: str, model: Model) -> dict[str, Value]:
    """The values where an answer has them."""
    from csp.board import answer_text

    marks = {f"@{number}": variable for number, variable in enumerate(model.shown)}
    place_of = {variable: mark for mark, variable in marks.items()}
    form = words(answer_text(model, Solution({v: place_of.get(v, "") for v in model.domains})))
    told = words(text)
    if len(told) != len(form):
        told = [letter for word in told for letter in (word if "=" not in form else [word])]
    if len(told) == len(marks) < len(form):
        form = [*marks]  # a line of characters
    if len(told) != len(form):
        counts = f"{len(told):,} values or words, and an answer has {len(form):,}"
        fail(f"csp: the solution has {counts}; csp solve --json prints what is read")
    found: dict[str, Value] = {}
    for word, expected in zip(told, form, strict=True):
        variable = marks.get(expected)
        if variable is None:
            if word != expected:
                fail(f"csp: the solution has {word} where an answer has {expected}")
        elif word not in BLANKS:
            found[str(variable)] = value_of(word, model.domains[variable])
    return found


def value_of(word: str, domain: Iterable[Value]) -> Value:
    """The value of a domain that is written so; else what a word looks like."""
    for value in domain:
        if str(value) == word:
            return value
    return int(word) if re.fullmatch("-?[0-9]{1,18}", word) else word


def words(text: str) -> list[str]:
    """The words of a text without what only sets them apart."""
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[-+=|\s]*", line)]
    return [word for line in lines for word in line.replace("|", " ").split()]
