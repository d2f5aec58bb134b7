"""Reads the texts of specs: files, standard input and the gallery."""

from __future__ import annotations

import os
import sys
from functools import cache
from os import PathLike
from pathlib import Path

from .errors import Diagnostic, Source, SpecError
from .limits import LIMITS

ENDING = ".csp"
"""The suffix of the file names of specs."""


def read(path: str | PathLike[str]) -> str:
    """Return the text of a UTF-8 file or of standard input.

    A byte order mark is removed.

    Parameters
    ----------
    path : str or path-like
        ``-`` is standard input.

    Returns
    -------
    str

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If the file is too large or not UTF-8.
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
            raise SpecError(
                [Diagnostic("too-large", f"this is larger than {LIMITS.bytes:,} bytes")], {"": Source(str(path), "")}
            )
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        from .mistakes.before import place_of

        start = Source("", data[: error.start].decode("utf-8-sig")).text
        diagnostic = Diagnostic(
            "unreadable-file", "this is not text in UTF-8", place_of(start, len(start), len(start)), "save it as UTF-8"
        )
        raise SpecError([diagnostic], {"": Source(str(path), data.decode("utf-8-sig", "replace"))}) from None


def source_of(path: str | PathLike[str]) -> Source:
    """Read a file as a ``Source``; its includes are resolved from the file's folder.

    Raises
    ------
    OSError, SpecError
        As ``read`` does.
    """
    return Source(str(path), read(path), os.fspath(path))


@cache
def gallery() -> Path:
    """Return the gallery's folder: ``dsl/gallery`` in an installed package, else ``examples``."""
    package = Path(__file__).parent.parent
    return next(folder for folder in (package / "gallery", package.parent / "examples") if folder.is_dir())


def beside_gallery() -> str:
    """Return a path for a spec without a file; its includes are in the gallery.

    The includes of such a spec, for example of a linked puzzle, are resolved in the gallery, never in a folder of
    the user.
    """
    return str(gallery() / "-")
