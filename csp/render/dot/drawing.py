"""Draw DOT text with the ``dot`` program, or else with pygraphviz.

Only this module runs Graphviz.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile

from ...base.errors import DrawingError

STARTS = {"svg": b"<?xml ", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
"""First bytes of a picture of each format, at which the output of one run is split into pictures."""


def draw(dots: Sequence[str], format: str = "svg") -> list[bytes]:
    """Draw DOT texts with Graphviz; return one picture for each text.

    The layout engine is ``dot`` unless a text names another (``layout=nop2`` keeps every given position).
    One run of the program draws all texts, because a process for each would cost more than the drawing.

    Parameters
    ----------
    dots : sequence of str
        DOT texts, each with one graph.
    format : {"svg", "png", "pdf"}

    Returns
    -------
    list of bytes
        One picture for each text.

    Raises
    ------
    ValueError
        If the format is unknown.
    DrawingError
        If Graphviz is not available, or rejects a text.

    Examples
    --------
    >>> [picture] = draw(["graph { A -- B }"])
    >>> b"</svg>" in picture
    True
    """
    if format not in STARTS:
        raise ValueError(f"pictures come as {' or '.join(STARTS)}, not as {format}")
    if not dots:
        return []
    if not shutil.which("dot"):
        return by_wheel(dots, format)
    try:
        return by_program(dots, format)
    except DrawingError as error:  # such as a program without the plugin for the format
        try:
            return by_wheel(dots, format)
        except DrawingError:
            raise error from None


def by_program(dots: Sequence[str], format: str) -> list[bytes]:
    """Draw DOT texts in one run of the ``dot`` program; return their pictures.

    Raises a ``DrawingError`` if the program fails.
    """
    import graphviz

    try:
        output = graphviz.pipe("dot", format, "\n".join(dots).encode(), quiet=True)
    except (graphviz.CalledProcessError, graphviz.ExecutableNotFound) as error:
        complaint = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()
        raise DrawingError(f"dot has failed: {complaint or error}") from error
    start = STARTS[format]
    pictures = [start + picture for picture in output.split(start)[1:]]
    if len(pictures) != len(dots):
        raise DrawingError(f"dot has drawn {len(pictures)} pictures of {len(dots)}")
    return pictures


@contextmanager
def _without_font_warnings() -> Iterator[None]:
    """Return a context manager that suppresses Fontconfig's warnings of unknown elements.

    Other messages on standard error are written after the block.
    """
    try:
        stderr = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    with TemporaryFile() as messages:
        os.dup2(messages.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            messages.seek(0)
            harmless_warning = re.compile(rb'Fontconfig warning: .*unknown element "[a-z-]+"\s*')
            os.write(2, b"".join(line for line in messages if not harmless_warning.fullmatch(line)))


def by_wheel(dots: Sequence[str], format: str) -> list[bytes]:
    """Draw DOT texts with the package pygraphviz; return their pictures.

    Raises a ``DrawingError`` if the package is missing or fails.
    """
    try:
        import pygraphviz
    except ImportError as error:
        raise DrawingError(
            "Graphviz is missing: install the package pygraphviz (2.0 or later), or the dot program"
        ) from error
    try:
        # The attribute ``layout`` of a text overrides the engine named here, as it does for the program.
        with _without_font_warnings():
            return [pygraphviz.AGraph(string=dot).draw(format=format, prog="dot") for dot in dots]
    except (ValueError, OSError, AttributeError) as error:
        raise DrawingError(f"pygraphviz {pygraphviz.__version__} has failed: {error}") from error
