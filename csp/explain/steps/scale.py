"""Rate a puzzle by the published value of its hardest step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...base.frozen import Frozen
from ...engine.effort import Progress
from ...engine.solver.solver import Solver
from .board import Deduction
from .techniques import TECHNIQUES, Technique, als, chains
from .walk import Walker

LENGTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
"""A chain is worth 0.1 more for each of these lengths that it exceeds."""


class Grade(Frozen):
    """A technique on the scale.

    Attributes
    ----------
    technique : Technique
    value : float
        The published value; of a chain, the value of the shortest chains.
    length : function, optional
        Returns the length of a chain.
    """

    technique: Technique
    value: float
    length: Callable[[Deduction], int] | None = None

    def of(self, deduction: Deduction) -> float:
        """Return the value of a step."""
        length = self.length(deduction) if self.length else 0
        return round(self.value + sum([0.1 for limit in LENGTHS if length > limit]), 1)


def _count_nodes(deduction: Deduction) -> int:
    return len(deduction.nodes)


def _count_nodes_of_loop(deduction: Deduction) -> int:
    return len(deduction.nodes) - 2


def _count_nodes_of_chains(deduction: Deduction) -> int:
    return len(deduction.links) + deduction.sets[0].mask.bit_count() - 2


FIXED_VALUES = {
    "full house": 1.0, "hidden single": 1.5, "naked single": 2.3, "pointing": 2.6, "claiming": 2.8, "naked pair": 3.0,
    "X-wing": 3.2, "hidden pair": 3.4, "naked triple": 3.6, "swordfish": 3.8, "skyscraper": 4.0, "hidden triple": 4.0,
    "two-string kite": 4.1, "XY-wing": 4.2, "turbot fish": 4.2, "empty rectangle": 4.3, "XYZ-wing": 4.4,
    "uniqueness test 1": 4.5, "uniqueness test 2": 4.5, "uniqueness test 4": 4.5, "uniqueness test 3": 4.6,
    "naked quadruple": 5.0, "jellyfish": 5.2, "hidden quadruple": 5.4,
}  # fmt: skip
"""The values of techniques without chains in Sukaku Explainer, which extends Sudoku Explainer by N. Juillerat.

A hidden single in a box has 1.2 there, and a uniqueness test may have more.
"""

CHAINS = (
    Grade(Technique("continuous nice loop", 280, chains.xy_loop), 6.5, _count_nodes_of_loop),
    Grade(Technique("continuous nice loop", 280, chains.x_loop), 6.5, _count_nodes_of_loop),
    Grade(TECHNIQUES["X-chain"], 6.6, _count_nodes),
    Grade(TECHNIQUES["continuous nice loop"], 7.0, _count_nodes_of_loop),
    Grade(TECHNIQUES["alternating inference chain"], 7.0, _count_nodes),
    Grade(TECHNIQUES["discontinuous nice loop"], 7.0, _count_nodes),
)
"""The chains and loops of single candidates. Of these, the step with the lowest value is made, whatever its kind."""

SCALE = (
    *[Grade(TECHNIQUES[name], value) for name, value in FIXED_VALUES.items()],
    Grade(Technique("X-chain", 260, partial(chains.x_chain_of_three, extras=0)), 5.4),
    Grade(Technique("X-chain", 260, partial(chains.x_chain_of_three, extras=1)), 5.5),
    Grade(Technique("X-chain", 260, partial(chains.x_chain_of_three, extras=2)), 5.6),
    Grade(Technique("grouped X-chain", 260, chains.grouped_x_chain), 5.7),
    Grade(Technique("ALS-XZ", 300, partial(als.als_wing, size=4, largest=(2, 4))), 5.5),
    Grade(Technique("ALS-XZ", 300, partial(als.als_wing, size=4, largest=(3,))), 5.6),
    Grade(TECHNIQUES["bivalue universal grave"], 5.6),
    Grade(Technique("ALS-XZ", 300, partial(als.als_wing, size=5, largest=(5,))), 6.2),
    Grade(Technique("ALS-XZ", 300, partial(als.als_wing, size=5, largest=(2, 4))), 6.3),
    Grade(Technique("ALS-XZ", 300, partial(als.als_wing, size=5, largest=(3,))), 6.4),
    *CHAINS,
    Grade(TECHNIQUES["nishio"], 7.5, _count_nodes),
    Grade(TECHNIQUES["forcing chains"], 8.0, _count_nodes_of_chains),
    Grade(TECHNIQUES["forcing net"], 8.5, _count_nodes),
    Grade(TECHNIQUES["contradiction"], 9.0, _count_nodes),
)
"""The techniques of the scale, in the order of Sukaku Explainer's search."""


def published_value(solver: Solver, is_unique: bool, progress: Progress | None = None) -> tuple[float, str] | None:
    """Return the published value of the hardest step, and its technique.

    The solution path uses the techniques of ``SCALE``, in their order. Returns None if the puzzle has other constraints
    than ``all_different``, if the techniques do not solve it, or if the path has no step. ``is_unique``: whether
    it is proved that the puzzle has one solution.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (2, 3), "C": (1, 2), "D": (2, 4)}, [AllDifferent.of("ABCD")])
    >>> published_value(Solver(model), is_unique=False) is None
    True
    """
    if solver.program.propagators:
        return None
    walker = Walker(solver, ladder=[grade.technique for grade in SCALE], is_unique=is_unique, progress=progress)
    grade_of = {id(grade.technique): grade for grade in SCALE}
    values: list[tuple[float, str]] = []
    while (easiest := walker.find()) is not None:
        grade, deduction = grade_of[id(easiest[0])], easiest[1]
        if grade in CHAINS:
            # Take the chain with the lowest value; each technique finds its shortest chain first.
            firsts = [(each, next(walker.deductions(each.technique), None)) for each in CHAINS]
            shortest = [(each, step) for each, step in firsts if step is not None]
            grade, deduction = min(shortest, key=lambda pair: pair[0].of(pair[1]))
        values.append((grade.of(deduction), grade.technique.name))
        walker.view = walker.view.after(deduction)
    return max(values) if values and walker.ending == "solved" else None
