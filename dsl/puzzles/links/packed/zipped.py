"""Parses the abbreviated JSON that SudokuPad writes.

Names and colours have no quotes, an empty object is omitted, and texts are in single quotes.
"""

from __future__ import annotations

import re
from typing import Any

LONG_NAMES = {
    "c": "color", "ca": "cages", "ct": "center", "c1": "borderColor", "c2": "backgroundColor", "ce": "cells",
    "cs": "cellSize", "a": "arrows", "o": "overlays", "u": "underlays", "w": "width", "h": "height", "v": "value",
    "vd": "videos", "l": "lines", "r": "rounded", "re": "regions", "fs": "fontSize", "th": "thickness",
    "hl": "headLength", "wp": "wayPoints", "t": "title", "te": "text", "d": "duration", "d2": "d",
}  # fmt: skip
"""The full name of each short name."""

TOKEN = re.compile(r"""\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\[\]{},:]|[^\s\[\]{},:"']+)""", re.DOTALL)
"""A text, a bracket or separator, or a word."""

WORDS = {"t": True, "f": False, "true": True, "false": False, "null": None, "#0": "#000000", "#F": "#FFFFFF"}
"""The values of words."""

MAX_DEPTH = 20
"""Maximum depth of nested lists and objects; a deeper one is an error."""


class NotZipped(ValueError):
    """The error for a text that is not SudokuPad's abbreviated JSON."""


def unzip(text: str) -> Any:
    """Parse abbreviated JSON, and restore the full names of its keys.

    Raises
    ------
    NotZipped
        If brackets do not match, or lists and objects are nested too deeply.

    Notes
    -----
    Linear in the length of the text.

    Examples
    --------
    >>> unzip("{ce:[[,{v:3}],[]],r:t,c:#0,te:'it\\\\'s'}")
    {'cells': [[{}, {'value': 3}], [{}]], 'rounded': True, 'color': '#000000', 'text': "it's"}
    """
    tokens: list[str] = []
    at = 0
    while match := TOKEN.match(text, at):
        tokens.append(match[1])
        at = match.end()
    if text[at:].strip():
        raise NotZipped(f"what the link holds cannot be read from place {at + 1} on")
    value, end = _value(tokens, 0, MAX_DEPTH)
    if end != len(tokens):
        raise NotZipped("more stands behind the end of the puzzle")
    return value


def _value(tokens: list[str], at: int, depth_left: int) -> tuple[Any, int]:
    """Parse the value that begins at a token; return it with the next position.

    ``depth_left`` is the number of levels that may still be nested.
    """
    token = tokens[at] if at < len(tokens) else ""
    if token in ("", ":", ",", "]", "}"):
        return {}, at
    if not depth_left:
        raise NotZipped("what the link holds is nested too deeply")
    if token == "[":
        return _list(tokens, at + 1, depth_left - 1)
    if token == "{":
        return _object(tokens, at + 1, depth_left - 1)
    return _plain(token), at + 1


def _list(tokens: list[str], at: int, depth_left: int) -> tuple[list[Any], int]:
    """Parse the entries of a list and its closing bracket."""
    entries = []
    while True:
        value, at = _value(tokens, at, depth_left)
        entries.append(value)
        if at >= len(tokens) or tokens[at] not in (",", "]"):
            raise NotZipped("a list has no end")
        at += 1
        if tokens[at - 1] == "]":
            return entries, at


def _object(tokens: list[str], at: int, depth_left: int) -> tuple[dict[str, Any], int]:
    """Parse the names and values of an object and its closing bracket."""
    fields: dict[str, Any] = {}
    while at < len(tokens) and tokens[at] != "}":
        if at + 1 >= len(tokens) or tokens[at + 1] != ":":
            raise NotZipped("a name has no value")
        name = str(_plain(tokens[at]) if tokens[at][0] in "\"'" else tokens[at])
        fields[LONG_NAMES.get(name, name)], at = _value(tokens, at + 2, depth_left)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise NotZipped("an object has no end")
    return fields, at + 1


def _plain(token: str) -> Any:
    """Return the value of a token that is neither a list nor an object.

    It is a quoted text, a known word, a number, or the token itself.
    """
    if token[0] in "\"'":
        return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", lambda match: _letter(match[1]), token[1:-1], flags=re.DOTALL)
    if token in WORDS:
        return WORDS[token]
    if re.fullmatch(r"-?[0-9]{1,15}", token):
        return int(token)
    return float(token) if re.fullmatch(r"-?[0-9]{0,15}\.[0-9]{1,15}", token) else token


def _letter(escaped: str) -> str:
    """Return the character of an escape sequence without its backslash."""
    if len(escaped) == 5:
        return chr(int(escaped[1:], 16))
    return {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}.get(escaped, escaped)
