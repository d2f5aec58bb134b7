"""Solved states to solutions."""

from __future__ import annotations

from ...model import Value
from ..compiled.kernel import Snapshot
from ..compiled.program import CompiledModel
from .answers import Solution


class Decoder:
    """What the bits of a solved state mean."""

    def __init__(self, program: CompiledModel) -> None:
        self._model, self._kernel = program.model, program.kernel
        self._names = tuple(program.model.domains)
        self._values = [value for domain in program.layout.domains for value in (*domain, 0)]
        self._blank: dict[str, Value] = dict.fromkeys(self._names, 0)  # its copy is filled in sooner than a dict grows

    def __call__(self, state: Snapshot) -> Solution:
        solution = self._kernel.pick(state, self._values, self._names, Solution(self._blank))
        solution.model = self._model
        return solution
