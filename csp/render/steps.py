"""Draw the steps of solving techniques as SVG files, pages and hints.

``csp explain`` and ``csp hint`` call it; ``csp.picture.explained.links`` has the shapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from ..explain.steps.hints import Hint, HintDetail, hint_of_step
from ..explain.steps.techniques import TECHNIQUES
from ..explain.steps.walk import Step, Walker
from ..explain.words.simple import SimpleWords
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
from .painter import MIN_WIDTH
from .svg import svg


class StepPictures:
    """The steps of a solution path, which can also be written as pictures.

    Iterating over the object runs the walker and yields its steps. The steps so far can then be drawn as files or as a
    page. A notebook shows all steps, each with its picture below its sentence.

    Parameters
    ----------
    walker : Walker
        The search for steps of techniques.
    until : int, optional
        Maximum number of steps.
    words : SimpleWords, optional
        Short sentences in some language, instead of the sentences of the steps.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> pictures = StepPictures(Walker(Solver(model)))
    >>> print(*[step.sentence for step in pictures], *pictures.files(), sep="\\n")
    hidden single · 3 in row fits only C: C = 3
    001-hidden-single.svg
    """

    def __init__(self, walker: Walker, until: int | None = None, words: SimpleWords | None = None) -> None:
        self._walker, self._limit, self._words = walker, until, words
        self._steps: list[ShownStep] = []
        self._plan = Plan(walker.board.program.model)

    def __iter__(self) -> Iterator[Step]:
        for shown in shown_steps(self._walker, self._limit):
            self._steps.append(shown)
            yield shown.step

    def files(self) -> dict[str, str]:
        """Return the SVG picture of each step found so far, by file name."""
        return {
            name: step_svg(self._plan, shown, self._words) for name, shown in zip(self._names, self._steps, strict=True)
        }

    @property
    def _names(self) -> list[str]:
        return [f"{i:03}-{_file_stem(shown.step.technique)}.svg" for i, shown in enumerate(self._steps, 1)]

    def earlier(self, folder: Path) -> list[Path]:
        """Return the pictures in ``folder`` of earlier runs that this run does not overwrite."""
        step_name = re.compile(f"[0-9]{{3,}}-(?:{'|'.join(map(re.escape, map(_file_stem, TECHNIQUES)))})\\.svg")
        names = {*self._names}
        return [
            path for path in sorted(folder.glob("*.svg")) if step_name.fullmatch(path.name) and path.name not in names
        ]

    def _repr_html_(self) -> str:
        """Return all steps as HTML for a notebook; find them first if none is known."""
        for _ in self if not self._steps else ():
            pass
        figures = [
            (shown.step.sentence, figure(shown.step.sentence, step_svg(self._plan, shown, self._words)))
            for shown in self._steps
        ]
        return "\n".join(
            f"<details{' open' * (not i)}><summary>{i + 1}. {escape(words)}</summary>{picture}</details>"
            for i, (words, picture) in enumerate(figures)
        )

    def page(
        self, ending: str, title: str = "", note: str = "", source: str = "", included: Mapping[str, str] | None = None
    ) -> str:
        """Return an HTML page that plays the steps found so far, like a trace.

        Parameters
        ----------
        ending : str
            A sentence about the result, the caption of the last frame.
        title, note, source, included
            As for ``csp.render.player``.
        """
        walker, plan = self._walker, self._plan
        ends = [step_svg(plan, shown, self._words) for shown in self._steps[:1]]
        still = Scene(title=ending, domains=walker.left, pencil=walker.pencil)
        ends.append(_svg_with_caption(plan, picture(plan, still, "grid"), ending))
        return page(self.playable(ending, title, note, source, included), ends)

    def playable(
        self, ending: str, title: str = "", note: str = "", source: str = "", included: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the steps found so far as data for the player of the page.

        The parameters are as for ``page``. Each record also has ``hints``, two texts that name the place and the
        technique of its step, and ``where``, the numbers of the variables to look at.
        """
        walker, plan, words = self._walker, self._plan, self._words
        last = walker.left, walker.pencil
        data = steps_film(plan, self._steps, last, ending, walker.ending == "solved", words)
        # The last record is the ending, which has no hint.
        for record, shown in zip(data["records"], self._steps, strict=False):
            hint, numbers = hint_of_step(shown.step, walker), {v: i for i, v in enumerate(plan.model.domains)}
            text = hint.text if words is None else partial(words.hint_text, hint)
            record["hints"] = [text(1), text(2)]
            record["where"] = sorted(numbers[v] for v in hint.places if v in numbers)
        about = f"{len(plan.model.domains):,} variables · {plain_counted(len(self._steps), 'step')}"
        texts = {"title": title or "step by step", "about": about, "note": note}
        return {**texts, "sources": {"": source, **(included or {})}, **data}


def _file_stem(technique: str) -> str:
    return technique.lower().replace(" ", "-")


def step_svg(plan: Plan, shown: ShownStep, words: SimpleWords | None = None) -> str:
    """Return a step's picture as SVG, with its explanation below.

    With ``words``, the explanation is in short sentences.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [shown] = shown_steps(Walker(Solver(model)))
    >>> "3 in row fits only C" in step_svg(Plan(model), shown)
    True
    """
    shapes = step_shapes(plan, shown)
    lines = shown.step.lines if words is None else words.lines(shown.step)
    return _svg_with_caption(plan, shapes, "\n".join(lines), legend_entries(shapes))


def hint_svg(model: Model, hint: Hint, detail: HintDetail = 3, words: SimpleWords | None = None) -> str:
    """Return a hint as SVG: its step, or the board with wrong values framed.

    Parameters
    ----------
    model : Model
    hint : Hint
    detail : {1, 2, 3}
        1 shades the places to look at, 2 also names the technique, 3 draws the whole step.
    words : SimpleWords, optional
        Short sentences in some language, instead of the text of the hint.

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> from csp.explain import hint
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> found = hint(Solver(model))
    >>> ["hidden single" in hint_svg(model, found, detail) for detail in (1, 2, 3)]
    [False, True, True]
    """
    plan, text = Plan(model), hint.text(detail) if words is None else words.hint_text(hint, detail)
    if hint.step is not None:
        shapes = step_shapes(plan, show_step(hint.step, hint.left, hint.pencil), detail)
        return _svg_with_caption(plan, shapes, text, legend_entries(shapes) if detail == WHAT else ())
    shapes = picture(plan, Scene(title=text, domains=hint.left, pencil=hint.pencil), "grid")
    # Frame the variables whose values are wrong.
    for v, _ in hint.wrong:
        shapes.append(box("nothing", plan.layout.points[v], plan.layout.size(v), corner=4)._replace(layer=OVER))
    return _svg_with_caption(plan, shapes, text)


def _svg_with_caption(plan: Plan, shapes: Sequence[Shape], title: str, entries: Sequence[LegendEntry] = ()) -> str:
    """Return a picture as SVG, with a title and a legend below it."""
    (left, _), (right, _) = extent(plan, "grid")
    bottom = bounding_box(shapes)[1][1]
    caption = legend_caption(title, entries, max(MIN_WIDTH, right - left))
    return svg([*shapes, *(shape.shifted((left, bottom)) for shape in caption)])
