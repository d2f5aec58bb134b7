"""Files and texts to models."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import PathLike

from csp import Model, Value

from .clauses.build import Program
from .errors import Mistake, Source, SpecError
from .text.explain import place_of

MAX_BYTES = 8_000_000
"""The most bytes of a file."""


def loads(
    text: str,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str] | None = None,
    name: str = "<text>",
) -> Model:
    """The model of a spec.

    Parameters
    ----------
    text : str
        The spec.
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str, optional
        Texts that replace the grids of the spec.
    name : str
        What messages call the spec.

    Returns
    -------
    csp.Model

    Raises
    ------
    SpecError
        With file, line, column and caret for every mistake.

    Examples
    --------
    >>> loads("param n = 3.  x(I) in 1..n :- I in 1..n.", {"n": 2}).domains
    {'x(1)': (1, 2), 'x(2)': (1, 2)}
    """
    sources = {grid: Source(f"grid {grid}", picture) for grid, picture in (grids or {}).items()}
    return Program(Source(name, text)).build(params or {}, sources).model


def load(
    path: str | PathLike[str],
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str] | None = None,
) -> Model:
    """The model of a spec in a file; see ``loads``.

    Parameters
    ----------
    path : path of the file, in UTF-8
    params, grids
        As for ``loads``.

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If it is not UTF-8, or not a spec.
    """
    return loads(read(path), params, grids, name=str(path))


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
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "<standard input>") from None
    else:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise SpecError([Mistake(f"this is larger than {MAX_BYTES:,} bytes")], {"": Source(str(path), "")})
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = Source("", data[: error.start].decode("utf-8-sig")).text
        mistake = Mistake("this is not text in UTF-8", place_of(start, len(start), len(start)), "save it as UTF-8")
        raise SpecError([mistake], {"": Source(str(path), data.decode("utf-8-sig", "replace"))}) from None
