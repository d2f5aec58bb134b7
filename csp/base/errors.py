"""What can go wrong: one root, so that one ``except`` catches all that this package says on purpose."""

from __future__ import annotations


class CspError(Exception):
    """The root of all errors of this package; its message is meant for the user."""


class ModelError(CspError, ValueError):
    """A model that cannot be meant: an unknown variable, an empty domain, a name used twice."""


class TooLarge(CspError, ValueError):
    """The model needs more candidates than the engine will hold."""


class Stopped(CspError):
    """A limit ended the work; the message says which."""


class Unfinished(UserWarning):
    """A limit ended the search for better solutions, and nobody looked at ``stopped`` of the answers."""


class Lost(CspError):
    """A task whose processes have died again and again; the message says how often."""


class DrawingError(CspError):
    """A picture that cannot be drawn; the message says why."""
