"""Find where propagation removes a value of the solution that an author intends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import compress

from ...base.errors import ModelError
from ...base.frozen import Frozen
from ...base.notation import counted, quoted
from ...board import answer_text
from ...engine.effort import Progress
from ...engine.solver.answers import Solution
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Model, Value, Variable
from ...model.givens import given_items
from ...model.operand import variable_of
from ...trace import Failure, Record, Recorder, Removal, Rest, caption

BLANKS = (".", "_")
"""The texts that an answer may have for an unknown value."""

BETWEEN = re.compile("[|\u2502\u2506]|(?<=[\\w.])[<>≤≥≠●○]")
"""Borders and signs between two values."""

CORNER = re.compile("[\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c]")
"""Corners and crossings, which only lines between rows contain."""

MAX_PRINTS = 5_000
"""Maximum number of answers printed to find the values of a text; the search for them ends there."""


class UnreadableAnswer(ModelError):
    """Error raised if a text does not have the form of the model's printed answer."""


class Guard(Frozen):
    """A report on whether propagation keeps the solution that the author intends.

    Attributes
    ----------
    record : Removal or Failure or None
        The first removal of a value of the solution, or the failure; None if propagation keeps the solution.
    lost : tuple of Candidate
        The values of the solution that the record removes.
    removing_constraints : tuple of Constraint
        The constraints of the model that the record comes from.
    broken : tuple of Constraint
        The constraints of the model that the solution violates.
    foreign : tuple of Candidate
        Values of the solution that are not in the domains of their variables.
    is_open : bool
        True if a partial solution survives propagation and violates nothing, but a search cannot complete it.
    open : int
        The number of variables that are unfixed after propagation.
    """

    record: Removal | Failure | None = None
    lost: tuple[Candidate, ...] = ()
    removing_constraints: tuple[Constraint, ...] = ()
    broken: tuple[Constraint, ...] = ()
    foreign: tuple[Candidate, ...] = ()
    is_open: bool = False
    open: int = 0

    @property
    def is_valid(self) -> bool:
        """Whether the intended values are a solution, or part of a solution."""
        return not (self.record or self.broken or self.foreign or self.is_open)

    @property
    def message(self) -> str:
        """A sentence that states whether the intended solution is valid, and if not, why."""
        if self.foreign:
            return f"{_candidates_text(self.foreign)}: not in its domain"
        if self.record:
            how = caption(self.record).partition(" · marked ")[0]
            addition = f"; the solution has {_candidates_text(self.lost)}" if self.lost else ""
            return f"{how}{addition}"
        if self.broken:
            return "propagation does not remove the solution, but it violates constraints"
        if self.is_open:
            return "propagation keeps these values, but no solution has them"
        if not self.open:
            return "the solution is valid, and propagation alone finds it"
        return f"the solution is valid; propagation leaves {counted(self.open, 'variable')} unfixed"


def guard(solver: Solver, solution: Mapping[str, Value], progress: Progress | None = None) -> Guard:
    """Propagate, and report the first removal or failure that contradicts the intended solution.

    If an intended value is not in the domain of its variable, this is reported without propagation.

    Parameters
    ----------
    solver : Solver
    solution : mapping from str to int or str
        The values of all variables, or of some.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the replay.

    Returns
    -------
    Guard
        Only the first removal counts. The domains before it contain the whole solution, so the removing constraint is
        responsible alone.

    Raises
    ------
    ModelError
        If the solution has an unknown variable.
    Stopped
        If a limit comes first.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model
    >>> rules = [AllDifferent.of("AB", label="row"), Equality(Variable("A"), 2, line=3)]
    >>> report = guard(Solver(Model({"A": (1, 2), "B": (1, 2)}, rules)), {"A": 1, "B": 2})
    >>> report.message, [rule.place for rule in report.removing_constraints]
    ('step 1 · A = 2 (line 3): removes 1 from A; the solution has A = 1', ['A = 2 (line 3)'])
    """
    model, program = solver.model, solver.program
    target = {variable_of(name): value for name, value in given_items(solution)}
    for variable in target:
        if variable not in model.domains:
            raise ModelError(f"unknown variable: {variable}")
    named_values: dict[str, Value] = dict(target.items())
    foreign = tuple([(v, value) for v, value in target.items() if value not in model.domains[v]])
    if foreign:
        return Guard(foreign=foreign)
    # Replay propagation; the watcher keeps the first record against the solution.
    watcher = _Watcher(target)
    solver.propagate(progress=progress, log=Recorder(program, watcher.on_record))
    broken = tuple([c for c in model.constraints if all(v in target for v in c.scope) and not c.check(named_values)])
    if (record := watcher.record) is not None:
        lost_values = (
            tuple([candidate for candidate in record.removed if candidate in target.items()])
            if isinstance(record, Removal)
            else ()
        )
        origins = () if record.number is None else program.origins[record.number]
        return Guard(record, lost_values, tuple([model.constraints[n] for n in origins]), broken)
    # A partial solution may survive propagation and still have no completion: search for one.
    is_open = not broken and len(target) < len(model.domains) and solver.solve(solution, progress=progress) is None
    return Guard(broken=broken, is_open=is_open, open=watcher.open)


class _Watcher:
    """A listener that stores the first record that contradicts the intended solution."""

    def __init__(self, intended: Mapping[Variable, Value]) -> None:
        self._intended = set(intended.items())
        self.record: Removal | Failure | None = None
        self.open = 0

    def on_record(self, record: Record) -> None:
        """Store ``record`` if it is the first contradiction; at a fixpoint, count unfixed variables."""
        match record:
            case Removal() if self.record is None and not self._intended.isdisjoint(record.removed):
                self.record = record
            case Failure() if self.record is None:
                self.record = record
            case Rest():
                self.open = record.open


def _candidates_text(candidates: tuple[Candidate, ...]) -> str:
    return ", ".join([f"{variable} = {quoted(value)}" for variable, value in candidates])


def read_answer(text: str, solver: Solver, progress: Progress | None = None) -> dict[str, Value]:
    """Return the values, by variable name, that a printed answer shows; unknown ones are omitted.

    Parameters
    ----------
    text : str
        An answer as ``csp.board.answer_text`` prints it. Dots and underscores are unknown values.
    solver : Solver
        It searches a solution to compare with, if the text does not show each value at a place of its own.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search.

    Raises
    ------
    UnreadableAnswer
        If no values have this answer.

    Examples
    --------
    >>> from csp import Model
    >>> read_answer("x = 1\\ny = .", Solver(Model({"x": (1, 2), "y": (1, 2)})))
    {'x': 1}
    """
    model = solver.model
    # First try to read the values at the places where they are printed.
    if values := _read_at_marks(text, model):
        return values
    # Then compare with the solution, and finally search for values with the same answer.
    solution = solver.solve(progress=progress)
    if solution is not None and _characters(answer_text(model, solution)) == _characters(text):
        return {str(variable): solution[variable] for variable in model.shown}
    first_values: dict[str, Value] = {str(v): domain[0] for v, domain in model.domains.items()}
    closest = _find_by_changing(text, model, solution or first_values)
    if closest is not None:
        return closest
    words_read, printed_words = _words(text), _answer_words(model, first_values)
    if len(words_read) != len(printed_words):
        counts = f"{len(words_read):,} values or words, but an answer has {len(printed_words):,}"
        raise UnreadableAnswer(f"the solution has {counts}")
    raise UnreadableAnswer("the solution does not have the form of an answer of this spec")


def _read_at_marks(text: str, model: Model) -> dict[str, Value]:
    """Read each shown variable's value at its position in the printed answer.

    An answer is printed with a mark for each variable, and the text is compared with it word by word. Returns an empty
    dictionary if words other than marks differ.
    """
    marks = {f"@{number}": variable for number, variable in enumerate(model.shown)}
    place_of = {variable: mark for mark, variable in marks.items()}
    try:
        form = _answer_words(model, {v: place_of.get(v, "") for v in model.domains})
    except (KeyError, TypeError):  # the answer depends on the values in another way
        return {}
    text_words = _words(text)
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
    values: dict[str, Value] = {str(variable): _value_of(word, model.domains[variable]) for word, variable in pairs}
    # If all values are known, printing them must give the same text.
    is_complete = len(values) == len(model.domains) and len(_words(text)) == len(text_words)
    if is_complete and len(form) < len(is_mark):
        return values if [*compress(_answer_words(model, values), is_mark)] == text_words else {}
    return {} if is_complete and _answer_words(model, values) != text_words else values


def _find_by_changing(text: str, model: Model, values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Change one value after another until the printed answer equals ``text``; return the values.

    ``values`` are the values to begin with. Returns ``None`` if no change brings the answer nearer to the text. Values
    that the text does not determine are omitted.
    """
    target, current, prints = _characters(text), dict(values), 0
    printed = _characters(_answer(model, current))
    is_better = True
    while is_better and prints < MAX_PRINTS:
        is_better, determined = False, {}
        for variable in model.shown:
            other_values = [value for value in model.domains[variable] if value != current[variable]]
            changed_answers = [_characters(_answer(model, {**current, variable: value})) for value in other_values[:1]]
            # A change that only spoils matching characters shows that the value is correct.
            is_correct = any(
                printed != changed and target.items() >= printed.items() - changed.items()
                for changed in changed_answers
            )
            if not is_correct:
                changed_answers += [
                    _characters(_answer(model, {**current, variable: value})) for value in other_values[1:]
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


def _answer_words(model: Model, values: Mapping[str, Value]) -> list[str]:
    """Return the words of the answer that is printed for these values."""
    return _words(_answer(model, values))


def _answer(model: Model, values: Mapping[str, Value]) -> str:
    """Return the answer that is printed for these values."""
    return answer_text(model, Solution(values))


def _characters(text: str) -> dict[tuple[int, int], str]:
    """Map (line, column) to each nonblank character of a text."""
    lines = enumerate(text.strip("\n").splitlines())
    return {(row, column): letter for row, line in lines for column, letter in enumerate(line) if letter.strip()}


def _value_of(word: str, domain: Iterable[Value]) -> Value:
    """Return the domain value whose text is ``word``; else ``word`` as an integer or text."""
    for value in domain:
        if str(value) == word:
            return value
    return int(word) if re.fullmatch("-?[0-9]{1,18}", word) else word


def _words(text: str) -> list[str]:
    """Return the words of a printed answer, without the lines that separate its rows.

    Lines between rows may contain the sums of cages; these are ignored, too.
    """
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[-+=|\s]*", line) and not CORNER.search(line)]
    return [word for line in lines for word in BETWEEN.sub(" ", line).split()]
