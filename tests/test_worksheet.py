"""Worksheets: what is left out cannot be read off the page, and the key has all of it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.render.page.worksheet import tasks, worksheet
from csp.trace import Removal, show_why

from .browser import opened
from .commands import EXAMPLES, run, spec

TRACE = csp.record(dsl.load(EXAMPLES / "shidoku.csp"), "arc")
FROM_STEP = {record.step: record for record in TRACE.records if isinstance(record, Removal)}


def parts(page: str) -> tuple[list[str], list[str]]:
    """The questions of a page, and its answers, as they are written."""
    asked, key = page.split('<section class="key"')
    return re.findall(r"<section>.*?</section>", asked, re.S), re.findall(r"<li>.*?</li>", key, re.S)


def words(part: str) -> str:
    return unescape(re.sub("<[^>]*>", " ", re.sub(r"<svg.*?</svg>", "", part, flags=re.S)))


@pytest.mark.parametrize("steps", [None, (5, 12)])
def test_what_goes_is_whole_in_the_question_and_struck_in_the_key(steps: tuple[int, int] | None) -> None:
    before = dict(TRACE.model.domains)
    before |= {csp.Variable(name): (value,) for name, value in zip("CFKN", (4, 2, 1, 3), strict=True)}
    for task in tasks(TRACE, ["removed"], steps):
        assert dict(task.question.domains) == before and not task.question.removed
        gone = {*task.answer.removed}
        assert gone and all(value in before[variable] for variable, value in gone)
        before = {v: tuple(value for value in domain if (v, value) not in gone) for v, domain in before.items()}
        assert dict(task.answer.domains) == before
    assert all(len(domain) == 1 for domain in before.values())
    questions, answers = parts(worksheet(TRACE, ["removed"], steps))
    assert len(questions) == len(answers) == (8 if steps else 2)
    strike = re.compile('<g fill="none" stroke="#D55E00" stroke-width="1.4">')
    assert not any(map(strike.search, questions)) and all(map(strike.search, answers))
    assert not any(re.search(r"removes|removed:", words(question)) for question in questions)


def test_the_queue_is_neither_drawn_nor_told() -> None:
    questions, answers = parts(worksheet(TRACE, ["queue"], (5, 12)))
    for step, question, answer in zip(range(5, 13), questions, answers, strict=True):
        assert ">*</text>" not in question and "marked afterwards" not in words(question)
        assert f"marked afterwards : {', '.join(FROM_STEP[step].marked)} " in words(answer)
        assert "because: " in words(question) and show_why(FROM_STEP[step]) in words(question)


def test_the_reason_is_neither_drawn_nor_told() -> None:
    whole, _ = parts(worksheet(TRACE, ["queue"], (5, 12)))
    questions, answers = parts(worksheet(TRACE, ["reason"], (5, 12)))
    for step, question, answer, shown in zip(range(5, 13), questions, answers, whole, strict=True):
        assert 'fill="#F0E442"' not in question and 'fill="#F0E442"' in shown
        assert 'stroke-width="4"' not in question and 'stroke-width="4"' in shown
        assert "line " not in words(question) and show_why(FROM_STEP[step]) in words(answer)


def test_every_hole_has_an_answer() -> None:
    holes = ["removed", "queue", "reason"]
    _, answers = parts(worksheet(TRACE, holes, (5, 12)))
    assert len(answers) == 8
    for answer in answers:
        assert re.findall("<b>(.*?)</b>", answer) == ["removed", "marked afterwards", "because"]
        assert not re.search(r"</b>: *</dd>", answer)


def test_a_page_alone_without_scripts(tmp_path: Path) -> None:
    path = spec(tmp_path, '"</h2><script>alert(1)</script>": x != y. x, y in 1..2. y = 1.')
    for page in (
        run("worksheet", path, "--steps", "1..9").stdout,
        run("worksheet", EXAMPLES / "killer.csp", "--steps", "30..40").stdout,
    ):
        assert (
            "<script" not in page and "Key" in page and not re.search(r'(?:src|href)="(?!data:,")|@import|url\(', page)
        )
        assert {*re.findall(r"https?://[^\"' ]+", page)} == {"http://www.w3.org/2000/svg"}
        assert "default-src 'none'" in page


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--hide", "reason"], "a round has many reasons: --hide reason asks for those of --steps A..B"),
        (["--hide", "names"], "'names' is not one of 'removed', 'queue', 'reason'"),
        (["--steps", "7..3"], "7..3 is no range of steps, such as 3..7"),
        (["--steps", "1..4"], "removes more than what is given: choose other --steps, or another --level"),
        (["--steps", "900"], "csp: no step from 900 to 900 removes more than what is given"),
        (["-o", "sheet.pdf"], "sheet.pdf: this command writes .html .htm"),
    ],
)
def test_what_cannot_be_asked_for(arguments: list[str], told: str, tmp_path: Path) -> None:
    result = run("worksheet", EXAMPLES / "shidoku.csp", *arguments)
    assert result.exit_code == 2 and told in result.stderr and not result.stdout


def test_a_spec_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "spec.html"
    path.write_text("x, y in 1..2. x != y. y = 1.")
    result = run("worksheet", path, "-o", path)
    assert result.exit_code == 2 and "is read here and would be lost" in result.stderr
    assert run("worksheet", path, "-o", tmp_path / "sheet.html").stdout == f"{tmp_path / 'sheet.html'}\n"


@pytest.mark.parametrize("name", ["queens", "zebra", "money", "golomb", "states", "kakuro"])
def test_every_kind_of_picture(name: str) -> None:
    questions, answers = parts(run("worksheet", EXAMPLES / f"{name}.csp", "--steps", "1..40").stdout)
    assert len(questions) == len(answers) > 2


def test_two_pictures_a_page_and_the_key_on_its_own(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "sheet.html"
    for steps, wanted in (((5, 12), 5), ((5, 5), 2)):
        path.write_text(worksheet(TRACE, ["removed"], steps), "utf-8")
        with opened(browser, path) as shown:
            assert [int(one) for one in re.findall(rb"/Count (\d+)", shown.pdf(prefer_css_page_size=True))] == [wanted]
