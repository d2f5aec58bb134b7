"""Write a printable worksheet: pictures with blanks to fill in, and the answers.

``csp worksheet`` calls it; the page has no scripts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

from ...base.notation import counted
from ...model import Variable
from ...picture.frames import Frame, frames, step_frames
from ...picture.layout.layout import FEW
from ...picture.legend import entries, legend
from ...picture.picture import picture
from ...picture.plan import Plan
from ...picture.scene import Scene
from ...trace import Removal, Trace, show_removed, show_why
from ..svg import svg

QUESTIONS = {
    "removed": "Which values are removed? Strike them out.",
    "queue": "Which are marked (*) afterwards?",
    "reason": "Which constraint is active, and why?",
}
"""For each part that can be hidden, the question about it."""
HOLE_NAMES = {"removed": "removed", "queue": "marked afterwards", "reason": "reason"}
"""The title of each part, where it is shown."""
LINE_COUNTS = {"removed": 0, "queue": 1, "reason": 2}
"""Number of lines to write on; removed values are struck out in the picture instead."""
LEGEND_WIDTH = 620.0
"""Width of the legend, in points."""


class Task(NamedTuple):
    """A task of a worksheet: a picture with blanks, a question and its answer.

    Attributes
    ----------
    title : str
        The name of the frame, which does not reveal the answer.
    question : Scene
        The scene without the hidden parts.
    answer : Scene
        The complete scene.
    texts : dict of str to str
        The text of each part by its key in ``QUESTIONS``; a round has no single reason, and so no text for it.
    """

    title: str
    question: Scene
    answer: Scene
    texts: dict[str, str]


def worksheet(
    trace: Trace,
    hide: Collection[str] = ("removed",),
    steps: tuple[int, int] | None = None,
    lens: str | None = None,
    title: str = "",
) -> str:
    """Return an HTML worksheet of pictures with blanks; the answers are on a new page.

    Parameters
    ----------
    trace : csp.Trace
    hide : collection of {"removed", "queue", "reason"}
        The parts to hide. If ``removed`` is hidden, a picture shows the domains before the removal; if ``queue`` is
        hidden, it shows no asterisks.
    steps : (int, int), optional
        First and last step to ask about, instead of rounds and propagators; only single steps have reasons.
    lens : str, optional
        As for ``csp.render.painter.Painter``.
    title : str

    Returns
    -------
    str
        A complete HTML document without scripts, which loads nothing; empty if these frames remove nothing.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])
    >>> page = worksheet(record(model), ["reason"], (1, 1))
    >>> page.count('class="line"'), "<b>reason</b>: pair: A = 1" in page
    (2, True)
    """
    found_tasks = list(tasks(trace, hide, steps))
    if not found_tasks:
        return ""
    plan = Plan(trace.model, trace.origins)
    lens = lens or plan.lens
    holes = [name for name in QUESTIONS if name in hide]
    shapes = [
        shape for task in found_tasks for scene in (task.question, task.answer) for shape in picture(plan, scene, lens)
    ]
    used_entries = [entry for entry in entries(plan, lens) if entry.is_in(shapes)]
    return sheet(
        title or "worksheet",
        f"{counted(len(found_tasks), 'picture')}; the key is at the end.",
        tasks=[_question_html(plan, lens, task, holes) for task in found_tasks],
        key=[_answer_html(plan, lens, task, holes) for task in found_tasks],
        legend=svg(legend(used_entries, LEGEND_WIDTH, 0), attributes=' role="img" aria-label="Signs"'),
        is_large=len(trace.model.domains) > FEW,
    )


def sheet(
    title: str,
    about: str,
    *,
    tasks: Sequence[str],
    key: Sequence[str],
    legend: str = "",
    is_large: bool = False,
    is_wide: bool = False,
) -> str:
    """Return a printable HTML page from sections of tasks and list items of the key.

    The pictures of the tasks are high if ``is_large``; the pictures of the key are as wide as the page if ``is_wide``.

    Examples
    --------
    >>> "<h1>pairs</h1>" in sheet("pairs", "1 picture", tasks=["<section></section>"], key=["<li></li>"])
    True
    """
    text = (files(__package__) / "worksheet.html").read_text(encoding="utf-8")
    return Template(text).substitute(
        title=escape(title),
        about=escape(about),
        legend=legend,
        size=' class="large"' if is_large else "",
        width=" wide" if is_wide else "",
        tasks="\n".join(tasks),
        key="\n".join(key),
    )


def tasks(trace: Trace, hide: Collection[str], steps: tuple[int, int] | None = None) -> Iterator[Task]:
    """Yield a task for each picture of a trace that removes values.

    Givens and failures have none.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])
    >>> [task] = tasks(record(model), ["removed"])
    >>> task.title, task.question.domains["B"], task.texts["removed"]
    ('round 1', (1, 2), '1 from B')
    """
    removals_of_step: dict[str, list[Removal]] = {}
    for record in trace.records:
        if isinstance(record, Removal):
            removals_of_step.setdefault(f"step-{record.step}", []).append(record)
    marked: tuple[Variable, ...] = ()
    for frame in step_frames(trace, 1, steps[1]) if steps else frames(trace):
        removals = removals_of_step.get(frame.name, [])
        first = not steps or (bool(removals) and removals[0].step >= steps[0])
        is_given = frame.name == "givens" or (bool(removals) and all(removal.kind == "given" for removal in removals))
        if first and frame.removed and frame.name != "failure" and not is_given:
            yield _task(trace, frame, removals, marked, hide)
        marked = frame.marked


def _task(
    trace: Trace, frame: Frame, removals: Sequence[Removal], marked: tuple[Variable, ...], hide: Collection[str]
) -> Task:
    """Make a task from a frame of a trace, whose parts in ``hide`` become questions."""
    answer = Scene(**{name: value for name, value in vars(frame).items() if name not in ("number", "name")})
    question = answer
    removed = {*frame.removed}
    if "removed" in hide:
        domains = {
            v: tuple(value for value in domain if value in frame.domains[v] or (v, value) in removed)
            for v, domain in trace.model.domains.items()
        }
        question = replace(question, domains=domains, removed=(), marked=marked, along=(), losses=())
    if "queue" in hide:
        question = replace(question, marked=())
    if "reason" in hide:
        question = replace(question, causes=(), reasons={}, active=(), constraints=(), along=(), losses=())
    order = [(v, value) for v, domain in trace.model.domains.items() for value in domain if (v, value) in removed]
    texts = {"removed": show_removed(order), "queue": ", ".join(frame.marked) or "none"}
    if removals:
        texts["reason"] = "; ".join(dict.fromkeys(map(show_why, removals)))
    return Task(frame.name.replace("-", " "), question, answer, texts)


def _question_html(plan: Plan, lens: str, task: Task, holes: Sequence[str]) -> str:
    """Return a task as HTML: picture, known texts, and questions."""
    name_order = ["reason", "removed", *(["queue"] if "removed" not in holes else [])]
    names = [name for name in name_order if name in task.texts and name not in holes]
    rows = [f'<dt class="given">{HOLE_NAMES[name]}: {escape(task.texts[name])}</dt>' for name in names]
    blank = '<span class="line"></span>'
    rows += [f"<dt>{QUESTIONS[name]}</dt><dd>{blank * LINE_COUNTS[name]}</dd>" for name in holes]
    drawn = _task_svg(plan, lens, task.question)
    return f"<section><h2>{escape(task.title)}</h2>{drawn}<dl>{''.join(rows)}</dl></section>"


def _answer_html(plan: Plan, lens: str, task: Task, holes: Sequence[str]) -> str:
    """Return the answers to a task as an HTML list item."""
    rows = "".join(f"<dd><b>{HOLE_NAMES[name]}</b>: {escape(task.texts[name])}</dd>" for name in holes)
    drawn = _task_svg(plan, lens, task.answer)
    return f"<li><h2>{escape(task.title)}</h2>{drawn}<dl>{rows}</dl></li>"


def _task_svg(plan: Plan, lens: str, scene: Scene) -> str:
    return svg(picture(plan, scene, lens), attributes=' role="img"')
