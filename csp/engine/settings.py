"""The settings of a solver: all options and limits that a user can choose.

Constants that only matter inside one algorithm are defined in the file of that algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from numbers import Real
from operator import index
from typing import Any, Literal, get_args

from ..base.frozen import Frozen
from ..model import Candidate, Variable
from ..model.givens import candidates_of
from ..model.operand import variable_of
from ..model.variable import check_iterable

Level = Literal["arc", "singles", "bounds", "domain"]
LEVELS: tuple[Level, ...] = get_args(Level)

Way = Literal["auto", "tree", "learn"]
WAYS: tuple[Way, ...] = get_args(Way)

MIN_LIMITS = {
    "patience": 0, "threads": 1, "nodes": 0, "restart_base": 1, "max_rows": 1, "max_steps": 0, "max_assignments": 0,
    "max_values": 1, "max_groups": 0, "max_group_sets": 0, "max_remaining": 0, "max_cache_bytes": 0,
    "max_stack_bytes": 0, "max_bits": 1,
}  # fmt: skip
"""The minimum of each limit; a table has at least one row, as a constraint on fixed variables has to be checked."""

MAX_LIMITS = {"threads": 64, "restart_base": 2**32 - 1, "patience": 2**32 - 1}
"""The maximum of limits that clingo or the numbers of the kernel restrict; for others it is ``MAX_LIMIT``."""

MAX_LIMIT = 2**60
"""The maximum of a limit that nothing else restricts."""


class Settings(Frozen):
    """The settings and limits of a solver. Limits may cut a search short; an answer is always right.

    Parameters
    ----------
    level : {"singles", "arc", "bounds", "domain"}
        Consistency level of ``all_different``. ``arc`` finds naked singles; ``singles`` also hidden singles; ``bounds``
        also all that follows from the minimum and maximum values of one constraint; ``domain`` all that follows from
        one constraint. Propagators of other constraints run at every level.
    search : {"auto", "tree", "learn"}
        Search after propagation: ``tree`` is depth-first search; ``learn`` is conflict-driven search by clingo;
        ``auto`` is the tree, and both in turns once ``patience`` is used up.
    patience : int
        Work of the tree before the learner gets its first turn, in percent of the estimated work of setting up the
        learner.
    threads : int
        Number of threads of the learner. With several, the order of the answers may differ from run to run.
    first : tuple of str
        Variables that sweeps fix before others, in this order, while a trace is recorded.
    branch : tuple of (str, int or str)
        Candidates that the search tries before all others while a trace is recorded, if they are not removed.
    nodes : int, optional
        Maximum number of nodes that one query propagates, the root included, and of conflicts of the learner. The
        query stops with the answers found so far.
    seconds : float, optional
        Maximum wall-clock time of one query, in seconds from its start. The query stops with the answers found so far.
    seed : int, optional
        Seed for a random order of branching and values; the same seed gives the same order. The first solution is
        then random, but not all solutions are equally likely.
    restart_base : int
        Maximum number of failures of the shortest run of the tree search; then it restarts.
    max_rows : int
        Maximum number of assignments to try for a table of a constraint. Above that, the constraint gets no table.
    max_steps : int
        Maximum number of steps of a table of partial sums. Above that, sums propagate bounds only.
    max_assignments : int
        Maximum number of assignments to try for the values of an expression. Above that, its values are a range.
    max_values : int
        Maximum number of values of an expression. Above that, the model raises ``ModelError``.
    max_groups, max_group_sets, max_remaining : int
        Limits of implied sums over regions: maximum number of regions to combine, of combinations to try, and of
        variables that a sum may have. ``max_remaining=0`` switches implied sums off.
    max_cache_bytes : int
        Maximum size of the caches of one compiled model, in bytes. Above that, the caches are emptied.
    max_stack_bytes : int
        Maximum size of the snapshots on one path of the search tree, in bytes. Deeper searches stop.
    max_bits : int
        Maximum number of bits of a snapshot. Larger models raise ``TooLarge``.

    Raises
    ------
    ValueError
        If the level or the search is unknown, or a limit is not an integer, too small or too large.
    ModelError
        If ``first`` is not a list of variables, or ``branch`` not a list of candidates.

    Examples
    --------
    >>> Settings(level="arc", seconds=5).nodes is None
    True
    """

    level: Level = "singles"
    search: Way = "auto"
    patience: int = 50
    threads: int = 1
    first: tuple[Variable, ...] = ()
    branch: tuple[Candidate, ...] = ()
    nodes: int | None = None
    seconds: float | None = None
    seed: int | None = None
    restart_base: int = 128
    max_rows: int = 6_000
    max_steps: int = 1_500
    max_assignments: int = 20_000
    max_values: int = 100_000
    max_groups: int = 2
    max_group_sets: int = 5_000
    max_remaining: int = 4
    max_cache_bytes: int = 256 << 20
    max_stack_bytes: int = 4 << 30
    max_bits: int = 1 << 27

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {self.level}")
        if self.search not in WAYS:
            raise ValueError(f"search is one of {', '.join(WAYS)}, not {self.search}")
        for name, minimum in MIN_LIMITS.items():
            if (number := getattr(self, name)) is not None or name != "nodes":
                object.__setattr__(self, name, check_limit(name, number, minimum))
        if self.seed is not None:
            object.__setattr__(self, "seed", integer_setting("seed", self.seed))
        seconds = self.seconds
        is_number = isinstance(seconds, Real) and not isinstance(seconds, bool)
        if seconds is not None and not (is_number and float(seconds) >= 0):
            raise ValueError(f"seconds is a number that is at least 0, not {seconds!r}")
        object.__setattr__(
            self, "first", tuple([variable_of(name) for name in check_iterable(self.first, "variables")])
        )
        object.__setattr__(self, "branch", candidates_of(self.branch))


def check_settings(settings: Settings | None) -> Settings | None:
    """Return the settings that a caller passed; raise an error if they are not ``Settings``.

    Raises
    ------
    TypeError
        If the argument is neither ``Settings`` nor None.
    """
    if not (settings is None or isinstance(settings, Settings)):
        raise TypeError(f"{settings!r} is not a csp.Settings, such as csp.Settings(seconds=5)")
    return settings


def check_limit(name: str, value: object, minimum: int) -> int:
    """Return a limit as an integer, checked against its minimum and its maximum.

    Raises
    ------
    ValueError
        If the value is not an integer, or outside these bounds.

    Examples
    --------
    >>> check_limit("nodes", 5, 1)
    5
    """
    number = integer_setting(name, value)
    maximum = MAX_LIMITS.get(name, MAX_LIMIT)
    if not minimum <= number <= maximum:
        bound = f"at least {minimum}" if number < minimum else f"at most {maximum:,}"
        raise ValueError(f"{name} is {bound}, not {number:,}")
    return number


def integer_setting(name: str, value: object) -> int:
    """Return a setting as an integer; accept integers of numpy, and reject truth values."""
    try:
        if not isinstance(value, bool):
            return index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise ValueError(f"{name} is an integer, not {value!r}")


def combine_settings(settings: Settings | None, options: Mapping[str, Any]) -> Settings:
    """Return settings with some options replaced; ``timeout`` is another name for ``seconds``.

    Raises
    ------
    TypeError
        If there is no setting of such a name.

    Examples
    --------
    >>> combine_settings(None, {"timeout": 5, "level": "arc"}) == Settings(seconds=5, level="arc")
    True
    """
    values = {"seconds" if name == "timeout" else name: value for name, value in options.items()}
    names = [field.name for field in fields(Settings)]
    for name in values:
        if name not in names:
            raise TypeError(f"unknown setting: {name}; the settings are timeout (seconds), {', '.join(names)}")
    return replace(check_settings(settings) or Settings(), **values)
