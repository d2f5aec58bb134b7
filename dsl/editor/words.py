"""The words of the language, each with a form and a sentence."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """How a word is written, and what it says."""

    form: str
    says: str


WORDS = {
    "include": Said("include sudoku.", 'Has the clauses of a spec of the gallery, or of a file: include "lines.csp".'),
    "param": Said("param n = 9.", "A constant, which --set n=16 overrides."),
    "grid": Said('grid clue(n, n) = "1.|.3".', "A picture of facts: token V in row R and column C is clue(R, C, V)."),
    "show": Said(
        "show cell.", "Which variables an answer prints, or what stands where: show board(R, C) = cell(R, C)."
    ),
    "draw": Said("draw circle(R, C) = V : clue(R, C, V).", "What pictures show and no constraint tells."),
    "minimize": Said(
        "minimize(E).", "The answers are those with the least E; of several, what comes first matters more."
    ),
    "maximize": Said("maximize(E).", "The answers are those with the greatest E."),
    "in": Said("V in 1..9", "Declares a variable, generates values, or tests."),
    "not": Said("not CONDITION", "Holds where the condition does not."),
    "mod": Said("A mod 2", "What a division leaves, rounded down."),
    "all_different": Said("all_different(LIST)", "No two elements have the same value."),
    "all_different_except": Said("all_different_except(0, LIST)", "Elements that are equal have this value."),
    "all_equal": Said("all_equal(LIST)", "All elements have the same value."),
    "circuit": Said("circuit(LIST)", "Element I is the place after place I, on one round trip through all."),
    "connected": Said(
        "connected(touch, PLACE : generators)", "The places are one piece over a relation of neighbours."
    ),
    "decreasing": Said("decreasing(LIST)", "Each element is at least the next."),
    "increasing": Said("increasing(LIST)", "Each element is at most the next."),
    "inverse": Said(
        "inverse([A, ...], [B, ...])", "The second list has I in place J where the first has J in place I."
    ),
    "runs": Said("runs([A, ...], [3, 1])", "The elements other than 0 stand in runs with these sums, in this order."),
    "strictly_increasing": Said("strictly_increasing(LIST)", "Each element is less than the next."),
    "abs": Said("abs(A - B)", "The distance."),
    "count": Said("count(CONDITION : generators)", "How many of the conditions hold."),
    "max": Said("max(A, B)", "The greatest."),
    "min": Said("min(A, B)", "The least."),
    "nvalue": Said("nvalue(LIST)", "How many different numbers the elements are."),
    "product": Said("product(E : generators)", "Their product; of nothing, 1."),
    "sum": Said("sum(E : generators)", "Their sum; of nothing, 0."),
}
"""What ``dsl.text.vocabulary`` reserves, and its keywords."""
