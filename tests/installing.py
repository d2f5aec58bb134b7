"""Check five ways to install: ``python tests/installing.py``

The program makes a source distribution and a wheel from it. It installs into an environment of its own:

- the source distribution,
- the wheel,
- the source distribution without a compiler (``CC=/bin/false``),
- a tree of sources, first with a compiler and then without, when ``build/`` still holds the native kernel.

Each time ``csp`` must name the expected kernel and solve a puzzle. The kernel of the wheel must have no debug
information. The package index must be reachable for the dependencies. The exit status is 1 if a check fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUZZLE = "A, B, C in 1..3.\nall_different(A, B, C).\nA = 2.\nB = 3.\n"
SOLVED = ["A=2", "B=3", "C=1"]


def run(*command: str | Path, **environment: str) -> str:
    """Run a command and return its output, or end the program."""
    process = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, cwd=ROOT)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{process.stdout}{process.stderr}")
    return process.stdout


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        # an environment with the build tools and the dependencies
        distributions = Path(folder) / "dist"
        venv.create(Path(folder) / "env", with_pip=True)
        python = Path(folder) / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        run(
            python,
            "-m",
            "pip",
            "install",
            "-q",
            *project["build-system"]["requires"],
            *project["project"]["dependencies"],
        )
        run(
            python,
            "-c",
            "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])",
            distributions,
        )
        (source,) = distributions.glob("*.tar.gz")
        run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", distributions, source)
        (wheel,) = distributions.glob("*.whl")
        shutil.unpack_archive(source, Path(folder) / "trees")
        (tree,) = (Path(folder) / "trees").iterdir()
        # the kernel of the wheel has no debug information
        with zipfile.ZipFile(wheel) as archive:
            [kernel] = [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
            faults = int(b".debug_info" in archive.read(kernel))
            print(f"{'WRONG' if faults else 'ok'}: {kernel} has {archive.getinfo(kernel).file_size:,} bytes")
        # install each of them and solve a puzzle
        for target, kernel, environment in (
            (source, "native", {}),
            (wheel, "native", {}),
            (source, "python", {"CC": "/bin/false"}),
            (tree, "native", {}),
            (tree, "python", {"CC": "/bin/false"}),
        ):
            install = [python, "-m", "pip", "install", "-q", "--no-deps", "--no-cache-dir", "--force-reinstall", target]
            run(*install, **environment)
            version = run(python, "-P", "-m", "csp", "--version").strip()
            spec = Path(folder) / "puzzle.csp"
            spec.write_text(PUZZLE, encoding="utf-8")
            solved = run(python, "-P", "-m", "csp", spec).split()
            is_right = version.endswith(f", {kernel} kernel") and "".join(solved) == "".join(SOLVED)
            faults += not is_right
            verdict = "ok" if is_right else "WRONG"
            print(f"{verdict}: {target.name}, {environment or 'as it is'}: {version}; {' '.join(solved)}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
