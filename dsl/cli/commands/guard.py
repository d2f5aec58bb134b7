"""The command ``csp guard``: finds what removes a value of an intended solution."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import compress
from typing import NoReturn

import click

from csp import Effort, Model, ModelError, Settings, Solution, Solver, Value, Variable
from csp.explain import guard as find_broken

from ...syntax.errors import Source, SpecError
from ...syntax.reading import read
from ..asking import Ask, question
from ..evidence import place_as_dict
from ..options import INPUT
from ..output import fail
from ..progress import NO_SOLUTION

BLANKS = (".", "_")
"""Words for an unknown value."""
BETWEEN = re.compile("[|\u2502\u2506]|(?<=[\\w.])[<>≤≥≠●○]")
"""Borders and signs between two values."""
MAX_PRINTS = 5_000
"""Maximum number of answers printed to find the values of a text; the search for them ends there."""
CORNER = re.compile("[\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c]")
"""Corners and crossings, which only lines between rows contain."""


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
        raise SpecError([diagnostic for diagnostic in report.found if not diagnostic.code], dict(report.sources))
    solver = Solver(report.model, settings=Settings(seconds=ask.timeout))
    result = find_broken(solver, read_solution(read(solution), solver, ask.progress), ask.progress)
    removing_notes = [report.note(constraint, constraint.name) for constraint in result.removing_constraints]
    broken_notes = [report.note(constraint, constraint.name) for constraint in result.broken]
    text = [report.sources[note.text].show(note) for note in removing_notes or broken_notes[:1]]
    text.append(f"{Source(ask.file, '').name}: {result.message}")
    if result.broken:
        text.append(f"it breaks {', '.join([constraint.place for constraint in result.broken])}")
    places = [[place_as_dict(report, note) for note in notes] for notes in (removing_notes, broken_notes)]
    outcome = {"valid": result.is_valid, "message": result.message, "lost": result.lost}
    data = {**outcome, "removing_constraints": places[0], "broken": places[1]}
    ask.finish("\n".join(text), data, 0 if result.is_valid else NO_SOLUTION)


def read_solution(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read a solution from JSON, or from an answer of ``csp solve``."""
    model = solver.model
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    if not text.strip():
        fail("csp: the solution is empty")
    if text.lstrip().startswith("{"):
        return from_json(text, names)
    return from_answer(text, solver, progress)


def from_json(text: str, names: dict[str, Variable]) -> dict[str, Value]:
    """Return the values in a JSON object, or under its key ``solution``."""
    try:
        data = json.loads(text.strip().split("\n")[0] if '"solution"' in text else text)
    except ValueError as error:
        fail(f"csp: the solution is no JSON: {error}")
    data = data.get("solution", data)
    if not isinstance(data, dict):
        fail("csp: the solution has no values")
    for name, value in data.items():
        if name.replace(" ", "") not in names:
            fail(f"csp: the solution has {name}, and there is no such variable")
        if isinstance(value, bool) or not isinstance(value, int | str):
            fail(f"csp: the solution has {name} = {json.dumps(value)}, which is neither a number nor a symbol")
    return {str(names[name.replace(" ", "")]): value for name, value in data.items()}


def from_answer(text: str, solver: Solver, progress: Callable[[Effort], None]) -> dict[str, Value]:
    """Read the values of a solution from an answer of ``csp solve``."""
    from csp.board import read_table

    model = solver.model
    if model.objective is not None:
        text = re.sub(rf"(?m)^({model.objective.superlative}|so far): [-0-9, ]+$", "", text)
    try:
        table = read_table(text, model)
    except ModelError as error:
        fail(f"csp: {error}")
    # Try the cheap readers first: a table, then an answer with marks in place of values.
    values = table or from_marks(text, model)
    if values:
        return values
    # Then compare with the solution, and finally search for values with the same answer.
    solution = solver.solve(progress=progress)
    if solution is not None and characters(answer(model, solution)) == characters(text):
        return {str(variable): solution[variable] for variable in model.shown}
    closest = by_changing(text, model, solution or {v: domain[0] for v, domain in model.domains.items()})
    if closest is None:
        reject(text, model)
    return closest


def reject(text: str, model: Model) -> NoReturn:
    """Fail because a text is not a readable answer; name its size if wrong."""
    words_read, printed_words = words(text), answer_words(model, {v: d[0] for v, d in model.domains.items()})
    if len(words_read) != len(printed_words):
        counts = f"{len(words_read):,} values or words, and an answer has {len(printed_words):,}"
        fail(f"csp: the solution has {counts}; csp solve --json prints what is read")
    fail("csp: the solution is not read as an answer of this spec; csp solve --json prints what is read")


def from_marks(text: str, model: Model) -> dict[str, Value]:
    """Read the values at the places where an answer prints them.

    An answer is printed with a mark for each variable, and the text is compared with it word by word. Returns an empty
    dictionary if words other than marks differ.
    """
    marks = {f"@{number}": variable for number, variable in enumerate(model.shown)}
    place_of = {variable: mark for mark, variable in marks.items()}
    try:
        form = answer_words(model, {v: place_of.get(v, "") for v in model.domains})
    except (KeyError, TypeError):  # the answer depends on the values in another way
        return {}
    text_words = words(text)
    is_mark = [word in marks for word in form]
    # A line of characters without blanks has one value for each character.
    if len(text_words) not in (len(form), len(marks)):
        text_words = [letter for word in text_words for letter in (word if "=" not in form else [word])]
    if len(text_words) == len(marks) < len(form):
        # A plain grid or a line of characters, without signs between the values.
        form = [*marks]
    if len(text_words) != len(form) or any(
        word != expected for word, expected in zip(text_words, form, strict=True) if expected not in marks
    ):
        return {}
    pairs = [
        (word, marks[expected])
        for word, expected in zip(text_words, form, strict=True)
        if expected in marks and word not in BLANKS
    ]
    values: dict[str, Value] = {str(variable): value_of(word, model.domains[variable]) for word, variable in pairs}
    # If all values are known, printing them must give the same text.
    is_complete = len(values) == len(model.domains) and len(words(text)) == len(text_words)
    if is_complete and len(form) < len(is_mark):
        return values if [*compress(answer_words(model, values), is_mark)] == text_words else {}
    return {} if is_complete and answer_words(model, values) != text_words else values


def by_changing(text: str, model: Model, values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Find the values whose printed answer is a text, changing one at a time.

    ``values`` are the values to begin with. Returns ``None`` if no change brings the answer nearer to the text. Values
    that the text does not determine are omitted.
    """
    target, current, prints = characters(text), dict(values), 0
    printed = characters(answer(model, current))
    is_better = True
    while is_better and prints < MAX_PRINTS:
        is_better, determined = False, {}
        for variable in model.shown:
            other_values = [value for value in model.domains[variable] if value != current[variable]]
            changed_answers = [characters(answer(model, {**current, variable: value})) for value in other_values[:1]]
            # A change that only spoils matching characters shows that the value is correct.
            is_correct = any(
                printed != changed and target.items() >= printed.items() - changed.items()
                for changed in changed_answers
            )
            if not is_correct:
                changed_answers += [
                    characters(answer(model, {**current, variable: value})) for value in other_values[1:]
                ]
            prints += len(changed_answers)
            # Otherwise, take the change whose answer differs from the text in the fewest characters.
            distance = len(target.items() ^ printed.items())
            distances = [len(target.items() ^ changed.items()) for changed in changed_answers]
            nearest = min(distances, default=distance)
            if nearest < distance:
                current[variable], printed = (
                    other_values[distances.index(nearest)],
                    changed_answers[distances.index(nearest)],
                )
                is_better = True
            elif nearest > distance:
                determined[str(variable)] = current[variable]
    is_same = all(target.get(position) in (printed.get(position), *BLANKS) for position in {*target, *printed})
    return determined if is_same and not is_better else None


def answer_words(model: Model, values: Mapping[str, Value]) -> list[str]:
    """Return the words of the answer that is printed for these values."""
    return words(answer(model, values))


def answer(model: Model, values: Mapping[str, Value]) -> str:
    """Return the answer that is printed for these values."""
    from csp.board import answer_text

    return answer_text(model, Solution(values))


def characters(text: str) -> dict[tuple[int, int], str]:
    """Return the nonblank characters of a text by line and column."""
    lines = enumerate(text.strip("\n").splitlines())
    return {(row, column): letter for row, line in lines for column, letter in enumerate(line) if letter.strip()}


def value_of(word: str, domain: Iterable[Value]) -> Value:
    """Return the domain value that a text means; else a number or symbol."""
    for value in domain:
        if str(value) == word:
            return value
    return int(word) if re.fullmatch("-?[0-9]{1,18}", word) else word


def words(text: str) -> list[str]:
    """Return the words of a text, without lines that only separate rows.

    Lines between rows may contain the sums of cages; these are ignored, too.
    """
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[-+=|\s]*", line) and not CORNER.search(line)]
    return [word for line in lines for word in BETWEEN.sub(" ", line).split()]
