"""Find reasons by conflict-driven search, if propagation refutes no candidate even in a few cases.

Every constraint of the model has a selector, a literal that makes it hold; a literal excludes the removed candidates of
a known cell. The search assumes these literals and a candidate. If they contradict each other, it names those that it
has used: the *core* of the contradiction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from ...base.shrinking import shrink_by_deletion
from ...encoding.encoder import Encoder
from ...encoding.formula import TooHeavy, TooManyClauses
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.search.learner import ClingoRules
from ...engine.settings import Settings
from .board import Board, View
from .minimal import MinimalReason, minimal_reasons
from .supposing import suppositions

if TYPE_CHECKING:
    import clingo

MAX_CONFLICTS, MAX_CANDIDATES, MAX_SHRUNK = 300, 40, 12
"""Maximum number of conflicts of a search, of candidates that are refuted in one view, and of cores that are shrunk."""

Core = tuple[list[int], list[int]]
"""The numbers of the constraints of the model, and of the known variables, that refute a candidate."""


class GuardedRules(ClingoRules):
    """Rules of clingo that hold only while all literals of ``guard`` are true.

    Definitions always hold.
    """

    guard: tuple[int, ...] = ()

    def rule(self, head: int | None, body: Sequence[int]) -> None:
        super().rule(head, [*body, *self.guard] if head is None else body)

    def weigh(self, head: int | None, least: int, body: Sequence[tuple[int, int]]) -> None:
        if head is None:
            head = self.atom()
            self.rule(None, [head])
        super().weigh(head, least, body)


class Cores:
    """The cores of a board; learned clauses are kept along a solution path."""

    def __init__(self, board: Board) -> None:
        self._board, self._sources = board, minimal_reasons(board).sources
        self._kept: list[MinimalReason] = []
        self._possible = 0  # candidates of known solutions
        self._excluding: dict[int, int] = {}  # by removed candidates of a variable, the literal that excludes them

    @cached_property
    def _selectors(self) -> dict[int, int]:
        """The selector of each constraint of the model that propagates."""
        numbers = self._sources.all
        return dict(zip(numbers, self._encoder.formula.new_variables(len(numbers)), strict=True))

    @cached_property
    def _encoder(self) -> Encoder:
        """The encoder of the model, without groups.

        So the encoding of a sum uses no other constraint.
        """
        layout = self._board.program.layout
        return Encoder(GuardedRules(), dict(zip(layout.variables, layout.domains, strict=True)), ())

    @cached_property
    def _control(self) -> clingo.Control:
        """The program of clingo, with the rules of all constraints."""
        from clingo import Control

        control, encoder = Control(["--configuration=handy"], logger=lambda code, text: None), self._encoder
        rules = encoder.formula
        assert isinstance(rules, GuardedRules)
        with control.backend() as backend:
            rules.use(backend)
            rules.add(rules.true)  # made here, without a guard
            for variable in encoder.domains:
                encoder.introduce(variable)
            for number, sources in self._sources.of.items():
                rules.guard = tuple([self._selectors[source] for source in sorted(sources)])
                # What cannot be encoded is left out: fewer candidates are refuted.
                with suppress(TooManyClauses, TooHeavy):
                    self._require(number)
            rules.guard = ()
        return control

    def _require(self, number: int) -> None:
        """Write the rules of a constraint under the current guard."""
        if number in self._sources.unary:
            variable, mask = self._sources.unary[number]
            for bit in bits(self._sources.full[variable] & ~mask):
                self._encoder.formula.add(-self._literal(bit + self._board.first[variable]))
        else:
            self._encoder.require(self._board.program.constraints[number])

    def _literal(self, bit: int) -> int:
        """Return the literal of a candidate."""
        variable, value = self._board.program.layout.candidate(bit)
        return self._encoder.terms[variable][value]

    def kept(self, view: View) -> list[MinimalReason]:
        """Return the reasons of earlier views that still remove candidates."""
        live = view.live
        self._kept = [reason for reason in self._kept if reason.removed & live and not reason.absent & live]
        return self._kept

    def find(self, view: View) -> list[MinimalReason]:
        """Refute the candidates of a view; return minimal reasons of those with the smallest cores."""
        control, budget = self._control, Budget(Settings(), Effort(), view.progress)
        control.configuration.solve.solve_limit = str(MAX_CONFLICTS)  # type: ignore[union-attr]
        known = self._known_cells(view)
        cores: list[tuple[int, int, Core]] = []
        for bit in suppositions(self._board).unrefuted(view):
            if len(cores) == MAX_CANDIDATES:
                break
            budget.check()
            if not self._possible >> bit & 1 and (core := self._solve(bit, self._selectors, known, True)) is not None:
                core = self._draw_near(bit, core, known)
                cores.append((len(core[0]) + len(core[1]), bit, core))
        reasons = [self._shrink(view, bit, core, known, budget) for _, bit, core in sorted(cores)[:MAX_SHRUNK]]
        self._kept = sorted(reasons, key=lambda reason: minimal_reasons(self._board).size(view, reason))
        return self._kept

    def _known_cells(self, view: View) -> dict[int, int]:
        """Return for each shown variable that has lost candidates the literal that excludes them."""
        known = {}
        with self._control.backend() as backend:
            rules = self._encoder.formula
            assert isinstance(rules, GuardedRules)
            rules.use(backend)
            for variable, cell in enumerate(view.cells):
                absent = self._board.domain_masks[variable] & ~cell
                if self._sources.is_shown[variable] and absent:
                    if absent not in self._excluding:
                        self._excluding[absent] = literal = rules.new()
                        for bit in bits(absent):
                            rules.add(-literal, -self._literal(bit))
                    known[variable] = self._excluding[absent]
        return known

    def _solve(self, bit: int, sources: Iterable[int], known: Mapping[int, int], is_whole: bool = False) -> Core | None:
        """Return the core of a refuted candidate, or None.

        None: there is an assignment, or the limit of conflicts is reached.
        ``is_whole``: the sources are all constraints, so that the candidates of an assignment cannot fail.
        """
        selectors = {self._selectors[source]: source for source in sources}
        cell_of = {literal: variable for variable, literal in known.items()}
        with self._control.solve(assumptions=[self._literal(bit), *selectors, *cell_of], yield_=True) as handle:
            model = handle.model()
            if is_whole and model is not None:
                shown = bits(self._board.shown)
                self._possible |= sum([1 << each for each in shown if model.is_true(self._literal(each))])
            core = [*handle.core()] if handle.get().unsatisfiable else None
        if core is None:
            return None
        return sorted([selectors[i] for i in core if i in selectors]), sorted(
            [cell_of[i] for i in core if i in cell_of]
        )

    def _draw_near(self, bit: int, core: Core, known: Mapping[int, int]) -> Core:
        """Return the core of a candidate whose farthest constraint is as near as possible."""
        distances = self._sources.distances(self._board.owner[bit])
        low, high = 1, max([distances[number] for number in core[0]], default=1)
        while low < high:
            middle = (low + high) // 2
            nearer = self._solve(bit, [number for number in self._selectors if distances[number] <= middle], known)
            if nearer is None:
                low = middle + 1
            else:
                core, high = nearer, max([distances[number] for number in nearer[0]], default=1)
        return core

    def _shrink(self, view: View, bit: int, core: Core, known: Mapping[int, int], budget: Budget) -> MinimalReason:
        """Drop superfluous constraints, the farthest first, then superfluous cells."""
        domain_masks, distances = self._board.domain_masks, self._sources.distances(self._board.owner[bit])

        def items(core: Core) -> list[tuple[bool, int]]:
            constraints = sorted(core[0], key=lambda number: (distances[number], number))
            return [*[(True, cell) for cell in core[1]], *[(False, number) for number in constraints]]

        def split(chosen: Sequence[tuple[bool, int]]) -> Core:
            return [n for is_cell, n in chosen if not is_cell], [n for is_cell, n in chosen if is_cell]

        def find_enough(chosen: Sequence[tuple[bool, int]]) -> list[tuple[bool, int]] | None:
            budget.check()
            sources, cells = split(chosen)
            smaller = self._solve(bit, sources, {cell: known[cell] for cell in cells})
            return None if smaller is None else items(smaller)

        sources, cells = split(shrink_by_deletion(items(core), find_enough))
        # Other candidates of the cell that fail for the same reason.
        removed = 1 << bit
        for other in bits(view.cells[self._board.owner[bit]] & ~removed):
            if self._solve(other, sources, {cell: known[cell] for cell in cells}) is not None:
                removed |= 1 << other
        absent = sum([domain_masks[cell] & ~view.live for cell in cells])
        return MinimalReason(removed, tuple(sorted(sources)), absent, is_searched=True)


def unsatisfiable_cores(board: Board) -> Cores:
    """Return the board's one shared ``Cores`` object, made on first use."""
    return board.compute_once("cores", Cores)
