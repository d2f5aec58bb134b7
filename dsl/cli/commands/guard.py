"""csp guard"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import click

from csp import Model, ModelError, Solution, Solver, Strategy, Value, Variable
from csp.explain import guard as replayed

from ...text.errors import Source, SpecError
from ...text.reading import read
from ..asking import Ask, question
from ..evidence import place_as_dict
from ..options import INPUT
from ..output import fail
from ..watch import NO_SOLUTION

BLANKS = (".", "_")
BETWEEN = re.compile("[|\u2502\u2506]|(?<=\\w)[<>](?=\\w)")
TRIED = 3
"""How many values of a variable are printed to see where they stand."""
CORNER = re.compile("[\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c]")


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
    from csp.board import read_table

    try:
        table = read_table(text, model)
    except ModelError as error:
        fail(f"csp: {error}")
    return table or from_marks(text, model) or by_trying(text, model)


def from_marks(text: str, model: Model) -> dict[str, Value]:
    """The values in the places where an answer has marks for them; none where it does not have each as it is."""
    marks = {f"@{number}": variable for number, variable in enumerate(model.shown)}
    place_of = {variable: mark for mark, variable in marks.items()}
    try:
        form = printed(model, {v: place_of.get(v, "") for v in model.domains})
    except (KeyError, TypeError):  # it is drawn from the values, or calculated
        return {}
    told = words(text)
    if len(told) != len(form):
        told = [letter for word in told for letter in (word if "=" not in form else [word])]
    if len(told) == len(marks) < len(form):
        form = [*marks]  # a line of characters
    if len(told) != len(form) or any(word != own for word, own in zip(told, form, strict=True) if own not in marks):
        return {}
    pairs = [(word, marks[own]) for word, own in zip(told, form, strict=True) if own in marks and word not in BLANKS]
    found: dict[str, Value] = {str(variable): value_of(word, model.domains[variable]) for word, variable in pairs}
    is_whole = len(found) == len(model.domains) and len(words(text)) == len(told)
    return {} if is_whole and printed(model, found) != told else found


def by_trying(text: str, model: Model) -> dict[str, Value]:
    """The values with which the same is printed; each is found by what changes with it alone."""
    first: dict[str, Value] = {variable: domain[0] for variable, domain in model.domains.items()}
    told, before = words(text), printed(model, first)
    if len(told) != len(before):
        counts = f"{len(told):,} values or words, and an answer has {len(before):,}"
        fail(f"csp: the solution has {counts}; csp solve --json prints what is read")
    found: dict[str, Value] = {}
    for variable in model.shown:
        domain = model.domains[variable]
        options = {value: printed(model, {**first, variable: value}) for value in domain[:TRIED]}
        options = {value: own for value, own in options.items() if len(own) == len(told)}
        places = [p for p, word in enumerate(before) if any(own[p] != word for own in options.values())]
        fits = [value for value, own in options.items() if all(own[p] == told[p] for p in places)]
        if places and len(fits) == 1:
            found[str(variable)] = fits[0]
        elif len(places) == 1 and all(own[places[0]] == str(value) for value, own in options.items()):
            found |= {str(variable): value for value in domain if told[places[0]] == str(value)}
    after = printed(model, {**first, **found})
    if len(after) != len(told) or any(one not in (other, *BLANKS) for one, other in zip(told, after, strict=True)):
        fail("csp: the solution is not read as an answer of this spec; csp solve --json prints what is read")
    return found


def printed(model: Model, values: Mapping[str, Value]) -> list[str]:
    """The words of an answer."""
    from csp.board import answer_text

    return words(answer_text(model, Solution(values)))


def value_of(word: str, domain: Iterable[Value]) -> Value:
    """The value of a domain that is written so; else what a word looks like."""
    for value in domain:
        if str(value) == word:
            return value
    return int(word) if re.fullmatch("-?[0-9]{1,18}", word) else word


def words(text: str) -> list[str]:
    """The words of a text without what only sets them apart: lines between rows, with the clues of cages in them."""
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[-+=|\s]*", line) and not CORNER.search(line)]
    return [word for line in lines for word in BETWEEN.sub(" ", line).split()]
