"""Encoding of constraints into formulas, for the learner and for exports."""
