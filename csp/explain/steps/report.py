"""How far singles come, pass by pass, on one line."""

from __future__ import annotations

from ...engine.ask.solver import Solver
from ...engine.compiled.filters.base import bits
from .board import Board
from .view import View


def report(solver: Solver) -> str:
    """The passes over a puzzle that look for singles alone, in the compact form of one line.

    ``U`` counts the variables without a value, at the beginning and at the end. ``S`` is a pass over all variables that
    writes down those with one value left, and counts them. Where it finds none, ``A`` is a pass over all groups: of
    each variable that is the only place of a value it removes the other values, and counts these. Passes that find
    nothing are not listed, and it ends where neither kind finds anything. What a pass finds was there when it began.

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
    view = View.begun(board, board.start())
    marks = [f"U{_open(view)}"]
    while view.conflict() is None:
        if singles := [left for left in view.cells if left & view.open and not left & (left - 1)]:
            for left in singles:
                (bit,) = bits(left)
                if view.live & left:
                    view = view.placing(bit)
            marks.append(f"S{len(singles)}")
        elif removed := _hidden(view):
            view = view.leaving(view.live & ~removed)
            marks.append(f"A{removed.bit_count()}")
            while view.conflict() is None and (removed := _hidden(view)):
                view = view.leaving(view.live & ~removed)
                marks.append(f"A{removed.bit_count()}")
        else:
            break
    return ",".join([*marks, f"U{_open(view)}"])


def _open(view: View) -> int:
    return len(view.board.own) - view.placed.bit_count()


def _hidden(view: View) -> int:
    """The other values of variables that are the only place of a value."""
    removed = 0
    for line, left in view.lines:
        if line.group is not None and left and not left & (left - 1):
            (bit,) = bits(left)
            removed |= view.cells[view.board.owner[bit]] & ~left
    return removed
