"""What spreading work costs and gains: python tests/benchmarks/spread.py [--cluster] [--set n=17]

First the overhead of a task: what an empty one takes on two processes of this machine and, with --cluster, on a real
dask.distributed scheduler with two workers here. Then a workload, the count of a spec, is split into 30 pieces for each
of the most cores; some of the pieces are counted and timed, and the others are taken to be like them. With these times
a schedule is simulated, for so many cores and so many tasks for each: one process splits and hands out a task each
overhead, and a core that is free takes the next one. (With --sample 0 all pieces are counted, and compared with the
count of the whole.)
"""

from __future__ import annotations

import argparse
import heapq
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Solver, Value  # noqa: E402
from csp.parallel import in_order, split, workers  # noqa: E402

TASKS = 2_000
PIECES = 30


def overhead(executor: Executor) -> float:
    """Seconds that a task takes which does nothing, when many are on their way."""
    list(in_order(executor, abs, [(1,)] * 50, 50))
    began = time.perf_counter()
    list(in_order(executor, abs, ((n,) for n in range(TASKS)), 64))
    return (time.perf_counter() - began) / TASKS


@contextmanager
def dask() -> Iterator[str]:
    """The address of a scheduler with two workers on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "scheduler.json"
        usual = ["--scheduler-file", str(known), "--no-dashboard"]
        scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-jupyter"]
        worker = ["dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", folder]
        running = [
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{name}", *more, *usual], cwd=ROOT, stderr=subprocess.DEVNULL
            )
            for name, *more in (scheduler, worker, worker)
        ]
        try:
            while not known.exists() or not known.read_text():
                time.sleep(0.05)
            yield str(known)
        finally:
            for process in reversed(running):
                process.kill()
                process.wait()


def finished(tasks: Iterable[float], cores: int, each: float, before: float) -> float:
    """When the last of some tasks is done that are handed out one after the other to whichever core is free first."""
    free = [0.0] * cores
    handed = before
    for seconds in tasks:
        handed += each
        heapq.heappush(free, max(heapq.heappop(free), handed) + seconds)
    return max(free)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--spec", type=Path, default=ROOT / "examples" / "queens.csp")
    parser.add_argument("--set", default="n=17", help="a param of the spec")
    parser.add_argument("--cores", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--sample", type=int, default=100, help="how many pieces to count")
    parser.add_argument("--cluster", action="store_true")
    options = parser.parse_args()
    with workers(2) as executor:
        each = overhead(executor)
    print(f"two processes: {1000 * each:.2f} ms a task")
    if options.cluster:
        with dask() as known, workers(cluster=json.loads(Path(known).read_text())["address"]) as executor:
            each = overhead(executor)
        print(f"dask, two workers: {1000 * each:.2f} ms a task")
    name, _, value = options.set.partition("=")
    solver = Solver(dsl.load(options.spec, {name: int(value)}))
    solver.solve()
    most = max(options.cores)
    began = time.process_time()
    pieces = split(solver, PIECES * most)
    before = time.process_time() - began
    times = timed(solver, pieces, options.sample)
    one = sum(times) / len(times) * len(pieces)
    print(f"\n{options.spec.name} {options.set}, counted: {len(pieces):,} pieces, split in {before:.1f} s;")
    print(f"of {len(times):,} the median is {1000 * median(times):.2g} ms, the longest {1000 * max(times):.2g} ms;")
    print(f"{one:,.0f} s on one core, {each * 1000:.2f} ms for handing out a task\n")
    print("| cores | tasks for each | a task, s | overhead of handing out, s | all of it, s | times as fast as one |")
    print("|---|---|---|---|---|---|")
    every = Random(2).choices(times, k=len(pieces))
    for cores, share in product(options.cores, (1, 3, 10, PIECES)):
        count = min(share * cores, len(pieces))
        tasks = [sum(every[number::count]) for number in range(count)]
        end = finished(tasks, cores, each, before * count / len(pieces))
        figures = [f"{one / count:.2g}", f"{each * count:.1f}", f"{end:,.1f}", f"{one / end:,.0f}"]
        print(f"| {' | '.join([f'{cores:,}', str(share), *figures])} |", flush=True)


def timed(solver: Solver, pieces: list[dict[str, Value]], sample: int) -> list[float]:
    """Seconds of processor time of some pieces, in a random order that is always the same."""
    order = Random(1).sample(pieces, len(pieces))
    times, total = [], 0
    for piece in order[: sample or None]:
        began = time.process_time()
        total += solver.count(piece).value
        times.append(time.process_time() - began)
    assert sample or total == solver.count().value, "the pieces have other solutions"
    return times


if __name__ == "__main__":
    main()
