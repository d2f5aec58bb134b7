"""Test the protocol of the studio without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import render
from csp.picture import edges, matching
from dsl.cli import main
from dsl.studio.acts import apply_acts
from dsl.studio.page import files
from dsl.studio.protocol import answer
from dsl.studio.questions import LONGEST, PICTURE_ASKS, Malformed, Question
from dsl.studio.sheets import enter_value, params_and_grids

from ..browser import unpack_film
from ..conftest import ROOT

SHIDOKU = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
CLUES = 'include sudoku.\ngrid clue(9, 9) = "\n' + "\n".join(["." * 9] * 9) + '\n".\n'


def send(**data: Any) -> dict[str, dict[str, Any]]:
    """Return the messages of an answer by kind, as plain JSON data."""
    messages = [json.loads(json.dumps(message)) for message in answer(Question.of({"seq": 7, **data}))]
    assert all(message["seq"] == 7 for message in messages) and messages[-1]["kind"] == "done"
    return {message["kind"]: message for message in messages}


@pytest.mark.sampled
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csp"))[::6], ids=lambda path: path.stem)
def test_every_example_gets_a_film_and_a_verdict_or_an_error(path) -> None:
    messages = send(text=path.read_text(encoding="utf-8"), nodes=5)
    errors = [diagnostic for diagnostic in messages["diagnostics"]["diagnostics"] if diagnostic["severity"] == "error"]
    assert errors or {"film", "verdict"} <= messages.keys()


def test_the_studio_shows_the_film_of_play_and_the_verdict_of_check() -> None:
    messages = send(text=SHIDOKU)
    film = messages["film"]["film"]
    trace = csp.record(dsl.loads(SHIDOKU), nodes=150)
    assert [record["kind"] for record in film["records"]][-1] == "solved"
    assert len(film["records"]) == len(trace.records) and film["sources"][""] == SHIDOKU
    assert messages["verdict"] == {"seq": 7, "kind": "verdict", "solutions": "one", "message": "one solution"}


def test_an_error_gets_a_fix_and_no_film() -> None:
    messages = send(text="A in 1..4. A == 3.")
    assert messages.keys() == {"diagnostics", "sheets", "fixes", "done"}
    assert messages["fixes"]["fixes"][0][0]["edits"] == [{"line": 1, "column": 14, "width": 2, "text": "="}]


def test_a_verdict_shows_the_lines_in_conflict_or_where_solutions_differ() -> None:
    verdict = send(text="A, B in 1..2.\nA != B.\nA = 1.\nB = 1.")["verdict"]
    assert (
        verdict["solutions"] == "none"
        and verdict["minimal"]
        and [clause["line"] for clause in verdict["conflict"]] == [2, 3, 4]
    )
    verdict = send(text="A, B in 1..2.\nA != B.\nA = 1.\nB = 1.", acts=["% off 4"])["verdict"]
    assert verdict["solutions"] == "one"
    verdict = send(text="A, B in 1..2. A != B.")["verdict"]
    assert verdict["solutions"] == "several" and verdict["differences"] == [["A", 1, 2], ["B", 2, 1]]


def test_a_film_of_both_solutions_ends_in_each_of_them() -> None:
    film = send(ask="both", text="A, B in 1..3. A != B. B != 3. A != 2.")["both"]["film"]
    remaining = [{v * 3 + value for v in range(2) for value in range(3)} - {*film["start"]}]
    for record in film["records"][1:]:
        remaining.append(remaining[-1] - {*record["gone"]} | {*record.get("back", ())})
    both, *single = [[film["values"][code % 3] for code in sorted(codes)] for codes in remaining]
    assert set(map(tuple, single)) < {("1", "2"), ("3", "1"), ("3", "2")} and both == sorted(
        {*single[0][:1], *single[1][:1]}
    ) + (sorted({*single[0][1:], *single[1][1:]}))
    assert send(ask="both", text="A in 1..2. A = 1.")["refused"]["message"] == "no two solutions are known"


def test_a_search_that_ends_at_the_limit_is_not_cut_off() -> None:
    text = "A, B in 1..2. A != B."
    assert [send(text=text, nodes=nodes)["film"]["cut"] for nodes in (0, 1)] == [False, False]
    film = send(text="include langford. param n = 7.", nodes=1)["film"]
    assert film["cut"] and film["film"]["note"] == "cut off after 1 decisions"


def test_a_film_of_too_many_events_is_cut_off(limits: Any) -> None:
    text = "include langford. param n = 7."
    complete = send(text=text, nodes=20)["film"]["film"]["records"]
    limits("dsl.studio.acts", EVENTS=2, FEW=1)
    film = send(text=text, nodes=20)["film"]
    assert film["cut"] and film["film"]["records"] == complete[: len(film["film"]["records"])]
    assert 40 <= len(film["film"]["records"]) < len(complete)
    assert film["film"]["note"].startswith("cut off after ") and "20" not in film["film"]["note"]


def test_an_error_in_the_kept_spec_names_the_kept_spec() -> None:
    messages = send(ask="compare", text="A in 1..2.", against=["kept spec"], kept=["A in 1..2.\nA == 1."])
    assert messages["refused"]["message"].startswith("in the kept spec, line 2: ")
    messages = send(ask="compare", text="A in 1..2.\nA == 1.", against=["kept spec"], kept=["A in 1..2."])
    assert "kept" not in messages["refused"]["message"]


def test_page_and_server_agree_on_the_questions_of_the_picture_engine() -> None:
    script = files()["engine.js"].text
    assert json.loads(script.partition("PICTURE_QUESTIONS = ")[2].partition(";")[0]) == [*PICTURE_ASKS, "stop"]


def test_acts_change_the_text_of_the_spec() -> None:
    text = "A, B in 1..3.\nA <\n  B. A = 1.\n% end"
    assert apply_acts(text, []) == text
    assert apply_acts(text, ["% off 2", "% nothing", "B = 3."]) == "A, B in 1..3.\n   \n     A = 1.\n% end\nB = 3.\n"
    assert apply_acts('"two":\n  A =\n  B. A = 1.\nB = 1.', ["% off 2"]) == "      \n     \n     A = 1.\nB = 1."
    messages = send(text=SHIDOKU, acts=['"what if": A = 1.'])
    assert messages["verdict"]["solutions"] == "none"
    assert "what if" in json.dumps(messages["verdict"]["conflict"])


def test_the_command_replays_a_file_of_acts(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text("A, B in 1..3.\nA < B.\n", encoding="utf-8")
    acts.write_text("% off 2\nA = 3.\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts)])
    assert result.exit_code == 0 and "A = 3" in result.stdout and "A < B" not in result.stdout
    second = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts)])
    assert second.stdout == result.stdout


def test_acts_choose_the_order_of_the_queue_and_a_branch() -> None:
    """Check that the last choice comes first and the fixpoint is equal."""
    plain = send(text=SHIDOKU, level="arc")["film"]["film"]
    film = send(text=SHIDOKU, level="arc", acts=["% next K", "% next N"])["film"]["film"]
    causes = [
        [record["cause"] for record in data["records"] if record["kind"] == "fixed"][:4] for data in (plain, film)
    ]
    names = [vertex["name"] for vertex in film["vertices"]]
    assert [[names[vertex] for [vertex] in heads] for heads in causes] == [["C", "C", "C", "F"], ["N", "N", "N", "K"]]
    assert film["note"] == "Another order: 12 steps, as many as without, and the same values remain."
    text = "A, B, C in 1..3. all_different([A, B, C]). A < C. B != 1."
    messages = send(text=text, acts=["% branch C = 3", "% branch B = 3"])
    decisions = [record["text"] for record in messages["film"]["film"]["records"] if record["kind"] == "decision"]
    assert decisions[0].startswith("node 1 · try C = 3 at the root") and messages["verdict"]["solutions"] == "several"
    for act in ("% next Z", "% branch A = 9", "% branch Z = 1"):
        assert "Z" in (message := send(text=text, acts=[act])["refused"]["message"]) or "A = 9" in message


def test_command_and_page_make_the_same_film_of_acts(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text(SHIDOKU, encoding="utf-8")
    lines = ["% next N", "% branch A = 3", "% off 5", "B != 2.", '"what if": A = 3.']
    acts.write_text("\n".join(lines), encoding="utf-8")
    film = send(text=SHIDOKU, name="a.csp", acts=lines)["film"]["film"]
    page = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts), "-o", "-"]).stdout
    assert (page_film := unpack_film(page)) == json.loads(render.embedded(film)) and "Another order" in page_film[
        "note"
    ]


def test_command_and_page_cut_off_a_film_of_acts_at_the_same_place(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text("include langford. param n = 7.", encoding="utf-8")
    acts.write_text("", encoding="utf-8")
    command = ["play", str(spec), "--nodes", "2", "-o", "-"]
    plain, with_acts = (
        CliRunner().invoke(main, [*command, *options]).stdout for options in ([], ["--acts", str(acts)])
    )
    assert "followed by its solution" in unpack_film(plain)["note"]
    film = send(text=spec.read_text(encoding="utf-8"), name="a.csp", nodes=2)["film"]["film"]
    assert unpack_film(with_acts) == json.loads(render.embedded(film)) and film["note"] == "cut off after 2 decisions"


def test_a_value_entered_in_a_sheet_changes_the_grid() -> None:
    sheets = params_and_grids("param n = 4. param big = n + 1. " + CLUES)
    assert [param["name"] for param in sheets["params"]] == ["n"] and len(sheets["grids"][0]["rows"]) == 9
    text = enter_value(CLUES, "clue", 2, 3, "7")
    assert text == CLUES.replace(".........\n.........", ".........\n..7......", 1)
    assert enter_value(text, "clue", 2, 3, "") == CLUES
    assert params_and_grids(enter_value(CLUES, "clue", 1, 1, "12"))["grids"][0]["rows"][0][:2] == ["12", ""]
    for entry in (("clue", 10, 1, "7"), ("none", 1, 1, "7"), ("clue", 1, 1, '"'), ("clue", 1, 1, "a b")):
        assert send(ask="enter", text=CLUES, name=entry[0], row=entry[1], column=entry[2], word=entry[3])["refused"]


def test_a_pasted_puzzle_or_link_becomes_a_spec() -> None:
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert csp.verdict(csp.Solver(dsl.loads(send(ask="paste", word=line)["paste"]["text"]))).solutions == "one"
    assert "hitori" in send(ask="paste", word="https://puzz.link/p?hitori/1/1/1")["paste"]["text"]
    for word in ("what is this?", "https://puzz.link/p?nothing/1/1/1", ""):
        assert send(ask="paste", word=word)["refused"]["message"]


def test_the_page_gets_answers_to_its_other_questions() -> None:
    assert send(ask="set", text="A, B in 1..2. A != B.")["candidates"]["counts"] == {
        "A": [["1", 1], ["2", 1]], "B": [["1", 1], ["2", 1]],
    }  # fmt: skip
    assert send(ask="explain", text="A in")["refused"]["message"]
    assert send(ask="complete", text="A in 1..2. all_d", line=1, column=17)["complete"]["completions"][0]["word"] == (
        "all_different"
    )
    assert send(ask="hover", text="A in 1..2. A = 1.", line=1, column=1)["hover"]["description"]["says"]
    assert send(ask="define", text="A in 1..2. A = 1.", line=1, column=12)["define"]["definition"]["column"] == 1
    assert len(send(ask="rename", text="A in 1..2. A = 1.", line=1, column=1, name="B")["rename"]["edits"]) == 2
    assert send(ask="rename", text="A in 1..2.", line=1, column=1, name="b")["refused"]["message"]
    assert send(ask="format", text="A in 1 .. 2.")["format"]["text"] == "A in 1..2.\n"
    assert "sudoku" in send(ask="example")["example"]["names"]
    thumbnail = send(ask="thumbnail", name="queens")["thumbnail"]
    assert thumbnail["picture"].startswith("<svg") and thumbnail["name"] == "queens"
    assert send(ask="thumbnail", name="nothing")["refused"] and send(ask="thumbnail")["refused"]
    assert send(ask="example", name="shidoku")["example"]["text"] == SHIDOKU
    assert send(ask="example", name="../pyproject")["refused"]["message"]


@pytest.mark.parametrize(
    "data",
    [
        None, [], "text", {}, {"seq": "1"}, {"seq": True}, {"seq": 1, "ask": "rm"}, {"seq": 1, "path": "/etc/passwd"},
        {"seq": 1, "text": 3}, {"seq": 1, "acts": "A"}, {"seq": 1, "acts": [3]}, {"seq": 1, "params": {"n": 1.5}},
        {"seq": 1, "params": {"n": 10**30}}, {"seq": 1, "grids": {"g": 3}}, {"seq": 1, "level": "all"},
        {"seq": 1, "nodes": -1}, {"seq": 1, "nodes": 10**9}, {"seq": 1, "line": 0}, {"seq": 1, "column": True},
        {"seq": 1, "text": "A" * (LONGEST + 1)}, {"seq": 1, "acts": ["A."] * 1001},
    ],
    ids=lambda data: str(data)[:40],
)  # fmt: skip
def test_malformed_questions_are_refused(data: object) -> None:
    with pytest.raises(Malformed):
        Question.of(data)


def test_an_exception_of_the_progress_callback_ends_the_work() -> None:
    class Enough(BaseException):
        pass

    def progress(effort: csp.Effort) -> None:
        raise Enough

    with pytest.raises(Enough):
        list(answer(Question(1, ask="set", text=CLUES), progress=progress))


def test_a_second_film_of_a_board_reuses_its_layout() -> None:
    """Check that lines of the board and matchings are computed once; arrows differ with the removals."""
    text = (ROOT / "examples" / "sudoku.csp").read_text(encoding="utf-8")

    def count_misses() -> list[int]:
        list(answer(Question(1, text=text)))
        return [
            function.cache_info().misses
            for function in (edges.between, edges._cached_joins, matching._place_components)
        ]

    before = count_misses()
    hits = matching._place_components.cache_info().hits
    text += "cell(1,3) = 4.\n"
    *misses, matchings = count_misses()
    assert all(2 * (after - earlier) < earlier for after, earlier in zip(misses, before, strict=False)), (
        "the new clue needs only the arrows of its own removals"
    )
    assert matching._place_components.cache_info().hits - hits > matchings - before[-1]


def test_a_hint_names_constraints_of_the_text_and_no_implied_ones() -> None:
    text = (ROOT / "examples" / "killer.csp").read_text(encoding="utf-8")
    hints = [record.get("hints") for record in send(ask="explain", text=text)["explain"]["film"]["records"][:-1]]
    nudge = csp.explain.hint(csp.Solver(dsl.loads(text))).text(1)
    assert hints[0] == [nudge, f"neighbours · {nudge}"] and nudge.startswith("look at box 2,3 (line 33)")
    assert not [where for where, _ in hints if " from " in where], "an implied constraint gives the step away"
