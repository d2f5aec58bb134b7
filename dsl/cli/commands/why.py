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


@question(timeout=True)
@click.argument("claim")
@click.option("--minimal", is_flag=True, help="Drop premises that the claim does not need.")
@json_option
@out_option("Draw the reasons on the board (.svg, .dot).")
def why(ask: Ask, claim: str, minimal: bool, out: str | None) -> None:
    """Explain why CLAIM holds in the spec FILE, back to the givens.

    CLAIM is VARIABLE = VALUE or VARIABLE != VALUE. If only search proves it, show the search that refutes the opposite.

    Exit code: 0 it follows, 1 it does not, or no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp why examples/sudoku.csp 'cell(5,5) = 5'
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
    """Parse a claim such as ``cell(1,1) = 3``; refuse an unknown variable."""
    match = re.fullmatch(r"\s*(.+?)\s*(!=|=)\s*(.+?)\s*", text)
    if match is None:
        raise click.BadParameter(f"{text} is not of the form VARIABLE = VALUE or VARIABLE != VALUE", param_hint="CLAIM")
    name_text, sign, value = match.groups()
    if value.startswith("="):
        raise click.BadParameter(f"write a single =: {name_text} = {value.lstrip('= ')}", param_hint="CLAIM")
    names = {str(variable).replace(" ", ""): variable for variable in model.domains}
    variable = names.get(name_text.replace(" ", ""))
    if variable is None:
        few = ", ".join([*map(str, [*model.domains][:5]), "..."][: len(model.domains)])
        hint = suggest_name(name_text, [str(name) for name in model.domains]) or f"the variables are {few}"
        fail(f"csp: unknown variable: {name_text}; {hint}")
    return Claim(Variable.of(str(variable)), parse_setting(str(variable), value, "CLAIM"), sign == "=")


def as_dict(result: Why) -> dict[str, Any]:
    """Return the reasons, search and example solution of a claim as JSON data."""
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
