"""How a model is solved: every setting and limit that a user may want.

Constants that are measured and have no meaning outside of their algorithm stand where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from numbers import Real
from operator import index
from typing import Any, Literal, get_args

from ..base.frozen import Frozen
from ..model import Candidate, Variable
from ..model.operand import candidates_of, variable_of
from ..model.variable import check_iterable

Level = Literal["arc", "singles", "bounds", "domain"]
LEVELS: tuple[Level, ...] = get_args(Level)

Way = Literal["auto", "tree", "learn"]
WAYS: tuple[Way, ...] = get_args(Way)

LEAST = {
    "patience": 0, "threads": 1, "nodes": 0, "restart_base": 1, "max_rows": 1, "max_steps": 0, "max_assignments": 0,
    "max_values": 1, "max_groups": 0, "max_group_sets": 0, "max_remaining": 0, "max_cache_bytes": 0,
    "max_stack_bytes": 0, "max_bits": 1,
}  # fmt: skip
"""The least that each limit may be; one row, since what is settled is one and has to be looked at."""

MOST = {"threads": 64, "restart_base": 2**32 - 1, "patience": 2**32 - 1}
"""The most that a limit may be, by clingo and by the numbers of the kernel; others go up to ``GREATEST``."""

GREATEST = 2**60


class Settings(Frozen):
    """Settings and limits. Answers do not depend on the settings; effort and traces do.

    Parameters
    ----------
    level : {"singles", "arc", "bounds", "domain"}
        How much is propagated: naked singles (``arc``), also hidden singles, also what the least and greatest values of
        one ``all_different`` tell, or all that it can tell (``domain``). Other constraints filter at every level.
    search : {"auto", "tree", "learn"}
        How what propagation leaves is searched: by a tree; by clingo, which learns from conflicts; or by the tree and,
        when its patience is over, by both in turns.
    patience : int
        How much work the tree may do before the other search gets its first turn: so many hundredths of what setting
        that up will take, by an estimate.
    threads : int
        How many threads the search that learns may use. With several, the order of the answers may differ from run
        to run.
    first : tuple of str
        Variables that are fixed before others that wait with them, where a trace is recorded; the first comes first.
    branch : tuple of (str, int or str)
        Candidates that the search of such a trace tries before all others, where they are open.
    nodes : int, optional
        The most states of the search tree to propagate for one question, its root included; and the most
        conflicts of the search that learns.
    seconds : float, optional
        The most wall-clock time for one question, from when it is asked.
    seed : int, optional
        Try lines and values in a random order, the same for the same seed; which solution comes first is then a draw,
        not one in which all are equally likely.
    restart_base : int
        How many failures the shortest run of the search may have before it starts over.
    max_rows : int
        The most assignments that are tried to make a table of a constraint.
    max_steps : int
        The most steps that a table of partial sums may need; beyond, bounds must do.
    max_assignments : int
        The most assignments that are tried to find the values of an expression.
    max_values : int
        The most values that an expression may have.
    max_groups, max_group_sets, max_remaining : int
        For sums that follow from groups: how many groups are taken together, how many sets of them are tried, and how
        many variables a sum may leave. With ``max_remaining=0`` no such sums are made.
    max_cache_bytes : int
        How many bytes may be kept to be faster, over all of one program.
    max_stack_bytes : int
        How many bytes the snapshots of a branch may take.
    max_bits : int
        How many bits a state may have.

    Raises
    ------
    ValueError
        If the level or the search is none of these, or a limit is no integer, too small or too great.
    ModelError
        If ``first`` or ``branch`` is not a list of variables or of candidates.

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
        for name, least in LEAST.items():
            if (number := getattr(self, name)) is not None or name != "nodes":
                object.__setattr__(self, name, check_limit(name, number, least))
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
    """What is passed for a strategy.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not (settings is None or isinstance(settings, Settings)):
        raise TypeError(f"{settings!r} is no csp.Settings, such as csp.Settings(seconds=5)")
    return settings


def check_limit(name: str, value: object, least: int) -> int:
    """A limit by its name, as an integer between the least and the greatest that there is.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> check_limit("nodes", 5, 1)
    5
    """
    number = integer_setting(name, value)
    greatest = MOST.get(name, GREATEST)
    if not least <= number <= greatest:
        bound = f"at least {least}" if number < least else f"at most {greatest:,}"
        raise ValueError(f"{name} is {bound}, not {number:,}")
    return number


def integer_setting(name: str, value: object) -> int:
    """Return the integer that is passed for a setting, which may be one of numpy, but not a truth value."""
    try:
        if not isinstance(value, bool):
            return index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise ValueError(f"{name} is an integer, not {value!r}")


def combine_settings(settings: Settings | None, options: Mapping[str, Any]) -> Settings:
    """A strategy with other settings by their names; ``timeout`` is what others call ``seconds``.

    Examples
    --------
    >>> combine_settings(None, {"timeout": 5, "level": "arc"}) == Settings(seconds=5, level="arc")
    True
    """
    values = {"seconds" if name == "timeout" else name: value for name, value in options.items()}
    names = [field.name for field in fields(Settings)]
    for name in values:
        if name not in names:
            raise TypeError(f"there is no setting {name}, only timeout, which is seconds, and {', '.join(names)}")
    return replace(check_settings(settings) or Settings(), **values)
