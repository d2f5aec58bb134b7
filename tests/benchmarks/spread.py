"""Measure the overhead of parallel work and predict its speed on many cores.

    python tests/benchmarks/spread.py [--cluster] [--set n=17]

The script first measures an empty task on two processes and, with --cluster, on a dask.distributed scheduler with two
workers on this machine. It then splits the count of a spec into 30 pieces for each core, counts a sample of the pieces,
and simulates a schedule with these times. In the simulation, one process splits the work and hands out tasks one after
the other, and the first free core receives the next task. With --sample 0, all pieces are counted, and their sum is
compared with the count of the whole spec.
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


def measure_overhead(executor: Executor) -> float:
    """Return the seconds of an empty task in a long queue."""
    list(in_order(executor, abs, [(1,)] * 50, 50))
    began = time.perf_counter()
    list(in_order(executor, abs, ((n,) for n in range(TASKS)), 64))
    return (time.perf_counter() - began) / TASKS


@contextmanager
def start_dask() -> Iterator[str]:
    """Start a scheduler with two workers and yield the path of its connection file."""
    with tempfile.TemporaryDirectory() as folder:
        connection = Path(folder) / "scheduler.json"
        options = ["--scheduler-file", str(connection), "--no-dashboard"]
        scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-jupyter"]
        worker = ["dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", folder]
        running = [
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{name}", *arguments, *options],
                cwd=ROOT,
                stderr=subprocess.DEVNULL,
            )
            for name, *arguments in (scheduler, worker, worker)
        ]
        try:
            while not connection.exists() or not connection.read_text():
                time.sleep(0.05)
            yield str(connection)
        finally:
            for process in reversed(running):
                process.kill()
                process.wait()


def simulate(tasks: Iterable[float], cores: int, overhead: float, splitting: float) -> float:
    """Return the end of the last task.

    One process splits the work and hands out a task after each overhead; the first free core receives the task.
    """
    ends = [0.0] * cores
    handed_out = splitting
    for seconds in tasks:
        handed_out += overhead
        heapq.heappush(ends, max(heapq.heappop(ends), handed_out) + seconds)
    return max(ends)


def main() -> None:
    """Print the overhead of a task and the table of predicted times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--spec", type=Path, default=ROOT / "examples" / "queens.csp")
    parser.add_argument("--set", default="n=17", help="a param of the spec")
    parser.add_argument("--cores", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--sample", type=int, default=100, help="number of pieces to count, or 0 for all")
    parser.add_argument("--cluster", action="store_true", help="also measure dask.distributed")
    options = parser.parse_args()
    with workers(2) as executor:
        overhead = measure_overhead(executor)
    print(f"two processes: {1000 * overhead:.2f} ms a task")
    if options.cluster:
        with start_dask() as path, workers(cluster=json.loads(Path(path).read_text())["address"]) as executor:
            overhead = measure_overhead(executor)
        print(f"dask, two workers: {1000 * overhead:.2f} ms a task")
    name, _, value = options.set.partition("=")
    solver = Solver(dsl.load(options.spec, {name: int(value)}))
    solver.solve()
    began = time.process_time()
    pieces = split(solver, PIECES * max(options.cores))
    splitting = time.process_time() - began
    times = measure_pieces(solver, pieces, options.sample)
    single = sum(times) / len(times) * len(pieces)
    print(f"\n{options.spec.name} {options.set}, counted: {len(pieces):,} pieces, split in {splitting:.1f} s;")
    print(f"of {len(times):,} the median is {1000 * median(times):.2g} ms, the longest {1000 * max(times):.2g} ms;")
    print(f"{single:,.0f} s on one core, {overhead * 1000:.2f} ms for handing out a task\n")
    print("| cores | tasks for each | a task, s | overhead of handing out, s | total, s | speedup |")
    print("|---|---|---|---|---|---|")
    sample = Random(2).choices(times, k=len(pieces))
    for cores, share in product(options.cores, (1, 3, 10, PIECES)):
        count = min(share * cores, len(pieces))
        tasks = [sum(sample[number::count]) for number in range(count)]
        end = simulate(tasks, cores, overhead, splitting * count / len(pieces))
        figures = [f"{single / count:.2g}", f"{overhead * count:.1f}", f"{end:,.1f}", f"{single / end:,.0f}"]
        print(f"| {' | '.join([f'{cores:,}', str(share), *figures])} |", flush=True)


def measure_pieces(solver: Solver, pieces: list[dict[str, Value]], sample: int) -> list[float]:
    """Return the processor seconds of a sample of pieces, in a fixed random order."""
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
