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
from csp.render.solved import solution_svg  # noqa: E402

PICTURES = Path("pictures") / "gallery"
COOKBOOK = Path("pictures") / "cookbook"

FAMILIES = {  # page: (title, {example: (title, lines of a usual MiniZinc model)})
    "sudoku": (
        "Sudoku of every shape",
        {
            "shidoku": ("A 4x4 sudoku", 22),
            "sudoku": ("Sudoku", 22),
            "sudoku_x": ("Diagonal sudoku", 26),
            "windoku": ("Hyper sudoku", 26),
            "jigsaw": ("Jigsaw sudoku", 24),
            "evenodd": ("Even-odd sudoku", 30),
            "samurai": ("Samurai, and all other sudokus that overlap", 34),
            "miracle": ("Miracle sudoku", 36),
            "chaos_construction": ("Chaos construction", 45),
            "doublers": ("Doublers", 45),
            "schroedinger": ("Schroedinger cells", 50),
            "killer": ("Killer sudoku", 29),
        },
    ),
    "variants": (
        "Sudoku with lines, dots and outside clues",
        {
            "thermo_sudoku": ("Thermo sudoku", 28),
            "arrow_sudoku": ("Arrow sudoku", 28),
            "whisper_sudoku": ("German whispers", 28),
            "renban_sudoku": ("Renban sudoku", 30),
            "palindrome_sudoku": ("Palindrome sudoku", 28),
            "between_sudoku": ("Between lines", 30),
            "region_sum_sudoku": ("Region sum lines", 35),
            "zipper_sudoku": ("Zipper lines", 30),
            "sandwich_sudoku": ("Sandwich sudoku", 34),
            "x_sum_sudoku": ("X-sums", 34),
            "skyscraper_sudoku": ("Skyscraper sudoku", 60),
            "numbered_room_sudoku": ("Numbered rooms", 34),
            "little_killer_sudoku": ("Little killer", 36),
            "kropki_sudoku": ("Kropki sudoku", 40),
            "xv_sudoku": ("XV sudoku", 36),
            "quadruple_sudoku": ("Quadruples", 30),
        },
    ),
    "arithmetic": (
        "Sums, products and comparisons",
        {
            "kenken": ("KenKen", 70),
            "kakuro": ("Kakuro", 36),
            "futoshiki": ("Futoshiki", 31),
            "futoshiki_adjacent": ("Futoshiki with neighbours marked", 36),
            "skyscrapers": ("Skyscrapers", 75),
            "star": ("A six-pointed star", 11),
            "tenner": ("Tenner grid", 26),
            "sujiko": ("Sujiko", 14),
            "mathrax": ("Mathrax", 50),
            "survo": ("Survo", 20),
            "kropki": ("Kropki", 40),
            "magic_square": ("Magic square", 22),
            "magic_hexagon": ("The magic hexagon", 30),
            "money": ("SEND + MORE = MONEY", 14),
            "alphametic": ("Alphametics", 32),
            "japanese_sums": ("Japanese sums", 50),
            "doppelblock": ("Doppelblock", 50),
        },
    ),
    "placement": (
        "Numbers in rooms and rows",
        {
            "suguru": ("Suguru", 28),
            "cojun": ("Cojun", 30),
            "hakyuu": ("Ripple effect", 30),
            "meander": ("Meandering numbers", 35),
            "renban_madoguchi": ("Renban-madoguchi", 45),
            "factors": ("Rooms of factors", 25),
            "sukoro": ("Sukoro", 50),
            "sukororoom": ("Sukoro room", 50),
            "numbrix": ("Numbrix", 20),
            "hidoku": ("Hidoku", 20),
            "str8ts": ("Str8ts", 60),
            "abc_end_view": ("ABC end view", 50),
            "binairo": ("Binairo", 40),
            "word_square": ("Word square", 25),
        },
    ),
    "shading": (
        "Shaded cells",
        {
            "hitori": ("Hitori", 40),
            "nonogram": ("Nonogram", 45),
            "aquarium": ("Aquarium", 35),
            "nurikabe": ("Nurikabe", 60),
            "yin_yang": ("Yin-yang", 40),
            "kurodoko": ("Kurodoko", 50),
            "creek": ("Creek", 40),
            "nurimisaki": ("Nurimisaki", 60),
            "mochikoro": ("Mochikoro", 60),
            "mochinyoro": ("Mochinyoro", 70),
            "nuribou": ("Nuribou", 80),
            "norinuri": ("Norinuri", 60),
            "tasquare": ("Tasquare", 70),
            "nothree": ("No three", 45),
            "tapa": ("Tapa", 55),
            "kurotto": ("Kurotto", 55),
            "island": ("Inaba's island", 60),
            "nuriuzu": ("Nuri-uzu", 60),
            "tetrochain": ("Tetro chain", 75),
            "yajikazu": ("Yajisan-kazusan", 50),
            "smullyan": ("Smullyanic dynasty", 40),
            "usoone": ("Uso-one", 45),
        },
    ),
    "rooms": (
        "Shaded cells and numbers in rooms",
        {
            "heyawake": ("Heyawake", 50),
            "aqre": ("Aqre", 45),
            "chocona": ("Chocona", 25),
            "paintarea": ("Paintarea", 45),
            "norinori": ("Norinori", 25),
            "nanro": ("Nanro", 60),
            "canal_view": ("Canal view", 50),
            "cocktail": ("Cocktail lamp", 60),
            "context": ("Context", 40),
            "hanare": ("Hanare-gumi", 40),
            "heyablock": ("Heyablock", 60),
            "lookair": ("Look-air", 70),
            "shimaguni": ("Shimaguni", 45),
            "stostone": ("Stostone", 60),
            "view": ("View", 55),
            "toichika2": ("Toichika 2", 60),
            "fillmat": ("Fillmat", 55),
            "juosan": ("Juosan", 25),
            "mannequin": ("Mannequin gate", 50),
            "putteria": ("Putteria", 35),
            "shakashaka": ("Shakashaka", 65),
        },
    ),
    "loops": (
        "Loops",
        {
            "slitherlink": ("Slitherlink", 45),
            "lither": ("Lithersink", 55),
            "masyu": ("Masyu", 70),
            "yajilin": ("Yajilin", 65),
            "yajilin_regions": ("Regional yajilin", 65),
            "simple_loop": ("Simple loop", 45),
            "country_road": ("Country road", 60),
            "moon_or_sun": ("Moon or sun", 65),
            "double_back": ("Double back", 50),
            "detour": ("Detour", 50),
            "castle_wall": ("Castle wall", 70),
            "dotchi": ("Dotchi loop", 60),
            "dotchi2": ("Dotchi dotchi loop", 65),
            "geradeweg": ("Geradeweg", 75),
            "midloop": ("Mid-loop", 75),
            "balance": ("Balance loop", 75),
        },
    ),
    "paths": (
        "Paths, bridges and slopes",
        {
            "hashi": ("Hashiwokakero", 60),
            "snake": ("Snake", 55),
            "numberlink": ("Numberlink", 70),
            "gokigen": ("Gokigen", 50),
            "knights_tour": ("A knight's tour", 20),
            "salesman": ("Travelling salesman", 30),
        },
    ),
    "regions": (
        "Regions, pieces and objects",
        {
            "tents": ("Tents", 40),
            "dominosa": ("Dominosa", 40),
            "battleships": ("Battleships", 70),
            "lits": ("LITS", 80),
            "star_battle": ("Star battle", 30),
            "akari": ("Akari", 50),
            "shikaku": ("Shikaku", 45),
            "sashigane": ("Sashigane", 60),
            "nawabari": ("Nawabari", 45),
            "squarejam": ("Square jam", 50),
            "statue_park": ("Statue park", 70),
            "tentaisho": ("Tentaisho", 50),
            "fillomino": ("Fillomino", 50),
            "fourcells": ("Fourcells", 60),
            "fivecells": ("Fivecells", 60),
            "usotatami": ("Uso-tatami", 50),
            "squared_rectangle": ("Squared rectangle", 30),
        },
    ),
    "designs": (
        "Latin squares, designs and sequences",
        {
            "latin": ("Latin squares", 16),
            "quasigroup": ("Quasigroup completion", 20),
            "qg": ("QG3 to QG7", 35),
            "graeco_latin": ("Graeco-Latin square", 30),
            "queens": ("Queens", 14),
            "blocked_queens": ("Blocked queens", 16),
            "langford": ("Langford's problem", 20),
            "steiner": ("Steiner triples", 20),
            "golfers": ("Social golfers", 30),
            "orthogonal_array": ("Orthogonal arrays", 25),
            "round_robin": ("Round robin", 35),
            "all_interval": ("All-interval series", 20),
            "costas": ("Costas arrays", 28),
            "golomb": ("Golomb ruler", 18),
        },
    ),
    "stories": (
        "Maps, schedules and logic",
        {
            "australia": ("Map colouring: Australia", 12),
            "states": ("Map colouring: the United States", 14),
            "coloring": ("Graph colouring", 12),
            "zebra": ("The zebra puzzle", 40),
            "knaves": ("Knights and knaves", 20),
            "seating": ("Seating", 24),
            "assignment": ("Assignment", 18),
            "exam_timetable": ("Exam timetable", 30),
        },
    ),
}

GALLERY = {name: puzzle for _, puzzles in FAMILIES.values() for name, puzzle in puzzles.items()}

INTRODUCTION = """\
# The gallery

Each of these {count} puzzles is a file in `examples/` that runs as it is: `csp solve examples/killer.csp`. Its rules
are separate from its data, so that [`csp import`](import.md) can replace the data. Black numbers are given, blue
numbers are found. Click a picture for the spec and its answer. [Rules to include](gallery/rules.md) lists rules for
specs of your own. `python docs/make_gallery.py` writes these pages.

Each page compares specs with usual MiniZinc models. *Lines* counts rules: no blank lines, comments, data or drawing,
and no included file of `examples/rules`. MiniZinc models that Håkan Kjellerstrand published were counted (killer,
kenken, kakuro, futoshiki, skyscrapers, costas, all-interval); the other lengths are estimates.
"""

RULES = """\
# Rules to include

`include NAME.` adds a rule to a spec: `include sudoku. include thermometers.` Most rules are about `cell(R, C)` and
read facts that you write. The texts are the first comments of the files in `examples/rules`:

| `include` | facts and meaning |
|---|---|
"""

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
    """Return the page of the rules: the first comment of each file, with its atoms as code."""
    page = RULES
    for path in sorted((ROOT / "examples" / "rules").glob("*.csp")):
        comment, *_ = re.split(r"^(?!%)", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)
        text = re.sub(r"[a-z_]+\([^)]*\)", r"`\g<0>`", " ".join(line.lstrip("% ") for line in comment.splitlines()))
        page += f"| `{path.stem}` | {text} |\n"
    return page


def write_pages() -> dict[Path, str]:
    """Return the text of the index, of each family's page and of the rules, by its path from docs/."""
    index = [INTRODUCTION.format(count=len(GALLERY))]
    texts = {}
    for family, (heading, puzzles) in FAMILIES.items():
        sections = [f"# {heading}\n\nThis page has {len(puzzles)} puzzles with pictures, specs and answers.\n"]
        thumbnails = []
        for name, (title, usual) in puzzles.items():
            spec = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
            answer = (ROOT / "tests" / "golden" / f"{name}.answer").read_text(encoding="utf-8")
            picture = f"{(PICTURES / name).as_posix()}.svg"
            thumbnails.append(f"[![]({picture})<br>{title}](gallery/{family}.md#{make_anchor(title)})")
            sections.append(
                f"## {title}\n\n![{title}, solved](../{picture})\n\n"
                f"`{name}.csp`: lines {count_lines(spec)}, MiniZinc {usual}.\n\n"
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
