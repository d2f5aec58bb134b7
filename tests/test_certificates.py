"""Certificates of csp check, what csp verify accepts, and what it refuses."""

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

from .commands import EXAMPLES, process, run, spec
from .conftest import ROOT, TIMES
from .evidence import DATA, RIPPLE, damaged, example, first, mutants


def naive(clauses: list[list[int]], lemma: list[int]) -> bool:
    """Whether a clause follows by unit propagation, by going through all clauses again and again."""
    true = {-one for one in lemma}
    while True:
        for clause in clauses:
            if true.isdisjoint(clause) and (left := [*{one for one in clause if -one not in true}])[1:] == []:
                if not left:
                    return True
                true.add(left[0])
                break
        else:
            return any(-one in true for one in true)


def written(folder: Path, clauses: str, proof: str) -> Path:
    (folder / "clauses.cnf").write_text(clauses)
    (folder / "proof.drup").write_text(proof)
    return folder


def literals(text: str) -> list[list[int]]:
    rows = [line.split() for line in text.splitlines() if line and line[0] not in "cpd"]
    return [[int(word) for word in row[:-1]] for row in rows]


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_variants"])
def test_certificates_are_accepted_and_refused_with_a_line_changed(name: str, tmp_path: Path) -> None:
    every = [(model, Solver(model).solve()) for model in first(name, 2 * TIMES)]
    every += [(model, None) for model in mutants(DATA / f"{name}.jsonl", 2 * TIMES, seed=1)]
    for model, solution in every:
        made = certificate(Solver(model), solution)
        told = verify(written(tmp_path, made.clauses, made.proof))
        assert told.startswith("the solution that is recorded" if solution else "nothing satisfies")
        for change, clauses, drup in damaged(made.clauses, made.proof):
            with pytest.raises(Refused):
                print(change, verify(written(tmp_path, clauses, drup)))


def test_every_line_of_a_proof_follows_by_another_checker() -> None:
    for model in [dsl.load(RIPPLE), example("shidoku"), example("zebra"), example("kenken")]:
        made = certificate(Solver(model), Solver(model).solve())
        known = literals(made.clauses)
        lemmas = literals(made.proof)
        assert lemmas[-1] == [] and len(known) == int(made.clauses.partition("p cnf ")[2].split()[1])
        for lemma in lemmas[:10]:
            assert naive(known, lemma)
            known.append(lemma)


def test_the_checker_agrees_with_a_naive_one() -> None:
    rng = random.Random(0)
    seen = set()
    for _ in range(300 * TIMES):
        size = rng.randint(3, 7)
        some = [[rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(rng.choice([1, 2, 2, 3, 3]))]
                for _ in range(rng.randint(2, 14))]  # fmt: skip
        known = WatchedClauses(size)
        for clause in some:
            known.add(clause)
        for _ in range(4):
            lemma = [rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(rng.randint(0, 3))]
            expected = naive(some, lemma)
            seen.add(expected)
            assert known.follows(lemma) == expected, (some, lemma)
            if expected:
                known.add(lemma)
                some.append(lemma)
    assert seen == {True, False}


HOLES = "p cnf 6 9\n" + "".join(f"{2 * p + 1} {2 * p + 2} 0\n" for p in range(3)) + "".join(
    f"-{2 * p + h} -{2 * q + h} 0\n" for h in (1, 2) for p, q in ((0, 1), (0, 2), (1, 2)))  # fmt: skip


@pytest.mark.parametrize(
    ("clauses", "proof", "message"),
    [
        (HOLES, "1 0\n0\n", ""),
        (HOLES, "d 1 2 0\nd 9 9 0\n0\n", "line 2 of proof.drup is no clause"),
        (HOLES, "d 1 2 0\n1 0\n0\n", "line 2 of proof.drup does not follow"),
        (HOLES, "0\n", "line 1 of proof.drup does not follow by unit propagation"),
        (HOLES, "1 0\n", "proof.drup ends before the empty clause"),
        (HOLES, "", "proof.drup ends before the empty clause"),
        (HOLES, "7 0\n0\n", "line 1 of proof.drup is no clause"),
        (HOLES, "1 x 0\n0\n", "line 1 of proof.drup is no clause"),
        (HOLES.replace("6 9", "6 8"), "1 0\n0\n", "has not the clauses"),
        (HOLES.replace("6 9", "5 9"), "1 0\n0\n", "line 4 of clauses.cnf is no clause"),
        ("", "0\n", "has not the clauses"),
        (f"c solution 1 0\n{HOLES}", "1 0\n0\n", "no assignment of all variables"),
        (f"c solution 1 -2 -3 4 5 -6 0\n{HOLES}", "1 0\n0\n", "does not fit clause 5"),
        ("c solution 1 0\np cnf 1 2\n1 0\n-1 0\n", "0\n", ""),
        ("c solution -1 0\np cnf 1 2\n1 0\n-1 0\n", "0\n", "does not fit clause 1"),
        ("p cnf 1 1\n0\n", "0\n", ""),
        (f"p cnf {'9' * 5000} 1\n0\n", "0\n", "has not the clauses"),
        ("p cnf -1 1\n0\n", "0\n", "has not the clauses"),
        (f"p cnf 1 1\n{'9' * 5000} 0\n", "0\n", "line 2 of clauses.cnf is no clause"),
        ("p cnf 99999999999 1\n0\n", "0\n", "99,999,999,999 variables, and 2,000,000 are the most"),
    ],
)
def test_what_the_checker_refuses(clauses: str, proof: str, message: str, tmp_path: Path) -> None:
    folder = written(tmp_path, clauses, proof)
    result = run("verify", folder)
    assert (result.exit_code, "refused" in result.stdout) == ((1, True) if message else (0, False))
    assert message in result.stdout


def test_a_file_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.explain.proofs.checker.MAX_BYTES", 1_000_000)
    folder = written(tmp_path, HOLES, "1 0\n0\n")
    assert run("verify", folder).exit_code == 0
    for name in ("clauses.cnf", "proof.drup"):
        (folder / name).rename(folder / "before")
        (folder / name).symlink_to("/dev/zero")
        result = run("verify", folder)
        assert result.exit_code == 1 and f"refused: {name} has more than 1,000,000 bytes" in result.stdout
        (folder / "before").replace(folder / name)


def test_a_file_that_never_comes_is_ended_by_the_timeout(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "clauses.cnf")
    result = process("verify", tmp_path, "--timeout", "0.2")
    assert result.returncode == 3 and "stopped by the limit of 0.2 seconds" in result.stderr


def test_the_clauses_that_are_checked_are_those_that_are_compared(tmp_path: Path) -> None:
    """A pipe gives a contradiction first, and then the clauses of the spec, which has two solutions."""
    two = spec(tmp_path, "A, B in 1..2. A != B.")
    forged = ["p cnf 1 2\n1 0\n-1 0\n", run("export", two, "--to", "dimacs").stdout]
    folder = tmp_path / "forged"
    folder.mkdir()
    os.mkfifo(folder / "clauses.cnf")
    (folder / "proof.drup").write_text("0\n")

    def give() -> None:
        with suppress(OSError):
            for text in forged:
                (folder / "clauses.cnf").write_text(text)
                time.sleep(0.3)

    giving = threading.Thread(target=give, daemon=True)
    giving.start()
    result = run("verify", folder, "--spec", two)
    assert result.exit_code == 1 and "refused: it is not of" in result.stdout
    os.close(os.open(folder / "clauses.cnf", os.O_RDONLY | os.O_NONBLOCK))  # lets go who still waits to write


@pytest.mark.parametrize(
    "text",
    [
        "solution in 1..2. other in 1..2. solution != other. other = 1.",
        "spec in 1..2. clauses in 1..2. spec != clauses. spec = 1.",
    ],
)
def test_variables_are_called_like_the_comments_of_a_certificate(text: str, tmp_path: Path) -> None:
    path, folder = spec(tmp_path, text), tmp_path / "own"
    assert run("check", path, "--certificate", folder).exit_code == 0
    accepted = run("verify", folder, "--spec", path)
    assert accepted.exit_code == 0 and accepted.stdout.endswith(f"the clauses are those of {path}\n")
    clauses = (folder / "clauses.cnf").read_text()
    name = text.split()[0]
    assert f'c "{name}" 1 -> 1\nc "{name}" 2 -> 2\n' in clauses
    exchanged = clauses.replace(f'c "{name}" 1 -> 1\nc "{name}" 2 -> 2\n', f'c "{name}" 2 -> 1\nc "{name}" 1 -> 2\n')
    for forged in (exchanged, exchanged.replace('"', "")):
        (folder / "clauses.cnf").write_text(forged)
        assert run("verify", folder, "--spec", path).exit_code == 1


def test_the_checker_alone_says_what_it_needs(tmp_path: Path) -> None:
    def checker(*arguments: object) -> tuple[int, str]:
        done = subprocess.run([sys.executable, CHECKER, *map(str, arguments)], capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    assert checker(written(tmp_path, HOLES, "1 0\n0\n"))[0] == 0
    assert checker(written(tmp_path, HOLES, "0\n")) == (
        1,
        "refused: line 1 of proof.drup does not follow by unit propagation\n",
    )
    assert checker() == (2, "usage: python checker.py DIR\n")
    code, message = checker(tmp_path / "missing")
    assert code == 2 and "missing" in message


@pytest.mark.parametrize(("clauses", "proof"), [(HOLES, "1 0\n"), ("p cnf 1 2\n1 0\n-1 0\n", "")])
def test_the_end_that_a_proof_lacks_is_added_where_it_follows(
    clauses: str, proof: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    monkeypatch.setattr("csp.explain.proofs.cadical.CHILD", f"import sys; open(sys.argv[2], 'w').write({proof!r})")
    assert prove(clauses) == f"{proof}0\n"


def test_a_proof_that_is_not_whole_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions of python-sat before 1.9.dev16 write such proofs."""
    pytest.importorskip("pysat", reason="python-sat is not installed")
    monkeypatch.setattr("csp.explain.proofs.cadical.CHILD", "import sys; open(sys.argv[2], 'w').close()")
    result = run("check", EXAMPLES / "kakuro.csp", "--certificate", tmp_path / "a")
    assert result.exit_code == 3 and "no certificate: CaDiCaL has not written its whole proof: pip" in result.stderr
    assert not (tmp_path / "a").exists()


CHECKER = ROOT / "csp" / "explain" / "proofs" / "checker.py"


def test_the_checker_shares_nothing_with_the_solver() -> None:
    path = CHECKER
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.names[0].name if isinstance(node, ast.Import) else node.module or "." for node in ast.walk(tree)
             if isinstance(node, ast.Import | ast.ImportFrom)]  # fmt: skip
    assert names and all(name == "__future__" or name.split(".")[0] in sys.stdlib_module_names for name in names)


def test_certificates_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    result = run("check", EXAMPLES / "jigsaw.csp", "--certificate", folder)
    assert result.exit_code == 0 and result.stdout.endswith("proof.drup of 1 line by the search of this program\n")
    assert ": cell(2,8) = 9 (line 35)\n" in (folder / "clauses.cnf").read_text()
    assert run("verify", folder).exit_code == 0
    told = json.loads(run("check", EXAMPLES / "kakuro.csp", "--certificate", folder, "--json").stdout)
    assert told["certificate"]["by"] == "CaDiCaL" and run("verify", folder).exit_code == 0
    best = spec(tmp_path, "A, B in 1..4. A < B. minimize(A + 2*B).")
    assert run("check", best, "--certificate", folder).exit_code == 0
    assert run("verify", folder).stdout.startswith(f"{folder}: the solution that is recorded satisfies all clauses but")
    hidden = spec(tmp_path, "A, B, C in 1..3. A != B. A = 1. B >= 2. C != A. show A.")
    assert run("check", hidden, "--certificate", folder).exit_code == 0 and run("verify", folder).exit_code == 0
    several = run("check", EXAMPLES / "latin.csp", "--certificate", tmp_path / "several")
    assert several.exit_code == 1 and "no certificate: there are several solutions" in several.stderr
    assert not (tmp_path / "several").exists()
    assert run("verify", tmp_path / "several").exit_code == 2


def test_a_certificate_is_of_its_spec(tmp_path: Path) -> None:
    folder, own = tmp_path / "own", tmp_path / "own.csp"
    text = (EXAMPLES / "jigsaw.csp").read_text(encoding="utf-8")
    own.write_text(text, encoding="utf-8")
    assert run("check", own, "--certificate", folder).exit_code == 0
    first = (folder / "clauses.cnf").read_text().splitlines()[0]
    assert first == f"c spec {hashlib.sha256(text.encode()).hexdigest()} own.csp"
    accepted = run("verify", folder, "--spec", own)
    assert accepted.exit_code == 0 and accepted.stdout.endswith(f"; the clauses are those of {own}\n")
    own.write_text(f"% another line\n{text}")
    assert run("verify", folder, "--spec", own).stdout.endswith("own.csp, whose text has changed since\n")
    for changed, why in (
        (text.replace("region(R, C, K))", "region(R, C, K), R < 9)"), ""),
        (text.replace("in 1..n :-", "in 0..n :-", 1), ""),
        (text + "cell(1, 1) != cell(2, 2).", ""),
        (text + "cell(1, 1) = cell(1, 2).", "the solution that is recorded is none"),
    ):
        assert changed != text
        own.write_text(changed)
        refused = run("verify", folder, "--spec", own)
        assert refused.exit_code == 1 and f"refused: it is not of {own}: " in refused.stdout and why in refused.stdout
    assert run("verify", folder, "--set", "n=3").exit_code == 2


@pytest.mark.parametrize("text", [
    "A, B in 1..4. A < B. minimize(A + 2*B).",
    "C, D in 0..1. show total = 2. minimize(C).",
    "A, B, C in 1..3. A != B. A = 1. B >= 2. C != A. show A.",
    "param n = 2. A, B, C in 1..n. A != B. B != C. A != C.",
    "A, B in 1..4. A < B. A > B. minimize(A + 2*B).",
])  # fmt: skip
def test_certificates_of_the_best_of_what_is_shown_and_of_none(text: str, tmp_path: Path) -> None:
    path, folder = spec(tmp_path, text), tmp_path / "own"
    run("check", path, "--certificate", folder)
    assert run("verify", folder, "--spec", path).exit_code == 0
    other = tmp_path / "other.csp"
    other.write_text(text.replace("..4", "..5").replace("0..1", "0..2").replace("..3", "..4").replace("n = 2", "n = 3"))
    assert run("verify", folder, "--spec", other).exit_code == 1
    if "param" in text:
        assert run("verify", folder, "--spec", other, "--set", "n=2").stdout.endswith(
            ", whose text has changed since\n"
        )


def test_where_there_can_be_no_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.explain.proofs.cadical.find_spec", lambda name: None)
    missing = run("check", EXAMPLES / "kakuro.csp", "--certificate", tmp_path / "a")
    assert missing.exit_code == 3 and "pip install 'alldifferent[proof]'" in missing.stderr
    assert "one solution" in missing.stdout and not (tmp_path / "a").exists()
    monkeypatch.setattr(Formula, "most", 100)
    large = run("check", EXAMPLES / "shidoku.csp", "--certificate", tmp_path / "a")
    assert large.exit_code == 3 and "needs a formula of more than 100 clauses" in large.stderr
    with pytest.raises(NoCertificate, match="more than 100 clauses"):
        certificate(Solver(example("shidoku")), None)
