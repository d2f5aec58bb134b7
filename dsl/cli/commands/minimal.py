"""The command ``csp minimal``: says which constraints the unique solution needs."""

from __future__ import annotations

from collections import Counter

from csp import Stopped, quoted
from csp.explain import Need, NotOne, needs, removable

from ..asking import Ask, question
from ..options import search_option
from ..output import fail, say
from ..progress import Ended

FINDINGS = 1
"""The exit code for redundant constraints, and for no or several solutions."""

MAX_NAMED = 3
"""Maximum number of variables that a line names."""


@question(json=True, timeout=True, unit="")
@search_option
def minimal(ask: Ask) -> None:
    """List which givens, groups and clues the one solution needs.

    A constraint is needed if a second solution appears without it. The line shows where the second solution differs.

    Exit code: 0 all needed, 1 some redundant or not one solution, 2 malformed input, 3 stopped by a limit.

    Example: csp minimal examples/shidoku.csp
    """
    results: list[Need] = []
    solver, progress = ask.solver, ask.progress
    try:
        for need in needs(solver, progress):
            results.append(need)
            ask.say(sentence(need), as_dict(need))
            progress.doing = f"{len(results):,} of {len(solver.model.constraints):,} constraints"
    except NotOne as error:
        fail(f"csp: {error}; csp check shows the evidence", FINDINGS)
    except (Stopped, Ended) as limit:
        progress_text = f"{len(results):,} of {len(solver.model.constraints):,} constraints so far"
        return ask.stop(progress.why or str(limit), progress_text)
    ask.code = 0 if all(need.is_needed for need in results) else FINDINGS
    if ask.as_json:
        return
    totals, needed_totals = (
        Counter(need.kind for need in results),
        Counter(need.kind for need in results if need.is_needed),
    )
    note = "; each redundant one can be dropped alone" if ask.code else ""
    say(f"needed: {', '.join([f'{needed_totals[kind]} of {total} {kind}s' for kind, total in totals.items()])}{note}")
    # Each redundant constraint can be removed alone; find those that can be removed at once.
    progress.doing = "what can be dropped together"
    try:
        removable_constraints = removable(solver, results, progress)
    except (Stopped, Ended) as limit:
        return ask.stop(progress.why or str(limit), "the constraints that can be dropped together are unknown")
    if removable_constraints:
        say(f"can be dropped together: {', '.join([constraint.place for constraint in removable_constraints])}")


def sentence(need: Need) -> str:
    """Return the line that says whether a constraint is needed or redundant."""
    start = f"{'needed' if need.is_needed else 'redundant':10} {need.kind:6} {need.constraint.place}"
    if not need.is_needed:
        return start
    differences = [f"{v} is {quoted(a)} or {quoted(b)}" for (v, a), (_, b) in need.differences[:MAX_NAMED]]
    suffix = f" and {len(need.differences) - MAX_NAMED} more" if len(need.differences) > MAX_NAMED else ""
    return f"{start}: without it {', '.join(differences)}{suffix}"


def as_dict(need: Need) -> dict[str, object]:
    """Return a constraint's kind, whether it is needed, and the differences, as JSON data."""
    return {
        "constraint": need.constraint.name,
        "line": need.constraint.line or None,
        "kind": need.kind,
        "needed": need.is_needed,
        "differences": [[v, a, b] for (v, a), (_, b) in need.differences],
    }
