"""Files and texts to models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike

from csp import Model, Value

from ..text.errors import Source
from ..text.reading import source_of
from .clauses.build import Program


def loads(
    text: str,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str] | None = None,
    name: str = "<text>",
    base: str | PathLike[str] = "",
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
    base : path of a folder, optional
        What the spec includes is there; otherwise in the working folder.

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
    return _model(Source(name, text, os.path.join(base, "-")), params, grids)


def _model(source: Source, params: Mapping[str, Value] | None, grids: Mapping[str, str] | None) -> Model:
    sources = {grid: Source(f"grid {grid}", picture) for grid, picture in (grids or {}).items()}
    return Program(source).build(params or {}, sources).model


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
    return _model(source_of(path), params, grids)
