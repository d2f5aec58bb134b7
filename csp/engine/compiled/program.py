"""A model compiled: candidates, lines, exclusions and filters, all under numbers that never change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...base.errors import ModelError
from ...base.notation import quoted
from ...model import Candidate, Constraint, Domain, Model, Objective, Value, Variable
from ...model.algebra import Expression
from ...model.operand import variable_of
from ...model.variable import integer, value_of
from ..memory import Memory
from ..settings import Settings
from .context import PropagatorContext
from .exclusions import Exclusions
from .kernel import SearchPlan, Snapshot, mask
from .layout import Layout
from .native import kernel
from .parts import independent
from .propagators import Propagator
from .propagators.unary import satisfying
from .rewrite import rewritten

KINDS = {int, str}
"""The types of values that are looked up as they are; a float would be found, too, where it equals an integer."""

WIDTH = 6_000
"""Bits of a state from which the first run shuffles alternatives, too, unless the model has plain groups alone."""


class Projection(NamedTuple):
    """What an answer shows of a state: the guards of the lines that are not of shown variables alone, and the bits."""

    guards: Snapshot
    shown: Snapshot


class Aim(NamedTuple):
    """A level of the objective, its variable's number, and that of the constraint that says so, if any."""

    objective: Objective
    variable: int
    definition: int | None


class CompiledModel:
    """A compiled model. It keeps what it makes, within the bounds of its memory, and answers no question itself.

    Parameters
    ----------
    model : Model
    settings : Settings
    without : collection of int
        The numbers of constraints to leave out, with all that follows from them.

    Raises
    ------
    ModelError
        If an expression can have too many values.
    TooLarge
        If a state would have too many bits.

    Attributes
    ----------
    constraints : tuple of Constraint
        Those of the model under their own numbers, in the form in which they are solved, and then what defines
        variables for expressions and what follows from several constraints.
    origins : tuple of tuples of int
        For every constraint, those of the model that it comes from.
    domains : dict of Variable to tuple
        The variables of the model first, then those that stand for expressions.
    layout : Layout
    exclusions : Exclusions
    kernel : Kernel
    filters : dict of int to Filter
        By the number of their constraint, in the order in which they take their turns.
    aims : list of Aim
        What makes a solution better than another.

    Notes
    -----
    Compiling is O(candidates of all lines); every mask is made when it is first needed and then kept, so that a
    program grows faster with use.
    """

    def __init__(self, model: Model, settings: Settings, without: Collection[int] = ()) -> None:
        self.model = model
        self.settings = settings
        self.without = frozenset(without)
        self.memory = Memory(settings.max_cache_bytes)
        self.counted: dict[Snapshot, int] = self.memory.cache()
        rewriting = rewritten(model, settings, without)
        self.constraints: tuple[Constraint, ...] = tuple(rewriting.constraints)
        self.origins: tuple[tuple[int, ...], ...] = tuple(rewriting.origins)
        self.domains: Mapping[Variable, Domain] = rewriting.domains
        active = dict(rewriting.active())
        self.layout = Layout(self.domains, active, settings.max_bits, self.memory)
        self.exclusions = Exclusions(self.layout, self.memory)
        layout, exclusions = self.layout, self.exclusions
        acting = layout.variable_guards if settings.level == "arc" else layout.guards
        self.kernel = kernel(layout, exclusions, acting)
        context = PropagatorContext(self.domains, settings, self.memory, rewriting)
        made = {
            number: propagator
            for number, constraint in active.items()
            if len(constraint.scope) > 1 and (propagator := context.propagator(constraint))
        }
        order = sorted(made, key=lambda number: (made[number].rank, len(made[number].scope), number))
        self.propagators: dict[int, Propagator] = {number: made[number] for number in order}
        levels = model.objective.priorities if model.objective else ()
        self.aims = [
            Aim(level, self.layout.number[variable], definition)
            for level, (variable, definition) in zip(levels, rewriting.objective, strict=True)
        ]
        self.kernel.first = [layout.line_of(candidate).stop for candidate in map(self._first_of, settings.first)]
        self.branch = [(bit, layout.line_of(bit)) for bit in self.given(settings.branch)]
        self.scopes = {number: tuple([layout.number[v] for v in made[number].scope]) for number in order}

    def active(self) -> Iterator[tuple[int, Constraint]]:
        """The constraints that are not left out, with their numbers."""
        return ((n, constraint) for n, constraint in enumerate(self.constraints) if n not in self.without)

    def relaxed(self, numbers: Iterable[int]) -> CompiledModel:
        """The program without all but some of the constraints of its model, under the numbers that they have."""
        return CompiledModel(self.model, self.settings, set(range(len(self.model.constraints))).difference(numbers))

    @cached_property
    def has_only_groups(self) -> bool:
        """Whether blocks say all that constraints say of more than one variable."""
        return self._are_groups(group.number for group in self.layout.groups if group.is_block)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether there is more to say of several variables than that some are different."""
        return not self._are_groups(group.number for group in self.layout.groups if group.is_plain)

    def _are_groups(self, numbers: Iterable[int]) -> bool:
        """Whether these are all constraints of more than one variable."""
        known = {*numbers}
        return all(number in known or len(constraint.scope) < 2 for number, constraint in self.active())

    @cached_property
    def plan(self) -> SearchPlan:
        """How the tree is searched."""
        is_shuffled = self.is_mixed and not self.aims and self.layout.length > WIDTH
        deepest = 8 * self.settings.max_stack_bytes // max(1, self.layout.length)
        return SearchPlan(deepest, self.settings.restart_base, 0 if is_shuffled else 1)

    @cached_property
    def projection(self) -> Projection | None:
        """None where every variable of the model is shown."""
        model, layout = self.model, self.layout
        if len(model.shown) == len(model.domains):
            return None
        shown = {layout.number[variable] for variable in model.shown}
        hidden = [number for number in range(len(layout.variables)) if number not in shown]
        bits = mask(layout.first[n] + i for n in shown for i in range(len(layout.domains[n])))
        return Projection(layout.guards_of(hidden), bits)

    @cached_property
    def narrowing(self) -> list[tuple[int, Snapshot]]:
        """The constraints on one variable, and what they leave."""
        alone = [(n, constraint) for n, constraint in self.active() if len(constraint.scope) == 1]
        return [(n, self.layout.without(self.layout.start, self._violating(constraint))) for n, constraint in alone]

    @cached_property
    def root(self) -> Snapshot:
        """The state that the constraints on one variable leave."""
        alone = [constraint for _, constraint in self.active() if len(constraint.scope) == 1]
        gone = [candidate for constraint in alone for candidate in self._violating(constraint)]
        return self.kernel.without(self.layout.start, gone)

    def worth(self, state: Snapshot, aim: Aim) -> int:
        """How good a solved state is."""
        return integer(self.layout.domain(state, aim.variable)[0])

    def aimed(self, value: int, aim: Aim, better: bool) -> Snapshot:
        """What stays where a level of the objective must be better than a value, or that value."""
        sign, number = aim.objective.sign, aim.variable
        first, domain = self.layout.first[number], self.layout.domains[number]
        wanted = [i for i, v in enumerate(domain) if (sign * integer(v) < sign * value if better else v == value)]
        return self.layout.only(number, [first + i for i in wanted])

    def _violating(self, constraint: Constraint) -> list[int]:
        """The candidates that a constraint on one variable leaves out."""
        (variable,) = constraint.scope
        number = self.layout.number[variable]
        domain = self.layout.domains[number]
        kept, first = satisfying(constraint, variable, domain), self.layout.first[number]
        return [first + i for i in range(len(domain)) if not kept >> i & 1]

    def given(self, givens: Iterable[tuple[str | Expression, Value]]) -> list[int]:
        """The candidates of givens, whose variables are named or are expressions that are nothing else.

        Raises
        ------
        ModelError
            If there is no such variable in the model, or no such value in its domain.
        """
        named: Mapping[Any, tuple[int, Mapping[Value, int]]] = self._named
        every = givens if isinstance(givens, Collection) else [*givens]
        try:
            if KINDS.issuperset([type(value) for _, value in every]):
                return [(own := named[name])[0] + own[1][value] for name, value in every]
        except (KeyError, TypeError, ValueError):
            pass
        return [self._given(variable_of(name), value_of(value)) for name, value in every]

    def _first_of(self, name: str) -> int:
        """The first candidate of a variable of the model."""
        if (variable := variable_of(name)) not in self._named:
            raise ModelError(f"there is no variable {variable} to be first")
        return self._named[variable][0]

    def _given(self, name: str, value: Value) -> int:
        first, index = self._named.get(name, (0, {}))
        if value not in index:
            raise ModelError(self._bad_given(name, value))
        return first + index[value]

    @cached_property
    def _named(self) -> dict[str, tuple[int, Mapping[Value, int]]]:
        """For every variable of the model its first candidate, and for every value which it is."""
        layout = self.layout
        return {name: (layout.first[number], layout.index(number)) for number, name in enumerate(self.model.domains)}

    def _bad_given(self, name: str, value: Value) -> str:
        if name not in self.model.domains:
            return f"there is no variable {name} to be given {quoted(value)}"
        domain = self.model.domains[Variable.of(name)]
        return f"{name} is given {quoted(value)}, which is not one of {', '.join(map(str, domain))}"

    def parts(self, state: Snapshot) -> list[Snapshot]:
        """The state once for every independent part of the model, with the lines of the other parts at rest."""
        guards = self.layout.guards
        if not state & guards:
            return [state]
        parts = self._part_guards
        return [state] if len(parts) == 1 else [state & ~(guards ^ own) for own in parts if state & own]

    @cached_property
    def _part_guards(self) -> list[Snapshot]:
        """The guards of every independent part; all of them as one where there are too many to keep."""
        parts = independent(self._scopes(), len(self.layout.variables))
        large = len(parts) * self.layout.length > 8 * self.settings.max_cache_bytes
        whole = len(parts) == 1 or large
        return [self.layout.guards] if whole else [self.layout.guards_of(part) for part in parts]

    def _scopes(self) -> list[tuple[int, ...]]:
        number = self.layout.number
        return [tuple([number[variable] for variable in constraint.scope]) for _, constraint in self.active()]

    def candidates(self, state: Snapshot) -> tuple[Candidate, ...]:
        """The candidates that are set in a state, variable by variable."""
        return tuple([self.layout.candidate(bit) for bit in self.layout.live(state)])
