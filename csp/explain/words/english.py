"""The sentence patterns of English; ``simple.py`` fills them in."""

PATTERNS = {
    # The name of a cell, of several cells in a row or a column, and of a cell on one of several grids.
    "cell": "row {row}, column {column}",
    "cells of row": "row {row}, columns {column}",
    "cells of column": "rows {row}, column {column}",
    "cell of grid": "{grid} at {cell}",
    "and": "and",
    "or": "or",
    # The name of a constraint with a long text, by its line, or without one; the name of an implied constraint.
    "rule of line": "the rule in line {line}",
    "rule": "a rule",
    "implied rule": "a combined rule",
    # The conclusions.
    "is": "{cells} is {values}.",
    "are": "{cells} are {values}.",
    "cannot": "{cells} cannot be {values}.",
    "cannot, several": "{cells} cannot be {values}.",
    # The sentences of hints, of the end, and of steps that have no short sentences.
    "wrong": "{cells} is not {values}.",
    "other": "This step is too hard for short sentences:",
    "opening": "This is the puzzle.",
    "solved": "The puzzle is solved after {count} steps.",
    "solved, one": "The puzzle is solved after one step.",
    # The sentences about a constraint, a cell and a comparison.
    "look": "Look at {place}.",
    "inside": "There {values} fits only inside {place}.",
    "needs": "More is needed: {place}.",
    "full": "Nothing more is possible: {place}.",
    "can": "{cells} can only be {values}.",
    "can, many": "{cells} has {count} values left.",
    "keeps": "{cells} will be {values}.",
    "then": "Otherwise {cells} could not be {values}.",
    "<": "{cells} is less than {other}.",
    ">": "{cells} is greater than {other}.",
    "<=": "{cells} is at most {other}.",
    ">=": "{cells} is at least {other}.",
    "=": "{cells} and {other} are equal.",
    "!=": "{cells} and {other} are different.",
    # The reason of each technique.
    "full house": "That is because all its other cells are full.",
    "naked single": "That is because no other value fits.",
    "hidden single": "That is because {values} fits nowhere else there.",
    "count, full": "That is because this rule has all it needs.",
    "count, needed": "That is because this rule needs every open cell.",
    "neighbours": "That is because this rule allows nothing else.",
    "single constraint": "That is because this rule allows nothing else.",
    "parity, odd": "That is because this sum needs an odd number there.",
    "parity, even": "That is because this sum needs an even number there.",
    "combinations": "That is because otherwise the numbers would not add up.",
    "joint constraints": "That is because these rules together allow nothing else.",
    "innies and outies": "That is because no other value gives the total.",
    "pointing": "That is because another {values} would be one too many.",
    "claiming": "That is because another {values} would be one too many.",
    "locked pair": "That is because two other cells need these values.",
    "naked pair": "That is because two other cells need these values.",
    "locked triple": "That is because three other cells need these values.",
    "hidden pair": "That is because two other values need these cells.",
    "direct exclusion": "That is because something else would fail at once.",
    "naked triple": "That is because three other cells need these values.",
    "shared counts": "That is because these cells would be too many.",
    "hidden triple": "That is because three other values need these cells.",
}  # fmt: skip
"""The sentence, or the part of a sentence, of each key; ``{values}`` and the other fields come from the step."""

WORDS: dict[str, str] = {}
"""The translation of words in the labels of constraints; English has none."""
