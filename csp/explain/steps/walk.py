"""The way to the solution, the easiest next step each time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any, Literal

from ...engine.ask.solver import Solver
from ...engine.effort import Effort, Watch
from ...ground.frozen import Frozen
from ...ground.notation import counted
from ...model import Candidate, Constraint, Domain, Value, Variable
from .board import Board
from .patterns import Joint, Marked, PatternNode, origin_of, pattern_pictures
from .techniques import LADDER, TECHNIQUES, Technique
from .techniques.constraints import broken
from .view import Deduction, View

Ending = Literal["solved", "no solution", "stuck", "open"]


class Step(Frozen):
    """What follows from what can be seen, and why.

    Attributes
    ----------
    technique : str
    weight : int
        How hard the technique is to see.
    reason : str
        Why, in words.
    placed, removed : tuple of Candidate
        What follows: values that variables have, or do not have. What a value excludes in the groups of its variable
        goes with it and is not listed.
    pattern : tuple of Candidate
        The candidates that the reason is about.
    constraints : tuple of Constraint
        Those that it uses.
    inside : tuple of Step
        The steps from a supposition to where nothing is left.
    depth : int
        How many suppositions are inside each other.
    sentence : str
        The whole in a line.
    nodes : tuple of PatternNode
        What a picture marks, each on or off.
    links : tuple of Joint
        Between nodes, by their indices.
    sets : tuple of Marked
        What a picture outlines.
    """

    technique: str
    weight: int
    reason: str
    placed: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    pattern: tuple[Candidate, ...]
    constraints: tuple[Constraint, ...]
    inside: tuple[Step, ...]
    depth: int
    sentence: str
    nodes: tuple[PatternNode, ...]
    links: tuple[Joint, ...]
    sets: tuple[Marked, ...]

    @property
    def lines(self) -> list[str]:
        """The sentence, and below it those of the steps inside, set in."""
        return [self.sentence, *("  " + line for step in self.inside for line in step.lines)]

    def as_dict(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            "technique": self.technique,
            "weight": self.weight,
            "placed": self.placed,
            "removed": self.removed,
            "pattern": self.pattern,
            "constraints": [origin_of(one) for one in self.constraints],
            "nodes": [{"candidates": node.candidates, "on": node.is_on} for node in self.nodes],
            "links": [
                {
                    "from": one.start,
                    "to": one.end,
                    "strong": one.is_strong,
                    "by": None if one.by is None else origin_of(one.by),
                }
                for one in self.links
            ],
            "sets": [{"role": one.role, "cells": one.cells, "line": one.line or None} for one in self.sets],
            "depth": self.depth,
            "sentence": self.sentence,
            "inside": [step.as_dict() for step in self.inside],
        }


class Walk(Frozen):
    """A way, and where it ends.

    Attributes
    ----------
    steps : tuple of Step
    ending : {"solved", "no solution", "stuck", "open"}
        Stuck: no technique of the ladder finds anything; open: no more steps were wanted.
    conflict : str
        What has nothing left, where there is no solution.
    left : mapping from Variable to tuple
        The values left to every variable of the model.
    """

    steps: tuple[Step, ...]
    ending: Ending
    conflict: str
    left: Mapping[Variable, Domain]

    def __repr__(self) -> str:
        return f"<Walk: {counted(len(self.steps), 'step')}, {self.ending}>"


class Walker:
    """Finds one step after the other.

    Parameters
    ----------
    solver : Solver
        Whose program is explained; nothing is asked of it.
    givens : mapping from str to int or str, optional
        Values of variables, besides those that the model fixes.
    ladder : collection of Technique
        From the easiest to the hardest.
    is_unique : bool
        Whether it is proved that there is one solution, in the variables that are not shown, too; without that no
        technique builds on it.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the walk.

    Attributes
    ----------
    view : View
        Where the walk has come to.
    conflict : str
        What has nothing left, once that is so.
    """

    def __init__(
        self,
        solver: Solver,
        givens: Mapping[str, Value] | None = None,
        ladder: Collection[Technique] = LADDER,
        is_unique: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.board = Board(solver.program)
        self.ladder = tuple(ladder)
        self.view = View.begun(self.board, self.board.start(givens), is_unique, watch)
        self.conflict = ""

    @property
    def ending(self) -> Ending:
        """How it stands: solved, without solution, or open."""
        return "no solution" if self.conflict else "solved" if self.view.is_solved else "open"

    def __iter__(self) -> Iterator[Step]:
        """Step by step, until nothing is left to do or no technique finds anything."""
        while (found := self.find()) is not None:
            technique, deduction = found
            step = self.step(technique, deduction)
            self.view = self.view.after(deduction)
            yield step

    def first(self, most: int) -> Iterator[Step]:
        """So many steps at most."""
        return islice(self, most)

    def find(self) -> tuple[Technique, Deduction] | None:
        """The easiest next step, which is not made; None if there is none."""
        if self.view.watch is not None:
            self.view.watch(Effort())
        view = self.view
        view.clash = view.clash or view.conflict() or (None if view.open else broken(view))
        if view.open and view.clash is None:
            for technique in self.ladder:
                for deduction in technique.find(view):
                    return technique, deduction
                if view.clash is not None:
                    break
        self.conflict = view.clash.text if view.clash else ""
        return None

    def step(self, technique: Technique, deduction: Deduction) -> Step:
        """A deduction in the words of the model."""
        return step_of(self.board, technique.name, technique.weight, deduction)

    @property
    def open(self) -> int:
        """How many variables are not written down."""
        return len(self.board.own) - self.view.placed.bit_count()

    @property
    def left(self) -> dict[Variable, Domain]:
        """The values left to every variable of the model."""
        domains: dict[Variable, list[Value]] = {variable: [] for variable in self.board.program.model.domains}
        for variable, value in self.board.listed(self.view.live):
            if variable in domains:
                domains[variable].append(value)
        return {variable: tuple(values) for variable, values in domains.items()}

    @property
    def pencil(self) -> frozenset[Variable]:
        """The variables of the model with a single value that is not written down."""
        is_placed = {v for v, _ in self.board.listed(self.view.placed)}
        return frozenset(v for v, own in self.left.items() if len(own) == 1 and v not in is_placed)

    def walked(self, steps: tuple[Step, ...], until: int | None = None) -> Walk:
        """Steps that have been made, with where they have led."""
        ending = self.ending
        if ending == "open" and (until is None or len(steps) < until):
            ending = "stuck"
        return Walk(steps, ending, self.conflict, self.left)


def step_of(board: Board, name: str, weight: int, deduction: Deduction) -> Step:
    """A deduction in the words of the model."""
    placed, removed = board.listed(deduction.placed), board.listed(deduction.removed)
    if deduction.inside:
        sentence = f"{deduction.text}, and {deduction.inside[-1][1].text}: removes {board.removal(deduction.removed)}"
    elif placed:
        sentence = f"{deduction.text}: {', '.join([board.holds(board.bit_of[one]) for one in placed])}"
    elif removed:
        sentence = f"{deduction.text}: removes {board.removal(deduction.removed)}"
    else:
        sentence = deduction.text
    inside = tuple([step_of(board, other, _weight(other), one) for other, one in deduction.inside])
    return Step(
        name,
        weight,
        deduction.text,
        placed,
        removed,
        board.listed(deduction.pattern),
        tuple([board.constraints[number] for number in dict.fromkeys(deduction.constraints)]),
        inside,
        deduction.depth,
        f"{name} · {sentence}",
        *pattern_pictures(board, deduction),
    )


def _weight(name: str) -> int:
    return TECHNIQUES[name].weight if name in TECHNIQUES else 0  # where nothing is left, there is no technique


def explain(
    solver: Solver,
    givens: Mapping[str, Value] | None = None,
    ladder: Collection[Technique] = LADDER,
    until: int | None = None,
    is_unique: bool = False,
    watch: Watch | None = None,
) -> Walk:
    """The way to the solution, the easiest next step each time.

    Parameters
    ----------
    solver : Solver
    givens : mapping from str to int or str, optional
        Values of variables, besides those that the model fixes.
    ladder : collection of Technique
        From the easiest to the hardest; all but those on request if not given.
    until : int, optional
        Stop after so many steps.
    is_unique : bool
        Whether it is proved that there is one solution, in the variables that are not shown, too.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the walk.

    Returns
    -------
    Walk

    Raises
    ------
    ModelError
        If a given names no variable, or a value outside its domain.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> walk = explain(Solver(model))
    >>> print(walk.steps[0].sentence, walk.ending, sep="\\n")
    hidden single · 3 in row fits only C: C = 3
    stuck
    """
    walker = Walker(solver, givens, ladder, is_unique, watch)
    steps = tuple(walker if until is None else walker.first(until))
    return walker.walked(steps, until)
