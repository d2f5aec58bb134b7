"""Texts of any size, for tests of the time that reading takes."""

from __future__ import annotations

from collections.abc import Callable

A = "A in 1..2. "

TEXTS: dict[str, Callable[[int], str]] = {
    "generators": lambda k: f"{A}A = 1 :- {', '.join(f'X{i} in 1..1' for i in range(k))}.",
    "generators that wait": lambda k: f"{A}A = 1 :- {', '.join(f'X{i} = X{i + 1}' for i in range(k))}, X{k} in 1..1.",
    "facts in a body": lambda k: f"{A}p(1). A = 1 :- {', '.join(f'p(X{i})' for i in range(k))}.",
    "tests": lambda k: f"{A}A = 1 :- X in 1..1, {', '.join(['X = 1'] * k)}.",
    "negations": lambda k: f"{A}p(2). A = 1 :- {', '.join(['not p(1)'] * k)}.",
    "facts": lambda k: "a.\n" * k,
    "facts of many relations": lambda k: "".join(f"a{i}({i}).\n" for i in range(k)),
    "facts beside many variables": lambda k: "".join(f"x{i} in 1..2. a({i}, b).\n" for i in range(k)),
    "declarations": lambda k: f"{A}\n" * k,
    "constraints": lambda k: f"{A}x(I) in 1..3 :- I in 1..{k}. x(I) != A :- I in 1..{k}.",
    "alternatives": lambda k: f"{A}{' ; '.join(['A = 1'] * k)}.",
    "a product": lambda k: f"{A}product(A : X in 1..{k}) = 1.",
    "a sum": lambda k: f"{A}x(I) in 1..3 :- I in 1..{k}. {' + '.join(f'x({i + 1})' for i in range(k))} > 1.",
    "a picture": lambda k: 'grid g = "\n' + "1.A3\n" * k + '". y(V) in 1..2 :- g(_, _, V).',
    "instances": lambda k: f"z(I) in {{a, b, c}} :- I in 1..{k}. z(1) < 3.",
}
"""Functions from a size to a text, by the part that grows; the last text is refused."""
