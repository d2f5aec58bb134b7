"""The player: what is in its page, its command, and the same in a terminal.

``SEEDED=1000`` in the environment follows the patches of that many random models.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp.picture.plan import Plan
from csp.render.page.film import film
from csp.render.page.player import player
from csp.render.text.terminal import Reel, stops
from csp.trace import Decision, Dequeued, Failure, Removal, Round, headline
from dsl.cli import main

from .browser import unpack_film
from .commands import HARD
from .conftest import ROOT
from .makers import NAMES, any_kind

SEEDED = int(os.environ.get("SEEDED", "20"))
PAGE = ROOT / "csp" / "render" / "page"


def example(name: str, **options: object) -> csp.Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def pages_of(names: Iterable[str], folder: Path, nodes: int) -> dict[str, Path]:
    """The pages of examples, recorded up to so many nodes, each with its spec."""
    found = {name: folder / f"{name}.html" for name in names}
    for name, path in found.items():
        source = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
        path.write_text(player(csp.record(example(name), nodes=nodes), source, name), encoding="utf-8")
    return found


def large(box: int) -> csp.Model:
    """A grid with a few clues, so that the first of them have much to remove."""
    rows = [["."] * box**2 for _ in range(box**2)]
    for i in range(box**2):
        rows[i][(i * box + i // box) % box**2] = str(i + 1)
    return example("sudoku", params={"rows": box, "cols": box}, grids={"clue": "\n".join(map(" ".join, rows))})


MODELS = {
    "shidoku": lambda: example("shidoku"),
    "sudoku": lambda: example("sudoku"),
    "hard": lambda: example("sudoku", grids={"clue": HARD}),
    "queens": lambda: example("queens"),
    "money": lambda: example("money"),
    "australia": lambda: example("australia"),
    "states": lambda: example("states"),
    "16": lambda: large(4),
    "25": lambda: large(5),
    "pigeons": lambda: csp.Model({v: (1, 2) for v in "ABC"}, [csp.AllDifferent.of(p) for p in ("AB", "BC", "AC")]),
    "nothing": lambda: csp.Model({"A": (1, 2)}),
}


LARGE = ("16", "25")

# What is in the page.


def follow(trace: csp.Trace) -> None:
    """Apply all patches, comparing with the moments of the trace, and then their inverses."""
    shown = film(trace)
    wide = len(shown["values"])
    start = {v * wide + value for v, vertex in enumerate(shown["vertices"]) for value in vertex["domain"]}
    alive, queue, marked = set(start), list(range(shown["queue"])), set[int]()
    moments = csp.replay(trace)
    names = [
        own or (shown["vertices"][v] if v >= 0 else shown["constraints"][c])["name"] for own, v, c in shown["waiting"]
    ]

    def domains() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {vertex["name"]: [] for vertex in shown["vertices"]}
        for code in sorted(alive):
            found[shown["vertices"][code // wide]["name"]].append(shown["values"][code % wide])
        return found

    def expected(moment: csp.Moment) -> dict[str, list[str]]:
        return {v: sorted(map(str, d), key=shown["values"].index) for v, d in moment.domains.items()}

    assert domains() == expected(next(moments))
    for number, (patch, moment) in enumerate(zip(shown["records"], moments, strict=True)):
        gone, back = set(patch.get("gone", ())), set(patch.get("back", ()))
        assert gone <= alive and not back & alive, "a patch has an inverse"
        alive = alive - gone | back
        for at, leave, come in patch.get("queue", ()):
            assert queue[at : at + len(leave)] == leave
            queue[at : at + len(leave)] = come
        if len(start) < 300 or number % 50 == 0 or number == len(shown["records"]) - 1:
            assert domains() == expected(moment)
        marked ^= set(patch.get("marks", ()))
        assert {shown["vertices"][v]["name"] for v in marked} == set(moment.marked)
        assert [names[one] for one in queue] == [one.name for one in moment.queue], "the head comes first"
    for patch in reversed(shown["records"]):
        alive = alive - set(patch.get("back", ())) | set(patch.get("gone", ()))
        for at, leave, come in reversed(patch.get("queue", ())):
            assert queue[at : at + len(come)] == come
            queue[at : at + len(come)] = leave
    assert alive == start and queue == list(range(shown["queue"]))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "level"),
    [(name, level) for name in MODELS for level in (csp.LEVELS if name not in LARGE else ("singles",))],
)
def test_patches_lead_to_the_end_and_back(name: str, level: csp.Level) -> None:
    follow(csp.record(MODELS[name](), level, nodes=30))


def test_patches_of_any_constraint_lead_to_the_end_and_back() -> None:
    rng, followed = random.Random(1), 0
    while followed < SEEDED:
        constraints = [any_kind(rng, list(csp.CONSTRAINTS)) for _ in range(rng.randint(1, 4))]
        try:
            model = csp.Model({name: range(1, 5) for name in NAMES}, constraints)
            trace = csp.record(model, rng.choice(csp.LEVELS), nodes=20)
        except csp.ModelError:
            continue
        follow(trace)
        followed += 1


def test_patches_of_real_puzzles_lead_to_the_end_and_back() -> None:
    for path in sorted((ROOT / "tests" / "data").glob("sgt_[01]*.jsonl")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
        for line in lines[: max(1, SEEDED // 20)]:
            puzzle = json.loads(line)
            clues = "\n".join(" ".join(str(value or ".") for value in row) for row in puzzle["grid"])
            rows, cols = puzzle["box"]
            follow(csp.record(example("sudoku", params={"rows": rows, "cols": cols}, grids={"clue": clues}), nodes=20))


@pytest.mark.parametrize("name", [name for name in MODELS if name != "25"])
def test_every_record_has_its_constraint_and_every_vertex_its_place(name: str) -> None:
    model = MODELS[name]()
    trace = csp.record(model, nodes=20)
    shown = film(trace)
    for patch, record in zip(shown["records"], trace.records, strict=True):
        if getattr(record, "constraint", None) is not None:
            assert patch["constraint"] == record.number
            own = shown["constraints"][record.number]
            assert own["name"] == record.constraint.name and own.get("line", 0) == record.constraint.line
            assert [shown["vertices"][v]["name"] for v in own["scope"]] == list(record.constraint.scope)
        own = shown["constraints"][patch["constraint"]] if "constraint" in patch else {}
        place = f"{own.get('name')} (line {own.get('line')})"
        follows = f"taken · {place}: nothing to tell · marked {len(getattr(record, 'marked', ()))}"
        text = patch.get("text", follows.replace(" (line None)", ""))
        if isinstance(record, Removal):
            text = f"step {patch['step']} · {patch['reason']} · marked {len(record.marked)}"
        assert text == headline(record)
    assert {vertex["name"]: (vertex["x"], vertex["y"]) for vertex in shown["vertices"]} == Plan(
        trace.model, trace.origins
    ).layout.points


def test_lines_of_other_files_have_their_names() -> None:
    near, other = csp.AllDifferent.of("AB", line=2), csp.AllDifferent.of("BC", line=2)
    far = replace(other, file="other.csp")
    shown = film(csp.record(csp.Model({v: range(3) for v in "ABC"}, [near, far])))
    assert [one.get("line") for one in shown["constraints"]] == [2, "other.csp:2"]


def test_a_sum_that_relies_on_a_group_lights_both_lines() -> None:
    trace = csp.record(example("money"), nodes=0)
    relying = [i for i, record in enumerate(trace.records) if getattr(record, "also_uses", ())]
    patches = film(trace)["records"]
    assert relying and {tuple(patches[i]["relies"]) for i in relying} == {(5,)}
    assert all("relies" not in patch for i, patch in enumerate(patches) if i not in relying)


def test_what_stands_between_cells() -> None:
    cell = {(r, c): csp.Variable("cell", r, c) for r in range(5) for c in range(5)}
    plain = {place: csp.Affine.variable(variable) for place, variable in cell.items()}
    constraints = [
        csp.Linear(plain[0, 0], "<", plain[0, 1]),
        csp.Linear(plain[1, 1], ">=", plain[2, 1]),
        csp.Linear(plain[3, 3] + plain[3, 4] + plain[4, 4], "=", csp.Affine((), 7)),
    ]
    shown = film(csp.record(csp.Model({v: range(1, 6) for v in cell.values()}, constraints)))
    marks = [(one[1], one[4], one[5]) for one in shown["marks"] if len(one) > 5]
    assert marks == [("cage", "", (2,)), ("corner", "7", (2,)), ("sign", "<", (0,)), ("sign", "∨\u0332", (1,))]
    places = [(vertex["x"], vertex["y"]) for vertex in shown["vertices"]]
    middle = [(a + b) / 2 for a, b in zip(places[0], places[1], strict=True)]
    assert [one[2] for one in shown["marks"] if "<" in one] == [middle]
    assert not any("chip" in constraint for constraint in shown["constraints"])


def test_one_file_and_nothing_fetched() -> None:
    page = player(csp.record(example("shidoku")), (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8"))
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!data:,)', page.replace("xlink:href", ""))
    assert set(re.findall(r"\w+://[^\s\"'<)]+", page)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_films_are_json() -> None:
    page = player(csp.record(example("queens"), nodes=30))
    assert unpack_film(page)["values"] == list("12345678")


@pytest.mark.parametrize(("name", "most"), [("sudoku", 201_898), ("queens", 175_934), ("nurikabe", 191_856)])
def test_pages_are_no_larger_than_they_were(name: str, most: int) -> None:
    source = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    assert len(player(csp.record(example(name), nodes=150), source, name).encode()) <= most


def test_scripts_are_short_and_all_are_in() -> None:
    page = player(csp.record(example("shidoku")))
    for path in [*sorted(PAGE.glob("scripts/*")), *PAGE.glob("page.*")]:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 400
        if path.suffix == ".js":
            assert text.startswith("/*")
            lines = [line.strip() for line in re.sub(r"^/\*.*?\*/", "", text, flags=re.S | re.M).splitlines()]
            own = [line for line in lines if line and not re.search(r"^import|^export| // |^/\*|\*/$", line)]
            assert path.stem in ("contract", "against", "race") or not [line for line in own if f"{line}\n" not in page]
    assert not re.search("^(import|export) ", page, re.MULTILINE)


def test_a_hard_nine_by_nine_stays_small() -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), nodes=200)
    assert len(player(trace, HARD).encode()) < 1_000_000


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def themes() -> list[dict[str, str]]:
    css = (PAGE / "page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9A-Fa-f]{6})", block)) for block in blocks)
    assert light.keys() == dark.keys()
    return [light, dark]


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_contrast(theme: dict[str, str]) -> None:
    for text, behind in [
        ("ink", "paper"), ("ink", "panel"), ("soft", "paper"), ("soft", "panel"), ("ink", "active"), ("ink", "many"),
        ("paper", "ink"), ("paper", "marked"),
    ]:  # fmt: skip
        assert contrast(theme[text], theme[behind]) >= 4.5, (text, behind)
    for mark, behind in [
        ("marked", "paper"), ("marked", "active"), ("marked", "panel"), ("removed", "paper"), ("removed", "panel"),
        ("active-line", "paper"), ("active-line", "active"), ("cause", "paper"), ("cause", "active"),
    ]:  # fmt: skip
        assert contrast(theme[mark], theme[behind]) >= 3, (mark, behind)


def test_the_palette_is_the_one_of_all_pictures() -> None:
    from csp.picture.style import ACTIVE, CAUSE, IDLE, MARKED, REMOVED

    light, _ = themes()
    assert [light[name] for name in ("marked", "removed", "active", "idle", "cause")] == [
        MARKED, REMOVED, ACTIVE, IDLE, CAUSE,
    ]  # fmt: skip


# The command and the terminal.


def test_the_command_writes_a_page_and_says_what_it_left_out(tmp_path: Path) -> None:
    clues, page = tmp_path / "hard.txt", tmp_path / "hard.html"
    clues.write_text(HARD)
    arguments = ["play", str(ROOT / "examples/sudoku.csp"), "--grid", f"clue={clues}", "-o", str(page)]
    result = CliRunner().invoke(main, [*arguments, "--nodes", "3"])
    assert result.exit_code == 0 and "decision 3" in result.stderr and result.stdout == f"{page}\n"
    film = unpack_film(page.read_text(encoding="utf-8"))
    assert film["note"] == "The search is recorded up to decision 3, and then its solution; --nodes takes more."
    assert film["records"][-1]["kind"] == "reached"
    assert CliRunner().invoke(main, arguments).stderr == ""
    assert sorted(tmp_path.iterdir()) == [page, clues] and not unpack_film(page.read_text(encoding="utf-8"))["note"]


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "page.html"
    result = CliRunner().invoke(main, ["play", str(ROOT / "examples/shidoku.csp"), "-o", str(path)])
    assert result.exit_code == 2 and str(path) in result.stderr and "Traceback" not in result.output


def test_without_a_terminal_the_captions() -> None:
    result = CliRunner().invoke(main, ["play", str(ROOT / "examples/shidoku.csp")])
    assert result.stdout.splitlines() == list(csp.record(example("shidoku"), nodes=None).captions())


def test_the_terminal_stops_where_something_happens() -> None:
    trace = csp.record(example("shidoku"), "arc")
    steps = max(record.step for record in trace.records if isinstance(record, Removal))
    taken = sum(isinstance(record, Dequeued) for record in trace.records)
    assert len(stops(trace)) == 1 + steps + taken + 1
    reel = Reel(trace)
    screen = reel.screen(5, 80).plain
    assert "A* 1 2 3 [4]" in screen and "C 4" in screen and "queue: F, K, N, A, B, D, G, H, O" in screen
    assert "E* 1 . 3 4" in reel.screen(7, 80).plain, "a value that is gone leaves its place"


def test_the_terminal_shows_a_grid_that_fits() -> None:
    reel = Reel(csp.record(example("sudoku")))
    for width in (60, 80, 200):
        lines = reel.screen(35, width).plain.splitlines()
        grid = lines[6:-2]
        assert max(map(len, grid)) <= width and len(grid) == 1 + 9 + 2 + 1
        assert grid[0].split() == list("123456789") and [line[0] for line in grid[1:-1] if line] == list("123456789")
    low = reel.screen(35, 60, 14).plain.splitlines()
    assert len(low) == 14 and low[-1].startswith("stop 35 ") and "too low" in low[-2]
    narrow = reel.screen(35, 20).plain.splitlines()
    assert max(map(len, narrow)) == 20 and all(line[-1:] == "…" for line in narrow[6:-3] if line)
    assert "q quit" in reel.screen(35, 40).plain and reel.screen(35, 80).plain.endswith("fF failure")


def test_the_terminal_jumps() -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), nodes=30)
    reel, seen = Reel(trace), []
    at = 0
    while (at := reel.jump(stop := at, Failure, 1)) != stop:
        seen.append(trace.records[reel.stops[at] - 1])
    assert seen == [record for record in trace.records if isinstance(record, Failure)]
    assert reel.jump(reel.jump(0, Decision, 1), Decision, -1) == reel.jump(0, Decision, 1)
    assert reel.jump(0, Round, 1) > 0


def test_the_terminal_shows_the_value_of_a_fixed_cell() -> None:
    reel = Reel(csp.record(example("sudoku")))
    first = [reel.screen(stop, 80).plain.splitlines()[7].split()[1:] for stop in (0, 3)]
    assert first == [["#9"] * 9, ["*5", "*3", "#9", "#9", "*7", "#9", "#9", "#9", "#9"]]
    assert "#6-1" in reel.screen(33, 80).plain and "·9·" not in reel.screen(33, 80).plain


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
def test_keys_in_a_terminal() -> None:
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", "dsl", "play", "examples/shidoku.csp", "--level", "arc"]
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
    process = subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, close_fds=True, env=env)
    os.close(theirs)
    try:
        seen = read_until(ours, "the network")
        right, left, end = b"\x1b[C", b"\x1b[D", b"\x1b[F"
        for keys, shown in ((b"nnnnn", "stop 5 "), (left, "stop 4 "), (2 * right, "stop 6 "), (end, "solved")):
            os.write(ours, keys)
            seen += read_until(ours, shown)
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 9, 60, 0, 0))
        seen += read_until(ours, "too low")  # without a key
        os.write(ours, b"q")
        assert process.wait(timeout=60) == 0 and "Traceback" not in seen
    finally:
        process.kill()
        os.close(ours)


def read_until(terminal: int, text: str) -> str:
    seen = b""
    while text.encode() not in seen:
        assert select.select([terminal], [], [], 60)[0], f"{text!r} never came"
        seen += os.read(terminal, 65536)
    return seen.decode(errors="replace")
