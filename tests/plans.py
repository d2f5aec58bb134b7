"""The plans of examples, and what their specs say of them, read from the texts."""

from __future__ import annotations

import re

from csp import Value, record
from csp.picture.plan import Plan
from csp.picture.shapes import Shape
from dsl.syntax.grids import read_grid

from .conftest import ROOT
from .test_render import example

FAMILIES = sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))
PLANS: dict[str, Plan] = {}
Spot = tuple[int, int]
Values = dict[Spot, Value]


def plan(name: str) -> Plan:
    """The plan of an example, as the pictures of its trace have it."""
    if name not in PLANS:
        trace = record(example(name), nodes=0)
        PLANS[name] = Plan(trace.model, trace.origins)
    return PLANS[name]


def grids(name: str) -> dict[str, Values]:
    """What stands in the grids of a spec, read from its text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    found = re.finditer(r'^grid (\w+)(?:\(.*\))? = "([^"]*)"', text, re.MULTILINE)
    return {one[1]: {(r, c): value for r, c, value in read_grid(one[2], one[1])} for one in found}


def facts(name: str, relation: str) -> list[tuple[str, ...]]:
    """The facts of a spec, read from its text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    found = [tuple(one.split(", ")) for one in re.findall(rf"\b{relation}\(([^()]*)\)\.", text)]
    return [row for row in found if not any(word[0].isupper() for word in row)]


def marks(name: str, *looks: str) -> list[Shape]:
    return [mark for mark in plan(name).shapes if mark.look in looks]
