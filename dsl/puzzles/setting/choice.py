"""Which facts are to be chosen."""

from __future__ import annotations

from dataclasses import dataclass

from ...text import syntax
from ...text.parsing.parse import parse

FORM = "less, or total(_, T) where T is to be filled in"


@dataclass(frozen=True)
class Choice:
    """A relation whose facts are to be chosen.

    Attributes
    ----------
    name : str
    filled : tuple of bool or None
        For each argument, whether it follows from a solution; None of a grid, whose values do.
    """

    name: str
    filled: tuple[bool, ...] | None = None


def choice_of(text: str) -> Choice:
    """What ``--facts`` says: the name of a relation, or a term in which a capital word is to be filled in.

    Raises
    ------
    ValueError
        If it is neither.

    Examples
    --------
    >>> choice_of("less"), choice_of("total(_, T)")
    (Choice(name='less', filled=()), Choice(name='total', filled=(False, True)))
    """
    clauses, mistakes = parse(f"{text}.")
    match clauses if not mistakes else ():
        case [syntax.Rule(_, None, syntax.Fact(_, syntax.Name(_, name)), ())]:
            return Choice(name, ())
        case [syntax.Rule(_, None, syntax.Fact(_, syntax.Call(_, name, arguments, None)), ())]:
            words = [argument.name for argument in arguments if isinstance(argument, syntax.Logical)]
            if len(words) == len(arguments):
                return Choice(name, tuple([word != "_" for word in words]))
    raise ValueError(f"{text} is not of the form {FORM}")
