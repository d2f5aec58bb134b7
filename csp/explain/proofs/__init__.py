"""Certificates that a model has no solution, or no other one, and their checker."""

from .cadical import NoCertificate
from .certificates import Certificate, certificate, compare
from .checker import Refused, verify

__all__ = ["Certificate", "NoCertificate", "Refused", "certificate", "compare", "verify"]
