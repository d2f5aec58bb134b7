"""Ours against Norvig's program, measured in one run on one machine: ratios, and no judgement by the clock.

    python tests/benchmarks/run.py [--only process,royle17] [--quick] [--data DIR]

Inside one process both sides are timed from the puzzle to its solution's cells, on a solver that is ready;
loading and compiling is a figure of its own. Every answer is checked; a wrong one makes the exit status 1.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import math
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Skip(Exception):
    """A part that cannot be measured here, and why."""


class Wrong(Exception):
    """An answer that the checker refuses."""


@dataclass(frozen=True)
class Settings:
    data: Path
    quick: bool
    norvig_limit: float

    def repeats(self, usual: int) -> int:
        return max(2, usual // 3) if self.quick else usual  # the first time is spent on making masks

    def lines(self, name: str) -> list[str]:
        path = self.data / name
        if not path.is_file():
            raise Skip(f"no file {name} in the data folder")
        text = path.read_text(encoding="utf-8")
        return [line for line in text.splitlines() if line and not line.startswith("#")]


@dataclass(frozen=True)
class Puzzle:
    """A square of `cells`, 0 for blank, with boxes of `box` = (rows, columns) or none."""

    name: str
    cells: tuple[int, ...]
    box: tuple[int, int] | None

    def check(self, values: Sequence[int]) -> None:
        n = math.isqrt(len(self.cells))
        if len(values) != n * n:
            raise Wrong(f"{self.name}: {len(values)} values")
        grid = [values[k * n : k * n + n] for k in range(n)]
        groups: list[Sequence[int]] = [*grid, *zip(*grid, strict=True)]
        if self.box:
            rows, cols = self.box
            for top, left in itertools.product(range(0, n, rows), range(0, n, cols)):
                groups.append([value for row in grid[top : top + rows] for value in row[left : left + cols]])
        if any(sorted(group) != list(range(1, n + 1)) for group in groups):
            raise Wrong(f"{self.name}: not a solution: {values}")
        if any(given not in (0, value) for given, value in zip(self.cells, values, strict=True)):
            raise Wrong(f"{self.name}: the givens are not kept: {values}")


@dataclass(frozen=True)
class Row:
    work: str
    ours: str
    norvig: str = ""
    ratio: str = ""
    prototype: str = ""
    note: str = ""


class Ours:
    """The engine, ready to solve one example; `compile_time` is what it took to load and compile it."""

    def __init__(self, example: str, n: int, **load: Any) -> None:
        csp, dsl = importlib.import_module("csp"), importlib.import_module("dsl")
        start = perf_counter()
        self.solver = csp.Solver(dsl.load(str(ROOT / "examples" / example), **load))
        self.compile_time = perf_counter() - start
        self.names = [f"cell({r},{c})" for r in range(1, n + 1) for c in range(1, n + 1)]

    def time(self, puzzle: Puzzle, repeats: int) -> tuple[float, float]:
        """The best seconds from cells to cells, and of these the best of `solve` alone."""
        whole, alone = zip(*(self._once(puzzle) for _ in range(repeats)), strict=True)
        return min(whole), min(alone)

    def _once(self, puzzle: Puzzle) -> tuple[float, float]:
        start = perf_counter()
        givens = {name: value for name, value in zip(self.names, puzzle.cells, strict=True) if value}
        asked = perf_counter()
        solution = self.solver.solve(givens=givens)
        answered = perf_counter()
        if solution is None:
            raise Wrong(f"{puzzle.name}: ours finds no solution")
        values = [solution[name] for name in self.names]
        end = perf_counter()
        puzzle.check(values)
        return end - start, answered - asked

    def time_count(self, expected: int, repeats: int) -> float:
        times = []
        for _ in range(repeats):
            start = perf_counter()
            count = self.solver.count().value
            times.append(perf_counter() - start)
            if count != expected:
                raise Wrong(f"ours counts {count}, not {expected}")
        return min(times)


def sudoku(rows: int, cols: int) -> Ours:
    return Ours("sudoku.csp", rows * cols, params={"rows": rows, "cols": cols}, grids={"clue": ""})


class Norvigs:
    """Norvig's program, ready to solve one size of box."""

    def __init__(self, rows: int, cols: int) -> None:
        norvig = importlib.import_module("norvig")
        self.alphabet = norvig.alphabet(rows * cols)
        self.solver = norvig.Norvig(rows, cols)

    def time(self, puzzle: Puzzle, repeats: int) -> float:
        line = "".join(("." + self.alphabet)[value] for value in puzzle.cells)
        times = []
        for _ in range(repeats):
            start = perf_counter()
            solution = self.solver.solve(line)
            times.append(perf_counter() - start)
        if solution is None:
            raise Wrong(f"{puzzle.name}: Norvig's finds no solution")
        puzzle.check([self.alphabet.index(char) + 1 for char in solution])
        return min(times)


def time_within(puzzle: Puzzle, repeats: int, limit: float) -> float:
    """Norvig's time in a process of its own; infinite if the repeats take over `limit` seconds each."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_time_apart, args=(sender, puzzle, repeats))
    child.start()
    sender.close()
    try:
        return float(receiver.recv()) if receiver.poll(limit * repeats) else math.inf
    except EOFError:
        raise Wrong(f"{puzzle.name}: Norvig's program ended without an answer") from None
    finally:
        child.kill()
        child.join()


def _time_apart(sender: Connection, puzzle: Puzzle, repeats: int) -> None:
    assert puzzle.box
    sender.send(Norvigs(*puzzle.box).time(puzzle, repeats))


def show(seconds: float) -> str:
    if math.isinf(seconds):
        return "over the limit"
    return f"{1000 * seconds:.3g} ms" if seconds < 0.9995 else f"{seconds:.3g} s"


def read_lines(settings: Settings, *names: str) -> list[Puzzle]:
    texts = [line.split()[0] for name in names for line in settings.lines(name)]
    return [puzzle9(f"puzzle {number}", text) for number, text in enumerate(texts, 1)]


def puzzle9(name: str, text: str) -> Puzzle:
    return Puzzle(name, tuple(int(char) if char != "." else 0 for char in text), (3, 3))


def read_json(settings: Settings, *names: str) -> list[Puzzle]:
    records = [json.loads(line) for name in names for line in settings.lines(name)]
    return [Puzzle(r["id"], tuple(itertools.chain(*r["grid"])), tuple(r["box"])) for r in records]


@dataclass(frozen=True)
class Family:
    """Sudoku puzzles of one size, Norvig's program on the first `norvig` of them."""

    work: str
    files: tuple[str, ...]
    prototype: str
    norvig: int | None = None
    apart: bool = False

    def __call__(self, settings: Settings) -> Iterator[Row]:
        read = read_json if self.files[0].endswith(".jsonl") else read_lines
        puzzles = read(settings, *self.files)
        assert puzzles[0].box
        ours = sudoku(*puzzles[0].box)
        norvigs = Norvigs(*puzzles[0].box)
        repeats = settings.repeats(3)
        times, theirs = [], []
        for number, puzzle in enumerate(puzzles):
            times.append(ours.time(puzzle, repeats))
            if self.apart:
                theirs.append(time_within(puzzle, repeats, settings.norvig_limit))
            elif self.norvig is None or number < self.norvig:
                theirs.append(norvigs.time(puzzle, repeats))
        yield self._row(ours.compile_time, times, theirs)

    def _row(self, compile_time: float, times: list[tuple[float, float]], theirs: list[float]) -> Row:
        alone = [solving for _, solving in times]
        note = f"cells to cells {show(median(total for total, _ in times))}; worst {show(max(alone))}, "
        note += f"Norvig's {show(max(theirs))}; compile {show(compile_time)}"
        if len(theirs) < len(times):
            note += f"; Norvig and ratio: the first {len(theirs)}"
        norvig = median(theirs)
        ratio = "" if math.isinf(norvig) else f"{norvig / median(alone[: len(theirs)]):.1f}"
        work = f"{self.work}, {len(times)} puzzles"
        return Row(work, show(median(alone)), show(norvig), ratio, self.prototype, note)


def process(settings: Settings) -> Iterator[Row]:
    """A file of 10,000 lines, from the command line to the output file."""
    puzzles = 10 * [line.split()[0] for line in settings.lines("measure/sudoku9/royle17.txt")]
    Random(10).shuffle(puzzles)
    with tempfile.TemporaryDirectory() as folder:
        clues, out, norvig_out = (Path(folder) / name for name in ("clues.txt", "ours.txt", "norvig.txt"))
        clues.write_text("\n".join(puzzles) + "\n", encoding="utf-8")
        command = ["-m", "dsl", "solve", "examples/sudoku.csp", "--each", f"clue={clues}"]
        times, theirs = [], []
        for turn in range(settings.repeats(3)):
            times.append(run_python(command, out))
            if turn < 2:
                theirs.append(run_python([str(HERE / "norvig.py"), str(clues)], norvig_out))
        compare(puzzles, out.read_text(encoding="utf-8"), norvig_out.read_text(encoding="utf-8"))
    ours, norvig = min(times), min(theirs)
    note = f"{show(ours / len(puzzles))} a line against {show(norvig / len(puzzles))}; outputs identical"
    work = f"process, {len(puzzles):,} lines"
    yield Row(work, show(ours), show(norvig), f"{norvig / ours:.1f}", note=note)


def compare(puzzles: list[str], ours: str, norvig: str) -> None:
    for number, (puzzle, line) in enumerate(zip(puzzles, norvig.splitlines(), strict=True), 1):
        if not line.isdigit():
            raise Wrong(f"line {number}: Norvig's prints {line!r}")
        puzzle9(f"line {number}", puzzle).check([int(char) for char in line])
    if ours != norvig:
        pairs = zip(ours.splitlines(), norvig.splitlines(), strict=False)
        number = next((k for k, (a, b) in enumerate(pairs, 1) if a != b), 0)
        raise Wrong(f"the two outputs differ, first at line {number} (0: in their length or line ends)")


def run_python(arguments: list[str], out: Path | None = None) -> float:
    # As for a user: with byte code kept between runs and output buffered, whatever this shell prefers.
    unusual = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    environment = {name: value for name, value in os.environ.items() if name not in unusual}
    with open(out or os.devnull, "wb") as sink:
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=sink, check=True)
        return perf_counter() - start


def startup(settings: Settings) -> Iterator[Row]:
    """A small puzzle from the command line beside a Python that does nothing."""
    command = ["-m", "dsl", "solve", "examples/shidoku.csp"]
    times = [(run_python(command), run_python(["-c", "pass"])) for _ in range(settings.repeats(15))]
    ours, nothing = (median(column) for column in zip(*times, strict=True))
    note = f"beside python -c pass: {show(nothing)}; ours is {ours / nothing:.1f} of it"
    yield Row("start-up, shidoku", show(ours), "", f"1 / {ours / nothing:.1f}", note=note)


def quasigroup(settings: Settings) -> Iterator[Row]:
    """Shuffled cyclic Latin squares with 42 % of the cells blank."""
    times, compiled = [], []
    for seed, n in enumerate((30, 31, 32, 33, 35), 1):
        ours = Ours("latin.csp", n, params={"n": n})
        compiled.append(ours.compile_time)
        times.append(ours.time(punched_square(n, 0.42, Random(seed)), settings.repeats(3)))
    whole = [total for total, _ in times]
    note = f"each {', '.join(map(show, whole))}; compile {show(median(compiled))}"
    yield Row("quasigroup 30-35, 42 % holes", show(median(whole)), prototype="430 ms", note=note)


def punched_square(n: int, holes: float, random: Random) -> Puzzle:
    rows, cols, symbols = (random.sample(range(n), n) for _ in range(3))
    cells = [symbols[(r + c) % n] + 1 for r in rows for c in cols]
    for cell in random.sample(range(n * n), round(holes * n * n)):
        cells[cell] = 0
    return Puzzle(f"order {n}", tuple(cells), None)


def grids4(settings: Settings) -> Iterator[Row]:
    yield counted("288 grids 4x4, counted", sudoku(2, 2), 288, "2.4 ms", settings)


def latin5(settings: Settings) -> Iterator[Row]:
    ours = Ours("latin.csp", 5, params={"n": 5})
    yield counted("161,280 Latin squares, counted", ours, 161_280, "1.5 s", settings)


def counted(work: str, ours: Ours, expected: int, prototype: str, settings: Settings) -> Row:
    best = ours.time_count(expected, settings.repeats(3))
    return Row(work, show(best), prototype=prototype, note=f"compile {show(ours.compile_time)}")


SECTIONS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "process": process,
    "startup": startup,
    "royle17": Family("17 clues", ("measure/sudoku9/royle17.txt",), "0.076 ms", norvig=200),
    "top95": Family("Norvig's top 95", ("measure/sudoku9/norvig_top95.txt",), "0.34 ms"),
    "hardest": Family("Norvig's hardest", ("measure/sudoku9/norvig_hardest11.txt",), ""),
    "forum": Family("forum's hardest", ("measure/sudoku9/forum_hardest_1106.txt",), "10 hardest: 1.8 ms"),
    "16x16": Family("16x16", ("measure/sudokuN/gecode_16x16.jsonl", "measure/sudokuN/janko_16x16.jsonl"), "0.8-2.8 ms"),
    "25x25": Family("25x25", ("free/sudokuN/sgt_25x25.jsonl",), "5.5 ms", apart=True),
    "quasigroup": quasigroup,
    "grids4": grids4,
    "latin5": latin5,
}


def main() -> int:
    options = read_options()
    settings = Settings(options.data, options.quick, options.norvig_limit)
    sys.path.insert(0, str(ROOT))
    console = Console(soft_wrap=True)
    say = partial(console.print, highlight=False, markup=False)
    say(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    rows: list[Row] = []
    wrong = False
    try:
        for name in options.only:
            say(f"{name} ...")
            try:
                rows += SECTIONS[name](settings)
            except Skip as reason:
                say(f"{name}: skipped, {reason}")
            except Wrong as reason:
                wrong = True
                say(f"{name}: WRONG, {reason}")
    finally:
        console.print(table(rows))
        for row in rows:
            say(f"{row.work}: {row.note}")
    return int(wrong)


def table(rows: list[Row]) -> Table:
    """The rows in columns; best of several for each puzzle, medians over the puzzles."""
    grid = Table("work")
    for heading in ("ours", "Norvig", "ratio", "prototype"):
        grid.add_column(heading, justify="right")
    for row in rows:
        grid.add_row(row.work, row.ours, row.norvig, row.ratio, row.prototype)
    return grid


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Ours against Norvig's program, in one run.")
    add = parser.add_argument
    add("--data", type=Path, default=ROOT.parent / "shared" / "data", help="the data folder")
    add("--only", type=section_names, default=list(SECTIONS), metavar="A,B", help=f"of {', '.join(SECTIONS)}")
    add("--quick", action="store_true", help="a third of the repeats")
    add("--norvig-limit", type=float, default=60.0, metavar="SECONDS", help="for a 25x25 puzzle")
    return parser.parse_args()


def section_names(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
