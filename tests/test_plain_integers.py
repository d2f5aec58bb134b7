"""The kernel on plain integers, without gmpy2: the same answers and the same work."""

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
    solutions = [dict(solution) for _, solution in zip(range(3), solver.solutions())]
    trace = csp.record(model, nodes=5)
    print(name, csp.kernel_in_use(), solutions, csp.propagate(model).domains, *trace.captions(), sep="\\n")
"""


def run_code(code: str, names: list[str], kernel: str) -> str:
    """Run the code in a process with the given kernel and return its output."""
    result = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=ROOT, capture_output=True, text=True, timeout=300,
        env={"CSP_KERNEL": kernel, "PATH": ""},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_specs_have_the_same_answers_without_gmpy2() -> None:
    names = [
        f"examples/{name}.csp" for name in ("shidoku", "sudoku", "killer", "queens", "australia", "money", "zebra")
    ]
    output = run_code(BLOCKED, names, "python")
    assert output == run_code(BLOCKED.replace('sys.modules["gmpy2"] = None', ""), names, "python")
    assert output.count("python\n") == len(names)


@pytest.mark.parametrize("seed", range(30))
def test_plain_integers_compute_as_those_of_gmpy2(seed: int) -> None:
    rng = random.Random(seed)
    a, b, bit = rng.getrandbits(200), rng.getrandbits(180), rng.randrange(220)
    plain_a, plain_b, gmpy_a, gmpy_b = mpz(a), mpz(b), gmpy2.mpz(a), gmpy2.mpz(b)
    for plain, expected in (
            (plain_a & plain_b, gmpy_a & gmpy_b), (plain_a | b, gmpy_a | b), (b ^ plain_a, b ^ gmpy_a),
            (plain_a + 1, gmpy_a + 1), (plain_a - plain_b, gmpy_a - gmpy_b), (b - plain_a, b - gmpy_a),
            (plain_a << bit, gmpy_a << bit), (plain_a >> bit, gmpy_a >> bit), (~plain_a, ~gmpy_a),
            (-plain_a, -gmpy_a), (plain_a * 3, gmpy_a * 3),
            (plain_a.bit_set(bit), gmpy_a.bit_set(bit)), (plain_a.bit_clear(bit), gmpy_a.bit_clear(bit)),
        ):  # fmt: skip
        assert type(plain) is mpz and int(plain) == int(expected)
    assert plain_a.bit_scan1(bit) == gmpy_a.bit_scan1(bit) and plain_a.bit_test(bit) == gmpy_a.bit_test(bit)
    plain, expected = xmpz(a), gmpy2.xmpz(a)
    for number in (plain, expected):
        operations = random.Random(seed)
        for _ in range(20):
            first, size, step = operations.randrange(150), operations.randrange(1, 30), operations.randrange(1, 5)
            number[first : first + size : step] = 0
            number[first] = operations.randrange(2)
            number[first + 1 : first + 1 + size] = operations.getrandbits(size)
    assert int(plain) == int(expected)
