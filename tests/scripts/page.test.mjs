/* The scripts of the page that need no browser, against what Python has worked out: FILM is the file with both. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { chain, chainOf, premises, told } from "../../csp/paint/page/scripts/causes.js";
import { nearest } from "../../csp/paint/page/scripts/dom.js";
import { Film, GRAINS } from "../../csp/paint/page/scripts/film.js";
import { isOwn } from "../../csp/paint/page/scripts/keyboard.js";
import { Matching, components, meaning, read } from "../../csp/paint/page/scripts/matching.js";
import { short } from "../../csp/paint/page/scripts/reasons.js";
import { folded } from "../../csp/paint/page/scripts/save.js";
import { inside } from "../../csp/paint/page/scripts/vertex.js";

const { films, matchings } = JSON.parse(readFileSync(process.env.FILM, "utf-8"));

test("a film goes to its end and back by every grain, and the queue with it", () => {
  for (const { data, end } of films) {
    const film = new Film(data), start = film.alive.join(""), waiting = film.queue.join();
    for (const grain of GRAINS) {
      film.grain = grain;
      while (film.position < film.end) film.seek(film.after());
      assert.deepEqual([...film.alive.keys()].filter((code) => film.alive[code]), end);
      while (film.position) film.seek(film.before());
      assert.equal(film.alive.join(""), start);
      assert.equal(film.queue.join(), waiting);
    }
  }
});

test("the premises of a record are what its causes had lost by then", () => {
  for (const { data, premises: expected } of films) {
    const film = new Film(data);
    expected.forEach((codes, i) => assert.deepEqual(premises(film, i).sort((a, b) => a - b), codes, data.records[i].text));
  }
});

test("a chain has all that its records follow from, and nothing else", () => {
  for (const { data, chains } of films) {
    const film = new Film(data);
    for (const [code, position, records] of chains) assert.deepEqual([...chain(film, [[code, position]]).keys()], records);
    film.seek(film.end);
    assert.ok(told(film, chainOf(film, film.window(), film.end)).length > 5);
  }
});

test("the components of a matching are those of the filter", () => {
  for (const [images, owned, tight, expected] of matchings) {
    assert.deepEqual(components(images, owned.map((value) => value ?? undefined), tight), expected, JSON.stringify(images));
  }
  assert.equal(meaning([0, 1], [3, 4], String), "use up 3, 4");
  assert.equal(meaning([0, 1], [3, 4, 5], String), "");
  assert.equal(meaning([0, 1], [3], String), "2 for 1 values: 3");
});

test("what the film tells of a group holds wherever the group is seen", () => {
  for (const { data, tight } of films) {
    const film = new Film(data), lens = new Matching(film, null);
    for (const grain of GRAINS) {
      film.grain = grain;
      for (const [position, groups] of tight) {
        film.seek(position);
        for (const c of lens.shown()) {
          const all = lens.elements(data.constraints[c], { gone: new Set() });
          const { images, owned, tight: sets } = read(lens.told(c), all), values = owned.filter((value) => value !== undefined);
          assert.deepEqual(sets, groups[c]);
          assert.ok(owned.every((value, i) => value === undefined || images[i].includes(value)));
          assert.equal(new Set(values).size, values.length);
          assert.ok(values.length === owned.length || sets[0].length > new Set(sets[0].flatMap((i) => images[i])).size);
        }
      }
    }
  }
});

test("links carry more than the step", () => {
  const film = new Film(films[0].data);
  assert.equal(film.find("#lens=grid&event=3&speed=4"), 3);
  assert.equal(film.find("#event=3"), 3);
  for (const link of ["#event=-1", "#event=3.5", "#event=abc", "#prevent=3", ""]) assert.equal(film.find(link), null);
});

test("small texts are cut", () => {
  assert.deepEqual(folded(["one two three"], 8), ["one two", "three"]);
  assert.equal(short("step 7 · row 1 (line 9): A = 1 removes 1 from B · marked 5"), "step 7 · row 1 (line 9): A = 1");
  assert.equal(short("step 7 · row 1: 5 fits only A, removes 2 from A · marked 5"), "step 7 · row 1: 5 fits only A");
});

test("arrows go to the nearest, and panels keep their keys", () => {
  const places = [[0, 0], [10, 0], [30, 0], [10, 10]];
  assert.deepEqual([[1, 0], [0, 1], [-1, 0]].map((way) => nearest(places, 0, way)), [1, 3, 0]);
  const target = (...own) => ({ matches: (selector) => own.some((one) => selector.split(", ").includes(one)) });
  assert.deepEqual(["Home", "ArrowUp", "n", "w"].map((key) => isOwn(target("#log"), key)), [true, true, false, false]);
  assert.deepEqual(["ArrowLeft", " ", "End"].map((key) => isOwn(target("button"), key)), [false, true, false]);
});

test("a vertex shows the marks that Python gives it", () => {
  let seen = 0;
  for (const { data, vertices } of films) {
    const film = new Film(data);
    film.grain = "event";
    for (const [position, v, expected] of vertices) {
      film.seek(position);
      const { gone } = film.scene(), vertex = data.vertices[v];
      const lost = vertex.domain.filter((value) => gone.has(v * film.width + value));
      const marks = inside(data.forms[vertex.form], vertex, film.left(v), lost, film.marked[v], (value) => data.values[value]);
      assert.deepEqual(marks.map(([shape, look, , size, words]) => [shape, look, size || 0, words || ""]), expected, `${vertex.name} at ${position}`);
      seen += marks.length;
    }
  }
  assert.ok(seen > 500);
});
