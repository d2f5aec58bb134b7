"""A picture of a model, or of a moment of a trace, as a list of shapes that painters of every format read."""

from .lenses import LENSES

__all__ = ["LENSES"]
