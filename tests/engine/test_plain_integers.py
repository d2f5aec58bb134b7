"""Snapshots of the C kernel compute as integers do, and plain integers give the same answers."""

from __future__ import annotations

import operator
import pickle
import random
import subprocess
import sys

import pytest

from csp.engine.compiled.kernel import Snapshot, has_bit, mask, next_bit

from ..conftest import ROOT

BLOCKED = """
import sys
sys.modules["csp.engine.compiled._native"] = None
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


def test_specs_have_the_same_answers_without_the_c_kernel() -> None:
    names = [
        f"examples/{name}.csp" for name in ("shidoku", "sudoku", "killer", "queens", "australia", "money", "zebra")
    ]
    output = run_code(BLOCKED, names, "python")
    assert output == run_code(BLOCKED.replace('sys.modules["csp.engine.compiled._native"] = None', ""), names, "python")
    assert output.count("python\n") == len(names)


def draw_integer(rng: random.Random) -> int:
    """Return a random integer whose size is often that of whole words."""
    size = rng.choice((0, 1, 5, 63, 64, 65, 127, 128, 200, 1000))
    number = (1 << size) - 1 if rng.random() < 0.2 else rng.getrandbits(size)
    return -number - 1 if rng.random() < 0.3 else number


@pytest.mark.skipif(Snapshot is int, reason="there is no kernel in machine code")
@pytest.mark.parametrize("seed", range(30))
def test_snapshots_compute_as_integers(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        a, b, bit = draw_integer(rng), draw_integer(rng), rng.choice((0, 1, 7, 63, 64, 65, 128, rng.randrange(300)))
        snapshot, other = Snapshot(a), Snapshot(b)
        for apply in (operator.and_, operator.or_, operator.xor, operator.add, operator.sub):
            expected = apply(a, b)
            for result in (apply(snapshot, other), apply(snapshot, b), apply(a, other)):
                assert type(result) is Snapshot and int(result) == expected and result == Snapshot(expected)
        for result, expected in ((snapshot << bit, a << bit), (snapshot >> bit, a >> bit), (~snapshot, ~a)):
            assert int(result) == expected and hash(result) == hash(Snapshot(expected))
        for compare in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
            assert compare(snapshot, other) == compare(a, b) == compare(snapshot, b)
        assert int(-snapshot) == -a and bool(snapshot) == bool(a) and hex(snapshot) == hex(a)
        assert pickle.loads(pickle.dumps(snapshot)) == snapshot and has_bit(snapshot, bit) == bool(a >> bit & 1)
        rest = a >> bit
        assert next_bit(snapshot, bit) == (bit + (rest & -rest).bit_length() - 1 if rest else None)
        if a >= 0:
            assert hash(snapshot) == hash(a) and snapshot.bit_length() == a.bit_length()
            bits = [bit for bit in range(a.bit_length()) if a >> bit & 1]
            assert mask(rng.sample(bits, len(bits))) == snapshot


@pytest.mark.skipif(Snapshot is int, reason="there is no kernel in machine code")
def test_snapshots_refuse_what_is_no_bit_and_no_integer() -> None:
    for make in (lambda: Snapshot(1) << -1, lambda: mask([-1]), lambda: next_bit(Snapshot(1), -1)):
        with pytest.raises(ValueError, match="bits are counted from 0"):
            make()
    with pytest.raises(TypeError):
        Snapshot(1) & 1.5  # type: ignore[operator]
    assert Snapshot(3) != "3"
