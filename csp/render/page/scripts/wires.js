/* Wires of a factor graph on a crowded grid, with the same rules as csp/picture/lines/wires.py. */

import { createPill, findValue, findVertex, isCounted } from "./arrows.js";
import { createSvg, drawShape } from "./shapes.js";

const TURN = 5, MIDDLE = 0.5, TIP = 3, DOT = 7, LABELLED = 13, DIGIT = 10, LOW = 20;

/* The wires of a scene; `anchors` has the place where the wires of a constraint begin, by its number. */
export class Wires {
  constructor(film, scene, anchors) {
    this.film = film;
    this.scene = scene;
    this.anchors = anchors;
    this.losses = scene.failed.size ? [] : scene.losses.filter(({ constraint }) => anchors[constraint]);
    const { vertices, forms } = film.data, cells = vertices.filter(({ form }) => forms[form].kind === "cell");
    const heads = new Set(this.losses.flatMap(({ constraint, gone }) => gone.map((code) => `${constraint} ${this.getVertex(code)}`)));
    this.isFull = heads.size > cells.length;
    const numbers = [...new Set(this.losses.map(({ constraint }) => constraint))].sort((c, d) => c - d);
    this.carried = new Set(numbers.filter((c) => this.isFull || anchors[c][4] >= 0));
  }

  getVertex(code) { return Math.floor(code / this.film.width); }

  /* Return the elements of the wires; with too many, the counts at the nodes of the constraints. */
  create() {
    if (this.isFull) return this.createCounts();
    return [...this.carried].flatMap((c) => this.createWires(this.anchors[c], this.losses.filter(({ constraint }) => constraint === c)));
  }

  /* Return the elements of the number of values that each constraint removed. */
  createCounts() {
    return [...this.carried].flatMap((c) => {
      const [x, y, width, height] = this.anchors[c], own = this.losses.filter(({ constraint }) => constraint === c);
      const place = height > LOW ? [x, y + height / 2 + 4] : [x + width / 2 + 14, y];
      return createPill("sent", `→×${own.reduce((sum, { gone }) => sum + gone.length, 0)}`, ...place);
    }).map((shape) => drawShape(shape));
  }

  /* Return the elements of the wires of one constraint: one on each side of its cells that needs one. */
  createWires(anchor, losses) {
    const sideOf = (code) => this.findSide(anchor, code), common = losses.flatMap(({ gone }) => gone).map(sideOf).find(Boolean) || -1;
    const rank = (code) => (sideOf(code) !== common) + !sideOf(code);
    // The values that a cell lost at once share the head of the one that is nearest to the common wire.
    const isFirst = (code, gone) => {
      const own = gone.filter((other) => this.getVertex(other) === this.getVertex(code));
      return code === own.reduce((best, other) => (rank(other) < rank(best) ? other : best));
    };
    return [-1, 1].flatMap((side) => {
      const targets = new Set(), valuesOf = new Map();
      for (const { gone, causes } of losses) {
        const served = gone.filter((code) => isFirst(code, gone) && (sideOf(code) || common) === side);
        served.forEach((code) => targets.add(code));
        for (const v of served.length ? causes : []) {
          if (!valuesOf.has(v)) valuesOf.set(v, new Set());
          // A dot shows the value of its cause if it is the removed one.
          const own = this.film.getRemaining(v);
          if (own.length === 1 && gone.every((code) => code % this.film.width === own[0])) valuesOf.get(v).add(own[0]);
        }
      }
      return targets.size ? this.createWire(anchor, side, [...targets], valuesOf) : [];
    });
  }

  /* Return a line from a node, with its arrowheads and its dots. The dot of a cause that removed its own value contains it. */
  createWire(anchor, side, targets, valuesOf) {
    const [, , , , along, middle, reach, forward] = anchor, level = middle + side * reach;
    const show = ([a, b]) => (along ? [b, a] : [a, b]).map((length) => Math.round(length * 10) / 10).join(" ");
    // Values of one cell share a head if the cell shows only their number.
    const heads = [...new Map(targets.map((code) => this.findHead(anchor, side, level, code)).map((head) => [head.join(), head])).values()];
    const dots = [...valuesOf].map(([v, values]) => [findVertex(this.film, v), this.getText(v, [...values])]).filter(([[, , w, h]]) => w && h);
    const border = anchor[along] - forward * anchor[2 + along] / 2, turn = border - forward * TURN;
    // The lead runs from the node to the nearest stop.
    const stops = [...heads.map(([[at]]) => at), ...dots.map(([box]) => box[along])].sort((a, b) => forward * (b - a));
    const corners = [[border, anchor[1 - along]], [turn, anchor[1 - along]], [turn, level], [stops[0], level]];
    const upright = along ? " upright" : "";
    return [
      ...[["lead", corners], ["wire", [[stops[0], level], [stops.at(-1), level]]]].map(([kind, points]) => createSvg("path", { class: kind + upright, d: `M${points.map(show).join("L")}` })),
      ...heads.map(([start, ...bends]) => createSvg("path", { class: `hit tap${upright}`, d: `M${show(start)}C${bends.map(show).join(" ")}` })),
      ...dots.flatMap(([box, words]) => {
        const at = show([box[along], level]).split(" ").map(Number), size = words ? LABELLED : DOT;
        return [["disc", `source${upright}`, [...at, size, size]], ...(words ? [["text", "source", at, DIGIT, words]] : [])];
      }).map((shape) => drawShape(shape)),
    ];
  }

  /* Return the text in the dot of a cause: its value, if that is short. */
  getText(v, values) {
    const { vertices, forms, values: words } = this.film.data, { style, single } = forms[vertices[v].form], text = String(words[values[0]]);
    const isWritten = style === "digits" && single.left[0][0].some((shape) => shape[4] === "{v}"); // not a drawing
    return values.length === 1 && text.length === 1 && isWritten ? text : "";
  }

  /* Return the box of a value; of its cell if the cell shows only a count or no texts. */
  findPlace(code) {
    const v = this.getVertex(code), { vertices, forms } = this.film.data;
    return isCounted(forms[vertices[v].form], this.scene) ? findVertex(this.film, v) : findValue(this.film, v, code % this.film.width);
  }

  /* Return the side of a value in its cell across the line: -1 or 1; 0 for the middle. */
  findSide([, , , , along, middle], code) {
    const place = this.findPlace(code), offset = (place[1 - along] - middle) / place[3 - along];
    return Math.abs(offset) <= MIDDLE ? 0 : Math.sign(offset);
  }

  /* Return the curve from a wire to a value, in coordinates along and across the line: straight to a value beside the
     wire; to another value between the values before it. */
  findHead(anchor, side, level, code) {
    const [, , , , along, , , forward] = anchor, place = this.findPlace(code), [, , ...size] = findVertex(this.film, this.getVertex(code));
    const at = place[along], end = place[1 - along] + side * (place[3 - along] / 2 - TIP);
    if (this.findSide(anchor, code) === side || (place[2] === size[0] && place[3] === size[1])) {
      const third = (end - level) / 3;
      return [[at, level], [at, level + third], [at, end - third], [at, end]];
    }
    const start = at + forward * place[2 + along] / 2, near = end + side * 2 * TIP;
    return [[start, level], [start, (level + near) / 2], [start, near], [start - forward * TIP, end]];
  }
}
