"""Clauses: how the clauses of a spec become a model, stage by stage."""
