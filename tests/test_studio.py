"""The studio's protocol: questions in, messages out, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import render
from csp.picture import matching
from csp.picture.edges import bows, threads
from dsl.cli import main
from dsl.studio.acts import apply_acts
from dsl.studio.page import files
from dsl.studio.protocol import answer
from dsl.studio.questions import LONGEST, PICTURE_ASKS, Malformed, Question
from dsl.studio.sheets import enter_value, params_and_grids

from .browser import unpack_film
from .conftest import ROOT

SHIDOKU = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
CLUES = 'include sudoku.\ngrid clue(9, 9) = "\n' + "\n".join(["." * 9] * 9) + '\n".\n'


def asked(**data: Any) -> dict[str, dict[str, Any]]:
    """The messages of an answer by their kinds; each is plain data with the number of the question."""
    messages = [json.loads(json.dumps(message)) for message in answer(Question.of({"seq": 7, **data}))]
    assert all(message["seq"] == 7 for message in messages) and messages[-1]["kind"] == "done"
    return {message["kind"]: message for message in messages}


@pytest.mark.sampled
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csp"))[::6], ids=lambda path: path.stem)
def test_the_gallery_is_answered(path) -> None:
    told = asked(text=path.read_text(encoding="utf-8"), nodes=5)
    errors = [one for one in told["diagnostics"]["found"] if one["severity"] == "error"]
    assert errors or {"film", "verdict"} <= told.keys()


def test_a_film_is_that_of_the_player_and_a_verdict_that_of_check() -> None:
    told = asked(text=SHIDOKU)
    film = told["film"]["film"]
    trace = csp.record(dsl.loads(SHIDOKU), nodes=150)
    assert [record["kind"] for record in film["records"]][-1] == "solved"
    assert len(film["records"]) == len(trace.records) and film["sources"][""] == SHIDOKU
    assert told["verdict"] == {"seq": 7, "kind": "verdict", "solutions": "one", "message": "one solution"}


def test_a_mistake_has_no_film_and_what_mends_it() -> None:
    told = asked(text="A in 1..4. A == 3.")
    assert told.keys() == {"diagnostics", "sheets", "fixes", "done"}
    assert told["fixes"]["found"][0][0]["edits"] == [{"line": 1, "column": 14, "width": 2, "text": "="}]


def test_no_solution_has_its_lines_and_several_where_they_differ() -> None:
    told = asked(text="A, B in 1..2.\nA != B.\nA = 1.\nB = 1.")["verdict"]
    assert told["solutions"] == "none" and told["minimal"] and [one["line"] for one in told["conflict"]] == [2, 3, 4]
    told = asked(text="A, B in 1..2.\nA != B.\nA = 1.\nB = 1.", acts=["% off 4"])["verdict"]
    assert told["solutions"] == "one"
    told = asked(text="A, B in 1..2. A != B.")["verdict"]
    assert told["solutions"] == "several" and told["differences"] == [["A", 1, 2], ["B", 2, 1]]


def test_two_solutions_are_a_film_of_both() -> None:
    film = asked(ask="both", text="A, B in 1..3. A != B. B != 3. A != 2.")["both"]["film"]
    left = [{v * 3 + value for v in range(2) for value in range(3)} - {*film["start"]}]
    for record in film["records"][1:]:
        left.append(left[-1] - {*record["gone"]} | {*record.get("back", ())})
    both, *two = [[film["values"][code % 3] for code in sorted(state)] for state in left]
    assert set(map(tuple, two)) < {("1", "2"), ("3", "1"), ("3", "2")} and both == sorted(
        {*two[0][:1], *two[1][:1]}
    ) + (sorted({*two[0][1:], *two[1][1:]}))
    assert asked(ask="both", text="A in 1..2. A = 1.")["refused"]["message"] == "no two solutions are known"


def test_what_ends_at_the_limit_is_not_cut_off() -> None:
    text = "A, B in 1..2. A != B."
    assert [asked(text=text, nodes=nodes)["film"]["cut"] for nodes in (0, 1)] == [False, False]
    film = asked(text="include langford. param n = 7.", nodes=1)["film"]
    assert film["cut"] and film["film"]["note"] == "cut off after 1 decisions"


def test_a_film_of_too_many_events_is_cut_off(limits: Any) -> None:
    text = "include langford. param n = 7."
    whole = asked(text=text, nodes=20)["film"]["film"]["records"]
    limits("dsl.studio.acts", EVENTS=2, FEW=1)
    film = asked(text=text, nodes=20)["film"]
    assert film["cut"] and film["film"]["records"] == whole[: len(film["film"]["records"])]
    assert 40 <= len(film["film"]["records"]) < len(whole)
    assert film["film"]["note"].startswith("cut off after ") and "20" not in film["film"]["note"]


def test_a_mistake_in_the_spec_that_was_kept_is_told_as_such() -> None:
    told = asked(ask="compare", text="A in 1..2.", against=["kept spec"], kept=["A in 1..2.\nA == 1."])
    assert told["refused"]["message"].startswith("in the kept spec, line 2: ")
    told = asked(ask="compare", text="A in 1..2.\nA == 1.", against=["kept spec"], kept=["A in 1..2."])
    assert "kept" not in told["refused"]["message"]


def test_page_and_server_know_what_is_asked_of_which_engine() -> None:
    script = files()["engine.js"].text
    assert json.loads(script.partition("PLAYS = ")[2].partition(";")[0]) == [*PICTURE_ASKS, "stop"]


def test_acts_are_text() -> None:
    text = "A, B in 1..3.\nA <\n  B. A = 1.\n% end"
    assert apply_acts(text, []) == text
    assert apply_acts(text, ["% off 2", "% nothing", "B = 3."]) == "A, B in 1..3.\n   \n     A = 1.\n% end\nB = 3.\n"
    assert apply_acts('"two":\n  A =\n  B. A = 1.\nB = 1.', ["% off 2"]) == "      \n     \n     A = 1.\nB = 1."
    told = asked(text=SHIDOKU, acts=['"what if": A = 1.'])
    assert told["verdict"]["solutions"] == "none"
    assert "what if" in json.dumps(told["verdict"]["conflict"])


def test_acts_are_replayed_by_the_command(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text("A, B in 1..3.\nA < B.\n", encoding="utf-8")
    acts.write_text("% off 2\nA = 3.\n", encoding="utf-8")
    run = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts)])
    assert run.exit_code == 0 and "A = 3" in run.stdout and "A < B" not in run.stdout
    again = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts)])
    assert again.stdout == run.stdout


def test_the_order_of_the_queue_and_a_branch_are_acts() -> None:
    """The last that was chosen comes first; the fixpoint is the same."""
    free = asked(text=SHIDOKU, level="arc")["film"]["film"]
    film = asked(text=SHIDOKU, level="arc", acts=["% next K", "% next N"])["film"]["film"]
    heads = [[one["cause"] for one in own["records"] if one["kind"] == "fixed"][:4] for own in (free, film)]
    names = [one["name"] for one in film["vertices"]]
    assert [[names[one] for [one] in own] for own in heads] == [["C", "C", "C", "F"], ["N", "N", "N", "K"]]
    assert film["note"] == "Another order: 12 steps, as many as without, and the same is left."
    text = "A, B, C in 1..3. all_different([A, B, C]). A < C. B != 1."
    told = asked(text=text, acts=["% branch C = 3", "% branch B = 3"])
    decided = [one["text"] for one in told["film"]["film"]["records"] if one["kind"] == "decision"]
    assert decided[0].startswith("node 1 · C = 3") and told["verdict"]["solutions"] == "several"
    for wrong in ("% next Z", "% branch A = 9", "% branch Z = 1"):
        assert "Z" in (said := asked(text=text, acts=[wrong])["refused"]["message"]) or "A = 9" in said


def test_command_and_page_make_the_same_film_of_acts(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text(SHIDOKU, encoding="utf-8")
    done = ["% next N", "% branch A = 3", "% off 5", "B != 2.", '"what if": A = 3.']
    acts.write_text("\n".join(done), encoding="utf-8")
    film = asked(text=SHIDOKU, name="a.csp", acts=done)["film"]["film"]
    page = CliRunner().invoke(main, ["play", str(spec), "--acts", str(acts), "-o", "-"]).stdout
    assert (shown := unpack_film(page)) == json.loads(render.embedded(film)) and "Another order" in shown["note"]


def test_a_film_of_acts_that_is_cut_off_ends_where_that_of_the_page_ends(tmp_path) -> None:
    spec, acts = tmp_path / "a.csp", tmp_path / "acts.txt"
    spec.write_text("include langford. param n = 7.", encoding="utf-8")
    acts.write_text("", encoding="utf-8")
    cut = ["play", str(spec), "--nodes", "2", "-o", "-"]
    alone, with_acts = (CliRunner().invoke(main, [*cut, *more]).stdout for more in ([], ["--acts", str(acts)]))
    assert "and then its solution" in unpack_film(alone)["note"]
    film = asked(text=spec.read_text(encoding="utf-8"), name="a.csp", nodes=2)["film"]["film"]
    assert unpack_film(with_acts) == json.loads(render.embedded(film)) and film["note"] == "cut off after 2 decisions"


def test_sheets_and_what_is_entered() -> None:
    found = params_and_grids("param n = 4. param big = n + 1. " + CLUES)
    assert [param["name"] for param in found["params"]] == ["n"] and len(found["grids"][0]["rows"]) == 9
    text = enter_value(CLUES, "clue", 2, 3, "7")
    assert text == CLUES.replace(".........\n.........", ".........\n..7......", 1)
    assert enter_value(text, "clue", 2, 3, "") == CLUES
    assert params_and_grids(enter_value(CLUES, "clue", 1, 1, "12"))["grids"][0]["rows"][0][:2] == ["12", ""]
    for wrong in (("clue", 10, 1, "7"), ("none", 1, 1, "7"), ("clue", 1, 1, '"'), ("clue", 1, 1, "a b")):
        assert asked(ask="enter", text=CLUES, name=wrong[0], row=wrong[1], column=wrong[2], word=wrong[3])["refused"]


def test_what_is_pasted_is_a_spec() -> None:
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert csp.verdict(csp.Solver(dsl.loads(asked(ask="paste", word=line)["paste"]["text"]))).solutions == "one"
    assert "hitori" in asked(ask="paste", word="https://puzz.link/p?hitori/1/1/1")["paste"]["text"]
    for nothing in ("what is this?", "https://puzz.link/p?nothing/1/1/1", ""):
        assert asked(ask="paste", word=nothing)["refused"]["message"]


def test_the_other_questions_of_the_page() -> None:
    assert len(asked(ask="techniques", text=SHIDOKU)["techniques"]["steps"]) == 12
    assert asked(ask="hint", text=SHIDOKU)["hint"]["found"] == "step"
    assert asked(ask="candidates", text="A, B in 1..2. A != B.")["candidates"]["counts"] == {
        "A": [["1", 1], ["2", 1]], "B": [["1", 1], ["2", 1]],
    }  # fmt: skip
    assert asked(ask="hint", text="A in")["refused"]["message"]
    assert asked(ask="complete", text="A in 1..2. all_d", line=1, column=17)["complete"]["found"][0]["word"] == (
        "all_different"
    )
    assert asked(ask="hover", text="A in 1..2. A = 1.", line=1, column=1)["hover"]["found"]["says"]
    assert asked(ask="define", text="A in 1..2. A = 1.", line=1, column=12)["define"]["found"]["column"] == 1
    assert len(asked(ask="uses", text="A in 1..2. A = 1.", line=1, column=1)["uses"]["found"]) == 2
    assert len(asked(ask="rename", text="A in 1..2. A = 1.", line=1, column=1, name="B")["rename"]["edits"]) == 2
    assert asked(ask="rename", text="A in 1..2.", line=1, column=1, name="b")["refused"]["message"]
    assert asked(ask="format", text="A in 1 .. 2.")["format"]["text"] == "A in 1..2.\n"
    assert "sudoku" in asked(ask="example")["example"]["names"]
    assert asked(ask="example", name="shidoku")["example"]["text"] == SHIDOKU
    assert asked(ask="example", name="../pyproject")["refused"]["message"]


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
def test_what_is_no_question_is_refused(data: object) -> None:
    with pytest.raises(Malformed):
        Question.of(data)


def test_a_watch_ends_the_work() -> None:
    class Enough(BaseException):
        pass

    def progress(effort: csp.Effort) -> None:
        raise Enough

    with pytest.raises(Enough):
        list(answer(Question(1, ask="candidates", text=CLUES), progress=progress))


def test_the_next_film_of_a_board_has_its_ways_already() -> None:
    """Where lines leave cells, and what a group is drawn as, is worked out once for a board, not once for a film."""
    text = (ROOT / "examples" / "sudoku.csp").read_text(encoding="utf-8")

    def worked() -> list[int]:
        list(answer(Question(1, text=text)))
        return [one.cache_info().misses for one in (bows.between, bows.bow, threads._cached_joins, matching._place_components)]

    before = worked()
    hits = matching._place_components.cache_info().hits
    text += "cell(1,3) = 4.\n"
    *ways, stands = worked()
    assert all(10 * (now - was) < was for now, was in zip(ways, before, strict=False)), "but for a few of the new clue"
    assert matching._place_components.cache_info().hits - hits > stands - before[-1]
