"""What csp generate sets has one solution and no clue that could go, by code that shares nothing with the solver."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import csp
import dsl
from csp.explain import rate
from csp.setting import Setter, Wanted, attempts
from dsl.cli import main
from dsl.cli.generate import Order
from dsl.convert.gallery import fill
from dsl.language.errors import Source
from dsl.language.setting import Choice, Clues, NoClues, choice_of

from .conftest import ROOT

Square = list[list[int]]
Fact = Sequence[Any]
SUDOKU = str(ROOT / "examples" / "sudoku.csp")


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def puzzles(*arguments: object) -> list[dict[str, Any]]:
    result = run("generate", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@cache
def latin(n: int) -> list[Square]:
    """All Latin squares of a side."""
    found: list[Square] = [[]]
    for _ in range(n):
        found = [
            [*rows, list(row)]
            for rows in found
            for row in permutations(range(1, n + 1))
            if all(a != b for above in rows for a, b in zip(row, above, strict=True))
        ]
    return found


@cache
def boxed() -> list[Square]:
    """The 288 grids of four by four with boxes."""
    boxes = [[(r + i, c + j) for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]
    return [grid for grid in latin(4) if all(len({grid[r][c] for r, c in box}) == 4 for box in boxes)]


def assert_minimal(grids: Iterable[Any], groups: Sequence[Sequence[Fact]], holds: Callable[[Fact, Any], bool]) -> Any:
    """One grid has all clues, and without a group there is another; that one."""
    violated = [([any(not holds(fact, grid) for fact in group) for group in groups], grid) for grid in grids]
    (solution,) = (grid for missing, grid in violated if not any(missing))
    for i in range(len(groups)):
        assert any(missing[i] and sum(missing) == 1 for missing, _ in violated), groups[i]
    return solution


def is_given(fact: Fact, grid: Square) -> bool:
    _, r, c, value = fact
    return grid[r - 1][c - 1] == value


def singly(puzzle: dict[str, Any]) -> list[list[Fact]]:
    return [[fact] for fact in puzzle["clues"]]


def square(puzzle: dict[str, Any], n: int) -> Square:
    return [[puzzle["solution"][f"cell({r},{c})"] for c in range(1, n + 1)] for r in range(1, n + 1)]


def test_4x4() -> None:
    found = puzzles(SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 1, "--count", 12)
    assert len({puzzle["puzzle"] for puzzle in found}) == 12
    for puzzle in found:
        assert assert_minimal(boxed(), singly(puzzle), is_given) == square(puzzle, 4)
        assert re.fullmatch(r"[.1-4]{16}", puzzle["puzzle"]) and puzzle["givens"] == len(puzzle["clues"])
        assert [[*map(int, row)] for row in solved_each(puzzle["puzzle"])] == square(puzzle, 4)


def solved_each(line: str) -> list[str]:
    """The solution of a line, by the command that reads such lines."""
    spec = dsl.loads(Path(SUDOKU).read_text(), {"box": 2}, {"clue": line})
    solution = csp.solve(spec)
    assert solution is not None
    return ["".join(str(solution[f"cell({r},{c})"]) for c in range(1, 5)) for r in range(1, 5)]


IMAGES = {
    "rotation": lambda r, c, n: (n + 1 - r, n + 1 - c),
    "mirror": lambda r, c, n: (r, n + 1 - c),
    "diagonal": lambda r, c, n: (c, r),
}


@pytest.mark.parametrize("symmetry", IMAGES)
def test_symmetry_is_kept_and_no_orbit_could_go(symmetry: str) -> None:
    arguments = (SUDOKU, "--set", "box=2", "--grid", "clue", "--symmetry", symmetry, "--seed", 3, "--count", 6)
    for puzzle in puzzles(*arguments):
        at = {(fact[1], fact[2]): fact for fact in puzzle["clues"]}
        assert {IMAGES[symmetry](*place, 4) for place in at} == set(at)
        orbits = {tuple(sorted({place, IMAGES[symmetry](*place, 4)})) for place in at}
        assert_minimal(boxed(), [[at[place] for place in orbit] for orbit in orbits], is_given)


def groups_of(name: str) -> tuple[int, list[list[tuple[int, int]]]]:
    """Rows, columns and regions of a grid, written down once more."""
    n, (high, wide) = (6, (2, 3)) if name == "6x6" else (9, (3, 3))
    cells = list(product(range(n), range(n)))
    regions = {(r, c): str((r // high, c // wide)) for r, c in cells}
    if name == "jigsaw":
        text = (ROOT / "examples" / "jigsaw.csp").read_text()
        rows = re.search(r'grid region\(n, n\) = "(.*?)"', text, re.DOTALL)[1].split()  # type: ignore[index]
        regions = {(r, c): rows[r][c] for r, c in cells}
    groups = [[cell for cell in cells if cell[axis] == i] for axis in (0, 1) for i in range(n)]
    groups += [[cell for cell in cells if regions[cell] == region] for region in dict.fromkeys(regions.values())]
    if name == "sudoku_x":
        groups += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    return n, groups


def count(n: int, groups: list[list[tuple[int, int]]], clues: list[Fact], limit: int = 2) -> int:
    """How many ways there are to fill a grid, up to a limit, by Knuth's algorithm X on dictionaries of sets."""
    rows = {
        (cell, value): [("cell", cell), *[(i, value) for i, group in enumerate(groups) if cell in group]]
        for cell in product(range(n), range(n))
        for value in range(1, n + 1)
    }
    columns: dict[Any, set[Any]] = {}
    for row, covered in rows.items():
        for column in covered:
            columns.setdefault(column, set()).add(row)

    def select(row: Any) -> list[set[Any]]:
        taken = []
        for column in rows[row]:
            for other in columns[column]:
                for one in rows[other]:
                    if one != column:
                        columns[one].remove(other)
            taken.append(columns.pop(column))
        return taken

    def deselect(row: Any, taken: list[set[Any]]) -> None:
        for column in reversed(rows[row]):
            columns[column] = taken.pop()
            for other in columns[column]:
                for one in rows[other]:
                    if one != column:
                        columns[one].add(other)

    def solve(found: int) -> int:
        if not columns:
            return found + 1
        for row in list(columns[min(columns, key=lambda column: len(columns[column]))]):
            taken = select(row)
            found = solve(found)
            deselect(row, taken)
            if found >= limit:
                break
        return found

    for _, r, c, value in clues:
        select(((r - 1, c - 1), value))
    return solve(0)


@pytest.mark.parametrize("name", ["6x6", "sudoku_x", "jigsaw"])
def test_grids_with_regions(name: str) -> None:
    file = SUDOKU if name == "6x6" else str(ROOT / "examples" / f"{name}.csp")
    sizes = ["--set", "rows=2", "--set", "cols=3"] if name == "6x6" else []
    (puzzle,) = puzzles(file, *sizes, "--grid", "clue", "--seed", 2)
    n, groups = groups_of(name)
    clues = puzzle["clues"]
    assert count(n, groups, clues) == 1
    assert len(puzzle["puzzle"]) == n * n
    for fact in clues if name == "6x6" else clues[::4]:
        assert count(n, groups, [other for other in clues if other != fact]) == 2, fact


def cage_cells(picture: str) -> dict[str, list[tuple[int, int]]]:
    cells: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(picture.split()):
        for c, name in enumerate(row):
            cells.setdefault(name, []).append((r, c))
    return cells


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "spec.csp"
    path.write_text(text, encoding="utf-8")
    return str(path)


CAGES = "aabb\naccd\neefd\ngffd\n"


def test_killer(tmp_path: Path) -> None:
    spec = fill("killer", "t", {"box": 2}, {"cage": CAGES}, {"total": [(name, 0) for name in "abcdefg"]})
    cells = cage_cells(CAGES)
    grids = [grid for grid in boxed() if all(len({grid[r][c] for r, c in own}) == len(own) for own in cells.values())]
    for puzzle in puzzles(written(tmp_path, spec), "--facts", "total(_, T)", "--seed", 4, "--count", 4):
        solution = assert_minimal(
            grids, singly(puzzle), lambda fact, grid: sum(grid[r][c] for r, c in cells[fact[1]]) == fact[2]
        )
        assert solution == square(puzzle, 4)
        assert [fact[0] for fact in puzzle["clues"]] == ["total"] * puzzle["givens"]


def test_kenken_with_any_operation(tmp_path: Path) -> None:
    spec = fill("kenken", "t", {"n": 4}, {"cage": CAGES}, {"clue": [(name, "plus", 4) for name in "abcdefg"]})
    cells = cage_cells(CAGES)

    def holds(fact: Fact, grid: Square) -> bool:
        _, cage, operation, target = fact
        values = [grid[r][c] for r, c in cells[cage]]
        largest, others = max(values), sum(values) - max(values)
        times = values[0]
        for value in values[1:]:
            times *= value
        known = {"plus": sum(values), "times": times, "minus": largest - others, "over": largest / min(values)}
        return target in known.values() if operation == "some" else known[operation] == target

    operations = set()
    for puzzle in puzzles(written(tmp_path, spec), "--facts", "clue(_, Op, T)", "--seed", 5, "--count", 6):
        assert assert_minimal(latin(4), singly(puzzle), holds) == square(puzzle, 4)
        assert len({fact[1] for fact in puzzle["clues"]}) == puzzle["givens"]  # a cage has one clue
        operations |= {fact[2] for fact in puzzle["clues"]}
    assert len(operations) > 3


def test_futoshiki() -> None:
    def holds(fact: Fact, grid: Square) -> bool:
        _, r, c, token = fact
        one = grid[(r - 1) // 2][(c - 1) // 2]
        if isinstance(token, int):
            return one == token
        other = grid[r // 2][c // 2]
        return one < other if token in "<^" else one > other

    file = ROOT / "examples" / "futoshiki.csp"
    for puzzle in puzzles(file, "--set", "n=4", "--grid", "board", "--seed", 6, "--count", 3):
        assert assert_minimal(latin(4), singly(puzzle), holds) == square(puzzle, 4)
        assert len(puzzle["puzzle"]) == 49


def test_kakuro_keeps_its_black_cells(tmp_path: Path) -> None:
    black = "# # # #\n# . . .\n# . . .\n"
    spec = fill("kakuro", "t", {"rows": 3, "cols": 4}, {"across": black, "down": black})
    (puzzle,) = puzzles(written(tmp_path, spec), "--grid", "across", "--grid", "down", "--seed", 7)
    runs = {("across", 2, 1): [0, 1, 2], ("across", 3, 1): [3, 4, 5]}
    runs |= {("down", 1, 2): [0, 3], ("down", 1, 3): [1, 4], ("down", 1, 4): [2, 5]}
    rows = list(permutations(range(1, 10), 3))
    grids = [[*one, *other] for one in rows for other in rows if all(a != b for a, b in zip(one, other, strict=True))]
    solution = assert_minimal(
        grids, singly(puzzle), lambda fact, cells: sum(cells[i] for i in runs[tuple(fact[:3])]) == fact[3]
    )
    assert solution == [puzzle["solution"][f"cell({r},{c})"] for r in (2, 3) for c in (2, 3, 4)]


def test_the_same_seed_sets_the_same_puzzles() -> None:
    arguments = [sys.executable, "-m", "csp", "generate", SUDOKU, "--set", "box=2", "--grid", "clue"]
    arguments += ["--seed", "x", "--count", "5", "--givens", "4"]
    outputs = {
        subprocess.run(
            [*arguments, "--jobs", jobs],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": jobs},
        ).stdout
        for jobs in ("1", "2")
    }
    (output,) = outputs
    lines = output.splitlines()
    assert len(lines) == 5 == len(set(lines)) and {16 - line.count(".") for line in lines} == {4}
    other = run("generate", SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", "y", "--count", 5)
    assert not set(other.stdout.splitlines()) & set(lines)


def test_a_random_solution_is_a_draw() -> None:
    solver = csp.Solver(dsl.load(SUDOKU, {"box": 2}, {"clue": ""}))
    drawn = [solver.solve(strategy=csp.Strategy(seed=seed)) for seed in range(300)]
    grids = {tuple(solution.values()) for solution in drawn if solution}
    assert len(grids) > 150 and grids <= {tuple(value for row in grid for value in row) for grid in boxed()}
    assert drawn == [solver.solve(strategy=csp.Strategy(seed=seed)) for seed in range(300)]
    first = solver.solve()
    assert first == csp.Solver(solver.model).solve()
    learner = csp.Solver(solver.model, strategy=csp.Strategy(search="learn"))
    assert len({str(learner.solve(strategy=csp.Strategy(search="learn", seed=seed))) for seed in range(12)}) > 3
    assert {csp.count(solver.model, strategy=csp.Strategy(seed=seed)).value for seed in (1, 2)} == {288}


def test_difficulty_is_that_of_csp_rate(tmp_path: Path) -> None:
    arguments = (SUDOKU, "--set", "box=2", "--grid", "clue", "--seed", 8, "--count", 3)
    for puzzle in puzzles(*arguments, "--difficulty", "20..25.5"):
        model = dsl.load(SUDOKU, {"box": 2}, {"clue": puzzle["puzzle"]})
        assert rate(csp.Solver(model)).rating == puzzle["rating"] and 20 <= puzzle["rating"] <= 25.5
    assert {puzzle["rating"] for puzzle in puzzles(*arguments)} == {None}


def test_specs_are_whole(tmp_path: Path) -> None:
    arguments = ("generate", SUDOKU, "--set", "rows=2", "--set", "cols=3", "--grid", "clue", "--seed", 9, "--count", 2)
    result = run(*arguments, "--out", tmp_path / "new")
    lines = run(*arguments).stdout.splitlines()
    paths = result.stdout.splitlines()
    assert len(paths) == len(lines) == 2 and {str(path) for path in (tmp_path / "new").iterdir()} == set(paths)
    for path, line in zip(paths, lines, strict=True):
        text = Path(path).read_text()
        assert "% Puzzle: set by csp generate --seed 9, attempt" in text and "Wikipedia" not in text
        model = dsl.load(SUDOKU, {"rows": 2, "cols": 3}, {"clue": line})
        assert dsl.loads(text) == model and csp.count(model).value == 1
    Path(paths[0]).write_text("% mine")
    assert run(*arguments, "--out", tmp_path / "new").exit_code == 2 and Path(paths[0]).read_text() == "% mine"


def test_specs_that_include_others(tmp_path: Path) -> None:
    (tmp_path / "own.csp").write_text("include sudoku.\nparam box = 2.\n")
    (tmp_path / "outer.csp").write_text('include "own.csp".\n')
    (puzzle,) = puzzles(tmp_path / "outer.csp", "--grid", "clue", "--seed", 1)
    result = run("generate", tmp_path / "outer.csp", "--grid", "clue", "--seed", 1, "--out", tmp_path)
    assert result.exit_code == 0
    assert dsl.load(result.stdout.strip()) == dsl.load(SUDOKU, {"box": 2}, {"clue": puzzle["puzzle"]})
    elsewhere = run("generate", tmp_path / "outer.csp", "--grid", "clue", "--seed", 1, "--out", tmp_path / "new")
    assert elsewhere.exit_code == 2 and "includes files beside it" in elsewhere.output
    (tmp_path / "own.csp").write_text("include killer.\n")
    result = run("generate", tmp_path / "outer.csp", "--facts", "total(_, T)")
    assert result.exit_code == 2 and "in a file that the spec includes" in result.output


def test_pictures_keep_their_boxes(tmp_path: Path) -> None:
    run("generate", SUDOKU, "--grid", "clue", "--seed", 1, "--out", tmp_path)
    (path,) = tmp_path.iterdir()
    assert re.search(r"\n  [1-9.]{3} \| [1-9.]{3} \| [1-9.]{3}\n  ----\+-----\+----\n", path.read_text())


def spec_clues(text: str, *choices: Choice, **more: Any) -> Clues:
    return Clues(dsl.Program(Source("s.csp", text)), {}, {}, choices, **more)


def test_facts_that_say_more_together_are_refused() -> None:
    text = (
        "x(I) in 1..3 :- I in 1..3. big(1). big(2). big(3). x(I) > 1 :- big(I). x(I) != x(J) :- big(I), big(J), I < J."
    )
    clues = spec_clues(text, choice_of("big"))
    solution = {"x(1)": 2, "x(2)": 3, "x(3)": 1}
    groups = clues.told(solution, random.Random(1))
    assert [clue.fact for (clue,) in groups] == [("big", 1), ("big", 2)]
    with pytest.raises(NoClues, match="say more together"):
        clues.text([clue for group in groups for clue in group], "t")
    assert clues.text(groups[0], "t").count("big(1).") == 1
    clues = spec_clues(
        "x(I) in 1..3 :- I in 1..2. big(1). big(2). x(I) > 1 :- big(I). x(I) < 3 :- big(I).", choice_of("big")
    )
    assert [clue.fact for (clue,) in clues.told({"x(1)": 3, "x(2)": 2}, random.Random(1))] == [("big", 2)]


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("sudoku", ["--grid", "cleu"], "did you mean clue?"),
        ("sudoku", [], "says what is chosen"),
        ("sudoku", ["--grid", "clue", "--grid", "clue=a", "--grid", "clue=b"], "clue is given twice"),
        ("sudoku", ["--facts", "less(1)"], "is not of the form"),
        ("sudoku", ["--facts", "less"], "no facts of less"),
        ("killer", ["--facts", "total(T)"], "have 2 arguments, not 1"),
        ("killer", ["--facts", "total(_, T)", "--symmetry", "mirror"], "no such symmetry"),
        ("killer", ["--grid", "cage"], "nothing follows from a fact of cage"),
        ("hitori", ["--grid", "clue"], "nothing follows from a fact of clue"),
        ("sudoku", ["--grid", "clue", "--givens", "5..4"], "no range"),
        ("sudoku", ["--grid", "clue", "--givens", "2.5..4"], "no range"),
        ("golomb", ["--facts", "x"], "no facts of x"),
    ],
)
def test_what_cannot_be_set_is_said(file: str, options: list[str], message: str) -> None:
    result = run("generate", ROOT / "examples" / f"{file}.csp", *options, "--seed", 1)
    assert result.exit_code == 2 and message in result.output and not result.stdout


def test_a_hunt_that_finds_none_says_so() -> None:
    result = run("generate", SUDOKU, "--grid", "clue", "--seed", 1, "--givens", "17..19", "--timeout", 1)
    assert result.exit_code == 3 and not result.stdout
    assert re.search(
        r"stopped by the limit of 1 seconds: 0 of 1 puzzle after \d+ attempts?: they have 2\d", result.stderr
    )
    text = 'x(I) in 1..3 :- I in 1..2. "one": x(1) > V :- big(V). big(1).'
    order = Order(Source("s.csp", text), {}, {}, (choice_of("big"),), None)
    found = [attempt for _, attempt in zip(range(2), attempts(order, Wanted(), 1), strict=False)]
    assert [attempt.puzzle for attempt in found] == [None, None]


def test_ctrl_c_leaves_whole_puzzles() -> None:
    command = [sys.executable, "-m", "csp", "generate", SUDOKU, "--grid", "clue", "--seed", "1", "--count", "99999"]
    for more in ([], ["--jobs", "2"]):
        with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            assert running.stdout
            first = running.stdout.readline()
            running.send_signal(signal.SIGINT)
            output, errors = running.communicate(timeout=60)
        lines = (first + output).splitlines()
        assert running.returncode == 130 and all(re.fullmatch(r"[.1-9]{81}", line) for line in lines)
        assert re.fullmatch(r"csp: stopped by Ctrl-C: [\d,]+ of 99,999 puzzles after [\d,]+ attempts?\n", errors), (
            errors
        )


def test_a_model_that_says_what_is_best_is_refused() -> None:
    clues = spec_clues("x in 1..3. minimize(x). big(1). x > V :- big(V).", choice_of("big"))
    with pytest.raises(csp.ModelError, match="best"):
        Setter(clues.model, clues.told)


def test_the_page_on_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "setting.md").read_text(encoding="utf-8")
    sessions = [
        session for block in re.findall(r"```console\n(.*?)```", page, re.S) for session in block.split("$ csp ")[1:]
    ]
    assert len(sessions) == 6
    for session in sessions:
        command, _, expected = session.partition("\n")
        if "--timeout" not in command:
            assert CliRunner().invoke(main, shlex.split(command)).stdout == expected, command
    (code,) = re.findall(r"```python\n(.*?)```", page, re.S)
    scope: dict[str, Any] = {}
    for line in filter(None, code.splitlines()):
        expression, _, value = line.partition("  # ")
        if value and "=" not in expression:
            assert repr(eval(expression, scope)) == value
        else:
            exec(line, scope)
