"""JSON as SudokuPad writes it: names and colours without quotes, nothing where ``{}`` would stand, ``'`` for ``"``."""

from __future__ import annotations

import re
from typing import Any

LONG = {
    "c": "color", "ca": "cages", "ct": "center", "c1": "borderColor", "c2": "backgroundColor", "ce": "cells",
    "cs": "cellSize", "a": "arrows", "o": "overlays", "u": "underlays", "w": "width", "h": "height", "v": "value",
    "vd": "videos", "l": "lines", "r": "rounded", "re": "regions", "fs": "fontSize", "th": "thickness",
    "hl": "headLength", "wp": "wayPoints", "t": "title", "te": "text", "d": "duration", "d2": "d",
}  # fmt: skip
"""The names that are written short."""

TOKEN = re.compile(r"""\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\[\]{},:]|[^\s\[\]{},:"']+)""", re.DOTALL)
WORDS = {"t": True, "f": False, "true": True, "false": False, "null": None, "#0": "#000000", "#F": "#FFFFFF"}
DEEPEST = 20
"""How many lists and objects may stand in each other."""


class NotZipped(ValueError):
    """The text is not what SudokuPad writes."""


def unzip(text: str) -> Any:
    """The value that a text stands for, with the long names.

    Raises
    ------
    NotZipped
        If brackets do not match, or stand too deep in each other.

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
    while found := TOKEN.match(text, at):
        tokens.append(found[1])
        at = found.end()
    if text[at:].strip():
        raise NotZipped(f"what the link holds cannot be read from place {at + 1} on")
    value, end = _value(tokens, 0, DEEPEST)
    if end != len(tokens):
        raise NotZipped("more stands behind the end of the puzzle")
    return value


def _value(tokens: list[str], at: int, deep: int) -> tuple[Any, int]:
    token = tokens[at] if at < len(tokens) else ""
    if token in ("", ":", ",", "]", "}"):
        return {}, at
    if not deep:
        raise NotZipped("what the link holds is nested too deeply")
    if token == "[":
        return _list(tokens, at + 1, deep - 1)
    if token == "{":
        return _object(tokens, at + 1, deep - 1)
    return _plain(token), at + 1


def _list(tokens: list[str], at: int, deep: int) -> tuple[list[Any], int]:
    found = []
    while True:
        value, at = _value(tokens, at, deep)
        found.append(value)
        if at >= len(tokens) or tokens[at] not in (",", "]"):
            raise NotZipped("a list has no end")
        at += 1
        if tokens[at - 1] == "]":
            return found, at


def _object(tokens: list[str], at: int, deep: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while at < len(tokens) and tokens[at] != "}":
        if at + 1 >= len(tokens) or tokens[at + 1] != ":":
            raise NotZipped("a name has no value")
        name = str(_plain(tokens[at]) if tokens[at][0] in "\"'" else tokens[at])
        found[LONG.get(name, name)], at = _value(tokens, at + 2, deep)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise NotZipped("an object has no end")
    return found, at + 1


def _plain(token: str) -> Any:
    """A word, a number or a text."""
    if token[0] in "\"'":
        return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", lambda found: _letter(found[1]), token[1:-1], flags=re.DOTALL)
    if token in WORDS:
        return WORDS[token]
    if re.fullmatch(r"-?[0-9]{1,15}", token):
        return int(token)
    return float(token) if re.fullmatch(r"-?[0-9]{0,15}\.[0-9]{1,15}", token) else token


def _letter(escaped: str) -> str:
    if len(escaped) == 5:
        return chr(int(escaped[1:], 16))
    return {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}.get(escaped, escaped)
