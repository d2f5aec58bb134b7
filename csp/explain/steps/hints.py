"""The next step in three levels of detail, and which of the values that a person has written are wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal

from ...engine.ask.solver import Solver
from ...engine.compiled.filters.base import bits
from ...engine.effort import Watch
from ...ground.errors import Stopped
from ...ground.frozen import Frozen
from ...ground.notation import quoted
from ...model import Candidate, Domain, Value, Variable
from .board import joined
from .techniques import LADDER, Technique
from .walk import Step, Walker
from .web import joining

HintLevel = Literal[1, 2, 3]

SHOWN = 2
"""How many steps may show why a value is wrong."""


class Hint(Frozen):
    """The next step, or what is wrong.

    Attributes
    ----------
    kind : {"step", "wrong", "solved", "no solution", "stuck"}
    step : Step or None
        The easiest next step.
    wrong : tuple of Candidate
        Values that a person has written and that are in no solution, or in none with those before them.
    why : tuple of str
        For one of these, what shows it, where that is a step or two.
    conflict : str
        What has nothing left, where there is no solution.
    left : mapping of Variable to tuple
        The values that were left before the step.
    pencil : frozenset of Variable
        Those whose single value nobody has written down.
    """

    kind: Literal["step", "wrong", "solved", "no solution", "stuck"]
    step: Step | None = None
    wrong: tuple[Candidate, ...] = ()
    why: tuple[str, ...] = ()
    conflict: str = ""
    left: Mapping[Variable, Domain] = field(default_factory=dict, repr=False)
    pencil: frozenset[Variable] = field(default=frozenset(), repr=False)

    @property
    def places(self) -> frozenset[Variable]:
        """Where to look: the variables of the constraints that a step uses, or its own."""
        if self.step is None:
            return frozenset()
        if _has_lines(self.step):
            return frozenset(v for one in self.step.constraints for v in one.scope)
        return frozenset(variable for variable, _ in self.step.pattern)

    def text(self, level: HintLevel = 3) -> str:
        """The hint in words.

        Parameters
        ----------
        level : {1, 2, 3}
            1 says where to look, 2 also which technique it takes, 3 all of it.
        """
        match self.kind:
            case "wrong":
                values = joined([f"{variable} = {quoted(value)}" for variable, value in self.wrong])
                first = f"{values} {'is' if len(self.wrong) == 1 else 'are'} wrong"
                return "\n".join([first, *self.why])
            case "solved":
                return "solved: there is nothing left to do"
            case "no solution":
                return f"no solution: {self.conflict}"
            case "stuck":
                return "no technique finds a next step"
        assert self.step is not None
        where = f"look at {_where(self.step)}"
        return (where, f"{self.step.technique} · {where}", "\n".join(self.step.lines))[level - 1]


def _where(step: Step) -> str:
    """The constraints that a step uses, or its variables."""
    if _has_lines(step):
        return joined([one.place for one in step.constraints])
    return joined(list(dict.fromkeys([str(variable) for variable, _ in step.pattern])))


def _has_lines(step: Step) -> bool:
    return bool(step.constraints) and not step.inside


def hint(
    solver: Solver,
    filled: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    is_unique: bool = False,
    watch: Watch | None = None,
) -> Hint:
    """The next step from where a person has come to.

    Parameters
    ----------
    solver : Solver
    filled : mapping from str to int or str, optional
        What the person has written, besides what the model fixes.
    ladder : collection of Technique
        From the easiest to the hardest.
    is_unique : bool
        Whether it is proved that there is one solution, in the variables that are not shown, too.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the search.

    Returns
    -------
    Hint

    Raises
    ------
    ModelError
        If something is filled into a variable that there is not, or has not the value.
    Stopped
        If a limit of the solver comes first.

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
    if filled and (wrong := _wrong(solver, filled, watch)):
        written = {variable: (value,) for variable, value in filled.items()}
        left = {v: written.get(v, domain) for v, domain in solver.model.domains.items()}
        return Hint("wrong", wrong=wrong, why=_why(solver, wrong, ladder, watch), left=left)
    walker = Walker(solver, filled, ladder, is_unique, watch)
    left, pencil = walker.left, walker.pencil
    step = next(iter(walker), None)
    kind: Literal["step", "solved", "no solution", "stuck"]
    if step is not None:
        kind = "step"
    else:
        kind = "stuck" if walker.ending == "open" else "solved" if walker.ending == "solved" else "no solution"
    return Hint(kind, step, conflict=walker.conflict, left=left, pencil=pencil)


def _wrong(solver: Solver, filled: Mapping[str, Value], watch: Watch | None) -> tuple[Candidate, ...]:
    """Values that differ from the only solution; else the first with which there is none. Nothing if all is well."""
    if solver.solve(filled, watch=watch) is not None:
        return ()
    answers = solver.solutions(watch=watch)
    solution, other = next(answers, None), next(answers, None)
    if answers.stopped:
        raise Stopped(answers.stopped)
    if solution is None:
        return ()
    if other is None:
        known = {str(variable): value for variable, value in solution.items()}
        return tuple([(Variable.of(name), value) for name, value in filled.items() if known[name] != value])
    before: dict[str, Value] = {}
    for name, value in filled.items():
        before[name] = value
        if solver.solve(before, watch=watch) is None:
            return ((Variable.of(name), value),)
    raise AssertionError("some value is the first with which there is no solution")


def _clash(start: Walker, candidate: Candidate) -> str:
    """The value of the puzzle that excludes a candidate directly."""
    board = start.board
    bit = board.bit_of[candidate]
    for other in bits(start.view.placed & board.sees[bit]):
        if numbers := joining(board, 1 << bit, 1 << other):
            return f"{board.holds(other)} excludes it by {board.constraints[numbers[0]].place}"
        return f"the puzzle says {board.holds(other)}"
    return ""


def _why(
    solver: Solver, wrong: tuple[Candidate, ...], ladder: Collection[Technique], watch: Watch | None
) -> tuple[str, ...]:
    """A few steps that lead from the puzzle and one of the wrong values to where nothing is left."""
    easy = [technique for technique in ladder if not technique.supposes]
    start = Walker(solver, watch=watch)
    for candidate in wrong:
        if clash := _clash(start, candidate):
            lead = "" if len(wrong) == 1 else f"{candidate[0]} = {quoted(candidate[1])}: "
            return (lead + clash,)
    for variable, value in wrong:
        walker = Walker(solver, {variable: value}, easy, watch=watch)
        lines: list[str] = []
        for step in walker:
            if len(lines) == SHOWN:
                break
            lines += step.lines
        if walker.conflict:
            own = [] if len(wrong) == 1 else [f"{variable} = {quoted(value)}:"]
            return (*own, *lines, walker.conflict)
    return ()
