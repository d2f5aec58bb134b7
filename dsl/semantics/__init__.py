"""Evaluates a parsed spec: includes, clauses and expressions become a model."""
