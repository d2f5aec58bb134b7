"""Measure whole commands, from the start of the process to its end.

    python tests/benchmarks/process.py [--repeats 5] [--data DIR]

The script compares ``csp solve`` of a small puzzle with an empty Python program. It then compares ``csp solve --each``
of 10,000 sudokus with 17 clues, by one and by two processes, with norvig.py, in turns, and checks every answer. The
exit status is 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tests.benchmarks.peer.works import Skip, lines_of, sudoku  # noqa: E402

LINES = 10_000


def run(arguments: list[str], out: Path | None = None) -> float:
    """Return the seconds of a process that keeps byte code and buffers its output, as for a user."""
    removed_names = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    environment = {name: value for name, value in os.environ.items() if name not in removed_names}
    with open(out or os.devnull, "wb") as sink:
        began = perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=sink, check=True)
        return perf_counter() - began


def measure_file(data: Path, repeats: int) -> int:
    """Measure a file of 10,000 sudokus and return the number of wrong answers."""
    clue_lines = [line.split()[0] for line in lines_of(data, "measure/sudoku9/royle17.txt")]
    puzzles = Random(10).choices(clue_lines, k=LINES)
    with tempfile.TemporaryDirectory() as folder:
        clues, out = Path(folder) / "clues.txt", Path(folder) / "out.txt"
        clues.write_text("\n".join(puzzles) + "\n", encoding="utf-8")
        ours = ["-m", "dsl", "solve", "examples/sudoku.csp", "--each", f"clue={clues}"]
        commands = {"one process": ours, "two processes": [*ours, "--jobs", "2"]}
        commands["Norvig's program"] = [str(HERE / "norvig.py"), str(clues)]
        times: dict[str, list[float]] = {name: [] for name in commands}
        wrong = 0
        for _ in range(repeats):
            for name, command in commands.items():
                times[name].append(run(command, out))
                answers = out.read_text(encoding="utf-8").splitlines()
                for puzzle, answer in zip(puzzles, answers, strict=True):
                    instance = sudoku("", [int(letter) if letter.isdigit() else 0 for letter in puzzle], (3, 3))
                    wrong += bool(instance.check(1, [*map(int, answer)] if answer.isdigit() else []))
    minimum = {name: min(seconds) for name, seconds in times.items()}
    for name, seconds in minimum.items():
        ratio = f"{seconds / minimum['one process']:.2f} times one process"
        print(f"| {LINES:,} sudokus, {name} | {seconds:.2f}, median {median(times[name]):.2f} | {ratio} |")
    print(f"\n{wrong} wrong answers")
    return wrong


def measure_start(repeats: int) -> None:
    """Measure a 4x4 and a 9x9 sudoku beside an empty Python program."""
    for name in ("shidoku", "sudoku"):
        pairs = [(run(["-m", "dsl", "solve", f"examples/{name}.csp"]), run(["-c", "pass"])) for _ in range(3 * repeats)]
        ours, empty = (median(column) for column in zip(*pairs, strict=True))
        print(f"| csp solve examples/{name}.csp | {ours:.3f} | {ours / empty:.1f} times python -c pass |", flush=True)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each command")
    options = parser.parse_args()
    print("| command | seconds | ratio |\n|---|---|---|", flush=True)
    measure_start(options.repeats)
    try:
        return int(bool(measure_file(options.data, options.repeats)))
    except Skip as reason:
        print(f"\nskipped: {reason}")
        return 0


if __name__ == "__main__":
    sys.exit(main())
