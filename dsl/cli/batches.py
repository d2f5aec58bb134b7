"""csp solve --each --jobs: lines that are handed out, some at a time"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from itertools import chain, islice
from threading import get_ident

from csp import Effort
from csp.base.errors import Lost
from csp.parallel import Cluster, Workers, in_order

from ..puzzles.each import Each, Numbered, Outcome
from .lines import Printed, printed
from .progress import ProgressWatch
from .resuming import Resumed

TASK, MOST = 0.03, 200
"""Seconds that a task should take, the first one here and the others in other processes, and its most lines."""

AHEAD = 32
"""How many tasks for each worker are on their way, so that one that takes long does not make the others wait."""


class Pace:
    """How many lines the next task has, by how long the last ones have taken."""

    def __init__(self) -> None:
        self.size = 1

    def batches(self, lines: Iterator[Numbered]) -> Iterator[list[Numbered]]:
        """The lines, some at a time."""
        while batch := list(islice(lines, self.size)):
            yield batch

    def measured(self, lines: int, seconds: float) -> None:
        """Take a task into account."""
        self.size = min(MOST, max(1, int(TASK * lines / max(seconds, 1e-6))))


BatchAnswer = tuple[list[Outcome], Effort, float]
"""What becomes of some lines, what it has cost, and the seconds that it took."""


class Late(Exception):
    """The time of the first task is over, in the middle of a line."""


def spread_lines(
    solver: Each, executor: Workers, work: Resumed, as_json: bool, progress: ProgressWatch
) -> Iterator[Printed]:
    """What becomes of every line, in their order, by the workers of an executor."""
    pace, shipment = Pace(), pickle.dumps(solver)
    first, opened = first_lines(solver, work.todo, progress, pace)
    yield printed(first, as_json)
    _READY[shipment, get_ident()] = solver  # a process that is forked from this one has it, too, with all its masks
    asked: dict[int, str] = {}
    ahead = AHEAD * executor.width

    def tasks() -> Iterator[tuple[bytes, list[Numbered]]]:
        for batch in pace.batches(chain(opened, work.todo)):
            asked.update(batch)
            yield shipment, batch

    def check() -> None:
        progress(solver.effort)

    def lost(error: Lost, shipment: bytes, batch: list[Numbered]) -> BatchAnswer:
        """Each line of a lost task on its own, until it is known which one is the reason."""
        if len(batch) == 1:
            return [Outcome(batch[0][0], None, f"lost: {error}", True)], Effort(), TASK
        lines = ((shipment, [line]) for line in batch)
        every, efforts, seconds = zip(*in_order(executor, _solved, lines, len(batch), check, lost), strict=True)
        effort = Effort()
        for one in efforts:
            effort.add(one)
        return [outcome for some in every for outcome in some], effort, sum(seconds)

    for some, effort, seconds in in_order(executor, _solved, tasks(), ahead, check, lost):
        pace.measured(len(some), seconds)
        solver.puzzle_count += len(some)
        solver.effort.add(effort)
        if isinstance(executor, Cluster):
            some = [confirmed(solver, asked[outcome.number], outcome) for outcome in some]
        for outcome in some:
            del asked[outcome.number]
        yield printed(some, as_json)
        work.output.flush()


def confirmed(solver: Each, puzzle: str, outcome: Outcome) -> Outcome:
    """An outcome that comes from another machine, whose solution is checked here."""
    if outcome.answer is None or solver.confirms(puzzle, outcome.answer):
        return outcome
    return Outcome(outcome.number, None, "a worker has answered with what is no solution of it")


def first_lines(
    solver: Each, lines: Iterator[Numbered], progress: ProgressWatch, pace: Pace
) -> tuple[list[Outcome], list[Numbered]]:
    """What becomes of the lines of a first task, and the line, if any, that takes longer."""
    moments = [time.thread_time()]
    ends = moments[0] + TASK

    def check(effort: Effort) -> None:
        if progress.why or time.thread_time() > ends:
            raise Late

    done: list[Outcome] = []
    late: list[Numbered] = []
    for line in lines:
        try:
            done += solver.outcomes([line], check)
        except Late:
            late = [line]
            solver.puzzle_count -= 1
            break
        moments.append(time.thread_time())
        if moments[-1] > ends:
            break
    last = moments[-1 - len(done) // 4 - 1 :]  # the first ones took longer, while there were few masks
    pace.measured(len(last) - 1, last[-1] - last[0])
    return done, late


_READY: dict[tuple[bytes, int], Each] = {}
"""The spec that is being worked on, compiled once for each thread of a process."""


def _solved(shipment: bytes, batch: list[Numbered]) -> BatchAnswer:
    """A task."""
    began = time.thread_time()
    key = shipment, get_ident()
    if key not in _READY:
        _READY.clear()
        _READY[key] = pickle.loads(shipment)
    solver = _READY[key]
    solver.effort = Effort()
    some = list(solver.outcomes(batch))
    return some, solver.effort, time.thread_time() - began
