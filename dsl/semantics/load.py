"""Files and texts to models."""

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
    """The model of a spec.

    Parameters
    ----------
    text : str
        The spec.
    params : mapping from str to int or str, optional
        Override the params of the spec.
    grids : mapping from str to str or rows, optional
        Texts that replace the grids of the spec, or their rows: a list of texts, or of lists of numbers and symbols in
        which None is blank.
    name : str
        What messages call the spec.
    base : path of a folder, optional
        What the spec includes is there; otherwise in the working folder.
    facts : mapping from str to rows, optional
        The facts of relations, instead of those in the spec: a list of tuples, the edges of a graph, a
        ``pandas.DataFrame``; a row of one may be a value. Values are integers, such as numpy's, and symbols.

    Returns
    -------
    csp.Model

    Raises
    ------
    SpecError
        With file, line, column and caret for every mistake.
    TypeError
        If ``text`` is no text.

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
    return Program(source, facts_of(facts)).build(params_of(params), grids_of(grids)).model


def load(
    path: str | PathLike[str],
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str | RowsLike] | None = None,
    facts: Mapping[str, RowsLike] | None = None,
) -> Model:
    """The model of a spec in a file; see ``loads``.

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
        If it is not UTF-8, or not a spec.
    """
    return _model(source_of(path), params, grids, facts)
