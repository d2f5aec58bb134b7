"""Constraints as formulas: one encoder for clauses and weight rules, and the exports to other solvers."""
