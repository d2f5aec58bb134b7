"""csp minimal"""

from __future__ import annotations

from collections import Counter

from csp import Stopped, quoted
from csp.explain import Need, NotOne, needs, removable

from ..asking import Ask, question
from ..options import search_option
from ..output import fail, say
from ..progress import Ended

FINDINGS = 1

MOST_NAMED = 3
"""How many variables a line names."""


@question("Say which givens, groups and clues the one solution needs.", json=True, timeout=True, unit="")
@search_option
def minimal(ask: Ask) -> None:
    """Say of each constraint of the spec FILE, which has one solution, whether it is needed: whether a second solution
    appears if it goes and all others stay, and where that differs.

    Exit code: 0 all are needed, 1 some are redundant or there is not one solution, 2 malformed input, 3 stopped by a
    limit.
    """
    found: list[Need] = []
    solver, progress = ask.solver, ask.progress
    try:
        for need in needs(solver, progress):
            found.append(need)
            ask.say(sentence(need), as_dict(need))
            progress.doing = f"{len(found):,} of {len(solver.model.constraints):,} constraints"
    except NotOne as error:
        fail(f"csp: {error}; csp check says more", FINDINGS)
    except (Stopped, Ended) as limit:
        done = f"{len(found):,} of {len(solver.model.constraints):,} constraints are told"
        return ask.stop(progress.why or str(limit), done)
    ask.code = 0 if all(need.is_needed for need in found) else FINDINGS
    if ask.as_json:
        return
    every, needed = Counter(one.kind for one in found), Counter(one.kind for one in found if one.is_needed)
    alone = "; each redundant one could go alone" if ask.code else ""
    say(f"needed: {', '.join([f'{needed[kind]} of {n} {kind}s' for kind, n in every.items()])}{alone}")
    progress.doing = "what could go together"
    try:
        together = removable(solver, found, progress)
    except (Stopped, Ended) as limit:
        return ask.stop(progress.why or str(limit), "what could go together is not known")
    if together:
        say(f"could go together: {', '.join([constraint.place for constraint in together])}")


def sentence(need: Need) -> str:
    """One line."""
    start = f"{'needed' if need.is_needed else 'redundant':10} {need.kind:6} {need.constraint.place}"
    if not need.is_needed:
        return start
    first = [f"{v} is {quoted(a)} or {quoted(b)}" for (v, a), (_, b) in need.differences[:MOST_NAMED]]
    more = f" and {len(need.differences) - MOST_NAMED} more" if len(need.differences) > MOST_NAMED else ""
    return f"{start}: without it {', '.join(first)}{more}"


def as_dict(need: Need) -> dict[str, object]:
    """What was found, for a program."""
    return {
        "constraint": need.constraint.name,
        "line": need.constraint.line or None,
        "kind": need.kind,
        "needed": need.is_needed,
        "differences": [[v, a, b] for (v, a), (_, b) in need.differences],
    }
