"""A picture as a list of marks: where everything stands, and what is seen of a moment."""

from .lenses import LENSES

__all__ = ["LENSES"]
