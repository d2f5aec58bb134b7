"""The parser of a grammar: its tables take long to make, so they are kept in the user's cache, as text.

What is kept can only be data. Its first line is a digest of all that it was made from and of what follows; a file whose
digest is another one, or that is no plain file, counts as none.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from platformdirs import user_cache_path

OPTIONS: dict[str, Any] = {
    "parser": "lalr", "lexer": "basic", "start": ["clause", "expr"], "maybe_placeholders": True,
}  # fmt: skip

NOT_KEPT = {"cache", "tree_class", "transformer", "postlex", "lexer_callbacks", "edit_terminals", "_plugins"}
"""Options that can be objects, none of which is set when tables are kept."""

MOST = 10_000_000
"""The most bytes of tables."""


def parser_of(grammar: str, tree_class: type) -> Lark:
    """The parser of a grammar, from its tables if they are kept, else made and kept.

    Parameters
    ----------
    grammar : str
    tree_class : type
        What is made of a rule and the parts that it matches.

    Returns
    -------
    lark.Lark

    Examples
    --------
    >>> parser_of("clause: A\\nexpr: A\\nA: \\"a\\"", lark.Tree).parse("a", start="expr").children
    [Token('A', 'a')]
    """
    made_from = "\n".join([grammar, repr(OPTIONS), lark.__version__, sys.version])
    path = _path(made_from)
    tables = path and _read(path, made_from)
    if tables:
        data, memo = _numbered(*json.loads(tables))
        return Lark._load_from_dict(data, memo, tree_class=tree_class)  # type: ignore[no-any-return, no-untyped-call]
    parser = Lark(grammar, tree_class=tree_class, **OPTIONS)
    if path:
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        data["options"] = {name: value for name, value in data["options"].items() if name not in NOT_KEPT}
        with suppress(OSError):
            _keep(path, made_from, json.dumps([data, memo]))
    return parser


def _path(made_from: str) -> Path | None:
    """The file for the tables, or None where there can be none."""
    name = f"grammar.{sys.implementation.cache_tag}.{_digest(made_from)[:16]}.tables"
    try:
        return user_cache_path("alldifferent", ensure_exists=True) / name
    except OSError:
        return None


def _digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()


def _read(path: Path, made_from: str) -> str:
    """The tables that a file holds, or nothing if it is not exactly what was written for them."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
    try:
        with open(os.open(path, flags), encoding="ascii", newline="") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            digest, _, tables = file.read(MOST).partition("\n")
    except (OSError, ValueError):
        return ""
    return tables if digest == _digest(made_from, tables) else ""


def _keep(path: Path, made_from: str, tables: str) -> None:
    """Put a file there, whole; what was there is replaced and never written into."""
    handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with open(handle, "w", encoding="ascii", newline="") as file:
            file.write(f"{_digest(made_from, tables)}\n{tables}")
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _numbered(data: Any, memo: Any) -> tuple[Any, Any]:
    """The tables as they were before they were JSON, where every key is a text."""
    table = data["parser"]["parser"]
    table["tokens"] = _by_number(table["tokens"])
    table["states"] = {int(state): _by_number(actions) for state, actions in table["states"].items()}
    return data, _by_number(memo)


def _by_number(entries: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in entries.items()}
