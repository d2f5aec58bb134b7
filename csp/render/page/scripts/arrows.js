/* Arrows from the causes of removals to the removed values, with the same rules as csp/picture/lines/arrows.py. */

import { createSvg, drawShape } from "./shapes.js";
import { bendCorners, measure, SHORT, Streets } from "./streets.js";

const MANY = 80, COVER = 2.2, CLEAR = 12, BEND = 0.07, DIAGONAL = 0.06, ARCHED = 0.2, NARROW = 50, RIM = 4.5, INTO = 3, BELOW = 7, WITHIN = 6, SHORTEST = 14, HEAD = 12, STEP = 2, HALF_HEAD = 3.5, SPACING = 3, TAIL = 5, ASIDE = 16, NUMBER = 10, LETTER_WIDTH = 0.64, WORD = 0.52, DIGITS = 3, LETTER_HEIGHT = 0.75;
/* Return the places of the count on an arrow, those near a share of its length first. */
const listShares = (best) => [...Array(69).keys()].map((i) => (i + 6) / 80).sort((a, b) => Math.round(1e4 * (Math.abs(a - best) - Math.abs(b - best))) || a - b);
const TAILS = listShares(0.3), TURNED = listShares(0.6); // TURNED: with bends, the start is common to several arrows

const TINTED = ["hit", "hit second", "hit third", "hit fourth", "hit fifth", "hit sixth"]; // the looks of the tints of arrows

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

/* Return the form of a vertex. */
const findForm = ({ data: { vertices, forms } }, v) => forms[vertices[v].form];

/* Return whether a vertex is a line of a board. */
const isLine = (film, v) => ["row", "column"].includes(findForm(film, v).kind);

/* Return whether a vertex is a row of a table or ruler, which shows its values as texts. */
const isTable = (film, v) => findForm(film, v).kind === "row" && !findForm(film, v).whole.head;

/* Return the box `WITHIN` points inside of the border of a cell. */
const findInside = ([x, y, w, h]) => [x, y, w - 2 * WITHIN, h - 2 * WITHIN];

/* Return the boxes at one of which an arrow ends: the struck values, or most of a cell without values in their places; on a
   board or in a table the first value. */
function findEnds(film, v, values, isFull) {
  const form = findForm(film, v);
  if (isCountable(form) && (isFull || form.style !== "digits")) return [findInside(findVertex(film, v))];
  const boxes = values.map((value) => findValue(film, v, value)), [x, y, w, h] = boxes[0];
  return isLine(film, v) ? [isTable(film, v) ? [x, y, w - 2 * INTO, h] : findInside(boxes[0])] : boxes;
}

/* Return a point in whole points, as a text. Middles of values, which may be halves, are not between two results. */
const getPoint = (x, y) => `${Math.floor(x + 0.25)} ${Math.floor(y + 0.25)}`;

/* Return the box at which an arrow begins: half of its cause; on a board or in a table the remaining value nearest to the
   removed one. */
function findStart(film, cause, removed) {
  const left = film.getRemaining(cause), { values } = findForm(film, cause), at = Math.max(0, values.indexOf(removed));
  const getDistance = (own) => Math.abs(values.indexOf(own) - at);
  if (isLine(film, cause) && left.length) return findValue(film, cause, left.reduce((best, own) => (getDistance(own) < getDistance(best) ? own : best)));
  const [x, y, w, h] = findVertex(film, cause);
  return [x, y, w / 2, h / 2];
}

/* Return whether a cell shows a value as a text in its place; `places` are the middles of all texts. */
function isValueWritten(film, v, value, places) {
  const { kind, style, values } = findForm(film, v);
  return kind === "cell" && style === "digits" && values.includes(value) && places.has(getPoint(...findValue(film, v, value)));
}

/* Return an arrow from each cause to each vertex that it removed values from; on boards and in tables to each value. If a
   removal has several causes, an arrow leads from the nearest one to each changed vertex, and ties join the causes; on
   boards and in tables each cause has an arrow. `ends` are the middles of the cells that it joins. Constraints in `without`
   have none. */
function listArrows(film, { losses }, without) {
  const { width } = film, all = new Map(), joined = new Set(), isDrawn = (v) => Math.min(...findVertex(film, v).slice(2)) > 0, getDistance = (v, w) => Math.round(10 * measure(findVertex(film, v), findVertex(film, w)));
  for (const { constraint, causes, gone } of losses) {
    if (without.has(constraint)) continue;
    const candidates = gone.map((code) => [Math.floor(code / width), code % width]).filter(([v]) => isDrawn(v)), drawn = causes.filter(isDrawn);
    const isShared = causes.length > 1, isTied = isShared && ![...drawn, ...candidates.map(([v]) => v)].some((v) => isLine(film, v));
    const key = (cause) => (isShared ? `${constraint}: ${causes}` : `${cause}`), getPair = (v, w) => `${constraint}: ${isShared ? causes : ""} ${Math.min(v, w)} ${Math.max(v, w)}`;
    const create = (cause, v, value) => {
      const end = isLine(film, v) ? findValue(film, v, value) : findVertex(film, v), ends = [findStart(film, cause, value).slice(0, 2), end.slice(0, 2)];
      return { cause, v, value, constraint, values: [], count: 0, isShared, key: key(cause), ends };
    };
    for (const [v, value] of candidates) {
      const others = drawn.filter((w) => w !== v);
      for (const cause of isTied ? others.sort((a, b) => getDistance(v, a) - getDistance(v, b)).slice(0, 1) : others) {
        // The first value has the arrow, and the others of the vertex join it.
        const name = [cause, v, isLine(film, v) && !isShared ? `at ${value}` : key(cause)].join(" ");
        if (!all.has(name)) all.set(name, create(cause, v, value));
        all.get(name).count = all.get(name).values.push(value);
        joined.add(getPair(cause, v));
      }
    }
    // An arrow from one cause to another one joins them, too.
    for (const [first, second] of isTied && candidates.length ? listTies(drawn, getDistance) : []) {
      const pair = getPair(first, second);
      if (!joined.has(pair)) all.set(`tie ${pair}`, create(first, second, findForm(film, second).values[0]));
      joined.add(pair);
    }
  }
  return [...all.values()];
}

/* Return the pairs of causes on a shortest tree that joins them (Prim's algorithm). */
function listTies([first, ...others], getDistance) {
  const nearest = new Map(others.map((v) => [v, first])), ties = [];
  while (nearest.size) {
    const [added, near] = [...nearest].reduce((best, pair) => (getDistance(...pair) < getDistance(...best) ? pair : best));
    ties.push([near, added]);
    nearest.delete(added);
    for (const [v, known] of nearest) if (getDistance(v, added) < getDistance(v, known)) nearest.set(v, added);
  }
  return ties;
}

/* Return the direction from one point to another along a row, a column or a diagonal; else an empty text. */
function findDirection([x, y], [p, q]) {
  const dx = p - x, dy = q - y, [low, length] = [Math.abs(dx), Math.abs(dy)].sort((a, b) => a - b);
  return (low < 1 && length >= 1) || length - low < DIAGONAL * length ? `${Math.round(dx / length) + 0} ${Math.round(dy / length) + 0}` : "";
}

/* Return the direction of an arrow that may share its line with others: between cells a row or a column. */
function findShared(film, { v, ends }) {
  const direction = findDirection(...ends), isDiagonal = direction && !direction.split(" ").includes("0");
  return isDiagonal && findForm(film, v).kind === "cell" ? "" : direction;
}

/* Return the arrows, or fewer that each represent several of them, if all are too many or would cover the picture: the
   longest one of each direction, else the shortest one. If even these are too many, or in a table, return none. */
function bundleArrows(film, scene, arrows) {
  const sizes = film.data.vertices.map((_, v) => findVertex(film, v).slice(2)), area = sizes.reduce((sum, [w, h]) => sum + w * h, 0);
  const fits = (members) => {
    if (members.length <= (new Set(members.map(({ cause }) => cause)).size === 1 ? MANY : CLEAR)) return true;
    const covered = new Map();
    members.forEach((arrow, i) => {
      const direction = findShared(film, arrow), line = direction ? `${arrow.cause} ${direction}` : i;
      covered.set(line, Math.max(covered.get(line) || 0, measure(...arrow.ends) * Math.min(...sizes[arrow.v])));
    });
    return [...covered.values()].reduce((sum, length) => sum + length, 0) / area <= COVER;
  };
  if (scene.gone.size <= MANY && fits(arrows)) return arrows;
  const bundles = new Map();
  for (const arrow of arrows.filter(({ count }) => count)) {
    const direction = findShared(film, arrow), source = direction ? [arrow.isShared] : [arrow.cause, arrow.constraint];
    const key = [direction, ...source, arrow.isShared ? arrow.constraint : arrow.cause].join(" ");
    const bundle = bundles.get(key) || { kept: arrow, counts: new Map() }, longer = measure(...arrow.ends) - measure(...bundle.kept.ends);
    if (direction ? longer > 0 : longer < 0) bundle.kept = arrow;
    bundle.counts.set(arrow.v * film.width + arrow.value, arrow.count);
    bundles.set(key, bundle);
  }
  const kept = [...arrows.filter(({ count }) => !count), ...[...bundles.values()].map((bundle) => ({ ...bundle.kept, count: [...bundle.counts.values()].reduce((sum, count) => sum + count, 0) }))];
  return fits(kept) && !kept.some(({ v }) => isTable(film, v)) ? kept : [];
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
function getBox([shape, , at, size, words]) {
  if (shape !== "text") return at;
  const [width, height] = words.length > DIGITS ? [WORD, 1] : [LETTER_WIDTH, LETTER_HEIGHT];
  return [...at, words.length * size * width, size * height];
}

/* Return the box that arrows avoid: they may touch the rim of a sign. */
function getObstacle(shape) {
  const [x, y, w, h] = getBox(shape), rim = shape[0] === "text" ? 0 : RIM;
  return [x, y, w - 2 * rim, h - 2 * rim];
}

/* Return the point of a cubic curve at a share. */
function findPoint(points, share) {
  const weights = [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share * share * (1 - share), share ** 3];
  return [0, 1].map((i) => points.reduce((sum, point, k) => sum + weights[k] * point[i], 0));
}

/* Return the places of a count beside a short arrow, which it would cover. */
function listBeside([[x, y], , , [p, q]]) {
  const [dx, dy] = Math.abs(q - y) > Math.abs(p - x) ? [13, 0] : [0, 9];
  return [0.3, 0.5, 0.7].flatMap((share) => [1, -1].map((side) => [x + (p - x) * share + side * dx, y + (q - y) * share + side * dy]));
}

/* Return the places of a count on a line through corners. */
function listPlaces(corners) {
  const lengths = [0];
  corners.slice(1).forEach((corner, i) => lengths.push(lengths[i] + measure(corners[i], corner)));
  return TURNED.map((share) => {
    const at = share * lengths.at(-1), i = lengths.slice(1).findIndex((length) => length >= at), part = (at - lengths[i]) / (lengths[i + 1] - lengths[i]);
    return [0, 1].map((k) => corners[i][k] + (corners[i + 1][k] - corners[i][k]) * part);
  });
}

/* Return the pill of a count at the first place on an arrow where it covers the smallest area. */
function placeCount(count, points, boxes) {
  const isShort = measure(points[0], points.at(-1)) < NARROW, listOnCurve = () => TAILS.map((share) => findPoint(points, share));
  const places = points.length > 4 ? listPlaces(points.filter((_, i) => i % 3 === 0)) : isShort ? listBeside(points) : listOnCurve();
  const pills = places.map((place) => createPill("times", `×${count}`, ...place));
  const share = (first, second) => [0, 1].reduce((area, i) => (
    area * Math.max(0, Math.min((first[2 + i] + second[2 + i]) / 2 - Math.abs(first[i] - second[i]), first[2 + i], second[2 + i]))), 1);
  const covered = [];
  while (covered.at(-1) !== 0 && covered.length < pills.length) {
    const place = getBox(pills[covered.length][0]);
    covered.push(Math.round(10 * boxes.reduce((sum, box) => sum + share(place, box), 0)) / 10);
  }
  return pills[covered.indexOf(Math.min(...covered))];
}

/* Return the box in a cell at which the lines of a cause begin: its only value, in its place or in the middle. Of several
   values none is the reason: it is the whole cell. A tie only leads into the border of a cell. */
function findCause(film, v, places, isTie) {
  const [value, ...others] = film.getRemaining(v), [x, y, w, h] = findVertex(film, v);
  if (value === undefined || others.length) return [x, y, w, h];
  return isValueWritten(film, v, value, places) ? findValue(film, v, value) : isTie ? findInside([x, y, w, h]) : [x, y, w / 2, h / 2];
}

/* Return a straight route with its start moved back if it is shorter than `SHORTEST`; others stay. */
function lengthen(route) {
  const [[x, y], [p, q]] = route, length = Math.hypot(x - p, y - q), factor = SHORTEST / length;
  return route.length > 2 || !length || factor < 1 ? route : [[p + (x - p) * factor, q + (y - q) * factor], [p, q]];
}

/* Return whether a point is inside a box or at most `reach` beside it. */
function isInside([x, y, w, h], [p, q], reach = 0) {
  return Math.abs(p - x) < w / 2 + reach && Math.abs(q - y) < h / 2 + reach;
}

/* Return a route that ends at the border of its last cell if it would cross a value that stays there. */
function stopBefore(route, cell, kept) {
  const [[a, b], [c, d]] = route.slice(-2), length = Math.hypot(c - a, d - b);
  const values = kept.filter((box) => isInside(cell, box)), find = (step) => [c + (a - c) * step * STEP / length, d + (b - d) * step * STEP / length];
  // Go back from the end to the border.
  const steps = [...Array(length ? Math.floor(length / STEP) + 1 : 0).keys()], border = steps.find((step) => !isInside(cell, find(step))) ?? steps.length;
  const isCrossed = (step) => values.some((box) => isInside(box, find(step), step * STEP < HEAD ? HALF_HEAD : 0));
  if (!length || !steps.slice(0, border).some(isCrossed)) return route;
  return [...route.slice(0, -1), find(border - 1).map((at) => Math.round(10 * at) / 10)];
}

/* Return the texts and signs that arrows cover, as in csp/picture/lines/crossed.py: they are drawn again above the arrows. */
function listCrossed(shapes, curves) {
  const candidates = shapes.filter(([shape, look]) => (shape === "text" ? !/\b(gone|spot-lost)\b/.test(look) : look !== "blank") && !/^(loss|taker)/.test(look));
  const boxes = candidates.map(getBox), crossed = new Set();
  for (const curve of curves) {
    const corners = curve.length > 4 ? curve.filter((_, i) => i % 3 === 0) : [...Array(9).keys()].map((i) => findPoint(curve, i / 8));
    corners.slice(1).forEach(([p, q], i) => {
      const [x, y] = corners[i], count = Math.ceil(measure([x, y], [p, q]) / SPACING);
      const area = [(x + p) / 2, (y + q) / 2, Math.abs(p - x), Math.abs(q - y)];
      const near = boxes.map((_, k) => k).filter((k) => isInside([area[0], area[1], area[2] + boxes[k][2], area[3] + boxes[k][3]], boxes[k], HALF_HEAD));
      for (let n = 1; near.length && n <= count; n += 1) {
        const at = [x + (p - x) * n / count, y + (q - y) * n / count], reach = measure(at, curve.at(-1)) < HEAD ? HALF_HEAD : 0;
        if (measure(at, curve[0]) > TAIL) near.filter((k) => isInside(boxes[k], at, reach)).forEach((k) => crossed.add(k));
      }
    });
  }
  // The text of a crossed box stays above the box.
  const covers = [...crossed].filter((k) => candidates[k][0] !== "text").map((k) => boxes[k]);
  return candidates.filter(([shape], k) => crossed.has(k) || (shape === "text" && covers.some((box) => isInside(box, boxes[k]))));
}

/* Return arrows with their curves and tints. Between cells, and in tables, these run through the streets and avoid texts. */
function drawCurves(film, scene, arrows, texts) {
  const isCell = (v) => findForm(film, v).kind === "cell", cells = film.data.vertices.map((_, v) => v).filter(isCell);
  const obstacles = texts.filter(([, look]) => !look.startsWith("loss")).map(getObstacle), isFull = scene.gone.size > MANY;
  const streets = new Streets(cells.map((v) => findVertex(film, v)), obstacles, film.data.streets), places = new Set(obstacles.map(([x, y]) => getPoint(x, y)));
  const kept = texts.filter(([shape, look]) => shape === "text" && !/\bgone\b|^loss/.test(look)).map(getBox);
  const findCell = (v, [x, y]) => (isLine(film, v) ? [x, y, ...findForm(film, v).slot] : findVertex(film, v));
  const curves = arrows.map((arrow) => {
    const { cause, v, value, values, count, ends, key } = arrow, both = [cause, v];
    let start = findStart(film, cause, value), boxes = count ? findEnds(film, v, values, isFull) : [findStart(film, v, value)], points;
    const first = findCell(cause, start), second = findCell(v, boxes[0]);
    if (both.every((w) => isCell(w) || isTable(film, w))) {
      start = isCell(cause) ? findCause(film, cause, places, !count) : findInside(first);
      if (!count) boxes = [findCause(film, v, places, true)];
      const route = streets.findRoute(first, second, start, boxes, key);
      points = bendCorners(lengthen(isCell(v) && count ? stopBefore(route, second, kept) : route));
    } else {
      // Between cards, the arrow leaves their straight edge free. On a board, arrows of one direction lie on each other.
      if (both.every((w) => findForm(film, w).kind === "card")) points = bendArrow(first, second, ARCHED);
      else points = bendArrow(start, boxes[0], both.every((w) => isLine(film, w)) && findDirection(...ends) ? 0 : BEND);
      streets.visit([first, second], points, key);
    }
    return points.map((point) => point.map((length) => Math.round(length * 10) / 10));
  });
  const tints = streets.numberTints();
  return arrows.map((arrow, i) => ({ ...arrow, points: curves[i], look: TINTED[tints.get(arrow.key) || 0] + (arrow.count ? "" : " tie") }));
}

/* Return whether a label covers the end of an arrow: the lower border of a cell, or a square. */
function isLabelled(film, { v, value }, labels) {
  const isSquare = isLine(film, v), [x, top, , h] = isSquare ? findValue(film, v, value) : findVertex(film, v), y = top + (isSquare ? 0 : h / 2);
  return labels.some(([shape, , [p, q, w, high]]) => shape === "box" && Math.abs(x - p) < w / 2 && Math.abs(y - q) < high / 2);
}

/* Return the elements of the arrows of a scene, and of the counts of bundles of several removals. A count covers neither
   another count nor a text that `listTexts` returns, if its arrow has a free place. Without room for arrows, each cause
   shows how many values it removed. */
export function createArrows(film, scene, without, listTexts) {
  // Where the label of a failure names the reason, an arrow would repeat it below the label.
  const labels = scene.failed.size ? listTexts().filter(([, look]) => look === "taker worded") : [];
  const all = listArrows(film, scene, without).filter((arrow) => !isLabelled(film, arrow, labels)), order = [...new Set(all.map(({ cause }) => cause))], length = ({ ends }) => Math.round(10 * measure(...ends));
  const bundles = bundleArrows(film, scene, all).sort((a, b) => order.indexOf(a.cause) - order.indexOf(b.cause) || length(a) - length(b));
  if (!bundles.length) return countCauses(film, all).map((shape) => drawShape(shape));
  const texts = listTexts(), arrows = drawCurves(film, scene, bundles, texts), pills = [];
  const boxes = [...texts.map(getBox), ...arrows.map(({ points }) => [...points.at(-1), HEAD, HEAD])];
  for (const { count, points } of bundles.length < all.length ? arrows : []) {
    if (count <= 1) continue;
    pills.push(placeCount(count, points, boxes));
    boxes.push(getBox(pills.at(-1)[0]));
  }
  // Below all arrows, those between cells have a white rim over the borders of cells.
  const draw = (look, { points: [first, ...rest] }) => createSvg("path", {
    class: look, d: `M${first.join(" ")}${rest.map((point, i) => (i % 3 ? " " : "C") + point.join(" ")).join("")}` });
  const rims = arrows.filter(({ cause, v }) => [cause, v].every((w) => findForm(film, w).kind === "cell")).map((arrow) => draw("casing", arrow));
  const above = listCrossed(texts, arrows.map(({ points }) => points)).sort((a, b) => (a[0] === "text") - (b[0] === "text"));
  // The text of a clue that acted has its frame. Another text has a rim, if it is not on another shape.
  const frames = scene.signs.map((i) => film.data.tokens[i]).filter(([, look]) => look === "acted");
  const covers = above.filter(([shape]) => shape !== "text").map(getBox);
  const lift = (shape) => {
    const isText = shape[0] === "text", frame = isText && frames.find(([, , at]) => measure(at, shape[2]) < 1);
    const isAlone = isText && !frame && !covers.some((box) => isInside(box, getBox(shape)));
    return [...(frame ? [drawShape(frame, "mark")] : []), drawShape(shape, isAlone ? "mark backed" : "mark")];
  };
  return [...rims, ...arrows.map((arrow) => draw(arrow.look, arrow)), ...pills.flat().map((shape) => drawShape(shape)), ...above.flatMap(lift)];
}

/* Return the shapes that count the removed values at the lower border of each cause, in a table below its name. */
function countCauses(film, arrows) {
  const counts = new Map();
  for (const { cause, value, count } of arrows) counts.set(cause, [(counts.get(cause)?.[0] || 0) + count, counts.get(cause)?.[1] ?? value]);
  return [...counts].flatMap(([cause, [count, value]]) => {
    const [x, y, , h] = findStart(film, cause, value);
    const place = isTable(film, cause) ? [findVertex(film, cause)[0] + findForm(film, cause).whole.name[0][2][0], y + h / 2] : [x - 12, isLine(film, cause) ? y + h / 2 + 2 : findBelow(film, cause)];
    return createPill("sent", `→×${count}`, ...place);
  });
}

/* Return the height of the middle of a count in the gap below a cell. */
const findBelow = (film, v) => findVertex(film, v)[1] + findVertex(film, v)[3] / 2 + Math.min(BELOW, film.data.streets[0]);

/* Return the shapes that count the removed values of each cell at its lower border, if they are many. */
export function listCounts(film, scene) {
  const { vertices, forms } = film.data, counts = new Map();
  for (const code of scene.gone) {
    const v = Math.floor(code / film.width);
    if (isCounted(forms[vertices[v].form], scene)) counts.set(v, (counts.get(v) || 0) + 1);
  }
  return [...counts].flatMap(([v, count]) => {
    return createPill("loss", `−${count}`, findVertex(film, v)[0] + 15, findBelow(film, v));
  });
}
