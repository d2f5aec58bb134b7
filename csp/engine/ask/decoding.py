"""Solved states to solutions."""

from __future__ import annotations

from functools import cached_property

from ...model import Value
from ..compiled.kernel import State, ones
from ..compiled.program import Program
from .answers import Solution


class Code:
    """What the bits of a solved state mean.

    Attributes
    ----------
    model : Model
    kernel : Kernel
    names : tuple of Variable
        The variables of the model.
    values : list of values
        Of every bit of a variable; its guard has none.
    candidates : State
        The bits of the variables of the model.
    blank : dict of str to int
        All variables, without their values: its copy is filled in sooner than a dict grows.
    """

    def __init__(self, program: Program) -> None:
        layout = program.layout
        self.model = program.model
        self.kernel = program.kernel
        self.names = tuple(program.model.domains)
        self.values = [value for domain in layout.domains for value in (*domain, 0)]
        self.candidates = ones(sum([len(layout.domains[number]) + 1 for number in range(len(self.names))]))
        self.blank: dict[str, Value] = dict.fromkeys(self.names, 0)
        self._layout = layout

    @cached_property
    def owners(self) -> list[str]:
        """The variable of every bit."""
        domains = zip(self._layout.variables, self._layout.domains, strict=True)
        return [variable for variable, domain in domains for _ in (*domain, 0)]


class Decoder:
    """The solutions of states that are solved one after the other, of which each is much like the one before.

    A solution is a copy of what the last one was, with the variables that have other values: on the way down a tree
    these are few.
    """

    def __init__(self, code: Code) -> None:
        self._code = code
        self._before: State | None = None
        self._values: dict[str, Value] | None = None

    def __call__(self, state: State) -> Solution:
        code, values, before = self._code, self._values, self._before
        if values is None or before is None:  # whoever asks for one solution gets it without a copy
            solution = code.kernel.pick(state, code.values, code.names, Solution(code.blank))
            if before is not None:
                self._values = solution.copy()
        else:
            new = state & ~before & code.candidates
            bit = new.bit_scan1()
            while bit is not None:
                values[code.owners[bit]] = code.values[bit]
                bit = new.bit_scan1(bit + 1)
            solution = Solution(values)
        self._before = state
        solution.model = code.model
        return solution
