"""Rate how hard a puzzle is for people, and report how far singles come."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Literal

from ...base.frozen import Frozen
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from ...model import Value
from .board import Board, View
from .techniques import LADDER, TECHNIQUES, Technique
from .walk import Ending, Walker

FORMULA = "rating = hardest + (sum of the weights of all steps) / 100 + rounds + 20 / open"
"""The formula of the rating: ``hardest`` is the maximum weight of a step; for ``open`` see ``Rating``."""

NESTED_WEIGHT, INSIDE_WEIGHT = 200, 5
"""Weight that a step gains for each nested supposition, and for each step inside a supposition."""


LEVELS = (("trivial", 4), ("easy", 40), ("medium", 100), ("hard", 200), ("very hard", 380))
"""Words for the difficulty, each with the maximum weight of a step; a harder puzzle is extreme."""


PUBLISHED_VALUES = {
    "full house": 1.0, "hidden single": 1.5, "naked single": 2.3, "pointing": 2.6, "claiming": 2.8, "naked pair": 3.0,
    "X-wing": 3.2, "hidden pair": 3.4, "naked triple": 3.6, "swordfish": 3.8, "hidden triple": 4.0, "XY-wing": 4.2,
    "XYZ-wing": 4.4, "naked quadruple": 5.0, "jellyfish": 5.2, "hidden quadruple": 5.4,
}  # fmt: skip
"""The values of techniques in N. Juillerat's program Sudoku Explainer 1.2.1, in its order.

A hidden single in a box has 1.2 there. Other techniques have no single value, or are not in that program.
"""


class Rating(Frozen):
    """A measure of how hard a puzzle is for people, with its components.

    Attributes
    ----------
    ending : {"solved", "no solution", "stuck", "stopped"}
        Stopped: a limit ended the path early, and the figures describe the path so far.
    rating : float
        The value of ``FORMULA``, with one decimal.
    hardest : str or None
        The technique of the step with the maximum weight; None if there is no step.
    weight : int
        The maximum weight of a step.
    steps : mapping from str to int
        For every technique that is used, its number of steps; the easiest technique first.
    rounds : int
        The number of rounds. A round makes all steps that the easiest technique finds, or one supposition.
    open : float
        The mean number of steps in a round, with one decimal.
    depth : int
        The maximum number of nested suppositions.
    """

    ending: Literal[Ending, "stopped"]
    rating: float
    hardest: str | None
    weight: int
    steps: Mapping[str, int]
    rounds: int
    open: float
    depth: int

    @property
    def level(self) -> str:
        """The difficulty: a word of ``LEVELS`` or "extreme"; empty unless the path solves the puzzle."""
        if self.ending != "solved":
            return ""
        return next((word for word, maximum in LEVELS if self.weight <= maximum), "extreme")


def rate(
    solver: Solver,
    givens: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    progress: Progress | None = None,
) -> Rating:
    """Rate how hard a puzzle is for people, by the techniques that solve it.

    The formula is the same for every family of puzzles.

    Parameters
    ----------
    solver : Solver
    givens : mapping from str to int or str, optional
        Values of variables, in addition to the fixed values of the model.
    ladder : collection of Technique
        The techniques to use, from the easiest to the hardest.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception that it raises ends the rating.

    Returns
    -------
    Rating

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model, Solver, Variable
    >>> given = Equality(Variable("A"), 1)
    >>> model = Model({"A": (1, 2), "B": (1, 2, 3), "C": (2, 3), "D": (1, 2, 3, 4)}, [AllDifferent.of("ABCD"), given])
    >>> rating = rate(Solver(model))
    >>> rating.hardest, rating.rounds, rating.ending
    ('hidden single', 1, 'stuck')
    """
    rater = Rater(solver, givens, ladder, progress)
    rater.run()
    return rater.rating


def published_value(solver: Solver, progress: Progress | None = None) -> tuple[float, str] | None:
    """Return the maximum of ``PUBLISHED_VALUES`` over the path's steps, with its technique, or None.

    The solution path uses the techniques of ``PUBLISHED_VALUES`` only, in their order. Returns None if they do not
    solve the puzzle, or if it has no step.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (2, 3), "C": (1, 2), "D": (2, 4)}, [AllDifferent.of("ABCD")])
    >>> published_value(Solver(model)) is None
    True
    """
    rating = rate(solver, ladder=[TECHNIQUES[name] for name in PUBLISHED_VALUES], progress=progress)
    if rating.ending != "solved" or not rating.steps:
        return None
    return max([(PUBLISHED_VALUES[name], name) for name in rating.steps])


class Rater:
    """An incremental rating, whose value may be read after each round of steps.

    Parameters
    ----------
    solver, givens, ladder, progress
        As for ``rate``.
    """

    def __init__(
        self,
        solver: Solver,
        givens: Mapping[str, Value] | None = None,
        ladder: Collection[Technique] = LADDER,
        progress: Progress | None = None,
    ) -> None:
        self._walker = Walker(solver, givens, ladder, progress=progress)
        self._steps: dict[str, int] = {}
        self._hardest: tuple[int, str | None] = (0, None)
        self._total = self._rounds = self._depth = 0
        self._is_over = False

    def run(self) -> None:
        """Follow the solution path to its end and count steps by technique.

        If the progress callback raises an exception, ``rating`` is the rating of the path so far.
        """
        walker = self._walker
        while (easiest := walker.find()) is not None:
            technique, first = easiest
            # A round has all steps that the technique finds in the view at its start, but only one supposition.
            deductions = {(first.placed, first.removed): first}
            for deduction in islice(walker.deductions(technique), 0 if technique.supposes else None):
                deductions.setdefault((deduction.placed, deduction.removed), deduction)
            for deduction in deductions.values():
                walker.view = walker.view.after(deduction)
                weight = (
                    technique.weight
                    + INSIDE_WEIGHT * len(deduction.inside)
                    + NESTED_WEIGHT * max(0, deduction.depth - 1)
                )
                self._hardest = max(self._hardest, (weight, technique.name), key=lambda pair: pair[0])
                self._total += weight
                self._depth = max(self._depth, deduction.depth)
            self._steps[technique.name] = self._steps.get(technique.name, 0) + len(deductions)
            self._rounds += 1
        self._is_over = True

    @property
    def rating(self) -> Rating:
        """The rating of the part of the path followed so far."""
        rounds, count = self._rounds, sum(self._steps.values())
        mean = count / rounds if rounds else 0.0
        ending: Literal[Ending, "stopped"] = self._walker.ending
        if ending == "open":
            ending = "stuck" if self._is_over else "stopped"
        weight, hardest = self._hardest
        rating = weight + self._total / 100 + rounds + (20 / mean if mean else 0)
        steps = {
            technique.name: self._steps[technique.name]
            for technique in self._walker.ladder
            if technique.name in self._steps
        }
        return Rating(ending, round(rating, 1), hardest, weight, steps, rounds, round(mean, 1), self._depth)


def report(solver: Solver) -> str:
    """Solve a puzzle by singles alone, and return one line with an entry per pass.

    ``U`` is the number of variables without a value, at the beginning and at the end. ``S`` is a pass over all
    variables: it places the variables with one value left and counts them. If no variable has one value left, an ``A``
    pass goes over all groups. From each variable that is the only place of a value, it removes the other values and
    counts them. ``A`` passes are repeated until they remove nothing. A pass uses the state at its beginning. Passes
    without a result are not listed; the report ends when neither kind has one, or at a conflict.

    Parameters
    ----------
    solver : Solver

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1,), "B": (1, 2), "C": (2, 3, 4), "D": (2, 3, 4)}, [AllDifferent.of("ABCD")])
    >>> report(Solver(model))
    'U3,S1,U2'
    """
    board = Board(solver.program)
    view = View.at_start(board, board.start())
    passes = [f"U{_count_unplaced(view)}"]
    while view.conflict() is None:
        # S: place all variables that have one candidate when the pass begins.
        if singles := [domain for domain in view.cells if domain & view.unplaced and not domain & (domain - 1)]:
            for domain in singles:
                (bit,) = bits(domain)
                if view.live & domain:
                    view = view.with_placed(bit)
            passes.append(f"S{len(singles)}")
        # A: reduce the variables of hidden singles to that value, until no pass removes anything.
        elif removed := _beside_hidden_singles(view):
            view = view.with_live(view.live & ~removed)
            passes.append(f"A{removed.bit_count()}")
            while view.conflict() is None and (removed := _beside_hidden_singles(view)):
                view = view.with_live(view.live & ~removed)
                passes.append(f"A{removed.bit_count()}")
        else:
            break
    return ",".join([*passes, f"U{_count_unplaced(view)}"])


def _count_unplaced(view: View) -> int:
    return len(view.board.domain_masks) - view.placed.bit_count()


def _beside_hidden_singles(view: View) -> int:
    """Return a mask of the other candidates of variables that have a hidden single."""
    removed = 0
    for cover, candidates in view.unplaced_sets:
        if cover.group is not None and candidates and not candidates & (candidates - 1):
            (bit,) = bits(candidates)
            removed |= view.cells[view.board.owner[bit]] & ~candidates
    return removed
