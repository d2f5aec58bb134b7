"""csp guard"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import compress
from typing import NoReturn

import click

from csp import Effort, Model, ModelError, Settings, Solution, Solver, Value, Variable
from csp.explain import guard as replayed

from ...syntax.errors import Source, SpecError
from ...syntax.reading import read
from ..asking import Ask, question
from ..evidence import place_as_dict
from ..options import INPUT
from ..output import fail
from ..progress import NO_SOLUTION

BLANKS = (".", "_")
BETWEEN = re.compile("[|\u2502\u2506]|(?<=[\\w.])[<>≤≥≠●○]")
MAX_PRINTS = 5_000
"""How many answers are printed to find the one that a text is."""
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
    solver = Solver(report.model, settings=Settings(seconds=ask.timeout))
    found = replayed(solver, read_solution(read(solution), solver, ask.progress), ask.progress)
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


def read_solution(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read the values in a text: JSON, or what ``csp solve`` prints."""
    model = solver.model
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    if not text.strip():
        fail("csp: the solution is empty")
    if text.lstrip().startswith("{"):
        return from_json(text, names)
    return from_answer(text, solver, progress)


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


def from_answer(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read the values where an answer has them."""
    from csp.board import read_table

    model = solver.model
    if model.objective is not None:
        text = re.sub(rf"(?m)^({model.objective.superlative}|so far): [-0-9, ]+$", "", text)
    try:
        table = read_table(text, model)
    except ModelError as error:
        fail(f"csp: {error}")
    values = table or from_marks(text, model)
    if values:
        return values
    solution = solver.solve(progress=progress)
    if solution is not None and places(answer(model, solution)) == places(text):
        return {str(variable): solution[variable] for variable in model.shown}
    found = by_changing(text, model, solution or {variable: domain[0] for variable, domain in model.domains.items()})
    if found is None:
        refuse(text, model)
    return found


def refuse(text: str, model: Model) -> NoReturn:
    """Say that a text is not read as an answer, and why if its size shows it."""
    read, printed_words = words(text), printed(model, {variable: d[0] for variable, d in model.domains.items()})
    if len(read) != len(printed_words):
        counts = f"{len(read):,} values or words, and an answer has {len(printed_words):,}"
        fail(f"csp: the solution has {counts}; csp solve --json prints what is read")
    fail("csp: the solution is not read as an answer of this spec; csp solve --json prints what is read")


def from_marks(text: str, model: Model) -> dict[str, Value]:
    """The values in the places where an answer has marks for them; none where it does not have each as it is."""
    marks = {f"@{number}": variable for number, variable in enumerate(model.shown)}
    place_of = {variable: mark for mark, variable in marks.items()}
    try:
        form = printed(model, {v: place_of.get(v, "") for v in model.domains})
    except (KeyError, TypeError):  # it is drawn from the values, or calculated
        return {}
    told = words(text)
    kept = [word in marks for word in form]
    if len(told) not in (len(form), len(marks)):
        told = [letter for word in told for letter in (word if "=" not in form else [word])]
    if len(told) == len(marks) < len(form):
        form = [*marks]  # a plain grid, or a line of characters, without the signs between them
    if len(told) != len(form) or any(word != own for word, own in zip(told, form, strict=True) if own not in marks):
        return {}
    pairs = [(word, marks[own]) for word, own in zip(told, form, strict=True) if own in marks and word not in BLANKS]
    found: dict[str, Value] = {str(variable): value_of(word, model.domains[variable]) for word, variable in pairs}
    is_whole = len(found) == len(model.domains) and len(words(text)) == len(told)
    if is_whole and len(form) < len(kept):
        return found if [*compress(printed(model, found), kept)] == told else {}
    return {} if is_whole and printed(model, found) != told else found


def by_changing(text: str, model: Model, values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Find the values with which the same text is printed, by changing one value at a time.

    ``values``: where to begin. None if no change brings what is printed nearer to the text before both are the same.
    Values that the text does not determine are left out.
    """
    wanted, current, prints = places(text), dict(values), 0
    shown = places(answer(model, current))
    is_better = True
    while is_better and prints < MAX_PRINTS:
        is_better, determined = False, {}
        for variable in model.shown:
            others = [value for value in model.domains[variable] if value != current[variable]]
            tried = [places(answer(model, {**current, variable: value})) for value in others[:1]]
            # Where another value changes only what is right, the value is right.
            is_right = any(shown != other and wanted.items() >= shown.items() - other.items() for other in tried)
            if not is_right:
                tried += [places(answer(model, {**current, variable: value})) for value in others[1:]]
            prints += len(tried)
            distance = len(wanted.items() ^ shown.items())
            distances = [len(wanted.items() ^ other.items()) for other in tried]
            nearest = min(distances, default=distance)
            if nearest < distance:
                current[variable], shown = others[distances.index(nearest)], tried[distances.index(nearest)]
                is_better = True
            elif nearest > distance:
                determined[str(variable)] = current[variable]
    is_same = all(wanted.get(at) in (shown.get(at), *BLANKS) for at in {*wanted, *shown})
    return determined if is_same and not is_better else None


def printed(model: Model, values: Mapping[str, Value]) -> list[str]:
    """The words of an answer."""
    return words(answer(model, values))


def answer(model: Model, values: Mapping[str, Value]) -> str:
    """Print values as an answer."""
    from csp.board import answer_text

    return answer_text(model, Solution(values))


def places(text: str) -> dict[tuple[int, int], str]:
    """Map line and column to the character there, without blanks."""
    lines = enumerate(text.strip("\n").splitlines())
    return {(row, column): letter for row, line in lines for column, letter in enumerate(line) if letter.strip()}


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
