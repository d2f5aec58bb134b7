"""Write the frames of a trace as numbered picture files or an animation.

``csp draw`` calls it; Graphviz draws the files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from ..base.files import write_whole
from ..base.notation import intervals
from ..engine.solver.solver import solve
from ..model import Model, Value
from ..picture.frames import Frame, frames, step_frames
from ..picture.legend import MATCHING, STAGES, legend_caption
from ..picture.matching import has_active_group, matching_picture, stages_picture
from ..picture.plan import Plan
from ..picture.scene import Scene
from ..picture.shapes import bounding_box
from ..trace import Trace
from .animation import ANIMATION_FORMATS, animation, animation_pictures, check_formats, set_resolution
from .dot.dot import common_room, dot, is_frame
from .dot.drawing import draw
from .painter import MIN_WIDTH, Captioned, Painter
from .solved import puzzle_shapes, shown_plan, solution_shapes, without_headers
from .svg import svg

BATCH_SIZE = 20
"""Number of pictures that one run of Graphviz draws; they are in memory at the same time."""
GROUP_LENSES = {"matching": matching_picture, "stages": stages_picture}
"""Lenses that draw only groups of different values, each with the function that draws them."""
PUZZLE = "puzzle"
"""Name of the lens that draws the printed puzzle and its solution."""

OWN_NAME = re.compile(
    r"[0-9]{3,}-(?:network|givens|rules-[0-9]+|round-[0-9]+|fixpoint|decision-[0-9]+|failure|restart|solution)"
)
"""File names of frames of a whole trace. Pictures of single steps do not match, because users collect them."""


class WrittenFiles(list[Path]):
    """The paths of written files, with counts of omitted frames and removed files.

    Attributes
    ----------
    omitted : int
        Number of frames that were not written because of the limit.
    removed : int
        Number of files of an earlier run that were removed.
    not_drawn : sequence of str
        The clauses and drawings of the spec that the printed puzzle leaves out.
    """

    omitted = removed = 0
    not_drawn: Sequence[str] = ()


def write_frames(
    trace: Trace,
    folder: Path,
    formats: Sequence[str] = ("svg",),
    limit: int = 100,
    lens: str | None = None,
    steps: tuple[int, int] | None = None,
    speed: float = 1,
    scale: float = 1,
) -> WrittenFiles:
    """Write the numbered pictures (frames) of a trace as picture files and DOT texts.

    The files are named ``000-network.dot``, ``000-network.svg``, ``001-givens.dot`` and so on. After writing, the
    function removes numbered pictures of an earlier run from the folder. It recognizes them by their DOT texts.
    With ``steps`` it removes nothing, and it never removes pictures of single steps.

    Parameters
    ----------
    trace : csp.Trace
    folder : Path
        The output folder; created if it does not exist.
    formats : sequence of {"svg", "png", "gif", "apng", "webm", "mp4"}
        Formats to write in addition to DOT; from ``gif`` on, one animation of all frames, without legends.
    limit : int
        Maximum number of frames to write.
    lens : str, optional
        As for ``csp.render.painter.Painter``, or one of three more. ``matching`` draws the steps of groups as bipartite
        graphs of variables and values. ``stages`` draws each of these steps as four graphs, from a matching to the
        removed values. ``puzzle`` draws the puzzle as printed, and its solution if it has one.
    steps : (int, int), optional
        First and last step to draw, one frame each, instead of rounds, decisions and fixpoints.
    speed : float
        Factor on the speed of the animation; at 1 each picture lasts 1.2 seconds.
    scale : float
        Factor on the width and height of PNG pictures in pixels.

    Returns
    -------
    WrittenFiles
        The paths of the files, with the number of frames that the limit omitted and of old files that were removed.

    Raises
    ------
    OSError
        If a file cannot be written. Files that were written before the error are complete.
    DrawingError
        If a picture format is requested and Graphviz, or for a video the package av, is not available.

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
    check_formats(formats)
    folder.mkdir(parents=True, exist_ok=True)
    make_frames, draw_frame, omissions = _source(trace, lens, steps)
    room = common_room(
        (captioned.shapes, captioned.caption) for captioned in map(draw_frame, islice(make_frames(), limit))
    )
    # Draw the frames in batches, and write each picture as soon as it is drawn.
    sequence = iter(make_frames())
    limited = islice(sequence, limit)
    width = max(3, len(str(limit - 1)))
    paths = WrittenFiles()
    while batch := list(islice(limited, BATCH_SIZE)):
        dots = [dot(*draw_frame(frame), room) for frame in batch]
        pictures = {"dot": [dot.encode() for dot in dots]}
        pictures |= {
            format: draw(set_resolution(dots, scale) if format == "png" else dots, format)
            for format in formats
            if format not in ANIMATION_FORMATS
        }
        for i, name in enumerate(_file_names(batch, width)):
            for suffix, contents in pictures.items():
                paths.append(folder / f"{name}.{suffix}")
                write_whole(paths[-1], contents[i])
    # Draw the pictures again without legends, and join them into animations.
    chosen_formats = [format for format in ANIMATION_FORMATS if format in formats]
    drawn = animation_pictures(map(draw_frame, islice(make_frames(), limit)), scale) if chosen_formats else []
    for format in chosen_formats if drawn else ():
        paths.append(folder / f"animation.{'png' if format == 'apng' else format}")
        write_whole(paths[-1], animation(drawn, format, speed))
    paths.omitted, paths.not_drawn = sum(1 for _ in sequence), omissions
    if not steps and lens not in (*GROUP_LENSES, PUZZLE):
        paths.removed = _remove_stale(folder, {path.stem for path in paths})
    return paths


FORMATS = {f".{format}": format for format in ("svg", "png", "pdf", "dot", *ANIMATION_FORMATS)}
"""The format for each ending of a file with one picture or one animation."""


def write_picture(
    trace: Trace,
    path: Path,
    lens: str | None = None,
    steps: tuple[int, int] | None = None,
    frame: str | None = None,
    speed: float = 1,
    scale: float = 1,
) -> Sequence[str]:
    """Write one numbered picture (frame), or an animation of all, to a file.

    Parameters
    ----------
    trace, lens, steps, speed, scale
        As for ``write_frames``.
    path : Path
        The file; its ending, one of ``FORMATS``, chooses the format. SVG needs no Graphviz.
    frame : str, optional
        The number or the name of the frame, such as ``round-3``; the last frame by default.

    Returns
    -------
    sequence of str
        The clauses and drawings of the spec that the printed puzzle leaves out.

    Raises
    ------
    LookupError
        If no frame has this number or name.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from csp import Model, record
    >>> with TemporaryDirectory() as folder:
    ...     omissions = write_picture(record(Model({"A": (1,)})), Path(folder, "a.svg"))
    ...     print(Path(folder, "a.svg").read_text()[:4])
    <svg
    """
    format = FORMATS[path.suffix.lower()]
    check_formats([format])
    make_frames, draw_frame, omissions = _source(trace, lens, steps)
    sequence = list(make_frames())
    chosen = [candidate for candidate in sequence if frame is None or frame in (candidate.name, str(candidate.number))]
    if not chosen:
        names = ", ".join(_show_names(candidate.name for candidate in sequence)) or "none"
        raise LookupError(f"no picture is called {frame or 'so'}: there are {names}")
    if format == "svg":
        write_whole(path, _svg_picture(draw_frame(chosen[-1 if frame is None else 0]), scale).encode())
        return omissions
    if format in ANIMATION_FORMATS:
        content = animation(animation_pictures(map(draw_frame, sequence), scale), format, speed)
    else:
        captioned = draw_frame(chosen[-1 if frame is None else 0])
        text = dot(*captioned, common_room([(captioned.shapes, captioned.caption)]))
        dots = set_resolution([text], scale) if format == "png" else [text]
        content = text.encode() if format == "dot" else draw(dots, format)[0]
    write_whole(path, content)
    return omissions


def _svg_picture(captioned: Captioned, scale: float) -> str:
    """Return a drawing as SVG, with its caption below."""
    (left, _), (_, bottom) = bounding_box(captioned.shapes)
    return svg([*captioned.shapes, *(shape.shifted((left, bottom)) for shape in captioned.caption)], scale)


def _show_names(names: Iterable[str]) -> Iterator[str]:
    """Yield the names of frames, each once; consecutive numbers as intervals.

    Examples
    --------
    >>> list(_show_names(["network", "round-1", "failure", "round-2", "failure", "round-4"]))
    ['network', 'round-1 to round-2', 'round-4', 'failure']
    """
    kinds: dict[str, list[int]] = {}
    for name in names:
        kind = name.rstrip("0123456789")
        kinds.setdefault(kind, []).extend([int(name.removeprefix(kind))] if name != kind else [])
    for kind, numbers in kinds.items():
        pairs = intervals(sorted({*numbers}))
        yield from (f"{kind}{low} to {kind}{high}" if low < high else f"{kind}{low}" for low, high in pairs)
        if not pairs:
            yield kind


def _source(
    trace: Trace, lens: str | None, steps: tuple[int, int] | None
) -> tuple[Callable[[], Iterable[Frame]], Callable[[Frame], Captioned], Sequence[str]]:
    """Return a maker of frames, a function that draws a frame, and texts of omissions."""
    make_frames: Callable[[], Iterable[Frame]]
    if lens in GROUP_LENSES:
        group_frames = [
            frame
            for frame in step_frames(trace, *(steps or (1, len(trace.records))))
            if has_active_group(trace.model, frame)
        ]
        make_frames = partial(
            map, lambda number, frame: replace(frame, number=number), range(len(group_frames)), group_frames
        )
        return make_frames, partial(draw_groups, trace.model, lens=lens), ()
    if lens == PUZZLE:
        plan = shown_plan(trace.model)
        return partial(iter, list(_printed_frames(trace.model))), partial(_draw_printed, plan), plan.omissions
    make_frames = partial(step_frames, trace, *steps) if steps else partial(frames, trace)
    painter = Painter(trace.model, lens, trace.origins)
    return make_frames, painter.parts, painter.plan.omissions


def draw_groups(model: Model, scene: Scene, lens: str = "matching") -> Captioned:
    """Return a captioned drawing of a scene's active all-different constraints."""
    shapes = GROUP_LENSES[lens](model, scene)
    (left, _), (right, _) = bounding_box(shapes)
    used_entries = [entry for entry in (STAGES if lens == "stages" else MATCHING) if entry.is_in(shapes)]
    caption = legend_caption(scene.title, used_entries, max(MIN_WIDTH, right - left))
    return Captioned(shapes, scene.title.splitlines()[0], caption)


def _printed_frames(model: Model) -> Iterator[Frame]:
    """Yield a frame of the printed puzzle, and one of its solution, if any."""
    yield Frame(number=0, name="puzzle", title="", domains=model.domains)
    solution = solve(model)
    if solution is not None:
        yield Frame(number=1, name="solution", title="", domains={v: (solution[v],) for v in model.domains})


def _draw_printed(plan: Plan, frame: Frame) -> Captioned:
    """Return a drawing of the printed puzzle for frame 0, of its solution for others."""
    values: dict[str, Value] = {v: domain[0] for v, domain in frame.domains.items()}
    shapes = without_headers(plan, solution_shapes(plan, values) if frame.number else puzzle_shapes(plan))
    return Captioned(list(shapes), frame.name, [])


def _remove_stale(folder: Path, written_stems: Collection[str]) -> int:
    """Delete an earlier run's pictures and DOT texts; return the number of files.

    A picture is removed only if this program wrote the DOT text beside it.
    """
    stale_texts = [
        dot_text
        for dot_text in sorted(folder.glob("*.dot"))
        if OWN_NAME.fullmatch(dot_text.stem)
        and dot_text.stem not in written_stems
        and dot_text.is_file()
        and is_frame(dot_text)
    ]
    files = [
        path for dot_text in stale_texts for path in (dot_text.with_suffix(f".{s}") for s in ("svg", "png", "dot"))
    ]
    stale_files = [path for path in files if path.is_file()]
    for path in stale_files:
        path.unlink()
    return len(stale_files)


def _file_names(batch: Sequence[Frame], width: int) -> Iterator[str]:
    return (f"{frame.number:0{width}}-{frame.name}" for frame in batch)
