"""Print all tables of docs/benchmarks.md, with version, date and machine.

    python -m tests.benchmarks [--data DIR] [--noqx CHECKOUT] [OPTION OF peers.py ...]

Without a checkout of noqx, its table is skipped. The exit status is 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

import csp

ROOT = Path(__file__).resolve().parents[2]

TABLES = {
    "Other solvers": "peers",
    "Whole commands": "process",
    "Hard puzzles": "hard",
    "Large puzzles": "scale",
    "Puzzle genres": "noqx",
}
"""The script of each section of the page."""


def print_table(heading: str, arguments: list[str]) -> int:
    """Print the heading, the command and its table; return the exit status."""
    command = ["python", f"tests/benchmarks/{TABLES[heading]}.py", *arguments]
    print(f"\n## {heading}\n\n```sh\n{shlex.join(command)}\n```\n", flush=True)
    return subprocess.run([sys.executable, *command[1:]], cwd=ROOT).returncode


def main() -> int:
    """Print all tables; return the exit status."""
    description = (__doc__ or "").split("\n", 1)[0]
    parser = argparse.ArgumentParser("python -m tests.benchmarks", description=description, allow_abbrev=False)
    folder = ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, metavar="DIR", default=folder, help="folder of puzzles")
    parser.add_argument("--noqx", type=Path, metavar="CHECKOUT", help="checkout of noqx")
    options, peers_options = parser.parse_known_args()
    print(f"# Benchmarks\n\nVersion {csp.__version__}, {csp.kernel_in_use()} kernel, {date.today()}.")
    print(f"{platform.platform()}, {os.cpu_count()} cores, CPython {platform.python_version()}.")
    arguments = {heading: ["--data", str(options.data.resolve())] for heading in TABLES}
    arguments["Other solvers"] += peers_options
    if options.noqx:
        arguments["Puzzle genres"] += [str(options.noqx.resolve()), "--most", "6"]
    else:
        del arguments["Puzzle genres"]
    return int(any([print_table(heading, words) for heading, words in arguments.items()]))


if __name__ == "__main__":
    sys.exit(main())
