"""Certificates that a puzzle has no solution or one, for an independent checker."""

from .cadical import NoCertificate
from .certificates import Certificate, certificate, compare
from .checker import Refused, verify

__all__ = ["Certificate", "NoCertificate", "Refused", "certificate", "compare", "verify"]
