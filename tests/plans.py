"""The plans of examples, and what their specs say of them, read from the texts."""

from __future__ import annotations

import re
import sys

from csp import record
from csp.picture.marks import Mark
from csp.picture.plan import Plan

from .conftest import ROOT
from .test_render import example

sys.path.insert(0, str(ROOT / "docs"))
from gallery_pictures import Example, Values

FAMILIES = sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))
PLANS: dict[str, Plan] = {}
Spot = tuple[int, int]


def plan(name: str) -> Plan:
    """The plan of an example, as the pictures of its trace have it."""
    if name not in PLANS:
        trace = record(example(name), nodes=0)
        PLANS[name] = Plan(trace.model, trace.origins)
    return PLANS[name]


def grids(name: str) -> dict[str, Values]:
    """What stands in the grids of a spec, read from its text."""
    return Example((ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")).grids


def facts(name: str, relation: str) -> list[tuple[str, ...]]:
    """The facts of a spec, read from its text."""
    text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    found = [tuple(one.split(", ")) for one in re.findall(rf"\b{relation}\(([^()]*)\)\.", text)]
    return [row for row in found if not any(word[0].isupper() for word in row)]


def marks(name: str, *looks: str) -> list[Mark]:
    return [mark for mark in plan(name).marks if mark.look in looks]
