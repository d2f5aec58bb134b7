/* The search tree, in the signs of Gist: circle = branching, diamond = solution, square = failure, triangle = a failed
   subtree, white dashed circle = an untried choice. The film contains its shapes (NodeData in contract.js). The panel draws
   the nodes in view, as dots if they are many. A small map of the whole tree is beside it. */

import { scrollToMiddle, roveAmong } from "./dom.js";
import { createSvg, drawShape } from "./shapes.js";

const MAP = 90; // length of the longer side of the map, in pixels
const MAX_DRAWN = 300; // maximum number of nodes that are drawn with their shapes
const MAX_WHOLE = 40; // maximum number of nodes of a tree that is whole at first
const LEGIBLE = 0.45; // scale below which the shapes of nodes are enlarged, without texts
const MAX_ENLARGED = 2.2; // maximum factor of this
const ROOM = 10; // room around the tree for enlarged shapes, in pixels
const REACH = 14; // maximum distance of a click from a dot, in pixels

/* Return whether a node is a failure or a collapsed failed subtree. */
const isFailed = ({ kind }) => kind === "failure" || kind === "collapsed";

const OUTCOMES = new Set(["failure", "solution", "reached"]); // nodes of these kinds are drawn as branchings from their beginning to their end

/* The panel of the search tree. */
export class Tree {
  constructor(film, place, map, seek) {
    Object.assign(this, { film, place, map, seek, scale: 1, end: "before", because: new Set() });
    place.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => (this.isFitted ? this.fit() : this.draw())).observe(place);
    addEventListener("beforeprint", () => this.fit());
    map.addEventListener("click", ({ offsetX, offsetY }) => {
      const [, , wide, high] = this.whole, share = MAP / Math.max(wide, high);
      place.scrollTo(offsetX / share * this.scale - place.clientWidth / 2, offsetY / share * this.scale - place.clientHeight / 2);
    });
    this.collapse(film.data.trees[0].nodes.length > MAX_WHOLE);
  }

  /* Show the whole tree, or the tree with collapsed failed subtrees and folded chains. */
  collapse(isSmall) {
    const { trees } = this.film.data, { nodes: all, box } = trees[isSmall ? 1 : 0], nodes = all.map((node) => ({ ...trees[0].nodes[node.like], ...node }));
    const svg = this.svg = createSvg("svg", { role: "group",
      "aria-label": `Search tree of ${nodes.length} nodes. Arrow keys move, Enter goes there.` });
    Object.assign(this, { nodes, box, whole: box, isSmall, shapes: new Map(), large: [], focus: 0, present: undefined, isFitted: true });
    this.branches = createSvg("path", { class: "branch" });
    this.dots = ["", "failed"].map((kind) => createSvg("path", { class: `dots ${kind}` }));
    this.marker = createSvg("circle", { class: "dot now" });
    svg.append(this.branches, ...this.dots, this.marker);
    this.place.replaceChildren(svg);
    this.drawMap();
    roveAmong(svg, [...nodes.keys()], { place: (i) => [nodes[i].x, nodes[i].y], open: (i) => this.open(i), get: (i) => this.reveal(i), find: (event) => this.findNode(event) });
    this.fit();
    this.update();
  }

  /* Return the kind as which a node is drawn: one that has begun has no outcome before its end. */
  getKind({ kind, first, last }) {
    const isOpen = first <= this.getRecord() && last >= this.film.position;
    return OUTCOMES.has(kind) && isOpen && this.film.data.shapes.branching ? "branching" : kind;
  }

  /* Create the group of a node, with its caption as label. */
  createNode(node, i) {
    const { x, y, text, shapes, last } = node, kind = this.getKind(node);
    const label = [text, this.film.data.records[last]?.text].filter(Boolean).join(", ");
    return createSvg("g", { class: `node ${kind}`, transform: this.getTransform(x, y), tabindex: -1, role: "img", "data-i": i, "aria-label": label },
      createSvg("title", {}, label), ...[this.film.data.shapes[kind][1], ...shapes].map((shape) => drawShape(shape)));
  }

  /* Return the transform of a node: its place, and a larger size if the tree is drawn small. */
  getTransform(x, y) { return `translate(${x} ${y}) scale(${Math.max(1, Math.min(MAX_ENLARGED, LEGIBLE / this.scale))})`; }

  /* Return the element of the node that gets the focus, and scroll to the node if it is not in view. */
  reveal(i) {
    this.focus = i;
    if (!this.isInView(this.nodes[i])) this.scrollTo(this.nodes[i]);
    this.drawNodes();
    return this.shapes.get(i);
  }

  /* Return the index of the node below the pointer, or else of the nearest dot; -1 if that is too far. */
  findNode({ target, clientX, clientY }) {
    const group = target.closest(".node");
    if (group) return Number(group.dataset.i);
    const { left, top } = this.svg.getBoundingClientRect(), [x, y] = [clientX - left, clientY - top].map((at, axis) => at / this.scale + this.box[axis]);
    const distance = (node) => Math.hypot(node.x - x, node.y - y), nearest = this.nodes.reduce((best, node) => (distance(node) < distance(best) ? node : best));
    return distance(nearest) * this.scale <= REACH ? this.nodes.indexOf(nearest) : -1;
  }

  /* Show the whole tree in the panel. */
  fit() {
    const [, , wide, high] = this.whole, { clientWidth, clientHeight } = this.place, room = 2 * ROOM;
    this.isFitted = true;
    this.setScale(clientWidth > room && clientHeight > room ? Math.min(1, (clientWidth - room) / wide, (clientHeight - room) / high) : 1);
  }

  /* Scale the tree by a factor around the middle of the panel; it is never smaller than the panel. */
  zoom(factor) {
    const { place, scale } = this, middle = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
    this.fit();
    if (scale * factor <= this.scale) return;
    this.isFitted = false;
    this.setScale(Math.min(2, scale * factor));
    const share = this.scale / scale;
    place.scrollTo(middle[0] * share - place.clientWidth / 2, middle[1] * share - place.clientHeight / 2);
    this.draw();
  }

  /* Set the scale, and draw what is in view. */
  setScale(scale) {
    const [left, top, wide, high] = this.whole, room = ROOM / scale;
    this.scale = scale;
    this.box = [left - room, top - room, wide + 2 * room, high + 2 * room];
    this.svg.setAttribute("viewBox", this.box.join(" "));
    this.svg.classList.toggle("small", scale < LEGIBLE);
    this.shapes.forEach((shape, i) => shape.setAttribute("transform", this.getTransform(this.nodes[i].x, this.nodes[i].y)));
    ["width", "height"].forEach((name, axis) => this.svg.setAttribute(name, this.box[axis + 2] * scale));
    this.draw();
  }

  /* Return the part of the tree in view: its left, top, right and bottom ends. */
  getView() {
    const { place, scale, box: [left, top] } = this, start = [left + place.scrollLeft / scale, top + place.scrollTop / scale];
    return [...start, start[0] + place.clientWidth / scale, start[1] + place.clientHeight / scale];
  }

  /* Return whether a node is in view. */
  isInView({ x, y }) {
    const [left, top, right, bottom] = this.getView();
    return left <= x && x <= right && top <= y && y <= bottom;
  }

  /* Draw the nodes in view with their shapes; if they are many, draw dots, and a marker for the present node. */
  draw() {
    const { nodes, scale } = this, view = this.getView(), margin = 2 * 104, visible = [];
    nodes.forEach(({ x, y }, i) => {
      if (view[0] - margin <= x && x <= view[2] + margin && view[1] - margin <= y && y <= view[3] + margin) visible.push(i);
    });
    const isMany = visible.length > MAX_DRAWN;
    Object.assign(this, { isMany, large: isMany ? [] : visible });
    this.drawNodes();
    // A branch is in view if one of its ends is.
    const lines = isMany ? nodes.keys() : visible;
    this.branches.setAttribute("d", [...lines].map((i) => nodes[i].branch || "").join(""));
    const size = 2 / scale, [sound, failed] = [false, true].map((wanted) => (isMany ? nodes.filter((node) => isFailed(node) === wanted) : []));
    [sound, failed].forEach((dots, i) => this.dots[i].setAttribute("d", dots.map(({ x, y }) => `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`).join("")));
    this.moveMarker();
    this.moveFrame(view);
  }

  /* Draw the shapes of the nodes in view unless these are many, and always the shapes of the focused node. */
  drawNodes() {
    const { nodes, shapes } = this, drawn = new Set([...this.large, this.focus]);
    // Remove the nodes that are out of view, and add the others.
    shapes.forEach((shape, i) => { if (!drawn.has(i)) { shape.remove(); shapes.delete(i); } });
    drawn.forEach((i) => {
      if (shapes.has(i)) return;
      shapes.set(i, this.createNode(nodes[i], i));
      this.svg.append(shapes.get(i));
      this.style(i);
    });
  }

  /* Move the marker to the present node if the nodes are dots. */
  moveMarker() {
    const node = this.nodes[this.present];
    this.marker.setAttribute("r", this.isMany && node ? 5 / this.scale : 0);
    if (node) ["x", "y"].forEach((axis) => this.marker.setAttribute(`c${axis}`, node[axis]));
  }

  /* Draw the map once: a dot for each node, and a frame around the visible part. */
  drawMap() {
    const [, , wide, high] = this.whole, share = MAP / Math.max(wide, high), size = 2 / share;
    const dots = (wanted) => this.nodes.filter((node) => isFailed(node) === wanted).map(({ x, y }) => (
      `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`)).join("");
    this.seen = createSvg("rect", { class: "seen", "vector-effect": "non-scaling-stroke" });
    this.map.setAttribute("viewBox", this.whole.join(" "));
    this.map.setAttribute("width", wide * share);
    this.map.setAttribute("height", high * share);
    this.map.replaceChildren(createSvg("path", { class: "dots", d: dots(false) }),
      createSvg("path", { class: "dots failed", d: dots(true) }), this.seen);
  }

  /* Move the frame of the map to the visible part; hide the map if the whole tree is visible. */
  moveFrame([x, y, right, bottom]) {
    this.map.style.display = this.isFitted ? "none" : "";
    for (const [name, length] of Object.entries({ x, y, width: right - x, height: bottom - y })) this.seen.setAttribute(name, length);
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

  /* Return the indices of the nodes that contain records. */
  findNodes(records) { return new Set([...records].map((i) => this.nodes.findLastIndex(({ first }) => first <= i))); }

  /* Return the indices of the records of a node. */
  getRecords(i) {
    const { first, last } = this.nodes[i];
    return Array.from({ length: first === undefined ? 0 : last - first + 1 }, (_, k) => first + k);
  }

  /* Highlight the nodes of a chain of causes. */
  highlight(causes) {
    this.because = this.findNodes(causes.keys());
    this.shapes.forEach((_, i) => this.style(i));
  }

  /* Give a drawn node its kind and the classes of its state; later nodes are dim. */
  style(i) {
    const kind = this.getKind(this.nodes[i]), { classList, children } = this.shapes.get(i);
    if (!classList.contains(kind)) {
      classList.remove("branching", ...OUTCOMES);
      classList.add(kind);
      children[1].replaceWith(drawShape(this.film.data.shapes[kind][1]));
    }
    const state = { because: this.because.has(i), later: this.nodes[i].first > this.getRecord(), now: i === this.present };
    for (const [name, isOn] of Object.entries(state)) if (classList.contains(name) !== isOn) classList.toggle(name, isOn);
  }

  /* Return the index of the present record; 0 at the beginning. */
  getRecord() { return Math.max(0, this.film.position - 1); }

  /* Highlight the present node, dim later nodes, and scroll to the present one. */
  update() {
    const before = this.present, record = this.getRecord();
    this.present = this.nodes.findLastIndex(({ first }) => first <= record);
    this.shapes.forEach((_, i) => this.style(i));
    if (this.present === before) return;
    this.moveMarker();
    if (!this.isFitted) this.scrollTo(this.nodes[Math.max(0, this.present)]);
  }

  /* Scroll a node into the middle of the panel. */
  scrollTo({ x, y }) {
    const [left, top] = this.box;
    scrollToMiddle(this.place, (y - top) * this.scale, 0);
    requestAnimationFrame(() => { this.place.scrollLeft = (x - left) * this.scale - this.place.clientWidth / 2; });
  }
}
