"""The player: its page, its command, and its screen in a terminal.

The environment variable ``SEEDED=1000`` follows the patches of that many random models.
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
from csp.board.wording import shorten_lists
from csp.picture.plan import Plan
from csp.render.page.film import film
from csp.render.page.player import player
from csp.render.text.terminal import Reel, stops
from csp.trace import Decision, Dequeued, Failure, Removal, Round, headline
from dsl.cli import main

from ..browser import unpack_film
from ..commands import HARD
from ..conftest import ROOT
from ..makers import NAMES, any_kind

SEEDED = int(os.environ.get("SEEDED", "20"))
PAGE = ROOT / "csp" / "render" / "page"


def example(name: str, **options: object) -> csp.Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def pages_of(names: Iterable[str], folder: Path, nodes: int) -> dict[str, Path]:
    """Write pages of the examples, each with its spec, and return their paths."""
    paths = {name: folder / f"{name}.html" for name in names}
    for name, path in paths.items():
        source = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
        path.write_text(player(csp.record(example(name), nodes=nodes), source, name), encoding="utf-8")
    return paths


def large(box: int) -> csp.Model:
    """Return a sudoku with one clue in each row."""
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

# The data of the page.


def follow(trace: csp.Trace) -> None:
    """Apply all patches and compare with the moments, then apply their inverses."""
    film_data = film(trace)
    value_count = len(film_data["values"])
    initial = {v * value_count + value for v, vertex in enumerate(film_data["vertices"]) for value in vertex["domain"]}
    candidates, queue, marked = set(initial), list(range(film_data["queue"])), set[int]()
    moments = csp.replay(trace)
    names = [
        word or (film_data["vertices"][v] if v >= 0 else film_data["constraints"][c])["name"]
        for word, v, c in film_data["waiting"]
    ]

    def current_domains() -> dict[str, list[str]]:
        values_of: dict[str, list[str]] = {vertex["name"]: [] for vertex in film_data["vertices"]}
        for code in sorted(candidates):
            values_of[film_data["vertices"][code // value_count]["name"]].append(
                film_data["values"][code % value_count]
            )
        return values_of

    def expected_domains(moment: csp.Moment) -> dict[str, list[str]]:
        return {v: sorted(map(str, d), key=film_data["values"].index) for v, d in moment.domains.items()}

    assert current_domains() == expected_domains(next(moments))
    # After each patch, values, queue and marked vertices agree with the moment.
    for number, (patch, moment) in enumerate(zip(film_data["records"], moments, strict=True)):
        removed, restored = set(patch.get("gone", ())), set(patch.get("back", ()))
        assert removed <= candidates and not restored & candidates, "a patch has an inverse"
        candidates = candidates - removed | restored
        for start_index, removed_entries, added_entries in patch.get("queue", ()):
            assert queue[start_index : start_index + len(removed_entries)] == removed_entries
            queue[start_index : start_index + len(removed_entries)] = added_entries
        if len(initial) < 300 or number % 50 == 0 or number == len(film_data["records"]) - 1:
            assert current_domains() == expected_domains(moment)
        marked ^= set(patch.get("marks", ()))
        assert {film_data["vertices"][v]["name"] for v in marked} == set(moment.marked)
        assert [names[entry] for entry in queue] == [entry.name for entry in moment.queue], "the head comes first"
    # The inverse patches lead back to the initial values and queue.
    for patch in reversed(film_data["records"]):
        candidates = candidates - set(patch.get("back", ())) | set(patch.get("gone", ()))
        for start_index, removed_entries, added_entries in reversed(patch.get("queue", ())):
            assert queue[start_index : start_index + len(added_entries)] == added_entries
            queue[start_index : start_index + len(added_entries)] = removed_entries
    assert candidates == initial and queue == list(range(film_data["queue"]))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "level"),
    [(name, level) for name in MODELS for level in (csp.LEVELS if name not in LARGE else ("singles",))],
)
def test_patches_follow_the_trace_and_can_be_inverted(name: str, level: csp.Level) -> None:
    follow(csp.record(MODELS[name](), level, nodes=30))


def test_patches_of_every_kind_of_constraint_can_be_inverted() -> None:
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


def test_patches_of_published_puzzles_can_be_inverted() -> None:
    for path in sorted((ROOT / "tests" / "data").glob("sgt_[01]*.jsonl")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
        for line in lines[: max(1, SEEDED // 20)]:
            puzzle = json.loads(line)
            clues = "\n".join(" ".join(str(value or ".") for value in row) for row in puzzle["grid"])
            rows, cols = puzzle["box"]
            follow(csp.record(example("sudoku", params={"rows": rows, "cols": cols}, grids={"clue": clues}), nodes=20))


@pytest.mark.parametrize("name", [name for name in MODELS if name != "25"])
def test_records_name_their_constraints_and_vertices_have_their_places(name: str) -> None:
    model = MODELS[name]()
    trace = csp.record(model, nodes=20)
    film_data = film(trace)
    for patch, record in zip(film_data["records"], trace.records, strict=True):
        if getattr(record, "constraint", None) is not None:
            assert patch["constraint"] == record.number
            constraint = film_data["constraints"][record.number]
            assert constraint["name"] == record.constraint.name and constraint.get("line", 0) == record.constraint.line
            assert [film_data["vertices"][v]["name"] for v in constraint["scope"]] == list(record.constraint.scope)
        constraint = film_data["constraints"][patch["constraint"]] if "constraint" in patch else {}
        place = f"{constraint.get('name')} (line {constraint.get('line')})"
        default_text = f"checked · {place}: no change · marked {len(getattr(record, 'marked', ()))}"
        text = patch.get("text", default_text.replace(" (line None)", ""))
        if isinstance(record, Removal):
            text = f"step {patch['step']} · {patch['reason']} · marked {len(record.marked)}"
        # The caption of a cell without a value, or of a value without a place, also names the reasons.
        is_empty = isinstance(record, Failure) and record.subject is not None
        expected = shorten_lists(headline(record), "variable" if name == "queens" else "cell")
        assert text == expected or (is_empty and text.startswith(f"{expected}: "))
    assert {vertex["name"]: (vertex["x"], vertex["y"]) for vertex in film_data["vertices"]} == Plan(
        trace.model, trace.origins
    ).layout.points


def test_a_line_of_another_file_has_the_name_of_its_file() -> None:
    first, second = csp.AllDifferent.of("AB", line=2), csp.AllDifferent.of("BC", line=2)
    included = replace(second, file="other.csp")
    film_data = film(csp.record(csp.Model({v: range(3) for v in "ABC"}, [first, included])))
    assert [entry.get("line") for entry in film_data["constraints"]] == [2, "other.csp:2"]


def test_a_sum_that_relies_on_a_group_highlights_both_lines() -> None:
    trace = csp.record(example("money"), nodes=0)
    indices = [i for i, record in enumerate(trace.records) if getattr(record, "also_uses", ())]
    patches = film(trace)["records"]
    assert indices and {tuple(patches[i]["relies"]) for i in indices} == {(5,)}
    assert all("relies" not in patch for i, patch in enumerate(patches) if i not in indices)


def test_signs_and_cage_totals_lie_between_cells() -> None:
    cell = {(r, c): csp.Variable("cell", r, c) for r in range(5) for c in range(5)}
    cell_value = {place: csp.Affine.variable(variable) for place, variable in cell.items()}
    constraints = [
        csp.Linear(cell_value[0, 0], "<", cell_value[0, 1]),
        csp.Linear(cell_value[1, 1], ">=", cell_value[2, 1]),
        csp.Linear(cell_value[3, 3] + cell_value[3, 4] + cell_value[4, 4], "=", csp.Affine((), 7)),
    ]
    film_data = film(csp.record(csp.Model({v: range(1, 6) for v in cell.values()}, constraints)))
    marks = [(shape[1], shape[4], shape[5]) for shape in film_data["printed"] if len(shape) > 5]
    assert marks == [("cage", "", (2,)), ("corner", "7", (2,)), ("sign", "<", (0,)), ("sign", "∨\u0332", (1,))]
    places = [(vertex["x"], vertex["y"]) for vertex in film_data["vertices"]]
    middle = [(a + b) / 2 for a, b in zip(places[0], places[1], strict=True)]
    assert [shape[2] for shape in film_data["printed"] if "<" in shape] == [middle]
    assert not any("node" in constraint for constraint in film_data["constraints"])


def test_a_page_fetches_nothing() -> None:
    page = player(csp.record(example("shidoku")), (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8"))
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!data:,)', page.replace("xlink:href", ""))
    assert set(re.findall(r"\w+://[^\s\"'<)]+", page)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_a_film_in_a_page_is_json() -> None:
    page = player(csp.record(example("queens"), nodes=30))
    assert unpack_film(page)["values"] == list("12345678")


@pytest.mark.parametrize(("name", "limit"), [("sudoku", 257_482), ("queens", 248_655), ("nurikabe", 238_868)])
def test_pages_are_not_larger_than_their_limit(name: str, limit: int) -> None:
    source = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
    assert len(player(csp.record(example(name), nodes=150), source, name).encode()) <= limit


def test_scripts_are_short_and_all_their_lines_are_in_the_page() -> None:
    page = player(csp.record(example("shidoku")))
    for path in [*sorted(PAGE.glob("scripts/*")), *PAGE.glob("page.*")]:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 400
        if path.suffix == ".js":
            assert text.startswith("/*")
            lines = [line.strip() for line in re.sub(r"^/\*.*?\*/", "", text, flags=re.S | re.M).splitlines()]
            code_lines = [line for line in lines if line and not re.search(r"^import|^export|^//| // |^/\*|\*/$", line)]
            assert path.stem in ("contract", "against", "race") or not [
                line for line in code_lines if f"{line}\n" not in page
            ]
    assert not re.search("^(import|export|/[/*]| *//) ", page, re.MULTILINE)


def test_the_page_of_a_hard_sudoku_is_smaller_than_a_megabyte() -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), nodes=200)
    assert len(player(trace, HARD).encode()) < 1_000_000


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def themes() -> list[dict[str, str]]:
    """Return the colours of the light and of the dark theme."""
    css = (PAGE / "page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9A-Fa-f]{6})", block)) for block in blocks)
    assert light.keys() == dark.keys()
    return [light, dark]


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_texts_and_marks_have_enough_contrast(theme: dict[str, str]) -> None:
    for text, background in [
        ("ink", "paper"), ("ink", "panel"), ("soft", "paper"), ("soft", "panel"), ("ink", "active"), ("ink", "many"),
        ("paper", "ink"), ("paper", "marked"),
    ]:  # fmt: skip
        assert contrast(theme[text], theme[background]) >= 4.5, (text, background)
    for mark, background in [
        ("marked", "paper"), ("marked", "active"), ("marked", "panel"), ("removed", "paper"), ("removed", "panel"),
        ("active-line", "paper"), ("active-line", "active"), ("cause", "paper"), ("cause", "active"),
    ]:  # fmt: skip
        assert contrast(theme[mark], theme[background]) >= 3, (mark, background)


def test_the_page_uses_the_palette_of_all_pictures() -> None:
    from csp.picture.style import ACTIVE, CAUSE, IDLE, MARKED, REMOVED

    light, _ = themes()
    assert [light[name] for name in ("marked", "removed", "active", "idle", "cause")] == [
        MARKED, REMOVED, ACTIVE, IDLE, CAUSE,
    ]  # fmt: skip


# The command and the terminal.


def test_play_writes_a_page_and_reports_where_the_recording_ends(tmp_path: Path) -> None:
    clues, page = tmp_path / "hard.txt", tmp_path / "hard.html"
    clues.write_text(HARD)
    arguments = ["play", str(ROOT / "examples/sudoku.csp"), "--grid", f"clue={clues}", "-o", str(page)]
    result = CliRunner().invoke(main, [*arguments, "--nodes", "3"])
    assert result.exit_code == 0 and "decision 3" in result.stderr and result.stdout == f"{page}\n"
    film = unpack_film(page.read_text(encoding="utf-8"))
    assert film["note"] == (
        "The search is recorded up to decision 3, followed by its solution; counted, not recorded: "
        "18 further nodes, 9 failures, 8 decisions deep; raise --nodes for more."
    )
    assert film["records"][-1]["kind"] == "reached"
    assert CliRunner().invoke(main, arguments).stderr == ""
    assert sorted(tmp_path.iterdir()) == [page, clues] and not unpack_film(page.read_text(encoding="utf-8"))["note"]


def test_a_page_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "page.html"
    result = CliRunner().invoke(main, ["play", str(ROOT / "examples/shidoku.csp"), "-o", str(path)])
    assert result.exit_code == 2 and str(path) in result.stderr and "Traceback" not in result.output


def test_play_prints_captions_without_a_terminal() -> None:
    result = CliRunner().invoke(main, ["play", str(ROOT / "examples/shidoku.csp")])
    assert result.stdout.splitlines() == list(csp.record(example("shidoku"), nodes=None).captions())


def test_the_terminal_stops_at_steps_and_dequeued_constraints() -> None:
    trace = csp.record(example("shidoku"), "arc")
    steps = max(record.step for record in trace.records if isinstance(record, Removal))
    dequeued = sum(isinstance(record, Dequeued) for record in trace.records)
    assert len(stops(trace)) == 1 + steps + dequeued + 1
    reel = Reel(trace)
    screen = reel.screen(5, 80).plain
    assert "A* 1 2 3 [4]" in screen and "C 4" in screen and "queue: F, K, N, A, B, D, G, H, O" in screen
    assert "E* 1 . 3 4" in reel.screen(7, 80).plain, "a removed value leaves an empty place"


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


def test_the_terminal_jumps_to_failures_decisions_and_rounds() -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), nodes=30)
    reel, failures = Reel(trace), []
    position = 0
    while (position := reel.jump(stop := position, Failure, 1)) != stop:
        failures.append(trace.records[reel.stops[position] - 1])
    assert failures == [record for record in trace.records if isinstance(record, Failure)]
    assert reel.jump(reel.jump(0, Decision, 1), Decision, -1) == reel.jump(0, Decision, 1)
    assert reel.jump(0, Round, 1) > 0


def test_the_terminal_shows_the_value_of_a_fixed_cell() -> None:
    reel = Reel(csp.record(example("sudoku")))
    first = [reel.screen(stop, 80).plain.splitlines()[7].split()[1:] for stop in (0, 3)]
    assert first == [["#9"] * 9, ["*5", "*3", "#9", "#9", "*7", "#9", "#9", "#9", "#9"]]
    assert "#6-1" in reel.screen(33, 80).plain and "·9·" not in reel.screen(33, 80).plain


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX has pseudo-terminals")
def test_keys_move_through_the_trace_in_a_terminal() -> None:
    import fcntl
    import pty
    import struct
    import termios

    controller, terminal = pty.openpty()
    arguments = [sys.executable, "-m", "dsl", "play", "examples/shidoku.csp", "--level", "arc"]
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
    process = subprocess.Popen(
        arguments, stdin=terminal, stdout=terminal, stderr=terminal, cwd=ROOT, close_fds=True, env=env
    )
    os.close(terminal)
    try:
        output = read_until(controller, "start · ")
        right, left, end = b"\x1b[C", b"\x1b[D", b"\x1b[F"
        for keys, expected in ((b"nnnnn", "stop 5 "), (left, "stop 4 "), (2 * right, "stop 6 "), (end, "solved")):
            os.write(controller, keys)
            output += read_until(controller, expected)
        fcntl.ioctl(controller, termios.TIOCSWINSZ, struct.pack("4H", 9, 60, 0, 0))
        output += read_until(controller, "too low")  # the new size redraws the screen without a key
        os.write(controller, b"q")
        assert process.wait(timeout=60) == 0 and "Traceback" not in output
    finally:
        process.kill()
        os.close(controller)


def read_until(terminal: int, text: str) -> str:
    """Read the output of a terminal up to the text."""
    output = b""
    while text.encode() not in output:
        assert select.select([terminal], [], [], 60)[0], f"{text!r} was not printed within a minute"
        output += os.read(terminal, 65536)
    return output.decode(errors="replace")
