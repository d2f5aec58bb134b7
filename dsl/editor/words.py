"""Defines the help texts for the words of the language."""

from __future__ import annotations

from typing import NamedTuple


class WordHelp(NamedTuple):
    """A help text for a word: its notation and its meaning."""

    form: str
    says: str


WORDS = {
    "include": WordHelp(
        "include sudoku.", 'Has the clauses of a spec of the gallery, or of a file: include "lines.csp".'
    ),
    "param": WordHelp("param n = 9.", "A constant, which --set n=16 overrides."),
    "grid": WordHelp(
        'grid clue(n, n) = "1.|.3".', "A picture of facts: token V in row R and column C is clue(R, C, V)."
    ),
    "show": WordHelp(
        "show cell.", "Which variables an answer prints, or what stands where: show board(R, C) = cell(R, C)."
    ),
    "draw": WordHelp("draw circle(R, C) = V : clue(R, C, V).", "What pictures show and no constraint tells."),
    "minimize": WordHelp(
        "minimize(E).", "The answers are those with the least E; of several, what comes first matters more."
    ),
    "maximize": WordHelp("maximize(E).", "The answers are those with the greatest E."),
    "in": WordHelp("V in 1..9", "Declares a variable, generates values, or tests."),
    "not": WordHelp("not CONDITION", "Holds where the condition does not."),
    "mod": WordHelp("A mod 2", "What a division leaves, rounded down."),
    "all_different": WordHelp("all_different(LIST)", "No two elements have the same value."),
    "all_different_except": WordHelp("all_different_except(0, LIST)", "Elements that are equal have this value."),
    "all_equal": WordHelp("all_equal(LIST)", "All elements have the same value."),
    "circuit": WordHelp("circuit(LIST)", "Element I is the place after place I, on one round trip through all."),
    "connected": WordHelp(
        "connected(touch, PLACE : generators)", "The places are one piece over a relation of neighbours."
    ),
    "decreasing": WordHelp("decreasing(LIST)", "Each element is at least the next."),
    "increasing": WordHelp("increasing(LIST)", "Each element is at most the next."),
    "inverse": WordHelp(
        "inverse([A, ...], [B, ...])", "The second list has I in place J where the first has J in place I."
    ),
    "runs": WordHelp(
        "runs([A, ...], [3, 1])", "The elements other than 0 stand in runs with these sums, in this order."
    ),
    "strictly_increasing": WordHelp("strictly_increasing(LIST)", "Each element is less than the next."),
    "abs": WordHelp("abs(A - B)", "The distance."),
    "count": WordHelp("count(CONDITION : generators)", "How many of the conditions hold."),
    "max": WordHelp("max(A, B)", "The greatest."),
    "min": WordHelp("min(A, B)", "The least."),
    "nvalue": WordHelp("nvalue(LIST)", "How many different numbers the elements are."),
    "product": WordHelp("product(E : generators)", "Their product; of nothing, 1."),
    "sum": WordHelp("sum(E : generators)", "Their sum; of nothing, 0."),
}
"""The help of each keyword and reserved word of ``dsl.syntax.vocabulary``."""
