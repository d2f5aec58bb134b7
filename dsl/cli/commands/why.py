"""The command ``csp why``: explains why a claim about a variable holds."""

from __future__ import annotations

import re
from typing import Any

import click

from csp import Model, Settings, Variable
from csp.explain import Claim, Why
from csp.explain import why as find_reasons

from ...syntax.errors import suggest_name
from ..asking import Ask, question
from ..options import json_option, out_option, parse_setting
from ..output import deliver, fail
from ..progress import NO_SOLUTION

FORMS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
"""The format for each ending of --out."""


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
    result = find_reasons(ask.model, parsed, minimal, Settings(seconds=ask.timeout), ask.progress)
    ask.end()
    if out != "-":
        ask.say("\n".join(result.lines()), as_dict(result))
    if out is not None:
        from csp.render import draw_why

        deliver(out, draw_why(ask.model, result, form).encode())
    ask.code = 0 if result.kind in ("reasons", "search") else NO_SOLUTION


def parse_claim(text: str, model: Model) -> Claim:
    """Parse a claim about a variable, such as ``cell(1,1) = 3``."""
    match = re.fullmatch(r"\s*(.+?)\s*(!=|=)\s*(.+?)\s*", text)
    if match is None:
        raise click.BadParameter(f"{text} is not of the form VARIABLE = VALUE or VARIABLE != VALUE", param_hint="CLAIM")
    name_text, sign, value = match.groups()
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    variable = names.get(name_text.replace(" ", ""))
    if variable is None:
        hint = suggest_name(name_text, [str(name) for name in model.domains])
        fail(f"csp: unknown variable: {name_text}" + (f"; {hint}" if hint else ""))
    return Claim(Variable.of(str(variable)), parse_setting(str(variable), value, "CLAIM"), sign == "=")


def as_dict(result: Why) -> dict[str, Any]:
    """Return the reasons for a claim as JSON data."""
    return {
        "claim": str(result.claim),
        "kind": result.kind,
        "reasons": [
            {
                "text": reason.text,
                "constraint": None if reason.constraint is None else reason.constraint.name,
                **({"line": None} if reason.constraint is None else reason.constraint.origin),
                "premises": reason.premises,
            }
            for reason in result.reasons
        ],
        "search": [
            {"depth": depth, "decision": branch or None, "outcome": outcome}
            for depth, branch, outcome in (result.branches() if result.trace else ())
        ],
        "solution": result.example,
    }
