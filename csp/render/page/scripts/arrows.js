/* Arrows from the causes of removals to the removed values, with the same rules as csp/picture/lines/arrows.py. */

import { createSvg, drawShape } from "./shapes.js";

const MANY = 80, COVER = 1.5, BUNDLED = 2.2, CLEAR = 12, BEND = 0.07, DIAGONAL = 0.06, SHORT = 13, CORNER = 3, STEEP = 8, ASIDE = 16, NUMBER = 10, LETTER_WIDTH = 0.64, LETTER_HEIGHT = 0.75;
const TAILS = [...Array(64).keys()].map((i) => (i + 6) / 80).sort((a, b) => Math.round(1e4 * (Math.abs(a - 0.3) - Math.abs(b - 0.3))) || a - b); // places of the count on an arrow, the best first

/* Return whether a form shows the number of removed values if they are many. */
const isCountable = ({ kind, style }) => kind === "cell" && style !== "size";

/* Return whether a vertex of a form shows only the number of values that the constraints of a scene remove. */
export const isCounted = (form, scene) => scene.constraints.size > 0 && scene.gone.size > MANY && isCountable(form);

/* Return the middle and the size of a vertex. */
export const findVertex = ({ data: { vertices, forms } }, v) => [vertices[v].x, vertices[v].y, ...forms[vertices[v].form].size];

/* Return the box of a value: its place, or the vertex if it does not write values in their places. */
export function findValue(film, v, value) {
  const [x, y] = findVertex(film, v), { style, places, values, slot } = film.data.forms[film.data.vertices[v].form];
  if (style !== "digits") return findVertex(film, v);
  const [p, q] = places[values.indexOf(value)];
  return [x + p, y + q, ...slot];
}

/* Return whether a vertex is a line of a board. */
const isLine = ({ data: { vertices, forms } }, v) => ["row", "column"].includes(forms[vertices[v].form].kind);

/* Return the box at which an arrow begins: half of its cause; on a board its fixed value, or the place of the removed one. */
function findStart(film, cause, removed) {
  const left = film.getRemaining(cause), value = left.length === 1 ? left[0] : removed;
  if (isLine(film, cause) && film.data.forms[film.data.vertices[cause].form].values.includes(value)) return findValue(film, cause, value);
  const [x, y, w, h] = findVertex(film, cause);
  return [x, y, w / 2, h / 2];
}

/* Return an arrow from each cause to each removed value, or to each changed vertex if a removal has several causes.
   `ends` are the middles of the cells that it joins. Constraints in `without` have none. */
function listArrows(film, { losses }, without) {
  const { width } = film, all = [], isDrawn = (v) => Math.min(...findVertex(film, v).slice(2)) > 0;
  for (const { constraint, causes, gone } of losses) {
    if (without.has(constraint)) continue;
    const candidates = gone.map((code) => [Math.floor(code / width), code % width]).filter(([v]) => isDrawn(v));
    const isShared = causes.length > 1, isFirst = ([v], i) => candidates.findIndex(([w]) => w === v) === i;
    for (const [v, value] of isShared ? candidates.filter(isFirst) : candidates) {
      const count = isShared ? candidates.filter(([w]) => w === v).length : 1;
      for (const cause of causes.filter((w) => w !== v && isDrawn(w))) {
        const end = isLine(film, v) ? findValue(film, v, value) : findVertex(film, v);
        const ends = [findStart(film, cause, value).slice(0, 2), end.slice(0, 2)];
        all.push({ cause, v, value, constraint, count, isShared, ends });
      }
    }
  }
  return all;
}

/* Return the distance of two points. */
const measure = ([x, y], [p, q]) => Math.hypot(p - x, q - y);

/* Return the direction from one point to another along a row, a column or a diagonal; else an empty text. */
function findDirection([x, y], [p, q]) {
  const dx = p - x, dy = q - y, [low, length] = [Math.abs(dx), Math.abs(dy)].sort((a, b) => a - b);
  return (low < 1 && length >= 1) || length - low < DIAGONAL * length ? `${Math.round(dx / length) + 0} ${Math.round(dy / length) + 0}` : "";
}

/* Return the arrows, or fewer that each represent several of them, if all would cover the picture: the longest one of each
   direction, else the shortest one. If even these are too many, return none. */
function bundleArrows(film, arrows) {
  const sizes = film.data.vertices.map((_, v) => findVertex(film, v).slice(2)), area = sizes.reduce((sum, [w, h]) => sum + w * h, 0);
  const fits = (members, most) => members.length <= (new Set(members.map(({ cause }) => cause)).size === 1 ? MANY : CLEAR)
    || members.reduce((sum, { v, ends }) => sum + measure(...ends) * Math.min(...sizes[v]), 0) / area <= most;
  if (fits(arrows, COVER)) return arrows;
  const bundles = new Map();
  for (const arrow of arrows) {
    const direction = findDirection(...arrow.ends), source = direction ? [arrow.isShared] : [arrow.cause, arrow.constraint];
    const key = [direction, ...source, arrow.isShared ? arrow.constraint : arrow.cause].join(" ");
    const bundle = bundles.get(key) || { kept: arrow, counts: new Map() }, longer = measure(...arrow.ends) - measure(...bundle.kept.ends);
    if (direction ? longer > 0 : longer < 0) bundle.kept = arrow;
    bundle.counts.set(arrow.v * film.width + arrow.value, arrow.count);
    bundles.set(key, bundle);
  }
  const kept = [...bundles.values()].map((bundle) => ({ ...bundle.kept, count: [...bundle.counts.values()].reduce((sum, count) => sum + count, 0) }));
  return fits(kept, BUNDLED) ? kept : [];
}

/* Return the part of a quadratic curve that lies outside of the boxes at its ends, as a cubic curve. */
function cutCurve(first, bend, second) {
  const blend = (s, t) => [0, 1].map((i) => (1 - s) * (1 - t) * first[i] + (s + t - 2 * s * t) * bend[i] + s * t * second[i]);
  const findBorder = ([x, y, w, h], inner, outer) => {
    for (let i = 0; i < 12; i++) {
      const middle = (inner + outer) / 2, [p, q] = blend(middle, middle);
      if (Math.abs(p - x) < w / 2 && Math.abs(q - y) < h / 2) inner = middle;
      else outer = middle;
    }
    return inner;
  };
  const start = findBorder(first, 0, 0.5), end = findBorder(second, 1, 0.5);
  const from = blend(start, start), to = blend(end, end), control = blend(start, end);
  return [from, ...[from, to].map((point) => point.map((length, i) => (length + 2 * control[i]) / 3)), to];
}

/* Return a curve along the border of the cells of a row or column, on the side of the removed value; null for neighbours. */
function followBorder(cause, target, end) {
  for (const [i, j] of [[0, 1], [1, 0]]) {
    const distance = target[i] - cause[i], size = cause.slice(2);
    if (Math.abs(target[j] - cause[j]) >= 1 || Math.abs(distance) <= 1.5 * size[i]) continue;
    const side = end[j] > target[j] + 1 ? 1 : -1, sign = Math.sign(distance), forward = sign * size[i] / 2, border = target[j] + side * (size[j] / 2 + 5);
    const corner = [end[i] - sign * end[2 + i] / 2, end[j] + side * (end[2 + j] / 2 - CORNER)]; // a steep head does not lie on the border
    return [
      [cause[i] + forward / 2, cause[j] + side * size[j] / 4], [cause[i] + forward * 1.5, border], [corner[0] - sign * STEEP, corner[1] + side * Math.max(STEEP, side * (border - corner[1]))], corner,
    ].map((point) => [point[i], point[j]]);
  }
  return null;
}

/* Return the curve of an arrow between the borders of two boxes, long enough for its head; `share` is its bend. */
function bendArrow(start, end, share) {
  const [x, y, w, h] = start, [p, q] = end, bend = [(x + p) / 2 + (q - y) * share, (y + q) / 2 - (p - x) * share];
  // A short arrow begins nearer to the middle of its cause.
  for (const part of [1, 0.5, 0.2]) {
    const curve = cutCurve([x, y, w * part, h * part], bend, end);
    if (measure(curve[0], curve[3]) >= SHORT) return curve;
  }
  return passAside(start, end);
}

/* Return a curve from the left or upper side of a box to the same side of another box. */
function passAside(start, end) {
  const [x, y] = start, [p, q] = end;
  const [i, j] = Math.abs(p - x) > Math.abs(q - y) ? [0, 1] : [1, 0], sides = [start, end].map((box) => box[j] - box[2 + j] / 2);
  const aside = Math.min(...sides) - ASIDE;
  return [[start[i], sides[0]], [start[i], aside], [end[i], aside], [end[i], sides[1]]].map((point) => [point[i], point[j]]);
}

/* Return the shapes of a count in white on a pill of the arrows' colour. */
export const createPill = (look, words, x, y) => [
  ["box", look, [x, y, words.length * NUMBER * LETTER_WIDTH + 5, NUMBER + 2], NUMBER / 2 + 1], ["text", look, [x, y], NUMBER, words]];

/* Return the box of a text or a pill: its middle, width and height. */
const getBox = ([shape, , at, size, words]) => (shape === "box" ? at : [...at, words.length * size * LETTER_WIDTH, size * LETTER_HEIGHT]);

/* Return the pill of a count at the first place on an arrow where it covers the smallest area. */
function placeCount(count, points, boxes) {
  const pills = TAILS.map((share) => {
    const weights = [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share * share * (1 - share), share ** 3];
    return createPill("times", `×${count}`, ...[0, 1].map((i) => points.reduce((sum, point, k) => sum + weights[k] * point[i], 0)));
  });
  const share = (first, second) => [0, 1].reduce((area, i) => (
    area * Math.max(0, Math.min((first[2 + i] + second[2 + i]) / 2 - Math.abs(first[i] - second[i]), first[2 + i], second[2 + i]))), 1);
  const covered = pills.map(([pill]) => boxes.reduce((sum, box) => sum + share(getBox(pill), box), 0));
  return pills[covered.indexOf(Math.min(...covered))];
}

/* Return the elements of the arrows of a scene, and of the counts of bundles of several removals. A count covers neither
   another count nor a text that `listTexts` returns, if its arrow has a free place. Without room for arrows, each cause
   shows how many values it removed. */
export function createArrows(film, scene, without, listTexts) {
  const form = (v) => film.data.forms[film.data.vertices[v].form], isCell = (v) => form(v).kind === "cell";
  const arrows = listArrows(film, scene, without), bundles = bundleArrows(film, arrows), isBundled = bundles.length < arrows.length;
  const boxes = bundles.length && isBundled ? listTexts().map(getBox) : [], pills = [];
  const shapes = bundles.map(({ cause, v, value, count, ends }) => {
    const end = isCounted(form(v), scene) ? findVertex(film, v) : findValue(film, v, value), start = findStart(film, cause, value);
    // On a board, arrows of one direction lie on each other; in a table, they pass beside the texts of a column.
    const direction = findDirection(...ends), share = isLine(film, v) && direction ? 0 : BEND, isColumn = form(v).kind === "row" && direction.startsWith("0");
    const border = isCell(cause) && isCell(v) && followBorder(findVertex(film, cause), findVertex(film, v), end);
    const curve = isColumn ? passAside(start, end) : border || bendArrow(start, end, share);
    const points = curve.map((point) => point.map((length) => Math.round(length * 10) / 10)), [[x, y], first, second, [p, q]] = points;
    if (count > 1 && isBundled) {
      pills.push(placeCount(count, curve, boxes));
      boxes.push(getBox(pills.at(-1)[0]));
    }
    return createSvg("path", { class: "hit", d: `M${x} ${y}C${first.join(" ")} ${second.join(" ")} ${p} ${q}` });
  });
  return bundles.length ? [...shapes, ...pills.flat().map((shape) => drawShape(shape))] : countCauses(film, arrows).map((shape) => drawShape(shape));
}

/* Return the shapes that count the removed values at the lower border of each cause. */
function countCauses(film, arrows) {
  const counts = new Map();
  for (const { cause, value, count } of arrows) counts.set(cause, [(counts.get(cause)?.[0] || 0) + count, counts.get(cause)?.[1] ?? value]);
  return [...counts].flatMap(([cause, [count, value]]) => {
    const [x, y, , h] = findStart(film, cause, value), height = isLine(film, cause) ? h : findVertex(film, cause)[3];
    return createPill("sent", `→×${count}`, x - 12, y + height / 2 + 2);
  });
}

/* Return the shapes that count the removed values of each cell at its lower border, if they are many. */
export function listCounts(film, scene) {
  const { vertices, forms } = film.data, counts = new Map();
  for (const code of scene.gone) {
    const v = Math.floor(code / film.width);
    if (isCounted(forms[vertices[v].form], scene)) counts.set(v, (counts.get(v) || 0) + 1);
  }
  return [...counts].flatMap(([v, count]) => {
    const [x, y, , height] = findVertex(film, v);
    return createPill("loss", `−${count}`, x + 15, y + height / 2 + 2);
  });
}
