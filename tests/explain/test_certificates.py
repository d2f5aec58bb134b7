"""Tests of certificates (``csp check --certificate``) and of their checker (``csp verify``)."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import dsl
from csp import Solver
from csp.encoding.formula import Formula
from csp.explain.proofs import NoCertificate, Refused, certificate, verify
from csp.explain.proofs.cadical import prove
from csp.explain.proofs.checker import WatchedClauses

from ..commands import EXAMPLES, process, run, spec
from ..conftest import ROOT, TIMES
from ..evidence import DATA, RIPPLE, damage_certificate, example, first, mutants


def follows_naively(clauses: list[list[int]], lemma: list[int]) -> bool:
    """Return whether a clause follows by unit propagation.

    The function goes through all clauses again after every new literal.
    """
    # assume the opposite of the lemma and look for a conflict
    true = {-literal for literal in lemma}
    while True:
        for clause in clauses:
            if (
                true.isdisjoint(clause)
                and (unassigned := [*{literal for literal in clause if -literal not in true}])[1:] == []
            ):
                if not unassigned:
                    return True
                true.add(unassigned[0])
                break
        else:
            return any(-literal in true for literal in true)


def write_certificate(folder: Path, clauses: str, proof: str) -> Path:
    """Write a certificate into a folder and return the folder."""
    (folder / "clauses.cnf").write_text(clauses)
    (folder / "proof.drup").write_text(proof)
    return folder


def parse_clauses(text: str) -> list[list[int]]:
    """Return the clauses of a text in DIMACS, as lists of literals."""
    rows = [line.split() for line in text.splitlines() if line and line[0] not in "cpd"]
    return [[int(word) for word in row[:-1]] for row in rows]


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_variants"])
def test_certificates_are_accepted_and_refused_with_a_line_changed(name: str, tmp_path: Path) -> None:
    cases = [(model, Solver(model).solve()) for model in first(name, 2 * TIMES)]
    cases += [(model, None) for model in mutants(DATA / f"{name}.jsonl", 2 * TIMES, seed=1)]
    for model, solution in cases:
        proof = certificate(Solver(model), solution)
        message = verify(write_certificate(tmp_path, proof.clauses, proof.proof))
        assert message.startswith("the solution that is recorded" if solution else "nothing satisfies")
        for change, clauses, drup in damage_certificate(proof.clauses, proof.proof):
            with pytest.raises(Refused):
                print(change, verify(write_certificate(tmp_path, clauses, drup)))


def test_another_checker_accepts_every_line_of_a_proof() -> None:
    for model in [dsl.load(RIPPLE), example("shidoku"), example("zebra"), example("kenken")]:
        proof = certificate(Solver(model), Solver(model).solve())
        clauses = parse_clauses(proof.clauses)
        lemmas = parse_clauses(proof.proof)
        assert lemmas[-1] == [] and len(clauses) == int(proof.clauses.partition("p cnf ")[2].split()[1])
        for lemma in lemmas[:10]:
            assert follows_naively(clauses, lemma)
            clauses.append(lemma)


def test_the_checker_agrees_with_a_naive_checker() -> None:
    rng = random.Random(0)
    answers = set()
    for _ in range(300 * TIMES):
        size = rng.randint(3, 7)
        clauses = [[rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(rng.choice([1, 2, 2, 3, 3]))]
                for _ in range(rng.randint(2, 14))]  # fmt: skip
        checker = WatchedClauses(size)
        for clause in clauses:
            checker.add(clause)
        for _ in range(4):
            lemma = [rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(rng.randint(0, 3))]
            expected = follows_naively(clauses, lemma)
            answers.add(expected)
            assert checker.follows(lemma) == expected, (clauses, lemma)
            if expected:
                checker.add(lemma)
                clauses.append(lemma)
    assert answers == {True, False}


HOLES = "p cnf 6 9\n" + "".join(f"{2 * p + 1} {2 * p + 2} 0\n" for p in range(3)) + "".join(
    f"-{2 * p + h} -{2 * q + h} 0\n" for h in (1, 2) for p, q in ((0, 1), (0, 2), (1, 2)))  # fmt: skip


@pytest.mark.parametrize(
    ("clauses", "proof", "message"),
    [
        (HOLES, "1 0\n0\n", ""),
        (HOLES, "d 1 2 0\nd 9 9 0\n0\n", "line 2 of proof.drup is not a clause"),
        (HOLES, "d 1 2 0\n1 0\n0\n", "line 2 of proof.drup does not follow"),
        (HOLES, "0\n", "line 1 of proof.drup does not follow by unit propagation"),
        (HOLES, "1 0\n", "proof.drup ends before the empty clause"),
        (HOLES, "", "proof.drup ends before the empty clause"),
        (HOLES, "7 0\n0\n", "line 1 of proof.drup is not a clause"),
        (HOLES, "1 x 0\n0\n", "line 1 of proof.drup is not a clause"),
        (HOLES.replace("6 9", "6 8"), "1 0\n0\n", "has not the clauses"),
        (HOLES.replace("6 9", "5 9"), "1 0\n0\n", "line 4 of clauses.cnf is not a clause"),
        ("", "0\n", "has not the clauses"),
        (f"c solution 1 0\n{HOLES}", "1 0\n0\n", "does not assign all variables"),
        (f"c solution 1 -2 -3 4 5 -6 0\n{HOLES}", "1 0\n0\n", "does not fit clause 5"),
        ("c solution 1 0\np cnf 1 2\n1 0\n-1 0\n", "0\n", ""),
        ("c solution -1 0\np cnf 1 2\n1 0\n-1 0\n", "0\n", "does not fit clause 1"),
        ("p cnf 1 1\n0\n", "0\n", ""),
        (f"p cnf {'9' * 5000} 1\n0\n", "0\n", "has not the clauses"),
        ("p cnf -1 1\n0\n", "0\n", "has not the clauses"),
        (f"p cnf 1 1\n{'9' * 5000} 0\n", "0\n", "line 2 of clauses.cnf is not a clause"),
        ("p cnf 99999999999 1\n0\n", "0\n", "99,999,999,999 variables, and 2,000,000 are the most"),
    ],
)
def test_the_checker_refuses_invalid_certificates(clauses: str, proof: str, message: str, tmp_path: Path) -> None:
    folder = write_certificate(tmp_path, clauses, proof)
    result = run("verify", folder)
    assert (result.exit_code, "refused" in result.stdout) == ((1, True) if message else (0, False))
    assert message in result.stdout


def test_an_endless_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.explain.proofs.checker.MAX_BYTES", 1_000_000)
    folder = write_certificate(tmp_path, HOLES, "1 0\n0\n")
    assert run("verify", folder).exit_code == 0
    for name in ("clauses.cnf", "proof.drup"):
        (folder / name).rename(folder / "before")
        (folder / name).symlink_to("/dev/zero")
        result = run("verify", folder)
        assert result.exit_code == 1 and f"refused: {name} has more than 1,000,000 bytes" in result.stdout
        (folder / "before").replace(folder / name)


def test_the_timeout_ends_the_reading_of_a_silent_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "clauses.cnf")
    result = process("verify", tmp_path, "--timeout", "0.2")
    assert result.returncode == 3 and "stopped by the limit of 0.2 seconds" in result.stderr


def test_the_checked_clauses_are_the_compared_clauses(tmp_path: Path) -> None:
    """Write other clauses into a pipe for the second reading.

    The first text is a contradiction; the second text is the formula of a spec with two solutions.
    """
    path = spec(tmp_path, "A, B in 1..2. A != B.")
    texts = ["p cnf 1 2\n1 0\n-1 0\n", run("export", path, "--to", "dimacs").stdout]
    folder = tmp_path / "forged"
    folder.mkdir()
    os.mkfifo(folder / "clauses.cnf")
    (folder / "proof.drup").write_text("0\n")

    def write_texts() -> None:
        with suppress(OSError):
            for text in texts:
                (folder / "clauses.cnf").write_text(text)
                time.sleep(0.3)

    writer = threading.Thread(target=write_texts, daemon=True)
    writer.start()
    result = run("verify", folder, "--spec", path)
    assert result.exit_code == 1 and "refused: it does not belong to" in result.stdout
    os.close(os.open(folder / "clauses.cnf", os.O_RDONLY | os.O_NONBLOCK))  # releases a writer that still waits


@pytest.mark.parametrize(
    "text",
    [
        "solution in 1..2. other in 1..2. solution != other. other = 1.",
        "spec in 1..2. clauses in 1..2. spec != clauses. spec = 1.",
    ],
)
def test_variables_may_be_named_like_comments_of_a_certificate(text: str, tmp_path: Path) -> None:
    path, folder = spec(tmp_path, text), tmp_path / "own"
    assert run("check", path, "--certificate", folder).exit_code == 0
    accepted = run("verify", folder, "--spec", path)
    assert accepted.exit_code == 0 and accepted.stdout.endswith(f"the clauses belong to {path}\n")
    clauses = (folder / "clauses.cnf").read_text()
    name = text.split()[0]
    assert f'c "{name}" 1 -> 1\nc "{name}" 2 -> 2\n' in clauses
    exchanged = clauses.replace(f'c "{name}" 1 -> 1\nc "{name}" 2 -> 2\n', f'c "{name}" 2 -> 1\nc "{name}" 1 -> 2\n')
    for forged in (exchanged, exchanged.replace('"', "")):
        (folder / "clauses.cnf").write_text(forged)
        assert run("verify", folder, "--spec", path).exit_code == 1


def test_the_checker_alone_prints_its_usage_and_errors(tmp_path: Path) -> None:
    def run_checker(*arguments: object) -> tuple[int, str]:
        process = subprocess.run([sys.executable, CHECKER, *map(str, arguments)], capture_output=True, text=True)
        assert "Traceback" not in process.stderr
        return process.returncode, process.stdout + process.stderr

    assert run_checker(write_certificate(tmp_path, HOLES, "1 0\n0\n"))[0] == 0
    assert run_checker(write_certificate(tmp_path, HOLES, "0\n")) == (
        1,
        "refused: line 1 of proof.drup does not follow by unit propagation\n",
    )
    assert run_checker() == (2, "usage: python checker.py DIR\n")
    code, message = run_checker(tmp_path / "missing")
    assert code == 2 and "missing" in message


@pytest.mark.parametrize(("clauses", "proof"), [(HOLES, "1 0\n"), ("p cnf 1 2\n1 0\n-1 0\n", "")])
def test_the_empty_clause_is_added_to_a_proof_that_implies_it(
    clauses: str, proof: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    monkeypatch.setattr("csp.explain.proofs.cadical.CHILD", f"import sys; open(sys.argv[2], 'w').write({proof!r})")
    assert prove(clauses) == f"{proof}0\n"


def test_an_incomplete_proof_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate versions of python-sat before 1.9.dev16, which write incomplete proofs."""
    pytest.importorskip("pysat", reason="python-sat is not installed")
    monkeypatch.setattr("csp.explain.proofs.cadical.CHILD", "import sys; open(sys.argv[2], 'w').close()")
    result = run("check", EXAMPLES / "kakuro.csp", "--certificate", tmp_path / "a")
    assert result.exit_code == 3 and "no certificate: CaDiCaL has not written its whole proof: pip" in result.stderr
    assert not (tmp_path / "a").exists()


CHECKER = ROOT / "csp" / "explain" / "proofs" / "checker.py"


def test_the_checker_imports_only_the_standard_library() -> None:
    path = CHECKER
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.names[0].name if isinstance(node, ast.Import) else node.module or "." for node in ast.walk(tree)
             if isinstance(node, ast.Import | ast.ImportFrom)]  # fmt: skip
    assert names and all(name == "__future__" or name.split(".")[0] in sys.stdlib_module_names for name in names)


def test_the_command_writes_a_certificate_unless_there_are_several_solutions(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    result = run("check", EXAMPLES / "jigsaw.csp", "--certificate", folder)
    assert result.exit_code == 0 and result.stdout.endswith("proof.drup of 1 line by the search of this program\n")
    assert ": cell(2,8) = 9 (line 35)\n" in (folder / "clauses.cnf").read_text()
    assert run("verify", folder).exit_code == 0
    report = json.loads(run("check", EXAMPLES / "kakuro.csp", "--certificate", folder, "--json").stdout)
    assert report["certificate"]["by"] == "CaDiCaL" and run("verify", folder).exit_code == 0
    optimum = spec(tmp_path, "A, B in 1..4. A < B. minimize(A + 2*B).")
    assert run("check", optimum, "--certificate", folder).exit_code == 0
    assert run("verify", folder).stdout.startswith(f"{folder}: the solution that is recorded satisfies all clauses but")
    hidden = spec(tmp_path, "A, B, C in 1..3. A != B. A = 1. B >= 2. C != A. show A.")
    assert run("check", hidden, "--certificate", folder).exit_code == 0 and run("verify", folder).exit_code == 0
    several = run("check", EXAMPLES / "latin.csp", "--certificate", tmp_path / "several")
    assert several.exit_code == 1 and "no certificate: there are several solutions" in several.stderr
    assert not (tmp_path / "several").exists()
    assert run("verify", tmp_path / "several").exit_code == 2


def test_a_certificate_is_accepted_for_its_own_spec_only(tmp_path: Path) -> None:
    folder, path = tmp_path / "own", tmp_path / "own.csp"
    text = (EXAMPLES / "jigsaw.csp").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert run("check", path, "--certificate", folder).exit_code == 0
    first = (folder / "clauses.cnf").read_text().splitlines()[0]
    assert first == f"c spec {hashlib.sha256(text.encode()).hexdigest()} own.csp"
    accepted = run("verify", folder, "--spec", path)
    assert accepted.exit_code == 0 and accepted.stdout.endswith(f"; the clauses belong to {path}\n")
    path.write_text(f"% another line\n{text}")
    assert run("verify", folder, "--spec", path).stdout.endswith("own.csp, whose text has changed since\n")
    for changed, reason in (
        (text.replace("region(R, C, K))", "region(R, C, K), R < 9)"), ""),
        (text.replace("in 1..n :-", "in 0..n :-", 1), ""),
        (text + "cell(1, 1) != cell(2, 2).", ""),
        (text + "cell(1, 1) = cell(1, 2).", "the recorded solution is not a solution"),
    ):
        assert changed != text
        path.write_text(changed)
        refused = run("verify", folder, "--spec", path)
        assert (
            refused.exit_code == 1
            and f"refused: it does not belong to {path}: " in refused.stdout
            and reason in refused.stdout
        )
    assert run("verify", folder, "--set", "n=3").exit_code == 2


@pytest.mark.parametrize("text", [
    "A, B in 1..4. A < B. minimize(A + 2*B).",
    "C, D in 0..1. show total = 2. minimize(C).",
    "A, B, C in 1..3. A != B. A = 1. B >= 2. C != A. show A.",
    "param n = 2. A, B, C in 1..n. A != B. B != C. A != C.",
    "A, B in 1..4. A < B. A > B. minimize(A + 2*B).",
])  # fmt: skip
def test_a_certificate_of_an_optimum_or_a_conflict_fits_its_spec(text: str, tmp_path: Path) -> None:
    path, folder = spec(tmp_path, text), tmp_path / "own"
    run("check", path, "--certificate", folder)
    assert run("verify", folder, "--spec", path).exit_code == 0
    changed = tmp_path / "other.csp"
    changed.write_text(
        text.replace("..4", "..5").replace("0..1", "0..2").replace("..3", "..4").replace("n = 2", "n = 3")
    )
    assert run("verify", folder, "--spec", changed).exit_code == 1
    if "param" in text:
        assert run("verify", folder, "--spec", changed, "--set", "n=2").stdout.endswith(
            ", whose text has changed since\n"
        )


def test_a_missing_package_or_a_large_formula_prevents_a_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("csp.explain.proofs.cadical.find_spec", lambda name: None)
    missing = run("check", EXAMPLES / "kakuro.csp", "--certificate", tmp_path / "a")
    assert missing.exit_code == 3 and "pip install 'alldifferent[proof]'" in missing.stderr
    assert "one solution" in missing.stdout and not (tmp_path / "a").exists()
    monkeypatch.setattr(Formula, "most", 100)
    large = run("check", EXAMPLES / "shidoku.csp", "--certificate", tmp_path / "a")
    assert large.exit_code == 3 and "needs a formula of more than 100 clauses" in large.stderr
    with pytest.raises(NoCertificate, match="more than 100 clauses"):
        certificate(Solver(example("shidoku")), None)
