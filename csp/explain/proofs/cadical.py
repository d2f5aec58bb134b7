"""Obtain proofs from the SAT solver CaDiCaL (python-sat) in a separate process."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ...base.errors import CspError
from ...engine.effort import Effort, Progress
from .checker import Refused, verify_texts

TICK = 0.05
"""Seconds between two checks of the limits."""

CHILD = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver(name="cadical153", bootstrap_with=CNF(from_file=sys.argv[1]).clauses, with_proof=True) as solver:
    if solver.solve():
        sys.exit(10)
    with open(sys.argv[2], "w") as file:
        file.writelines(line + chr(10) for line in solver.get_proof())
"""
"""The program of the process; by convention, exit code 10 means that the clauses are satisfiable."""

SATISFIED = 10


class NoCertificate(CspError):
    """Error raised if a certificate cannot be made, with the reason."""


def prove(clauses: str, progress: Progress | None = None) -> str | None:
    """Return CaDiCaL's proof that the clauses are unsatisfiable; None if they are satisfiable.

    The proof has the DRUP format. ``clauses``: in the DIMACS format; ``progress``: progress callback: called often; an
    exception it raises ends the process.

    Raises
    ------
    NoCertificate
        If python-sat is not installed, or is too old to write whole proofs.
    CspError
        If the process dies.

    References
    ----------
    .. [1] A. Biere, M. Fleury, "Gimsatul, IsaSAT and Kissat entering the SAT competition 2022", 2022 (CaDiCaL 1.5).
    .. [2] A. Ignatiev, A. Morgado, J. Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", 2018.
    """
    if find_spec("pysat") is None:
        raise NoCertificate("it takes a solver that learns and writes it down: pip install 'alldifferent[proof]'")
    with TemporaryDirectory() as folder:
        given, proof = Path(folder) / "clauses.cnf", Path(folder) / "proof.drup"
        given.write_text(clauses, encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", CHILD, str(given), str(proof)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                try:
                    code = process.wait(TICK)
                    break
                except subprocess.TimeoutExpired:
                    if progress is not None:
                        progress(Effort())
        finally:
            process.kill()
            process.wait()
        # The signal that ends this process may have ended the child first, so check before the exit code.
        if progress is not None:
            progress(Effort())
        if code == SATISFIED:
            return None
        if code:
            raise CspError(f"the solver that writes proofs ended with exit code {code}")
        written = proof.read_text(encoding="utf-8")
        if f"\n{written}".endswith("\n0\n"):
            return written
        # Without an end, also other lines may be missing; the empty clause must follow from those that are there.
        written += "0\n"
        try:
            verify_texts(clauses, written, lambda: progress and progress(Effort()))
        except Refused:
            update = "pip install --upgrade 'alldifferent[proof]'"
            raise NoCertificate(f"CaDiCaL has not written its whole proof: {update}") from None
        return written
