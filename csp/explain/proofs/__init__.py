"""Certificates that a model has no solution, or no other one, and their checker."""

from .cadical import NoCertificate
from .certificates import Certificate, certificate, compare
from .checker import Refused, read_certificate, verify, verify_texts

__all__ = [
    "Certificate", "NoCertificate", "Refused", "certificate", "compare", "read_certificate", "verify", "verify_texts",
]  # fmt: skip
