"""Which moments of a trace become numbered pictures, and the folder that they go to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..model import Candidate, Model, Variable
from ..moments import Moment, replay
from ..records import Decision, Failure, Removal, Rest, Round, Solved, Trace, caption, show_removed
from .dot import Painter, Scene, failing, scene
from .drawing import draw

BATCH = 20
"""Pictures drawn by one run of Graphviz, which are in memory together."""


@dataclass(frozen=True, kw_only=True)
class Frame(Scene):
    """A scene with a place in the sequence.

    Attributes
    ----------
    number : int
        From 0.
    name : str
        What it shows, fit for the name of a file: ``network``, ``givens``, ``round-1``, ``fixpoint`` ...
    """

    number: int
    name: str


class Written(list[Path]):
    """The files that were written, in order.

    Attributes
    ----------
    omitted : int
        How many frames the limit has left out.
    """

    omitted = 0


def frames(trace: Trace) -> Iterator[Frame]:
    """The moments of a trace that are worth a picture.

    They are the bare network, the givens, every round that removed something, the fixpoint, and then every
    decision of the search with the fixpoint, failure or solution that it led to.

    Parameters
    ----------
    trace : csp.records.Trace

    Yields
    ------
    Frame
        Marks and domains are those at the end of what the frame shows; what it removed is still seen.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp import record
    >>> trace = record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")]))
    >>> [frame.name for frame in frames(trace)]
    ['network', 'round-1', 'fixpoint']
    """
    for number, (name, shown) in enumerate(_scenes(trace)):
        yield Frame(
            title=shown.title,
            domains=shown.domains,
            marked=shown.marked,
            removed=shown.removed,
            causes=shown.causes,
            active=shown.active,
            number=number,
            name=name,
        )


def _scenes(trace: Trace) -> Iterator[tuple[str, Scene]]:
    moments = list(replay(trace))
    pending: list[Moment] = []  # what the round, or the filters, have removed so far
    last: list[Moment] = []
    number = node = 0
    for moment, following in zip(moments, [*moments[1:], None], strict=True):
        record = moment.record
        if isinstance(record, Removal):
            if pending and _passes(pending[-1]) != _passes(moment):
                if node == 0:
                    yield _together(pending, number)
                pending = []
            pending.append(moment)
            continue
        if pending and node == 0:
            yield _together(pending, number)
        last, pending = pending or last, []
        match record:
            case None:
                yield "network", _network(moment, trace.model)
            case Round():
                number = record.number
            case Rest():
                if not (following and _solves(following)):
                    yield "fixpoint", scene(moment)
            case Solved() if _solves(moment):
                yield "solution", scene(moment)
            case Failure():
                yield "failure", _failure(moment, record, last)
            case Decision():
                node, last = record.node, []
                removal = following.record if following else None
                yield f"decision-{node}", _decision(following or moment, record, removal)
    if pending and node == 0:
        yield _together(pending, number)


def _passes(moment: Moment) -> str:
    """The pass that a removal is part of: the givens, a round, or the filters."""
    assert isinstance(moment.record, Removal)
    kind = moment.record.kind
    return kind if kind in ("given", "filtered") else "round"


def _solves(moment: Moment) -> bool:
    """Whether this is a solution of the whole model, not of a component alone."""
    return isinstance(moment.record, Solved) and all(len(domain) == 1 for domain in moment.domains.values())


def _network(moment: Moment, model: Model) -> Scene:
    title = f"the network · {len(model.domains)} variables · {len(model.constraints)} constraints"
    return Scene(title=title, domains=moment.domains)


def _together(moments: Sequence[Moment], number: int) -> tuple[str, Scene]:
    """What a pass has removed, in one picture."""
    removals = [moment.record for moment in moments if isinstance(moment.record, Removal)]
    removed = tuple(candidate for removal in removals for candidate in removal.removed)
    causes = tuple(dict.fromkeys(variable for removal in removals for variable, _ in removal.cause))
    last = moments[-1]
    narrowed = len({variable for variable, _ in removed})
    what = {"given": "givens", "filtered": "filters", "round": f"round {number}"}[_passes(last)]
    title = (
        f"{what} · removed {_count(len(removed), 'value', 'values')} "
        f"from {_count(narrowed, 'vertex', 'vertices')}"
        f"{f' · fixed {len(causes)}' if causes else ''} · marked {len(last.marked)}"
    )
    shown = Scene(title=title, domains=last.domains, marked=last.marked, removed=removed, causes=causes)
    return what.replace(" ", "-"), shown


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _failure(moment: Moment, record: Failure, last: Sequence[Moment]) -> Scene:
    """The failure, with what was removed just before: the reader sees what the last values were."""
    removed: tuple[Candidate, ...] = ()
    causes: tuple[Variable, ...] = ()
    if last:
        _, before = _together(last, 0)
        removed, causes = before.removed, before.causes
    title = caption(record)
    return Scene(title=title, domains=moment.domains, removed=removed, causes=causes, active=failing(record))


def _decision(moment: Moment, record: Decision, removal: object) -> Scene:
    """The decision, with the values that it takes from its own variable."""
    title = caption(record)
    removed: tuple[Candidate, ...] = ()
    if isinstance(removal, Removal) and removal.kind == "decided":
        removed = removal.removed
        title += f" · removes {show_removed(removed)}"
    active = (record.candidate[0],)
    return Scene(title=title, domains=moment.domains, marked=moment.marked, removed=removed, active=active)


def write_frames(trace: Trace, folder: Path, formats: Sequence[str] = ("svg",), limit: int = 100) -> Written:
    """Write the frames of a trace as ``000-network.dot``, ``000-network.svg``, ``001-givens.dot`` and so on.

    Parameters
    ----------
    trace : csp.records.Trace
    folder : Path
        Made if there is none.
    formats : sequence of {"svg", "png"}
        Besides the DOT texts, which are always written.
    limit : int
        The most frames to write.

    Returns
    -------
    Written
        A list of the files, which also says how many frames the limit has left out.

    Raises
    ------
    OSError
        If a file cannot be written; a file that exists is whole.
    DrawingError
        If pictures are asked for and there is no Graphviz.

    Examples
    --------
    >>> from csp import record
    >>> trace = record(Model({"A": (1,)}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_frames(trace, Path(folder), formats=())
    >>> [path.name for path in written], written.omitted
    (['000-network.dot', '001-fixpoint.dot'], 0)
    """
    folder.mkdir(parents=True, exist_ok=True)
    painter = Painter(trace.model)
    sequence = frames(trace)
    shown = islice(sequence, limit)
    width = max(3, len(str(limit - 1)))
    paths = Written()
    while batch := list(islice(shown, BATCH)):
        dots = [painter.dot(frame) for frame in batch]
        pictures = {"dot": [dot.encode() for dot in dots]}
        names = [f"{frame.number:0{width}}-{frame.name}" for frame in batch]
        pictures.update((format, draw(dots, format)) for format in formats)
        for i, name in enumerate(names):
            for suffix, contents in pictures.items():
                paths.append(folder / f"{name}.{suffix}")
                _write_whole(paths[-1], contents[i])
    paths.omitted = sum(1 for _ in sequence)
    return paths


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name, and only then give it its own."""
    handle, name = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)  # mkstemp lets nobody else read
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
