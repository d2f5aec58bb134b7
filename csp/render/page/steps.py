"""The steps of techniques as a film: the page that plays a trace plays them, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...model import Domain, Variable, ordered
from ...picture.explained.links import ShownStep, domains_before, step_shapes
from ...picture.legend import GONE, LINKS, SIGNS
from ...picture.plan import Plan
from ...picture.shapes import OVER
from .data import mark_data, plan_data, sign_data, spec_line

PageState = tuple[Mapping[Variable, Domain], frozenset[Variable]]
"""What is left, and whose single value nobody has written down."""


def steps_film(plan: Plan, steps: Sequence[ShownStep], last: PageState, ending: str, is_solved: bool) -> dict[str, Any]:
    """Steps as a film of patches (``csp.render.page.film``), each with its picture over the cells.

    A patch has, besides ``gone``, what its step removes: ``also``, what had gone with the step before it; ``pencil``,
    the vertices whose single value is written down now, or waits for that; ``lined``, those that are shaded; ``links``,
    all other marks; and ``relies``, the lines of the spec.
    """
    values = ordered(value for domain in dict.fromkeys(plan.model.domains.values()) for value in domain)
    number = {value: i for i, value in enumerate(values)}
    numbers = {variable: i for i, variable in enumerate(plan.model.domains)}

    def codes(whole: Mapping[Variable, Domain], rest: Mapping[Variable, Domain]) -> list[int]:
        return [
            v * len(values) + number[value]
            for variable, v in numbers.items()
            for value in whole[variable]
            if value not in rest[variable]
        ]

    states: list[PageState] = [(domains_before(plan, one.scene), one.scene.pencil) for one in steps]
    first = (states or [last])[0]
    left: Mapping[Variable, Domain] = first[0]
    pencil = first[1]
    records: list[dict[str, Any]] = []
    for i, (shown, (found, own)) in enumerate(zip(steps, states, strict=True), 1):
        drawn = step_shapes(plan, shown)
        patch: dict[str, Any] = {"kind": "step", "step": i, "text": f"{i}. " + "\n".join(shown.step.lines)}
        lists: dict[str, list[Any]] = {
            "also": codes(left, found),
            "gone": codes(found, shown.scene.domains),
            "pencil": sorted(numbers[v] for v in pencil ^ own),
            "lined": [numbers[v] for v in dict.fromkeys(m.of[0] for m in drawn if m.look.endswith("lined"))],  # type: ignore[index]
            "links": [mark_data(mark._replace(constraints=())) for mark in drawn if mark.layer == OVER],
            "relies": list(dict.fromkeys(line for one in shown.step.constraints if (line := spec_line(one)))),
        }
        records.append(patch | {name: listed for name, listed in lists.items() if listed})
        left, pencil = shown.scene.domains, own
    end: dict[str, Any] = {"kind": "solved" if is_solved else "rest", "text": ending}
    end |= {"also": codes(left, last[0]), "pencil": sorted(numbers[v] for v in pencil ^ last[1])}
    data: dict[str, Any] = {**plan_data(plan)}
    used = (GONE, *LINKS.values())
    return {
        **data,
        "lens": "link",
        "lenses": {
            "link": {**data["lenses"]["grid"], "title": "link", "hidden": 0, "legend": list(map(SIGNS.index, used))}
        },
        "signs": sign_data(used),
        "start": codes(plan.model.domains, first[0]),
        "pencil": sorted(numbers[v] for v in first[1]),
        "records": [*records, end],
        **{name: [] for name in ("waiting", "matching", "pairs", "graphs")},
        **{name: {} for name in ("groups", "shapes")},
        "queue": 0,
        "opening": "the puzzle, without what its givens exclude",
        "trees": [{"box": [0, 0, 1, 1], "nodes": []}] * 2,
    }
