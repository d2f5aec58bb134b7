"""Run tests of the engine with AddressSanitizer and UndefinedBehaviorSanitizer.

    python tests/benchmarks/sanitize.py [PYTEST ARGUMENT ...]

The script compiles the kernel into a temporary folder. This kernel stops at an access beyond its memory and at an
operation that C does not define. Without arguments, the tests of both kernels and of the engine run with it. The script
needs gcc or clang. The exit status is that of the tests.
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

CHECKS = ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

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
    """Compile the checked kernel and run the tests; return their exit status."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    arguments = sys.argv[1:] or [str(ROOT / "tests" / "engine" / f"test_{name}.py") for name in TESTS]
    arguments = ["-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "_native.so"
        include = f"-I{sysconfig.get_path('include')}"
        limited_api = "-DPy_LIMITED_API=0x030B0000"
        command = [*compiler, "-shared", "-fPIC", *CHECKS, limited_api, include, str(SOURCE), "-o", str(built)]
        print(shlex.join(command), flush=True)
        subprocess.run(command, check=True)
        runtime = subprocess.run(
            [*compiler, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
        ).stdout.strip()
        environment = {
            **os.environ,
            "LD_PRELOAD": runtime,
            "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter exits without freeing all memory
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
            "CSP_KERNEL": "native",
        }
        code = RUN.format(name=NAME, built=str(built), arguments=arguments)
        return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
