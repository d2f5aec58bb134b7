/* The search tree, after Gist: circle = branching, diamond = solution, square = failure, triangle = a failed subtree,
   white dashed circle = what was not tried. Beside it, and never over it, a small map of the whole. */

import { centre, rove } from "./dom.js";
import { element, text } from "./marks.js";

export const SHAPES = {
  diamond: "M0 -11L11 0L0 11L-11 0z", square: "M-9 -9h18v18h-18z", triangle: "M0 -15L18 12H-18z",
  circle: "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
};
const SHAPE_OF = { solution: "diamond", failure: "square", collapsed: "triangle" };
const BELOW = { diamond: 11, square: 9, triangle: 12, circle: 10 };
const LINES = 4, WIDE = 17; // of the reason below a failure
const MAP = 90; // pixels of the longer side

/* How many nodes and failures a subtree has, node by node. */
export function costs(nodes) {
  const found = nodes.map(({ kind, nodes: own, count }) => (
    kind === "untried" ? [0, 0] : kind === "collapsed" ? [own, count] : [1, kind === "failure" ? 1 : 0]));
  for (let i = nodes.length - 1; i > 0; i--) {
    const { parent } = nodes[i];
    found[parent] = [found[parent][0] + found[i][0], found[parent][1] + found[i][1]];
  }
  return found;
}

/* Why a node has failed, in short lines. */
export function wrapped(words, wide = WIDE, most = LINES) {
  const lines = [""];
  for (const word of words.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length > wide) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.slice(0, most).map((line, i) => (i === most - 1 && lines.length > most ? `${line} …` : line));
}

export class Tree {
  constructor(film, place, map, seek) {
    Object.assign(this, { film, place, map, seek, scale: 1, end: "before", causes: new Map() });
    place.addEventListener("scroll", () => this.frame());
    new ResizeObserver(() => this.frame()).observe(place);
    map.addEventListener("click", ({ offsetX, offsetY }) => {
      const [wide, high] = this.size, share = MAP / Math.max(wide, high);
      place.scrollTo(offsetX / share * this.scale - place.clientWidth / 2, offsetY / share * this.scale - place.clientHeight / 2);
    });
    this.collapse(false);
  }

  collapse(isSmall) {
    this.nodes = this.film.data.trees[isSmall ? 1 : 0];
    const longest = Math.max(8, ...this.nodes.map(({ edge }) => (edge || "").length));
    this.pitch = [Math.max(100, 10 + 6.8 * longest), 96];
    this.costs = costs(this.nodes);
    const svg = element("svg", { role: "group", "aria-label": "Search tree. Arrow keys move, Enter goes there." });
    this.shapes = this.nodes.map((node, i) => this.node(node, i));
    svg.append(...this.nodes.map((node) => this.branch(node)).filter(Boolean), ...this.shapes);
    this.size = [0, 1].map((axis) => Math.max(...this.nodes.map((node) => this.at(node)[axis])) + this.pitch[axis] / 2 + 12 * axis);
    svg.setAttribute("viewBox", `0 0 ${this.size.join(" ")}`);
    this.svg = svg;
    this.place.replaceChildren(svg);
    this.draw();
    rove(svg, this.shapes, (i) => this.at(this.nodes[i]), (i) => this.open(i));
    this.zoom(1);
  }

  node(node, i) {
    const [x, y] = this.at(node), shape = SHAPE_OF[node.kind] || "circle", [nodes, failures] = this.costs[i];
    const cost = nodes > 1 ? `below: ${nodes - (node.kind === "collapsed" ? 0 : 1)} nodes, ${failures} ■` : "";
    const label = [node.edge, node.text, cost].filter(Boolean).join(", ");
    const group = element("g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})`, tabindex: -1, role: "img",
      "data-i": i, "aria-label": label }, element("title", {}, label), element("path", { class: "shape", d: SHAPES[shape] }));
    if (node.kind === "failure") {
      group.append(...wrapped(node.text.replace("failure · ", "")).map((line, row) => text(line, 0, 17 + 11 * row, 10, "why")));
    }
    if (node.count !== undefined) group.append(text(node.count, 0, node.kind === "collapsed" ? 5 : 0, 0, "count"));
    if (node.parent !== undefined) group.append(text(node.edge, 0, -24));
    if (nodes > 2 && node.kind !== "collapsed") {
      const beside = text(`${nodes} / ${failures} ■`, 16, 0, 10, "cost");
      beside.setAttribute("text-anchor", "start");
      group.append(beside);
    }
    return group;
  }

  /* From the lower end of a node to the text above the next. */
  branch(node) {
    if (node.parent === undefined) return null;
    const parent = this.nodes[node.parent], [px, py] = this.at(parent), [x, y] = this.at(node);
    const from = py + BELOW[SHAPE_OF[parent.kind] || "circle"];
    return element("path", { class: "branch", d: `M${px} ${from}L${x} ${y - 32}V${y - 11}` });
  }

  at({ x, y }) {
    const [wide, high] = this.pitch;
    return [(x + 0.5) * wide, (y + 0.5) * high];
  }

  zoom(factor) {
    const { place } = this, middle = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
    const scale = Math.min(2, Math.max(0.2, this.scale * factor)), share = scale / this.scale;
    this.scale = scale;
    this.size.forEach((length, axis) => this.svg.setAttribute(axis ? "height" : "width", length * scale));
    place.scrollTo(middle[0] * share - place.clientWidth / 2, middle[1] * share - place.clientHeight / 2);
    if (factor === 1) this.update();
    this.frame();
  }

  /* The map: every node a dot; drawn once, with a frame around what is seen. */
  draw() {
    const [wide, high] = this.size, share = MAP / Math.max(wide, high), size = 2 / share;
    const dots = (kinds) => this.nodes.filter(({ kind }) => kinds(kind)).map((node) => {
      const [x, y] = this.at(node);
      return `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`;
    }).join("");
    this.seen = element("rect", { class: "seen", "vector-effect": "non-scaling-stroke" });
    this.map.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.map.setAttribute("width", wide * share);
    this.map.setAttribute("height", high * share);
    const failed = (kind) => kind === "failure" || kind === "collapsed";
    this.map.replaceChildren(element("path", { class: "dots", d: dots((kind) => !failed(kind)) }),
      element("path", { class: "dots failed", d: dots(failed) }), this.seen);
  }

  frame() {
    const { place, scale, seen } = this;
    const isWhole = this.size[0] * scale <= place.parentElement.clientWidth + 1 && place.scrollHeight <= place.clientHeight + 1;
    this.map.style.display = isWhole ? "none" : "";
    const box = { x: place.scrollLeft, y: place.scrollTop, width: place.clientWidth, height: place.clientHeight };
    for (const [name, length] of Object.entries(box)) seen.setAttribute(name, length / scale);
  }

  open(i) {
    if (this.nodes[i].first === undefined) return;
    this.seek(this.end === "before" ? this.start(this.nodes[i]) : this.last(this.nodes[i]));
  }

  /* The first stop of a node: its decision is made, and nothing has followed yet. */
  start({ first }) { return this.film.stops.revision.find((stop) => stop > first) ?? this.film.end; }

  /* Its last one: the fixpoint, or the failure. */
  last({ last }) { return last + 1; }

  /* The nodes that have a part in a chain of causes. */
  light(causes) {
    const own = new Set([...causes.keys()].map((i) => this.nodes.findLastIndex(({ first }) => first <= i)));
    this.shapes.forEach((shape, i) => {
      if (shape.classList.contains("because") !== own.has(i)) shape.classList.toggle("because", own.has(i));
    });
  }

  update() {
    const record = Math.max(0, this.film.position - 1);
    const now = this.nodes.findLastIndex(({ first }) => first <= record);
    this.shapes.forEach((shape, i) => {
      const later = this.nodes[i].first > record;
      if (shape.classList.contains("later") !== later) shape.classList.toggle("later", later);
      if (shape.classList.contains("now") !== (i === now)) shape.classList.toggle("now", i === now);
    });
    if (now === this.shown) return;
    this.shown = now;
    const [x, y] = this.at(this.nodes[Math.max(0, now)]);
    centre(this.place, y * this.scale, 0);
    requestAnimationFrame(() => { this.place.scrollLeft = x * this.scale - this.place.clientWidth / 2; });
  }
}
