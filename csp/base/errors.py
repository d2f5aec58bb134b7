"""The exceptions of the package; ``except CspError`` catches all of them."""

from __future__ import annotations


class CspError(Exception):
    """The base class of all errors of this package; the message is for the user."""


class ModelError(CspError, ValueError):
    """An invalid model: an unknown variable, an empty domain, a name used twice."""


class TooLarge(CspError, ValueError):
    """A model with more candidates than the engine can hold."""


class Stopped(CspError):
    """The end of a query at a limit, which the message names."""


class Unfinished(UserWarning):
    """A warning that a limit ended the search for better solutions unnoticed."""


class Lost(CspError):
    """A task whose worker processes died repeatedly; the message says how often."""


class DrawingError(CspError):
    """A picture that cannot be drawn; the message gives the reason."""
