"""The translation of solved snapshots into solutions."""

from __future__ import annotations

from ...model import Value
from ..compiled.kernel import Snapshot
from ..compiled.program import CompiledModel
from .answers import Solution


class Decoder:
    """A function that translates a solved snapshot into a solution."""

    def __init__(self, program: CompiledModel) -> None:
        self._model, self._kernel = program.model, program.kernel
        self._names = tuple(program.model.domains)
        self._values = [value for domain in program.layout.domains for value in (*domain, 0)]
        self._blank: dict[str, Value] = dict.fromkeys(self._names, 0)  # filling a copy is faster than growing a dict

    def __call__(self, snapshot: Snapshot) -> Solution:
        solution = self._kernel.pick(snapshot, self._values, self._names, Solution(self._blank))
        solution.model = self._model
        return solution
