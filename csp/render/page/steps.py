"""Convert steps of solving techniques into a film, played like a trace.

It differs from ``film.py`` in its records: steps of a person, without queue and search tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...explain.words.simple import SimpleWords
from ...model import Domain, Variable, ordered
from ...picture.explained.links import ShownStep, domains_before, step_shapes
from ...picture.legend import GONE, LINKS, SIGNS
from ...picture.plan import Plan
from ...picture.shapes import OVER
from .data import plan_data, shape_data, sign_data, spec_line

PageSnapshot = tuple[Mapping[Variable, Domain], frozenset[Variable]]
"""The domains, and the variables whose single value is a candidate that is not yet placed."""


def steps_film(
    plan: Plan,
    steps: Sequence[ShownStep],
    last: PageSnapshot,
    ending: str,
    is_solved: bool,
    words: SimpleWords | None = None,
) -> dict[str, Any]:
    """Convert steps of solving techniques to data for the player, like a trace.

    ``last`` is the state after the last step, ``ending`` its caption; with ``words`` the captions are short sentences
    in their language. A patch has these fields, each only if it is not
    empty:

    - ``gone``: the candidates that the step removes
    - ``also``: the candidates that disappeared between the previous step and this one
    - ``pencil``: the variables whose single value is now placed, or now waits to be placed
    - ``lined``: the variables that are shaded
    - ``links``: all other shapes
    - ``relies``: the lines of the spec that the step uses
    """
    values = ordered(value for domain in dict.fromkeys(plan.model.domains.values()) for value in domain)
    number = {value: i for i, value in enumerate(values)}
    numbers = {variable: i for i, variable in enumerate(plan.model.domains)}

    def removed_codes(before_step: Mapping[Variable, Domain], after: Mapping[Variable, Domain]) -> list[int]:
        """Return the numbers of the candidates in ``before_step`` that ``after`` lacks."""
        return [
            v * len(values) + number[value]
            for variable, v in numbers.items()
            for value in before_step[variable]
            if value not in after[variable]
        ]

    # Compare each step with the state after the previous one.
    snapshots: list[PageSnapshot] = [(domains_before(plan, shown.scene), shown.scene.pencil) for shown in steps]
    first = (snapshots or [last])[0]
    remaining: Mapping[Variable, Domain] = first[0]
    pencil = first[1]
    records: list[dict[str, Any]] = []
    for i, (shown, (domains, step_pencil)) in enumerate(zip(steps, snapshots, strict=True), 1):
        shapes = step_shapes(plan, shown)
        lines = shown.step.lines if words is None else words.lines(shown.step)
        patch: dict[str, Any] = {"kind": "step", "step": i, "text": f"{i}. " + "\n".join(lines)}
        lists: dict[str, list[Any]] = {
            "also": removed_codes(remaining, domains),
            "gone": removed_codes(domains, shown.scene.domains),
            "pencil": sorted(numbers[v] for v in pencil ^ step_pencil),
            "lined": [numbers[v] for v in dict.fromkeys(s.of[0] for s in shapes if s.look.endswith("lined"))],  # type: ignore[index]
            "links": [shape_data(shape._replace(constraints=())) for shape in shapes if shape.layer == OVER],
            "relies": list(
                dict.fromkeys(line for constraint in shown.step.constraints if (line := spec_line(constraint)))
            ),
        }
        records.append(patch | {name: listed for name, listed in lists.items() if listed})
        remaining, pencil = shown.scene.domains, step_pencil
    # Add the ending as a record, and empty lists for the parts of a film that only traces have.
    end: dict[str, Any] = {"kind": "solved" if is_solved else "rest", "text": ending}
    end |= {"also": removed_codes(remaining, last[0]), "pencil": sorted(numbers[v] for v in pencil ^ last[1])}
    data: dict[str, Any] = {**plan_data(plan)}
    used = (GONE, *LINKS.values())
    return {
        **data,
        "lens": "link",
        "lenses": {
            "link": {**data["lenses"]["grid"], "title": "link", "hidden": 0, "legend": list(map(SIGNS.index, used))}
        },
        "signs": sign_data(used),
        "start": removed_codes(plan.model.domains, first[0]),
        "pencil": sorted(numbers[v] for v in first[1]),
        "records": [*records, end],
        **{name: [] for name in ("waiting", "matching", "pairs", "graphs")},
        **{name: {} for name in ("groups", "shapes")},
        "queue": 0,
        "opening": "the puzzle, with the givens' eliminations made" if words is None else words.opening,
        "language": "en" if words is None else words.language,
        "trees": [{"box": [0, 0, 1, 1], "nodes": []}] * 2,
    }
