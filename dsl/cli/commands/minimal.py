"""csp minimal"""

from __future__ import annotations

import json
import sys
from collections import Counter

import click

from csp import Solver, Stopped, Strategy, Way, quoted
from csp.explain import Need, NotOne, needs

from ..options import json_option, load_model, search_option, spec_options, timeout_option
from ..output import say
from ..watch import Ended, deadline, say_stopped, watching

FINDINGS = 1

MOST_NAMED = 3
"""How many variables a line names."""


@click.command(short_help="Say which givens, groups and clues the one solution needs.")
@spec_options
@search_option
@json_option
@timeout_option("Stop after S seconds.")
def minimal(
    file: str, settings: dict[str, str], grids: dict[str, str], search: Way, as_json: bool, timeout: float | None
) -> None:
    """Say of each constraint of the spec FILE, which has one solution, whether it is needed: whether a second solution
    appears if it goes and all others stay, and where that differs.

    Exit code: 0 all are needed, 1 some are redundant or there is not one solution, 2 malformed input, 3 stopped by a
    limit.
    """
    found: list[Need] = []
    with deadline(timeout):
        solver = Solver(load_model(file, settings, grids), strategy=Strategy(search=search))
        with watching(unit="") as watch:
            try:
                for need in needs(solver, watch):
                    found.append(need)
                    say(json.dumps(as_dict(need)) if as_json else sentence(need))
                    watch.doing = f"{len(found):,} of {len(solver.model.constraints):,} constraints"
            except NotOne as error:
                say(f"csp: {error}", err=True)
                sys.exit(FINDINGS)
            except (Stopped, Ended) as limit:
                done = f"{len(found):,} of {len(solver.model.constraints):,} constraints are told"
                sys.exit(say_stopped(watch.why or str(limit), done, watch))
    if not as_json:
        every, needed = Counter(one.kind for one in found), Counter(one.kind for one in found if one.is_needed)
        say(f"needed: {', '.join([f'{needed[kind]} of {n} {kind}s' for kind, n in every.items()])}")
    sys.exit(FINDINGS if not all(need.is_needed for need in found) else 0)


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
