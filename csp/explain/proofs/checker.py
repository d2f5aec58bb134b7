"""Check certificates with code that shares nothing with the solver.

This file imports nothing of the program, so it can be read and run on its own.

A certificate is a folder with two files. ``clauses.cnf`` has clauses in the DIMACS format. ``proof.drup`` has a clause
per line that follows by reverse unit propagation: if all its literals are false, unit propagation makes some clause
false. A line ``d ...`` removes a clause. The last line is the empty clause, ``0``. A comment ``c solution ... 0`` in
the clauses records an assignment; it must satisfy all clauses except the last one, which excludes it.

Reference: E. Goldberg, Y. Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

CLAUSES, PROOF = "clauses.cnf", "proof.drup"
"""The files of a certificate."""

MAX_VARIABLES = 2_000_000
"""Maximum number of variables; memory is reserved for each, even if no clause contains it."""


MAX_BYTES = 1_000_000_000
"""Maximum number of bytes of a file; a larger file is refused."""


class Refused(ValueError):
    """Error raised if the checker rejects a certificate, with the reason."""


class WatchedClauses:
    """A set of clauses with unit propagation by two watched literals.

    Attributes
    ----------
    size : int
        The number of variables.
    is_broken : bool
        Whether unit propagation of the clauses leads to a conflict.
    """

    def __init__(self, size: int) -> None:
        self.size, self.is_broken = size, False
        # Lists are indexed by literals; a negative literal counts from the end.
        self._watching: list[list[list[int]]] = [[] for _ in range(2 * size + 1)]
        self._true = bytearray(2 * size + 1)
        self._log: list[int] = []
        self._clauses_by_literals: dict[tuple[int, ...], list[list[int]]] = {}

    def add(self, literals: Iterable[int]) -> None:
        """Add a clause unless it is already true, and run unit propagation.

        A conflict sets ``is_broken``.
        """
        clause = list(dict.fromkeys(literals))
        true, start = self._true, len(self._log)
        # Skip a clause that is true already, or contains a literal and its negation.
        if self.is_broken or any(true[literal] for literal in clause) or len({*map(abs, clause)}) < len(clause):
            return
        # Put literals that are not false first. Two are watched; a single one follows; none is a conflict.
        clause.sort(key=lambda literal: true[-literal])
        unfalsified = [literal for literal in clause[:2] if not true[-literal]]
        if len(unfalsified) == 2:
            self._watching[clause[0]].append(clause)
            self._watching[clause[1]].append(clause)
            self._clauses_by_literals.setdefault(tuple(sorted(clause)), []).append(clause)
        elif unfalsified:
            self._set(clause[0])
            self.is_broken = self._propagate(start)
        else:
            self.is_broken = True

    def drop(self, literals: Iterable[int]) -> None:
        """Remove a clause, but keep the literals that followed from it.

        A clause without two watched literals is not removed.
        """
        if copies := self._clauses_by_literals.get(tuple(sorted(set(literals)))):
            copies.pop().clear()

    def follows(self, literals: Iterable[int]) -> bool:
        """Return whether the clauses imply a clause by reverse unit propagation.

        The clauses are unchanged afterwards.
        """
        if self.is_broken:
            return True
        start = len(self._log)
        # Make all literals of the clause false: it follows if this leads to a conflict.
        fails = not all(self._true[-literal] or self._set(-literal) for literal in literals) or self._propagate(start)
        # Undo the assignments.
        for literal in self._log[start:]:
            self._true[literal] = 0
        del self._log[start:]
        return fails

    def consequences(self, literals: Iterable[int]) -> list[int]:
        """Make literals true permanently; return all true literals, an empty list after a conflict."""
        for literal in literals:
            self.add([literal])
        return [] if self.is_broken else self._log

    def _set(self, literal: int) -> bool:
        """Make a literal true; return False if it is already false."""
        if self._true[-literal]:
            return False
        if not self._true[literal]:
            self._true[literal] = 1
            self._log.append(literal)
        return True

    def _propagate(self, position: int) -> bool:
        """Propagate the literals logged from ``position`` on; return whether a clause becomes false."""
        true, log = self._true, self._log
        while position < len(log):
            false = -log[position]
            position += 1
            # The clauses that watch the false literal; those that keep watching it go into a new list.
            clauses = self._watching[false]
            still_watching = self._watching[false] = []
            for number, clause in enumerate(clauses):
                # A removed clause is empty.
                if not clause:
                    continue
                # Keep the false literal second.
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if true[first]:
                    still_watching.append(clause)
                    continue
                # Watch another literal that is not false; without one, the first literal follows.
                for index in range(2, len(clause)):
                    if not true[-clause[index]]:
                        clause[1], clause[index] = clause[index], false
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    still_watching.append(clause)
                    if true[-first]:
                        still_watching += clauses[number + 1 :]
                        return True
                    true[first] = 1
                    log.append(first)
        return False


def verify(folder: Path, tick: Callable[[], object] = lambda: None) -> str:
    """Check the certificate in a folder; return its conclusion, or raise ``Refused``.

    Parameters
    ----------
    folder : Path
    tick : function
        Called for each line of the proof; an exception that it raises ends the check.

    Raises
    ------
    Refused
        If the certificate is not accepted.
    OSError
        If a file cannot be read.
    """
    return verify_texts(*read_certificate(folder), tick)


def verify_texts(clauses_cnf: str, proof_drup: str, tick: Callable[[], object] = lambda: None) -> str:
    """Check a certificate given as two texts; return its conclusion, or raise ``Refused``.

    Raises
    ------
    Refused
        If the certificate is not accepted.
    """
    size, clauses, solution = read_clauses(clauses_cnf)
    statement = f"nothing satisfies all {len(clauses):,} clauses"
    # With a recorded solution, the last clause excludes it, so the proof shows that it is the only one.
    if solution is not None:
        check_solution(size, clauses, solution)
        statement = f"the solution that is recorded satisfies all clauses but the last one, and {statement}"
    database = WatchedClauses(size)
    for clause in clauses:
        database.add(clause)
    # Each line removes a clause, or adds one that follows; the empty clause ends the proof.
    for number, word, literals in read_proof(proof_drup, size):
        tick()
        if word == "d":
            database.drop(literals)
        elif not database.follows(literals):
            raise Refused(f"line {number} of proof.drup does not follow by unit propagation")
        elif not literals:
            return f"{statement}: proved in {number:,} line{'s' * (number != 1)}"
        else:
            database.add(literals)
    raise Refused("proof.drup ends before the empty clause")


def read_certificate(folder: Path) -> tuple[str, str]:
    """Return the texts of the files ``clauses.cnf`` and ``proof.drup``.

    Raises
    ------
    Refused
        If a file is too large or not UTF-8.
    OSError
        If a file cannot be read.
    """
    return read_text(folder / CLAUSES), read_text(folder / PROOF)


def read_text(path: Path) -> str:
    """Return the text of a file; refuse more than ``MAX_BYTES`` bytes or invalid UTF-8.

    The file may be an endless device: reading stops at ``MAX_BYTES``.
    """
    data = bytearray()
    with path.open("rb") as file:
        # Read in parts, so that a signal can end the reading.
        while part := file.read(1 << 20):
            data += part
            if len(data) > MAX_BYTES:
                raise Refused(f"{path.name} has more than {MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is not text in UTF-8") from None


def read_clauses(text: str) -> tuple[int, list[list[int]], list[int] | None]:
    """Parse a DIMACS text: return variable count, clauses, and the recorded solution or None."""
    head = [-1, -1]  # the declared numbers of variables and clauses
    clauses: list[list[int]] = []
    solution = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words[:2] == ["c", "solution"]:
            solution = literals_of(words[2:], CLAUSES, number, None)
        elif words[:2] == ["p", "cnf"] and len(words) == 4 and head[0] < 0:
            head = [int(word) if re.fullmatch("[0-9]{1,18}", word) else -1 for word in words[2:]]
        elif words and words[0] != "c":
            clauses.append(literals_of(words, CLAUSES, number, head[0]))
    if head[0] < 0 or head[1] != len(clauses):
        raise Refused("clauses.cnf has not the clauses that its line p cnf says")
    if head[0] > MAX_VARIABLES:
        raise Refused(f"clauses.cnf says that it has {head[0]:,} variables, and {MAX_VARIABLES:,} are the most")
    return head[0], clauses, solution


def check_solution(size: int, clauses: list[list[int]], solution: list[int]) -> None:
    """Raise ``Refused`` unless ``solution`` satisfies all clauses except the last, and violates that one."""
    true = set(solution)
    if {abs(literal) for literal in solution} != {*range(1, size + 1)} or len(true) != size:
        raise Refused("the recorded solution does not assign all variables")
    for number, clause in enumerate(clauses, 1):
        if true.isdisjoint(clause) != (number == len(clauses)):
            raise Refused(f"the solution that is recorded does not fit clause {number}")


def read_proof(text: str, size: int) -> Iterator[tuple[int, str, list[int]]]:
    """Yield the line number, command and literals of each proof line.

    The command is ``d`` for a removed clause, and empty for an added one.
    """
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and words[0] != "c":
            word = words.pop(0) if words[0] == "d" else ""
            yield number, word, literals_of(words, PROOF, number, size)


def literals_of(words: list[str], file: str, number: int, size: int | None) -> list[int]:
    """Parse a clause line's words, which end with 0, into literals; refuse other lines.

    ``size`` is the number of variables, or None if it is not known yet.
    """
    try:
        *literals, end = map(int, words)
    except ValueError:
        end, literals = 1, []
    if end or 0 in literals or (size is not None and any(abs(literal) > size for literal in literals)):
        raise Refused(f"line {number} of {file} is not a clause")
    return literals


def main() -> int:
    """Check the certificate in the command line's folder; print the result, return an exit code.

    The code is 0 if the certificate is accepted, 1 if it is refused, and 2 if it cannot be read.
    """
    if len(sys.argv) != 2:
        print("usage: python checker.py DIR", file=sys.stderr)
        return 2
    try:
        print(verify(Path(sys.argv[1])))
    except Refused as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
