"""Parses the value of ``csp generate --facts``, which chooses a relation."""

from __future__ import annotations

from dataclasses import dataclass

from ...syntax import nodes
from ...syntax.parse import parse

FORM = "less, or total(_, T) where T is to be filled in"
"""The form of a choice, for messages."""


@dataclass(frozen=True)
class Choice:
    """A relation chosen by ``--facts``, whose facts become clues.

    Attributes
    ----------
    name : str
    filled : tuple of bool or None
        For each argument, whether its value is taken from the solution. None for a grid, whose entries are.
    """

    name: str
    filled: tuple[bool, ...] | None = None


def choice_of(text: str) -> Choice:
    """Parse the value of ``--facts`` to a choice.

    The text is the name of a relation, or a term whose capitalised words are the arguments to fill in.

    Raises
    ------
    ValueError
        If the text is neither.

    Examples
    --------
    >>> choice_of("less"), choice_of("total(_, T)")
    (Choice(name='less', filled=()), Choice(name='total', filled=(False, True)))
    """
    clauses, diagnostics = parse(f"{text}.")
    match clauses if not diagnostics else ():
        case [nodes.Rule(_, None, nodes.Fact(_, nodes.Name(_, name)), ())]:
            return Choice(name, ())
        case [nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name, arguments, None)), ())]:
            names = [argument.name for argument in arguments if isinstance(argument, nodes.Logical)]
            if len(names) == len(arguments):
                return Choice(name, tuple([name != "_" for name in names]))
    raise ValueError(f"{text} is not of the form {FORM}")
