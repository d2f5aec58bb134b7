"""Writes the certificate of csp check --certificate: clauses and a proof, as files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from csp import Solver, Stopped, Value, Verdict
from csp.base.files import write_whole
from csp.base.notation import counted, visible
from csp.explain.proofs import NoCertificate, certificate

from ..syntax.errors import Source
from .output import say
from .progress import ProgressWatch

WRITERS = {True: "the search of this program", False: "CaDiCaL"}
"""The author of a proof, by ``is_own``."""


@dataclass(frozen=True)
class CertificateReport:
    """A report on a certificate: its files, or why none was written."""

    folder: str
    lines: int = 0
    is_own: bool = False
    why_not: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data: the proof's lines, or a message.

        The message says why no certificate was written.
        """
        if self.why_not:
            return {"folder": None, "message": self.why_not}
        return {"folder": self.folder, "lines": self.lines, "by": WRITERS[self.is_own]}

    def print(self, is_quiet: bool) -> None:
        """Print the files and the proof's length, or why none was written.

        If ``is_quiet``, print only the reason why there is no certificate.
        """
        if self.why_not:
            say(f"csp: no certificate: {self.why_not}", err=True)
        elif not is_quiet:
            count = counted(self.lines, "line")
            say(f"{self.folder}: clauses.cnf, and proof.drup of {count} by {WRITERS[self.is_own]}")


def certify(
    solver: Solver,
    verdict: Verdict,
    folder: str,
    sources: Mapping[str, Source],
    params: Mapping[str, Value],
    progress: ProgressWatch,
) -> CertificateReport:
    """Write a certificate that a model has no or one solution; return a report.

    The files in ``folder`` are the clauses, with checksums of the spec's texts, and the proof. For another verdict, and
    if no proof is found, no file is written, and the report says why.
    """
    if verdict.solutions == "several":
        return CertificateReport(folder, why_not="there are several solutions")
    if verdict.solutions == "unknown":
        return CertificateReport(folder, why_not="the number of solutions is unknown")
    try:
        found_certificate = certificate(solver, verdict.found[0] if verdict.found else None, progress)
    except (NoCertificate, Stopped) as error:
        prefix = "stopped by " if isinstance(error, Stopped) else ""
        return CertificateReport(folder, why_not=f"{prefix}{error}")
    os.makedirs(folder, exist_ok=True)
    # The digests are comments before the clauses, which csp verify compares with the spec.
    text = "".join(f"{line}\n" for line in digests(sources, params)) + found_certificate.clauses
    write_whole(os.path.join(folder, "clauses.cnf"), text.encode())
    write_whole(os.path.join(folder, "proof.drup"), found_certificate.proof.encode())
    return CertificateReport(folder, found_certificate.proof.count("\n"), found_certificate.is_own)


def digests(sources: Mapping[str, Source], params: Mapping[str, Value]) -> list[str]:
    """Return DIMACS comment lines with the checksums of a spec's texts, and its params.

    A text is identified by its SHA-256, as sha256sum prints it.
    """
    texts = [(os.path.basename(source.name) or source.name, source.text) for source in sources.values()]
    files = [f"c spec {sha256(text.encode()).hexdigest()} {visible(name)}" for name, text in texts]
    return [*files, *[f"c spec {name} = {visible(str(value))}" for name, value in params.items()]]
