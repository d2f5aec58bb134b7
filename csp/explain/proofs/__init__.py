"""Certificates of no solution, or of no other one, for an independent checker."""

from .cadical import NoCertificate
from .certificates import Certificate, certificate, compare
from .checker import Refused, verify

__all__ = ["Certificate", "NoCertificate", "Refused", "certificate", "compare", "verify"]
