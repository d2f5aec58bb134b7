"""A program without the constraints that a conclusion does not need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..engine.effort import Budget, Effort, Watch
from ..engine.engine import Engine
from ..engine.program import Program
from ..model import Domain, Variable

Follows = Callable[[Mapping[Variable, Domain]], bool]


def shrunk(program: Program, follows: Follows, first: bool = False, watch: Watch | None = None) -> Program:
    """The program without constraints of its model, as long as something still follows from propagation.

    Parameters
    ----------
    program : Program
        From which it follows.
    follows : function
        Whether it can be seen in what is left.
    first : bool
        Whether the first constraints are dropped first, and not the last.
    watch : function, optional
        Told of the effort now and then; what it raises ends it.

    Returns
    -------
    Program
        Without any one constraint more it would not follow.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Model, Solver
    >>> rules = [AllDifferent.of("AB"), AllDifferent.of("BC"), Equality(Variable("A"), 1)]
    >>> program = Solver(Model({v: (1, 2) for v in "ABC"}, rules)).program
    >>> sorted(shrunk(program, lambda left: left[Variable("B")] == (2,)).without)
    [1]
    """
    without = set(program.without)

    def still(numbers: Sequence[int]) -> bool:
        smaller = Program(program.model, program.strategy, frozenset(without.union(numbers)))
        engine = Engine(smaller)
        root, budget = engine.root(None), Budget(program.strategy, Effort(), watch)
        fixpoint = engine.fixpoint(root, engine.rest(root, None, budget), budget)
        return fixpoint.holds and follows(fixpoint.domains)

    def drop(numbers: Sequence[int]) -> None:
        if not numbers:
            return
        if still(numbers):
            without.update(numbers)
            return
        if len(numbers) > 1:
            half = len(numbers) // 2
            drop(numbers[half:])
            drop(numbers[:half])

    before = -1
    while before != len(without):  # what is dropped may make more of the rest superfluous
        before = len(without)
        left = [number for number in range(len(program.model.constraints)) if number not in without]
        drop(left[::-1] if first else left)
    return Program(program.model, program.strategy, frozenset(without))
