"""Files and texts to models."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import PathLike

from csp import Model, ModelError, Value

from .clauses.build import Program
from .errors import Mistake, Source, SpecError
from .text.explain import place_of
from .text.models import written

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
    if again.domains != model.domains or (again.show, again.objective) != (model.show, model.objective):
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
