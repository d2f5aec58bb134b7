"""All expressions of a list take different values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..model import Candidate, ModelError, Value, Variable
from .affine import Affine
from .base import Constraint, Domains


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """All expressions of a list take different values.

    Each element has exactly one variable, so that a value of the element is a candidate. Where there are as many
    elements as values, the group is *tight*: every value has exactly one place, and the group gives one line per
    value (the dual viewpoint of a permutation). Where there are fewer values than elements the constraint cannot
    hold, which the engine sees as a line without candidates.

    Strength: with ``singles``, naked and hidden singles; with ``arc``, naked singles only.

    Parameters
    ----------
    elements : tuple of Affine

    References
    ----------
    .. [1] W. J. van Hoeve, "The alldifferent constraint: a survey", 2001.
    .. [2] B. M. W. Cheng et al., "Increasing constraint propagation by redundant modeling", Constraints 4, 1999.

    Examples
    --------
    >>> print(AllDifferent.of(["A", "B", "C"], label="row 1"))
    all_different([A, B, C])
    """

    elements: tuple[Affine, ...]

    def __post_init__(self) -> None:
        for number, element in enumerate(self.elements):
            if not isinstance(element, Affine):
                raise ModelError(f"{element!r} is no expression; AllDifferent.of takes names")
            if len(element.terms) != 1:
                raise ModelError(f"{element} in all_different has not exactly one variable")
            if element in self.elements[:number]:
                raise ModelError(f"{element} stands twice in all_different")

    @classmethod
    def of(cls, names: Iterable[str], *, label: str = "", line: int = 0) -> AllDifferent:
        """All different over plain variables."""
        return cls(tuple(map(Affine.variable, names)), label=label, line=line)

    @property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(variable for e in self.elements for _, variable in e.terms))

    def check(self, values: Mapping[str, Value]) -> bool:
        return len({element.value(values) for element in self.elements}) == len(self.elements)

    def is_block(self, domains: Domains) -> bool:
        variables = self.scope
        domain = domains[variables[0]] if variables else ()
        return (
            len(variables) == len(self.elements) <= len(domain)
            and all(element.is_variable for element in self.elements)
            and all(domains[variable] == domain for variable in variables)
        )

    def places(self, domains: Domains) -> dict[Value, list[Candidate]]:
        """For every value of the group, the candidates that give it."""
        places: dict[Value, list[Candidate]] = {}
        for element in self.elements:
            variable = element.terms[0][1]
            for value in domains[variable]:
                places.setdefault(element.image(value), []).append((variable, value))
        return places

    def lines(self, domains: Domains) -> Iterator[tuple[Value, list[Candidate]]]:
        places = self.places(domains)
        if len(places) < len(self.elements):
            yield "a value for each", []
        elif len(places) == len(self.elements):
            yield from places.items()

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        yield from self.places(domains).values()

    def filters(self, domains: Domains) -> bool:
        return False

    def __str__(self) -> str:
        return f"all_different([{', '.join(map(str, self.elements))}])"
