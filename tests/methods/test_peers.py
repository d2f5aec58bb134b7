"""The benchmark against other solvers: wrong answers, time limits, schedules and tables."""

from __future__ import annotations

import importlib.util
import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest

from ..benchmarks import peers
from ..benchmarks.__main__ import TABLES
from ..benchmarks.peer.asking import OURS, PEERS, Peer, Places, Refused, terms
from ..benchmarks.peer.tables import Row, print_tables, quartiles
from ..benchmarks.peer.works import ALL, COUNT, FIRST, UNIQUE, Instance, Skip, queens, square, sudoku
from ..benchmarks.spread import simulate
from ..benchmarks.variants import Unknown, write_fpuzzle
from ..conftest import ROOT

QUEENS = queens(6, ALL, 4)(Path())[0]
FOUR = sudoku("four", [0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0], (2, 2))
SOLVED = [3, 1, 4, 2, 4, 2, 3, 1, 2, 4, 1, 3, 1, 3, 2, 4]
LATIN = Instance("order 3", COUNT, 9, 3, square(3, None), expected_count=12)
SUMS = Instance("sums", UNIQUE, 2, 3, ([(0, 0), (1, 0)],), ((5, [0, 1]),), ((0, 3),))
PLACES = Places(sys.executable, None, None, Path())


@contextmanager
def start_peer(name: str) -> Iterator[Peer]:
    """Start the named solver and end it afterwards."""
    process = PEERS[name](PLACES)
    try:
        yield process
    finally:
        process.end()


def test_the_checker_refuses_wrong_answers() -> None:
    assert FOUR.check(1, SOLVED) == "" and FOUR.check(1, SOLVED[:-1]) == "15 values"
    assert FOUR.check(1, [4, *SOLVED[1:]]) == "a group with equal values"
    assert FOUR.check(1, [5, *SOLVED[1:]]) == "a value outside its domain"
    assert FOUR.check(1, [{1: 2, 2: 1}.get(value, value) for value in SOLVED]) == "a given is not kept"
    assert LATIN.check(12, []) == "" and LATIN.check(11, []) == "11 solutions, not 12"
    assert SUMS.check(1, [3, 2]) == "" and SUMS.check(1, [3, 1]) == "a wrong sum" and SUMS.check(2, [3, 2])
    queens_solution = [2, 4, 6, 1, 3, 5]
    assert QUEENS.check(4, queens_solution * 4) == "a solution comes twice"
    assert QUEENS.check(1, queens_solution) == "1 solutions, not 4"


@pytest.mark.parametrize("name", [OURS, "clingo", "python-sat"])
def test_peers_answer_without_errors(name: str) -> None:
    if not importlib.util.find_spec({OURS: "csp", "python-sat": "pysat"}.get(name, name)):
        pytest.skip(f"{name} is not installed")
    with start_peer(name) as process:
        results = list(process.ask([QUEENS, FOUR, LATIN, FOUR], 60))
        assert len(results) == 4 and all(result.total > 0 for result in results)
        assert not any(result.wrong or result.is_late for result in results)
        if name == "python-sat":
            with pytest.raises(Refused, match="no sums"):
                list(process.ask([SUMS], 60))


def test_a_late_peer_is_ended_and_a_wrong_answer_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "odd.py"
    program.write_text(
        "import sys, time\n"
        "print('ready', flush=True)\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    if line.startswith('1 '):\n"
        "        time.sleep(600)\n"
        "    print('0.5 0.25 1' + ' 1' * 16 if number else 'oh dear', flush=True)\n"
    )
    wrong_peer = Peer("odd", [sys.executable, str(program)])
    assert [result.wrong for result in wrong_peer.ask([FOUR, FOUR], 60)] == ["oh dear"]
    assert [result.wrong for result in wrong_peer.ask([FOUR], 60)] == ["oh dear"]  # the peer is started again
    (late_result,) = wrong_peer.ask([SUMS, FOUR], 0.1)
    assert late_result.is_late and late_result.solving == 0.1 and not late_result.wrong
    wrong_peer.end()
    with pytest.raises(Skip, match="there is no such package"):
        Peer("none", [sys.executable, "-c", "print('there is no such package')"])


def test_instances_are_written_as_prolog_terms() -> None:
    assert terms(SUMS) == "q(1,2,3,[0-3],[[0-0,1-0]],[5-[0, 1]])."
    assert terms(queens(2, FIRST)(Path())[0]) == "q(0,2,2,[],[[0-0,1-0],[0-0,1-1],[0-0,1-(-1)]],[])."


def test_tables_compare_instances_that_both_solvers_ran(capsys: pytest.CaptureFixture[str]) -> None:
    ours = [Row("w", turn, name, OURS, 0.001, 0.010 + turn, False, "") for turn in (0, 1) for name in "abc"]
    slow = [Row("w", 0, "a", "slow", 0.009, 0.1, False, ""), Row("w", 0, "b", "slow", 0.0, 60.0, True, "")]
    wrong = [Row("w", 0, "a", "odd", 0.0, 1.0, False, "a wrong sum")]
    print_tables([*ours, *slow, *wrong])
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines() if "|" in line
    ]
    assert lines[2] == [OURS, "3", "0", "1", "10 [10–10]", "", "", ""]
    assert lines[4] == ["odd", "1 WRONG", "", "", "", "", "", ""]
    assert lines[3] == ["slow", "2", "1", "4.5", "100 / 60,000", "<0.00033", "<0.00037", "–"]
    assert lines[-2:] == [["slow", "<0.00033 / <0.00037"], ["odd", ""]]
    assert quartiles([0.001, 0.002, 0.003, 0.004, 0.005]) == "3 [2–4]"
    assert json.loads(json.dumps(ours[0]._asdict()))["peer"] == OURS


def test_an_interrupted_run_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    results_file = tmp_path / "known.json"
    command = ["peers.py", "--peers", OURS, "--json", str(results_file), "--only"]
    for works, titles, skipped_count in (("queens8", ["### queens8"], 0), ("queens8,latin5", ["### latin5"], 1)):
        monkeypatch.setattr(sys, "argv", [*command, works])
        assert peers.main() == 0
        output = capsys.readouterr().out
        assert re.findall("### [a-z0-9]+$", output, re.M) == titles and output.count(" already\n") == skipped_count
    assert {row.work for row in peers.read_rows(results_file)} == {
        "queens8",
        "latin5",
    } and "| | queens8 | latin5 |" in output


def test_a_schedule_adds_up_work_and_overhead() -> None:
    assert simulate([3.0, 3.0, 3.0, 3.0], 2, 0.0, 0.0) == 6.0
    assert simulate([1.0] * 10, 100, 0.5, 2.0) == 2.0 + 10 * 0.5 + 1.0  # handing out takes most of the time
    assert simulate([5.0, 1.0, 1.0, 1.0], 2, 0.0, 1.0) == 6.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes in /proc")
def test_a_process_that_a_late_peer_started_ends_with_the_peer(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import subprocess, pathlib; p = subprocess.Popen(['sleep', '60']); "
        f"pathlib.Path({str(pid_file)!r}).write_text(str(p.pid)); print('ready', flush=True); p.wait()"
    )
    late_peer = Peer("late", [sys.executable, "-c", code])
    assert [result.is_late for result in late_peer.ask([FOUR], 0.2)] == [True]
    state = Path(f"/proc/{pid_file.read_text()}/stat")
    for _ in range(100):
        if not state.exists() or state.read_text().split()[2] == "Z":
            return
        sleep(0.05)
    raise AssertionError("it is still there")


def test_a_variant_is_written_in_the_format_of_another_solver() -> None:
    """Refuse variants without a counterpart, and compare no two adjacent maxima."""
    grid = [[{"value": 3} if (r, c) == (0, 1) else {} for c in range(4)] for r in range(4)]
    puzzle = {"size": 4, "grid": grid, "antiknight": True}
    clues = {
        "arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R2C2"]]}],
        "even": [{"cell": "R4C4"}],
        "maximum": [{"cell": "R4C1"}, {"cell": "R4C2"}],
        "skyscraper": [{"cell": "R5C2", "value": "2"}],
    }
    assert write_fpuzzle(puzzle | clues) == (
        ".Shape~4x4.~R1C2_3.AntiKnight.Arrow~R1C1~R2C2.~R4C4_2_4.GreaterThan~R4C1~R3C1"
        ".GreaterThan~R4C2~R4C3.GreaterThan~R4C2~R3C2.Skyscraper~C2~~2"
    )
    with pytest.raises(Unknown):
        write_fpuzzle(puzzle | {"difference": [{"cells": ["R1C1", "R1C2"], "value": "2"}]})


def test_a_command_prints_every_table_of_the_benchmark_page() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.*)\n\n```sh\npython tests/benchmarks/(\w+)\.py", page, re.MULTILINE)
    assert dict(sections) == TABLES and "python -m tests.benchmarks " in page
