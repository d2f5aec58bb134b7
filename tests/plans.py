"""The plans of examples, and the facts of their specs."""

from __future__ import annotations

import re

from csp import Value, record
from csp.picture.plan import Plan
from csp.picture.shapes import Shape
from dsl.syntax.grids import read_grid

from .conftest import ROOT
from .pictures.test_render import example

FAMILIES = sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))
PLANS: dict[str, Plan] = {}
Spot = tuple[int, int]
Values = dict[Spot, Value]


def plan(name: str) -> Plan:
    """Return the plan of an example, as its pictures use it."""
    if name not in PLANS:
        trace = record(example(name), nodes=0)
        PLANS[name] = Plan(trace.model, trace.origins)
    return PLANS[name]


def grids(name: str) -> dict[str, Values]:
    """Return the values in the grids of a spec's text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    blocks = re.finditer(r'^grid (\w+)(?:\(.*\))? = "([^"]*)"', text, re.MULTILINE)
    return {block[1]: {(r, c): value for r, c, value in read_grid(block[2], block[1])} for block in blocks}


def facts(name: str, relation: str) -> list[tuple[str, ...]]:
    """Return the facts of a spec, read from its text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    rows = [tuple(arguments.split(", ")) for arguments in re.findall(rf"\b{relation}\(([^()]*)\)\.", text)]
    return [row for row in rows if not any(word[0].isupper() for word in row)]


def marks(name: str, *looks: str) -> list[Shape]:
    """Return the shapes of an example with one of some looks."""
    return [shape for shape in plan(name).shapes if shape.look in looks]
