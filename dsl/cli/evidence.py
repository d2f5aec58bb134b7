"""Finds evidence for a verdict: a conflict, two solutions, or a uniqueness proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

from csp import Model, Solution, Solver, Stopped, Verdict
from csp.explain import Conflict, Proof, Settling, WorkSpent, conflict, proof, settle

from ..syntax.errors import Diagnostic, Edit
from .progress import Ended, ProgressWatch

if TYPE_CHECKING:
    from ..lint.report import Report

GAP = "    "
"""The text between two solutions that are printed side by side."""

MAX_PLACES = 60
"""Maximum number of places of the spec that a conflict shows; --json lists all."""

MAX_LINES = 100
"""Maximum height of two solutions side by side; higher ones are not printed."""

MIN_WORK = 100_000
"""Minimum work limit for settling several solutions without ``--fine``; a unit is about half a microsecond."""

WORK_SHARE = 4
"""The work limit is the work of the verdict divided by this number, if that is more than ``MIN_WORK``."""


@dataclass(frozen=True)
class Evidence:
    """The evidence for a verdict: a conflict, two solutions, or a proof."""

    model: Model
    verdict: Verdict
    conflict: Conflict | None = None
    settling: Settling | None = None
    proof: Proof | None = None
    stopped: str = ""
    """The limit that prevented the evidence, or empty."""

    @property
    def more(self) -> str:
        """The text to append to the verdict: how it was proved, or what stopped it."""
        if self.proof:
            return f", proved {self.proof.message}"
        return f"; stopped by {self.stopped}" if self.stopped else ""

    def texts(self, report: Report) -> Iterator[str]:
        """Yield texts to print before the verdict: the conflict, or two solutions side by side."""
        if self.conflict:
            yield f"{report.sources[''].name}: {self.conflict.message}"
            conflict_notes = [*merge_notes(notes(self.conflict, report))]
            for note in conflict_notes[:MAX_PLACES]:
                yield report.sources[note.text].show(note)
            if len(conflict_notes) > MAX_PLACES:
                yield f"... and {len(conflict_notes) - MAX_PLACES} more places; --json lists them"
            if self.conflict.failure:
                yield f"  so {failure_text(self.conflict)}"
        if len(self.verdict.found) > 1:
            yield from side_by_side(self.model, *self.verdict.found)
        if self.settling:
            yield self.settling.message

    def as_dict(self, report: Report) -> dict[str, Any]:
        """Return the evidence as JSON data: conflict, two solutions, distinguishing values or proof."""
        data: dict[str, Any] = {}
        if self.conflict:
            data["conflict"] = [place_as_dict(report, note) for note in notes(self.conflict, report)]
            data["minimal"] = self.conflict.is_minimal
            data["step"] = failure_text(self.conflict) if self.conflict.failure else None
        if len(self.verdict.found) > 1:
            data["two"] = [{name: solution[name] for name in self.model.shown} for solution in self.verdict.found]
        if self.settling:
            data["distinguishing_values"] = dict(self.settling.givens)
            data["smallest"] = self.settling.is_smallest
        if self.proof:
            data["proof"] = self.proof.message
        return data


def gather_evidence(solver: Solver, verdict: Verdict, fine: bool, progress: ProgressWatch) -> Evidence:
    """Find evidence for a verdict; if a limit prevents it, the result names the limit.

    ``fine`` searches for the smallest evidence, without a work limit.
    """
    evidence = Evidence(solver.model, verdict)
    try:
        match verdict.solutions:
            case "none":
                return Evidence(solver.model, verdict, conflict=conflict(solver, fine, progress))
            case "several":
                work = None if fine else max(MIN_WORK, verdict.effort.work // WORK_SHARE)
                return Evidence(solver.model, verdict, settling=settle(solver, verdict.found[0], progress, work))
            case "one":
                return Evidence(solver.model, verdict, proof=proof(solver, verdict, progress))
    except WorkSpent as limit:
        return Evidence(solver.model, verdict, stopped=f"{limit}; --fine continues")
    except (Stopped, Ended) as limit:  # the verdict remains valid without evidence
        return Evidence(solver.model, verdict, stopped=str(limit))
    return evidence


def notes(conflict: Conflict, report: Report) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unit (such as a clause) of a conflict."""
    for unit in conflict.units:
        first = unit.constraints[0]
        text = str(first) if first.label and conflict.is_fine else unit.name
        labelled_text = f"{first.label}: {text}" if first.label and conflict.is_fine else text
        suffix = f" and {len(unit.constraints) - 1:,} more of this clause" if len(unit.constraints) > 1 else ""
        yield report.note(first, labelled_text + suffix)


def merge_notes(notes: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the notes, with consecutive notes at the same place merged into one."""
    for (grid, at), group in groupby(notes, key=lambda note: (note.grid, note.at)):
        yield Diagnostic("evidence", "; ".join([note.message for note in group]), at, grid=grid)


def failure_text(conflict: Conflict) -> str:
    """Return a clause that says where propagation of a conflict's constraints fails."""
    from csp import caption

    assert conflict.failure is not None
    return caption(conflict.failure).removeprefix("failure · ")


def side_by_side(model: Model, first: Solution, second: Solution) -> Iterator[str]:
    """Yield lines that show two solutions side by side; none if they exceed ``MAX_LINES``.

    The second solution shows dots for equal values. It shows all values if a dot could be misread: in a layout, and if
    drawings depend on values.
    """
    from csp.board import answer_text

    # A dot marks an equal value, unless a dot could also mean an empty place.
    is_complete = bool(model.layout) or any(drawing.variables for drawing in model.drawn)
    heading = "another" if is_complete else "another, where it differs"
    if not is_complete:
        second = Solution({name: "." if second[name] == first[name] else second[name] for name in model.domains})
    first_lines, second_lines = (
        [title, *answer_text(model, solution).split("\n")] for title, solution in (("one", first), (heading, second))
    )
    if len(first_lines) > MAX_LINES:
        return
    width = max(map(len, first_lines))
    for left_line, right_line in zip_longest(first_lines, second_lines, fillvalue=""):
        yield f"{left_line.ljust(width)}{GAP}{right_line}".rstrip()


def place_as_dict(report: Report, diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic as JSON data for an editor.

    Lines and columns count from 1, and ``end_column`` follows the last character.
    """
    source = report.sources[diagnostic.text]
    at = diagnostic.at and source.clip_to_line(diagnostic.at)
    return {
        "file": source.name,
        "line": at and at.line,
        "column": at and at.column,
        "end_column": at and at.column + at.width,
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "replacements": [edit_as_dict(edit) for edit in diagnostic.replacements],
    }


def edit_as_dict(edit: Edit) -> dict[str, Any]:
    """Return a replacement as JSON data: the part of a line, and the new text."""
    line, column, width, _ = edit.at
    return {"line": line, "column": column, "end_column": column + width, "text": edit.text}
