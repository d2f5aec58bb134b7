/* The search tree, in the signs of Gist: circle = branching, diamond = solution, square = failure, triangle = a failed
   subtree, white dashed circle = an untried choice. The film contains its shapes (NodeData in contract.js). A small map of
   the whole tree is beside it. */

import { scrollToMiddle, rove } from "./dom.js";
import { createSvg, drawShape } from "./shapes.js";

const MAP = 90; // length of the longer side of the map, in pixels

/* The panel of the search tree. */
export class Tree {
  constructor(film, place, map, seek) {
    Object.assign(this, { film, place, map, seek, scale: 1, end: "before", causes: new Map() });
    place.addEventListener("scroll", () => this.moveFrame());
    new ResizeObserver(() => this.moveFrame()).observe(place);
    map.addEventListener("click", ({ offsetX, offsetY }) => {
      const [, , wide, high] = this.box, share = MAP / Math.max(wide, high);
      place.scrollTo(offsetX / share * this.scale - place.clientWidth / 2, offsetY / share * this.scale - place.clientHeight / 2);
    });
    this.collapse(false);
  }

  /* Draw the whole tree, or the tree with collapsed failed subtrees. */
  collapse(isSmall) {
    const { trees } = this.film.data, { nodes: all, box } = trees[isSmall ? 1 : 0], nodes = all.map((node) => ({ ...trees[0].nodes[node.like], ...node })), svg = this.svg = createSvg("svg", {
      role: "group", "aria-label": "Search tree. Arrow keys move, Enter goes there.", viewBox: box.join(" ") });
    this.nodes = nodes;
    this.box = box;
    this.shapes = nodes.map((node, i) => this.createNode(node, i));
    svg.append(...nodes.filter(({ branch }) => branch).map(({ branch }) => createSvg("path", { class: "branch", d: branch })), ...this.shapes);
    this.place.replaceChildren(svg);
    this.drawMap();
    rove(svg, this.shapes, (i) => [nodes[i].x, nodes[i].y], (i) => this.open(i));
    this.zoom(1);
  }

  /* Create the group of a node, with its caption as label. */
  createNode({ kind, x, y, text, shapes, last }, i) {
    const label = [text, this.film.data.records[last]?.text].filter(Boolean).join(", ");
    return createSvg("g", { class: `node ${kind}`, transform: `translate(${x} ${y})`, tabindex: -1, role: "img", "data-i": i, "aria-label": label },
      createSvg("title", {}, label), ...[this.film.data.shapes[kind][1], ...shapes].map((shape) => drawShape(shape)));
  }

  /* Scale the tree by a factor around the middle of the panel. */
  zoom(factor) {
    const { place } = this, middle = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
    const scale = Math.min(2, Math.max(0.2, this.scale * factor)), share = scale / this.scale;
    this.scale = scale;
    ["width", "height"].forEach((name, axis) => this.svg.setAttribute(name, this.box[axis + 2] * scale));
    place.scrollTo(middle[0] * share - place.clientWidth / 2, middle[1] * share - place.clientHeight / 2);
    if (factor === 1) this.update();
    this.moveFrame();
  }

  /* Draw the map once: a dot for each node, and a frame around the visible part. */
  drawMap() {
    const [, , wide, high] = this.box, share = MAP / Math.max(wide, high), size = 2 / share;
    const dots = (kinds) => this.nodes.filter(({ kind }) => kinds(kind)).map(({ x, y }) => (
      `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`)).join("");
    this.seen = createSvg("rect", { class: "seen", "vector-effect": "non-scaling-stroke" });
    this.map.setAttribute("viewBox", this.box.join(" "));
    this.map.setAttribute("width", wide * share);
    this.map.setAttribute("height", high * share);
    const failed = (kind) => kind === "failure" || kind === "collapsed";
    this.map.replaceChildren(createSvg("path", { class: "dots", d: dots((kind) => !failed(kind)) }),
      createSvg("path", { class: "dots failed", d: dots(failed) }), this.seen);
  }

  /* Move the frame of the map to the visible part; hide the map if the whole tree is visible. */
  moveFrame() {
    const { place, scale, seen, box: [left, top, width] } = this;
    const isWhole = width * scale <= place.parentElement.clientWidth + 1 && place.scrollHeight <= place.clientHeight + 1;
    this.map.style.display = isWhole ? "none" : "";
    const part = { x: left + place.scrollLeft / scale, y: top + place.scrollTop / scale, width: place.clientWidth / scale, height: place.clientHeight / scale };
    for (const [name, length] of Object.entries(part)) seen.setAttribute(name, length);
  }

  /* Move the film to a node; an untried node only sends an event to the page. */
  open(i) {
    const { first, choices, tried } = this.nodes[i];
    if (choices) document.dispatchEvent(new CustomEvent("untried", { detail: { choices, tried } }));
    if (first === undefined) return;
    this.seek(this.end === "before" ? this.findFirstStop(this.nodes[i]) : this.findLastStop(this.nodes[i]));
  }

  /* Return the first stop of a node, just after its decision. */
  findFirstStop({ first }) { return this.film.stops.step.find((stop) => stop > first) ?? this.film.end; }

  /* Return the last stop of a node, its fixpoint or failure. */
  findLastStop({ last }) { return last + 1; }

  /* Return the nodes that contain some records. */
  findNodes(records) { return new Set([...records].map((i) => this.nodes.findLastIndex(({ first }) => first <= i))); }

  /* Return the records of a node. */
  getRecords(i) {
    const { first, last } = this.nodes[i];
    return Array.from({ length: first === undefined ? 0 : last - first + 1 }, (_, k) => first + k);
  }

  /* Highlight the nodes of a chain of causes. */
  highlight(causes) {
    const nodes = this.findNodes(causes.keys());
    this.shapes.forEach((shape, i) => {
      if (shape.classList.contains("because") !== nodes.has(i)) shape.classList.toggle("because", nodes.has(i));
    });
  }

  /* Highlight the present node, dim later nodes, and scroll to the present one. */
  update() {
    const record = Math.max(0, this.film.position - 1);
    const present = this.nodes.findLastIndex(({ first }) => first <= record);
    this.shapes.forEach((shape, i) => {
      const later = this.nodes[i].first > record;
      if (shape.classList.contains("later") !== later) shape.classList.toggle("later", later);
      if (shape.classList.contains("now") !== (i === present)) shape.classList.toggle("now", i === present);
    });
    if (present === this.shown) return;
    this.shown = present;
    const { x, y } = this.nodes[Math.max(0, present)], [left, top] = this.box;
    scrollToMiddle(this.place, (y - top) * this.scale, 0);
    requestAnimationFrame(() => { this.place.scrollLeft = (x - left) * this.scale - this.place.clientWidth / 2; });
  }
}
