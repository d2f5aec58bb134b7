"""What is done in the picture, as text: clauses to add, and clauses to leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..text.parsing.lexer import Text

OFF = re.compile(r"% off ([0-9]{1,6})\s*")


def acted(text: str, acts: Iterable[str]) -> str:
    """A text after acts, with its lines where they were.

    Parameters
    ----------
    text : str
    acts : iterable of str
        Each one of ``% off N``, which leaves out the clause that begins in line N, another comment, which does
        nothing, and clauses, which follow the text.

    Returns
    -------
    str
        Malformed acts are malformed clauses of it, told as such when it is read.

    Examples
    --------
    >>> acted("A in 1..2.\\nA = 1.", ["% off 2", "A = 2."])
    'A in 1..2.\\n      \\nA = 2.\\n'
    """
    acts = [act.strip() for act in acts]
    left_out = {int(found[1]) for act in acts if (found := OFF.fullmatch(act))}
    added = [act for act in acts if act and not act.startswith("%")]
    text = _without(text, left_out) if left_out else text
    return "\n".join([text.rstrip("\n"), *added, ""]) if added else text


def _without(text: str, lines: set[int]) -> str:
    """The text with blanks in the place of the clauses that begin in these lines."""
    pieces = [(piece.begins[0], piece.begins[-1] + len(piece.words[-1])) for piece in Text(text).pieces()]
    pieces = [(start, end) for start, end in pieces if text.count("\n", 0, start) + 1 in lines]
    for start, end in pieces:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
