"""Measure the engine and noqx on the same puzzles.

    python tests/benchmarks/noqx.py CHECKOUT [--data DIR] [--most 12] [--only GENRE,...]

Each solver reads a puzzle by its own spec or encoding and searches two solutions. clingo and the modules of both are
imported before. Each run is a forked process. Its time is processor time; of short runs the minimum of several counts,
in wall-clock time below 20 ms. The exit status is 1 if the solvers disagree.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import clingo  # noqa: E402, F401 - both need it, and imports are not measured

import csp.engine.search.learner  # noqa: E402, F401
import dsl  # noqa: E402
from csp import Model, Solver  # noqa: E402
from csp.engine.compiled.propagators import MAKERS, maker  # noqa: E402
from dsl.puzzles.convert import puzzles  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402
from tests.verdicts import records  # noqa: E402

sys.dont_write_bytecode = False  # keep byte code, as for a user
SHORT = 0.5
"""Repeat a run that takes less than these seconds, until the runs together take them."""
FINE = 0.02
"""Report wall-clock time below these seconds: the processor's clock goes by milliseconds."""

Rows = list[list[str]]
Pair = tuple[str, str, Callable[[], Model], Callable[[Any], None]]
"""The genre, the name, a function that loads our model, and a function that fills the puzzle of noqx."""

FILES = {
    "slitherlink": "more/slitherlink.jsonl", "hitori": "more/hitori.jsonl", "nurikabe": "more/nurikabe.jsonl",
    "starbattle": "more/starbattle.jsonl", "ripple": "more/hakyuu.jsonl", "kenken": "variants/kenken_janko.jsonl",
    "suguru": "variants/suguru_janko.jsonl", "skyscrapers": "variants/skyscrapers_janko.jsonl",
    "sudoku": "sudoku9/norvig_top95.txt",
}  # fmt: skip
"""The file of puzzles of each genre, by the name of the genre in noqx."""

EXAMPLES = {"starbattle": "star_battle", "ripple": "hakyuu"}
"""Examples of the gallery whose names differ from those of noqx."""

SIGNS = {"=": "", "?": ""}
"""Signs after the number of a cage in noqx that differ from ours."""


def read_puzzles(data: Path, limit: int) -> Iterator[Pair]:
    """Yield at most ``limit`` puzzles of each genre."""
    for genre, file in FILES.items():
        plain = [r for r in records(data / "measure" / file) if not r.get("diagonals") and not r.get("zero")]
        complete = [record for record in plain if "@" not in record.get("problem", "")]  # "@" is a missing square
        for record in islice(complete, limit):
            if "problem" in record:
                sizes, *rows = [line.split() for line in record["problem"].splitlines()]
                yield genre, record["id"], *parse_problem(genre, [int(size) for size in sizes], rows)
            else:
                yield genre, str(record["id"]), lambda record=record: load_record(record), make_filler(genre, record)  # type: ignore[misc]


def load_record(record: dict[str, Any]) -> Model:
    """Return the model of a record that ``csp import`` reads."""
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    return dsl.loads(puzzle.spec())


def parse_problem(genre: str, sizes: list[int], rows: Rows) -> tuple[Callable[[], Model], Callable[[Any], None]]:
    """Return the two functions of a puzzle that is published as rows of tokens."""
    height = sizes[0]
    rooms = rows[-height:] if genre in ("starbattle", "ripple") else []
    clues = rows[:height] if genre != "starbattle" else []
    grids = {name: draw_grid(tokens) for name, tokens in (("room", rooms), ("clue", clues)) if tokens}
    text = example(EXAMPLES.get(genre, genre))
    sides = {"rows": height, "cols": sizes[1]} if "param rows" in text else {"n": height}
    stars = {"stars": sizes[2]} if genre == "starbattle" else {}

    def fill(puzzle: Any) -> None:
        fill_board(puzzle, clues or [["-"] * height] * height, rooms)
        puzzle.param.update({name: str(number) for name, number in stars.items()})

    return lambda: dsl.loads(text, {**sides, **stars}, grids), fill


def make_filler(genre: str, record: dict[str, Any]) -> Callable[[Any], None]:
    """Return a function that writes a record into a puzzle of noqx."""

    def fill(puzzle: Any) -> None:
        text, n = record.get("text", ""), record.get("n", 9)
        clues = record.get("grid") or [list(text[i : i + n]) or ["-"] * n for i in range(0, n * n, n)]
        # The cages of a kenken are its rooms.
        cages = {(r, c): i for i, cage in enumerate(record.get("cages", [])) for r, c in cage["cells"]}
        rooms = [[cages[r, c] for c in range(n)] for r in range(n)] if cages else record.get("regions", [])
        fill_board(puzzle, clues, rooms)
        for cage in record.get("cages", []):
            label = f"{cage['target']}{SIGNS.get(cage['op'], cage['op'])}"
            puzzle.text[(*cage["cells"][0], "center", "corner_top_left")] = int(label) if label.isdigit() else label
        # The numbers of skyscrapers are outside of the board.
        sides = {"top": (-1, None), "bottom": (n, None), "left": (None, -1), "right": (None, n)}
        for side, (row, column) in sides.items() if genre == "skyscrapers" else ():
            for i, number in enumerate(record[side]):
                if number:
                    place = i if row is None else row, i if column is None else column
                    puzzle.text[(*place, "center", "normal")] = number

    return fill


def fill_board(puzzle: Any, clues: list[list[Any]], rooms: list[list[Any]]) -> None:
    """Write the numbers and the borders of the rooms into a puzzle of noqx."""
    puzzle.row, puzzle.col = len(clues), len(clues[0])
    for r, c in product(range(puzzle.row), range(puzzle.col)):
        if str(clues[r][c]) not in ("-", ".", "0", "None") or (
            puzzle.puzzle_name == "slitherlink" and clues[r][c] == "0"
        ):
            puzzle.text[r, c, "center", "normal"] = int(clues[r][c])
        # A border separates two rooms.
        if rooms and r and rooms[r][c] != rooms[r - 1][c]:
            puzzle.edge[r, c, "top", "normal"] = True
        if rooms and c and rooms[r][c] != rooms[r][c - 1]:
            puzzle.edge[r, c, "left", "normal"] = True
    # Borders surround the board.
    for r in range(puzzle.row) if rooms else ():
        puzzle.edge[r, 0, "left", "normal"] = puzzle.edge[r, puzzle.col, "left", "normal"] = True
    for c in range(puzzle.col) if rooms else ():
        puzzle.edge[0, c, "top", "normal"] = puzzle.edge[puzzle.row, c, "top", "normal"] = True


def draw_grid(rows: Rows) -> str:
    """Return the rows as the text of a grid, with "." for blanks."""
    return "\n".join(" ".join("." if token == "-" else token for token in row) for row in rows)


def solve(load: Callable[[], Model]) -> str:
    """Return the number of our solutions, at most two."""
    return str(len(list(islice(Solver(load()).solutions(), 2))))


def solve_by_noqx(genre: str, fill: Callable[[Any], None]) -> str:
    """Return the number of solutions of noqx, at most two, by its encoding and settings."""
    from noqx.clingo import ClingoSolver, Config
    from noqx.manager import modules
    from noqx.puzzle import Puzzle

    parameters = modules[genre].parameters
    puzzle = Puzzle(genre, "", {name: parameter["default"] for name, parameter in parameters.items()})
    puzzle.problem = defaultdict(list)  # the other parts of the drawing
    fill(puzzle)
    Config.max_solutions_to_find, Config.time_limit = 2, 600
    solver = ClingoSolver()
    solver.solve(modules[genre].solve(puzzle))
    return str(len(solver.solution()))


def run(question: Callable[[], str], seconds: float) -> tuple[float, str]:
    """Return the time of a forked process and its answer, which is empty after the limit."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        # Limit the wall-clock time too, because other processes may occupy the cores.
        signal.alarm(int(3 * seconds) + 1)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1,) * 2)
        began, began_wall = time.process_time(), time.perf_counter()
        try:
            answer = question()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        spent, wall = time.process_time() - began, time.perf_counter() - began_wall
        os.write(writing, f"{wall if wall < FINE else spent} {answer}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        output = pipe.read()
    os.waitpid(child, 0)
    spent_text, _, answer = output.partition(" ")
    return (float(spent_text), answer) if answer else (seconds, "")


def run_repeatedly(question: Callable[[], str], seconds: float) -> tuple[float, str]:
    """Return the minimum time of several runs, and the answer."""
    runs = [run(question, seconds)]
    while runs[0][0] < SHORT and (len(runs) < 3 or (len(runs) < 15 and sum([spent for spent, _ in runs]) < SHORT)):
        runs.append(run(question, seconds))
    return min(runs)


def main() -> int:
    """Measure all puzzles and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--most", type=int, default=12, help="maximum number of puzzles of a genre")
    parser.add_argument("--only", default="", help="genres, with commas")
    parser.add_argument("--seconds", type=float, default=30, help="limit for each run")
    options = parser.parse_args()
    sys.path.insert(0, str(options.checkout))
    from noqx.manager import load_solver

    # Import all modules before the first fork.
    for genre in FILES:
        load_solver("solver", genre)
    solve(lambda: dsl.loads("A in 1..2."))
    for name in MAKERS.values():
        maker(name)
    times: dict[str, list[tuple[float, float]]] = {}
    code = 0
    for genre, name, load, fill in read_puzzles(options.data, options.most):
        if options.only and genre not in options.only.split(","):
            continue
        questions = partial(solve, load), partial(solve_by_noqx, genre, fill)
        (ours, answer), (theirs, their_answer) = [run_repeatedly(q, options.seconds) for q in questions]
        times.setdefault(genre, []).append((ours, theirs))
        code |= int(answer != their_answer)
        figures = f"ours {ours:.3f} noqx {theirs:.3f} ratio {ours / theirs:.2f} {answer} {their_answer}"
        print(f"{genre} {name}: {figures}", file=sys.stderr, flush=True)
    times["all"] = [pair for pairs in times.values() for pair in pairs]
    columns = ["genre", "puzzles", "ours, median s", "slowest", "noqx, median s", "slowest", "median ratio"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for genre, pairs in times.items():
        ratios = [ours / theirs for ours, theirs in pairs]
        seconds = " | ".join([f"{median(spent):.2f} | {max(spent):.2f}" for spent in zip(*pairs, strict=True)])
        print(f"| {genre} | {len(pairs)} | {seconds} | {median(ratios):.2f} |")
    return code


if __name__ == "__main__":
    sys.exit(main())
