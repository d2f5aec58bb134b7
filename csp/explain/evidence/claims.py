"""Claims that a variable has a value or not, and their explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from ...base.frozen import Frozen
from ...base.notation import quoted
from ...model import Candidate, Constraint, Domain, Value, Variable
from ...model.operand import variable_of
from ...trace import Trace


class Claim(Frozen):
    """The claim that a variable has, or does not have, a value."""

    variable: Variable
    value: Value
    holds: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", variable_of(self.variable))

    def __str__(self) -> str:
        return f"{self.variable} {'=' if self.holds else '!='} {quoted(self.value)}"

    def follows(self, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether the claim is true for all values in the domains."""
        domain = domains[self.variable]
        return domain == (self.value,) if self.holds else self.value not in domain


class Reason(Frozen):
    """A step of an explanation: a value that holds, or values that are removed.

    Attributes
    ----------
    text : str
        The sentence for the reader.
    constraint : Constraint or None
        The constraint that removes the values. None for a value that holds because several constraints removed the
        others.
    premises : tuple of int
        The reasons that this one follows from, as indices of ``Why.reasons``.
    candidates : tuple of Candidate
        The value that holds, or the removed values.
    holds : bool
        True for a value that holds, False for removed values.
    """

    text: str
    constraint: Constraint | None
    premises: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    holds: bool


class Why(Frozen):
    """The explanation of a claim, or a counterexample to it.

    Attributes
    ----------
    claim : Claim
    kind : {"reasons", "search", "open", "no solution"}
        "reasons": propagation proves the claim; "search": only a search proves it; "open": some solution contradicts
        the claim; "no solution": the puzzle has no solution, so that every claim follows.
    reasons : tuple of Reason
        The reason of the claim comes first.
    trace : Trace or None
        For "search": the search that refutes the opposite of the claim.
    example : mapping from Variable to value, or None
        For "open": the solution that contradicts the claim.
    """

    claim: Claim
    kind: Literal["reasons", "search", "open", "no solution"]
    reasons: tuple[Reason, ...] = ()
    trace: Trace | None = None
    example: Mapping[Variable, Value] | None = None

    def lines(self) -> Iterator[str]:
        """Yield the explanation as indented lines of text, each reason once."""
        match self.kind:
            case "reasons":
                yield from self._reason_lines()
            case "search":
                yield f"{self.claim}: only search shows it"
                yield f"suppose {replace(self.claim, holds=not self.claim.holds)}"
                yield from self._refutation_lines()
            case "open":
                assert self.example is not None
                counterexample = f"{self.claim.variable} = {quoted(self.example[self.claim.variable])}"
                yield f"{self.claim} does not follow: there is a solution with {counterexample}"
            case "no solution":
                yield f"{self.claim}: the puzzle has no solution, so everything follows"

    def _reason_lines(self) -> Iterator[str]:
        # Depth first; a reason that was numbered before becomes a reference.
        numbers: dict[int, int] = {}
        todo = [(0, 0)]
        while todo:
            index, depth = todo.pop()
            reason, lead = self.reasons[index], "  " * depth
            if index in numbers:
                yield f"{lead}see {numbers[index]}: {reason.text}"
                continue
            numbers[index] = len(numbers) + 1
            yield f"{lead}{numbers[index]}. {reason.text}"
            todo += [(premise, depth + 1) for premise in reversed(reason.premises)]

    def _refutation_lines(self) -> Iterator[str]:
        for depth, branch, outcome in self.branches():
            line = f"{branch}: {outcome}" if branch else outcome
            yield "  " * (depth + 1) + line

    def branches(self) -> Iterator[tuple[int, str, str]]:
        """Yield the depth, decision and outcome of each node of the search that refutes the opposite."""
        # Imported late, because propagation alone proves most claims.
        from ...trace import Failure, caption, search_tree

        assert self.trace is not None
        depths: list[int] = []
        for node in search_tree(self.trace).nodes:
            depths.append(0 if node.parent is None else depths[node.parent] + 1)
            # A failed node says why it failed; any other node has a plain outcome.
            records = reversed(self.trace.records[node.first : node.last + 1])
            failure = next((record for record in records if isinstance(record, Failure)), None)
            outcome = caption(failure) if failure and node.kind == "failure" else node.outcome
            yield depths[-1], node.edge, outcome.removeprefix("failure · ")
