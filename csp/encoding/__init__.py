"""Constraints as formulas: one encoder, for clauses and for rules with weights, so that all who read it agree."""
