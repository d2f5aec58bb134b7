"""The exceptions of the package; ``except CspError`` catches all of them."""

from __future__ import annotations


class CspError(Exception):
    """The base class of all errors of this package; the message is for the user."""


class ModelError(CspError, ValueError):
    """The error for an invalid model, such as an unknown variable or an empty domain."""


class TooLarge(CspError, ValueError):
    """The error for a model whose snapshots or formula would exceed a size limit."""


class Stopped(CspError):
    """The error for a query that reached a limit; the message names the limit."""


class Unfinished(UserWarning):
    """A warning: a limit ended an optimization, and the caller did not check for that."""


class Lost(CspError):
    """The error for a task whose worker processes died repeatedly."""


class DrawingError(CspError):
    """The error for a picture that cannot be drawn; the message gives the reason."""
