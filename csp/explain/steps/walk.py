"""Find the solution path of a person, who always uses the easiest technique."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

from ...base.frozen import Frozen
from ...base.late import import_late
from ...base.notation import counted, quoted
from ...engine.compiled.kernel import Stable
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort, Progress
from ...engine.settings import Settings
from ...engine.solver.solver import Solver
from ...model import Candidate, Constraint, Domain, Value, Variable
from ...trace import show_cause
from .board import Board, Clash, Deduction, View, last_candidates, place_opposites
from .minimal import places_of_values
from .techniques import LADDER, TECHNIQUES, Technique
from .techniques.constraints import find_violated

Ending = Literal["solved", "no solution", "stuck", "open"]

MAX_REMOVED = 4
"""Maximum number of removed candidates of a value or a variable that a sentence lists if fewer are left."""


SEARCH = (
    "a search takes over for this one step: no technique finds it, so all values of the other cells are tried; "
    "csp why shows the cases"
)
"""The line of a step that only a search explains."""


class PatternNode(NamedTuple):
    """A node of a pattern: one candidate, or a group of candidates.

    A node holds if one of its candidates does. Along a chain, nodes are alternately off and on: ``is_on`` is whether
    this node is assumed to hold.
    """

    candidates: tuple[Candidate, ...]
    is_on: bool


class PatternLink(NamedTuple):
    """A strong or weak link between two nodes of a pattern.

    Of the two nodes at least one holds if the link is strong, and at most one if it is weak. ``start`` and ``end`` are
    indices of nodes. ``by`` is the constraint that the link follows from; None if the link follows from a variable
    having one value.
    """

    start: int
    end: int
    is_strong: bool
    by: Constraint | None


class PatternSet(NamedTuple):
    """A set of variables that a pattern outlines, with its role, such as ``base``.

    ``line`` is the name of the cover set or constraint that the variables belong to, or empty.
    """

    role: str
    cells: tuple[Variable, ...]
    line: str


def pattern_pictures(
    board: Board, deduction: Deduction
) -> tuple[tuple[PatternNode, ...], tuple[PatternLink, ...], tuple[PatternSet, ...]]:
    """Return the nodes, links and sets that a picture of the deduction's pattern shows.

    If the technique gives no nodes or sets, they come from the pattern, the conclusion and the constraints.
    """
    # Without nodes, the candidates of the pattern are on; without a pattern, the removed ones are off.
    nodes = deduction.nodes or {1 << bit: True for bit in bits(deduction.pattern)}
    nodes = nodes or {1 << bit: False for bit in bits(deduction.removed)}
    index = {node: i for i, node in enumerate(nodes)}
    outlines = deduction.sets
    # Without outlines, the sets are the scopes of the constraints, or else the variables of the deduction.
    if not outlines:
        scopes = {board.constraints[number]: board.constraints[number].scope for number in deduction.constraints}
        mask = deduction.pattern | deduction.placed | deduction.removed
        variables = {board.candidates[bit][0] for bit in bits(mask)}
        lines = [
            PatternSet("line", tuple([v for v in scope if v in variables]), constraint.place)
            for constraint, scope in scopes.items()
        ]
        cells = tuple(dict.fromkeys([v for v, _ in board.listed(mask)]))
        sets = tuple([line for line in lines if line.cells]) or (PatternSet("cell", cells, ""),)
    else:
        sets = tuple([PatternSet(outline.role, board.variables_at(outline.mask), outline.line) for outline in outlines])
    links = [
        PatternLink(
            index[link.start],
            index[link.end],
            link.strong,
            None if link.number is None else board.constraints[link.number],
        )
        for link in dict.fromkeys(deduction.links)
    ]
    return tuple([PatternNode(board.listed(node), is_on) for node, is_on in nodes.items()]), tuple(links), sets


def origin_of(constraint: Constraint) -> dict[str, Any]:
    """Return the name and spec line of a constraint as JSON data."""
    return {"name": constraint.name, **constraint.origin}


class Step(Frozen):
    """A step of a solution path: the placed or removed candidates, and the reason.

    Attributes
    ----------
    technique : str
    weight : int
        The weight of the technique: how hard it is to see.
    reason : str
        The reason, in words.
    placed, removed : tuple of Candidate
        The conclusion: values that variables have, or do not have. Candidates that a placed value excludes in the
        groups of its variable are removed with it and not listed.
    left : tuple of Candidate
        The remaining values of the variables that lose values, if the sentence may name these instead.
    pattern : tuple of Candidate
        The candidates that the reason is about.
    constraints : tuple of Constraint
        The constraints that the reason uses.
    inside : tuple of Step
        For a supposition, the steps from it to the conflict.
    depth : int
        The number of nested suppositions.
    sentence : str
        Technique, reason and conclusion on one line.
    nodes : tuple of PatternNode
        The candidates that a picture draws, each on or off.
    links : tuple of PatternLink
        The links between nodes.
    sets : tuple of PatternSet
        The sets of variables that a picture outlines.
    known : tuple of Candidate
        The values of the shown variables that are placed after the step; empty for a step inside another one.
    cases : tuple of Variable
        The variables whose values the reason tries.
    is_searched : bool
        Whether the reason is a search that tries all values of the other cells.
    names_places : bool
        Whether the pattern has the places of some values, and not the values of some variables.
    sums : tuple of tuples of int
        The sets of values that a sum leaves its variables, if the reason lists them.
    """

    technique: str
    weight: int
    reason: str
    placed: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    left: tuple[Candidate, ...]
    pattern: tuple[Candidate, ...]
    constraints: tuple[Constraint, ...]
    inside: tuple[Step, ...]
    depth: int
    sentence: str
    nodes: tuple[PatternNode, ...]
    links: tuple[PatternLink, ...]
    sets: tuple[PatternSet, ...]
    known: tuple[Candidate, ...]
    cases: tuple[Variable, ...]
    is_searched: bool
    names_places: bool
    sums: tuple[tuple[int, ...], ...]

    @property
    def lines(self) -> list[str]:
        """The sentence of the step, with indented lines for steps inside it.

        A step that only a search explains has a line about the search.
        """
        inside = [SEARCH] if self.is_searched else [line for step in self.inside for line in step.lines]
        return [self.sentence, *("  " + line for line in inside)]

    def as_dict(self) -> dict[str, Any]:
        """Return the step as JSON data."""
        return {
            "technique": self.technique,
            "weight": self.weight,
            "placed": self.placed,
            "removed": self.removed,
            "pattern": self.pattern,
            "constraints": [origin_of(constraint) for constraint in self.constraints],
            "nodes": [{"candidates": node.candidates, "on": node.is_on} for node in self.nodes],
            "links": [
                {
                    "from": link.start,
                    "to": link.end,
                    "strong": link.is_strong,
                    "by": None if link.by is None else origin_of(link.by),
                }
                for link in self.links
            ],
            "sets": [
                {"role": outline.role, "cells": outline.cells, "line": outline.line or None} for outline in self.sets
            ],
            "depth": self.depth,
            "sentence": self.sentence,
            "inside": [step.as_dict() for step in self.inside],
        }


class Walk(Frozen):
    """A solution path: its steps, and how it ends.

    Attributes
    ----------
    steps : tuple of Step
    ending : {"solved", "no solution", "stuck", "open"}
        Stuck: no technique of the ladder applies. Open: the requested number of steps is made.
    conflict : str
        The reason for the ending "no solution"; else empty.
    left : mapping from Variable to tuple
        For every variable of the model its remaining values.
    """

    steps: tuple[Step, ...]
    ending: Ending
    conflict: str
    left: Mapping[Variable, Domain]

    def __repr__(self) -> str:
        return f"<Walk: {counted(len(self.steps), 'step')}, {self.ending}>"

    def _repr_html_(self) -> str:
        """Return the steps as an HTML list for a notebook."""
        return str(import_late("csp.render.notebook", "walk_html")(self))


class Walker:
    """A solution path in progress; iteration finds and makes its next steps.

    Parameters
    ----------
    solver : Solver
        The solver of the model. It is run only at the end, for the values of hidden variables.
    givens : mapping from str to int or str, optional
        Values of variables, in addition to the fixed values of the model.
    ladder : collection of Technique
        The techniques to use, from the easiest to the hardest.
    is_unique : bool
        Whether it is proved that there is one solution, including the variables that are not shown. Uniqueness
        techniques find nothing without this proof.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception that it raises ends the path.
    board : Board, optional
        The board of the solver's model, to share its tables with other paths.

    Attributes
    ----------
    view : View
        The state after the steps so far.
    conflict : str
        The reason for the ending "no solution"; empty until then.
    path : list of (Technique, Deduction)
        The techniques and deductions of the steps so far.
    is_over : bool
        Whether the path has ended: no technique finds a further step.
    """

    def __init__(
        self,
        solver: Solver,
        givens: Mapping[str, Value] | None = None,
        ladder: Collection[Technique] = LADDER,
        is_unique: bool = False,
        progress: Progress | None = None,
        board: Board | None = None,
    ) -> None:
        self._solver = solver
        self.board = Board(solver.program) if board is None else board
        self.ladder = tuple(ladder)
        self.view = View.at_start(self.board, self.board.start(givens), is_unique, progress)
        self.conflict = ""
        self.path: list[tuple[Technique, Deduction]] = []
        self.is_over = False

    @property
    def ending(self) -> Ending:
        """The state of the path: ``solved``, ``no solution`` or ``open``.

        It is "open" if the puzzle is neither solved nor contradictory.
        """
        return "no solution" if self.conflict else "solved" if self.view.is_solved else "open"

    def __iter__(self) -> Iterator[Step]:
        """Make the next steps, updating ``view``, and yield each until the path ends."""
        for technique, deduction in self.deduce():
            yield self.step(technique, deduction)

    def run(self) -> None:
        """Make all steps; ``path`` has them, even if the progress callback raises an exception."""
        for _ in self.deduce():
            pass

    def deduce(self) -> Iterator[tuple[Technique, Deduction]]:
        """Make steps until the path ends; yield techniques and deductions.

        Unlike iteration, it gives the steps no names and sentences.
        """
        while (easiest := self.find()) is not None:
            self.path.append(easiest)
            self.view = self.view.after(easiest[1])
            yield easiest
        self.is_over = True

    def first(self, limit: int) -> Iterator[Step]:
        """Make and yield at most ``limit`` further steps, updating ``view``."""
        return islice(self, limit)

    def find(self) -> tuple[Technique, Deduction] | None:
        """Return the easiest applicable technique with its deduction, or None.

        With None, ``conflict`` has the contradiction, if one is known. Once all shown variables are placed, the hidden
        ones are placed first, in a new ``view``. A contradiction that is found on the way is kept in ``view.clash``.
        """
        if self.view.progress is not None:
            self.view.progress(Effort())
        view = self.view
        if view.clash is None and view.unplaced and not view.unplaced & self.board.shown:
            view = self.view = self._place_hidden(view)
        # With all variables placed, every constraint is checked once.
        view.clash = view.clash or view.conflict() or (None if view.unplaced else find_violated(view))
        if view.unplaced and view.clash is None:
            for technique in self.ladder:
                for deduction in self.deductions(technique):
                    return technique, deduction
                if view.clash is not None:
                    break
        self.conflict = view.clash.text if view.clash else ""
        return None

    def deductions(self, technique: Technique) -> Iterator[Deduction]:
        """Yield the deductions of a technique that concern and use shown variables only."""
        board, view = self.board, self.view
        if board.shown == board.all:
            for deduction in technique.find(view):
                yield place_opposites(view, deduction)
            return
        for deduction in technique.find(view):
            if deduction.pattern & ~board.shown:
                continue
            deduction.removed &= board.shown
            deduction.placed &= board.shown
            deduction.placed |= last_candidates(view, deduction.removed)
            if deduction.removed or deduction.placed & ~view.placed:
                yield deduction

    def _place_hidden(self, view: View) -> View:
        """Return the view with hidden variables placed so that they agree with the shown cells.

        Without such values, the same view is returned, with a clash.
        """
        board = self.board
        shown_values = {str(variable): value for variable, value in board.listed(view.placed & board.shown)}
        solution = self._solver.solve(shown_values, progress=view.progress)
        if solution is None:
            view.clash = Clash("no values of the hidden variables agree with the cells", 0)
            return view
        live = board.mask_of(solution)
        hidden = [v for v in board.program.domains if v not in board.program.model.domains]
        live |= sum([board.domain_masks[board.program.layout.number[variable]] for variable in hidden])
        result = board.engine.reach_fixpoint(board.state(live), None, Budget(Settings(), Effort(), view.progress))
        assert isinstance(result, Stable)
        live = board.mask(result.snapshot)
        return View(board, live, live, view.givens, view.is_unique, view.progress)

    def step(self, technique: Technique, deduction: Deduction) -> Step:
        """Convert a deduction of ``technique`` to a ``Step``."""
        return make_step(self.board, technique.name, technique.weight, deduction, self.view.placed & self.board.shown)

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits that ended the search for the next step, in words."""
        return tuple(dict.fromkeys(self.view.limits))

    @property
    def open(self) -> int:
        """The number of shown variables that have no placed value yet."""
        return len(self.board.program.model.shown) - (self.view.placed & self.board.shown).bit_count()

    @property
    def left(self) -> dict[Variable, Domain]:
        """The remaining values of each variable of the model at this point of the path."""
        domains: dict[Variable, list[Value]] = {variable: [] for variable in self.board.program.model.domains}
        for variable, value in self.board.listed(self.view.live):
            if variable in domains:
                domains[variable].append(value)
        return {variable: tuple(values) for variable, values in domains.items()}

    @property
    def pencil(self) -> frozenset[Variable]:
        """The variables whose only remaining value is not placed yet."""
        placed_variables = {v for v, _ in self.board.listed(self.view.placed)}
        return frozenset(v for v, domain in self.left.items() if len(domain) == 1 and v not in placed_variables)

    def make_walk(self, steps: tuple[Step, ...], until: int | None = None) -> Walk:
        """Return a ``Walk`` of ``steps``, with the path's ending and remaining values.

        If ``until`` limits the number of steps, a path of this length has the ending "open".
        """
        ending = self.ending
        if ending == "open" and (until is None or len(steps) < until):
            ending = "stuck"
        return Walk(steps, ending, self.conflict, self.left)


def make_step(board: Board, name: str, weight: int, deduction: Deduction, known: int = 0) -> Step:
    """Convert a deduction (bit masks) to a ``Step`` with variables, constraints and text.

    ``known``: the candidates that are placed after the step.
    """
    placed, removed = board.listed(deduction.placed), board.listed(deduction.removed)
    reason = deduction.text + (f", and {deduction.inside[-1][1].text}" if deduction.inside else "")
    placed_cells = sum([board.domain_masks[variable] for variable in board.variables_of(deduction.placed)])
    rest = _describe_removal(board, deduction.removed & ~placed_cells, deduction.live)
    conclusion = "; ".join([text for text in (show_cause(placed), rest) if text])
    sentence = f"{reason}: {conclusion}" if conclusion else reason
    changed = sum([board.domain_masks[variable] for variable in board.variables_of(deduction.removed)])
    inside = tuple([make_step(board, technique, _weight(technique), step) for technique, step in deduction.inside])
    return Step(
        name,
        weight,
        deduction.text,
        placed,
        removed,
        board.listed(deduction.live & changed & ~placed_cells),
        board.listed(deduction.pattern),
        tuple([board.constraints[number] for number in dict.fromkeys(deduction.constraints)]),
        inside,
        deduction.depth,
        f"{name} · {sentence}",
        *pattern_pictures(board, deduction),
        board.listed(known),
        tuple([board.program.layout.variables[number] for number in deduction.cases]),
        deduction.is_searched,
        deduction.names_places,
        deduction.sums,
    )


def _describe_removal(board: Board, removed: int, live: int) -> str:
    """Return removed candidates as text; if most are removed, the remaining ones instead."""
    parts = []
    for value, place in places_of_values(board).items():
        left = place & live
        if (lost := place & removed).bit_count() > MAX_REMOVED and 0 < left.bit_count() < lost.bit_count():
            parts.append(f"{quoted(value)} is only in {board.cells(left)}")
            removed &= ~lost
    # If one variable has few remaining values, the other variables are described in the same way.
    masks = [board.domain_masks[variable] for variable in board.variables_of(removed)]
    counts = [((mask & live).bit_count(), (mask & removed).bit_count()) for mask in masks]
    cells_of: dict[str, int] = {}
    if any(lost > MAX_REMOVED and 0 < left < lost for left, lost in counts):
        for mask, (left, lost) in zip(masks, counts, strict=True):
            if 0 < left <= lost:
                cells_of[board.values(mask & live)] = cells_of.get(board.values(mask & live), 0) | mask & live
                removed &= ~mask
    for values, cells in cells_of.items():
        parts.append(f"{board.cells(cells)} {'has' if len(board.variables_of(cells)) == 1 else 'have'} only {values}")
    return "; ".join([*parts, *([f"removes {board.describe_removal(removed)}"] if removed else [])])


def _weight(name: str) -> int:
    return TECHNIQUES[name].weight if name in TECHNIQUES else 0  # the conflict that ends a supposition has no technique


def explain(
    solver: Solver,
    givens: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    until: int | None = None,
    is_unique: bool = False,
    progress: Progress | None = None,
) -> Walk:
    """Solve a puzzle as a person does, by the easiest technique at each step.

    Each step is the easiest that a technique of the ladder finds.

    Parameters
    ----------
    solver : Solver
    givens : mapping from str to int or str, optional
        Values of variables, in addition to the fixed values of the model.
    ladder : collection of Technique
        The techniques to use, from the easiest to the hardest; by default all that are not on request.
    until : int, optional
        Maximum number of steps.
    is_unique : bool
        Whether it is proved that there is one solution, including the variables that are not shown.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception that it raises ends the path.

    Returns
    -------
    Walk

    Raises
    ------
    ModelError
        If a given has an unknown variable, or a value outside the domain.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> walk = explain(Solver(model))
    >>> print(walk.steps[0].sentence, walk.ending, sep="\\n")
    hidden single · 3 in row fits only C: C = 3
    stuck
    """
    walker = Walker(solver, givens, ladder, is_unique, progress)
    steps = tuple(walker if until is None else walker.first(until))
    return walker.make_walk(steps, until)
