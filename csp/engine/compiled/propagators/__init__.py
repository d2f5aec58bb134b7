"""The propagators, and the table from constraint kind to propagator."""

from .base import MAKERS, Context, Propagator, maker

__all__ = ["MAKERS", "Context", "Propagator", "maker"]
