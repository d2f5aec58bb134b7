"""csp check --certificate"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from csp import Solver, Stopped, Verdict
from csp.explain.proofs import NoCertificate, certificate
from csp.ground.files import write_whole

from .output import say
from .watch import Watch

WRITERS = {True: "the search of this program", False: "CaDiCaL"}
"""Whose proof it is."""


@dataclass(frozen=True)
class Paper:
    """A certificate that has been written, or why it has not."""

    folder: str
    lines: int = 0
    is_own: bool = False
    why_not: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        if self.why_not:
            return {"folder": None, "message": self.why_not}
        return {"folder": self.folder, "lines": self.lines, "by": WRITERS[self.is_own]}

    def tell(self, is_quiet: bool) -> None:
        """Say it for people."""
        if self.why_not:
            say(f"csp: no certificate: {self.why_not}", err=True)
        elif not is_quiet:
            count = f"{self.lines:,} line{'s' * (self.lines != 1)}"
            say(f"{self.folder}: clauses.cnf, and proof.drup of {count} by {WRITERS[self.is_own]}")


def certify(solver: Solver, verdict: Verdict, folder: str, watch: Watch) -> Paper:
    """Write the certificate of a verdict."""
    if verdict.solutions == "several":
        return Paper(folder, why_not="there are several solutions")
    if verdict.solutions == "unknown":
        return Paper(folder, why_not="it is not known how many solutions there are")
    try:
        found = certificate(solver, verdict.found[0] if verdict.found else None, watch)
    except (NoCertificate, Stopped) as error:
        stopped = "stopped by " if isinstance(error, Stopped) else ""
        return Paper(folder, why_not=f"{stopped}{error}")
    os.makedirs(folder, exist_ok=True)
    write_whole(os.path.join(folder, "clauses.cnf"), found.clauses.encode())
    write_whole(os.path.join(folder, "proof.drup"), found.proof.encode())
    return Paper(folder, found.proof.count("\n"), found.is_own)
