"""Evaluates the clauses of a spec to a model, stage by stage."""
