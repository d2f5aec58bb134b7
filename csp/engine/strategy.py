"""How a model is solved: every setting and every limit, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["arc", "singles", "domain"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Strategy:
    """Settings and limits. Answers do not depend on the settings; effort and traces do.

    Parameters
    ----------
    level : {"singles", "arc", "domain"}
        How much is propagated: naked singles, also hidden singles, or all that one ``all_different`` can tell. Other
        constraints filter at every level.
    nodes : int, optional
        The most states of the search tree to propagate for one question, its root included.
    seconds : float, optional
        The most wall-clock time for one question, from when it is asked.
    run : int
        How many failures the shortest run of the search may have before it starts over.
    rows : int
        The most assignments that are tried to make a table of a constraint.
    steps : int
        The most steps that a table of partial sums may need; beyond, bounds must do.
    tried : int
        The most assignments that are tried to find the values of an expression.
    values : int
        The most values that an expression may have.
    together, sets, left : int
        For sums that follow from groups: how many groups are taken together, how many sets of them are tried, and how
        many variables a sum may leave. With ``left=0`` no such sums are made.
    memory : int
        How many bytes may be kept to be faster, over all of one program.
    stack : int
        How many bytes the snapshots of a branch may take.
    bits : int
        How many bits a state may have.

    Raises
    ------
    ValueError
        If the level is none of the three.

    Examples
    --------
    >>> Strategy(level="arc", seconds=5).nodes is None
    True
    """

    level: Level = "singles"
    nodes: int | None = None
    seconds: float | None = None
    run: int = 128
    rows: int = 6_000
    steps: int = 1_500
    tried: int = 20_000
    values: int = 100_000
    together: int = 3
    sets: int = 5_000
    left: int = 4
    memory: int = 256 << 20
    stack: int = 4 << 30
    bits: int = 1 << 27

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {self.level}")
