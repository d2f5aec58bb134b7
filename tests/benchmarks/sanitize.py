"""The engine's tests under AddressSanitizer and UndefinedBehaviorSanitizer: python tests/benchmarks/sanitize.py

    python tests/benchmarks/sanitize.py [PYTEST ARGUMENT ...]

Compiles the kernel once more, into a temporary folder, so that it stops at every access beyond its memory and at every
operation that C does not define, and runs the tests of both kernels and of the engine with it, or those that are given.
It needs gcc or clang. The exit status is that of the tests.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "csp" / "engine" / "compiled" / "_native.c"
NAME = "csp.engine.compiled._native"

TESTS = ["kernels", "plain_integers", "solver", "large", "counters", "counting", "session", "levels"]

CHECKED = ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

RUN = """
import importlib.util, sys, pytest
spec = importlib.util.spec_from_file_location({name!r}, {built!r})
sys.modules[{name!r}] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from csp.engine.compiled import native
assert native._native is module and native.kernel_in_use() == "native"
sys.exit(pytest.main({arguments!r}))
"""


def main() -> int:
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    arguments = sys.argv[1:] or [str(ROOT / "tests" / "engine" / f"test_{name}.py") for name in TESTS]
    arguments = ["-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "_native.so"
        include = f"-I{sysconfig.get_path('include')}"
        limited = "-DPy_LIMITED_API=0x030B0000"
        command = [*compiler, "-shared", "-fPIC", *CHECKED, limited, include, str(SOURCE), "-o", str(built)]
        print(shlex.join(command), flush=True)
        subprocess.run(command, check=True)
        runtime = subprocess.run(
            [*compiler, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
        ).stdout.strip()
        environment = {
            **os.environ,
            "LD_PRELOAD": runtime,
            "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter does not give all back at its end
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
            "CSP_KERNEL": "native",
        }
        code = RUN.format(name=NAME, built=str(built), arguments=arguments)
        return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
