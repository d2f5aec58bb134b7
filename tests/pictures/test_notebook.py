"""The display of results in notebooks, and the tour notebook."""

from __future__ import annotations

import ast
import base64
import io
import json
import re
from contextlib import redirect_stdout
from html import escape, unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import csp
from csp import Solution
from csp.base.errors import DrawingError
from csp.board.answer import answer_text
from csp.model.network import network
from csp.render import notebook, player
from csp.render.dot import drawing
from csp.render.notebook import MAX_PICTURES

from ..browser import opened
from ..conftest import ROOT
from .test_render import example

SVG = "{http://www.w3.org/2000/svg}"


def test_models_and_networks_are_displayed_as_pictures() -> None:
    model = example("australia")
    for picture, groups in ((model._repr_svg_(), 0), (network(model)._repr_svg_(), len(model.constraints))):
        assert picture is not None
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg" and root.get("role") == "img" and "7 variables" in str(root.get("aria-label"))
        texts = [text.text or "" for text in root.iter(f"{SVG}text")]
        assert all({v, v.indices[0]} & {*texts} for v in model.domains), "a map has short names"
        assert (
            len(
                [
                    text
                    for text in texts
                    if re.search(" and |…$", text) and "differ" not in text and text[0].islower() and len(text) < 11
                ]
            )
            == groups
        )
        assert "<script" not in picture


def test_a_subgraph_of_a_network_is_displayed_as_a_picture() -> None:
    full_network = network(example("australia"))
    part = full_network.subgraph([node for node in full_network if node != "color(sa)"])
    assert part._repr_svg_() and "color(sa)" not in part._repr_svg_()


def vertex_places(svg: str) -> dict[str, tuple[str, str]]:
    """Return the places of the names of the states of Australia in a picture."""
    return {name: (x, y) for x, y, name in re.findall(r'x="([^"]*)" y="([^"]*)">(wa|nt|sa|q|nsw|v|t)<', svg)}


def test_a_network_and_its_subgraphs_have_the_places_of_their_model() -> None:
    model = example("australia")
    places = vertex_places(model._repr_svg_())
    assert len(places) == 7 and vertex_places(network(model)._repr_svg_()) == places
    full_network = network(model)
    part = full_network.subgraph([node for node in full_network if node != "color(t)"])
    assert vertex_places(part._repr_svg_()) == {name: place for name, place in places.items() if name != "t"}


def test_an_object_of_a_subclass_is_displayed_like_one_of_its_class() -> None:
    class Puzzle(csp.Model):
        """A model of a user."""

    class Answer(csp.Solution):
        """A solution of a user."""

    assert Puzzle({"A": (1, 2)})._repr_svg_() == csp.Model({"A": (1, 2)})._repr_svg_()
    answer, solution = Answer({"A": 1}), csp.Solution({"A": 1})
    assert answer._repr_html_() == solution._repr_html_() and str(answer) == str(solution)


def test_a_solution_is_displayed_as_a_table() -> None:
    solution = csp.solve(example("sudoku"))
    assert solution is not None
    rows = re.findall("<tr>(.*?)</tr>", solution._repr_html_())
    assert [re.findall(">(.)</td>", row) for row in rows[:2]] == [list("534678912"), list("672195348")]
    assert len(rows) == 9
    money = csp.solve(example("money"))
    assert money is not None
    rows = re.findall("<tr>(.*?)</tr>", money._repr_html_())
    assert ["".join(re.findall(">(.?)</td>", row)) for row in rows] == ["9567", "+1085", "10652"]
    solution_of_names = csp.solve(csp.Model({"A": (1,), "B": (2,)}))
    assert solution_of_names is not None
    names, values = re.findall("<tr>(.*?)</tr>", solution_of_names._repr_html_())
    assert re.findall(">(.)</th>", names) == ["A", "B"] and re.findall(">(.)</td>", values) == ["1", "2"]
    assert "&lt;" in Solution({"a<b": 1})._repr_html_()


@pytest.mark.parametrize(("name", "pictures"), [("shidoku", 5), ("sudoku", 2), ("queens", MAX_PICTURES)])
def test_a_large_trace_is_displayed_as_pictures_and_captions(
    name: str, pictures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = csp.record(example(name), nodes=None)
    monkeypatch.setattr(notebook, "MAX_PLAYED", 600)
    html = trace._repr_html_()
    assert f"<p>{len(trace.records)} records times {len(trace.model.domains)} variables are more than 600: " in html
    sources = re.findall(r'<img [^>]*alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]*)">', html)
    assert len(sources) == pictures
    for title, code in sources:
        picture = base64.b64decode(code)
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg" and title.split()[0] in picture.decode()
    assert html.count("<li>") == len(trace.records)
    assert "<script" not in html and "http" not in html


def test_a_small_trace_is_displayed_as_the_player_in_a_frame_and_captions() -> None:
    trace = csp.record(example("shidoku"))
    frame = re.fullmatch(
        r'<iframe [^>]*sandbox="allow-scripts[^"]*" srcdoc="([^"]*)"></iframe>(.*)', trace._repr_html_(), re.S
    )
    assert frame and unescape(frame[1]) == player(trace)
    assert frame[2].count("<li>") == len(trace.records) and len(trace._repr_html_()) < 263_000


def test_the_player_of_a_notebook_plays_without_errors(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "notebook.html"
    page.write_text(csp.record(example("shidoku"))._repr_html_(), encoding="utf-8")
    with opened(browser, page, alone=True) as tab:
        frame = tab.frames[1]
        frame.wait_for_function("typeof ready === 'undefined' || ready")
        before = frame.inner_text("#caption")
        frame.click("#next")
        frame.click("#next")
        assert frame.inner_text("#caption") != before


def test_a_fixpoint_is_displayed_as_its_domains() -> None:
    fixpoint = csp.propagate(example("shidoku"))
    (title, code) = re.findall(r'alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]*)">', fixpoint._repr_html_())[0]
    assert title == "fixpoint · 0 unfixed" and title in base64.b64decode(code).decode()
    model = csp.Model({v: (1, 2) for v in "ABC"}, [csp.AllDifferent.of(pair) for pair in ("AB", "BC", "CA")])
    assert "contradiction · the domains before propagation" in csp.propagate(model, level="domain")._repr_html_()


def test_a_verdict_is_displayed_with_its_solutions() -> None:
    several = csp.verdict(csp.Solver(csp.Model({"A<": (1, 2), "B": (3,)})))
    html = several._repr_html_()
    assert html.startswith("<p>several solutions: A&lt; is 1 in one") and html.count("<table>") == 2
    assert (
        csp.verdict(csp.Solver(csp.Model({"A": (1,)}, [csp.Equality("A", 2)])))
        ._repr_html_()
        .startswith("<p>no solution")
    )


def test_a_solution_path_is_displayed_as_a_list_of_steps() -> None:
    path = csp.explain.explain(csp.Solver(example("shidoku")))
    html = path._repr_html_()
    assert html.count("<li>") == len(path.steps) and html.endswith("</ol><p>solved</p>")
    assert all(escape(line) in html for step in path.steps for line in step.lines)


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "zebra", "queens", "money"])
def test_results_have_a_repr_of_one_short_line(name: str) -> None:
    model = example(name)
    solver = csp.Solver(model)
    results = [
        model,
        csp.propagate(model),
        csp.verdict(solver),
        csp.record(model, nodes=None),
        csp.explain.explain(solver),
        next(csp.steps(model)),
    ]
    for result in results:
        assert len(repr(result)) <= 120 and "\n" not in repr(result)
    assert repr(csp.propagate(example("shidoku"))) == "<Fixpoint: 16 variables, 0 unfixed>"
    assert repr(csp.verdict(csp.Solver(example("shidoku")))) == "<Verdict: one solution>"


def test_no_picture_needs_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise DrawingError("no Graphviz")

    monkeypatch.setattr(drawing, "draw", fail)
    model = example("shidoku")
    trace = csp.record(model)
    for displayed in (model, network(model)):
        assert "".join(re.findall(r">(\d+)</text>", displayed._repr_svg_())).count("4") == 16
    assert "<iframe" in trace._repr_html_() and player(trace).count("<figure>") == 2


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run a cell and return its printed text and the value of its last line."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    return printed.getvalue(), value


def test_the_tour_notebook_prints_and_displays_its_saved_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    cells = json.loads(Path("tour.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    kinds = []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        printed, value = run_cell("".join(cell["source"]), names)
        [output] = cell["outputs"]
        if output["output_type"] == "stream":
            assert "".join(output["text"]) == printed
            continue
        [(kind, data)] = output["data"].items()
        kinds.append(kind)
        if kind == "text/plain":
            assert "".join(data) == repr(value)
        elif kind == "text/html" and isinstance(value, Solution):
            assert "".join(data) == value._repr_html_()
        else:  # pictures of Graphviz differ between versions
            assert value._repr_svg_() if kind == "image/svg+xml" else value._repr_html_()
    assert set(kinds) == {"text/plain", "text/html", "image/svg+xml"}


@pytest.mark.parametrize("name", ["queens", "blocked_queens", "tents", "hitori"])
def test_a_layout_is_displayed_as_the_board_of_the_terminal(name: str) -> None:
    solution = csp.solve(example(name))
    assert solution is not None and solution.model is not None
    printed = [
        re.findall("[^ |]", line) for line in answer_text(solution.model, solution).splitlines() if "+" not in line
    ]
    rows = [
        re.findall("<td[^>]*>(?:<span.*?</span>)*([^<]*)</td>", row) for row in solution._repr_html_().split("<tr>")
    ]
    inside = [row[len(row) - len(printed[0]) :] for row in rows if row][-len(printed) :]
    assert [["." if text == "" else text for text in row] for row in inside] == printed


def test_long_names_are_displayed_in_several_rows() -> None:
    solution = csp.solve(example("zebra"))
    assert solution is not None
    assert {row.count("<th") for row in solution._repr_html_().split("</tr>")} == {0, 5}
    assert Solution({f"x{i}": i for i in range(20)})._repr_html_().count("<tr>") == 2 * 2
