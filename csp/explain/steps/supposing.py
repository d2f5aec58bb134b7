"""Suppose each candidate and propagate, to find the candidates that fail.

Only for a supposition that fails does a technique then look for the steps that a person would make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from ...engine.compiled.kernel import Contradiction, Snapshot
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.settings import Settings
from .board import Board, View

MAX_STEPS = 5_000
"""Maximum number of propagation steps of suppositions in one view, if at least one of them has failed."""

LARGE_SCOPE = 9
"""Minimum number of variables of a large constraint, which makes no neighbours."""

FIRST_NODE_LIMIT, MAX_NODES = 8, 20_000
"""Maximum number of search nodes for a supposition with nested suppositions.

A refutation may have 8 nodes in the first round. Each further round allows four times as many, up to 20,000. A step may
use 20,000 nodes in all rounds together; if that is not enough, no refutation is found.
"""


@dataclass(slots=True)
class SuppositionTree:
    """A search tree below a candidate, all of whose leaves fail.

    ``children`` has the tree below each candidate that the search branches on; a leaf has no children.
    """

    children: dict[int, SuppositionTree] = field(default_factory=dict)


class Suppositions:
    """The fixpoints reached by supposing each candidate, updated along a solution path.

    Propagation is monotone: a candidate that fails in a view fails in every later view, and propagation of a candidate
    that does not fail may continue from its last fixpoint.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._live = board.all
        self._near_changes = 0  # candidates of the neighbours of variables that changed last
        self._fixpoint: Snapshot | None = None
        self._reached: dict[int, tuple[Snapshot, int]] = {}  # for a candidate, its fixpoint and the fixes it took
        self._failing: dict[int, int] = {}  # for a candidate that fails, the fixes it took
        self._in_solutions: int | None = None  # candidates of solutions; None before the first is looked for
        self._node_limit = FIRST_NODE_LIMIT

    def update(self, view: View) -> None:
        """Suppose and propagate each candidate that may fail; store fixpoints and failures.

        Candidates of known solutions cannot fail. Once a candidate has failed, at most ``MAX_STEPS`` steps are spent.
        """
        # A view with candidates that the last one lacked is not later on the path: discard everything.
        if view.live & ~self._live:
            self._reached, self._failing, self._fixpoint = {}, {}, None
        if self._fixpoint is not None and view.live == self._live:
            return
        self._near_changes = self._mask_near(self._live & ~view.live)
        self._live = view.live
        budget = Budget(Settings(), Effort(), view.progress)
        # Continue from the last fixpoint: a view with hidden variables has candidates that the fixpoint has lost.
        state = self._board.state(view.live)
        if self._fixpoint is not None:
            state = state & self._fixpoint
        result = self._board.engine.reach_fixpoint(state, self._fixpoint, budget)
        self._fixpoint = None if isinstance(result, Contradiction) else result.snapshot
        self._failing = {bit: fixes for bit, fixes in self._failing.items() if view.unplaced >> bit & 1}
        if self._fixpoint is None:
            return
        if self._in_solutions is None:
            self._in_solutions = self._find_solution(view)
        for bit in self._candidates_to_test(view):
            if self._failing and budget.effort.steps > MAX_STEPS:
                break
            if bit not in self._failing:
                self._propagate(bit, budget)

    def _mask_near(self, changed: int) -> int:
        """Return the candidates of all neighbours of the variables with candidates in ``changed``."""
        board = self._board
        near = board.compute_once("neighbours", _neighbours)
        neighbours = {neighbour for variable in board.variables_of(changed) for neighbour in near[variable]}
        return sum([board.domain_masks[variable] for variable in neighbours])

    def _find_solution(self, view: View) -> int:
        """Return the candidates of one solution as a mask; 0 if none is found.

        No supposition refutes these candidates. The search ends after ``MAX_NODES`` nodes. Puzzles without propagators
        need no solution: suppositions are cheap.
        """
        if not self._board.program.propagators:
            return 0
        budget = Budget(Settings(nodes=MAX_NODES), Effort(), view.progress)
        solution = next(self._board.engine.answers(self._board.state(view.live), budget), None)
        return 0 if solution is None else self._board.mask_of(solution)

    def _candidates_to_test(self, view: View) -> list[int]:
        """Return the unplaced candidates of shown variables that no known solution contains.

        Candidates of the smallest exactly-one sets come first, and among these the neighbours of the last changes.
        """
        covers = view.board.covers
        near = self._near_changes
        by_size = sorted(
            (view.covers[i].bit_count(), not near & cover.mask, i)
            for i, cover in enumerate(covers)
            if cover.is_exactly_one
        )
        supposable = view.unplaced & self._board.shown & ~(self._in_solutions or 0)
        return [
            *dict.fromkeys([bit for size, _, i in by_size if size > 1 for bit in bits(view.covers[i] & supposable)])
        ]

    def _propagate(self, bit: int, budget: Budget) -> None:
        """Propagate a supposed candidate; record its fixpoint or its failure."""
        assert self._fixpoint is not None
        budget.check()
        # Continue from the last fixpoint of the candidate. If the view has removed nothing from it, it still is one.
        before, spent = self._reached.get(bit) or (self._fixpoint, 0)
        state = self._fix(self._fixpoint, bit) & before
        if state == before:
            return
        fixes = budget.effort.fixes
        result = self._board.engine.reach_fixpoint(state, before, budget)
        spent += budget.effort.fixes - fixes
        if isinstance(result, Contradiction):
            self._failing[bit] = spent
            self._reached.pop(bit, None)
        else:
            self._reached[bit] = result.snapshot, spent

    def find_failing(self, view: View) -> list[int]:
        """Return the candidates that propagation alone refutes, sorted by the number of fixes needed."""
        self.update(view)
        return sorted(self._failing, key=lambda bit: (self._failing[bit], bit))

    def find_refutation(self, view: View, max_steps: float = inf) -> tuple[int, SuppositionTree] | None:
        """Return a candidate that nested suppositions refute, with its refutation tree, or None.

        None: no candidate is refuted within the limit of nodes and ``max_steps`` propagation steps.
        """
        order = self.unrefuted(view)
        budget = Budget(Settings(), Effort(), view.progress)
        # Iterative deepening: try all candidates with a small limit of nodes, then with a larger one.
        while order and budget.effort.nodes < MAX_NODES:
            for bit in order:
                if budget.effort.steps > max_steps:
                    return None
                tree = self._refute(bit, self._node_limit, budget)
                if tree is not None:
                    return bit, tree
            order = [bit for bit in order if not (self._in_solutions or 0) >> bit & 1]
            self._node_limit = min(4 * self._node_limit, MAX_NODES)
        if order:
            view.limits.append(f"{MAX_NODES:,} nodes for suppositions inside each other")
        return None

    def unrefuted(self, view: View) -> list[int]:
        """Return the candidates that may fail, though not by propagation alone.

        Candidates whose fixpoint has the fewest unfixed variables come first: they probably fail soonest.
        """
        self.update(view)
        guards = self._board.program.layout.variable_guards
        order = [bit for bit in self._candidates_to_test(view) if bit in self._reached and self._fixpoint is not None]
        return sorted(order, key=lambda bit: int(self._reached[bit][0] & guards).bit_count())

    def _fix(self, state: Snapshot, bit: int) -> Snapshot:
        """Return the snapshot with a candidate's variable fixed to this candidate."""
        layout = self._board.program.layout
        return state & layout.only(layout.owner(bit), [bit])

    def _refute(self, bit: int, nodes: int, budget: Budget) -> SuppositionTree | None:
        """Search below candidate ``bit``; return the tree if every leaf fails, else None.

        None: a solution is known or found, or the search needs more than ``nodes`` nodes.
        """
        if (self._in_solutions or 0) >> bit & 1:
            return None
        try:
            return self._search(self._reached[bit][0], self._reached[bit][0], [nodes], budget)
        except _SolutionFound as solution:
            self._in_solutions = (self._in_solutions or 0) | solution.mask
        except _LimitReached:
            pass
        return None

    def _search(self, state: Snapshot, before: Snapshot, nodes_left: list[int], budget: Budget) -> SuppositionTree:
        """Return the tree that refutes a snapshot: propagate it, then branch as ``_choose`` says.

        Raises ``_SolutionFound`` if a leaf does not fail, and ``_LimitReached`` at the limit of nodes.
        ``nodes_left``: a list with the number of nodes that remain for all branches together.
        """
        # Count the node, and propagate it.
        nodes_left[0] -= 1
        if nodes_left[0] < 0 or budget.effort.nodes >= MAX_NODES:
            raise _LimitReached
        budget.check()
        result = self._board.engine.reach_fixpoint(state, before, budget)
        if isinstance(result, Contradiction):
            return SuppositionTree()
        # A fixpoint without unfixed variables is a solution.
        layout = self._board.program.layout
        fixpoint = result.snapshot
        if not fixpoint & layout.variable_guards:
            raise _SolutionFound(self._board.mask(fixpoint))
        # Every candidate of the set must fail.
        tree = SuppositionTree()
        for bit in self._choose(fixpoint):
            tree.children[bit] = self._search(self._fix(fixpoint, bit), fixpoint, nodes_left, budget)
        return tree

    def _choose(self, fixpoint: Snapshot) -> list[int]:
        """Choose a small exactly-one set, and return its candidates to branch on.

        Without propagators, this is the smallest unfixed set. With propagators, it is the shown variable with the
        fewest candidates, where each neighbour that the supposition has changed counts as one candidate less: its
        candidates are refuted nearby. Hidden variables are left for the end.
        """
        board, layout = self._board, self._board.program.layout
        if not board.program.propagators:
            candidates = [layout.at(bit) for bit in board.program.kernel.smallest(fixpoint, [])]
            return [bit for bit in candidates if bit is not None]
        assert self._fixpoint is not None
        live, before = board.mask(fixpoint), board.mask(self._fixpoint)
        near = [0] * len(board.domain_masks)
        for variable in board.variables_of(before & ~live):
            for neighbour in board.compute_once("neighbours", _neighbours)[variable]:
                near[neighbour] += 1
        unfixed = [
            (not cell & board.shown, cell.bit_count() - near[variable], variable)
            for variable, mask in enumerate(board.domain_masks)
            if (cell := live & mask) & (cell - 1)
        ]
        return list(bits(live & board.domain_masks[min(unfixed)[2]]))


def _neighbours(board: Board) -> list[list[int]]:
    """Return for each variable the variables that share a small propagated constraint with it."""
    scopes = board.program.incidence.scopes
    neighbours: list[dict[int, None]] = [{} for _ in board.domain_masks]
    for number in board.program.propagators:
        if len(scopes[number]) < LARGE_SCOPE:
            for variable in scopes[number]:
                neighbours[variable] |= dict.fromkeys(scopes[number])
    return [list(numbers) for numbers in neighbours]


class _LimitReached(Exception):
    """Exception raised if a refutation would have too many nodes."""


class _SolutionFound(Exception):
    """Exception raised if a supposition leads to a solution."""

    def __init__(self, mask: int) -> None:
        super().__init__()
        self.mask = mask


def suppositions(board: Board) -> Suppositions:
    """Return the board's one shared ``Suppositions`` object, made on first use."""
    return board.compute_once("suppositions", Suppositions)
