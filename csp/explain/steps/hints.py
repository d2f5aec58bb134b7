"""Give hints to a person who solves a puzzle.

A hint is the next step, in less or more detail, or the values that are filled in wrongly. ``Walker.find`` chooses the
step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal

from ...base.errors import Stopped
from ...base.frozen import Frozen
from ...base.notation import quoted
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from ...model import Candidate, Domain, Value, Variable
from .board import Board, join_words
from .inference import excluding_constraints
from .techniques import LADDER, Technique
from .walk import Step, Walker

HintDetail = Literal[1, 2, 3]

MAX_STEPS_OF_REASON = 2
"""Maximum number of steps that show why a value is wrong; a longer reason is left out."""


MAX_NAMED = 4
"""Maximum number of constraints that a hint without the step names."""


class Hint(Frozen):
    """A hint: the next step, or the filled values that are wrong.

    Attributes
    ----------
    kind : {"step", "wrong", "solved", "no solution", "stuck"}
    step : Step or None
        The easiest next step.
    wrong : tuple of Candidate
        Filled values that are in no solution; or the first value that is in no solution with the values before it.
    why : tuple of str
        The reason for one of the wrong values, if it takes at most two steps; else empty.
    conflict : str
        The reason for the kind "no solution"; else empty.
    left : mapping of Variable to tuple
        The remaining values before the step.
    pencil : frozenset of Variable
        The variables with a single remaining value that is not placed.
    where : tuple of str
        The names of the constraints or variables to look at. An implied constraint counts as those it follows from;
        if empty, the constraints of the step.
    """

    kind: Literal["step", "wrong", "solved", "no solution", "stuck"]
    step: Step | None = None
    wrong: tuple[Candidate, ...] = ()
    why: tuple[str, ...] = ()
    conflict: str = ""
    left: Mapping[Variable, Domain] = field(default_factory=dict, repr=False)
    pencil: frozenset[Variable] = field(default=frozenset(), repr=False)
    where: tuple[str, ...] = field(default=(), repr=False)

    @property
    def places(self) -> frozenset[Variable]:
        """The variables to look at: the scopes of the step's constraints, or its pattern."""
        if self.step is None:
            return frozenset()
        if _uses_constraints(self.step):
            return frozenset(v for constraint in self.step.constraints for v in constraint.scope)
        return frozenset(variable for variable, _ in self.step.pattern)

    @property
    def named_places(self) -> tuple[str, ...]:
        """The constraints or variables to look at, by name; empty without a step."""
        return () if self.step is None else self.where or _places_of(self.step)

    def text(self, detail: HintDetail = 3) -> str:
        """Return the hint in words, with the requested amount of detail.

        Parameters
        ----------
        detail : {1, 2, 3}
            1: where to look. 2: also the technique. 3: the whole step.
        """
        match self.kind:
            case "wrong":
                values = join_words([f"{variable} = {quoted(value)}" for variable, value in self.wrong])
                first = f"{values} {'is' if len(self.wrong) == 1 else 'are'} wrong"
                return "\n".join([first, *self.why])
            case "solved":
                return "solved: no step is left"
            case "no solution":
                return f"no solution: {self.conflict}"
            case "stuck":
                return "no technique finds a next step"
        assert self.step is not None
        places = self.named_places
        unnamed = len(places) - MAX_NAMED
        names = [*places[:MAX_NAMED], *([f"{unnamed} more"] if unnamed > 0 else [])]
        where = f"look at {join_words(names)}"
        return (where, f"{self.step.technique} · {where}", "\n".join(self.step.lines))[detail - 1]


def hint_of_step(step: Step, walker: Walker) -> Hint:
    """Return the hint for a step of ``walker``, without the remaining values of variables."""
    return Hint("step", step, where=_places_of(step, walker.board))


def _places_of(step: Step, board: Board | None = None) -> tuple[str, ...]:
    """Return the names of a step's constraints, or else of its pattern's variables.

    With a board, an implied constraint counts as the constraints of the puzzle that it follows from.
    """
    if not _uses_constraints(step):
        return tuple(dict.fromkeys([str(variable) for variable, _ in step.pattern]))
    if board is None:
        return tuple([constraint.place for constraint in step.constraints])
    # An implied constraint would give the step away: name those that it follows from.
    origins = [board.program.origins[board.constraints.index(constraint)] for constraint in step.constraints]
    return tuple(dict.fromkeys([board.constraints[number].place for numbers in origins for number in numbers]))


def _uses_constraints(step: Step) -> bool:
    return bool(step.constraints) and not step.inside


def hint(
    solver: Solver,
    filled: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    is_unique: bool = False,
    progress: Progress | None = None,
) -> Hint:
    """Find the next step of a partly filled puzzle, or its wrong values.

    Parameters
    ----------
    solver : Solver
    filled : mapping from str to int or str, optional
        Values that the person has filled in, in addition to the fixed values of the model.
    ladder : collection of Technique
        The techniques to use, from the easiest to the hardest.
    is_unique : bool
        Whether it is proved that there is one solution, including the variables that are not shown.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception that it raises ends the search.

    Returns
    -------
    Hint

    Raises
    ------
    ModelError
        If a filled value has an unknown variable, or is outside the domain.
    Stopped
        If a limit of the solver is reached.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> solver = Solver(Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")]))
    >>> print(hint(solver).text(1), hint(solver, {"C": 1}).text(), sep="\\n")
    look at row
    C = 1 is wrong
    nothing is left for 3 in row
    """
    filled = dict(filled or {})
    if filled and (wrong := _find_wrong(solver, filled, progress)):
        written = {variable: (value,) for variable, value in filled.items()}
        left = {v: written.get(v, domain) for v, domain in solver.model.domains.items()}
        return Hint("wrong", wrong=wrong, why=_show_why(solver, wrong, ladder, progress), left=left)
    walker = Walker(solver, filled, ladder, is_unique, progress)
    left, pencil = walker.left, walker.pencil
    step = next(iter(walker), None)
    kind: Literal["step", "solved", "no solution", "stuck"]
    if step is not None:
        kind = "step"
    else:
        kind = "stuck" if walker.ending == "open" else "solved" if walker.ending == "solved" else "no solution"
    where = () if step is None else _places_of(step, walker.board)
    return Hint(kind, step, conflict=walker.conflict, left=left, pencil=pencil, where=where)


def _find_wrong(solver: Solver, filled: Mapping[str, Value], progress: Progress | None) -> tuple[Candidate, ...]:
    """Return the filled values that differ from the only solution, or the first impossible one.

    If the model has one solution, these are the values that differ from it. If it has several, the result is the first
    value that no solution has together with the values before it. The result is empty if the filled values have a
    solution, or if the model has none.
    """
    if solver.solve(filled, progress=progress) is not None:
        return ()
    answers = solver.solutions(progress=progress)
    solution, second = next(answers, None), next(answers, None)
    if answers.stopped:
        raise Stopped(answers.stopped)
    if solution is None:
        return ()
    # One solution: compare with it.
    if second is None:
        value_of = {str(variable): value for variable, value in solution.items()}
        return tuple([(Variable.of(name), value) for name, value in filled.items() if value_of[name] != value])
    # Several solutions: fill in one value after the other until no solution is left.
    before: dict[str, Value] = {}
    for name, value in filled.items():
        before[name] = value
        if solver.solve(before, progress=progress) is None:
            return ((Variable.of(name), value),)
    raise AssertionError("one of the values excludes all solutions")


def _excluding_given(start: Walker, candidate: Candidate) -> str:
    """Return a text that names a given which excludes ``candidate``; empty without one."""
    board = start.board
    bit = board.bit_of[candidate]
    for given in bits(start.view.placed & board.sees[bit]):
        if numbers := excluding_constraints(board, 1 << bit, 1 << given):
            return f"{board.assignment(given)} excludes it by {board.constraints[numbers[0]].place}"
        return f"the puzzle gives {board.assignment(given)}"
    return ""


def _show_why(
    solver: Solver, wrong: tuple[Candidate, ...], ladder: Collection[Technique], progress: Progress | None
) -> tuple[str, ...]:
    """Return lines of text that show why a value is wrong; empty if too long.

    The reason is a given that excludes the value, or a few steps to a conflict. It is empty if that takes more steps.
    """
    easy = [technique for technique in ladder if not technique.supposes]
    start = Walker(solver, progress=progress)
    # The simplest reason: a given of the puzzle excludes the value.
    for candidate in wrong:
        if reason := _excluding_given(start, candidate):
            lead = "" if len(wrong) == 1 else f"{candidate[0]} = {quoted(candidate[1])}: "
            return (lead + reason,)
    # Otherwise add the value to the puzzle and follow the techniques without suppositions to a conflict.
    for variable, value in wrong:
        walker = Walker(solver, {variable: value}, easy, progress=progress)
        lines: list[str] = []
        for step in walker:
            if len(lines) == MAX_STEPS_OF_REASON:
                break
            lines += step.lines
        if walker.conflict:
            title = [] if len(wrong) == 1 else [f"{variable} = {quoted(value)}:"]
            return (*title, *lines, walker.conflict)
    return ()
