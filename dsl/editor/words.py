"""Defines the help texts for the words of the language."""

from __future__ import annotations

from typing import NamedTuple


class WordHelp(NamedTuple):
    """A help text for a word of the language: its notation and its meaning."""

    form: str
    says: str


WORDS = {
    "include": WordHelp(
        "include sudoku.",
        'Adds the clauses of a gallery spec, or of a file: include "lines.csp". Your grid replaces theirs.',
    ),
    "param": WordHelp("param n = 9.", "Defines a constant, which --set n=16 overrides."),
    "grid": WordHelp(
        'grid clue(n, n) = "1.|.3".', "Writes facts as a picture: token V in row R and column C is clue(R, C, V)."
    ),
    "show": WordHelp(
        "show cell.", "Chooses the variables of an answer, or their layout: show board(R, C) = cell(R, C)."
    ),
    "draw": WordHelp(
        "draw circle(R, C) = V : clue(R, C, V).", "Adds a shape to pictures; no constraint depends on it."
    ),
    "minimize": WordHelp(
        "minimize(E).", "Keeps only answers with the minimum of E; minimize(E, F) minimizes E first, then F."
    ),
    "maximize": WordHelp(
        "maximize(E).", "Keeps only answers with the maximum of E; maximize(E, F) maximizes E first, then F."
    ),
    "in": WordHelp("V in 1..9", "Declares a variable, generates values, or tests."),
    "not": WordHelp("not CONDITION", "Holds if the condition does not hold."),
    "mod": WordHelp("A mod 2", "The remainder of a division that rounds down."),
    "all_different": WordHelp("all_different(LIST)", "All elements have different values."),
    "all_different_except": WordHelp("all_different_except(0, LIST)", "Only elements with this value may be equal."),
    "all_equal": WordHelp("all_equal(LIST)", "All elements have the same value."),
    "circuit": WordHelp("circuit(LIST)", "Element I is the place after place I, on one round trip through all places."),
    "connected": WordHelp(
        "connected(touch, PLACE : generators)", "The places are connected by a relation of neighbours."
    ),
    "decreasing": WordHelp("decreasing(LIST)", "Each element is at least the next."),
    "increasing": WordHelp("increasing(LIST)", "Each element is at most the next."),
    "inverse": WordHelp(
        "inverse([A, ...], [B, ...])", "If place I of the first list has J, place J of the second list has I."
    ),
    "runs": WordHelp("runs([A, ...], [3, 1])", "The elements other than 0 form runs with these sums, in this order."),
    "strictly_increasing": WordHelp("strictly_increasing(LIST)", "Each element is less than the next."),
    "abs": WordHelp("abs(A - B)", "The absolute value, here the distance of A and B."),
    "count": WordHelp("count(CONDITION : generators)", "The number of conditions that hold."),
    "max": WordHelp("max(A, B)", "The maximum."),
    "min": WordHelp("min(A, B)", "The minimum."),
    "nvalue": WordHelp("nvalue(LIST)", "The number of different values of the elements."),
    "product": WordHelp("product(E : generators)", "The product; 1 without elements."),
    "sum": WordHelp("sum(E : generators)", "The sum; 0 without elements."),
}
"""The help of each keyword and reserved word of ``dsl.syntax.vocabulary``."""
