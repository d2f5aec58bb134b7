"""What every constraint promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol

from ..model import Candidate, Domain, Quote, Value, Variable
from .affine import Affine

Domains = Mapping[Variable, Domain]
Reason = tuple[tuple[Candidate, ...], tuple[Candidate, ...]]
"""Some candidates, one of which holds for each of their variables; and those that cannot hold for that."""


class Context(Protocol):
    """What a constraint is told of its model when it is prepared for solving."""

    def variable(self, expression: Affine) -> Affine:
        """A variable that stands for an expression."""

    def groups(self, scope: Sequence[Variable]) -> tuple[tuple[Variable, ...], ...]:
        """Sets of at least two variables of the scope that other constraints keep different."""


@dataclass(frozen=True)
class Constraint(ABC):
    """A relation on a few variables: its meaning, and how it narrows domains.

    ``check`` is the meaning. All else must follow from it. Compiled into wide integers, once: a *block*, or else
    ``lines`` and ``exclusions``. Called when a variable of the scope has changed: ``filter``, where ``filters``
    says that it has more to add.

    Parameters
    ----------
    label : str
        A name for people; empty when nobody gave one.
    line : int
        The line of the spec it came from, 0 when there is none. It takes no part in comparisons.
    """

    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)

    @property
    @abstractmethod
    def scope(self) -> tuple[Variable, ...]:
        """The variables that the constraint is about, each once."""

    @abstractmethod
    def check(self, values: Mapping[str, Value]) -> bool:
        """Tell whether the constraint holds when every variable of its scope has a value."""

    @abstractmethod
    def text(self, quote: Quote = str) -> str:
        """The constraint in the language, without label and full stop; ``quote`` writes its values."""

    def __str__(self) -> str:
        return self.text()

    def decided(self, domains: Domains) -> bool | None:
        """Whether the constraint holds for certain (True), cannot hold (False), or may do either (None)."""
        if any(len(domains[variable]) > 1 for variable in self.scope):
            return None
        return self.check({variable: domains[variable][0] for variable in self.scope})

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        """Sets of variables that the constraint keeps different."""
        yield from ()

    def total(self, domains: Domains) -> tuple[tuple[Variable, ...], int] | None:
        """Variables whose sum the constraint tells, and the sum."""
        return None

    def prepared(self, context: Context) -> Constraint:
        """The constraint in the form in which it filters best beside the others of its model."""
        return self

    def is_block(self, domains: Domains) -> bool:
        """Whether the meaning is just that variables of equal domains all differ."""
        return False

    def lines(self, domains: Domains) -> Iterator[tuple[Value, list[Candidate]]]:
        """Value and candidates, for each set of candidates of which exactly one holds."""
        yield from ()

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        """Sets of candidates of which at most one holds."""
        yield from ()

    def filters(self, domains: Domains) -> bool:
        """Whether ``filter`` can remove more than ``lines`` and ``exclusions`` do."""
        return True

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        """The values to keep, for each variable of the scope: a subset that loses no solution.

        Parameters
        ----------
        domains : sequence of tuples
            The present values of each variable of the scope, in its order; none is empty.
        """
        return domains

    @property
    def strong(self) -> bool:
        """Whether ``filter`` costs so much that it is left to the level ``domain``."""
        return False

    def reasons(self, domains: Sequence[Domain], removed: Sequence[Candidate]) -> Iterator[Reason]:
        """Why ``filter`` takes candidates away from domains: what causes which, in an order in which each follows.

        Parameters
        ----------
        domains : sequence of tuples
            As ``filter`` got them.
        removed : sequence of Candidate
            All that it took away.
        """
        yield (), tuple(removed)

    @property
    def name(self) -> str:
        """The label, or the constraint itself."""
        return self.label or str(self)

    @property
    def place(self) -> str:
        """The name and the spec line, as captions print them."""
        return f"{self.name} (line {self.line})" if self.line else self.name
