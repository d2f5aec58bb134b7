"""Test worksheets: questions hide their answers, and the key has them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.render.page.worksheet import tasks, worksheet
from csp.trace import Removal, show_why

from ..browser import opened
from ..commands import EXAMPLES, run, spec

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

TRACE = csp.record(dsl.load(EXAMPLES / "shidoku.csp"), "arc")
FROM_STEP = {record.step: record for record in TRACE.records if isinstance(record, Removal)}


def split_page(page: str) -> tuple[list[str], list[str]]:
    """Return the questions and the answers of a page, as HTML."""
    questions, key = page.split('<section class="key"')
    return re.findall(r"<section>.*?</section>", questions, re.S), re.findall(r"<li>.*?</li>", key, re.S)


def visible_text(part: str) -> str:
    return unescape(re.sub("<[^>]*>", " ", re.sub(r"<svg.*?</svg>", "", part, flags=re.S)))


@pytest.mark.parametrize("steps", [None, (5, 12)])
def test_removed_values_are_plain_in_the_question_and_struck_in_the_key(steps: tuple[int, int] | None) -> None:
    before = dict(TRACE.model.domains)
    before |= {csp.Variable(name): (value,) for name, value in zip("CFKN", (4, 2, 1, 3), strict=True)}
    for task in tasks(TRACE, ["removed"], steps):
        assert dict(task.question.domains) == before and not task.question.removed
        removed = {*task.answer.removed}
        assert removed and all(value in before[variable] for variable, value in removed)
        before = {v: tuple(value for value in domain if (v, value) not in removed) for v, domain in before.items()}
        assert dict(task.answer.domains) == before
    assert all(len(domain) == 1 for domain in before.values())
    questions, answers = split_page(worksheet(TRACE, ["removed"], steps))
    assert len(questions) == len(answers) == (8 if steps else 2)
    strike = re.compile('<g fill="none" stroke="#D55E00" stroke-width="1.4">')
    assert not any(map(strike.search, questions)) and all(map(strike.search, answers))
    assert not any(re.search(r"removes|removed:", visible_text(question)) for question in questions)


def test_hidden_removals_have_no_arrows_and_only_edges_of_the_causes_are_black() -> None:
    plan = Plan(TRACE.model, TRACE.origins)
    for task in tasks(TRACE, ["removed"], (5, 12)):
        black_edges = [shape for shape in picture(plan, task.question) if "edge lit" in shape.look]
        assert black_edges and not any("arrow" in shape.look for shape in black_edges)
        assert all({*edge.of} & {*task.answer.causes} for edge in black_edges), task.title
    # On a board without edges, arrows would show the answer.
    sudoku = csp.record(dsl.load(EXAMPLES / "sudoku.csp"), "arc")
    questions, answers = split_page(worksheet(sudoku, ["removed"], (40, 44)))
    arrow = re.compile('<path fill="#D55E00"')  # its head
    assert answers and all(map(arrow.search, answers)) and not any(map(arrow.search, questions))


def test_a_hidden_queue_is_neither_drawn_nor_printed() -> None:
    questions, answers = split_page(worksheet(TRACE, ["queue"], (5, 12)))
    for step, question, answer in zip(range(5, 13), questions, answers, strict=True):
        assert ">*</text>" not in question and "marked afterwards" not in visible_text(question)
        assert f"marked afterwards : {', '.join(FROM_STEP[step].marked)} " in visible_text(answer)
        assert "reason: " in visible_text(question) and show_why(FROM_STEP[step]) in visible_text(question)


def test_a_hidden_reason_is_neither_drawn_nor_printed() -> None:
    questions_with_reasons, _ = split_page(worksheet(TRACE, ["queue"], (5, 12)))
    questions, answers = split_page(worksheet(TRACE, ["reason"], (5, 12)))
    for step, question, answer, question_with_reason in zip(
        range(5, 13), questions, answers, questions_with_reasons, strict=True
    ):
        assert 'fill="#F0E442"' not in question and 'fill="#F0E442"' in question_with_reason
        assert 'stroke-width="4"' not in question and 'stroke-width="4"' in question_with_reason
        assert "line " not in visible_text(question) and show_why(FROM_STEP[step]) in visible_text(answer)


def test_every_hidden_part_has_an_answer() -> None:
    parts = ["removed", "queue", "reason"]
    _, answers = split_page(worksheet(TRACE, parts, (5, 12)))
    assert len(answers) == 8
    for answer in answers:
        assert re.findall("<b>(.*?)</b>", answer) == ["removed", "marked afterwards", "reason"]
        assert not re.search(r"</b>: *</dd>", answer)


def test_a_page_has_no_scripts_and_loads_nothing(tmp_path: Path) -> None:
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
    ("arguments", "message"),
    [
        (["--hide", "reason"], "a round has many reasons: --hide reason needs --steps A..B"),
        (["--hide", "names"], "'names' is not one of 'removed', 'queue', 'reason'"),
        (["--steps", "7..3"], "7..3 is not a range of steps, such as 3..7"),
        (["--steps", "1..4"], "removes more than the givens: choose other --steps, or another --level"),
        (["--steps", "900"], "csp: no step from 900 to 900 removes more than the givens"),
        (["-o", "sheet.pdf"], "sheet.pdf: this command writes .html .htm"),
    ],
)
def test_impossible_worksheets_are_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run("worksheet", EXAMPLES / "shidoku.csp", *arguments)
    assert result.exit_code == 2 and message in result.stderr and not result.stdout


def test_a_spec_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "spec.html"
    path.write_text("x, y in 1..2. x != y. y = 1.")
    result = run("worksheet", path, "-o", path)
    assert result.exit_code == 2 and "is an input file and would be overwritten" in result.stderr
    assert run("worksheet", path, "-o", tmp_path / "sheet.html").stdout == f"{tmp_path / 'sheet.html'}\n"


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["queens", "zebra", "money", "golomb", "states", "kakuro"])
def test_every_kind_of_picture_has_questions_and_answers(name: str) -> None:
    questions, answers = split_page(run("worksheet", EXAMPLES / f"{name}.csp", "--steps", "1..40").stdout)
    assert len(questions) == len(answers) > 2


def test_a_printed_page_has_two_pictures_and_the_key_its_own_page(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "sheet.html"
    for steps, expected in (((5, 12), 5), ((5, 5), 2)):
        path.write_text(worksheet(TRACE, ["removed"], steps), "utf-8")
        with opened(browser, path) as page:
            assert [int(number) for number in re.findall(rb"/Count (\d+)", page.pdf(prefer_css_page_size=True))] == [
                expected
            ]
