"""What csp check shows for its verdict: conflicts, settling values, proofs and certificates; and csp guard."""

from __future__ import annotations

import ast
import json
import random
import re
import shlex
import sys
from itertools import combinations, islice
from pathlib import Path

import pytest

import dsl
from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Equality,
    Model,
    Objective,
    Solution,
    Solver,
    Strategy,
    Variable,
    verdict,
)
from csp.explain import Claim, conflict, guard, proof, settle, why
from csp.proofs import NoCertificate, Refused, certificate, verify
from csp.proofs.checker import Clauses

from .conftest import ROOT
from .evidence import changed, damaged, faults, model_of, mutants
from .makers import FAMILY, NAMES, flat
from .oracle import every_solution
from .test_cli import EASY, EXAMPLES, SOLVED, run, spec
from .verdicts import records

RIPPLE = ROOT / "tests" / "benchmarks" / "hard" / "ripple.csp"
DATA = ROOT / "tests" / "data"
BROKEN = EASY[:24] + "4" + EASY[25:]  # 4 instead of 5 in row 3


def example(name: str, **grids: str) -> Model:
    return dsl.load(EXAMPLES / f"{name}.csp", grids=grids)


def random_model(seed: int) -> Model:
    rng = random.Random(seed)
    domains = {name: range(1, 4) for name in [*FAMILY, *NAMES]}
    return Model(domains, dict.fromkeys(flat(rng, rng.randint(3, 8))))


PAGE = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
SESSIONS = [
    one
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S)
    for one in re.split(r"^\$ csp ", block, flags=re.M)[1:]
]


def test_the_sessions_of_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    proof = tmp_path / "proof"
    for session in SESSIONS:
        command, _, expected = session.replace("PROOF", str(proof)).partition("\n")
        parts = [re.escape(part) for part in re.split(r"\.\.\.\n", expected)]
        assert re.fullmatch("(?:.*\n)*".join(parts), run(*shlex.split(command)).stdout), command
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], {})  # type: ignore[index]


# what cannot hold together


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_variants"])
def test_a_conflict_has_no_solution_and_needs_every_element(name: str) -> None:
    for model in mutants(DATA / f"{name}.jsonl", 4):
        assert faults(model, conflict(Solver(model))) == []


def test_conflicts_of_random_models_are_minimal_by_brute_force() -> None:
    tried = 0
    for seed in range(120):
        model = random_model(seed)
        if any(True for _ in every_solution(model)):
            continue
        tried += 1
        found = conflict(Solver(model), fine=seed % 2 == 1)
        assert found.is_minimal
        assert not any(True for _ in every_solution(Model(model.domains, found.constraints)))
        for unit in found.units:
            rest = [one for other in found.units if other is not unit for one in other.constraints]
            assert any(True for _ in every_solution(Model(model.domains, rest))), (seed, unit)
    assert tried > 10


def test_units_are_what_the_author_sees_and_pairs_on_request() -> None:
    rules = [AllDifferent.of("ABC", label="row"), AllDifferent.of("CD", label="pair")]
    rules += [Equality(Variable(name), 1, label="ones", line=3) for name in "AC"]
    solver = Solver(Model({name: (1, 2, 3) for name in "ABCD"}, rules))
    assert [len(unit.constraints) for unit in conflict(solver).units] == [1, 2]
    fine = conflict(solver, fine=True)
    assert [str(one) for one in fine.constraints] == ["A != C", "A = 1", "C = 1"]
    assert [one.label for one in fine.constraints] == ["row", "ones", "ones"]
    with pytest.raises(ValueError, match="there is a solution"):
        conflict(Solver(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")])))


def test_a_conflict_that_only_search_refutes_and_its_limits() -> None:
    model = dsl.load(RIPPLE)
    found = conflict(Solver(model))
    assert found.failure is None and faults(model, found) == []
    limited = conflict(Solver(model, strategy=Strategy(nodes=1)))
    assert not limited.is_minimal and "not minimal: stopped by the limit of 1 nodes" in limited.message
    assert Solver(Model(model.domains, limited.constraints)).solve() is None
    late = conflict(Solver(model, strategy=Strategy(seconds=0)))
    assert late.doubts == len(late.units) and "stopped by the limit of 0 seconds" in late.message


def test_an_objective_that_never_has_a_value() -> None:
    never = Objective("minimize", Affine.variable("A"))
    rules = [Equality(Variable("A"), 1), Equality(Variable("A"), 2), AllDifferent.of("AB")]
    found = conflict(Solver(Model({"A": (1, 2), "B": (1, 2)}, rules, objective=never)))
    assert [unit.name for unit in found.units] == ["A = 1", "A = 2"]


def test_check_prints_a_conflict_like_a_compiler(tmp_path: Path) -> None:
    clue = tmp_path / "clue.txt"
    clue.write_text("\n".join(BROKEN[i : i + 9] for i in range(0, 81, 9)))
    result = run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}")
    assert result.exit_code == 1
    assert (
        f"{EXAMPLES / 'sudoku.csp'}: these 9 cannot all hold; without any one of them there is a solution"
        in result.stdout
    )
    assert f"{clue}:3:7: note: cell(3,7) = 4\n    3 | .98...46.\n      |       ^\n" in result.stdout
    assert "note: row 3\n   25 | " in result.stdout and "  so row 3 (line 25) cannot hold" in result.stdout
    told = json.loads(run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}", "--json").stdout)
    assert told["solutions"] == "none" and told["minimal"] is True and len(told["conflict"]) == 9
    assert {(one["file"], one["line"]) for one in told["conflict"][2:]} == {(str(clue), line) for line in (1, 2, 3)}
    fine = run("check", EXAMPLES / "sudoku.csp", "--grid", f"clue={clue}", "--fine")
    assert "box 1,2: cell(1,5) != cell(3,4)" in fine.stdout


# several solutions


def test_the_smallest_settling_values_by_brute_force() -> None:
    tried = 0
    for seed in range(200):
        model = random_model(seed)
        every = [tuple(one.values()) for one in every_solution(model)]
        if not 2 <= len(every) <= 60:
            continue
        tried += 1
        first = Solution(zip(model.domains, every[0], strict=True))
        found = settle(Solver(model), first)
        places = [[*model.domains].index(variable) for variable, _ in found.givens]
        assert [value for _, value in found.givens] == [every[0][place] for place in places]

        def is_enough(places: tuple[int, ...] | list[int], every: list[tuple[object, ...]] = every) -> bool:
            return sum(all(one[p] == every[0][p] for p in places) for one in every) == 1

        assert is_enough(places) and found.is_smallest
        assert not any(is_enough(fewer) for fewer in combinations(range(len(every[0])), len(places) - 1))
    assert tried > 10


def test_values_that_settle_but_are_not_proved_to_be_fewest(monkeypatch: pytest.MonkeyPatch) -> None:
    model = example("latin")
    solver = Solver(model)
    solution = solver.solve()
    assert solution is not None
    assert settle(solver, solution).is_smallest and len(settle(solver, solution).givens) == 4
    monkeypatch.setattr("csp.explain.settling.WORK", 0)
    small = settle(solver, solution)
    assert not small.is_smallest and "none of these can go, but fewer others might do" in small.message
    givens = dict(small.givens)
    assert solver.count(givens).value == 1
    for variable in givens:
        assert solver.count({v: value for v, value in givens.items() if v != variable}).value > 1


def test_check_prints_two_solutions_beside_each_other_and_what_settles_them() -> None:
    result = run("check", EXAMPLES / "latin.csp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1 and lines[:4] == [
        "1 2 3 4    . . . .",
        "2 4 1 3    . . . .",
        "3 1 4 2    4 3 2 1",
        "4 3 2 1    3 1 4 2",
    ]
    assert lines[4].endswith(" would leave one solution; no fewer do")
    told = json.loads(run("check", EXAMPLES / "latin.csp", "--json").stdout)
    model = example("latin")
    assert all(model.check(one) for one in told["two"]) and told["two"][0] != told["two"][1] and told["smallest"]
    assert Solver(model).count(told["settle"]).value == 1
    best = "A, B in 1..3. C in 1..2. A != B. maximize(A + B)."
    settled = json.loads(run("check", "-", "--json", stdin=best).stdout.splitlines()[-1])
    assert settled["objective"] == 5 and {2, 3} == {settled["two"][0]["A"], settled["two"][0]["B"]}
    assert len(settled["settle"]) == 2


# one solution, and the best so far


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (example("shidoku"), "by propagation alone, at level arc"),
        (example("jigsaw"), "by propagation alone, at level singles"),
        (Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC"), Comparison(
            Affine.variable("A"), "<", Affine.variable("B"))]), "by propagation alone, at level"),
        (example("zebra"), "by a search of "),
    ],
)  # fmt: skip
def test_how_one_solution_is_proved(model: Model, told: str) -> None:
    solver = Solver(model)
    assert proof(solver, verdict(solver)).message.startswith(told)


def test_the_learner_is_named_where_it_has_proved_it() -> None:
    solver = Solver(example("zebra"), strategy=Strategy(search="auto", patience=1))
    assert "clingo after" in proof(solver, verdict(solver)).message
    assert run("check", EXAMPLES / "jigsaw.csp").stdout.endswith("proved by propagation alone, at level singles\n")


def test_a_stopped_check_says_the_best_so_far() -> None:
    model = dsl.load(ROOT / "tests" / "benchmarks" / "hard" / "golomb.csp")
    stopped = verdict(Solver(model, strategy=Strategy(nodes=60, search="tree")))
    assert stopped.solutions == "unknown" and not stopped.is_best and len(stopped.found) == 1
    assert model.check(stopped.found[0]) and stopped.best == model.objective.value(stopped.found[0])  # type: ignore[union-attr]
    assert stopped.message.startswith(f"the least mark(9) so far is {stopped.best}, at least one solution; stopped by")
    nothing = verdict(Solver(model, strategy=Strategy(nodes=1)))
    assert nothing.message == "not known; stopped by the limit of 1 nodes"


def test_minimal_reasons_shorten_refutations() -> None:
    (model,) = islice(puzzles("sgt_variants", 9), 8, None)
    solution = Solver(model).solve()
    assert solution is not None
    claim = Claim(Variable.of("cell(1,4)"), solution["cell(1,4)"])
    long, short = why(model, claim), why(model, claim, minimal=True)
    assert long.kind == short.kind == "search" and len([*short.lines()]) < len([*long.lines()])


# certificates


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


def puzzles(name: str, count: int) -> list[Model]:
    return [model_of(record) for record in islice(records(DATA / f"{name}.jsonl"), count)]


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_variants"])
def test_certificates_are_accepted_and_refused_with_a_line_changed(name: str, tmp_path: Path) -> None:
    every = [(model, Solver(model).solve()) for model in puzzles(name, 3)]
    every += [(model, None) for model in mutants(DATA / f"{name}.jsonl", 3, seed=1)]
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
    for _ in range(600):
        size = rng.randint(3, 7)
        some = [[rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(rng.choice([1, 2, 2, 3, 3]))]
                for _ in range(rng.randint(2, 14))]  # fmt: skip
        known = Clauses(size)
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
    ],
)
def test_what_the_checker_refuses(clauses: str, proof: str, message: str, tmp_path: Path) -> None:
    folder = written(tmp_path, clauses, proof)
    result = run("verify", folder)
    assert (result.exit_code, "refused" in result.stdout) == ((1, True) if message else (0, False))
    assert message in result.stdout


def test_the_checker_shares_nothing_with_the_solver() -> None:
    path = ROOT / "csp" / "proofs" / "checker.py"
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


def test_where_there_can_be_no_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.proofs.cadical.find_spec", lambda name: None)
    missing = run("check", EXAMPLES / "kakuro.csp", "--certificate", tmp_path / "a")
    assert missing.exit_code == 3 and "pip install 'alldifferent[proof]'" in missing.stderr
    assert "one solution" in missing.stdout and not (tmp_path / "a").exists()
    monkeypatch.setattr("csp.encoding.formula.Formula.most", 100)
    large = run("check", EXAMPLES / "shidoku.csp", "--certificate", tmp_path / "a")
    assert large.exit_code == 3 and "needs a formula of more than 100 clauses" in large.stderr
    with pytest.raises(NoCertificate, match="more than 100 clauses"):
        certificate(Solver(example("shidoku")), None)


# what kills a solution


def test_guard_blames_what_a_solution_breaks() -> None:
    rng = random.Random(3)
    for model in puzzles("sgt_06x06", 4) + puzzles("sgt_variants", 8):
        solution = Solver(model).solve()
        assert solution is not None
        assert guard(Solver(model), solution).stands
        other = changed(model, rng)
        (wrong,) = set(other.constraints) - set(model.constraints)
        found = guard(Solver(other), solution)
        assert not found.stands and found.broken == (wrong,)
        assert found.record is None or wrong in found.blamed, (wrong, found)


def test_guard_from_the_command_line(tmp_path: Path) -> None:
    grid = run("solve", EXAMPLES / "sudoku.csp").stdout
    for text in (grid, SOLVED, grid.replace("5", ".", 7), run("solve", EXAMPLES / "sudoku.csp", "--json").stdout):
        (tmp_path / "solution").write_text(text)
        result = run("guard", EXAMPLES / "sudoku.csp", "--solution", tmp_path / "solution")
        assert result.exit_code == 0 and "the solution stands, and propagation alone finds it" in result.stdout
    broken = run(
        "guard", EXAMPLES / "sudoku.csp", "--grid", "clue=-", "--solution", tmp_path / "solution", stdin=BROKEN
    )
    assert broken.exit_code == 1 and "note: cell(3,7) = 4\n" in broken.stdout
    assert "; the solution has cell(3,7) = 5\nit breaks cell(3,7) = 4 (line 30)\n" in broken.stdout
    zebra = run("solve", EXAMPLES / "zebra.csp").stdout
    kept = run("guard", EXAMPLES / "zebra.csp", "--solution", "-", stdin=zebra)
    assert kept.exit_code == 0 and "propagation leaves 18 variables open" in kept.stdout
    kakuro = run("solve", EXAMPLES / "kakuro.csp").stdout
    swapped = "4 5" + kakuro[3:]
    dead = run("guard", EXAMPLES / "kakuro.csp", "--solution", "-", "--json", stdin=swapped)
    told = json.loads(dead.stdout)
    assert dead.exit_code == 1 and not told["stands"]
    assert {one["message"] for one in told["broken"]} == {"sum below 1,2", "sum below 1,3"}
    assert {one["message"] for one in told["blamed"]} <= {"sum below 1,2", "sum below 1,3", "below 1,2", "below 1,3"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the solution is empty"),
        ("1 2 3", "the solution has 3 values or words, and an answer has 48"),
        ("{", "the solution is no JSON"),
        ('{"cell(9,9)": 1}', "there is no such variable"),
        ('{"A": 1.5}', "which is neither a number nor a symbol"),
    ],
)
def test_solutions_that_are_none(text: str, message: str) -> None:
    result = run("guard", EXAMPLES / "shidoku.csp", "--solution", "-", stdin=text)
    assert result.exit_code == 2 and message in result.stderr


def test_a_solution_outside_the_domains_and_one_that_only_search_refutes() -> None:
    foreign = run("guard", EXAMPLES / "shidoku.csp", "--solution", "-", stdin='{"A": 7}')
    assert foreign.exit_code == 1 and "A = 7: not in its domain" in foreign.stdout
    model = dsl.load(RIPPLE)
    assert guard(Solver(model), {"cell(1,1)": 1}).is_open
