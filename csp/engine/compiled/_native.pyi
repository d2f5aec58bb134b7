from array import array
from collections.abc import Callable
from typing import Any, TypeVar

from ..effort import Budget
from .kernel import SearchPlan, State, TreeSearch, Turn

T = TypeVar("T")
D = TypeVar("D", bound=dict[str, Any])

class Kernel:
    def __init__(self, guards: State, ones: State, acting: State, *layout: array[int]) -> None: ...
    def sweep(self, state: State, /) -> tuple[int, State, int, int]: ...
    def restrict(self, state: State, bit: int, /) -> State: ...
    def narrowed(self, state: State, candidates: list[int], /) -> State: ...
    def without(self, state: State, candidates: list[int], /) -> State: ...
    def pick(self, state: State, items: list[T], keys: tuple[str, ...], into: D, /) -> D: ...
    def empty(self, state: State, /) -> State: ...
    def fewest(self, state: State, /) -> State: ...
    def search(
        self,
        root: State,
        budget: Budget,
        weights: list[State],
        shuffle: Callable[[list[int]], object] | None,
        hidden: State | None,
        is_new: Callable[[State], bool] | None,
        turn: Turn,
        is_watched: bool,
        nodes: int,
        plan: SearchPlan,
        work: tuple[int, int, int, int],
        /,
    ) -> TreeSearch: ...

def probe() -> bool: ...
