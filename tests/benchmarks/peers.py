"""Ours beside its peers, on the same instances, one after the other in one run: python tests/benchmarks/peers.py

    python tests/benchmarks/peers.py [--only royle17,forum] [--peers clingo,z3] [--peers-python PYTHON] [--data DIR]
        [--iss CHECKOUT] [--tdoku CHECKOUT] [--timeout 60] [--budget 3] [--most 300] [--json FILE]

Each peer is a process of its own, with one thread, that is asked twenty instances, in turns with all others; and all of
it twice, as our masks are made in the first pass. A peer is found or skipped with a word, and every answer is checked.
What is timed is making the model from numbers (set-up) and solving; the start of the process is not, but of MiniZinc,
which has one for each instance. A peer that has used its budget of seconds in a work, or has taken too long once, is
asked no more of it; ratios are of the medians over what both were asked, and what took too long counts with the limit.
A work's table is printed when it is done, the table of ratios in the end, also after Ctrl-C. With --json the figures
are kept in a file, work by work, and the same command goes on where it broke off: works that are there are not asked
again. --table FILE prints the tables of such files. The exit status is 1 if an answer is wrong.
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
"""How many instances a peer is asked at once: a process that has waited for its turn begins with cold caches."""


def begun(names: list[str], places: Places) -> list[Peer]:
    peers = []
    for name in names:
        try:
            peers.append(PEERS[name](places))
        except (Skip, OSError) as reason:
            print(f"{name}: skipped, {reason}", flush=True)
    return peers


def measure(work: str, instances: list[Instance], peers: list[Peer], timeout: float, budget: float) -> list[Row]:
    """Two passes over the instances, every peer in turn."""
    rows: list[Row] = []
    left = {(peer.name, turn): inf if peer.name == OURS else budget for peer in peers for turn in range(2)}
    slowest = {peer.name: budget for peer in peers}
    for turn, start in product(range(2), range(0, len(instances), BLOCK)):
        first = start // BLOCK % len(peers)
        for peer in peers[first:] + peers[:first]:
            todo = instances[start : start + BLOCK]
            while todo and left[peer.name, turn] > 0:
                some = todo[: max(1, int(min(BLOCK, left[peer.name, turn] / slowest[peer.name])))]
                todo = todo[len(some) :]
                try:
                    for instance, result in zip(some, peer.ask(some, timeout), strict=False):
                        left[peer.name, turn] -= result.together
                        slowest[peer.name] = max(result.together, 1e-3)
                        if result.is_late:
                            left[peer.name, turn] = left[peer.name, 1] = 0
                        if result.wrong:
                            print(f"{work}: {peer.name}: {instance.name}: WRONG, {result.wrong}", flush=True)
                        rows.append(Row(work, turn, instance.name, peer.name, *result))
                except Refused as why:
                    left[peer.name, turn] = left[peer.name, 1] = 0
                    peer.end()
                    print(f"{work}: {peer.name} is not asked, {why}", flush=True)
    return rows


def main() -> int:
    options = read_options()
    if options.table:
        print_tables([row for path in options.table for row in kept(path)])
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the peers are ended first
    print(f"Python {platform.python_version()}, {platform.machine()}", flush=True)
    rows: list[Row] = kept(options.json) if options.json and options.json.exists() else []
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        places = Places(options.peers_python, options.iss, options.tdoku, Path(folder))
        peers = begun([OURS, *(name for name in options.peers if name != OURS)], places)
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
                own = measure(work, instances, peers, options.timeout, options.budget)
                rows += own
                if options.json:
                    write_whole(options.json, "".join([f"{json.dumps(row._asdict())}\n" for row in rows]).encode())
                print_work(own)
                print(f"\n{len(instances)} instances", flush=True)
        except KeyboardInterrupt:
            code = 130
        finally:
            for peer in peers:
                peer.end()
    print_ratios(rows)
    return code or int(any(row.wrong for row in rows))


def kept(path: Path) -> list[Row]:
    return [Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def read_options() -> argparse.Namespace:
    def names(known: dict[str, object]) -> object:
        def read(text: str) -> list[str]:
            if unknown := [name for name in text.split(",") if name not in known]:
                raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}")
            return text.split(",")

        return read

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", type=names({**WORKS}), default=[*WORKS], help="works, with commas")  # type: ignore[arg-type]
    parser.add_argument("--peers", type=names({**PEERS}), default=[*PEERS], help="peers, with commas")  # type: ignore[arg-type]
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers-python", default=sys.executable, help="the interpreter that has the peers' packages")
    parser.add_argument("--iss", type=Path, help="a checkout of the Interactive Sudoku Solver")
    parser.add_argument("--tdoku", type=Path, help="a checkout of tdoku")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--budget", type=float, default=3, help="seconds for each peer, work and pass")
    parser.add_argument("--most", type=int, default=300, help="instances of each work")
    parser.add_argument("--json", type=Path, help="keep every figure in this file, and go on with it")
    parser.add_argument("--table", type=Path, nargs="+", help="print the tables of such files, and measure nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
