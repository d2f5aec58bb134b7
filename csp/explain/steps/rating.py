"""Rate how hard a puzzle is for people, and report how far singles come."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from ...base.frozen import Frozen
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from ...model import Value
from .board import Board, View
from .techniques import LADDER, Technique
from .walk import Ending, Walker

FORMULA = "rating = hardest + (sum of the weights of all steps) / 100 + rounds"
"""The formula of the rating: ``hardest`` is the maximum weight of a step; for ``rounds`` see ``Rating``."""

NESTED_WEIGHT, INSIDE_WEIGHT = 200, 5
"""Weight that a step gains for each nested supposition, and for each step inside a supposition."""


LEVELS = (("trivial", 4), ("easy", 40), ("medium", 100), ("hard", 200), ("very hard", 380))
"""Words for the difficulty, each with the maximum weight of a step; a harder puzzle is extreme."""


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
        The number of rounds. The steps of one technique in a row are a round.
    depth : int
        The maximum number of nested suppositions.
    """

    ending: Literal[Ending, "stopped"]
    rating: float
    hardest: str | None
    weight: int
    steps: Mapping[str, int]
    rounds: int
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
    """Rate how hard a puzzle is for people, by the steps of ``explain``.

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
    walker = Walker(solver, givens, ladder, progress=progress)
    walker.run()
    return rate_path(walker)


def rate_path(walker: Walker) -> Rating:
    """Rate the steps that a walker has made so far."""
    weights: list[int] = []
    names = [technique.name for technique, _ in walker.path]
    for technique, deduction in walker.path:
        nested = max(0, deduction.depth - 1)
        weights.append(technique.weight + INSIDE_WEIGHT * len(deduction.inside) + NESTED_WEIGHT * nested)
    weight = max(weights, default=0)
    hardest = names[weights.index(weight)] if names else None
    rounds = sum([name != before for before, name in zip(["", *names], names, strict=False)])
    ending: Literal[Ending, "stopped"] = walker.ending
    if ending == "open":
        ending = "stuck" if walker.is_over else "stopped"
    rating = round(weight + sum(weights) / 100 + rounds, 1)
    steps = {technique.name: names.count(technique.name) for technique in walker.ladder if technique.name in names}
    depth = max([deduction.depth for _, deduction in walker.path], default=0)
    return Rating(ending, rating, hardest, weight, steps, rounds, depth)


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
