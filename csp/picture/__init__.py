"""A picture as a list of marks: where everything stands, and what is seen of a moment."""

from .plan import LensName

__all__ = ["LensName"]
