"""Clauses: what names mean, which variables there are, which constraints; down to a model."""
