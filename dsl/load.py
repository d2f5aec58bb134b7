"""Files and texts to models."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from csp import Model, Value

from .build import Program
from .errors import Mistake, Source, SpecError


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

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If it is not UTF-8.
    """
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        mistake = Mistake(f"this is not text in UTF-8 (byte {error.start})")
        raise SpecError([mistake], {"": Source(str(path), "")}) from None
