"""The page of the player in a real browser."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import csp
from csp.picture.frames import step_frames
from csp.render.page.film import film
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.trace import Removal

from ..browser import opened
from ..conftest import ROOT
from ..pictures.test_render import EDGE
from .test_player import HARD, example, large

pytestmark = pytest.mark.sampled(5)

READ_CANDIDATES = "Array.from(player.film.alive).join('')"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    traces = {
        "4": (csp.record(example("shidoku"), "arc"), (ROOT / "examples/shidoku.csp").read_text(encoding="utf-8")),
        "9": (csp.record(example("sudoku", grids={"clue": HARD}), nodes=200), "% the puzzle"),
        "25": (csp.record(large(5), nodes=0), ""),
    }
    for name, (trace, source) in traces.items():
        (folder / f"{name}.html").write_text(player(trace, source, f"<{name}>"), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in traces}


def caption_of(page: Any) -> str:
    return str(page.inner_text("#caption"))


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def take_screenshot(page: Any) -> bytes:
    """Return the pixels after the page has scrolled and painted."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    return bytes(page.screenshot())


def test_stepping_forward_and_back_restores_the_pixels(browser: Any, pages: dict[str, Path]) -> None:
    for name, grains in (("4", "e"), ("9", "vrd")):
        with opened(browser, pages[name]) as page:
            for grain in grains:
                press(page, "Home", grain)
                start = take_screenshot(page)
                press(page, "n", "n", "n")
                assert take_screenshot(page) != start
                press(page, "b", "b", "b")
                assert take_screenshot(page) == start, (name, grain)


def test_the_last_frame_is_the_same_after_jumps_and_steps(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["9"]) as page:
        press(page, "End")
        pixels, candidates = take_screenshot(page), page.evaluate(READ_CANDIDATES)
        press(page, "Home", "End", "b", "n")
        assert page.evaluate(READ_CANDIDATES) == candidates and candidates.count("1") == 81
        page.evaluate("while (player.film.position) player.step(-1)")
        assert page.evaluate(READ_CANDIDATES).count("1") == 729 and not page.evaluate("player.film.queue.length")
        page.evaluate("while (player.film.position < player.film.end) player.step(1)")
        assert page.evaluate(READ_CANDIDATES) == candidates and take_screenshot(page) == pixels


def test_every_grain_stops(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"]) as page:
        captions = []
        while page.evaluate("player.film.position < player.film.end"):
            press(page, "n")
            captions.append(caption_of(page))
        steps = [int(text.split()[1]) for text in captions if text.startswith("step ")]
        dequeued = [text for text in captions if text.startswith("checked · ")]
        assert captions[0] == "the givens · 12 values removed from 4 variables · marked 4"
        assert steps == list(range(5, 13)) and not dequeued and len(steps) + 2 == len(captions)
        assert captions[-1] == "fixpoint · 0 unfixed"
        press(page, "Home", "s")
        silent = page.evaluate("player.film.stops.step.length")
        assert silent == len(captions) + 1 + page.evaluate("player.film.silentStops.length") > len(captions) + 1
        press(page, "s")
        stops = page.evaluate("player.film.stops")
        assert len(stops["event"]) > len(stops["step"]) > len(stops["round"]) > len(stops["decision"]) == 2


FOLLOW = """(link) => new Promise((done) => {
  window.addEventListener("hashchange", done, { once: true });  // after the player, which listens already
  location.hash = link;
})"""


def test_a_link_seeks_its_step_and_the_address_follows(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["9"], "#step=37", alone=True) as page:
        assert caption_of(page).startswith("step 37 ·")
        page.evaluate(FOLLOW, "#step=12")
        assert caption_of(page).startswith("step 12 ·")
        page.clock.install()
        press(page, "n")
        page.clock.run_for(1000)
        assert page.evaluate("location.hash") == "#step=17", "the givens are a single stop"
        last = page.evaluate("player.film.data.records.findLastIndex(({ step }) => step) + 1")
        for link, position in (("#step=99999", last), ("#step=nonsense", last), ("#event=99999", "player.film.end")):
            page.evaluate(FOLLOW, link)
            assert page.evaluate(f"player.film.position === {position}"), link


def test_a_link_is_followed_although_the_player_writes_the_address(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["9"], "#step=37") as page:
        page.evaluate("location.hash = '#step=12'; player.updateAddress()")
        page.wait_for_selector("#caption:has-text('step 12 ·')", timeout=5000)


def test_the_queue_shows_its_head_first(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], "#step=5") as page:
        assert page.locator("#queue b").all_inner_texts() == list("FKNABDGHO")
        assert page.locator("#queue b.head").all_inner_texts() == ["F"]
        press(page, "n")
        assert page.locator("#queue b").all_inner_texts() == list("KNABDEGHJO")
        press(page, "b")
        assert page.locator("#queue b.head").all_inner_texts() == ["F"]


LIT_LINE = "document.querySelector('#algorithm .now')?.innerText.replace(/\\s+/g, ' ').trim()"
LINES = {
    "given": "mark the given variables", "round": "while the queue is not empty:",
    "dequeued": "take its head and unmark it",
    "fixed": "remove the values that it rules out, and mark each changed variable",
    "failure": "no value left: undo the last decision", "rest": "fixpoint: stop if all is fixed,",
    "solved": "fixpoint: stop if all is fixed,", "decision": "else try a value and mark its variable",
}  # fmt: skip


def test_the_algorithm_lights_the_line_that_the_present_event_carries_out(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["9"]) as page:
        assert page.is_hidden("#algorithm")
        page.click("#method summary")
        kinds = page.evaluate("player.film.data.records.map((record) => record.kind)")
        assert page.evaluate(LIT_LINE) is None, "nothing has happened yet"
        for kind, line in LINES.items():
            if kind in kinds:
                page.evaluate(f"player.seek({kinds.index(kind) + 1})")
                assert page.evaluate(LIT_LINE) == line and page.locator("#algorithm .now").count() == 1
        assert {"given", "round", "dequeued", "fixed", "rest", "solved"} <= {*kinds}
        lit_kinds = " ".join(
            page.evaluate("[...document.querySelectorAll('#algorithm li')].map((l) => l.dataset.kinds)")
        )
        assert {*kinds} <= {*lit_kinds.split()}, "every kind of event has its line"


def test_terms_are_explained_where_they_occur_as_in_the_glossary(browser: Any, pages: dict[str, Path]) -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in glossary.splitlines() if line[:1] == "|"]
    meanings = {name: row[1] for row in rows for name in row[0].split(", ")}
    with opened(browser, pages["9"]) as page:
        for name in ("event", "step", "round", "decision"):
            title = page.get_attribute(f"#grains [value={name}]", "title").removesuffix(f" ({name[0]})")
            assert meanings[name].startswith(title) and len(title) > 10
        page.keyboard.press("n")
        assert " · marked " in page.inner_text("#caption")
        for place in ("#caption", "#queue span"):
            assert page.get_attribute(place, "title") == f"marked: {meanings['marked']}"


def test_a_missing_value_names_the_constraint_that_removed_it(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], "#step=5") as page:
        box = page.locator(".vertex[data-v='0']").bounding_box()  # A can be 1, 2 or 3; the place of 4 is on the right
        page.mouse.move(box["x"] + box["width"] * 0.85, box["y"] + box["height"] * 0.72)
        reason = "4 is missing from A: step 5 · row 1 (line 5): C = 4"
        assert page.inner_text("#reason") == reason
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.72)
        assert page.is_hidden("#reason")


def test_lenses_join_the_same_places_in_three_ways(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], "#step=5") as page:
        places = (
            "Array.from(document.querySelectorAll('#picture .vertex'), (one) => one.getAttribute('transform')).join()"
        )
        before = page.evaluate(places)
        counts = {}
        kinds = (".edge", ".constraint", ".edge.on", ".constraint.on")
        for key in "gcf":
            press(page, key)
            counts[key] = [page.locator(f"#picture {kind}").count() for kind in kinds]
            assert page.evaluate(places) == before
        assert counts == {"g": [0, 0, 0, 0], "c": [56, 0, 6, 0], "f": [48, 12, 9, 3]}
        page.click("text=grid")
        assert page.locator("#picture .edge").count() == 0
        assert page.locator("#legend .marked").count() == 1 and page.locator("#signs .pair").count() == 0
        press(page, "m")
        assert page.locator("#signs .marked").count() == 0, "the matching lens has other signs"
        signs = (".pair.matched", ".pair.gone", ".component:not(.spare)", ".component.spare")
        assert [page.locator(f"#signs {sign}").count() for sign in signs] == [1, 1, 1, 1]


def test_constraints_without_room_show_while_they_are_active(browser: Any, tmp_path: Path) -> None:
    names = [f"x({i})" for i in range(14)]
    pairs = [csp.AllDifferent.of(pair, label=f"{pair[0]} is not {pair[1]}", line=1) for pair in combinations(names, 2)]
    group = csp.AllDifferent.of(names[1:3])
    model = csp.Model({name: range(14) for name in names} | {names[0]: (0,)}, [*pairs[:60], group])
    path = tmp_path / "crowded.html"
    path.write_text(player(csp.record(model)), encoding="utf-8")
    with opened(browser, path) as page:
        press(page, "f")
        assert page.locator("#picture .constraint").count() == 0
        assert page.text_content("#hidden") == "61 constraints are drawn only when active"
        box = page.get_attribute("#picture", "viewBox")
        press(page, "n")
        assert page.locator("#picture .constraint.on").count() == 13
        assert page.locator(".active-edges.behind path").count() == 26
        assert page.get_attribute("#picture", "viewBox") == box
        press(page, "c")
        assert page.locator("#picture .constraint").count() == 0 and page.locator("#picture .edge.on").count() == 13
        assert page.text_content("#hidden") == "1 constraint is drawn only when active"
        press(page, "g")
        assert page.locator(".active-edges path.hit").count() == 13
        press(page, "b")
        assert page.locator(".active-edges path:not(.casing)").count() == 0


def test_vertices_never_move_and_every_colour_has_a_second_sign(browser: Any, pages: dict[str, Path]) -> None:
    check = """() => {
      const { film, picture } = player, wrong = [];
      picture.groups.forEach((group, v) => {
        const { domain } = film.data.vertices[v], isGone = (value) => picture.scene.gone.has(v * film.width + value);
        const removed = domain.filter(isGone);
        const isCounted = picture.scene.gone.size > 80;
        const has = (kind) => group.querySelectorAll(kind).length;
        const width = parseFloat(getComputedStyle(group.firstChild).strokeWidth);
        if (film.marked[v] !== has('.asterisk')) wrong.push(`asterisk of ${v}`);
        const boxes = isCounted ? 0 : removed.length;
        if (boxes !== has('.boxed') || boxes !== has('.strike')) wrong.push(`removed from ${v}`);
        if (picture.scene.causes.has(v) !== width > 3) wrong.push(`border of ${v}`);
        if (picture.scene.active.has(v) !== group.classList.contains('active')) wrong.push(`fill of ${v}`);
      });
      return [wrong, picture.groups.map((group) => group.getAttribute('transform')).join()];
    }"""
    for name in ("4", "9"):
        with opened(browser, pages[name]) as page:
            places = set()
            for _ in range(25):
                wrong, current_places = page.evaluate(check)
                assert wrong == []
                places.add(current_places)
                press(page, "n")
            assert len(places) == 1


def test_the_keyboard_reaches_steps_values_and_the_inspector(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"]) as page:
        press(page, "v", "v")
        assert caption_of(page).startswith("step 5 ·")
        press(page, "Shift+V")
        assert caption_of(page).startswith("the givens ·")
        press(page, "v")
        for _ in range(20):
            press(page, "Tab")
            if page.evaluate("document.activeElement.matches('.vertex')"):
                break
        press(page, "ArrowRight", "ArrowRight", "ArrowDown", "Enter")
        assert page.inner_text("#inspector h2").split() == ["G", "*", "×"]
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label.startswith("4 removed: step 5 · column 3 (line 12): C = 4 removes 4 from G, O")
        reason = page.inner_text("#inspector .why")
        assert f"4 removed: {reason}" == label + " · rests on 1 given"
        press(page, "n")
        assert page.evaluate("document.activeElement.matches('.missing')"), "the focus stays when the film steps"
        press(page, "Escape")
        assert page.evaluate("document.activeElement.dataset.v") == "6", "Escape returns the focus"
        press(page, "Home")
        assert page.is_hidden("#inspector") and caption_of(page).startswith("start · ")
        assert "Press → for the first step." in caption_of(page)
        press(page, "n")
        assert "Press" not in caption_of(page), "only the first frame says what to do"


def test_the_spec_highlights_lines_and_the_log_follows(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], "#step=5") as page:
        assert page.eval_on_selector_all("#source .lit", "lines => lines.map((line) => line.value)") == [5, 12, 16]
        title, *parts = caption_of(page).split("\n")
        assert title == "step 5 · C = 4 · marked 9" and parts[0] == "row 1 (line 5): 4 from A, B, D"
        assert page.locator("#log .now").all_inner_texts() == [
            f"step 5 · {part.partition(': ')[0]}: C = 4" for part in parts
        ]
        page.click("#log div:has-text('step 7 · row 3')")
        assert caption_of(page).startswith("step 7 · row 3")
        page.fill("#slider", "3")
        assert caption_of(page).startswith("step 3 ·")
        assert page.get_attribute("#slider", "aria-valuetext").startswith("step 3 ·")


def test_the_search_tree_seeks_nodes_and_collapses(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["9"]) as page:
        nodes = page.locator("#tree .node").count()
        number = page.locator("#tree .node.failure").first.get_attribute("data-i")
        failure = page.locator(f"#tree .node[data-i='{number}']")
        assert "has no" in failure.get_attribute("aria-label") and " = " in failure.get_attribute("aria-label")
        failure.locator(".shape").click()
        assert caption_of(page).startswith("step") and "decision:" in caption_of(page)
        assert "now" in failure.get_attribute("class")
        page.click("#collapse")
        assert page.locator("#tree .node").count() < nodes and page.locator("#tree .collapsed .tally").count() > 0
        marks = page.locator("#marks .decision").count(), page.locator("#marks .failure").count()
        untried = page.locator("#tree .node.untried").count()
        assert (
            marks[0] == nodes - untried - 1
            and untried > 1
            and marks[1] > 1
            and page.locator("#marks .solved").count() == 1
        )


def test_play_stops_at_the_end(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], alone=True) as page:
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        press(page, " ")
        page.clock.run_for(1100)
        assert caption_of(page).startswith("step 5 ·") and page.inner_text("#play") == "pause"
        page.click("#more summary")
        page.select_option("#speed", "10")
        page.clock.run_for(60_000)
        assert caption_of(page) == "fixpoint · 0 unfixed" and page.inner_text("#play") == "play"


def test_a_link_starts_the_film(browser: Any, pages: dict[str, Path]) -> None:
    landing = (ROOT / "docs/site/index.md").read_text(encoding="utf-8")
    [link] = re.findall(r'src="live.html(#[^"]*)"', landing)
    for motion, text in (("no-preference", "pause"), ("reduce", "play")):
        with opened(browser, pages["4"], link, alone=True, reduced_motion=motion) as page:
            assert page.inner_text("#play") == text and page.evaluate("player.film.grain") == "round"
            if text == "pause":
                page.wait_for_selector("#caption:has-text('round 2')", timeout=10_000)
                assert "play" not in page.evaluate("(player.updateAddress(), location.hash)")


PLAY_A_ROUND = """() => {
  player.seek(0);
  player.step(1);
  player.play();
  return new Promise((done) => {
    const look = () => {
      if (player.film.position === player.film.stops.round[2]) done(document.getAnimations().length);
      else requestAnimationFrame(look);
    };
    look();
  });
}"""


def test_changes_fade_while_the_film_plays_and_leave_nothing(browser: Any, pages: dict[str, Path]) -> None:
    picture = "document.querySelector('#picture').outerHTML"
    for motion in ("no-preference", "reduce"):
        with opened(browser, pages["4"], alone=True, reduced_motion=motion) as page:
            stepped = page.evaluate(f"(player.setGrain('round'), player.step(1), player.step(1), {picture})")
            assert (page.evaluate(PLAY_A_ROUND) > 0) == (motion == "no-preference")
            page.evaluate("player.pause()")
            page.evaluate("Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => null)")
            assert page.evaluate(picture) == stepped
            assert page.evaluate("(player.step(1), player.step(-1), document.getAnimations().length)") == 0


def test_a_phone_shows_the_page_without_horizontal_scrolling(browser: Any, pages: dict[str, Path]) -> None:
    for name in ("9", "25"):
        with opened(browser, pages[name], size=(375, 740), has_touch=True) as page:
            press(page, "n", "n", "n", "f")
            assert page.evaluate("document.documentElement.scrollWidth") == 375
            assert page.locator("#next").bounding_box()["y"] < 740, "the buttons are on the first screen"
            page.locator(".vertex[data-v='0']").tap()
            assert page.locator("#inspector h2").count() == 1 and page.is_visible("#reason"), "a tap shows the reason"


def test_the_page_follows_the_colour_scheme(browser: Any, pages: dict[str, Path]) -> None:
    backgrounds = []
    for scheme in ("light", "dark"):
        with opened(browser, pages["4"], "#step=5", color_scheme=scheme) as page:
            backgrounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert backgrounds == ["rgb(255, 255, 255)", "rgb(21, 24, 27)"]


def test_a_page_without_scripts_shows_the_first_and_the_last_picture(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["4"], java_script_enabled=False) as page:
        assert page.locator("figure svg").count() == 2 and page.locator("main").is_hidden()
        assert "start · " in page.inner_text("figure >> nth=0") and "fixpoint" in page.inner_text("figure >> nth=1")


def test_a_step_changes_few_elements_of_the_page(browser: Any, pages: dict[str, Path]) -> None:
    count = """() => {
      const watch = new MutationObserver(() => {}), counts = [];
      watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      while (player.film.position < player.film.end) {
        player.step(1);
        const changes = watch.takeRecords().map(({ addedNodes, type }) => addedNodes.length + (type !== 'childList'));
        counts.push(changes.reduce((sum, change) => sum + change, 0));
      }
      return counts;
    }"""
    for name, typical, maximum in (("4", 250, 250), ("9", 250, 700), ("25", 1100, 3300)):
        with opened(browser, pages[name]) as page:
            counts = sorted(page.evaluate(count))
            assert 0 < counts[len(counts) // 2] < typical and counts[-1] < maximum, (name, counts)


def test_names_cannot_break_the_page(browser: Any, tmp_path: Path) -> None:
    unsafe = "</script><script>window.broken = 1</script><!-- <img src=x onerror=window.broken=1> $title 'x"
    model = csp.Model({"A": ["1"], "B": ["1", unsafe]}, [csp.AllDifferent.of("AB", label=unsafe, line=1)])
    path = tmp_path / "bad.html"
    path.write_text(player(csp.record(model), unsafe, unsafe, unsafe), encoding="utf-8")
    with opened(browser, path) as page:
        press(page, "n")
        assert page.evaluate("window.broken") is None
        normalized = " ".join(unsafe.split())
        assert " ".join(caption_of(page).split()).startswith(f"step 1 · {normalized} (line 1)")
        assert page.title() == normalized and " ".join(page.inner_text("#source").split()) == normalized


def test_causes_queue_and_counts_agree_with_the_trace(browser: Any, pages: dict[str, Path]) -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), nodes=200)
    steps = [record for record in trace.records if isinstance(record, Removal) and record.kind == "placed"]
    cell = steps[0].cause[0][0]
    with opened(browser, pages["9"], f"#step={steps[0].step}") as page:
        names = "[...player.picture.scene.causes].map((v) => player.film.data.vertices[v].name)"
        causes = page.evaluate(names)
        [frame] = [
            candidate
            for candidate in step_frames(trace, steps[0].step, steps[0].step)
            if candidate.name.startswith("step")
        ]
        assert causes == [cell] == [*frame.causes], "a large group is shaded instead of its cells"
        press(page, "c")
        edges = EDGE.findall(Painter(trace.model, "clique", trace.origins).dot(frame))
        hits = sum("#D55E00" in attributes for _, _, attributes in edges)
        assert page.locator(".active-edges path:not(.casing)").count() == len(edges) == hits > 0
        assert page.locator(".active-edges path.hit").count() == hits
        longest = max(
            (record for record in trace.records if isinstance(record, Removal)), key=lambda record: len(record.marked)
        )
        page.evaluate(f"player.seek(player.film.findPosition('step={longest.step}'))")
        entries = page.locator("#queue b").count()
        assert entries == min(60, page.evaluate("player.film.queue.length")) > 8
        page.locator("#queue b").last.scroll_into_view_if_needed()
        queue, last = page.locator("#queue").bounding_box(), page.locator("#queue b").last.bounding_box()
        assert last["x"] + last["width"] <= queue["x"] + queue["width"] + 1
        page.focus("#queue")
        before = page.evaluate("player.film.position")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("player.film.position") == before
        page.click("#collapse")
        counts = page.locator("#tree .collapsed .tally").all_text_contents()
        assert counts == [
            node["shapes"][0][4] for node in film(trace)["trees"][1]["nodes"] if node.get("kind") == "collapsed"
        ]
