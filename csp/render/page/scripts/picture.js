/* The picture: each vertex in its place with its domain, and the highlights of the present step. Only changed vertices are
   drawn again. The plan contains all positions; contract.js describes forms. */

import { isCounted } from "./arrows.js";
import { listHelperSigns, MAX_FRAMES } from "./helpers.js";
import { createSvg, drawShape, drawShapes } from "./shapes.js";
import { chooseShapes } from "./vertex.js";

const RING = 8, GROUNDS = new Set(["active", "failed", "lined", "grouped", "swept"]);

/* Return whether a shape fills a cell; it lies below the state of the vertex, as in csp/picture/shapes.py. */
const isShade = ([shape, look]) => shape === "box" && /^(tint-|shade|dark|black)/.test(look);

/* Return signs without the frames of helpers that acted if these are more than MAX_FRAMES or those of many steps, as in
   csp/picture/lines/touched.py. */
const omitManyFrames = (signs, tokens, isOneStep) => {
  const others = signs.filter((i) => !tokens[i][1].endsWith("-cause"));
  return signs.length - others.length > MAX_FRAMES || !isOneStep ? others : signs;
};

/* The drawing of the network or the board, in layers from `spines` to `guesses`. */
export class Picture {
  constructor(film, svg) {
    this.film = film;
    this.svg = svg;
    this.scene = film.getScene();
    this.chosen = null;
    this.dirty = new Set(); // vertices that must be painted again
    const heads = ["arrow", "arrow-second", "arrow-third", "arrow-fourth", "arrow-fifth", "arrow-sixth", "arrow-on"].map((id) => createSvg("marker", {
      id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse",
    }, createSvg("path", { d: "M0 0L8 4L0 8z" })));
    svg.append(createSvg("defs", {}, ...heads));
    const layer = (name) => svg.appendChild(createSvg("g", { class: name }));
    this.spines = layer("marks");
    const covers = layer("marks"); // they keep the lines of constraints out of transparent vertices
    film.data.vertices.forEach(({ x, y, bare }, v) => { if (bare) covers.append(drawShape(["box", "paper", [x, y, ...this.getForm(v).size]])); });
    this.shades = layer("marks");
    const grounds = layer("grounds");
    this.low = layer("marks");
    this.under = layer("marks");
    this.behind = layer("active-edges behind");
    this.edges = layer("edges");
    this.groups = film.data.vertices.map((vertex, v) => svg.appendChild(this.createVertex(vertex, v)));
    // A transparent vertex shows its state below the signs under it: a ring, and a pale fill.
    this.grounds = film.data.vertices.map(({ x, y, bare }, v) => {
      const { size: [w, h], whole: { body: [[, look]] } } = this.getForm(v);
      if (!bare && !look.startsWith("body column")) return null;
      return grounds.appendChild(createSvg("rect", { x: x - w / 2 + RING / 2, y: y - h / 2 + RING / 2, width: Math.max(0, w - RING), height: Math.max(0, h - RING), class: "ground" }));
    });
    this.framed = layer("framed"); // the frames of clues that acted are below the clues
    this.printed = layer("marks");
    this.over = layer("active-edges");
    this.tabs = layer("marks"); // nodes of constraints over wires and the borders of regions
    this.links = layer("links");
    this.signs = layer("marks signs");
    this.guesses = layer("guesses");
    const place = (shape, isUnder) => (isUnder ? (isShade(shape) ? this.shades : this.under) : this.printed).appendChild(drawShape(shape, "mark"));
    this.fixedShapes = film.data.printed.map((shape, i) => place(shape, i < film.data.under));
    const { shapes = [], under } = film.data.drawn || {};
    this.drawings = shapes.map((shape, i) => place(shape, i < under));
    film.data.vertices.forEach((_, v) => this.drawVertex(v));
    this.draw();
  }

  /* Show or hide the shapes that depend on the values of variables. */
  draw() { this.drawings.forEach((shape, i) => shape.setAttribute("display", this.film.drawn[i] ? "inline" : "none")); }

  /* Mark a vertex as chosen; null for none. */
  choose(v) {
    const changed = [this.chosen, v].filter((vertex) => vertex !== null);
    this.chosen = v;
    changed.forEach((vertex) => this.drawVertex(vertex));
  }

  /* Return the form of a vertex. */
  getForm(v) { return this.film.data.forms[this.film.data.vertices[v].form]; }

  /* Create the group of a vertex: its body, and an empty group for its contents. */
  createVertex(vertex, v) {
    const place = { transform: `translate(${vertex.x} ${vertex.y})`, tabindex: -1, role: "img", "data-v": v };
    return createSvg("g", place, ...this.getForm(v).whole.body.map((shape) => drawShape(shape)), createSvg("g"));
  }

  /* Draw the changed vertices. While another lens hides the picture, only record them. */
  update(touched, isSeen = true) {
    // A vertex is drawn again if its domain or its highlights have changed.
    const oldScene = this.scene, newScene = this.scene = this.film.getScene();
    const { film, dirty } = this;
    touched.forEach((v) => dirty.add(v));
    for (const { gone, causes, active, failed, lined, grouped } of [oldScene, newScene]) {
      gone.forEach((code) => dirty.add(Math.floor(code / film.width)));
      failed.forEach((v) => dirty.add(v));
      causes.forEach((v) => dirty.add(v));
      active.forEach((v) => dirty.add(v));
      lined.forEach((v) => dirty.add(v));
      grouped.forEach((v) => dirty.add(v));
    }
    if (!isSeen) return;
    dirty.forEach((v) => this.drawVertex(v));
    dirty.clear();
    // Rows touch: causes come last, so that no neighbour covers their borders. A moved element would lose the focus.
    const isCause = (_, v) => newScene.causes.has(v), isRow = (_, v) => this.getForm(v).kind === "row";
    if (this.groups.some(isRow) && !this.svg.contains(document.activeElement)) {
      this.framed.before(...this.groups.filter((...one) => !isCause(...one)), ...this.groups.filter(isCause));
    }
    this.links.replaceChildren(...newScene.links.map((shape) => drawShape(shape)));
    newScene.signs = omitManyFrames(newScene.signs, film.data.tokens, newScene.isOneStep);
    const shapes = [...newScene.signs.map((i) => film.data.tokens[i]), ...listHelperSigns(film, newScene)];
    const layerOf = ([, look]) => ({ acted: this.framed, "failed-square": this.framed, "grouped-square": this.framed, "acted low": this.low }[look] || this.signs);
    for (const layer of [this.framed, this.low, this.signs]) layer.replaceChildren(...shapes.filter((shape) => layerOf(shape) === layer).map((shape) => drawShape(shape, "mark")));
    this.draw();
  }

  /* Draw the contents of a vertex and set the classes and the label of its state. */
  drawVertex(v) {
    const { film, scene } = this, vertex = film.data.vertices[v], form = this.getForm(v), group = this.groups[v];
    // A board with failed squares has no failed lines.
    const isLine = form.kind === "row" || form.kind === "column", hasSquares = isLine && scene.signs.some((i) => film.data.tokens[i][1] === "failed-square");
    const states = {
      marked: film.marked[v], active: scene.active.has(v), cause: scene.causes.has(v),
      failed: (scene.failed.has(v) && !hasSquares) || (isLine && !scene.failed.size && !film.getRemaining(v).length), lined: scene.lined.has(v), grouped: scene.grouped.has(v), swept: vertex.domain.some((value) => scene.swept.has(v * film.width + value)), chosen: v === this.chosen,
    };
    const stateNames = Object.keys(states).filter((state) => states[state]);
    const kind = ["vertex", form.whole.body[0][1].split(" ")[1], ...(vertex.bare ? ["bare"] : []), ...stateNames].join(" ");
    for (const [name, value] of [["class", kind], ["aria-label", this.describe(v, stateNames)]]) {
      if (group.getAttribute(name) !== value) group.setAttribute(name, value);
    }
    this.grounds[v]?.setAttribute("class", ["ground", ...stateNames.filter((state) => GROUNDS.has(state) && (vertex.bare || state === "failed"))].join(" "));
    // Reuse the shapes that have not changed.
    drawShapes(group.lastChild, this.createVertexShapes(v));
  }

  /* Return the shapes that are printed, that fixed values draw, and inside the vertices, except lines. */
  listShapes() {
    const { printed, drawn, vertices } = this.film.data, drawings = (drawn?.shapes || []).filter((_, i) => this.film.drawn[i]);
    const move = ([shape, look, [x, y, ...size], ...rest], vertex) => [shape, look, [vertex.x + x, vertex.y + y, ...size], ...rest];
    const values = vertices.flatMap((vertex, v) => this.createVertexShapes(v).filter(([shape]) => shape !== "line").map((shape) => move(shape, vertex)));
    return [...printed, ...drawings, ...values];
  }

  /* Return the shapes inside a vertex; removed values are coloured by the constraint that removed them. */
  createVertexShapes(v) {
    const { film, scene } = this, form = this.getForm(v), vertex = film.data.vertices[v];
    // At a failure, unfixed cells show the values that it needs struck out; a board has signs in its squares.
    const remaining = film.getRemaining(v), isNeeded = scene.failed.has(v) && scene.signs.length && remaining.length !== 1 && form.style !== "size" && !["row", "column"].includes(form.kind);
    const { lost: needed = [], struck = [] } = film.getRecord() || {}, lost = new Set(isNeeded ? [...needed, ...struck] : []);
    const gone = isCounted(form, scene) ? [] : vertex.domain.filter((value) => (scene.gone.has(v * film.width + value) && !scene.swept.has(v * film.width + value)) || lost.has(v * film.width + value));
    const shapes = chooseShapes(form, vertex, film.getListed(v), gone, film.marked[v], (value) => film.data.values[value], film.pencil[v]);
    const removers = form.values.filter((value) => gone.includes(value)).map((value) => scene.removers.get(v * film.width + value));
    const visible = scene.failed.has(v) && form.style !== "size" ? shapes.filter(([, look]) => look !== "empty") : shapes;
    return visible.map((shape) => {
      const remover = shape[1] === "boxed" ? removers.shift() : undefined;
      return remover === undefined ? shape : [shape[0], `boxed taker${remover}`, ...shape.slice(2)];
    });
  }

  /* Return the box around all vertices of the present step, and the box of the first: left, top, right, bottom. The result
     is empty if no vertex changes or is active. */
  getBoxes() {
    const { film, scene } = this, hit = [...new Set([...scene.gone].map((code) => Math.floor(code / film.width)))];
    const ends = [...hit, ...scene.causes, ...(hit.length ? [] : scene.active)].map((v) => {
      const { x, y } = film.data.vertices[v], [wide, high] = this.getForm(v).size;
      return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    });
    return ends.length ? [[0, 1, 2, 3].map((i) => (i < 2 ? Math.min : Math.max)(...ends.map((end) => end[i]))), ends[0]] : [];
  }

  /* Return the label of a vertex for screen readers. */
  describe(v, states) {
    const { film } = this;
    const left = film.getListed(v).map((value) => film.data.values[value]);
    return [film.data.vertices[v].name, ...states, `left: ${left.join(" ") || "none"}`].join(", ");
  }

  /* Return the place of a value within its vertex: middle, width and height. */
  getPlace(v, value) {
    const { places, values, slot } = this.getForm(v);
    return [...places[values.indexOf(value)], ...slot];
  }

  /* Return the value at a point of the screen, null between the places of values. */
  findValue(v, clientX, clientY) {
    const { size: [w, h], slot: [wide, high], places, values } = this.getForm(v), { domain } = this.film.data.vertices[v];
    const box = this.groups[v].firstChild.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width - 0.5) * w, y = ((clientY - box.top) / box.height - 0.5) * h;
    const isThere = ([left, top]) => Math.abs(x - left) <= wide / 2 && Math.abs(y - top) <= high / 2;
    return values.find((value, i) => isThere(places[i]) && domain.includes(value)) ?? null;
  }
}
