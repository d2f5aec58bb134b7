"""Measure the engine and other solvers (peers) on the same instances.

    python tests/benchmarks/peers.py [--only royle17,forum] [--peers clingo,z3] [--peers-python PYTHON] [--data DIR]
        [--iss CHECKOUT] [--tdoku CHECKOUT] [--timeout 60] [--budget 3] [--most 300] [--json FILE]

- Each peer is a process with one thread. The peers run in turns, twenty instances at a time, in two passes; our first
  pass includes the compilation of masks. A missing peer is skipped with a message. Every answer is checked.
- The times are set-up (building the model from numbers) and solving. They exclude the start of the process, except for
  MiniZinc, which starts a process for each instance.
- A peer ends a workload when its budget of seconds is used or an instance times out.
- A ratio compares medians over the instances that both solvers ran; an instance that timed out counts as the limit.
- The script prints a table after each workload and the ratios at the end, also after Ctrl-C.
- With --json, the rows are kept in a file. The same command continues with the workloads that the file does not have.
  --table FILE prints the tables of such files.

The exit status is 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import json
import platform
import signal
import sys
import tempfile
from itertools import product
from math import inf
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from csp.base.files import write_whole  # noqa: E402
from tests.benchmarks.peer.asking import OURS, PEERS, Peer, Places, Refused  # noqa: E402
from tests.benchmarks.peer.tables import Row, print_ratios, print_tables, print_work  # noqa: E402
from tests.benchmarks.peer.works import WORKS, Instance, Skip  # noqa: E402

BLOCK = 20
"""Number of instances in a turn; a process that waited for its turn begins with cold caches."""


def start_peers(names: list[str], places: Places) -> list[Peer]:
    """Start the named peers and print the reasons of missing ones."""
    peers = []
    for name in names:
        try:
            peers.append(PEERS[name](places))
        except (Skip, OSError) as reason:
            print(f"{name}: skipped, {reason}", flush=True)
    return peers


def measure(work: str, instances: list[Instance], peers: list[Peer], timeout: float, budget: float) -> list[Row]:
    """Return the rows of two passes over the instances, in which the peers take turns."""
    rows: list[Row] = []
    budgets = {(peer.name, turn): inf if peer.name == OURS else budget for peer in peers for turn in range(2)}
    slowest = {peer.name: budget for peer in peers}
    for turn, start in product(range(2), range(0, len(instances), BLOCK)):
        # Another peer begins each block.
        first = start // BLOCK % len(peers)
        for peer in peers[first:] + peers[:first]:
            todo = instances[start : start + BLOCK]
            while todo and budgets[peer.name, turn] > 0:
                # Send no more instances than the budget is likely to allow.
                batch = todo[: max(1, int(min(BLOCK, budgets[peer.name, turn] / slowest[peer.name])))]
                todo = todo[len(batch) :]
                try:
                    for instance, result in zip(batch, peer.ask(batch, timeout), strict=False):
                        budgets[peer.name, turn] -= result.total
                        slowest[peer.name] = max(result.total, 1e-3)
                        if result.is_late:
                            budgets[peer.name, turn] = budgets[peer.name, 1] = 0
                        if result.wrong:
                            print(f"{work}: {peer.name}: {instance.name}: WRONG, {result.wrong}", flush=True)
                        rows.append(Row(work, turn, instance.name, peer.name, *result))
                except Refused as reason:
                    budgets[peer.name, turn] = budgets[peer.name, 1] = 0
                    peer.end()
                    print(f"{work}: {peer.name} skipped, {reason}", flush=True)
    return rows


def main() -> int:
    """Measure the workloads and print the tables; return the exit status."""
    options = read_options()
    if options.table:
        print_tables([row for path in options.table for row in read_rows(path)])
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # end the peers before exiting
    print(f"Python {platform.python_version()}, {platform.machine()}", flush=True)
    rows: list[Row] = read_rows(options.json) if options.json and options.json.exists() else []
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        places = Places(options.peers_python, options.iss, options.tdoku, Path(folder))
        peers = start_peers([OURS, *(name for name in options.peers if name != OURS)], places)
        try:
            for work in options.only:
                if any(row.work == work for row in rows):
                    print(f"{work}: in {options.json} already", flush=True)
                    continue
                try:
                    instances = WORKS[work](options.data)[: options.most]
                except Skip as reason:
                    print(f"{work}: skipped, {reason}", flush=True)
                    continue
                measured = measure(work, instances, peers, options.timeout, options.budget)
                rows += measured
                if options.json:
                    write_whole(options.json, "".join([f"{json.dumps(row._asdict())}\n" for row in rows]).encode())
                print_work(measured)
                print(f"\n{len(instances)} instances", flush=True)
        except KeyboardInterrupt:
            code = 130
        finally:
            for peer in peers:
                peer.end()
    print_ratios(rows)
    return code or int(any(row.wrong for row in rows))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file that --json wrote."""
    return [Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""

    def choose_from(choices: dict[str, object]) -> object:
        def read(text: str) -> list[str]:
            if unknown := [name for name in text.split(",") if name not in choices]:
                raise argparse.ArgumentTypeError(f"unknown name: {unknown[0]}; expected one of {', '.join(choices)}")
            return text.split(",")

        return read

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", type=choose_from({**WORKS}), default=[*WORKS], help="workloads, with commas")  # type: ignore[arg-type]
    parser.add_argument("--peers", type=choose_from({**PEERS}), default=[*PEERS], help="peers, with commas")  # type: ignore[arg-type]
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers-python", default=sys.executable, help="interpreter with the packages of the peers")
    parser.add_argument("--iss", type=Path, help="checkout of the Interactive Sudoku Solver")
    parser.add_argument("--tdoku", type=Path, help="checkout of tdoku")
    parser.add_argument("--timeout", type=float, default=60, help="limit for each instance")
    parser.add_argument("--budget", type=float, default=3, help="seconds for each peer, workload and pass")
    parser.add_argument("--most", type=int, default=300, help="maximum number of instances of a workload")
    parser.add_argument("--json", type=Path, help="keep all rows in this file, and continue from it")
    parser.add_argument("--table", type=Path, nargs="+", help="print the tables of these files without measuring")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
