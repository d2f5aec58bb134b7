"""The kernel in machine code, where there is a compiler; ``_native.c`` is ``wide.py`` and the search once more."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from itertools import chain

from ...base.errors import CspError
from ..effort import WORDS_PER_WORK, WORK_PER_NODE, Budget, Effort
from ..events import EventLog
from .exclusions import Exclusions
from .group import Column
from .kernel import Contradiction, Kernel, Ordering, SearchPlan, Snapshot, Stable, TreeSearch, Turn
from .layout import Layout
from .wide import SWEEP, WideKernel

try:
    from . import _native
except ImportError:
    _native = None  # type: ignore[assignment]

LONGEST = 1 << 30
"""States of this many bits are left to Python: the native kernel numbers bits with 32 bits, of which it needs two."""

WITHOUT = (1 << 63) - 1
"""What a limit is that there is none."""

NONE = (1 << 32) - 1
"""Where a line says that it is a variable's, so that its bits are its candidates."""

NAMES = ("native", "python")

DIRECT = ("restrict", "narrowed", "without", "pick", "empty", "fewest")
"""What is asked of the machine code without a function between."""


def kernel_in_use() -> str:
    """Which kernel is in use, "native" or "python": the one in machine code where there is one.

    The environment variable ``CSP_KERNEL`` chooses one of the two, for tests.

    Raises
    ------
    CspError
        If it chooses one that is not there.

    Examples
    --------
    >>> kernel_in_use() in ("native", "python")
    True
    """
    there = NAMES if IS_THERE else NAMES[1:]
    wanted = os.environ.get("CSP_KERNEL") or there[0]
    if wanted not in there:
        raise CspError(f"CSP_KERNEL is {wanted}; here it can be {' or '.join(there)}")
    return wanted


IS_THERE: bool = _native is not None and Snapshot.__module__ == "gmpy2" and _native.probe()
"""Whether there is a kernel in machine code, and gmpy2's integers are as it takes them to be."""


def kernel(layout: Layout, exclusions: Exclusions, acting: Snapshot) -> Kernel:
    """The kernel for the states of a layout; acting are the guards of the lines that are acted upon."""
    is_native = kernel_in_use() == NAMES[0] and layout.length < LONGEST
    kind = NativeKernel if is_native else WideKernel
    made = kind(
        layout.guards,
        layout.ones,
        acting,
        layout.begin,
        exclusions.keep,
        exclusions.fixing,
        layout.narrowed,
        layout.without,
    )
    if isinstance(made, NativeKernel):
        made.lay_out(layout)
    return made


class NativeKernel(WideKernel):
    """Sweeps and searches in machine code; whoever keeps a trail has Python's kernel sweep, with the same end."""

    def lay_out(self, layout: Layout) -> None:
        """Tell where the bits of every candidate are, and which share a class, at most one of which holds."""
        begin = array("I", layout.begin.values())
        begin.append(layout.length)
        rows, firsts = array("I"), array("I")
        shared: dict[int, int] = {}
        for line in layout.line_at.values():
            same = line.candidates
            if line.first < layout.variable_bits:
                rows.extend((NONE, 0))
            elif isinstance(same, Column):
                if id(same.firsts) not in shared:
                    shared[id(same.firsts)] = len(firsts)
                    firsts.extend(same.firsts)
                rows.extend((shared[id(same.firsts)], same.value))
            else:
                rows.extend((len(firsts), 0))
                firsts.extend(same)
        places_from, places = array("I", [0]), array("I")
        for own in layout.places:
            places.extend(chain.from_iterable(own))
            places_from.append(len(places))
        spelt = [(candidate, bit) for candidate, bits in layout.spelt.items() for bit in bits]
        members_from, members, classes = array("I", [0]), array("I"), array("I")
        for group in layout.groups:
            if not group.is_tight:
                every, sizes = group.classes()
                members.extend(every)
                for size in sizes:
                    classes.extend(array("I", [len(members_from) - 1]) * size)
                    members_from.append(members_from[-1] + size)
        self._inside = inside = _native.Kernel(
            self.guards,
            self.ones,
            self.acting,
            begin,
            rows,
            firsts,
            places_from,
            places,
            array("I", [candidate for candidate, _ in spelt]),
            array("I", [bit for _, bit in spelt]),
            members_from,
            members,
            classes,
        )

        for name in DIRECT:
            setattr(self, name, getattr(inside, name))

    def sweep(self, state: Snapshot, effort: Effort, log: EventLog | None) -> Stable | Contradiction:
        if log is not None:
            return super().sweep(state, effort, log)
        holds, after, sweeps, fixes = self._inside.sweep(state)
        effort.sweeps += sweeps
        effort.fixes += fixes
        effort.words += (SWEEP * sweeps + fixes) * self.words
        return Stable(after) if holds else Contradiction(after)

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
        nodes, watched = budget.settings.nodes, not budget.is_endless
        most, units = WITHOUT if nodes is None else nodes, (self.words, SWEEP, WORDS_PER_WORK, WORK_PER_NODE)
        asked = order.weights, shuffle, hidden, is_new, turn, watched, most, plan, units
        return self._inside.search(root, budget, *asked)
