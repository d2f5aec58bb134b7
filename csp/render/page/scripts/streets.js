/* Routes of arrows through the streets, the gaps between cells, by the same rules as csp/picture/lines/streets.py. A box is
   its middle, width and height. */

const CROSS_TEXT = 1000, CROSS_CELL = 200, LIE_ON_ARROW = 40, CROSS_HEAD = 200, CROSS_LINE = 6, BEND_COST = 12, SHARED_COST = 0.2, NEAR_LINE = 2.4, CLOSE_LINE = 6, CLOSE_COST = 0.6, APART_ENDS = 4, OUTSIDE = 1, TINTS = 6, PASSES = 4, TOGETHER = 1000, TOUCHING = 12, PAD = 2.5;
const TILE = 64, LANE = 16, NEIGHBOUR = 1.5, STREET_WITHIN = 40, LARGE = 28, SHIFT = 8, ROUND = 4;
export const SHORT = 13; // minimum length of a straight arrow; its head covers 8 points of it
const SIDES = [[1, -1], [1, 1], [0, -1], [0, 1]]; // the axis on which a side lies, and its direction

/* Return the distance of two points. */
export const measure = ([x, y], [p, q]) => Math.hypot(p - x, q - y);

/* Return boxes by the tiles of the plane that they touch. */
function groupByTile(boxes) {
  const tiles = new Map();
  for (const box of boxes) visitTiles(box[0] - box[2] / 2, box[0] + box[2] / 2, box[1] - box[3] / 2, box[1] + box[3] / 2, (key) => {
    if (!tiles.has(key)) tiles.set(key, []);
    tiles.get(key).push(box);
  });
  return tiles;
}

/* Call a function with the key of each tile that a rectangle touches. */
function visitTiles(left, right, top, bottom, call) {
  for (let column = Math.floor(left / TILE); column <= Math.floor(right / TILE); column++) {
    for (let row = Math.floor(top / TILE); row <= Math.floor(bottom / TILE); row++) call(column * 100000 + row);
  }
}

/* Return whether a straight line crosses a box. */
function isCrossed(box, first, second) {
  let low = 0, high = 1;
  for (const i of [0, 1]) {
    const start = first[i] - box[i], side = second[i] - first[i], half = box[2 + i] / 2, a = (-half - start) / side, b = (half - start) / side;
    if (!side) {
      high = Math.abs(start) < half ? high : 0;
      continue;
    }
    low = Math.max(low, Math.min(a, b));
    high = Math.min(high, Math.max(a, b));
  }
  return low < high;
}

/* Return the boxes that a straight line crosses. */
function findCrossed(tiles, first, second) {
  const found = new Set(), left = Math.min(first[0], second[0]), right = Math.max(first[0], second[0]), top = Math.min(first[1], second[1]), bottom = Math.max(first[1], second[1]);
  const x = (left + right) / 2, y = (top + bottom) / 2, isDiagonal = left < right && top < bottom;
  // A line along an axis crosses a box if it overlaps the box.
  visitTiles(left, right, top, bottom, (key) => tiles.get(key)?.forEach((box) => {
    const isNear = Math.abs(box[0] - x) < (box[2] + right - left) / 2 && Math.abs(box[1] - y) < (box[3] + bottom - top) / 2;
    if (isNear && (!isDiagonal || isCrossed(box, first, second))) found.add(box);
  }));
  return found;
}

/* Return the boxes on tiles whose middles are inside of a box. */
function findMiddles(tiles, [x, y, w, h]) {
  return [...findCrossed(tiles, [x - w / 2, y], [x + w / 2, y])].filter(([p, q]) => Math.abs(p - x) < w / 2 && Math.abs(q - y) < h / 2);
}

/* Return the axis whose coordinate is the same at all points of a line; -1 without one. */
const findAxis = (first, second) => [0, 1].findIndex((i) => Math.abs(first[i] - second[i]) < 0.1);

/* Return the key of a lane: the parts along an axis with about the same coordinate. */
const getLane = (axis, lane) => 2 * lane + axis;

/* Return the coordinate of a line beside one side of a cell. */
const getBeside = (cell, axis, sign, distance) => cell[axis] + sign * (cell[2 + axis] / 2 + distance);

/* Return a point with another coordinate on one axis. */
const putOn = (point, axis, value) => (axis ? [point[0], value] : [value, point[1]]);

/* Return the points at which a line through points bends, and its ends. */
function listCorners(...points) {
  const corners = [points[0]];
  points.slice(1).forEach((point, i) => {
    const after = points[i + 2], before = corners.at(-1);
    const isStraight = after && [0, 1].some((k) => Math.abs(before[k] - point[k]) < 0.1 && Math.abs(point[k] - after[k]) < 0.1);
    if (!isStraight && measure(before, point) > 0.1) corners.push(point);
  });
  return corners;
}

/* Return the part of the line between two boxes outside of them: along an axis if this leads to a side of the second one. */
function clipLine([x, y, ...size], [p, q, ...other]) {
  if (Math.abs(x - p) < other[0] / 2 - 1) p = x;
  else if (Math.abs(y - q) < other[1] / 2 - 1) q = y;
  const share = (lengths) => Math.min(...[p - x, q - y].map((side, i) => (side ? lengths[i] / 2 / Math.abs(side) : Infinity)));
  const [first, last] = [Math.min(0.5, share(size)), Math.max(0.5, 1 - share(other))];
  return [first, last].map((part) => [x + (p - x) * part, y + (q - y) * part]);
}

/* The streets of a picture, with the routes of its arrows: lines between cells that avoid texts and other arrows. */
export class Streets {
  constructor(cells, texts, tracks) {
    this.cells = groupByTile(cells);
// The range of the cells on each axis; a single row has no street inside.
    this.bounds = [0, 1].map((i) => {
      const ends = new Set(cells.flatMap((box) => [box[i] - box[2 + i] / 2, box[i] + box[2 + i] / 2]));
      return ends.size > 2 ? [Math.min(...ends), Math.max(...ends)] : [-Infinity, Infinity];
    });
    this.texts = groupByTile(texts.map(([x, y, w, h]) => [x, y, w + 2 * PAD, h + 2 * PAD]));
    this.own = new Set(); // the texts at the ends of an arrow
    this.tracks = tracks;
    this.lanes = new Map(); // the parts of earlier arrows along an axis, by axis and lane
    this.rivals = new Map(); // the lengths on which the lines of a key meet those of other keys
    this.visits = new Map(); // the keys and ends of earlier arrows in a cell
  }

  /* Return the cheapest route from the box `start` in a cell to one of the boxes `boxes` in another one. Arrows with the
     same key may lie on each other. */
  findRoute(cause, target, start, boxes, key) {
    const ends = [cause, target, start, boxes];
    this.own = new Set([start, ...boxes].flatMap((box) => findMiddles(this.texts, box)));
    const straight = boxes.flatMap((box) => this.listStraight(cause, target, start, box));
    let [best, cost] = this.findCheapest([...straight, ...this.listRoutes(...ends, this.tracks.slice(0, 1))], ends, key);
    const length = best.slice(1).reduce((sum, point, i) => sum + measure(best[i], point), 0);
    if (cost > length + BEND_COST * best.length) {
      // The first track is the best one, unless another saves a bend.
      const [other, otherCost] = this.findCheapest(this.listRoutes(...ends, this.tracks), ends, key);
      if (otherCost < cost - BEND_COST) best = other;
    }
    this.visit([cause, target], best, key);
    best.slice(1).forEach((point, i) => {
      const axis = findAxis(best[i], point);
      if (axis < 0) return;
      const [start, end] = [best[i][1 - axis], point[1 - axis]], at = best[i][axis], [low, high] = [Math.min(start, end), Math.max(start, end)];
      for (const run of this.listBeside(axis, at, low, high)) this.addRival(key, run.key, Math.max(CROSS_LINE, Math.min(high, run.high) - Math.max(low, run.low)));
      for (const run of this.listAcross(axis, at, low, high)) this.addRival(key, run.key, CROSS_LINE);
      const lane = getLane(axis, Math.floor(at / LANE));
      if (!this.lanes.has(lane)) this.lanes.set(lane, []);
      this.lanes.get(lane).push({ key, at, low, high, start, isLast: i === best.length - 2 });
    });
    return best;
  }

  /* Record that an arrow begins in the first of two cells and ends in the second one. */
  visit(cells, route, key) {
    if (!this.rivals.has(key)) this.rivals.set(key, new Map());
    cells.map(String).forEach((cell, i) => {
      const visits = this.visits.get(cell) || [];
      for (const rival of new Set(visits.map(([other]) => other))) this.addRival(key, rival, TOGETHER);
      this.visits.set(cell, [...visits, [key, route.at(-i)]]);
    });
  }

  /* Record that the lines of two keys meet on some length. */
  addRival(key, other, length) {
    if (key === other) return;
    for (const [own, rival] of [[key, other], [other, key]]) this.rivals.get(own).set(rival, (this.rivals.get(own).get(rival) || 0) + length);
  }

  /* Return the number of a tint for each key; keys whose arrows meet, or begin or end in one cell, have different
     ones if possible. */
  numberTints() {
    const tints = new Map();
    // Later passes mend the choices that did not know the tints of later keys.
    for (let pass = 0; pass < PASSES; pass++) {
      for (const [key, lengths] of this.rivals) {
        const met = Array(TINTS).fill(0), least = () => Math.min(...met);
        for (const [other, length] of lengths) if (tints.has(other)) met[tints.get(other)] += length;
        if (!(met[tints.get(key)] <= least())) tints.set(key, met.indexOf(least()));
      }
    }
    return tints;
  }

  /* Return the first route of the lowest cost, and its cost. */
  findCheapest(routes, [cause, target], key) {
    let best = [], bestCost = Infinity;
    for (const route of routes) {
      let cost = BEND_COST * (route.length - 2), length = 0;
      [cause, target].forEach((cell, i) => {
        if ((this.visits.get(String(cell)) || []).some(([rival, end]) => rival !== key && measure(route.at(-i), end) < TOUCHING)) cost += CROSS_HEAD;
      });
      for (let i = 1; i < route.length; i++) length += measure(route[i - 1], route[i]);
      if (cost + SHARED_COST * length >= bestCost) continue;
      // The last parts have the most obstacles.
      for (let i = route.length - 2; i >= 0 && cost < bestCost; i--) cost += this.weigh(route[i], route[i + 1], [cause, target], key);
      if (cost < bestCost) [best, bestCost] = [route, cost];
    }
    return [best, bestCost];
  }

  /* Return the straight lines between two neighbours: through their middles, and beside them if there is room. */
  listStraight(cause, target, start, end) {
    const line = clipLine(start, end), axis = findAxis(...line);
    if ([0, 1].some((i) => Math.abs(target[i] - cause[i]) > NEIGHBOUR * cause[2 + i]) || measure(...line) < SHORT) return [];
    const offsets = axis >= 0 && Math.min(start[2], start[3], end[2], end[3]) > LARGE ? [-SHIFT, SHIFT] : [];
    return [line, ...offsets.map((offset) => line.map((point) => putOn(point, axis, point[axis] + offset)))];
  }

  /* Return routes for each pair of sides and of tracks. */
  listRoutes(cause, target, start, ends, tracks) {
    // A line begins in the middle of a side of a small text, and ends anywhere on a side of the box of a value.
    const exits = SIDES.map((side) => this.findGate(cause, [start], ...side, target, Math.min(start[2], start[3]) > LARGE)), routes = [];
    const entries = SIDES.map((side) => this.findGate(target, ends, ...side, cause, true));
    SIDES.forEach(([j, entrySign], n) => SIDES.forEach(([i, exitSign], m) => tracks.forEach((track) => {
      const first = exits[m], last = entries[n], street = getBeside(target, j, entrySign, track);
      if (i === j) {
        // One street joins both cells, if it lies beside both; else a third one joins two streets.
        const distance = exitSign * (street - getBeside(cause, i, exitSign, 0)), near = putOn(first, i, getBeside(cause, i, exitSign, track));
        if (distance > 0 && distance < STREET_WITHIN) routes.push(listCorners(first, putOn(first, i, street), putOn(last, i, street), last));
        else for (const sign of [-1, 1]) {
          const crossing = putOn(near, 1 - i, getBeside(target, 1 - i, sign, track));
          routes.push(listCorners(first, near, crossing, putOn(crossing, i, street), putOn(last, i, street), last));
        }
        return;
      }
      for (const exitTrack of tracks) {
        const crossing = putOn(putOn(first, j, street), i, getBeside(cause, i, exitSign, exitTrack));
        routes.push(listCorners(first, putOn(crossing, j, first[j]), crossing, putOn(last, j, street), last));
      }
    })));
    return routes;
  }

  /* Return the point on a side of one of the boxes from which the way to the border of their cell crosses the fewest
     texts; then it is short, and beside the other cell. */
  findGate(cell, boxes, axis, sign, other, isMovable) {
    const outer = getBeside(cell, axis, sign, 2);
    let best = null, [fewest, shortest] = [Infinity, Infinity];
    for (const box of boxes) {
      const inner = box[axis] + sign * box[2 + axis] / 2, aside = box[3 - axis] / 4;
      for (const offset of isMovable ? [0, -aside, aside] : [0]) {
        const [gate, border] = [inner, outer].map((edge) => (axis ? [box[0] + offset, edge] : [edge, box[1] + offset]));
        const count = this.countTexts(gate, border), length = Math.round(10 * (Math.abs(outer - inner) + Math.abs(box[1 - axis] - other[1 - axis])));
        if (count < fewest || (count === fewest && length < shortest)) [best, fewest, shortest] = [gate, count, length];
      }
    }
    return best;
  }

  /* Return the cost of a straight part of a route. */
  weigh(first, second, ends, key) {
    const isEnd = (cell) => ends.some((end) => end[0] === cell[0] && end[1] === cell[1]);
    let cost = measure(first, second) + CROSS_TEXT * this.countTexts(first, second);
    for (const cell of findCrossed(this.cells, first, second)) if (!isEnd(cell)) cost += CROSS_CELL;
    const axis = findAxis(first, second);
    if (axis < 0) return cost;
    const [low, high] = this.bounds[axis], isOutside = !(low < first[axis] && first[axis] < high);
    return cost + (isOutside ? OUTSIDE * measure(first, second) : 0) + this.weighBeside(axis, first, second, key);
  }

  /* Return the number of texts that a straight line crosses, or touches with its head; it may touch those at its ends. */
  countTexts(first, second) {
    return [...findCrossed(this.texts, first, second)].filter((box) => {
      const [x, y, w, h] = box;
      return !this.own.has(box) || isCrossed([x, y, w - 2 * PAD, h - 2 * PAD], first, second);
    }).length;
  }

  /* Return the cost of a part along an axis because of earlier arrows; it is negative where it lies on its own ones. */
  weighBeside(axis, first, second, key) {
    const at = first[axis], low = Math.min(first[1 - axis], second[1 - axis]), high = Math.max(first[1 - axis], second[1 - axis]);
    let cost = 0, shared = 0;
    // Parallel arrows: of those that may share this part, only the longest one reduces the cost.
    for (const run of this.listBeside(axis, at, low, high)) {
      const gap = Math.abs(run.at - at), common = Math.max(0, Math.min(high, run.high) - Math.max(low, run.low));
      if (run.key !== key) cost += gap < NEAR_LINE ? LIE_ON_ARROW + 12 * common : CLOSE_COST * common;
      else if (gap < 0.1) shared = Math.max(shared, common);
    }
    // Arrows across: a branch of the own line is no crossing.
    for (const run of this.listAcross(axis, at, low, high)) {
      if (!(Math.abs(at - run.start) < 0.1 && run.key === key)) cost += run.isLast ? CROSS_HEAD : CROSS_LINE;
    }
    return cost - (1 - SHARED_COST) * shared;
  }

  /* Return the earlier arrows along a part that are close to it. */
  listBeside(axis, at, low, high) {
    const found = [];
    for (let lane = Math.floor((at - CLOSE_LINE) / LANE); lane <= Math.floor((at + CLOSE_LINE) / LANE); lane++) {
      for (const run of this.lanes.get(getLane(axis, lane)) || []) if (Math.abs(run.at - at) < CLOSE_LINE && Math.min(high, run.high) - Math.max(low, run.low) > -APART_ENDS) found.push(run);
    }
    return found;
  }

  /* Return the earlier arrows that cross a part. */
  listAcross(axis, at, low, high) {
    const found = [];
    for (let lane = Math.floor(low / LANE); lane <= Math.floor(high / LANE); lane++) {
      for (const run of this.lanes.get(getLane(1 - axis, lane)) || []) if (low + 0.1 < run.at && run.at < high - 0.1 && run.low - 0.1 < at && at < run.high + 0.1) found.push(run);
    }
    return found;
  }
}

/* Return the curves of a route with round bends: its first point, and then the three points of each curve. */
export function bendCorners(route) {
  const points = [route[0]], mix = (a, b, share) => [0, 1].map((i) => a[i] + (b[i] - a[i]) * share);
  const addLine = (end) => points.push(mix(points.at(-1), end, 1 / 3), mix(end, points.at(-1), 1 / 3), end);
  for (let i = 1; i < route.length - 1; i++) {
    const corner = route[i], [before, after] = [measure(route[i - 1], corner), measure(corner, route[i + 1])], radius = Math.min(ROUND, before / 2, after / 2);
    const [first, second] = [mix(corner, route[i - 1], radius / (before || 1)), mix(corner, route[i + 1], radius / (after || 1))];
    addLine(first);
    points.push(mix(first, corner, 2 / 3), mix(second, corner, 2 / 3), second);
  }
  addLine(route.at(-1));
  return points;
}
