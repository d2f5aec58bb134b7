"""Steps of techniques as pictures: one SVG for each, a page that plays them, and a hint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..explain.steps.hints import Hint, HintLevel
from ..explain.steps.walk import Step, Walker
from ..model import Model
from ..picture.explained.links import WHAT, Shown, linked, shown_in, shown_steps, signs
from ..picture.legend import Entry, caption
from ..picture.marks import OVER, Mark, bounds, box
from ..picture.picture import extent, picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.style import counted
from .page.player import page
from .page.steps import steps_film
from .painter import WIDTH
from .svg import svg


class StepPictures:
    """The pictures of a walk: to iterate goes it, and each step that is found can be drawn afterwards.

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
        self._shown: list[Shown] = []
        self._plan = Plan(walker.board.program.model)

    def __iter__(self) -> Iterator[Step]:
        for shown in shown_steps(self._walker, self._until):
            self._shown.append(shown)
            yield shown.step

    def files(self) -> dict[str, str]:
        """The steps so far as SVG, each by the name of a file."""
        names = (one.step.technique.lower().replace(" ", "-") for one in self._shown)
        return {f"{i:03}-{name}.svg": step_svg(self._plan, self._shown[i - 1]) for i, name in enumerate(names, 1)}

    def page(
        self, ending: str, title: str = "", note: str = "", source: str = "", included: Mapping[str, str] | None = None
    ) -> str:
        """One HTML file in which the steps so far play, as ``csp.paint.player`` plays a trace.

        Parameters
        ----------
        ending : str
            How they end, in a sentence.
        title, note, source, included
            As for ``csp.paint.player``.
        """
        walker, plan = self._walker, self._plan
        is_solved = walker.ending == "solved"
        data = steps_film(plan, self._shown, (walker.left, walker.pencil), ending, is_solved)
        ends = [step_svg(plan, one) for one in self._shown[:1]]
        still = Scene(title=ending, domains=walker.left, pencil=walker.pencil)
        ends.append(_captioned(plan, picture(plan, still, "grid"), ending))
        about = f"{len(plan.model.domains):,} variables · {counted(len(self._shown), 'step')}"
        texts = {"title": title or "step by step", "about": about, "note": note}
        return page({**texts, "sources": {"": source, **(included or {})}, **data}, ends)


def step_svg(plan: Plan, shown: Shown) -> str:
    """A step, with what it says.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [one] = shown_steps(Walker(Solver(model)))
    >>> "3 in row fits only C" in step_svg(Plan(model), one)
    True
    """
    drawn = linked(plan, shown)
    return _captioned(plan, drawn, "\n".join(shown.step.lines), signs(drawn))


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
        drawn = linked(plan, shown_in(hint.step, hint.left, hint.pencil), level)
        return _captioned(plan, drawn, text, signs(drawn) if level == WHAT else ())
    drawn = picture(plan, Scene(title=text, domains=hint.left, pencil=hint.pencil), "grid")
    for v, _ in hint.wrong:
        drawn.append(box("nothing", plan.layout.points[v], plan.layout.size(v), corner=4)._replace(layer=OVER))
    return _captioned(plan, drawn, text)


def _captioned(plan: Plan, drawn: Sequence[Mark], title: str, entries: Sequence[Entry] = ()) -> str:
    """A picture with what it says below."""
    (left, _), (right, _) = extent(plan, "grid")
    bottom = bounds(drawn)[1][1]
    below = caption(title, entries, max(WIDTH, right - left))
    return svg([*drawn, *(mark.shifted((left, bottom)) for mark in below)])
