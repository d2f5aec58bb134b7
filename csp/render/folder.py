"""Numbered pictures in a folder, and the same pictures as one that moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path

from ..base.files import write_whole
from ..engine.solver.once import solve
from ..model import Model, Value
from ..picture.frames import Frame, frames, step_frames
from ..picture.legend import MATCHING, STAGES, legend_caption
from ..picture.matching import has_active_group, matching_picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import bounding_box
from ..picture.stages import stages_picture
from ..trace import Trace
from .dot.dot import common_room, dot, is_frame
from .dot.drawing import draw
from .painter import WIDTH, Captioned, Painter
from .solved import puzzle_marks, shown_plan, solution_marks, without_headers

BATCH = 20
"""Pictures drawn by one run of Graphviz, which are in memory together."""
SECOND, END = 1200, 3
"""How long a picture of an animation stays, in milliseconds, and how many times longer the last one."""
OF_GROUPS = {"matching": matching_picture, "stages": stages_picture}
"""Lenses that draw groups alone."""
PUZZLE = "puzzle"
"""The lens of two pictures: what is printed, and its solution."""

MOVING = ("gif", "apng")
"""Formats that are one animation of all pictures."""


OWN = re.compile(r"[0-9]{3,}-(?:network|givens|filters|round-[0-9]+|fixpoint|decision-[0-9]+|failure|restart|solution)")
"""The names of pictures of a whole trace; those of single steps may be gathered in a folder on purpose."""


class Written(list[Path]):
    """The files that were written, in order.

    Attributes
    ----------
    omitted : int
        How many frames the limit has left out.
    removed : int
        How many pictures of an earlier run were removed.
    """

    omitted = removed = 0


def write_frames(
    trace: Trace,
    folder: Path,
    formats: Sequence[str] = ("svg",),
    limit: int = 100,
    lens: str | None = None,
    steps: tuple[int, int] | None = None,
    speed: float = 1,
    scale: float = 1,
) -> Written:
    """Write the frames of a trace as ``000-network.dot``, ``000-network.svg``, ``001-givens.dot`` and so on.

    When all are written, the numbered pictures that an earlier run has left in the folder are removed, with their DOT
    texts, by which they are known. With ``steps`` they stay, and pictures of steps always do.

    Parameters
    ----------
    trace : csp.Trace
    folder : Path
        Made if there is none.
    formats : sequence of {"svg", "png", "gif", "apng"}
        Besides the DOT texts, which are always written; ``gif`` and ``apng`` are one animation of all frames.
    limit : int
        The most frames to write.
    lens : str, optional
        As for ``csp.render.painter.Painter``; ``matching`` draws the steps of groups as bipartite graphs of variables
        and values, and ``stages`` each as four of them, from a matching to what goes. ``puzzle`` draws the puzzle as
        it is printed, and its solution if the trace has one.
    steps : (int, int), optional
        Draw each step of this range, instead of rounds, decisions and fixpoints.
    speed : float
        How many times faster an animation runs than a picture each 1.2 seconds.
    scale : float
        How many times larger pixels are drawn.

    Returns
    -------
    Written
        A list of the files, which also says how many frames the limit has left out, and how many files of an earlier
        run are gone.

    Raises
    ------
    OSError
        If a file cannot be written; a file that exists is whole.
    DrawingError
        If pictures are asked for and there is no Graphviz.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from csp import Model, record
    >>> trace = record(Model({"A": (1,)}))
    >>> with TemporaryDirectory() as folder:
    ...     written = write_frames(trace, Path(folder), formats=())
    >>> [path.name for path in written], written.omitted
    (['000-network.dot'], 0)
    """
    folder.mkdir(parents=True, exist_ok=True)
    every: Callable[[], Iterable[Frame]]
    parts: Callable[[Frame], Captioned]
    if lens in OF_GROUPS:
        working = [
            one for one in step_frames(trace, *(steps or (1, len(trace.records)))) if has_active_group(trace.model, one)
        ]
        every = partial(map, lambda number, one: replace(one, number=number), range(len(working)), working)
        parts = partial(matching_parts, trace.model, lens=lens)
    elif lens == PUZZLE:
        every, parts = partial(iter, list(_printed(trace.model))), partial(_printed_parts, shown_plan(trace.model))
    else:
        every = partial(step_frames, trace, *steps) if steps else partial(frames, trace)
        parts = Painter(trace.model, lens, trace.origins).parts
    room = common_room((one.marks, one.caption) for one in map(parts, islice(every(), limit)))
    sequence = iter(every())
    shown = islice(sequence, limit)
    width = max(3, len(str(limit - 1)))
    paths = Written()
    moving: list[bytes] = []
    while batch := list(islice(shown, BATCH)):
        dots = [dot(*parts(frame), room) for frame in batch]
        pictures = {"dot": [dot.encode() for dot in dots]}
        pictures |= {form: draw(_scaled(dots, form, scale), form) for form in formats if form not in MOVING}
        if not set(formats).isdisjoint(MOVING):
            moving += pictures.get("png") or draw(_scaled(dots, "png", scale), "png")
        for i, name in enumerate(_names(batch, width)):
            for suffix, contents in pictures.items():
                paths.append(folder / f"{name}.{suffix}")
                write_whole(paths[-1], contents[i])
    for form in MOVING:
        if moving and form in formats:
            paths.append(folder / f"animation.{'png' if form == 'apng' else form}")
            write_whole(paths[-1], _animation(moving, form, speed))
    paths.omitted = sum(1 for _ in sequence)
    if not steps and lens not in (*OF_GROUPS, PUZZLE):
        paths.removed = _clear(folder, {path.stem for path in paths})
    return paths


def matching_parts(model: Model, scene: Scene, lens: str = "matching") -> Captioned:
    """Return the groups at work in a scene, and below them the signs that they have."""
    marks = OF_GROUPS[lens](model, scene)
    (left, _), (right, _) = bounding_box(marks)
    seen = [entry for entry in (STAGES if lens == "stages" else MATCHING) if entry.is_in(marks)]
    caption = legend_caption(scene.title, seen, max(WIDTH, right - left))
    return Captioned(marks, scene.title.splitlines()[0], caption)


def _printed(model: Model) -> Iterator[Frame]:
    """The puzzle, and its solution."""
    yield Frame(number=0, name="puzzle", title="", domains=model.domains)
    solution = solve(model)
    if solution is not None:
        yield Frame(number=1, name="solution", title="", domains={v: (solution[v],) for v in model.domains})


def _printed_parts(plan: Plan, frame: Frame) -> Captioned:
    values: dict[str, Value] = {v: domain[0] for v, domain in frame.domains.items()}
    marks = without_headers(plan, solution_marks(plan, values) if frame.number else puzzle_marks(plan))
    return Captioned(list(marks), frame.name, [])


def _scaled(dots: Sequence[str], form: str, scale: float) -> Sequence[str]:
    """The same drawings with so many times more pixels, where they have any."""
    if form != "png" or scale == 1:
        return dots
    return [dot.replace("  graph [", f"  graph [dpi={96 * scale:g}, ", 1) for dot in dots]


def _clear(folder: Path, kept: Collection[str]) -> int:
    """Remove what an earlier run has left, and nothing that has no DOT text of ours beside it."""
    stale = [
        text
        for text in sorted(folder.glob("*.dot"))
        if OWN.fullmatch(text.stem) and text.stem not in kept and text.is_file() and is_frame(text)
    ]
    files = [path for text in stale for path in (text.with_suffix(f".{s}") for s in ("svg", "png", "dot"))]
    found = [path for path in files if path.is_file()]
    for path in found:
        path.unlink()
    return len(found)


def _names(batch: Sequence[Frame], width: int) -> Iterator[str]:
    return (f"{frame.number:0{width}}-{frame.name}" for frame in batch)


def _animation(pictures: Sequence[bytes], form: str, speed: float) -> bytes:
    """All pictures as one that repeats; a longer caption makes a picture higher, so all get room for it."""
    from PIL import Image

    opened = [Image.open(BytesIO(picture)) for picture in pictures]  # which reads their sizes only
    size = max(picture.width for picture in opened), max(picture.height for picture in opened)

    def sheets() -> Iterator[Image.Image]:
        for picture in opened:
            sheet = Image.new("RGB", size, "white")
            sheet.paste(picture.convert("RGB"))
            yield (
                sheet if form == "apng" else sheet.quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            )

    first, *more = sheets()
    output = BytesIO()
    second = SECOND / speed
    durations = [round(second)] * len(more) + [round(END * second)]
    kind = "PNG" if form == "apng" else "GIF"
    first.save(output, kind, save_all=True, append_images=more, duration=durations, loop=0)
    return output.getvalue()
