"""Write the pictures of a trace as one animation or video, without legends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ..base.errors import DrawingError
from ..picture.legend import legend_caption
from ..picture.shapes import bounding_box
from .dot.dot import common_room, dot
from .dot.drawing import draw
from .painter import MIN_WIDTH, Captioned

if TYPE_CHECKING:
    from PIL.Image import Image

FRAME_MILLISECONDS, LAST_FRAME_FACTOR = 1200, 3
"""Duration of a picture in milliseconds, and the factor by which the last picture lasts longer."""
IMAGES = {"gif": "GIF", "apng": "PNG"}
"""Formats of animations, with the names that Pillow gives them."""
VIDEOS = {
    "webm": ("libvpx-vp9", {"crf": "32", "b": "0", "threads": "1"}),
    "mp4": ("libx264", {"crf": "23", "tune": "stillimage", "bf": "0", "threads": "1", "mbtree": "0"}),
}
"""Formats of videos, with their codecs and the options of these.

One thread, and no ``mbtree``, which reads memory that x264 does not initialize: equal pictures give equal bytes.
"""
ANIMATION_FORMATS = (*IMAGES, *VIDEOS)
"""Formats that combine all pictures into one file."""


def check_formats(formats: Iterable[str]) -> None:
    """Raise an error if a format is a video and the package ``av`` is missing.

    Raises
    ------
    DrawingError

    Examples
    --------
    >>> check_formats(["svg", "gif"])
    """
    for format in formats:
        if format in VIDEOS and find_spec("av") is None:
            raise DrawingError(f"{format} needs the package av: pip install 'alldifferent[video]'")


def set_resolution(dots: Sequence[str], scale: float) -> Sequence[str]:
    """Return DOT texts that draw bitmaps ``scale`` times as large."""
    if scale == 1:
        return dots
    return [text.replace("  graph [", f"  graph [dpi={96 * scale:g}, ", 1) for text in dots]


def animation_pictures(drawn: Iterable[Captioned], scale: float) -> list[bytes]:
    """Return PNG pictures of equal size, with titles and without legends."""
    bare = [without_legend(captioned) for captioned in drawn]
    room = common_room((captioned.shapes, captioned.caption) for captioned in bare)
    return draw(set_resolution([dot(*captioned, room) for captioned in bare], scale), "png")


def without_legend(captioned: Captioned) -> Captioned:
    """Return a drawing whose caption is only its title; without a caption, it has none."""
    (left, _), (right, _) = bounding_box(captioned.shapes)
    width = max(MIN_WIDTH, right - left)
    return captioned._replace(caption=legend_caption(captioned.title, (), width) if captioned.caption else [])


def animation(pictures: Sequence[bytes], format: str, speed: float) -> bytes:
    """Combine PNG pictures into an animation, which repeats, or into a video.

    ``speed``: at 1 each picture lasts 1.2 seconds, and the last one three times as long.
    """
    from PIL import Image

    images = [Image.open(BytesIO(picture)) for picture in pictures]  # reads only the headers
    # The codecs of videos need even lengths.
    size = tuple(max(lengths) + max(lengths) % 2 for lengths in zip(*(image.size for image in images), strict=True))

    def sheets() -> Iterator[Image.Image]:
        for picture in images:
            sheet = Image.new("RGB", (size[0], size[1]), "white")
            sheet.paste(picture.convert("RGB"))
            yield sheet

    milliseconds = FRAME_MILLISECONDS / speed
    durations = [round(milliseconds)] * (len(images) - 1) + [round(LAST_FRAME_FACTOR * milliseconds)]
    output = BytesIO()
    if format in VIDEOS:
        _write_video(output, sheets(), format, durations)
        return output.getvalue()
    # A palette of a GIF keeps the colours of few pixels.
    octree, undithered = Image.Quantize.FASTOCTREE, Image.Dither.NONE
    first, *others = (
        sheet.quantize(method=octree, dither=undithered) if format == "gif" else sheet for sheet in sheets()
    )
    first.save(output, IMAGES[format], save_all=True, append_images=others, duration=durations, loop=0)
    return output.getvalue()


def _write_video(output: BytesIO, sheets: Iterable[Image], format: str, durations: Sequence[int]) -> None:
    """Encode pictures as a video into ``output``; ``durations`` are in milliseconds."""
    av = import_module("av")
    codec, options = VIDEOS[format]
    with av.open(output, "w", format=format, options={"fflags": "bitexact"}) as container:
        stream: Any = None
        start = 0
        for sheet, duration in zip(sheets, durations, strict=True):
            if stream is None:
                stream = container.add_stream(codec, rate=25, options=options)
                stream.width, stream.height = sheet.size
                stream.pix_fmt = "yuv420p"
                stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
            # A picture is encoded at its start, and again at its end, so that the last one lasts, too.
            for moment in (start, start + duration - 1):
                frame = av.VideoFrame.from_image(sheet)
                frame.pts, frame.time_base = moment, Fraction(1, 1000)
                container.mux(stream.encode(frame))
            start += duration
        container.mux(stream.encode(None))
