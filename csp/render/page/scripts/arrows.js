/* Arrows from the causes of removals to the removed values, with the same rules as csp/picture/lines/arrows.py. */

import { createSvg, createText } from "./shapes.js";

const MANY = 80, CROWDED = 40, BEND = 0.07, ASIDE = 8;

/* Return whether a form shows the number of removed values if they are many. */
const isCountable = ({ kind, style }) => kind === "cell" && style !== "size";

/* Return whether a vertex of a form shows only the number of values that the constraints of a scene remove. */
export const isCounted = (form, scene) => scene.constraints.size > 0 && scene.gone.size > MANY && isCountable(form);

/* Return the distance of two vertices. */
const measure = ({ x, y }, { x: p, y: q }) => Math.hypot(p - x, q - y);

/* Return the arrows of a scene: cause, target, value, and the number of removals. Constraints in `without` have none. */
export function listArrows(film, { losses }, without) {
  const { width, data: { vertices } } = film, all = [];
  for (const { constraint, causes, gone } of losses) {
    if (without.has(constraint)) continue;
    const candidates = gone.map((code) => [Math.floor(code / width), code % width]);
    const targets = causes.length === 1 ? candidates : candidates.filter(([v], i) => candidates.findIndex(([w]) => w === v) === i);
    for (const [v, value] of targets) for (const cause of causes) if (cause !== v) all.push([cause, v, value, 1, constraint]);
  }
  if (all.length <= MANY) return all;
  // Keep the shortest arrow of each cause and constraint, or of each cause.
  const hasFew = new Set(all.map((arrow) => `${arrow[0]} ${arrow[4]}`)).size <= CROWDED;
  const bundles = new Map(), long = ([cause, v]) => measure(vertices[cause], vertices[v]);
  for (const arrow of all) {
    const key = hasFew ? `${arrow[0]} ${arrow[4]}` : arrow[0], best = bundles.get(key);
    const kept = best && long(best) <= long(arrow) ? best : [...arrow];
    kept[3] = (best?.[3] || 0) + 1;
    bundles.set(key, kept);
  }
  return [...bundles.values()];
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
    const side = end[j] > target[j] + 1 ? 1 : -1, forward = Math.sign(distance) * size[i] / 2, border = target[j] + side * (size[j] / 2 + 2);
    return [
      [cause[i] + forward / 2, cause[j] + side * size[j] / 4], [cause[i] + forward * 1.5, border], [end[i] - forward, border],
      [end[i], end[j] + side * end[2 + j] / 2],
    ].map((point) => [point[i], point[j]]);
  }
  return null;
}

/* Return the elements of the arrows of a scene, and of the numbers beside arrows that stand for several removals. */
export function createArrows(film, scene, without) {
  const { vertices, forms } = film.data, form = (v) => forms[vertices[v].form];
  const whole = (v) => [vertices[v].x, vertices[v].y, ...form(v).size];
  // The box of a value is its place, or the vertex if it does not write values in their places.
  const findBox = (v, value) => {
    if (form(v).style !== "digits") return whole(v);
    const { places, values, slot } = form(v), [p, q] = places[values.indexOf(value)];
    return [vertices[v].x + p, vertices[v].y + q, ...slot];
  };
  // On a board an arrow begins at the fixed value of its cause, or else at the place of the removed value.
  const findStart = (cause, removed) => {
    const { kind, values } = form(cause), left = film.getRemaining(cause), value = left.length === 1 ? left[0] : removed;
    if (["row", "column"].includes(kind) && values.includes(value)) return findBox(cause, value);
    const [p, q, w, h] = whole(cause);
    return [p, q, w / 2, h / 2];
  };
  return listArrows(film, scene, without).filter((arrow) => Math.min(...form(arrow[0]).size, ...form(arrow[1]).size)).flatMap(([cause, v, value, count]) => {
    const end = isCounted(form(v), scene) ? whole(v) : findBox(v, value), start = findStart(cause, value);
    const bend = [(start[0] + end[0]) / 2 + (end[1] - start[1]) * BEND, (start[1] + end[1]) / 2 - (end[0] - start[0]) * BEND];
    const areCells = form(cause).kind === "cell" && form(v).kind === "cell";
    const curve = (areCells && followBorder(whole(cause), whole(v), end)) || cutCurve(start, bend, end);
    const [[x, y], first, second, [p, q]] = curve.map((point) => point.map((length) => Math.round(length * 10) / 10));
    const arrow = createSvg("path", { class: "hit", d: `M${x} ${y}C${first.join(" ")} ${second.join(" ")} ${p} ${q}` });
    const share = ASIDE / Math.max(Math.hypot(p - x, q - y), 1);
    const place = [(x + 3 * (first[0] + second[0]) + p) / 8 - (q - y) * share, (y + 3 * (first[1] + second[1]) + q) / 8 + (p - x) * share];
    return count > 1 ? [arrow, createText(count, ...place, 10, "times")] : [arrow];
  });
}

/* Return the elements that count the removed values of each cell at its lower border, if they are many. */
export function createCounts(film, scene) {
  const { vertices, forms } = film.data, counts = new Map();
  for (const code of scene.gone) {
    const v = Math.floor(code / film.width);
    if (isCounted(forms[vertices[v].form], scene)) counts.set(v, (counts.get(v) || 0) + 1);
  }
  return [...counts].flatMap(([v, count]) => {
    const { x, y, form } = vertices[v], low = y + forms[form].size[1] / 2 + 2;
    return [createSvg("rect", { class: "loss", x: x - 9, y: low - 5, width: 18, height: 10, rx: 3 }), createText(`−${count}`, x, low, 9, "loss")];
  });
}
