"""The tables of a grammar: lark makes them, which takes long, so they are kept in the user's cache, as text.

What is kept can only be data. Its first line is a checksum of all that it was made from and of what follows; a file
whose checksum is another one, or that is no plain file, counts as none. Where tables are kept, lark is not imported.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from platformdirs import user_cache_path

OPTIONS: dict[str, Any] = {
    "parser": "lalr", "lexer": "basic", "start": ["clause", "expr"], "maybe_placeholders": True,
}  # fmt: skip

MOST = 10_000_000
"""The most bytes of tables."""


class Tables(NamedTuple):
    """What lexer and parser run on.

    Attributes
    ----------
    pattern : str
        A regular expression for the next token, with a group for every kind.
    words : dict of str to dict of str to str
        For a kind of tokens, those texts that are of other kinds.
    ignored : list of str
        The kinds of tokens that stand between others.
    rules : list of lists
        Of each rule how many values it takes, what it is a rule for, what its match is called, which parts of the match
        count, as (position, whether it gives its own parts, how many blanks before it), or None where all do, how many
        blanks are behind them, and whether a single part stands for itself.
    states : list of dict
        For each kind of token or rule the state to go to, or, as ``~number``, the rule that has matched.
    begins, ends : dict of str to int
        The first and the last state for each rule that a text can match.
    """

    pattern: str
    words: dict[str, dict[str, str]]
    ignored: list[str]
    rules: list[list[Any]]
    states: list[dict[str, int]]
    begins: dict[str, int]
    ends: dict[str, int]


def tables_of(grammar: str) -> Tables:
    """The tables of a grammar, if they are kept, else made and kept.

    Parameters
    ----------
    grammar : str

    Returns
    -------
    Tables

    Examples
    --------
    >>> tables_of("clause: A\\nexpr: A\\nA: \\"a\\"").pattern
    '(?P<A>a)'
    """
    made_from = "\n".join([grammar, repr(OPTIONS), sys.version, *Tables._fields])
    path = _path(made_from)
    kept = path and _read(path, made_from)
    if kept:
        return Tables(**json.loads(kept)[0])
    from .grammar import made

    tables = Tables(**made(grammar, OPTIONS))
    if path:
        with suppress(OSError):
            _keep(path, made_from, json.dumps([tables._asdict()]))
    return tables


def _path(made_from: str) -> Path | None:
    """The file for the tables, or None where there can be none."""
    name = f"grammar.{sys.implementation.cache_tag}.{_checksum(made_from)}.tables"
    try:
        return user_cache_path("alldifferent", ensure_exists=True) / name
    except OSError:
        return None


def _checksum(*texts: str) -> str:
    return f"{crc32(chr(0).join(texts).encode()):08x}"


def _read(path: Path, made_from: str) -> str:
    """The tables that a file holds, or nothing if it is not exactly what was written for them."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
    try:
        with open(os.open(path, flags), encoding="ascii", newline="") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            checksum, _, tables = file.read(MOST).partition("\n")
    except (OSError, ValueError):
        return ""
    return tables if checksum == _checksum(made_from, tables) else ""


def _keep(path: Path, made_from: str, tables: str) -> None:
    """Put a file there, whole; what was there is replaced and never written into."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with open(handle, "w", encoding="ascii", newline="") as file:
            file.write(f"{_checksum(made_from, tables)}\n{tables}")
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
