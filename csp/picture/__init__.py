"""Compute pictures of models and moments as lists of shapes, for all output formats."""

from .lenses import LENSES

__all__ = ["LENSES"]
