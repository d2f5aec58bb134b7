"""Pictures of models and moments, as lists of shapes that all painters read."""

from .lenses import LENSES

__all__ = ["LENSES"]
