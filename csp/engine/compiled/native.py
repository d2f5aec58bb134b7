"""The kernel in C, and the choice between it and the kernel in Python.

The kernel in C is only available if a C compiler was found when the package was built. ``_native.c`` has the operations
of ``wide.py`` and a tree search of its own. This file passes it the layout.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from ...base.errors import CspError
from ..effort import WORDS_PER_WORK, WORK_PER_NODE, Budget, Effort
from ..events import EventLog
from .exclusions import Exclusions
from .kernel import (
    PAUSED,
    Contradiction,
    Kernel,
    Ordering,
    SearchPlan,
    Snapshot,
    Stable,
    TreeSearch,
    Turn,
)
from .layout import Column, Layout
from .wide import SWEEP, WideKernel

try:
    from . import _native
except ImportError:
    _native = None  # type: ignore[assignment]

MAX_NATIVE_BITS = 1 << 30
"""Snapshots of this many bits use the Python kernel, because the C kernel numbers bits with 30 bits."""

UNLIMITED = (1 << 63) - 1
"""The node limit for the C kernel if ``Settings.nodes`` is None."""

NONE = (1 << 32) - 1
"""Marks, in ``KernelTables.rows``, the set of a variable, whose bits are the candidates themselves."""

NAMES = ("native", "python")

DIRECT = ("fix", "assign", "without", "pick", "empty", "fewest")
"""The methods that callers call in C directly, without a Python function in between."""


def kernel_in_use() -> str:
    """Return the name of the kernel in use, "native" or "python".

    It is "native" if the kernel in C is available. For tests, the environment variable ``CSP_KERNEL`` chooses one of
    the two.

    Raises
    ------
    CspError
        If ``CSP_KERNEL`` names a kernel that is not available.

    Examples
    --------
    >>> kernel_in_use() in ("native", "python")
    True
    """
    available = NAMES if IS_AVAILABLE else NAMES[1:]
    name = os.environ.get("CSP_KERNEL") or available[0]
    if name not in available:
        raise CspError(f"CSP_KERNEL is {name}; here it can be {' or '.join(available)}")
    return name


IS_AVAILABLE = _native is not None
"""Whether the kernel in C is built."""


def make_kernel(layout: Layout, exclusions: Exclusions, active: Snapshot, first: Sequence[int] = ()) -> Kernel:
    """Make the kernel in use, in C or in Python, for a layout.

    ``active``: the guards of the sets whose singles a sweep fixes; ``first``: see ``Kernel``.
    """
    is_native = kernel_in_use() == NAMES[0] and layout.length < MAX_NATIVE_BITS
    return (NativeKernel if is_native else WideKernel)(layout, exclusions, active, first)


class KernelTables(NamedTuple):
    """The layout as the C kernel reads it, in snapshots and arrays of 32-bit integers.

    Attributes
    ----------
    guards, ones, active : Snapshot
        See ``Layout`` and ``make_kernel``.
    begin : array of int
        The lowest bit of every exactly-one set, and the end of the last one.
    rows, firsts : array of int
        For each set, a pair (position in ``firsts``, number to add): candidate i of the set is
        ``firsts[position + i]`` plus the number. The set of a variable has the position ``NONE``.
    places_from, places : array of int
        For each variable, where its pairs (start, stride) begin in ``places``; see ``Layout.places``.
    extra_of, extra : array of int
        The candidate and the position of each bit that follows no such rule.
    members_from, members, classes : array of int
        The candidates of each *class*, of which at most one holds; the class of each of these members.
    """

    guards: Snapshot
    ones: Snapshot
    active: Snapshot
    begin: array[int]
    rows: array[int]
    firsts: array[int]
    places_from: array[int]
    places: array[int]
    extra_of: array[int]
    extra: array[int]
    members_from: array[int]
    members: array[int]
    classes: array[int]


def make_tables(layout: Layout, active: Snapshot) -> KernelTables:
    """Return the tables of a layout for the C kernel."""
    begin = array("I", layout.begin.values())
    begin.append(layout.length)
    # The sets of one block share their firsts, because its candidates are equally far apart.
    rows, firsts = array("I"), array("I")
    shared_positions: dict[int, int] = {}
    for exactly_one in layout.exactly_one_at.values():
        candidates = exactly_one.candidates
        if exactly_one.first < layout.variable_bits:
            rows.extend((NONE, 0))
        elif isinstance(candidates, Column):
            if id(candidates.firsts) not in shared_positions:
                shared_positions[id(candidates.firsts)] = len(firsts)
                firsts.extend(candidates.firsts)
            rows.extend((shared_positions[id(candidates.firsts)], candidates.value))
        else:
            rows.extend((len(firsts), 0))
            firsts.extend(candidates)
    # For each variable, where its bits begin and how far apart they are; then the other bits, one by one.
    places_from, places = array("I", [0]), array("I")
    for pairs in layout.places:
        places.extend(chain.from_iterable(pairs))
        places_from.append(len(places))
    extra_bits = [(candidate, bit) for candidate, bits in layout.extra_bits.items() for bit in bits]
    extra_of, extra = array("I", [candidate for candidate, _ in extra_bits]), array("I", [bit for _, bit in extra_bits])
    # The classes: the candidates of one value in a group that is not a permutation.
    members_from, members, classes = array("I", [0]), array("I"), array("I")
    for group in layout.groups:
        if not group.is_permutation:
            candidates_by_value, sizes = group.classes()
            members.extend(candidates_by_value)
            for size in sizes:
                classes.extend(array("I", [len(members_from) - 1]) * size)
                members_from.append(members_from[-1] + size)
    arrays = begin, rows, firsts, places_from, places, extra_of, extra, members_from, members, classes
    return KernelTables(layout.guards, layout.ones, active, *arrays)


class NativeKernel(WideKernel):
    """A kernel that sweeps and searches in C.

    A sweep with an event log runs in Python, with the same result.
    """

    def __init__(self, layout: Layout, exclusions: Exclusions, active: Snapshot, first: Sequence[int]) -> None:
        super().__init__(layout, exclusions, active, first)
        self._inside = _native.Kernel(*make_tables(layout, active))
        for name in DIRECT:
            setattr(self, name, getattr(self._inside, name))

    def sweep(self, snapshot: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        if log is not None:
            return super().sweep(snapshot, effort, log)
        swept = self._inside.sweep(snapshot)
        sweeps, fixes = swept.sweeps, swept.fixes
        effort.sweeps += sweeps
        effort.fixes += fixes
        effort.words += (SWEEP * sweeps + fixes) * self.words
        return Stable(swept.result) if swept.is_stable else Contradiction(swept.result)

    def tree(
        self,
        root: Snapshot,
        budget: Budget,
        plan: SearchPlan,
        order: Ordering,
        turn: Turn,
        hidden: Snapshot | None,
        is_new: Callable[[Snapshot], bool] | None,
    ) -> TreeSearch | None:
        shuffle = order.random.shuffle if order.random else None
        nodes, is_limited = budget.settings.nodes, not budget.is_endless
        limits = is_limited, UNLIMITED if nodes is None else nodes, plan
        units = self.words, SWEEP, WORDS_PER_WORK, WORK_PER_NODE
        options = order.weights, shuffle, hidden, is_new, turn, PAUSED, *limits, units
        return self._inside.search(root, budget, *options)
