"""Checks certificates. It knows nothing of the rest of the program, so it fits on a page and can be read on its own.

A certificate is a folder with ``clauses.cnf``, clauses in the DIMACS format, and ``proof.drup``: lines with a clause
each that follows by reverse unit propagation (if all its literals were false, single literals would follow one by one
until a clause is broken), lines ``d ...`` that drop a clause, and at last the empty clause, ``0``. A comment ``c
solution ... 0`` in the clauses records an assignment; it must satisfy all clauses but the last one, which forbids it.

Reference: E. Goldberg, Y. Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

CLAUSES, PROOF = "clauses.cnf", "proof.drup"
"""The files of a certificate."""

MOST = 2_000_000
"""The most variables; memory is taken for each, and not only for those of the clauses."""


LARGEST = 1_000_000_000
"""The most bytes of a file."""


class Refused(ValueError):
    """What is wrong with a certificate."""


class WatchedClauses:
    """Clauses, and the literals that follow from them one by one; each clause is watched by two of its literals."""

    def __init__(self, size: int) -> None:
        self.size, self.is_broken = size, False
        self._watching: list[list[list[int]]] = [[] for _ in range(2 * size + 1)]  # -1 is the last one
        self._true = bytearray(2 * size + 1)
        self._trail: list[int] = []
        self._kept: dict[tuple[int, ...], list[list[int]]] = {}

    def add(self, literals: Iterable[int]) -> None:
        """Another clause, and all that follows from it."""
        clause = list(dict.fromkeys(literals))
        true, begin = self._true, len(self._trail)
        if self.is_broken or any(true[one] for one in clause) or len({*map(abs, clause)}) < len(clause):
            return
        clause.sort(key=lambda one: true[-one])
        open_ones = [one for one in clause[:2] if not true[-one]]
        if len(open_ones) == 2:
            self._watching[clause[0]].append(clause)
            self._watching[clause[1]].append(clause)
            self._kept.setdefault(tuple(sorted(clause)), []).append(clause)
        elif open_ones:
            self._set(clause[0])
            self.is_broken = self._breaks(begin)
        else:
            self.is_broken = True

    def drop(self, literals: Iterable[int]) -> None:
        """Do without a clause; what has followed from it stays, and what has made a literal follow is not kept."""
        if found := self._kept.get(tuple(sorted(set(literals)))):
            found.pop().clear()

    def follows(self, literals: Iterable[int]) -> bool:
        """Whether a clause follows by reverse unit propagation."""
        if self.is_broken:
            return True
        begin = len(self._trail)
        found = not all(self._true[-one] or self._set(-one) for one in literals) or self._breaks(begin)
        for one in self._trail[begin:]:
            self._true[one] = 0
        del self._trail[begin:]
        return found

    def consequences(self, literals: Iterable[int]) -> list[int]:
        """All literals that follow if these are true; they are not taken back."""
        for one in literals:
            self.add([one])
        return [] if self.is_broken else self._trail

    def _set(self, literal: int) -> bool:
        """Make a literal true, unless it is false."""
        if self._true[-literal]:
            return False
        if not self._true[literal]:
            self._true[literal] = 1
            self._trail.append(literal)
        return True

    def _breaks(self, at: int) -> bool:
        """Whether what follows from the literals of the trail from some place on breaks a clause."""
        true, trail = self._true, self._trail
        while at < len(trail):
            false = -trail[at]
            at += 1
            watching = self._watching[false]
            kept = self._watching[false] = []
            for number, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if true[first]:
                    kept.append(clause)
                    continue
                for place in range(2, len(clause)):
                    if not true[-clause[place]]:
                        clause[1], clause[place] = clause[place], false
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if true[-first]:
                        kept += watching[number + 1 :]
                        return True
                    true[first] = 1
                    trail.append(first)
        return False


def verify(folder: Path, tick: Callable[[], object] = lambda: None) -> str:
    """Check the certificate of a folder; return what it proves. ``tick`` is called often.

    Raises
    ------
    Refused
    OSError
    """
    return verify_texts(*read_certificate(folder), tick)


def verify_texts(clauses_cnf: str, proof_drup: str, tick: Callable[[], object] = lambda: None) -> str:
    """Check a certificate whose files have been read; return what it proves.

    Raises
    ------
    Refused
    """
    size, clauses, solution = read_clauses(clauses_cnf)
    said = f"nothing satisfies all {len(clauses):,} clauses"
    if solution is not None:
        check_solution(size, clauses, solution)
        said = f"the solution that is recorded satisfies all clauses but the last one, and {said}"
    known = WatchedClauses(size)
    for clause in clauses:
        known.add(clause)
    for number, word, literals in read_proof(proof_drup, size):
        tick()
        if word == "d":
            known.drop(literals)
        elif not known.follows(literals):
            raise Refused(f"line {number} of proof.drup does not follow by unit propagation")
        elif not literals:
            return f"{said}: proved in {number:,} line{'s' * (number != 1)}"
        else:
            known.add(literals)
    raise Refused("proof.drup ends before the empty clause")


def read_certificate(folder: Path) -> tuple[str, str]:
    """Return the texts of ``clauses.cnf`` and ``proof.drup``, each read once.

    Raises
    ------
    Refused
    OSError
    """
    return read_text(folder / CLAUSES), read_text(folder / PROOF)


def read_text(path: Path) -> str:
    """Return the text of a file, which may be a device without an end."""
    data = bytearray()
    with path.open("rb") as file:
        while part := file.read(1 << 20):  # not all at once, so that a signal can end it
            data += part
            if len(data) > LARGEST:
                raise Refused(f"{path.name} has more than {LARGEST:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is not text in UTF-8") from None


def read_clauses(text: str) -> tuple[int, list[list[int]], list[int] | None]:
    """Return the number of variables, the clauses, and the assignment that is recorded."""
    head = [-1, -1]
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
    if head[0] > MOST:
        raise Refused(f"clauses.cnf says that it has {head[0]:,} variables, and {MOST:,} are the most")
    return head[0], clauses, solution


def check_solution(size: int, clauses: list[list[int]], solution: list[int]) -> None:
    """An assignment must satisfy all clauses but the last one, which forbids it."""
    true = set(solution)
    if {abs(one) for one in solution} != {*range(1, size + 1)} or len(true) != size:
        raise Refused("the solution that is recorded is no assignment of all variables")
    for number, clause in enumerate(clauses, 1):
        if true.isdisjoint(clause) != (number == len(clauses)):
            raise Refused(f"the solution that is recorded does not fit clause {number}")


def read_proof(text: str, size: int) -> Iterator[tuple[int, str, list[int]]]:
    """Yield the lines of a proof: their numbers, ``d`` or nothing, and their literals."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and words[0] != "c":
            word = words.pop(0) if words[0] == "d" else ""
            yield number, word, literals_of(words, PROOF, number, size)


def literals_of(words: list[str], file: str, number: int, size: int | None) -> list[int]:
    """Return the literals of a line that ends with 0."""
    try:
        *literals, end = map(int, words)
    except ValueError:
        end, literals = 1, []
    if end or 0 in literals or (size is not None and any(abs(one) > size for one in literals)):
        raise Refused(f"line {number} of {file} is no clause")
    return literals


def main() -> int:
    """Check the certificate of a folder; return the exit code.

    It is 0 if the certificate is accepted, 1 if it is refused, and 2 if it cannot be read.
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
