/* The scripts of the page that need no browser, against what Python has worked out: FILM is the file with both. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { findPremises, summarize, traceCauses, traceRecords } from "../../csp/render/page/scripts/causes.js";
import { findNearest } from "../../csp/render/page/scripts/dom.js";
import { Film, GRAINS, decodeLetter } from "../../csp/render/page/scripts/film.js";
import { describeUnseen, listHelperSigns } from "../../csp/render/page/scripts/helpers.js";
import { usesKey } from "../../csp/render/page/scripts/keyboard.js";
import { Matching } from "../../csp/render/page/scripts/matching.js";
import { shorten } from "../../csp/render/page/scripts/reasons.js";
import { wrapLines } from "../../csp/render/page/scripts/save.js";
import { chooseShapes } from "../../csp/render/page/scripts/vertex.js";

const { films } = JSON.parse(readFileSync(process.env.FILM, "utf-8"));

test("a film goes to its end and back by every grain, and the queue with it", () => {
  for (const { data, end } of films) {
    const film = new Film(data), start = film.alive.join(""), waiting = film.queue.join();
    for (const grain of GRAINS) {
      film.grain = grain;
      while (film.position < film.end) film.seek(film.findNextStop());
      assert.deepEqual([...film.alive.keys()].filter((code) => film.alive[code]), end);
      while (film.position) film.seek(film.findPreviousStop());
      assert.equal(film.alive.join(""), start);
      assert.equal(film.queue.join(), waiting);
    }
  }
});

test("the premises of a record are what its causes had lost by then", () => {
  for (const { data, premises: expected } of films) {
    const film = new Film(data);
    expected.forEach((codes, i) => assert.deepEqual(findPremises(film, i).sort((a, b) => a - b), codes, data.records[i].text));
  }
});

test("a chain has all that its records follow from, and nothing else", () => {
  for (const { data, chains } of films) {
    const film = new Film(data);
    for (const [code, position, records] of chains) assert.deepEqual([...traceCauses(film, [[code, position]]).keys()], records);
    film.seek(film.end);
    assert.ok(summarize(film, traceRecords(film, film.getVisibleRecords(), film.end)).length > 5);
  }
});

test("what the film tells of a group holds wherever the group is seen", () => {
  let seen = 0;
  for (const { data, stands } of films) {
    if (!Object.keys(data.groups).length) continue;
    const film = new Film(data), lens = new Matching(film, null);
    for (const grain of GRAINS) {
      film.grain = grain;
      for (const [position, groups] of stands) {
        film.seek(position);
        for (const c of lens.chooseGroups()) {
          const [, rows, places, pairs, spans, words] = lens.findMatching(c), [members, values, partners, frames] = groups[c];
          const all = lens.getElements(c, { gone: new Set() }), read = (letters, table) => [...letters].map((_, i) => table[decodeLetter(letters, i)]);
          assert.deepEqual(all.map(({ remaining }) => remaining), groups[c][4]);
          assert.deepEqual([read(rows, data.rows), read(places, data.rows)], [members, values]);
          assert.deepEqual([...pairs].map((_, i) => Math.max(-1, decodeLetter(pairs, i))), partners);
          assert.deepEqual(read(spans, data.spans).map((span, i) => [...span, read(words, data.words)[i]]), frames);
          seen += 1;
        }
      }
    }
  }
  assert.ok(seen > 100);
});

test("links carry more than the step", () => {
  const film = new Film(films[0].data);
  assert.equal(film.findPosition("#lens=grid&event=3&speed=4"), 3);
  assert.equal(film.findPosition("#event=3"), 3);
  for (const link of ["#event=-1", "#event=3.5", "#event=abc", "#prevent=3", ""]) assert.equal(film.findPosition(link), null);
});

test("small texts are cut", () => {
  assert.deepEqual(wrapLines(["one two three"], 8), ["one two", "three"]);
  assert.equal(shorten("step 7 · row 1 (line 9): A = 1 removes 1 from B · marked 5"), "step 7 · row 1 (line 9): A = 1");
  assert.equal(shorten("step 7 · row 1: 5 fits only A, removes 2 from A · marked 5"), "step 7 · row 1: 5 fits only A");
});

test("arrows go to the nearest, and panels keep their keys", () => {
  const places = [[0, 0], [10, 0], [30, 0], [10, 10]];
  assert.deepEqual([[1, 0], [0, 1], [-1, 0]].map((way) => findNearest(places, 0, way)), [1, 3, 0]);
  const target = (...own) => ({ matches: (selector) => own.some((one) => selector.split(", ").includes(one)) });
  assert.deepEqual(["Home", "ArrowUp", "n", "w"].map((key) => usesKey(target("#log"), key)), [true, true, false, false]);
  assert.deepEqual(["ArrowLeft", " ", "End"].map((key) => usesKey(target("button"), key)), [false, true, false]);
});

test("helpers have the signs and the note that Python gives them", () => {
  let seen = 0;
  for (const { data, helpers } of films) {
    const film = new Film(data);
    film.grain = "event";
    helpers.forEach(([expected, note], i) => {
      film.seek(i + 1);
      const scene = film.getScene(), signs = listHelperSigns(film, scene).filter(([, look]) => look !== "cross");
      const find = (at) => (Array.isArray(at) ? at : at.match(/-?[\d.]+/g).slice(0, 2).map(Number)); // a line has its first point
      const written = signs.map(([shape, look, at, , words]) => [look, ...find(at).slice(0, 3).concat(0).slice(0, 3).map(Math.round), shape === "text" ? words : ""]);
      assert.deepEqual(written.map(String).sort(), expected.map(String).sort(), `record ${i}`);
      assert.equal(describeUnseen(film, [...scene.gone], scene.isOneStep), note, `record ${i}`);
      seen += signs.length;
    });
  }
  assert.ok(seen > 99);
});

test("a round removes only values that its vertex listed before", () => {
  let hidden = 0;
  for (const { data } of films) {
    const film = new Film(data), earlier = new Film(data);
    film.grain = "round";
    while (film.position < film.end) {
      film.seek(film.findNextStop());
      earlier.seek(film.position - film.getVisibleRecords().length);
      const listed = data.vertices.map((_, v) => earlier.getListed(v));
      const removed = film.getVisibleRecords().flatMap(({ gone }) => gone || []), { gone } = film.getScene();
      for (const code of removed.filter((one) => film.isDrawn(Math.floor(one / film.width)) && !film.alive[one])) {
        const v = Math.floor(code / film.width), wasListed = listed[v].includes(code % film.width) || listed[v].length === 1;
        assert.ok(wasListed || !gone.has(code), `${data.vertices[v].name} at ${film.position}`);
        hidden += !gone.has(code);
      }
    }
  }
  assert.ok(hidden > 99);
});

test("a vertex shows the marks that Python gives it", () => {
  let seen = 0;
  for (const { data, vertices } of films) {
    const film = new Film(data);
    film.grain = "event";
    for (const [position, v, expected] of vertices) {
      film.seek(position);
      const { gone } = film.getScene(), vertex = data.vertices[v];
      const lost = vertex.domain.filter((value) => gone.has(v * film.width + value));
      const marks = chooseShapes(data.forms[vertex.form], vertex, film.getListed(v), lost, film.marked[v], (value) => data.values[value]);
      assert.deepEqual(marks.map(([shape, look, , size, words]) => [shape, look, size || 0, words || ""]), expected, `${vertex.name} at ${position}`);
      seen += marks.length;
    }
  }
  assert.ok(seen > 500);
});
