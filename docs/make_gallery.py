"""Write docs/gallery.md and its pictures from examples/ and their golden answers, and the pictures of the cookbook.

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

GALLERY = {  # title, and the lines that a model has in MiniZinc's usual style, its data not counted
    "shidoku": ("The article's 4x4", 22),
    "sudoku": ("Sudoku", 22),
    "sudoku_x": ("Diagonal sudoku", 26),
    "windoku": ("Hyper sudoku", 26),
    "jigsaw": ("Jigsaw sudoku", 24),
    "evenodd": ("Even-odd sudoku", 30),
    "samurai": ("Samurai, and all other sudokus that overlap", 34),
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
    "chaos_construction": ("Chaos construction", 45),
    "miracle": ("Miracle sudoku", 36),
    "doublers": ("Doublers", 45),
    "schroedinger": ("Schroedinger cells", 50),
    "star": ("A six-pointed star", 11),
    "killer": ("Killer sudoku", 29),
    "kenken": ("KenKen", 70),
    "kakuro": ("Kakuro", 36),
    "futoshiki": ("Futoshiki", 31),
    "futoshiki_adjacent": ("Futoshiki with neighbours marked", 36),
    "skyscrapers": ("Skyscrapers", 75),
    "tents": ("Tents", 40),
    "dominosa": ("Dominosa", 40),
    "suguru": ("Suguru", 28),
    "tenner": ("Tenner grid", 26),
    "hitori": ("Hitori", 40),
    "nonogram": ("Nonogram", 45),
    "aquarium": ("Aquarium", 35),
    "battleships": ("Battleships", 70),
    "slitherlink": ("Slitherlink", 45),
    "lither": ("Lithersink", 55),
    "nurikabe": ("Nurikabe", 60),
    "yin_yang": ("Yin-yang", 40),
    "heyawake": ("Heyawake", 50),
    "kurodoko": ("Kurodoko", 50),
    "yajikazu": ("Yajisan-kazusan", 50),
    "creek": ("Creek", 40),
    "nurimisaki": ("Nurimisaki", 60),
    "aqre": ("Aqre", 45),
    "chocona": ("Chocona", 25),
    "paintarea": ("Paintarea", 45),
    "norinori": ("Norinori", 25),
    "lits": ("LITS", 80),
    "nanro": ("Nanro", 60),
    "star_battle": ("Star battle", 30),
    "akari": ("Akari", 50),
    "masyu": ("Masyu", 70),
    "yajilin": ("Yajilin", 65),
    "simple_loop": ("Simple loop", 45),
    "country_road": ("Country road", 60),
    "moon_or_sun": ("Moon or sun", 65),
    "double_back": ("Double back", 50),
    "detour": ("Detour", 50),
    "hashi": ("Hashiwokakero", 60),
    "shikaku": ("Shikaku", 45),
    "sashigane": ("Sashigane", 60),
    "canal_view": ("Canal view", 50),
    "castle_wall": ("Castle wall", 70),
    "cocktail": ("Cocktail lamp", 60),
    "context": ("Context", 40),
    "dotchi": ("Dotchi loop", 60),
    "dotchi2": ("Dotchi dotchi loop", 65),
    "geradeweg": ("Geradeweg", 75),
    "hanare": ("Hanare-gumi", 40),
    "heyablock": ("Heyablock", 60),
    "midloop": ("Mid-loop", 75),
    "mochikoro": ("Mochikoro", 60),
    "mochinyoro": ("Mochinyoro", 70),
    "nawabari": ("Nawabari", 45),
    "lookair": ("Look-air", 70),
    "shimaguni": ("Shimaguni", 45),
    "smullyan": ("Smullyanic dynasty", 40),
    "squarejam": ("Square jam", 50),
    "stostone": ("Stostone", 60),
    "usoone": ("Uso-one", 45),
    "yajilin_regions": ("Regional yajilin", 65),
    "balance": ("Balance loop", 75),
    "putteria": ("Putteria", 35),
    "view": ("View", 55),
    "toichika2": ("Toichika 2", 60),
    "kropki": ("Kropki", 40),
    "norinuri": ("Norinuri", 60),
    "nuribou": ("Nuribou", 80),
    "sukororoom": ("Sukoro room", 50),
    "snake": ("Snake", 55),
    "numberlink": ("Numberlink", 70),
    "tasquare": ("Tasquare", 70),
    "fillmat": ("Fillmat", 55),
    "juosan": ("Juosan", 25),
    "mannequin": ("Mannequin gate", 50),
    "nothree": ("No three", 45),
    "tapa": ("Tapa", 55),
    "statue_park": ("Statue park", 70),
    "tetrochain": ("Tetro chain", 75),
    "kurotto": ("Kurotto", 55),
    "island": ("Inaba's island", 60),
    "nuriuzu": ("Nuri-uzu", 60),
    "tentaisho": ("Tentaisho", 50),
    "fillomino": ("Fillomino", 50),
    "fourcells": ("Fourcells", 60),
    "fivecells": ("Fivecells", 60),
    "usotatami": ("Uso-tatami", 50),
    "gokigen": ("Gokigen", 50),
    "shakashaka": ("Shakashaka", 65),
    "cojun": ("Cojun", 30),
    "hakyuu": ("Ripple effect", 30),
    "meander": ("Meandering numbers", 35),
    "renban_madoguchi": ("Renban-madoguchi", 45),
    "factors": ("Rooms of factors", 25),
    "sukoro": ("Sukoro", 50),
    "numbrix": ("Numbrix", 20),
    "sujiko": ("Sujiko", 14),
    "mathrax": ("Mathrax", 50),
    "doppelblock": ("Doppelblock", 50),
    "abc_end_view": ("ABC end view", 50),
    "japanese_sums": ("Japanese sums", 50),
    "hidoku": ("Hidoku", 20),
    "binairo": ("Binairo", 40),
    "survo": ("Survo", 20),
    "str8ts": ("Str8ts", 60),
    "knights_tour": ("A knight's tour", 20),
    "latin": ("Latin squares", 16),
    "quasigroup": ("Quasigroup completion", 20),
    "qg": ("QG3 to QG7", 35),
    "graeco_latin": ("Graeco-Latin square", 30),
    "magic_square": ("Magic square", 22),
    "magic_hexagon": ("The magic hexagon", 30),
    "queens": ("Queens", 14),
    "blocked_queens": ("Blocked queens", 16),
    "australia": ("Map colouring: Australia", 12),
    "states": ("Map colouring: the United States", 14),
    "coloring": ("Graph colouring", 12),
    "money": ("SEND + MORE = MONEY", 14),
    "alphametic": ("Alphametics", 32),
    "word_square": ("Word square", 25),
    "zebra": ("The zebra puzzle", 40),
    "knaves": ("Knights and knaves", 20),
    "seating": ("Seating", 24),
    "langford": ("Langford's problem", 20),
    "steiner": ("Steiner triples", 20),
    "golfers": ("Social golfers", 30),
    "orthogonal_array": ("Orthogonal arrays", 25),
    "round_robin": ("Round robin", 35),
    "all_interval": ("All-interval series", 20),
    "costas": ("Costas arrays", 28),
    "golomb": ("Golomb ruler", 18),
    "assignment": ("Assignment", 18),
    "salesman": ("Travelling salesman", 30),
    "exam_timetable": ("Exam timetable", 30),
    "squared_rectangle": ("Squared rectangle", 30),
}

INTRODUCTION = """\
# The gallery

Every puzzle here is a file in `examples/` that runs as it stands: `csp solve examples/killer.csp`. Its rules and its
data stand apart, and [`csp import`](import.md) puts other people's puzzles into it. In the pictures black
numbers are given, blue ones found. This page and its pictures are made by `python docs/make_gallery.py`.

A spec is compared with a model in MiniZinc's usual style: lines that are neither blank nor comment nor data. Those of
MiniZinc were counted in published models where we had one at hand (killer, kenken, kakuro, futoshiki, skyscrapers,
costas, all-interval: those of Håkan Kjellerstrand), and are otherwise our estimate. What several genres share, such as
one loop or no pool, is a spec of its own in `examples/rules`, to be included and not to be solved; its lines are not
counted here. Two specs are more than half as
long: the article's 4x4 names each of its groups, and the star is small enough that MiniZinc would list its lines too.
"""


def lines(text: str) -> int:
    """The lines of a spec that are neither blank nor comment nor data, nor say what is printed or drawn."""
    text = re.sub(r"^(?:show|draw) [^%]*?\.$", "", text, flags=re.MULTILINE)
    rules = re.sub(r'^grid \w+(\(.*\))? = "[^"]*"\.', "", text, flags=re.MULTILINE)
    data = re.compile(r"\s*(%.*)?|([a-z]\w*\([a-z0-9_, ]*\)\.\s*)+")
    return sum(not data.fullmatch(line) for line in rules.splitlines())


def page() -> str:
    """The text of docs/gallery.md."""
    rows = ["| puzzle | spec | lines | MiniZinc |", "|---|---|---|---|"]
    sections = []
    for name, (title, usual) in GALLERY.items():
        spec = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
        answer = (ROOT / "tests" / "golden" / f"{name}.answer").read_text(encoding="utf-8")
        anchor = re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
        rows.append(f"| [{title}](#{anchor}) | `examples/{name}.csp` | {lines(spec)} | {usual} |")
        picture = f"![{title}, solved]({(PICTURES / name).as_posix()}.svg)"
        sections.append(f"## {title}\n\n{picture}\n\n```prolog\n{spec}```\n\n```text\n{answer}```\n")
    return "\n".join([INTRODUCTION, *rows, "", *sections])


def cookbook() -> dict[str, str]:
    """The specs of the cookbook by their names."""
    text = (DOCS / "cookbook.md").read_text(encoding="utf-8")
    return dict(re.findall(r"```prolog\n% (\w+)\.csp\n(.*?)```", text, re.DOTALL))


def draw(spec: str) -> str:
    """The picture of a solved puzzle; a grid that the spec leaves open is blank."""
    model = dsl.loads(spec, grids=dict.fromkeys(re.findall(r"^grid (\w+)\([^=]*\)\.", spec, re.MULTILINE), ""))
    return solution_svg(model, csp.solve(model) or csp.Solution({}))


def pictures() -> dict[Path, str]:
    """The spec of every picture, by the picture's path from docs/."""
    specs = {name: (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8") for name in GALLERY}
    own = {PICTURES / f"{name}.svg": spec for name, spec in specs.items()}
    return own | {COOKBOOK / f"{name}.svg": spec for name, spec in cookbook().items()}


def main() -> None:
    files = {Path("gallery.md"): page(), **{path: draw(spec) for path, spec in pictures().items()}}
    for path, text in files.items():
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
