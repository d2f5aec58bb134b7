"""csp why"""

from __future__ import annotations

import re
from typing import Any

import click

from csp import Model, Settings, Variable
from csp.explain import Claim, Why
from csp.explain import why as reasons_of

from ...syntax.errors import suggest_name
from ..asking import Ask, question
from ..options import json_option, out_option, parse_setting
from ..output import deliver, fail
from ..progress import NO_SOLUTION

FORMS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
"""What the endings of files stand for."""


@question("Tell why a variable has a value, or has not.", timeout=True)
@click.argument("claim")
@click.option("--minimal", is_flag=True, help="Drop all premises that can be dropped.")
@json_option
@out_option("Draw the reasons on the board: a .svg or a .dot file.")
def why(ask: Ask, claim: str, minimal: bool, out: str | None) -> None:
    """Tell why CLAIM is so in the spec FILE, such as 'cell(1,1) = 3' or 'cell(1,1) != 5': the reasons that propagation
    has recorded, back to what is given; or, where only search shows it, the search that refutes the contrary.

    Exit code: 0 it follows; 1 it does not, or there is no solution; 2 malformed input; 3 stopped by a limit.
    """
    form = ask.form(out, FORMS, "svg")
    parsed = parse_claim(claim, ask.model)
    found = reasons_of(ask.model, parsed, minimal, Settings(seconds=ask.timeout), ask.progress)
    ask.end()
    if out != "-":
        ask.say("\n".join(found.lines()), as_dict(found))
    if out is not None:
        from csp.render import draw_why

        deliver(out, draw_why(ask.model, found, form).encode())
    ask.code = 0 if found.kind in ("reasons", "search") else NO_SOLUTION


def parse_claim(text: str, model: Model) -> Claim:
    """A claim about a variable of a model."""
    match = re.fullmatch(r"\s*(.+?)\s*(!=|=)\s*(.+?)\s*", text)
    if match is None:
        raise click.BadParameter(f"{text} is not of the form VARIABLE = VALUE or VARIABLE != VALUE", param_hint="CLAIM")
    written, sign, value = match.groups()
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    variable = names.get(written.replace(" ", ""))
    if variable is None:
        hint = suggest_name(written, [str(name) for name in model.domains])
        fail(f"csp: there is no variable {written}" + (f"; {hint}" if hint else ""))
    return Claim(Variable.of(str(variable)), parse_setting(str(variable), value, "CLAIM"), sign == "=")


def as_dict(found: Why) -> dict[str, Any]:
    """The reasons as plain data."""
    return {
        "claim": str(found.claim),
        "kind": found.kind,
        "reasons": [
            {
                "text": reason.text,
                "constraint": None if reason.constraint is None else reason.constraint.name,
                **({"line": None} if reason.constraint is None else reason.constraint.origin),
                "premises": reason.premises,
            }
            for reason in found.reasons
        ],
        "search": [
            {"depth": depth, "decision": branch or None, "outcome": outcome}
            for depth, branch, outcome in (found.branches() if found.trace else ())
        ],
        "solution": found.example,
    }
