"""Make and check certificates that a model has no solution, or only one."""

from .cadical import NoCertificate
from .certificates import Certificate, certificate, compare
from .checker import Refused, read_certificate, verify, verify_texts

__all__ = [
    "Certificate", "NoCertificate", "Refused", "certificate", "compare", "read_certificate", "verify", "verify_texts",
]  # fmt: skip
