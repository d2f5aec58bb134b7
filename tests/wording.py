"""Measure how plainly a tree is written: names, docstrings, messages and pages.

    python -m tests.wording                     a table of all measures
    python -m tests.wording --list MEASURE      the places that count, worst files first
    python -m tests.wording --json              the table as JSON

The measures are proxies: they find the dialect, they do not prove that a sentence is good. The anchors' values
(lark, networkx, CPMpy, python-constraint) stand beside ours.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import re
from pathlib import Path


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = words("""
    one other others own found left known made told kept whole shown some said every wanted asked there
    here mine its theirs behind beyond more most less rest gone lost near seen
""")
PARTICIPLE = re.compile(
    r"_?([a-z]+ed|told|said|made|found|written|left|shown|known|seen|drawn|given|kept|taken|gone|hidden|spelt|chosen)"
)
NOUN_STARTS = words("""
    The A An What Whether How Where Those Who Whom Whose All Some As Of One That This These In Its Each
    For Every Values Two Candidates Such If Which To From No None Nothing Not At On By With
""")
RIDDLE_STARTS = words("""
    What Such Those Of Who Whom Whose Where That Which
""")
PHRASES = re.compile(
    r"\b(?:is|are|was|were|be|been) (?:told|said|asked|wanted|gone)\b|\btells?\b|\btold\b|\bwhoever\b"
    r"|\bnobody\b|\bsomebody\b|\beverybody\b|\bso (?:many|much)\b|\b(?:is|are|was|were) no\b|\bas good\b"
    r"|\balike\b|\banew\b|\bbut for\b"
    r"|\bwhat (?:is|are|was|has|have|stands|goes|comes|makes|follows|they|it|a|an|the)\b|\bof which\b"
    r"|\bin which\b|\bto be (?:told|said|asked)\b"
    r"|\bstands? (?:for|in|beside|before|behind|where|at|alone|there|here|below|above|on|as|by|side)\b"
    r"|\bgoes (?:on|with|away)\b|\bthere (?:is|are) none\b|\bis none\b|\blet go\b|\bby itself\b|\bin the end\b"
    r"|\btaken away\b|\bleft away\b|\bhas its turn\b|\bbesides\b|\banyhow\b|\bby chance\b|\bwithout a word\b"
    r"|\bthose (?:of|that|who)\b|\bthe same (?:of|with|as)\b",
    re.IGNORECASE,
)
MESSAGES = "messages and constants' notes with the dialect"
COMMENTS = "comment lines above code, per 1,000 lines"
ANCHORS = {
    "pronoun names, %": "0.3 to 1.3",
    "participle functions, %": "0 to 2.8",
    "function docstrings without a verb first, %": "0 to 10",
    "docstrings that begin with a riddle (What, Such, Of ...), %": "0 to 1",
}


def python_files(root: Path) -> list[Path]:
    return [path for part in ("csp", "dsl") for path in sorted((root / part).rglob("*.py"))]


def pages(root: Path) -> list[Path]:
    found = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [path for path in found if path.exists() and "gallery" not in str(path.relative_to(root))]


def prose(path: Path) -> list[tuple[int, str]]:
    """The lines of a page without code and generated parts, each with its number."""
    lines, fenced = [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("<!-- generated: "):
            break
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            lines.append((number, re.sub(r"`[^`]*`", "`code`", line)))
    return lines


class Measures:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.total: collections.Counter[str] = collections.Counter()
        self.places: dict[str, list[tuple[str, int, str]]] = collections.defaultdict(list)
        for path in python_files(root):
            self.python(path)
        for path in pages(root):
            self.page(path)

    def hit(self, measure: str, path: Path, line: int, text: str) -> None:
        self.places[measure].append((str(path.relative_to(self.root)), line, " ".join(text.split())[:150]))

    def python(self, path: Path) -> None:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        self.total["comment lines"] += sum(1 for line in source.splitlines() if line.lstrip().startswith("#"))
        self.total["lines"] += source.count("\n")
        docstrings = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.name(path, node.lineno, node.id)
            elif isinstance(node, ast.arg):
                self.name(path, node.lineno, node.arg)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
                    docstrings.add(id(node.body[0].value))
                if text := ast.get_docstring(node):
                    self.docstring(path, node, text)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                decorators = [ast.unparse(one) for one in node.decorator_list]
                if not node.name.startswith("__") and not any("property" in one for one in decorators):
                    self.total["functions"] += 1
                    if PARTICIPLE.fullmatch(node.name):
                        self.hit("participle functions, %", path, node.lineno, node.name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                self.message(path, node.lineno, node.value)

    def message(self, path: Path, line: int, text: str) -> None:
        if len(text.split()) >= 3 and re.search(r"[a-z] [a-z]", text):
            self.total["messages"] += 1
            if found := PHRASES.search(re.sub(r"`[^`]*`", "", text)):
                self.hit(MESSAGES, path, line, f"[{found[0]}] {text}")

    def name(self, path: Path, line: int, name: str) -> None:
        self.total["bindings"] += 1
        if name in PRONOUNS:
            self.hit("pronoun names, %", path, line, name)

    def docstring(self, path: Path, node: ast.AST, text: str) -> None:
        line = getattr(node, "lineno", 1)
        first = text.split("\n\n")[0]
        words = first.split()
        start = re.sub(r"\W", "", words[0]) if words else ""
        self.total["docstrings"] += 1
        if start in RIDDLE_STARTS:
            self.hit("docstrings that begin with a riddle (What, Such, Of ...), %", path, line, first)
        if len(words) > 15:
            self.hit("docstrings' first sentence over 15 words, %", path, line, first)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_property = any("property" in ast.unparse(one) for one in node.decorator_list)
            if not is_property:
                self.total["function docstrings"] += 1
                if start in NOUN_STARTS or start.endswith("ed"):
                    self.hit("function docstrings without a verb first, %", path, line, first)
        if found := PHRASES.search(re.sub(r"`[^`]*`", "", text.split("Examples\n")[0])):
            self.hit("docstrings with the dialect, %", path, line, f"[{found[0]}] {first}")

    def page(self, path: Path) -> None:
        lines = prose(path)
        text = "\n".join(line for _, line in lines)
        self.total["words"] += len(text.split())
        for number, line in lines:
            for found in PHRASES.finditer(line):
                self.hit("dialect in pages, per 1,000 words", path, number, f"[{found[0]}] {line}")
        for block in re.split(r"\n\s*\n|\n(?=[-*|#\d])", text):
            for sentence in re.split(r"(?<=[.!?:;])\s+|\|", block):
                if len(sentence.split()) > 30:
                    self.hit("sentences over 30 words in pages", path, 0, sentence)

    def table(self) -> dict[str, float]:
        count = {name: len(found) for name, found in self.places.items()}
        share = {
            "pronoun names, %": "bindings",
            "participle functions, %": "functions",
            "function docstrings without a verb first, %": "function docstrings",
            "docstrings that begin with a riddle (What, Such, Of ...), %": "docstrings",
            "docstrings' first sentence over 15 words, %": "docstrings",
            "docstrings with the dialect, %": "docstrings",
        }
        table = {name: round(100 * count.get(name, 0) / max(1, self.total[whole]), 1) for name, whole in share.items()}
        table[MESSAGES] = count.get(MESSAGES, 0)
        per = 1000 * count.get("dialect in pages, per 1,000 words", 0) / max(1, self.total["words"])
        table["dialect in pages, per 1,000 words"] = round(per, 1)
        table["sentences over 30 words in pages"] = count.get("sentences over 30 words in pages", 0)
        table["words in pages (gallery apart)"] = self.total["words"]
        table[COMMENTS] = round(1000 * self.total["comment lines"] / max(1, self.total["lines"]), 1)
        return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".", type=Path)
    parser.add_argument("--list", metavar="MEASURE", help="part of a measure's name")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measures = Measures(options.root)
    if options.list:
        for name, places in measures.places.items():
            if options.list in name:
                files = collections.Counter(path for path, _, _ in places)
                for path, line, text in sorted(places, key=lambda place: (-files[place[0]], place)):
                    print(f"{path}:{line}: {text}")
    elif options.json:
        print(json.dumps(measures.table()))
    else:
        for name, value in measures.table().items():
            beside = f"   anchors {ANCHORS[name]}" if name in ANCHORS else ""
            print(f"{value:>10}  {name}{beside}")


if __name__ == "__main__":
    main()
