"""Report how far a puzzle can be solved by singles alone.

It is the output of ``csp explain --report``.
"""

from __future__ import annotations

from ...engine.compiled.propagators.base import bits
from ...engine.solver.solver import Solver
from .board import Board
from .view import View


def report(solver: Solver) -> str:
    """Solve a puzzle by singles alone, and return a line per pass.

    ``U`` is the number of variables without a value, at the beginning and at the end. ``S`` is a pass over all
    variables: it places the variables with one value left and counts them. If no variable has one value left, an ``A``
    pass goes over all groups. From each variable that is the only place of a value, it removes the other values and
    counts them. ``A`` passes are repeated until they remove nothing. A pass uses the state at its beginning. Passes
    without a result are not listed; the report ends when neither kind has one.

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
    """Return the other candidates of the variables that have a hidden single."""
    removed = 0
    for cover, candidates in view.unplaced_sets:
        if cover.group is not None and candidates and not candidates & (candidates - 1):
            (bit,) = bits(candidates)
            removed |= view.cells[view.board.owner[bit]] & ~candidates
    return removed
