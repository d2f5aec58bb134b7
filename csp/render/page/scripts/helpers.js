/* Signs of helpers, the vertices that are not drawn, at their places, with the same rules as csp/picture/lines/touched.py. */

import { decodeLetter } from "./film.js";
import { listLost } from "./tuples.js";

export const MAX_FRAMES = 8; // maximum number of frames of one kind
const MAX_VALUES = 8, MAX_LEFT = 3, MAX_SPELT = 2, SMALL = 12, FOUND_SIZE = 17, TINY = 9, WIDE = 72, LETTER_SIZE = 0.64, CELL = 60, INSIDE = 8, APART = 5, NESTED = 4, CROSS = 7, SMALL_CROSS = 4;
const MAX_TEXT = 30, MAX_CELLS = 4; // as in csp/picture/helpers.py

/* Return the place and the text of the value of a helper; null if the picture cannot show it. One of several steps shows
   no variables beyond the border. */
function findPlace({ data: { helpers, spots, labels, vertices }, width }, code, isOneStep = false) {
  const v = Math.floor(code / width), helper = helpers?.[v], i = vertices[v].domain.indexOf(code % width);
  if (!helper || helper.spots[i] === " " || (helper.outside && !isOneStep)) return null;
  const [anchor, frames, parts] = spots[decodeLetter(helper.spots, i)];
  return { v, anchor, frames, parts, label: labels[decodeLetter(helper.labels, i)], look: helper.number ? " number" : "", helper, needs: [helper.needs?.[i] ?? []].flat() };
}

/* Return the removed values that are news and have a sign, and the drawn values that lost their tuples with them. */
export function listSigned(film, codes) {
  const removed = new Set(codes), isDrawn = (code) => film.isDrawn(Math.floor(code / film.width));
  return [...codes.filter((code) => !film.isOld(code, removed) && (isDrawn(code) || findPlace(film, code))), ...listLost(film, removed).filter(isDrawn)];
}

/* Return the number of removals that follow from the picture, as a text; empty without any. */
export function describeRepeated(film, codes) {
  const removed = new Set(codes), lengths = codes.filter((code) => film.isOld(code, removed)).map((code) => film.listNeeds(code).length), count = lengths.length;
  const noun = lengths.some((length) => length !== lengths[0]) ? "removal" : ["value", "place", "pair"][lengths[0]] || "tuple";
  return count ? `${count} ${noun}${count > 1 ? "s" : ""} that follow${count > 1 ? "" : "s"} from the picture` : "";
}

/* Return a long list or sum with its first and last member only, as in csp/picture/helpers.py. */
function shortenExpression(text) {
  const middle = text.length > MAX_TEXT && /(, | \+ )(.*)\1/.exec(text);
  let depth = 0;
  const isOneList = middle && [...middle[2]].every((character) => (depth += { "(": 1, ")": -1 }[character] || 0) >= 0);
  return isOneList ? text.replace(middle[0], () => `${middle[1]}…${middle[1]}`) : text;
}

/* Return the number of values that helpers without a place lost, as a text by family. */
export function describeUnseen(film, codes, isOneStep) {
  const counts = new Map();
  for (const code of codes) {
    const v = Math.floor(code / film.width);
    if (film.isDrawn(v) || findPlace(film, code, isOneStep)) continue;
    const family = shortenExpression(film.data.vertices[v].name.replace(/^(\w+)\([^()]*\)$/, "$1")), name = /^\w+$/.test(family) || family.length <= MAX_TEXT ? family : "expressions";
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (counts.size > MAX_CELLS) return `not drawn: ${total} values of ${counts.size} expressions`;
  const words = [...counts].map(([name, count]) => `${count} value${count > 1 ? "s" : ""} of ${name}`);
  return words.length ? `not drawn: ${words.join(", ")}` : "";
}

/* Return the places that helpers have found so far, and the remaining places of the changed ones in a step. */
function listRemaining(film, changed, isOneStep) {
  const listPlaces = (v) => film.getRemaining(v).map((value) => findPlace(film, v * film.width + value)).filter(Boolean);
  const isFound = (v) => film.getRemaining(v).length === 1 && film.data.vertices[v].domain.length > 1;
  const isOpen = ({ needs }) => needs.some((code) => film.getListed(Math.floor(code / film.width)).length > 1);
  const found = Object.keys(film.data.helpers).map(Number).filter(isFound).flatMap(listPlaces).filter(isOpen);
  const images = changed.map((v) => listPlaces(v).filter(isOpen)).filter(([place]) => place?.helper.number), isFew = isOneStep && images.length <= MAX_LEFT;
  return [found, isFew ? images.filter(({ length }) => length > 1 && length <= MAX_VALUES).flat() : []];
}

/* Return the shapes of what helpers lost, of what remains in a step, and of what they found. */
export function listHelperSigns(film, { gone, failed, losses, isOneStep }) {
  if (!film.data.helpers || failed.size) return [];
  const lost = [...gone].map((code) => ({ place: findPlace(film, code, isOneStep), value: film.data.values[code % film.width], code })).filter(({ place }) => place);
  // In a round, right of a removed value are the numbers that acted.
  for (const { causes, gone: own } of isOneStep ? [] : losses) {
    const numbers = causes.map((v) => film.data.helpers[v]?.number);
    lost.forEach(({ place, code }) => { if (own.includes(code) && numbers.every(Boolean)) place.by = [...new Set(numbers)]; });
  }
  const frames = new Map();
  // In a step, a frame shows the place of a printed expression, whose text has changed.
  const isFramed = ({ label, helper, needs }) => !label || (isOneStep && !helper.number && !needs.length);
  for (const { place, value } of lost.filter((one) => isFramed(one.place))) {
    const look = place.helper.truth ? (value === "0" ? "held" : "refused") : "touched";
    place.frames.forEach((frame) => frames.set(`${look} ${frame}`, [look, frame]));
  }
  // Where one helper holds and another is ruled out, a frame says neither.
  for (const [, frame] of [...frames.values()]) {
    if (!frames.has(`held ${frame}`) || !frames.has(`refused ${frame}`)) continue;
    ["held", "refused"].forEach((look) => frames.delete(`${look} ${frame}`));
    frames.set(`touched ${frame}`, ["touched", frame]);
  }
  const areFramed = frames.size <= MAX_FRAMES, places = lost.map(({ place }) => place);
  // Collect the texts at each place: found values, remaining values, removed ones.
  const rows = new Map(), changed = [...new Set(places.map(({ v }) => v))];
  const [found, left] = listRemaining(film, changed, isOneStep);
  const others = areFramed ? [] : places.filter(({ label }) => !label).flatMap(({ parts }) => parts.map((anchor) => ({ anchor, label: "", look: "" })));
  for (const [look, shown] of [["spot-found", found], ["spot-left", left], ["spot-lost", [...(isOneStep ? mergeRuns(lost) : places).filter(({ label }) => label), ...others]]]) {
    for (const place of shown) {
      const key = place.anchor.join();
      if (!rows.has(key)) rows.set(key, { "spot-found": [], "spot-left": [], "spot-lost": [] });
      rows.get(key)[look].push(place);
    }
  }
  const drawn = areFramed ? listFrames([...frames.values()]) : [];
  return [...drawn, ...[...rows.values()].flatMap(drawRow)];
}

/* Return the places of removed values; consecutive numbers at one place become a range. */
function mergeRuns(lost) {
  const runs = [];
  for (const { place, value } of lost) {
    const run = runs.at(-1), isNumber = place.label === value;
    if (isNumber && run?.isNumber && run.place.v === place.v && Number(run.last) === Number(value) - 1) run.last = value;
    else runs.push({ place, isNumber, last: value });
  }
  return runs.map(({ place, last, isNumber }) => (isNumber && last !== place.label ? { ...place, label: `${place.label}..${last}` } : place));
}

/* Return the box around a frame, which is a box or the corners of an outline. */
function surround(frame) {
  if (frame.length === 4) return frame;
  const [xs, ys] = [0, 1].map((axis) => frame.filter((_, i) => i % 2 === axis)), [left, top] = [xs, ys].map((all) => Math.min(...all)), [right, bottom] = [xs, ys].map((all) => Math.max(...all));
  return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top];
}

/* Return the corners of an outline that is smaller by a distance on all sides; its inside is to the right. */
function insetOutline(frame, by) {
  const corners = Array.from({ length: frame.length / 2 }, (_, i) => frame.slice(2 * i, 2 * i + 2));
  return corners.map(([x, y], i) => {
    const [p, q] = corners.at(i - 1), [s, t] = corners[(i + 1) % corners.length];
    return [x - Math.sign(t - q) * by, y + Math.sign(s - p) * by]; // one of the two sides is level, the other one upright
  });
}

/* Return the shapes of frames; of overlapping frames each has sides of its own. */
function listFrames(frames) {
  const ranks = [], sorted = frames.toSorted(([look, a], [other, b]) => a.map((number, i) => number - b[i]).find((difference) => difference) || (look < other ? -1 : 1));
  const areApart = ([x, y, w, h], [s, t, v, u]) => Math.abs(x - s) >= (w + v) / 2 || Math.abs(y - t) >= (h + u) / 2;
  return sorted.flatMap(([look, frame], i) => {
    const around = surround(frame), [x, y, w, h] = around, used = new Set(ranks.filter((_, j) => j < i && !areApart(around, surround(sorted[j][1]))));
    ranks.push(Math.max(0, Array.from({ length: NESTED }, (_, rank) => rank).findIndex((rank) => !used.has(rank))));
    const inside = (Math.min(w, h) >= CELL ? INSIDE : -INSIDE) + 2 * APART * ranks[i], isBox = frame.length === 4;
    const [width, height] = [w - inside, h - inside], corners = isBox ? [] : insetOutline(frame, inside / 2);
    // A cross on the upper side, clear of clues, says that a value is ruled out.
    const [middle, top] = isBox ? [x, y - height / 2] : [(corners[0][0] + corners[1][0]) / 2, corners[0][1]], size = Math.max(w, h) > CELL ? CROSS : SMALL_CROSS;
    const strike = look === "refused" ? [["line", "cross", `M${middle - size} ${top - size}l${2 * size} ${2 * size}m${-2 * size} 0l${2 * size} ${-2 * size}`]] : [];
    return [isBox ? ["box", look, [x, y, width, height], 5] : ["line", look, `M${corners.map((point) => point.join(" ")).join("L")}Z`], ...strike];
  });
}

/* Return the shapes of the texts of one place from left to right; removed values are struck out, or counted. */
function drawRow({ "spot-found": found, "spot-left": left, "spot-lost": lost }) {
  const getSize = ([look, { look: word }]) => (look === "spot-by" ? TINY : look === "spot-found" && word ? FOUND_SIZE : SMALL);
  const getWidth = (part) => part[2].length * getSize(part) * LETTER_SIZE + (part[0] === "spot-by" ? 1 : 5);
  const name = (look) => (place) => [[look, place, place.label], ...(place.by ? [["spot-by", place, `←${place.by.join(" ")}`]] : [])];
  const by = [...new Set(lost.flatMap((place) => place.by || []))], spelt = lost.flatMap(name("spot-lost"));
  const isCounted = lost.length > MAX_SPELT || lost.some(({ label }) => !label) || (by.length && spelt.reduce((sum, part) => sum + getWidth(part), 0) > WIDE);
  const isTold = by.length <= MAX_SPELT && lost.every((place) => place.by);
  const last = isCounted ? name("spot-count")({ ...lost[0], label: `−${lost.length}`, by: isTold && by }) : spelt;
  const texts = [...found.flatMap(name("spot-found")), ...left.flatMap(name("spot-left")), ...last];
  const sizes = texts.map(getSize), widths = texts.map(getWidth);
  const { anchor: [start, y], frames, parts } = texts[0][1], isCentred = frames?.length === 1 && parts.length > 1 && frames[0].length === 4;
  let x = start - (isCentred ? (widths.reduce((sum, width) => sum + width) + 2 * (widths.length - 1)) / 2 : 0);
  return texts.flatMap(([look, { look: word }, words], i) => {
    const width = widths[i], size = sizes[i], at = [x + width / 2, y + (size - SMALL) / 2], left = x;
    x += width + 2;
    const strike = look === "spot-lost" ? [["line", "strike", `M${left} ${y}h${width}`]] : [];
    return [["box", `${look}${word}`, [...at, width, size + 2], 2], ["text", `${look}${word}`, at, size, words], ...strike];
  });
}
