"""Loads the model of a spec: from a file by ``load``, from text by ``loads``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike

from csp import Model, Value

from ..syntax.errors import Source
from ..syntax.reading import source_of
from .clauses.build import Program
from .rows import RowsLike, facts_of, grids_of, params_of


def loads(
    text: str,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str | RowsLike] | None = None,
    name: str = "<text>",
    base: str | PathLike[str] = "",
    facts: Mapping[str, RowsLike] | None = None,
) -> Model:
    """Return the model of a spec that is passed as text.

    Parameters
    ----------
    text : str
        The spec.
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str or rows, optional
        Replace the grids of the spec. A grid is a text, a list of texts, or a list of lists of numbers and symbols with
        None for a blank.
    name : str
        The name of the spec in messages.
    base : path of a folder, optional
        The folder of included files; by default, the working folder.
    facts : mapping from str to rows, optional
        Replace the facts of relations: by a list of tuples, the edges of a graph, or a ``pandas.DataFrame``. A row of
        one column may be a plain value. Values are symbols and integers, including numpy's.

    Returns
    -------
    csp.Model

    Raises
    ------
    SpecError
        With file, line, column and caret for each error.
    TypeError
        If ``text`` is not a str.

    Examples
    --------
    >>> print(loads("param n = 3.  x(I) in 1..n :- I in 1..n.", {"n": 2}).domains)
    {'x(1)': (1, 2), 'x(2)': (1, 2)}
    >>> model = loads("seat(P) in 1..2 :- guest(P).", facts={"guest": ["ann", "O'Brien"]})
    >>> print(*model.domains)
    seat(ann) seat('O''Brien')
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r:.80} is no text of a spec, which is a str; dsl.load(path) reads a file")
    return _model(Source(name, text, os.path.join(base, "-")), params, grids, facts)


def _model(
    source: Source,
    params: Mapping[str, Value] | None,
    grids: Mapping[str, str | RowsLike] | None,
    facts: Mapping[str, RowsLike] | None,
) -> Model:
    """Build the model of a source with params, grids and facts."""
    return Program(source, facts_of(facts)).build(params_of(params), grids_of(grids)).model


def load(
    path: str | PathLike[str],
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str | RowsLike] | None = None,
    facts: Mapping[str, RowsLike] | None = None,
) -> Model:
    """Return the model of a spec in a file; ``loads`` describes the parameters.

    Parameters
    ----------
    path : path of the file, in UTF-8
    params, grids, facts
        As for ``loads``.

    Raises
    ------
    OSError
        If the file cannot be read.
    SpecError
        If the file is not UTF-8, or has errors.
    """
    return _model(source_of(path), params, grids, facts)
