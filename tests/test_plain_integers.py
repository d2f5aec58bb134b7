"""The kernel on plain integers, where there is no gmpy2: the same answers and the same work."""

from __future__ import annotations

import random
import subprocess
import sys

import gmpy2
import pytest

from csp.engine.compiled.plain import mpz, xmpz

from .conftest import ROOT

BLOCKED = """
import sys
sys.modules["gmpy2"] = None
import csp, dsl
for name in sys.argv[1:]:
    model = dsl.load(name)
    solver = csp.Solver(model, settings=csp.Settings(search="tree"))
    found = [dict(one) for _, one in zip(range(3), solver.solutions())]
    trace = csp.record(model, nodes=5)
    print(name, csp.kernel_in_use(), found, csp.propagate(model).domains, *trace.captions(), sep="\\n")
"""


def told(code: str, names: list[str], kernel: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=ROOT, capture_output=True, text=True, timeout=300,
        env={"CSP_KERNEL": kernel, "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_specs_are_answered_alike_without_gmpy2() -> None:
    names = [
        f"examples/{name}.csp" for name in ("shidoku", "sudoku", "killer", "queens", "australia", "money", "zebra")
    ]
    without = told(BLOCKED, names, "python")
    assert without == told(BLOCKED.replace('sys.modules["gmpy2"] = None', ""), names, "python")
    assert without.count("python\n") == len(names)


@pytest.mark.parametrize("seed", range(30))
def test_integers_are_those_of_gmpy2(seed: int) -> None:
    chance = random.Random(seed)
    a, b, bit = chance.getrandbits(200), chance.getrandbits(180), chance.randrange(220)
    one, two, three, four = mpz(a), mpz(b), gmpy2.mpz(a), gmpy2.mpz(b)
    for mine, theirs in (
            (one & two, three & four), (one | b, three | b), (b ^ one, b ^ three), (one + 1, three + 1),
            (one - two, three - four), (b - one, b - three), (one << bit, three << bit), (one >> bit, three >> bit),
            (~one, ~three), (-one, -three), (one * 3, three * 3),
            (one.bit_set(bit), three.bit_set(bit)), (one.bit_clear(bit), three.bit_clear(bit)),
        ):  # fmt: skip
        assert type(mine) is mpz and int(mine) == int(theirs)
    assert one.bit_scan1(bit) == three.bit_scan1(bit) and one.bit_test(bit) == three.bit_test(bit)
    mine, theirs = xmpz(a), gmpy2.xmpz(a)
    for made in (mine, theirs):
        again = random.Random(seed)
        for _ in range(20):
            first, size, step = again.randrange(150), again.randrange(1, 30), again.randrange(1, 5)
            made[first : first + size : step] = 0
            made[first] = again.randrange(2)
            made[first + 1 : first + 1 + size] = again.getrandbits(size)
    assert int(mine) == int(theirs)
