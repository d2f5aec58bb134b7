"""What is done in the picture, as text: clauses to add, clauses to leave out, and what the engine does first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from csp import CspError, Level, Model, Settings, Trace, Value, Variable, record, replay

from ..syntax.parsing.lexer import Text

OFF = re.compile(r"% off ([0-9]{1,6})\s*")
NEXT = re.compile(r"% next (.+)")
BRANCH = re.compile(r"% branch (.+) = (.+)")

EVENTS, FEW = 50, 150
"""Of a search so many events are recorded for each decision that may be, and for so many of these at least."""


def apply_acts(text: str, acts: Iterable[str]) -> str:
    """A text after acts, with its lines where they were.

    Parameters
    ----------
    text : str
    acts : iterable of str
        Each one of ``% off N``, which leaves out what begins in line N, or else the clause around it, another
        comment, which does nothing to the text, and clauses, which follow it.

    Returns
    -------
    str
        Malformed acts are malformed clauses of it, told as such when it is read.

    Examples
    --------
    >>> apply_acts("A in 1..2.\\nA = 1.", ["% off 2", "A = 2."])
    'A in 1..2.\\n      \\nA = 2.\\n'
    """
    acts = [act.strip() for act in acts]
    left_out = {int(found[1]) for act in acts if (found := OFF.fullmatch(act))}
    added = [act for act in acts if act and not act.startswith("%")]
    text = _without(text, left_out) if left_out else text
    return "\n".join([text.rstrip("\n"), *added, ""]) if added else text


def recorded(model: Model, acts: Iterable[str], level: Level | None, nodes: int) -> tuple[Trace, str]:
    """The trace of a model in the order that acts choose, and what that order changes, in words.

    Parameters
    ----------
    model : Model
    acts : iterable of str
        ``% next V`` fixes a variable before others that wait with it, the last act first, and ``% branch V = X`` is
        what the search tries before all else where it is open.
    level : {"singles", "arc", "bounds", "domain"}, optional
    nodes : int
        The most decisions of the search to record.

    Raises
    ------
    CspError
        If there is no such variable, or no such value.

    Examples
    --------
    >>> model = Model({"A": (1,), "B": (2,)})
    >>> [one.taken for one in recorded(model, ["% next B"], None, 0)[0].records if hasattr(one, "taken")]
    [('B',), ('A',)]
    """
    acts = [act.strip() for act in acts]
    first = tuple([_variable(found[1], model) for act in reversed(acts) if (found := NEXT.fullmatch(act))])
    branch = tuple([_candidate(found[1], found[2], model) for act in acts if (found := BRANCH.fullmatch(act))])
    most = EVENTS * max(nodes, FEW) if nodes else None
    trace = record(model, level, nodes=nodes, settings=Settings(first=first, branch=branch), most=most)
    if not first:
        return trace, ""
    (steps, left), (others, same) = _at_rest(trace), _at_rest(record(model, level, nodes=0))
    count = f"{steps} instead of {others} steps" if steps != others else f"{steps} steps, as many as without"
    return trace, f"Another order: {count}, and {'the same' if left == same else 'something else'} is left."


def _at_rest(trace: Trace) -> tuple[int, object]:
    """How many steps there are before the first rest, and what is left then."""
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
    raise CspError(f"there is no variable {name:.40} that could be next")


def _candidate(name: str, value: str, model: Model) -> tuple[Variable, Value]:
    domain: Sequence[Value] = next((domain for variable, domain in model.domains.items() if variable == name), ())
    for one in domain:
        if value == str(one):
            return Variable.of(name), one
    raise CspError(f"{name:.40} = {value:.40} cannot be tried")


def _without(text: str, lines: set[int]) -> str:
    """The text with blanks in the place of the clauses that begin in these lines, or go through where none begins."""
    pieces = [(piece.begins[0], piece.begins[-1] + len(piece.words[-1])) for piece in Text(text).pieces()]
    ends = [tuple(text.count("\n", 0, at) + 1 for at in piece) for piece in pieces]
    begun = {first for first, _ in ends}
    for (start, end), (first, last) in zip(pieces, ends, strict=True):
        if not any(line == first or (first < line <= last and line not in begun) for line in lines):
            continue
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
