"""The compiled model: layout, exclusions, kernel and propagators of a model.

A reader follows a model through ``CompiledModel.__init__``: rewrite the constraints, lay the candidates out as bits,
choose the kernel, make the propagators. The search then works on snapshots of the candidates; see ``kernel``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...base.errors import ModelError
from ...base.incidence import Incidence
from ...base.notation import quoted
from ...model import Candidate, Constraint, Domain, Model, Objective, Value, Variable
from ...model.algebra import Expression
from ...model.operand import variable_of
from ...model.variable import integer, value_of
from ..memory import Memory
from ..settings import Settings
from .exclusions import Exclusions
from .kernel import SearchPlan, Snapshot, mask
from .layout import Layout
from .native import make_kernel
from .propagators import Context, Propagator
from .propagators.unary import satisfying
from .rewrite import rewrite_model

EXACT_TYPES = {int, str}
"""The types of values that are looked up as they are. A float is not one, because it can equal an integer."""

SHUFFLED_BITS = 6_000
"""The first run of a search shuffles its alternatives if a snapshot has more bits than this.

It keeps their order if the model has an objective, or only all_different constraints over variables (unary ones aside).
Later runs always shuffle.
"""


class Projection(NamedTuple):
    """The candidate bits of shown variables, and the guard bits of sets with hidden variables.

    Attributes
    ----------
    hidden_guards : Snapshot
        The guards of the exactly-one sets with a candidate of a hidden variable.
    shown_bits : Snapshot
        The candidate bits of the shown variables, in their own sets.
    """

    hidden_guards: Snapshot
    shown_bits: Snapshot


class Priority(NamedTuple):
    """One expression of the objective, with the variable that holds its value.

    Attributes
    ----------
    objective : Objective
    variable : int
        The number of the variable.
    definition : int or None
        The number of the constraint that was added only to define the variable; None if the model or another constraint
        has the variable anyway.
    """

    objective: Objective
    variable: int
    definition: int | None


class CompiledModel:
    """A model translated into bits, a kernel and propagators, for propagation and search.

    It solves nothing itself. It caches masks, up to ``Settings.max_cache_bytes``.

    Parameters
    ----------
    model : Model
    settings : Settings
    ignored : collection of int
        The numbers of the constraints to ignore, together with every constraint that follows from them.

    Raises
    ------
    ModelError
        If an expression can have too many values.
    TooLarge
        If a snapshot would have too many bits.

    Attributes
    ----------
    constraints : tuple of Constraint
        The rewritten constraints of the model under their original numbers, then the definitions of new variables and
        the implied constraints.
    origins : tuple of tuples of int
        For every constraint, the constraints of the model that it comes from.
    domains : dict of Variable to tuple
        The variables of the model first, then the variables for expressions.
    layout : Layout
    incidence : Incidence
        The variables of each constraint that is not ignored, and the constraints of each variable.
    exclusions : Exclusions
    kernel : Kernel
    propagators : dict of int to Propagator
        By the number of their constraint, in the order in which they run.
    meter : Meter
        The steps of the propagators in their last call.
    priorities : list of Priority
        The expressions to optimize, the most important first.
    branch : list of tuples (int, range)
        The candidates on which a recorded search (one with an event log) branches first, so that its trace shows them;
        each with the bits of its variable.

    Notes
    -----
    Compiling takes time for each constraint and its scope, and for the candidates of all exactly-one sets. Each mask is
    made on first use and then cached, so a compiled model becomes faster and larger with use.
    """

    def __init__(self, model: Model, settings: Settings, ignored: Collection[int] = ()) -> None:
        self.model = model
        self.settings = settings
        self.ignored = frozenset(ignored)
        self.memory = Memory(settings.max_cache_bytes)
        # Rewrite the constraints; add definitions and implied constraints.
        rewriting = rewrite_model(model, settings, ignored)
        self.constraints: tuple[Constraint, ...] = tuple(rewriting.constraints)
        self.origins: tuple[tuple[int, ...], ...] = tuple(rewriting.origins)
        self.domains: Mapping[Variable, Domain] = rewriting.domains
        active = dict(rewriting.active())
        # Give every candidate its bits.
        self.layout = Layout(self.domains, active, settings.max_bits, self.memory)
        self.incidence = Incidence(
            self.domains, [active[number].scope if number in active else () for number in range(len(self.constraints))]
        )
        self.exclusions = Exclusions(self.layout, self.memory)
        layout, exclusions = self.layout, self.exclusions
        # The level "arc" fixes single values of variables, but not single places in permutations.
        swept_guards = layout.variable_guards if settings.level == "arc" else layout.guards
        # The bit above the values of a variable is the guard of its set.
        first = [layout.value_bits(candidate).stop for candidate in map(self._first_candidate, settings.first)]
        self.kernel = make_kernel(layout, exclusions, swept_guards, first)
        # Make propagators for the constraints that exactly-one sets and exclusions do not cover; cheap ones run first.
        context = Context(self.domains, settings, self.memory, rewriting.groups_within)
        propagators = {
            number: propagator
            for number, constraint in active.items()
            if len(constraint.scope) > 1 and (propagator := context.propagator(constraint))
        }
        self.meter = context.meter
        order = sorted(propagators, key=lambda n: (propagators[n].rank, len(propagators[n].scope), n))
        self.propagators: dict[int, Propagator] = {number: propagators[number] for number in order}
        priorities = model.objective.priorities if model.objective else ()
        self.priorities = [
            Priority(level, self.layout.number[variable], definition)
            for level, (variable, definition) in zip(priorities, rewriting.objective, strict=True)
        ]
        self.branch = [(bit, layout.value_bits(bit)) for bit in self.find_candidates(settings.branch)]

    def kept_constraints(self) -> Iterator[tuple[int, Constraint]]:
        """Yield the constraints that are not ignored, each with its number."""
        return ((n, constraint) for n, constraint in enumerate(self.constraints) if n not in self.ignored)

    def watcher_bits(self, at_root: bool) -> list[int]:
        """Return for each variable, as bits, the propagators that have it in their scope.

        Bit ``i`` is propagator ``i`` in the order of ``propagators``. The list is empty without propagators.
        ``at_root``: also include the propagators that do not run in search.
        """
        running = [
            (i, n) for i, (n, propagator) in enumerate(self.propagators.items()) if at_root or propagator.in_search
        ]
        watcher_bits = [0] * len(self.layout.variables) if running else []
        for index, number in running:
            for variable in self.incidence.scopes[number]:
                watcher_bits[variable] |= 1 << index
        return watcher_bits

    def keeping(self, numbers: Iterable[int]) -> CompiledModel:
        """Return a compiled model with only these constraints of the model and their consequences.

        The constraints keep their numbers.
        """
        return CompiledModel(self.model, self.settings, set(range(len(self.model.constraints))).difference(numbers))

    @cached_property
    def has_only_blocks(self) -> bool:
        """Whether every constraint of several variables is an all_different over equal domains."""
        return self._are_groups(group.number for group in self.layout.groups if group.is_block)

    @cached_property
    def has_other_constraints(self) -> bool:
        """Whether a constraint of several variables is not an all_different over variables."""
        return not self._are_groups(group.number for group in self.layout.groups if group.is_plain)

    def _are_groups(self, numbers: Iterable[int]) -> bool:
        """Return whether all kept constraints of several variables have one of these numbers."""
        group_numbers = {*numbers}
        return all(
            number in group_numbers or len(constraint.scope) < 2 for number, constraint in self.kept_constraints()
        )

    @cached_property
    def plan(self) -> SearchPlan:
        """The limits and the restart parameters for a tree search of the model."""
        is_shuffled = self.has_other_constraints and not self.priorities and self.layout.length > SHUFFLED_BITS
        # The stack holds a snapshot for each decision.
        max_depth = 8 * self.settings.max_stack_bytes // max(1, self.layout.length)
        return SearchPlan(max_depth, self.settings.restart_base, 0 if is_shuffled else 1)

    @cached_property
    def projection(self) -> Projection | None:
        """The bits of the shown variables; None if solutions show all variables."""
        model, layout = self.model, self.layout
        if len(model.shown) == len(model.domains):
            return None
        shown = {layout.number[variable] for variable in model.shown}
        hidden = [number for number in range(len(layout.variables)) if number not in shown]
        bits = mask(layout.first[n] + i for n in shown for i in range(len(layout.domains[n])))
        return Projection(layout.guards_of(hidden), bits)

    @cached_property
    def unary_masks(self) -> list[tuple[int, Snapshot]]:
        """For each unary constraint its number and the mask that removes the violating values."""
        unary = [(n, constraint) for n, constraint in self.kept_constraints() if len(constraint.scope) == 1]
        return [(n, self.layout.without(self.layout.start, self._violating(constraint))) for n, constraint in unary]

    @cached_property
    def root(self) -> Snapshot:
        """The snapshot after the unary constraints, before givens and propagation."""
        unary = [constraint for _, constraint in self.kept_constraints() if len(constraint.scope) == 1]
        removed = [candidate for constraint in unary for candidate in self._violating(constraint)]
        return self.kernel.without(self.layout.start, removed)

    def objective_value(self, snapshot: Snapshot, priority: Priority) -> int:
        """Return the value of one expression of the objective in a solved snapshot."""
        return integer(self.layout.domain(snapshot, priority.variable)[0])

    def objective_mask(self, value: int, priority: Priority, better: bool) -> Snapshot:
        """Return the mask that keeps only the values better than ``value``, or only ``value`` itself."""
        sign, number = priority.objective.sign, priority.variable
        first, domain = self.layout.first[number], self.layout.domains[number]
        allowed = [i for i, v in enumerate(domain) if (sign * integer(v) < sign * value if better else v == value)]
        return self.layout.only(number, [first + i for i in allowed])

    def _violating(self, constraint: Constraint) -> list[int]:
        """Return the candidates that violate a unary constraint."""
        (variable,) = constraint.scope
        number = self.layout.number[variable]
        domain = self.layout.domains[number]
        allowed, first = satisfying(constraint, variable, domain), self.layout.first[number]
        return [first + i for i in range(len(domain)) if not allowed >> i & 1]

    def find_candidates(self, pairs: Iterable[tuple[str | Expression, Value]]) -> list[int]:
        """Return the candidate number of each pair of a variable and a value.

        A variable may be a name, or an expression that is only a variable.

        Raises
        ------
        ModelError
            If the model has no such variable, or its domain no such value.
        """
        by_name: Mapping[Any, tuple[int, Mapping[Value, int]]] = self._by_name
        items = pairs if isinstance(pairs, Collection) else [*pairs]
        # Look plain values up directly. On an error, repeat one by one to find the pair to report.
        try:
            if EXACT_TYPES.issuperset([type(value) for _, value in items]):
                return [(entry := by_name[name])[0] + entry[1][value] for name, value in items]
        except (KeyError, TypeError, ValueError):
            pass
        return [self._find_candidate(variable_of(name), value_of(value)) for name, value in items]

    def _first_candidate(self, name: str) -> int:
        """Return the candidate of the first value of the variable with this name."""
        if (variable := variable_of(name)) not in self._by_name:
            raise ModelError(f"unknown variable: {variable}")
        return self._by_name[variable][0]

    def _find_candidate(self, name: str, value: Value) -> int:
        first, index = self._by_name.get(name, (0, {}))
        if value not in index:
            raise ModelError(self._bad_given(name, value))
        return first + index[value]

    @cached_property
    def _by_name(self) -> dict[str, tuple[int, Mapping[Value, int]]]:
        """For every variable of the model its first candidate and the positions of its values."""
        layout = self.layout
        return {name: (layout.first[number], layout.index(number)) for number, name in enumerate(self.model.domains)}

    def _bad_given(self, name: str, value: Value) -> str:
        """Return the error message for a given with an unknown variable or value."""
        if name not in self.model.domains:
            return f"unknown variable: {name}"
        domain = self.model.domains[Variable.of(name)]
        return f"{name} is given {quoted(value)}, which is not one of {', '.join(map(str, domain))}"

    def parts(self, snapshot: Snapshot) -> list[Snapshot]:
        """Return a snapshot for each independent part of the model that has unfixed sets.

        Each snapshot has the guards of its own part only, so the search leaves the other parts alone. The snapshot
        itself is the only part if it is solved or the model has one part.
        """
        guards = self.layout.guards
        if not snapshot & guards:
            return [snapshot]
        parts = self._part_guards
        # Clear the guards of all other parts.
        return [snapshot] if len(parts) == 1 else [snapshot & ~(guards ^ part) for part in parts if snapshot & part]

    @cached_property
    def _part_guards(self) -> list[Snapshot]:
        """The guard bits of the exactly-one sets in each independent part of the model.

        If the masks would exceed the cache, the whole model is one part.
        """
        parts = self.incidence.parts()
        is_too_large = len(parts) * self.layout.length > 8 * self.settings.max_cache_bytes
        is_whole = len(parts) == 1 or is_too_large
        return [self.layout.guards] if is_whole else [self.layout.guards_of(part) for part in parts]

    def candidates(self, snapshot: Snapshot) -> tuple[Candidate, ...]:
        """Return the remaining candidates of a snapshot as pairs of variable and value."""
        return tuple([self.layout.candidate(bit) for bit in self.layout.live(snapshot)])
