from collections.abc import Callable
from array import array

from ..effort import Budget
from .kernel import State, Tree

class Kernel:
    def __init__(self, guards: State, ones: State, acting: State, *layout: array[int]) -> None: ...
    def sweep(self, state: State, /) -> tuple[int, State, int, int]: ...
    def restrict(self, state: State, bit: int, /) -> State: ...
    def empty(self, state: State, /) -> State: ...
    def fewest(self, state: State, /) -> State: ...
    def search(
        self,
        root: State,
        budget: Budget,
        weights: list[State],
        shuffle: Callable[[list[int]], object] | None,
        hidden: State | None,
        is_new: Callable[[State], bool],
        is_watched: bool,
        nodes: int,
        patience: int,
        wide: int,
        deepest: int,
        run: int,
        in_order: int,
        /,
    ) -> Tree: ...

def probe() -> bool: ...
