from array import array
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..effort import Budget
from .kernel import Paused, SearchPlan, Snapshot, SolvedSnapshot, TreeSearch, Turn

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])

class SweepResult(NamedTuple):
    is_stable: bool
    result: Snapshot
    sweeps: int
    fixes: int

class Kernel:
    def __init__(self, guards: Snapshot, ones: Snapshot, active: Snapshot, *layout: array[int]) -> None: ...
    def sweep(self, snapshot: Snapshot, /) -> SweepResult: ...
    def restrict(self, snapshot: Snapshot, bit: int, /) -> Snapshot: ...
    def narrowed(self, snapshot: Snapshot, candidates: list[int], /) -> Snapshot: ...
    def without(self, snapshot: Snapshot, candidates: list[int], /) -> Snapshot: ...
    def pick(self, snapshot: Snapshot, items: list[T], keys: tuple[str, ...], into: D, /) -> D: ...
    def empty(self, snapshot: Snapshot, /) -> Snapshot: ...
    def fewest(self, snapshot: Snapshot, /) -> Snapshot: ...
    def search(
        self,
        root: Snapshot,
        budget: Budget,
        weights: list[Snapshot],
        shuffle: Callable[[list[int]], object] | None,
        hidden: Snapshot | None,
        is_new: Callable[[Snapshot], bool] | None,
        turn: Turn,
        solved: type[SolvedSnapshot],
        paused: Paused,
        is_limited: bool,
        max_nodes: int,
        plan: SearchPlan,
        units: tuple[int, int, int, int],
        /,
    ) -> TreeSearch: ...

def probe() -> bool: ...
