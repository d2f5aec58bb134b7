"""Files and texts to models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike

from csp import Model, ModelError, Value

from ..text.errors import Source, SpecError
from ..text.printing.models import written
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


def dumps(model: Model) -> str:
    """The model as a spec, which reads back as an equal model.

    A model made in Python can have constraints in a form that the language has another for, such as an Either of one
    alternative; they are read back in the language's form, which means the same.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str
        Read again before it is returned: a model made in Python can say what the language cannot.

    Raises
    ------
    csp.ModelError
        If the language has no words for it: a variable that is no term, a label of several lines, a division by the
        number 0.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(dumps(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])), end="")
    A, B, C in 1..3.
    "row": all_different([A, B, C]).
    """
    text = written(model)
    try:
        again = loads(text)
    except SpecError as error:
        raise ModelError(f"the language cannot write this model: {error.mistakes[0].message}") from None
    parts = [(one.domains, one.show, one.objective, one.layout) for one in (again, model)]
    if parts[0] != parts[1]:
        raise ModelError("the language cannot write this model")
    return text


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
