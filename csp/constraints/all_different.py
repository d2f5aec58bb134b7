"""All expressions of a list take different values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..model import Candidate, Domain, ModelError, Quote, Value, Variable
from .affine import Affine
from .base import Constraint, Context, Domains, Reason
from .matching import Tight, tight_sets


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """All expressions of a list take different values.

    For solving, ``prepared`` puts a variable in the place of every element that is not linear in one variable, so
    that a value of an element is a candidate. Where there are as many
    elements as values, the group is *tight*: every value has exactly one place, and the group gives one line per
    value (the dual viewpoint of a permutation). Where there are fewer values than elements the constraint cannot
    hold, which the engine sees as a line without candidates.

    Strength: with ``domain``, domain-consistent if no variable stands in two elements; with ``singles``, naked and
    hidden singles; with ``arc``, naked singles only.

    Parameters
    ----------
    elements : tuple of Affine

    References
    ----------
    .. [1] W. J. van Hoeve, "The alldifferent constraint: a survey", 2001.
    .. [2] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    .. [3] B. M. W. Cheng et al., "Increasing constraint propagation by redundant modeling", Constraints 4, 1999.

    Examples
    --------
    >>> print(AllDifferent.of(["A", "B", "C"], label="row 1"))
    all_different([A, B, C])
    >>> [sorted(kept) for kept in AllDifferent.of("ABC").filter([(1, 2), (1, 2), (1, 2, 3)])]
    [[1, 2], [1, 2], [3]]
    """

    elements: tuple[Affine, ...]

    def __post_init__(self) -> None:
        seen = set()
        for element in self.elements:
            if not isinstance(element, Affine):
                raise ModelError(f"{element!r} is no expression; AllDifferent.of takes names")
            if not element.variables:
                raise ModelError(f"{element} in all_different has no variable")
            if element in seen:
                raise ModelError(f"{element} stands twice in all_different")
            seen.add(element)

    @classmethod
    def of(cls, names: Iterable[str], *, label: str = "", line: int = 0) -> AllDifferent:
        """All different over plain variables."""
        return cls(tuple(map(Affine.variable, names)), label=label, line=line)

    @cached_property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(variable for element in self.elements for variable in element.variables))

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return len({element.value(values) for element in self.elements}) == len(self.elements)
        except ZeroDivisionError:
            return False

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        plain = tuple(v for element in self.elements if element.is_variable for v in element.variables)
        if len(plain) > 1:
            yield plain

    def total(self, domains: Domains) -> tuple[tuple[Variable, ...], int] | None:
        if not all(element.is_variable for element in self.elements):
            return None
        values = {value for variable in self.scope for value in domains[variable]}
        numbers = [value for value in values if isinstance(value, int)]
        return (self.scope, sum(numbers)) if len(numbers) == len(values) == len(self.elements) else None

    def prepared(self, context: Context) -> AllDifferent:
        if self._is_ready:
            return self
        if self._is_ready:
            return self
        ready = [element if element.is_unary else context.variable(element) for element in self.elements]
        return replace(self, elements=tuple(ready))

    def is_block(self, domains: Domains) -> bool:
        variables = self.scope
        domain = domains[variables[0]] if variables else ()
        return (
            len(variables) == len(self.elements) <= len(domain)
            and all(element.is_variable for element in self.elements)
            and all(domains[variable] == domain for variable in variables)
        )

    @cached_property
    def _is_ready(self) -> bool:
        return all(element.is_unary for element in self.elements)

    def places(self, domains: Domains) -> dict[Value, list[Candidate]]:
        """For every value of the group, the candidates that give it."""
        places: dict[Value, dict[Candidate, None]] = {}
        for variable, element in zip(self._variables, self.elements, strict=True):
            for value in domains[variable]:
                places.setdefault(element.image(value), {})[variable, value] = None
        return {value: list(candidates) for value, candidates in places.items()}

    def lines(self, domains: Domains) -> Iterator[tuple[Value, list[Candidate]]]:
        if not self._is_ready:
            return
        places = self.places(domains)
        if len(places) < len(self.elements):
            yield "", []
        elif len(places) == len(self.elements):
            yield from places.items()

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        if self._is_ready:
            yield from self.places(domains).values()

    @property
    def strong(self) -> bool:
        return not self._twice

    def filters(self, domains: Domains) -> bool:
        return self._is_ready and (len(self.elements) > 2 or bool(self._twice))

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if not self._is_ready:
            return domains
        left = self._without_clashes(domains)
        set_of: dict[int, int] = {}
        user_of: dict[Value, int] = {}
        for number, (members, values) in enumerate(tight_sets(self._images(left))):
            if len(members) > len(values):
                short = {self._variables[i] for i in members}
                return [() if variable in short else own for variable, own in left.items()]
            set_of.update(dict.fromkeys(members, number))
            user_of.update(dict.fromkeys(values, number))
        for i, (variable, element) in enumerate(zip(self._variables, self.elements, strict=True)):
            mine = set_of.get(i)
            left[variable] = [value for value in left[variable] if user_of.get(element.image(value)) == mine]
        return list(left.values())

    def reasons(self, domains: Sequence[Domain], removed: Sequence[Candidate]) -> Iterator[Reason]:
        """The tight sets, each after those that take values away from its own members."""
        left = self._without_clashes(domains)
        rest = list(removed)
        waiting: list[Tight | None] = [None, *sorted(tight_sets(self._images(left)))]  # None: values that clash alone
        while rest:
            images = [set(own) for own in self._images(left)]
            tight = next(t for t in waiting if t is None or all(images[i] <= t[1] for i in t[0]))
            waiting.remove(tight)
            causes = dict.fromkeys(self._variables[i] for i in tight[0]) if tight else ()
            if gone := tuple(candidate for candidate in rest if self._excludes(tight, candidate)):
                yield tuple((variable, value) for variable in causes for value in left[variable]), gone
            rest = [candidate for candidate in rest if candidate not in gone]
            left = {v: [value for value in own if (v, value) not in gone] for v, own in left.items()}

    def _excludes(self, tight: Tight | None, candidate: Candidate) -> bool:
        """Whether a tight set leaves no room for a candidate, or, without one, whether it clashes with itself."""
        variable, value = candidate
        if tight is None:
            return variable in self._twice and not self._fits(variable, value)
        members, values = tight
        short = len(members) > len(values)
        return any(
            own == variable and element.image(value) in values and (short or i not in members)
            for i, (own, element) in enumerate(zip(self._variables, self.elements, strict=True))
        )

    @cached_property
    def _variables(self) -> tuple[Variable, ...]:
        """The variable of each element."""
        return tuple(element.variables[0] for element in self.elements)

    @cached_property
    def _twice(self) -> frozenset[Variable]:
        """The variables that stand in more than one element."""
        return frozenset(variable for variable, times in Counter(self._variables).items() if times > 1)

    def _images(self, left: Mapping[Variable, Sequence[Value]]) -> list[Sequence[Value]]:
        """The values of each element."""
        return [
            left[variable] if element.is_variable else [element.image(value) for value in left[variable]]
            for variable, element in zip(self._variables, self.elements, strict=True)
        ]

    def _without_clashes(self, domains: Sequence[Domain]) -> dict[Variable, Sequence[Value]]:
        """The domains, without the values for which two elements of the same variable are equal."""
        left: dict[Variable, Sequence[Value]] = dict(zip(self.scope, domains, strict=True))
        for variable in self._twice:
            left[variable] = [value for value in left[variable] if self._fits(variable, value)]
        return left

    def _fits(self, variable: Variable, value: Value) -> bool:
        images = [e.image(value) for e, own in zip(self.elements, self._variables, strict=True) if own == variable]
        return len(set(images)) == len(images)

    def text(self, quote: Quote = str) -> str:
        return f"all_different([{', '.join([element.text(quote) for element in self.elements])}])"
