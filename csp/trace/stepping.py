"""Step the propagation queue at a Python prompt, on the graph of ``csp.graph``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import groupby
from textwrap import shorten
from typing import Any

import networkx as nx

from ..base.errors import ModelError
from ..base.frozen import Frozen
from ..base.notation import Value, quoted
from ..graph import GraphEvent, constraint_graph, pop
from ..model import Candidate, Constraint, Domain, Model, Variable
from ..model.operand import variable_of
from .captions import show_removed

WIDTH, QUEUE_WIDTH = 120, 40
"""Maximum number of characters of a step as text, and of its queue."""


class QueueStep(Frozen):
    """A step of the propagation queue: its events, and domains and queue afterwards.

    A step never changes, so that several continuations can be compared. Iteration yields the steps that follow.

    Attributes
    ----------
    number : int
        0 for the start.
    events : tuple of GraphEvent
        The events of the step, in order; the start has none, or a failure.
    queue : tuple of Variable
        The pending variables, the next one first; empty at a fixpoint and after a failure.
    domains : dict from str to tuple
        The remaining values of each variable after this step.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> start = next(steps(Model({"A": (1,), "B": (2,), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])))
    >>> start, start.next("B"), start.given("C", 3).queue
    (step 0: start; queue A B, step 1: B = 2 removes 2 from C; queue A C, ('A', 'B', 'C'))
    >>> list(start.next("B"))
    [step 2: A = 1 removes 1 from C; queue C, step 3: C = 3 removes nothing; queue empty]
    """

    number: int
    events: tuple[GraphEvent, ...]
    queue: tuple[Variable, ...]
    domains: Mapping[str, Domain]
    _graph: nx.Graph[Any] = field(compare=False)  # shared by all steps: each sets domains and marks before it runs

    @property
    def event(self) -> GraphEvent | None:
        """The first event of the step; None if it has no event."""
        return self.events[0] if self.events else None

    @property
    def removed(self) -> dict[str, Domain]:
        """The values that each variable has lost in this step."""
        removed: dict[str, Domain] = {}
        for event in self.events:
            if event.removed:
                removed[event.vertex] = removed.get(event.vertex, ()) + event.removed
        return removed

    @property
    def failed(self) -> Variable | None:
        """The variable that has no value left, or None."""
        return self.events[-1].vertex if self.events and self.events[-1].kind == "failed" else None

    def next(self, variable: str | None = None) -> QueueStep:
        """Pop and propagate the queue's head, or ``variable``; return this as a new step.

        Raises
        ------
        ModelError
            If the queue is empty, or the variable is not in the queue.
        """
        if not self.queue:
            raise ModelError(f"{self.failed} has no value left" if self.failed else "the queue is empty")
        popped = self.queue[0] if variable is None else variable_of(variable)
        if popped not in self.queue:
            raise ModelError(f"{popped} is not in the queue: {_show_queue(self.queue)}")
        for v, d in self.domains.items():
            self._graph.nodes[v].update(domain=d, marked=v in self.queue)
        events = tuple(pop(self._graph, popped))
        domains = dict(self._graph.nodes(data="domain"))
        return self._after(events, domains, tuple([v for v in self.queue if v != popped]))

    def given(self, variable: str, value: Value) -> QueueStep:
        """Return a new step with one variable fixed.

        The variable joins the queue if its domain changes.

        Raises
        ------
        ModelError
            If the variable does not have this value, or another one has no value left.
        """
        if self.failed:
            raise ModelError(f"{self.failed} has no value left")
        v = variable_of(variable)
        if value not in self.domains.get(v, ()):
            raise ModelError(f"{v} = {quoted(value)} is not a remaining candidate")
        removed = tuple([x for x in self.domains[v] if x != value])
        events = [GraphEvent("pruned", v, removed)]
        if removed and v not in self.queue:
            events.append(GraphEvent("marked", v))
        return self._after(tuple(events), {**self.domains, v: (value,)}, self.queue)

    def _after(
        self, events: tuple[GraphEvent, ...], domains: Mapping[str, Domain], queue: tuple[Variable, ...]
    ) -> QueueStep:
        """Return the next step with these events; the variables that they mark join ``queue``."""
        marked = tuple([event.vertex for event in events if event.kind == "marked"])
        queue = () if events[-1].kind == "failed" else queue + marked
        return QueueStep(self.number + 1, events, queue, domains, self._graph)

    def __iter__(self) -> Iterator[QueueStep]:
        step = self
        while step.queue:
            step = step.next()
            yield step

    def __repr__(self) -> str:
        end = f"{self.failed} has no value left" if self.failed else f"queue {_show_queue(self.queue)}"
        happened = shorten(f"step {self.number}: {self._show_events()}", WIDTH - len(end) - 2, placeholder=" ...")
        return f"{happened}; {end}"

    def _show_events(self) -> str:
        """Format the popped variable or the given, and the removed values."""
        if self.event is None or not self.number:
            return "start"
        vertex, domain = self.event.vertex, self.domains[self.event.vertex]
        if self.event.kind == "pruned":
            return f"given {vertex} = {quoted(domain[0])} removes {show_removed(_candidates(self.events)) or 'nothing'}"
        actor = f"{vertex} = {quoted(domain[0])}" if len(domain) == 1 and vertex not in self.removed else vertex
        parts = []
        # Values that an edge removes need no name; other constraints are named.
        for cause, events in groupby((e for e in self.events if e.removed), lambda event: event.cause):
            reason = f" by {cause.name}" if isinstance(cause, Constraint) else ""
            parts.append(show_removed(_candidates(events)) + reason)
        return f"{actor} removes {'; '.join(parts) or 'nothing'}"


def _candidates(events: Iterable[GraphEvent]) -> list[Candidate]:
    """Return the candidates that events have removed."""
    return [(event.vertex, value) for event in events for value in event.removed]


def _show_queue(queue: tuple[Variable, ...]) -> str:
    """Return a queue as text of at most ``QUEUE_WIDTH`` characters, shortened with dots."""
    return shorten(" ".join(queue), QUEUE_WIDTH, placeholder=" ...") or "empty"


def steps(model: Model) -> Iterator[QueueStep]:
    """Yield a ``QueueStep`` for the start, then one for each pop of the queue.

    The algorithm is that of ``csp.graph``. If edges express all constraints, its fixpoint is that of the level ``arc``.
    ``csp.record`` records the engine, at any level.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> for step in steps(model):
    ...     print(step, step.removed)
    step 0: start; queue A {}
    step 1: A = 1 removes 1 from B; queue B {'B': (1,)}
    step 2: B = 2 removes nothing; queue empty {}
    """
    graph = constraint_graph(model)
    domains = dict(graph.nodes(data="domain"))
    failed = tuple([GraphEvent("failed", v) for v, d in domains.items() if not d][:1])
    queue = () if failed else tuple([v for v in graph if graph.nodes[v]["marked"]])
    start = QueueStep(0, failed, queue, domains, graph)
    yield start
    yield from start
