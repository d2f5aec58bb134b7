"""Whole processes, from the command line to the output: python tests/benchmarks/process.py [--repeats 5] [--data DIR]

10,000 lines of 17-clue puzzles through ``csp solve --each``, by one process and by two, beside a program around
Norvig's algorithm (norvig.py), in turns, and every answer checked; and one start beside a Python that does nothing. The
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
NORVIG = "Norvig's"


def run(arguments: list[str], out: Path | None = None) -> float:
    """Seconds, as for a user: with byte code kept between runs and output buffered, whatever this shell prefers."""
    unusual = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    environment = {name: value for name, value in os.environ.items() if name not in unusual}
    with open(out or os.devnull, "wb") as sink:
        began = perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=sink, check=True)
        return perf_counter() - began


def each(data: Path, repeats: int) -> int:
    """A file of lines; how many answers are wrong."""
    known = [line.split()[0] for line in lines_of(data, "measure/sudoku9/royle17.txt")]
    puzzles = Random(10).choices(known, k=LINES)
    with tempfile.TemporaryDirectory() as folder:
        clues, out = Path(folder) / "clues.txt", Path(folder) / "out.txt"
        clues.write_text("\n".join(puzzles) + "\n", encoding="utf-8")
        ours = ["-m", "dsl", "solve", "examples/sudoku.csp", "--each", f"clue={clues}"]
        commands = {"one process": ours, "two processes": [*ours, "--jobs", "2"]}
        commands[NORVIG] = [str(HERE / "norvig.py"), str(clues)]
        times: dict[str, list[float]] = {name: [] for name in commands}
        wrong = 0
        for _ in range(repeats):
            for name, command in commands.items():
                times[name].append(run(command, out))
                answers = out.read_text(encoding="utf-8").splitlines()
                for puzzle, answer in zip(puzzles, answers, strict=True):
                    instance = sudoku("", [int(letter) if letter.isdigit() else 0 for letter in puzzle], (3, 3))
                    wrong += bool(instance.check(1, [*map(int, answer)] if answer.isdigit() else []))
    least = {name: min(own) for name, own in times.items()}
    for name, seconds in least.items():
        print(f"{LINES:,} lines, {name}: {seconds:.2f} s (median {median(times[name]):.2f})")
    print(f"Norvig's over one process: {least[NORVIG] / least['one process']:.1f}")
    print(f"one process over two: {least['one process'] / least['two processes']:.2f}")
    print(f"{wrong} wrong answers")
    return wrong


def start(repeats: int) -> None:
    """A small puzzle and a newspaper's beside a Python that does nothing."""
    for name in ("shidoku", "sudoku"):
        pairs = [(run(["-m", "dsl", "solve", f"examples/{name}.csp"]), run(["-c", "pass"])) for _ in range(3 * repeats)]
        ours, nothing = (median(column) for column in zip(*pairs, strict=True))
        times = f"{1000 * ours:.0f} ms, python -c pass {1000 * nothing:.0f} ms"
        print(f"csp solve examples/{name}.csp: {times}: {ours / nothing:.1f} times")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    start(options.repeats)
    try:
        return int(bool(each(options.data, options.repeats)))
    except Skip as reason:
        print(f"skipped: {reason}")
        return 0


if __name__ == "__main__":
    sys.exit(main())
