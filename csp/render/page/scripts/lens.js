/* Lenses: ways to see the same step. The vertices and what is printed stay where they are; only what joins them differs,
   and all of it is in the plan: here it is drawn, and lit. */

import { number } from "./film.js";
import { drawMark, element } from "./marks.js";

export class Lens {
  constructor(film, picture) {
    this.film = film;
    this.picture = picture;
    this.set(film.data.lens);
  }

  set(kind) {
    const { marks, constraints, lenses } = this.film.data, plan = lenses[kind];
    this.kind = kind;
    this.plan = plan;
    this.lit = [];
    this.shapes = new Map(); // from the number of a constraint to what shows it
    this.picture.edges.replaceChildren();
    this.texts?.forEach((shape) => shape.remove());
    marks.forEach((mark, i) => this.note(mark[5], this.picture.marks[i]));
    this.edges = plan.edges.map((edge) => [edge, this.add(edge[2], element("path", { class: edge[3] ? "edge dashed" : "edge", d: edge[0] }))]);
    plan.chips.forEach((c) => { if (!constraints[c].chip.quiet) this.add([c], this.chip(c)); });
    this.texts = plan.texts.map((mark) => this.picture.printed.appendChild(drawMark(mark, "mark")));
    plan.texts.forEach((mark, i) => this.note(mark[5], this.texts[i]));
    this.hidden = plan.hidden;
    this.picture.svg.setAttribute("viewBox", plan.box.join(" "));
    this.picture.svg.style.aspectRatio = `${plan.box[2]} / ${plan.box[3]}`;
    this.update();
  }

  note(constraints, shape) {
    for (const c of constraints || []) this.shapes.set(c, [...(this.shapes.get(c) || []), shape]);
  }

  add(constraints, shape) {
    this.picture.edges.append(shape);
    this.note(constraints, shape);
    return shape;
  }

  chip(c, state = "") {
    const { name, chip: { marks } } = this.film.data.constraints[c];
    return element("g", { class: `constraint ${state}` }, element("title", {}, name), ...marks.map((mark) => drawMark(mark)));
  }

  /* Light what is active now; for what has no picture of its own, what it comes from. */
  update() {
    const { scene, behind, over } = this.picture, { constraints } = this.film.data;
    const isSeen = (c) => this.shapes.has(c) || (constraints[c].chip && this.plan.chips.includes(c));
    const own = [...scene.constraints].flatMap((c) => (isSeen(c) ? [c] : constraints[c].origins || [c]));
    const off = new Set(this.edges.filter(([edge]) => !this.isCrossed(edge, own)).map(([, shape]) => shape));
    this.lit.forEach((shape) => shape.classList.remove("on"));
    const isEdge = (shape) => shape.classList.contains("edge"); // of a whole round only the edges are lit
    const acts = scene.active.size || scene.failed.size, works = (shape) => !off.has(shape) && (acts || isEdge(shape));
    this.lit = own.flatMap((c) => this.shapes.get(c) || []).filter(works);
    this.lit.forEach((shape) => shape.classList.add("on"));
    const acting = acts ? [...scene.constraints].map((c) => this.acting(c)) : [];
    if (!scene.constraints.size) acting.push({ over: this.around() });
    else if (acts) acting.push({ over: this.squares() });
    for (const [layer, place] of [[behind, "behind"], [over, "over"]]) {
      const shapes = acting.flatMap((drawn) => drawn[place] || []);
      if (shapes.length || layer.firstChild) layer.replaceChildren(...shapes);
    }
  }

  /* Whether an edge is one that a removal went along: from a cause to a vertex that has lost a value. */
  isCrossed([, [v, w], constraints], own) {
    const { scene } = this.picture;
    if (w === undefined || !scene.causes.size || !scene.gone.size) return true;
    const crosses = (causes) => (causes.has(v) && this.isHit(w)) || (causes.has(w) && this.isHit(v));
    return constraints.some((c) => own.includes(c) && crosses(this.causes(c)));
  }

  /* Those of a constraint; where it alone has none, all. */
  causes(c) {
    const { scene } = this.picture, own = scene.reasons.get(c);
    return own?.size ? own : scene.causes;
  }

  /* What joins the variables of an active constraint that has no edges of its own. */
  acting(c) {
    const { plan, film } = this, { close, chip, scope, join } = film.data.constraints[c];
    const joins = join ? [[scope[1], join]] : plan.joins[c]?.map(([v, letter]) => [v, this.way(v, letter)]);
    const line = (v, d) => element("path", { class: this.isHit(v) ? "hit" : "", d });
    const plain = () => (joins.length ? joins.map(([v, d]) => line(v, d)) : this.pairs(scope, line));
    const lines = joins ? plain() : c in plan.bows ? this.bows(c, line) : [];
    const quiet = chip?.quiet && plan.chips.includes(c) ? [this.chip(c, "on")] : [];
    return close ? { over: [...lines, ...quiet] } : { behind: lines, over: quiet };
  }

  /* On boards, from the place of a cause to each that is lost. */
  squares() {
    const { film, picture: { scene } } = this, { vertices, forms } = film.data, { width } = film;
    const isBoard = (v) => ["row", "column"].includes(forms[vertices[v].form].kind) && !vertices[v].piece;
    const at = (v, value) => {
      const { x, y, form } = vertices[v], { places, values } = forms[form], [p, q] = places[values.indexOf(value)];
      return `${x + p} ${y + q}`;
    };
    const own = [...scene.causes].filter((v) => isBoard(v) && film.left(v).length === 1), hit = [...scene.gone].map((code) => [Math.floor(code / width), code % width]);
    if (this.kind === "grid") return [];
    return own.flatMap((v) => hit.filter(([w]) => w !== v && isBoard(w)).map(([w, value]) => (
      element("path", { class: "hit", d: `M${at(v, film.left(v)[0])}L${at(w, value)}` }))));
  }

  /* From each to each. */
  pairs(scope, line) {
    const { vertices } = this.film.data, way = (v, w) => `M${vertices[v].x} ${vertices[v].y}L${vertices[w].x} ${vertices[w].y}`;
    return scope.flatMap((v, i) => scope.slice(i + 1).map((w) => line(w, way(v, w))));
  }

  /* From the causing vertices to those of their group that lose a value. */
  bows(c, line) {
    const { scope } = this.film.data.constraints[c], causes = this.causes(c);
    const rest = scope.filter((v) => !causes.has(v) && this.isHit(v));
    return scope.filter((v) => causes.has(v)).flatMap((cause) => rest.map((v) => line(v, this.bow(c, cause, v))));
  }

  /* The edges of the vertex that is taken or decided, or of the first in the queue. */
  around() {
    const { film, plan, picture: { scene } } = this, { constraints, waiting } = film.data;
    const [own] = scene.active.size === 1 ? scene.active : [...film.queue.map((one) => waiting[one][1]).filter((v) => v >= 0), ...(film.position ? [] : [0])];
    const ways = new Map();
    for (const c of plan.near) {
      const { scope } = constraints[c];
      if (scope.includes(own)) scope.forEach((v) => { if (v !== own && !ways.has(v)) ways.set(v, this.bow(c, own, v)); });
    }
    return [...ways.values()].map((d) => element("path", { class: "near", d }));
  }

  /* The way from one vertex of a constraint to another. */
  bow(c, one, other) {
    const { scope } = this.film.data.constraints[c], letters = this.plan.bows[c][one] || "";
    return this.way(one, letters, scope.filter((v) => v !== one).indexOf(other));
  }

  /* The way from the middle of a vertex that a letter stands for. */
  way(v, letters, i = 0) {
    const { vertices, ways } = this.film.data, { x, y } = vertices[v];
    return `M${x} ${y}${ways[number(letters, i)] || ""}`;
  }

  isHit(v) {
    const { film, picture: { scene } } = this;
    return film.data.vertices[v].domain.some((value) => scene.gone.has(v * film.width + value));
  }
}
