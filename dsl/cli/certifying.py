"""csp check --certificate"""

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
            count = counted(self.lines, "line")
            say(f"{self.folder}: clauses.cnf, and proof.drup of {count} by {WRITERS[self.is_own]}")


def certify(
    solver: Solver,
    verdict: Verdict,
    folder: str,
    sources: Mapping[str, Source],
    params: Mapping[str, Value],
    progress: ProgressWatch,
) -> Paper:
    """Write the certificate of a verdict, with the digests of the texts that it is of."""
    if verdict.solutions == "several":
        return Paper(folder, why_not="there are several solutions")
    if verdict.solutions == "unknown":
        return Paper(folder, why_not="it is not known how many solutions there are")
    try:
        found = certificate(solver, verdict.found[0] if verdict.found else None, progress)
    except (NoCertificate, Stopped) as error:
        stopped = "stopped by " if isinstance(error, Stopped) else ""
        return Paper(folder, why_not=f"{stopped}{error}")
    os.makedirs(folder, exist_ok=True)
    text = "".join(f"{line}\n" for line in digests(sources, params)) + found.clauses
    write_whole(os.path.join(folder, "clauses.cnf"), text.encode())
    write_whole(os.path.join(folder, "proof.drup"), found.proof.encode())
    return Paper(folder, found.proof.count("\n"), found.is_own)


def digests(sources: Mapping[str, Source], params: Mapping[str, Value]) -> list[str]:
    """Comments that tell which texts and params a spec is made of: the SHA-256 of each text, as sha256sum prints it."""
    texts = [(os.path.basename(source.name) or source.name, source.text) for source in sources.values()]
    files = [f"c spec {sha256(text.encode()).hexdigest()} {visible(name)}" for name, text in texts]
    return [*files, *[f"c spec {name} = {visible(str(value))}" for name, value in params.items()]]
