"""What csp check shows for its verdicts, on hundreds of puzzles, checked by others.

    python tests/benchmarks/evidence.py [--data DIR] [--only conflicts,certificates,hard] [--conflicts 500]
                                        [--certificates 200] [--drat PROGRAM]

conflicts: unsolvable puzzles of the collection, and puzzles of ten families with one number changed. For each the set
that cannot hold together has no solution, and has one without any one element, by the search that learns; how long the
set takes. certificates: as many puzzles with one solution, and as many without, of the ten families; every certificate
is checked by ``csp verify``, and by drat-trim where there is one, and five changes of a line are each refused. hard: a
ripple effect that only search refutes, and minimal 25x25 sudokus. The exit status is 1 if anything is wrong. Times are
those of one process, by its own clock, with that of its children.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain, groupby, islice
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Model, Solver  # noqa: E402
from csp.explain import conflict  # noqa: E402
from csp.explain.proofs import Refused, certificate, verify  # noqa: E402
from tests.evidence import FAMILIES, UNSOLVABLE, damage_certificate, faults, model_of, models, mutants  # noqa: E402
from tests.verdicts import records  # noqa: E402


def seconds() -> float:
    """Processor time of this process and its children."""
    return sum(os.times()[:4])


def every_unsolvable(data: Path, count: int) -> Iterator[tuple[str, Model]]:
    """So many puzzles without a solution: of the collection, then of the ten families in equal parts."""
    known = chain.from_iterable(models(data / path) for path in UNSOLVABLE)
    own = [("none", model) for model in islice(known, count)]
    yield from own
    missing, families = count - len(own), list(FAMILIES)
    for number, family in enumerate(families):
        share = missing * (number + 1) // len(families) - missing * number // len(families)
        for model in mutants(data / FAMILIES[family], share):
            yield family, model


def conflicts(data: Path, count: int) -> int:
    """The table of conflicts; how many are wrong."""
    wrong = 0
    print(f"{'conflicts':12} {'puzzles':>8} {'median s':>9} {'slowest':>8} {'median size':>12} {'largest':>8}")
    spent: list[tuple[float, int]] = []
    for family, every in groupby(every_unsolvable(data, count), key=lambda one: one[0]):
        own = []
        for _, model in every:
            began = seconds()
            found = conflict(Solver(model))
            own.append((seconds() - began, len(found.units)))
            if problems := faults(model, found):
                wrong += 1
                print("WRONG", family, problems)
        spent += own
        row(family, own)
    row("all", spent)
    print(f"wrong: {wrong}")
    return wrong


def row(name: str, spent: list[tuple[float, int]]) -> None:
    """A line of the table of conflicts."""
    times, sizes = zip(*spent, strict=True)
    counts = f"{len(spent):8} {median(times):9.2f} {max(times):8.2f} {median(sizes):12g} {max(sizes):8}"
    print(f"{name:12} {counts}", flush=True)


def is_accepted(folder: Path, clauses: str, proof: str) -> bool:
    """What csp verify says of a certificate."""
    (folder / "clauses.cnf").write_text(clauses)
    (folder / "proof.drup").write_text(proof)
    try:
        verify(folder)
    except Refused:
        return False
    return True


def certificates(data: Path, count: int, drat: str | None) -> int:
    """The table of certificates; how many are wrong."""
    wrong = 0
    print(f"{'certificates':12} {'one':>4} {'none':>5} {'own':>4} {'verified':>9} {'drat-trim':>10} {'refused':>8}"
          f" {'write s':>8} {'verify s':>9}")  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, (family, path) in enumerate(FAMILIES.items()):
            share = count * (number + 1) // len(FAMILIES) - count * number // len(FAMILIES)
            ones = list(islice((m for m in models(data / path) if Solver(m).count(limit=2).value == 1), share))
            nones = list(mutants(data / path, share, seed=1))
            own = verified = checked = refused = changes = 0
            write, check = [], []
            for model in [*ones, *nones]:
                solver = Solver(model)
                began = seconds()
                made = certificate(solver, solver.solve())
                middle = seconds()
                verified += is_accepted(folder, made.clauses, made.proof)
                write.append(middle - began)
                check.append(seconds() - middle)
                own += made.is_own
                if drat:
                    command = [drat, str(folder / "clauses.cnf"), str(folder / "proof.drup")]
                    told = subprocess.run(command, capture_output=True, text=True).stdout
                    checked += "s VERIFIED" in told
                for _, clauses, proof in damage_certificate(made.clauses, made.proof):
                    changes += 1
                    refused += not is_accepted(folder, clauses, proof)
            every = len(ones) + len(nones)
            wrong += (every - verified) + (every - checked if drat else 0) + (changes - refused)
            shown = f"{checked}/{every}" if drat else "-"
            counts = (
                f"{len(ones):4} {len(nones):5} {own:4} {verified:5}/{every:<3} {shown:>10} {refused:4}/{changes:<3}"
            )
            print(f"{family:12} {counts} {median(write):8.2f} {median(check):9.2f}", flush=True)
    print(f"wrong: {wrong}")
    return wrong


def hard(data: Path) -> int:
    """One spec that only search refutes, and minimal 25x25 sudokus: ``csp check`` of each; how many are wrong."""
    wrong = 0
    work = [("ripple", (ROOT / "tests" / "benchmarks" / "hard" / "ripple.csp").read_text(encoding="utf-8"), "these 13")]
    for record in records(data / "measure" / "sudokuN" / "gecode_25x25.jsonl"):
        work.append((record["id"], dsl.dumps(model_of(record)), "one solution"))
    for name, spec, known in work:
        began, clock = seconds(), perf_counter()
        command = [sys.executable, "-m", "dsl", "check", "-", "--timeout", "60"]
        run = subprocess.run(command, input=spec, capture_output=True, text=True, cwd=ROOT)
        told = (run.stdout.strip() or run.stderr.strip()).splitlines()
        wrong += run.returncode not in (0, 1, 3) or (run.returncode != 3 and known not in run.stdout)
        print(
            f"{name:12} {seconds() - began:6.1f} s of processor, {perf_counter() - clock:6.1f} s: {told[-1][:120]}",
            flush=True,
        )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="conflicts,certificates,hard")
    parser.add_argument("--conflicts", type=int, default=500)
    parser.add_argument("--certificates", type=int, default=200)
    parser.add_argument("--drat", default=shutil.which("drat-trim"))
    options = parser.parse_args()
    wrong = 0
    for part in options.only.split(","):
        if part == "conflicts":
            wrong += conflicts(options.data, options.conflicts)
        elif part == "certificates":
            wrong += certificates(options.data, options.certificates, options.drat)
        elif part == "hard":
            wrong += hard(options.data)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
