"""Files to texts: those of users, and those of the gallery."""

from __future__ import annotations

import os
import sys
from functools import cache
from os import PathLike
from pathlib import Path

from .errors import Diagnostic, Source, SpecError
from .limits import LIMITS

ENDING = ".csp"
"""How the names of specs end."""


def read(path: str | PathLike[str]) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Parameters
    ----------
    path : path of the file

    Returns
    -------
    str

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If it is too large or not UTF-8.
    """
    if path == "-":
        try:
            data = sys.stdin.buffer.read(LIMITS.bytes + 1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "<standard input>") from None
    else:
        with open(path, "rb") as file:
            data = file.read(LIMITS.bytes + 1)
    try:
        if len(data) > LIMITS.bytes:
            raise SpecError([Diagnostic(f"this is larger than {LIMITS.bytes:,} bytes")], {"": Source(str(path), "")})
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        from .parsing.guesses import place_of

        start = Source("", data[: error.start].decode("utf-8-sig")).text
        diagnostic = Diagnostic(
            "this is not text in UTF-8", place_of(start, len(start), len(start)), "save it as UTF-8"
        )
        raise SpecError([diagnostic], {"": Source(str(path), data.decode("utf-8-sig", "replace"))}) from None


def source_of(path: str | PathLike[str]) -> Source:
    """A file with its name, which includes what is beside it.

    Raises
    ------
    OSError, SpecError
        As for ``read``.
    """
    return Source(str(path), read(path), os.fspath(path))


@cache
def gallery() -> Path:
    """The folder of the examples: an installed package has them within it, as ``dsl/gallery``."""
    package = Path(__file__).parent.parent
    return next(folder for folder in (package / "gallery", package.parent / "examples") if folder.is_dir())


def beside_gallery() -> str:
    """The path of what is made here and stands in no folder of the user: only the gallery is beside it."""
    return str(gallery() / "-")
