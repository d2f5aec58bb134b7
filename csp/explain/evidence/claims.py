"""What is claimed of a variable, and why it holds, as data and as a tree of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from ...ground.frozen import Frozen
from ...ground.notation import quoted
from ...model import Candidate, Constraint, Domain, Value, Variable
from ...model.operand import variable_of
from ...story import Trace


class Claim(Frozen):
    """That a variable has a value, or that it has not."""

    variable: Variable
    value: Value
    holds: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", variable_of(self.variable))

    def __str__(self) -> str:
        return f"{self.variable} {'=' if self.holds else '!='} {quoted(self.value)}"

    def follows(self, domains: Mapping[Variable, Domain]) -> bool:
        """Whether it can be seen in what is left."""
        left = domains[self.variable]
        return left == (self.value,) if self.holds else self.value not in left


class Reason(Frozen):
    """Why something holds.

    Attributes
    ----------
    text : str
        A value, which holds as all others of its variable are gone; or what a constraint removes, and why.
    constraint : Constraint or None
        None for a value that is what several have left.
    premises : tuple of int
        What it follows from, as indices of ``Why.reasons``.
    candidates : tuple of Candidate
        The value that holds, or those that are removed.
    holds : bool
    """

    text: str
    constraint: Constraint | None
    premises: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    holds: bool


class Why(Frozen):
    """Why a claim is true, or that it does not follow.

    Attributes
    ----------
    claim : Claim
    kind : {"reasons", "search", "open", "no solution"}
        Open: there is a solution in which it is otherwise. No solution: the puzzle has none, so that all follows.
    reasons : tuple of Reason
        The claim first.
    trace : Trace or None
        The refutation, where only search shows it.
    example : mapping from Variable to value
        The solution in which it is otherwise.
    """

    claim: Claim
    kind: Literal["reasons", "search", "open", "no solution"]
    reasons: tuple[Reason, ...] = ()
    trace: Trace | None = None
    example: Mapping[Variable, Value] | None = None

    def lines(self) -> Iterator[str]:
        """The whole as a tree of text, everything told once."""
        match self.kind:
            case "reasons":
                yield from self._tree()
            case "search":
                yield f"{self.claim}: only search shows it"
                yield f"suppose {replace(self.claim, holds=not self.claim.holds)}"
                yield from self._search()
            case "open":
                assert self.example is not None
                shown = f"{self.claim.variable} = {quoted(self.example[self.claim.variable])}"
                yield f"{self.claim} does not follow: there is a solution with {shown}"
            case "no solution":
                yield f"{self.claim}: the puzzle has no solution, so everything follows"

    def _tree(self) -> Iterator[str]:
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

    def _search(self) -> Iterator[str]:
        for depth, branch, outcome in self.branches():
            told = f"{branch}: {outcome}" if branch else outcome
            yield "  " * (depth + 1) + told

    def branches(self) -> Iterator[tuple[int, str, str]]:
        """The refutation, node by node: how deep it is, what is decided, and how it ends."""
        from ...story import Failure, caption, search_tree  # late: propagation alone shows most claims

        assert self.trace is not None
        depth: list[int] = []
        for node in search_tree(self.trace).nodes:
            depth.append(0 if node.parent is None else depth[node.parent] + 1)
            own = reversed(self.trace.records[node.first : node.last + 1])
            failure = next((record for record in own if isinstance(record, Failure)), None)
            outcome = caption(failure) if failure and node.kind == "failure" else node.outcome
            yield depth[-1], node.edge, outcome.removeprefix("failure · ")
