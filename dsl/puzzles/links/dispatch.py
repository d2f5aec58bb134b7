"""Chooses the reader of a link by the site to which it leads."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote, urlsplit

from ...syntax.errors import Diagnostic
from ...syntax.nodes import Place
from .fpuzzles import read_fpuzzle
from .packing import Damaged, NotZipped, decompress, unzip
from .penpa import read_penpa
from .puzzlink.addresses import read_puzzlink
from .reading import Reader
from .sudokupad import read_sudokupad
from .variant import spec_of

MAX_LINK_LENGTH = 500_000
"""Maximum number of characters of a link; a longer link is an error."""

ON_A_SERVER = "open it in a browser, and copy the long link, which contains the puzzle"
"""The hint for short links, which hold only an address."""


def spec_of_link(link: str, at: Place) -> str:
    """Return the spec to which the puzzle in a link is converted.

    Parameters
    ----------
    link : str
        A link, or the JSON of f-puzzles.
    at : Place
        The place of the link, for messages.

    Raises
    ------
    Diagnostic
        If no reader knows the site, or the link is damaged; then the place has the column of the damage.
    """
    if len(link) > MAX_LINK_LENGTH:
        raise Diagnostic("too-large", f"this link has more than {MAX_LINK_LENGTH:,} characters", at)
    try:
        return _read(link, at)
    except Damaged as damaged:
        column = min(at.column + damaged.at, at.column + len(link) - 1)
        raise Diagnostic("bad-link", str(damaged), Place(at.line, column, 1, at.file)) from None


def _read(link: str, at: Place) -> str:
    """Convert a link to a spec with the reader of its site."""
    if link.startswith("{"):
        return _fpuzzle(load(link, at), at)
    try:
        parts = urlsplit(link)
    except ValueError:
        raise Diagnostic("bad-link", "this is not an address", at) from None
    site = (parts.netloc or parts.path.partition("/")[0]).lower()
    if "f-puzzles" in site:
        match = re.search(r"[?&]load=([^&#]+)", link)
        if not match:
            raise Diagnostic("bad-link", "this link to f-puzzles holds no puzzle", at, "it should have ?load= in it")
        return _fpuzzle(_json(link, match.start(1), match[1], at), at)
    if any(name in site for name in ("sudokupad", "crackingthecryptic", "svencodes")):
        return _sudokupad(link, at)
    if any(name in site for name in ("puzz.link", "pzv.jp", "pzplus", "pzprxs")):
        return read_puzzlink(link, at)
    if "penpa" in link:
        return read_penpa(link, at)
    raise Diagnostic(
        "unsupported-link",
        f"links to {site[:40]} are not supported",
        at,
        "supported are f-puzzles, SudokuPad, puzz.link and penpa",
    )


def _fpuzzle(fields: Any, at: Place) -> str:
    if not isinstance(fields, dict):
        raise Diagnostic("bad-link", "the link does not hold a puzzle of f-puzzles", at)
    return spec_of(read_fpuzzle(fields, Reader(at)))


def _sudokupad(link: str, at: Place) -> str:
    """Return the spec of a link to SudokuPad.

    The link holds abbreviated JSON, or the JSON of f-puzzles.
    """
    match = re.search(r"[/=](fpuzzles|fpuz|scl|ctc)([^&#?]{20,})", link)
    if not match:
        raise Diagnostic("bad-link", "this short link has only the address of the puzzle", at, ON_A_SERVER)
    if match[1].startswith("fpuz"):
        return _fpuzzle(_json(link, match.start(2), match[2], at), at)
    try:
        text = decompress(unquote(match[2]))
        fields = unzip(text)
    except Damaged as damaged:
        raise Damaged(str(damaged), match.start(2) + damaged.at) from None
    except NotZipped as error:
        raise Diagnostic("bad-link", str(error), at) from None
    if not isinstance(fields, dict):
        raise Diagnostic("bad-link", "the link does not hold a puzzle of SudokuPad", at)
    return spec_of(read_sudokupad(fields, Reader(at)))


def _json(link: str, start: int, packed: str, at: Place) -> Any:
    """Decompress the JSON in a link, and parse it.

    ``packed`` is the compressed JSON in base64, and ``start`` its position in the link.
    """
    try:
        text = decompress(unquote(packed))
    except Damaged as damaged:
        raise Damaged(str(damaged), start + damaged.at) from None
    return load(text, at)


def load(text: str, at: Place) -> Any:
    """Parse JSON from a link; raise an error if it is malformed.

    Raises
    ------
    Diagnostic
        If the text is not JSON, or is nested too deeply.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Diagnostic(
            "bad-link", f"the content of the link is not JSON: {error.msg} in place {error.pos + 1}", at
        ) from None
    except (RecursionError, ValueError):  # a number of very many digits is an error of its own
        raise Diagnostic("bad-link", "the content of the link is not JSON that a puzzle can have", at) from None
