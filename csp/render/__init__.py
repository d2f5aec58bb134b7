"""Write models and traces as DOT, SVG, terminal screens and HTML pages.

``dot``, ``text`` and ``page`` write one format each, ``svg.py`` another. Every other module serves one command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late import late

if TYPE_CHECKING:
    from .animation import check_formats
    from .comparison import draw_comparison, draw_levels
    from .dot.dot import tree_dot
    from .dot.drawing import draw
    from .dot.graphs import write_graph
    from .folder import write_frames, write_picture
    from .page.against import against, raced
    from .page.player import compact, embedded, page_parts, playable, player
    from .page.worksheet import worksheet
    from .practice import practice_sheet
    from .solved import solution_svg
    from .steps import StepPictures, hint_svg
    from .text.differences import differences
    from .text.playing import play
    from .why import draw_why

LATE = {
    "StepPictures": "steps",
    "against": "page.against",
    "check_formats": "animation",
    "raced": "page.against",
    "compact": "page.player",
    "differences": "text.differences",
    "draw": "dot.drawing",
    "draw_comparison": "comparison",
    "draw_levels": "comparison",
    "draw_why": "why",
    "embedded": "page.player",
    "hint_svg": "steps",
    "page_parts": "page.player",
    "play": "text.playing",
    "playable": "page.player",
    "player": "page.player",
    "practice_sheet": "practice",
    "solution_svg": "solved",
    "tree_dot": "dot.dot",
    "worksheet": "page.worksheet",
    "write_frames": "folder",
    "write_graph": "dot.graphs",
    "write_picture": "folder",
}
"""The module that defines each public name; it is imported on first use, because a command needs few of them."""

__all__ = [
    "StepPictures",
    "against",
    "check_formats",
    "compact",
    "differences",
    "draw",
    "draw_comparison",
    "draw_levels",
    "draw_why",
    "embedded",
    "hint_svg",
    "page_parts",
    "play",
    "playable",
    "player",
    "practice_sheet",
    "raced",
    "solution_svg",
    "tree_dot",
    "worksheet",
    "write_frames",
    "write_graph",
    "write_picture",
]  # fmt: skip

__getattr__ = late(__name__, LATE)
