"""Solves the lines of csp solve --each --jobs in batches by worker processes."""

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
from .lines import LineOutput, ResumedOutput, format_outcomes
from .progress import ProgressWatch

TASK_SECONDS, MAX_LINES = 0.03, 200
"""The intended duration of a task, and the maximum number of its lines. This process solves the first task itself."""

AHEAD = 32
"""Number of tasks queued for each worker, so that a long task does not make other workers wait for the output order."""


class Pace:
    """An adaptive batch size: the number of lines that take about ``TASK_SECONDS``."""

    def __init__(self) -> None:
        self.size = 1

    def batches(self, lines: Iterator[Numbered]) -> Iterator[list[Numbered]]:
        """Yield lists of consecutive lines, each as long as ``size`` is at that time."""
        while batch := list(islice(lines, self.size)):
            yield batch

    def record(self, lines: int, seconds: float) -> None:
        """Set ``size`` from the duration of a finished batch of ``lines`` lines."""
        self.size = min(MAX_LINES, max(1, int(TASK_SECONDS * lines / max(seconds, 1e-6))))


BatchAnswer = tuple[list[Outcome], Effort, float]
"""The outcomes of a batch, the effort, and the seconds of processor time."""


class TaskTooLong(Exception):
    """The exception that stops solving a line once the first task has used its time.

    Also raised if a limit or a signal stops the work.
    """


def spread_lines(
    solver: Each, executor: Workers, work: ResumedOutput, as_json: bool, progress: ProgressWatch
) -> Iterator[LineOutput]:
    """Solve the lines of ``work`` on an executor's workers; yield their output in order.

    This process solves the first lines, to measure how long a line takes.
    """
    pace, shipment = Pace(), pickle.dumps(solver)
    # The first task, solved here, shows how many lines a task can have.
    first_outcomes, unfinished = first_lines(solver, work.todo, progress, pace)
    yield format_outcomes(first_outcomes, as_json)
    # Forked workers inherit the compiled solver with its cached masks.
    _READY[shipment, get_ident()] = solver
    pending: dict[int, str] = {}
    ahead = AHEAD * executor.width

    def tasks() -> Iterator[tuple[bytes, list[Numbered]]]:
        for batch in pace.batches(chain(unfinished, work.todo)):
            pending.update(batch)
            yield shipment, batch

    def check() -> None:
        progress(solver.effort)

    def split_lost(error: Lost, shipment: bytes, batch: list[Numbered]) -> BatchAnswer:
        """Solve one by one the lines of a batch whose workers died repeatedly.

        A line whose workers die again becomes an error.
        """
        if len(batch) == 1:
            return [Outcome(batch[0][0], None, f"lost: {error}", True)], Effort(), TASK_SECONDS
        lines = ((shipment, [line]) for line in batch)
        outcome_lists, efforts, seconds = zip(
            *in_order(executor, _solve_batch, lines, len(batch), check, split_lost), strict=True
        )
        effort = Effort()
        for task_effort in efforts:
            effort.add(task_effort)
        return [outcome for outcomes in outcome_lists for outcome in outcomes], effort, sum(seconds)

    for outcomes, effort, seconds in in_order(executor, _solve_batch, tasks(), ahead, check, split_lost):
        pace.record(len(outcomes), seconds)
        solver.puzzle_count += len(outcomes)
        solver.effort.add(effort)
        # Other machines are not trusted: check their solutions.
        if isinstance(executor, Cluster):
            outcomes = [confirm(solver, pending[outcome.number], outcome) for outcome in outcomes]
        for outcome in outcomes:
            del pending[outcome.number]
        yield format_outcomes(outcomes, as_json)
        work.output.flush()


def confirm(solver: Each, puzzle: str, outcome: Outcome) -> Outcome:
    """Return a remote worker's outcome; an error instead if its solution is wrong."""
    if outcome.answer is None or solver.confirms(puzzle, outcome.answer):
        return outcome
    return Outcome(outcome.number, None, "a worker returned a wrong solution")


def first_lines(
    solver: Each, lines: Iterator[Numbered], progress: ProgressWatch, pace: Pace
) -> tuple[list[Outcome], list[Numbered]]:
    """Solve lines for ``TASK_SECONDS``, and set the batch size from their speed.

    Returns the outcomes, and the line, if any, that was not finished in this time.
    """
    times = [time.thread_time()]
    end = times[0] + TASK_SECONDS

    def check(effort: Effort) -> None:
        if progress.why or time.thread_time() > end:
            raise TaskTooLong

    outcomes: list[Outcome] = []
    unfinished: list[Numbered] = []
    for line in lines:
        try:
            outcomes += solver.outcomes([line], check)
        except TaskTooLong:
            unfinished = [line]
            solver.puzzle_count -= 1
            break
        times.append(time.thread_time())
        if times[-1] > end:
            break
    # Measure the last quarter: the first lines took longer, while few masks were cached.
    recent = times[-1 - len(outcomes) // 4 - 1 :]
    pace.record(len(recent) - 1, recent[-1] - recent[0])
    return outcomes, unfinished


_READY: dict[tuple[bytes, int], Each] = {}
"""The compiled solver of the current spec, for each thread of a process; the key is its pickle and the thread."""


def _solve_batch(shipment: bytes, batch: list[Numbered]) -> BatchAnswer:
    """Return a batch's outcomes, effort and processor time; ``shipment`` is the pickled solver.

    Runs in a worker process, which keeps the unpickled solver for the next batch.
    """
    began = time.thread_time()
    key = shipment, get_ident()
    if key not in _READY:
        _READY.clear()
        _READY[key] = pickle.loads(shipment)
    solver = _READY[key]
    solver.effort = Effort()
    outcomes = list(solver.outcomes(batch))
    return outcomes, solver.effort, time.thread_time() - began
