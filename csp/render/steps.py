"""Steps of techniques as pictures: one SVG for each, a page that plays them, and a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..explain.steps.hints import Hint, HintLevel
from ..explain.steps.techniques import TECHNIQUES
from ..explain.steps.walk import Step, Walker
from ..model import Model
from ..picture.explained.links import WHAT, ShownStep, legend_entries, show_step, shown_steps, step_shapes
from ..picture.legend import LegendEntry, legend_caption
from ..picture.picture import extent, picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import OVER, Shape, bounding_box, box
from ..picture.style import plain_counted
from .notebook import figure
from .page.player import page
from .page.steps import steps_film
from .painter import WIDTH
from .svg import svg


class StepPictures:
    """The pictures of a walk: to iterate goes it, and each step that is found can be drawn afterwards.

    A notebook shows all steps, each with its picture below its sentence.

    Parameters
    ----------
    walker : Walker
    until : int, optional
        The most steps.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> pictures = StepPictures(Walker(Solver(model)))
    >>> print(*[step.sentence for step in pictures], *pictures.files(), sep="\\n")
    hidden single · 3 in row fits only C: C = 3
    001-hidden-single.svg
    """

    def __init__(self, walker: Walker, until: int | None = None) -> None:
        self._walker, self._until = walker, until
        self._shown: list[ShownStep] = []
        self._plan = Plan(walker.board.program.model)

    def __iter__(self) -> Iterator[Step]:
        for shown in shown_steps(self._walker, self._until):
            self._shown.append(shown)
            yield shown.step

    def files(self) -> dict[str, str]:
        """The steps so far as SVG, each by the name of a file."""
        return {name: step_svg(self._plan, one) for name, one in zip(self._names, self._shown, strict=True)}

    @property
    def _names(self) -> list[str]:
        return [f"{i:03}-{_slug(one.step.technique)}.svg" for i, one in enumerate(self._shown, 1)]

    def earlier(self, folder: Path) -> list[Path]:
        """The pictures of steps that another walk has left in a folder: numbered, with the name of a technique."""
        own = re.compile(f"[0-9]{{3,}}-(?:{'|'.join(map(re.escape, map(_slug, TECHNIQUES)))})\\.svg")
        names = {*self._names}
        return [path for path in sorted(folder.glob("*.svg")) if own.fullmatch(path.name) and path.name not in names]

    def _repr_html_(self) -> str:
        """Without steps so far, the walk is gone first."""
        for _ in self if not self._shown else ():
            pass
        figures = [(one.step.sentence, figure(one.step.sentence, step_svg(self._plan, one))) for one in self._shown]
        return "\n".join(
            f"<details{' open' * (not i)}><summary>{i + 1}. {escape(words)}</summary>{picture}</details>"
            for i, (words, picture) in enumerate(figures)
        )

    def page(
        self, ending: str, title: str = "", note: str = "", source: str = "", included: Mapping[str, str] | None = None
    ) -> str:
        """One HTML file in which the steps so far play, as ``csp.render.player`` plays a trace.

        Parameters
        ----------
        ending : str
            How they end, in a sentence.
        title, note, source, included
            As for ``csp.render.player``.
        """
        walker, plan = self._walker, self._plan
        ends = [step_svg(plan, one) for one in self._shown[:1]]
        still = Scene(title=ending, domains=walker.left, pencil=walker.pencil)
        ends.append(_captioned(plan, picture(plan, still, "grid"), ending))
        return page(self.playable(ending, title, note, source, included), ends)

    def playable(
        self, ending: str, title: str = "", note: str = "", source: str = "", included: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """What ``show`` of a page takes, as ``csp.render.playable`` makes it; the same parameters as ``page``.

        Each step has its ``hints``, where to look and which technique it takes, and ``where`` that is, as numbers.
        """
        walker, plan = self._walker, self._plan
        data = steps_film(plan, self._shown, (walker.left, walker.pencil), ending, walker.ending == "solved")
        for record, shown in zip(data["records"], self._shown, strict=False):
            hint, numbers = Hint("step", shown.step), {v: i for i, v in enumerate(plan.model.domains)}
            record["hints"] = [hint.text(1), hint.text(2)]
            record["where"] = sorted(numbers[v] for v in hint.places if v in numbers)
        about = f"{len(plan.model.domains):,} variables · {plain_counted(len(self._shown), 'step')}"
        texts = {"title": title or "step by step", "about": about, "note": note}
        return {**texts, "sources": {"": source, **(included or {})}, **data}


def _slug(technique: str) -> str:
    return technique.lower().replace(" ", "-")


def step_svg(plan: Plan, shown: ShownStep) -> str:
    """A step, with what it says.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [one] = shown_steps(Walker(Solver(model)))
    >>> "3 in row fits only C" in step_svg(Plan(model), one)
    True
    """
    drawn = step_shapes(plan, shown)
    return _captioned(plan, drawn, "\n".join(shown.step.lines), legend_entries(drawn))


def hint_svg(model: Model, hint: Hint, level: HintLevel = 3) -> str:
    """A hint as SVG: the picture of a step, of which the level uncovers as much as of its text; else the board.

    Parameters
    ----------
    model : Model
    hint : Hint
    level : {1, 2, 3}
        1 has the places to look at shaded, 2 says also which technique it is, 3 is all of it.

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.explain import hint
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> found = hint(Solver(model))
    >>> ["hidden single" in hint_svg(model, found, level) for level in (1, 2, 3)]
    [False, True, True]
    """
    plan, text = Plan(model), hint.text(level)
    if hint.step is not None:
        drawn = step_shapes(plan, show_step(hint.step, hint.left, hint.pencil), level)
        return _captioned(plan, drawn, text, legend_entries(drawn) if level == WHAT else ())
    drawn = picture(plan, Scene(title=text, domains=hint.left, pencil=hint.pencil), "grid")
    for v, _ in hint.wrong:
        drawn.append(box("nothing", plan.layout.points[v], plan.layout.size(v), corner=4)._replace(layer=OVER))
    return _captioned(plan, drawn, text)


def _captioned(plan: Plan, drawn: Sequence[Shape], title: str, entries: Sequence[LegendEntry] = ()) -> str:
    """A picture with what it says below."""
    (left, _), (right, _) = extent(plan, "grid")
    bottom = bounding_box(drawn)[1][1]
    below = legend_caption(title, entries, max(WIDTH, right - left))
    return svg([*drawn, *(mark.shifted((left, bottom)) for mark in below)])
