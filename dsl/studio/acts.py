"""Apply the user's actions in the picture (acts), which are lines of text.

An act adds a clause, removes a clause, or chooses the first variable to propagate or to branch on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from csp import CspError, Level, Model, Settings, Trace, Value, Variable, record, replay

from ..syntax.parse import clause_spans

OFF = re.compile(r"% off ([0-9]{1,6})\s*")
NEXT = re.compile(r"% next (.+)")
BRANCH = re.compile(r"% branch (.+) = (.+)")

EVENTS, FEW = 50, 150
"""Recorded events per allowed decision, and the minimum number of decisions for this limit."""


def apply_acts(text: str, acts: Iterable[str]) -> str:
    """Return a spec's text after a user's acts, which add clauses or blank them out.

    The lines keep their numbers.

    Parameters
    ----------
    text : str
    acts : iterable of str
        ``% off N`` replaces the clauses that begin in line N by blanks or, if none begins there, the clause that
        contains the line. Another comment does not change the text. Clauses are appended.

    Returns
    -------
    str
        A malformed act becomes a malformed clause, which parsing reports.

    Examples
    --------
    >>> apply_acts("A in 1..2.\\nA = 1.", ["% off 2", "A = 2."])
    'A in 1..2.\\n      \\nA = 2.\\n'
    """
    acts = [act.strip() for act in acts]
    lines_off = {int(match[1]) for act in acts if (match := OFF.fullmatch(act))}
    added = [act for act in acts if act and not act.startswith("%")]
    text = _blank_clauses(text, lines_off) if lines_off else text
    return "\n".join([text.rstrip("\n"), *added, ""]) if added else text


def record_acts(model: Model, acts: Iterable[str], level: Level | None, nodes: int) -> tuple[Trace, str]:
    """Return a trace of solving in the order that acts choose, and a note.

    Parameters
    ----------
    model : Model
    acts : iterable of str
        ``% next V`` dequeues variable V before other queued variables; the last act has priority. ``% branch V = X``
        lets the search branch on V = X first, if V is unfixed.
    level : {"singles", "arc", "bounds", "domain"}, optional
    nodes : int
        Maximum number of decisions of the search to record.

    Returns
    -------
    trace : Trace
    note : str
        A comparison with the usual order of propagation; empty without ``% next``.

    Raises
    ------
    CspError
        If an act names an unknown variable or value.

    Examples
    --------
    >>> model = Model({"A": (1,), "B": (2,)})
    >>> trace, _ = record_acts(model, ["% next B"], None, 0)
    >>> [record.variables for record in trace.records if hasattr(record, "variables")]
    [('B',), ('A',)]
    """
    acts = [act.strip() for act in acts]
    first = tuple([_variable(match[1], model) for act in reversed(acts) if (match := NEXT.fullmatch(act))])
    branch = tuple([_candidate(match[1], match[2], model) for act in acts if (match := BRANCH.fullmatch(act))])
    max_events = EVENTS * max(nodes, FEW) if nodes else None
    trace = record(model, level, nodes=nodes, settings=Settings(first=first, branch=branch), most=max_events)
    if not first:
        return trace, ""
    # Compare the first fixpoint with that of the usual order.
    (steps, domains), (usual_steps, usual_domains) = _at_fixpoint(trace), _at_fixpoint(record(model, level, nodes=0))
    count = f"{steps} instead of {usual_steps} steps" if steps != usual_steps else f"{steps} steps, as many as without"
    return (
        trace,
        f"Another order: {count}, and {'the same values' if domains == usual_domains else 'other values'} remain.",
    )


def _at_fixpoint(trace: Trace) -> tuple[int, object]:
    """Return the number of steps to the first fixpoint, and the domains there.

    The domains are None if propagation fails. A trace without a fixpoint counts to its end.
    """
    steps = 0
    for moment in replay(trace):
        steps = getattr(moment.record, "step", steps)
        if type(moment.record).__name__ in ("Rest", "Failure"):
            return steps, moment.domains if type(moment.record).__name__ == "Rest" else None
    return steps, moment.domains


def _variable(name: str, model: Model) -> Variable:
    for variable in model.domains:
        if variable == name:
            return variable
    raise CspError(f"unknown variable: {name:.40}")


def _candidate(name: str, value: str, model: Model) -> tuple[Variable, Value]:
    domain: Sequence[Value] = next((domain for variable, domain in model.domains.items() if variable == name), ())
    for domain_value in domain:
        if value == str(domain_value):
            return Variable.of(name), domain_value
    raise CspError(f"{name:.40} = {value:.40} cannot be tried")


def _blank_clauses(text: str, lines: set[int]) -> str:
    """Return a text with blanks in place of clauses in given lines.

    If no clause begins in a line, the clause that contains the line is replaced.
    """
    # The offsets and the lines of each clause.
    spans = [*clause_spans(text)]
    line_spans = [tuple(text.count("\n", 0, at) + 1 for at in span) for span in spans]
    first_lines = {first for first, _ in line_spans}
    for (start, end), (first, last) in zip(spans, line_spans, strict=True):
        if not any(line == first or (first < line <= last and line not in first_lines) for line in lines):
            continue
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
