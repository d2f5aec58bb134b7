"""What stands under a picture: its caption, and what its colours and signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...board.widths import text_width, wrapped
from ...picture.style import ACTIVE, BIT, CAUSE, EDGE, IDLE, MARKED, ODD, QUIET, REMOVED, SHADE, shade
from .cells import TABLE, crossed, number_of, struck
from .quoting import escape

TITLE, SMALL = 15, 13  # sizes of fonts
SWATCH, GAP = 24, 14


class Entry(NamedTuple):
    """A swatch and its meaning.

    Attributes
    ----------
    style : str
        Attributes of the table cell that is the swatch.
    inside : str
        What stands in it, in HTML.
    text : str
    """

    style: str
    inside: str
    text: str


MARK = Entry(f'BORDER="2" COLOR="{MARKED}"', f'<FONT COLOR="{MARKED}" POINT-SIZE="14"><B>*</B></FONT>', "marked")
GONE = Entry(f'BORDER="1" COLOR="{REMOVED}"', struck(1), "removed now")
WORK = Entry(f'BORDER="2" COLOR="{CAUSE}" BGCOLOR="{ACTIVE}"', " ", "active group or decision")
WHY = Entry(f'BORDER="4" COLOR="{CAUSE}"', " ", "cause")
IDLES = Entry(f'BORDER="1" COLOR="{IDLE}"', " ", "idle")
DIFFER = Entry('BORDER="0"', f'<FONT COLOR="{EDGE}">──</FONT>', "not equal")
OTHER = Entry('BORDER="0"', f'<FONT COLOR="{QUIET}">- -</FONT>', "other constraint")
CAGE = Entry('BORDER="0"', f'<FONT COLOR="{QUIET}">┄┄</FONT>', "cage, and what it must be")
GIVEN = Entry('BORDER="0"', "<B>1</B>", "given")
CHIP = Entry(f'BORDER="1" COLOR="{IDLE}" STYLE="ROUNDED"', "g", "group")
CONSTRAINT = Entry(f'BORDER="1" COLOR="{IDLE}" STYLE="ROUNDED"', "c", "constraint")
COUNT = Entry('BORDER="0"', number_of(7), "values left")
BITS = Entry(f'BORDER="4" COLOR="white" BGCOLOR="{BIT}"', " ", "value left, in its place")
BIT_GONE = Entry(f'BORDER="1" COLOR="{REMOVED}"', crossed(13), "removed now")
FEW = Entry(f'BORDER="1" COLOR="{IDLE}" BGCOLOR="{shade(0)}"', " ", "few")
MANY = Entry(f'BORDER="1" COLOR="{IDLE}" BGCOLOR="{shade(1)}"', " ", "many values left")
SHADED = Entry(f'BORDER="0" BGCOLOR="{SHADE}"', " ", "group of grey cells")
EVEN = Entry(f'BORDER="0" BGCOLOR="{SHADE}"', " ", "even")
ODD_DISC = Entry('BORDER="0"', f'<FONT COLOR="{ODD}" POINT-SIZE="24">●</FONT>', "odd")
CAUSES = Entry(f'BORDER="3" BGCOLOR="{ACTIVE}"', " ", "cause")
PAIR = Entry('BORDER="0"', "<B>━━</B>", "pair of one matching")
LEFT = Entry('BORDER="0"', f'<FONT COLOR="{IDLE}">──</FONT>', "value left")
UNPAIRED = Entry('BORDER="0"', f'<FONT COLOR="{REMOVED}"><B>╍╍</B></FONT>', "removed now: in no matching")
USED = Entry(f'BORDER="1" COLOR="{QUIET}" STYLE="ROUNDED"', " ", "use up their values")
SPARE = Entry(f'BORDER="1" COLOR="{QUIET}" STYLE="DASHED"', " ", "have values to spare")
MATCHING = (CAUSES, PAIR, LEFT, UNPAIRED, USED, SPARE)
STATES = (MARK, GONE, WORK, WHY, IDLES)


def legend(title: str, entries: Sequence[Entry], width: int, note: str = "") -> str:
    """An HTML-like label with the caption above and the legend below.

    Parameters
    ----------
    title : str
    entries : sequence of Entry
    width : int
        That of the picture, in points.
    note : str
        One more line of small text.

    Returns
    -------
    str

    Examples
    --------
    >>> "marked" in legend("step 1", STATES, 300)
    True
    """
    lines = wrapped(title, TITLE, width, 6)
    lines += [" "] * (2 - len(lines))  # pictures of short and long captions are of one height
    text = "".join(f'{escape(line)}<BR ALIGN="LEFT"/>' for line in lines)
    small = "".join(f'{escape(line)}<BR ALIGN="LEFT"/>' for line in wrapped(note, SMALL, width, 3))
    below = f'<TR><TD ALIGN="LEFT" BALIGN="LEFT" CELLPADDING="4"><FONT POINT-SIZE="{SMALL}">{small}</FONT></TD></TR>'
    return (
        f'{TABLE}<TR><TD HEIGHT="14" WIDTH="{width}"></TD></TR>'
        f'<TR><TD ALIGN="LEFT" BALIGN="LEFT"><FONT POINT-SIZE="{TITLE}">{text}</FONT></TD></TR>'
        f'<TR><TD HEIGHT="10"></TD></TR>{_rows(entries, width)}'
        f"{below if note else ''}</TABLE>"
    )


def signs(entries: Sequence[Entry], width: int) -> str:
    """An HTML-like label with the legend alone.

    Parameters
    ----------
    entries : sequence of Entry
    width : int
        That of the picture, in points.

    Returns
    -------
    str

    Examples
    --------
    >>> signs(MATCHING, 300).count("removed now")
    1
    """
    return f'{TABLE}<TR><TD HEIGHT="10" WIDTH="{width}"></TD></TR>{_rows(entries, width)}</TABLE>'


def _rows(entries: Sequence[Entry], width: int) -> str:
    """Swatches and words, in as many rows as the width asks for; each is filled up, or it would be stretched."""
    rows: list[str] = []
    rooms: list[int] = []
    for style, inside, text in entries:
        words = round(text_width(text, SMALL)) + GAP + 4
        if not rooms or rooms[-1] < SWATCH + words:
            rows.append("")
            rooms.append(width)
        rooms[-1] -= SWATCH + words
        rows[-1] += (
            f'<TD WIDTH="{SWATCH}" HEIGHT="{SWATCH}" {style}>{inside}</TD>'
            f'<TD WIDTH="4"></TD><TD WIDTH="{words - 4}" HEIGHT="{SWATCH}" ALIGN="LEFT" BALIGN="LEFT">'
            f'{escape(text)}<BR ALIGN="LEFT"/></TD>'
        )
    return "".join(
        f'<TR><TD ALIGN="LEFT" CELLPADDING="3"><FONT POINT-SIZE="{SMALL}">{TABLE}<TR>{row}'
        f'<TD WIDTH="{max(0, room)}"></TD></TR></TABLE></FONT></TD></TR>'
        for row, room in zip(rows, rooms, strict=True)
    )
