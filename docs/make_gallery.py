"""Write the pages and pictures of the gallery from examples/ and their golden answers, and the cookbook's pictures.

python docs/make_gallery.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

import csp  # noqa: E402
import dsl  # noqa: E402
from csp.render import solution_svg  # noqa: E402

PICTURES = Path("pictures") / "gallery"
COOKBOOK = Path("pictures") / "cookbook"

FAMILIES = {  # page: (title, {example: title})
    "sudoku": (
        "Sudoku of every shape",
        {
            "shidoku": "A 4x4 sudoku",
            "sudoku": "Sudoku",
            "sudoku_x": "Diagonal sudoku",
            "windoku": "Hyper sudoku",
            "jigsaw": "Jigsaw sudoku",
            "evenodd": "Even-odd sudoku",
            "samurai": "Samurai, and all other sudokus that overlap",
            "miracle": "Miracle sudoku",
            "chaos_construction": "Chaos construction",
            "doublers": "Doublers",
            "schroedinger": "Schroedinger cells",
            "killer": "Killer sudoku",
        },
    ),
    "variants": (
        "Sudoku with lines, dots and outside clues",
        {
            "thermo_sudoku": "Thermo sudoku",
            "arrow_sudoku": "Arrow sudoku",
            "whisper_sudoku": "German whispers",
            "renban_sudoku": "Renban sudoku",
            "palindrome_sudoku": "Palindrome sudoku",
            "between_sudoku": "Between lines",
            "region_sum_sudoku": "Region sum lines",
            "zipper_sudoku": "Zipper lines",
            "sandwich_sudoku": "Sandwich sudoku",
            "x_sum_sudoku": "X-sums",
            "skyscraper_sudoku": "Skyscraper sudoku",
            "numbered_room_sudoku": "Numbered rooms",
            "little_killer_sudoku": "Little killer",
            "kropki_sudoku": "Kropki sudoku",
            "xv_sudoku": "XV sudoku",
            "quadruple_sudoku": "Quadruples",
        },
    ),
    "arithmetic": (
        "Sums, products and comparisons",
        {
            "kenken": "KenKen",
            "kakuro": "Kakuro",
            "futoshiki": "Futoshiki",
            "futoshiki_adjacent": "Futoshiki with neighbours marked",
            "skyscrapers": "Skyscrapers",
            "star": "A six-pointed star",
            "tenner": "Tenner grid",
            "sujiko": "Sujiko",
            "mathrax": "Mathrax",
            "survo": "Survo",
            "kropki": "Kropki",
            "magic_square": "Magic square",
            "magic_hexagon": "The magic hexagon",
            "money": "SEND + MORE = MONEY",
            "alphametic": "Alphametics",
            "japanese_sums": "Japanese sums",
            "doppelblock": "Doppelblock",
        },
    ),
    "placement": (
        "Numbers in rooms and rows",
        {
            "suguru": "Suguru",
            "cojun": "Cojun",
            "hakyuu": "Ripple effect",
            "meander": "Meandering numbers",
            "renban_madoguchi": "Renban-madoguchi",
            "factors": "Rooms of factors",
            "sukoro": "Sukoro",
            "sukororoom": "Sukoro room",
            "numbrix": "Numbrix",
            "hidoku": "Hidoku",
            "str8ts": "Str8ts",
            "abc_end_view": "ABC end view",
            "binairo": "Binairo",
            "word_square": "Word square",
        },
    ),
    "shading": (
        "Shaded cells",
        {
            "hitori": "Hitori",
            "nonogram": "Nonogram",
            "aquarium": "Aquarium",
            "nurikabe": "Nurikabe",
            "yin_yang": "Yin-yang",
            "kurodoko": "Kurodoko",
            "creek": "Creek",
            "nurimisaki": "Nurimisaki",
            "mochikoro": "Mochikoro",
            "mochinyoro": "Mochinyoro",
            "nuribou": "Nuribou",
            "norinuri": "Norinuri",
            "tasquare": "Tasquare",
            "nothree": "No three",
            "tapa": "Tapa",
            "kurotto": "Kurotto",
            "island": "Inaba's island",
            "nuriuzu": "Nuri-uzu",
            "tetrochain": "Tetro chain",
            "yajikazu": "Yajisan-kazusan",
            "smullyan": "Smullyanic dynasty",
            "usoone": "Uso-one",
        },
    ),
    "rooms": (
        "Shaded cells and numbers in rooms",
        {
            "heyawake": "Heyawake",
            "aqre": "Aqre",
            "chocona": "Chocona",
            "paintarea": "Paintarea",
            "norinori": "Norinori",
            "nanro": "Nanro",
            "canal_view": "Canal view",
            "cocktail": "Cocktail lamp",
            "context": "Context",
            "hanare": "Hanare-gumi",
            "heyablock": "Heyablock",
            "lookair": "Look-air",
            "shimaguni": "Shimaguni",
            "stostone": "Stostone",
            "view": "View",
            "toichika2": "Toichika 2",
            "fillmat": "Fillmat",
            "juosan": "Juosan",
            "mannequin": "Mannequin gate",
            "putteria": "Putteria",
            "shakashaka": "Shakashaka",
        },
    ),
    "loops": (
        "Loops",
        {
            "slitherlink": "Slitherlink",
            "lither": "Lithersink",
            "masyu": "Masyu",
            "yajilin": "Yajilin",
            "yajilin_regions": "Regional yajilin",
            "simple_loop": "Simple loop",
            "country_road": "Country road",
            "moon_or_sun": "Moon or sun",
            "double_back": "Double back",
            "detour": "Detour",
            "castle_wall": "Castle wall",
            "dotchi": "Dotchi loop",
            "dotchi2": "Dotchi dotchi loop",
            "geradeweg": "Geradeweg",
            "midloop": "Mid-loop",
            "balance": "Balance loop",
        },
    ),
    "paths": (
        "Paths, bridges and slopes",
        {
            "hashi": "Hashiwokakero",
            "snake": "Snake",
            "numberlink": "Numberlink",
            "gokigen": "Gokigen",
            "knights_tour": "A knight's tour",
            "salesman": "Travelling salesman",
        },
    ),
    "regions": (
        "Regions, pieces and objects",
        {
            "tents": "Tents",
            "dominosa": "Dominosa",
            "battleships": "Battleships",
            "lits": "LITS",
            "star_battle": "Star battle",
            "akari": "Akari",
            "shikaku": "Shikaku",
            "sashigane": "Sashigane",
            "nawabari": "Nawabari",
            "squarejam": "Square jam",
            "statue_park": "Statue park",
            "tentaisho": "Tentaisho",
            "fillomino": "Fillomino",
            "fourcells": "Fourcells",
            "fivecells": "Fivecells",
            "usotatami": "Uso-tatami",
            "squared_rectangle": "Squared rectangle",
        },
    ),
    "designs": (
        "Latin squares, designs and sequences",
        {
            "latin": "Latin squares",
            "quasigroup": "Quasigroup completion",
            "qg": "QG3 to QG7",
            "graeco_latin": "Graeco-Latin square",
            "queens": "Queens",
            "blocked_queens": "Blocked queens",
            "langford": "Langford's problem",
            "steiner": "Steiner triples",
            "golfers": "Social golfers",
            "orthogonal_array": "Orthogonal arrays",
            "round_robin": "Round robin",
            "all_interval": "All-interval series",
            "costas": "Costas arrays",
            "golomb": "Golomb ruler",
        },
    ),
    "stories": (
        "Maps, schedules and logic",
        {
            "australia": "Map colouring: Australia",
            "states": "Map colouring: the United States",
            "coloring": "Graph colouring",
            "zebra": "The zebra puzzle",
            "knaves": "Knights and knaves",
            "seating": "Seating",
            "assignment": "Assignment",
            "exam_timetable": "Exam timetable",
        },
    ),
}

PUBLISHED_LINES = {
    "killer": 29,
    "kenken": 70,
    "kakuro": 36,
    "futoshiki": 31,
    "skyscrapers": 75,
    "costas": 28,
    "all_interval": 20,
}
"""Lines of the MiniZinc models that Håkan Kjellerstrand published, counted as ``count_lines`` counts."""

GALLERY = {name: puzzle for _, puzzles in FAMILIES.values() for name, puzzle in puzzles.items()}

INTRODUCTION = """\
# The gallery

Each of these {count} puzzles is a file in `examples/` that runs as it is: `csp solve examples/killer.csp`. Its rules
are separate from its data, so that [`csp import`](import.md) can replace the data. Black numbers are given, blue
numbers are found. Click a picture for the spec and its answer. [Rules to include](gallery/rules.md) lists rules for
specs of your own. `python docs/make_gallery.py` writes these pages.

Seven puzzles are compared with Håkan Kjellerstrand's MiniZinc models, by their lines without blank lines, comments,
data and drawing.
"""

RULES = """\
# Rules to include

`include NAME.` adds a rule to a spec, as in [the recipe of a sudoku variant](../cookbook.md#a-sudoku-variant). Write
the facts of the rule yourself. Rules on regions also need `include boxes.` or a grid `region`. In facts of lines,
(R, C) is the K-th cell of line L.

```sh
echo 'include sudoku. include thermometers. thermometer(1, 1, 2, 3). thermometer(1, 2, 1, 3).' | csp check -
```
"""

TABLE = """\

## {heading}

| `include` | {columns} |
|---|---|
"""

LINE_CELL = ": (R, C) is the K-th cell of line L."
"""The sentence that the rules of lines share, and that the page states once."""

COLUMNS = 6
"""Number of pictures in a row of the index."""


def count_lines(text: str) -> int:
    """Return the number of lines of rules: no blank lines, comments, data, ``show`` or ``draw``."""
    text = re.sub(r"^(?:show|draw) [^%]*?\.$", "", text, flags=re.MULTILINE)
    rules = re.sub(r'^grid \w+(\(.*\))? = "[^"]*"\.', "", text, flags=re.MULTILINE)
    data = re.compile(r"\s*(%.*)?|([a-z]\w*\([a-z0-9_, ]*\)\.\s*)+")
    return sum(not data.fullmatch(line) for line in rules.splitlines())


def make_anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def write_rules() -> str:
    """Return the page of the rules: the first comment of each file, with its atoms as code.

    A rule for a sudoku or Latin square reads its cells; the other files declare variables or relations.
    """
    sudoku_rows, other_rows = [], []
    for path in sorted((ROOT / "examples" / "rules").glob("*.csp")):
        comment, rules = re.split(r"^(?!%)", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)
        text = re.sub(r"[a-z_]+\([^)]*\)", r"`\g<0>`", " ".join(line.lstrip("% ") for line in comment.splitlines()))
        is_for_sudoku = "cell(" in rules and "cell(R, C) in " not in rules
        rows = sudoku_rows if is_for_sudoku else other_rows
        rows.append(f"| `{path.stem}` | {text.replace(LINE_CELL, '.')} |\n")
    sudoku = TABLE.format(heading="Rules for a sudoku or Latin square", columns="facts and meaning")
    others = TABLE.format(heading="Parts of rules and of other puzzles", columns="meaning")
    return "".join([RULES, sudoku, *sudoku_rows, others, *other_rows])


def write_pages() -> dict[Path, str]:
    """Return the text of the index, of each family's page and of the rules, by its path from docs/."""
    index = [INTRODUCTION.format(count=len(GALLERY))]
    texts = {}
    for family, (heading, puzzles) in FAMILIES.items():
        sections = [f"# {heading}\n\n{len(puzzles)} puzzles with pictures, specs and answers.\n"]
        thumbnails = []
        for name, title in puzzles.items():
            spec = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
            answer = (ROOT / "tests" / "golden" / f"{name}.answer").read_text(encoding="utf-8")
            length = ""
            if name in PUBLISHED_LINES:
                length = f": {count_lines(spec)} lines of rules; in MiniZinc {PUBLISHED_LINES[name]}"
            picture = f"{(PICTURES / name).as_posix()}.svg"
            thumbnails.append(f"[![]({picture})<br>{title}](gallery/{family}.md#{make_anchor(title)})")
            sections.append(
                f"## {title}\n\n![Solution](../{picture})\n\n"
                f"`examples/{name}.csp`{length}\n\n"
                f"```prolog\n{spec}```\n\n```text\n{answer}```\n"
            )
        rows = [" | ".join(thumbnails[i : i + COLUMNS]) for i in range(0, len(thumbnails), COLUMNS)]
        rows.insert(1, "|".join(["---"] * COLUMNS))
        index.append(f"## {heading}\n\n" + "\n".join(f"| {row} |" for row in rows) + "\n")
        texts[Path("gallery") / f"{family}.md"] = "\n".join(sections)
    texts[Path("gallery") / "rules.md"] = write_rules()
    return {Path("gallery.md"): "\n".join(index), **texts}


def read_cookbook() -> dict[str, str]:
    """Return the specs of the cookbook by name."""
    text = (DOCS / "cookbook.md").read_text(encoding="utf-8")
    return dict(re.findall(r"```prolog\n% (\w+)\.csp\n(.*?)```", text, re.DOTALL))


def draw(spec: str) -> str:
    """Return the picture of a solved puzzle; a grid without data is blank."""
    model = dsl.loads(spec, grids=dict.fromkeys(re.findall(r"^grid (\w+)\([^=]*\)\.", spec, re.MULTILINE), ""))
    return solution_svg(model, csp.solve(model) or csp.Solution({}))


def list_pictures() -> dict[Path, str]:
    """Return the spec of every picture, by the path of the picture from docs/."""
    specs = {name: (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8") for name in GALLERY}
    gallery = {PICTURES / f"{name}.svg": spec for name, spec in specs.items()}
    return gallery | {COOKBOOK / f"{name}.svg": spec for name, spec in read_cookbook().items()}


def main() -> None:
    """Write all pages and pictures."""
    files = {**write_pages(), **{path: draw(spec) for path, spec in list_pictures().items()}}
    for path, text in files.items():
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
