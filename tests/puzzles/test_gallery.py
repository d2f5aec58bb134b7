"""Tests of the gallery: its page, its pictures and its answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import combinations, islice, pairwise
from pathlib import Path

import pytest

import csp
import dsl
from dsl.puzzles.convert.gallery import example

from ..checkers import different
from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "docs"))
import make_gallery

EXAMPLES = ROOT / "examples"
HINT = "run python docs/make_gallery.py"


def test_the_page_shows_the_examples() -> None:
    pages = make_gallery.write_pages()
    assert {path.stem for path in (ROOT / "docs" / "gallery").glob("*.md")} == {*make_gallery.FAMILIES, "rules"}
    for path, text in pages.items():
        assert (ROOT / "docs" / path).read_text(encoding="utf-8") == text, HINT
    for folder in (make_gallery.PICTURES, make_gallery.COOKBOOK):
        names = {path.name for path in (ROOT / "docs" / folder).iterdir()}
        assert names == {path.name for path in make_gallery.list_pictures() if path.parent == folder}


def test_every_rule_to_include_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", make_gallery.write_rules(), re.MULTILINE)
    assert sorted(name for name, _ in rows if name != "include") == sorted(
        path.stem for path in (EXAMPLES / "rules").glob("*.csp")
    )


@pytest.mark.sampled
@pytest.mark.parametrize("path", make_gallery.list_pictures(), ids=str)
def test_each_picture_shows_its_spec(path: Path) -> None:
    assert (ROOT / "docs" / path).read_text(encoding="utf-8") == make_gallery.draw(
        make_gallery.list_pictures()[path]
    ), HINT


def test_every_idiom_of_the_cookbook_has_its_picture() -> None:
    text = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    pictures = re.findall(rf"^!\[(.*): .*\]\({make_gallery.COOKBOOK.as_posix()}/(\w+)\.svg\)$", text, re.MULTILINE)
    assert pictures == list(zip(titles, make_gallery.read_cookbook(), strict=True))


def test_every_example_is_on_the_page() -> None:
    assert make_gallery.GALLERY.keys() == {path.stem for path in EXAMPLES.glob("*.csp")}


def test_specs_are_at_most_half_as_long_as_minizinc_models() -> None:
    lengths = make_gallery.PUBLISHED_LINES
    assert not [name for name, length in lengths.items() if 2 * make_gallery.count_lines(example(name)) > length]


def test_comments_grids_and_params_are_not_lines_of_rules() -> None:
    text = '% a\n\nparam n = 3.\ngrid g = "\n  1.\n".\nf(a, 1). f(b, 2).\nx(I) in 1..n :- f(_, I).\n'
    assert make_gallery.count_lines(text) == 2


def test_pictures_are_valid_and_small() -> None:
    from xml.etree import ElementTree

    for path in make_gallery.list_pictures():
        text = (ROOT / "docs" / path).read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        assert len(text) < 80_000


def solve_example(name: str, **params: int) -> Iterator[dict[str, csp.Value]]:
    """Yield the solutions of an example as dictionaries."""
    model = dsl.load(EXAMPLES / f"{name}.csp", params)
    return ({str(variable): value for variable, value in answer.items()} for answer in csp.Solver(model).solutions())


def read_family(answer: dict[str, csp.Value], family: str, first: int = 1) -> list[int]:
    """Return the values of a family, ordered by its single index."""
    values = {
        int(re.findall(r"\d+", name)[0]): value for name, value in answer.items() if name.startswith(family + "(")
    }
    return [int(values[i]) for i in sorted(values) if i >= first]


@pytest.mark.parametrize("m", [4, 5])
def test_golomb_rulers_have_distinct_distances(m: int) -> None:
    length = {4: 6, 5: 11}[m]
    for answer in solve_example("golomb", m=m, length=length):
        marks = read_family(answer, "mark")
        assert marks[0] == 0 and marks[-1] == length and different(b - a for a, b in combinations(marks, 2))


def test_costas_arrays_have_distinct_vectors() -> None:
    for answer in solve_example("costas", n=5):
        marks = read_family(answer, "mark")
        vectors = [(j - i, marks[j] - marks[i]) for i, j in combinations(range(5), 2)]
        assert sorted(marks) == [1, 2, 3, 4, 5] and different(vectors)


def test_all_interval_series_have_distinct_intervals() -> None:
    for answer in solve_example("all_interval", n=6):
        notes = read_family(answer, "note")
        assert sorted(notes) == list(range(6)) and different(abs(a - b) for a, b in pairwise(notes))


def test_langford_sequences_keep_their_distances() -> None:
    for answer in solve_example("langford", k=3, n=9):
        row = {place: re.findall(r"\d+", name)[0] for name, place in answer.items()}
        places = {v: sorted(place for place, value in row.items() if int(value) == v) for v in range(1, 10)}
        assert len(row) == 27 and all(b - a == v + 1 == c - b for v, (a, b, c) in places.items())


def test_a_missing_square_has_no_star() -> None:
    model = dsl.loads("include star_battle.", params={"rows": 4, "cols": 4}, grids={"room": "1.34\n1234\n1234\n1234"})
    assert "star(1,2)" not in model.domains
    (solution,) = csp.Solver(model).solutions()
    assert [at for at, star in solution.family("star").items() if star] == [(1, 3), (2, 1), (3, 4), (4, 2)]


def test_the_lines_of_a_magic_star_have_equal_sums() -> None:
    clauses = example("star").replace("cell(R, C) = V :-", "% ")
    count = 0
    for answer in islice(csp.Solver(dsl.loads(clauses)).solutions(), 30):
        assert all(sum(int(answer[f"cell({r},{c})"]) for r, c in line) == 26 for line in STAR)  # type: ignore[index]
        count += 1
    assert count == 30


STAR = [
    [(2, 1), (2, 3), (2, 5), (2, 7)],
    [(4, 1), (4, 3), (4, 5), (4, 7)],
    [(1, 4), (2, 3), (3, 2), (4, 1)],
    [(1, 4), (2, 5), (3, 6), (4, 7)],
    [(2, 1), (3, 2), (4, 3), (5, 4)],
    [(2, 7), (3, 6), (4, 5), (5, 4)],
]


def are_valid_tents(board: list[str], cells: list[list[int]]) -> bool:
    """Return whether tents, trees and the numbers at the edge agree.

    The edge has numbers, or dots for unknown numbers.
    """
    columns, *rows = board
    n = len(rows)
    tents = [(r, c) for r in range(n) for c in range(n) if cells[r][c]]
    trees = [(r, c) for r in range(n) for c in range(n) if rows[r][c + 1] == "t"]

    def can_match(trees: list[tuple[int, int]], free: set[tuple[int, int]]) -> bool:
        if not trees:
            return True
        (r, c), *other_trees = trees
        neighbours = {(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)} & free
        return any(can_match(other_trees, free - {tent}) for tent in neighbours)

    return (
        all(row[0] in (".", str(sum(line))) for row, line in zip(rows, cells, strict=True))
        and all(sign in (".", str(sum(line))) for sign, line in zip(columns[1:], zip(*cells, strict=True), strict=True))
        and not {*tents} & {*trees}
        and len(tents) == len(trees)
        and all(max(abs(a - p), abs(b - q)) > 1 for (a, b), (p, q) in combinations(tents, 2))
        and can_match(trees, {*tents})
    )


def test_tents_keep_the_rules_with_and_without_numbers() -> None:
    """Solve the puzzle, and the puzzle without the numbers at the edge."""
    picture = re.search(r'grid board\(.*?\) = "\n(.*?)"', example("tents"), re.DOTALL)
    assert picture
    board = [line.strip() for line in picture[1].splitlines()]
    free = [re.sub("[0-9]", ".", line) for line in board]
    for signs, limit in ((board, 2), (free, 30)):
        model = dsl.load(EXAMPLES / "tents.csp", grids={"board": "\n".join(signs)})
        answers = list(islice(csp.Solver(model).solutions(), limit))
        assert len(answers) == limit - (signs is board)
        for answer in answers:
            cells = [[int(answer[f"cell({r},{c})"] not in ("t", 0)) for c in range(1, 9)] for r in range(1, 9)]  # type: ignore[index]
            assert are_valid_tents(signs, cells)


def test_the_zebra_puzzle_has_its_known_answer() -> None:
    (answer,) = solve_example("zebra")
    assert answer["house(zebra)"] == answer["house(japanese)"] and answer["house(water)"] == answer["house(norwegian)"]


def read_clues(name: str) -> dict[tuple[int, int], int]:
    """Return the clues in the text of an example by row and column."""
    picture = re.search(r'grid clue\(.*?\) = "\n(.*?)"', example(name), re.DOTALL)
    assert picture
    rows = [row.split() if " " in row.strip() else list(row.strip()) for row in picture[1].strip("\n").split("\n")]
    return {(r, c): int(v) for r, row in enumerate(rows, 1) for c, v in enumerate(row, 1) if v != "."}


def list_neighbours(square: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the four squares that share a side with a square."""
    r, c = square
    return [(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)]


def split_into_pieces(squares: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """Split squares into connected pieces."""
    parts: list[set[tuple[int, int]]] = []
    remaining = set(squares)
    while remaining:
        part = [remaining.pop()]
        for square in part:
            connected = remaining & {*list_neighbours(square)}
            remaining -= connected
            part += connected
        parts.append({*part})
    return parts


def solve_family(name: str, family: str) -> dict[tuple[int, int], int]:
    """Solve an example and return the values of a family by indices."""
    (answer,) = islice(csp.Solver(dsl.load(EXAMPLES / f"{name}.csp")).solutions(), 1)
    return {v.indices: int(value) for v, value in answer.items() if v.family == family}  # type: ignore[misc]


def test_hitori_answers_keep_the_rules() -> None:
    shaded, clues = solve_family("hitori", "shaded"), read_clues("hitori")
    unshaded = {square for square, value in shaded.items() if not value}
    assert len(split_into_pieces(unshaded)) == 1 and not any(
        {*list_neighbours(s)} & shaded.keys() - unshaded for s in shaded.keys() - unshaded
    )
    for line in (0, 1):
        pairs = [(square[line], clues[square]) for square in unshaded]
        assert len({*pairs}) == len(pairs)


def test_slitherlink_answers_keep_the_rules() -> None:
    frame = solve_family("slitherlink", "inside")
    inside = {square for square, value in frame.items() if value}
    assert len(split_into_pieces(inside)) == len(split_into_pieces(frame.keys() - inside)) == 1
    for square, sides in read_clues("slitherlink").items():
        assert sum((square in inside) != (neighbour in inside) for neighbour in list_neighbours(square)) == sides


def test_nurikabe_answers_keep_the_rules() -> None:
    land, clues = solve_family("nurikabe", "land"), read_clues("nurikabe")
    sea = {square for square, value in land.items() if not value}
    assert len(split_into_pieces(sea)) == 1
    assert not any({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea for r, c in sea)
    islands = split_into_pieces(land.keys() - sea)
    assert sorted(map(len, islands)) == sorted(clues.values())
    assert all([clues[square] for square in island if square in clues] == [len(island)] for island in islands)


@pytest.mark.parametrize(("name", "steps"), [("numbrix", {0, 1}), ("knights_tour", {1, 2})])
def test_paths_visit_every_square_in_steps(name: str, steps: set[int]) -> None:
    cells = solve_family(name, "cell")
    assert sorted(cells.values()) == [*range(1, 37)] and read_clues(name).items() <= cells.items()
    path = sorted(cells, key=cells.__getitem__)
    pairs = [*pairwise(path), *([(path[-1], path[0])] if name == "knights_tour" else [])]
    assert all({abs(a - p), abs(b - q)} == steps for (a, b), (p, q) in pairs)


@pytest.mark.parametrize(("colors", "count"), [(2, 0), (3, 120)])
def test_colourings_of_the_petersen_graph_are_counted(colors: int, count: int) -> None:
    assert sum(1 for _ in solve_example("coloring", k=colors)) == count


@pytest.mark.parametrize(
    "name",
    ["jigsaw", "sudoku", "sudoku_x", "windoku", "evenodd", "samurai", "killer", "kenken", "kakuro", "futoshiki",
     "futoshiki_adjacent", "skyscrapers", "tents", "suguru", "tenner", "quasigroup", "graeco_latin", "magic_square",
     "blocked_queens", "alphametic", "star", "zebra", "hitori", "slitherlink", "nurikabe", "numbrix", "knights_tour"],
)  # fmt: skip
def test_puzzles_have_one_solution(name: str) -> None:
    assert csp.count(dsl.load(EXAMPLES / f"{name}.csp")).value == 1
