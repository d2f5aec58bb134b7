/* Lenses: different views of the same step. Vertices and printed signs keep their places; only edges and nodes of
   constraints differ. The plan contains them, and the lens draws and highlights them. */

import { createArrows, listCounts } from "./arrows.js";
import { decodeLetter } from "./film.js";
import { createSvg, drawShape } from "./shapes.js";
import { Wires } from "./wires.js";

const SIGN = 44; // maximum width and height of a printed sign that arrows avoid; larger ones fill cells

/* The edges and nodes of constraints of the chosen lens. */
export class Lens {
  constructor(film, picture) {
    this.film = film;
    this.picture = picture;
    this.set(film.data.lens);
  }

  /* Draw the edges, nodes and texts of a lens. */
  set(kind) {
    const { printed, constraints, lenses } = this.film.data, plan = lenses[kind];
    this.kind = kind;
    this.plan = plan;
    this.highlighted = [];
    this.shapes = new Map(); // from a constraint to the shapes that represent it
    this.picture.edges.replaceChildren();
    this.texts?.forEach((shape) => shape.remove());
    printed.forEach((shape, i) => this.recordShape(shape[5], this.picture.fixedShapes[i]));
    // Draw edges, nodes and texts, and record the constraints that each represents.
    this.edges = plan.edges.map((edge) => [edge, this.add(edge[2], createSvg("path", { class: edge[3] ? "edge dashed" : "edge", d: edge[0] }))]);
    plan.constraint_nodes.forEach((c) => { if (!constraints[c].node.quiet) this.add([c], this.createNode(c)); });
    this.picture.tabs.replaceChildren(...plan.constraint_nodes.filter((c) => constraints[c].node.tab).flatMap((c) => this.shapes.get(c).slice(-1)));
    // Lines lie behind the vertices, and over black squares where they lead to a clue.
    const place = ([kind, look]) => (kind === "text" ? this.picture.printed : look.includes("stub") ? this.picture.under : this.picture.spines);
    this.texts = plan.texts.map((shape) => place(shape).appendChild(drawShape(shape, "mark")));
    plan.texts.forEach((shape, i) => this.recordShape(shape[5], this.texts[i]));
    this.hidden = plan.hidden;
    // The edges of these constraints get arrowheads, also beside a table; the others have arrows over the vertices.
    const isBesideTable = (c) => constraints[c].scope.every((v) => this.film.data.vertices[v].piece !== undefined);
    const withEdges = plan.edges.flatMap((edge) => edge[2]), free = [...withEdges, ...plan.constraint_nodes].filter((c) => !constraints[c].close);
    this.carriers = new Set([...free, ...withEdges.filter(isBesideTable)]);
    this.picture.svg.setAttribute("viewBox", plan.box.join(" "));
    this.picture.svg.style.aspectRatio = `${plan.box[2]} / ${plan.box[3]}`;
    this.update();
  }

  /* Record a shape as a representation of constraints. */
  recordShape(constraints, shape) {
    for (const c of constraints || []) this.shapes.set(c, [...(this.shapes.get(c) || []), shape]);
  }

  /* Draw a shape that represents constraints. */
  add(constraints, shape) {
    this.picture.edges.append(shape);
    this.recordShape(constraints, shape);
    return shape;
  }

  /* Create the node of a constraint. */
  createNode(c, state = "") {
    const { name, node: { shapes } } = this.film.data.constraints[c];
    return createSvg("g", { class: `constraint ${state}` }, createSvg("title", {}, name), ...shapes.map((shape) => drawShape(shape)));
  }

  /* Highlight the active constraints, or for a constraint without shapes the constraints that it follows from. Draw the
     arrows and the lines that show only now. */
  update() {
    const { scene, behind, over } = this.picture, { width, data: { constraints } } = this.film;
    // The vertices that lost a value, all of them and by constraint.
    const findVertices = (codes) => new Set([...codes].map((code) => Math.floor(code / width)));
    this.changed = findVertices(scene.gone);
    this.changedBy = new Map();
    for (const { constraint: c, gone } of scene.losses) this.changedBy.set(c, new Set([...(this.changedBy.get(c) || []), ...findVertices(gone)]));
    const isDrawn = (c) => this.shapes.has(c) || (constraints[c].node && this.plan.constraint_nodes.includes(c));
    const findDrawn = (numbers) => [...numbers].flatMap((c) => (isDrawn(c) ? [c] : constraints[c]?.origins || [c]));
    const active = findDrawn(scene.constraints);
    // The removals that led to a failure, also without causes, with the constraints that are highlighted for them.
    this.removers = (scene.failed.size ? [...scene.losses, ...scene.takers] : []).map(({ constraint, causes, gone }) => [findDrawn([constraint]), new Set(causes), findVertices(gone)]);
    const uncrossed = new Set(this.edges.filter(([edge]) => !this.isCrossed(edge, active)).map(([, shape]) => shape));
    this.highlighted.splice(0).forEach((shape) => shape.classList.remove("on", "lit", "arrow", "forward", "backward", "cause", "grouped"));
    // Highlight the edges and clues of active constraints; other shapes only for a single step, or a group with a last
    // place. The nodes and cells of such a group have a colour, so that its lines stay as they are.
    const isEdge = (shape) => shape.classList.contains("edge"), isClue = (shape) => shape.matches("text.mark:not(.said), .ring, .orb, .quad");
    const grouped = new Set(findDrawn(scene.groups)), groupEdges = new Set(this.edges.filter(([[, , own]]) => own.some((c) => grouped.has(c))).map(([, shape]) => shape));
    const isActive = (scene.isOneStep && scene.placed.size) || scene.active.size || scene.failed.size, isLit = (shape) => (groupEdges.has(shape) || !uncrossed.has(shape)) && (isActive || isEdge(shape) || isClue(shape));
    const isNode = (shape) => shape.classList.contains("constraint"), isSpine = (shape) => this.texts.includes(shape);
    const groupShapes = [...scene.groups].flatMap((c) => this.shapes.get(c) || []).filter((shape) => !isEdge(shape));
    // Mark the nodes of the constraints that removed a value, as the vertices that are causes; without wires, their frames.
    const hasActed = scene.gone.size && !scene.failed.size;
    const losing = new Set(findDrawn([...scene.losses.map(({ constraint }) => constraint), ...scene.placed]));
    const acted = hasActed ? active.filter((c) => isActive || losing.has(c)) : [];
    const actors = acted.flatMap((c) => this.shapes.get(c) || []).filter(isNode);
    const frames = acted.filter((c) => this.plan.wired[c]?.[4] < 0).flatMap((c) => this.shapes.get(c) || []).filter((shape) => shape.matches(".spine, .region"));
    const placed = findDrawn(scene.placed).flatMap((c) => this.shapes.get(c) || []).filter(isNode);
    const tinted = findDrawn(scene.groups.size ? scene.groups : scene.placed).flatMap((c) => this.shapes.get(c) || []).filter(isNode);
    const lit = [...groupShapes.filter((shape) => !isNode(shape) && !isSpine(shape)), ...active.flatMap((c) => this.shapes.get(c) || []).filter((shape) => isLit(shape) && !placed.includes(shape)), ...frames];
    lit.push(...this.removers.flatMap(([own]) => own).flatMap((c) => this.shapes.get(c) || []).filter((shape) => isNode(shape) || isClue(shape) || (isEdge(shape) && !uncrossed.has(shape))));
    for (const [name, shapes] of [["on", lit], ["grouped", tinted], ["cause", actors]]) {
      shapes.forEach((shape) => shape.classList.add(name));
      shapes.filter((shape) => shape.matches(".thread")).forEach((shape) => shape.parentNode.append(shape));
      this.highlighted.push(...shapes);
    }
    // The signs of the lens that acted have frames, as clues have.
    this.frames?.forEach((frame) => frame.remove());
    this.frames = lit.filter((shape) => isSpine(shape) && isClue(shape)).map((shape) => this.addFrame(shape));
    // A constraint that an implied one follows from removed nothing: its edges have no heads.
    for (const [[, ends, own], shape] of scene.gone.size && scene.causes.size && !scene.failed.size ? this.edges : []) {
      if (shape.classList.contains("on") && !uncrossed.has(shape) && own.some((c) => scene.constraints.has(c))) shape.classList.add(...this.findHead(ends, own));
    }
    // Draw the lines that show only now, below and above the vertices.
    const shownByArrows = new Set(scene.losses.map(({ constraint }) => constraint).filter((c) => !this.carriers.has(c)));
    const layers = isActive ? [...scene.constraints].filter((c) => !shownByArrows.has(c)).map((c) => this.createActiveLines(c)) : [];
    if (scene.constraints.size || scene.losses.length) layers.push({ over: this.createRemovals() });
    for (const [layer, place] of [[behind, "behind"], [over, "over"]]) {
      const shapes = layers.flatMap((lines) => lines[place] || []);
      if (shapes.length || layer.firstChild) layer.replaceChildren(...shapes);
    }
  }

  /* Create the arrows of removals, which avoid texts and signs, and their numbers, and the numbers of values that cells lost. */
  createRemovals() {
    const { film, plan, picture: { scene } } = this, counts = listCounts(film, scene), { constraints } = film.data;
    const nodes = plan.constraint_nodes.map((c) => constraints[c].node).filter(({ quiet }) => !quiet).flatMap(({ shapes }) => shapes);
    const signs = film.data.printed.slice(film.data.under).filter(([shape, , at]) => (shape === "box" || shape === "disc") && Math.max(at[2], at[3]) <= SIGN);
    signs.push(...this.picture.scene.signs.map((i) => film.data.tokens[i]).filter(([shape, look]) => shape === "box" && /^taker/.test(look)));
    const listTexts = () => [...[...this.picture.listShapes(), ...plan.texts, ...nodes].filter(([shape, look]) => shape === "text" || look === "blank"), ...counts, ...signs];
    const wires = new Wires(film, scene, plan.wired), without = new Set([...wires.carried, ...(scene.failed.size ? [] : this.carriers)]);
    return [...createArrows(film, scene, without, listTexts), ...wires.create(), ...counts.map((shape) => drawShape(shape))];
  }

  /* Add the frame of a sign that acted, as in csp/picture/picture.py. */
  addFrame(text) {
    const [, , [x, y], size, words] = this.plan.texts[this.texts.indexOf(text)], width = 0.64 * size * words.length + 4, height = 0.75 * size + 7;
    const frame = createSvg("rect", { class: "mark acted", x: x - width / 2, y: y - height / 2, width, height, rx: 3 });
    text.before(frame);
    return frame;
  }

  /* Return whether an edge joins a cause and a vertex that lost a value, or a node and one of these. Edges in a scene
     without causes or removals count as crossed. */
  isCrossed([, [v, w], constraints], active) {
    const { scene } = this.picture;
    if (this.removers.length) return this.ledToFailure([v, w], constraints) || this.showsFailure(w, constraints, active);
    if (!scene.causes.size || !scene.gone.size) return true;
    if (w === undefined) return this.isHit(v, constraints) || constraints.some((c) => active.includes(c) && this.getCauses(c).has(v));
    const crosses = (causes) => (causes.has(v) && this.isHit(w, constraints)) || (causes.has(w) && this.isHit(v, constraints));
    return constraints.some((c) => active.includes(c) && crosses(this.getCauses(c)));
  }

  /* Return whether an edge belongs to a removal that led to a failure, as in csp/picture/picture.py. */
  ledToFailure([v, w], constraints) {
    return this.removers.some(([own, causes, hit]) => own.some((c) => constraints.includes(c))
      && (w === undefined ? causes.has(v) || hit.has(v) : (causes.has(v) && hit.has(w)) || (causes.has(w) && hit.has(v))));
  }

  /* Return whether an edge leads to the node of a failed constraint, or joins its pair. */
  showsFailure(w, constraints, failed) {
    return constraints.some((c) => failed.includes(c) && (w === undefined || this.film.data.constraints[c].scope.length === 2));
  }

  /* Return the classes of the arrowhead of an active edge: at the end that lost a value by one of its constraints. */
  findHead([v, w], constraints) {
    const { causes } = this.picture.scene;
    if (w === undefined) return this.isHit(v, constraints) ? ["lit", "arrow", "forward"] : [];
    return ["lit", "arrow", causes.has(w) && this.isHit(v, constraints) ? "backward" : "forward"];
  }

  /* Return the causes of a constraint, or all causes of the scene if it has none of its own. */
  getCauses(c) {
    const { scene } = this.picture, reasons = scene.reasons.get(c);
    return reasons?.size ? reasons : scene.causes;
  }

  /* Create the lines that show while a constraint without edges is active, for the layers `over` and `behind`. */
  createActiveLines(c) {
    const { plan, film } = this, { close, node, scope, join } = film.data.constraints[c];
    const joins = join ? [[scope[1], join]] : plan.joins[c]?.map(([v, letter]) => [v, this.getPath(v, letter)]);
    const line = (v, d) => createSvg("path", { class: !close && this.picture.scene.losses.length && this.isHit(v, [c]) ? "thin forward" : "thin", d });
    const plain = () => (joins.length ? joins.map(([v, d]) => line(v, d)) : this.createPairLines(scope, line));
    const lines = joins ? plain() : [];
    const quiet = node?.quiet && plan.constraint_nodes.includes(c) ? [this.createNode(c, this.picture.scene.gone.size ? "on cause" : "on")] : [];
    return close ? { over: [...lines, ...quiet] } : { behind: lines, over: quiet };
  }

  /* Create a line for each pair of variables of a scope. */
  createPairLines(scope, line) {
    const { vertices } = this.film.data, way = (v, w) => `M${vertices[v].x} ${vertices[v].y}L${vertices[w].x} ${vertices[w].y}`;
    return scope.flatMap((v, i) => scope.slice(i + 1).map((w) => line(w, way(v, w))));
  }

  /* Return the path of the i-th letter, which begins in the middle of a vertex. */
  getPath(v, letters, i = 0) {
    const { vertices, ways } = this.film.data, { x, y } = vertices[v];
    return `M${x} ${y}${ways[decodeLetter(letters, i)] || ""}`;
  }

  /* Return whether a vertex loses a value now: by one of these constraints, if they remove any. */
  isHit(v, constraints) {
    const own = constraints.filter((c) => this.changedBy.has(c));
    return own.length ? own.some((c) => this.changedBy.get(c).has(v)) : this.changed.has(v);
  }
}
