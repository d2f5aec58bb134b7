/* Signs of helpers, the vertices that are not drawn, at their places, with the same rules as csp/picture/lines/touched.py. */

import { decodeLetter } from "./film.js";

export const MAX_FRAMES = 8; // maximum number of frames of one kind
const MAX_VALUES = 8, MAX_LEFT = 3, MAX_SPELT = 2, SMALL = 12, LETTER_SIZE = 0.64, CELL = 60, INSIDE = 11, APART = 3, NESTED = 4;
const MAX_TEXT = 30, MAX_CELLS = 4; // as in csp/picture/helpers.py

/* Return the place and the text of the value of a helper; null if the picture cannot show it. */
function findPlace({ data: { helpers, spots, labels, vertices }, width }, code) {
  const v = Math.floor(code / width), helper = helpers?.[v], i = vertices[v].domain.indexOf(code % width);
  if (!helper || helper.spots[i] === " ") return null;
  const [anchor, frames, parts] = spots[decodeLetter(helper.spots, i)];
  return { v, anchor, frames, parts, label: labels[decodeLetter(helper.labels, i)], look: helper.number ? " number" : "", helper, needs: [helper.needs?.[i] ?? []].flat() };
}

/* Return whether a removal of a helper follows from that of a drawn value, so that a picture of many steps does not show it. */
const isRepeated = (film, code) => (findPlace(film, code)?.needs || []).some((need) => !film.alive[need]);

/* Return the removed values of a scene without those of helpers that follow from it. */
export const listOwnRemovals = (film, codes) => codes.filter((code) => !isRepeated(film, code));

/* Return a long list or sum with its first and last member only, as in csp/picture/helpers.py. */
function shortenExpression(text) {
  const middle = text.length > MAX_TEXT && /(, | \+ )(.*)\1/.exec(text);
  let depth = 0;
  const isOneList = middle && [...middle[2]].every((character) => (depth += { "(": 1, ")": -1 }[character] || 0) >= 0);
  return isOneList ? text.replace(middle[0], () => `${middle[1]}…${middle[1]}`) : text;
}

/* Return the number of values that helpers without a place lost, as a text by family. */
export function describeUnseen(film, codes) {
  const counts = new Map();
  for (const code of codes) {
    const v = Math.floor(code / film.width);
    if (film.isDrawn(v) || findPlace(film, code)) continue;
    const family = shortenExpression(film.data.vertices[v].name.replace(/^(\w+)\([^()]*\)$/, "$1")), name = /^\w+$/.test(family) || family.length <= MAX_TEXT ? family : "expressions";
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (counts.size > MAX_CELLS) return `not drawn: ${total} values of ${counts.size} expressions`;
  const words = [...counts].map(([name, count]) => `${count} value${count > 1 ? "s" : ""} of ${name}`);
  return words.length ? `not drawn: ${words.join(", ")}` : "";
}

/* Return the places that changed helpers have found, or causes of a step, and the remaining places of a step. */
function listRemaining(film, changed, causes, isOneStep) {
  const acted = [...new Set([...changed, ...(isOneStep ? causes : [])])];
  const places = acted.map((v) => film.getRemaining(v).map((value) => findPlace(film, v * film.width + value)).filter(Boolean));
  const isOpen = ({ needs }) => needs.some((code) => film.getRemaining(Math.floor(code / film.width)).length > 1);
  const found = places.filter((own, i) => own.length === 1 && film.getRemaining(acted[i]).length === 1 && isOpen(own[0])).flat();
  const images = places.filter((own, i) => own[0]?.helper.number && changed.includes(acted[i])), isFew = isOneStep && images.length <= MAX_LEFT;
  return [found, isFew ? images.filter(({ length }) => length > 1 && length <= MAX_VALUES).flat() : []];
}

/* Return the shapes of what helpers lost, of what remains in a step, and of what they found. */
export function listHelperSigns(film, { gone, causes, failed, isOneStep }) {
  if (!film.data.helpers || failed.size) return [];
  const codes = isOneStep ? [...gone] : listOwnRemovals(film, [...gone]);
  const lost = codes.map((code) => ({ place: findPlace(film, code), value: film.data.values[code % film.width] })).filter(({ place }) => place);
  const frames = new Map();
  for (const { place, value } of lost.filter(({ place: { label } }) => !label)) {
    const look = place.helper.truth ? (value === "0" ? "held" : "refused") : "touched";
    place.frames.forEach((frame) => frames.set(`${look} ${frame}`, [look, frame]));
  }
  const areFramed = frames.size <= MAX_FRAMES, places = lost.map(({ place }) => place);
  // Collect the texts at each place: found values, remaining values, removed ones.
  const rows = new Map(), changed = [...new Set(places.filter(({ helper, needs }) => helper.number || needs.length > 1).map(({ v }) => v))];
  const [found, left] = listRemaining(film, changed, causes, isOneStep);
  const others = areFramed ? [] : places.filter(({ label }) => !label).flatMap(({ parts }) => parts.map((anchor) => ({ anchor, label: "", look: "" })));
  for (const [look, shown] of [["spot-found", found], ["spot-left", left], ["spot-lost", [...places.filter(({ label }) => label), ...others]]]) {
    for (const place of shown) {
      const key = place.anchor.join();
      if (!rows.has(key)) rows.set(key, { "spot-found": [], "spot-left": [], "spot-lost": [] });
      rows.get(key)[look].push(place);
    }
  }
  const drawn = areFramed ? listFrames([...frames.values()]) : [];
  return [...drawn, ...[...rows.values()].flatMap(drawRow)];
}

/* Return the boxes of frames; of overlapping frames each has sides of its own. */
function listFrames(frames) {
  const ranks = [], sorted = frames.toSorted(([look, a], [other, b]) => a.map((number, i) => number - b[i]).find((difference) => difference) || (look < other ? -1 : 1));
  const areApart = ([x, y, w, h], [s, t, v, u]) => Math.abs(x - s) >= (w + v) / 2 || Math.abs(y - t) >= (h + u) / 2;
  return sorted.map(([look, frame], i) => {
    const [x, y, w, h] = frame, used = new Set(ranks.filter((_, j) => j < i && !areApart(frame, sorted[j][1])));
    ranks.push(Math.max(0, Array.from({ length: NESTED }, (_, rank) => rank).findIndex((rank) => !used.has(rank))));
    const inside = (Math.min(w, h) >= CELL ? INSIDE : -INSIDE) + 2 * APART * ranks[i];
    return ["box", look, [x, y, w - inside, h - inside], 5];
  });
}

/* Return the shapes of the texts of one place from left to right; removed values are struck out, or counted. */
function drawRow({ "spot-found": found, "spot-left": left, "spot-lost": lost }) {
  const isCounted = lost.length > MAX_SPELT || lost.some(({ label }) => !label), name = (look) => (place) => [look, place];
  const last = isCounted ? [["spot-count", { ...lost[0], label: `−${lost.length}` }]] : lost.map(name("spot-lost"));
  const texts = [...found.map(name("spot-found")), ...left.map(name("spot-left")), ...last];
  let [x] = texts[0][1].anchor;
  return texts.flatMap(([look, { anchor: [, y], label, look: word }]) => {
    const width = label.length * SMALL * LETTER_SIZE + 5, at = [x + width / 2, y], start = x;
    x += width + 2;
    const strike = look === "spot-lost" ? [["line", "strike", `M${start} ${y}h${width}`]] : [];
    return [["box", `${look}${word}`, [...at, width, SMALL + 2], 2], ["text", `${look}${word}`, at, SMALL, label], ...strike];
  });
}
