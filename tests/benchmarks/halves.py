"""The search that chooses, beside its two halves: python tests/benchmarks/halves.py [--data DIR] [--only WORD,...]

Each puzzle is asked three times, by ``auto``, by ``tree`` and by ``learn``: how many solutions there are, up to two, or
how many in all, or which is the best. A question has a process of its own, forked when the model is read; its time is
that of the processor, from the model to the answer, so compiling, encoding and the import of clingo are in it, with
byte code kept, as for a user. What is short is asked three to fifteen times, and the least is taken; below 20 ms by the
wall clock, since the other one goes by steps of milliseconds. The ratio is the time of ``auto`` over that of the better
half. The exit status is 1 if two searches answer differently.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, get_args

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Model, Settings, Solver, Way  # noqa: E402
from dsl.puzzles.convert import FAMILIES, puzzles  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402
from tests.verdicts import records  # noqa: E402

sys.dont_write_bytecode = False  # whatever this shell prefers
SHORT = ENOUGH = 0.5
FINE = 0.02
TICK = 0.0001
COUNTS = {
    "langford": {"n": 7}, "queens": {"n": 8}, "latin": {"n": 5}, "all_interval": {"n": 9}, "costas": {"n": 7},
}  # fmt: skip
PIECES = {"hitori": "n", "slitherlink": "rows", "nurikabe": "rows", "hidoku": "rows"}


class Question(NamedTuple):
    """A family, a name, what makes the model, and whether all solutions are counted."""

    family: str
    name: str
    load: Callable[[], Model]
    counts: bool = False


def questions(data: Path, most: int) -> Iterator[Question]:
    """At most so many puzzles of a family of the collection, and every one of the repository."""
    for path in sorted((ROOT / "examples").glob("*.csp")):
        yield Question(path.stem, "gallery", lambda path=path: dsl.load(path))  # type: ignore[misc]
    for folder in ("tests/data/forty", "tests/benchmarks/hard", data.parent / "review" / "specs"):
        for path in sorted((ROOT / folder).glob("*.csp")):
            yield Question(path.stem, path.parent.name, lambda path=path: dsl.load(path))  # type: ignore[misc]
    for name, params in COUNTS.items():
        said = " ".join(f"{key}={value}" for key, value in params.items())
        yield Question(f"count {name}", said, lambda name=name, params=params: dsl.loads(example(name), params), True)  # type: ignore[misc]
    for name in PIECES:
        path = data / "measure" / "more" / f"{name}.jsonl"
        for record in islice(records(path), most) if path.exists() else ():
            yield Question(name, record["id"], lambda name=name, record=record: _piece(name, record))  # type: ignore[misc]
    for path in sorted([*data.glob("*/*/*.jsonl"), *data.glob("measure/sudoku9/*.txt")]):
        for record in _chosen([r for r in records(path) if r.get("family") in {*FAMILIES, "coloring"}], most):
            yield Question(path.stem, str(record["id"]), lambda record=record: record_model(record))  # type: ignore[misc]


def _chosen(found: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """As many of some records, from the first to the last."""
    return found if len(found) <= most else [found[i * (len(found) - 1) // max(1, most - 1)] for i in range(most)]


def _piece(name: str, record: dict[str, Any]) -> Model:
    _, *clues = [line.split() for line in record["problem"].splitlines()]
    text = example("numbrix" if name == "hidoku" else name)
    if name == "hidoku":
        text = text.replace("abs(R - S) + abs(C - D) = 1", "max(abs(R - S), abs(C - D)) = 1")
    picture = "\n".join(" ".join("." if token == "-" else token for token in row) for row in clues)
    params = {"rows": len(clues), "cols": len(clues[0])} if "param rows" in text else {"n": len(clues)}
    return dsl.loads(text, params, {"clue": picture})


def record_model(record: dict[str, Any]) -> Model:
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(record)))
    colours = {"k": record["chromatic"]} if record["family"] == "coloring" else {}
    return dsl.loads(puzzle.spec(), colours)


def answer(model: Model, way: Way, counts: bool) -> str:
    """What is found, the same by every search."""
    solver = Solver(model, settings=Settings(search=way))
    if counts:
        return str(solver.count().value)
    if model.objective:
        best = solver.solve()
        return "none" if best is None else str(model.objective.value(best))
    return str(len(list(islice(solver.solutions(), 2))))


def asked(question: Callable[[], str], seconds: float) -> tuple[float, str]:
    """The time of a process that answers, and its answer; none where it takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(int(3 * seconds) + 1)  # by the clock, where others are busy, too
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1,) * 2)
        began, began_wall = time.process_time(), time.perf_counter()
        try:
            found = question()
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        spent, wall = time.process_time() - began, time.perf_counter() - began_wall
        os.write(writing, f"{wall if wall < FINE else spent} {found}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    took, _, found = told.partition(" ")
    return (float(took), found) if found else (seconds, "")


def least(question: Callable[[], str], seconds: float) -> tuple[float, str]:
    """As ``asked``; of what is short the least of many."""
    runs = [asked(question, seconds)]
    while runs[0][0] < SHORT and (len(runs) < 3 or (len(runs) < 15 and sum([took for took, _ in runs]) < ENOUGH)):
        runs.append(asked(question, seconds))
    return min(runs)


def measured(question: Question, seconds: float) -> dict[str, Any]:
    """The least times of all three, and what they have answered."""
    model = question.load()
    times: dict[str, float] = {}
    found: dict[str, str] = {}
    for way in get_args(Way):
        times[way], found[way] = least(partial(answer, model, way, question.counts), seconds)
    return {"family": question.family, "name": question.name, "times": times, "found": found}


def ratio(result: dict[str, Any]) -> float | None:
    """None where neither half has an answer."""
    times, found = result["times"], result["found"]
    halves = [times[way] for way in ("tree", "learn") if found[way] and ":" not in found[way]]
    return max(TICK, times["auto"]) / max(TICK, min(halves)) if halves else None


def line(result: dict[str, Any]) -> str:
    times, found = result["times"], result["found"]
    told = " ".join(f"{way} {times[way]:.3f}{'' if found[way] else '+'}" for way in times)
    own = ratio(result)
    return f"{result['family']} {result['name']}: {told} ratio {'-' if own is None else f'{own:.2f}'}"


def report(results: list[dict[str, Any]]) -> int:
    """The ratios of every family and of all, and the worst of them."""
    by_family: dict[str, list[float]] = defaultdict(list)
    for result in results:
        if (own := ratio(result)) is not None:
            by_family[result["family"]].append(own)
    print("| family | puzzles | median | worst |\n|---|---|---|---|")
    for family, own in by_family.items():
        print(f"| {family} | {len(own)} | {median(own):.2f} | {max(own):.2f} |")
    every = sorted(value for own in by_family.values() for value in own)
    at = [every[min(len(every) - 1, len(every) * share // 100)] for share in (50, 95, 100)]
    print(f"{len(every)} puzzles of {len(by_family)} families: ", end="")
    print(f"median {at[0]:.2f}, 95 in 100 {at[1]:.2f}, most {at[2]:.2f}")
    for result in sorted(results, key=lambda one: -(ratio(one) or 0))[:20]:
        print(line(result))
    wrong = [one for one in results if len({text for text in one["found"].values() if text and ":" not in text}) > 1]
    for result in wrong:
        print(f"different answers: {result['family']} {result['name']} {result['found']}")
    return int(bool(wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", help="families or names, with commas")
    parser.add_argument("--most", type=int, default=3, help="puzzles of a family of the collection")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--log", type=Path, help="keep what has been measured here, and go on from there")
    options = parser.parse_args()
    only = [word for word in options.only.split(",") if word]
    results: list[dict[str, Any]] = []
    if options.log and options.log.exists():
        results = [json.loads(text) for text in options.log.read_text(encoding="utf-8").splitlines()]
    done = {(one["family"], one["name"]) for one in results}
    for question in questions(options.data, options.most):
        known = (question.family, question.name)
        if known in done or (only and not any(word in text for word in only for text in known)):
            continue
        result = measured(question, options.seconds)
        results.append(result)
        print(line(result), file=sys.stderr, flush=True)
        if options.log:
            with options.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps(result) + "\n")
    return report(results)


if __name__ == "__main__":
    sys.exit(main())
