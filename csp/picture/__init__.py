"""A picture as a list of marks: where everything stands, and what is seen of a moment."""

from .lenses import LENSES
from .picture import picture
from .plan import Plan

__all__ = ["LENSES", "Plan", "picture"]
