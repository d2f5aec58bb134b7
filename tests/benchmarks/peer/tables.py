"""Print the tables of the measured times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import inf
from statistics import median, quantiles
from typing import NamedTuple

from .asking import OURS


class Row(NamedTuple):
    """The result of one question to one peer."""

    work: str
    turn: int
    instance: str
    peer: str
    setup: float
    solving: float
    is_late: bool
    wrong: str


def milliseconds(seconds: float) -> str:
    """Return seconds as milliseconds with three digits."""
    return f"{1000 * seconds:,.3g}" if seconds < 0.9995 else f"{1000 * seconds:,.0f}"


def quartiles(values: list[float]) -> str:
    """Return the median and the quartiles, in milliseconds."""
    if len(values) < 3:
        return " / ".join(map(milliseconds, values))
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return f"{milliseconds(middle)} [{milliseconds(low)}–{milliseconds(high)}]"


def median_time(rows: list[Row]) -> float:
    """Return the median seconds of solving; infinity without rows."""
    return median(row.solving for row in rows) if rows else inf


def ratio(ours: list[Row], theirs: list[Row], seconds_of: Callable[[Row], float]) -> str:
    """Divide our median by the median of a peer, over the instances that both have answered."""
    ours_by_instance = {row.instance: row for row in ours}
    both = [(ours_by_instance[row.instance], row) for row in theirs if row.instance in ours_by_instance]
    if not both or not (their_median := median(seconds_of(row) for _, row in both)):
        return "–"
    if sum(row.is_late for row, _ in both) * 2 >= len(both):
        return "late"
    late = sum(row.is_late for _, row in both) * 2 >= len(both)
    value = median(seconds_of(row) for row, _ in both) / their_median
    return f"{'<' if late else ''}{f'{value:,.0f}' if value >= 9.95 else f'{value:.2g}'}"


def print_ratios(rows: list[Row]) -> None:
    """Print our medians divided by theirs for all peers and works, in the first pass."""
    works, peers = (list(dict.fromkeys(row[place] for row in rows)) for place in (0, 3))
    first = {
        (work, peer): [r for r in rows if (r.work, r.peer, r.turn, r.wrong) == (work, peer, 0, "")]
        for work in works
        for peer in peers
    }
    print(f"\n### Ours over theirs: solving / with set-up\n\n| | {' | '.join(works)} |\n|{'---|' * (len(works) + 1)}")
    for peer in [peer for peer in peers if peer != OURS]:
        cells = []
        for work in works:
            both = first[work, OURS], first[work, peer]
            ratios = ratio(*both, lambda row: row.solving), ratio(*both, lambda row: row.setup + row.solving)
            cells.append("" if not both[1] else " / ".join(ratios))
        print(f"| {peer} | {' | '.join(cells)} |")


def print_tables(rows: list[Row]) -> None:
    """Print a table for every work, and the ratios of all."""
    for work in dict.fromkeys(row.work for row in rows):
        print_work([row for row in rows if row.work == work])
    print_ratios(rows)


def print_work(rows: list[Row]) -> None:
    """Print the table of one work in Markdown, the fastest peer first."""
    print(f"\n### {rows[0].work}\n")
    print("| | asked | late | set-up ms | solving ms [quartiles] | ours/theirs: solving | together | second pass |")
    print("|---|---|---|---|---|---|---|---|")
    right: dict[str, tuple[list[Row], list[Row]]] = {}
    wrong: Counter[str] = Counter()
    for row in rows:
        turns = right.setdefault(row.peer, ([], []))
        wrong[row.peer] += bool(row.wrong)
        if not row.wrong:
            turns[row.turn].append(row)
    ours = right.get(OURS, ([], []))
    for peer, (first, second) in sorted(right.items(), key=lambda item: (item[0] != OURS, median_time(item[1][0]))):
        late = sum(row.is_late for row in first)
        if not first:
            print(f"| {peer} | {wrong[peer]} WRONG | | | | | | |")
            continue
        setup = milliseconds(median(row.setup for row in first))
        ratios = ["", "", ""]
        if peer != OURS:
            ratios = [
                ratio(ours[0], first, lambda row: row.solving),
                ratio(ours[0], first, lambda row: row.setup + row.solving),
                ratio(ours[1], second, lambda row: row.solving),
            ]
        elif (longest := max(row.setup for row in first)) > 4 * median(row.setup for row in first):
            setup = f"{milliseconds(longest)} once"
        asked = f"{len(first)}{f', {wrong[peer]} WRONG' if wrong[peer] else ''}"
        cells = [peer, asked, str(late), setup, quartiles([row.solving for row in first]), *ratios]
        print(f"| {' | '.join(cells)} |")
