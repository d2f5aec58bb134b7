"""What shows a verdict: what cannot hold together, two solutions and what settles them, or how one is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

from csp import Model, Solution, Solver, Stopped, Verdict
from csp.explain import Conflict, Proof, Settling, WorkSpent, conflict, proof, settle

from ..syntax.errors import Diagnostic, Note
from .progress import Ended, ProgressWatch

if TYPE_CHECKING:
    from ..lint.report import Report

GAP = "    "
"""What stands between two solutions."""

MOST_PLACES = 60
"""The most places of the spec that a conflict shows."""

MOST_LINES = 100
"""The most lines of two solutions beside each other."""

LEAST = 100_000
"""Least work that settling several solutions may take without ``--fine``; a unit is about half a microsecond."""

SHARE = 4
"""Settling several solutions may take this part of the verdict's work, if that is more."""


@dataclass(frozen=True)
class Evidence:
    """What shows a verdict."""

    model: Model
    verdict: Verdict
    conflict: Conflict | None = None
    settling: Settling | None = None
    proof: Proof | None = None
    stopped: str = ""
    """Which limit came before."""

    @property
    def more(self) -> str:
        """What is added to the verdict."""
        if self.proof:
            return f", proved {self.proof.message}"
        return f"; stopped by {self.stopped}" if self.stopped else ""

    def texts(self, report: Report) -> Iterator[str]:
        """What is printed before the verdict."""
        if self.conflict:
            yield f"{report.sources[''].name}: {self.conflict.message}"
            told = [*together(notes(self.conflict, report))]
            for note in told[:MOST_PLACES]:
                yield report.sources[note.text].show(note)
            if len(told) > MOST_PLACES:
                yield f"... and {len(told) - MOST_PLACES} more places, which --json tells"
            if self.conflict.failure:
                yield f"  so {shown(self.conflict)}"
        if len(self.verdict.found) > 1:
            yield from beside(self.model, *self.verdict.found)
        if self.settling:
            yield self.settling.message

    def as_dict(self, report: Report) -> dict[str, Any]:
        """The same as plain data."""
        found: dict[str, Any] = {}
        if self.conflict:
            found["conflict"] = [place_as_dict(report, note) for note in notes(self.conflict, report)]
            found["minimal"] = self.conflict.is_minimal
            found["step"] = shown(self.conflict) if self.conflict.failure else None
        if len(self.verdict.found) > 1:
            found["two"] = [{name: one[name] for name in self.model.shown} for one in self.verdict.found]
        if self.settling:
            found["settle"] = dict(self.settling.givens)
            found["smallest"] = self.settling.is_smallest
        if self.proof:
            found["proof"] = self.proof.message
        return found


def gather_evidence(solver: Solver, verdict: Verdict, fine: bool, progress: ProgressWatch) -> Evidence:
    """What shows a verdict, as far as the time allows."""
    found = Evidence(solver.model, verdict)
    try:
        match verdict.solutions:
            case "none":
                return Evidence(solver.model, verdict, conflict=conflict(solver, fine, progress))
            case "several":
                work = None if fine else max(LEAST, verdict.effort.work // SHARE)
                return Evidence(solver.model, verdict, settling=settle(solver, verdict.found[0], progress, work))
            case "one":
                return Evidence(solver.model, verdict, proof=proof(solver, verdict, progress))
    except WorkSpent as limit:
        return Evidence(solver.model, verdict, stopped=f"{limit}; --fine goes on")
    except (Stopped, Ended) as limit:  # the verdict is known all the same
        return Evidence(solver.model, verdict, stopped=str(limit))
    return found


def notes(found: Conflict, report: Report) -> Iterator[Diagnostic]:
    """What cannot hold together, each in its place."""
    for unit in found.units:
        first = unit.constraints[0]
        text = str(first) if first.label and found.is_fine else unit.name
        named = f"{first.label}: {text}" if first.label and found.is_fine else text
        more = f" and {len(unit.constraints) - 1:,} more of this clause" if len(unit.constraints) > 1 else ""
        yield report.note(first, named + more)


def together(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Notes of one place as one."""
    for (grid, at), own in groupby(found, key=lambda note: (note.grid, note.at)):
        yield Note("; ".join([note.message for note in own]), at, grid=grid)


def shown(found: Conflict) -> str:
    """Where propagation sees that it cannot hold."""
    from csp import caption

    assert found.failure is not None
    return caption(found.failure).removeprefix("failure · ")


def beside(model: Model, one: Solution, other: Solution) -> Iterator[str]:
    """Two solutions beside each other, the second one only where it differs, or whole where a dot may be nothing.

    What is drawn of values needs all of them, too.
    """
    from csp.board import answer_text

    is_whole = bool(model.layout) or any(one.variables for one in model.drawn)
    heading = "another" if is_whole else "another, where it differs"
    if not is_whole:
        other = Solution({name: "." if other[name] == one[name] else other[name] for name in model.domains})
    left, right = (
        [title, *answer_text(model, solution).split("\n")] for title, solution in (("one", one), (heading, other))
    )
    if len(left) > MOST_LINES:
        return
    width = max(map(len, left))
    for first, second in zip_longest(left, right, fillvalue=""):
        yield f"{first.ljust(width)}{GAP}{second}".rstrip()


def place_as_dict(report: Report, diagnostic: Diagnostic) -> dict[str, Any]:
    """A mistake for an editor; lines and columns count from 1, and the end is behind the last character."""
    source = report.sources[diagnostic.text]
    at = diagnostic.at and source.clip_to_line(diagnostic.at)
    return {
        "file": source.name,
        "line": at and at.line,
        "column": at and at.column,
        "end_column": at and at.column + at.width,
        "severity": diagnostic.severity,
        "code": diagnostic.code or None,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    }
