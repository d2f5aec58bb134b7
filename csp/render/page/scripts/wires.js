/* Wires of a factor graph on a crowded grid, with the same rules as csp/picture/lines/wires.py. */

import { createPill, findValue, findVertex, isCounted } from "./arrows.js";
import { createSvg, drawShape } from "./shapes.js";

const TURN = 5, MIDDLE = 0.5, TIP = 3, DOT = 7, LOW = 20;

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
    return [-1, 1].flatMap((side) => {
      const served = losses.map(({ gone, causes }) => ({ causes, gone: gone.filter((code) => (sideOf(code) || common) === side) }));
      const targets = new Set(served.flatMap(({ gone }) => gone));
      const causes = new Set(served.flatMap(({ gone, causes: sources }) => (gone.length ? [...sources] : [])));
      return targets.size ? this.createWire(anchor, side, [...targets], [...causes]) : [];
    });
  }

  /* Return a line from a node, with its arrowheads and its dots. */
  createWire(anchor, side, targets, causes) {
    const [, , , , along, middle, reach, forward] = anchor, level = middle + side * reach;
    const show = ([a, b]) => (along ? [b, a] : [a, b]).map((length) => Math.round(length * 10) / 10).join(" ");
    // Values of one cell share a head if the cell shows only their number.
    const heads = [...new Map(targets.map((code) => this.findHead(anchor, side, level, code)).map((head) => [head.join(), head])).values()];
    const dots = causes.map((v) => findVertex(this.film, v)).filter(([, , w, h]) => w && h).map((box) => box[along]);
    const border = anchor[along] - forward * anchor[2 + along] / 2, turn = border - forward * TURN;
    const stops = [...heads.map(([[at]]) => at), ...dots], last = forward > 0 ? Math.min(...stops) : Math.max(...stops);
    const corners = [[border, anchor[1 - along]], [turn, anchor[1 - along]], [turn, level], [last, level]];
    return [
      createSvg("path", { class: "wire", d: `M${corners.map(show).join("L")}` }),
      ...heads.map(([start, ...bends]) => createSvg("path", { class: "hit tap", d: `M${show(start)}C${bends.map(show).join(" ")}` })),
      ...dots.map((stop) => drawShape(["disc", "source", [...show([stop, level]).split(" ").map(Number), DOT, DOT]])),
    ];
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
